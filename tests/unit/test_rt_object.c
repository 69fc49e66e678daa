/* SPDX-License-Identifier: MIT */
/* The runtime's common objects on the driver: textures, surfaces, locks, targets, and the rules by which versions differ. */
#include "tests/unit/rt_fixture.h"

#include "base/base.h"
#include "runtime/common/device/draw.h"
#include "runtime/common/device/states.h"
#include "runtime/common/driver/formats.h"

#define TEXELS 8 /* of most textures here, both ways */

static struct rt_fixture fixture;
static struct rt_device device;

static const struct rt_state_ops object_ops = {rt_texture_handle, rt_buffer_handle, rt_shader_handle, rt_shader_handle,
                                               rt_no_handle};
/* Opposite rules, whatever the actual versions have. */
static const struct rt_api lenient = {
    .state_rules = &d3d9_state_rules,
    .state_ops = &object_ops,
    .lock_rules = {RT_LOCK_SECOND_KEEPS_OUT | RT_LOCK_REFUSED_KEEPS_OUT | RT_LOCK_UNLOCK_ANYTIME,
                   RT_LOCK_ANY_RECT | RT_LOCK_SECOND_KEEPS_OUT | RT_LOCK_UNLOCK_ANYTIME,
                   RT_LOCK_TEXTURE_UNLOCKS_ANYTIME, RT_LOCK_SECOND_KEEPS_OUT},
    .clamps_clip_planes = true,
};
static const struct rt_api strict = {
    .state_rules = &d3d8_state_rules,
    .state_ops = &object_ops,
    .viewport_must_fit = true,
    .checks_lights = true,
};

static void open_device(const struct rt_api *api)
{
    rt_open(&fixture, api == &strict ? 8 : 9, false);
    memset(&device, 0, sizeof(device));
    device.api = api;
    device.link = fixture.link;
    device.adapter = fixture.adapter;
    device.pipe = fixture.pipe;
    device.pipe.ops = api->state_ops;
    rt_device_base_init(&device.base, false, rt_keep_device);
    memset(&fixture.pipe, 0, sizeof(fixture.pipe));
}

static int open_lenient(void **state)
{
    (void)state;
    open_device(&lenient);
    return 0;
}

static int open_strict(void **state)
{
    (void)state;
    open_device(&strict);
    return 0;
}

/* Everything that a test created has been released. */
static int close_device(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RT_TARGETS; i++)
        rt_device_bind_target(&device, i, NULL);
    rt_device_bind_depth(&device, NULL);
    rt_pipe_unbind(&device.pipe);
    assert_int_equal(device.base.refs, 1);
    assert_int_equal(device.default_pool_count, 0);
    assert_null(device.managed);
    rt_palettes_free(&device);
    fixture.pipe = device.pipe;
    rt_close(&fixture);
    return 0;
}

static struct rt_texture *make(D3DRESOURCETYPE type, D3DPOOL pool, DWORD usage, unsigned size, unsigned levels,
                               bool generates)
{
    const struct rt_texture_desc desc = {.type = type,
                                         .width = size,
                                         .height = size,
                                         .depth = type == D3DRTYPE_VOLUMETEXTURE ? size : 1,
                                         .levels = levels,
                                         .usage = usage,
                                         .format = D3DFMT_A8R8G8B8,
                                         .pool = pool,
                                         .generates_mips = generates};
    struct rt_texture *texture = NULL;

    assert_int_equal(rt_texture_create(&device, &desc, &texture), D3D_OK);
    return texture;
}

