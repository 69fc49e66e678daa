/* SPDX-License-Identifier: MIT */
/* Shared by the tests of patches and of N-patches: fields of control points, tokens, counting. */
#ifndef HALCYON_TESTS_PATCH_FIXTURE_H
#define HALCYON_TESTS_PATCH_FIXTURE_H

#include "hal_fixture.h"

#include "hal/vertex/patch/patch.h"
#include "tests/random.h"

#include <math.h>

enum { BEZIER, BSPLINE, INTERPOLATE };

#define FVF_COLORED (D3DFVF_XYZ | D3DFVF_DIFFUSE)
#define FVF_NORMAL  (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE)

struct colored {
    float x, y, z;
    uint32_t color;
};

struct shaped {
    float x, y, z, nx, ny, nz;
    uint32_t color;
};

static inline float random_signed(void)
{
    return random_between(-1, 1);
}

static inline void begin(struct fixture *f)
{
    fixture_clear(f, 0);
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_ZENABLE, 0);
    fixture_state(f, D3DRS_LIGHTING, 0);
}

/* Each pixel counts how often it is drawn. */
static inline void begin_counting(struct fixture *f)
{
    begin(f);
    fixture_state(f, D3DRS_ALPHABLENDENABLE, 1);
    fixture_state(f, D3DRS_SRCBLEND, D3DBLEND_ONE);
    fixture_state(f, D3DRS_DESTBLEND, D3DBLEND_ONE);
}

static inline void put_patch(struct fixture *f, uint8_t token, uint32_t handle, const float *segments,
                             const uint32_t *info)
{
    const bool rect = token == D3DDP2OP_DRAWRECTPATCH;
    uint32_t body[2 + 4 + 7] = {handle, (segments ? 1 : 0) | (info ? 2 : 0)};
    unsigned n = 2;

    if (segments) {
        memcpy(&body[n], segments, rect ? 16 : 12);
        n += rect ? 4 : 3;
    }
    if (info) {
        memcpy(&body[n], info, rect ? 28 : 16);
        n += rect ? 7 : 4;
    }
    fixture_put(f, token, 1, body, n * 4);
}

static inline void put_rect(struct fixture *f, uint32_t handle, const float *segments, const uint32_t info[7])
{
    put_patch(f, D3DDP2OP_DRAWRECTPATCH, handle, segments, info);
}

static inline void put_tri(struct fixture *f, uint32_t handle, const float *segments, const uint32_t info[4])
{
    put_patch(f, D3DDP2OP_DRAWTRIPATCH, handle, segments, info);
}

static inline uint64_t picture(const struct fixture *f)
{
    uint64_t hash = 14695981039346656037u;

    for (unsigned i = 0; i < FIXTURE_SIZE * FIXTURE_SIZE; i++)
        hash = (hash ^ f->color[i]) * 1099511628211u;
    return hash;
}

/* --- fields of points --------------------------------------------------------------- */

#define FIELD 7

/* A slightly disordered lattice of points, larger than the view. */
static inline void make_field(struct colored field[FIELD][FIELD], float reach, float disorder)
{
    for (unsigned y = 0; y < FIELD; y++) {
        for (unsigned x = 0; x < FIELD; x++) {
            field[y][x] = (struct colored){((float)x - 3) * reach / 3 + random_signed() * disorder,
                                           (3 - (float)y) * reach / 3 + random_signed() * disorder,
                                           0.5f + random_signed() * 0.4f, 0x010101};
        }
    }
}

/* The same count for the same edge, whichever triangle asks. */
static inline float edge_segments(unsigned round, unsigned a, unsigned b)
{
    uint32_t h = (round * 97 + BASE_MIN(a, b)) * 131 + BASE_MAX(a, b);

    h = h * 2654435761u >> 16;
    return 1 + (float)(h % 90) / 8;
}

static inline void assert_all_once(struct fixture *f)
{
    for (unsigned i = 0; i < FIXTURE_SIZE * FIXTURE_SIZE; i++)
        assert_int_equal(f->color[i] & 0xffffff, 0x010101);
}

static inline void make_shapes(struct shaped v[FIELD * FIELD], float tilt)
{
    struct colored field[FIELD][FIELD];

    make_field(field, 1.6f, 0.12f);
    for (unsigned i = 0; i < FIELD * FIELD; i++) {
        const struct colored *p = &field[i / FIELD][i % FIELD];
        const float x = random_signed() * tilt, y = random_signed() * tilt;
        const float length = sqrtf(x * x + y * y + 1);

        v[i] = (struct shaped){p->x, p->y, 0.5f, x / length, y / length, -1 / length, p->color};
    }
}

/* The lattice as a list; corners in each of their three rotations. */
static inline unsigned lattice_indices(uint16_t *indices)
{
    unsigned n = 0;

    for (unsigned y = 0; y + 1 < FIELD; y++) {
        for (unsigned x = 0; x + 1 < FIELD; x++) {
            const unsigned a = y * FIELD + x, turn = (x + 2 * y) % 3;
            const unsigned corner[6] = {a, a + 1, a + FIELD + 1, a, a + FIELD + 1, a + FIELD};

            for (unsigned i = 0; i < 6; i++)
                indices[n++] = (uint16_t)corner[i / 3 * 3 + (i + turn) % 3];
        }
    }
    return n;
}

static inline void put_indexed(struct fixture *f, uint32_t type, uint32_t start, uint32_t count)
{
    const uint32_t body[6] = {type, 0, 0, 0xffff, start, count};

    fixture_put(f, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, body, sizeof(body));
}

#endif
