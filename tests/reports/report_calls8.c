/* SPDX-License-Identifier: MIT */
/* Reports about calls of Direct3D 8: state blocks, shader handles, copies, what survives Reset, formats, Present. */
#include "tests/reports/scene8.h"

#include <stdlib.h>

/* --- state blocks ------------------------------------------------------------------------------------ */

/*
 * Symptom: Final Fantasy XI ends in memory that was freed. Right: a state block holds what it has recorded, so that a texture that
 * the program has released is there again when the block is applied. A user's analysis; documented for IDirect3DDevice8.
 */
static void blocks_hold_textures(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    IDirect3DTexture8 *texture;
    DWORD block = 0;

    if (!device)
        return;
    texture = solid8(device, D3DPOOL_MANAGED, 0x00ff00);
    show_texture8(device, texture);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, NULL), D3D_OK);
    IDirect3DTexture8_Release(texture);
    texture = solid8(device, D3DPOOL_MANAGED, 0xff0000);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    clear_all8(device, 0);
    fill8(device, 0);
    CHECK_COLOR(read_pixel(device, 320, 240), 0x00ff00, 0);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3D_OK);
    IDirect3DTexture8_Release(texture);
    close_scene8(device);
}

/* Symptom: A.I.M. 2 cannot return from the desktop. Right: Reset neither minds state blocks nor ends them. Measured on Windows. */
static void blocks_survive_reset(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    D3DPRESENT_PARAMETERS params;
    DWORD block = 0, value = 0;

    if (!device)
        return;
    state8(device, D3DRS_TEXTUREFACTOR, 0x12345678);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    params = windowed(NULL);
    CHECK_HR(IDirect3DDevice8_Reset(device, &params), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetRenderState(device, D3DRS_TEXTUREFACTOR, &value), D3D_OK);
    CHECK_EQUAL(value, 0x12345678);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3D_OK);
    close_scene8(device);
}

/* Right: while a block is recorded all other calls about blocks fail; Wine's tests and Windows. */
static void blocks_while_recording(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    DWORD block = 0, other = 0, recorded = 0;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &other), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CaptureStateBlock(device, block), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &recorded), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, recorded), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3D_OK);
    close_scene8(device);
}

/* Symptom: games report references that are left, or crash at their end. Right: blocks and shaders end with the device, and hold none
 * of its references. The layer was compared with Windows. */
static void what_ends_with_the_device(void)
{
    static const DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT3), D3DVSD_END()};
    IDirect3DDevice8 *device = open_scene8(0);
    DWORD block = 0;

    if (!device)
        return;
    CHECK(vertex_shader8(device, declaration, "vs_1_1\nmov oPos, v0\n"));
    CHECK(pixel_shader8(device, "ps_1_1\nmov r0, v0\n"));
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    close_scene8(device); /* checks the count */
}

/* --- states --------------------------------------------------------------------------------------------- */

/* Right: the least size of points is 0 in version 8 (documented; measured on Windows); it became 1 with version 9. */
static void least_size_of_points(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    DWORD value = 1;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_GetRenderState(device, D3DRS_POINTSIZE_MIN, &value), D3D_OK);
    CHECK_EQUAL(value, 0);
    close_scene8(device);
}

/* Right: D3DRS_ZVISIBLE, which does nothing, is taken and read; measured on Windows XP. */
static void state_without_effect(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    DWORD value = 1;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_GetRenderState(device, D3DRS_ZVISIBLE, &value), D3D_OK);
    CHECK_EQUAL(value, 0);
    CHECK_HR(IDirect3DDevice8_SetRenderState(device, D3DRS_ZVISIBLE, TRUE), D3D_OK);
    close_scene8(device);
}

/* Symptom: Hydorah draws at a quarter of its size. Right: a viewport beyond the target is refused, and the old one counts; measured. */
static void viewport_beyond_the_target(void)
{
    const D3DVIEWPORT8 wide = {0, 0, WIDTH * 2, HEIGHT, 0, 1}, shifted = {WIDTH / 2, 0, WIDTH, HEIGHT, 0, 1};
    IDirect3DDevice8 *device = open_scene8(0);
    D3DVIEWPORT8 viewport = {0};

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_SetViewport(device, &wide), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_SetViewport(device, &shifted), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_GetViewport(device, &viewport), D3D_OK);
    CHECK_EQUAL(viewport.Width, WIDTH);
    close_scene8(device);
}