static void fill(struct rt_surface *surface, uint32_t value)
{
    D3DLOCKED_RECT locked;

    assert_int_equal(rt_surface_lock(surface, &locked, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < surface->desc.height; y++)
        for (unsigned x = 0; x < surface->desc.width; x++)
            memcpy((uint8_t *)locked.pBits + (size_t)y * (size_t)locked.Pitch + 4 * x, &value, 4);
    assert_int_equal(rt_surface_unlock(surface), D3D_OK);
}

/* The first texel of a part of the driver's memory. */
static uint32_t texel_of(struct rt_chain *chain, unsigned part)
{
    struct rt_mapping map;
    uint32_t value;

    assert_int_equal(rt_chain_lock(chain, part, D3DLOCK_READONLY, &map), D3D_OK);
    memcpy(&value, map.bits, 4);
    rt_chain_unlock(chain, part);
    return value;
}

/* --- references ----------------------------------------------------------------------------- */

static const GUID some_id = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};

static void test_levels_count_for_their_texture(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 0, false);
    struct rt_surface *level = NULL;
    uint32_t value = 7;
    DWORD size = 4;

    (void)state;
    assert_int_equal(rt_texture_GetLevelCount(texture), 4);
    assert_int_equal(rt_texture_GetSurfaceLevel(texture, 4, (void **)&level), D3DERR_INVALIDCALL);
    assert_null(level);
    assert_int_equal(rt_texture_GetSurfaceLevel(texture, 1, (void **)&level), D3D_OK);
    assert_ptr_equal(level, &texture->surfaces[1]);
    assert_int_equal(texture->res.refs, 2);
    assert_int_equal(level->desc.width, TEXELS / 2);
    /* private data belong to the level */
    assert_int_equal(rt_object_SetPrivateData(level, &some_id, &value, 4, 0), D3D_OK);
    assert_int_equal(rt_object_GetPrivateData(texture, &some_id, &value, &size), D3DERR_NOTFOUND);
    assert_int_equal(rt_object_Release(texture), 1);
    assert_int_equal(rt_object_GetPrivateData(level, &some_id, &value, &size), D3D_OK);
    assert_int_equal(device.base.refs, 2);
    assert_int_equal(rt_object_Release(level), 0);
    assert_int_equal(device.base.refs, 1);
}

static void test_binding_keeps_a_target(void **state)
{
    const struct rt_surface_desc desc = {.format = D3DFMT_A8R8G8B8,
                                         .usage = D3DUSAGE_RENDERTARGET,
                                         .pool = D3DPOOL_DEFAULT,
                                         .width = RT_SIZE,
                                         .height = RT_SIZE};
    struct rt_surface *surface = NULL;
    void *out = &device;

    (void)state;
    assert_int_equal(rt_device_get_surface(device.target[1], &out), D3DERR_NOTFOUND);
    assert_null(out);
    assert_int_equal(rt_surface_create(&device, &desc, false, &surface), D3D_OK);
    assert_true(rt_surface_can_be_bound(&device, surface, D3DUSAGE_RENDERTARGET));
    assert_false(rt_surface_can_be_bound(&device, surface, D3DUSAGE_DEPTHSTENCIL));
    rt_device_bind_target(&device, 1, surface);
    assert_int_equal(rt_object_Release(surface), 0);
    assert_int_equal(device.default_pool_count, 1);
    assert_int_equal(rt_device_get_surface(device.target[1], &out), D3D_OK);
    assert_ptr_equal(out, surface);
    rt_object_Release(out);
    rt_device_bind_target(&device, 1, NULL);
    assert_int_equal(device.default_pool_count, 0);
}

/* --- locks ---------------------------------------------------------------------------------- */

static struct rt_surface *plain(const struct rt_surface_desc *desc, void *memory, size_t pitch)
{
    struct rt_surface *surface = NULL;

    assert_int_equal(memory ? rt_surface_create_over(&device, desc, memory, pitch, &surface)
                            : rt_surface_create(&device, desc, true, &surface),
                     D3D_OK);
    return surface;
}

static const struct rt_surface_desc image = {
    .format = D3DFMT_A8R8G8B8, .pool = D3DPOOL_SYSTEMMEM, .width = TEXELS, .height = TEXELS};
static const RECT inverted = {4, 4, 2, 2};

