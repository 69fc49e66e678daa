/* SPDX-License-Identifier: MIT */
/* Textures of both kinds, lightweight ones and those with a surface for each level, for tests that copy and draw their
 * levels: streams, the texels of a level, a draw that reads one. */
#ifndef HALCYON_TESTS_LIGHT_FIXTURE_H
#define HALCYON_TESTS_LIGHT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "dp2/dp2.h"
#include "hal/hal.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "tests/unit/client_fixture.h"

#define SIZE         64u      /* pixels of the target, both ways */
#define FVF_DIRECTED 0x10104u /* the same with three coordinates */
#define MOST_BYTES   65536u   /* of a slice of a level */

static inline struct client_chain *make(struct client_chain_desc desc)
{
    struct client_chain *chain = NULL;

    assert_int_equal(client_chain_create(client, &desc, &chain), DD_OK);
    return chain;
}

static inline struct hal_surface *hal_of(struct client_chain *chain, unsigned part)
{
    struct hal_surface *surface = hal_surface_from_lcl(&client_part(chain, part)->lcl);

    assert_non_null(surface);
    return surface;
}

/* --- streams ----------------------------------------------------------------------------- */

struct stream {
    uint32_t storage[1024];
    struct dp2_builder builder;
};

static struct client_chain *target, *commands;
static uintptr_t context;

static inline void begin(struct stream *stream)
{
    dp2_builder_init(&stream->builder, stream->storage, sizeof(stream->storage));
}

static inline void put(struct stream *stream, uint8_t token, const void *body, size_t size)
{
    assert_non_null(dp2_put(&stream->builder, token, 1, body, size));
}

#define PUT(stream, token, ...) \
    put(stream, token, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}))

static inline HRESULT submit(struct stream *stream, const void *vertices, unsigned count, unsigned size)
{
    struct client_draw draw = {.context = context,
                               .commands = client_part(commands, 0),
                               .command_length = (uint32_t)stream->builder.length,
                               .user_vertices = vertices,
                               .vertex_count = count,
                               .vertex_size = size};
    struct client_lock lock;

    assert_int_equal(client_lock(draw.commands, NULL, 0, &lock), DD_OK);
    memcpy(lock.bits, stream->storage, stream->builder.length);
    client_unlock(draw.commands);
    return client_draw(client, &draw);
}

static inline void begin_context(void)
{
    struct stream stream;

    target = make(
        (struct client_chain_desc){.usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE});
    commands = make((struct client_chain_desc){.usage = CLIENT_COMMAND_BUFFER, .width = 4096});
    assert_int_equal(client_context_create(client, client_part(target, 0), NULL, DDI_LEVEL_DX8, &context), DD_OK);
    begin(&stream);
    PUT(&stream, D3DDP2OP_VIEWPORTINFO, 0, 0, SIZE, SIZE);
    PUT(&stream, D3DDP2OP_ZRANGE, 0, 0x3f800000);
    PUT(&stream, D3DDP2OP_RENDERSTATE, 137, 0);            /* LIGHTING */
    PUT(&stream, D3DDP2OP_RENDERSTATE, 22, 1);             /* CULLMODE NONE */
    PUT(&stream, D3DDP2OP_TEXTURESTAGESTATE, 1 << 16, 2);  /* COLOROP SELECTARG1 */
    PUT(&stream, D3DDP2OP_TEXTURESTAGESTATE, 2 << 16, 2);  /* COLORARG1 TEXTURE */
    PUT(&stream, D3DDP2OP_TEXTURESTAGESTATE, 4 << 16, 2);  /* ALPHAOP SELECTARG1 */
    PUT(&stream, D3DDP2OP_TEXTURESTAGESTATE, 5 << 16, 2);  /* ALPHAARG1 TEXTURE */
    PUT(&stream, D3DDP2OP_TEXTURESTAGESTATE, 18 << 16, 3); /* MIPFILTER LINEAR */
    assert_int_equal(submit(&stream, NULL, 0, 0), DD_OK);
}

static inline void end_context(void)
{
    client_context_destroy(client, context);
    client_chain_destroy(commands);
    client_chain_destroy(target);
}

/* --- texels ------------------------------------------------------------------------------ */

static inline bool is_light(const struct client_chain *chain)
{
    return chain->usage & CLIENT_LIGHTWEIGHT;
}

