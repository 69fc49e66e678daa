/* SPDX-License-Identifier: MIT */
/* Random calls of the device: bindings, states, constants, draws, copies, presenting. */
#include "tests/runtime/fuzz9.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

/* --- bindings -------------------------------------------------------------------------------- */

static void set_texture(struct fuzz_device *d)
{
    IDirect3DDevice9_SetTexture(d->iface,
                                rnd(3)   ? rnd(4)
                                : evil() ? odd_dword()
                                : rnd(2) ? rnd(16)
                                         : D3DDMAPSAMPLER + rnd(5),
                                fuzz_any_texture());
}

static void set_stream(struct fuzz_device *d)
{
    static const UINT strides[] = {0, 4, 12, 16, 20, 24, 32};

    IDirect3DDevice9_SetStreamSource(d->iface, some(3), fuzz_any(FUZZ_VERTICES),
                                     rnd(3)   ? 0
                                     : evil() ? odd_dword()
                                              : 4 * rnd(64),
                                     evil() ? odd_dword() : strides[rnd(COUNT(strides))]);
}

static void set_frequency(struct fuzz_device *d)
{
    UINT value = rnd(2)   ? 1
                 : rnd(2) ? D3DSTREAMSOURCE_INDEXEDDATA | rnd(5)
                 : evil() ? odd_dword()
                          : D3DSTREAMSOURCE_INSTANCEDATA | rnd(3);

    IDirect3DDevice9_SetStreamSourceFreq(d->iface, some(3), value);
}

static void set_indices(struct fuzz_device *d)
{
    IDirect3DDevice9_SetIndices(d->iface, fuzz_any(FUZZ_INDICES));
}

static void set_format(struct fuzz_device *d)
{
    static const DWORD formats[] = {D3DFVF_XYZ,
                                    D3DFVF_XYZRHW,
                                    D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1,
                                    D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1,
                                    D3DFVF_XYZW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR,
                                    D3DFVF_XYZB3 | D3DFVF_LASTBETA_UBYTE4 | D3DFVF_TEX2,
                                    D3DFVF_XYZ | D3DFVF_PSIZE | D3DFVF_DIFFUSE};

    if (rnd(2))
        IDirect3DDevice9_SetFVF(d->iface, evil() ? odd_dword() : formats[rnd(COUNT(formats))]);
    else
        IDirect3DDevice9_SetVertexDeclaration(d->iface, fuzz_any(FUZZ_DECLARATION));
}

static void set_shaders(struct fuzz_device *d)
{
    if (rnd(2))
        IDirect3DDevice9_SetVertexShader(d->iface, rnd(3) ? fuzz_any(FUZZ_VERTEX_SHADER) : NULL);
    else
        IDirect3DDevice9_SetPixelShader(d->iface, rnd(3) ? fuzz_any(FUZZ_PIXEL_SHADER) : NULL);
}

static void set_target(struct fuzz_device *d)
{
    IDirect3DDevice9_SetRenderTarget(d->iface, rnd(3) ? 0 : some(4), fuzz_any(FUZZ_SURFACE));
}

static void set_depth(struct fuzz_device *d)
{
    IDirect3DDevice9_SetDepthStencilSurface(d->iface, rnd(3) ? fuzz_any(FUZZ_SURFACE) : NULL);
}

