/* SPDX-License-Identifier: MIT */
/* Version 8 as data. */
#include "runtime/d3d8/d3d8_objects.h"

#include "dp2/dp2.h"
#include "runtime/d3d8/trace.h"

static const struct rt_state_ops state_ops = {
    .texture_handle = rt_texture_handle,
    .buffer_handle = rt_buffer_handle,
    .vertex_shader = d3d8_vertex_shader_handle,
    .pixel_shader = d3d8_pixel_shader_handle,
};

static void device_destroyed(struct rt_device *device)
{
    d3d8_blocks_free((struct d3d8_device *)device);
    d3d8_shaders_free((struct d3d8_device *)device);
}

/* The handle of a vertex shader has D3DFVF_RESERVED0 (shader.c). */
static uint32_t current_fvf(const struct rt_device *device)
{
    const uint32_t shader = device->pipe.state.vertex_shader;

    return shader & D3DFVF_RESERVED0 ? 0 : shader;
}

static unsigned vertex_bytes(const struct rt_device *device)
{
    const uint32_t handle = device->pipe.state.vertex_shader;
    const struct d3d8_shader *shader = d3d8_shader_find((struct d3d8_device *)device, handle, false);

    return shader ? shader->vertex_bytes : dp2_fvf_size(handle);
}

static void vertex_use(const struct rt_device *device, struct rt_vertex_use *use)
{
    const uint32_t handle = device->pipe.state.vertex_shader;
    const struct d3d8_shader *shader = d3d8_shader_find((struct d3d8_device *)device, handle, false);
    const uint32_t fvf = shader ? shader->fvf : handle;

    use->has_shader = !fvf;
    use->in_pixels = !shader && (fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW;
    if (fvf & D3DFVF_PSIZE)
        use->size = (int)dp2_fvf_size(fvf & (D3DFVF_POSITION_MASK | D3DFVF_NORMAL));
}

#define IDS(name, ...) static const GUID *const name##_ids[] = {__VA_ARGS__, &IID_IUnknown, NULL}
IDS(surface, &IID_IDirect3DSurface8);
IDS(volume, &IID_IDirect3DVolume8);
IDS(texture, &IID_IDirect3DTexture8, &IID_IDirect3DBaseTexture8, &IID_IDirect3DResource8);
IDS(cube_texture, &IID_IDirect3DCubeTexture8, &IID_IDirect3DBaseTexture8, &IID_IDirect3DResource8);
IDS(volume_texture, &IID_IDirect3DVolumeTexture8, &IID_IDirect3DBaseTexture8, &IID_IDirect3DResource8);
IDS(vertex_buffer, &IID_IDirect3DVertexBuffer8, &IID_IDirect3DResource8);
IDS(index_buffer, &IID_IDirect3DIndexBuffer8, &IID_IDirect3DResource8);
IDS(swapchain, &IID_IDirect3DSwapChain8);

const struct rt_api d3d8_api = {
    .interfaces =
        {
            [RT_KIND_SURFACE] = {&d3d8_surface_vtbl, surface_ids},
            [RT_KIND_VOLUME] = {&d3d8_volume_vtbl, volume_ids},
            [RT_KIND_TEXTURE] = {&d3d8_texture_vtbl, texture_ids},
            [RT_KIND_CUBE_TEXTURE] = {&d3d8_cube_texture_vtbl, cube_texture_ids},
            [RT_KIND_VOLUME_TEXTURE] = {&d3d8_volume_texture_vtbl, volume_texture_ids},
            [RT_KIND_VERTEX_BUFFER] = {&d3d8_vertex_buffer_vtbl, vertex_buffer_ids},
            [RT_KIND_INDEX_BUFFER] = {&d3d8_index_buffer_vtbl, index_buffer_ids},
            [RT_KIND_SWAPCHAIN] = {&d3d8_swapchain_vtbl, swapchain_ids},
        },
    .traced = d3d8_traced,
    .state_rules = &d3d8_state_rules,
    .state_ops = &state_ops,
    .context_created = d3d8_shaders_resend,
    .context_lost = d3d8_blocks_lost,
    .device_destroyed = device_destroyed,
    .current_fvf = current_fvf,
    .vertex_use = vertex_use,
    .vertex_bytes = vertex_bytes,
    /* Levels of plain 2D textures outside the default pool take any rectangle, as the original did. */
    .lock_rules[RT_LOCKABLE_LEVEL] = RT_LOCK_ANY_RECT | RT_LOCK_SECOND_KEEPS_OUT | RT_LOCK_UNLOCK_ANYTIME,
    .window_policy = RT_WINDOW_STRIP,
    .reset_refused = D3DERR_DEVICELOST,
    .viewport_must_fit = true,
    .checks_lights = true,
    .present_needs_window = true,
    .max_back_buffers = 3,
};
