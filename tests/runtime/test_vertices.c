/* SPDX-License-Identifier: MIT */
/* ProcessVertices: its results are those that a draw would have used, for all of vertex processing. */
#include "tests/runtime/program.h"

#include <math.h>
#include <stdlib.h>

struct vertex {
    float x, y, z, nx, ny, nz, u, v;
};
struct result {
    float x, y, z, rhw;
    DWORD diffuse, specular;
    float u, v;
};
#define VERTEX_FVF (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1)
#define RESULT_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1)

/* A grid of small triangles over a bump, so that colours change little inside one. */
#define GRID      40
#define VERTICES  ((GRID + 1) * (GRID + 1))
#define TRIANGLES (GRID * GRID * 2)

static HWND window;
static IDirect3DDevice8 *device;
static IDirect3DVertexBuffer8 *mesh, *result;
static IDirect3DIndexBuffer8 *indices;

static void fill_mesh(void)
{
    struct vertex *v;
    WORD *index;

    CHECK_HR(IDirect3DVertexBuffer8_Lock(mesh, 0, 0, (BYTE **)&v, 0), D3D_OK);
    for (unsigned i = 0; i < VERTICES; i++, v++) {
        float s = (float)(i % (GRID + 1)) / GRID, t = (float)(i / (GRID + 1)) / GRID;
        float nx = (s - 0.5f) * 1.2f, ny = (t - 0.5f) * 1.2f;
        float length = sqrtf(nx * nx + ny * ny + 1);
        *v = (struct vertex){s * 2 - 1, t * 2 - 1, (nx * nx + ny * ny) * 0.5f, nx / length, ny / length, -1 / length,
                             s,         t};
    }
    IDirect3DVertexBuffer8_Unlock(mesh);
    CHECK_HR(IDirect3DIndexBuffer8_Lock(indices, 0, 0, (BYTE **)&index, 0), D3D_OK);
    for (unsigned i = 0; i < GRID * GRID; i++, index += 6) {
        WORD a = (WORD)(i / GRID * (GRID + 1) + i % GRID), b = (WORD)(a + 1), c = (WORD)(a + GRID + 1),
             d = (WORD)(c + 1);
        memcpy(index, ((WORD[]){a, c, b, b, c, d}), 12);
    }
    IDirect3DIndexBuffer8_Unlock(indices);
}

static void set_matrices(void)
{
    static const D3DMATRIX view = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0.1f, -0.2f, 2.5f, 1}}};
    static const D3DMATRIX projection = {.m = {{1.5f, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 1.1f, 1}, {0, 0, -0.55f, 0}}};

    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
}

static void set_lights(void)
{
    D3DLIGHT8 light = {.Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {0.7f, 0.5f, 0.3f, 1}, .Direction = {0.3f, 0.2f, 0.9f}};
    D3DLIGHT8 lamp = {.Type = D3DLIGHT_POINT,
                      .Diffuse = {0.2f, 0.4f, 0.9f, 1},
                      .Specular = {0.6f, 0.6f, 0.6f, 1},
                      .Position = {0.5f, 0.5f, -2},
                      .Range = 100,
                      .Attenuation0 = 1};
    D3DMATERIAL8 material = {.Diffuse = {1, 1, 1, 1}, .Specular = {1, 1, 1, 1}, .Ambient = {1, 1, 1, 1}, .Power = 8};

    IDirect3DDevice8_SetLight(device, 0, &light);
    IDirect3DDevice8_SetLight(device, 1, &lamp);
    IDirect3DDevice8_LightEnable(device, 0, TRUE);
    IDirect3DDevice8_LightEnable(device, 1, TRUE);
    IDirect3DDevice8_SetMaterial(device, &material);
    IDirect3DDevice8_SetRenderState(device, D3DRS_AMBIENT, 0xff202020);
    IDirect3DDevice8_SetRenderState(device, D3DRS_SPECULARENABLE, TRUE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
}

static bool set_up(void)
{
    window = open_window();
    device = open_device(window, 0, NULL);
    if (!device)
        return false;
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, VERTICES * sizeof(struct vertex), 0, VERTEX_FVF,
                                                 D3DPOOL_SYSTEMMEM, &mesh),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, (VERTICES + 5) * sizeof(struct result), 0, RESULT_FVF,
                                                 D3DPOOL_SYSTEMMEM, &result),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateIndexBuffer(device, TRIANGLES * 6, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, &indices),
             D3D_OK);
    fill_mesh();
    set_matrices();
    set_lights();
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    return true;
}

