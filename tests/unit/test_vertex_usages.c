/* SPDX-License-Identifier: MIT */
/*
 * Elements of vertices by usage and index: each of them feeds the vertex shader input with the same meaning, and those
 * of transformed vertices a pixel shader of model 3. Source: docs/reference/vertex-processing.md, sections 3 and 4.
 */
#include "d3d/usages.h"
#include "hal/vertex/patch/patch.h"
#include "tests/unit/shader_stage.h"

#include <stdio.h>

enum { FLOAT2_TYPE = 1, FLOAT4_TYPE = 3, COLOR_TYPE = 4, SHORT2_TYPE = 6 }; /* D3DDECLTYPE */
enum { OF_POSITION = 16, ELEMENTS = 15, STRIDE = OF_POSITION + 16 * ELEMENTS };

static const float corner[4][4] = {{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}, {1, -1, 0, 1}};

static const char *usage_name(unsigned usage)
{
    static const char *const names[] = {
#define NAME(name, word) #name,
        D3D_USAGES(NAME)
#undef NAME
    };

    return names[usage];
}

/* "position2": the text after dcl_, in lower case. */
static void meaning(char *text, unsigned usage, unsigned index)
{
    sprintf(text, "%s%u", usage_name(usage), index);
    for (; *text; text++)
        *text |= 0x20;
}

/* Element n of all vertices is (n, n + 1/4, n + 1/2, n + 3/4) plus `base`. */
static void fill_vertices(uint8_t vertices[4][STRIDE], float base)
{
    for (unsigned i = 0; i < 4; i++) {
        memcpy(vertices[i], corner[i], sizeof(corner[i]));
        for (unsigned n = 0; n < ELEMENTS; n++) {
            const float first = base + (float)n, value[4] = {first, first + 0.25f, first + 0.5f, first + 0.75f};

            memcpy(vertices[i] + OF_POSITION + 16 * n, value, sizeof(value));
        }
    }
}

static void draw_corners(struct shader_scene *s, const void *vertices, unsigned stride)
{
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, vertices, 4, stride);
    check(s);
}

static void use_input(struct shader_scene *s, unsigned usage, unsigned index)
{
    char text[256], name[24];

    meaning(name, usage, index);
    sprintf(text, "vs_3_0\ndcl_position v0\ndcl_%s v3\ndcl_position o0\ndcl_texcoord0 o1\nmov o0, v0\nmov o1, v3\n",
            name);
    use_vs(s, text);
}

/* --- vertex shaders --------------------------------------------------------------------------------- */

/* All meanings, in batches of as many as a vertex has room for; POSITION 0 feeds the position. */
static void test_all_usages(void **state)
{
    struct shader_scene *s = *state;
    uint8_t vertices[4][STRIDE];
    unsigned next = 1; /* usage * 16 + index */

    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    for (float base = 1; next < 16 * D3D_USAGE_COUNT; base += 20) {
        struct element elements[1 + ELEMENTS] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITION, 0}};
        unsigned count = 0;

        for (; count < ELEMENTS && next < 16 * D3D_USAGE_COUNT; next++) {
            if (next / 16 == D3D_USAGE_POSITIONT) /* the same as POSITION: test_transformed_usages */
                continue;
            elements[1 + count] = (struct element){
                0, (uint16_t)(OF_POSITION + 16 * count), FLOAT4_TYPE, 0, (uint8_t)(next / 16), (uint8_t)(next % 16)};
            count++;
        }
        declare(s, elements, 1 + count);
        fill_vertices(vertices, base);
        for (unsigned n = 0; n < count; n++) {
            const float first = base + (float)n;

            use_input(s, elements[1 + n].usage, elements[1 + n].index);
            draw_corners(s, vertices, STRIDE);
            pixel_is(s, 7, 9, first, first + 0.25f, first + 0.5f, first + 0.75f);
        }
    }
}

/* Two shaders find different inputs in one declaration; an input without an element is (0, 0, 0, 1), as are components
 * that a type lacks. */
