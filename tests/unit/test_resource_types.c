/* SPDX-License-Identifier: MIT */
/* Handles and DirectDraw surfaces of one type where a token or a call wants another: buffers as surfaces and the reverse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "tests/unit/client_fixture.h"

#define UNKNOWN 9999 /* names nothing */

/* The resources of a test; `vertices` and `more` have one kind and size. */
enum { TARGET, DEPTH, TEXTURE, VERTICES, MORE, INDICES, COUNT };

struct scene {
    struct client_chain *chain[COUNT], *commands;
    uintptr_t context;
};

static const struct client_chain_desc descriptions[COUNT] = {
    [TARGET] = {.usage = CLIENT_TARGET, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8, .levels = 1},
    [DEPTH] = {.usage = CLIENT_DEPTH, .format = D3DFMT_D24S8, .width = 8, .height = 8, .levels = 1},
    [TEXTURE] = {.usage = CLIENT_TEXTURE, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8, .levels = 2},
    [VERTICES] = {.usage = CLIENT_VERTEX_BUFFER, .width = 64},
    [MORE] = {.usage = CLIENT_VERTEX_BUFFER, .width = 64},
    [INDICES] = {.usage = CLIENT_INDEX_BUFFER, .width = 64},
};

static struct client_surface *part(const struct scene *s, unsigned which)
{
    return client_part(s->chain[which], 0);
}

static void open_scene(struct scene *s)
{
    const struct client_chain_desc commands = {.usage = CLIENT_COMMAND_BUFFER, .width = 4096};

    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(client_chain_create(client, &descriptions[i], &s->chain[i]), DD_OK);
    assert_int_equal(client_chain_create(client, &commands, &s->commands), DD_OK);
    assert_int_equal(client_context_create(client, part(s, TARGET), part(s, DEPTH), DDI_LEVEL_DX9, &s->context), DD_OK);
}

static void close_scene(struct scene *s)
{
    client_context_destroy(client, s->context);
    for (unsigned i = 0; i < COUNT; i++)
        client_chain_destroy(s->chain[i]);
    client_chain_destroy(s->commands);
}

static HRESULT run(const struct scene *s, uint8_t token, const void *body, size_t size)
{
    struct client_draw draw = {.context = s->context, .commands = client_part(s->commands, 0)};
    struct dp2_builder builder;
    struct client_lock lock;

    assert_int_equal(client_lock(draw.commands, NULL, 0, &lock), DD_OK);
    dp2_builder_init(&builder, lock.bits, 4096);
    assert_non_null(dp2_put(&builder, token, 1, body, size));
    draw.command_length = (uint32_t)builder.length;
    client_unlock(draw.commands);
    return client_draw(client, &draw);
}

/* COUNT: a handle that names nothing. */
static uint32_t handle_of(const struct scene *s, unsigned which)
{
    return which == COUNT ? UNKNOWN : client_handle(part(s, which));
}

static bool is_buffer(unsigned which)
{
    return which >= VERTICES && which < COUNT;
}

/* --- tokens that name one resource ------------------------------------------------------------------ */

/* Numbers that a texture has, and priorities: accepted for any resource, and skipped for an unknown one. */
static void test_tokens_for_any_resource(void **state)
{
    struct scene s;

    (void)state;
    open_scene(&s);
    for (unsigned i = 0; i <= COUNT; i++) {
        const uint32_t handle = handle_of(&s, i), number[2] = {handle, 1}, palette[3] = {3, 0, handle};
        const uint32_t rect[5] = {handle, 0, 0, 8, 8}, fill[6] = {handle, 0, 0, 8, 8, 0xff00ff00};

        assert_int_equal(run(&s, D3DDP2OP_SETPRIORITY, number, sizeof(number)), DD_OK);
        assert_int_equal(run(&s, D3DDP2OP_SETTEXLOD, number, sizeof(number)), DD_OK);
        assert_int_equal(run(&s, D3DDP2OP_SETPALETTE, palette, sizeof(palette)), DD_OK);
        assert_int_equal(run(&s, D3DDP2OP_ADDDIRTYRECT, rect, sizeof(rect)), DD_OK);
        assert_int_equal(run(&s, D3DDP2OP_COLORFILL, fill, sizeof(fill)), DD_OK);
        assert_int_equal(run(&s, D3DDP2OP_GENERATEMIPSUBLEVELS, number, sizeof(number)), DD_OK);
    }
    close_scene(&s);
}

