/* SPDX-License-Identifier: MIT */
/*
 * Counts the cost of calls, and limits it for a caller that plays untrusted streams (docs/limits.md). The unit is a
 * picosecond of one core of an ordinary machine, so that all kinds of work add up: raster/ counts pixels
 * (raster_draw_state.cost), and the code that does the work listed here counts that. Prices were measured with AVX2 and
 * are rounded up.
 *
 * Ordinary programs are not limited: everything is drawn, however long it takes. A caller that asked for a limit
 * (HALCYON_DEVINFOID_ALLOWANCE) gets HAL_TOO_MUCH_WORK when all its calls together have cost more: the call stops at
 * the token that exceeds the limit, which may be drawn in part, and every later call fails in the same way until more
 * is allowed.
 */
#ifndef HALCYON_HAL_WORK_H
#define HALCYON_HAL_WORK_H

#include "d3d/ddi.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_driver;
struct raster;

enum hal_work_price {
    HAL_WORK_PRIMITIVE = 30000,     /* examined, whether or not it is drawn */
    HAL_WORK_CLIPPED = 200000,      /* a primitive that is clipped */
    HAL_WORK_OUTLINED = 2000000,    /* a conservative triangle that is clipped in clip space */
    HAL_WORK_VERTEX = 20000,        /* fetched, projected, stored; shader_binding_cost adds the program's cost */
    HAL_WORK_INSTANCE = 1000000,    /* one repetition of an instanced draw begins */
    HAL_WORK_PATCH_TERM = 1500,     /* a word of a vertex of a patch, for each control point that contributes to it */
    HAL_WORK_TEXTURE_READ = 2500,   /* of a program, for each probe, beyond its instruction */
    HAL_WORK_FEEDBACK_READ = 10000, /* of a texture with a feedback map */
    HAL_WORK_CODE_TOKEN = 1000000,  /* of shader code that is compiled, or an instruction the driver makes itself */
    HAL_WORK_COPY = 100,            /* a byte that is copied as it is or filled */
    HAL_WORK_CONVERT = 12000,       /* a texel that is converted, stretched or decoded for the sampler */
    HAL_WORK_SAMPLE = 1000,         /* a sample of a surface that is resolved and filled again */
    HAL_WORK_STATE = 2000,          /* a byte of a state block that is executed */
    HAL_WORK_FEEDBACK = 10000,      /* a region of a feedback map that is decoded or encoded, for each of its levels */
};

/* The work of a context's calls. The rasterizer holds the budget of the current call, so that threads that draw see it. */
struct hal_work {
    struct hal_driver *driver; /* that pays for all calls */
    struct raster *raster;     /* holds what is left of the budget of the current call */
    bool lacks_memory;         /* part of the current call was not done (hal_work_lacks_memory) */
    uint64_t budget;           /* of the current call, at its beginning */
    uint64_t done, costliest;  /* cost of all calls so far, and of one of them */
};

/* Raises the limit for the total cost of the driver's calls. Until the first call of this function there is no
 * limit. */
void hal_work_allow(struct hal_driver *driver, uint64_t picoseconds);
/* Charges count times price to a call that has no context. HAL_TOO_MUCH_WORK: less is left, and the call must do
 * nothing. */
HRESULT hal_work_take(struct hal_driver *driver, uint64_t count, uint64_t price, const char *call);
double hal_work_seconds(uint64_t picoseconds);

/* Begins a call of the context; there is one at a time. */
void hal_work_begin(struct hal_work *work);
/* Notes that memory was short for `what`, so part of the call is not done: logged once per call, which then fails with
 * DDERR_OUTOFMEMORY. */
void hal_work_lacks_memory(struct hal_work *work, const char *what);
/* Has memory been short since the call began, here or in the rasterizer? */
bool hal_work_is_incomplete(struct hal_work *work);
/* Ends the call. DD_OK; DDERR_OUTOFMEMORY; or HAL_TOO_MUCH_WORK, which is logged: the call was cut short. */
HRESULT hal_work_end(struct hal_work *work, const char *call);
/* Charges count times price to the call. False: its budget is used up, and the call must do nothing more. */
bool hal_work_spend(const struct hal_work *work, uint64_t count, enum hal_work_price price);
/* Returns the maximum cost of one lane of a program with these constants and samplers. */
uint64_t hal_work_of_program(const struct shader_binding *binding);

#endif