static void test_types_and_absent_elements(void **state)
{
    static const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITION, 0},
                                              {0, 16, FLOAT2_TYPE, 0, D3D_USAGE_TANGENT, 0},
                                              {0, 24, COLOR_TYPE, 0, D3D_USAGE_TANGENT, 1},
                                              {0, 28, SHORT2_TYPE, 0, D3D_USAGE_TEXCOORD, 12}};
    struct {
        float position[4], tangent[2];
        uint32_t color;
        int16_t pair[2];
    } v[4];
    struct shader_scene *s = *state;

    for (unsigned i = 0; i < 4; i++) {
        memcpy(v[i].position, corner[i], sizeof(corner[i]));
        v[i].tangent[0] = 5;
        v[i].tangent[1] = -6;
        v[i].color = 0x80ff0000;
        v[i].pair[0] = -300;
        v[i].pair[1] = 400;
    }
    declare(s, elements, ARRAY_COUNT(elements));
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    use_input(s, D3D_USAGE_TANGENT, 0);
    draw_corners(s, v, sizeof(v[0]));
    pixel_is(s, 3, 3, 5, -6, 0, 1);
    use_input(s, D3D_USAGE_TANGENT, 1);
    draw_corners(s, v, sizeof(v[0]));
    pixel_is(s, 3, 3, 1, 0, 0, 128.0f / 255.0f);
    use_input(s, D3D_USAGE_TEXCOORD, 12);
    draw_corners(s, v, sizeof(v[0]));
    pixel_is(s, 3, 3, -300, 400, 0, 1);
    use_input(s, D3D_USAGE_BINORMAL, 0);
    draw_corners(s, v, sizeof(v[0]));
    pixel_is(s, 3, 3, 0, 0, 0, 1);
    use_input(s, D3D_USAGE_NORMAL, 0);
    draw_corners(s, v, sizeof(v[0]));
    pixel_is(s, 3, 3, 0, 0, 0, 1);
}

/* If two elements have the same meaning, the last one counts, whether or not the fixed function knows the meaning. */
static void test_elements_of_one_meaning(void **state)
{
    static const uint8_t usages[] = {D3D_USAGE_TANGENT, D3D_USAGE_TEXCOORD, D3D_USAGE_NORMAL};
    struct shader_scene *s = *state;
    uint8_t vertices[4][STRIDE];

    fill_vertices(vertices, 0);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    for (unsigned i = 0; i < ARRAY_COUNT(usages); i++) {
        const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITION, 0},
                                           {0, OF_POSITION, FLOAT4_TYPE, 0, usages[i], 0},
                                           {0, OF_POSITION + 16 * 8, FLOAT4_TYPE, 0, usages[i], 0},
                                           {0, OF_POSITION + 16 * 9, FLOAT4_TYPE, 0, D3D_USAGE_SAMPLE, 1}};

        declare(s, elements, ARRAY_COUNT(elements));
        use_input(s, usages[i], 0);
        draw_corners(s, vertices, STRIDE);
        pixel_is(s, 3, 3, 8, 8.25f, 8.5f, 8.75f);
        use_input(s, D3D_USAGE_SAMPLE, 1);
        draw_corners(s, vertices, STRIDE);
        pixel_is(s, 3, 3, 9, 9.25f, 9.5f, 9.75f);
    }
}

/* The maximum number of elements in a declaration, all except the position unknown to the fixed function. */
static void test_longest_declaration(void **state)
{
    struct element elements[64] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITION, 0}};
    struct shader_scene *s = *state;
    uint8_t vertices[4][STRIDE];

    for (unsigned i = 1; i < ARRAY_COUNT(elements); i++) {
        elements[i] = (struct element){0,
                                       (uint16_t)(OF_POSITION + 16 * (i % ELEMENTS)),
                                       FLOAT4_TYPE,
                                       0,
                                       (uint8_t)(D3D_USAGE_FOG + i / 32),
                                       (uint8_t)(i % 16)};
        if (i % 32 > 15)
            elements[i].usage = i < 32 ? D3D_USAGE_TANGENT : D3D_USAGE_BINORMAL;
    }
    declare(s, elements, ARRAY_COUNT(elements));
    fill_vertices(vertices, 1);
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    for (unsigned i = 1; i < ARRAY_COUNT(elements); i += 31) {
        const float first = 1 + (float)(i % ELEMENTS);

        use_input(s, elements[i].usage, elements[i].index);
        draw_corners(s, vertices, STRIDE);
        pixel_is(s, 3, 3, first, first + 0.25f, first + 0.5f, first + 0.75f);
    }
}