static void test_targets(void **state)
{
    struct scene s;

    (void)state;
    open_scene(&s);
    for (unsigned i = 0; i <= COUNT; i++) {
        const uint32_t handle = handle_of(&s, i), pair[2] = {handle, 0}, depth[2] = {0, handle},
                       second[2] = {1, handle};

        assert_int_equal(run(&s, D3DDP2OP_SETRENDERTARGET, pair, sizeof(pair)),
                         i == TARGET ? DD_OK : DDERR_INVALIDPARAMS);
        assert_int_equal(run(&s, D3DDP2OP_SETRENDERTARGET2, second, sizeof(second)),
                         i == TARGET ? DD_OK : DDERR_INVALIDPARAMS);
        assert_int_equal(run(&s, D3DDP2OP_SETRENDERTARGET, depth, sizeof(depth)),
                         i == DEPTH ? DD_OK : DDERR_INVALIDPARAMS);
        assert_int_equal(run(&s, D3DDP2OP_SETDEPTHSTENCIL, &handle, sizeof(handle)),
                         i == DEPTH ? DD_OK : DDERR_INVALIDPARAMS);
    }
    close_scene(&s);
}

/* --- tokens that name two ---------------------------------------------------------------------------- */

/* The answer to a copy of 8 x 8 texels from `from` to `to`, of textures. */
static HRESULT copy_of_textures(unsigned to, unsigned from)
{
    if (to == COUNT || from == COUNT)
        return DD_OK; /* skipped */
    return is_buffer(to) || is_buffer(from) || (to == DEPTH) != (from == DEPTH) ? DDERR_INVALIDPIXELFORMAT : DD_OK;
}

static HRESULT copy_of_buffers(unsigned to, unsigned from)
{
    if (to == COUNT || from == COUNT)
        return DD_OK;
    return is_buffer(to) && is_buffer(from) && (to == INDICES) == (from == INDICES) ? DD_OK : DDERR_INVALIDOBJECT;
}

static void test_copies(void **state)
{
    struct scene s;

    (void)state;
    open_scene(&s);
    for (unsigned pair = 0; pair < (COUNT + 1) * (COUNT + 1); pair++) {
        const unsigned to = pair % (COUNT + 1), from = pair / (COUNT + 1);
        const uint32_t a = handle_of(&s, to), b = handle_of(&s, from);
        const uint32_t texels[9] = {a, b, 0, 0, 0, 0, 8, 8, 0}, no_texels[9] = {a, b, 0, 0, 0, 0, 0, 8, 0};
        const uint32_t volume[12] = {a, b, 0, 0, 0, 0, 0, 8, 8, 0, 1, 0};
        const uint32_t bytes[6] = {a, b, 0, 0, 8, 0}, too_many[6] = {a, b, 60, 0, 8, 0};
        const HRESULT buffers = copy_of_buffers(to, from);

        assert_int_equal(run(&s, D3DDP2OP_TEXBLT, texels, sizeof(texels)), copy_of_textures(to, from));
        assert_int_equal(run(&s, D3DDP2OP_VOLUMEBLT, volume, sizeof(volume)), copy_of_textures(to, from));
        assert_int_equal(run(&s, D3DDP2OP_BUFFERBLT, bytes, sizeof(bytes)), buffers);
        assert_int_equal(run(&s, D3DDP2OP_BUFFERBLT, too_many, sizeof(too_many)),
                         SUCCEEDED(buffers) && to != COUNT && from != COUNT ? DDERR_INVALIDPARAMS : buffers);
        if (to != COUNT && from != COUNT && (is_buffer(to) || is_buffer(from)))
            assert_int_equal(run(&s, D3DDP2OP_TEXBLT, no_texels, sizeof(no_texels)), DD_OK);
    }
    close_scene(&s);
}