static void get_bound(struct fuzz_device *d)
{
    IDirect3DSurface9 *surface = NULL;
    IDirect3DBaseTexture9 *texture = NULL;
    IDirect3DVertexBuffer9 *vertices = NULL;
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DSwapChain9 *chain = NULL;
    UINT offset, stride;

    switch (rnd(7)) {
    case 0:
        IDirect3DDevice9_GetRenderTarget(d->iface, some(4), &surface);
        break;
    case 1:
        IDirect3DDevice9_GetDepthStencilSurface(d->iface, evil() && !rnd(8) ? NULL : &surface);
        break;
    case 2:
        IDirect3DDevice9_GetBackBuffer(d->iface, some(2), some(2), (D3DBACKBUFFER_TYPE)some(2), &surface);
        break;
    case 3:
        if (SUCCEEDED(IDirect3DDevice9_GetTexture(d->iface, some(8), &texture)) && texture)
            IDirect3DBaseTexture9_Release(texture);
        break;
    case 4:
        if (SUCCEEDED(IDirect3DDevice9_GetStreamSource(d->iface, some(3), &vertices, &offset, &stride)) && vertices)
            IDirect3DVertexBuffer9_Release(vertices);
        break;
    case 5:
        if (SUCCEEDED(IDirect3DDevice9_GetVertexDeclaration(d->iface, &declaration)))
            fuzz_take(FUZZ_DECLARATION, declaration);
        break;
    default:
        if (SUCCEEDED(IDirect3DDevice9_GetSwapChain(d->iface, some(2), &chain)))
            fuzz_take(FUZZ_CHAIN, chain);
    }
    fuzz_take(FUZZ_SURFACE, surface);
}

/* --- states ------------------------------------------------------------------------------------- */

static DWORD state_value(void)
{
    const float f = some_float();
    DWORD bits;

    memcpy(&bits, &f, sizeof(bits));
    return rnd(3) ? rnd(9) : rnd(3) ? bits : odd_dword();
}

static void render_state(struct fuzz_device *d)
{
    static const D3DRENDERSTATETYPE usual[] = {D3DRS_ZENABLE,
                                               D3DRS_ALPHABLENDENABLE,
                                               D3DRS_SRCBLEND,
                                               D3DRS_DESTBLEND,
                                               D3DRS_CULLMODE,
                                               D3DRS_STENCILENABLE,
                                               D3DRS_TWOSIDEDSTENCILMODE,
                                               D3DRS_SCISSORTESTENABLE,
                                               D3DRS_SRGBWRITEENABLE,
                                               D3DRS_FILLMODE,
                                               D3DRS_POINTSPRITEENABLE,
                                               D3DRS_POINTSIZE,
                                               D3DRS_LIGHTING,
                                               D3DRS_FOGENABLE,
                                               D3DRS_FOGTABLEMODE,
                                               D3DRS_ALPHATESTENABLE,
                                               D3DRS_COLORWRITEENABLE,
                                               D3DRS_MULTISAMPLEMASK,
                                               D3DRS_ADAPTIVETESS_X,
                                               D3DRS_ADAPTIVETESS_Y,
                                               D3DRS_DEPTHBIAS,
                                               D3DRS_CLIPPLANEENABLE};

    for (unsigned i = 1 + rnd(4); i; i--)
        IDirect3DDevice9_SetRenderState(d->iface, rnd(3) ? usual[rnd(COUNT(usual))] : (D3DRENDERSTATETYPE)some(256),
                                        state_value());
}

static void sampler_state(struct fuzz_device *d)
{
    for (unsigned i = 1 + rnd(4); i; i--)
        if (rnd(2))
            IDirect3DDevice9_SetSamplerState(d->iface, some(16), (D3DSAMPLERSTATETYPE)some(14), state_value());
        else
            IDirect3DDevice9_SetTextureStageState(d->iface, some(8), (D3DTEXTURESTAGESTATETYPE)some(33), state_value());
}

static void get_states(struct fuzz_device *d)
{
    DWORD value;
    D3DMATRIX matrix;
    D3DVIEWPORT9 viewport;
    float plane[4];

    IDirect3DDevice9_GetRenderState(d->iface, (D3DRENDERSTATETYPE)some(256), &value);
    IDirect3DDevice9_GetSamplerState(d->iface, some(16), (D3DSAMPLERSTATETYPE)some(14), &value);
    IDirect3DDevice9_GetTextureStageState(d->iface, some(8), (D3DTEXTURESTAGESTATETYPE)some(33), &value);
    IDirect3DDevice9_GetTransform(d->iface, (D3DTRANSFORMSTATETYPE)some(512), &matrix);
    IDirect3DDevice9_GetViewport(d->iface, &viewport);
    IDirect3DDevice9_GetClipPlane(d->iface, some(6), plane);
    IDirect3DDevice9_GetNPatchMode(d->iface);
    IDirect3DDevice9_GetFVF(d->iface, &value);
}

