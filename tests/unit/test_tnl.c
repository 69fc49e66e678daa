/* SPDX-License-Identifier: MIT */
/*
 * Fixed-function vertex processing against values computed by hand from the formulas of
 * docs/reference/vertex-processing.md, sections 6 to 10. Each test draws points and checks the values of their
 * vertices.
 */
#include <math.h>

#include "dp2/dp2.h"
#include "hal/math.h"
#include "hal/resource/surface.h"
#include "hal/state/values.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/tnl.h"
#include "hal/vertex/vertex.h"
#include "hal/vertex/wrap.h"
#include "hal_fixture.h"
#include "tests/random.h"

#define CLOSE(a, b) assert_true(fabs((double)(a) - (double)(b)) < 2e-6)

static void check(const float *v, float x, float y, float z, float w)
{
    CLOSE(v[0], x);
    CLOSE(v[1], y);
    CLOSE(v[2], z);
    CLOSE(v[3], w);
}

static void draw_points(struct fixture *f, uint32_t fvf, const void *data, unsigned count)
{
    const uint32_t stride = dp2_fvf_size(fvf);

    fixture_vertices(f, fvf, data, (size_t)count * stride, stride);
    fixture_draw(f, D3DPT_POINTLIST, 0, count);
    assert_int_equal(fixture_run(f), DD_OK);
}

/* --- lights ------------------------------------------------------------------------- */

static struct hal_light white_light(uint32_t type)
{
    return (struct hal_light){.type = type,
                              .diffuse = {1, 1, 1, 1},
                              .specular = {1, 1, 1, 1},
                              .direction = {0, 0, 1},
                              .range = 1000,
                              .attenuation = {1, 0, 0}};
}

static void put_light(struct fixture *f, uint32_t index, const struct hal_light *light)
{
    uint8_t body[8 + sizeof(*light) + 8] = {0};
    const uint32_t data = D3DHAL_SETLIGHT_DATA;

    memcpy(body, &index, 4);
    memcpy(body + 4, &data, 4);
    memcpy(body + 8, light, sizeof(*light));
    memcpy(body + 8 + sizeof(*light), &index, 4);
    fixture_put(f, D3DDP2OP_SETLIGHT, 2, body, sizeof(body));
}

static void put_material(struct fixture *f)
{
    const struct hal_material material = {.diffuse = {0.5f, 1, 0.25f, 0.75f},
                                          .ambient = {1, 0.5f, 0, 1},
                                          .specular = {0.5f, 0.25f, 1, 1},
                                          .emissive = {0.125f, 0, 0, 1},
                                          .power = 4};

    fixture_put(f, D3DDP2OP_SETMATERIAL, 1, &material, sizeof(material));
}

struct lit_vertex {
    float position[3], normal[3];
};
#define FVF_LIT (D3DFVF_XYZ | D3DFVF_NORMAL)

static void test_directional_light(void **state)
{
    struct fixture *f = *state;
    struct hal_light light = white_light(D3DLIGHT_DIRECTIONAL);
    const struct lit_vertex v[3] = {
        {{0, 0, 0.5f}, {0, 0, -1}}, {{0, 0, 0.5f}, {0, 0, 1}}, {{0, 0, 0.5f}, {0, 0.6f, -0.8f}}};

    light.ambient[1] = 0.5f;
    put_material(f);
    put_light(f, 5, &light);
    fixture_state(f, D3DRS_AMBIENT, 0xff330000); /* 0.2 */
    draw_points(f, FVF_LIT, v, 3);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 0.125f + 0.2f + 0.5f, 1, 0.25f, 0.75f);
    check(fixture_attribute(f, 1, HAL_ATTRIBUTE_DIFFUSE), 0.325f, 0.25f, 0, 0.75f);
    check(fixture_attribute(f, 2, HAL_ATTRIBUTE_DIFFUSE), 0.325f + 0.4f, 1, 0.2f, 0.75f);
}

