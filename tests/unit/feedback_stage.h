/* SPDX-License-Identifier: MIT */
/* Feedback maps through the driver interface, for tests: maps, textures of one colour, and the decoded contents of
 * maps. */
#ifndef HALCYON_TESTS_FEEDBACK_STAGE_H
#define HALCYON_TESTS_FEEDBACK_STAGE_H

#include "base/base.h"
#include "d3d/feedback.h"
#include "dp2/tokens.h"
#include "tests/unit/shader_stage.h"

static inline uint32_t handle_of(struct client_chain *chain)
{
    return client_handle(client_part(chain, 0));
}

/* `usage`, in addition to CLIENT_TEXTURE: CLIENT_CUBE, CLIENT_VOLUME. */
static inline struct client_chain *add_chain(struct shader_scene *s, uint32_t usage, uint32_t format, unsigned width,
                                             unsigned height, unsigned depth, unsigned levels)
{
    const struct client_chain_desc desc = {.usage = CLIENT_TEXTURE | usage,
                                           .format = format,
                                           .width = width,
                                           .height = height,
                                           .depth = depth,
                                           .levels = levels};

    return add_surface(s, &desc);
}

static inline struct client_chain *add_flat(struct shader_scene *s, uint32_t format, unsigned width, unsigned height,
                                            unsigned levels)
{
    return add_chain(s, 0, format, width, height, 0, levels);
}

/* A cleared map; regions are 2^log2 texels in each direction. */
static inline struct client_chain *add_map(struct shader_scene *s, bool min_mip, unsigned width, unsigned height,
                                           unsigned levels, unsigned log2)
{
    struct client_chain *map = add_flat(s, ddi_feedback_format(min_mip, log2, log2), width, height, levels);

    client_fill(client_part(map, 0), NULL, 0);
    return map;
}

/* A sampler's texture and filters. */
static inline void set_sampler(struct shader_scene *s, unsigned stage, uint32_t texture, uint32_t filter,
                               uint32_t mip_filter)
{
    stage_texture_state(&s->stage, stage, D3DTSS_TEXTUREMAP, texture);
    stage_texture_state(&s->stage, stage, D3DTSS_MAGFILTER, filter == D3DTEXF_ANISOTROPIC ? D3DTEXF_LINEAR : filter);
    stage_texture_state(&s->stage, stage, D3DTSS_MINFILTER, filter);
    stage_texture_state(&s->stage, stage, D3DTSS_MIPFILTER, mip_filter);
}

static inline void feedback_command(struct shader_scene *s, char command, char sampler)
{
    stage_state(&s->stage, D3DRS_POINTSIZE, 'S' | 'F' << 8 | (uint32_t)command << 16 | (uint32_t)sampler << 24);
}

static inline uint8_t byte_at(struct client_surface *bytes, unsigned x, unsigned y)
{
    struct client_lock lock;

    assert_int_equal(client_lock(bytes, NULL, DDLOCK_READONLY, &lock), DD_OK);
    uint8_t value = lock.bits[y * lock.pitch + x];
    client_unlock(bytes);
    return value;
}

/* Compares rows of `bytes`: '.' is `empty`, '#' is 0xff, others are digits; a difference fails, with the place. */
static inline void expect_bytes(struct client_surface *bytes, const char *const *rows, uint8_t empty, const char *file,
                                int line)
{
    struct client_lock lock;

    assert_int_equal(client_lock(bytes, NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; rows[y]; y++)
        for (unsigned x = 0; rows[y][x]; x++) {
            const uint8_t byte = lock.bits[y * lock.pitch + x];
            const char found = byte == empty ? '.' : byte == 0xff ? '#' : byte < 10 ? (char)('0' + byte) : '?';

            if (found != rows[y][x])
                fail_msg("%s:%d: row %u, column %u is '%c' (%#x), not '%c'", file, line, y, x, found, byte, rows[y][x]);
        }
    client_unlock(bytes);
}

/* Decodes a part of a map with a blit and compares it with rows of strings. MIN_MIP: '.' is 0xff; MIP_REGION_USED:
 * 0. */
static inline void expect_part(struct shader_scene *s, struct client_surface *part, bool min_mip,
                               const char *const *rows, const char *file, int line)
{
    struct client_chain *bytes = add_flat(s, D3DFMT_L8, 64, 64, 1);

    stage_submit(&s->stage);
    check(s);
    assert_int_equal(client_blt(client_part(bytes, 0), NULL, part, NULL, 0), DD_OK);
    expect_bytes(client_part(bytes, 0), rows, min_mip ? 0xff : 0, file, line);
    s->more_count--;
    client_chain_destroy(bytes);
}

#define ROWS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_USED(s, map, level, ...) \
    expect_part(s, client_level(map, 0, level), false, ROWS(__VA_ARGS__), __FILE__, __LINE__)
#define EXPECT_MIN_MIP(s, m, ...)     expect_part(s, client_level(m, 0, 0), true, ROWS(__VA_ARGS__), __FILE__, __LINE__)
#define EXPECT_BYTES(got, empty, ...) expect_bytes(got, ROWS(__VA_ARGS__), empty, __FILE__, __LINE__)

/* Draws on the whole target with coordinates from (u0, v0) at the upper left corner to (u1, v1) at the lower right. */
static inline void draw_coordinates(struct shader_scene *s, float u0, float v0, float u1, float v1)
{
    struct quad_vertex v[4];

    memcpy(v, quad, sizeof(v));
    for (unsigned i = 0; i < 4; i++) {
        v[i].texcoord[0] = i & 1 ? u1 : u0;
        v[i].texcoord[1] = i & 2 ? v1 : v0;
    }
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
    check(s);
}

#define PS_SAMPLE(sampler) "ps_3_0\ndcl_texcoord v0\ndcl_2d s" #sampler "\ntexld r0, v0, s" #sampler "\nmov oC0, r0\n"
#define scenes(test)       cmocka_unit_test_setup_teardown(test, open_bytes, close_stage)

#endif
