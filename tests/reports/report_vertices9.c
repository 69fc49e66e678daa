/* SPDX-License-Identifier: MIT */
/* Reports about vertices on their way to the rasterizer: streams, indices, instances, clip planes, lights, blending. */
#include "tests/reports/scene9.h"

static const float square[4][3] = {{-1, 1, 0.5f}, {1, 1, 0.5f}, {-1, -1, 0.5f}, {1, -1, 0.5f}};
static const uint16_t strip[4] = {0, 1, 2, 3};

#define WHITE_PS "ps_2_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n"

/* --- data that end early, and counts that do not ------------------------------------------------------ */

static void check_both_triangles(IDirect3DDevice9 *device)
{
    CHECK_COLOR(read_pixel9(device, 100, 100), 0xffffff, 0);
    CHECK_COLOR(read_pixel9(device, 540, 380), 0xffffff, 0);
    clear_all9(device, 0);
}

/*
 * Symptom: the world of one game, the texts of another are torn: the last vertex is shorter than the declaration. Right: all is
 * drawn, and what lies beyond the data reads as 0. Found on Windows by a layer's authors.
 */
static void short_vertices(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                                 {0, 12, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0},
                                                 D3DDECL_END()};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DVertexBuffer9 *buffer;

    if (!device)
        return;
    set_declaration9(device, elements);
    set_shaders9(device, "vs_2_0\ndcl_position v0\nmov oPos, v0\n", WHITE_PS);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])), D3D_OK);
    check_both_triangles(device);
    buffer = buffer9(device, square, sizeof(square));
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(square[0])), D3D_OK);
    draw_bound_strip9(device);
    check_both_triangles(device);
    set_indices9(device, strip, 4);
    CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 0, 4, 0, 2), D3D_OK);
    check_both_triangles(device);
    IDirect3DVertexBuffer9_Release(buffer);
    close_scene9(device);
}

/*
 * Symptom: a rally game hangs or fails when it draws "0 rectangles", which is 0 vertices and 4294967292 triangles. Right: D3D_OK, and
 * nothing is drawn. Tried on Windows XP and 10.
 */
static void no_vertices(void)
{
    static const UINT primitives[3] = {2, 8388608, 4294967292u};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DVertexBuffer9 *buffer;

    if (!device)
        return;
    buffer = buffer9(device, square, sizeof(square));
    set_indices9(device, strip, 4);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 0, sizeof(square[0])), D3D_OK);
    for (unsigned i = 0; i < 3; i++) {
        CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 0, 0, 0, primitives[i]), D3D_OK);
        CHECK_COLOR(read_pixel9(device, 320, 240), 0, 0);
    }
    IDirect3DVertexBuffer9_Release(buffer);
    close_scene9(device);
}

/* Symptom: torn polygons. Right: indices into user memory count from its beginning, whatever the lowest is; documented. */
static void lowest_index_of_user_memory(void)
{
    static const uint16_t indices[4] = {4, 5, 6, 7};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    float vertices[8][3] = {{0}};

    if (!device)
        return;
    memcpy(vertices[4], square, sizeof(square));
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ), D3D_OK);
    CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 4, 4, 2, indices, D3DFMT_INDEX16,
                                                     vertices, sizeof(vertices[0])),
             D3D_OK);
    check_both_triangles(device);
    close_scene9(device);
}

/* --- instances ------------------------------------------------------------------------------------------ */

static void draw_indexed(IDirect3DDevice9 *device)
{
    CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 0, 4, 0, 2), D3D_OK);
}

/*
 * Symptom: blended geometry is three times as strong after an instanced draw. Right: without a stream of instances there is one
 * instance, and draws without indices ignore the count. Decided by a layer after a game; wined3d agrees.
 */
static void count_of_instances_left_over(void)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                                 {1, 0, D3DDECLTYPE_FLOAT1, 0, D3DDECLUSAGE_TEXCOORD, 0},
                                                 D3DDECL_END()};
    static const float zeroes[4] = {0};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DVertexBuffer9 *corners, *instances;

    if (!device)
        return;
    corners = buffer9(device, square, sizeof(square));
    instances = buffer9(device, zeroes, sizeof(zeroes));
    set_indices9(device, strip, 4);
    set_declaration9(device, elements);
    set_shaders9(device, "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\nadd o0, v0, v1.x\n",
                 "ps_3_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0\n");
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 0, corners, 0, sizeof(square[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSource(device, 1, instances, 0, sizeof(zeroes[0])), D3D_OK);
    CHECK_EQUAL(count_drawn9(device, draw_indexed), WIDTH * HEIGHT);
    CHECK_HR(IDirect3DDevice9_SetStreamSourceFreq(device, 0, D3DSTREAMSOURCE_INDEXEDDATA | 3), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetStreamSourceFreq(device, 1, D3DSTREAMSOURCE_INSTANCEDATA | 1), D3D_OK);
    CHECK_EQUAL(count_drawn9(device, draw_indexed), 3 * WIDTH * HEIGHT);
    CHECK_EQUAL(count_drawn9(device, draw_bound_strip9), WIDTH * HEIGHT);
    CHECK_HR(IDirect3DDevice9_SetStreamSourceFreq(device, 1, 1), D3D_OK);
    CHECK_EQUAL(count_drawn9(device, draw_indexed), WIDTH * HEIGHT);
    IDirect3DVertexBuffer9_Release(corners);
    IDirect3DVertexBuffer9_Release(instances);
    close_scene9(device);
}

