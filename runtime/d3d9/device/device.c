/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice9(Ex): life, Reset, the vtable; versions 9 and 9Ex as data. */
#include "runtime/d3d9/shader/declaration.h"
#include "runtime/d3d9/device/device_ex.h"
#include "runtime/d3d9/device/device_methods.h"
#include "runtime/d3d9/device/present_params.h"
#include "runtime/d3d9/device/query.h"
#include "runtime/d3d9/resource/resources.h"
#include "runtime/d3d9/shader/shader.h"
#include "runtime/d3d9/device/stateblock.h"
#include "runtime/d3d9/device/swapchain.h"

#include "runtime/common/device/methods.h"
#include "runtime/common/trace/trace.h"
#include "runtime/d3d9/trace.h"

static const IDirect3DDevice9ExVtbl device_vtbl;

/* --- the versions -------------------------------------------------------------------------- */

static const struct rt_state_ops state_ops = {
    .texture_handle = rt_texture_handle, .buffer_handle = rt_buffer_handle, .object = d3d9_named_number};

/* State blocks are objects that outlive contexts. Blocks in the driver could not, so the runtime keeps those of a
 * pure device as well, and knows the values of its states as for any other device; programs cannot tell. */
static void context_created(struct rt_device *device)
{
    device->pipe.pure = false;
    d3d9_named_resend((struct d3d9_device *)device);
}

/* Bindings are released first: declarations and shaders give their numbers back. */
static void device_destroyed(struct rt_device *device)
{
    rt_pipe_unbind(&device->pipe);
    d3d9_declarations_free((struct d3d9_device *)device);
    d3d9_named_free(&((struct d3d9_device *)device)->named);
}

/* Common to both versions; the chains of 9Ex have one more interface. */
#define INTERFACES(chain_ids)                                                            \
    {                                                                                    \
        [RT_KIND_SURFACE] = {&d3d9_surface_vtbl, d3d9_surface_ids},                      \
        [RT_KIND_VOLUME] = {&d3d9_volume_vtbl, d3d9_volume_ids},                         \
        [RT_KIND_TEXTURE] = {&d3d9_texture_vtbl, d3d9_texture_ids},                      \
        [RT_KIND_CUBE_TEXTURE] = {&d3d9_cube_texture_vtbl, d3d9_cube_texture_ids},       \
        [RT_KIND_VOLUME_TEXTURE] = {&d3d9_volume_texture_vtbl, d3d9_volume_texture_ids}, \
        [RT_KIND_VERTEX_BUFFER] = {&d3d9_vertex_buffer_vtbl, d3d9_vertex_buffer_ids},    \
        [RT_KIND_INDEX_BUFFER] = {&d3d9_index_buffer_vtbl, d3d9_index_buffer_ids},       \
        [RT_KIND_SWAPCHAIN] = {&d3d9_swapchain_vtbl, chain_ids},                         \
        [RT_KIND_DECLARATION] = {&d3d9_declaration_vtbl, d3d9_declaration_ids},          \
        [RT_KIND_VERTEX_SHADER] = {&d3d9_vertex_shader_vtbl, d3d9_vertex_shader_ids},    \
        [RT_KIND_PIXEL_SHADER] = {&d3d9_pixel_shader_vtbl, d3d9_pixel_shader_ids},       \
        [RT_KIND_STATE_BLOCK] = {&d3d9_stateblock_vtbl, d3d9_stateblock_ids},            \
        [RT_KIND_QUERY] = {&d3d9_query_vtbl, d3d9_query_ids},                            \
    }
