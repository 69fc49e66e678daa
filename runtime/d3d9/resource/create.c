/* SPDX-License-Identifier: MIT */
/*
 * IDirect3DDevice9(Ex): the methods that create resources, and what they refuse. The original checks parameters in the
 * runtime and asks the driver only about formats; Wine's tests test_resource_access, test_surface_blocks,
 * test_shared_handle and test_user_memory establish the rules.
 */
#include "runtime/d3d9/resource/resources.h"

#include "base/base.h"
#include "runtime/common/driver/adapter.h"
#include "runtime/common/driver/formats.h"
#include "runtime/d3d9/rules.h"

#define TARGET_USAGES (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)

/* --- shared resources --------------------------------------------------------------------- */

/* pSharedHandle: the program's memory, or a handle for other devices. Only a 9Ex device supports them; *memory
 * becomes the program's memory. */
static HRESULT check_shared(const struct rt_device *device, D3DRESOURCETYPE type, UINT levels, D3DPOOL pool,
                            HANDLE *shared, void **memory)
{
    *memory = NULL;
    if (!shared)
        return D3D_OK;
    if (!device->api->is_ex)
        return E_NOTIMPL;
    if (type == D3DRTYPE_VERTEXBUFFER || type == D3DRTYPE_INDEXBUFFER)
        return pool == D3DPOOL_DEFAULT ? D3D_OK : D3DERR_NOTAVAILABLE;
    if (pool == D3DPOOL_DEFAULT) {
        log_info("a shared resource works only in its own process");
        return D3D_OK;
    }
    if (pool != D3DPOOL_SYSTEMMEM || levels != 1 || (type != D3DRTYPE_TEXTURE && type != D3DRTYPE_SURFACE))
        return D3DERR_INVALIDCALL;
    *memory = *shared;
    return D3D_OK;
}

/* --- textures ----------------------------------------------------------------------------- */

static bool pool_is_valid(const struct rt_device *device, D3DPOOL pool)
{
    return (unsigned)pool <= D3DPOOL_SCRATCH && !(device->api->is_ex && pool == D3DPOOL_MANAGED);
}

static bool texture_usage_is_valid(const struct rt_device *device, const struct rt_texture_desc *desc)
{
    const DWORD draws = desc->usage & TARGET_USAGES;

    if (desc->usage & D3DUSAGE_WRITEONLY || !pool_is_valid(device, desc->pool) || draws == TARGET_USAGES)
        return false;
    if (draws && (desc->pool != D3DPOOL_DEFAULT || desc->usage & D3DUSAGE_DYNAMIC))
        return false;
    if (desc->type == D3DRTYPE_VOLUMETEXTURE && draws)
        return false;
    if ((desc->usage & D3DUSAGE_DYNAMIC) && (desc->pool == D3DPOOL_MANAGED || desc->pool == D3DPOOL_SCRATCH))
        return false;
    if (!(desc->usage & D3DUSAGE_AUTOGENMIPMAP))
        return true;
    return desc->levels <= 1 && desc->pool != D3DPOOL_SYSTEMMEM && desc->pool != D3DPOOL_SCRATCH &&
           desc->type != D3DRTYPE_VOLUMETEXTURE;
}

static bool texture_format_is_valid(const struct rt_device *device, const struct rt_texture_desc *desc)
{
    const struct rt_format *format = rt_format_of(d3d9_driver_rules.format_level, desc->format);

    if (!format || (desc->pool != D3DPOOL_DEFAULT && (format->flags & RT_FORMAT_DEPTH)))
        return false;
    if (desc->pool == D3DPOOL_SCRATCH)
        return true;
    return SUCCEEDED(rt_check_format(device->adapter, device->frame->display_format, desc->usage & TARGET_USAGES,
                                     desc->type, desc->format));
}

/* If the driver cannot generate levels, the texture has one level (D3DOK_NOAUTOGEN). */
static bool generates_mips(const struct rt_device *device, const struct rt_texture_desc *desc)
{
    return desc->usage & D3DUSAGE_AUTOGENMIPMAP &&
           rt_check_operations(device->adapter, device->frame->display_format, D3DUSAGE_AUTOGENMIPMAP, desc->type,
                               desc->format) == D3D_OK;
}

