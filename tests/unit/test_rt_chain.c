/* SPDX-License-Identifier: MIT */
/* Chains of the runtime (runtime/common/driver/link.h) as DirectDraw uses them: memory of the program that is replaced, pitches, flips. */
#include "tests/unit/rt_fixture.h"

#include "base/base.h"

static struct rt_fixture fixture;

static struct rt_chain *make(const struct rt_chain_desc *desc)
{
    struct rt_chain *chain = NULL;

    assert_int_equal(rt_chain_create(fixture.link, desc, &chain), D3D_OK);
    return chain;
}

/* --- replaced memory ------------------------------------------------------------------------------ */

/* The texel that the driver, or the runtime, reads at (x, y): through a blit if the driver knows the chain. */
static uint16_t copied(struct rt_chain *chain, unsigned x, unsigned y)
{
    const struct rt_chain_desc desc = {.kind = RT_CHAIN_PLAIN,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = chain->desc.format,
                                       .width = chain->desc.width,
                                       .height = chain->desc.height};
    struct rt_chain *copy = make(&desc);
    struct rt_mapping map;
    uint16_t texel;

    assert_int_equal(rt_chain_blt(copy, 0, NULL, chain, 0, NULL, 0), D3D_OK);
    assert_int_equal(rt_chain_lock(copy, 0, D3DLOCK_READONLY, &map), D3D_OK);
    memcpy(&texel, map.bits + y * map.pitch + x * sizeof(texel), sizeof(texel));
    rt_chain_unlock(copy, 0);
    rt_chain_destroy(copy);
    return texel;
}

static void test_rebind(void **state)
{
    static uint16_t first[8][8], second[5][12], third[3][4];
    const enum rt_chain_memory memories[] = {RT_MEMORY_SYSTEM, RT_MEMORY_UNSHARED};
    struct rt_mapping map;

    (void)state;
    rt_open(&fixture, 9, false);
    for (unsigned i = 0; i < ARRAY_COUNT(memories); i++) {
        const struct rt_chain_desc desc = {
            .kind = RT_CHAIN_PLAIN, .memory = memories[i], .format = D3DFMT_R5G6B5, .width = 8, .height = 8};
        const struct rt_chain_desc of_user = {.kind = RT_CHAIN_PLAIN,
                                              .memory = memories[i],
                                              .format = D3DFMT_R5G6B5,
                                              .width = 8,
                                              .height = 8,
                                              .user_memory = first,
                                              .user_pitch = sizeof(first[0])};

        for (unsigned user = 0; user < 2; user++) {
            struct rt_chain *chain = make(user ? &of_user : &desc);

            second[4][9] = 0x1234;
            assert_int_equal(rt_chain_rebind(chain, 0, second, sizeof(second[0]), 10, 5, D3DFMT_R5G6B5), D3D_OK);
            assert_int_equal(chain->parts[0].width, 10);
            assert_int_equal(rt_chain_bytes(chain), 10 * 5 * 2);
            assert_int_equal(rt_chain_lock(chain, 0, 0, &map), D3D_OK);
            assert_ptr_equal(map.bits, second);
            assert_int_equal(map.pitch, sizeof(second[0]));
            rt_chain_unlock(chain, 0);
            assert_int_equal(copied(chain, 9, 4), 0x1234);
            third[2][3] = 0x7bcd;
            assert_int_equal(rt_chain_rebind(chain, 0, third, sizeof(third[0]), 4, 3, D3DFMT_X1R5G5B5), D3D_OK);
            assert_int_equal(copied(chain, 3, 2), 0x7bcd);
            rt_chain_destroy(chain);
        }
    }
    rt_close(&fixture);
}

