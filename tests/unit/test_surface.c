/* SPDX-License-Identifier: MIT */
/*
 * Surfaces through the driver interface: chains, handles, locks, blits, fills, flips, system memory, refusals; and
 * below the interface the links of levels and faces, texture copies and the sampler's view (hal/).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "hal/context.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/resource/copy/blt.h"
#include "hal/resource/palette.h"
#include "hal/resource/copy/samples.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "tests/unit/client_fixture.h"

static struct client_chain *create(struct client_chain_desc desc)
{
    struct client_chain *chain;
    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static struct client_chain *create_2d(uint32_t usage, uint32_t format, unsigned w, unsigned h, unsigned levels)
{
    return create(
        (struct client_chain_desc){.usage = usage, .format = format, .width = w, .height = h, .levels = levels});
}

static HRESULT try_create(uint32_t usage, uint32_t format, unsigned w, unsigned h)
{
    struct client_chain_desc desc = {.usage = usage, .format = format, .width = w, .height = h};
    struct client_chain *chain;
    HRESULT hr = client_chain_create(client, &desc, &chain);
    client_chain_destroy(chain);
    return hr;
}

static struct hal_buffer *buffer_of(struct client_surface *surface)
{
    struct hal_buffer *result = hal_as_buffer(hal_resource_from_lcl(&surface->lcl));
    assert_non_null(result);
    return result;
}

static struct hal_surface *hal_of(struct client_surface *surface)
{
    struct hal_surface *result = hal_surface_from_lcl(&surface->lcl);
    assert_non_null(result);
    return result;
}

static struct client_lock lock_all(struct client_surface *surface, uint32_t flags)
{
    struct client_lock lock;
    assert_int_equal(client_lock(surface, NULL, flags, &lock), DD_OK);
    return lock;
}

static struct hal_texture *texture_of(struct client_surface *surface)
{
    return hal_surface_texture(hal_of(surface));
}

static uint32_t read_word(struct client_surface *surface, unsigned x, unsigned y)
{
    struct client_lock lock = lock_all(surface, DDLOCK_READONLY);
    uint32_t value;
    memcpy(&value, lock.bits + y * lock.pitch + x * 4, 4);
    client_unlock(surface);
    return value;
}

static uint16_t read_half(struct client_surface *surface, unsigned x, unsigned y)
{
    struct client_lock lock = lock_all(surface, DDLOCK_READONLY);
    uint16_t value;
    memcpy(&value, lock.bits + y * lock.pitch + x * 2, 2);
    client_unlock(surface);
    return value;
}

/* A 32-bit pattern in which every texel encodes its position. */
static void write_pattern(struct client_surface *surface)
{
    struct client_lock lock = lock_all(surface, 0);
    for (uint32_t y = 0; y < surface->height; y++)
        for (uint32_t x = 0; x < surface->width; x++) {
            uint32_t value = 0xFF000000u | y << 8 | x;
            memcpy(lock.bits + y * lock.pitch + x * 4, &value, 4);
        }
    client_unlock(surface);
}

/* --- creation ------------------------------------------------------------------------------- */

static void test_sizes_and_formats(void **state)
{
    (void)state;
    assert_int_equal(try_create(CLIENT_TEXTURE, 0x12345678, 16, 16), DDERR_INVALIDPIXELFORMAT);
    assert_int_equal(try_create(CLIENT_TARGET, D3DFMT_DXT1, 16, 16), DDERR_INVALIDPIXELFORMAT);
    assert_int_equal(try_create(CLIENT_DEPTH, D3DFMT_X8R8G8B8, 16, 16), DDERR_INVALIDPIXELFORMAT);
    assert_true(FAILED(try_create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 60000, 60000)));
    assert_true(FAILED(try_create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 0, 16)));
    assert_true(FAILED(try_create(CLIENT_VERTEX_BUFFER, 0, 0, 1)));
    assert_int_equal(try_create(CLIENT_TEXTURE, D3DFMT_DXT5, 1, 1), DD_OK);
    assert_int_equal(try_create(CLIENT_TARGET | CLIENT_TEXTURE, D3DFMT_R5G6B5, 7, 3), DD_OK);
}

static void test_multisample_is_refused(void **state)
{
    struct client_chain_desc desc = {CLIENT_TARGET, D3DFMT_X8R8G8B8, 16, 16, .samples = 3};
    struct client_chain *chain;
    (void)state;
    assert_true(FAILED(client_chain_create(client, &desc, &chain)));
    assert_null(chain);
}

