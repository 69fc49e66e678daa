/* SPDX-License-Identifier: MIT */
/*
 * The fixed function of Direct3D 9 combined with shaders, and the values that it uses where none are supplied. Values
 * are computed from the formulas of docs/reference/vertex-processing.md, sections 4 to 8, and
 * docs/reference/pixel-output.md, sections 4 and 7.
 */
#include "tests/runtime/program9.h"

#include <math.h>

#define SIDE 16 /* of the target of floats, pixels */

static HWND window;
static IDirect3DDevice9 *device;
static IDirect3DSurface9 *target, *copy;

static void set_state(D3DRENDERSTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, state, value), D3D_OK);
}

static void set_float(D3DRENDERSTATETYPE state, float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    set_state(state, bits);
}

static void set_stage(DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    CHECK_HR(IDirect3DDevice9_SetTextureStageState(device, stage, state, value), D3D_OK);
}

static void set_matrix(D3DTRANSFORMSTATETYPE which, const float m[16])
{
    CHECK_HR(IDirect3DDevice9_SetTransform(device, which, (const D3DMATRIX *)m), D3D_OK);
}

static bool set_up(void)
{
    window = open_window();
    device = open_device9(window, false, 0, NULL);
    if (!device)
        return false;
    CHECK_HR(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A32B32G32R32F, D3DMULTISAMPLE_NONE, 0,
                                                 FALSE, &target, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIDE, SIDE, D3DFMT_A32B32G32R32F, D3DPOOL_SYSTEMMEM,
                                                          &copy, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderTarget(device, 0, target), D3D_OK);
    set_state(D3DRS_LIGHTING, FALSE);
    set_state(D3DRS_CULLMODE, D3DCULL_NONE);
    set_state(D3DRS_ZENABLE, D3DZB_FALSE);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    return target && copy;
}

static void tear_down(void)
{
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(copy);
    close_device9(device, window);
}

static void declare(const D3DVERTEXELEMENT9 *elements)
{
    IDirect3DVertexDeclaration9 *declaration = NULL;

    CHECK_HR(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &declaration), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetVertexDeclaration(device, declaration), D3D_OK);
    if (declaration)
        IDirect3DVertexDeclaration9_Release(declaration);
}

static void draw(const void *vertices, UINT stride)
{
    CHECK_HR(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, vertices, stride), D3D_OK);
}

static void read_color(unsigned x, unsigned y, float out[4])
{
    D3DLOCKED_RECT locked;

    memset(out, 0, 4 * sizeof(*out));
    CHECK_HR(IDirect3DDevice9_GetRenderTargetData(device, target, copy), D3D_OK);
    if (IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY) != D3D_OK)
        return;
    memcpy(out, (const char *)locked.pBits + (size_t)locked.Pitch * y + 16 * x, 16);
    IDirect3DSurface9_UnlockRect(copy);
}

static void expect(int line, const char *what, const float got[4], float r, float g, float b, float a)
{
    const float want[4] = {r, g, b, a};

    for (unsigned c = 0; c < 4; c++) {
        if (!(fabsf(got[c] - want[c]) <= 1e-5f)) {
            failed(__FILE__, line, "%s: (%g %g %g %g), not (%g %g %g %g)", what, (double)got[0], (double)got[1],
                   (double)got[2], (double)got[3], (double)r, (double)g, (double)b, (double)a);
            return;
        }
    }
}

#define EXPECT_COLOR(what, ...)                         \
    do {                                                \
        float color_[4];                                \
        read_color(SIDE / 2 - 1, SIDE / 2 - 1, color_); \
        expect(__LINE__, what, color_, __VA_ARGS__);    \
    } while (0)

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* --- positions ------------------------------------------------------------------------------------------ */

struct wide_vertex {
    float position[4];
    DWORD color;
};

/* Corner k of a quad from -x to x and -y to y. */
static void place(float position[4], unsigned k, float x, float y, float z, float w)
{
    position[0] = k & 1 ? x : -x;
    position[1] = k & 2 ? -y : y;
    position[2] = z;
    position[3] = w;
}

