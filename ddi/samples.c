/* SPDX-License-Identifier: MIT */
/*
 * AccessSamples: the contents of each sample of a multisampled surface. Programs have no such call; captures that begin
 * in the middle need it, because Lock shows only pixels.
 */
#include "ddi/entry.h"
#include "ddi/record/record.h"

/* surface: NULL for a buffer. */
static HRESULT samples_ask(HALCYON_SAMPLESDATA *data, struct hal_surface *surface)
{
    const bool has_samples = surface && surface->samples;

    data->dwSamples = has_samples ? surface->samples : 0;
    data->dwRows = has_samples ? surface->height : 0;
    data->dwRowBytes = has_samples ? (DWORD)hal_surface_row_bytes(surface) : 0;
    data->dwDiffer = has_samples && hal_samples_differ(surface);
    return DD_OK;
}

static HRESULT access_samples(HALCYON_SAMPLESDATA *data)
{
    struct hal_surface *surface = hal_surface_from_lcl(data->lpDDSurface);
    const size_t bytes = surface && surface->samples ? hal_surface_row_bytes(surface) : 0;

    if (!hal_resource_from_lcl(data->lpDDSurface))
        return DDERR_INVALIDOBJECT;
    if (data->dwFlags == HALCYON_SAMPLES_ASK)
        return samples_ask(data, surface);
    if (!surface) /* a buffer has no samples */
        return DDERR_INVALIDPARAMS;
    if (data->dwFlags > HALCYON_SAMPLES_WRITE || !data->lpMemory || data->dwSample >= surface->samples ||
        data->dwFirstRow >= surface->height || data->dwRows > surface->height - data->dwFirstRow ||
        data->dwRowBytes != bytes) {
        log_warn(
            "AccessSamples: rows %u+%u of %u bytes of sample %u, but surface %u has %u rows of %u bytes and %u samples",
            (unsigned)data->dwFirstRow, (unsigned)data->dwRows, (unsigned)data->dwRowBytes, (unsigned)data->dwSample,
            (unsigned)surface->base.handle, surface->height, (unsigned)bytes, surface->samples);
        return DDERR_INVALIDPARAMS;
    }
    if (data->dwFlags == HALCYON_SAMPLES_READ) {
        hal_samples_read(surface, data->dwSample, data->dwFirstRow, data->dwRows, data->lpMemory, bytes);
        return DD_OK;
    }
    RECORD(samples, data);
    hal_samples_write(surface, data->dwSample, data->dwFirstRow, data->dwRows, data->lpMemory, bytes);
    return DD_OK;
}

DWORD PASCAL ddi_access_samples(LPHALCYON_SAMPLESDATA data)
{
    DDI_ENTER();
    data->ddRVal = access_samples(data);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
