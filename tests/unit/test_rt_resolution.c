/* SPDX-License-Identifier: MIT */
/*
 * The internal resolution (docs/internal-resolution.md): the same random program on a device of the program's resolution and on one whose
 * surfaces are two to four times as large reads the same pixels everywhere, because the pixel that is read is the one with the same
 * place. Rectangles, points and flat colours leave no room for a tolerance.
 */
#include "tests/unit/rt_fixture.h"

#include <math.h>

#include "bytecode/bytecode.h"
#include "runtime/common/device/draw.h"
#include "runtime/common/device/states.h"
#include "runtime/common/driver/query.h"
#include "runtime/common/state/enlarge.h"
#include "runtime/common/state/shader_pixels.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define PIXELS   (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
#define SIZED    (D3DFVF_XYZRHW | D3DFVF_PSIZE | D3DFVF_DIFFUSE)
#define SPACE    (D3DFVF_XYZ | D3DFVF_DIFFUSE)
#define SPACED   (D3DFVF_XYZ | D3DFVF_PSIZE | D3DFVF_DIFFUSE)
#define SURFACES 5

struct world {
    struct rt_adapter *adapter;
    struct rt_device *device;
    struct rt_texture *texture; /* a target of the back buffer's size */
    struct rt_surface
        *surface[SURFACES]; /* two targets of that size, the texture's level, a small target, one in system memory */
    struct rt_surface *depth;
    struct rt_buffer *vertices, *indices;
};

static ULONG WINAPI parent_ref(IUnknown *iface)
{
    (void)iface;
    return 1;
}

static IUnknownVtbl parent_vtbl = {.AddRef = parent_ref, .Release = parent_ref};
static IUnknown parent = {&parent_vtbl};

static uint32_t current_fvf(const struct rt_device *device)
{
    return device->pipe.state.vertex_shader;
}

static unsigned vertex_bytes(const struct rt_device *device)
{
    return dp2_fvf_size(device->pipe.state.vertex_shader);
}

