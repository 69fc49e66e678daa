/* SPDX-License-Identifier: MIT */
/* Scenes dominated by pixels: fills of colour, depth and stencil, textures, blending, samples. */
#include "bench/wine/scenes.h"

#define LAYERS 16

static const RECT whole = {0, 0, VIEW_WIDTH, VIEW_HEIGHT};
static IDirect3DTexture8 *textures[2];

/* --- helpers ---------------------------------------------------------------------------- */

void set_state(IDirect3DDevice8 *device, D3DRENDERSTATETYPE state, DWORD value)
{
    IDirect3DDevice8_SetRenderState(device, state, value);
}

void set_stage(IDirect3DDevice8 *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    IDirect3DDevice8_SetTextureStageState(device, stage, state, value);
}

void clear_all(IDirect3DDevice8 *device, D3DCOLOR color)
{
    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, color, 1, 0);
}

void draw_quad(IDirect3DDevice8 *device, const RECT *rect, float z_left, float z_right, D3DCOLOR color, float repeat)
{
    float left = (float)rect->left - 0.5f, right = (float)rect->right - 0.5f;
    float top = (float)rect->top - 0.5f, bottom = (float)rect->bottom - 0.5f;
    const struct vertex_tl v[4] = {
        {left, top, z_left, 1, color, 0, 0},
        {right, top, z_right, 1, color, repeat, 0},
        {left, bottom, z_left, 1, color, 0, repeat},
        {right, bottom, z_right, 1, color, repeat, repeat},
    };

    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0]));
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

/* Opaque in the middle, transparent at the border. */
D3DCOLOR spot_texel(float u, float v)
{
    float d = sqrtf((u - 0.5f) * (u - 0.5f) + (v - 0.5f) * (v - 0.5f));
    float a = d < 0.5f ? 1 - d * 2 : 0;

    return color_rgba(a, a, a, a);
}

/* --- colour ------------------------------------------------------------------------------- */

static void create_flat(IDirect3DDevice8 *device)
{
    set_state(device, D3DRS_ZENABLE, D3DZB_FALSE);
    set_state(device, D3DRS_SHADEMODE, D3DSHADE_FLAT);
    set_stage(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_TL_FVF);
}

/* The last layer leaves a rim of the previous one visible. */
static void draw_flat(IDirect3DDevice8 *device, unsigned frame)
{
    static const RECT inner = {40, 30, VIEW_WIDTH - 40, VIEW_HEIGHT - 30};

    clear_all(device, 0xff000000);
    for (unsigned i = 0; i < LAYERS - 1; i++)
        draw_quad(device, &whole, 0.5f, 0.5f, 0xff201040 + 0x0c0400 * i + frame % 16, 1);
    draw_quad(device, &inner, 0.5f, 0.5f, 0xff60c080, 1);
}

/* --- depth and stencil ------------------------------------------------------------------------ */