/* --- clip planes ------------------------------------------------------------------------------------------ */

static void set_plane(IDirect3DDevice9 *device, float a, float b, float c, float d)
{
    const float plane[4] = {a, b, c, d};

    CHECK_HR(IDirect3DDevice9_SetClipPlane(device, 0, plane), D3D_OK);
    state9(device, D3DRS_CLIPPLANEENABLE, D3DCLIPPLANE0);
}

/* Symptom: menus vanish while a plane is on. Right: planes do not cut transformed vertices, which are in no space that they have. */
static void planes_and_transformed(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    set_plane(device, 1, 0, 0, -1000);
    fill9(device, 0xffffffff);
    check_both_triangles(device);
    close_scene9(device);
}

/* Symptom: water cut in the wrong place. Right: without a vertex shader planes are in world space; documented (SetClipPlane). */
static void planes_in_the_world(void)
{
    const D3DMATRIX world = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 1}}};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetTransform(device, D3DTS_WORLD, &world), D3D_OK);
    set_plane(device, 1, 0, 0, 0);
    draw_strip9(device, D3DFVF_XYZ, square, sizeof(square[0]));
    CHECK_COLOR(read_pixel9(device, 300, 240), 0, 0);
    CHECK_COLOR(read_pixel9(device, 340, 240), 0xffffff, 0);
    CHECK_COLOR(read_pixel9(device, 630, 240), 0xffffff, 0);
    close_scene9(device);
}

/* Symptom: reflections in water show what is under it. Right: with a vertex shader planes cut its output; documented. */
static void planes_behind_shaders(void)
{
    static const float offset[4] = {0.5f, 0, 0, 0};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ), D3D_OK);
    set_shaders9(device, "vs_2_0\ndcl_position v0\nadd oPos, v0, c0\n", WHITE_PS);
    CHECK_HR(IDirect3DDevice9_SetVertexShaderConstantF(device, 0, offset, 1), D3D_OK);
    set_plane(device, 1, 0, 0, 0);
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])), D3D_OK);
    CHECK_COLOR(read_pixel9(device, 300, 240), 0, 0);
    CHECK_COLOR(read_pixel9(device, 340, 240), 0xffffff, 0);
    close_scene9(device);
}

/* --- lights, blending, points ------------------------------------------------------------------------------ */

/* Right: a colour that a vertex shader declares and no vertex gives is (0, 0, 0, 1). Microsoft's own layer was corrected to it. */
static void color_that_is_not_there(void)
{
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    clear_all9(device, 0xff0000ff);
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ), D3D_OK);
    set_shaders9(device, "vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n",
                 "ps_2_0\ndef c0, 1, 0, 0, 0\ndcl v0\nmov r0, v0\nmov r0.y, v0.w\nmov oC0, r0\n");
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])), D3D_OK);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x00ff00, 0);
    close_scene9(device);
}

static void draw_lit(IDirect3DDevice9 *device)
{
    const struct {
        float x, y, z, nx, ny, nz;
    } quad[4] = {{-1, 1, 0.5f, 0, 0, -1}, {1, 1, 0.5f, 0, 0, -1}, {-1, -1, 0.5f, 0, 0, -1}, {1, -1, 0.5f, 0, 0, -1}};

    draw_strip9(device, D3DFVF_XYZ | D3DFVF_NORMAL, quad, sizeof(quad[0]));
}

/*
 * Symptom: rooms stay dark or bright once a program has used more than eight lights. Right: eight at most shine at a time, which
 * they are may change at any time, and a state block switches them off as well as on. A layer's correction after a game.
 */
