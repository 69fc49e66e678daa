/* SPDX-License-Identifier: MIT */
/*
 * GetDriverState: statistics by D3DDEVINFOID, for IDirect3DDevice7::GetInfo and IDirect3DDevice8::GetInfo. Counters run from
 * the creation of the context, those of surfaces from that of the driver.
 */
#include "ddi/entry.h"
#include "ddi/record/record.h"
#include "hal/work.h"

#include <string.h>

static struct hal_context *driver_state_context(const DDHAL_GETDRIVERSTATEDATA *data)
{
    if (!ddi_root.driver || data->dwhContext > UINT32_MAX)
        return NULL;
    return hal_context_find(ddi_root.driver, (uint32_t)data->dwhContext);
}

static HRESULT driver_state_give(DDHAL_GETDRIVERSTATEDATA *data, const void *answer, size_t size)
{
    if (!data->lpdwStates || data->dwLength < size) {
        log_warn("GetDriverState: id %u needs %zu bytes, not %u", (unsigned)data->dwFlags, size,
                 (unsigned)data->dwLength);
        return DDERR_INVALIDPARAMS;
    }
    memcpy(data->lpdwStates, answer, size);
    return DD_OK;
}

static DWORD driver_state_saturate(uint64_t number)
{
    return (DWORD)BASE_MIN(number, (uint64_t)UINT32_MAX);
}

/* Nothing thrashes, is downloaded or evicted: resources never move. */
static D3DRESOURCESTATS stats_of(const struct hal_context *context, uint32_t type)
{
    struct hal_resource_counts resources;
    hal_context_resources(context, type, &resources);
    return (D3DRESOURCESTATS){
        .NumVidCreates = resources.count,
        .NumUsed = resources.used,
        .NumUsedInVidMem = resources.used,
        .WorkingSet = resources.used,
        .WorkingSetBytes = driver_state_saturate(resources.used_bytes),
        .TotalManaged = resources.count,
        .TotalBytes = driver_state_saturate(resources.bytes),
    };
}

/* Textures of all shapes. */
static HRESULT give_texture_manager(DDHAL_GETDRIVERSTATEDATA *data, const struct hal_context *context)
{
    D3DDEVINFO_TEXTUREMANAGER sum = {.bThrashing = FALSE};
    for (uint32_t type = D3DRTYPE_TEXTURE; type <= D3DRTYPE_CUBETEXTURE; type++) {
        const D3DRESOURCESTATS stats = stats_of(context, type);
        sum.dwNumVidCreates += stats.NumVidCreates;
        sum.dwNumTexturesUsed += stats.NumUsed;
        sum.dwNumUsedTexInVid += stats.NumUsedInVidMem;
        sum.dwWorkingSet += stats.WorkingSet;
        sum.dwWorkingSetBytes = driver_state_saturate((uint64_t)sum.dwWorkingSetBytes + stats.WorkingSetBytes);
        sum.dwTotalManaged += stats.TotalManaged;
        sum.dwTotalBytes = driver_state_saturate((uint64_t)sum.dwTotalBytes + stats.TotalBytes);
    }
    return driver_state_give(data, &sum, sizeof(sum));
}

static HRESULT give_texturing(DDHAL_GETDRIVERSTATEDATA *data, const struct hal_context *context)
{
    const struct hal_texturing counted = hal_context_texturing(context);
    const D3DDEVINFO_TEXTURING texturing = {
        .dwNumLoads = counted.loads,
        .dwApproxBytesLoaded = driver_state_saturate(counted.bytes_loaded),
        .dwNumPreLoads = counted.preloads,
        .dwNumSet = counted.sets,
        .dwNumCreates = ddi_root.texturing.creates,
        .dwNumDestroys = ddi_root.texturing.destroys,
        .dwNumSetPriorities = counted.priorities,
        .dwNumSetLODs = counted.lods,
        .dwNumLocks = ddi_root.texturing.locks,
    };
    return driver_state_give(data, &texturing, sizeof(texturing));
}

static HRESULT give_resource_manager(DDHAL_GETDRIVERSTATEDATA *data, const struct hal_context *context)
{
    D3DDEVINFO_RESOURCEMANAGER manager = {0};
    for (uint32_t type = 0; type < D3DRTYPECOUNT; type++)
        manager.stats[type] = stats_of(context, type);
    return driver_state_give(data, &manager, sizeof(manager));
}