static void test_levels_are_linked(void **state)
{
    struct client_chain *chain = create_2d(CLIENT_TEXTURE, D3DFMT_R5G6B5, 32, 8, 6);
    struct hal_surface *top = hal_of(chain->parts[0]);
    (void)state;
    assert_int_equal(top->texture->level_count, 6);
    assert_int_equal(top->texture->parts[0][5]->width, 1);
    assert_int_equal(top->texture->parts[0][5]->height, 1);
    assert_ptr_equal(hal_surface_top(hal_of(chain->parts[3])), top);
    assert_int_equal(hal_of(chain->parts[3])->level, 3);
    assert_ptr_equal(hal_handles_get(top->base.handles, client_handle(chain->parts[2])), hal_of(chain->parts[2]));
    client_chain_destroy(chain);
}

static void test_cube_faces_are_linked(void **state)
{
    struct client_chain *chain = create_2d(CLIENT_TEXTURE | CLIENT_CUBE, D3DFMT_A8R8G8B8, 16, 16, 5);
    struct hal_surface *top = hal_of(chain->parts[0]);
    (void)state;
    assert_int_equal(top->texture->face_count, 6);
    assert_int_equal(top->texture->level_count, 5);
    for (unsigned face = 0; face < 6; face++)
        for (unsigned level = 0; level < 5; level++)
            assert_ptr_equal(top->texture->parts[face][level], hal_of(client_level(chain, face, level)));
    client_chain_destroy(chain);
}

static void test_volume(void **state)
{
    struct client_chain *chain = create((struct client_chain_desc){.usage = CLIENT_TEXTURE | CLIENT_VOLUME,
                                                                   .format = D3DFMT_A8R8G8B8,
                                                                   .width = 8,
                                                                   .height = 4,
                                                                   .depth = 4,
                                                                   .levels = 3});
    D3DBOX box = {1, 1, 3, 2, 2, 3};
    struct client_lock all = lock_all(chain->parts[0], 0), part;
    (void)state;
    assert_true(all.slice_pitch >= all.pitch * 4);
    client_unlock(chain->parts[0]);
    assert_int_equal(client_lock_box(chain->parts[0], &box, 0, &part), DD_OK);
    assert_int_equal(part.bits - all.bits, 2 * all.slice_pitch + all.pitch + 4);
    client_unlock(chain->parts[0]);
    assert_int_equal(hal_of(chain->parts[0])->texture->level_count, 3);
    assert_int_equal(chain->parts[2]->depth, 1);
    box.Back = 5;
    assert_int_equal(client_lock_box(chain->parts[0], &box, 0, &part), DDERR_INVALIDRECT);
    client_chain_destroy(chain);
}

static void test_handles_come_back(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TEXTURE, D3DFMT_L8, 4, 4, 1), *b;
    struct hal_handle_table *table = hal_of(a->parts[0])->base.handles;
    uint32_t handle = client_handle(a->parts[0]);
    (void)state;
    client_chain_destroy(a);
    assert_null(hal_handles_get(table, handle));
    b = create_2d(CLIENT_TEXTURE, D3DFMT_L8, 4, 4, 1);
    assert_int_equal(client_handle(b->parts[0]), handle);
    client_chain_destroy(b);
}

static void test_given_handles(void **state)
{
    static const uint32_t handles[] = {700, 701};
    static const uint32_t too_big[] = {0xFFFFFFF0};
    struct client_chain_desc desc = {CLIENT_TEXTURE, D3DFMT_L8, 2, 2, .levels = 2, .handles = handles};
    struct client_chain *chain = create(desc);
    (void)state;
    assert_int_equal(hal_of(chain->parts[1])->base.handle, 701);
    client_chain_destroy(chain);
    desc.handles = too_big;
    desc.levels = 1;
    assert_true(FAILED(client_chain_create(client, &desc, &chain)));
}

/* --- system memory ------------------------------------------------------------------------------
 */

static void test_system_memory(void **state)
{
    uint8_t bytes[64] = {1, 2, 3, 4};
    uint8_t *const memory[] = {bytes};
    struct client_chain_desc desc = {
        CLIENT_VERTEX_BUFFER | CLIENT_SYSTEM_MEMORY, 0, 64, 1, .fvf = D3DFVF_XYZ, .memory = memory};
    struct client_chain *chain = create(desc);
    struct hal_buffer *buffer = buffer_of(chain->parts[0]);
    struct hal_handle_table *table = buffer->base.handles;
    uint32_t handle = buffer->base.handle;
    (void)state;
    assert_ptr_equal(buffer->base.memory, bytes);
    assert_int_equal(buffer->base.bytes, 64);
    assert_int_equal(buffer->fvf, D3DFVF_XYZ);
    assert_ptr_equal(lock_all(chain->parts[0], 0).bits, bytes);
    client_unlock(chain->parts[0]);
    client_chain_destroy(chain);
    assert_null(hal_handles_get(table, handle));
    assert_int_equal(bytes[3], 4);
}

static void test_system_memory_of_unknown_format(void **state)
{
    struct client_chain *chain = create_2d(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, 0x12345678, 16, 16, 1);
    struct client_lock lock;
    (void)state;
    assert_true(FAILED(client_lock(chain->parts[0], NULL, 0, &lock)));
    client_chain_destroy(chain);
}