#define LOCK_RULES (RT_LOCK_ANY_RECT | RT_LOCK_SECOND_KEEPS_OUT | RT_LOCK_REFUSED_KEEPS_OUT)
/* clang-format off */
#define RULES                                                                                                        \
    .traced = d3d9_traced,                                                                                           \
    .lock_rules = {[RT_LOCKABLE_SURFACE] = LOCK_RULES,                                                               \
                   [RT_LOCKABLE_LEVEL] = LOCK_RULES | RT_LOCK_UNLOCK_ANYTIME,                                        \
                   [RT_LOCKABLE_FACE] = LOCK_RULES | RT_LOCK_TEXTURE_UNLOCKS_ANYTIME,                                \
                   [RT_LOCKABLE_VOLUME] = 0},                                                                        \
    .state_rules = &d3d9_state_rules, .state_ops = &state_ops, .context_created = context_created, .device_destroyed = device_destroyed,               \
    .current_fvf = d3d9_current_fvf, .vertex_use = d3d9_vertex_use, .vertex_bytes = d3d9_vertex_bytes, .back_buffers_belong_to_swapchain = true,     \
    .obeys_no_window_changes = true, .has_software_constants = true, .clamps_clip_planes = true, .keeps_discarded = true, .keeps_fpu_in_64_bits = true
/* clang-format on */

static const struct rt_api api_9 = {
    .interfaces = INTERFACES(d3d9_swapchain_ids),
    RULES,
    .window_policy = RT_WINDOW_KEEP,
    .reset_refused = D3DERR_INVALIDCALL,
    .additional_chains_refuse_reset = true,
    .max_back_buffers = D3DPRESENT_BACK_BUFFERS_MAX,
};

static const struct rt_api api_9ex = {
    .is_ex = true,
    .interfaces = INTERFACES(d3d9_swapchain_ex_ids),
    RULES,
    .window_policy = RT_WINDOW_COVER,
    .returns_with_focus = true,
    .reset_keeps_all = true,
    .reports_virtual_memory = true,
    .max_back_buffers = D3DPRESENT_BACK_BUFFERS_MAX_EX,
};

/* --- life ---------------------------------------------------------------------------------- */

static HRESULT take_behavior(const struct d3d9 *d3d, HWND focus, DWORD flags, const D3DPRESENT_PARAMETERS *params)
{
    /* A device uses only one adapter of a group here, as with drivers without multi-head support. */
    if (flags & D3DCREATE_ADAPTERGROUP_DEVICE)
        return D3DERR_INVALIDCALL;
    /* A windowed device that only draws to targets needs no window. */
    if (!focus && !params->hDeviceWindow && !params->Windowed)
        return D3DERR_INVALIDCALL;
    return rt_check_behavior(d3d->adapter, flags);
}

/* The vtable, and who made the device.
 *
 * Overlays and recorders find the vtable, to hook Present in it, by the code that stores it. In the 32-bit d3d9.dll they scan for
 *     C7 06 imm32  89 86 disp32  89 86 disp32      mov [esi], vtable; mov [esi + a], eax; mov [esi + b], eax
 * and take the imm32 (test_device_vtbl_initialization_assembly_hook of Wine's d3d9 suite). A compiler is free to write it otherwise. */
static void set_vtable(struct d3d9_device *device, struct d3d9 *d3d)
{
#ifdef __i386__
    _Static_assert(offsetof(struct d3d9_device, common.vtbl) == 0 && offsetof(struct d3d9, iface) == 0,
                   "esi and eax are both");
    __asm__ volatile("movl %[vtable], (%%esi)\n\t"
                     "%{disp32%} movl %%eax, %c[parent](%%esi)\n\t"
                     "%{disp32%} movl %%eax, %c[d3d](%%esi)"
                     :
                     : "S"(device),
                       "a"(d3d), [vtable] "i"(&device_vtbl), [parent] "i"(offsetof(struct d3d9_device, common.parent)),
                       [d3d] "i"(offsetof(struct d3d9_device, d3d))
                     : "memory");
#else
    device->common.vtbl = &device_vtbl;
    device->common.parent = (IUnknown *)&d3d->iface;
    device->d3d = d3d;
#endif
    if (log_enabled(LOG_TRACE))
        device->common.vtbl = d3d9_traced(RT_TRACED_DEVICE, device->common.vtbl);
}