static void test_point_light(void **state)
{
    struct fixture *f = *state;
    struct hal_light light = white_light(D3DLIGHT_POINT);
    const struct lit_vertex v[2] = {{{0, 0, 0.5f}, {0, 0, -1}}, {{0, 1, 0.5f}, {0, 0, -1}}};

    light.position[2] = -1.5f;
    light.attenuation[0] = 0;
    light.attenuation[1] = 1; /* 1/d */
    light.range = 2.1f;
    put_material(f);
    put_light(f, 0, &light);
    draw_points(f, FVF_LIT, v, 2);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 0.125f + 0.25f, 0.5f, 0.125f, 0.75f);
    /* beyond the range */
    check(fixture_attribute(f, 1, HAL_ATTRIBUTE_DIFFUSE), 0.125f, 0, 0, 0.75f);
}

static void test_spot_light(void **state)
{
    struct fixture *f = *state;
    struct hal_light light = white_light(D3DLIGHT_SPOT);
    /* the light is at (0, 0, -1) and shines along +z; angles 0, 45 degrees, and in between */
    const struct lit_vertex v[3] = {{{0, 0, 0}, {0, 0, -1}}, {{1, 0, 0}, {0, 0, -1}}, {{0.5f, 0, 0}, {0, 0, -1}}};
    const double d = sqrt(1.25), rho = 1 / d;
    const double inner = cos(0.2), outer = cos(0.6);
    const double factor = pow((rho - outer) / (inner - outer), 2) * (1 / d);

    light.position[2] = -1;
    light.theta = 0.4f;
    light.phi = 1.2f;
    light.falloff = 2;
    put_material(f);
    put_light(f, 0, &light);
    draw_points(f, FVF_LIT, v, 3);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE)[1], 1);
    CLOSE(fixture_attribute(f, 1, HAL_ATTRIBUTE_DIFFUSE)[1], 0);
    CLOSE(fixture_attribute(f, 2, HAL_ATTRIBUTE_DIFFUSE)[1], factor);
}

static void test_specular(void **state)
{
    struct fixture *f = *state;
    struct hal_light light = white_light(D3DLIGHT_DIRECTIONAL);
    const struct lit_vertex v[1] = {{{0.5f, 0, 1}, {0, 0, -1}}};
    /* viewer towards norm(-0.5, 0, -1), light towards (0, 0, -1) */
    const double n = sqrt(1.25), hx = -0.5 / n, hz = -1 - 1 / n;
    const double local = pow(-hz / sqrt(hx * hx + hz * hz), 4);

    put_material(f);
    put_light(f, 0, &light);
    fixture_state(f, D3DRS_SPECULARENABLE, 1);
    draw_points(f, FVF_LIT, v, 1);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_SPECULAR)[0], 0.5 * local);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_SPECULAR)[2], local);
    fixture_state(f, D3DRS_LOCALVIEWER, 0);
    draw_points(f, FVF_LIT, v, 1);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_SPECULAR)[2], 1);
}

static void test_material_sources(void **state)
{
    struct fixture *f = *state;
    const struct {
        float position[3];
        uint32_t diffuse;
    } v = {{0, 0, 0.5f}, 0x80ff0033};
    const struct hal_light light = white_light(D3DLIGHT_DIRECTIONAL);

    put_material(f);
    put_light(f, 0, &light);
    fixture_state(f, D3DRS_EMISSIVEMATERIALSOURCE, D3DMCS_COLOR1);
    draw_points(f, D3DFVF_XYZ | D3DFVF_DIFFUSE, &v, 1);
    /* no normal: emissive only; alpha from the diffuse source */
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 1, 0, 0.2f, 128 / 255.0f);
    /* a colour that the vertex lacks is taken from the material */
    fixture_state(f, D3DRS_EMISSIVEMATERIALSOURCE, D3DMCS_COLOR2);
    draw_points(f, D3DFVF_XYZ | D3DFVF_DIFFUSE, &v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 0.125f, 0, 0, 128 / 255.0f);
    fixture_state(f, D3DRS_COLORVERTEX, 0);
    draw_points(f, D3DFVF_XYZ | D3DFVF_DIFFUSE, &v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 0.125f, 0, 0, 0.75f);
    fixture_state(f, D3DRS_LIGHTING, 0);
    draw_points(f, D3DFVF_XYZ | D3DFVF_DIFFUSE, &v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 1, 0, 0.2f, 128 / 255.0f);
    draw_points(f, D3DFVF_XYZ, &v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 1, 1, 1, 1);
}

