/* SPDX-License-Identifier: MIT */
/*
 * The resources of a context: what its stream creates or names, by handle. Surfaces and buffers are those of the
 * DirectDraw object, which its contexts share; everything else belongs to the context.
 */
#ifndef HALCYON_HAL_RESOURCES_H
#define HALCYON_HAL_RESOURCES_H

#include "hal/state/shaders.h"
#include "hal/state/stateset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_handle_table;
struct hal_light_table;
struct hal_palette_table;
struct hal_patches;
struct hal_query_table;
struct hal_work;

/* Vertices that came with the current call instead of in a buffer. */
struct hal_user_vertices {
    const uint8_t *memory; /* NULL: none */
    size_t bytes;
};

struct hal_resources {
    struct hal_work *work;              /* is told when memory is short */
    struct hal_handle_table *handles;   /* of surfaces and buffers (hal/handles.h) */
    struct hal_shaders shaders;         /* and declarations */
    struct hal_state_blocks blocks;     /* recorded state */
    struct hal_light_table *lights;     /* by the application's index (hal/vertex/tnl/light.h) */
    struct hal_palette_table *palettes; /* NULL until one is set (hal/resource/palette.h) */
    struct hal_query_table *queries;    /* NULL until one is created (hal/query.c) */
    struct hal_patches *patches;        /* NULL until one is drawn (hal/vertex/patch/patch.h) */
    struct hal_user_vertices user;
};

/* No resources. handles: outlive these. False: out of memory. */
bool hal_resources_create(struct hal_resources *resources, struct hal_handle_table *handles, struct hal_work *work);
/* Frees everything except for surfaces and buffers. Call it after the last scene has been drawn. */
void hal_resources_destroy(struct hal_resources *resources);

#endif
