/* SPDX-License-Identifier: MIT */
/*
 * Targets and depth buffers of different sizes: each is cleared over the viewport and its own size, and draws without
 * depth access reach beyond a smaller depth buffer. Source: Wine, test_clear_different_size_surfaces, ds_size_test,
 * test_occlusion_query, test_null_format.
 */
#include "tests/unit/shader_stage.h"

#define FORMAT_NULL MAKEFOURCC('N', 'U', 'L', 'L')

struct sized {
    struct client_chain *chain;
    unsigned width, height;
};

static struct sized add_sized(struct shader_scene *s, uint32_t usage, uint32_t format, unsigned width, unsigned height)
{
    const struct client_chain_desc desc = {.usage = usage, .format = format, .width = width, .height = height};

    return (struct sized){add_surface(s, &desc), width, height};
}

static struct sized add_samples(struct shader_scene *s, uint32_t usage, uint32_t format, unsigned width,
                                unsigned height, unsigned samples)
{
    const struct client_chain_desc desc = {
        .usage = usage, .format = format, .width = width, .height = height, .samples = samples};

    return (struct sized){add_surface(s, &desc), width, height};
}

static uint32_t handle_of(const struct sized *t)
{
    return client_handle(client_part(t->chain, 0));
}

static void set_target(struct shader_scene *s, unsigned index, uint32_t handle)
{
    const uint32_t body[2] = {index, handle};

    put_words(s, D3DDP2OP_SETRENDERTARGET2, body, 2);
}

static void set_depth(struct shader_scene *s, const struct sized *t)
{
    const uint32_t handle = handle_of(t);

    put_words(s, D3DDP2OP_SETDEPTHSTENCIL, &handle, 1);
}

static void set_viewport(struct shader_scene *s, uint32_t width, uint32_t height)
{
    const uint32_t body[4] = {0, 0, width, height};

    put_words(s, D3DDP2OP_VIEWPORTINFO, body, 4);
}

static void clear(struct shader_scene *s, uint32_t flags, uint32_t color, float depth, const RECT *rects,
                  unsigned count)
{
    uint32_t body[4 + 4 * 4] = {flags | D3DCLEAR_COMPUTERECTS, color};

    memcpy(&body[2], &depth, sizeof(depth));
    if (count)
        memcpy(&body[4], rects, count * sizeof(*rects));
    stage_command(&s->stage, D3DDP2OP_CLEAR, (uint16_t)count, body, 16 + 16 * (count ? count : 1));
}

static void clear_computed(struct shader_scene *s, uint32_t flags, uint32_t color, float depth, const RECT *rect)
{
    uint32_t body[4 + 4] = {flags, color};

    memcpy(&body[2], &depth, sizeof(depth));
    memcpy(&body[4], rect, sizeof(*rect));
    stage_command(&s->stage, D3DDP2OP_CLEAR, 1, body, sizeof(body));
}

/* All texels inside the rectangle are `inside`, the others `outside`. */
static void holds(struct shader_scene *s, const struct sized *t, const RECT *rect, unsigned bytes, uint32_t inside,
                  uint32_t outside)
{
    for (unsigned y = 0; y < t->height; y++)
        for (unsigned x = 0; x < t->width; x++) {
            const bool is_in =
                (LONG)x >= rect->left && (LONG)x < rect->right && (LONG)y >= rect->top && (LONG)y < rect->bottom;
            const uint32_t wanted = is_in ? inside : outside;
            uint32_t got = 0;

            read_surface(s, t->chain, x, y, &got, bytes);
            if (got != wanted)
                fail_msg("texel (%u, %u) of %ux%u: %x instead of %x", x, y, t->width, t->height, (unsigned)got,
                         (unsigned)wanted);
        }
}

static RECT all_of(const struct sized *t)
{
    return (RECT){0, 0, (LONG)t->width, (LONG)t->height};
}

