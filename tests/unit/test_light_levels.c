/* SPDX-License-Identifier: MIT */
/*
 * Lightweight MIP maps, one DirectDraw surface for all levels: the same random operations on textures of this kind and on
 * those with a surface for each level leave the same texels in every level and draw the same pixels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "tests/random.h"
#include "tests/unit/light_fixture.h"
#include "tests/unit/rounds.h"

#define HALF   113u /* D3DFMT_A16B16G16R16F */
#define FLOATS 116u /* D3DFMT_A32B32G32R32F */

static void expect_same_texels(struct client_chain *a, struct client_chain *b, const char *what)
{
    static uint8_t rows[2][MOST_BYTES];

    assert_int_equal(a->levels, b->levels);
    for (unsigned face = 0; face < a->faces; face++)
        for (unsigned level = 0; level < a->levels; level++)
            for (unsigned z = 0; z < depth_of(a, level); z++) {
                const size_t bytes = move_slice(a, face, level, z, rows[0], false);

                assert_int_equal(bytes, move_slice(b, face, level, z, rows[1], false));
                if (memcmp(rows[0], rows[1], bytes))
                    fail_msg("after %s: format %u, face %u, level %u, slice %u", what, (unsigned)a->format, face, level,
                             z);
            }
}

/* The same random texels into one level of both, finite in every format. */
static void write_level(struct client_chain *a, struct client_chain *b, unsigned face, unsigned level)
{
    static uint8_t rows[MOST_BYTES];

    for (unsigned z = 0; z < depth_of(a, level); z++) {
        for (size_t i = 0; i < MOST_BYTES; i++)
            rows[i] = (uint8_t)(random_word() & 0x3b);
        move_slice(a, face, level, z, rows, true);
        move_slice(b, face, level, z, rows, true);
    }
}

/* --- random operations ------------------------------------------------------------------- */

struct pair {
    struct client_chain *heavy, *light;
};

struct bench {
    struct client_chain_desc desc;
    struct pair video[2], system;
    struct client_chain *plain; /* a texture of one level, as large as the first one */
    bool is_volume, is_cube, is_block;
};

static struct pair make_pair(struct client_chain_desc desc, uint32_t usage)
{
    struct pair pair;

    desc.usage |= usage;
    pair.heavy = make(desc);
    desc.usage |= CLIENT_LIGHTWEIGHT;
    pair.light = make(desc);
    assert_int_equal(pair.light->part_count, pair.light->faces);
    return pair;
}

static void drop_pair(struct pair pair)
{
    client_chain_destroy(pair.heavy);
    client_chain_destroy(pair.light);
}

static struct bench make_bench(uint32_t usage, uint32_t format, unsigned width, unsigned height, unsigned depth,
                               unsigned levels)
{
    struct bench bench = {.desc = {.usage = CLIENT_TEXTURE | usage,
                                   .format = format,
                                   .width = width,
                                   .height = height,
                                   .depth = depth,
                                   .levels = levels},
                          .is_volume = usage & CLIENT_VOLUME,
                          .is_cube = usage & CLIENT_CUBE,
                          .is_block = format == D3DFMT_DXT1 || format == D3DFMT_DXT5};

    for (unsigned i = 0; i < 2; i++)
        bench.video[i] = make_pair(bench.desc, 0);
    bench.system = make_pair(bench.desc, CLIENT_SYSTEM_MEMORY);
    bench.plain =
        make((struct client_chain_desc){.usage = CLIENT_TEXTURE, .format = format, .width = width, .height = height});
    for (unsigned face = 0; face < bench.system.heavy->faces; face++)
        for (unsigned level = 0; level < levels; level++)
            for (unsigned i = 0; i < 3; i++) {
                const struct pair *pair = i < 2 ? &bench.video[i] : &bench.system;

                write_level(pair->heavy, pair->light, face, level);
            }
    return bench;
}

static void drop_bench(const struct bench *bench)
{
    drop_pair(bench->video[0]);
    drop_pair(bench->video[1]);
    drop_pair(bench->system);
    client_chain_destroy(bench->plain);
}

/* A rectangle inside a level; of compressed formats all of it. */
static void random_rect(const struct bench *bench, unsigned level, uint32_t rect[4])
{
    const unsigned width = size_at(bench->desc.width, level), height = size_at(bench->desc.height, level);

    rect[0] = bench->is_block ? 0 : random_below(width);
    rect[1] = bench->is_block ? 0 : random_below(height);
    rect[2] = bench->is_block ? width : rect[0] + 1 + random_below(width - rect[0]);
    rect[3] = bench->is_block ? height : rect[1] + 1 + random_below(height - rect[1]);
}