/* Curved surfaces interpolate such elements like all others. */
static void test_usages_of_npatches(void **state)
{
    static const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITION, 0},
                                              {0, OF_POSITION, FLOAT4_TYPE, 0, D3D_USAGE_NORMAL, 0},
                                              {0, OF_POSITION + 16 * 4, FLOAT4_TYPE, 0, D3D_USAGE_TANGENT, 0}};
    static const float normal[4] = {0, 0, -1, 0};
    struct shader_scene *s = *state;
    uint8_t vertices[4][STRIDE];

    fill_vertices(vertices, 1);
    for (unsigned i = 0; i < 4; i++)
        memcpy(vertices[i] + OF_POSITION, normal, sizeof(normal));
    declare(s, elements, ARRAY_COUNT(elements));
    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    use_input(s, D3D_USAGE_TANGENT, 0);
    stage_state(&s->stage, D3DRS_PATCHSEGMENTS, 0x40400000); /* 3 */
    draw_corners(s, vertices, STRIDE);
    pixel_is(s, 7, 9, 5, 5.25f, 5.5f, 5.75f);
}

/* --- transformed vertices --------------------------------------------------------------------------- */

/* The monster of Wine's pretransformed_varying_test: a pixel shader of model 3 reads every element by its meaning. */
static void test_transformed_usages(void **state)
{
    static const uint8_t usages[ELEMENTS][2] = {
        {D3D_USAGE_BLENDWEIGHT, 0}, {D3D_USAGE_BLENDINDICES, 0}, {D3D_USAGE_NORMAL, 0},     {D3D_USAGE_FOG, 0},
        {D3D_USAGE_TEXCOORD, 0},    {D3D_USAGE_TANGENT, 0},      {D3D_USAGE_BINORMAL, 0},   {D3D_USAGE_DEPTH, 0},
        {D3D_USAGE_TEXCOORD, 9},    {D3D_USAGE_COLOR, 3},        {D3D_USAGE_NORMAL, 1},     {D3D_USAGE_TANGENT, 2},
        {D3D_USAGE_POSITION, 3},    {D3D_USAGE_FOG, 1},          {D3D_USAGE_BLENDWEIGHT, 1}};
    struct element elements[1 + ELEMENTS] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITIONT, 0}};
    struct shader_scene *s = *state;
    uint8_t vertices[4][STRIDE];
    char text[128], name[24];

    fill_vertices(vertices, 1);
    for (unsigned i = 0; i < 4; i++) {
        const float position[4] = {corner[i][0] > 0 ? SIZE - 0.5f : -0.5f, corner[i][1] < 0 ? SIZE - 0.5f : -0.5f, 0,
                                   1};

        memcpy(vertices[i], position, sizeof(position));
    }
    for (unsigned n = 0; n < ELEMENTS; n++)
        elements[1 + n] =
            (struct element){0, (uint16_t)(OF_POSITION + 16 * n), FLOAT4_TYPE, 0, usages[n][0], usages[n][1]};
    declare(s, elements, ARRAY_COUNT(elements));
    for (unsigned n = 0; n < ELEMENTS; n++) {
        const float first = 1 + (float)n;

        meaning(name, usages[n][0], usages[n][1]);
        sprintf(text, "ps_3_0\ndcl_%s v0\nmov oC0, v0\n", name);
        use_ps(s, text);
        draw_corners(s, vertices, STRIDE);
        pixel_is(s, 7, 9, first, first + 0.25f, first + 0.5f, first + 0.75f);
    }
    /* of several at once, one the vertices lack */
    use_ps(s, "ps_3_0\ndcl_tangent v0\ndcl_binormal7 v1\ndcl_depth v2\nmov r0, v0\nmov r0.y, v1.x\nmov r0.z, v2.x\n"
              "mov r0.w, v1.y\nmov oC0, r0\n");
    draw_corners(s, vertices, STRIDE);
    pixel_is(s, 7, 9, 6, 0, 8, 0);
}