/* Memory of the caller never passes CanCreateSurface: a surface that is called a depth buffer but is not one cannot be
 * used. */
static void test_system_memory_depth_buffer_of_colors(void **state)
{
    struct client_chain *colors = create_2d(CLIENT_DEPTH | CLIENT_SYSTEM_MEMORY, D3DFMT_X8R8G8B8, 16, 16, 1);
    struct client_chain *depths = create_2d(CLIENT_DEPTH | CLIENT_SYSTEM_MEMORY, D3DFMT_D24X8, 16, 16, 1);
    struct client_lock lock;
    (void)state;
    assert_true(FAILED(client_lock(colors->parts[0], NULL, 0, &lock)));
    assert_int_equal(client_lock(depths->parts[0], NULL, 0, &lock), DD_OK);
    client_unlock(depths->parts[0]);
    client_chain_destroy(colors);
    client_chain_destroy(depths);
}

/* --- access
 * ---------------------------------------------------------------------------------------- */

static void test_lock_rect(void **state)
{
    struct client_chain *chain = create_2d(CLIENT_TEXTURE, D3DFMT_DXT1, 16, 16, 1);
    struct client_lock all = lock_all(chain->parts[0], 0), part;
    RECT rect = {4, 8, 8, 12}, outside = {0, 0, 17, 16}, empty = {4, 4, 4, 8};
    (void)state;
    assert_int_equal(client_lock(chain->parts[0], NULL, 0, &part), DDERR_SURFACEBUSY);
    client_unlock(chain->parts[0]);
    assert_int_equal(client_unlock(chain->parts[0]), DDERR_NOTLOCKED);
    assert_int_equal(client_lock(chain->parts[0], &rect, 0, &part), DD_OK);
    assert_int_equal(part.bits - all.bits, 2 * all.pitch + 8);
    client_unlock(chain->parts[0]);
    assert_int_equal(client_lock(chain->parts[0], &outside, 0, &part), DDERR_INVALIDRECT);
    assert_int_equal(client_lock(chain->parts[0], &empty, 0, &part), DDERR_INVALIDRECT);
    client_chain_destroy(chain);
}

static void test_blt_copies(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 32, 32, 1);
    struct client_chain *b = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 32, 32, 1);
    RECT from = {4, 4, 12, 12}, to = {20, 1, 28, 9}, outside = {25, 0, 33, 8};
    (void)state;
    write_pattern(a->parts[0]);
    assert_int_equal(client_blt(b->parts[0], &to, a->parts[0], &from, DDBLT_PRESENTATION), DD_OK);
    assert_int_equal(read_word(b->parts[0], 20, 1), 0xFF000404);
    assert_int_equal(read_word(b->parts[0], 27, 8), 0xFF000B0B);
    assert_int_equal(read_word(b->parts[0], 28, 8), 0);
    assert_int_equal(client_blt(b->parts[0], &outside, a->parts[0], &from, 0), DDERR_INVALIDRECT);
    client_chain_destroy(a);
    client_chain_destroy(b);
}

static void test_blt_overlap(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 16, 16, 1);
    RECT from = {0, 0, 12, 12}, to = {3, 2, 15, 14};
    (void)state;
    write_pattern(a->parts[0]);
    assert_int_equal(client_blt(a->parts[0], &to, a->parts[0], &from, 0), DD_OK);
    for (unsigned y = 0; y < 12; y++)
        for (unsigned x = 0; x < 12; x++)
            assert_int_equal(read_word(a->parts[0], x + 3, y + 2), 0xFF000000u | y << 8 | x);
    client_chain_destroy(a);
}

static void test_blt_converts_and_stretches(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 2, 2, 1);
    struct client_chain *b = create_2d(CLIENT_TARGET, D3DFMT_R5G6B5, 8, 8, 1);
    struct client_chain *depth = create_2d(CLIENT_DEPTH, D3DFMT_D16, 8, 8, 1);
    RECT left = {0, 0, 1, 2};
    (void)state;
    client_fill(a->parts[0], NULL, 0x0000FF00);
    client_fill(a->parts[0], &left, 0x00FF0000);
    assert_int_equal(client_blt(b->parts[0], NULL, a->parts[0], NULL, 0), DD_OK);
    assert_int_equal(read_half(b->parts[0], 3, 7), 0xF800);
    assert_int_equal(read_half(b->parts[0], 4, 0), 0x07E0);
    assert_true(FAILED(client_blt(b->parts[0], NULL, depth->parts[0], NULL, 0)));
    client_chain_destroy(depth);
    client_chain_destroy(b);
    client_chain_destroy(a);
}