static void test_normals(void **state)
{
    struct fixture *f = *state;
    const struct hal_light light = white_light(D3DLIGHT_DIRECTIONAL);
    const struct lit_vertex v = {{0, 0, 0.25f}, {0, 0.6f, -0.8f}};
    const float flat[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};

    put_material(f);
    put_light(f, 0, &light);
    fixture_transform(f, 256, flat);
    draw_points(f, FVF_LIT, &v, 1);
    /* the inverse transpose halves z */
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE)[1], 0.4f);
    fixture_state(f, D3DRS_NORMALIZENORMALS, 1);
    draw_points(f, FVF_LIT, &v, 1);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE)[1], 0.4 / sqrt(0.36 + 0.16));
}

/* --- fog ---------------------------------------------------------------------------- */

static void test_fog(void **state)
{
    struct fixture *f = *state;
    const float project[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 1};
    const float v[2][3] = {{0, 3, 4}, {0, 0, 50}};

    fixture_transform(f, D3DTS_PROJECTION, project);
    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_state(f, D3DRS_FOGENABLE, 1);
    fixture_state(f, D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    fixture_float_state(f, D3DRS_FOGSTART, 0);
    fixture_float_state(f, D3DRS_FOGEND, 10);
    draw_points(f, D3DFVF_XYZ, v, 2);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], 0.6f);
    CLOSE(fixture_attribute(f, 1, HAL_ATTRIBUTE_FOG)[0], 0);
    fixture_state(f, D3DRS_RANGEFOGENABLE, 1);
    draw_points(f, D3DFVF_XYZ, v, 2);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], 0.5f);
    fixture_state(f, D3DRS_RANGEFOGENABLE, 0);
    fixture_float_state(f, D3DRS_FOGDENSITY, 0.25f);
    fixture_state(f, D3DRS_FOGVERTEXMODE, D3DFOG_EXP);
    draw_points(f, D3DFVF_XYZ, v, 2);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], exp(-1));
    fixture_state(f, D3DRS_FOGVERTEXMODE, D3DFOG_EXP2);
    fixture_float_state(f, D3DRS_FOGDENSITY, 0.125f);
    draw_points(f, D3DFVF_XYZ, v, 2);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], exp(-0.25));
    fixture_state(f, D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    fixture_float_state(f, D3DRS_FOGEND, 0);
    draw_points(f, D3DFVF_XYZ, v, 2);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], 0);
}

static void test_fog_from_specular_alpha(void **state)
{
    struct fixture *f = *state;
    const struct {
        float position[4];
        uint32_t specular;
    } v = {{8, 8, 0.5f, 1}, 0x66000000};

    fixture_state(f, D3DRS_FOGENABLE, 1);
    draw_points(f, D3DFVF_XYZRHW | D3DFVF_SPECULAR, &v, 1);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], 0.4f);
    draw_points(f, D3DFVF_XYZRHW, &v, 1);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], 0);
    draw_points(f, D3DFVF_XYZ, &v, 1);
    CLOSE(fixture_attribute(f, 0, HAL_ATTRIBUTE_FOG)[0], 1);
}

/* --- texture coordinates ------------------------------------------------------------ */

/* A texture that is never sampled for its contents: it makes stage 0 need coordinates. */
static void bind_texture(struct fixture *f, uint32_t *texels)
{
    fixture_image(f, FIXTURE_TEXTURE, HAL_SURFACE_TEXTURE, texels, RASTER_FORMAT_A8R8G8B8, D3DFMT_A8R8G8B8);
    fixture_stage(f, 0, 0, FIXTURE_TEXTURE);
    fixture_state(f, D3DRS_LIGHTING, 0);
}

static void set_texgen(struct fixture *f, uint32_t index, uint32_t flags)
{
    fixture_stage(f, 0, D3DTSS_TEXCOORDINDEX, index);
    fixture_stage(f, 0, D3DTSS_TEXTURETRANSFORMFLAGS, flags);
}