/* Whichever surface is smallest and whichever part of it is cleared. */
static void test_clear_each_to_its_size(void **state)
{
    struct shader_scene *s = *state;
    const struct sized first = add_sized(s, CLIENT_TARGET, D3DFMT_A8R8G8B8, 3, 2),
                       second = add_sized(s, CLIENT_TARGET, D3DFMT_A8R8G8B8, 5, 9),
                       third = add_sized(s, CLIENT_TARGET, D3DFMT_A8R8G8B8, 1, 1),
                       depth = add_sized(s, CLIENT_DEPTH, D3DFMT_D16, 4, 7);
    const struct sized *const targets[] = {&first, &second, &third};
    const RECT nothing = {0};

    for (unsigned i = 0; i < 3; i++)
        set_target(s, i, handle_of(targets[i]));
    set_depth(s, &depth);
    set_viewport(s, 640, 640);
    clear(s, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff123456, 1.0f, NULL, 0);
    for (unsigned i = 0; i < 3; i++) {
        const RECT all = all_of(targets[i]);

        holds(s, targets[i], &all, 4, 0xff123456, 0);
    }
    const RECT all = all_of(&depth);

    holds(s, &depth, &all, 2, 0xffff, 0);
    /* one kind at a time, and the viewport and rectangles of each */
    set_viewport(s, 4, 640);
    clear(s, D3DCLEAR_ZBUFFER, 0, 0.0f, NULL, 0);
    holds(s, &depth, &all, 2, 0, 0);
    for (unsigned i = 0; i < 3; i++)
        holds(s, targets[i], &nothing, 4, 0, 0xff123456);
    const RECT rects[2] = {{1, 1, 9, 3}, {1, 3, 9, 300}}, part = {1, 1, 4, 9};

    clear(s, D3DCLEAR_TARGET, 0xff00ff00, 0, rects, 2);
    for (unsigned i = 0; i < 3; i++)
        holds(s, targets[i], &part, 4, 0xff00ff00, 0xff123456);
    holds(s, &depth, &all, 2, 0, 0);
    clear(s, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff0000ff, 1.0f, rects, 2);
    for (unsigned i = 0; i < 3; i++)
        holds(s, targets[i], &part, 4, 0xff0000ff, 0xff123456);
    holds(s, &depth, &part, 2, 0xffff, 0);
    /* rectangles that the runtime has clipped to the viewport mean the same */
    set_viewport(s, 4, 640);
    clear_computed(s, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff0a0b0c, 0.0f, &(RECT){0, 0, 5, 9});
    for (unsigned i = 0; i < 3; i++) {
        const RECT all_of_it = all_of(targets[i]);

        holds(s, targets[i], &all_of_it, 4, 0xff0a0b0c, 0);
    }
    holds(s, &depth, &all, 2, 0, 0);
}

/* A depth buffer smaller than the target does not clip draws without depth access; clears, and draws that access depth,
 * still reach it. */
static void test_small_depth_buffer(void **state)
{
    struct shader_scene *s = *state;
    const struct sized depth = add_sized(s, CLIENT_DEPTH, D3DFMT_D16, 5, 6), target = {s->stage.target, SIZE, SIZE};
    const RECT all = {0, 0, SIZE, SIZE}, corner = {0, 0, 5, 6}, nothing = {0};

    set_depth(s, &depth);
    set_viewport(s, SIZE, SIZE);
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 0, 1, 0, 1\nmov oC0, c0\n");
    clear(s, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 1.0f, NULL, 0);
    draw_quad(s);
    holds(s, &target, &all, 4, 0xff00ff00, 0);
    holds(s, &depth, &nothing, 2, 0, 0xffff);
    /* depth is written where it is */
    clear(s, D3DCLEAR_TARGET, 0xff000000, 1.0f, NULL, 0);
    stage_state(&s->stage, D3DRS_ZENABLE, D3DZB_TRUE);
    draw_quad(s);
    holds(s, &target, &corner, 4, 0xff00ff00, 0xff000000);
    holds(s, &depth, &corner, 2, 0x4000, 0);
    /* and again without: nothing of it was lost */
    stage_state(&s->stage, D3DRS_ZENABLE, D3DZB_FALSE);
    use_ps(s, "ps_3_0\ndef c0, 0, 0, 1, 1\nmov oC0, c0\n");
    draw_quad(s);
    holds(s, &target, &all, 4, 0xff0000ff, 0);
    holds(s, &depth, &corner, 2, 0x4000, 0);
    /* between two such draws a clear of only depth, then a draw that accesses stencil */
    clear(s, D3DCLEAR_ZBUFFER, 0, 1.0f, NULL, 0);
    use_ps(s, "ps_3_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0\n");
    draw_quad(s);
    holds(s, &target, &all, 4, 0xffff0000, 0);
    holds(s, &depth, &corner, 2, 0xffff, 0);
    stage_state(&s->stage, D3DRS_STENCILENABLE, TRUE);
    use_ps(s, "ps_3_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n");
    draw_quad(s);
    holds(s, &target, &corner, 4, 0xffffffff, 0xffff0000);
}

/* Draws reach a larger second target over the size of the first; a smaller one is left out. */
static void test_larger_second_target(void **state)
{
    struct shader_scene *s = *state;
    const struct sized larger = add_sized(s, CLIENT_TARGET, D3DFMT_A8R8G8B8, SIZE + 7, SIZE + 3),
                       smaller = add_sized(s, CLIENT_TARGET, D3DFMT_A8R8G8B8, SIZE - 3, SIZE),
                       target = {s->stage.target, SIZE, SIZE};
    const RECT all = {0, 0, SIZE, SIZE}, nothing = {0};

    set_target(s, 1, handle_of(&larger));
    set_target(s, 2, handle_of(&smaller));
    set_viewport(s, 1000, 1000);
    clear(s, D3DCLEAR_TARGET, 0xff010203, 1.0f, NULL, 0);
    set_viewport(s, SIZE, SIZE);
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 0, 1, 0, 1\ndef c1, 1, 0, 0, 1\nmov oC0, c0\nmov oC1, c1\nmov oC2, c1\n");
    draw_quad(s);
    holds(s, &target, &all, 4, 0xff00ff00, 0);
    holds(s, &larger, &all, 4, 0xffff0000, 0xff010203);
    holds(s, &smaller, &nothing, 4, 0, 0xff010203);
}