/* Symptom: Max Payne ends at its start. Right: ValidateDevice passes on a device that nothing has been set on. */
static void validation_of_a_new_device(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, 0, NULL);
    DWORD passes = 0;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_ValidateDevice(device, &passes), D3D_OK);
    CHECK_EQUAL(passes, 1);
    close_device(device, window);
}

/* Symptom: as in fog_without_specular of report_stages9.c, with version 8. */
static void fog_without_specular(void)
{
    IDirect3DDevice8 *device = open_scene8(0);

    if (!device)
        return;
    state8(device, D3DRS_FOGENABLE, TRUE);
    state8(device, D3DRS_FOGCOLOR, 0x00ff00);
    fill8(device, 0xffff0000);
    CHECK_COLOR(read_pixel(device, 320, 240), 0x00ff00, 1);
    close_scene8(device);
}

/* --- shaders ----------------------------------------------------------------------------------------------- */

/*
 * Symptom: highlights of Republic Commando are too bright; a layer dropped what a ps_1_3 does to a constant. Right: constants are
 * negated, doubled and biased as registers are; version 8 allows it.
 */
static void modified_constants(void)
{
    static const float quarter[4] = {0.25f, 0.25f, 0.25f, 0.25f}, more[4] = {0.75f, 0.75f, 0.75f, 0.75f};
    IDirect3DDevice8 *device = open_scene8(0);
    DWORD shader;

    if (!device)
        return;
    shader =
        pixel_shader8(device, "ps_1_3\nmov r0, v0\nadd_sat r0, r0, -c0\nmad_sat r0, r0, r0, c1_bx2\nmov r0.a, 1-c0\n");
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, shader), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShaderConstant(device, 0, quarter, 1), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShaderConstant(device, 1, more, 1), D3D_OK);
    fill8(device, 0xff808080); /* (0.5 - 0.25) squared, and 0.5 */
    CHECK_COLOR(read_pixel(device, 320, 240), 0x8f8f8f, 1);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, shader), D3D_OK);
    close_scene8(device);
}

/* Symptom: AquaNox draws nothing. Right: a shader may write x and y of the position alone, what it does not write is 0 and w is 1. */
static void position_in_parts(void)
{
    static const DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT3), D3DVSD_END()};
    static const float square[4][3] = {{-1, 1, 0}, {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
    IDirect3DDevice8 *device = open_scene8(0);
    static const float one[4] = {1, 1, 1, 1};
    DWORD shader;

    if (!device)
        return;
    shader = vertex_shader8(device, declaration, "vs_1_1\nmov oPos.xy, v0\nmov oPos.zw, c0\nmov oD0, c0\n");
    CHECK_HR(IDirect3DDevice8_SetVertexShaderConstant(device, 0, one, 1), D3D_OK);
    draw_strip8(device, shader, square, sizeof(square[0]));
    CHECK_COLOR(read_pixel(device, 320, 240), 0xffffff, 0);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, shader), D3D_OK);
    close_scene8(device);
}

/* Symptom: Silent Hill 2 crashes after a change of resolution. Right: shaders are there after Reset as before; measured. */
static void shaders_survive_reset(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    D3DPRESENT_PARAMETERS params;
    DWORD shader;

    if (!device)
        return;
    shader = pixel_shader8(device, "ps_1_1\ndef c0, 0, 1, 0, 1\nmov r0, c0\n");
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    params = windowed(NULL);
    CHECK_HR(IDirect3DDevice8_Reset(device, &params), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    clear_all8(device, 0);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, shader), D3D_OK);
    fill8(device, 0xffff0000);
    CHECK_COLOR(read_pixel(device, 320, 240), 0x00ff00, 0);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, shader), D3D_OK);
    close_scene8(device);
}

