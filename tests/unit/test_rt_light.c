/* SPDX-License-Identifier: MIT */
/*
 * Lightweight MIP maps of the runtime: random textures and operations have the same texels and draw the same pixels as with a
 * surface for each level; which textures are lightweight; levels that are locked at the same time.
 */
#include "tests/unit/rt_fixture.h"

#include "base/base.h"
#include "base/digest.h"
#include "runtime/common/device/draw.h"
#include "runtime/common/device/states.h"
#include "runtime/common/driver/formats.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define TEXTURES 5
#define STEPS    60 /* of a round */
#define FVF      (D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0))

static struct rt_fixture fixture;
static struct rt_device device;

struct vertex {
    float x, y, z, rhw, uvw[3];
};

static unsigned vertex_bytes(const struct rt_device *of)
{
    (void)of;
    return sizeof(struct vertex);
}

static const struct rt_state_ops ops = {rt_texture_handle, rt_buffer_handle, rt_shader_handle, rt_shader_handle,
                                        rt_no_handle};
static const struct rt_api api = {.state_rules = &d3d8_state_rules, .state_ops = &ops, .vertex_bytes = vertex_bytes};

static void open_device(bool light)
{
    struct rt_driver_rules rules = d3d9_driver_rules;
    static struct rt_driver_rules kept; /* the adapter refers to them */

    assert_true(rules.light_mips);
    rules.light_mips = light;
    kept = rules;
    rt_open_with(&fixture, &kept, &d3d8_state_rules, false);
    memset(&device, 0, sizeof(device));
    device.api = &api;
    device.link = fixture.link;
    device.adapter = fixture.adapter;
    device.pipe = fixture.pipe;
    device.pipe.ops = &ops;
    rt_device_base_init(&device.base, false, rt_keep_device);
    memset(&fixture.pipe, 0, sizeof(fixture.pipe));
    rt_set_vertex_shader(&device.pipe, FVF);
    rt_set_render_state(&device.pipe, D3DRS_LIGHTING, FALSE);
    rt_set_render_state(&device.pipe, D3DRS_ZENABLE, D3DZB_FALSE);
    rt_set_render_state(&device.pipe, D3DRS_CULLMODE, D3DCULL_NONE);
    rt_set_stage_state(&device.pipe, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    rt_set_stage_state(&device.pipe, 0, D3DTSS_MIPFILTER, D3DTEXF_LINEAR);
}

static void close_device(void)
{
    rt_pipe_unbind(&device.pipe);
    assert_int_equal(device.base.refs, 1);
    assert_int_equal(device.default_pool_count, 0);
    assert_null(device.managed);
    rt_palettes_free(&device);
    fixture.pipe = device.pipe;
    rt_close(&fixture);
}

static struct rt_texture *make(const struct rt_texture_desc *desc)
{
    struct rt_texture *texture = NULL;

    assert_int_equal(rt_texture_create(&device, desc, &texture), D3D_OK);
    return texture;
}

/* --- which textures ------------------------------------------------------------------------- */

struct kind {
    const char *name;
    struct rt_texture_desc desc;
    bool light;
};

static void test_which_are_lightweight(void **state)
{
#define KIND(what, light, number, ...)                                                                                \
    {                                                                                                                 \
        what, {.type = D3DRTYPE_TEXTURE, .width = 16, .height = 16, .depth = 1, .format = number, __VA_ARGS__}, light \
    }
    static const struct kind kinds[] = {
        KIND("managed", true, D3DFMT_A8R8G8B8, .pool = D3DPOOL_MANAGED),
        KIND("default", true, D3DFMT_A8R8G8B8, .pool = D3DPOOL_DEFAULT),
        KIND("system", true, D3DFMT_A8R8G8B8, .pool = D3DPOOL_SYSTEMMEM),
        KIND("generated", true, D3DFMT_A8R8G8B8, .pool = D3DPOOL_DEFAULT, .generates_mips = true),
        KIND("scratch", false, D3DFMT_A8R8G8B8, .pool = D3DPOOL_SCRATCH),
        KIND("one level", false, D3DFMT_A8R8G8B8, .pool = D3DPOOL_DEFAULT, .levels = 1),
        KIND("target", false, D3DFMT_A8R8G8B8, .pool = D3DPOOL_DEFAULT, .usage = D3DUSAGE_RENDERTARGET),
        KIND("dynamic", false, D3DFMT_A8R8G8B8, .pool = D3DPOOL_DEFAULT, .usage = D3DUSAGE_DYNAMIC),
        KIND("vendor's", false, MAKEFOURCC('A', 'T', 'I', '2'), .pool = D3DPOOL_DEFAULT),
    };
#undef KIND

    (void)state;
    for (unsigned light = 0; light < 2; light++) {
        open_device(light);
        for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++) {
            struct rt_texture *texture = make(&kinds[i].desc);
            const struct rt_chain *chain = texture->system ? texture->system : texture->video;

            if (chain->is_light != (light && kinds[i].light))
                fail_msg("%s", kinds[i].name);
            if (chain->client)
                assert_int_equal(chain->client->part_count, chain->is_light ? 1 : chain->desc.levels);
            if (kinds[i].desc.pool == D3DPOOL_MANAGED) { /* the driver's side too */
                assert_int_not_equal(rt_texture_handle(&texture->res), 0);
                assert_int_equal(texture->video->is_light, light);
            }
            if (chain->is_light)
                assert_int_equal(rt_chain_handle(chain, 1), 0);
            rt_object_Release(texture);
        }
        close_device();
    }
}