static void transform(struct fuzz_device *d)
{
    D3DMATRIX *matrix = some_memory(sizeof(*matrix));
    D3DMATRIX plain = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
    D3DTRANSFORMSTATETYPE type = (D3DTRANSFORMSTATETYPE)(rnd(2) ? 2 + rnd(2) : some(300));

    if (matrix && rnd(2))
        matrix = &plain;
    if (rnd(4))
        IDirect3DDevice9_SetTransform(d->iface, type, matrix);
    else
        IDirect3DDevice9_MultiplyTransform(d->iface, type, matrix);
}

static void light(struct fuzz_device *d)
{
    D3DLIGHT9 *given = some_memory(sizeof(*given)), now;
    const DWORD index = rnd(8) ? rnd(12) : evil() ? odd_dword() : rnd(1000);
    D3DMATERIAL9 *material = some_memory(sizeof(*material));

    IDirect3DDevice9_SetLight(d->iface, index, given);
    IDirect3DDevice9_LightEnable(d->iface, index, rnd(2));
    IDirect3DDevice9_GetLight(d->iface, index, &now);
    IDirect3DDevice9_SetMaterial(d->iface, material);
}

static void rectangles(struct fuzz_device *d)
{
    D3DVIEWPORT9 viewport = {rnd(32), rnd(32), 1 + rnd(64), 1 + rnd(64), 0, 1};
    RECT rect = {(LONG)rnd(32), (LONG)rnd(32), (LONG)(32 + rnd(32)), (LONG)(32 + rnd(32))};

    if (evil())
        memcpy(&viewport, fuzz_memory + rnd(4096), sizeof(viewport));
    if (evil())
        memcpy(&rect, fuzz_memory + rnd(4096), sizeof(rect));
    IDirect3DDevice9_SetViewport(d->iface, evil() && !rnd(8) ? NULL : &viewport);
    IDirect3DDevice9_SetScissorRect(d->iface, evil() && !rnd(8) ? NULL : &rect);
    IDirect3DDevice9_SetClipPlane(d->iface, some(6), some_memory(16));
}

static void constants(struct fuzz_device *d)
{
    const UINT first = some(16), count = evil() ? rnd(5000) : rnd(16);
    void *data = some_memory((size_t)count * 16);
    uint8_t out[512 * 16];

    switch (rnd(8)) {
    case 0:
        IDirect3DDevice9_SetVertexShaderConstantF(d->iface, first, data, count);
        break;
    case 1:
        IDirect3DDevice9_SetVertexShaderConstantI(d->iface, first, data, count);
        break;
    case 2:
        IDirect3DDevice9_SetVertexShaderConstantB(d->iface, first, data, count);
        break;
    case 3:
        IDirect3DDevice9_SetPixelShaderConstantF(d->iface, first, data, count);
        break;
    case 4:
        IDirect3DDevice9_SetPixelShaderConstantI(d->iface, first, data, count);
        break;
    case 5:
        IDirect3DDevice9_SetPixelShaderConstantB(d->iface, first, data, count);
        break;
    case 6:
        IDirect3DDevice9_GetVertexShaderConstantF(d->iface, first, (float *)out, rnd(512));
        break;
    default:
        IDirect3DDevice9_GetPixelShaderConstantI(d->iface, first, (int *)out, rnd(512));
    }
}