/* Symptom: Rayman 3 crashes while it loads: it deletes a shader twice. Right: no crash, and other shaders stay. */
static void shader_deleted_twice(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    DWORD first, second;

    if (!device)
        return;
    first = pixel_shader8(device, "ps_1_1\ndef c0, 1, 0, 0, 1\nmov r0, c0\n");
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, first), D3D_OK);
    second = pixel_shader8(device, "ps_1_1\ndef c0, 0, 1, 0, 1\nmov r0, c0\n");
    if (first != second)
        IDirect3DDevice8_DeletePixelShader(device, first);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, second), D3D_OK);
    fill8(device, 0xff0000ff);
    CHECK_COLOR(read_pixel(device, 320, 240), 0x00ff00, 0);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, second), D3D_OK);
    close_scene8(device);
}

/* --- vertices and memory --------------------------------------------------------------------------------------- */

/*
 * Symptom: figures and textures of Rayman 3 are torn: it locks with D3DLOCK_DISCARD and writes a part. Right on systems of its time:
 * a buffer that is not dynamic and for writing only keeps its content. A layer's finding on Windows XP.
 */
static void discard_of_buffers_that_keep(void)
{
    const struct {
        float x, y, z, w;
        DWORD color;
    } quad[4] = {{0, 0, 0.5f, 1, 0xff00ff00},
                 {WIDTH, 0, 0.5f, 1, 0xff00ff00},
                 {0, HEIGHT, 0.5f, 1, 0xff00ff00},
                 {WIDTH, HEIGHT, 0.5f, 1, 0xff00ff00}};
    static const DWORD usages[3] = {0, D3DUSAGE_WRITEONLY, D3DUSAGE_DYNAMIC};
    const DWORD fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
    IDirect3DDevice8 *device = open_scene8(0);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, fvf), D3D_OK);
    for (unsigned i = 0; i < 3; i++) {
        IDirect3DVertexBuffer8 *buffer = buffer8(device, usages[i], fvf, quad, sizeof(quad));
        BYTE *bytes = NULL;

        clear_all8(device, 0);
        CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, buffer, sizeof(quad[0])), D3D_OK);
        CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
        CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &bytes, D3DLOCK_DISCARD), D3D_OK);
        memcpy(bytes, quad, sizeof(quad[0]));
        CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
        clear_all8(device, 0);
        CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
        CHECK_COLOR(read_pixel(device, 100, 100), 0x00ff00, 0);
        CHECK_COLOR(read_pixel(device, 540, 380), 0x00ff00, 0);
        CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0), D3D_OK);
        IDirect3DVertexBuffer8_Release(buffer);
    }
    close_scene8(device);
}

/* Symptom: a carpet does not fly. Right: vertices that ProcessVertices has transformed without a shader are drawn where they belong. */
static void processed_vertices(void)
{
    const D3DMATRIX half = {{{0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
    static const struct {
        float x, y, z;
        DWORD color;
    } quad[4] = {
        {-1, 1, 0.5f, 0xff00ff00}, {1, 1, 0.5f, 0xff00ff00}, {-1, -1, 0.5f, 0xff00ff00}, {1, -1, 0.5f, 0xff00ff00}};
    IDirect3DDevice8 *device = open_scene8(D3DCREATE_SOFTWARE_VERTEXPROCESSING);
    IDirect3DVertexBuffer8 *from, *to = NULL;

    if (!device)
        return;
    from = buffer8(device, 0, D3DFVF_XYZ | D3DFVF_DIFFUSE, quad, sizeof(quad));
    CHECK_HR(
        IDirect3DDevice8_CreateVertexBuffer(device, 4 * 20, 0, D3DFVF_XYZRHW | D3DFVF_DIFFUSE, D3DPOOL_SYSTEMMEM, &to),
        D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &half), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_DIFFUSE), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, from, sizeof(quad[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, 4, to, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, to, 20), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_COLOR(read_pixel(device, 150, 240), 0, 0);
    CHECK_COLOR(read_pixel(device, 170, 240), 0x00ff00, 0);
    CHECK_COLOR(read_pixel(device, 470, 240), 0x00ff00, 0);
    CHECK_COLOR(read_pixel(device, 490, 240), 0, 0);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0), D3D_OK);
    IDirect3DVertexBuffer8_Release(from);
    IDirect3DVertexBuffer8_Release(to);
    close_scene8(device);
}

/* Symptom: the ground of Empire Earth II is torn. Right: CopyRects copies between managed textures, and what is drawn shows it. */
static void copies_of_managed_textures(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    IDirect3DTexture8 *from, *to;
    IDirect3DSurface8 *levels[2];

    if (!device)
        return;
    from = solid8(device, D3DPOOL_MANAGED, 0x00ff00);
    to = solid8(device, D3DPOOL_MANAGED, 0xff0000);
    show_texture8(device, to);
    CHECK_COLOR(read_pixel(device, 320, 240), 0xff0000, 0);
    CHECK_HR(IDirect3DTexture8_GetSurfaceLevel(from, 0, &levels[0]), D3D_OK);
    CHECK_HR(IDirect3DTexture8_GetSurfaceLevel(to, 0, &levels[1]), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, levels[0], NULL, 0, levels[1], NULL), D3D_OK);
    fill8(device, 0);
    CHECK_COLOR(read_pixel(device, 320, 240), 0x00ff00, 0);
    for (unsigned i = 0; i < 2; i++)
        IDirect3DSurface8_Release(levels[i]);
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, NULL), D3D_OK);
    IDirect3DTexture8_Release(from);
    IDirect3DTexture8_Release(to);
    close_scene8(device);
}