static void tear_down(void)
{
    IDirect3DVertexBuffer8_Release(mesh);
    IDirect3DVertexBuffer8_Release(result);
    IDirect3DIndexBuffer8_Release(indices);
    close_device(device, window);
}

static uint32_t *draw(IDirect3DVertexBuffer8 *vertices, DWORD shader, UINT stride, UINT base)
{
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, shader), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, vertices, stride), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetIndices(device, indices, base), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff103010, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, VERTICES, 0, TRIANGLES), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    return read_target(device);
}

/* Draws the mesh, processes it, draws the result: the same pixels are covered, and colours differ only by rounding to
 * bytes. */
static void compare(const char *what, DWORD shader)
{
    uint32_t *expected = draw(mesh, shader, sizeof(struct vertex), 0), *got;
    unsigned different = 0, worst = 0, covered = 0;

    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 5, VERTICES, result, 0), D3D_OK);
    got = draw(result, RESULT_FVF, sizeof(struct result), 5);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        unsigned d = color_distance(expected[i], got[i]);
        worst = d > worst ? d : worst;
        different += d > 2;
        covered += expected[i] != 0x103010;
    }
    if (different || covered < 20000)
        failed(__FILE__, __LINE__, "%s: %u of %u covered pixels differ, by up to %u", what, different, covered, worst);
    free(expected);
    free(got);
}

static void lit(void)
{
    if (!set_up())
        return;
    compare("lights", VERTEX_FVF);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    compare("no lights", VERTEX_FVF);
    tear_down();
}

static void fogged(void)
{
    static const float start = 1.5f, end = 3.5f;
    DWORD bits[2];

    if (!set_up())
        return;
    memcpy(&bits[0], &start, 4);
    memcpy(&bits[1], &end, 4);
    IDirect3DDevice8_SetRenderState(device, D3DRS_FOGENABLE, TRUE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_FOGCOLOR, 0xff4060ff);
    IDirect3DDevice8_SetRenderState(device, D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    IDirect3DDevice8_SetRenderState(device, D3DRS_FOGSTART, bits[0]);
    IDirect3DDevice8_SetRenderState(device, D3DRS_FOGEND, bits[1]);
    compare("linear vertex fog", VERTEX_FVF);
    tear_down();
}

/* Coordinates made of the position and moved by a matrix come out as they are sampled. */
static void textured(void)
{
    static const D3DMATRIX turn = {.m = {{0.3f, 0.1f, 0, 0}, {-0.1f, 0.4f, 0, 0}, {0, 0, 1, 0}, {0.5f, 0.5f, 0, 1}}};
    IDirect3DTexture8 *texture;
    D3DLOCKED_RECT locked;
    uint32_t *expected, *got;
    unsigned different = 0;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 8, 8, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture), D3D_OK);
    CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    for (unsigned i = 0; i < 64; i++)
        ((uint32_t *)((uint8_t *)locked.pBits + i / 8 * locked.Pitch))[i % 8] = (i ^ i / 8) & 1 ? 0xffffff : 0x2040a0;
    IDirect3DTexture8_UnlockRect(texture, 0);
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture);
    IDirect3DDevice8_SetRenderState(device, D3DRS_SPECULARENABLE, FALSE); /* a rounded colour */
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEPOSITION);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
    IDirect3DDevice8_SetTransform(device, D3DTS_TEXTURE0, &turn);
    expected = draw(mesh, VERTEX_FVF, sizeof(struct vertex), 0);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, VERTICES, result, 0), D3D_OK);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_TEXCOORDINDEX, 0);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);
    got = draw(result, RESULT_FVF, sizeof(struct result), 0);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        different += expected[i] != got[i];
    CHECK_EQUAL(different, 0);
    free(expected);
    free(got);
    IDirect3DDevice8_SetTexture(device, 0, NULL);
    IDirect3DTexture8_Release(texture);
    tear_down();
}

