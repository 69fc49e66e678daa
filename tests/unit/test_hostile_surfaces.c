/* SPDX-License-Identifier: MIT */
/*
 * Surfaces that a hostile caller describes, names and combines through the driver interface: a refused call leaves
 * nothing behind, an accepted one touches only its own memory (the sanitizers watch).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "tests/unit/client_fixture.h"

static struct client_chain *create(uint32_t usage, uint32_t format, unsigned size, unsigned levels)
{
    const struct client_chain_desc desc = {
        .usage = usage, .format = format, .width = size, .height = usage & CLIENT_BUFFER ? 1 : size, .levels = levels};
    struct client_chain *chain;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static struct hal_surface *hal_of(struct client_chain *chain, unsigned part)
{
    return hal_surface_from_lcl(&client_part(chain, part)->lcl);
}

static HRESULT announce(struct client_surface *surface)
{
    DDHAL_CREATESURFACEEXDATA data = {.lpDDLcl = surface->more.lpDD_lcl, .lpDDSLcl = &surface->lcl};

    assert_int_equal(driver.misc2.CreateSurfaceEx(&data), DDHAL_DRIVER_HANDLED);
    return data.ddRVal;
}

/* --- targets ------------------------------------------------------------------------ */

/* As SETRENDERTARGET refuses them. */
static void test_contexts_on_surfaces_of_the_wrong_kind(void **state)
{
    struct client_chain *color = create(CLIENT_TARGET, D3DFMT_A8R8G8B8, 64, 1);
    struct client_chain *depth = create(CLIENT_DEPTH, D3DFMT_D24S8, 64, 1);
    struct client_chain *texture = create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 64, 1);
    struct client_surface *c = client_part(color, 0), *d = client_part(depth, 0), *t = client_part(texture, 0);
    struct client_surface *const pairs[][2] = {{c, c}, {d, d}, {t, d}, {c, t}, {d, NULL}, {NULL, c}};
    uintptr_t context, other;

    (void)state;
    assert_int_equal(client_context_create(client, c, d, DDI_LEVEL_DX9, &context), DD_OK);
    for (unsigned i = 0; i < ARRAY_COUNT(pairs); i++) {
        assert_int_equal(client_context_create(client, pairs[i][0], pairs[i][1], DDI_LEVEL_DX9, &other),
                         DDERR_INVALIDPARAMS);
        assert_int_equal(client_set_target(client, context, pairs[i][0], pairs[i][1]), DDERR_INVALIDPARAMS);
    }
    client_context_destroy(client, context);
    client_chain_destroy(texture);
    client_chain_destroy(depth);
    client_chain_destroy(color);
}

/* --- names -------------------------------------------------------------------------- */

static unsigned surfaces(struct client_chain *chain)
{
    return hal_of(chain, 0)->base.driver->resource_count;
}