static void test_texture_coordinates(void **state)
{
    struct fixture *f = *state;
    const float v[1][7] = {{0, 0, 0.5f, 0.25f, 0.5f, 3, 4}};
    const uint32_t two_by_two = D3DFVF_XYZ | D3DFVF_TEX2;
    const uint32_t four = D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE4(0);
    const uint32_t three = D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0);
    const float move[16] = {2, 0, 0, 0, 0, 2, 0, 0, 10, 20, 2, 0, 0, 0, 0, 1};
    const float first_row[16] = {1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7, 1};

    bind_texture(f, f->depth);
    draw_points(f, two_by_two, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 0, 1);
    set_texgen(f, 1, 0);
    draw_points(f, two_by_two, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 3, 4, 0, 1);
    set_texgen(f, 5, 0);
    draw_points(f, two_by_two, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0, 0, 0, 1);
    /* two components are followed by a 1: the third row moves */
    fixture_transform(f, D3DTS_TEXTURE0, move);
    set_texgen(f, 0, D3DTTFF_COUNT2);
    draw_points(f, two_by_two, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 10.5f, 21, 0, 1);
    set_texgen(f, 0, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED);
    draw_points(f, two_by_two, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 10.5f, 21, 2, 2);
    set_texgen(f, 0, D3DTTFF_PROJECTED);
    draw_points(f, four, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 3, 4);
    set_texgen(f, 0, 0);
    draw_points(f, four, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 3, 4);
    /* more than four components are not a count: no matrix, and the last existing component divides */
    set_texgen(f, 0, 0xffffffff);
    draw_points(f, two_by_two, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 0, 0.5f);
    draw_points(f, three, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 3, 3);
    draw_points(f, four, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 3, 4);
    set_texgen(f, 0, 0xffffffff & ~(uint32_t)D3DTTFF_PROJECTED);
    draw_points(f, three, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 3, 1);
    /* coordinates that vertices lack are (0, 0, 0, 1), also for the matrix: the fourth row moves them */
    set_texgen(f, 0, D3DTTFF_COUNT3);
    draw_points(f, D3DFVF_XYZ, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0, 0, 0, 1);
    fixture_transform(f, D3DTS_TEXTURE0, first_row);
    draw_points(f, D3DFVF_XYZ, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 5, 6, 7, 1);
}

static void test_generated_coordinates(void **state)
{
    struct fixture *f = *state;
    const struct lit_vertex v = {{0.6f, 0, 0.8f}, {0, 0, -1}};
    const float half[16] = {0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 1};

    bind_texture(f, f->depth);
    set_texgen(f, D3DTSS_TCI_CAMERASPACENORMAL, 0);
    draw_points(f, FVF_LIT, &v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0, 0, -1, 1);
    set_texgen(f, D3DTSS_TCI_CAMERASPACEPOSITION, 0);
    fixture_transform(f, 256, half);
    draw_points(f, FVF_LIT, &v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.3f, 0, 0.4f, 1);
    fixture_state(f, D3DRS_NORMALIZENORMALS, 1);
    set_texgen(f, D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR, 0);
    draw_points(f, FVF_LIT, &v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.6f, 0, -0.8f, 1);
    set_texgen(f, 0x40000, 0); /* sphere map */
    draw_points(f, FVF_LIT, &v, 1);
    const double m = 2 * sqrt(0.36 + 1.8 * 1.8); /* r = (0.6, 0, -0.8) */

    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), (float)(0.6 / m + 0.5), 0.5f, 0, 1);
}

/* Transformed vertices have neither coordinate generation nor matrices. */
static void test_transformed_coordinates(void **state)
{
    struct fixture *f = *state;
    const float v[7] = {8, 8, 0.5f, 1, 0.25f, 0.5f, 4};
    const float twice[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
    const uint32_t three = D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0);

    bind_texture(f, f->depth);
    fixture_transform(f, D3DTS_TEXTURE0, twice);
    set_texgen(f, D3DTSS_TCI_CAMERASPACEPOSITION, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED);
    draw_points(f, three, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 4, 4);
    set_texgen(f, 0, D3DTTFF_COUNT3 | D3DTTFF_PROJECTED);
    draw_points(f, D3DFVF_XYZRHW | D3DFVF_TEX1, v, 1);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_TEXCOORD0), 0.25f, 0.5f, 0, 1);
}