static HRESULT create_texture(IDirect3DDevice9Ex *iface, struct rt_texture_desc *desc, void **out, HANDLE *shared)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_texture *texture;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = check_shared(device, desc->type, desc->levels, desc->pool, shared, &desc->memory);
    if (FAILED(hr))
        return hr;
    if (!texture_usage_is_valid(device, desc) || !texture_format_is_valid(device, desc) ||
        !rt_texture_size_is_valid(&device->caps, desc))
        return D3DERR_INVALIDCALL;
    desc->generates_mips = generates_mips(device, desc);
    if (desc->usage & D3DUSAGE_AUTOGENMIPMAP)
        desc->levels = 1;
    hr = rt_texture_create(device, desc, &texture);
    if (SUCCEEDED(hr))
        *out = texture;
    return hr;
}

HRESULT WINAPI d3d9_device_CreateTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height, UINT levels, DWORD usage,
                                         D3DFORMAT format, D3DPOOL pool, IDirect3DTexture9 **out, HANDLE *shared)
{
    struct rt_texture_desc desc = {.type = D3DRTYPE_TEXTURE,
                                   .width = width,
                                   .height = height,
                                   .depth = 1,
                                   .levels = levels,
                                   .usage = usage,
                                   .format = format,
                                   .pool = pool};

    return create_texture(iface, &desc, (void **)out, shared);
}

HRESULT WINAPI d3d9_device_CreateVolumeTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height, UINT depth,
                                               UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                               IDirect3DVolumeTexture9 **out, HANDLE *shared)
{
    struct rt_texture_desc desc = {.type = D3DRTYPE_VOLUMETEXTURE,
                                   .width = width,
                                   .height = height,
                                   .depth = depth,
                                   .levels = levels,
                                   .usage = usage,
                                   .format = format,
                                   .pool = pool};

    return create_texture(iface, &desc, (void **)out, shared);
}

HRESULT WINAPI d3d9_device_CreateCubeTexture(IDirect3DDevice9Ex *iface, UINT edge, UINT levels, DWORD usage,
                                             D3DFORMAT format, D3DPOOL pool, IDirect3DCubeTexture9 **out,
                                             HANDLE *shared)
{
    struct rt_texture_desc desc = {.type = D3DRTYPE_CUBETEXTURE,
                                   .width = edge,
                                   .height = edge,
                                   .depth = 1,
                                   .levels = levels,
                                   .usage = usage,
                                   .format = format,
                                   .pool = pool};

    return create_texture(iface, &desc, (void **)out, shared);
}

/* --- buffers ------------------------------------------------------------------------------ */

static HRESULT create_buffer(IDirect3DDevice9Ex *iface, const struct rt_buffer_desc *desc, void **out, HANDLE *shared)
{
    struct rt_device *device = rt_device_of(iface);
    struct rt_buffer *buffer;
    void *memory;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    hr = check_shared(device, desc->type, 1, desc->pool, shared, &memory);
    if (FAILED(hr))
        return hr;
    if (!pool_is_valid(device, desc->pool))
        return D3DERR_INVALIDCALL;
    hr = rt_buffer_create(device, desc, &buffer);
    *out = SUCCEEDED(hr) ? buffer : NULL;
    return hr;
}

HRESULT WINAPI d3d9_device_CreateVertexBuffer(IDirect3DDevice9Ex *iface, UINT length, DWORD usage, DWORD fvf,
                                              D3DPOOL pool, IDirect3DVertexBuffer9 **out, HANDLE *shared)
{
    const struct rt_buffer_desc desc = {D3DRTYPE_VERTEXBUFFER, length, usage, fvf, D3DFMT_VERTEXDATA, pool};

    return create_buffer(iface, &desc, (void **)out, shared);
}

HRESULT WINAPI d3d9_device_CreateIndexBuffer(IDirect3DDevice9Ex *iface, UINT length, DWORD usage, D3DFORMAT format,
                                             D3DPOOL pool, IDirect3DIndexBuffer9 **out, HANDLE *shared)
{
    const struct rt_buffer_desc desc = {D3DRTYPE_INDEXBUFFER, length, usage, 0, format, pool};

    return create_buffer(iface, &desc, (void **)out, shared);
}

