/* SPDX-License-Identifier: MIT */
/* The device, frame loop, buffers, textures and shaders of the Direct3D 9 examples. */
#include "examples/common9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- device and loop --------------------------------------------------------------- */

static IDirect3DDevice9 *create_device(IDirect3D9 *d3d, HWND window)
{
    D3DPRESENT_PARAMETERS parameters = {0};
    IDirect3DDevice9 *device;
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
    parameters.PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
    result = IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window,
                                     D3DCREATE_HARDWARE_VERTEXPROCESSING, &parameters, &device);
    if (FAILED(result))
        fail("CreateDevice", result);
    return device;
}

/* The back buffer as the program can read it, before it is presented. */
static void save_shot(IDirect3DDevice9 *device, const char *path)
{
    IDirect3DSurface9 *back, *copy;
    D3DLOCKED_RECT locked;
    HRESULT result;

    IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back);
    result = IDirect3DDevice9_CreateOffscreenPlainSurface(device, VIEW_WIDTH, VIEW_HEIGHT, D3DFMT_X8R8G8B8,
                                                          D3DPOOL_SYSTEMMEM, &copy, NULL);
    if (SUCCEEDED(result))
        result = IDirect3DDevice9_GetRenderTargetData(device, back, copy);
    if (SUCCEEDED(result))
        result = IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY);
    if (FAILED(result))
        fail("reading the back buffer", result);
    picture_write(path, locked.pBits, locked.Pitch);
    IDirect3DSurface9_UnlockRect(copy);
    IDirect3DSurface9_Release(copy);
    IDirect3DSurface9_Release(back);
}

static void run_frames(const struct example *example, IDirect3DDevice9 *device, const struct options *options)
{
    double start = clock_seconds(), shot_time = 0;
    unsigned frame = 0;

    while (window_handle_messages() && (!options->frames || frame < options->frames)) {
        IDirect3DDevice9_BeginScene(device);
        example->draw(device, frame++);
        IDirect3DDevice9_EndScene(device);
        if (options->shot && frame == options->frames) {
            double before = clock_seconds();

            save_shot(device, options->shot);
            shot_time = clock_seconds() - before;
        }
        IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
    }
    start += shot_time;
    printf("%u frames in %.2f s: %.1f frames/s\n", frame, clock_seconds() - start, frame / (clock_seconds() - start));
}

int example_run(const struct example *example, int argc, char **argv)
{
    struct options options = {0};
    IDirect3DDevice9 *device;
    IDirect3D9 *d3d;
    HWND window;

    if (!options_parse(&options, argc, argv))
        return 2;
    d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!d3d)
        fail("Direct3DCreate9", E_FAIL);
    window = window_open(example->title);
    device = create_device(d3d, window);
    wave_fill();
    if (!example->create(device))
        fail("creating the scene", E_FAIL);
    run_frames(example, device, &options);
    example->destroy();
    IDirect3DDevice9_Release(device);
    IDirect3D9_Release(d3d);
    DestroyWindow(window);
    return 0;
}

/* --- resources ---------------------------------------------------------------------------- */

IDirect3DVertexBuffer9 *make_vertices(IDirect3DDevice9 *device, const void *data, unsigned bytes)
{
    IDirect3DVertexBuffer9 *buffer;
    void *memory;
    HRESULT result =
        IDirect3DDevice9_CreateVertexBuffer(device, bytes, D3DUSAGE_WRITEONLY, 0, D3DPOOL_MANAGED, &buffer, NULL);

    if (SUCCEEDED(result))
        result = IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &memory, 0);
    if (FAILED(result))
        fail("CreateVertexBuffer", result);
    memcpy(memory, data, bytes);
    IDirect3DVertexBuffer9_Unlock(buffer);
    return buffer;
}

IDirect3DIndexBuffer9 *make_indices(IDirect3DDevice9 *device, const uint16_t *data, unsigned count)
{
    IDirect3DIndexBuffer9 *buffer;
    void *memory;
    HRESULT result = IDirect3DDevice9_CreateIndexBuffer(device, count * 2, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                                        D3DPOOL_MANAGED, &buffer, NULL);

    if (SUCCEEDED(result))
        result = IDirect3DIndexBuffer9_Lock(buffer, 0, 0, &memory, 0);
    if (FAILED(result))
        fail("CreateIndexBuffer", result);
    memcpy(memory, data, count * 2);
    IDirect3DIndexBuffer9_Unlock(buffer);
    return buffer;
}

static void upload_level(IDirect3DTexture9 *texture, unsigned level, const D3DCOLOR *texels, unsigned size)
{
    D3DLOCKED_RECT locked;
    HRESULT result = IDirect3DTexture9_LockRect(texture, level, &locked, NULL, 0);

    if (FAILED(result))
        fail("IDirect3DTexture9::LockRect", result);
    for (unsigned y = 0; y < size; y++)
        memcpy((uint8_t *)locked.pBits + y * (unsigned)locked.Pitch, texels + y * size, size * 4);
    IDirect3DTexture9_UnlockRect(texture, level);
}

IDirect3DTexture9 *make_texture_of(IDirect3DDevice9 *device, unsigned size, D3DCOLOR *texels)
{
    IDirect3DTexture9 *texture;
    HRESULT result =
        IDirect3DDevice9_CreateTexture(device, size, size, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL);

    if (FAILED(result))
        fail("CreateTexture", result);
    for (unsigned level = 0; size; level++, size /= 2) {
        upload_level(texture, level, texels, size);
        texels_halve(texels, size);
    }
    return texture;
}