/* Between 0.9 and 0.2 the short way leads over 1. */
static void test_wrapped_coordinates(void **state)
{
    struct fixture *f = *state;
    struct raster_vertex v[3], copies[3];
    const struct raster_vertex *corners[3] = {&v[0], &v[1], &v[2]};
    const float point[5] = {0, 0, 0.5f, 0, 0};

    bind_texture(f, f->depth);
    fixture_state(f, D3DRS_WRAP0, 1);
    draw_points(f, D3DFVF_XYZ | D3DFVF_TEX1, point, 1);
    const struct hal_vertex_stage *stage = &f->context->renderer.front->vertex_stage;
    const int slot = stage->slot[HAL_ATTRIBUTE_TEXCOORD0];

    assert_true(stage->wraps);
    memset(v, 0, sizeof(v));
    v[0].input[slot][0] = v[0].input[slot][1] = 0.9f;
    v[1].input[slot][0] = v[1].input[slot][1] = 0.2f;
    v[2].input[slot][0] = 0.7f;
    hal_wrap_corners(stage, corners, 3, copies);
    CLOSE(corners[1]->input[slot][0], 1.2f);
    CLOSE(corners[1]->input[slot][1], 0.2f);
    CLOSE(corners[2]->input[slot][0], 0.7f);
    CLOSE(v[1].input[slot][0], 0.2f);
}

/* --- positions ---------------------------------------------------------------------- */

static void test_blending(void **state)
{
    struct fixture *f = *state;
    const float right[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 1};
    const float up[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0, 1};
    const struct {
        float position[3], weight;
        uint32_t index;
    } v = {{0, 0, 0.5f}, 0.25f, 0x0105};
    const uint32_t indexed = D3DFVF_XYZB2 | D3DFVF_LASTBETA_UBYTE4;

    fixture_transform(f, 257, right);
    fixture_transform(f, 261, up);
    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_state(f, D3DRS_VERTEXBLEND, D3DVBF_1WEIGHTS);
    draw_points(f, D3DFVF_XYZB1, &v, 1);
    CLOSE(f->context->renderer.front->vertices[0].position[0], 0.375f);
    fixture_state(f, D3DRS_INDEXEDVERTEXBLENDENABLE, 1);
    draw_points(f, indexed, &v, 1);
    CLOSE(f->context->renderer.front->vertices[0].position[0], 0.375f);
    CLOSE(f->context->renderer.front->vertices[0].position[1], 0.125f);
    fixture_state(f, D3DRS_VERTEXBLEND, D3DVBF_0WEIGHTS);
    draw_points(f, indexed, &v, 1);
    CLOSE(f->context->renderer.front->vertices[0].position[1], 0.5f);
}

/* D3DVBF_TWEENING: positions and normals of two sets, 0 the first, 1 the second; a quarter of the way here. */
static void test_tweening(void **state)
{
    struct fixture *f = *state;
    const struct hal_material material = {.diffuse = {1, 1, 1, 1}};
    const struct hal_light light = white_light(D3DLIGHT_DIRECTIONAL);
    const uint32_t shader[] = {0x11, 24, 0, 0x20000000, 0x40020000, 0x40020003, 0x4002000f, 0x40020010, 0xffffffff};
    const uint32_t fvf = 0x11;
    const float v[12] = {0, 0, 0.5f, 0, 0, -1, 0.5f, -1, 0.5f, 0, 0, 0};

    fixture_put(f, D3DDP2OP_SETMATERIAL, 1, &material, sizeof(material));
    put_light(f, 0, &light);
    fixture_state(f, D3DRS_VERTEXBLEND, D3DVBF_TWEENING);
    fixture_float_state(f, D3DRS_TWEENFACTOR, 0.25f);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, shader, sizeof(shader));
    fixture_vertices(f, fvf, v, sizeof(v), sizeof(v));
    fixture_draw(f, D3DPT_POINTLIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    CLOSE(f->context->renderer.front->vertices[0].position[0], 0.125f);
    CLOSE(f->context->renderer.front->vertices[0].position[1], -0.25f);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 0.75f, 0.75f, 0.75f, 1);
}