static void positions_with_w(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITION, 0},
                                                 {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                                                 D3DDECL_END()};
    struct wide_vertex v[4];
    float got[4];

    if (!set_up())
        return;
    for (unsigned k = 0; k < 4; k++) {
        place(v[k].position, k, 0.5f, 0.5f, 0.5f, 0.5f);
        v[k].color = 0xffffffff;
    }
    for (unsigned by_fvf = 0; by_fvf < 2; by_fvf++) {
        if (by_fvf)
            CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZW | D3DFVF_DIFFUSE), D3D_OK);
        else
            declare(elements);
        draw(v, sizeof(v[0]));
        for (unsigned x = 0; x < SIDE; x++) {
            const float want = x >= SIDE / 4 && x < 3 * SIDE / 4;

            read_color(x, SIDE / 2, got);
            expect(__LINE__, by_fvf ? "XYZW" : "FLOAT4", got, want, want, want, want);
        }
    }
    tear_down();
}

/* --- fog -------------------------------------------------------------------------------------------------- */

/* Blue in red fog. */
static void set_up_fog(DWORD table)
{
    set_state(D3DRS_FOGENABLE, TRUE);
    set_state(D3DRS_FOGCOLOR, 0xffff0000);
    set_state(D3DRS_FOGTABLEMODE, table);
    set_float(D3DRS_FOGSTART, 0);
    set_float(D3DRS_FOGEND, 10);
    set_float(D3DRS_FOGDENSITY, 0.125f);
}

static void fog_behind_shaders(void)
{
    static const char head[] =
        "vs_1_1\ndef c0, 0.25, 0.75, 0, 0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n";
    static const struct {
        const char *rest;
        float factor;
    } rows[] = {{"", 0}, {"mov oD1, c0.x\n", 0.25f}, {"mov oD1, c0.x\nmov oFog, c0.y\n", 0.75f}};
    struct wide_vertex v[4];
    char text[256];

    if (!set_up())
        return;
    set_up_fog(D3DFOG_NONE);
    set_state(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR); /* which is the fixed function's */
    for (unsigned k = 0; k < 4; k++) {
        place(v[k].position, k, 1, 1, 0.5f, 1);
        v[k].color = 0xff0000ff;
    }
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZW | D3DFVF_DIFFUSE), D3D_OK);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(text, sizeof(text), "%s%s", head, rows[i].rest);
        set_vertex_shader9(device, text);
        draw(v, sizeof(v[0]));
        EXPECT_COLOR(rows[i].rest, 1 - rows[i].factor, 0, rows[i].factor, 1);
    }
    tear_down();
}

struct window_vertex {
    float position[4];
    DWORD color, specular;
};

/* Covers the target. */
static void draw_window(float z, float rhw, DWORD specular, DWORD fvf)
{
    struct window_vertex v[4];

    for (unsigned k = 0; k < 4; k++) {
        const float position[4] = {k & 1 ? SIDE : 0, k & 2 ? SIDE : 0, z, rhw};

        memcpy(v[k].position, position, sizeof(position));
        v[k].color = 0xff0000ff;
        v[k].specular = specular;
    }
    CHECK_HR(IDirect3DDevice9_SetFVF(device, fvf), D3D_OK);
    draw(v, sizeof(v[0]));
}

static void fog_of_transformed(void)
{
    const DWORD plain = D3DFVF_XYZRHW | D3DFVF_DIFFUSE, both = plain | D3DFVF_SPECULAR;
    const float near_one[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.01f};

    if (!set_up())
        return;
    set_up_fog(D3DFOG_NONE);
    draw_window(0.25f, 0.2f, 0x33000000, both);
    EXPECT_COLOR("specular alpha 0.2", 0.8f, 0, 0.2f, 1);
    draw_window(0.25f, 0.2f, 0, plain);
    EXPECT_COLOR("no specular", 1, 0, 0, 1);
    set_up_fog(D3DFOG_LINEAR);
    draw_window(0.25f, 0.2f, 0, plain);
    EXPECT_COLOR("table fog, w is left alone: z", 0.025f, 0, 0.975f, 1);
    set_matrix(D3DTS_PROJECTION, near_one);
    draw_window(0.25f, 0.2f, 0, plain);
    EXPECT_COLOR("table fog, a projection that changes w: 1 / rhw", 0.5f, 0, 0.5f, 1);
    set_state(D3DRS_FOGTABLEMODE, D3DFOG_EXP);
    draw_window(0.25f, 0.2f, 0, plain);
    EXPECT_COLOR("exponential", 1 - expf(-0.625f), 0, expf(-0.625f), 1);
    tear_down();
}