static void test_lock_rules_of_surfaces(void **state)
{
    const bool keeps = device.api == &lenient;
    struct rt_surface *surface = plain(&image, NULL, 0);
    D3DLOCKED_RECT locked = {1, surface}, second;

    (void)state;
    assert_int_equal(rt_surface_unlock(surface), keeps ? D3D_OK : D3DERR_INVALIDCALL);
    assert_int_equal(rt_surface_lock(surface, &locked, &inverted, 0), D3DERR_INVALIDCALL);
    assert_int_equal(locked.pBits != NULL, keeps);
    assert_int_equal(rt_surface_lock(surface, &locked, NULL, 0), D3D_OK);
    second = locked;
    assert_int_equal(rt_surface_lock(surface, &second, NULL, 0), D3DERR_INVALIDCALL);
    assert_int_equal(second.pBits != NULL, keeps);
    assert_int_equal(rt_surface_unlock(surface), D3D_OK);
    rt_object_Release(surface);
}

static void test_lock_rules_of_levels(void **state)
{
    const bool any = device.api == &lenient;
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 1, false);
    D3DLOCKED_RECT locked = {0, NULL};

    (void)state;
    assert_int_equal(rt_texture_LockRect(texture, 0, &locked, &inverted, 0), any ? D3D_OK : D3DERR_INVALIDCALL);
    assert_int_equal(locked.pBits != NULL, any);
    assert_int_equal(rt_texture_UnlockRect(texture, 0), any ? D3D_OK : D3DERR_INVALIDCALL);
    assert_int_equal(rt_texture_UnlockRect(texture, 0), any ? D3D_OK : D3DERR_INVALIDCALL);
    assert_int_equal(rt_texture_UnlockRect(texture, 1), D3DERR_INVALIDCALL);
    rt_object_Release(texture);
}

static void test_lock_rules_of_faces(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_CUBETEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 1, false);
    const HRESULT anytime = device.api == &lenient ? D3D_OK : D3DERR_INVALIDCALL;
    D3DLOCKED_RECT locked;

    (void)state;
    assert_int_equal(rt_cube_LockRect(texture, D3DCUBEMAP_FACE_NEGATIVE_X, 0, &locked, NULL, 0), D3D_OK);
    assert_int_equal(rt_cube_UnlockRect(texture, D3DCUBEMAP_FACE_NEGATIVE_X, 0), D3D_OK);
    assert_int_equal(rt_cube_UnlockRect(texture, D3DCUBEMAP_FACE_NEGATIVE_X, 0), anytime);
    assert_int_equal(rt_surface_UnlockRect(&texture->surfaces[1]), D3DERR_INVALIDCALL);
    rt_object_Release(texture);
    texture = make(D3DRTYPE_CUBETEXTURE, D3DPOOL_DEFAULT, 0, TEXELS, 1, false);
    assert_int_equal(rt_cube_UnlockRect(texture, D3DCUBEMAP_FACE_NEGATIVE_X, 0), D3DERR_INVALIDCALL);
    rt_object_Release(texture);
}

