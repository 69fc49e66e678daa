/* SPDX-License-Identifier: MIT */
/* Buffers of vertices, indices and commands. */
#include "hal/resource/buffer.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/driver.h"

#include <stdlib.h>
#include <string.h>

uint32_t hal_buffer_kind(const DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const DWORD caps2 = hal_resource_caps(lcl).dwCaps2;

    if (caps2 & DDSCAPS2_COMMANDBUFFER)
        return HAL_BUFFER_COMMAND;
    if (caps2 & DDSCAPS2_INDEXBUFFER)
        return HAL_BUFFER_INDEX;
    return HAL_BUFFER_VERTEX; /* neither flag: an implicit one */
}

static HRESULT place_in_video_memory(struct hal_buffer *buffer, DDRAWI_DDRAWSURFACE_LCL *lcl)
{
    const DWORD size = lcl->lpGbl->dwLinearSize;

    if (!size || size > INT32_MAX) {
        log_warn("CreateExecuteBuffer: %u bytes are out of range", (unsigned)size);
        return DDERR_INVALIDPARAMS;
    }
    const HRESULT hr = hal_resource_allocate(&buffer->base, size);

    if (FAILED(hr))
        return hr;
    lcl->lpGbl->fpVidMem = (FLATPTR)buffer->base.memory;
    if (lcl->lpSurfMore)
        lcl->lpSurfMore->dwBytesAllocated = size;
    return DD_OK;
}

HRESULT hal_buffer_create(struct hal_driver *driver, DDRAWI_DDRAWSURFACE_LCL *lcl, bool system_memory)
{
    struct hal_buffer *buffer = mem_calloc(1, sizeof(*buffer));

    if (!buffer)
        return DDERR_OUTOFMEMORY;
    buffer->base = (struct hal_resource){.driver = driver, .lcl = lcl, .kind = hal_buffer_kind(lcl), .version = 1};
    buffer->fvf = lcl->lpSurfMore ? lcl->lpSurfMore->dwFVF : 0;
    const HRESULT hr = system_memory ? hal_buffer_refresh(buffer) : place_in_video_memory(buffer, lcl);

    if (FAILED(hr)) {
        free(buffer);
        return hr;
    }
    hal_resource_enlist(&buffer->base);
    return DD_OK;
}

HRESULT hal_buffer_refresh(struct hal_buffer *buffer)
{
    const DDRAWI_DDRAWSURFACE_GBL *gbl = buffer->base.lcl->lpGbl;

    if (buffer->base.owns_memory)
        return DD_OK;
    buffer->base.memory = (uint8_t *)gbl->fpVidMem;
    buffer->base.bytes = gbl->dwLinearSize;
    hal_buffer_touch(buffer);
    return DD_OK;
}

void hal_buffer_free(struct hal_buffer *buffer)
{
    hal_resource_delist(&buffer->base);
    free(buffer);
}

HRESULT hal_buffer_blt(struct hal_buffer *destination, uint32_t offset, const struct hal_buffer *source,
                       uint32_t source_offset, uint32_t size)
{
    const struct hal_resource *from = &source->base, *to = &destination->base;

    if (!(to->kind & from->kind) || !to->memory || !from->memory)
        return DDERR_INVALIDOBJECT;
    if (offset > to->bytes || size > to->bytes - offset || source_offset > from->bytes ||
        size > from->bytes - source_offset) {
        log_warn("BUFFERBLT: %u bytes from %u to %u do not fit", (unsigned)size, (unsigned)source_offset,
                 (unsigned)offset);
        return DDERR_INVALIDPARAMS;
    }
    memmove(to->memory + offset, from->memory + source_offset, size);
    hal_buffer_touch(destination);
    return DD_OK;
}
