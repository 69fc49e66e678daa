/* SPDX-License-Identifier: MIT */
/* IDirect3DDevice8: states, bindings, state blocks and palettes. While a block is recorded, setters
 * fill it instead of the device. */
#include "runtime/d3d8/device_methods.h"

/* --- transforms, viewport, material, lights, planes ------------------------------------ */

HRESULT WINAPI d3d8_device_SetTransform(IDirect3DDevice8 *iface, D3DTRANSFORMSTATETYPE type,
                                        const D3DMATRIX *matrix)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    int index = rt_transform_index((uint32_t)type);
    RT_LOCK(&device->base);

    if (index < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.transform[index] = *matrix;
        rt_mask_set(device->recording->mask.transform, (unsigned)index);
    } else {
        rt_set_transform(&device->pipe, index, matrix);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTransform(IDirect3DDevice8 *iface, D3DTRANSFORMSTATETYPE type,
                                        D3DMATRIX *matrix)
{
    RT_LOCK(&d3d8_device_of(iface)->base);
    int index = rt_transform_index((uint32_t)type);

    if (index < 0 || !matrix || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *matrix = d3d8_device_of(iface)->pipe.state.transform[index];
    return D3D_OK;
}

/* Never recorded: it goes to the device even inside BeginStateBlock. */
HRESULT WINAPI d3d8_device_MultiplyTransform(IDirect3DDevice8 *iface, D3DTRANSFORMSTATETYPE type,
                                             const D3DMATRIX *matrix)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    int index = rt_transform_index((uint32_t)type);
    D3DMATRIX product;
    RT_LOCK(&device->base);

    if (index < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++) {
            const D3DMATRIX *now = &device->pipe.state.transform[index];
            product.m[i][j] = matrix->m[i][0] * now->m[0][j] + matrix->m[i][1] * now->m[1][j] +
                              matrix->m[i][2] * now->m[2][j] + matrix->m[i][3] * now->m[3][j];
        }
    }
    rt_set_transform(&device->pipe, index, &product);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetViewport(IDirect3DDevice8 *iface, const D3DVIEWPORT8 *viewport)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!viewport)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.viewport = *viewport;
        device->recording->mask.viewport = true;
        return D3D_OK;
    }
    if (device->target && ((uint64_t)viewport->X + viewport->Width > device->target->desc.Width ||
                           (uint64_t)viewport->Y + viewport->Height > device->target->desc.Height))
        return D3DERR_INVALIDCALL;
    rt_set_viewport(&device->pipe, viewport);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetViewport(IDirect3DDevice8 *iface, D3DVIEWPORT8 *viewport)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!viewport)
        return D3DERR_INVALIDCALL;
    *viewport = d3d8_device_of(iface)->pipe.state.viewport;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetMaterial(IDirect3DDevice8 *iface, const D3DMATERIAL8 *material)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!material)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.material = *material;
        device->recording->mask.material = true;
    } else {
        rt_set_material(&device->pipe, material);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetMaterial(IDirect3DDevice8 *iface, D3DMATERIAL8 *material)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!material || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *material = d3d8_device_of(iface)->pipe.state.material;
    return D3D_OK;
}

static bool light_is_valid(const D3DLIGHT8 *light)
{
    if (!light || light->Type < D3DLIGHT_POINT || light->Type > D3DLIGHT_DIRECTIONAL)
        return false;
    return light->Type == D3DLIGHT_DIRECTIONAL ||
           (light->Attenuation0 >= 0.0f && light->Attenuation1 >= 0.0f &&
            light->Attenuation2 >= 0.0f);
}

