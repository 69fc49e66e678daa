/* SPDX-License-Identifier: MIT */
/* A texture of random texels with all its levels, and a batch that samples it. */
#ifndef HALCYON_TESTS_SAMPLE_FIXTURE_H
#define HALCYON_TESTS_SAMPLE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "raster/sample/sample.h"
#include "tests/random.h"
#include "tests/unit/sample_computed.h"

struct fixture {
    struct raster_texture texture;
    uint32_t *texels[RASTER_MAX_LEVELS];
    _Alignas(64) float coordinate[3][RASTER_LANES];
    _Alignas(64) float result[4][RASTER_LANES];
};

static inline struct fixture *fixture_create(enum raster_texture_kind kind, unsigned width, unsigned height,
                                             unsigned depth)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));
    unsigned slices = kind == RASTER_TEXTURE_CUBE ? 6 : depth;

    f->texture.kind = kind;
    for (unsigned l = 0; l < RASTER_MAX_LEVELS; l++) {
        unsigned w = BASE_MAX(width >> l, 1u), h = BASE_MAX(height >> l, 1u);
        unsigned d = kind == RASTER_TEXTURE_VOLUME ? BASE_MAX(depth >> l, 1u) : slices;

        f->texels[l] = mem_calloc((size_t)w * h * d, 4);
        for (unsigned i = 0; i < w * h * d; i++)
            f->texels[l][i] = random_word();
        f->texture.level[l] = (struct raster_texture_level){f->texels[l], w, h, d, w, w * h};
        f->texture.level_count = l + 1;
        if (w == 1 && h == 1 && d <= (kind == RASTER_TEXTURE_VOLUME ? 1u : 6u))
            break;
    }
    return f;
}

/* The same texture with floats as texels: mostly 0..1, some of them extreme. */
static inline void fixture_widen(struct fixture *f, bool wild)
{
    static const uint32_t special[] = {0x7f800000, 0xff800000, 0xffc00000, 0x7f7fffff, 0x00000001,
                                       0x80000000, 0x7fc00000, 0x7f812345, 0xffffffff};

    f->texture.is_wide = true;
    for (unsigned l = 0; l < f->texture.level_count; l++) {
        struct raster_texture_level *level = &f->texture.level[l];
        size_t count = (size_t)level->slice * level->depth * 4;
        uint32_t *words = mem_calloc(count, 4);

        for (size_t i = 0; i < count; i++) {
            float v = (float)(random_word() >> 8) / 16777216.0f * (wild ? 100.0f : 1.0f) - (wild ? 50.0f : 0.0f);

            memcpy(&words[i], &v, 4);
            if (wild && random_word() % 16 == 0)
                words[i] = special[random_word() % ARRAY_COUNT(special)];
        }
        free(f->texels[l]);
        level->texels = f->texels[l] = words;
    }
}

static inline void fixture_destroy(struct fixture *f)
{
    for (unsigned l = 0; l < RASTER_MAX_LEVELS; l++)
        free(f->texels[l]);
    mem_free_aligned(f);
}

#endif