static void test_blt_linear(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 2, 1, 1);
    struct client_chain *b = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 4, 1, 1);
    RECT right = {1, 0, 2, 1};
    (void)state;
    client_fill(a->parts[0], NULL, 0xFF000000);
    client_fill(a->parts[0], &right, 0xFF0000FF);
    assert_int_equal(hal_surface_blt(hal_of(b->parts[0]), NULL, hal_of(a->parts[0]), NULL, true), DD_OK);
    assert_int_equal(read_word(b->parts[0], 0, 0) & 0xFF, 0);
    assert_int_equal(read_word(b->parts[0], 1, 0) & 0xFF, 64);
    assert_int_equal(read_word(b->parts[0], 2, 0) & 0xFF, 191);
    assert_int_equal(read_word(b->parts[0], 3, 0) & 0xFF, 255);
    client_chain_destroy(b);
    client_chain_destroy(a);
}

static void test_fill(void **state)
{
    struct client_chain *a = create_2d(CLIENT_DEPTH, D3DFMT_D16, 8, 8, 1);
    RECT rect = {2, 2, 4, 8}, outside = {-1, 0, 4, 4};
    (void)state;
    assert_int_equal(client_fill_depth(a->parts[0], &rect, 0x1234), DD_OK);
    assert_int_equal(read_half(a->parts[0], 3, 7), 0x1234);
    assert_int_equal(read_half(a->parts[0], 4, 7), 0);
    assert_int_equal(client_fill(a->parts[0], &outside, 0), DDERR_INVALIDRECT);
    client_chain_destroy(a);
}

static void test_flip_ring(void **state)
{
    struct client_chain *chain = create((struct client_chain_desc){
        .usage = CLIENT_PRIMARY, .format = D3DFMT_X8R8G8B8, .width = 8, .height = 8, .back_buffers = 2});
    uint32_t handle = client_handle(chain->parts[1]);
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        client_fill(chain->parts[i], NULL, i);
    assert_int_equal(client_flip(client_part(chain, 0), NULL, 0), DD_OK);
    assert_int_equal(read_word(chain->parts[0], 0, 0), 1);
    assert_int_equal(read_word(chain->parts[1], 0, 0), 2);
    assert_int_equal(read_word(chain->parts[2], 0, 0), 0);
    assert_int_equal(client_handle(chain->parts[1]), handle);
    assert_ptr_equal(hal_of(chain->parts[1])->base.memory, (void *)chain->parts[1]->gbl.fpVidMem);
    assert_int_equal(client_flip(client_part(chain, 0), chain->parts[2], 0), DD_OK);
    assert_int_equal(read_word(chain->parts[0], 0, 0), 0);
    assert_int_equal(read_word(chain->parts[2], 0, 0), 1);
    /* the next buffer, and no other: Wine's test_flip on Windows */
    assert_int_equal(client_flip(client_part(chain, 0), chain->parts[1], HALCYON_FLIP_EXCHANGE), DD_OK);
    assert_int_equal(read_word(chain->parts[0], 0, 0), 2);
    assert_int_equal(read_word(chain->parts[1], 0, 0), 0);
    assert_int_equal(read_word(chain->parts[2], 0, 0), 1);
    client_chain_destroy(chain);
}

static void test_flip_long_ring(void **state)
{
    struct client_chain_desc desc = {.usage = CLIENT_PRIMARY,
                                     .format = D3DFMT_X8R8G8B8,
                                     .width = 8,
                                     .height = 8,
                                     .back_buffers = DDI_MAX_BACK_BUFFERS};
    struct client_chain *chain = create(desc), *longer;
    (void)state;
    for (unsigned i = 0; i <= DDI_MAX_BACK_BUFFERS; i++)
        client_fill(chain->parts[i], NULL, i);
    for (unsigned i = 1; i <= DDI_MAX_BACK_BUFFERS; i++) {
        assert_int_equal(client_flip(client_part(chain, 0), NULL, 0), DD_OK);
        assert_int_equal(read_word(chain->parts[0], 0, 0), i);
    }
    assert_int_equal(read_word(chain->parts[1], 0, 0), 0);
    client_chain_destroy(chain);
    desc.back_buffers = DDI_MAX_BACK_BUFFERS + 1;
    assert_true(FAILED(client_chain_create(client, &desc, &longer)));
}