static void vertex_use(const struct rt_device *device, struct rt_vertex_use *use)
{
    const uint32_t fvf = device->pipe.state.vertex_shader;

    use->in_pixels = (fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW;
    if (fvf & D3DFVF_PSIZE)
        use->size = use->in_pixels ? 16 : 12;
}

static const struct rt_state_ops state_ops = {rt_texture_handle, rt_buffer_handle, rt_shader_handle, rt_shader_handle,
                                              rt_no_handle};
static const struct rt_api api = {
    .state_rules = &d3d8_state_rules,
    .state_ops = &state_ops,
    .current_fvf = current_fvf,
    .vertex_bytes = vertex_bytes,
    .vertex_use = vertex_use,
};

/* --- the world ---------------------------------------------------------------------------------- */

static struct rt_surface *make_surface(struct world *w, uint32_t format, DWORD usage, uint32_t pool, unsigned size)
{
    const struct rt_surface_desc desc = {.format = format, .usage = usage, .pool = pool, .width = size, .height = size};
    struct rt_surface *surface;

    assert_int_equal(rt_surface_create(w->device, &desc, true, &surface), D3D_OK);
    return surface;
}

static struct rt_buffer *make_buffer(struct world *w, D3DRESOURCETYPE type, uint32_t pool)
{
    const struct rt_buffer_desc desc = {.type = type,
                                        .length = 4096,
                                        .usage = 0,
                                        .format = type == D3DRTYPE_INDEXBUFFER ? D3DFMT_INDEX16 : D3DFMT_VERTEXDATA,
                                        .pool = pool};
    struct rt_buffer *buffer;

    assert_int_equal(rt_buffer_create(w->device, &desc, &buffer), D3D_OK);
    return buffer;
}

static void open_world(struct world *w, uint32_t format, unsigned times, uint32_t pool)
{
    const struct rt_texture_desc texture = {.type = D3DRTYPE_TEXTURE,
                                            .width = RT_SIZE,
                                            .height = RT_SIZE,
                                            .depth = 1,
                                            .levels = 1,
                                            .usage = D3DUSAGE_RENDERTARGET,
                                            .format = format,
                                            .pool = D3DPOOL_DEFAULT};
    struct rt_device_desc desc = {
        .api = &api,
        .caps.MaxPointSize = 64.0f,
        .creation.BehaviorFlags = D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_FPU_PRESERVE,
    };

    memset(w, 0, sizeof(*w));
    desc.adapter = w->adapter = rt_open_adapter(&d3d8_driver_rules);
    w->device = calloc(1, sizeof(*w->device));
    assert_non_null(w->device);
    w->device->parent = &parent;
    assert_int_equal(rt_device_init(w->device, &desc), D3D_OK);
    w->device->resolution = (struct rt_resolution){RT_SIZE, RT_SIZE, times};
    w->surface[0] = make_surface(w, format, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, RT_SIZE);
    w->surface[1] = make_surface(w, format, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, RT_SIZE);
    assert_int_equal(rt_texture_create(w->device, &texture, &w->texture), D3D_OK);
    w->surface[2] = &w->texture->surfaces[0];
    w->surface[2]->lockable = true;
    w->surface[3] = make_surface(w, format, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, RT_SIZE / 2);
    w->surface[4] = make_surface(w, format, 0, D3DPOOL_SYSTEMMEM, RT_SIZE);
    w->depth = make_surface(w, D3DFMT_D24S8, D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT, RT_SIZE + 8);
    w->vertices = make_buffer(w, D3DRTYPE_VERTEXBUFFER, pool);
    w->indices = make_buffer(w, D3DRTYPE_INDEXBUFFER, pool);
    assert_int_equal(rt_device_create_context(w->device, w->surface[0], w->depth), D3D_OK);
    rt_device_SetRenderState(w->device, D3DRS_LIGHTING, FALSE);
    rt_device_SetRenderState(w->device, D3DRS_CULLMODE, D3DCULL_NONE);
    rt_device_SetRenderState(w->device, D3DRS_ZFUNC, D3DCMP_ALWAYS);
    for (unsigned i = 0; i < 4; i++) {
        rt_device_bind_target_and_depth(w->device, w->surface[i], w->depth);
        rt_device_reset_viewport(w->device);
        assert_int_equal(rt_device_Clear(w->device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, i * 0x203040, 1.0f, 0),
                         D3D_OK);
    }
}

static void close_world(struct world *w)
{
    rt_device_lose_context(w->device);
    for (unsigned i = 0; i < SURFACES; i++)
        if (i != 2)
            rt_object_Release(w->surface[i]);
    rt_object_Release(w->texture);
    rt_object_Release(w->depth);
    rt_object_Release(w->vertices);
    rt_object_Release(w->indices);
    assert_int_equal(rt_device_Release(w->device), 0);
    rt_adapter_destroy(w->adapter);
}

/* --- a program ---------------------------------------------------------------------------------- */

struct vertex {
    float x, y, z, rhw;
    union {
        struct {
            uint32_t color;
            float u, v;
        } plain;
        struct {
            float size;
            uint32_t color;
        } sized;
    };
};
_Static_assert(sizeof(struct vertex) == 28, "as PIXELS has it");

static float pick_coordinate(void)
{
    return (float)random_below(4 * RT_SIZE) / 4.0f - 4.0f;
}

/* The texture coordinate at an edge, such that pixels hit texels. Edges between pixels stay there, and the middle of a texel stays the
 * middle. From other edges on, the place of a pixel in the middle of a texel would be an edge between the texels of the enlarged one, so
 * these have the place within the first of them. */
static float texel_at(float edge)
{
    const bool between = edge != floorf(edge) && 2.0f * edge == floorf(2.0f * edge);

    return (edge + (between ? 0.5f : 0.125f)) / RT_SIZE;
}

/* A rectangle of two triangles. */
static void make_rect(struct vertex v[6])
{
    static const uint8_t corners[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    const float left = pick_coordinate(), top = pick_coordinate();
    const float right = left + (float)random_below(40), bottom = top + (float)random_below(40);
    const uint32_t color = 0xff000000 | random_word();

    for (unsigned i = 0; i < 6; i++) {
        v[i] = (struct vertex){corners[i][0] ? right : left, corners[i][1] ? bottom : top, 0.5f, 1.0f,
                               .plain = {color, 0, 0}};
        v[i].plain.u = texel_at(v[i].x);
        v[i].plain.v = texel_at(v[i].y);
    }
}

struct draw {
    D3DPRIMITIVETYPE type;
    uint32_t fvf;
    unsigned stride, count, primitives;
    uint8_t bytes[6 * 28];
    unsigned way; /* from user memory, from buffers; indexed or not */
    unsigned first;
};

static void make_points(struct draw *d)
{
    d->type = D3DPT_POINTLIST;
    d->count = d->primitives = 6;
    for (unsigned i = 0; i < 6; i++) {
        const float size = (float)(1 + random_below(12));
        const uint32_t color = 0xff000000 | random_word();
        struct vertex v = {pick_coordinate(), pick_coordinate(), 0.5f, 1.0f, .plain = {color, 0, 0}};

        if (d->fvf == SIZED) {
            v.sized.size = size;
            v.sized.color = color;
        }
        memcpy(d->bytes + i * d->stride, &v, d->stride);
        if (d->fvf == SPACE || d->fvf == SPACED) {
            const float at[3] = {(float)random_below(65) / 32.0f - 1.0f, (float)random_below(65) / 32.0f - 1.0f, 0.5f};

            memcpy(d->bytes + i * d->stride, at, sizeof(at));
            memcpy(d->bytes + i * d->stride + 12, d->fvf == SPACED ? (const void *)&size : (const void *)&color, 4);
            memcpy(d->bytes + i * d->stride + d->stride - 4, &color, 4);
        }
    }
}

static void make_draw(struct draw *d)
{
    static const uint32_t formats[] = {PIXELS, SIZED, SPACE, SPACED};

    memset(d, 0, sizeof(*d));
    d->way = random_below(4);
    d->first = random_below(8);
    d->fvf = formats[random_below(4)];
    d->stride = dp2_fvf_size(d->fvf);
    if (d->fvf != PIXELS || random_below(3) == 0) {
        make_points(d);
        return;
    }
    d->type = D3DPT_TRIANGLELIST;
    d->count = 6;
    d->primitives = 2;
    make_rect((struct vertex *)d->bytes);
}

static void fill_buffer(struct rt_buffer *buffer, unsigned offset, const void *bytes, unsigned size)
{
    void *data;

    assert_int_equal(rt_buffer_Lock(buffer, offset, size, &data, 0), D3D_OK);
    memcpy(data, bytes, size);
    assert_int_equal(rt_buffer_Unlock(buffer), D3D_OK);
}

static void run_draw(struct world *w, const struct draw *d)
{
    static const uint16_t forward[6] = {0, 1, 2, 3, 4, 5}, from_two[6] = {2, 3, 4, 5, 6, 7};
    struct rt_pipe *pipe = &w->device->pipe;

    rt_set_vertex_shader(pipe, d->fvf);
    if (d->way == 0) {
        assert_int_equal(rt_draw_up(w->device, d->type, d->primitives, d->bytes, d->stride), D3D_OK);
        return;
    }
    if (d->way == 1) {
        assert_int_equal(rt_draw_indexed_up(w->device, d->type, 0, d->count, d->primitives, forward, D3DFMT_INDEX16,
                                            d->bytes, d->stride),
                         D3D_OK);
        return;
    }
    fill_buffer(w->vertices, d->first * d->stride, d->bytes, d->count * d->stride);
    rt_set_stream(pipe, 0, &w->vertices->res, d->stride);
    if (d->way == 2) {
        assert_int_equal(rt_draw(w->device, d->type, d->first, d->primitives), D3D_OK);
        return;
    }
    /* the promised range is wrong, as in many programs */
    fill_buffer(w->indices, 2 * d->first, from_two, sizeof(from_two));
    rt_set_indices(pipe, &w->indices->res, 0);
    assert_int_equal(rt_draw_indexed(w->device, d->type, (INT)d->first - 2, 0, 1, d->first, d->primitives), D3D_OK);
}

static RECT random_rect(unsigned size)
{
    const LONG left = (LONG)random_below(size), top = (LONG)random_below(size);

    return (RECT){left, top, left + 1 + (LONG)random_below(size - (unsigned)left),
                  top + 1 + (LONG)random_below(size - (unsigned)top)};
}

static unsigned size_of(unsigned surface)
{
    return surface == 3 ? RT_SIZE / 2 : RT_SIZE;
}

/* An operation with all of its numbers, so that both worlds do the same. */
struct step {
    unsigned kind, target, source, bytes;
    RECT rect, rects[3];
    POINT at;
    uint32_t color;
    struct draw draw;
    float value;
};

enum { CLEAR, TARGET, VIEWPORT, DRAW, WRITE, COPY, TEXTURE, POINT_STATE, KINDS };

static void make_step(struct step *s)
{
    memset(s, 0, sizeof(*s));
    s->kind = random_below(KINDS + 4);
    s->kind = s->kind < KINDS ? s->kind : DRAW;
    s->target = random_below(s->kind == WRITE || s->kind == COPY ? SURFACES : 4);
    s->source = random_below(SURFACES);
    s->rect = random_rect(RT_SIZE / 2);
    for (unsigned i = 0; i < 3; i++)
        s->rects[i] = random_rect(RT_SIZE);
    s->at = (POINT){(LONG)random_below(RT_SIZE / 2 - (unsigned)(s->rect.right - s->rect.left) + 1),
                    (LONG)random_below(RT_SIZE / 2 - (unsigned)(s->rect.bottom - s->rect.top) + 1)};
    s->color = 0xff000000 | random_word();
    s->value = (float)(1 + random_below(9));
    make_draw(&s->draw);
}

/* Writes a rectangle of texels by a lock of all or of the rectangle. */
static void write_surface(struct rt_surface *surface, unsigned bytes, const RECT *rect, uint32_t color)
{
    D3DLOCKED_RECT locked;

    assert_int_equal(rt_surface_lock(surface, &locked, color & 1 ? rect : NULL, 0), D3D_OK);
    for (LONG y = rect->top; y < rect->bottom; y++) {
        for (LONG x = rect->left; x < rect->right; x++) {
            const LONG row = color & 1 ? y - rect->top : y, column = color & 1 ? x - rect->left : x;
            memcpy((uint8_t *)locked.pBits + row * locked.Pitch + column * (LONG)bytes, &color, bytes);
        }
    }
    assert_int_equal(rt_surface_unlock(surface), D3D_OK);
}

static void set_point_state(struct world *w, const struct step *s)
{
    static const D3DRENDERSTATETYPE states[] = {D3DRS_POINTSIZE, D3DRS_POINTSIZE_MIN, D3DRS_POINTSCALEENABLE,
                                                D3DRS_POINTSCALE_A};
    const unsigned which = s->source % 4;
    /* 1 / 32 of the viewport's height, then */
    const float value = which == 3 ? s->value * s->value * 1024.0f : which == 1 ? 1.0f : s->value;
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    rt_device_SetRenderState(w->device, states[which], which == 2 ? s->target & 1 : bits);
}

static void take_step(struct world *w, const struct step *s, unsigned bytes)
{
    const D3DVIEWPORT8 viewport = {(DWORD)s->rect.left,
                                   (DWORD)s->rect.top,
                                   (DWORD)(s->rect.right - s->rect.left),
                                   (DWORD)(s->rect.bottom - s->rect.top),
                                   0.0f,
                                   1.0f};

    switch (s->kind) {
    case CLEAR:
        assert_int_equal(rt_device_Clear(w->device, s->target, s->target ? (const D3DRECT *)s->rects : NULL,
                                         D3DCLEAR_TARGET | (w->device->depth ? D3DCLEAR_ZBUFFER : 0), s->color, 1.0f,
                                         0),
                         D3D_OK);
        break;
    case TARGET:
        rt_set_texture(&w->device->pipe, 0, NULL);
        rt_set_vertex_shader(&w->device->pipe, s->draw.fvf); /* bound by the next draw, to another target */
        rt_device_bind_target_and_depth(w->device, w->surface[s->target], s->color & 1 ? w->depth : NULL);
        rt_device_reset_viewport(w->device);
        break;
    case VIEWPORT:
        assert_int_equal(rt_device_SetViewport(w->device, &viewport), D3D_OK);
        break;
    case DRAW:
        run_draw(w, &s->draw);
        break;
    case WRITE:
        write_surface(w->surface[s->target], bytes, &s->rect, s->color);
        break;
    case COPY:
        if (s->source != s->target)
            assert_int_equal(rt_surface_copy(w->surface[s->target], s->at, w->surface[s->source], &s->rect), D3D_OK);
        break;
    case TEXTURE: /* not the target itself; the small target's pixels lie in the middle of texels, not in their first part */
        rt_set_texture(&w->device->pipe, 0,
                       w->device->target[0] != w->surface[2] && w->device->target[0] != w->surface[3] && s->target & 1
                           ? &w->texture->res
                           : NULL);
        break;
    default:
        set_point_state(w, s);
        break;
    }
}

/* Both worlds hold the same pixels. */
static void compare(struct world *plain, struct world *enlarged, unsigned bytes, unsigned round, unsigned step)
{
    for (unsigned i = 0; i < SURFACES; i++) {
        D3DLOCKED_RECT a, b;

        assert_int_equal(rt_surface_lock(plain->surface[i], &a, NULL, D3DLOCK_READONLY), D3D_OK);
        assert_int_equal(rt_surface_lock(enlarged->surface[i], &b, NULL, D3DLOCK_READONLY), D3D_OK);
        for (unsigned y = 0; y < size_of(i); y++) {
            for (unsigned x = 0; x < size_of(i); x++) {
                const uint8_t *p = (const uint8_t *)a.pBits + y * (unsigned)a.Pitch + x * bytes;
                const uint8_t *q = (const uint8_t *)b.pBits + y * (unsigned)b.Pitch + x * bytes;

                if (memcmp(p, q, bytes))
                    fail_msg("round %u, step %u, surface %u, pixel %u, %u: %02x%02x and %02x%02x", round, step, i, x, y,
                             p[0], p[1], q[0], q[1]);
            }
        }
        rt_surface_unlock(plain->surface[i]);
        rt_surface_unlock(enlarged->surface[i]);
    }
}

static void test_programs(void **state)
{
    static const uint32_t formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5};
    (void)state;
    for (unsigned round = first_round(60); round < end_round(60); round++) {
        const unsigned times = 2 + round % 3, format = round / 3 % 3, bytes = format == 2 ? 2 : 4;
        const uint32_t pool = round & 1 ? D3DPOOL_MANAGED : D3DPOOL_DEFAULT;
        struct world plain, enlarged;
        struct step step;

        random_seed = 1000 + round;
        open_world(&plain, formats[format], 0, pool);
        open_world(&enlarged, formats[format], times, pool);
        assert_int_equal(rt_surface_times(enlarged.surface[0]), times);
        assert_int_equal(rt_surface_times(enlarged.surface[2]), times);
        assert_int_equal(rt_surface_times(enlarged.surface[3]), 1);
        assert_int_equal(rt_surface_times(enlarged.depth), times);
        for (unsigned i = 0; i < 60; i++) {
            make_step(&step);
            take_step(&plain, &step, bytes);
            take_step(&enlarged, &step, bytes);
            if (i % 6 == 5)
                compare(&plain, &enlarged, bytes, round, i);
        }
        close_world(&plain);
        close_world(&enlarged);
    }
}

/* --- the rules ----------------------------------------------------------------------------------- */

static void test_which_surfaces(void **state)
{
    static const struct {
        struct rt_resolution_use use;
        unsigned times;
    } rows[] = {
        {{640, 480, D3DUSAGE_RENDERTARGET, false, false}, 3},  {{640, 480, D3DUSAGE_RENDERTARGET, true, false}, 3},
        {{640, 480, D3DUSAGE_RENDERTARGET, true, true}, 1},    {{640, 480, 0, true, false}, 1},
        {{640, 479, D3DUSAGE_RENDERTARGET, false, false}, 1},  {{1024, 1024, D3DUSAGE_RENDERTARGET, true, false}, 1},
        {{640, 480, D3DUSAGE_DEPTHSTENCIL, false, false}, 3},  {{1024, 1024, D3DUSAGE_DEPTHSTENCIL, false, false}, 3},
        {{1024, 1024, D3DUSAGE_DEPTHSTENCIL, true, false}, 1}, {{640, 480, D3DUSAGE_DEPTHSTENCIL, true, false}, 3},
        {{1024, 256, D3DUSAGE_DEPTHSTENCIL, false, false}, 1},
    };
    const struct rt_resolution resolution = {640, 480, 3}, none = {640, 480, 0};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        assert_int_equal(rt_resolution_times(&resolution, &rows[i].use), rows[i].times);
        assert_int_equal(rt_resolution_times(&none, &rows[i].use), 1);
    }
}