/* A device context of one face locks all faces, and only ReleaseDC ends the lock. */
static void test_device_contexts_lock_their_texture(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_CUBETEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 0, false);
    D3DLOCKED_RECT locked = {4711, texture};

    (void)state;
    assert_int_equal(rt_surface_UnlockRect(&texture->surfaces[2]), D3DERR_INVALIDCALL);
    texture->has_dc = true;
    assert_int_equal(rt_surface_LockRect(&texture->surfaces[2], &locked, NULL, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_cube_LockRect(texture, D3DCUBEMAP_FACE_NEGATIVE_X, 0, &locked, NULL, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_surface_UnlockRect(&texture->surfaces[2]), D3D_OK);
    texture->has_dc = false;
    assert_int_equal(rt_surface_LockRect(&texture->surfaces[2], &locked, NULL, 0), D3D_OK);
    assert_int_equal(rt_surface_UnlockRect(&texture->surfaces[2]), D3D_OK);
    rt_object_Release(texture);
}

#define ATI1 MAKEFOURCC('A', 'T', 'I', '1')
#define ATI2 MAKEFOURCC('A', 'T', 'I', '2')

/* Wine's test_lockrect_offset and test_miptree_layout: block formats that the original did not know were rows of bytes
 * to it. */
static void test_rows_of_vendors_blocks(void **state)
{
    static const uint32_t formats[] = {ATI1, ATI2};
    const RECT part = {60, 60, 68, 68};
    D3DLOCKED_RECT locked;
    uint8_t *first;

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct rt_surface_desc desc = {
            .format = formats[i], .pool = D3DPOOL_SCRATCH, .width = 128, .height = 128};
        struct rt_surface *surface = plain(&desc, NULL, 0);

        assert_int_equal(rt_surface_lock(surface, &locked, NULL, 0), D3D_OK);
        assert_int_equal(locked.Pitch, 128);
        first = locked.pBits;
        rt_surface_unlock(surface);
        assert_int_equal(rt_surface_lock(surface, &locked, &part, 0), D3D_OK);
        assert_ptr_equal(locked.pBits, first + 60 * 128 + 60);
        rt_surface_unlock(surface);
        rt_object_Release(surface);
    }
}

/* Levels follow each other without overlapping. */
static void test_levels_of_vendors_blocks(void **state)
{
    static const uint16_t sizes[] = {257, 64, 6, 1};

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        const struct rt_texture_desc desc = {.type = D3DRTYPE_TEXTURE,
                                             .width = sizes[i],
                                             .height = sizes[i],
                                             .depth = 1,
                                             .format = ATI2,
                                             .pool = D3DPOOL_SYSTEMMEM};
        struct rt_texture *texture = NULL;
        uint8_t *expected = NULL;

        assert_int_equal(rt_texture_create(&device, &desc, &texture), D3D_OK);
        for (unsigned level = 0; level < texture->levels; level++) {
            const int size = (int)rt_level_size(sizes[i], level), blocks = (size + 3) / 4;
            D3DLOCKED_RECT locked;

            assert_int_equal(rt_texture_LockRect(texture, level, &locked, NULL, 0), D3D_OK);
            if (expected)
                assert_ptr_equal(locked.pBits, expected);
            assert_true(size * locked.Pitch >= 16 * blocks * blocks);
            expected = (uint8_t *)locked.pBits + size * locked.Pitch;
            rt_texture_UnlockRect(texture, level);
        }
        rt_object_Release(texture);
    }
}

/* The driver has plain surfaces with formats that it cannot draw to. */
static void test_plain_surfaces_of_the_driver(void **state)
{
    static const uint32_t formats[] = {D3DFMT_DXT1, D3DFMT_L8, D3DFMT_A8R8G8B8};
    D3DLOCKED_RECT locked;

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(formats); i++) {
        const struct rt_surface_desc desc = {
            .format = formats[i], .pool = D3DPOOL_DEFAULT, .width = TEXELS, .height = TEXELS};
        struct rt_surface *surface = plain(&desc, NULL, 0);

        assert_int_not_equal(rt_surface_handle(surface), 0);
        assert_int_equal(rt_surface_lock(surface, &locked, NULL, 0), D3D_OK);
        assert_int_equal(rt_surface_unlock(surface), D3D_OK);
        assert_false(rt_surface_can_be_bound(&device, surface, D3DUSAGE_RENDERTARGET));
        rt_object_Release(surface);
    }
}

static void test_lock_rules_of_volumes(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_VOLUMETEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 1, false);
    D3DBOX empty = {0, 0, 0, TEXELS, 0, 1};
    D3DLOCKED_BOX locked = {1, 1, texture}, second;

    (void)state;
    assert_int_equal(rt_volumes_LockBox(texture, 0, &locked, &empty, 0), D3DERR_INVALIDCALL);
    assert_null(locked.pBits);
    assert_int_equal(rt_volumes_LockBox(texture, 0, &locked, NULL, 0), D3D_OK);
    second = locked;
    assert_int_equal(rt_volumes_LockBox(texture, 0, &second, NULL, 0), D3DERR_INVALIDCALL);
    assert_int_equal(second.pBits != NULL, device.api == &lenient);
    assert_int_equal(rt_volumes_UnlockBox(texture, 0), D3D_OK);
    assert_int_equal(rt_volumes_UnlockBox(texture, 0), D3DERR_INVALIDCALL);
    rt_object_Release(texture);
}