/* Right: depth buffers are not for CopyRects; documented, and so it is on Windows. */
static void copies_of_depth(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    IDirect3DSurface8 *depth = NULL, *other = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_GetDepthStencilSurface(device, &depth), D3D_OK);
    CHECK_HR(
        IDirect3DDevice8_CreateDepthStencilSurface(device, WIDTH, HEIGHT, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, &other),
        D3D_OK);
    CHECK_HR(IDirect3DDevice8_CopyRects(device, depth, NULL, 0, other, NULL), D3DERR_INVALIDCALL);
    IDirect3DSurface8_Release(depth);
    IDirect3DSurface8_Release(other);
    close_scene8(device);
}

/* Right: palettes are kept for programs that set them without having a texture for one; tried on Windows XP. */
static void palettes_without_textures(void)
{
    IDirect3DDevice8 *device = open_scene8(0);
    PALETTEENTRY set[256], read[256];
    UINT current = 0;

    if (!device)
        return;
    for (unsigned i = 0; i < 256; i++)
        set[i] = (PALETTEENTRY){(BYTE)i, (BYTE)(255 - i), 7, 255};
    CHECK_HR(IDirect3DDevice8_SetPaletteEntries(device, 3, set), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetCurrentTexturePalette(device, 3), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetCurrentTexturePalette(device, &current), D3D_OK);
    CHECK_EQUAL(current, 3);
    CHECK_HR(IDirect3DDevice8_GetPaletteEntries(device, 3, read), D3D_OK);
    CHECK(!memcmp(set, read, sizeof(set)));
    close_scene8(device);
}

/* --- formats and Present ----------------------------------------------------------------------------------------- */

static HRESULT check(IDirect3D8 *d3d, DWORD usage, D3DRESOURCETYPE type, DWORD format)
{
    return IDirect3D8_CheckDeviceFormat(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type,
                                        (D3DFORMAT)format);
}

/*
 * Symptom: programs of version 8 are offered what came with version 9. Right: A8B8G8R8, L16, 16 bits a channel and
 * floats are not formats of d3d8types.h; Windows and wined3d refuse them, CreateImageSurface as well.
 */