HRESULT d3d9_device_create(struct d3d9 *d3d, UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                           D3DPRESENT_PARAMETERS *params, D3DDISPLAYMODEEX *mode, struct d3d9_device **out)
{
    struct rt_device_desc desc = {
        .api = d3d->is_ex ? &api_9ex : &api_9, .adapter = d3d->adapter, .creation = {adapter, type, focus, flags}};
    struct rt_present_params taken;
    struct d3d9_device *device;
    D3DFORMAT display;
    HRESULT hr = take_behavior(d3d, focus, flags, params);

    if (SUCCEEDED(hr))
        hr = d3d9_check_device_params(d3d, adapter, focus, params, mode, &display);
    if (FAILED(hr))
        return hr;
    device = mem_calloc(1, sizeof(*device));
    if (!device)
        return E_OUTOFMEMORY;
    set_vtable(device, d3d);
    device->max_latency = D3D9_DEFAULT_LATENCY;
    d3d9_fill_caps(d3d, adapter, type, flags, &device->caps);
    memcpy(&desc.caps, &device->caps, sizeof(desc.caps)); /* D3DCAPS9 begins with the members of D3DCAPS8 */
    taken = d3d9_take_params(params);
    hr = rt_device_init(&device->common, &desc);
    if (FAILED(hr))
        return hr;
    hr = rt_frame_init(&device->frame, &device->common, &taken, display);
    if (SUCCEEDED(hr))
        *out = device;
    else
        rt_device_destroy(&device->common);
    return hr;
}

static HRESULT WINAPI device_QueryInterface(IDirect3DDevice9Ex *iface, REFIID riid, void **out)
{
    static const IID *const ids[] = {&IID_IDirect3DDevice9, &IID_IUnknown, NULL};
    static const IID *const ex_ids[] = {&IID_IDirect3DDevice9Ex, &IID_IDirect3DDevice9, &IID_IUnknown, NULL};

    return rt_query(iface, riid, rt_device_of(iface)->api->is_ex ? ex_ids : ids, out);
}

/* --- lost and reset ------------------------------------------------------------------------ */

static HRESULT WINAPI device_TestCooperativeLevel(IDirect3DDevice9Ex *iface)
{
    return rt_device_of(iface)->api->is_ex ? D3D_OK : rt_device_TestCooperativeLevel(iface);
}

HRESULT d3d9_device_reset(struct d3d9_device *device, D3DPRESENT_PARAMETERS *params, const D3DDISPLAYMODEEX *mode)
{
    struct rt_device *common = &device->common;
    struct rt_present_params taken;
    D3DFORMAT display;
    HRESULT hr = d3d9_check_device_params(device->d3d, common->creation.AdapterOrdinal, common->creation.hFocusWindow,
                                          params, mode, &display);

    if (FAILED(hr)) {
        if (!common->api->is_ex)
            common->frame->fullscreen.status = RT_DEVICE_NOT_RESET;
        return D3DERR_INVALIDCALL;
    }
    taken = d3d9_take_params(params);
    return rt_frame_reset(common->frame, &taken, display);
}

static HRESULT WINAPI device_Reset(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *params)
{
    struct d3d9_device *device = d3d9_device_of(iface);
    RT_LOCK(&device->common.base);

    if (!params)
        return D3DERR_INVALIDCALL;
    if (!device->common.api->is_ex && rt_fullscreen_status(&device->common.frame->fullscreen) == RT_DEVICE_LOST)
        return D3DERR_DEVICELOST;
    return d3d9_device_reset(device, params, NULL);
}

/* --- smaller ones ---------------------------------------------------------------------------- */

static HRESULT WINAPI device_EvictManagedResources(IDirect3DDevice9Ex *iface)
{
    struct rt_device *device = rt_device_of(iface);
    RT_LOCK(&device->base);

    rt_textures_discard(device, 0);
    return D3D_OK;
}

static HRESULT WINAPI device_GetDeviceCaps(IDirect3DDevice9Ex *iface, D3DCAPS9 *caps)
{
    if (!caps)
        return D3DERR_INVALIDCALL;
    *caps = d3d9_device_of(iface)->caps;
    return D3D_OK;
}

/* GDI draws over a window that is presented to by copying, in this mode and in every other. The original's
 * requirements on the swap chain are still checked. */
