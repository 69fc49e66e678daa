/* SPDX-License-Identifier: MIT */
/* The surfaces and buffers that one action reads and writes, with their parameters. */
#ifndef HALCYON_INSPECT_RESOURCES_H
#define HALCYON_INSPECT_RESOURCES_H

#include "hal/inspect.h"
#include "inspect/inspect.h"

#define INSPECT_MOST_RESOURCES (HAL_INSPECT_TARGETS + 1 + HAL_STAGE_ROWS + HAL_INSPECT_STREAMS + 1)

enum inspect_role {
    INSPECT_OUTPUT, /* a target, a depth buffer, the destination of a blit, surfaces of a flip */
    INSPECT_INPUT,  /* a texture, the source of a blit */
    INSPECT_BUFFER, /* vertices or indices */
};

struct inspect_resource {
    enum inspect_role role;
    char name
        [24]; /* "color 0", "depth", "texture 3", "vertex texture 0", "stream 1", "indices", "source", "destination", "flipped" */
    unsigned number;                  /* of target, sampler or stream */
    uint32_t surface;                 /* 0: buffers: memory of the call; others: it no longer exists */
    struct hal_inspect_surface shape; /* if there is a surface */
    bool has_stencil;
    /* of buffers */
    bool is_bound;
    int64_t offset;  /* of vertex or index 0, bytes */
    uint64_t bytes;  /* of the memory */
    uint32_t stride; /* bytes */
};

struct inspect_resources {
    size_t count;
    struct inspect_resource list[INSPECT_MOST_RESOURCES]; /* outputs, inputs, buffers */
};

/* Carries out the action, and lists what it reads and writes; the position is then after it. Textures are those that the pixel program
 * reads, and those bound to samplers of a vertex shader. Returns false on failure, see the error. */
bool inspect_resources(struct inspect *session, uint32_t action, struct inspect_resources *out,
                       struct capture_error *error);

#endif
