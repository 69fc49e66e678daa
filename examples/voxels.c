/* SPDX-License-Identifier: MIT */
/*
 * A cage of thin rods around a ball, cut into voxels by the rasterizer: the cage itself, its voxels by sample points,
 * and by conservative rasterization, which misses none. One layer of voxels is one draw of the mesh, clipped to the
 * layer by the near and far planes, seen along z, into its own tile of a render target that is then read back.
 * Conservative rasterization is enabled as in docs/extensions.md; without it the last two pictures are the same.
 */
#include "examples/common.h"

#include <stdio.h>
#include <string.h>

#define GRID         32 /* voxels along an axis; tiles have as many pixels */
#define TILE_COLUMNS 8
#define ATLAS_WIDTH  (GRID * TILE_COLUMNS)
#define ATLAS_HEIGHT (GRID * GRID / TILE_COLUMNS)
#define CONSERVATIVE MAKEFOURCC('C', 'R', '3', '0') /* tier 3, no dilation */

struct vertex {
    struct vec3 position;
    D3DCOLOR color;
};
#define VERTEX_FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE)

#define MAX_MESH   6000 /* vertices */
#define MAX_CUTS   8    /* layers that hold a triangle, on average at most */
#define BATCH      4096 /* faces of voxels in a draw call */

static struct {
    struct vertex mesh[MAX_MESH];
    unsigned mesh_count;
    IDirect3DVertexBuffer8 *vertices;
    IDirect3DIndexBuffer8 *cuts;  /* the triangles of each layer, layer by layer */
    unsigned cut_first[GRID + 1]; /* of a layer, in triangles */
    IDirect3DSurface8 *atlas, *readback, *target, *depth;
    DWORD conservative;               /* the value that enables it; TRUE if it is not available */
    D3DCOLOR voxel[GRID][GRID][GRID]; /* [z][y][x]; 0: empty */
    struct vertex faces[BATCH * 6];
    unsigned face_count;
} scene;

/* --- the mesh ------------------------------------------------------------------------- */

static D3DCOLOR paint(struct vec3 p, float light)
{
    D3DCOLOR cage = color_mix(0xff3a4fd8, 0xff52e0b4, 0.5f + 0.5f * p.y);
    D3DCOLOR ball = color_mix(0xffd8452f, 0xffffc458, 0.5f + p.y);

    return color_mix(0xff000000, v3_dot(p, p) > 0.5f ? cage : ball, light);
}