static LPDDHAL_CREATESURFACE create_surface;

static DWORD PASCAL refuse_lightweight(LPDDHAL_CREATESURFACEDATA data)
{
    if (!(((const DDSURFACEDESC2 *)data->lpDDSurfaceDesc)->ddsCaps.dwCaps3 & DDSCAPS3_LIGHTWEIGHTMIPMAP))
        return create_surface(data);
    data->ddRVal = DDERR_OUTOFVIDEOMEMORY;
    return DDHAL_DRIVER_HANDLED;
}

/* All levels together may have more bytes than the driver allows for a surface. */
static void test_too_large_for_one_surface(void **state)
{
    const struct rt_chain_desc desc = {.kind = RT_CHAIN_TEXTURE,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = D3DFMT_L8,
                                       .width = 16,
                                       .height = 16,
                                       .levels = 5};
    struct client_driver *driver;
    struct rt_chain *chain = NULL;

    (void)state;
    open_device(true);
    driver = (struct client_driver *)(uintptr_t)rt_adapter_driver(device.adapter);
    create_surface = driver->dd.CreateSurface;
    driver->dd.CreateSurface = refuse_lightweight;
    assert_int_equal(rt_chain_create(device.link, &desc, &chain), D3D_OK);
    assert_false(chain->is_light);
    assert_int_equal(chain->client->part_count, 5);
    rt_chain_destroy(chain);
    close_device();
}

/* --- locks ---------------------------------------------------------------------------------- */

static void test_levels_locked_at_once(void **state)
{
    const struct rt_texture_desc desc = {.type = D3DRTYPE_TEXTURE,
                                         .width = 8,
                                         .height = 8,
                                         .depth = 1,
                                         .format = D3DFMT_A8R8G8B8,
                                         .pool = D3DPOOL_MANAGED};
    const RECT texel = {2, 1, 3, 2};
    D3DLOCKED_RECT locked[4];
    struct rt_texture *texture;
    uint8_t *memory;

    (void)state;
    open_device(true);
    texture = make(&desc);
    memory = texture->system->memory;
    assert_int_equal(rt_texture_LockRect(texture, 2, &locked[2], NULL, D3DLOCK_READONLY), D3D_OK);
    assert_int_equal(rt_texture_LockRect(texture, 0, &locked[0], NULL, 0), D3D_OK);
    assert_int_equal(rt_texture_LockRect(texture, 1, &locked[1], &texel, 0), D3D_OK);
    assert_int_equal(rt_texture_LockRect(texture, 1, &locked[3], NULL, 0), D3DERR_INVALIDCALL);
    assert_ptr_equal(locked[0].pBits, memory);
    assert_ptr_equal(locked[1].pBits, memory + 256 + 16 + 8);
    assert_ptr_equal(locked[2].pBits, memory + 256 + 64);
    assert_int_equal(locked[1].Pitch, 16);
    assert_int_equal(texture->system->parts[0].locks, 3);
    assert_int_equal(rt_texture_UnlockRect(texture, 0), D3D_OK);
    assert_int_equal(rt_texture_UnlockRect(texture, 0), D3DERR_INVALIDCALL);
    assert_int_equal(rt_texture_UnlockRect(texture, 1), D3D_OK);
    assert_true(texture->system->parts[0].surface->locked);
    assert_int_equal(rt_texture_UnlockRect(texture, 2), D3D_OK);
    assert_false(texture->system->parts[0].surface->locked);
    assert_int_equal(texture->system->parts[0].locks, 0);
    rt_object_Release(texture);
    close_device();
}