IDirect3DTexture9 *make_texture(IDirect3DDevice9 *device, unsigned size, texel_function texel)
{
    D3DCOLOR *texels = malloc(size * size * sizeof(*texels));
    IDirect3DTexture9 *texture;

    if (!texels)
        fail("memory for texels", E_OUTOFMEMORY);
    texels_fill(texels, size, texel);
    texture = make_texture_of(device, size, texels);
    free(texels);
    return texture;
}

IDirect3DTexture9 *make_target(IDirect3DDevice9 *device, unsigned width, unsigned height, DWORD usage, D3DFORMAT format)
{
    IDirect3DTexture9 *texture;
    HRESULT result =
        IDirect3DDevice9_CreateTexture(device, width, height, 1, usage, format, D3DPOOL_DEFAULT, &texture, NULL);

    if (FAILED(result))
        fail("CreateTexture of a target", result);
    return texture;
}

D3DFORMAT unused_color_format(IDirect3DDevice9 *device)
{
    const D3DFORMAT none = (D3DFORMAT)MAKEFOURCC('N', 'U', 'L', 'L');
    D3DFORMAT format = D3DFMT_X8R8G8B8;
    IDirect3D9 *d3d;

    if (SUCCEEDED(IDirect3DDevice9_GetDirect3D(device, &d3d))) {
        if (SUCCEEDED(IDirect3D9_CheckDeviceFormat(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                                   D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, none)))
            format = none;
        IDirect3D9_Release(d3d);
    }
    return format;
}

IDirect3DVertexDeclaration9 *make_declaration(IDirect3DDevice9 *device, const D3DVERTEXELEMENT9 *elements)
{
    IDirect3DVertexDeclaration9 *declaration;
    HRESULT result = IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration);

    if (FAILED(result))
        fail("CreateVertexDeclaration", result);
    return declaration;
}

IDirect3DVertexShader9 *make_vertex_shader(IDirect3DDevice9 *device, const DWORD *code)
{
    IDirect3DVertexShader9 *shader;
    HRESULT result = IDirect3DDevice9_CreateVertexShader(device, code, &shader);

    if (FAILED(result))
        fail("CreateVertexShader", result);
    return shader;
}

IDirect3DPixelShader9 *make_pixel_shader(IDirect3DDevice9 *device, const DWORD *code)
{
    IDirect3DPixelShader9 *shader;
    HRESULT result = IDirect3DDevice9_CreatePixelShader(device, code, &shader);

    if (FAILED(result))
        fail("CreatePixelShader", result);
    return shader;
}

/* --- models and programs ------------------------------------------------------------------- */

void model_draw(IDirect3DDevice9 *device, const struct model *model)
{
    IDirect3DDevice9_SetVertexDeclaration(device, model->declaration);
    IDirect3DDevice9_SetStreamSource(device, 0, model->vertices, 0, model->stride);
    IDirect3DDevice9_SetIndices(device, model->indices);
    IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, model->vertex_count, 0,
                                          model->triangle_count);
}

void model_destroy(struct model *model)
{
    IDirect3DVertexBuffer9_Release(model->vertices);
    IDirect3DIndexBuffer9_Release(model->indices);
    IDirect3DVertexDeclaration9_Release(model->declaration);
}

struct program make_program(IDirect3DDevice9 *device, const DWORD *vertex, const DWORD *pixel)
{
    return (struct program){make_vertex_shader(device, vertex), make_pixel_shader(device, pixel)};
}

void program_destroy(struct program *program)
{
    IDirect3DVertexShader9_Release(program->vertex);
    IDirect3DPixelShader9_Release(program->pixel);
}

void program_use(IDirect3DDevice9 *device, const struct program *program)
{
    IDirect3DDevice9_SetVertexShader(device, program->vertex);
    IDirect3DDevice9_SetPixelShader(device, program->pixel);
}

void set_vertex_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    IDirect3DDevice9_SetVertexShaderConstantF(device, number, value, 1);
}

void set_pixel_constant(IDirect3DDevice9 *device, unsigned number, float x, float y, float z, float w)
{
    const float value[4] = {x, y, z, w};

    IDirect3DDevice9_SetPixelShaderConstantF(device, number, value, 1);
}

void set_vertex_matrix(IDirect3DDevice9 *device, unsigned number, const D3DMATRIX *matrix)
{
    float columns[4][4];

    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            columns[i][j] = matrix->m[j][i];
    IDirect3DDevice9_SetVertexShaderConstantF(device, number, columns[0], 4);
}

/* --- state ---------------------------------------------------------------------------------- */

void set(IDirect3DDevice9 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice9_SetRenderState(device, state, value);
}

void set_float(IDirect3DDevice9 *device, D3DRENDERSTATETYPE state, float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    set(device, state, bits);
}

void use_texture(IDirect3DDevice9 *device, unsigned sampler, IDirect3DTexture9 *texture, D3DTEXTUREADDRESS address,
                 D3DTEXTUREFILTERTYPE filter, D3DTEXTUREFILTERTYPE mips)
{
    IDirect3DDevice9_SetTexture(device, sampler, (IDirect3DBaseTexture9 *)texture);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_ADDRESSU, address);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_ADDRESSV, address);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_MINFILTER, filter);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_MAGFILTER, filter);
    IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_MIPFILTER, mips);
}

void use_target(IDirect3DDevice9 *device, IDirect3DTexture9 *texture)
{
    IDirect3DSurface9 *surface;
    HRESULT result = texture ? IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface)
                             : IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface);

    if (SUCCEEDED(result)) {
        result = IDirect3DDevice9_SetRenderTarget(device, 0, surface);
        IDirect3DSurface9_Release(surface);
    }
    if (FAILED(result))
        fail("SetRenderTarget", result);
}
