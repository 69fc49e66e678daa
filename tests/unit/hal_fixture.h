/* SPDX-License-Identifier: MIT */
/*
 * A context over hand-made surfaces, for tests of hal/ that write command streams and examine pixels or processed
 * vertices, which stay in the context's scratch memory after a draw.
 */
#ifndef HALCYON_TESTS_HAL_FIXTURE_H
#define HALCYON_TESTS_HAL_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/driver.h"
#include "hal/hal.h"
#include "hal/handles.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/vertex.h"

#define FIXTURE_SIZE 64 /* pixels each way */

/* clang-format off */
enum {
    FIXTURE_TARGET = 1,
    FIXTURE_DEPTH,
    FIXTURE_VERTICES,
    FIXTURE_INDICES,
    FIXTURE_TEXTURE,
    FIXTURE_BUFFER,
    FIXTURE_HANDLES
};
/* clang-format on */

struct fixture {
    struct hal_driver *driver;
    struct hal_context *context;
    struct hal_surface surface[FIXTURE_HANDLES];
    struct hal_buffer buffer[FIXTURE_HANDLES];
    _Alignas(64) uint32_t color[FIXTURE_SIZE * FIXTURE_SIZE];
    _Alignas(64) uint32_t depth[FIXTURE_SIZE * FIXTURE_SIZE];
    uint8_t *vertices; /* of exactly vertex_bytes, so that a sanitizer notices reads beyond */
    uint8_t *indices;
    _Alignas(4) uint8_t commands[65536];
    struct dp2_builder builder;
    struct hal_execute execute;
    uint32_t error_offset;
};

static inline void fixture_name(struct fixture *f, struct hal_resource *resource, uint32_t handle, uint32_t kind,
                                void *memory, size_t bytes)
{
    *resource = (struct hal_resource){
        .driver = f->driver, .handle = handle, .kind = kind, .memory = memory, .bytes = bytes, .version = 1};
    assert_true(hal_handles_set(hal_driver_handles(f->driver, NULL), handle, resource));
}

/* The surface is used no longer, or will be another. */
static inline void fixture_drop_texture(struct hal_surface *s)
{
    if (!s->texture)
        return;
    hal_texture_discard(s->texture);
    free(s->texture->view);
    free(s->texture);
    s->texture = NULL;
}

static inline struct hal_surface *fixture_surface(struct fixture *f, uint32_t handle, uint32_t kind, void *memory,
                                                  size_t bytes)
{
    struct hal_surface *s = &f->surface[handle];

    fixture_drop_texture(s);
    memset(s, 0, sizeof(*s));
    fixture_name(f, &s->base, handle, kind, memory, bytes);
    s->width = (unsigned)bytes;
    s->height = s->depth = 1;
    return s;
}

static inline void fixture_buffer(struct fixture *f, uint32_t handle, uint32_t kind, void *memory, size_t bytes)
{
    fixture_name(f, &f->buffer[handle].base, handle, kind, memory, bytes);
}

static inline void fixture_image(struct fixture *f, uint32_t handle, uint32_t kind, void *memory,
                                 enum raster_format format, uint32_t d3d_format)
{
    struct hal_surface *s = fixture_surface(f, handle, kind, memory, FIXTURE_SIZE * FIXTURE_SIZE * 4);

    s->base.owns_memory = true;
    s->width = s->height = FIXTURE_SIZE;
    s->pitch = FIXTURE_SIZE * 4;
    s->format = format;
    s->d3d_format = d3d_format;
}

static inline int fixture_setup(void **state)
{
    struct fixture *f = mem_alloc_aligned(sizeof(*f));
    uint32_t handle;

    memset(f->surface, 0, sizeof(f->surface));
    f->driver = hal_driver_create();
    f->driver->threads = 1;
    fixture_image(f, FIXTURE_TARGET, HAL_SURFACE_COLOR, f->color, RASTER_FORMAT_A8R8G8B8, D3DFMT_A8R8G8B8);
    fixture_image(f, FIXTURE_DEPTH, HAL_SURFACE_DEPTH, f->depth, RASTER_FORMAT_D24S8, D3DFMT_D24S8);
    assert_int_equal(hal_context_create(f->driver, NULL, &f->surface[FIXTURE_TARGET], &f->surface[FIXTURE_DEPTH],
                                        DDI_LEVEL_DX8, 1, &handle),
                     DD_OK);
    f->context = hal_context_find(f->driver, handle);
    assert_non_null(f->context);
    dp2_builder_init(&f->builder, f->commands, sizeof(f->commands));
    *state = f;
    return 0;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *f = *state;

    for (uint32_t i = 1; i < FIXTURE_HANDLES; i++) {
        hal_handles_set(hal_driver_handles(f->driver, NULL), i, NULL);
        fixture_drop_texture(&f->surface[i]);
    }
    hal_driver_destroy(f->driver);
    free(f->vertices);
    free(f->indices);
    mem_free_aligned(f);
    return 0;
}