/* Rows are at the program's places, not at multiples of four bytes. */
static void test_memory_of_the_program(void **state)
{
    static uint8_t memory[33 * 5];
    const struct rt_surface_desc desc = {.format = D3DFMT_L8, .pool = D3DPOOL_SYSTEMMEM, .width = 33, .height = 5};
    struct rt_surface *surface = plain(&desc, memory, 33);
    D3DLOCKED_RECT locked;

    (void)state;
    assert_int_equal(rt_surface_lock(surface, &locked, NULL, 0), D3D_OK);
    assert_ptr_equal(locked.pBits, memory);
    assert_int_equal(locked.Pitch, 33);
    assert_int_equal(rt_surface_unlock(surface), D3D_OK);
    rt_object_Release(surface);
}

static void test_texture_in_memory_of_the_program(void **state)
{
    static uint32_t memory[TEXELS * TEXELS];
    const struct rt_texture_desc desc = {.type = D3DRTYPE_TEXTURE,
                                         .width = TEXELS,
                                         .height = TEXELS,
                                         .depth = 1,
                                         .levels = 1,
                                         .format = D3DFMT_A8R8G8B8,
                                         .pool = D3DPOOL_SYSTEMMEM,
                                         .memory = memory};
    struct rt_texture *destination = make(D3DRTYPE_TEXTURE, D3DPOOL_DEFAULT, 0, TEXELS, 1, false), *source = NULL;

    (void)state;
    memory[0] = 0x11223344;
    assert_int_equal(rt_texture_create(&device, &desc, &source), D3D_OK);
    rt_texture_update(source, destination);
    assert_int_equal(texel_of(destination->video, 0), 0x11223344);
    rt_object_Release(source);
    rt_object_Release(destination);
}

/* --- copies to the driver ------------------------------------------------------------------- */

static void test_managed_follows_its_dirty_boxes(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 1, false);

    (void)state;
    fill(&texture->surfaces[0], 0xff0000ff);
    assert_int_not_equal(rt_texture_handle(&texture->res), 0);
    assert_int_equal(texel_of(texture->video, 0), 0xff0000ff);
    rt_forget(&fixture);
    rt_texture_upload(texture);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_TEXBLT), 0);
    fill(&texture->surfaces[0], 0xff00ff00);
    assert_true(device.attention & RT_TEXTURES_CHANGED);
    rt_texture_upload(texture);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_TEXBLT), 1);
    assert_int_equal(texel_of(texture->video, 0), 0xff00ff00);
    /* discarded, the copy is restored when the texture is drawn with */
    rt_textures_discard(&device, 0);
    assert_null(texture->video);
    rt_texture_handle(&texture->res);
    assert_int_equal(texel_of(texture->video, 0), 0xff00ff00);
    rt_object_Release(texture);
}

static void test_update_matches_levels_by_size(void **state)
{
    struct rt_texture *source = make(D3DRTYPE_TEXTURE, D3DPOOL_SYSTEMMEM, 0, TEXELS, 0, false);
    struct rt_texture *destination = make(D3DRTYPE_TEXTURE, D3DPOOL_DEFAULT, 0, TEXELS / 2, 0, false);

    (void)state;
    for (unsigned i = 0; i < source->levels; i++)
        fill(&source->surfaces[i], 0x10101010 * (i + 1));
    rt_texture_update(source, destination);
    for (unsigned i = 0; i < destination->levels; i++)
        assert_int_equal(texel_of(destination->video, i), 0x10101010 * (i + 2));
    rt_object_Release(source);
    rt_object_Release(destination);
}

