/* SPDX-License-Identifier: MIT */
/*
 * Counts what calls cost, and bounds it for a caller that plays what strangers made (docs/limits.md). The unit is a picosecond
 * of one core of an ordinary machine, so that all kinds of work go to one account: pixels by raster/
 * (raster_draw_state.cost), what is listed here by those who do it. Prices were measured with AVX2 and are rounded up.
 *
 * A program is not bounded: what it asks for is drawn, however long that takes. A caller that asked for a bound
 * (HALCYON_DEVINFOID_ALLOWANCE) gets HAL_TOO_MUCH_WORK when all its calls together have cost more: the call stops at the token
 * that goes too far, which may be drawn in part, and every later call fails in the same way until more is allowed.
 */
#ifndef HALCYON_HAL_WORK_H
#define HALCYON_HAL_WORK_H

#include "d3d/ddi.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_context;
struct hal_driver;
struct hal_surface;

enum hal_work_price {
    HAL_WORK_PRIMITIVE = 30000,     /* looked at, whether or not it is drawn */
    HAL_WORK_CLIPPED = 200000,      /* a primitive that is cut */
    HAL_WORK_OUTLINED = 2000000,    /* a conservative triangle that is cut in clip space */
    HAL_WORK_VERTEX = 20000,        /* fetched, projected, stored; what its program costs is shader_binding_cost's */
    HAL_WORK_INSTANCE = 1000000,    /* one repetition of an instanced draw begins */
    HAL_WORK_PATCH_TERM = 1500,     /* a word of a vertex of a patch, for each control point that bears on it */
    HAL_WORK_TEXTURE_READ = 2500,   /* of a program, for each probe, beyond its instruction */
    HAL_WORK_FEEDBACK_READ = 10000, /* of a texture with a feedback map */
    HAL_WORK_CODE_TOKEN = 1000000,  /* of shader code that is compiled, or an instruction the driver makes itself */
    HAL_WORK_COPY = 100,            /* a byte that is copied as it is or filled */
    HAL_WORK_CONVERT = 12000,       /* a texel that is converted, stretched or decoded for the sampler */
    HAL_WORK_SAMPLE = 1000,         /* a sample of a surface that is resolved and filled again */
    HAL_WORK_STATE = 2000,          /* a byte of a state block that is executed */
    HAL_WORK_FEEDBACK = 10000,      /* a region of a feedback map that is decoded or encoded, for each of its levels */
};

/* Allows the calls of the driver to cost so much more, all together. Until this is first called they may cost anything. */
void hal_work_allow(struct hal_driver *driver, uint64_t picoseconds);
/* Takes count times price for a call that has no context. HAL_TOO_MUCH_WORK: so much is not left, and nothing may be done. */
HRESULT hal_work_take(struct hal_driver *driver, uint64_t count, uint64_t price, const char *call);
double hal_work_seconds(uint64_t picoseconds);

/* Begins a call of a context; there is one at a time. */
void hal_work_begin(struct hal_context *context);
/* Memory was short for `what`, so something of the call is missing: said on the log once a call, which fails with
 * DDERR_OUTOFMEMORY. */
void hal_work_lacks_memory(struct hal_context *context, const char *what);
/* Has memory been short since the call began, here or in the rasterizer? */
bool hal_work_is_incomplete(struct hal_context *context);
/* Ends it. DD_OK, DDERR_OUTOFMEMORY or HAL_TOO_MUCH_WORK, said on the log: it was cut short. */
HRESULT hal_work_end(struct hal_context *context, const char *call);
/* Takes count times price off what the call may cost. False: that is used up, and nothing more is done in this call. */
bool hal_work_spend(const struct hal_context *context, uint64_t count, enum hal_work_price price);
/* Returns what a lane of a program costs at most with these constants and samplers. */
uint64_t hal_work_of_program(const struct shader_binding *binding);
/* For a copy of `texels` texels, or a fill (source NULL), and for the samples of both surfaces. stretched: they are not
 * taken over as they are, whatever the formats. */
bool hal_work_spend_copy(struct hal_context *context, struct hal_surface *destination, struct hal_surface *source,
                         uint64_t texels, bool stretched);
/* The same for a call that has no context, as hal_work_take. */
HRESULT hal_work_take_copy(struct hal_surface *destination, struct hal_surface *source, uint64_t texels, bool stretched,
                           const char *call);

#endif