/* A buffer has one level, so that a second one is as unknown as a handle that names nothing. */
static void test_blits(void **state)
{
    struct scene s;

    (void)state;
    open_scene(&s);
    for (unsigned pair = 0; pair < (COUNT + 1) * (COUNT + 1); pair++) {
        const unsigned to = pair % (COUNT + 1), from = pair / (COUNT + 1);
        const uint32_t a = handle_of(&s, to), b = handle_of(&s, from);
        const uint32_t blt[13] = {b, 0, 0, 4, 4, 0, a, 0, 0, 4, 4, 0, 0},
                       stretch[13] = {b, 0, 0, 4, 4, 0, a, 0, 0, 8, 8, 0, 0};
        const uint32_t level[13] = {b, 0, 0, 4, 4, 1, a, 0, 0, 4, 4, 0, 0};
        const bool known = to != COUNT && from != COUNT;

        assert_int_equal(run(&s, D3DDP2OP_SURFACEBLT, blt, sizeof(blt)), copy_of_textures(to, from));
        assert_int_equal(run(&s, D3DDP2OP_SURFACEBLT, stretch, sizeof(stretch)), known ? DDERR_NOSTRETCHHW : DD_OK);
        if (from != TEXTURE)
            assert_int_equal(run(&s, D3DDP2OP_SURFACEBLT, level, sizeof(level)), DD_OK);
        if (known && (is_buffer(to) || is_buffer(from)))
            assert_int_equal(run(&s, D3DDP2OP_BLT, stretch, sizeof(stretch)), DDERR_INVALIDPIXELFORMAT);
    }
    close_scene(&s);
}

/* --- calls -------------------------------------------------------------------------------------------- */

static HRESULT blt(struct client_surface *to, struct client_surface *from, DWORD flags)
{
    DDHAL_BLTDATA data = {.lpDDDestSurface = &to->lcl,
                          .lpDDSrcSurface = from ? &from->lcl : NULL,
                          .rDest = {0, 0, 8, 1},
                          .rSrc = {0, 0, 8, 1},
                          .dwFlags = flags};

    data.bltFX.dwROP = SRCCOPY;
    assert_int_equal(driver.surface.Blt(&data), DDHAL_DRIVER_HANDLED);
    return data.ddRVal;
}

static HRESULT flip(struct client_surface *front, struct client_surface *back)
{
    DDHAL_FLIPDATA data = {.lpSurfCurr = &front->lcl, .lpSurfTarg = &back->lcl};

    assert_int_equal(driver.surface.Flip(&data), DDHAL_DRIVER_HANDLED);
    return data.ddRVal;
}

static void test_calls_with_buffers(void **state)
{
    struct scene s;
    uintptr_t context;

    (void)state;
    open_scene(&s);
    for (unsigned i = VERTICES; i < COUNT; i++) {
        struct client_surface *buffer = part(&s, i), *target = part(&s, TARGET), *depth = part(&s, DEPTH);

        assert_int_equal(blt(target, buffer, DDBLT_ROP), DDERR_INVALIDPIXELFORMAT);
        assert_int_equal(blt(buffer, target, DDBLT_ROP), DDERR_INVALIDPIXELFORMAT);
        assert_int_equal(blt(buffer, NULL, DDBLT_COLORFILL), DDERR_INVALIDPIXELFORMAT);
        assert_int_equal(flip(target, buffer), DDERR_NOTFLIPPABLE);
        assert_int_equal(flip(buffer, part(&s, MORE)), DDERR_NOTFLIPPABLE);
        assert_int_equal(client_set_target(client, s.context, buffer, depth), DDERR_INVALIDPARAMS);
        assert_int_equal(client_set_target(client, s.context, target, buffer), DDERR_INVALIDPARAMS);
        assert_int_equal(client_context_create(client, target, buffer, DDI_LEVEL_DX9, &context), DDERR_INVALIDPARAMS);
    }
    close_scene(&s);
}

/* Either lock function takes both types. */
static void test_locks(void **state)
{
    struct scene s;

    (void)state;
    open_scene(&s);
    for (unsigned i = 0; i < COUNT; i++) {
        DDHAL_LOCKDATA lock = {.lpDDSurface = &part(&s, i)->lcl};
        DDHAL_UNLOCKDATA unlock = {.lpDDSurface = &part(&s, i)->lcl};

        assert_int_equal((is_buffer(i) ? driver.surface.Lock(&lock) : driver.buffer.LockExecuteBuffer(&lock)),
                         DDHAL_DRIVER_HANDLED);
        assert_int_equal(lock.ddRVal, DD_OK);
        assert_non_null(lock.lpSurfData);
        assert_int_equal(driver.surface.Unlock(&unlock), DDHAL_DRIVER_HANDLED);
        assert_int_equal(unlock.ddRVal, DD_OK);
        driver.surface.Unlock(&unlock);
        assert_int_equal(unlock.ddRVal, DDERR_NOTLOCKED);
    }
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_for_any_resource),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_blits),
        cmocka_unit_test(test_calls_with_buffers),
        cmocka_unit_test(test_locks),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