static inline void fixture_put(struct fixture *f, uint8_t token, uint16_t count, const void *body, size_t size)
{
    assert_non_null(dp2_put(&f->builder, token, count, body, size));
}

static inline void fixture_state(struct fixture *f, uint32_t state, uint32_t value)
{
    const uint32_t body[2] = {state, value};

    fixture_put(f, D3DDP2OP_RENDERSTATE, 1, body, sizeof(body));
}

static inline void fixture_float_state(struct fixture *f, uint32_t state, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    fixture_state(f, state, bits);
}

static inline void fixture_stage(struct fixture *f, uint16_t stage, uint16_t state, uint32_t value)
{
    uint8_t body[8];

    memcpy(body, &stage, 2);
    memcpy(body + 2, &state, 2);
    memcpy(body + 4, &value, 4);
    fixture_put(f, D3DDP2OP_TEXTURESTAGESTATE, 1, body, sizeof(body));
}

static inline void fixture_transform(struct fixture *f, uint32_t type, const float matrix[16])
{
    uint8_t body[68];

    memcpy(body, &type, 4);
    memcpy(body + 4, matrix, 64);
    fixture_put(f, D3DDP2OP_SETTRANSFORM, 1, body, sizeof(body));
}

static inline void fixture_clear(struct fixture *f, uint32_t color)
{
    const float one = 1.0f;
    uint32_t body[8] = {7, color, 0, 0, 0, 0, FIXTURE_SIZE, FIXTURE_SIZE};

    memcpy(&body[2], &one, 4);
    fixture_put(f, D3DDP2OP_CLEAR, 1, body, sizeof(body));
}

/* Sets a vertex buffer for stream 0, and its format. */
static inline void fixture_vertices(struct fixture *f, uint32_t fvf, const void *data, size_t bytes, uint32_t stride)
{
    const uint32_t stream[3] = {0, FIXTURE_VERTICES, stride};

    free(f->vertices);
    f->vertices = malloc(bytes);
    memcpy(f->vertices, data, bytes);
    fixture_buffer(f, FIXTURE_VERTICES, HAL_BUFFER_VERTEX, f->vertices, bytes);
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    fixture_put(f, D3DDP2OP_SETVERTEXSHADER, 1, &fvf, sizeof(fvf));
}

static inline void fixture_indices(struct fixture *f, const void *data, size_t bytes, uint32_t stride)
{
    const uint32_t body[2] = {FIXTURE_INDICES, stride};

    free(f->indices);
    f->indices = malloc(bytes);
    memcpy(f->indices, data, bytes);
    fixture_buffer(f, FIXTURE_INDICES, HAL_BUFFER_INDEX, f->indices, bytes);
    fixture_put(f, D3DDP2OP_SETINDICES, 1, body, sizeof(body));
}

static inline void fixture_draw(struct fixture *f, uint32_t type, uint32_t start, uint32_t count)
{
    const uint32_t body[3] = {type, start, count};

    fixture_put(f, D3DDP2OP_DRAWPRIMITIVE, 1, body, sizeof(body));
}

/* Runs the commands since the last call. */
static inline HRESULT fixture_run(struct fixture *f)
{
    f->execute.commands = f->commands;
    f->execute.command_bytes = f->builder.length;
    const HRESULT result = hal_context_execute(f->context, &f->execute, &f->error_offset);

    hal_scene_flush(&f->context->scene, HAL_FLUSH_LOOK);
    dp2_builder_init(&f->builder, f->commands, sizeof(f->commands));
    return result;
}

static inline uint32_t fixture_pixel(const struct fixture *f, unsigned x, unsigned y)
{
    return f->color[y * FIXTURE_SIZE + x] & 0xffffff;
}

static inline unsigned fixture_count(const struct fixture *f, uint32_t color)
{
    unsigned n = 0;

    for (unsigned i = 0; i < FIXTURE_SIZE * FIXTURE_SIZE; i++)
        n += (f->color[i] & 0xffffff) == color;
    return n;
}

/* The values of processed vertex `slot` of the last draw. */
static inline const float *fixture_attribute(const struct fixture *f, unsigned slot, enum hal_attribute attribute)
{
    const int input = f->context->renderer.front->vertex_stage.slot[attribute];

    assert_true(input >= 0);
    return f->context->renderer.front->projected[slot].input[input];
}

#define fixture_test(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

#endif