/* A vertex shader: position through c0..c3, a colour of the normal. */
static void programmed(void)
{
    static const DWORD declaration[] = {D3DVSD_STREAM(0), D3DVSD_REG(0, D3DVSDT_FLOAT3), D3DVSD_REG(1, D3DVSDT_FLOAT3),
                                        D3DVSD_REG(2, D3DVSDT_FLOAT2), D3DVSD_END()};
    static const DWORD code[] = {
        0xfffe0101,                                     /* vs_1_1 */
        0x00000014, 0xc00f0000, 0x90e40000, 0xa0e40000, /* m4x4 oPos, v0, c0 */
        0x00000005, 0x800f0000, 0x90e40001, 0xa0e40004, /* mul r0, v1, c4 */
        0x00000002, 0xd00f0000, 0x80e40000, 0xa0e40005, /* add oD0, r0, c5 */
        0x00000001, 0xe00f0000, 0x90e40002,             /* mov oT0, v2 */
        0x0000ffff,
    };
    /* columns of view * projection of set_matrices */
    static const float constants[6][4] = {{1.5f, 0, 0, 0.15f}, {0, 2, 0, -0.4f},       {0, 0, 1.1f, 2.2f},
                                          {0, 0, 1, 2.5f},     {0.5f, 0.5f, -0.5f, 0}, {0.5f, 0.5f, 0, 1}};
    DWORD shader = 0;

    if (!set_up())
        return;
    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, code, &shader, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShaderConstant(device, 0, constants, 6), D3D_OK);
    IDirect3DDevice8_SetRenderState(device, D3DRS_SPECULARENABLE, FALSE);
    compare("vertex shader", shader);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, shader), D3D_OK);
    tear_down();
}

/* D3DPV_DONOTCOPYDATA keeps data that processing does not change. */
static void uncopied(void)
{
    const struct result mark = {0, 0, 0, 0, 0x11223344, 0x55667788, 9, 7};
    struct result *v;

    if (!set_up())
        return;
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, mesh, sizeof(struct vertex));
    IDirect3DVertexBuffer8_Lock(result, 0, 0, (BYTE **)&v, 0);
    v[0] = mark;
    IDirect3DVertexBuffer8_Unlock(result);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 3, 0, 1, result, 1), D3D_OK);
    IDirect3DVertexBuffer8_Lock(result, 0, 0, (BYTE **)&v, 0);
    CHECK(v[0].rhw > 0 && v[0].x > 0);
    CHECK_EQUAL(v[0].diffuse, mark.diffuse);
    CHECK_EQUAL(v[0].specular, mark.specular);
    CHECK(v[0].u == 9 && v[0].v == 7);
    IDirect3DVertexBuffer8_Unlock(result);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 3, 0, 1, result, 0), D3D_OK);
    IDirect3DVertexBuffer8_Lock(result, 0, 0, (BYTE **)&v, 0);
    CHECK_EQUAL(v[0].diffuse, 0xffffffff);
    CHECK(v[0].u == 3.0f / GRID && v[0].v == 0);
    IDirect3DVertexBuffer8_Unlock(result);
    tear_down();
}

static void refused(void)
{
    IDirect3DVertexBuffer8 *wrong;

    if (!set_up())
        return;
    IDirect3DDevice8_SetStreamSource(device, 0, mesh, sizeof(struct vertex));
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, 1, result, 0), D3DERR_INVALIDCALL); /* no shader */
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, 1, NULL, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, VERTICES + 6, result, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0xffffffff, 2, result, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, VERTICES, 0, 1, result, 0), D3D_OK); /* zeros: docs/limits.md */
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, 1, mesh, 0), D3DERR_INVALIDCALL); /* is the source */
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, 1, result, 2), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, 1000, 0, VERTEX_FVF, D3DPOOL_SYSTEMMEM, &wrong), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, 1, wrong, 0), D3DERR_INVALIDCALL); /* not in pixels */
    IDirect3DVertexBuffer8_Release(wrong);
    IDirect3DDevice8_SetVertexShader(device, RESULT_FVF);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 0, 1, result, 0), D3DERR_INVALIDCALL); /* in pixels already */
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, VERTICES + 5, 0, result, 0), D3D_OK); /* nothing */
    tear_down();
}

static const struct test tests[] = {
    {"vertices_lit", lit},           {"vertices_fogged", fogged},
    {"vertices_textured", textured}, {"vertices_programmed", programmed},
    {"vertices_uncopied", uncopied}, {"vertices_refused", refused},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