/* --- random operations ---------------------------------------------------------------------- */

static const uint32_t formats[] = {D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_L8, D3DFMT_DXT1, D3DFMT_A8L8};

/* Digests of one round: after each step, then of all memory. */
struct trail {
    uint64_t digest[STEPS + 1];
};

static struct rt_texture_desc random_desc(void)
{
    static const D3DRESOURCETYPE types[] = {D3DRTYPE_TEXTURE, D3DRTYPE_TEXTURE, D3DRTYPE_CUBETEXTURE,
                                            D3DRTYPE_VOLUMETEXTURE};
    static const D3DPOOL pools[] = {D3DPOOL_MANAGED, D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM, D3DPOOL_DEFAULT};
    struct rt_texture_desc desc = {.depth = 1};

    desc.type = types[random_below(ARRAY_COUNT(types))];
    desc.format = formats[random_below(ARRAY_COUNT(formats))];
    desc.pool = pools[random_below(ARRAY_COUNT(pools))];
    desc.width = desc.height = 4u << random_below(4);
    if (desc.type == D3DRTYPE_TEXTURE)
        desc.width = 4u << random_below(4);
    if (desc.type == D3DRTYPE_VOLUMETEXTURE) {
        desc.depth = 1u << random_below(4);
        desc.format = D3DFMT_A8R8G8B8;
    } else if (desc.format != D3DFMT_DXT1 && desc.pool != D3DPOOL_SYSTEMMEM) {
        desc.generates_mips = random_one_in(4);
    }
    desc.levels = random_below(3);
    return desc;
}

static unsigned blocks_of(unsigned size, unsigned block)
{
    return (size + block - 1) / block;
}

/* Writes random texels into a rectangle of blocks, or the whole slice. */
static void write_rows(const struct rt_format *format, uint8_t *bits, size_t pitch, unsigned width, unsigned height)
{
    const size_t bytes = (size_t)blocks_of(width, format->block_width) * format->block_bytes;
    const uint8_t value = (uint8_t)random_word();

    for (unsigned y = 0; y < blocks_of(height, format->block_height); y++)
        for (size_t x = 0; x < bytes; x++)
            bits[y * pitch + x] = (uint8_t)(value + 17 * y + 5 * x);
}

static void write_surface(struct rt_surface *surface, bool no_dirty)
{
    const struct rt_format *format = rt_format_info(surface->desc.format);
    const unsigned width = surface->desc.width, height = surface->desc.height;
    RECT rect = {0, 0, (LONG)width, (LONG)height};
    D3DLOCKED_RECT locked;

    if (!random_one_in(3) && width > 4 && height > 4) {
        rect.left = (LONG)(random_below(width / 4) * 4);
        rect.top = (LONG)(random_below(height / 4) * 4);
    }
    if (rt_surface_lock(surface, &locked, &rect, no_dirty ? D3DLOCK_NO_DIRTY_UPDATE : 0) != D3D_OK)
        return;
    write_rows(format, locked.pBits, (size_t)locked.Pitch, width - (unsigned)rect.left, height - (unsigned)rect.top);
    assert_int_equal(rt_surface_unlock(surface), D3D_OK);
}

static void write_volume(struct rt_volume *volume)
{
    const struct rt_format *format = rt_format_info(volume->texture->format);
    D3DLOCKED_BOX locked;

    if (rt_volume_lock(volume, &locked, NULL, 0) != D3D_OK)
        return;
    for (unsigned z = 0; z < volume->depth; z++)
        write_rows(format, (uint8_t *)locked.pBits + (size_t)z * (size_t)locked.SlicePitch, (size_t)locked.RowPitch,
                   volume->width, volume->height);
    assert_int_equal(rt_volume_unlock(volume), D3D_OK);
}

