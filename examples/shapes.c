/* SPDX-License-Identifier: MIT */
/* Fills vertex and index buffers with meshes that functions describe. */
#include "examples/shapes.h"

#include <stdlib.h>
#include <string.h>

static struct vec3 surface_normal(const struct surface *surface, float u, float v)
{
    const float step = 0.002f;
    float u0 = fmaxf(u - step, 0.001f), u1 = fminf(u + step, 0.999f);
    float v0 = fmaxf(v - step, 0.001f), v1 = fminf(v + step, 0.999f);
    struct vec3 du, dv;

    /* poles: a short distance from them the differences are not zero */
    u = fminf(fmaxf(u, 0.001f), 0.999f);
    v = fminf(fmaxf(v, 0.001f), 0.999f);
    du = v3_sub(surface->position(u1, v), surface->position(u0, v));
    dv = v3_sub(surface->position(u, v1), surface->position(u, v0));
    return v3_normal(v3_cross(dv, du));
}

void shape_fill(const struct surface *surface, struct shape_vertex *vertices)
{
    for (unsigned row = 0; row <= surface->rows; row++) {
        for (unsigned column = 0; column <= surface->columns; column++, vertices++) {
            float u = (float)column / (float)surface->columns;
            float v = surface->row_at ? surface->row_at[row] : (float)row / (float)surface->rows;

            vertices->position = surface->position(u, v);
            vertices->normal = surface_normal(surface, u, v);
            vertices->color = surface->paint ? surface->paint(vertices->position) : 0xffffffff;
            vertices->u = u * surface->repeat_u;
            vertices->v = v * surface->repeat_v;
            if (surface->planar != 0) {
                vertices->u = vertices->position.x * surface->planar;
                vertices->v = vertices->position.z * surface->planar;
            }
        }
    }
}

unsigned shape_fill_indices(unsigned columns, unsigned rows, uint16_t *indices)
{
    unsigned count = 0;

    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            unsigned a = row * (columns + 1) + column, b = a + columns + 1;
            const unsigned corners[6] = {a, b, a + 1, a + 1, b, b + 1};

            for (unsigned i = 0; i < 6; i++)
                indices[count++] = (uint16_t)corners[i];
        }
    }
    return count;
}

/* Moves the indices of the wanted quads together; returns the number of these quads. */
static unsigned keep_quads(const struct surface *surface, const struct shape_vertex *vertices, uint16_t *indices)
{
    const unsigned quads = surface->columns * surface->rows;
    unsigned kept = 0;

    for (unsigned quad = 0; quad < quads; quad++) {
        const uint16_t *from = indices + 6 * quad;
        const struct vec3 corner[4] = {vertices[from[0]].position, vertices[from[1]].position,
                                       vertices[from[2]].position, vertices[from[5]].position};

        if (!surface->keep || surface->keep(corner))
            memmove(indices + 6 * kept++, from, 6 * sizeof(*indices));
    }
    return kept;
}

struct shape shape_create(IDirect3DDevice8 *device, const struct surface *surface)
{
    struct shape shape = {0};
    unsigned quads = surface->columns * surface->rows;
    struct shape_vertex *vertices;
    uint16_t *indices;

    shape.vertex_count = (surface->columns + 1) * (surface->rows + 1);
    vertices = calloc(shape.vertex_count, sizeof(*vertices));
    indices = calloc(quads * 6, sizeof(*indices));
    if (!vertices || !indices)
        fail("memory for a shape", E_OUTOFMEMORY);
    shape_fill(surface, vertices);
    shape_fill_indices(surface->columns, surface->rows, indices);
    quads = keep_quads(surface, vertices, indices);
    shape.triangle_count = quads * 2;
    shape.vertices = make_vertices(device, vertices, shape.vertex_count * (unsigned)sizeof(*vertices), SHAPE_FVF);
    shape.indices = make_indices(device, indices, quads * 6);
    free(vertices);
    free(indices);
    return shape;
}

void shape_use(IDirect3DDevice8 *device, const struct shape *shape, const D3DMATRIX *world)
{
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, world);
    IDirect3DDevice8_SetVertexShader(device, SHAPE_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, shape->vertices, sizeof(struct shape_vertex));
    IDirect3DDevice8_SetIndices(device, shape->indices, 0);
}

void shape_draw(IDirect3DDevice8 *device, const struct shape *shape, const D3DMATRIX *world)
{
    shape_use(device, shape, world);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, shape->vertex_count, 0, shape->triangle_count);
}

void shape_destroy(struct shape *shape)
{
    IDirect3DVertexBuffer8_Release(shape->vertices);
    IDirect3DIndexBuffer8_Release(shape->indices);
}