/* A declaration with two streams; the second one holds the colour. */
static void test_declaration(void **state)
{
    struct fixture *f = *state;
    const uint32_t shader[] = {0x11,       24,        0, 0x20000000, 0x40020000, 0x20000001, 0x10000000 | 0x40010000,
                               0x40040005, 0xffffffff};
    const float position[3] = {0, 0, 0.5f};
    const uint32_t color[2] = {0, 0xff00ff00};
    const uint32_t fvf = 0x11, stream[3] = {1, FIXTURE_INDICES, 8};

    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADER, 1, shader, sizeof(shader));
    fixture_vertices(f, fvf, position, sizeof(position), sizeof(position));
    fixture_indices(f, color, sizeof(color), 4);
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCE, 1, stream, sizeof(stream));
    fixture_draw(f, D3DPT_POINTLIST, 0, 1);
    assert_int_equal(fixture_run(f), DD_OK);
    check(fixture_attribute(f, 0, HAL_ATTRIBUTE_DIFFUSE), 0, 1, 0, 1);
}

static void test_user_planes(void **state)
{
    struct fixture *f = *state;
    const float move[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.25f, 0, 0, 1};
    const float v[2][3] = {{-0.5f, 0, 0.5f}, {0.5f, 0, 0.5f}};
    struct {
        uint32_t index;
        float plane[4];
    } plane = {2, {1, 0, 0, 0}};

    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_transform(f, D3DTS_VIEW, move);
    fixture_put(f, D3DDP2OP_SETCLIPPLANE, 1, &plane, sizeof(plane));
    fixture_state(f, D3DRS_CLIPPLANEENABLE, 4);
    draw_points(f, D3DFVF_XYZ, v, 2);
    /* world space: the view does not move the plane */
    CLOSE(f->context->renderer.front->vertices[0].plane[2], -0.5f);
    CLOSE(f->context->renderer.front->vertices[1].plane[2], 0.5f);
    assert_int_equal(f->context->renderer.front->vertices[0].outcode, HAL_OUT_USER0 << 2);
    assert_int_equal(f->context->renderer.front->vertices[1].outcode, 0);
}

static void test_point_size(void **state)
{
    struct fixture *f = *state;
    const struct {
        float position[3], size;
    } v[2] = {{{0, 0, 0.5f}, 2}, {{0, 0, 0.5f}, 1000}};

    fixture_state(f, D3DRS_LIGHTING, 0);
    fixture_float_state(f, D3DRS_POINTSIZE, 3);
    draw_points(f, D3DFVF_XYZ | D3DFVF_PSIZE, v, 2);
    CLOSE(f->context->renderer.front->vertices[0].point_size, 2);
    CLOSE(f->context->renderer.front->vertices[1].point_size, HAL_MAX_POINT_SIZE);
    draw_points(f, D3DFVF_XYZ, v, 1);
    CLOSE(f->context->renderer.front->vertices[0].point_size, 3);
    fixture_state(f, D3DRS_POINTSCALEENABLE, 1);
    fixture_float_state(f, D3DRS_POINTSCALE_A, 0);
    fixture_float_state(f, D3DRS_POINTSCALE_C, 16);
    draw_points(f, D3DFVF_XYZ, v, 1);
    /* 64 * 3 / sqrt(16 / 4) */
    CLOSE(f->context->renderer.front->vertices[0].point_size, 96);
    fixture_float_state(f, D3DRS_POINTSIZE_MAX, 10);
    draw_points(f, D3DFVF_XYZ, v, 1);
    CLOSE(f->context->renderer.front->vertices[0].point_size, 10);
}

/* --- programs ----------------------------------------------------------------------- */

/* A program is made once per state; values of the same state are constants. */
static void test_programs_are_kept(void **state)
{
    struct fixture *f = *state;
    const float v[3] = {0, 0, 0.5f};
    const struct tnl_cache *cache = &f->context->renderer.front->tnl_cache;
    const struct shader_program *lit, *plain;

    draw_points(f, D3DFVF_XYZ, v, 1);
    plain = cache->entry[0].program;
    const unsigned count = cache->count;

    fixture_state(f, D3DRS_POINTSCALEENABLE, TRUE);
    draw_points(f, D3DFVF_XYZ, v, 1);
    assert_int_equal(cache->count, count + 1);
    lit = cache->entry[0].program;
    assert_ptr_not_equal(lit, plain);
    fixture_float_state(f, D3DRS_POINTSCALE_C, 4);
    draw_points(f, D3DFVF_XYZ, v, 1);
    assert_ptr_equal(cache->entry[0].program, lit);
    fixture_state(f, D3DRS_POINTSCALEENABLE, FALSE);
    draw_points(f, D3DFVF_XYZ, v, 1);
    assert_ptr_equal(cache->entry[0].program, plain);
    assert_int_equal(cache->count, count + 1);
}