/* The samples of a pixel are flipped too: a target that was drawn and flipped continues with its samples. */
static void test_flip_keeps_samples(void **state)
{
    struct client_chain *chain = create((struct client_chain_desc){
        .usage = CLIENT_PRIMARY, .format = D3DFMT_X8R8G8B8, .width = 6, .height = 5, .back_buffers = 1, .samples = 4});
    struct hal_surface *front = hal_of(chain->parts[0]), *back = hal_of(chain->parts[1]);
    uint32_t row[6], found[6];
    (void)state;
    client_fill(chain->parts[0], NULL, 0x112233);
    client_fill(chain->parts[1], NULL, 0);
    for (uint32_t x = 0; x < 6; x++)
        row[x] = 0x808080 + 4 * x;
    hal_samples_write(back, 3, 4, 1, (const uint8_t *)row, sizeof(row));
    assert_int_equal(client_flip(client_part(chain, 0), NULL, 0), DD_OK);
    assert_true(hal_samples_differ(front));
    assert_false(hal_samples_differ(back));
    hal_samples_read(front, 3, 4, 1, (uint8_t *)found, sizeof(found));
    assert_memory_equal(found, row, sizeof(row));
    assert_int_equal(read_word(chain->parts[0], 5, 4) & 0xffffff, 0x202025);
    for (unsigned sample = 0; sample < 4; sample++) {
        hal_samples_read(back, sample, 4, 1, (uint8_t *)found, sizeof(found));
        assert_int_equal(found[5] & 0xffffff, 0x112233);
    }
    client_chain_destroy(chain);
}

/* --- texture copies
 * -------------------------------------------------------------------------------------- */

static void test_texture_blt_levels(void **state)
{
    struct client_chain *big = create_2d(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_A8R8G8B8, 16, 16, 5);
    struct client_chain *small_one = create_2d(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 8, 8, 4);
    (void)state;
    for (unsigned i = 0; i < 5; i++)
        client_fill(big->parts[i], NULL, 0x10 + i);
    assert_int_equal(hal_texture_blt(hal_of(small_one->parts[0]), hal_of(big->parts[0]), 0, 0, NULL), DD_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(read_word(small_one->parts[i], 0, 0), 0x11 + i);
    client_chain_destroy(small_one);
    client_chain_destroy(big);
}

/* A surface like the given one with other bits of DDSCAPSEX.dwCaps3 and other levels, as a runtime would create it. */
static HRESULT create_like(struct client_surface *model, DWORD caps3, DWORD levels, struct client_surface *made)
{
    *made = *model;
    made->lcl.lpGbl = &made->gbl;
    made->lcl.lpSurfMore = &made->more;
    made->lcl.dwReserved1 = 0;
    made->more.ddsCapsEx.dwCaps3 |= caps3;
    made->more.dwMipMapCount = levels;
    return hal_resource_create(hal_of(model)->base.driver, &made->lcl, false);
}

/* A texture whose levels the driver generates accepts the first level that fits, and no more. */
static void test_texture_blt_to_generated_levels(void **state)
{
    struct client_chain *from = create_2d(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 16, 16, 5);
    struct client_chain *to = create_2d(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 8, 8, 4);
    struct client_surface made;

    (void)state;
    assert_int_equal(create_like(to->parts[0], DDSCAPS3_AUTOGENMIPMAP, 1, &made), DD_OK);
    assert_true(hal_of(&made)->makes_levels);
    hal_resource_destroy(&made.lcl);
    for (unsigned i = 0; i < 5; i++)
        client_fill(from->parts[i], NULL, 0x10 + i);
    for (unsigned i = 0; i < 4; i++)
        client_fill(to->parts[i], NULL, 0x20 + i);
    hal_of(to->parts[0])->makes_levels = true;
    assert_int_equal(hal_texture_blt(hal_of(to->parts[0]), hal_of(from->parts[0]), 0, 0, NULL), DD_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(read_word(to->parts[i], 0, 0), i ? 0x20 + i : 0x11);
    client_chain_destroy(to);
    client_chain_destroy(from);
}

/* With DDBLT_EXTENDED_FLAGS the other bits mean other flags: an ordinary blit, a number that belongs to a present, or
 * linear content, which is not offered. */
static void test_extended_blt(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 8, 8, 1);
    struct client_chain *b = create_2d(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 8, 8, 1);
    const DWORD extended = 0x40000000;

    (void)state;
    client_fill(a->parts[0], NULL, 0x1234);
    client_fill(b->parts[0], NULL, 0);
    assert_int_equal(client_blt(b->parts[0], NULL, a->parts[0], NULL, extended | 0x10), DD_OK);
    assert_int_equal(read_word(b->parts[0], 0, 0), 0);
    assert_int_equal(client_blt(b->parts[0], NULL, a->parts[0], NULL, extended | 0x4), DDERR_UNSUPPORTED);
    assert_int_equal(client_blt(b->parts[0], NULL, a->parts[0], NULL, extended), DD_OK);
    assert_int_equal(read_word(b->parts[0], 7, 7), 0x1234);
    client_chain_destroy(b);
    client_chain_destroy(a);
}

static void test_texture_blt_rect(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 16, 16, 2);
    struct client_chain *b = create_2d(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 16, 16, 2);
    struct client_chain *c = create_2d(CLIENT_TEXTURE, D3DFMT_R5G6B5, 16, 16, 2);
    RECT rect = {4, 4, 8, 8}, wild = {-2000000000, -5, 2000000000, 3};
    (void)state;
    client_fill(a->parts[0], NULL, 1);
    client_fill(a->parts[1], NULL, 2);
    hal_texture_blt(hal_of(b->parts[0]), hal_of(a->parts[0]), 8, 8, &rect);
    assert_int_equal(read_word(b->parts[0], 8, 8), 1);
    assert_int_equal(read_word(b->parts[0], 11, 11), 1);
    assert_int_equal(read_word(b->parts[0], 12, 11), 0);
    assert_int_equal(read_word(b->parts[1], 4, 4), 2);
    assert_int_equal(read_word(b->parts[1], 6, 4), 0);
    hal_texture_blt(hal_of(b->parts[0]), hal_of(a->parts[0]), -2000000000, 2000000000, &wild);
    hal_texture_blt(hal_of(b->parts[0]), hal_of(b->parts[0]), 1, 1, NULL);
    assert_true(FAILED(hal_texture_blt(hal_of(c->parts[0]), hal_of(a->parts[0]), 0, 0, NULL)));
    client_chain_destroy(c);
    client_chain_destroy(b);
    client_chain_destroy(a);
}