static void create_depth(IDirect3DDevice8 *device)
{
    set_state(device, D3DRS_ZENABLE, D3DZB_TRUE);
    set_state(device, D3DRS_ZWRITEENABLE, TRUE);
    set_state(device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    set_stage(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_TL_FVF);
}

/* Every layer is nearer than the previous one; at the end a level quad shows where the slope is. */
static void draw_depth(IDirect3DDevice8 *device, unsigned frame)
{
    clear_all(device, 0xff203020);
    set_state(device, D3DRS_COLORWRITEENABLE, 0);
    for (unsigned i = 0; i < LAYERS - 1; i++) {
        float z = 0.9f - 0.04f * (float)i;

        draw_quad(device, &whole, z, z - 0.2f, 0, 1);
    }
    set_state(device, D3DRS_COLORWRITEENABLE, 15);
    draw_quad(device, &whole, 0.25f, 0.25f, 0xffe0a040 + frame % 16, 1);
}

static void create_stencil(IDirect3DDevice8 *device)
{
    create_depth(device);
    set_state(device, D3DRS_ZENABLE, D3DZB_FALSE);
    set_state(device, D3DRS_STENCILENABLE, TRUE);
    set_state(device, D3DRS_STENCILPASS, D3DSTENCILOP_INCR);
}

/* Overlapping steps are counted; pixels with a high enough count are coloured. */
static void draw_stencil(IDirect3DDevice8 *device, unsigned frame)
{
    clear_all(device, 0xff302030);
    set_state(device, D3DRS_COLORWRITEENABLE, 0);
    set_state(device, D3DRS_STENCILFUNC, D3DCMP_ALWAYS);
    set_state(device, D3DRS_STENCILPASS, D3DSTENCILOP_INCR);
    for (LONG i = 0; i < LAYERS - 1; i++) {
        const RECT step = {8 * i, 4 * i, VIEW_WIDTH, VIEW_HEIGHT};

        draw_quad(device, &step, 0.5f, 0.5f, 0, 1);
    }
    set_state(device, D3DRS_COLORWRITEENABLE, 15);
    set_state(device, D3DRS_STENCILPASS, D3DSTENCILOP_KEEP);
    set_state(device, D3DRS_STENCILFUNC, D3DCMP_LESSEQUAL);
    set_state(device, D3DRS_STENCILREF, 7);
    draw_quad(device, &whole, 0.5f, 0.5f, 0xff40a0e0 + frame % 16, 1);
}

/* --- textures -------------------------------------------------------------------------------- */

static void set_linear_filter(IDirect3DDevice8 *device, DWORD stage)
{
    set_stage(device, stage, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    set_stage(device, stage, D3DTSS_MAGFILTER, D3DTEXF_LINEAR);
    set_stage(device, stage, D3DTSS_MIPFILTER, D3DTEXF_POINT);
}

static void create_texture1(IDirect3DDevice8 *device)
{
    set_state(device, D3DRS_ZENABLE, D3DZB_FALSE);
    textures[0] = make_texture(device, 256, checker_texel);
    use_texture(device, textures[0], false);
    set_linear_filter(device, 0);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_TL_FVF);
}

static void draw_textured(IDirect3DDevice8 *device, unsigned frame)
{
    clear_all(device, 0xff000000);
    for (unsigned i = 0; i < LAYERS / 2; i++)
        draw_quad(device, &whole, 0.5f, 0.5f, 0xff808080 + 0x0f0f0f * i,
                  1.3f + 0.1f * (float)i + 0.01f * (float)(frame % 16));
}

static void create_texture2(IDirect3DDevice8 *device)
{
    create_texture1(device);
    textures[1] = make_texture(device, 256, marble_texel);
    IDirect3DDevice8_SetTexture(device, 1, (IDirect3DBaseTexture8 *)textures[1]);
    set_stage(device, 1, D3DTSS_TEXCOORDINDEX, 0);
    set_stage(device, 1, D3DTSS_COLOROP, D3DTOP_MODULATE2X);
    set_stage(device, 1, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    set_stage(device, 1, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_linear_filter(device, 1);
}

static void destroy_textures(void)
{
    for (unsigned i = 0; i < COUNT(textures); i++) {
        if (textures[i])
            IDirect3DTexture8_Release(textures[i]);
        textures[i] = NULL;
    }
}

/* --- blending ----------------------------------------------------------------------------------- */

static void create_alpha(IDirect3DDevice8 *device)
{
    set_state(device, D3DRS_ZENABLE, D3DZB_FALSE);
    textures[0] = make_texture(device, 128, spot_texel);
    use_texture(device, textures[0], false);
    set_linear_filter(device, 0);
    set_state(device, D3DRS_ALPHABLENDENABLE, TRUE);
    set_state(device, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    set_state(device, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_TL_FVF);
}

static void draw_alpha(IDirect3DDevice8 *device, unsigned frame)
{
    uint32_t seed = 5;

    clear_all(device, 0xff101830);
    for (unsigned i = 0; i < 150; i++) {
        LONG x = (LONG)(random_float(&seed) * (VIEW_WIDTH - 128)) + (LONG)(frame % 16);
        LONG y = (LONG)(random_float(&seed) * (VIEW_HEIGHT - 128));
        D3DCOLOR color = color_rgba(random_float(&seed), random_float(&seed), 1, 0.8f);

        draw_quad(device, &(RECT){x, y, x + 128, y + 128}, 0.5f, 0.5f, color, 1);
    }
}

/* --- samples ----------------------------------------------------------------------------------------- */

static void create_samples(IDirect3DDevice8 *device)
{
    create_depth(device);
    set_state(device, D3DRS_MULTISAMPLEANTIALIAS, TRUE);
}

/* Large triangles, so that there are few edges and many pixels. */
static void draw_samples(IDirect3DDevice8 *device, unsigned frame)
{
    clear_all(device, 0xff101010);
    for (unsigned i = 0; i < 24; i++) {
        float a = 0.4f * (float)i + 0.01f * (float)(frame % 16), z = 0.9f - 0.03f * (float)i;
        const float third = 2 * pi / 3;
        struct vertex_tl v[3];

        for (unsigned k = 0; k < 3; k++) {
            float angle = a + third * (float)k;

            v[k] = (struct vertex_tl){320 + 300 * cosf(angle),
                                      240 + 230 * sinf(angle),
                                      z,
                                      1,
                                      0xff402010 + 0x060a0c * i + 0x600000 * (k == 1),
                                      0,
                                      0};
        }
        IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, v, sizeof(v[0]));
    }
}

const struct scene fill_scenes[] = {
    {"flat", "16 layers of one colour", false, create_flat, draw_flat, NULL},
    {"depth", "15 layers of depth alone, tested and written", false, create_depth, draw_depth, NULL},
    {"stencil", "15 layers counted in the stencil", false, create_stencil, draw_stencil, NULL},
    {"texture", "8 layers, bilinear", false, create_texture1, draw_textured, destroy_textures},
    {"two-textures", "8 layers, two bilinear textures", false, create_texture2, draw_textured, destroy_textures},
    {"alpha", "150 blended quads of 128x128", false, create_alpha, draw_alpha, destroy_textures},
    {"samples", "24 large triangles, 4 samples", true, create_samples, draw_samples, NULL},
};
const unsigned fill_scene_count = COUNT(fill_scenes);