static void palette(struct fuzz_device *d)
{
    PALETTEENTRY entries[256];

    IDirect3DDevice9_SetPaletteEntries(d->iface, rnd(8) ? rnd(4) : some(65536), some_memory(sizeof(entries)));
    IDirect3DDevice9_SetCurrentTexturePalette(d->iface, rnd(8) ? rnd(4) : some(65536));
    IDirect3DDevice9_GetPaletteEntries(d->iface, some(4), entries);
}

static void switches(struct fuzz_device *d)
{
    D3DGAMMARAMP ramp;

    switch (rnd(6)) {
    case 0:
        IDirect3DDevice9_SetSoftwareVertexProcessing(d->iface, rnd(2));
        break;
    case 1:
        IDirect3DDevice9_SetNPatchMode(d->iface, some_float());
        break;
    case 2:
        IDirect3DDevice9_EvictManagedResources(d->iface);
        break;
    case 3:
        IDirect3DDevice9_SetGammaRamp(d->iface, some(2), rnd(2), some_memory(sizeof(ramp)));
        break;
    case 4:
        IDirect3DDevice9_GetGammaRamp(d->iface, some(2), &ramp);
        break;
    default:
        IDirect3DDevice9_SetDialogBoxMode(d->iface, rnd(2));
    }
}

static void cursor(struct fuzz_device *d)
{
    IDirect3DDevice9_SetCursorProperties(d->iface, some(8), some(8), fuzz_any(FUZZ_SURFACE));
    IDirect3DDevice9_SetCursorPosition(d->iface, (int)some(100), (int)some(100), 0);
    IDirect3DDevice9_ShowCursor(d->iface, rnd(2));
}

static void ask(struct fuzz_device *d)
{
    D3DDEVICE_CREATION_PARAMETERS creation;
    D3DRASTER_STATUS raster;
    D3DDISPLAYMODE mode;
    D3DCAPS9 caps;
    DWORD passes;

    IDirect3DDevice9_TestCooperativeLevel(d->iface);
    IDirect3DDevice9_GetAvailableTextureMem(d->iface);
    IDirect3DDevice9_GetDeviceCaps(d->iface, evil() && !rnd(8) ? NULL : &caps);
    IDirect3DDevice9_GetDisplayMode(d->iface, some(2), evil() && !rnd(8) ? NULL : &mode);
    IDirect3DDevice9_GetCreationParameters(d->iface, evil() && !rnd(8) ? NULL : &creation);
    IDirect3DDevice9_GetRasterStatus(d->iface, some(2), evil() && !rnd(8) ? NULL : &raster);
    IDirect3DDevice9_ValidateDevice(d->iface, evil() && !rnd(8) ? NULL : &passes);
}

static void ask_adapter(struct fuzz_device *d)
{
    static const D3DFORMAT formats[] = {D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, D3DFMT_D24S8, D3DFMT_DXT1, D3DFMT_R5G6B5};
    const D3DFORMAT a = evil() ? (D3DFORMAT)odd_dword() : formats[rnd(COUNT(formats))];
    const D3DFORMAT b = evil() ? (D3DFORMAT)odd_dword() : formats[rnd(COUNT(formats))];
    const UINT adapter = some(1);
    IDirect3D9 *d3d = (IDirect3D9 *)d->d3d;
    D3DADAPTER_IDENTIFIER9 identifier;
    D3DDISPLAYMODE mode;
    DWORD qualities;

    IDirect3D9_GetAdapterIdentifier(d3d, adapter, odd_dword(), evil() && !rnd(8) ? NULL : &identifier);
    IDirect3D9_GetAdapterModeCount(d3d, adapter, a);
    IDirect3D9_EnumAdapterModes(d3d, adapter, a, some(8), evil() && !rnd(8) ? NULL : &mode);
    IDirect3D9_CheckDeviceType(d3d, adapter, (D3DDEVTYPE)some(4), a, b, rnd(2));
    IDirect3D9_CheckDeviceFormat(d3d, adapter, D3DDEVTYPE_HAL, a, odd_dword(), (D3DRESOURCETYPE)some(8), b);
    IDirect3D9_CheckDeviceMultiSampleType(d3d, adapter, D3DDEVTYPE_HAL, a, rnd(2), (D3DMULTISAMPLE_TYPE)some(17),
                                          rnd(2) ? NULL : &qualities);
    IDirect3D9_CheckDepthStencilMatch(d3d, adapter, D3DDEVTYPE_HAL, a, b, a);
    IDirect3D9_CheckDeviceFormatConversion(d3d, adapter, D3DDEVTYPE_HAL, a, b);
    IDirect3D9_GetAdapterMonitor(d3d, adapter);
}