HRESULT WINAPI d3d8_device_SetLight(IDirect3DDevice8 *iface, DWORD index, const D3DLIGHT8 *light)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_light *recorded;
    RT_LOCK(&device->base);

    if (!light_is_valid(light))
        return D3DERR_INVALIDCALL;
    if (!device->recording)
        return rt_set_light(&device->pipe, index, light) ? D3D_OK : E_OUTOFMEMORY;
    recorded = rt_light_make(&device->recording->state, index);
    if (!recorded)
        return E_OUTOFMEMORY;
    recorded->light = *light;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetLight(IDirect3DDevice8 *iface, DWORD index, D3DLIGHT8 *light)
{
    RT_LOCK(&d3d8_device_of(iface)->base);
    const struct rt_light *found = rt_light_find(&d3d8_device_of(iface)->pipe.state, index);

    if (!found || !light || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *light = found->light;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_LightEnable(IDirect3DDevice8 *iface, DWORD index, BOOL enable)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_light *recorded;
    RT_LOCK(&device->base);

    if (!device->recording)
        return rt_enable_light(&device->pipe, index, enable) ? D3D_OK : E_OUTOFMEMORY;
    recorded = rt_light_make(&device->recording->state, index);
    if (!recorded)
        return E_OUTOFMEMORY;
    recorded->enabled = enable;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetLightEnable(IDirect3DDevice8 *iface, DWORD index, BOOL *enable)
{
    RT_LOCK(&d3d8_device_of(iface)->base);
    const struct rt_light *found = rt_light_find(&d3d8_device_of(iface)->pipe.state, index);

    if (!found || !enable || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *enable = found->enabled ? 128 : 0; /* the original's idea of TRUE */
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetClipPlane(IDirect3DDevice8 *iface, DWORD index, const float *plane)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (index >= RT_CLIP_PLANES || !plane)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        memcpy(device->recording->state.plane[index], plane, 16);
        device->recording->mask.planes |= 1u << index;
    } else {
        rt_set_clip_plane(&device->pipe, index, plane);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetClipPlane(IDirect3DDevice8 *iface, DWORD index, float *plane)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (index >= RT_CLIP_PLANES || !plane || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    memcpy(plane, d3d8_device_of(iface)->pipe.state.plane[index], 16);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetClipStatus(IDirect3DDevice8 *iface, const D3DCLIPSTATUS8 *status)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!status)
        return D3DERR_INVALIDCALL;
    d3d8_device_of(iface)->clip_status = *status;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetClipStatus(IDirect3DDevice8 *iface, D3DCLIPSTATUS8 *status)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!status || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *status = d3d8_device_of(iface)->clip_status;
    return D3D_OK;
}

/* --- render and stage states ----------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetRenderState(IDirect3DDevice8 *iface, D3DRENDERSTATETYPE state,
                                          DWORD value)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if ((unsigned)state >= RT_RENDER_STATES)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.render[state] = value;
        rt_mask_set(device->recording->mask.render, state);
    } else {
        rt_set_render_state(&device->pipe, state, value);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetRenderState(IDirect3DDevice8 *iface, D3DRENDERSTATETYPE state,
                                          DWORD *value)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if ((unsigned)state >= RT_RENDER_STATES || !value || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *value = d3d8_device_of(iface)->pipe.state.render[state];
    return D3D_OK;
}

static bool is_stage_state(unsigned type)
{
    return type >= D3DTSS_COLOROP && type <= D3DTSS_RESULTARG;
}

HRESULT WINAPI d3d8_device_SetTextureStageState(IDirect3DDevice8 *iface, DWORD stage,
                                                D3DTEXTURESTAGESTATETYPE type, DWORD value)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!is_stage_state(type))
        return D3DERR_INVALIDCALL;
    if (stage >= RT_STAGES) /* the original does not complain */
        return D3D_OK;
    if (device->recording) {
        device->recording->state.stage[stage][type] = value;
        device->recording->mask.stage[stage] |= 1u << type;
    } else {
        rt_set_stage_state(&device->pipe, stage, type, value);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTextureStageState(IDirect3DDevice8 *iface, DWORD stage,
                                                D3DTEXTURESTAGESTATETYPE type, DWORD *value)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!is_stage_state(type) || !value || d3d8_device_is_pure(iface))
        return D3DERR_INVALIDCALL;
    *value = stage < RT_STAGES ? d3d8_device_of(iface)->pipe.state.stage[stage][type] : 0;
    return D3D_OK;
}

/* --- bindings -------------------------------------------------------------------------- */

HRESULT WINAPI d3d8_device_SetTexture(IDirect3DDevice8 *iface, DWORD stage,
                                      IDirect3DBaseTexture8 *base)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_texture *texture = d3d8_texture_of(base);
    struct rt_resource *resource = texture ? &texture->res : NULL;
    RT_LOCK(&device->base);

    if (stage >= RT_STAGES)
        return D3D_OK;
    if (texture && texture->device != device)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        rt_bind_resource(&device->recording->state.texture[stage], resource);
        device->recording->mask.textures |= 1u << stage;
    } else {
        rt_set_texture(&device->pipe, stage, resource);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetTexture(IDirect3DDevice8 *iface, DWORD stage,
                                      IDirect3DBaseTexture8 **out)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_resource *resource;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    *out = NULL;
    resource = stage < RT_STAGES ? device->pipe.state.texture[stage] : NULL;
    if (resource) {
        *out = &D3D8_FROM_RES(d3d8_texture, resource)->iface.base;
        rt_resource_addref(resource);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetStreamSource(IDirect3DDevice8 *iface, UINT stream,
                                           IDirect3DVertexBuffer8 *vertices, UINT stride)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_buffer *buffer = d3d8_buffer_of(vertices);
    struct rt_state *state;
    struct rt_resource *resource = buffer ? &buffer->res : NULL;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || (buffer && buffer->device != device))
        return D3DERR_INVALIDCALL;
    state = device->recording ? &device->recording->state : &device->pipe.state;
    if (!buffer) /* unbinding leaves the stride */
        stride = state->stream[stream].stride;
    if (device->recording) {
        rt_bind_resource(&state->stream[stream].buffer, resource);
        state->stream[stream].stride = stride;
        device->recording->mask.streams |= 1u << stream;
    } else {
        rt_set_stream(&device->pipe, stream, resource, stride);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetStreamSource(IDirect3DDevice8 *iface, UINT stream,
                                           IDirect3DVertexBuffer8 **out, UINT *stride)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    const struct rt_stream *bound;
    RT_LOCK(&device->base);

    if (stream >= RT_STREAMS || !out)
        return D3DERR_INVALIDCALL;
    bound = &device->pipe.state.stream[stream];
    *out = NULL;
    if (bound->buffer) {
        *out = &D3D8_FROM_RES(d3d8_buffer, bound->buffer)->iface.vertex;
        rt_resource_addref(bound->buffer);
    }
    if (stride)
        *stride = bound->stride;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 *indices,
                                      UINT base_vertex)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_buffer *buffer = d3d8_buffer_of(indices);
    struct rt_resource *resource = buffer ? &buffer->res : NULL;
    RT_LOCK(&device->base);

    if (buffer && buffer->device != device)
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        rt_bind_resource(&device->recording->state.indices, resource);
        device->recording->state.base_vertex = base_vertex;
        device->recording->mask.indices = true;
    } else {
        rt_set_indices(&device->pipe, resource, base_vertex);
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetIndices(IDirect3DDevice8 *iface, IDirect3DIndexBuffer8 **out,
                                      UINT *base_vertex)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct rt_resource *bound;
    RT_LOCK(&device->base);

    if (!out)
        return D3DERR_INVALIDCALL;
    bound = device->pipe.state.indices;
    *out = NULL;
    if (bound) {
        *out = &D3D8_FROM_RES(d3d8_buffer, bound)->iface.index;
        rt_resource_addref(bound);
    }
    if (base_vertex)
        *base_vertex = device->pipe.state.base_vertex;
    return D3D_OK;
}

/* --- state blocks ---------------------------------------------------------------------- */

static HRESULT add_block(struct d3d8_device *device, struct rt_block *block, DWORD *token)
{
    unsigned slot = 0;

    while (slot < device->block_count && device->blocks[slot])
        slot++;
    if (slot == device->block_count) {
        unsigned count = device->block_count ? device->block_count * 2 : 16;
        struct rt_block **blocks = mem_realloc(device->blocks, count, sizeof(*blocks));
        if (!blocks) {
            rt_block_destroy(block);
            return E_OUTOFMEMORY;
        }
        memset(blocks + device->block_count, 0, (count - device->block_count) * sizeof(*blocks));
        device->blocks = blocks;
        device->block_count = count;
    }
    device->blocks[slot] = block;
    *token = slot + 1;
    return D3D_OK;
}

static struct rt_block *find_block(const struct d3d8_device *device, DWORD token)
{
    return token && token <= device->block_count ? device->blocks[token - 1] : NULL;
}

void d3d8_blocks_free(struct d3d8_device *device)
{
    for (unsigned i = 0; i < device->block_count; i++) {
        if (device->blocks[i])
            rt_block_destroy(device->blocks[i]);
    }
    free(device->blocks);
    device->blocks = NULL;
    device->block_count = 0;
}

HRESULT WINAPI d3d8_device_BeginStateBlock(IDirect3DDevice8 *iface)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (device->recording)
        return D3DERR_INVALIDCALL;
    device->recording = rt_block_create(RT_BLOCK_RECORDED, &device->pipe.state);
    return device->recording ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_EndStateBlock(IDirect3DDevice8 *iface, DWORD *token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = device->recording;

    if (!block || !token)
        return D3DERR_INVALIDCALL;
    device->recording = NULL;
    return add_block(device, block, token);
}

HRESULT WINAPI d3d8_device_ApplyStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = find_block(device, token);

    if (device->recording)
        return D3DERR_INVALIDCALL;
    if (!token)
        return D3D_OK;
    if (!block)
        return D3DERR_INVALIDCALL;
    if (block->mask.vertex_shader)
        d3d8_load_declared_constants(device, block->state.vertex_shader);
    return rt_block_apply(block, &device->pipe) ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_CaptureStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = find_block(device, token);

    if (device->recording || !block)
        return D3DERR_INVALIDCALL;
    return rt_block_capture(block, &device->pipe.state) ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT WINAPI d3d8_device_DeleteStateBlock(IDirect3DDevice8 *iface, DWORD token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);
    struct rt_block *block = find_block(device, token);

    if (device->recording || !block)
        return D3DERR_INVALIDCALL;
    device->blocks[token - 1] = NULL;
    rt_block_destroy(block);
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_CreateStateBlock(IDirect3DDevice8 *iface, D3DSTATEBLOCKTYPE type,
                                            DWORD *token)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    enum rt_block_type block_type;
    struct rt_block *block;
    RT_LOCK(&device->base);

    if (device->recording || !token)
        return D3DERR_INVALIDCALL;
    if (type == D3DSBT_ALL)
        block_type = RT_BLOCK_ALL;
    else if (type == D3DSBT_PIXELSTATE)
        block_type = RT_BLOCK_PIXEL;
    else if (type == D3DSBT_VERTEXSTATE)
        block_type = RT_BLOCK_VERTEX;
    else
        return D3DERR_INVALIDCALL;
    block = rt_block_create(block_type, &device->pipe.state);
    return block ? add_block(device, block, token) : E_OUTOFMEMORY;
}