static HRESULT give_work(DDHAL_GETDRIVERSTATEDATA *data, const struct hal_context *context)
{
    HALCYON_WORK work = {.threads = ddi_root.driver->threads};
    hal_context_work(context, &work.pixels, &work.busy);
    return driver_state_give(data, &work, sizeof(work));
}

static HRESULT give_code(DDHAL_GETDRIVERSTATEDATA *data)
{
    HALCYON_CODE code;

    if (!ddi_root.driver)
        return DDERR_INVALIDPARAMS;
    hal_driver_code(ddi_root.driver, &code);
    return driver_state_give(data, &code, sizeof(code));
}

/* Takes effect with the next frame, because this one is already partly drawn. */
static HRESULT give_capture(DDHAL_GETDRIVERSTATEDATA *data)
{
    HALCYON_CAPTURE capture;
    struct record_status status;

    if (!data->lpdwStates || data->dwLength < sizeof(capture))
        return driver_state_give(data, NULL, sizeof(capture));
    memcpy(&capture, data->lpdwStates, sizeof(capture));
    if (capture.frames)
        record_request(ddi_root.recorder, capture.frames);
    status = record_get_status(ddi_root.recorder);
    capture = (HALCYON_CAPTURE){.state = status.writing     ? HALCYON_CAPTURE_WRITING
                                         : status.listening ? HALCYON_CAPTURE_WAITING
                                                            : HALCYON_CAPTURE_OFF,
                                .frame = status.frame};
    return driver_state_give(data, &capture, sizeof(capture));
}

static HRESULT give_allowance(DDHAL_GETDRIVERSTATEDATA *data)
{
    struct hal_driver *driver = ddi_root.driver;
    HALCYON_ALLOWANCE allowance = {.add = 0};

    if (!driver)
        return DDERR_INVALIDPARAMS;
    if (data->lpdwStates && data->dwLength >= sizeof(allowance))
        memcpy(&allowance, data->lpdwStates, sizeof(allowance));
    if (allowance.add)
        hal_work_allow(driver, allowance.add);
    allowance.done = driver->work_done;
    allowance.allowed = driver->work_allowed;
    return driver_state_give(data, &allowance, sizeof(allowance));
}

static HRESULT driver_state(DDHAL_GETDRIVERSTATEDATA *data)
{
    /* Pattern, method 1 (any order that reuses vertices soon), vertices, magic number. */
    static const DWORD vertex_cache[] = {0x48434143 /* CACH */, 1, 16, 7};
    /* The runtime's resource manager, which does nothing when the driver manages resources. */
    static const D3DDEVINFO_TEXTUREMANAGER nothing;
    const struct hal_context *context;

    switch (data->dwFlags) {
    case D3DDEVINFOID_VCACHE:
        return driver_state_give(data, vertex_cache, sizeof(vertex_cache));
    case D3DDEVINFOID_D3DTEXTUREMANAGER:
        return driver_state_give(data, &nothing, sizeof(nothing));
    case HALCYON_DEVINFOID_CAPTURE:
        return give_capture(data);
    case HALCYON_DEVINFOID_ALLOWANCE:
        return give_allowance(data);
    case HALCYON_DEVINFOID_CODE:
        return give_code(data);
    case D3DDEVINFOID_TEXTUREMANAGER:
    case D3DDEVINFOID_TEXTURING:
    case D3DDEVINFOID_RESOURCEMANAGER:
    case HALCYON_DEVINFOID_WORK:
        context = driver_state_context(data);
        break;
    default:
        log_debug("GetDriverState: id %u is not available", (unsigned)data->dwFlags);
        return DDERR_CURRENTLYNOTAVAIL;
    }
    if (!context)
        return DDERR_INVALIDPARAMS;
    return data->dwFlags == D3DDEVINFOID_TEXTUREMANAGER    ? give_texture_manager(data, context)
           : data->dwFlags == D3DDEVINFOID_TEXTURING       ? give_texturing(data, context)
           : data->dwFlags == D3DDEVINFOID_RESOURCEMANAGER ? give_resource_manager(data, context)
                                                           : give_work(data, context);
}

DWORD PASCAL ddi_get_driver_state(LPDDHAL_GETDRIVERSTATEDATA data)
{
    DDI_ENTER();
    data->ddRVal = driver_state(data);
    DDI_LEAVE();
    return DDHAL_DRIVER_HANDLED;
}
