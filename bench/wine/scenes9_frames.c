/* SPDX-License-Identifier: MIT */
/* Direct3D 9 scenes of the kinds that engines' frames consist of: skinned meshes, pixels with many lights, float
 * targets and their post-processing. */
#include "bench/wine/scenes9.h"

#include <stdlib.h>
#include <string.h>

static const DWORD pass_2[] = {
#include "bench/wine/shaders/pass_2.vsa.h"
};
static const DWORD pass_3[] = {
#include "bench/wine/shaders/pass_3.vsa.h"
};
static const DWORD skin[] = {
#include "bench/wine/shaders/skin.vsa.h"
};
static const DWORD lights[] = {
#include "bench/wine/shaders/lights.psa.h"
};
static const DWORD radiance[] = {
#include "bench/wine/shaders/radiance.psa.h"
};
static const DWORD bright[] = {
#include "bench/wine/shaders/bright.psa.h"
};
static const DWORD blur[] = {
#include "bench/wine/shaders/blur.psa.h"
};
static const DWORD tone[] = {
#include "bench/wine/shaders/tone.psa.h"
};

static const RECT whole = {0, 0, VIEW_WIDTH, VIEW_HEIGHT};
static struct resources r;

static void destroy(void)
{
    release_all(&r);
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);

    if (!memory)
        fail("malloc", E_OUTOFMEMORY);
    return memory;
}

static void use_corners(IDirect3DDevice9 *device, const DWORD *vertex)
{
    r.declaration = make_corner_declaration(device);
    r.vertex = make_vertex_shader(device, vertex);
    IDirect3DDevice9_SetVertexDeclaration(device, r.declaration);
    IDirect3DDevice9_SetVertexShader(device, r.vertex);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
}

/* --- a skinned mesh --------------------------------------------------------------------------- */

/* A snake: rings of vertices along a line, bent by bones along it. */
#define RINGS  600
#define SIDES  48
#define BONES  20
#define LENGTH 6.0f

struct vertex_skinned {
    struct vec3 place, normal;
    float weight[4];
    uint8_t bone[4];
    float u, v;
};