/* HALCYON_INTERNAL_RESOLUTION is 1920x1200 in this process. */
static void test_which_multiple(void **state)
{
    (void)state;
    assert_true(rt_resolution_is_set());
    assert_int_equal(rt_resolution_for(640, 480, 4096, 4096).times, 2);
    assert_int_equal(rt_resolution_for(640, 400, 4096, 4096).times, 3);
    assert_int_equal(rt_resolution_for(640, 400, 4096, 1000).times, 2);
    assert_int_equal(rt_resolution_for(960, 601, 4096, 4096).times, 0);
    assert_int_equal(rt_resolution_for(8, 8, 4096, 4096).times, RT_MOST_TIMES);
    assert_int_equal(rt_resolution_for(0, 0, 4096, 4096).times, 0);
}

static void test_corners(void **state)
{
    (void)state;
    assert_true(rt_enlarge_corner(-0.5f, 2) == -0.5f);
    assert_true(rt_enlarge_corner(639.5f, 2) == 1279.5f);
    assert_true(rt_enlarge_corner(-0.5f, 3) == -0.5f);
    assert_true(rt_enlarge_corner(640.0f, 2) == 1280.0f);
    assert_true(rt_enlarge_corner(0.25f, 4) == 1.0f);
    assert_int_equal(rt_enlarge_place(INT32_MAX, 2), INT32_MAX);
    assert_int_equal(rt_enlarge_place(-3, 0), -3);
    assert_int_equal(rt_enlarge_count(UINT32_MAX - 1, 2), UINT32_MAX);
    /* commands in place of sizes */
    assert_int_equal(rt_enlarge_size(0x314d3241, 2), 0x314d3241);
    assert_int_equal(rt_enlarge_size(0x7fa05000, 2), 0x7fa05000);
    assert_int_equal(rt_enlarge_size(0x3f800000, 2), 0x40000000);
}