/* --- generated levels ----------------------------------------------------------------------- */

static void test_levels_are_generated(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 0, true);

    (void)state;
    assert_int_equal(rt_texture_GetLevelCount(texture), 1);
    fill(&texture->surfaces[0], 0xff102030);
    rt_forget(&fixture);
    rt_texture_handle(&texture->res);
    assert_int_equal(texture->video->desc.levels, 4);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_GENERATEMIPSUBLEVELS), 1);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(texel_of(texture->video, i), 0xff102030);
    /* once, until something changes */
    rt_texture_upload(texture);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_GENERATEMIPSUBLEVELS), 1);
    fill(&texture->surfaces[0], 0xff405060);
    rt_texture_upload(texture);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_GENERATEMIPSUBLEVELS), 2);
    assert_int_equal(texel_of(texture->video, 3), 0xff405060);
    rt_object_Release(texture);
}

/* Faces are a full chain apart on the driver's side, and one level apart in the runtime. */
static void test_levels_of_cubes_are_generated(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_CUBETEXTURE, D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC, TEXELS, 0, true);
    struct rt_surface *last = &texture->surfaces[5];

    (void)state;
    assert_int_equal(rt_surface_part(last, texture->video), 5 * 4);
    fill(last, 0xff708090);
    rt_forget(&fixture);
    rt_texture_upload(texture);
    /* one command is for all faces */
    assert_int_equal(rt_count(&fixture, D3DDP2OP_GENERATEMIPSUBLEVELS), 1);
    assert_int_equal(texel_of(texture->video, 5 * 4 + 2), 0xff708090);
    rt_object_Release(texture);
}

/* For a texture that the program fills level by level. */
static void test_levels_of_the_program_stay(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_MANAGED, 0, TEXELS, 0, false);

    (void)state;
    fill(&texture->surfaces[0], 0xff102030);
    fill(&texture->surfaces[1], 0xff405060);
    rt_texture_handle(&texture->res);
    rt_forget(&fixture);
    rt_texture_generate_mips(texture);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_GENERATEMIPSUBLEVELS), 0);
    assert_int_equal(texel_of(texture->video, 1), 0xff405060);
    rt_object_Release(texture);
}

static void test_drawing_makes_generated_levels_stale(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_DEFAULT, D3DUSAGE_RENDERTARGET, TEXELS, 0, true);
    const D3DVIEWPORT8 viewport = {0, 0, TEXELS, TEXELS, 0.0f, 1.0f};

    (void)state;
    rt_device_bind_target(&device, 0, &texture->surfaces[0]);
    rt_set_viewport(&device.pipe, &viewport);
    assert_int_equal(rt_device_Clear(&device, 0, NULL, D3DCLEAR_TARGET, 0xff336699, 0.0f, 0), D3D_OK);
    rt_device_bind_target(&device, 0, NULL);
    rt_texture_handle(&texture->res);
    assert_int_equal(texel_of(texture->video, 3), 0xff336699);
    rt_object_Release(texture);
}

/* --- targets -------------------------------------------------------------------------------- */

static void test_targets_go_before_clears(void **state)
{
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_DEFAULT, D3DUSAGE_RENDERTARGET, RT_SIZE, 1, false);
    const bool nine = device.api->state_rules->sets_targets_singly;

    (void)state;
    rt_forget(&fixture);
    if (nine)
        rt_device_bind_target(&device, 0, &texture->surfaces[0]);
    else
        rt_device_bind_target_and_depth(&device, &texture->surfaces[0], NULL);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_SETRENDERTARGET), nine ? 0 : 1);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_SETRENDERTARGET2), 0);
    assert_int_equal(rt_device_Clear(&device, 0, NULL, D3DCLEAR_TARGET, 0xff336699, 0.0f, 0), D3D_OK);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_SETRENDERTARGET2), nine ? 1 : 0);
    assert_int_equal(texel_of(texture->video, 0), 0xff336699);
    rt_device_bind_target(&device, 0, NULL);
    rt_object_Release(texture);
}

