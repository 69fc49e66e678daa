/* SPDX-License-Identifier: MIT */
/* Direct3D 9 scenes dominated by pixels: programs of shader models 2 and 3, several targets, stretched copies. */
#include "bench/wine/scenes9.h"

#include <string.h>

static const DWORD pass_2[] = {
#include "bench/wine/shaders/pass_2.vsa.h"
};
static const DWORD pass_3[] = {
#include "bench/wine/shaders/pass_3.vsa.h"
};
static const DWORD arithmetic[] = {
#include "bench/wine/shaders/arithmetic.psa.h"
};
static const DWORD loop[] = {
#include "bench/wine/shaders/loop.psa.h"
};
static const DWORD targets[] = {
#include "bench/wine/shaders/targets.psa.h"
};
static const DWORD textured[] = {
#include "bench/wine/shaders/texture.psa.h"
};

static const RECT whole = {0, 0, VIEW_WIDTH, VIEW_HEIGHT};
static struct resources r;

/* --- helpers ---------------------------------------------------------------------------- */

/* Releases one interface of any kind. */
static void release(void *object)
{
    if (object)
        IUnknown_Release((IUnknown *)object);
}

void release_all(struct resources *all)
{
    for (unsigned i = 0; i < COUNT(all->texture); i++)
        release(all->texture[i]);
    for (unsigned i = 0; i < COUNT(all->vertices); i++)
        release(all->vertices[i]);
    for (unsigned i = 0; i < COUNT(all->pixel); i++)
        release(all->pixel[i]);
    release(all->indices);
    release(all->declaration);
    release(all->vertex);
    release(all->back);
    memset(all, 0, sizeof(*all));
}

/* Pixel centres lie on integers in version 9: hence the half. */
void fill_quad(struct corner corners[4], const RECT *rect, unsigned width, unsigned height, float repeat)
{
    for (unsigned i = 0; i < 4; i++) {
        float u = i & 1 ? 1 : 0, v = i & 2 ? 1 : 0;
        float x = (float)(i & 1 ? rect->right : rect->left) - 0.5f,
              y = (float)(i & 2 ? rect->bottom : rect->top) - 0.5f;

        corners[i] =
            (struct corner){x * 2 / (float)width - 1, 1 - y * 2 / (float)height, 0.5f, 1, u * repeat, v * repeat};
    }
}

void draw_quad(IDirect3DDevice9 *device, const RECT *rect, float repeat)
{
    struct corner corners[4];

    fill_quad(corners, rect, VIEW_WIDTH, VIEW_HEIGHT, repeat);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
}

IDirect3DVertexDeclaration9 *make_corner_declaration(IDirect3DDevice9 *device)
{
    static const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
        {0, 16, D3DDECLTYPE_FLOAT2, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
        D3DDECL_END(),
    };

    return make_declaration(device, elements);
}

D3DCOLOR checker_texel(float u, float v)
{
    bool odd = ((unsigned)(u * 8) + (unsigned)(v * 8)) & 1;

    return odd ? color_rgba(0.9f, 0.5f + 0.4f * v, 0.3f, 1) : color_rgba(0.2f, 0.3f, 0.6f * u, 1);
}

D3DCOLOR marble_texel(float u, float v)
{
    float t = fractal_noise(u * 8, v * 8, 8, 4);

    return color_rgba(0.4f + 0.6f * t, 0.5f + 0.4f * t, 0.9f - 0.3f * t, 1);
}

static void create_program(IDirect3DDevice9 *device, const DWORD *vertex, const DWORD *pixel)
{
    r.declaration = make_corner_declaration(device);
    r.vertex = make_vertex_shader(device, vertex);
    r.pixel[0] = make_pixel_shader(device, pixel);
    IDirect3DDevice9_SetVertexDeclaration(device, r.declaration);
    IDirect3DDevice9_SetVertexShader(device, r.vertex);
    IDirect3DDevice9_SetPixelShader(device, r.pixel[0]);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
}

static void create_textures(IDirect3DDevice9 *device)
{
    r.texture[0] = make_texture(device, 256, checker_texel);
    r.texture[1] = make_texture(device, 256, marble_texel);
    use_texture(device, 0, r.texture[0], D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_NONE);
}

static void destroy(void)
{
    release_all(&r);
}

/* --- programs ------------------------------------------------------------------------------- */

static void create_arithmetic(IDirect3DDevice9 *device)
{
    wave_fill();
    create_program(device, pass_2, arithmetic);
    set_pixel_constant(device, 1, 0.9f, 0.7f, 0.4f, 0);
    set_pixel_constant(device, 2, 0.6f, 0.64f, 0.48f, 0);
    set_pixel_constant(device, 3, 0.1f, 0.2f, 0.5f, 0);
    set_pixel_constant(device, 4, 0.08f, 0.06f, 0.1f, 0);
}

