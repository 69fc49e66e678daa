/* SPDX-License-Identifier: MIT */
/* Life of the device. */
#include "runtime/common/device/device.h"

#include <d3d8.h>

#include "base/base.h"
#include "runtime/common/device/draw.h"

/* Single precision, round to nearest, no exceptions. The original sets this unless told not to, and games depend on
 * it. */
static void setup_fpu(void)
{
#if defined(__i386__) || defined(__x86_64__)
    unsigned short cw;

    __asm__ volatile("fnstcw %0" : "=m"(cw));
    cw = (unsigned short)((cw & ~0xf3f) | 0x3f);
    __asm__ volatile("fldcw %0" : : "m"(cw));
#endif
}

/* --- the context ------------------------------------------------------------------------ */

/* Vertices may be processed in software, with more constants. */
static bool needs_software_constants(const struct rt_device *device)
{
    return device->api->has_software_constants &&
           (device->creation.BehaviorFlags & (D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_MIXED_VERTEXPROCESSING));
}

static bool create_link_context(struct rt_device *device, const struct rt_surface *target,
                                const struct rt_surface *depth)
{
    struct rt_chain *color = rt_surface_video(target), *z = depth ? rt_surface_video(depth) : NULL;

    return rt_link_create_context(device->link, color, rt_surface_part(target, color), z,
                                  z ? rt_surface_part(depth, z) : 0);
}

HRESULT rt_device_create_context(struct rt_device *device, struct rt_surface *target, struct rt_surface *depth)
{
    const struct rt_state_options options = {.rules = device->api->state_rules,
                                             .depth_buffer = depth != NULL,
                                             .max_point_size = device->caps.MaxPointSize,
                                             .software = needs_software_constants(device)};

    if (!create_link_context(device, target, depth))
        return D3DERR_DRIVERINTERNALERROR;
    if (!rt_state_init(&device->pipe.state, &options)) {
        rt_link_destroy_context(device->link);
        return E_OUTOFMEMORY;
    }
    device->pipe.state.viewport = (D3DVIEWPORT8){0, 0, target->desc.width, target->desc.height, 0.0f, 1.0f};
    device->pipe.state.scissor = (RECT){0, 0, (LONG)target->desc.width, (LONG)target->desc.height};
    rt_device_bind_target_and_depth(device, target, depth);
    rt_pipe_resend(&device->pipe);
    if (device->api->context_created)
        device->api->context_created(device);
    rt_palettes_lost(device);
    device->in_scene = false;
    if (rt_flush(device->link) != E_OUTOFMEMORY)
        return D3D_OK;
    /* Out of memory: the driver has not got all shaders and declarations, and a Reset that keeps the context would
     * never send them. */
    rt_link_destroy_context(device->link);
    return E_OUTOFMEMORY;
}

void rt_device_unbind_targets(struct rt_device *device)
{
    for (unsigned i = 0; i < RT_TARGETS; i++)
        rt_device_bind_target(device, i, NULL);
    rt_device_bind_depth(device, NULL);
}

/* Ends the context, and with it the bindings of targets. Everything else that the program has set stays. */
static void rt_device_destroy_context(struct rt_device *device)
{
    rt_flush(device->link);
    rt_link_destroy_context(device->link);
    /* There may be no next context: objects that are not sent then must not be asked for their handles. */
    rt_device_unbind_targets(device);
}

void rt_device_lose_context(struct rt_device *device)
{
    if (device->api->context_lost)
        device->api->context_lost(device);
    rt_state_release(&device->pipe.state);
    rt_patches_forget(device);
    rt_device_destroy_context(device);
}

void rt_device_stop_recording(struct rt_device *device)
{
    if (device->recording)
        rt_block_destroy(device->recording);
    device->recording = NULL;
}

/* --- life ------------------------------------------------------------------------------ */

static void device_destroy(struct rt_device_base *base)
{
    struct rt_device *device = rt_device_of_base(base);

    /* Resources that die here must not take the device down a second time. */
    base->refs = 1;
    rt_device_stop_recording(device);
    /* Bound objects are destroyed here at the latest, and may need data that the version frees. */
    rt_state_release(&device->pipe.state);
    if (device->api->device_destroyed)
        device->api->device_destroyed(device);
    rt_device_destroy_context(device);
    if (device->destroy_frame)
        device->destroy_frame(device->frame);
    rt_palettes_free(device);
    rt_patches_forget(device);
    rt_chain_destroy(device->up_indices);
    free(device->enlarged);
    if (device->owns_link)
        rt_link_close(device->link);
    rt_adapter_tell_frames(device->adapter);
    device->parent->lpVtbl->Release(device->parent);
    DeleteCriticalSection(&base->lock);
    free(device);
}

void rt_device_destroy(struct rt_device *device)
{
    device_destroy(&device->base);
}

HRESULT rt_check_behavior(const struct rt_adapter *adapter, DWORD flags)
{
    DWORD processing = flags & (D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING |
                                D3DCREATE_MIXED_VERTEXPROCESSING);
    DWORD caps = rt_adapter_caps(adapter)->DevCaps;

    if (!processing || (processing & (processing - 1)))
        return D3DERR_INVALIDCALL;
    if (processing != D3DCREATE_SOFTWARE_VERTEXPROCESSING && !(caps & D3DDEVCAPS_HWTRANSFORMANDLIGHT))
        return D3DERR_INVALIDCALL;
    if ((flags & D3DCREATE_PUREDEVICE) && processing != D3DCREATE_HARDWARE_VERTEXPROCESSING)
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

HRESULT rt_device_init(struct rt_device *device, const struct rt_device_desc *desc)
{
    const DWORD flags = desc->creation.BehaviorFlags;

    device->api = desc->api;
    device->adapter = desc->adapter;
    device->creation = desc->creation;
    device->caps = desc->caps;
    device->owns_link = !desc->link;
    device->link = desc->link ? desc->link : rt_link_open(desc->adapter);
    if (!device->link) {
        free(device);
        return E_OUTOFMEMORY;
    }
    rt_device_base_init(&device->base, flags & D3DCREATE_MULTITHREADED, device_destroy);
    device->parent->lpVtbl->AddRef(device->parent);
    device->pipe.link = device->link;
    device->pipe.ops = desc->api->state_ops;
    device->pipe.user = device;
    /* A pure device's driver would have to know which of its values are the program's, and which are enlarged. */
    device->pipe.pure = (flags & D3DCREATE_PUREDEVICE) && !rt_resolution_is_set() && !rt_multisample_is_set();
    device->multisample.is_set = rt_multisample_is_set();
    device->pipe.anisotropy = (uint32_t)config_int("anisotropy");
    device->pipe.state.rules = desc->api->state_rules;
    if (!(flags & D3DCREATE_FPU_PRESERVE) && !(sizeof(void *) == 8 && device->api->keeps_fpu_in_64_bits))
        setup_fpu();
    return D3D_OK;
}

ULONG WINAPI rt_device_AddRef(void *iface)
{
    return rt_device_base_addref(&rt_device_of(iface)->base);
}

ULONG WINAPI rt_device_Release(void *iface)
{
    return rt_device_base_release(&rt_device_of(iface)->base);
}

HRESULT WINAPI rt_device_GetDirect3D(void *iface, void **out)
{
    IUnknown *parent = rt_device_of(iface)->parent;

    if (!out)
        return D3DERR_INVALIDCALL;
    parent->lpVtbl->AddRef(parent);
    *out = parent;
    return D3D_OK;
}