/* BLT or SURFACEBLT of a level of `from` to the same of `to`. */
static void put_blt(struct stream *stream, uint8_t token, struct client_chain *to, struct client_chain *from,
                    unsigned face, unsigned level, const uint32_t rect[4])
{
    PUT(stream, token, face_handle(from, face), rect[0], rect[1], rect[2], rect[3], level, face_handle(to, face),
        rect[0], rect[1], rect[2], rect[3], level, 0);
}

static void put_texture_copy(struct stream *stream, const struct bench *bench, struct client_chain *to,
                             struct client_chain *from, const uint32_t rect[4])
{
    if (bench->is_volume)
        PUT(stream, D3DDP2OP_VOLUMEBLT, face_handle(to, 0), face_handle(from, 0), rect[0], rect[1], 0, rect[0], rect[1],
            rect[2], rect[3], 0, size_at(bench->desc.depth, 0), 0);
    else
        PUT(stream, D3DDP2OP_TEXBLT, face_handle(to, 0), face_handle(from, 0), rect[0], rect[1], rect[0], rect[1],
            rect[2], rect[3], 0);
}

static void expect_same_pixels(const struct bench *bench, const struct pair *pair)
{
    static uint32_t pixels[2][SIZE * SIZE];
    const unsigned level = random_below(bench->desc.levels);
    const uint32_t lod = random_below(bench->desc.levels);

    draw(pair->heavy, level, lod, pixels[0]);
    draw(pair->light, level, lod, pixels[1]);
    assert_memory_equal(pixels[0], pixels[1], sizeof(pixels[0]));
    assert_int_not_equal(pixels[0][0], 0xff102030);
}

/* Copies each level by BLT to a plain surface and compares what is there. */
static void expect_same_blts(const struct bench *bench, const struct pair *pair)
{
    static uint8_t rows[2][MOST_BYTES];
    const unsigned face = random_below(pair->heavy->faces), level = random_below(bench->desc.levels);
    const uint32_t width = size_at(bench->desc.width, level), height = size_at(bench->desc.height, level);
    size_t bytes = 0;

    for (unsigned i = 0; i < 2; i++) {
        struct stream stream;

        begin(&stream);
        PUT(&stream, D3DDP2OP_BLT, face_handle(i ? pair->light : pair->heavy, face), 0, 0, width, height, level,
            face_handle(bench->plain, 0), 0, 0, width, height, 0, 0);
        assert_int_equal(submit(&stream, NULL, 0, 0), DD_OK);
        bytes = move_slice(bench->plain, 0, 0, 0, rows[i], false);
    }
    assert_memory_equal(rows[0], rows[1], bytes);
}

/* One operation on both textures of a pair; returns its name. */
static const char *operate(const struct bench *bench)
{
    const struct pair *to = &bench->video[random_below(2)], *other = to == bench->video ? to + 1 : to - 1;
    const unsigned face = random_below(to->heavy->faces), level = random_below(bench->desc.levels);
    const bool swap = random_one_in(2);
    uint32_t rect[4], whole[4];
    struct stream stream;
    const char *what;

    begin(&stream);
    random_rect(bench, level, rect);
    random_rect(bench, 0, whole);
    switch (random_below(8)) {
    case 0: /* system memory to video memory, by all four kinds of copies */
    case 1:
        what = "a texture copy from system memory";
        put_texture_copy(&stream, bench, to->heavy, swap ? bench->system.light : bench->system.heavy, whole);
        put_texture_copy(&stream, bench, to->light, swap ? bench->system.heavy : bench->system.light, whole);
        break;
    case 2:
        what = "a texture copy in video memory";
        put_texture_copy(&stream, bench, to->heavy, swap ? other->light : other->heavy, whole);
        put_texture_copy(&stream, bench, to->light, swap ? other->heavy : other->light, whole);
        break;
    case 3:
        what = "BLT of a level";
        put_blt(&stream, D3DDP2OP_BLT, to->heavy, other->heavy, face, level, rect);
        put_blt(&stream, D3DDP2OP_BLT, to->light, other->light, face, level, rect);
        break;
    case 4:
        what = "SURFACEBLT of a level";
        put_blt(&stream, D3DDP2OP_SURFACEBLT, to->heavy, bench->system.heavy, face, level, rect);
        put_blt(&stream, D3DDP2OP_SURFACEBLT, to->light, bench->system.light, face, level, rect);
        break;
    case 5:
        what = "GENERATEMIPSUBLEVELS";
        if (bench->is_block)
            break;
        PUT(&stream, D3DDP2OP_GENERATEMIPSUBLEVELS, face_handle(to->heavy, 0), swap ? 1 : 2);
        PUT(&stream, D3DDP2OP_GENERATEMIPSUBLEVELS, face_handle(to->light, 0), swap ? 1 : 2);
        break;
    case 6:
        what = "COLORFILL";
        if (bench->is_block)
            break;
        random_rect(bench, 0, rect);
        PUT(&stream, D3DDP2OP_COLORFILL, face_handle(to->heavy, face), rect[0], rect[1], rect[2], rect[3], 0x80402010);
        PUT(&stream, D3DDP2OP_COLORFILL, face_handle(to->light, face), rect[0], rect[1], rect[2], rect[3], 0x80402010);
        break;
    default:
        what = "a write to memory";
        write_level((swap ? &bench->system : to)->heavy, (swap ? &bench->system : to)->light, face, level);
        return what;
    }
    assert_int_equal(submit(&stream, NULL, 0, 0), DD_OK);
    return what;
}