static HRESULT WINAPI device_SetDialogBoxMode(IDirect3DDevice9Ex *iface, BOOL enable)
{
    const struct rt_present_params *p = &rt_device_of(iface)->frame->swapchain->params;

    if (enable && (!(p->flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER) || p->effect != RT_SWAP_DISCARD || p->samples))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

RT_DEVICE_METHODS(RT_METHOD, IDirect3DDevice9Ex, IDirect3D9, IDirect3DSurface9)
RT_METHOD(IDirect3DDevice9Ex, void, SetCursorPosition, rt_device_SetCursorPosition, (int, x, VALUE), (int, y, VALUE),
          (DWORD, flags, VALUE))

/* A device without Ex has the same vtable; QueryInterface does not expose the methods after CreateQuery. */
/* clang-format off */
static const IDirect3DDevice9ExVtbl device_vtbl = {
    RT_DEVICE_METHODS(RT_ENTRY, IDirect3DDevice9Ex, IDirect3D9, IDirect3DSurface9)
    .SetCursorPosition = shared_IDirect3DDevice9Ex_SetCursorPosition,
    .QueryInterface = device_QueryInterface,
    .TestCooperativeLevel = device_TestCooperativeLevel,
    .EvictManagedResources = device_EvictManagedResources,
    .GetDeviceCaps = device_GetDeviceCaps,
    .GetDisplayMode = d3d9_device_GetDisplayMode,
    .CreateAdditionalSwapChain = d3d9_device_CreateAdditionalSwapChain,
    .GetSwapChain = d3d9_device_GetSwapChain,
    .GetNumberOfSwapChains = d3d9_device_GetNumberOfSwapChains,
    .Reset = device_Reset,
    .Present = d3d9_device_Present,
    .GetBackBuffer = d3d9_device_GetBackBuffer,
    .GetRasterStatus = d3d9_device_GetRasterStatus,
    .SetDialogBoxMode = device_SetDialogBoxMode,
    .SetGammaRamp = d3d9_device_SetGammaRamp,
    .GetGammaRamp = d3d9_device_GetGammaRamp,
    .CreateTexture = d3d9_device_CreateTexture,
    .CreateVolumeTexture = d3d9_device_CreateVolumeTexture,
    .CreateCubeTexture = d3d9_device_CreateCubeTexture,
    .CreateVertexBuffer = d3d9_device_CreateVertexBuffer,
    .CreateIndexBuffer = d3d9_device_CreateIndexBuffer,
    .CreateRenderTarget = d3d9_device_CreateRenderTarget,
    .CreateDepthStencilSurface = d3d9_device_CreateDepthStencilSurface,
    .UpdateSurface = d3d9_device_UpdateSurface,
    .UpdateTexture = d3d9_device_UpdateTexture,
    .GetRenderTargetData = d3d9_device_GetRenderTargetData,
    .GetFrontBufferData = d3d9_device_GetFrontBufferData,
    .StretchRect = d3d9_device_StretchRect,
    .ColorFill = d3d9_device_ColorFill,
    .CreateOffscreenPlainSurface = d3d9_device_CreateOffscreenPlainSurface,
    .SetRenderTarget = d3d9_device_SetRenderTarget,
    .GetRenderTarget = d3d9_device_GetRenderTarget,
    .SetDepthStencilSurface = d3d9_device_SetDepthStencilSurface,
    .GetDepthStencilSurface = d3d9_device_GetDepthStencilSurface,
    .Clear = d3d9_device_Clear,
    .SetRenderState = d3d9_device_SetRenderState,
    .CreateStateBlock = d3d9_device_CreateStateBlock,
    .BeginStateBlock = d3d9_device_BeginStateBlock,
    .EndStateBlock = d3d9_device_EndStateBlock,
    .GetTexture = d3d9_device_GetTexture,
    .SetTexture = d3d9_device_SetTexture,
    .GetTextureStageState = d3d9_device_GetTextureStageState,
    .SetTextureStageState = d3d9_device_SetTextureStageState,
    .GetSamplerState = d3d9_device_GetSamplerState,
    .SetSamplerState = d3d9_device_SetSamplerState,
    .SetScissorRect = d3d9_device_SetScissorRect,
    .GetScissorRect = d3d9_device_GetScissorRect,
    .SetSoftwareVertexProcessing = d3d9_device_SetSoftwareVertexProcessing,
    .GetSoftwareVertexProcessing = d3d9_device_GetSoftwareVertexProcessing,
    .SetNPatchMode = d3d9_device_SetNPatchMode,
    .GetNPatchMode = d3d9_device_GetNPatchMode,
    .DrawPrimitive = d3d9_device_DrawPrimitive,
    .DrawIndexedPrimitive = d3d9_device_DrawIndexedPrimitive,
    .DrawPrimitiveUP = d3d9_device_DrawPrimitiveUP,
    .DrawIndexedPrimitiveUP = d3d9_device_DrawIndexedPrimitiveUP,
    .ProcessVertices = d3d9_device_ProcessVertices,
    .CreateVertexDeclaration = d3d9_device_CreateVertexDeclaration,
    .SetVertexDeclaration = d3d9_device_SetVertexDeclaration,
    .GetVertexDeclaration = d3d9_device_GetVertexDeclaration,
    .SetFVF = d3d9_device_SetFVF,
    .GetFVF = d3d9_device_GetFVF,
    .CreateVertexShader = d3d9_device_CreateVertexShader,
    .SetVertexShader = d3d9_device_SetVertexShader,
    .GetVertexShader = d3d9_device_GetVertexShader,
    .SetVertexShaderConstantF = d3d9_device_SetVertexShaderConstantF,
    .GetVertexShaderConstantF = d3d9_device_GetVertexShaderConstantF,
    .SetVertexShaderConstantI = d3d9_device_SetVertexShaderConstantI,
    .GetVertexShaderConstantI = d3d9_device_GetVertexShaderConstantI,
    .SetVertexShaderConstantB = d3d9_device_SetVertexShaderConstantB,
    .GetVertexShaderConstantB = d3d9_device_GetVertexShaderConstantB,
    .SetStreamSource = d3d9_device_SetStreamSource,
    .GetStreamSource = d3d9_device_GetStreamSource,
    .SetStreamSourceFreq = d3d9_device_SetStreamSourceFreq,
    .GetStreamSourceFreq = d3d9_device_GetStreamSourceFreq,
    .SetIndices = d3d9_device_SetIndices,
    .GetIndices = d3d9_device_GetIndices,
    .CreatePixelShader = d3d9_device_CreatePixelShader,
    .SetPixelShader = d3d9_device_SetPixelShader,
    .GetPixelShader = d3d9_device_GetPixelShader,
    .SetPixelShaderConstantF = d3d9_device_SetPixelShaderConstantF,
    .GetPixelShaderConstantF = d3d9_device_GetPixelShaderConstantF,
    .SetPixelShaderConstantI = d3d9_device_SetPixelShaderConstantI,
    .GetPixelShaderConstantI = d3d9_device_GetPixelShaderConstantI,
    .SetPixelShaderConstantB = d3d9_device_SetPixelShaderConstantB,
    .GetPixelShaderConstantB = d3d9_device_GetPixelShaderConstantB,
    .DrawRectPatch = d3d9_device_DrawRectPatch,
    .DrawTriPatch = d3d9_device_DrawTriPatch,
    .CreateQuery = d3d9_device_CreateQuery,
    .SetConvolutionMonoKernel = d3d9_device_SetConvolutionMonoKernel,
    .ComposeRects = d3d9_device_ComposeRects,
    .PresentEx = d3d9_device_PresentEx,
    .GetGPUThreadPriority = d3d9_device_GetGPUThreadPriority,
    .SetGPUThreadPriority = d3d9_device_SetGPUThreadPriority,
    .WaitForVBlank = d3d9_device_WaitForVBlank,
    .CheckResourceResidency = d3d9_device_CheckResourceResidency,
    .SetMaximumFrameLatency = d3d9_device_SetMaximumFrameLatency,
    .GetMaximumFrameLatency = d3d9_device_GetMaximumFrameLatency,
    .CheckDeviceState = d3d9_device_CheckDeviceState,
    .CreateRenderTargetEx = d3d9_device_CreateRenderTargetEx,
    .CreateOffscreenPlainSurfaceEx = d3d9_device_CreateOffscreenPlainSurfaceEx,
    .CreateDepthStencilSurfaceEx = d3d9_device_CreateDepthStencilSurfaceEx,
    .ResetEx = d3d9_device_ResetEx,
    .GetDisplayModeEx = d3d9_device_GetDisplayModeEx,
};
/* clang-format on */
