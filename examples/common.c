/* SPDX-License-Identifier: MIT */
/* The device, frame loop, buffers and textures of the Direct3D 8 examples. */
#include "examples/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- device and loop --------------------------------------------------------------- */

static IDirect3DDevice8 *create_device(IDirect3D8 *d3d, HWND window)
{
    D3DPRESENT_PARAMETERS parameters = {0};
    IDirect3DDevice8 *device;
    HRESULT result;

    parameters.BackBufferWidth = VIEW_WIDTH;
    parameters.BackBufferHeight = VIEW_HEIGHT;
    parameters.BackBufferFormat = D3DFMT_X8R8G8B8;
    parameters.BackBufferCount = 1;
    parameters.SwapEffect = D3DSWAPEFFECT_DISCARD;
    parameters.hDeviceWindow = window;
    parameters.Windowed = TRUE;
    parameters.EnableAutoDepthStencil = TRUE;
    parameters.AutoDepthStencilFormat = D3DFMT_D24S8;
    result = IDirect3D8_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                     D3DCREATE_SOFTWARE_VERTEXPROCESSING, &parameters, &device);
    if (FAILED(result))
        fail("CreateDevice", result);
    return device;
}

/* The back buffer as the program can read it, before it is presented. */
static void save_shot(IDirect3DDevice8 *device, const char *path)
{
    IDirect3DSurface8 *back, *copy;
    D3DLOCKED_RECT locked;
    HRESULT result;

    IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, &back);
    result = IDirect3DDevice8_CreateImageSurface(device, VIEW_WIDTH, VIEW_HEIGHT, D3DFMT_X8R8G8B8, &copy);
    if (SUCCEEDED(result))
        result = IDirect3DDevice8_CopyRects(device, back, NULL, 0, copy, NULL);
    if (SUCCEEDED(result))
        result = IDirect3DSurface8_LockRect(copy, &locked, NULL, D3DLOCK_READONLY);
    if (FAILED(result))
        fail("reading the back buffer", result);
    picture_write(path, locked.pBits, locked.Pitch);
    IDirect3DSurface8_UnlockRect(copy);
    IDirect3DSurface8_Release(copy);
    IDirect3DSurface8_Release(back);
}

static void run_frames(const struct example *example, IDirect3DDevice8 *device, const struct options *options)
{
    double start = clock_seconds(), shot_time = 0;
    unsigned frame = 0;

    while (window_handle_messages() && (!options->frames || frame < options->frames)) {
        IDirect3DDevice8_BeginScene(device);
        example->draw(device, frame++);
        IDirect3DDevice8_EndScene(device);
        if (options->shot && frame == options->frames) {
            double before = clock_seconds();

            save_shot(device, options->shot);
            shot_time = clock_seconds() - before;
        }
        IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL);
    }
    start += shot_time;
    printf("%u frames in %.2f s: %.1f frames/s\n", frame, clock_seconds() - start, frame / (clock_seconds() - start));
}

int example_run(const struct example *example, int argc, char **argv)
{
    struct options options = {0};
    IDirect3DDevice8 *device;
    IDirect3D8 *d3d;
    HWND window;

    if (!options_parse(&options, argc, argv))
        return 2;
    d3d = Direct3DCreate8(D3D_SDK_VERSION);
    if (!d3d)
        fail("Direct3DCreate8", E_FAIL);
    window = window_open(example->title);
    device = create_device(d3d, window);
    wave_fill();
    if (!example->create(device))
        fail("creating the scene", E_FAIL);
    run_frames(example, device, &options);
    example->destroy();
    IDirect3DDevice8_Release(device);
    IDirect3D8_Release(d3d);
    DestroyWindow(window);
    return 0;
}

/* --- resources ---------------------------------------------------------------------------- */

IDirect3DVertexBuffer8 *make_vertices(IDirect3DDevice8 *device, const void *data, unsigned bytes, DWORD fvf)
{
    IDirect3DVertexBuffer8 *buffer;
    BYTE *memory;
    HRESULT result =
        IDirect3DDevice8_CreateVertexBuffer(device, bytes, D3DUSAGE_WRITEONLY, fvf, D3DPOOL_MANAGED, &buffer);

    if (SUCCEEDED(result))
        result = IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &memory, 0);
    if (FAILED(result))
        fail("CreateVertexBuffer", result);
    memcpy(memory, data, bytes);
    IDirect3DVertexBuffer8_Unlock(buffer);
    return buffer;
}

IDirect3DIndexBuffer8 *make_indices(IDirect3DDevice8 *device, const uint16_t *data, unsigned count)
{
    IDirect3DIndexBuffer8 *buffer;
    BYTE *memory;
    HRESULT result = IDirect3DDevice8_CreateIndexBuffer(device, count * 2, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                                        D3DPOOL_MANAGED, &buffer);

    if (SUCCEEDED(result))
        result = IDirect3DIndexBuffer8_Lock(buffer, 0, 0, &memory, 0);
    if (FAILED(result))
        fail("CreateIndexBuffer", result);
    memcpy(memory, data, count * 2);
    IDirect3DIndexBuffer8_Unlock(buffer);
    return buffer;
}

static void upload_level(IDirect3DTexture8 *texture, unsigned level, const D3DCOLOR *texels, unsigned size)
{
    D3DLOCKED_RECT locked;
    HRESULT result = IDirect3DTexture8_LockRect(texture, level, &locked, NULL, 0);

    if (FAILED(result))
        fail("IDirect3DTexture8::LockRect", result);
    for (unsigned y = 0; y < size; y++)
        memcpy((uint8_t *)locked.pBits + y * (unsigned)locked.Pitch, texels + y * size, size * 4);
    IDirect3DTexture8_UnlockRect(texture, level);
}

IDirect3DTexture8 *make_texture(IDirect3DDevice8 *device, unsigned size, texel_function texel)
{
    D3DCOLOR *texels = malloc(size * size * sizeof(*texels));
    IDirect3DTexture8 *texture;
    HRESULT result =
        IDirect3DDevice8_CreateTexture(device, size, size, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture);

    if (FAILED(result) || !texels)
        fail("CreateTexture", result);
    texels_fill(texels, size, texel);
    for (unsigned level = 0; size; level++, size /= 2) {
        upload_level(texture, level, texels, size);
        texels_halve(texels, size);
    }
    free(texels);
    return texture;
}

void set(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice8_SetRenderState(device, state, value);
}

void set_stencil(IDirect3DDevice8 *device, D3DCMPFUNC function, DWORD reference, D3DSTENCILOP pass)
{
    set(device, D3DRS_STENCILENABLE, TRUE);
    set(device, D3DRS_STENCILFUNC, function);
    set(device, D3DRS_STENCILREF, reference);
    set(device, D3DRS_STENCILPASS, pass);
}

void use_texture(IDirect3DDevice8 *device, IDirect3DTexture8 *texture, bool mips)
{
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, texture ? D3DTOP_MODULATE : D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_ALPHAOP, texture ? D3DTOP_MODULATE : D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_MIPFILTER, mips ? D3DTEXF_LINEAR : D3DTEXF_POINT);
}

void use_material(IDirect3DDevice8 *device, D3DCOLORVALUE diffuse, float specular, float power)
{
    D3DMATERIAL8 material = {0};

    material.Diffuse = material.Ambient = diffuse;
    material.Specular = (D3DCOLORVALUE){specular, specular, specular, 1};
    material.Power = power;
    IDirect3DDevice8_SetMaterial(device, &material);
}