/* System memory attached to a surface whose name cannot be given is as unknown afterwards as before. */
static void test_refused_announcement_leaves_nothing(void **state)
{
    struct client_chain *known = create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 8, 1);
    struct client_chain *held = create(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 8, 2);
    struct client_surface part[2] = {*client_part(held, 0), *client_part(held, 1)}, *video = client_part(known, 0);
    const uint32_t numbers[] = {5000, 0x100000, UINT32_MAX};
    const unsigned before = surfaces(known);
    ATTACHLIST link = {.lpAttached = &part[1].lcl};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        part[i].lcl.dwReserved1 = 0;
        part[i].lcl.lpGbl = &part[i].gbl;
        part[i].lcl.lpSurfMore = &part[i].more;
        part[i].lcl.lpAttachList = NULL;
    }
    part[0].lcl.lpAttachList = &link;
    part[0].more.dwSurfaceHandle = 4999;
    for (unsigned i = 1; i < ARRAY_COUNT(numbers); i++) {
        part[1].more.dwSurfaceHandle = numbers[i];
        assert_int_equal(announce(&part[0]), DDERR_OUTOFMEMORY);
        assert_int_equal(surfaces(known), before);
        assert_null(hal_surface_from_lcl(&part[0].lcl));
        assert_null(hal_surface_from_lcl(&part[1].lcl));
        assert_null(hal_handles_get(hal_of(known, 0)->base.handles, 4999));
    }
    /* a known surface keeps its name */
    const uint32_t name = video->more.dwSurfaceHandle;
    ATTACHLIST also = {.lpAttached = &part[1].lcl};

    video->lcl.lpAttachList = &also;
    video->more.dwSurfaceHandle = 4998;
    assert_int_equal(announce(video), DDERR_OUTOFMEMORY);
    assert_int_equal(hal_of(known, 0)->base.handle, name);
    assert_ptr_equal(hal_handles_get(hal_of(known, 0)->base.handles, name), hal_of(known, 0));
    video->lcl.lpAttachList = NULL;
    video->more.dwSurfaceHandle = name;
    /* and with a valid number everything works */
    part[1].more.dwSurfaceHandle = numbers[0];
    assert_int_equal(announce(&part[0]), DD_OK);
    assert_int_equal(surfaces(known), before + 2);
    for (unsigned i = 0; i < 2; i++) {
        part[i].gbl.fpVidMem = 0;
        part[i].lcl.lpAttachList = NULL;
        assert_int_equal(announce(&part[i]), DD_OK);
    }
    assert_int_equal(surfaces(known), before);
    client_chain_destroy(held);
    client_chain_destroy(known);
}

/* Two surfaces under one number: the first has no name any more, and does not look for one when it is destroyed. */
static void test_a_name_given_twice(void **state)
{
    struct client *second = client_create(&driver), *first = client;
    struct client_chain *a, *b;

    (void)state;
    client = second;
    a = create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 8, 1);
    b = create(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 8, 1);
    client = first;
    struct client_surface *va = client_part(a, 0), *vb = client_part(b, 0);
    const uint32_t number_a = va->more.dwSurfaceHandle, number_b = vb->more.dwSurfaceHandle;

    vb->more.dwSurfaceHandle = number_a;
    assert_int_equal(announce(vb), DD_OK);
    assert_int_equal(hal_of(a, 0)->base.handle, 0);
    assert_null(hal_handles_get(hal_of(b, 0)->base.handles, number_b));
    assert_ptr_equal(hal_handles_get(hal_of(b, 0)->base.handles, number_a), hal_of(b, 0));
    /* the object is destroyed first, the surface of video memory later */
    DDHAL_DESTROYDDLOCALDATA gone = {.pDDLcl = va->more.lpDD_lcl};

    assert_int_equal(driver.misc2.DestroyDDLocal(&gone), DDHAL_DRIVER_HANDLED);
    vb->lcl.dwReserved1 = 0;
    va->more.dwSurfaceHandle = number_a;
    vb->more.dwSurfaceHandle = number_b;
    client_chain_destroy(a);
    client_chain_destroy(b);
    client_destroy(second);
}

/* --- changes of system memory ----------------------------------------------------- */

/* A level of a chain grows: the sampler's copy of the small level is not written beyond its end. */
static void test_level_that_grows(void **state)
{
    struct client_chain *target = create(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 1);
    struct client_chain *chain = create(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_R5G6B5, 8, 2);
    struct client_surface *level = client_part(chain, 1);
    const FLATPTR memory = level->gbl.fpVidMem;
    const DDRAWI_DDRAWSURFACE_GBL was = level->gbl;
    struct hal_context *context;
    uintptr_t handle;

    (void)state;
    assert_int_equal(client_context_create(client, client_part(target, 0), NULL, DDI_LEVEL_DX8, &handle), DD_OK);
    context = hal_context_find(hal_of(target, 0)->base.driver, (uint32_t)handle);
    assert_int_equal(
        hal_texture_view(hal_surface_texture(hal_of(chain, 0)), &context->state, &context->resources, &context->scene)
            ->level_count,
        2);
    level->gbl.wWidth = level->gbl.wHeight = 100;
    level->gbl.lPitch = 256;
    level->gbl.fpVidMem = (FLATPTR)calloc(100, 256);
    assert_int_equal(announce(level), DD_OK);
    assert_int_equal(
        hal_texture_view(hal_surface_texture(hal_of(chain, 0)), &context->state, &context->resources, &context->scene)
            ->level_count,
        1);
    assert_int_equal(
        hal_texture_view(hal_surface_texture(hal_of(chain, 1)), &context->state, &context->resources, &context->scene)
            ->level[0]
            .width,
        100);
    free((void *)level->gbl.fpVidMem);
    level->gbl = was;
    level->gbl.fpVidMem = memory;
    assert_int_equal(announce(level), DD_OK);
    client_context_destroy(client, handle);
    client_chain_destroy(chain);
    client_chain_destroy(target);
}