static void add_triangle(struct vec3 a, struct vec3 b, struct vec3 c)
{
    struct vec3 normal = v3_normal(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    float light = 0.7f + 0.3f * v3_dot(normal, v3(-0.4f, 0.8f, -0.45f));
    const struct vec3 corners[3] = {a, b, c};

    for (unsigned i = 0; i < 3 && scene.mesh_count < MAX_MESH; i++)
        scene.mesh[scene.mesh_count++] = (struct vertex){corners[i], paint(corners[i], light)};
}

/* Three-sided, much thinner than a voxel. */
static void add_rod(struct vec3 a, struct vec3 b)
{
    struct vec3 along = v3_normal(v3_sub(b, a)), side = v3_normal(v3_cross(along, v3(0.3f, 0.9f, 0.1f)));
    struct vec3 up = v3_cross(along, side), ring[3];

    for (unsigned i = 0; i < 3; i++) {
        float angle = 2 * pi / 3 * (float)i;

        ring[i] = v3_add(v3_scale(side, 0.009f * cosf(angle)), v3_scale(up, 0.009f * sinf(angle)));
    }
    for (unsigned i = 0; i < 3; i++) {
        struct vec3 r = ring[i], s = ring[(i + 1) % 3];

        add_triangle(v3_add(a, r), v3_add(b, r), v3_add(a, s));
        add_triangle(v3_add(a, s), v3_add(b, r), v3_add(b, s));
    }
}

/* A quarter of a triangle of the icosahedron, pushed out to the sphere: its edges as rods, and the ball within. */
static void add_piece(struct vec3 a, struct vec3 b, struct vec3 c)
{
    add_rod(v3_scale(a, 0.93f), v3_scale(b, 0.93f));
    add_rod(v3_scale(b, 0.93f), v3_scale(c, 0.93f));
    add_rod(v3_scale(c, 0.93f), v3_scale(a, 0.93f));
    add_triangle(v3_scale(a, 0.42f), v3_scale(b, 0.42f), v3_scale(c, 0.42f));
}

static void build_mesh(void)
{
    static const float x = 0.525731112f, z = 0.850650808f;
    const struct vec3 corner[12] = {{-x, 0, z}, {x, 0, z},   {-x, 0, -z}, {x, 0, -z}, {0, z, x},  {0, z, -x},
                                    {0, -z, x}, {0, -z, -x}, {z, x, 0},   {-z, x, 0}, {z, -x, 0}, {-z, -x, 0}};
    static const uint8_t face[20][3] = {{1, 4, 0},  {4, 9, 0},  {4, 5, 9},  {8, 5, 4},  {1, 8, 4},
                                        {1, 10, 8}, {10, 3, 8}, {8, 3, 5},  {3, 2, 5},  {3, 7, 2},
                                        {3, 10, 7}, {10, 6, 7}, {6, 11, 7}, {6, 0, 11}, {6, 1, 0},
                                        {10, 1, 6}, {11, 0, 9}, {2, 11, 9}, {5, 2, 9},  {11, 2, 7}};

    for (unsigned i = 0; i < COUNT(face); i++) {
        struct vec3 a = corner[face[i][0]], b = corner[face[i][1]], c = corner[face[i][2]];
        struct vec3 ab = v3_normal(v3_add(a, b)), bc = v3_normal(v3_add(b, c)), ca = v3_normal(v3_add(c, a));

        add_piece(a, ab, ca);
        add_piece(ab, b, bc);
        add_piece(ca, bc, c);
        add_piece(ab, bc, ca);
    }
}

/* --- set-up ------------------------------------------------------------------------------ */

static DWORD find_conservative(IDirect3DDevice8 *device)
{
    IDirect3D8 *d3d;
    D3DDISPLAYMODE mode;
    HRESULT hr;

    IDirect3DDevice8_GetDirect3D(device, &d3d);
    IDirect3DDevice8_GetDisplayMode(device, &mode);
    hr = IDirect3D8_CheckDeviceFormat(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, mode.Format, 0, D3DRTYPE_SURFACE,
                                      (D3DFORMAT)CONSERVATIVE);
    IDirect3D8_Release(d3d);
    if (FAILED(hr))
        fprintf(stderr, "voxels: the driver has no conservative rasterization\n");
    return SUCCEEDED(hr) ? CONSERVATIVE : TRUE;
}

static bool create(IDirect3DDevice8 *device)
{
    build_mesh();
    scene.vertices = make_vertices(device, scene.mesh, scene.mesh_count * sizeof(struct vertex), VERTEX_FVF);
    scene.conservative = find_conservative(device);
    return SUCCEEDED(IDirect3DDevice8_CreateIndexBuffer(device, MAX_CUTS * MAX_MESH * sizeof(uint16_t),
                                                        D3DUSAGE_WRITEONLY | D3DUSAGE_DYNAMIC, D3DFMT_INDEX16,
                                                        D3DPOOL_DEFAULT, &scene.cuts)) &&
           SUCCEEDED(IDirect3DDevice8_CreateRenderTarget(device, ATLAS_WIDTH, ATLAS_HEIGHT, D3DFMT_X8R8G8B8,
                                                         D3DMULTISAMPLE_NONE, TRUE, &scene.atlas)) &&
           SUCCEEDED(IDirect3DDevice8_CreateImageSurface(device, ATLAS_WIDTH, ATLAS_HEIGHT, D3DFMT_X8R8G8B8,
                                                         &scene.readback));
}

static void destroy(void)
{
    IDirect3DSurface8_Release(scene.readback);
    IDirect3DSurface8_Release(scene.atlas);
    IDirect3DIndexBuffer8_Release(scene.cuts);
    IDirect3DVertexBuffer8_Release(scene.vertices);
}

static void use_mesh(IDirect3DDevice8 *device)
{
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, scene.vertices, sizeof(struct vertex));
}

/* --- voxels -------------------------------------------------------------------------------- */

/* Maps x and y from -1..1 to a tile, where voxels are whole pixels with centres on integers, and z of the layer to
 * 0..1. */
static D3DMATRIX layer_projection(unsigned layer)
{
    D3DMATRIX m = matrix_identity();

    m._41 = -1.0f / GRID;
    m._42 = 1.0f / GRID;
    m._33 = GRID / 2.0f;
    m._43 = GRID / 2.0f - (float)layer;
    return m;
}