/* --- texture coordinates ------------------------------------------------------------------------------------ */

struct textured_vertex {
    float position[4], normal[3], texcoord[4];
};

/* clang-format off */
enum vertex_kind { WINDOW, PLAIN, NORMALS, SHADER, VERTEX_KINDS };
enum pixel_kind { STAGES, PS_1_1, PS_2_0, SHOWS, PIXEL_KINDS };
/* clang-format on */

static const float normal[3] = {0.125f, 0.375f, 0.625f}, texcoord[4] = {0.8f, 0.3f, 0.45f, 0.6f};
/* Rotates the components, so that the number of components matters. */
static const float reversed[16] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0};

/* The input of the pixel stage. */
static void given_coordinates(enum vertex_kind kind, unsigned components, DWORD flags, float out[4])
{
    const DWORD count = flags & ~(DWORD)D3DTTFF_PROJECTED;
    const float *from = kind == NORMALS ? normal : texcoord;
    const unsigned given = kind == NORMALS ? 3 : components;
    const bool counted = count >= 2 && count <= 4;

    for (unsigned c = 0; c < 4; c++)
        out[c] = c < given ? from[c] : 0;
    if (kind == WINDOW || kind == SHADER) {
        out[3] = given < 4 ? 1 : out[3];
        return;
    }
    if (counted) {
        float v[4];

        memcpy(v, out, sizeof(v));
        if (given < 4)
            v[given] = 1;
        for (unsigned c = 0; c < 4; c++)
            out[c] = c < count ? v[3 - c] : 0;
    }
    if (flags & D3DTTFF_PROJECTED)
        out[3] = out[(counted ? count : given) - 1];
}

static void check_coordinates(enum vertex_kind vertex, enum pixel_kind pixel, unsigned components, DWORD flags)
{
    const bool divides = flags & D3DTTFF_PROJECTED && pixel <= PS_1_1;
    struct textured_vertex v[4];
    float want[4], got[4];
    char what[80];

    if (divides && vertex == WINDOW)
        return; /* nobody knows */
    for (unsigned k = 0; k < 4; k++) {
        const float corner[4] = {k & 1 ? SIDE : 0, k & 2 ? SIDE : 0, 0.5f, 1};

        place(v[k].position, k, 1, 1, 0.5f, 1);
        if (vertex == WINDOW)
            memcpy(v[k].position, corner, sizeof(corner));
        memcpy(v[k].normal, normal, sizeof(normal));
        memcpy(v[k].texcoord, texcoord, sizeof(texcoord));
    }
    set_stage(0, D3DTSS_TEXCOORDINDEX, vertex == NORMALS ? D3DTSS_TCI_CAMERASPACENORMAL : 0);
    set_stage(0, D3DTSS_TEXTURETRANSFORMFLAGS, flags);
    draw(v, sizeof(v[0]));
    given_coordinates(vertex, components, flags, want);
    snprintf(what, sizeof(what), "vertices %d, pixels %d, %u components, flags %#lx", (int)vertex, (int)pixel,
             components, (unsigned long)flags);
    if (pixel == SHOWS) {
        EXPECT_COLOR(what, want[0], want[1], want[2], want[3]);
        return;
    }
    if (divides && want[3] == 0)
        return;
    read_color(SIDE / 2 - 1, SIDE / 2 - 1, got);
    for (unsigned c = 0; c < 2; c++) { /* the place of a texel, wrapped */
        const float off = got[c] - want[c] / (divides ? want[3] : 1);

        if (!(fabsf(off - floorf(off + 0.5f)) < 0.01f))
            failed(__FILE__, __LINE__, "%s: coordinate %u is at %g", what, c, (double)got[c]);
    }
}