static void test_texture_blt_dxt(void **state)
{
    struct client_chain *a = create_2d(CLIENT_TEXTURE, D3DFMT_DXT1, 8, 8, 4);
    struct client_chain *b = create_2d(CLIENT_TEXTURE, D3DFMT_DXT1, 8, 8, 4);
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct client_lock lock = lock_all(a->parts[i], 0);
        for (unsigned y = 0; y < (i ? 1u : 2u); y++)
            memset(lock.bits + y * lock.pitch, 0x21 + (int)i, i ? 8 : 16);
        client_unlock(a->parts[i]);
    }
    hal_texture_blt(hal_of(b->parts[0]), hal_of(a->parts[0]), 0, 0, NULL);
    assert_int_equal(read_half(b->parts[0], 7, 1), 0x2121);
    assert_int_equal(read_half(b->parts[3], 0, 0), 0x2424);
    client_chain_destroy(b);
    client_chain_destroy(a);
}

static void test_volume_blt(void **state)
{
    struct client_chain_desc desc = {CLIENT_TEXTURE | CLIENT_VOLUME, D3DFMT_A8R8G8B8, 4, 4, 4, .levels = 3};
    struct client_chain *a = create(desc), *b = create(desc);
    D3DBOX box = {0, 0, 2, 2, 0, 2};
    struct client_lock lock;
    (void)state;
    client_fill(a->parts[0], NULL, 5);
    client_fill(a->parts[1], NULL, 6);
    hal_volume_blt(hal_of(b->parts[0]), hal_of(a->parts[0]), 2, 2, 2, &box);
    lock = lock_all(b->parts[0], DDLOCK_READONLY);
    assert_int_equal(*(uint32_t *)(lock.bits + 3 * lock.slice_pitch + 3 * lock.pitch + 12), 5);
    assert_int_equal(*(uint32_t *)(lock.bits + 1 * lock.slice_pitch + 3 * lock.pitch + 12), 0);
    client_unlock(b->parts[0]);
    lock = lock_all(b->parts[1], DDLOCK_READONLY);
    assert_int_equal(*(uint32_t *)(lock.bits + lock.slice_pitch + lock.pitch + 4), 6);
    client_unlock(b->parts[1]);
    client_chain_destroy(b);
    client_chain_destroy(a);
}

static void test_buffer_blt(void **state)
{
    struct client_chain *a = create_2d(CLIENT_VERTEX_BUFFER, 0, 16, 1, 1);
    struct client_chain *b = create_2d(CLIENT_VERTEX_BUFFER, 0, 8, 1, 1);
    (void)state;
    memset(lock_all(a->parts[0], 0).bits, 7, 16);
    client_unlock(a->parts[0]);
    assert_int_equal(hal_buffer_blt(buffer_of(b->parts[0]), 4, buffer_of(a->parts[0]), 12, 4), DD_OK);
    assert_int_equal(lock_all(b->parts[0], DDLOCK_READONLY).bits[7], 7);
    client_unlock(b->parts[0]);
    assert_true(FAILED(hal_buffer_blt(buffer_of(b->parts[0]), 5, buffer_of(a->parts[0]), 0, 4)));
    assert_true(FAILED(hal_buffer_blt(buffer_of(b->parts[0]), 0xFFFFFFFF, buffer_of(a->parts[0]), 0, 0xFFFFFFFF)));
    client_chain_destroy(b);
    client_chain_destroy(a);
}

/* --- the sampler's view
 * ------------------------------------------------------------------------------------ */

static struct hal_context *make_context(struct client_chain *target, uintptr_t *handle)
{
    struct hal_context *context;
    assert_int_equal(client_context_create(client, target->parts[0], NULL, DDI_LEVEL_DX8, handle), DD_OK);
    context = hal_context_find(hal_of(target->parts[0])->base.driver, (uint32_t)*handle);
    assert_non_null(context);
    return context;
}