/* Texels that a program does not change keep what the square holds. */
static void test_writes_keep_detail(void **state)
{
    struct world w;
    struct rt_mapping map;
    struct rt_chain *chain;
    const uint32_t mark = 0xff112233, white = 0xffffffff;
    const RECT one = {5, 6, 6, 7};

    (void)state;
    open_world(&w, D3DFMT_A8R8G8B8, 2, D3DPOOL_DEFAULT);
    chain = rt_surface_video(w.surface[1]);
    assert_int_equal(rt_chain_lock(chain, 0, 0, &map), D3D_OK);
    memcpy(map.bits + 21 * map.pitch + 4 * 31, &mark, 4); /* within the square of 15, 10 */
    rt_chain_unlock(chain, 0);
    write_surface(w.surface[1], 4, &one, white & ~1u);
    assert_int_equal(rt_chain_lock(chain, 0, D3DLOCK_READONLY, &map), D3D_OK);
    assert_memory_equal(map.bits + 21 * map.pitch + 4 * 31, &mark, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(map.bits[(12 + i / 2) * map.pitch + 4 * (10 + i % 2)], 0xfe);
    rt_chain_unlock(chain, 0);
    close_world(&w);
}

/* The samples of an enlarged target are averaged when it is copied to memory; UpdateTexture fills squares. */
static void test_copies(void **state)
{
    const struct rt_surface_desc sampled = {.format = D3DFMT_A8R8G8B8,
                                            .usage = D3DUSAGE_RENDERTARGET,
                                            .pool = D3DPOOL_DEFAULT,
                                            .samples = 4,
                                            .width = RT_SIZE,
                                            .height = RT_SIZE};
    const struct rt_texture_desc memory = {.type = D3DRTYPE_TEXTURE,
                                           .width = RT_SIZE,
                                           .height = RT_SIZE,
                                           .depth = 1,
                                           .levels = 1,
                                           .format = D3DFMT_A8R8G8B8,
                                           .pool = D3DPOOL_SYSTEMMEM};
    const RECT all = {0, 0, RT_SIZE, RT_SIZE};
    struct rt_surface *target;
    struct rt_texture *texture;
    D3DLOCKED_RECT locked;
    struct world w;

    (void)state;
    open_world(&w, D3DFMT_A8R8G8B8, 3, D3DPOOL_DEFAULT);
    assert_int_equal(rt_surface_create(w.device, &sampled, false, &target), D3D_OK);
    assert_int_equal(rt_surface_times(target), 3);
    rt_device_bind_target_and_depth(w.device, target, NULL);
    rt_device_reset_viewport(w.device);
    assert_int_equal(rt_device_Clear(w.device, 0, NULL, D3DCLEAR_TARGET, 0xff336699, 1.0f, 0), D3D_OK);
    assert_int_equal(rt_surface_copy(w.surface[4], (POINT){0, 0}, target, &all), D3D_OK);
    assert_int_equal(rt_surface_copy(target, (POINT){0, 0}, w.surface[4], &all), D3DERR_INVALIDCALL);
    assert_int_equal(rt_surface_lock(w.surface[4], &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    assert_int_equal(((uint32_t *)locked.pBits)[RT_SIZE * RT_SIZE - 1], 0xff336699);
    rt_surface_unlock(w.surface[4]);

    assert_int_equal(rt_texture_create(w.device, &memory, &texture), D3D_OK);
    write_surface(&texture->surfaces[0], 4, &all, 0xff00ff00);
    rt_texture_update(texture, w.texture);
    assert_int_equal(rt_surface_lock(w.surface[2], &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    assert_int_equal(((uint32_t *)locked.pBits)[RT_SIZE * RT_SIZE - 1], 0xff00ff00);
    rt_surface_unlock(w.surface[2]);
    rt_object_Release(texture);
    rt_device_bind_target_and_depth(w.device, w.surface[0], NULL);
    rt_object_Release(target);
    close_world(&w);
}

/* --- shaders ------------------------------------------------------------------------------------- */

/* The rewritten code as text; NULL, and the problem. */
static const char *rewrite(const char *text, uint32_t times, const char **problem)
{
    static char out[4096];
    uint32_t code[256], enlarged[256 + RT_SHADER_GROWTH];
    const size_t count = shader_assemble(text, code, 256, NULL);
    size_t words;

    assert_int_not_equal(count, 0);
    words = rt_shader_in_pixels(code, count, times, enlarged, problem);
    assert_true(words <= count + RT_SHADER_GROWTH);
    if (!words)
        return NULL;
    assert_true(shader_disassemble(enlarged, words, out, sizeof(out)) > 0);
    return out;
}

/* Without the indentation of the disassembler. */
static const char *without_margin(const char *text)
{
    static char out[4096];
    char *to = out;

    for (const char *at = text; *at; at++)
        if (*at != ' ' || (at > text && at[-1] != '\n' && at[-1] != ' '))
            *to++ = *at;
    *to = 0;
    return out;
}

static void expect_code(const char *text, uint32_t times, const char *want)
{
    const char *problem, *got = rewrite(text, times, &problem);

    got = got ? without_margin(got) : NULL;
    if (!got || strcmp(got, want))
        fail_msg("%s\nbecame\n%s\nnot\n%s", text, got ? got : problem, want);
}

static void test_shaders(void **state)
{
    const char *problem;

    (void)state;
    expect_code("ps_3_0\ndcl vPos.xy\nmov r0, vPos.yxyx\nadd oC0, r0, -vPos.x\n", 2,
                "ps_3_0\ndef c223, 0.5, -0.25, 0, 0\ndcl vPos.xy\nmad r31.xy, vPos, c223.x, c223.y\n"
                "mov r0, r31.yxyx\nadd oC0, r0, -r31.x\n");
    expect_code("vs_1_1\ndcl_position0 v0\nmov oPos, v0\nmov oPts.x, c0.x\n", 2,
                "vs_1_1\ndcl_position0 v0\nmov oPos, v0\nmov r11.x, c0.x\nadd oPts.x, r11, r11\n");
    expect_code(
        "vs_2_0\ndcl_position0 v0\nmov oPos, v0\nmov oPts.x, c0.x\ncall l0\nret\nlabel l0\nmov oPts.x, c1.x\nret\n", 4,
        "vs_2_0\ndcl_position0 v0\nmov oPos, v0\nmov r11.x, c0.x\ncall l0\nadd r10.x, r11, r11\nadd r10.x, r10, r11\n"
        "add oPts.x, r10, r11\nret\nlabel l0\nmov r11.x, c1.x\nret\n");
    expect_code("vs_3_0\ndcl_position0 v0\ndcl_position0 o0\ndcl_psize0 o1.x\nmov o0, v0\nmov o1.x, c0.x\n", 2,
                "vs_3_0\ndcl_position0 v0\ndcl_position0 o0\ndcl_psize0 o1.x\nmov o0, v0\nmov r31.x, c0.x\n"
                "add o1.x, r31, r31\n");
    /* nothing to do */
    assert_null(rewrite("ps_3_0\ndcl vFace\nmov oC0, vFace\n", 2, &problem));
    assert_null(problem);
    assert_null(rewrite("vs_1_1\ndcl_position0 v0\nmov oPos, v0\n", 2, &problem));
    assert_null(problem);
    /* nothing that can be done */
    assert_null(rewrite(
        "vs_3_0\ndcl_position0 v0\ndcl_position0 o0\ndcl_psize0 o1.x\ndcl_texcoord0 o1.yz\nmov o0, v0\nmov o1, v0\n", 2,
        &problem));
    assert_non_null(problem);
}

/* An occlusion query counts the program's pixels. */
static void test_queries(void **state)
{
    struct rt_fixture f;
    struct rt_query *query;
    uint32_t answer;

    (void)state;
    rt_open(&f, 9, false);
    assert_int_equal(rt_query_create(f.link, 9, &query), D3D_OK);
    rt_query_enlarged(query, 2);
    assert_int_equal(rt_query_get(query, &answer, 4, true), S_OK);
    assert_int_equal(answer, 0xdddddddd);
    assert_int_equal(rt_query_issue(query, 2), D3D_OK);
    assert_int_equal(rt_query_issue(query, 1), D3D_OK);
    for (unsigned i = 0; rt_query_get(query, &answer, 4, true) != S_OK; i++)
        assert_true(i < 100);
    assert_int_equal(answer, 0);
    rt_query_enlarged(query, 2);
    for (uint32_t pixels = 1; pixels <= 9; pixels++) {
        const uint8_t bytes[4] = {(uint8_t)pixels, 0, 0, 0};

        assert_int_equal(rt_query_issue(query, 3), D3D_OK);
        rt_queries_answer(f.link, 1, bytes, 4);
        assert_int_equal(rt_query_get(query, &answer, 4, false), S_OK);
        assert_int_equal(answer, (pixels + 3) / 4);
    }
    rt_query_destroy(query);
    rt_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_surfaces), cmocka_unit_test(test_which_multiple),
        cmocka_unit_test(test_corners),        cmocka_unit_test(test_writes_keep_detail),
        cmocka_unit_test(test_copies),         cmocka_unit_test(test_shaders),
        cmocka_unit_test(test_queries),        cmocka_unit_test(test_programs),
    };

    setenv("HALCYON_INTERNAL_RESOLUTION", "1920x1200", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