/* Untransformed fixed-function vertices have no such meanings: the values of an earlier draw do not show. */
static void test_fixed_function_has_no_usages(void **state)
{
    static const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITION, 0},
                                              {0, OF_POSITION, FLOAT4_TYPE, 0, D3D_USAGE_TANGENT, 0}};
    struct shader_scene *s = *state;
    uint8_t vertices[4][STRIDE];

    fill_vertices(vertices, 1);
    declare(s, elements, ARRAY_COUNT(elements));
    use_ps(s, "ps_3_0\ndcl_tangent v0\nmov oC0, v0\n");
    use_input(s, D3D_USAGE_TANGENT, 0);
    draw_corners(s, vertices, STRIDE);
    use_vs(s, NULL);
    draw_corners(s, vertices, STRIDE);
    pixel_is(s, 7, 9, 0, 0, 0, 1);
}

/* A draw of `count` points from buffers. */
static void draw_points(struct shader_scene *s, uint32_t count)
{
    const uint32_t draw[3] = {D3DPT_POINTLIST, 0, count}, source[4] = {0, 0, 0, 0};

    put_words(s, D3DDP2OP_SETSTREAMSOURCE2, source, ARRAY_COUNT(source));
    put_words(s, D3DDP2OP_DRAWPRIMITIVE, draw, ARRAY_COUNT(draw));
    check(s);
}

/* A shader that needs no vertices draws without any; if a declaration has elements and no stream is bound, they are
 * zeros. */
static void test_no_vertices(void **state)
{
    static const struct element elements[] = {{0, 0, FLOAT4_TYPE, 0, D3D_USAGE_POSITION, 0},
                                              {0, 16, FLOAT2_TYPE, 0, D3D_USAGE_TEXCOORD, 0}};
    struct shader_scene *s = *state;

    use_ps(s, "ps_3_0\ndcl_texcoord0 v0\nmov oC0, v0\n");
    use_vs(s, "vs_3_0\ndef c0, 0, 0, 0, 1\ndef c1, 8, 7, 5, 3\ndcl_position o0\ndcl_psize o1\ndcl_texcoord0 o2\n"
              "mov o0, c0\nmov o1, c1.x\nmov o2, c1\n");
    declare(s, NULL, 0);
    draw_points(s, 1);
    pixel_is(s, SIZE / 2, SIZE / 2, 8, 7, 5, 3);
    use_vs(s, "vs_3_0\ndef c0, 0, 0, 0, 1\ndef c1, 8, 6, 4, 2\ndcl_position v0\ndcl_texcoord0 v1\ndcl_position o0\n"
              "dcl_psize o1\ndcl_texcoord0 o2\nadd o0, v0, c0\nmov o1, c1.x\nadd o2, v1.xyxy, c1\n");
    declare(s, elements, ARRAY_COUNT(elements));
    draw_points(s, 3);
    pixel_is(s, SIZE / 2, SIZE / 2, 8, 6, 4, 2);
}

#define floats(name) cmocka_unit_test_setup_teardown(name, open_floats, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        floats(test_all_usages),
        floats(test_types_and_absent_elements),
        floats(test_elements_of_one_meaning),
        floats(test_longest_declaration),
        floats(test_usages_of_npatches),
        floats(test_transformed_usages),
        floats(test_fixed_function_has_no_usages),
        floats(test_no_vertices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
