/* SPDX-License-Identifier: MIT */
/* A buffer of vertices, indices or commands: bytes that calls consume while they run, so no scene ever waits for them. */
#ifndef HALCYON_HAL_RESOURCE_BUFFER_H
#define HALCYON_HAL_RESOURCE_BUFFER_H

#include "d3d/ddi.h"
#include "hal/resource/resource.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_buffer {
    struct hal_resource base;
    uint32_t fvf; /* of vertex buffers, as the runtime stated it */
};

/* NULL: it is a surface, or NULL. */
static inline struct hal_buffer *hal_as_buffer(struct hal_resource *resource)
{
    return resource && hal_resource_is_buffer(resource) ? (struct hal_buffer *)resource : NULL;
}

/* The kind of a DirectDraw surface with DDSCAPS_EXECUTEBUFFER, enum hal_resource_kind. */
uint32_t hal_buffer_kind(const DDRAWI_DDRAWSURFACE_LCL *lcl);
/* hal_resource_create, hal_resource_refresh and hal_resource_free for a buffer. */
HRESULT hal_buffer_create(struct hal_driver *driver, DDRAWI_DDRAWSURFACE_LCL *lcl, bool system_memory);
HRESULT hal_buffer_refresh(struct hal_buffer *buffer);
void hal_buffer_free(struct hal_buffer *buffer);

/* The program may have written, or a copy has. */
static inline void hal_buffer_touch(struct hal_buffer *buffer)
{
    buffer->base.version++;
}

/* BUFFERBLT; bytes. DD_OK; DDERR_INVALIDOBJECT: buffers of different kinds, or without memory; DDERR_INVALIDPARAMS: the
 * bytes are not in both. */
HRESULT hal_buffer_blt(struct hal_buffer *destination, uint32_t offset, const struct hal_buffer *source,
                       uint32_t source_offset, uint32_t size);

#endif