/* --- blits -------------------------------------------------------------------------- */

static HRESULT blt(struct client_chain *to, RECTL to_rect, struct client_chain *from, RECTL from_rect, DWORD flags,
                   RECT *clips, DWORD count)
{
    DDHAL_BLTDATA data = {.lpDDDestSurface = &client_part(to, 0)->lcl,
                          .lpDDSrcSurface = &client_part(from, 0)->lcl,
                          .rDest = to_rect,
                          .rSrc = from_rect,
                          .dwFlags = DDBLT_ROP | flags,
                          .IsClipped = count != 0,
                          .dwRectCnt = count,
                          .prDestRects = clips};

    data.bltFX.dwROP = SRCCOPY;
    assert_int_equal(driver.surface.Blt(&data), DDHAL_DRIVER_HANDLED);
    return data.ddRVal;
}

static uint32_t first_texel(struct client_chain *chain)
{
    struct client_lock lock;
    uint32_t texel;

    assert_int_equal(client_lock(client_part(chain, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    memcpy(&texel, lock.bits, 4);
    client_unlock(client_part(chain, 0));
    return texel;
}

static void test_rectangles_of_any_size(void **state)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_PRIMARY, .format = D3DFMT_X8R8G8B8, .width = 64, .height = 64, .back_buffers = 1};
    struct client_chain *from = create(CLIENT_TARGET, D3DFMT_X8R8G8B8, 32, 1), *to;
    const RECTL wide = {INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, all = {0, 0, 32, 32};
    const RECTL low = {INT32_MIN, INT32_MIN, INT32_MIN + 32, INT32_MIN + 32}, turned = {INT32_MAX, 0, INT32_MIN, 64};
    RECT clips[] = {{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, {0, 0, 8, 8}, {INT32_MAX, 0, INT32_MIN, 0}};

    (void)state;
    assert_int_equal(client_chain_create(client, &desc, &to), DD_OK);
    client_fill(client_part(from, 0), NULL, 0x123456);
    assert_int_equal(blt(to, wide, from, all, 0, clips, 3), DDERR_INVALIDRECT);
    assert_int_equal(blt(to, wide, from, wide, 0, clips, 3), DDERR_INVALIDRECT);
    assert_int_equal(blt(to, low, from, all, 0, clips, 3), DDERR_INVALIDRECT);
    assert_int_equal(blt(to, all, from, low, 0, clips, 3), DDERR_INVALIDRECT);
    assert_int_equal(blt(to, turned, from, turned, 0, clips, 3), DD_OK); /* nothing is left of it */
    assert_int_equal(blt(to, all, from, wide, DDBLT_PRESENTATION, NULL, 0), DDERR_INVALIDRECT);
    assert_int_equal(blt(to, turned, from, wide, DDBLT_LAST_PRESENTATION, NULL, 0), DDERR_INVALIDRECT);
    assert_int_equal(first_texel(to), 0);
    assert_int_equal(blt(to, all, from, all, 0, clips, 3), DD_OK);
    assert_int_equal(first_texel(to), 0x123456);
    client_chain_destroy(to);
    client_chain_destroy(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contexts_on_surfaces_of_the_wrong_kind),
        cmocka_unit_test(test_refused_announcement_leaves_nothing),
        cmocka_unit_test(test_a_name_given_twice),
        cmocka_unit_test(test_level_that_grows),
        cmocka_unit_test(test_rectangles_of_any_size),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