static IDirect3DTexture9 *place_texture(void)
{
    enum { TEXELS = 128 };
    IDirect3DTexture9 *texture = NULL;
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DDevice9_CreateTexture(device, TEXELS, TEXELS, 1, 0, D3DFMT_A32B32G32R32F, D3DPOOL_MANAGED,
                                            &texture, NULL),
             D3D_OK);
    CHECK_HR(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < TEXELS; y++) {
        float *row = (float *)((char *)locked.pBits + (size_t)locked.Pitch * y);

        for (unsigned x = 0; x < TEXELS; x++) {
            const float texel[4] = {((float)x + 0.5f) / TEXELS, ((float)y + 0.5f) / TEXELS, 0, 0};

            memcpy(&row[4 * x], texel, sizeof(texel));
        }
    }
    CHECK_HR(IDirect3DTexture9_UnlockRect(texture, 0), D3D_OK);
    return texture;
}

static void declare_textured(enum vertex_kind kind, unsigned components)
{
    const D3DVERTEXELEMENT9 elements[] = {
        {0, 0, kind == WINDOW ? D3DDECLTYPE_FLOAT4 : D3DDECLTYPE_FLOAT3, 0,
         kind == WINDOW ? D3DDECLUSAGE_POSITIONT : D3DDECLUSAGE_POSITION, 0},
        {0, offsetof(struct textured_vertex, normal), D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
        {0, offsetof(struct textured_vertex, texcoord), (BYTE)(D3DDECLTYPE_FLOAT1 + components - 1), 0,
         D3DDECLUSAGE_TEXCOORD, 0},
        D3DDECL_END()};

    declare(elements);
}

static void coordinates(void)
{
    static const char *const pixel_code[PIXEL_KINDS] = {
        [PS_1_1] = "ps_1_1\ntex t0\nmov r0, t0\n",
        [PS_2_0] = "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
        [SHOWS] = "ps_2_0\ndcl t0\nmov oC0, t0\n"};
    static const DWORD flags[] = {0, 1, 2, 3, 4, 0x100, 0x101, 0x102, 0x103, 0x104, 0xfffffeff, 0xffffffff, 0xffffff03};
    IDirect3DTexture9 *texture;

    if (!set_up())
        return;
    texture = place_texture();
    CHECK_HR(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture), D3D_OK);
    set_stage(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    set_stage(0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    set_matrix(D3DTS_TEXTURE0, reversed);
    for (enum vertex_kind vertex = 0; vertex < VERTEX_KINDS; vertex++) {
        set_vertex_shader9(
            device, vertex == SHADER ? "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n" : NULL);
        for (enum pixel_kind pixel = 0; pixel < PIXEL_KINDS; pixel++) {
            set_pixel_shader9(device, pixel_code[pixel]);
            for (unsigned components = 1; components <= 4; components++) {
                declare_textured(vertex, components);
                for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
                    check_coordinates(vertex, pixel, components, flags[i]);
            }
        }
    }
    IDirect3DTexture9_Release(texture);
    tear_down();
}

static void sphere_map(void)
{
    const float wide[16] = {1000, 0, 0, 0, 0, 1000, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    struct textured_vertex v[4];
    float got[4];
    D3DCAPS9 caps;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice9_GetDeviceCaps(device, &caps), D3D_OK);
    CHECK(caps.VertexProcessingCaps & D3DVTXPCAPS_TEXGEN_SPHEREMAP);
    CHECK(caps.PrimitiveMiscCaps & D3DPMISCCAPS_FOGANDSPECULARALPHA);
    /* everything straight in front of the viewer */
    for (unsigned k = 0; k < 4; k++) {
        const float tilted[3] = {0.28f, 0, -0.96f};

        place(v[k].position, k, 0.001f, 0.001f, 0.5f, 1);
        memcpy(v[k].normal, tilted, sizeof(tilted));
    }
    declare_textured(PLAIN, 2);
    set_matrix(D3DTS_PROJECTION, wide);
    set_pixel_shader9(device, "ps_2_0\ndcl t0\nmov oC0, t0\n");
    set_stage(0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_SPHEREMAP);
    draw(v, sizeof(v[0]));
    read_color(SIDE / 2 - 1, SIDE / 2 - 1, got);
    CHECK(fabsf(got[0] - 0.64f) < 1e-3f && fabsf(got[1] - 0.5f) < 1e-3f);
    tear_down();
}

/* --- missing values ------------------------------------------------------------------------------------------ */

static void unbound_textures(void)
{
    const DWORD fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;

    if (!set_up())
        return;
    set_state(D3DRS_TEXTUREFACTOR, 0xffff0000);
    set_stage(0, D3DTSS_COLORARG1, D3DTA_DIFFUSE);
    set_stage(0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    set_stage(0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
    set_stage(0, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
    set_stage(0, D3DTSS_COLOROP, D3DTOP_BLENDTEXTUREALPHA);
    draw_window(0.5f, 1, 0, fvf);
    EXPECT_COLOR("BLENDTEXTUREALPHA", 1, 0, 0, 1);
    set_stage(0, D3DTSS_COLOROP, D3DTOP_BLENDTEXTUREALPHAPM);
    draw_window(0.5f, 1, 0, fvf);
    EXPECT_COLOR("BLENDTEXTUREALPHAPM", 1, 0, 1, 1);
    set_stage(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    set_stage(0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
    draw_window(0.5f, 1, 0, fvf);
    EXPECT_COLOR("alpha of the texture", 0, 0, 1, 1);
    set_stage(0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    set_stage(0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    draw_window(0.5f, 1, 0, fvf);
    EXPECT_COLOR("colour of the texture: the stage is off", 0, 0, 1, 1);
    tear_down();
}

static void missing_specular(void)
{
    const DWORD fvf = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;

    if (!set_up())
        return;
    set_pixel_shader9(device, "ps_2_0\ndcl v1\nmov oC0, v1\n");
    draw_window(0.5f, 1, 0, fvf);
    EXPECT_COLOR("ps_2_0", 0, 0, 0, 1);
    set_pixel_shader9(device, "ps_1_1\nmov r0, v1\n");
    draw_window(0.5f, 1, 0, fvf);
    EXPECT_COLOR("ps_1_1", 0, 0, 0, 1);
    tear_down();
}

/* A world without depth, as for plain pictures: a light behind the viewer reaches surfaces that face the viewer. */
static void flat_world(void)
{
    const float flat[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f, 1};
    const D3DLIGHT9 light = {.Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {0.5f, 0.25f, 1, 1}, .Direction = {0, 0, 1}};
    const D3DMATERIAL9 material = {.Diffuse = {1, 1, 1, 1}};
    struct textured_vertex v[4];

    if (!set_up())
        return;
    for (unsigned k = 0; k < 4; k++) {
        const float forward[3] = {0, 0, -1};

        place(v[k].position, k, 1, 1, 0, 1);
        memcpy(v[k].normal, forward, sizeof(forward));
    }
    declare_textured(PLAIN, 2);
    set_state(D3DRS_LIGHTING, TRUE);
    CHECK_HR(IDirect3DDevice9_SetMaterial(device, &material), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetLight(device, 0, &light), D3D_OK);
    CHECK_HR(IDirect3DDevice9_LightEnable(device, 0, TRUE), D3D_OK);
    set_matrix(D3DTS_WORLD, identity);
    draw(v, sizeof(v[0]));
    EXPECT_COLOR("as it is", 0.5f, 0.25f, 1, 1);
    set_matrix(D3DTS_WORLD, flat);
    draw(v, sizeof(v[0]));
    EXPECT_COLOR("flat", 0.5f, 0.25f, 1, 1);
    tear_down();
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"positions_with_w", positions_with_w},
        {"fog_behind_shaders", fog_behind_shaders},
        {"fog_of_transformed", fog_of_transformed},
        {"coordinates", coordinates},
        {"sphere_map", sphere_map},
        {"unbound_textures", unbound_textures},
        {"missing_specular", missing_specular},
        {"flat_world", flat_world},
    };

    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