static void ex_calls(struct fuzz_device *d)
{
    IDirect3DResource9 *resources[3] = {fuzz_any(FUZZ_TEXTURE), fuzz_any(FUZZ_VERTICES), NULL};
    D3DDISPLAYMODEEX mode = {.Size = evil() ? odd_dword() : sizeof(mode)};
    D3DDISPLAYROTATION rotation;
    UINT latency;
    INT priority;

    if (!d->ex)
        return;
    IDirect3DDevice9Ex_CheckDeviceState(d->iface, rnd(2) ? NULL : fuzz_any_window());
    IDirect3DDevice9Ex_SetMaximumFrameLatency(d->iface, some(30));
    IDirect3DDevice9Ex_GetMaximumFrameLatency(d->iface, evil() && !rnd(8) ? NULL : &latency);
    IDirect3DDevice9Ex_SetGPUThreadPriority(d->iface, (INT)some(10) - 5);
    IDirect3DDevice9Ex_GetGPUThreadPriority(d->iface, evil() && !rnd(8) ? NULL : &priority);
    IDirect3DDevice9Ex_GetDisplayModeEx(d->iface, some(2), evil() && !rnd(8) ? NULL : &mode, rnd(2) ? NULL : &rotation);
    if (resources[0] && resources[1])
        IDirect3DDevice9Ex_CheckResourceResidency(d->iface, resources, rnd(3));
    IDirect3DDevice9Ex_WaitForVBlank(d->iface, 3 + rnd(3));
    IDirect3DDevice9Ex_SetConvolutionMonoKernel(d->iface, rnd(4), rnd(4), (float *)fuzz_memory, (float *)fuzz_memory);
}

const struct fuzz_call fuzz_states[] = {
    {"SetTexture", 8, set_texture},
    {"SetStreamSource", 8, set_stream},
    {"SetStreamSourceFreq", 2, set_frequency},
    {"SetIndices", 4, set_indices},
    {"SetFVF or SetVertexDeclaration", 6, set_format},
    {"SetVertexShader or SetPixelShader", 6, set_shaders},
    {"SetRenderTarget", 6, set_target},
    {"SetDepthStencilSurface", 3, set_depth},
    {"what is bound", 3, get_bound},
    {"SetRenderState", 10, render_state},
    {"SetSamplerState or SetTextureStageState", 5, sampler_state},
    {"states", 1, get_states},
    {"SetTransform", 3, transform},
    {"SetLight", 2, light},
    {"SetViewport", 3, rectangles},
    {"constants", 5, constants},
    {"palettes", 1, palette},
    {"switches", 1, switches},
    {"cursor", 1, cursor},
    {"device", 1, ask},
    {"adapter", 1, ask_adapter},
    {"9Ex", 2, ex_calls},
};
const unsigned fuzz_state_count = COUNT(fuzz_states);

/* --- draws ------------------------------------------------------------------------------------------- */

static D3DPRIMITIVETYPE primitive(void)
{
    return (D3DPRIMITIVETYPE)(evil() && rnd(4) == 0 ? odd_dword() : 1 + rnd(6));
}

static UINT primitives(void)
{
    return evil() && rnd(4) == 0 ? odd_dword() : rnd(8) ? rnd(20) : rnd(3000);
}