/* --- surfaces ----------------------------------------------------------------------------- */

/* At least a texel, no more than the device's textures have, whole blocks. */
static bool surface_size_is_valid(const struct rt_device *device, const struct rt_surface_desc *desc)
{
    const struct rt_format *format = rt_format_info(desc->format);

    if (!format || !desc->width || !desc->height || desc->width > device->caps.MaxTextureWidth ||
        desc->height > device->caps.MaxTextureHeight)
        return false;
    return !(format->flags & RT_FORMAT_BLOCKS) ||
           (desc->width % format->block_width == 0 && desc->height % format->block_height == 0);
}

static HRESULT create_surface(struct rt_device *device, const struct rt_surface_desc *desc, bool lockable,
                              IDirect3DSurface9 **out)
{
    struct rt_surface *surface;
    HRESULT hr;

    if (!surface_size_is_valid(device, desc))
        return D3DERR_INVALIDCALL;
    hr = rt_surface_create(device, desc, lockable, &surface);
    if (SUCCEEDED(hr))
        *out = (IDirect3DSurface9 *)surface;
    return hr;
}

static bool samples_are_valid(const struct rt_device *device, const struct rt_surface_desc *desc)
{
    uint32_t qualities = 1;

    if (!desc->samples) /* whatever its quality */
        return true;
    return SUCCEEDED(rt_check_multisample(device->adapter, desc->format, desc->samples, &qualities)) &&
           desc->quality < qualities;
}

/* A target or a depth buffer. */
static HRESULT create_drawn(IDirect3DDevice9Ex *iface, const struct rt_surface_desc *desc, bool lockable,
                            IDirect3DSurface9 **out, HANDLE *shared)
{
    struct rt_device *device = rt_device_of(iface);
    void *memory;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = check_shared(device, D3DRTYPE_SURFACE, 1, desc->pool, shared, &memory);
    if (FAILED(hr))
        return hr;
    if (FAILED(rt_check_format(device->adapter, device->frame->display_format, desc->usage & TARGET_USAGES,
                               D3DRTYPE_SURFACE, desc->format)))
        return D3DERR_INVALIDCALL;
    if (!samples_are_valid(device, desc))
        return D3DERR_INVALIDCALL;
    if (lockable && desc->samples)
        return D3DERR_INVALIDCALL;
    return create_surface(device, desc, lockable, out);
}

static HRESULT create_target(IDirect3DDevice9Ex *iface, UINT width, UINT height, D3DFORMAT format,
                             D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL lockable, IDirect3DSurface9 **out,
                             HANDLE *shared, DWORD usage)
{
    const struct rt_surface_desc desc = {
        format, usage | D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, samples, quality, width, height};

    return create_drawn(iface, &desc, lockable, out, shared);
}

HRESULT WINAPI d3d9_device_CreateRenderTarget(IDirect3DDevice9Ex *iface, UINT width, UINT height, D3DFORMAT format,
                                              D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL lockable,
                                              IDirect3DSurface9 **out, HANDLE *shared)
{
    return create_target(iface, width, height, format, samples, quality, lockable, out, shared, 0);
}

static HRESULT create_depth(IDirect3DDevice9Ex *iface, UINT width, UINT height, D3DFORMAT format,
                            D3DMULTISAMPLE_TYPE samples, DWORD quality, IDirect3DSurface9 **out, HANDLE *shared,
                            DWORD usage)
{
    const struct rt_surface_desc desc = {
        format, usage | D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT, samples, quality, width, height};
    const struct rt_format *info = rt_format_info(format);

    return create_drawn(iface, &desc, info && info->flags & RT_FORMAT_LOCKABLE, out, shared);
}

/* discard: a promise of the program that is not used here. */
HRESULT WINAPI d3d9_device_CreateDepthStencilSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                     D3DFORMAT format, D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                                     BOOL discard, IDirect3DSurface9 **out, HANDLE *shared)
{
    (void)discard;
    return create_depth(iface, width, height, format, samples, quality, out, shared, 0);
}