static void formats_of_version_9(void)
{
    enum {
        A8B8G8R8 = 32,
        X8B8G8R8 = 33,
        A16B16G16R16 = 36,
        L16 = 81,
        R16F = 111,
        A16B16G16R16F = 113,
        R32F = 114,
        A32B32G32R32F = 116
    };
    static const DWORD formats[] = {A8B8G8R8, X8B8G8R8, A16B16G16R16, L16, R16F, A16B16G16R16F, R32F, A32B32G32R32F};
    IDirect3DDevice8 *device = open_scene8(0);
    IDirect3D8 *d3d = NULL;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_GetDirect3D(device, &d3d), D3D_OK);
    for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        IDirect3DSurface8 *image = NULL;
        IDirect3DTexture8 *texture = NULL;

        CHECK_HR(check(d3d, 0, D3DRTYPE_TEXTURE, formats[i]), D3DERR_NOTAVAILABLE);
        CHECK_HR(check(d3d, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, formats[i]), D3DERR_NOTAVAILABLE);
        CHECK_HR(IDirect3DDevice8_CreateImageSurface(device, 16, 16, (D3DFORMAT)formats[i], &image),
                 D3DERR_INVALIDCALL);
        CHECK_HR(IDirect3DDevice8_CreateTexture(device, 16, 16, 1, 0, (D3DFORMAT)formats[i], D3DPOOL_MANAGED, &texture),
                 D3DERR_INVALIDCALL);
        if (image)
            IDirect3DSurface8_Release(image);
        if (texture)
            IDirect3DTexture8_Release(texture);
    }
    CHECK_HR(check(d3d, D3DUSAGE_RENDERTARGET, D3DRTYPE_VOLUMETEXTURE, D3DFMT_A8R8G8B8), D3DERR_NOTAVAILABLE);
    IDirect3D8_Release(d3d);
    close_scene8(device);
}

/* Symptom: as in parts_in_full_screen of report_present9.c, with version 8. */
static void parts_in_full_screen(void)
{
    static const D3DSWAPEFFECT effects[2] = {D3DSWAPEFFECT_DISCARD, D3DSWAPEFFECT_FLIP};
    const RECT part = {0, 0, 100, 100};

    for (unsigned i = 0; i < 2; i++) {
        HWND window = open_window();
        D3DPRESENT_PARAMETERS params = full_screen(window);
        IDirect3DDevice8 *device;

        params.SwapEffect = effects[i];
        device = open_device(window, 0, &params);
        if (!device)
            return;
        CHECK_HR(IDirect3DDevice8_Present(device, &part, &part, NULL, NULL), D3D_OK);
        CHECK_HR(IDirect3DDevice8_Present(device, &part, NULL, NULL, NULL), D3D_OK);
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, &part, NULL, NULL), D3D_OK);
        close_device(device, window);
    }
}

static const struct report reports[] = {
    {"blocks_hold_textures", "doitsujin/dxvk#5868", blocks_hold_textures},
    {"blocks_survive_reset", "doitsujin/dxvk#3665", blocks_survive_reset},
    {"blocks_while_recording", "crosire/d3d8to9#186", blocks_while_recording},
    {"what_ends_with_the_device", "crosire/d3d8to9#181", what_ends_with_the_device},
    {"least_size_of_points", "crosire/d3d8to9#183", least_size_of_points},
    {"state_without_effect", "crosire/d3d8to9#173", state_without_effect},
    {"viewport_beyond_the_target", "crosire/d3d8to9#80", viewport_beyond_the_target},
    {"validation_of_a_new_device", "crosire/d3d8to9#43", validation_of_a_new_device},
    {"fog_without_specular", "doitsujin/dxvk#5470", fog_without_specular},
    {"modified_constants", "crosire/d3d8to9#31", modified_constants},
    {"position_in_parts", "crosire/d3d8to9#108", position_in_parts},
    {"shaders_survive_reset", "crosire/d3d8to9#159", shaders_survive_reset},
    {"shader_deleted_twice", "crosire/d3d8to9#206", shader_deleted_twice},
    {"discard_of_buffers_that_keep", "AlpyneDreams/d8vk#81", discard_of_buffers_that_keep},
    {"processed_vertices", "AlpyneDreams/d8vk#131", processed_vertices},
    {"copies_of_managed_textures", "AlpyneDreams/d8vk#58", copies_of_managed_textures},
    {"copies_of_depth", "AlpyneDreams/d8vk#207", copies_of_depth},
    {"palettes_without_textures", "doitsujin/dxvk#5153", palettes_without_textures},
    {"formats_of_version_9", "doitsujin/dxvk#5015", formats_of_version_9},
    {"parts_in_full_screen", "doitsujin/dxvk@5443a2f9", parts_in_full_screen},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