/* Draws at the depth of the quad over the viewport, where depth was 1: which pixels reach the depth buffer? */
static void draws_depth(struct shader_scene *s, const struct sized *depth, uint32_t width, uint32_t height,
                        const RECT *reached)
{
    set_viewport(s, 640, 640);
    clear(s, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xffffffff, 1.0f, NULL, 0);
    set_viewport(s, width, height);
    draw_quad(s);
    holds(s, depth, reached, 2, 0x4000, 0xffff);
}

/* A target of the format NULL does not limit draws: viewport and depth buffer do, whichever of the sizes is larger, and
 * other targets are drawn to. */
static void test_target_without_pixels(void **state)
{
    struct shader_scene *s = *state;
    const struct sized none = add_sized(s, CLIENT_TARGET, FORMAT_NULL, 5, 4),
                       some = add_sized(s, CLIENT_TARGET, D3DFMT_A8R8G8B8, 5, 4),
                       depth = add_sized(s, CLIENT_DEPTH, D3DFMT_D16, 131, 70),
                       tiny = add_sized(s, CLIENT_DEPTH, D3DFMT_D16, 3, 2),
                       second = add_sized(s, CLIENT_TARGET, D3DFMT_A8R8G8B8, 100, 6);
    const RECT all = {0, 0, 131, 70}, view = {0, 0, 97, 68}, of_target = {0, 0, 5, 4}, of_tiny = {0, 0, 3, 2},
               common = {0, 0, 97, 6}, of_second = {0, 0, 100, 6};

    stage_state(&s->stage, D3DRS_ZENABLE, D3DZB_TRUE);
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\ndef c0, 0, 1, 0, 1\nmov oC0, c0\nmov oC1, c0\n");
    set_target(s, 0, handle_of(&none));
    set_depth(s, &depth);
    draws_depth(s, &depth, 640, 640, &all);
    draws_depth(s, &depth, 97, 68, &view);
    set_depth(s, &tiny);
    draws_depth(s, &tiny, 97, 68, &of_tiny);
    /* back: a target with pixels limits draws again */
    set_depth(s, &depth);
    draws_depth(s, &depth, 97, 68, &view);
    set_target(s, 0, handle_of(&some));
    draws_depth(s, &depth, 97, 68, &of_target);
    holds(s, &some, &of_target, 4, 0xff00ff00, 0);
    /* a clear of nothing else writes nothing */
    set_target(s, 0, handle_of(&none));
    clear(s, D3DCLEAR_TARGET, 0xffffffff, 0, NULL, 0);
    holds(s, &depth, &of_target, 2, 0x4000, 0xffff);
    /* the smallest target with pixels limits draws to all targets */
    set_target(s, 0, handle_of(&none));
    set_target(s, 1, handle_of(&second));
    draws_depth(s, &depth, 97, 68, &common);
    holds(s, &second, &common, 4, 0xff00ff00, 0xffffffff);
    draws_depth(s, &depth, 640, 640, &of_second);
    holds(s, &second, &of_second, 4, 0xff00ff00, 0xffffffff);
}

/* The same with multisampling: a NULL target has as many samples as the target that it replaces. Pixels at the edges
 * are partly covered. */
static void test_samples_without_pixels(void **state)
{
    struct shader_scene *s = *state;
    static const unsigned counts[] = {2, 4, 8, 16};
    static const unsigned inside[][2] = {{1, 1}, {6, 5}, {95, 66}}, outside[][2] = {{98, 5}, {5, 69}, {130, 69}};

    stage_state(&s->stage, D3DRS_ZENABLE, D3DZB_TRUE);
    use_vs(s, VS_PASS);
    use_ps(s, "ps_2_0\ndef c0, 0, 1, 0, 1\nmov oC0, c0\n");
    for (unsigned i = 0; i < ARRAY_COUNT(counts); i++) {
        const struct sized none = add_samples(s, CLIENT_TARGET, FORMAT_NULL, 5, 4, counts[i]),
                           depth = add_samples(s, CLIENT_DEPTH, D3DFMT_D16, 131, 70, counts[i]);

        set_target(s, 0, handle_of(&none));
        set_depth(s, &depth);
        set_viewport(s, 640, 640);
        clear(s, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xffffffff, 1.0f, NULL, 0);
        set_viewport(s, 97, 68);
        draw_quad(s);
        clear(s, D3DCLEAR_TARGET, 0xffffffff, 0, NULL, 0);
        for (unsigned k = 0; k < ARRAY_COUNT(inside); k++) {
            uint32_t in = 0, out = 0;

            read_surface(s, depth.chain, inside[k][0], inside[k][1], &in, 2);
            read_surface(s, depth.chain, outside[k][0], outside[k][1], &out, 2);
            assert_int_equal(in, 0x4000);
            assert_int_equal(out, 0xffff);
        }
    }
}

#define bytes_test(name) cmocka_unit_test_setup_teardown(name, open_bytes, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        bytes_test(test_clear_each_to_its_size), bytes_test(test_small_depth_buffer),
        bytes_test(test_larger_second_target),   bytes_test(test_target_without_pixels),
        bytes_test(test_samples_without_pixels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