static void test_views(void **state)
{
    struct client_chain *target = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 8, 1);
    struct client_chain *direct = create_2d(CLIENT_TEXTURE, D3DFMT_X8R8G8B8, 8, 8, 4);
    struct client_chain *decoded = create_2d(CLIENT_TEXTURE, D3DFMT_R5G6B5, 8, 8, 4);
    uintptr_t handle;
    struct hal_context *context = make_context(target, &handle);
    const struct raster_texture *view =
        hal_texture_view(texture_of(direct->parts[1]), &context->state, &context->resources, &context->scene);
    (void)state;
    assert_int_equal(view->level_count, 4);
    assert_true(view->opaque);
    assert_ptr_equal(view->level[1].texels, hal_of(direct->parts[1])->base.memory);
    view = hal_texture_view(texture_of(decoded->parts[0]), &context->state, &context->resources, &context->scene);
    assert_int_equal(view->level[2].texels[0], 0xFF000000);
    client_fill(decoded->parts[2], NULL, 0xF800);
    assert_ptr_equal(
        hal_texture_view(texture_of(decoded->parts[0]), &context->state, &context->resources, &context->scene), view);
    assert_int_equal(view->level[2].texels[0], 0xFFFF0000);
    assert_int_equal(view->level[1].texels[0], 0xFF000000);
    client_context_destroy(client, handle);
    client_chain_destroy(decoded);
    client_chain_destroy(direct);
    client_chain_destroy(target);
}

static void test_cube_view(void **state)
{
    struct client_chain *target = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 8, 1);
    struct client_chain *cube = create_2d(CLIENT_TEXTURE | CLIENT_CUBE, D3DFMT_A8R8G8B8, 4, 4, 3);
    uintptr_t handle;
    struct hal_context *context = make_context(target, &handle);
    const struct raster_texture *view;
    (void)state;
    for (unsigned face = 0; face < 6; face++)
        client_fill(client_level(cube, face, 1), NULL, 0x40 + face);
    view = hal_texture_view(texture_of(cube->parts[0]), &context->state, &context->resources, &context->scene);
    assert_int_equal(view->kind, RASTER_TEXTURE_CUBE);
    for (unsigned face = 0; face < 6; face++)
        assert_int_equal(view->level[1].texels[face * view->level[1].slice + 3], 0x40 + face);
    client_context_destroy(client, handle);
    client_chain_destroy(cube);
    client_chain_destroy(target);
}

static void test_palette_view(void **state)
{
    struct client_chain *target = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 8, 1);
    struct client_chain *chain = create_2d(CLIENT_TEXTURE, D3DFMT_P8, 4, 4, 1);
    static const uint8_t red[4] = {255, 0, 0, 128}, green[4] = {0, 255, 0, 255};
    uintptr_t handle;
    struct hal_context *context = make_context(target, &handle);
    struct hal_surface *surface = hal_of(chain->parts[0]);
    (void)state;
    client_fill(chain->parts[0], NULL, 9);
    hal_surface_texture(surface)->palette = 3;
    hal_palette_update(&context->resources, 3, 9, 1, red);
    assert_int_equal(
        hal_texture_view(hal_surface_texture(surface), &context->state, &context->resources, &context->scene)
            ->level[0]
            .texels[5],
        0x80FF0000);
    hal_palette_update(&context->resources, 3, 9, 1, green);
    assert_int_equal(
        hal_texture_view(hal_surface_texture(surface), &context->state, &context->resources, &context->scene)
            ->level[0]
            .texels[5],
        0xFF00FF00);
    hal_palette_update(&context->resources, 0xFFFFFFFF, 9, 1, green);
    hal_palette_update(&context->resources, 3, 250, 300, (uint8_t[6 * 4]){0});
    client_context_destroy(client, handle);
    client_chain_destroy(chain);
    client_chain_destroy(target);
}

/* The next call sees what a program writes into system memory, byte by byte; without a change nothing is decoded
 * again. */
static void test_system_memory_view(void **state)
{
    struct client_chain *target = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 8, 1);
    struct client_chain *chain = create_2d(CLIENT_TEXTURE | CLIENT_SYSTEM_MEMORY, D3DFMT_L8, 9, 7, 2);
    uintptr_t handle;
    struct hal_context *context = make_context(target, &handle);
    struct hal_surface *surface = hal_of(chain->parts[0]), *level = hal_of(chain->parts[1]);
    (void)state;
    memset(surface->base.memory, 0, surface->base.bytes);
    memset(level->base.memory, 0, level->base.bytes);
    for (size_t i = 0; i < level->base.bytes; i++) {
        const struct raster_texture *view;
        context->driver->calls++;
        level->base.memory[i] = 0x40;
        view = hal_texture_view(hal_surface_texture(surface), &context->state, &context->resources, &context->scene);
        if (i % level->pitch < 4)
            assert_int_equal(view->level[1].texels[i / level->pitch * 4 + i % level->pitch], 0xFF404040);
        level->base.memory[i] = 0;
    }
    context->driver->calls++;
    hal_texture_view(hal_surface_texture(surface), &context->state, &context->resources, &context->scene);
    const uint64_t version = surface->texture->version;
    context->driver->calls++;
    hal_texture_view(hal_surface_texture(surface), &context->state, &context->resources, &context->scene);
    assert_int_equal(surface->texture->version, version);
    assert_int_equal(
        hal_texture_view(hal_surface_texture(surface), &context->state, &context->resources, &context->scene)
            ->level[1]
            .texels[0],
        0xFF000000);
    client_context_destroy(client, handle);
    client_chain_destroy(chain);
    client_chain_destroy(target);
}

