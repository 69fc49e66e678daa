/* SPDX-License-Identifier: MIT */
/* Scenes that are drawn through both faces of the driver have the same pixels, and are not empty. */
#include "tests/random.h"
#include "tests/unit/umd_twin.h"

#define WIDTH  64
#define HEIGHT 48

struct vertex {
    float x, y, z, rhw;
    uint32_t color;
    float u, v;
};

struct point {
    float x, y, z;
    float nx, ny, nz;
    uint32_t color;
};

static uint8_t random_byte(void)
{
    return (uint8_t)random_word();
}

static const D3DDDIVERTEXELEMENT transformed[] = {
    {0, 0, 3, 0, 9, 0},   /* FLOAT4, POSITIONT */
    {0, 16, 4, 0, 10, 0}, /* D3DCOLOR, COLOR */
    {0, 20, 1, 0, 5, 0},  /* FLOAT2, TEXCOORD */
};
static const D3DDDIVERTEXELEMENT in_space[] = {
    {0, 0, 2, 0, 0, 0},   /* FLOAT3, POSITION */
    {0, 12, 2, 0, 3, 0},  /* FLOAT3, NORMAL */
    {0, 24, 4, 0, 10, 0}, /* D3DCOLOR, COLOR */
};
static const struct vertex triangles[] = {
    {4, 4, 0.25f, 1, 0xffff0000, 0, 0},  {60, 8, 0.5f, 1, 0xff00ff00, 1, 0},   {20, 44, 0.75f, 1, 0xff0000ff, 0, 1},
    {50, 2, 0.75f, 1, 0x80ffff00, 1, 0}, {62, 46, 0.25f, 1, 0x8000ffff, 1, 1}, {2, 40, 0.5f, 1, 0x80ff00ff, 0, 1},
};
static unsigned target, depth;