static const D3DVERTEXELEMENT9 skinned_elements[] = {
    {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
    {0, 12, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0},
    {0, 24, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_BLENDWEIGHT, 0},
    {0, 40, D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_BLENDINDICES, 0},
    {0, 44, D3DDECLTYPE_FLOAT2, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
    D3DDECL_END(),
};

static struct vertex_skinned skinned_vertex(unsigned ring, unsigned side)
{
    const float along = (float)ring / RINGS, angle = (float)side / SIDES * 2 * pi;
    const float thick = 0.25f * (1.05f - along) + 0.06f, bone = along * (BONES - 1.001f);
    const unsigned first = bone < 1 ? 0 : bone >= BONES - 3 ? BONES - 4 : (unsigned)bone - 1;
    struct vertex_skinned v = {
        .place = v3((along - 0.5f) * LENGTH, thick * cosf(angle), thick * sinf(angle)),
        .normal = v3(0, cosf(angle), sinf(angle)),
        .u = along * 16,
        .v = (float)side / SIDES * 4,
    };
    float sum = 0;

    for (unsigned k = 0; k < 4; k++) {
        const float distance = fabsf((float)(first + k) - bone);

        v.bone[k] = (uint8_t)(first + k);
        v.weight[k] = distance < 2 ? (2 - distance) * (2 - distance) : 0;
        sum += v.weight[k];
    }
    for (unsigned k = 0; k < 4; k++)
        v.weight[k] /= sum;
    return v;
}

static void create_skinned(IDirect3DDevice9 *device)
{
    struct vertex_skinned *v = allocate((RINGS + 1) * (SIDES + 1) * sizeof(*v)), *at = v;
    uint16_t *list = allocate(RINGS * SIDES * 6 * sizeof(*list)), *next = list;

    for (unsigned ring = 0; ring <= RINGS; ring++)
        for (unsigned side = 0; side <= SIDES; side++)
            *at++ = skinned_vertex(ring, side);
    for (unsigned ring = 0; ring < RINGS; ring++)
        for (unsigned side = 0; side < SIDES; side++) {
            const uint16_t a = (uint16_t)(ring * (SIDES + 1) + side), b = (uint16_t)(a + SIDES + 1);
            const uint16_t quad[6] = {a, b, (uint16_t)(a + 1), (uint16_t)(a + 1), b, (uint16_t)(b + 1)};

            memcpy(next, quad, sizeof(quad));
            next += 6;
        }
    r.vertices[0] = make_vertices(device, v, (RINGS + 1) * (SIDES + 1) * sizeof(*v));
    r.indices = make_indices(device, list, RINGS * SIDES * 6);
    free(v);
    free(list);
    wave_fill();
    r.declaration = make_declaration(device, skinned_elements);
    r.vertex = make_vertex_shader(device, skin);
    r.texture[0] = make_texture(device, 256, checker_texel);
    use_texture(device, 0, r.texture[0], D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetVertexDeclaration(device, r.declaration);
    IDirect3DDevice9_SetVertexShader(device, r.vertex);
    IDirect3DDevice9_SetStreamSource(device, 0, r.vertices[0], 0, sizeof(*v));
    IDirect3DDevice9_SetIndices(device, r.indices);
    set(device, D3DRS_ZENABLE, D3DZB_TRUE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
}

/* Each bone turns about its own place and moves sideways. */
static void set_bones(IDirect3DDevice9 *device, float time)
{
    float rows[BONES][3][4];

    for (unsigned k = 0; k < BONES; k++) {
        const float phase = time + (float)k * 0.5f, x = ((float)k / (BONES - 1) - 0.5f) * LENGTH;
        const float c = 0.8f + 0.2f * wave(phase), s = 0.6f * wave_sin(phase);
        const float bone[3][4] = {
            {c, -s, 0, x - c * x},
            {s, c, 0, -s * x + 0.5f * wave_sin(phase)},
            {0, 0, 1, 0.3f * wave(phase)},
        };

        memcpy(rows[k], bone, sizeof(bone));
    }
    IDirect3DDevice9_SetVertexShaderConstantF(device, 8, rows[0][0], 3 * BONES);
}

static void draw_skinned(IDirect3DDevice9 *device, unsigned frame)
{
    for (unsigned i = 0; i < 4; i++) {
        const float time = (float)(frame % 16) * 0.2f + (float)i, height = (float)i * 0.9f - 1.35f;
        D3DMATRIX view = matrix_look_at(v3(0.4f, 0.5f - height, -6), v3(0, -height, 0));
        D3DMATRIX projection = matrix_perspective(0.8f, 4.0f / 3.0f, 0.5f, 50),
                  both = matrix_product(&view, &projection);
        float constants[6][4] = {{0}, {0}, {0}, {0}, {0.5f, 0.7f, -0.5f, 0}, {0.25f, 0.25f, 0.3f, 0}};

        for (unsigned row = 0; row < 4; row++)
            for (unsigned column = 0; column < 4; column++)
                constants[row][column] = both.m[column][row];
        if (!i)
            IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff182030, 1, 0);
        IDirect3DDevice9_SetVertexShaderConstantF(device, 0, constants[0], 6);
        set_bones(device, time);
        IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, (RINGS + 1) * (SIDES + 1), 0,
                                              RINGS * SIDES * 2);
    }
}

/* --- lights ------------------------------------------------------------------------------------- */

#define LIGHTS 8

static D3DCOLOR spot_texel(float u, float v)
{
    const float x = u - 0.5f, y = v - 0.5f, d = 1 - 4 * (x * x + y * y),
                ring = 0.8f + 0.2f * cosf(40 * (x * x + y * y));
    const float c = d > 0 ? d * ring : 0;

    return color_rgba(c, c, c, 1);
}

static D3DCOLOR surface_texel(float u, float v)
{
    const float t = fractal_noise(u * 16, v * 16, 16, 4);

    return color_rgba(0.3f + 0.4f * t, 0.3f + 0.4f * fractal_noise(u * 16 + 5, v * 16, 16, 4), 0.6f, 1);
}

/* Two texels per light: place and 1 / range^2, colour. */
static void fill_lights(IDirect3DTexture9 *texture)
{
    D3DLOCKED_RECT rect;

    if (FAILED(IDirect3DTexture9_LockRect(texture, 0, &rect, NULL, 0)))
        fail("LockRect", E_FAIL);
    for (unsigned i = 0; i < LIGHTS; i++) {
        const float angle = (float)i / LIGHTS * 2 * pi, t = (float)i / LIGHTS;
        const float light[2][4] = {
            {0.5f + 0.35f * cosf(angle), 0.5f + 0.35f * sinf(angle), 0.2f, 1.5f},
            {0.3f + 1.2f * t, 1.1f - 0.6f * t, 0.4f + 0.9f * fabsf(0.5f - t), 0},
        };

        memcpy((uint8_t *)rect.pBits + (size_t)i * (unsigned)rect.Pitch, light, sizeof(light));
    }
    IDirect3DTexture9_UnlockRect(texture, 0);
}

static void create_lights(IDirect3DDevice9 *device)
{
    use_corners(device, pass_3);
    r.pixel[0] = make_pixel_shader(device, lights);
    IDirect3DDevice9_SetPixelShader(device, r.pixel[0]);
    r.texture[0] = make_texture(device, 256, surface_texel);
    r.texture[2] = make_texture(device, 128, spot_texel);
    if (FAILED(IDirect3DDevice9_CreateTexture(device, 2, LIGHTS, 1, 0, D3DFMT_A32B32G32R32F, D3DPOOL_MANAGED,
                                              &r.texture[1], NULL)))
        fail("CreateTexture", E_FAIL);
    fill_lights(r.texture[1]);
    use_texture(device, 0, r.texture[0], D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    use_texture(device, 1, r.texture[1], D3DTADDRESS_CLAMP, D3DTEXF_POINT, D3DTEXF_NONE);
    use_texture(device, 2, r.texture[2], D3DTADDRESS_CLAMP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    set_pixel_constant(device, 0, 1.0f / LIGHTS, 0.5f / LIGHTS, 0, 0);
}

static void draw_lights(IDirect3DDevice9 *device, unsigned frame)
{
    set_pixel_constant(device, 1, 0.1f, 0.12f, 0.15f + 0.002f * (float)(frame % 16), 0);
    draw_quad(device, &whole, 1);
}

/* --- a float target and its post-processing -------------------------------------------------------------- */

static void create_chain(IDirect3DDevice9 *device)
{
    static const struct {
        unsigned width, height;
    } sizes[] = {{VIEW_WIDTH, VIEW_HEIGHT}, {VIEW_WIDTH / 2, VIEW_HEIGHT / 2}, {VIEW_WIDTH / 2, VIEW_HEIGHT / 2}};

    use_corners(device, pass_2);
    r.pixel[0] = make_pixel_shader(device, radiance);
    r.pixel[1] = make_pixel_shader(device, bright);
    r.pixel[2] = make_pixel_shader(device, blur);
    r.pixel[3] = make_pixel_shader(device, tone);
    r.texture[0] = make_texture(device, 256, checker_texel);
    for (unsigned i = 0; i < COUNT(sizes); i++)
        r.texture[1 + i] =
            make_target(device, sizes[i].width, sizes[i].height, D3DUSAGE_RENDERTARGET, D3DFMT_A16B16G16R16F);
}

/* A pass over a whole target, whose corners are those of the back buffer. */
static void draw_pass(IDirect3DDevice9 *device, IDirect3DTexture9 *target, IDirect3DPixelShader9 *pixel, float repeat)
{
    struct corner corners[4];
    RECT rect = whole;

    if (target != NULL && target != r.texture[1]) {
        rect.right /= 2;
        rect.bottom /= 2;
    }
    use_target(device, target);
    IDirect3DDevice9_SetPixelShader(device, pixel);
    fill_quad(corners, &rect, (unsigned)rect.right, (unsigned)rect.bottom, repeat);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
}

static void read_target(IDirect3DDevice9 *device, unsigned sampler, unsigned texture, D3DTEXTUREFILTERTYPE filter)
{
    use_texture(device, sampler, r.texture[texture], D3DTADDRESS_CLAMP, filter, D3DTEXF_NONE);
}

static void draw_chain(IDirect3DDevice9 *device, unsigned frame)
{
    const float x = 1.0f / VIEW_WIDTH, y = 1.0f / VIEW_HEIGHT;

    use_texture(device, 0, r.texture[0], D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetTexture(device, 1, NULL);
    set_pixel_constant(device, 0, 6, 5 + 0.05f * (float)(frame % 16), 4, 1);
    draw_pass(device, r.texture[1], r.pixel[0], 3);
    read_target(device, 0, 1, D3DTEXF_POINT);
    set_pixel_constant(device, 0, 1.5f, 0, 0, 0);
    for (unsigned i = 0; i < 4; i++)
        set_pixel_constant(device, 1 + i, i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2, 0, 0);
    draw_pass(device, r.texture[2], r.pixel[1], 1);
    set_pixel_constant(device, 1, 0.227f, 0.1946f, 0.1216f, 0.0541f);
    set_pixel_constant(device, 2, 0.0162f, 0, 0, 0);
    for (unsigned i = 0; i < 2; i++) {
        read_target(device, 0, 2, D3DTEXF_LINEAR);
        set_pixel_constant(device, 0, 2 * x, 0, 0, 0);
        draw_pass(device, r.texture[3], r.pixel[2], 1);
        read_target(device, 0, 3, D3DTEXF_LINEAR);
        set_pixel_constant(device, 0, 0, 2 * y, 0, 0);
        draw_pass(device, r.texture[2], r.pixel[2], 1);
    }
    read_target(device, 0, 1, D3DTEXF_POINT);
    read_target(device, 1, 2, D3DTEXF_LINEAR);
    set_pixel_constant(device, 0, 0.7f, 0.8f, 0, 0);
    draw_pass(device, NULL, r.pixel[3], 1);
    IDirect3DDevice9_SetTexture(device, 1, NULL);
}

/* clang-format off */
const struct scene frame_scenes[] = {
    {"skinned-mesh", "4 meshes of 57600 triangles, four bones a vertex in vs_2_0", create_skinned, draw_skinned, destroy},
    {"lights", "a loop over eight textured lights, ps_3_0", create_lights, draw_lights, destroy},
    {"post-process", "a half-float target, its bright parts blurred twice at half the size, tone mapping", create_chain, draw_chain, destroy},
};
/* clang-format on */
const unsigned frame_scene_count = COUNT(frame_scenes);