/* Any DWORD is a handle; only memory limits their number, which the 65536 palettes of Direct3D 8 do not reach. */
static void test_palette_memory(void **state)
{
    struct client_chain *target = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 8, 1);
    static const uint8_t red[4] = {255, 0, 0, 128};
    uintptr_t handle;
    struct hal_context *context = make_context(target, &handle);
    uint32_t known = 0;
    (void)state;
    for (uint32_t i = 0; i < 200000; i++)
        hal_palette_update(&context->resources, 0xFFFFFFFFu - 9973 * i, 9, 1, red);
    for (uint32_t i = 0; i < 200000; i++) {
        const uint32_t palette = 0xFFFFFFFFu - 9973 * i;
        assert_true(hal_palette_version(context->resources.palettes, palette, false) || i >= 65536);
        known += hal_palette_version(context->resources.palettes, palette, true) != 0;
    }
    assert_true(known >= 65536 && known * sizeof(uint32_t[256]) <= HAL_MAX_PALETTE_BYTES);
    assert_int_equal(hal_palette_entries(context->resources.palettes, 0xFFFFFFFF, false)[9], 0x80FF0000);
    assert_int_equal(hal_palette_entries(context->resources.palettes, 0xFFFFFFFF, true)[9], 0xFFFF0000);
    client_context_destroy(client, handle);
    client_chain_destroy(target);
}

/* Parts destroyed in any order leave no dangling links; a context that samples the remaining parts survives. */
static void test_destruction_order(void **state)
{
    struct client_chain *target = create_2d(CLIENT_TARGET, D3DFMT_X8R8G8B8, 8, 8, 1);
    struct client_chain *chain = create_2d(CLIENT_TEXTURE, D3DFMT_R5G6B5, 8, 8, 4);
    uintptr_t handle;
    struct hal_context *context = make_context(target, &handle);
    (void)state;
    assert_int_equal(
        hal_texture_view(texture_of(chain->parts[0]), &context->state, &context->resources, &context->scene)
            ->level_count,
        4);
    hal_resource_destroy(&chain->parts[2]->lcl);
    assert_int_equal(
        hal_texture_view(texture_of(chain->parts[0]), &context->state, &context->resources, &context->scene)
            ->level_count,
        1);
    hal_resource_destroy(&chain->parts[0]->lcl);
    assert_null(hal_of(chain->parts[3])->texture);
    client_chain_destroy(chain);
    client_context_destroy(client, handle);
    client_chain_destroy(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_and_formats),
        cmocka_unit_test(test_multisample_is_refused),
        cmocka_unit_test(test_levels_are_linked),
        cmocka_unit_test(test_cube_faces_are_linked),
        cmocka_unit_test(test_volume),
        cmocka_unit_test(test_handles_come_back),
        cmocka_unit_test(test_given_handles),
        cmocka_unit_test(test_system_memory),
        cmocka_unit_test(test_system_memory_of_unknown_format),
        cmocka_unit_test(test_system_memory_depth_buffer_of_colors),
        cmocka_unit_test(test_lock_rect),
        cmocka_unit_test(test_blt_copies),
        cmocka_unit_test(test_blt_overlap),
        cmocka_unit_test(test_blt_converts_and_stretches),
        cmocka_unit_test(test_blt_linear),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_flip_ring),

        cmocka_unit_test(test_flip_long_ring),
        cmocka_unit_test(test_flip_keeps_samples),
        cmocka_unit_test(test_texture_blt_levels),
        cmocka_unit_test(test_texture_blt_rect),
        cmocka_unit_test(test_texture_blt_to_generated_levels),
        cmocka_unit_test(test_extended_blt),
        cmocka_unit_test(test_texture_blt_dxt),
        cmocka_unit_test(test_volume_blt),
        cmocka_unit_test(test_buffer_blt),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_cube_view),
        cmocka_unit_test(test_palette_view),
        cmocka_unit_test(test_palette_memory),
        cmocka_unit_test(test_system_memory_view),
        cmocka_unit_test(test_destruction_order),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