static void test_clear_without_its_surface(void **state)
{
    (void)state;
    assert_int_equal(rt_device_Clear(&device, 0, NULL, D3DCLEAR_TARGET, 0, 0.0f, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_draw(&device, D3DPT_TRIANGLELIST, 0, 1), D3DERR_INVALIDCALL);
}

/* --- rules of states ------------------------------------------------------------------------ */

static void test_clip_planes(void **state)
{
    static const float plane[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    const HRESULT beyond = device.api->clamps_clip_planes ? D3D_OK : D3DERR_INVALIDCALL;
    float got[4] = {0.0f};

    (void)state;
    assert_int_equal(rt_device_SetClipPlane(&device, 1000, plane), beyond);
    assert_int_equal(rt_device_GetClipPlane(&device, RT_CLIP_PLANES, got), beyond);
    assert_int_equal(rt_device_GetClipPlane(&device, RT_CLIP_PLANES - 1, got), D3D_OK);
    assert_true(got[3] == (SUCCEEDED(beyond) ? 4.0f : 0.0f));
}

static void test_multiplied_transforms_while_recording(void **state)
{
    D3DMATRIX matrix = {0};

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        matrix.m[i][i] = 2.0f;
    device.recording = rt_block_create(RT_BLOCK_RECORDED, &device.pipe.state);
    assert_non_null(device.recording);
    assert_int_equal(rt_device_MultiplyTransform(&device, D3DTS_VIEW, &matrix), D3D_OK);
    assert_true(device.pipe.state.transform[RT_TRANSFORM_VIEW].m[1][1] == 2.0f);
    assert_int_equal(rt_mask_test(device.recording->mask.transform, RT_TRANSFORM_VIEW), false);
    rt_block_destroy(device.recording);
    device.recording = NULL;
}

static void test_viewports_and_lights(void **state)
{
    const D3DVIEWPORT8 large = {1, 0, TEXELS, TEXELS, 0.0f, 1.0f};
    const D3DLIGHT8 strange = {.Type = (D3DLIGHTTYPE)9};
    const HRESULT expected = device.api == &strict ? D3DERR_INVALIDCALL : D3D_OK;
    struct rt_texture *texture = make(D3DRTYPE_TEXTURE, D3DPOOL_DEFAULT, D3DUSAGE_RENDERTARGET, TEXELS, 1, false);

    (void)state;
    rt_device_bind_target(&device, 0, &texture->surfaces[0]);
    assert_int_equal(rt_device_SetViewport(&device, &large), expected);
    assert_int_equal(rt_device_SetLight(&device, 0, &strange), expected);
    rt_device_bind_target(&device, 0, NULL);
    rt_object_Release(texture);
}

/* --- buffers -------------------------------------------------------------------------------- */

static void test_buffers(void **state)
{
    const struct rt_buffer_desc desc = {D3DRTYPE_VERTEXBUFFER, 64, 0, 0, D3DFMT_VERTEXDATA, D3DPOOL_MANAGED};
    struct rt_buffer_desc bad = desc;
    struct rt_buffer *buffer = NULL;
    uint8_t *first, *second;

    (void)state;
    bad.pool = D3DPOOL_SCRATCH;
    assert_int_equal(rt_buffer_create(&device, &bad, &buffer), D3DERR_INVALIDCALL);
    assert_int_equal(rt_buffer_create(&device, &desc, &buffer), D3D_OK);
    assert_int_equal(rt_buffer_Lock(buffer, 0, 0, (void **)&first, 0), D3D_OK);
    assert_int_equal(rt_buffer_Lock(buffer, 16, 8, (void **)&second, 0), D3D_OK);
    assert_ptr_equal(second, first + 16);
    memset(first, 0x5a, 64);
    assert_int_equal(rt_buffer_Unlock(buffer), D3D_OK);
    assert_int_equal(rt_buffer_Unlock(buffer), D3D_OK);
    rt_forget(&fixture);
    assert_int_not_equal(rt_buffer_handle(&buffer->res), 0);
    assert_int_equal(rt_count(&fixture, D3DDP2OP_BUFFERBLT), 1);
    assert_int_equal(texel_of(buffer->video, 0), 0x5a5a5a5a);
    assert_int_equal(rt_buffer_SetPriority(buffer, 3), 0);
    assert_int_equal(rt_object_GetPriority(buffer), 3);
    rt_object_Release(buffer);
}

/* Which results ProcessVertices may write, and where. */
static void test_processing_rules(void **state)
{
    const DWORD fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE, unknown = ~(DWORD)0;
    const struct rt_buffer_desc desc = {D3DRTYPE_VERTEXBUFFER, 40, 0, fvf, D3DFMT_VERTEXDATA, D3DPOOL_DEFAULT};
    struct rt_buffer *buffer = NULL;

    (void)state;
    assert_int_equal(rt_buffer_create(&device, &desc, &buffer), D3D_OK);
    assert_int_equal(rt_process_vertices(&device, 0, 0, 0, buffer, fvf, 0), D3D_OK);
    assert_int_equal(rt_process_vertices(&device, 0, 2, 0, buffer, fvf, 1), D3D_OK); /* D3DPV_DONOTCOPYDATA */
    assert_int_equal(rt_process_vertices(&device, 0, 3, 0, buffer, fvf, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_process_vertices(&device, 0, 0, 0, buffer, fvf, 2), D3DERR_INVALIDCALL);
    assert_int_equal(rt_process_vertices(&device, 0, 0, 0, buffer, fvf, unknown), D3DERR_INVALIDCALL);
    assert_int_equal(rt_process_vertices(&device, 0, 0, 0, buffer, 0, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_process_vertices(&device, 0, 0, 0, buffer, D3DFVF_XYZ, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_process_vertices(&device, 0, 0, 0, buffer, fvf | D3DFVF_NORMAL, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_process_vertices(&device, 0, 0, 0, buffer, fvf | D3DFVF_RESERVED0, 0), D3DERR_INVALIDCALL);
    rt_object_Release(buffer);
}

#define WITH(setup, test) cmocka_unit_test_setup_teardown(test, setup, close_device)
#define BOTH(test)                                                \
    {#test " (lenient)", test, open_lenient, close_device, NULL}, \
    {                                                             \
#test " (strict)", test, open_strict, close_device, NULL  \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(open_lenient, test_levels_count_for_their_texture),
        WITH(open_lenient, test_binding_keeps_a_target),
        BOTH(test_lock_rules_of_surfaces),
        BOTH(test_lock_rules_of_levels),
        BOTH(test_lock_rules_of_faces),
        BOTH(test_device_contexts_lock_their_texture),
        WITH(open_lenient, test_rows_of_vendors_blocks),
        WITH(open_lenient, test_levels_of_vendors_blocks),
        WITH(open_lenient, test_plain_surfaces_of_the_driver),
        BOTH(test_lock_rules_of_volumes),
        WITH(open_lenient, test_memory_of_the_program),
        WITH(open_lenient, test_texture_in_memory_of_the_program),
        BOTH(test_managed_follows_its_dirty_boxes),
        WITH(open_lenient, test_update_matches_levels_by_size),
        WITH(open_lenient, test_levels_are_generated),
        WITH(open_lenient, test_levels_of_cubes_are_generated),
        WITH(open_lenient, test_levels_of_the_program_stay),
        WITH(open_lenient, test_drawing_makes_generated_levels_stale),
        BOTH(test_targets_go_before_clears),
        WITH(open_lenient, test_clear_without_its_surface),
        BOTH(test_clip_planes),
        BOTH(test_multiplied_transforms_while_recording),
        BOTH(test_viewports_and_lights),
        WITH(open_lenient, test_processing_rules),
        WITH(open_lenient, test_buffers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