static void test_rebind_refused(void **state)
{
    static uint32_t bits[16][16];
    const struct rt_chain_desc desc = {
        .kind = RT_CHAIN_PLAIN, .memory = RT_MEMORY_SYSTEM, .format = D3DFMT_A8R8G8B8, .width = 8, .height = 8};
    const struct rt_chain_desc others[] = {
        {.kind = RT_CHAIN_PLAIN, .format = D3DFMT_A8R8G8B8, .width = 8, .height = 8},
        {.kind = RT_CHAIN_VERTEX, .memory = RT_MEMORY_SYSTEM, .width = 64},
        {.kind = RT_CHAIN_TEXTURE,
         .memory = RT_MEMORY_SYSTEM,
         .format = D3DFMT_A8R8G8B8,
         .width = 8,
         .height = 8,
         .levels = 4},
        {.kind = RT_CHAIN_VOLUME,
         .memory = RT_MEMORY_SYSTEM,
         .format = D3DFMT_A8R8G8B8,
         .width = 8,
         .height = 8,
         .depth = 2},
    };
    struct rt_chain *chain;
    struct rt_mapping map;

    (void)state;
    rt_open(&fixture, 9, false);
    chain = make(&desc);
    uint8_t *before = chain->parts[0].memory;

    assert_int_equal(rt_chain_rebind(chain, 0, NULL, 64, 16, 16, D3DFMT_A8R8G8B8), E_INVALIDARG);
    assert_int_equal(rt_chain_rebind(chain, 0, bits, 63, 16, 16, D3DFMT_A8R8G8B8), E_INVALIDARG);
    assert_int_equal(rt_chain_rebind(chain, 0, bits, 64, 0, 16, D3DFMT_A8R8G8B8), E_INVALIDARG);
    assert_int_equal(rt_chain_rebind(chain, 0, bits, 64, 16, 0, D3DFMT_A8R8G8B8), E_INVALIDARG);
    assert_int_equal(rt_chain_rebind(chain, 0, bits, 64, 16, 16, 0xdeadbeef), E_INVALIDARG);
    assert_int_equal(rt_chain_rebind(chain, 0, bits, SIZE_MAX / 8, 16, 16, D3DFMT_A8R8G8B8), E_INVALIDARG);
    assert_int_equal(rt_chain_lock(chain, 0, 0, &map), D3D_OK);
    assert_int_equal(rt_chain_rebind(chain, 0, bits, 64, 16, 16, D3DFMT_A8R8G8B8), DDERR_SURFACEBUSY);
    rt_chain_unlock(chain, 0);
    assert_ptr_equal(chain->parts[0].memory, before);
    assert_int_equal(chain->parts[0].width, 8);
    rt_chain_destroy(chain);
    for (unsigned i = 0; i < ARRAY_COUNT(others); i++) {
        chain = make(&others[i]);
        assert_int_equal(rt_chain_rebind(chain, 0, bits, 64, 16, 16, D3DFMT_A8R8G8B8), E_INVALIDARG);
        rt_chain_destroy(chain);
    }
    rt_close(&fixture);
}

/* --- pitches ------------------------------------------------------------------------------------------ */