/* --- numbers ------------------------------------------------------------------------ */

static void test_functions(void **state)
{
    (void)state;
    for (double x = -20; x < 20; x += 0.37)
        assert_true(fabs(hal_cosf((float)x) - cos((float)x)) < 1e-6);
}

static void test_inverse(void **state)
{
    struct hal_matrix m = {{{0, 2, 0, 0}, {1, 0, 3, 0}, {0, 0, 4, 1}, {5, 6, 7, 1}}}, i, product;

    (void)state;
    assert_true(hal_matrix_invert(&i, &m));
    hal_matrix_multiply(&product, &m, &i);
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            CLOSE(product.m[r][c], r == c);
    memset(&m, 0, sizeof(m));
    assert_false(hal_matrix_invert(&i, &m));
}

/* --- copied components --------------------------------------------------------- */

/* Copied components are those that a program would pass on: any type, any divider, and NaNs that programs would
 * change. */
static void test_copies(void **state)
{
    enum { VERTICES = 12, STRIDE = 20 };
    static uint8_t bytes[VERTICES * STRIDE];
    static hal_lanes lanes[4];
    struct hal_vertex vertices[VERTICES];
    struct hal_span span = {.count = VERTICES, .padded = VERTICES};
    uint32_t random = 1;

    (void)state;
    for (unsigned type = HAL_ELEMENT_FLOAT1; type <= HAL_ELEMENT_FLOAT16_4; type++) {
        for (uint32_t divider = 1; divider <= 3; divider++) {
            const uint8_t element[8] = {0, 0, 4, 0, (uint8_t)(type - 1), 0, 5, 0}; /* TEXCOORD0, 4 bytes in */
            const struct hal_stream_memory buffers[HAL_MAX_STREAMS] = {
                {.data = bytes, .bytes = sizeof(bytes), .stride = STRIDE, .divider = divider}};
            struct hal_layout layout;
            struct hal_source source;

            for (unsigned i = 0; i < sizeof(bytes); i++)
                bytes[i] = i % 3 ? (uint8_t)random_next(&random) : 0xff; /* sometimes a NaN */
            assert_true(hal_layout_from_elements(&layout, element, 1));
            hal_source_bind(&source, &layout, buffers);
            for (unsigned i = 0; i < VERTICES; i++)
                span.number[i] = (i * 5 + type) % VERTICES;
            for (unsigned set = 0; set < 2; set++) { /* the second one is not there */
                hal_fetch(&source, HAL_TEXCOORD0 + set, &span, lanes);
                hal_copy(&source, HAL_TEXCOORD0 + set, &span, vertices[0].position, sizeof(vertices[0]));
                for (unsigned i = 0; i < 4 * VERTICES; i++) {
                    const float fetched = lanes[i % 4][i / 4], copied = vertices[i / 4].position[i % 4];
                    uint32_t bits;

                    memcpy(&bits, &copied, sizeof(bits));
                    if (fetched == fetched)
                        assert_memory_equal(&fetched, &copied, sizeof(copied));
                    else
                        assert_int_equal(bits, 0x7fc00000);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_programs_are_kept),
        fixture_test(test_directional_light),
        fixture_test(test_point_light),
        fixture_test(test_spot_light),
        fixture_test(test_specular),
        fixture_test(test_material_sources),
        fixture_test(test_normals),
        fixture_test(test_fog),
        fixture_test(test_fog_from_specular_alpha),
        fixture_test(test_texture_coordinates),
        fixture_test(test_generated_coordinates),
        fixture_test(test_transformed_coordinates),
        fixture_test(test_wrapped_coordinates),
        fixture_test(test_blending),
        fixture_test(test_tweening),
        fixture_test(test_declaration),
        fixture_test(test_user_planes),
        fixture_test(test_point_size),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_inverse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