static void scene(struct fuzz_device *d)
{
    if (rnd(3))
        IDirect3DDevice9_BeginScene(d->iface);
    else
        IDirect3DDevice9_EndScene(d->iface);
}

static void clear(struct fuzz_device *d)
{
    D3DRECT rects[4];

    memcpy(rects, fuzz_memory + rnd(4096), sizeof(rects));
    if (rnd(4))
        rects[0] = (D3DRECT){0, 0, 10 + (LONG)rnd(20), 10 + (LONG)rnd(20)};
    IDirect3DDevice9_Clear(d->iface, rnd(2) ? 0 : rnd(4), rnd(2) ? NULL : rects, rnd(8) ? 1 + rnd(7) : odd_dword(),
                           rnd32(), rnd(4) ? 1.0f : some_float(), rnd32());
}

/* The states that draws need, so that not all draws are refused or invisible. */
static void make_drawable(struct fuzz_device *d)
{
    IDirect3DSurface9 *target = NULL;

    IDirect3DDevice9_CreateRenderTarget(d->iface, 64, 64, D3DFMT_A8R8G8B8,
                                        rnd(4) ? D3DMULTISAMPLE_NONE : D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &target,
                                        NULL);
    for (unsigned i = 1; i < 4; i++)
        IDirect3DDevice9_SetRenderTarget(d->iface, i, NULL);
    if (target)
        IDirect3DDevice9_SetRenderTarget(d->iface, 0, target);
    fuzz_take(FUZZ_SURFACE, target);
    IDirect3DDevice9_SetDepthStencilSurface(d->iface, NULL);
    IDirect3DDevice9_SetRenderState(d->iface, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetRenderState(d->iface, D3DRS_COLORWRITEENABLE, 0xf);
    IDirect3DDevice9_SetRenderState(d->iface, D3DRS_SCISSORTESTENABLE, FALSE);
    IDirect3DDevice9_SetVertexShader(d->iface, NULL);
    IDirect3DDevice9_SetPixelShader(d->iface, NULL);
    IDirect3DDevice9_SetFVF(d->iface, D3DFVF_XYZRHW | (rnd(2) ? D3DFVF_TEX1 : D3DFVF_DIFFUSE));
    IDirect3DDevice9_BeginScene(d->iface);
}

static void begin_scene(struct fuzz_device *d)
{
    if (rnd(2))
        IDirect3DDevice9_BeginScene(d->iface);
}

static void draw(struct fuzz_device *d)
{
    begin_scene(d);
    IDirect3DDevice9_DrawPrimitive(d->iface, primitive(), evil() ? odd_dword() : rnd(10), primitives());
}

static void draw_indexed(struct fuzz_device *d)
{
    begin_scene(d);
    IDirect3DDevice9_DrawIndexedPrimitive(d->iface, primitive(), evil() ? (INT)odd_dword() : (INT)rnd(10) - 2,
                                          evil() ? odd_dword() : rnd(10), evil() ? odd_dword() : rnd(100),
                                          evil() ? odd_dword() : rnd(20), primitives());
}

/* As many as there is memory for. */
static void draw_user(struct fuzz_device *d)
{
    const UINT stride = evil() && rnd(4) == 0 ? rnd(300) : 4 * (3 + rnd(8));
    const UINT most = (FUZZ_MEMORY - 4096) / (3 * (stride ? stride : 1)) - 3;
    UINT count = primitives();

    count = count > most ? most : count;
    begin_scene(d);
    IDirect3DDevice9_DrawPrimitiveUP(d->iface, primitive(), count,
                                     evil() && !rnd(8) ? NULL : fuzz_memory + 4 * rnd(1000), stride);
}

static void draw_indexed_user(struct fuzz_device *d)
{
    const UINT stride = 4 * (3 + rnd(8)), vertices = rnd(2) ? 1 + rnd(100) : rnd(20000),
               first = evil() ? rnd(5000) : rnd(10);
    const D3DFORMAT format = evil() ? (D3DFORMAT)odd_dword() : rnd(2) ? D3DFMT_INDEX16 : D3DFMT_INDEX32;
    UINT count = primitives();

    count = count > 100000 ? 100000 : count;
    begin_scene(d);
    IDirect3DDevice9_DrawIndexedPrimitiveUP(d->iface, primitive(), first, vertices, count,
                                            evil() && !rnd(8) ? NULL : fuzz_memory + FUZZ_MEMORY / 2, format,
                                            evil() && !rnd(8) ? NULL : fuzz_memory + 4 * rnd(1000), stride);
}

static void patch(struct fuzz_device *d)
{
    D3DRECTPATCH_INFO rect = {0, 0, 4, 4, 4, (D3DBASISTYPE)rnd(3), D3DDEGREE_CUBIC};
    D3DTRIPATCH_INFO tri = {0, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
    float segments[4] = {1 + (float)rnd(4), 2, 2, 1 + (float)rnd(4)};

    if (evil())
        memcpy(rnd(2) ? (void *)&rect : (void *)&tri, fuzz_memory + rnd(4096), sizeof(tri));
    if (evil())
        memcpy(segments, fuzz_memory + rnd(4096), sizeof(segments));
    if (rnd(2))
        IDirect3DDevice9_DrawRectPatch(d->iface, some(3), rnd(4) ? segments : NULL, rnd(4) ? &rect : NULL);
    else
        IDirect3DDevice9_DrawTriPatch(d->iface, some(3), rnd(4) ? segments : NULL, rnd(4) ? &tri : NULL);
    if (rnd(4) == 0)
        IDirect3DDevice9_DeletePatch(d->iface, some(3));
}

static void process(struct fuzz_device *d)
{
    IDirect3DDevice9_ProcessVertices(d->iface, evil() ? odd_dword() : rnd(10), evil() ? odd_dword() : rnd(10),
                                     evil() ? odd_dword() : rnd(50), fuzz_any(FUZZ_VERTICES),
                                     fuzz_any(FUZZ_DECLARATION), rnd(2) ? 0 : odd_dword());
}

/* --- copies -------------------------------------------------------------------------------------------- */

static RECT *some_rect(RECT *place)
{
    *place = (RECT){(LONG)rnd(8), (LONG)rnd(8), (LONG)(8 + rnd(24)), (LONG)(8 + rnd(24))};
    if (evil())
        memcpy(place, fuzz_memory + rnd(4096), sizeof(*place));
    return rnd(2) ? place : NULL;
}

static void stretch(struct fuzz_device *d)
{
    RECT from, to;

    IDirect3DDevice9_StretchRect(d->iface, fuzz_any(FUZZ_SURFACE), some_rect(&from), fuzz_any(FUZZ_SURFACE),
                                 some_rect(&to), (D3DTEXTUREFILTERTYPE)some(4));
}

static void update_surface(struct fuzz_device *d)
{
    POINT point = {(LONG)some(8), (LONG)some(8)};
    RECT rect;

    IDirect3DDevice9_UpdateSurface(d->iface, fuzz_any(FUZZ_SURFACE), some_rect(&rect), fuzz_any(FUZZ_SURFACE),
                                   rnd(2) ? &point : NULL);
}

static void update_texture(struct fuzz_device *d)
{
    IDirect3DDevice9_UpdateTexture(d->iface, fuzz_any_texture(), fuzz_any_texture());
}

static void target_data(struct fuzz_device *d)
{
    IDirect3DSurface9 *target = NULL, *to = NULL;
    D3DSURFACE_DESC desc;

    if (rnd(2)) { /* of the right size and format */
        if (FAILED(IDirect3DDevice9_GetRenderTarget(d->iface, 0, &target)))
            return;
        IDirect3DSurface9_GetDesc(target, &desc);
        IDirect3DDevice9_CreateOffscreenPlainSurface(d->iface, desc.Width, desc.Height, desc.Format, D3DPOOL_SYSTEMMEM,
                                                     &to, NULL);
        IDirect3DDevice9_GetRenderTargetData(d->iface, target, to);
        IDirect3DSurface9_Release(target);
        fuzz_take(FUZZ_SURFACE, to);
    } else {
        IDirect3DDevice9_GetRenderTargetData(d->iface, fuzz_any(FUZZ_SURFACE), fuzz_any(FUZZ_SURFACE));
    }
    if (rnd(4) == 0)
        IDirect3DDevice9_GetFrontBufferData(d->iface, some(2), fuzz_any(FUZZ_SURFACE));
}

static void fill(struct fuzz_device *d)
{
    RECT rect;

    IDirect3DDevice9_ColorFill(d->iface, fuzz_any(FUZZ_SURFACE), some_rect(&rect), rnd32());
}

static void present(struct fuzz_device *d)
{
    RECT from, to;

    if (d->ex && rnd(2))
        IDirect3DDevice9Ex_PresentEx(d->iface, rnd(4) ? NULL : some_rect(&from), rnd(4) ? NULL : some_rect(&to),
                                     rnd(2) ? NULL : fuzz_any_window(), NULL, evil() ? odd_dword() : 0);
    else
        IDirect3DDevice9_Present(d->iface, rnd(4) ? NULL : some_rect(&from), rnd(4) ? NULL : some_rect(&to),
                                 rnd(2) ? NULL : fuzz_any_window(), NULL);
}

static void reset(struct fuzz_device *d)
{
    D3DPRESENT_PARAMETERS p = fuzz_params();
    D3DDISPLAYMODEEX mode = {
        sizeof(mode), p.BackBufferWidth, p.BackBufferHeight, 0, p.BackBufferFormat, D3DSCANLINEORDERING_PROGRESSIVE};

    if (rnd(2)) /* perhaps nothing in the default pool is left */
        for (unsigned i = 0; i < 300; i++)
            fuzz_drop((enum fuzz_kind)rnd(FUZZ_KINDS));
    if (d->ex && rnd(2))
        IDirect3DDevice9Ex_ResetEx(d->iface, evil() && !rnd(8) ? NULL : &p, p.Windowed && rnd(8) ? NULL : &mode);
    else
        IDirect3DDevice9_Reset(d->iface, evil() && !rnd(8) ? NULL : &p);
    if (rnd(8) && IDirect3DDevice9_TestCooperativeLevel(d->iface) == D3DERR_DEVICENOTRESET)
        fuzz_reset(d);
}

static void events(struct fuzz_device *d)
{
    (void)d;
    switch (rnd(4)) {
    case 0:
        D3DPERF_BeginEvent(rnd32(), evil() && !rnd(8) ? NULL : L"an event");
        break;
    case 1:
        D3DPERF_EndEvent();
        break;
    default:
        D3DPERF_SetMarker(rnd32(), evil() && !rnd(8) ? NULL : L"a marker");
    }
}

const struct fuzz_call fuzz_draws[] = {
    {"BeginScene or EndScene", 5, scene},
    {"a target and a format", 6, make_drawable},
    {"Clear", 4, clear},
    {"DrawPrimitive", 8, draw},
    {"DrawIndexedPrimitive", 8, draw_indexed},
    {"DrawPrimitiveUP", 8, draw_user},
    {"DrawIndexedPrimitiveUP", 6, draw_indexed_user},
    {"DrawRectPatch or DrawTriPatch", 2, patch},
    {"ProcessVertices", 2, process},
    {"StretchRect", 5, stretch},
    {"UpdateSurface", 3, update_surface},
    {"UpdateTexture", 4, update_texture},
    {"GetRenderTargetData", 3, target_data},
    {"ColorFill", 3, fill},
    {"Present", 4, present},
    {"Reset", 1, reset},
    {"D3DPERF", 1, events},
};
const unsigned fuzz_draw_count = COUNT(fuzz_draws);
