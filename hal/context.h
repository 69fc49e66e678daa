/* SPDX-License-Identifier: MIT */
/* A context: all state that the stream sets, the values derived from it, and the current call. */
#ifndef HALCYON_HAL_CONTEXT_H
#define HALCYON_HAL_CONTEXT_H

#include "hal/math.h"
#include "hal/scene.h"
#include "hal/state/extension.h"
#include "hal/state/shaders.h"
#include "hal/state/stateset.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/statistics.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_driver;
struct hal_execute;
struct hal_handle_table;
struct hal_pipeline; /* hal/pixel/pipeline.c: derived from all of this */
struct hal_vertex;
struct hal_front; /* hal/vertex/front_end.h: what the vertex side keeps between draws */
struct hal_light_table;
struct hal_palette_table;
struct hal_query_table; /* hal/query.c */

struct hal_context {
    struct hal_driver *driver;
    struct hal_context *next;
    struct hal_handle_table *handles;
    const void *dd_local;
    uint32_t handle, level, process;

    struct hal_state state;
    struct hal_light_table *lights; /* by the application's index */
    struct hal_palette_table *palettes;
    struct hal_query_table *queries; /* NULL until one is created */
    struct hal_texturing texturing;

    struct hal_scene scene;
    struct hal_pipeline *pipeline;
    struct hal_front *front;
    struct hal_shaders shaders;
    struct hal_state_blocks blocks;

    /* the current call */
    const struct hal_execute *execute;
    /* scratch that grows and stays: transformed vertices */
    struct hal_vertex *vertices;
    struct raster_vertex *projected;
    struct raster_snapped *snapped; /* of vertices that are corners of triangles */
    size_t vertex_capacity;
};

#endif
