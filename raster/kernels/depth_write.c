/* SPDX-License-Identifier: MIT */
/* Compressed depth and stencil of a block into memory: a test that always passes, without the test. */
#include "raster/kernels/depth_chunks.h"

/* The kind of write that a function is compiled for: constants, so that each function keeps only the code it needs. */
struct write_kind {
    unsigned bytes; /* of a word: 4 with 24 bits of depth on top, or 2 of depth alone */
    bool depth;     /* is written */
};

/* Any format, at any edge of the surface. */
static __attribute__((noinline)) void write_any(const struct raster_surface *depth,
                                                const struct raster_depth_write *write, int x, int y, uint64_t mask)
{
    const struct raster_draw_state state = {
        .depth_test = write->depth,
        .depth_write = write->depth,
        .depth_func = RASTER_ALWAYS,
        .stencil = {.enable = write->stencil,
                    .func = RASTER_ALWAYS,
                    .pass = RASTER_REPLACE,
                    .ref = write->stencil_value,
                    .write_mask = 255},
    };
    const struct scene_primitive primitive = {
        .reference_x = write->plane.x,
        .reference_y = write->plane.y,
        .depth = {.a = {write->plane.a}, .dx = {write->plane.dx}, .dy = {write->plane.dy}},
    };
    const float ox = (float)x - primitive.reference_x + 0.0f, oy = (float)y - primitive.reference_y + 0.0f;

    for (unsigned g = 0; g < 4; g++) {
        const int gx = (int)(g & 1) * 4, gy = (int)(g >> 1) * 4;
        const uint32_t bits = (uint32_t)(mask >> (g * GROUP_LANES)) & 0xffff;
        float z[GROUP_LANES];

        if (!bits)
            continue;
        depth_lanes(&primitive, ox + (float)gx, oy + (float)gy, z);
        KERNEL(raster_depth_stencil)(&state, depth, x + gx, y + gy, z, bits, true);
    }
}

/* Words of all lanes become (word & keep) | set, with depth above. */
static inline __attribute__((always_inline)) void write_block(struct write_kind kind,
                                                              const struct raster_surface *depth,
                                                              const struct raster_depth_write *write, int x, int y,
                                                              uint64_t mask, uint32_t keep, uint32_t set)
{
    const uint64_t rows = mask == ~UINT64_C(0) ? mask : block_mask_to_rows(mask);
    uint8_t *p = depth->pixels + (size_t)y * depth->pitch + (size_t)x * kind.bytes;
    struct depth_rows plane;

    if (kind.depth) {
        /* (the sum with the centre's offset makes -0 to 0, as in tests) */
        chunk_places_from(&plane.places, (float)x - write->plane.x + 0.0f, (float)y - write->plane.y + 0.0f);
        chunk_plane_init(&plane.plane, &plane.places, write->plane.a, write->plane.dx, write->plane.dy);
    }
    for (unsigned c = 0; c < CHUNKS; c++, p += 2 * depth->pitch) {
        const uint32_t bits = (uint32_t)(rows >> (c * GROUP_LANES)) & 0xffff;
        struct chunk word = {0}, value;

        if (!bits)
            continue;
        if (keep || bits != 0xffff)
            word = kind.bytes == 4 ? load_words(p, depth->pitch) : load_short_words(p, depth->pitch);
        if (kind.depth)
            value = depth_values(&plane, c, kind.bytes);
        FOR_REGISTERS {
            veci fresh = veci_or(veci_and(word.v[i], veci_splat(keep)), veci_splat(set));

            if (kind.depth)
                fresh = veci_or(fresh, veci_left(value.v[i], kind.bytes == 4 ? 8 : 0));
            word.v[i] = veci_select(bits >> i * VEC, fresh, word.v[i]);
        }
        if (kind.bytes == 4)
            store_words(p, depth->pitch, word);
        else
            store_short_words(p, depth->pitch, word);
    }
}

void KERNEL(raster_write_depth)(const struct raster_surface *depth, const struct raster_depth_write *write, int x,
                                int y, uint64_t mask)
{
    const bool is_24 = depth->format == RASTER_FORMAT_D24S8 || depth->format == RASTER_FORMAT_D24X8 ||
                       depth->format == RASTER_FORMAT_D24X4S4;
    const uint32_t stencil = write->stencil ? raster_stencil_mask(depth->format) : 0;
    const uint32_t set = write->stencil_value & stencil;

    if ((!is_24 && depth->format != RASTER_FORMAT_D16) || (unsigned)x + ROW > depth->width ||
        (unsigned)y + ROW > depth->height)
        write_any(depth, write, x, y, mask);
    else if (!is_24 && write->depth)
        write_block((struct write_kind){2, true}, depth, write, x, y, mask, 0, 0);
    else if (write->depth)
        write_block((struct write_kind){4, true}, depth, write, x, y, mask, 0xff & ~stencil, set);
    else if (stencil)
        write_block((struct write_kind){4, false}, depth, write, x, y, mask, ~stencil, set);
}