/* The last layer leaves a rim of the previous one visible. */
static void draw_arithmetic(IDirect3DDevice9 *device, unsigned frame)
{
    static const RECT inner = {40, 30, VIEW_WIDTH - 40, VIEW_HEIGHT - 30};

    for (unsigned i = 0; i < 8; i++) {
        float a = (float)(frame % 16) * 0.05f + (float)i;

        set_pixel_constant(device, 0, 0.5f + 0.4f * wave(a), 0.5f + 0.4f * wave_sin(a), 0.25f, 0);
        draw_quad(device, i < 7 ? &whole : &inner, 1);
    }
}

static void create_loop(IDirect3DDevice9 *device)
{
    create_program(device, pass_3, loop);
    create_textures(device);
}

static void draw_loop(IDirect3DDevice9 *device, unsigned frame)
{
    static const RECT inner = {40, 30, VIEW_WIDTH - 40, VIEW_HEIGHT - 30};

    for (unsigned i = 0; i < 2; i++) {
        IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)r.texture[i]);
        set_pixel_constant(device, 0, 0.004f, 0.002f + 0.0002f * (float)(frame % 16), 1 / 8.0f, 0);
        draw_quad(device, i ? &inner : &whole, 2.3f);
    }
}

/* --- several targets ------------------------------------------------------------------------------ */

static void create_targets(IDirect3DDevice9 *device)
{
    create_program(device, pass_3, targets);
    create_textures(device);
    for (unsigned i = 0; i < 3; i++)
        r.texture[2 + i] = make_target(device, VIEW_WIDTH, VIEW_HEIGHT, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8);
    IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &r.back);
}

/* A third of each target is copied to the picture. */
static void draw_targets(IDirect3DDevice9 *device, unsigned frame)
{
    IDirect3DSurface9 *surface[3];

    for (unsigned i = 0; i < 3; i++) {
        IDirect3DTexture9_GetSurfaceLevel(r.texture[2 + i], 0, &surface[i]);
        IDirect3DDevice9_SetRenderTarget(device, i, surface[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        float shade = 0.7f + 0.1f * (float)i;

        IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)r.texture[i % 2]);
        set_pixel_constant(device, 0, shade, shade, 1, 1);
        draw_quad(device, &whole, 1.7f + 0.02f * (float)(frame % 16));
    }
    for (unsigned i = 1; i < 3; i++)
        IDirect3DDevice9_SetRenderTarget(device, i, NULL);
    IDirect3DDevice9_SetRenderTarget(device, 0, r.back);
    for (LONG i = 0; i < 3; i++) {
        const RECT third = {i * 213, 0, i * 213 + 214, VIEW_HEIGHT};

        IDirect3DDevice9_StretchRect(device, surface[i], &third, r.back, &third, D3DTEXF_NONE);
        IDirect3DSurface9_Release(surface[i]);
    }
}

/* --- stretched copies --------------------------------------------------------------------------------- */

static void create_stretch(IDirect3DDevice9 *device)
{
    create_program(device, pass_2, textured);
    create_textures(device);
    r.texture[2] = make_target(device, VIEW_WIDTH, VIEW_HEIGHT, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8);
    r.texture[3] = make_target(device, VIEW_WIDTH / 2, VIEW_HEIGHT / 2, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8);
    IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &r.back);
    set_pixel_constant(device, 0, 1, 1, 1, 1);
}

/* Alternately reduced and enlarged, and copied. */
static void draw_stretch(IDirect3DDevice9 *device, unsigned frame)
{
    IDirect3DSurface9 *large, *small_one;

    IDirect3DTexture9_GetSurfaceLevel(r.texture[2], 0, &large);
    IDirect3DTexture9_GetSurfaceLevel(r.texture[3], 0, &small_one);
    IDirect3DDevice9_SetRenderTarget(device, 0, large);
    draw_quad(device, &whole, 1.3f + 0.01f * (float)(frame % 16));
    for (unsigned i = 0; i < 4; i++) {
        IDirect3DDevice9_StretchRect(device, large, NULL, small_one, NULL, D3DTEXF_LINEAR);
        IDirect3DDevice9_StretchRect(device, small_one, NULL, large, NULL, i & 1 ? D3DTEXF_LINEAR : D3DTEXF_POINT);
    }
    IDirect3DDevice9_StretchRect(device, large, NULL, r.back, NULL, D3DTEXF_NONE);
    IDirect3DDevice9_SetRenderTarget(device, 0, r.back);
    IDirect3DSurface9_Release(large);
    IDirect3DSurface9_Release(small_one);
}

/* clang-format off */
const struct scene pixel_scenes[] = {
    {"ps_2_0", "8 layers of 32 arithmetic instructions, ps_2_0", create_arithmetic, draw_arithmetic, destroy},
    {"ps_3_0-loop", "2 layers of a loop that reads a texture eight times, ps_3_0", create_loop, draw_loop, destroy},
    {"targets", "4 layers on three targets at once", create_targets, draw_targets, destroy},
    {"stretch", "8 stretched copies to half the size and back", create_stretch, draw_stretch, destroy},
};
/* clang-format on */
const unsigned pixel_scene_count = COUNT(pixel_scenes);
