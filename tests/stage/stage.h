/* SPDX-License-Identifier: MIT */
/*
 * A stage to draw on through the driver interface: a render target with depth buffer, a command buffer, and short ways
 * to say states, transforms and draws. Golden tests and benchmarks use it. Single calls do not report failure: the
 * first error is kept in `error`, and later calls do nothing.
 */
#ifndef TESTS_STAGE_STAGE_H
#define TESTS_STAGE_STAGE_H

#include "client/client.h"
#include "dp2/dp2.h"

#define STAGE_MAX_TEXTURES 32

struct stage {
    struct client_driver driver;
    struct client *client;
    struct client_chain *target, *depth, *commands, *buffers[2];
    struct client_chain *textures[STAGE_MAX_TEXTURES];
    unsigned texture_count, buffer_count;
    uintptr_t context;
    struct dp2_builder builder;
    struct client_lock command_lock;
    unsigned width, height;
    uint32_t vertex_shader; /* handle that draws use; 0: their format */
    HRESULT error;
    const char *failed; /* the call that failed first */
};

/* Formats are D3DFMT_*; depth_format 0: no depth buffer. */
bool stage_open(struct stage *stage, unsigned width, unsigned height, uint32_t format, uint32_t depth_format);
/* The same with 2, 4, 8 or 16 samples per pixel. */
bool stage_open_samples(struct stage *stage, unsigned width, unsigned height, uint32_t format, uint32_t depth_format,
                        unsigned samples);
void stage_close(struct stage *stage);
/* Replaces the context of stage_open by one with another DDI_LEVEL_DX*, with the same initial states. */
bool stage_set_level(struct stage *stage, uint32_t level);

/* Any token with its whole body. */
void stage_command(struct stage *stage, uint8_t token, uint16_t count, const void *body, size_t size);
void stage_state(struct stage *stage, uint32_t state, uint32_t value);
void stage_state_float(struct stage *stage, uint32_t state, float value);
void stage_texture_state(struct stage *stage, unsigned texture_stage, uint32_t state, uint32_t value);
void stage_transform(struct stage *stage, uint32_t which, const float matrix[16]);
void stage_light(struct stage *stage, unsigned index, const D3DLIGHT8 *light);
void stage_material(struct stage *stage, const D3DMATERIAL8 *material);
void stage_clear(struct stage *stage, uint32_t flags, uint32_t color, float depth, uint32_t stencil);

/* Creates a shader under a handle (an odd number) of the caller's choice and uses it from now on; the code ends with
 * its END token. The vertices of draws then have the size of the draw's format. 0 in place of code: back to fixed
 * function. */
void stage_vertex_shader(struct stage *stage, uint32_t handle, const uint32_t *declaration, const uint32_t *code);
void stage_pixel_shader(struct stage *stage, uint32_t handle, const uint32_t *code);
void stage_constants(struct stage *stage, bool pixel, unsigned first, unsigned count, const float *values);

/* Draws from the caller's memory; submits the commands so far together with the draw. */
void stage_draw(struct stage *stage, D3DPRIMITIVETYPE type, unsigned primitives, uint32_t fvf, const void *vertices,
                unsigned vertex_count);

/* The same with the declaration and the vertex function that were set last; `stride` bytes per vertex. */
void stage_draw_vertices(struct stage *stage, D3DPRIMITIVETYPE type, unsigned primitives, const void *vertices,
                         unsigned vertex_count, unsigned stride);

/* Creates a vertex or index buffer in the driver; returns its handle. */
uint32_t stage_buffer(struct stage *stage, bool indices, uint32_t fvf, const void *data, unsigned bytes);
void stage_draw_buffer(struct stage *stage, D3DPRIMITIVETYPE type, unsigned primitives, uint32_t fvf,
                       uint32_t vertex_buffer, uint32_t index_buffer, unsigned vertex_count);

/* The texture is filled by writing each level through `fill`; returns the handle to bind with
 * D3DTSS_TEXTUREMAP. */
typedef void (*stage_fill)(const struct client_lock *lock, unsigned level, unsigned width, unsigned height);
uint32_t stage_texture(struct stage *stage, uint32_t format, unsigned width, unsigned height, unsigned levels,
                       stage_fill fill);

/* Hands the commands built so far to the driver. */
void stage_submit(struct stage *stage);
/* For tests of refusals: submits, and returns the first error (DD_OK: none), which is then cleared. */
HRESULT stage_take_error(struct stage *stage);
/* Waits until everything is drawn (by locking the target). */
void stage_finish(struct stage *stage);

/* 64 bits of FNV-1a over the target's pixels, row by row. */
uint64_t stage_hash(struct stage *stage);
/* width * height * 3 bytes, RGB; for 32-bit targets. */
bool stage_read_rgb(struct stage *stage, uint8_t *rgb);

#endif
