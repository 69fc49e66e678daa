/* SPDX-License-Identifier: MIT */
/* Chains of the runtime (runtime/common/driver/link.h) as DirectDraw uses them: memory of the program that is replaced, pitches. */
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
        {RT_MEMORY_VIDEO, D3DFMT_X8R8G8B8, 0, 8},  {RT_MEMORY_VIDEO, D3DFMT_R5G6B5, 8, 8},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rebind),
        cmocka_unit_test(test_rebind_refused),
        cmocka_unit_test(test_row_alignment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
