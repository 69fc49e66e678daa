/* SPDX-License-Identifier: MIT */
/* Squares of transformed vertices, and commands of one or two DWORDs, for tests that write streams for a fixture. */
#ifndef HALCYON_TESTS_TOKEN_TOOLS_H
#define HALCYON_TESTS_TOKEN_TOOLS_H

#include "tests/unit/hal_fixture.h"

struct tl_vertex {
    float x, y, z, rhw;
    uint32_t color;
};

/* A square of transformed vertices as a strip; turned: counter-clockwise. */
static inline void put_square(struct fixture *f, float left, float top, float size, float z, uint32_t color,
                              bool turned)
{
    const float a = turned ? left + size : left, b = turned ? left : left + size;
    const struct tl_vertex v[4] = {
        {a, top + size, z, 1, color}, {a, top, z, 1, color}, {b, top + size, z, 1, color}, {b, top, z, 1, color}};

    fixture_vertices(f, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, v, sizeof(v), sizeof(v[0]));
}

static inline void draw_square(struct fixture *f, float left, float top, float size, float z, uint32_t color,
                               bool turned)
{
    put_square(f, left, top, size, z, color, turned);
    fixture_draw(f, D3DPT_TRIANGLESTRIP, 0, 2);
    assert_int_equal(fixture_run(f), DD_OK);
}

/* No culling and no depth test, only vertex colours, a black target. */
static inline void plain_states(struct fixture *f)
{
    fixture_state(f, D3DRS_CULLMODE, D3DCULL_NONE);
    fixture_state(f, D3DRS_ZENABLE, 0);
    fixture_stage(f, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    fixture_stage(f, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    fixture_clear(f, 0);
}

static inline void put_handle(struct fixture *f, uint8_t token, uint32_t handle)
{
    fixture_put(f, token, 1, &handle, 4);
}

static inline void put_pair(struct fixture *f, uint8_t token, uint32_t a, uint32_t b)
{
    const uint32_t body[2] = {a, b};

    fixture_put(f, token, 1, body, sizeof(body));
}

#endif