/* --- palettes -------------------------------------------------------------------------- */

static struct d3d8_palette *find_palette(const struct d3d8_device *device, UINT number)
{
    for (unsigned i = 0; i < device->palette_count; i++) {
        if (device->palettes[i]->number == number)
            return device->palettes[i];
    }
    return NULL;
}

static struct d3d8_palette *make_palette(struct d3d8_device *device, UINT number)
{
    struct d3d8_palette *palette = find_palette(device, number), **palettes;

    if (palette)
        return palette;
    palettes = mem_realloc(device->palettes, device->palette_count + 1, sizeof(*palettes));
    if (!palettes)
        return NULL;
    device->palettes = palettes;
    palette = mem_calloc(1, sizeof(*palette));
    if (!palette)
        return NULL;
    palette->number = number;
    palettes[device->palette_count++] = palette;
    return palette;
}

HRESULT WINAPI d3d8_device_SetPaletteEntries(IDirect3DDevice8 *iface, UINT number,
                                             const PALETTEENTRY *entries)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    struct d3d8_palette *palette;
    RT_LOCK(&device->base);

    if (number > 0xffff || !entries)
        return D3DERR_INVALIDCALL;
    for (unsigned i = 0; i < 256 && !(device->caps.TextureCaps & D3DPTEXTURECAPS_ALPHAPALETTE);
         i++) {
        if (entries[i].peFlags != 0xff)
            return D3DERR_INVALIDCALL;
    }
    palette = make_palette(device, number);
    if (!palette)
        return E_OUTOFMEMORY;
    memcpy(palette->entries, entries, sizeof(palette->entries));
    palette->stale = true;
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetPaletteEntries(IDirect3DDevice8 *iface, UINT number,
                                             PALETTEENTRY *entries)
{
    RT_LOCK(&d3d8_device_of(iface)->base);
    const struct d3d8_palette *palette = find_palette(d3d8_device_of(iface), number);

    if (!palette || !entries)
        return D3DERR_INVALIDCALL;
    memcpy(entries, palette->entries, sizeof(palette->entries));
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_SetCurrentTexturePalette(IDirect3DDevice8 *iface, UINT number)
{
    struct d3d8_device *device = d3d8_device_of(iface);
    RT_LOCK(&device->base);

    if (!find_palette(device, number))
        return D3DERR_INVALIDCALL;
    if (device->recording) {
        device->recording->state.palette = number;
        device->recording->mask.palette = true;
    } else {
        device->pipe.state.palette = number;
    }
    return D3D_OK;
}

HRESULT WINAPI d3d8_device_GetCurrentTexturePalette(IDirect3DDevice8 *iface, UINT *number)
{
    RT_LOCK(&d3d8_device_of(iface)->base);

    if (!number)
        return D3DERR_INVALIDCALL;
    *number = d3d8_device_of(iface)->pipe.state.palette;
    return D3D_OK;
}

static void send_palette(struct d3d8_device *device, struct d3d8_palette *palette)
{
    struct {
        D3DHAL_DP2UPDATEPALETTE head;
        PALETTEENTRY entries[256];
    } body = {{palette->number + 1, 0, 256}, {{0, 0, 0, 0}}};

    memcpy(body.entries, palette->entries, sizeof(body.entries));
    rt_put(device->link, D3DDP2OP_UPDATEPALETTE, 1, &body, sizeof(body));
    palette->stale = false;
}

/* Direct3D has one current palette for all textures; the driver one per texture. */
void d3d8_palettes_prepare(struct d3d8_device *device)
{
    struct d3d8_palette *palette = find_palette(device, device->pipe.state.palette);

    if (!palette)
        return;
    for (unsigned i = 0; i < RT_STAGES; i++) {
        struct rt_resource *resource = device->pipe.state.texture[i];
        struct d3d8_texture *texture;
        D3DHAL_DP2SETPALETTE body = {palette->number + 1, 0x1 | 0x200 | 0x2000, 0};
        if (!resource)
            continue;
        texture = D3D8_FROM_RES(d3d8_texture, resource);
        if (!(rt_format_info(texture->format)->flags & RT_FORMAT_PALETTE))
            continue;
        if (texture->palette != palette->number + 1) {
            body.dwSurfaceHandle = rt_chain_handle(texture->video, 0);
            rt_put(device->link, D3DDP2OP_SETPALETTE, 1, &body, sizeof(body));
            texture->palette = palette->number + 1;
        }
        if (palette->stale)
            send_palette(device, palette);
    }
}