static void write_level(struct rt_texture *texture)
{
    const unsigned part = random_below(texture->levels * texture->faces);

    if (texture->type == D3DRTYPE_VOLUMETEXTURE)
        write_volume(&texture->volumes[part]);
    else
        write_surface(&texture->surfaces[part], random_one_in(5));
}

/* Another level of the same texture is locked while this one is written and drawn with. */
static void write_under_another_lock(struct rt_texture *texture)
{
    const unsigned other = random_below(texture->levels * texture->faces);
    D3DLOCKED_RECT locked;
    HRESULT hr = D3DERR_INVALIDCALL;

    if (texture->type != D3DRTYPE_VOLUMETEXTURE)
        hr = rt_surface_lock(&texture->surfaces[other], &locked, NULL, random_one_in(2) ? D3DLOCK_READONLY : 0);
    write_level(texture);
    if (hr == D3D_OK) {
        rt_texture_handle(&texture->res);
        rt_surface_unlock(&texture->surfaces[other]);
    }
}

static bool reads_default(const struct rt_texture *a, const struct rt_texture *b)
{
    return a->pool == D3DPOOL_SYSTEMMEM && b->pool == D3DPOOL_DEFAULT && a->type == b->type;
}

/* UpdateTexture, from the first texture that fits. */
static void update(struct rt_texture *const *textures, struct rt_texture *to)
{
    for (unsigned i = 0; i < TEXTURES; i++)
        if (reads_default(textures[i], to)) {
            rt_texture_update(textures[i], to);
            return;
        }
}

/* Bytes of a level and its neighbours on the program's side, by a blit between levels of equal size and format. */
static void blit(struct rt_texture *const *textures, const struct rt_texture *to)
{
    struct rt_chain *b = to->video ? to->video : to->system;
    const unsigned part = random_below(b->part_count);

    for (unsigned i = 0; i < TEXTURES; i++) {
        struct rt_chain *a = textures[i]->system;

        if (!a || a->desc.format != b->desc.format || a == b || a->desc.kind == RT_CHAIN_VOLUME ||
            b->desc.kind == RT_CHAIN_VOLUME)
            continue;
        for (unsigned level = 0; level < a->part_count; level++)
            if (a->parts[level].width == b->parts[part].width && a->parts[level].height == b->parts[part].height) {
                assert_int_equal(rt_chain_blt(b, part, NULL, a, level, NULL, 0), D3D_OK);
                return;
            }
    }
}

static uint64_t draw(struct rt_texture *texture)
{
    const float side = (float)(4u << random_below(5));
    struct vertex v[4];
    struct rt_mapping map;
    uint64_t digest = 0;

    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){i & 1 ? side : 0, i & 2 ? side : 0, 0, 1, {i & 1, i & 2 ? 1 : 0, 0.4f}};
    rt_device_set_texture(&device, 0, texture);
    assert_int_equal(rt_device_Clear(&device, 0, NULL, D3DCLEAR_TARGET, 0xff102030, 0, 0), D3D_OK);
    assert_int_equal(rt_draw_up(&device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])), D3D_OK);
    assert_int_equal(rt_chain_lock(device.target[0]->chain, 0, D3DLOCK_READONLY, &map), D3D_OK);
    for (unsigned y = 0; y < RT_SIZE; y++)
        digest = digest_of(map.bits + y * map.pitch, 4 * RT_SIZE, digest);
    rt_chain_unlock(device.target[0]->chain, 0);
    return digest;
}

static uint64_t digest_chain(struct rt_chain *chain, uint64_t digest)
{
    const struct rt_format *format = rt_format_info(chain->desc.format);

    for (unsigned part = 0; part < chain->part_count; part++) {
        const struct rt_part *p = &chain->parts[part];
        const size_t bytes = (size_t)blocks_of(p->width, format->block_width) * format->block_bytes;
        struct rt_mapping map;

        assert_int_equal(rt_chain_lock(chain, part, D3DLOCK_READONLY, &map), D3D_OK);
        for (unsigned z = 0; z < p->depth; z++)
            for (unsigned y = 0; y < rt_format_rows(format, p->height); y++)
                digest = digest_of(map.bits + z * map.slice_pitch + y * map.pitch, bytes, digest);
        rt_chain_unlock(chain, part);
    }
    return digest;
}