/* Vendor formats have plain surfaces only in our own memory. */
static bool plain_format_is_valid(const struct rt_device *device, D3DFORMAT format, D3DPOOL pool)
{
    const struct rt_format *info = rt_format_of(d3d9_driver_rules.format_level, format);

    if (!info || pool == D3DPOOL_MANAGED || (unsigned)pool > D3DPOOL_SCRATCH)
        return false;
    if (pool == D3DPOOL_SCRATCH && !(info->flags & RT_FORMAT_DEPTH))
        return true;
    return !(info->flags & RT_FORMAT_VENDOR) &&
           SUCCEEDED(rt_check_format(device->adapter, device->frame->display_format, 0, D3DRTYPE_SURFACE, format));
}

/* For memory of the program, which has no padding after a row. */
static size_t row_bytes(const struct rt_surface_desc *desc)
{
    const struct rt_format *format = rt_format_info(desc->format);

    return (desc->width + format->block_width - 1) / format->block_width * (size_t)format->block_bytes;
}

static HRESULT create_plain(IDirect3DDevice9Ex *iface, UINT width, UINT height, D3DFORMAT format, D3DPOOL pool,
                            IDirect3DSurface9 **out, HANDLE *shared, DWORD usage)
{
    struct rt_device *device = rt_device_of(iface);
    const struct rt_surface_desc desc = {format, usage, pool, D3DMULTISAMPLE_NONE, 0, width, height};
    struct rt_surface *surface;
    void *memory;
    HRESULT hr;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    hr = check_shared(device, D3DRTYPE_SURFACE, 1, pool, shared, &memory);
    if (FAILED(hr))
        return hr;
    if (!plain_format_is_valid(device, format, pool))
        return D3DERR_INVALIDCALL;
    if (!memory)
        return create_surface(device, &desc, true, out);
    if (!surface_size_is_valid(device, &desc))
        return D3DERR_INVALIDCALL;
    hr = rt_surface_create_over(device, &desc, memory, row_bytes(&desc), &surface);
    if (SUCCEEDED(hr))
        *out = (IDirect3DSurface9 *)surface;
    return hr;
}

HRESULT WINAPI d3d9_device_CreateOffscreenPlainSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                       D3DFORMAT format, D3DPOOL pool, IDirect3DSurface9 **out,
                                                       HANDLE *shared)
{
    return create_plain(iface, width, height, format, pool, out, shared, 0);
}

/* --- 9Ex ---------------------------------------------------------------------------------- */

/* The documented usages of CreateRenderTargetEx and similar methods: protection of contents, which a software driver
 * does not have, and of handles, which stay with their process anyway. Anything else is refused; only for plain
 * surfaces the result then becomes NULL. */
#define EX_USAGES \
    (D3DUSAGE_RESTRICTED_CONTENT | D3DUSAGE_RESTRICT_SHARED_RESOURCE | D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER)

HRESULT WINAPI d3d9_device_CreateRenderTargetEx(IDirect3DDevice9Ex *iface, UINT width, UINT height, D3DFORMAT format,
                                                D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL lockable,
                                                IDirect3DSurface9 **out, HANDLE *shared, DWORD usage)
{
    if (usage & ~EX_USAGES)
        return D3DERR_INVALIDCALL;
    return create_target(iface, width, height, format, samples, quality, lockable, out, shared, usage);
}

HRESULT WINAPI d3d9_device_CreateDepthStencilSurfaceEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                       D3DFORMAT format, D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                                       BOOL discard, IDirect3DSurface9 **out, HANDLE *shared,
                                                       DWORD usage)
{
    (void)discard;
    if (usage & ~EX_USAGES)
        return D3DERR_INVALIDCALL;
    return create_depth(iface, width, height, format, samples, quality, out, shared, usage);
}

HRESULT WINAPI d3d9_device_CreateOffscreenPlainSurfaceEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                                         D3DFORMAT format, D3DPOOL pool, IDirect3DSurface9 **out,
                                                         HANDLE *shared, DWORD usage)
{
    if (out)
        *out = NULL;
    if (usage & ~EX_USAGES)
        return D3DERR_INVALIDCALL;
    return create_plain(iface, width, height, format, pool, out, shared, usage);
}
