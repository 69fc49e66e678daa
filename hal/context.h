/* SPDX-License-Identifier: MIT */
/* A context: all state that the stream sets, the values derived from it, and the current call. */
#ifndef HALCYON_HAL_CONTEXT_H
#define HALCYON_HAL_CONTEXT_H

#include "hal/math.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/statistics.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_driver;
struct hal_execute;
struct hal_pipeline; /* hal/pixel/pipeline.c: derived from all of this */
struct hal_vertex;
struct hal_front; /* hal/vertex/front_end.h: what the vertex side keeps between draws */

struct hal_context {
    struct hal_driver *driver;
    struct hal_context *next;
    const void *dd_local;
    uint32_t handle, process;

    struct hal_state state;
    struct hal_resources resources;
    struct hal_texturing texturing;

    struct hal_scene scene;
    struct hal_pipeline *pipeline;
    struct hal_front *front;

    /* the current call */
    const struct hal_execute *execute;
    /* scratch that grows and stays: transformed vertices */
    struct hal_vertex *vertices;
    struct raster_vertex *projected;
    struct raster_snapped *snapped; /* of vertices that are corners of triangles */
    size_t vertex_capacity;
};

#endif