static uint64_t digest_texture(const struct rt_texture *texture, uint64_t digest)
{
    digest = digest * 31 + (texture->video != NULL);
    if (texture->system)
        digest = digest_chain(texture->system, digest);
    return texture->video ? digest_chain(texture->video, digest) : digest;
}

static uint64_t step(struct rt_texture **textures)
{
    struct rt_texture **slot = &textures[random_below(TEXTURES)], *texture = *slot;

    switch (random_below(12)) {
    case 0: {
        const struct rt_texture_desc desc = random_desc();

        rt_device_set_texture(&device, 0, NULL);
        rt_object_Release(texture);
        *slot = make(&desc);
        return 0;
    }
    case 1:
        rt_textures_discard(&device, random_one_in(2) ? 0 : 500);
        return 1;
    case 2:
        rt_texture_SetLOD(texture, random_below(4));
        return 2;
    case 3:
        rt_texture_generate_mips(texture);
        return 3;
    case 4:
        update(textures, texture);
        return digest_texture(texture, 4);
    case 5:
        blit(textures, texture);
        return digest_texture(texture, 5);
    case 6:
        write_under_another_lock(texture);
        return digest_texture(texture, 6);
    case 7:
        rt_texture_add_dirty_box(texture, random_below(texture->faces), NULL);
        return 7;
    case 8:
    case 9:
        return draw(texture);
    default:
        write_level(texture);
        return digest_texture(texture, 8);
    }
}

static void bind_target(void)
{
    const struct rt_surface_desc desc = {.format = D3DFMT_A8R8G8B8,
                                         .usage = D3DUSAGE_RENDERTARGET,
                                         .pool = D3DPOOL_DEFAULT,
                                         .width = RT_SIZE,
                                         .height = RT_SIZE};
    const D3DVIEWPORT8 viewport = {0, 0, RT_SIZE, RT_SIZE, 0.0f, 1.0f};
    struct rt_surface *surface = NULL;

    assert_int_equal(rt_surface_create(&device, &desc, false, &surface), D3D_OK);
    rt_device_bind_target(&device, 0, surface);
    rt_set_viewport(&device.pipe, &viewport);
    rt_object_Release(surface);
}

static void play(uint32_t seed, bool light, struct trail *trail, unsigned *lights)
{
    struct rt_texture *textures[TEXTURES];

    open_device(light);
    bind_target();
    random_seed = seed;
    for (unsigned i = 0; i < TEXTURES; i++) {
        const struct rt_texture_desc desc = random_desc();

        textures[i] = make(&desc);
    }
    for (unsigned i = 0; i < STEPS; i++)
        trail->digest[i] = step(textures);
    trail->digest[STEPS] = 0;
    for (unsigned i = 0; i < TEXTURES; i++) {
        trail->digest[STEPS] = digest_texture(textures[i], trail->digest[STEPS]);
        *lights += (textures[i]->system && textures[i]->system->is_light) ||
                   (textures[i]->video && textures[i]->video->is_light);
    }
    rt_device_set_texture(&device, 0, NULL);
    for (unsigned i = 0; i < TEXTURES; i++)
        rt_object_Release(textures[i]);
    rt_device_bind_target(&device, 0, NULL);
    close_device();
}

static void test_random_operations(void **state)
{
    unsigned heavy = 0, light = 0;

    (void)state;
    for (uint32_t round = first_round(60); round < end_round(60); round++) {
        static struct trail trails[2];

        play(round, false, &trails[0], &heavy);
        play(round, true, &trails[1], &light);
        for (unsigned i = 0; i <= STEPS; i++)
            if (trails[0].digest[i] != trails[1].digest[i])
                fail_msg("round %u, step %u", round, i);
    }
    assert_int_equal(heavy, 0);
    assert_true(light > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_are_lightweight),
        cmocka_unit_test(test_too_large_for_one_surface),
        cmocka_unit_test(test_levels_locked_at_once),
        cmocka_unit_test(test_random_operations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