/* The layers in which a triangle may lie; slightly more than it does, because the clipper decides. */
static void find_layers(const float z[3], int range[2])
{
    float low = fminf(fminf(z[0], z[1]), z[2]), high = fmaxf(fmaxf(z[0], z[1]), z[2]);

    range[0] = (int)fmaxf((low + 1) * (GRID / 2.0f) - 0.01f, 0);
    range[1] = (int)fminf((high + 1) * (GRID / 2.0f) + 0.01f, GRID - 1);
}

/* The triangles that each layer cuts, for the current rotation of the mesh: a layer draws these, not the whole mesh. */
static void sort_into_layers(const D3DMATRIX *world)
{
    static int range[MAX_MESH / 3][2];
    unsigned at[GRID] = {0}, triangles = scene.mesh_count / 3;
    uint16_t *indices;

    memset(scene.cut_first, 0, sizeof(scene.cut_first));
    for (unsigned i = 0; i < triangles; i++) {
        float z[3];

        for (unsigned k = 0; k < 3; k++) {
            struct vec3 p = scene.mesh[3 * i + k].position;

            z[k] = p.x * world->_13 + p.y * world->_23 + p.z * world->_33;
        }
        find_layers(z, range[i]);
        for (int layer = range[i][0]; layer <= range[i][1]; layer++)
            at[layer]++;
    }
    for (unsigned layer = 0; layer < GRID; layer++) {
        scene.cut_first[layer + 1] = scene.cut_first[layer] + at[layer];
        at[layer] = scene.cut_first[layer];
    }
    if (scene.cut_first[GRID] > MAX_CUTS * MAX_MESH / 3)
        fail("sorting the mesh into layers", E_OUTOFMEMORY);
    if (FAILED(IDirect3DIndexBuffer8_Lock(scene.cuts, 0, 0, (BYTE **)&indices, D3DLOCK_DISCARD)))
        fail("IDirect3DIndexBuffer8::Lock", E_FAIL);
    for (unsigned i = 0; i < triangles; i++)
        for (int layer = range[i][0]; layer <= range[i][1]; layer++) {
            uint16_t *out = indices + 3 * at[layer]++;

            for (unsigned k = 0; k < 3; k++)
                out[k] = (uint16_t)(3 * i + k);
        }
    IDirect3DIndexBuffer8_Unlock(scene.cuts);
}

static void draw_layers(IDirect3DDevice8 *device)
{
    D3DMATRIX identity = matrix_identity();

    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &identity);
    use_mesh(device);
    IDirect3DDevice8_SetIndices(device, scene.cuts, 0);
    for (unsigned layer = 0; layer < GRID; layer++) {
        const D3DVIEWPORT8 tile = {layer % TILE_COLUMNS * GRID, layer / TILE_COLUMNS * GRID, GRID, GRID, 0, 1};
        D3DMATRIX projection = layer_projection(layer);
        unsigned first = scene.cut_first[layer], count = scene.cut_first[layer + 1] - first;

        if (!count)
            continue;
        IDirect3DDevice8_SetViewport(device, &tile);
        IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
        IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, scene.mesh_count, 3 * first, count);
    }
}

static void read_voxels(IDirect3DDevice8 *device)
{
    D3DLOCKED_RECT lock;

    memset(scene.voxel, 0, sizeof(scene.voxel));
    if (FAILED(IDirect3DDevice8_CopyRects(device, scene.atlas, NULL, 0, scene.readback, NULL)) ||
        FAILED(IDirect3DSurface8_LockRect(scene.readback, &lock, NULL, D3DLOCK_READONLY)))
        return;
    for (unsigned z = 0; z < GRID; z++)
        for (unsigned y = 0; y < GRID; y++)
            memcpy(scene.voxel[z][GRID - 1 - y],
                   (const BYTE *)lock.pBits + (z / TILE_COLUMNS * GRID + y) * (size_t)lock.Pitch +
                       z % TILE_COLUMNS * GRID * sizeof(D3DCOLOR),
                   GRID * sizeof(D3DCOLOR));
    IDirect3DSurface8_UnlockRect(scene.readback);
}

static void voxelize(IDirect3DDevice8 *device, DWORD mode)
{
    IDirect3DDevice8_GetRenderTarget(device, &scene.target);
    IDirect3DDevice8_GetDepthStencilSurface(device, &scene.depth);
    IDirect3DDevice8_SetRenderTarget(device, scene.atlas, NULL);
    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_MULTISAMPLEANTIALIAS, mode);
    /* pixels that are hardly touched would get colours from outside of the triangle */
    IDirect3DDevice8_SetRenderState(device, D3DRS_SHADEMODE, D3DSHADE_FLAT);
    draw_layers(device);
    IDirect3DDevice8_SetRenderState(device, D3DRS_SHADEMODE, D3DSHADE_GOURAUD);
    IDirect3DDevice8_SetRenderState(device, D3DRS_MULTISAMPLEANTIALIAS, TRUE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, D3DZB_TRUE);
    IDirect3DDevice8_SetRenderTarget(device, scene.target, scene.depth);
    IDirect3DSurface8_Release(scene.target);
    IDirect3DSurface8_Release(scene.depth);
    read_voxels(device);
}