/* Rows of 63 texels (Wine's test_create_surface_pitch). */
static void test_row_alignment(void **state)
{
    static const struct {
        enum rt_chain_memory memory;
        uint32_t format;
        unsigned alignment, multiple;
    } rows[] = {
        {RT_MEMORY_SYSTEM, D3DFMT_X8R8G8B8, 0, 4}, {RT_MEMORY_SYSTEM, D3DFMT_X8R8G8B8, 4, 4},
        {RT_MEMORY_SYSTEM, D3DFMT_X8R8G8B8, 8, 8}, {RT_MEMORY_UNSHARED, D3DFMT_X8R8G8B8, 8, 8},
        {RT_MEMORY_SYSTEM, D3DFMT_R5G6B5, 8, 8},   {RT_MEMORY_SYSTEM, D3DFMT_P8, 8, 8},
        {RT_MEMORY_VIDEO, D3DFMT_X8R8G8B8, 8, 8},  {RT_MEMORY_VIDEO, D3DFMT_R5G6B5, 8, 8},
    };

    (void)state;
    rt_open(&fixture, 9, false);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct rt_chain_desc desc = {.kind = RT_CHAIN_TEXTURE,
                                           .memory = rows[i].memory,
                                           .format = rows[i].format,
                                           .width = 63,
                                           .height = 63,
                                           .levels = 6,
                                           .row_alignment = rows[i].alignment};
        struct rt_chain *chain = make(&desc);

        for (unsigned part = 0; part < chain->part_count; part++) {
            struct rt_mapping map;
            const size_t bytes = (size_t)chain->parts[part].width * (rows[i].format == D3DFMT_P8       ? 1
                                                                     : rows[i].format == D3DFMT_R5G6B5 ? 2
                                                                                                       : 4);

            assert_int_equal(rt_chain_lock(chain, part, 0, &map), D3D_OK);
            assert_int_equal(map.pitch % rows[i].multiple, 0);
            assert_in_range(map.pitch, bytes, bytes + (rows[i].memory == RT_MEMORY_VIDEO ? 15 : rows[i].multiple - 1));
            memset(map.bits, (int)part, map.pitch * chain->parts[part].height); /* inside of the block of memory */
            rt_chain_unlock(chain, part);
        }
        rt_chain_destroy(chain);
    }
    rt_close(&fixture);
}

/* --- flips -------------------------------------------------------------------------------------------- */

static void mark(struct rt_chain *chain, unsigned part, uint8_t value)
{
    struct rt_mapping map;

    assert_int_equal(rt_chain_lock(chain, part, 0, &map), D3D_OK);
    memset(map.bits, value, map.pitch * (chain->parts[part].height - 1) + chain->parts[part].width);
    rt_chain_unlock(chain, part);
}

/* A part's last row holds this value in a lock of the runtime's, and in a copy by the driver. */
static void expect_mark(struct rt_chain *chain, unsigned part, uint8_t value)
{
    const struct rt_chain_desc desc = {.kind = RT_CHAIN_PLAIN,
                                       .memory = RT_MEMORY_VIDEO,
                                       .format = chain->desc.format,
                                       .width = chain->desc.width,
                                       .height = chain->desc.height};
    struct rt_chain *copy = make(&desc), *both[] = {chain, copy};
    struct rt_mapping map;

    assert_int_equal(rt_chain_blt(copy, 0, NULL, chain, part, NULL, 0), D3D_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(rt_chain_lock(both[i], i ? 0 : part, D3DLOCK_READONLY, &map), D3D_OK);
        assert_int_equal(map.bits[map.pitch * (chain->desc.height - 1)], value);
        rt_chain_unlock(both[i], i ? 0 : part);
    }
    rt_chain_destroy(copy);
}

