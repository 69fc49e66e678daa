/* SPDX-License-Identifier: MIT */
/*
 * ProcessVertices: vertices of the bound streams into the caller's memory. Depends only on previous streams and state
 * tokens, and does not change the driver's state, so there is nothing to record: the runtime writes the result through
 * a lock.
 */
#include "ddi/entry.h"

static HRESULT process(const HALCYON_PROCESSVERTICESDATA *data)
{
    const struct hal_process call = {
        .first = data->dwFirst,
        .count = data->dwCount,
        .fvf = data->dwVertexType,
        .stride = data->dwVertexSize,
        .only_changed = data->dwFlags & HALCYON_PROCESS_DONOTCOPYDATA,
        .result = data->lpVertices,
    };
    struct hal_context *context = NULL;

    if (ddi_root.driver && data->dwhContext <= UINT32_MAX)
        context = hal_context_find(ddi_root.driver, (uint32_t)data->dwhContext);
    if (!context) {
        log_warn("ProcessVertices: no context %#llx", (unsigned long long)data->dwhContext);
        return D3DHAL_CONTEXT_BAD;
    }
    if (!call.result || (uint64_t)call.count * call.stride > data->dwBytes) {
        log_warn("ProcessVertices: %u vertices of %u bytes into %u bytes", (unsigned)call.count, (unsigned)call.stride,
                 (unsigned)data->dwBytes);
        return DDERR_INVALIDPARAMS;
    }
    return hal_context_process_vertices(context, &call);
}

DWORD PASCAL ddi_process_vertices(LPHALCYON_PROCESSVERTICESDATA data)
{
    DDI_ENTER();
    data->ddrval = process(data);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