static int set_up(void **state)
{
    (void)state;
    twin_open();
    random_seed = 1;
    target = twin_create(CLIENT_TARGET, D3DFMT_A8R8G8B8, WIDTH, HEIGHT, 1, 1, 0);
    depth = twin_create(CLIENT_DEPTH, D3DFMT_D24S8, WIDTH, HEIGHT, 1, 1, 0);
    twin_target(0, (int)target, 0);
    twin_depth((int)depth);
    twin_viewport(0, 0, WIDTH, HEIGHT);
    twin_clear(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff102030, 1.0f, 0, 0, NULL);
    twin_state(D3DRS_CULLMODE, D3DCULL_NONE);
    twin_state(D3DRS_LIGHTING, FALSE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    twin_close();
    return 0;
}

static void finish(void)
{
    assert_true(twin_compare(target));
    twin_compare(depth);
}

static void use_buffer(void)
{
    const unsigned buffer = twin_create(CLIENT_VERTEX_BUFFER, 0, sizeof(triangles), 1, 1, 1, 0);

    twin_write(buffer, triangles, sizeof(triangles));
    twin_set_declaration(twin_declare(transformed, 3));
    twin_stream(0, (int)buffer, 0, sizeof(struct vertex));
}

static void test_vertex_buffer(void **state)
{
    (void)state;
    use_buffer();
    twin_state(D3DRS_ZENABLE, TRUE);
    twin_state(D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
    twin_draw(D3DPT_TRIANGLELIST, 0, 2);
    finish();
}

static void test_index_buffer(void **state)
{
    const uint16_t indices[] = {0, 1, 2, 3, 4, 5, 2, 1, 4};
    const unsigned buffer = twin_create(CLIENT_INDEX_BUFFER, 0, sizeof(indices), 1, 1, 1, 0);

    (void)state;
    use_buffer();
    twin_write(buffer, indices, sizeof(indices));
    twin_indices((int)buffer, 2);
    twin_state(D3DRS_ZENABLE, TRUE);
    twin_state(D3DRS_ALPHABLENDENABLE, TRUE);
    twin_state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    twin_state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    twin_draw_indexed(D3DPT_TRIANGLELIST, 0, 0, 6, 0, 3);
    twin_draw_indexed(D3DPT_TRIANGLESTRIP, -1, 1, 5, 1, 3);
    finish();
}

/* Vertices and indices of the caller; the driver's own buffer of indices takes the place of the runtime's for one draw. */
static void test_user_memory(void **state)
{
    const uint16_t first[] = {0, 1, 2}, second[] = {3, 4, 5};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE draw = {D3DPT_TRIANGLELIST, 0, 0, 6, 0, 1};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 draw2 = {D3DPT_TRIANGLELIST, 0, 0, 6, 0, 1};
    const unsigned a = twin_create(CLIENT_INDEX_BUFFER, 0, sizeof(first), 1, 1, 1, 0);
    const unsigned b = twin_create(CLIENT_INDEX_BUFFER, 0, sizeof(second), 1, 1, 1, 0);

    (void)state;
    use_buffer();
    twin_write(a, first, sizeof(first));
    twin_write(b, second, sizeof(second));
    twin_indices((int)b, 2);
    twin_token(D3DDP2OP_DRAWINDEXEDPRIMITIVE, &draw, sizeof(draw));
    twin_indices((int)a, 2);
    TWIN_CALL(SetIndicesUm, 2, second);
    TWIN_CALL(DrawIndexedPrimitive, &draw);
    twin_indices((int)a, 2);
    twin_token(D3DDP2OP_DRAWINDEXEDPRIMITIVE2, &draw2, sizeof(draw2));
    twin_indices((int)b, 2);
    TWIN_CALL(DrawIndexedPrimitive2, &draw2, 2, first, NULL);
    twin_state(D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    twin_draw_indexed(D3DPT_TRIANGLELIST, 0, 0, 6, 0, 1);
    twin_state(D3DRS_FILLMODE, D3DFILL_SOLID);
    twin_draw_user(D3DPT_TRIANGLELIST, 1, &triangles[3], 3, sizeof(struct vertex));
    twin_draw_user(D3DPT_TRIANGLESTRIP, 3, triangles, 5, sizeof(struct vertex));
    finish();
}

/* Indexed draws of vertices in the caller's memory, with a base and a lowest index, also behind others in the same batch. */
static void test_user_vertices_indexed(void **state)
{
    const uint32_t indices[] = {4, 5, 6, 2, 3, 4};
    const D3DDDIARG_SETSTREAMSOURCEUM source = {0, sizeof(struct vertex)};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE low = {D3DPT_TRIANGLELIST, -1, 4, 3, 0, 1};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE high = {D3DPT_TRIANGLELIST, -2, 2, 3, 3, 1};
    const D3DHAL_DP2DRAWPRIMITIVE direct[] = {{D3DPT_TRIANGLELIST, 3, 1}, {D3DPT_TRIANGLELIST, 0, 1}};
    const D3DDDIARG_DRAWPRIMITIVE2 draw2 = {D3DPT_TRIANGLELIST, 3 * sizeof(struct vertex), 1};

    (void)state;
    use_buffer();
    for (unsigned i = 0; i < 2; i++)
        twin_token(D3DDP2OP_DRAWPRIMITIVE, &direct[i], sizeof(direct[i]));
    twin_token(D3DDP2OP_DRAWPRIMITIVE2, &draw2, sizeof(draw2));
    TWIN_CALL(SetStreamSourceUm, &source, triangles);
    TWIN_CALL(SetIndicesUm, 4, indices);
    TWIN_CALL(DrawIndexedPrimitive, &low);
    TWIN_CALL(DrawIndexedPrimitive, &high);
    TWIN_CALL(DrawPrimitive2, &draw2);
    finish();
}

static void record_block(HANDLE *handle, uint32_t operation)
{
    const D3DHAL_DP2STATESET entry = {operation, 100, 0};
    D3DDDIARG_STATESET args = {operation, 0, *handle};

    twin_token(D3DDP2OP_STATESET, &entry, sizeof(entry));
    TWIN_CALL(StateSet, &args);
    *handle = args.hStateSet;
}

/* A block that binds buffers takes the place of the caller's vertices and indices. */
static void test_blocks_bind_buffers(void **state)
{
    const uint16_t first[] = {0, 1, 2}, second[] = {3, 4, 5};
    const struct vertex nowhere[6] = {{0, 0, 0, 1, 0, 0, 0}};
    const D3DDDIARG_SETSTREAMSOURCEUM source = {0, sizeof(struct vertex)};
    const unsigned buffer = twin_create(CLIENT_INDEX_BUFFER, 0, sizeof(first), 1, 1, 1, 0);
    HANDLE block = NULL;

    (void)state;
    twin_write(buffer, first, sizeof(first));
    record_block(&block, D3DHAL_STATESETBEGIN);
    use_buffer();
    twin_indices((int)buffer, 2);
    record_block(&block, D3DHAL_STATESETEND);
    TWIN_CALL(SetStreamSourceUm, &source, nowhere);
    TWIN_CALL(SetIndicesUm, 2, second);
    record_block(&block, D3DHAL_STATESETEXECUTE);
    twin_draw_indexed(D3DPT_TRIANGLELIST, 0, 0, 6, 0, 1);
    twin_state(D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    twin_draw(D3DPT_TRIANGLELIST, 3, 1);
    finish();
}

/* More indices and vertices than the driver's buffers have at first. */
static void test_much_user_memory(void **state)
{
    enum { COUNT = 150000 };
    uint32_t *indices = calloc(COUNT, sizeof(*indices));
    struct vertex *vertices = calloc(COUNT, sizeof(*vertices));
    const D3DDDIARG_SETSTREAMSOURCEUM source = {0, sizeof(struct vertex)};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE draw = {D3DPT_POINTLIST, 0, 0, COUNT, 0, COUNT};
    unsigned vertex_buffer;

    (void)state;
    for (unsigned i = 0; i < COUNT; i++) {
        indices[i] = COUNT - 1 - i;
        vertices[i] = triangles[i % 6];
        vertices[i].x = (float)(i % WIDTH);
        vertices[i].y = (float)(i / WIDTH % HEIGHT);
        vertices[i].color = i * 0x10307u | 0xff000000;
    }
    vertex_buffer = twin_create(CLIENT_VERTEX_BUFFER, 0, COUNT * sizeof(*vertices), 1, 1, 1, 0);
    twin_write(vertex_buffer, vertices, COUNT * sizeof(*vertices));
    use_buffer();
    const unsigned index_buffer = twin_create(CLIENT_INDEX_BUFFER, 0, COUNT * sizeof(*indices), 1, 1, 1, 0);

    twin_write(index_buffer, indices, COUNT * sizeof(*indices));
    twin_stream(0, (int)vertex_buffer, 0, sizeof(struct vertex));
    twin_indices((int)index_buffer, 4);
    twin_token(D3DDP2OP_DRAWINDEXEDPRIMITIVE, &draw, sizeof(draw));
    TWIN_CALL(SetStreamSourceUm, &source, vertices);
    TWIN_CALL(SetIndicesUm, 4, indices);
    TWIN_CALL(DrawIndexedPrimitive, &draw);
    assert_int_equal(umd_f.pfnFlush(umd_rt.device), S_OK);
    finish();
    free(indices);
    free(vertices);
}

static void test_textures(void **state)
{
    const unsigned flat = twin_create(CLIENT_TEXTURE, D3DFMT_A8R8G8B8, 16, 16, 1, 5, 0);
    const unsigned half = twin_create(CLIENT_TEXTURE, D3DFMT_R5G6B5, 32, 8, 1, 1, 0);

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        twin_fill(flat, i, 0, random_byte);
    twin_fill(half, 0, 8 /* Discard */, random_byte);
    use_buffer();
    twin_texture(0, (int)flat);
    twin_stage(0, D3DTSS_COLOROP, D3DTOP_MODULATE);
    twin_stage(0, D3DTSS_MINFILTER, D3DTEXF_LINEAR);
    twin_stage(0, D3DTSS_MIPFILTER, D3DTEXF_LINEAR);
    twin_draw(D3DPT_TRIANGLELIST, 0, 1);
    twin_texture(0, (int)half);
    twin_draw(D3DPT_TRIANGLELIST, 3, 1);
    finish();
}

/* A cube and a volume keep what is written to each sub-resource, and are sampled alike. */
static void test_cubes_and_volumes(void **state)
{
    const unsigned cube = twin_create(CLIENT_TEXTURE | CLIENT_CUBE, D3DFMT_A8R8G8B8, 8, 8, 1, 4, 0);
    const unsigned volume = twin_create(CLIENT_TEXTURE | CLIENT_VOLUME, D3DFMT_A8R8G8B8, 8, 4, 4, 2, 0);

    (void)state;
    for (unsigned i = 0; i < 24; i++)
        twin_fill(cube, i, 0, random_byte);
    for (unsigned i = 0; i < 2; i++)
        twin_fill(volume, i, 0, random_byte);
    use_buffer();
    twin_stage(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    twin_texture(0, (int)volume);
    twin_draw(D3DPT_TRIANGLELIST, 0, 1);
    twin_texture(0, (int)cube);
    twin_draw(D3DPT_TRIANGLELIST, 3, 1);
    twin_texture(0, -1);
    finish();
    assert_true(twin_compare(cube));
    assert_true(twin_compare(volume));
}

static void test_lights(void **state)
{
    static const float projection[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0.25f, 1};
    const struct point points[] = {{-0.9f, -0.8f, 0, 0, 0, -1, 0xffffffff},
                                   {0.9f, -0.5f, 0.5f, 0, 0.6f, -0.8f, 0xffffffff},
                                   {0, 0.9f, 1, 0.6f, 0, -0.8f, 0xffffffff}};
    const D3DDDIARG_SETMATERIAL material = {.Diffuse = {1, 0.5f, 0.25f, 1}, .Specular = {1, 1, 1, 1}, .Power = 8};
    const D3DDDI_LIGHT light = {.Type = 1 /* point */,
                                .Diffuse = {1, 1, 1, 1},
                                .Specular = {1, 1, 1, 1},
                                .Position = {0, 0, -2},
                                .Range = 100,
                                .Attenuation1 = 0.5f};
    const D3DDDIARG_CREATELIGHT create = {0};
    const D3DDDIARG_SETLIGHT data = {0, D3DDDI_SETLIGHT_DATA}, enable = {0, D3DDDI_SETLIGHT_ENABLE};

    (void)state;
    twin_set_declaration(twin_declare(in_space, 3));
    twin_transform(D3DTS_PROJECTION, projection);
    twin_state(D3DRS_LIGHTING, TRUE);
    twin_state(D3DRS_SPECULARENABLE, TRUE);
    twin_token(D3DDP2OP_SETMATERIAL, &material, sizeof(material));
    TWIN_CALL(SetMaterial, &material);
    twin_token(D3DDP2OP_CREATELIGHT, &create, sizeof(create));
    TWIN_CALL(CreateLight, &create);
    twin_token_data(D3DDP2OP_SETLIGHT, &data, sizeof(data), &light, sizeof(light));
    TWIN_CALL(SetLight, &data, &light);
    twin_token(D3DDP2OP_SETLIGHT, &enable, sizeof(enable));
    TWIN_CALL(SetLight, &enable, NULL);
    twin_draw_user(D3DPT_TRIANGLELIST, 1, points, 3, sizeof(points[0]));
    finish();
}

/* vs_1_1: oPos = v0 * c0 + c1, oD0 = v1; ps_2_0: oC0 = v0 * c0 */
static const uint32_t vertex_code[] = {0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000, 0x0000001f, 0x8000000a,
                                       0x900f0001, 0x00000004, 0xc00f0000, 0x90e40000, 0xa0e40000, 0xa0e40001,
                                       0x00000001, 0xd00f0000, 0x90e40001, 0x0000ffff};
static const uint32_t pixel_code[] = {0xffff0200, 0x0200001f, 0x80000000, 0x900f0000, 0x03000005, 0x800f0000,
                                      0x90e40000, 0xa0e40000, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};

static void test_shaders(void **state)
{
    const struct point points[] = {{-0.5f, -0.5f, 0.5f, 0, 0, 0, 0xffff8040},
                                   {0.5f, -0.5f, 0.5f, 0, 0, 0, 0xff40ff80},
                                   {0, 0.5f, 0.5f, 0, 0, 0, 0xff8040ff}};
    const float vertex_constants[] = {1.5f, 1.5f, 1, 1, 0.1f, -0.1f, 0, 0};
    const float pixel_constants[] = {1, 0.5f, 0.25f, 1};

    (void)state;
    twin_set_declaration(twin_declare(in_space, 3));
    twin_set_shader(false, (int)twin_vertex_shader(vertex_code, sizeof(vertex_code)));
    twin_set_shader(true, (int)twin_pixel_shader(pixel_code, sizeof(pixel_code)));
    twin_constants(false, 0, 2, vertex_constants);
    twin_constants(true, 0, 1, pixel_constants);
    twin_draw_user(D3DPT_TRIANGLELIST, 1, points, 3, sizeof(points[0]));
    twin_set_shader(true, -1);
    twin_constants(false, 1, 1, pixel_constants);
    twin_draw_user(D3DPT_TRIANGLELIST, 1, points, 3, sizeof(points[0]));
    finish();
}

static void test_clears(void **state)
{
    const RECT rects[] = {{1, 2, 10, 20}, {30, -5, 100, 12}, {50, 40, 40, 30}};
    const RECT scissor = {5, 5, 60, 30};

    (void)state;
    twin_clear(D3DCLEAR_TARGET, 0x12345678, 0, 0, 3, rects);
    twin_state(174 /* D3DRS_SCISSORTESTENABLE */, TRUE);
    twin_scissor(scissor);
    twin_clear(D3DCLEAR_TARGET | 8 /* COMPUTERECTS */, 0xffaabbcc, 0, 0, 2, rects);
    twin_viewport(8, 8, 20, 20);
    twin_clear(D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL | 8, 0, 0.5f, 77, 0, NULL);
    finish();
}

static void test_samples(void **state)
{
    const unsigned many = twin_create(CLIENT_TARGET, D3DFMT_A8R8G8B8, WIDTH, HEIGHT, 1, 1, 4);
    const RECT whole = {0, 0, WIDTH, HEIGHT};

    (void)state;
    twin_depth(-1);
    twin_target(0, (int)many, 0);
    twin_viewport(0, 0, WIDTH, HEIGHT);
    twin_clear(D3DCLEAR_TARGET, 0, 0, 0, 0, NULL);
    use_buffer();
    twin_draw(D3DPT_TRIANGLELIST, 0, 2);
    twin_blt(target, 0, whole, many, 0, whole, false);
    twin_target(0, -1, 0);
    finish();
    assert_true(twin_compare(many));
}

/* A level of a texture as target, and then draws that read the texture; two targets at once. */
static void test_targets(void **state)
{
    const unsigned texture = twin_create(CLIENT_TEXTURE | CLIENT_TARGET, D3DFMT_A8R8G8B8, 32, 32, 1, 3, 0);

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        twin_fill(texture, i, 0, random_byte);
    use_buffer();
    twin_depth(-1);
    twin_target(0, (int)texture, 1);
    twin_viewport(0, 0, 16, 16);
    twin_draw(D3DPT_TRIANGLELIST, 0, 2);
    twin_target(0, (int)target, 0);
    twin_viewport(0, 0, WIDTH, HEIGHT);
    twin_texture(0, (int)texture);
    twin_stage(0, D3DTSS_MIPFILTER, D3DTEXF_POINT);
    twin_draw(D3DPT_TRIANGLELIST, 0, 2);
    finish();
    assert_true(twin_compare(texture));
}

/* A clipped fan whose inner edges are not drawn. */
static void test_fan_edges(void **state)
{
    const UINT edges = 0x16;
    const D3DDDIARG_DRAWPRIMITIVE args = {D3DPT_TRIANGLEFAN, 1, 3};
    const D3DHAL_CLIPPEDTRIANGLEFAN entry = {sizeof(struct vertex), edges, 3};

    (void)state;
    use_buffer();
    twin_state(D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    twin_token(D3DDP2OP_CLIPPEDTRIANGLEFAN, &entry, sizeof(entry));
    TWIN_CALL(DrawPrimitive, &args, &edges);
    finish();
}

/* One triangle of the caller's, whose edges begin at its first vertex: each set of edges is a fan that begins at the last one, all of
 * them the triangle itself. */
static void test_triangle_edges(void **state)
{
    const struct vertex straight[] = {triangles[2], triangles[3], triangles[4]};
    const struct vertex turned[] = {triangles[4], triangles[2], triangles[3]};
    const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 args = {D3DPT_TRIANGLELIST, 0, 1, 4, 2, 1};
    const D3DDDIARG_SETSTREAMSOURCEUM source = {0, sizeof(struct vertex)};
    const D3DHAL_DP2DRAWPRIMITIVE list = {D3DPT_TRIANGLELIST, 0, 1};
    const uint16_t indices[] = {0, 2, 3, 4};

    (void)state;
    use_buffer();
    twin_state(D3DRS_FILLMODE, D3DFILL_WIREFRAME);
    twin_state(D3DRS_SHADEMODE, D3DSHADE_FLAT);
    for (UINT edges = 1; edges < 8; edges++) {
        const D3DHAL_CLIPPEDTRIANGLEFAN fan = {0, (edges << 1 & 6) | edges >> 2, 1};
        uint32_t first;

        twin_clear(D3DCLEAR_TARGET, 0xff102030, 1.0f, 0, 0, NULL);
        twin_flush();
        twin_token(D3DDP2OP_SETSTREAMSOURCEUM, &source, sizeof(source));
        assert_true(
            client_batch_put_vertices(&twin.batch, edges < 7 ? turned : straight, 3, sizeof(*turned), 0, &first));
        if (edges < 7)
            twin_token(D3DDP2OP_CLIPPEDTRIANGLEFAN, &fan, sizeof(fan));
        else
            twin_token(D3DDP2OP_DRAWPRIMITIVE, &list, sizeof(list));
        TWIN_CALL(SetStreamSourceUm, &source, triangles);
        TWIN_CALL(DrawIndexedPrimitive2, &args, 2, indices, &edges);
        finish();
    }
}

/* Instances: stream 1 advances once for each of them. */
static void test_instances(void **state)
{
    const D3DDDIVERTEXELEMENT elements[] = {{0, 0, 2, 0, 0, 0}, {0, 24, 4, 0, 10, 1}, {1, 0, 4, 0, 10, 0}};
    const struct point points[] = {
        {-0.9f, -0.9f, 0.5f, 0, 0, 0, 0}, {0.9f, -0.9f, 0.5f, 0, 0, 0, 0}, {0, 0.9f, 0.5f, 0, 0, 0, 0}};
    const uint32_t colors[] = {0xffff0000, 0x8000ff00};
    const uint16_t indices[] = {0, 1, 2};
    const float vertex_constants[] = {1, 1, 1, 1, 0, 0, 0, 0};
    const D3DDDIARG_SETSTREAMSOURCEFREQ of_0 = {0, 0x40000002}, of_1 = {1, 0x80000001};
    const unsigned a = twin_create(CLIENT_VERTEX_BUFFER, 0, sizeof(points), 1, 1, 1, 0);
    const unsigned b = twin_create(CLIENT_VERTEX_BUFFER, 0, sizeof(colors), 1, 1, 1, 0);
    const unsigned c = twin_create(CLIENT_INDEX_BUFFER, 0, sizeof(indices), 1, 1, 1, 0);

    (void)state;
    twin_write(a, points, sizeof(points));
    twin_write(b, colors, sizeof(colors));
    twin_write(c, indices, sizeof(indices));
    twin_set_declaration(twin_declare(elements, 3));
    twin_set_shader(false, (int)twin_vertex_shader(vertex_code, sizeof(vertex_code)));
    twin_constants(false, 0, 2, vertex_constants);
    twin_stream(0, (int)a, 0, sizeof(points[0]));
    twin_stream(1, (int)b, 0, 4);
    twin_indices((int)c, 2);
    twin_token(D3DDP2OP_SETSTREAMSOURCEFREQ, &of_0, sizeof(of_0));
    TWIN_CALL(SetStreamSourceFreq, &of_0);
    twin_token(D3DDP2OP_SETSTREAMSOURCEFREQ, &of_1, sizeof(of_1));
    TWIN_CALL(SetStreamSourceFreq, &of_1);
    twin_state(D3DRS_ALPHABLENDENABLE, TRUE);
    twin_draw_indexed(D3DPT_TRIANGLELIST, 0, 0, 3, 0, 1);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_vertex_buffer),
        TEST(test_index_buffer),
        TEST(test_user_memory),
        TEST(test_user_vertices_indexed),
        TEST(test_blocks_bind_buffers),
        TEST(test_much_user_memory),
        TEST(test_textures),
        TEST(test_cubes_and_volumes),
        TEST(test_lights),
        TEST(test_shaders),
        TEST(test_clears),
        TEST(test_samples),
        TEST(test_targets),
        TEST(test_fan_edges),
        TEST(test_triangle_edges),
        TEST(test_instances),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