/* --- showing them ---------------------------------------------------------------------------- */

static void flush_faces(IDirect3DDevice8 *device)
{
    if (scene.face_count)
        IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 2 * scene.face_count, scene.faces,
                                         sizeof(struct vertex));
    scene.face_count = 0;
}

static bool filled(int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < GRID && y < GRID && z < GRID && scene.voxel[z][y][x] & 0xffffff;
}

/* axis 0..2, positive or negative; slightly smaller than the voxel, so that the grid is visible. */
static void add_face(IDirect3DDevice8 *device, const int at[3], unsigned axis, int sign)
{
    static const float light[3][2] = {{0.5f, 0.6f}, {0.3f, 1.0f}, {0.8f, 0.4f}};
    static const uint8_t order[6] = {0, 1, 2, 2, 1, 3};
    D3DCOLOR color = color_mix(0xff000000, scene.voxel[at[2]][at[1]][at[0]] | 0xff000000, light[axis][sign > 0]);
    struct vertex *out = &scene.faces[6 * scene.face_count];

    for (unsigned i = 0; i < 6; i++) {
        float p[3];

        for (unsigned a = 0; a < 3; a++) {
            int corner = a == axis ? sign > 0 : order[i] >> (a == (axis + 1) % 3) & 1;

            p[a] = ((float)at[a] + 0.5f + (corner ? 0.46f : -0.46f)) * (2.0f / GRID) - 1.0f;
        }
        out[i] = (struct vertex){v3(p[0], p[1], p[2]), color};
    }
    if (++scene.face_count == BATCH)
        flush_faces(device);
}

static void draw_voxels(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_identity();

    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
    for (int z = 0; z < GRID; z++)
        for (int y = 0; y < GRID; y++)
            for (int x = 0; x < GRID; x++)
                for (unsigned side = 0; side < 6 && filled(x, y, z); side++) {
                    const int at[3] = {x, y, z}, sign = side & 1 ? 1 : -1;
                    int beside[3] = {x, y, z};

                    beside[side / 2] += sign;
                    if (!filled(beside[0], beside[1], beside[2]))
                        add_face(device, at, side / 2, sign);
                }
    flush_faces(device);
}

/* --- the frame ---------------------------------------------------------------------------------- */

/* The left, middle or right third of the window. */
static void look(IDirect3DDevice8 *device, unsigned third)
{
    const D3DVIEWPORT8 viewport = {third * VIEW_WIDTH / 3, 60, VIEW_WIDTH / 3, VIEW_HEIGHT - 120, 0, 1};
    D3DMATRIX view = matrix_look_at(v3(1.1f, 1.2f, -3.2f), v3(0, 0, 0));
    D3DMATRIX projection = matrix_perspective(0.95f, VIEW_WIDTH / 3 / (VIEW_HEIGHT - 120.0f), 0.5f, 10);

    IDirect3DDevice8_SetViewport(device, &viewport);
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &view);
    IDirect3DDevice8_SetTransform(device, D3DTS_PROJECTION, &projection);
}

static void draw(IDirect3DDevice8 *device, unsigned frame)
{
    D3DMATRIX turn = matrix_rotation_y((float)frame * 0.02f), tilt = matrix_rotation_x(0.2f);
    D3DMATRIX world = matrix_product(&turn, &tilt);
    const D3DVIEWPORT8 window = {0, 0, VIEW_WIDTH, VIEW_HEIGHT, 0, 1};

    IDirect3DDevice8_SetViewport(device, &window);
    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff10141c, 1, 0);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    use_texture(device, NULL, false);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    look(device, 0);
    use_mesh(device);
    IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, scene.mesh_count / 3);
    sort_into_layers(&world);
    for (unsigned third = 1; third < 3; third++) {
        IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
        voxelize(device, third == 1 ? TRUE : scene.conservative);
        look(device, third);
        draw_voxels(device);
    }
}

int main(int argc, char **argv)
{
    static const struct example example = {"Voxels", create, draw, destroy};

    return example_run(&example, argc, argv);
}