/* Where a level lies in what a lock of its surface shows. */
static inline struct client_place place_of(struct client_chain *chain, unsigned face, unsigned level,
                                           const struct client_lock *lock, struct client_surface **surface)
{
    *surface = is_light(chain) ? client_level(chain, face, 0) : client_level(chain, face, level);
    return client_place_of(*surface, lock ? lock->pitch : 16, lock ? lock->slice_pitch : 0,
                           is_light(chain) ? level : 0);
}

/* Copies the texels of a slice out of a level, or into it: rows without gaps. */
static inline size_t move_slice(struct client_chain *chain, unsigned face, unsigned level, unsigned z, uint8_t *rows,
                                bool write)
{
    struct client_surface *surface;
    struct client_lock lock;

    place_of(chain, face, level, NULL, &surface);
    assert_int_equal(client_lock(surface, NULL, write ? 0 : DDLOCK_READONLY, &lock), DD_OK);
    const struct client_place place = place_of(chain, face, level, &lock, &surface);

    assert_true(place.row_bytes * place.row_count <= MOST_BYTES && z < place.depth);
    for (size_t y = 0; y < place.row_count; y++) {
        uint8_t *row = lock.bits + place.offset + z * place.slice_pitch + y * place.pitch;

        memcpy(write ? row : rows + y * place.row_bytes, write ? rows + y * place.row_bytes : row, place.row_bytes);
    }
    client_unlock(surface);
    return place.row_bytes * place.row_count;
}

static inline unsigned depth_of(struct client_chain *chain, unsigned level)
{
    const unsigned depth = client_part(chain, 0)->depth >> level;

    return depth ? depth : 1;
}

static inline unsigned size_at(unsigned size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

static inline uint32_t face_handle(struct client_chain *chain, unsigned face)
{
    return client_handle(client_level(chain, face, 0));
}

/* A texel of each level tells which level it came from. */
static inline void number_levels(struct client_chain *chain, uint8_t first)
{
    static uint8_t rows[MOST_BYTES];

    for (unsigned level = 0; level < chain->levels; level++) {
        memset(rows, first + (int)level, sizeof(rows));
        move_slice(chain, 0, level, 0, rows, true);
    }
}

static inline uint8_t number_of(struct client_chain *chain, unsigned level)
{
    static uint8_t rows[MOST_BYTES];

    move_slice(chain, 0, level, 0, rows, false);
    return rows[0];
}

struct vertex {
    float x, y, z, rhw, uvw[3];
};

/* The texture, so small on the target that the level in question is read, with all directions for a cube. */
static inline void draw(struct client_chain *texture, unsigned level, uint32_t lod, uint32_t *pixels)
{
    const float side = (float)SIZE / (float)(1u << level);
    struct vertex v[4];
    struct client_lock lock;
    struct stream stream;

    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){.x = i & 1 ? side : 0,
                               .y = i & 2 ? side : 0,
                               .rhw = 1,
                               .uvw = {i & 1 ? 1 : 0, i & 2 ? 1 : 0, texture->usage & CLIENT_CUBE ? 0.7f : 0.4f}};
    assert_int_equal(client_clear(client, context, 1, 0xff102030, 1, 0, NULL, 0), DD_OK);
    begin(&stream);
    PUT(&stream, D3DDP2OP_SETTEXLOD, face_handle(texture, 0), lod);
    PUT(&stream, D3DDP2OP_SETVERTEXSHADER, FVF_DIRECTED);
    PUT(&stream, D3DDP2OP_TEXTURESTAGESTATE, 0, face_handle(texture, 0));
    PUT(&stream, D3DDP2OP_SETSTREAMSOURCEUM, 0, sizeof(struct vertex));
    PUT(&stream, D3DDP2OP_DRAWPRIMITIVE, 5, 0, 2);
    PUT(&stream, D3DDP2OP_TEXTURESTAGESTATE, 0, 0);
    assert_int_equal(submit(&stream, v, 4, sizeof(struct vertex)), DD_OK);
    assert_int_equal(client_lock(client_part(target, 0), NULL, DDLOCK_READONLY, &lock), DD_OK);
    for (unsigned y = 0; y < SIZE; y++)
        memcpy(pixels + y * SIZE, lock.bits + y * lock.pitch, 4 * SIZE);
    client_unlock(client_part(target, 0));
}

#endif