static void more_than_eight_lights(void)
{
    const D3DMATERIAL9 material = {.Diffuse = {1, 1, 1, 1}};
    IDirect3DDevice9 *device = open_scene9(0, NULL);
    IDirect3DStateBlock9 *block = NULL;

    if (!device)
        return;
    state9(device, D3DRS_LIGHTING, TRUE);
    CHECK_HR(IDirect3DDevice9_SetMaterial(device, &material), D3D_OK);
    for (DWORD i = 0; i < 10; i++) {
        const D3DLIGHT9 light = {
            .Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {i == 8, i == 9, 0, 0}, .Direction = {0, 0, 1}};

        CHECK_HR(IDirect3DDevice9_SetLight(device, i, &light), D3D_OK);
        if (i < 8)
            CHECK_HR(IDirect3DDevice9_LightEnable(device, i, TRUE), D3D_OK);
    }
    draw_lit(device);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0, 1);
    for (DWORD i = 0; i < 8; i++)
        CHECK_HR(IDirect3DDevice9_LightEnable(device, i, FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_LightEnable(device, 8, TRUE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_LightEnable(device, 9, TRUE), D3D_OK);
    draw_lit(device);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0xffff00, 1);
    CHECK_HR(IDirect3DDevice9_BeginStateBlock(device), D3D_OK);
    CHECK_HR(IDirect3DDevice9_LightEnable(device, 8, FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_EndStateBlock(device, &block), D3D_OK);
    CHECK_HR(IDirect3DStateBlock9_Apply(block), D3D_OK);
    draw_lit(device);
    CHECK_COLOR(read_pixel9(device, 320, 240), 0x00ff00, 1);
    IDirect3DStateBlock9_Release(block);
    close_scene9(device);
}

/* Symptom: figures torn to pieces. Right: each vertex is moved by the matrices that its indices name; documented. */
static void blended_by_index(void)
{
    const D3DMATRIX right = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1}}};
    const struct {
        float x, y, z;
        DWORD indices, color;
    } quad[4] = {{-1, 1, 0.5f, 5, 0xffff0000},
                 {0, 1, 0.5f, 5, 0xffff0000},
                 {-1, -1, 0.5f, 5, 0xffff0000},
                 {0, -1, 0.5f, 5, 0xffff0000}};
    IDirect3DDevice9 *device = open_scene9(D3DCREATE_SOFTWARE_VERTEXPROCESSING, NULL);

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetTransform(device, D3DTS_WORLDMATRIX(5), &right), D3D_OK);
    state9(device, D3DRS_INDEXEDVERTEXBLENDENABLE, TRUE);
    state9(device, D3DRS_VERTEXBLEND, D3DVBF_0WEIGHTS);
    draw_strip9(device, D3DFVF_XYZB1 | D3DFVF_LASTBETA_UBYTE4 | D3DFVF_DIFFUSE, quad, sizeof(quad[0]));
    CHECK_COLOR(read_pixel9(device, 160, 240), 0, 0);
    CHECK_COLOR(read_pixel9(device, 480, 240), 0xff0000, 0);
    close_scene9(device);
}

/* Symptom: points keep the size of the draw before. Right: an FVF with D3DFVF_PSIZE has its own, the next one without has not. */
static void points_of_their_own_size(void)
{
    const struct {
        float x, y, z, w;
        DWORD color;
    } plain = {320, 240, 0.5f, 1, 0xffff0000};
    const struct {
        float x, y, z, w, size;
        DWORD color;
    } sized = {320, 240, 0.5f, 1, 20, 0xff00ff00};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    for (unsigned round = 0; round < 2; round++) {
        clear_all9(device, 0);
        CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE), D3D_OK);
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, &plain, sizeof(plain)), D3D_OK);
        CHECK_COLOR(read_pixel9(device, 320, 240), 0xff0000, 0);
        CHECK_COLOR(read_pixel9(device, 327, 240), 0, 0);
        CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_PSIZE | D3DFVF_DIFFUSE), D3D_OK);
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 1, &sized, sizeof(sized)), D3D_OK);
        CHECK_COLOR(read_pixel9(device, 327, 240), 0x00ff00, 0);
        CHECK_COLOR(read_pixel9(device, 332, 240), 0, 0);
    }
    close_scene9(device);
}

/* Symptom: interfaces vanish. Right: transformed vertices with z = 0 lie on the near plane, which is inside; documented. */
static void transformed_at_the_near_plane(void)
{
    const struct {
        float x, y, z, w;
    } quad[4] = {{0, 0, 0, 1}, {WIDTH, 0, 0, 1}, {0, HEIGHT, 0, 1}, {WIDTH, HEIGHT, 0, 1}};
    IDirect3DDevice9 *device = open_scene9(0, NULL);

    if (!device)
        return;
    state9(device, D3DRS_ZENABLE, TRUE);
    draw_strip9(device, D3DFVF_XYZRHW, quad, sizeof(quad[0]));
    check_both_triangles(device);
    close_scene9(device);
}

static const struct report reports[] = {
    {"short_vertices", "doitsujin/dxvk#2046", short_vertices},
    {"no_vertices", "doitsujin/dxvk#4803", no_vertices},
    {"lowest_index_of_user_memory", "apitrace/apitrace#526", lowest_index_of_user_memory},
    {"count_of_instances_left_over", "doitsujin/dxvk@152fd422", count_of_instances_left_over},
    {"planes_and_transformed", "doitsujin/dxvk#5830", planes_and_transformed},
    {"planes_in_the_world", "doitsujin/dxvk#1427", planes_in_the_world},
    {"planes_behind_shaders", "misyltoad/d9vk#6", planes_behind_shaders},
    {"color_that_is_not_there", "microsoft/D3D9On12#43", color_that_is_not_there},
    {"more_than_eight_lights", "doitsujin/dxvk#5720", more_than_eight_lights},
    {"blended_by_index", "misyltoad/d9vk#230", blended_by_index},
    {"points_of_their_own_size", "doitsujin/dxvk#2387", points_of_their_own_size},
    {"transformed_at_the_near_plane", "narzoul/DDrawCompat#165", transformed_at_the_near_plane},
};

int main(int argc, char **argv)
{
    return run_reports(reports, sizeof(reports) / sizeof(reports[0]), argc, argv);
}