static void run_bench(struct bench *bench, unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++) {
        const char *what = operate(bench);
        const unsigned i = random_below(2);

        expect_same_texels(bench->video[0].heavy, bench->video[0].light, what);
        expect_same_texels(bench->video[1].heavy, bench->video[1].light, what);
        expect_same_texels(bench->system.heavy, bench->system.light, what);
        expect_same_blts(bench, random_one_in(4) ? &bench->system : &bench->video[i]);
        if (random_one_in(2))
            expect_same_pixels(bench, random_one_in(4) ? &bench->system : &bench->video[i]);
        if (random_one_in(16)) { /* others at the same handles */
            drop_pair(bench->video[i]);
            bench->video[i] = make_pair(bench->desc, 0);
        }
    }
}

static void test_random_operations(void **state)
{
    static const struct {
        uint32_t usage, format;
        unsigned width, height, depth, levels;
    } kinds[] = {
        {0, D3DFMT_A8R8G8B8, 32, 32, 1, 6},
        {0, D3DFMT_R5G6B5, 29, 7, 1, 5},
        {0, D3DFMT_L8, 21, 33, 1, 6},
        {0, D3DFMT_R8G8B8, 9, 5, 1, 3},
        {0, D3DFMT_DXT1, 32, 16, 1, 6},
        {0, D3DFMT_DXT5, 16, 16, 1, 5},
        {0, HALF, 16, 8, 1, 5},
        {0, FLOATS, 7, 7, 1, 3},
        {CLIENT_CUBE, D3DFMT_A8R8G8B8, 16, 16, 1, 5},
        {CLIENT_CUBE, D3DFMT_R5G6B5, 8, 8, 1, 2},
        {CLIENT_VOLUME, D3DFMT_A8R8G8B8, 16, 8, 4, 5},
        {CLIENT_VOLUME, D3DFMT_L8, 7, 5, 3, 3},
    };

    (void)state;
    begin_context();
    for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++) {
        struct bench bench = make_bench(kinds[i].usage, kinds[i].format, kinds[i].width, kinds[i].height,
                                        kinds[i].depth, kinds[i].levels);

        random_seed = 32 + i + first_round(1000);
        run_bench(&bench, end_round(120) - first_round(120));
        drop_bench(&bench);
    }
    end_context();
}

/* --- copies between chains of different length ------------------------------------------- */

static void test_texture_blt_by_size(void **state)
{
    (void)state;
    begin_context();
    for (unsigned kinds = 0; kinds < 8; kinds++) {
        const uint32_t from_light = kinds & 1 ? CLIENT_LIGHTWEIGHT : 0, to_light = kinds & 2 ? CLIENT_LIGHTWEIGHT : 0;
        struct client_chain *from = make(
            (struct client_chain_desc){.usage = CLIENT_TEXTURE | from_light | (kinds & 4 ? CLIENT_SYSTEM_MEMORY : 0),
                                       .format = D3DFMT_A8R8G8B8,
                                       .width = 16,
                                       .height = 16,
                                       .levels = 5});
        struct client_chain *to = make((struct client_chain_desc){
            .usage = CLIENT_TEXTURE | to_light, .format = D3DFMT_A8R8G8B8, .width = 4, .height = 4, .levels = 2});
        struct stream stream;

        number_levels(from, 0x10);
        number_levels(to, 0x20);
        begin(&stream);
        PUT(&stream, D3DDP2OP_TEXBLT, face_handle(to, 0), face_handle(from, 0), 0, 0, 0, 0, 16, 16, 0);
        assert_int_equal(submit(&stream, NULL, 0, 0), DD_OK);
        assert_int_equal(number_of(to, 0), 0x12);
        assert_int_equal(number_of(to, 1), 0x13);
        client_chain_destroy(to);
        client_chain_destroy(from);
    }
    end_context();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_texture_blt_by_size),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