/* Chains that are never on the screen: of any format, as textures, in any memory (Wine's test_flip). */
static void test_hidden_flips(void **state)
{
    static const struct {
        uint32_t format;
        enum rt_chain_memory memory;
        bool is_texture, is_target;
    } rows[] = {
        {D3DFMT_X8R8G8B8, RT_MEMORY_VIDEO, false, false},  {D3DFMT_X8R8G8B8, RT_MEMORY_VIDEO, true, false},
        {D3DFMT_X8R8G8B8, RT_MEMORY_VIDEO, false, true},   {D3DFMT_R8G8B8, RT_MEMORY_VIDEO, false, false},
        {D3DFMT_P8, RT_MEMORY_VIDEO, false, false},        {D3DFMT_P8, RT_MEMORY_VIDEO, true, false},
        {D3DFMT_X8R8G8B8, RT_MEMORY_SYSTEM, false, false}, {D3DFMT_R5G6B5, RT_MEMORY_SYSTEM, true, false},
        {D3DFMT_P8, RT_MEMORY_SYSTEM, false, false},       {D3DFMT_R5G6B5, RT_MEMORY_UNSHARED, false, false},
    };

    (void)state;
    rt_open(&fixture, 9, false);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct rt_chain_desc desc = {.kind = RT_CHAIN_SWAP,
                                           .memory = rows[i].memory,
                                           .format = rows[i].format,
                                           .width = 19,
                                           .height = 7,
                                           .levels = 3,
                                           .is_hidden = true,
                                           .is_texture = rows[i].is_texture,
                                           .is_target = rows[i].is_target};
        struct rt_chain *chain = make(&desc);
        const uint32_t handle = rt_chain_handle(chain, 0);

        assert_int_equal(handle != 0, rows[i].memory != RT_MEMORY_UNSHARED);
        for (unsigned part = 0; part < 3; part++)
            mark(chain, part, (uint8_t)(part + 1));
        assert_int_equal(rt_chain_flip(chain), D3D_OK);
        for (unsigned part = 0; part < 3; part++)
            expect_mark(chain, part, (uint8_t)((part + 1) % 3 + 1));
        assert_int_equal(rt_chain_exchange(chain, 0, chain, 2), D3D_OK);
        expect_mark(chain, 0, 1);
        expect_mark(chain, 1, 3);
        expect_mark(chain, 2, 2);
        assert_int_equal(rt_chain_handle(chain, 0), handle);
        rt_chain_destroy(chain);
    }
    rt_close(&fixture);
}

/* Surfaces of one part that a program attaches to each other, either of which may go first. */
static void test_exchange_of_chains(void **state)
{
    static uint8_t bits[8 * 8];
    const struct rt_chain_desc desc = {
        .kind = RT_CHAIN_PLAIN, .memory = RT_MEMORY_SYSTEM, .format = D3DFMT_P8, .width = 8, .height = 8};
    const struct rt_chain_desc of_user = {.kind = RT_CHAIN_PLAIN,
                                          .memory = RT_MEMORY_SYSTEM,
                                          .format = D3DFMT_P8,
                                          .width = 8,
                                          .height = 8,
                                          .user_memory = bits,
                                          .user_pitch = 8};
    const struct rt_chain_desc other = {
        .kind = RT_CHAIN_PLAIN, .memory = RT_MEMORY_SYSTEM, .format = D3DFMT_P8, .width = 8, .height = 4};
    const struct rt_chain_desc video = {
        .kind = RT_CHAIN_PLAIN, .memory = RT_MEMORY_VIDEO, .format = D3DFMT_P8, .width = 8, .height = 8};

    (void)state;
    rt_open(&fixture, 9, false);
    for (unsigned i = 0; i < 4; i++) {
        struct rt_chain *a = make(&desc), *b = make(i & 1 ? &of_user : &desc), *c = make(&other), *d = make(&video);

        mark(a, 0, 5);
        mark(b, 0, 6);
        assert_int_equal(rt_chain_exchange(a, 0, b, 0), D3D_OK);
        assert_int_equal(rt_chain_exchange(a, 0, c, 0), DDERR_NOTFLIPPABLE);
        assert_int_equal(rt_chain_exchange(a, 0, d, 0), DDERR_NOTFLIPPABLE);
        assert_int_equal(rt_chain_flip(a), DDERR_NOTFLIPPABLE);
        expect_mark(a, 0, 6);
        expect_mark(b, 0, 5);
        rt_chain_destroy(i & 2 ? a : b); /* with the memory that it has now */
        expect_mark(i & 2 ? b : a, 0, i & 2 ? 5 : 6);
        rt_chain_destroy(i & 2 ? b : a);
        rt_chain_destroy(c);
        rt_chain_destroy(d);
    }
    rt_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rebind),
        cmocka_unit_test(test_rebind_refused),
        cmocka_unit_test(test_row_alignment),
        cmocka_unit_test(test_hidden_flips),
        cmocka_unit_test(test_exchange_of_chains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
