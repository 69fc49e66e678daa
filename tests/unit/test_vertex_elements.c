/* SPDX-License-Identifier: MIT */
/*
 * Every D3DDECLTYPE on the paths that decode vertices themselves: a patch or an N-patch with packed elements gives the
 * same picture as with the same numbers as floats. Values of the types: docs/reference/vertex-processing.md, section 3.
 */
#include "bytecode/bytecode.h"
#include "patch_fixture.h"
#include "tests/random.h"

#define POINTS      16
#define TYPES       (HAL_ELEMENT_COUNT - 1) /* D3DDECLTYPE_FLOAT1 = 0 .. FLOAT16_4 = 16 */
#define BYTES       76
#define DECLARATION 0x11

struct element {
    uint16_t stream, offset;
    uint8_t type, method, usage, index;
};

enum { POSITION = 0, BLENDINDICES = 2, NORMAL = 3, TEXCOORD = 5, BINORMAL = 7, COLOR = 10 }; /* D3DDECLUSAGE */
enum {
    FLOAT1,
    FLOAT2,
    FLOAT3,
    FLOAT4,
    D3DCOLOR_TYPE,
    UBYTE4,
    SHORT2,
    SHORT4,
    UBYTE4N,
    SHORT2N,
    SHORT4N,
    USHORT2N,
    USHORT4N,
    UDEC3,
    DEC3N,
    FLOAT16_2,
    FLOAT16_4
}; /* D3DDECLTYPE */

static const uint8_t components[TYPES] = {1, 2, 3, 4, 4, 4, 2, 4, 4, 2, 4, 2, 4, 3, 3, 2, 4};

/* A number of the type: its bits in memory, and its value. */
static uint32_t choose(unsigned type, float *value)
{
    static const uint16_t half[] = {0x0000, 0x3400, 0x3800, 0x3a00, 0x3c00, 0x2c00};
    static const float half_value[] = {0, 0.25f, 0.5f, 0.75f, 1, 0.0625f};
    const uint32_t r = random_word();
    uint32_t bits = 0;

    switch (type) {
    case D3DCOLOR_TYPE:
    case UBYTE4N:
        bits = r & 255;
        *value = (float)bits / 255.0f;
        break;
    case UBYTE4:
    case SHORT2:
    case SHORT4:
    case UDEC3:
        bits = r & 1;
        *value = (float)bits;
        break;
    case SHORT2N:
    case SHORT4N:
        bits = r & 0x7fff;
        *value = (float)bits / 32767.0f;
        break;
    case USHORT2N:
    case USHORT4N:
        bits = r & 0xffff;
        *value = (float)bits / 65535.0f;
        break;
    case DEC3N:
        bits = r % 512;
        *value = (float)bits / 511.0f;
        break;
    case FLOAT16_2:
    case FLOAT16_4:
        bits = half[r % ARRAY_COUNT(half)];
        *value = half_value[r % ARRAY_COUNT(half)];
        break;
    default:
        *value = (float)(r & 1023) / 1023.0f;
        memcpy(&bits, value, sizeof(bits));
        break;
    }
    return bits;
}

static void put_element(uint8_t *to, unsigned type, float value[4])
{
    static const uint8_t color_byte[4] = {2, 1, 0, 3};
    uint32_t word = 0;

    value[0] = value[1] = value[2] = 0;
    value[3] = 1;
    for (unsigned c = 0; c < components[type]; c++) {
        const uint32_t bits = choose(type, &value[c]);
        const uint16_t low = (uint16_t)bits;

        if (type <= FLOAT4) {
            memcpy(to + 4 * c, &bits, 4);
        } else if (type == D3DCOLOR_TYPE) {
            to[color_byte[c]] = (uint8_t)bits;
        } else if (type == UBYTE4 || type == UBYTE4N) {
            to[c] = (uint8_t)bits;
        } else if (type == UDEC3 || type == DEC3N) {
            word |= bits << 10 * c;
            memcpy(to, &word, 4);
        } else {
            memcpy(to + 2 * c, &low, 2);
        }
    }
}

static void declare(struct fixture *f, const struct element *elements, unsigned count)
{
    uint32_t body[2 + 2 * 16] = {DECLARATION, count};
    const uint32_t handle = DECLARATION;

    memcpy(&body[2], elements, count * sizeof(*elements));
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERDECL, 1, body, 8 + count * sizeof(*elements));
    fixture_put(f, D3DDP2OP_SETVERTEXSHADERDECL, 1, &handle, sizeof(handle));
}

static void position_of(unsigned i, float position[3])
{
    position[0] = ((float)(i % 4) - 1.5f) / 1.6f + (float)(i % 3) / 20;
    position[1] = (1.5f - (float)(i / 4)) / 1.6f;
    position[2] = 0.5f;
}

/* --- patches ------------------------------------------------------------------------ */

static const float fine[4] = {8, 8, 8, 8};
static const uint32_t whole[7] = {0, 0, 4, 4, 4, BEZIER, 3};

static uint64_t draw_patch(struct fixture *f, const struct element *elements, unsigned count, const uint8_t *points)
{
    begin(f);
    fixture_vertices(f, FVF_COLORED, points, POINTS * BYTES, BYTES);
    declare(f, elements, count);
    put_rect(f, 0, fine, whole);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_true(fixture_count(f, 0) < FIXTURE_SIZE * FIXTURE_SIZE - 1000);
    return picture(f);
}

/* The element is the colour of the vertex. */
static void test_colors_of_patches(void **state)
{
    struct fixture *f = *state;

    for (unsigned type = 0; type < TYPES; type++) {
        const struct element packed[] = {{0, 0, FLOAT3, 0, POSITION, 0}, {0, 12, (uint8_t)type, 0, COLOR, 0}};
        const struct element plain[] = {{0, 0, FLOAT3, 0, POSITION, 0}, {0, 12, FLOAT4, 0, COLOR, 0}};
        uint8_t points[2][POINTS][BYTES] = {0};

        random_seed = 40 + type;
        for (unsigned i = 0; i < POINTS; i++) {
            float position[3], value[4];

            position_of(i, position);
            put_element(&points[0][i][12], type, value);
            memcpy(points[0][i], position, 12);
            memcpy(points[1][i], position, 12);
            memcpy(&points[1][i][12], value, 16);
        }
        const uint64_t drawn = draw_patch(f, packed, 2, points[0][0]), wanted = draw_patch(f, plain, 2, points[1][0]);

        assert_true(drawn == wanted);
    }
}

/* All types as coordinates, at the end of the layout and with more words than any flexible format has. */
static void test_coordinates_of_patches(void **state)
{
    struct fixture *f = *state;

    for (unsigned type = 0; type < TYPES; type++) {
        struct element packed[9] = {{0, 0, FLOAT3, 0, POSITION, 0}}, plain[9] = {{0, 0, FLOAT3, 0, POSITION, 0}};
        uint8_t points[POINTS][BYTES];
        uint64_t drawn[2];

        for (unsigned i = 0; i < 8; i++) {
            packed[1 + i] = (struct element){0, (uint16_t)(12 + 8 * i), (uint8_t)type, 0, TEXCOORD, (uint8_t)i};
            if (type == FLOAT3 || type == FLOAT4)
                packed[1 + i].offset = (uint16_t)(12 + 4 * i);
        }
        memset(points, 0, sizeof(points));
        for (unsigned i = 0; i < POINTS; i++) {
            float position[3];

            position_of(i, position);
            memset(points[i], 0x3f, BYTES);
            memcpy(points[i], position, 12);
        }
        drawn[0] = draw_patch(f, packed, 9, points[0]);
        drawn[1] = draw_patch(f, plain, 1, points[0]);
        assert_true(drawn[0] == drawn[1]); /* unread */
    }
}

static float step(float v)
{
    return v > 0.3f ? 1 : v < -0.3f ? -1 : 0;
}

/* Positions in every type that has three components. */
static void test_positions_of_patches(void **state)
{
    static const uint8_t types[] = {SHORT4, SHORT4N, DEC3N, FLOAT16_4};
    struct fixture *f = *state;

    for (unsigned t = 0; t < ARRAY_COUNT(types); t++) {
        const struct element packed[] = {{0, 0, types[t], 0, POSITION, 0}, {0, 16, D3DCOLOR_TYPE, 0, COLOR, 0}};
        const struct element plain[] = {{0, 0, FLOAT3, 0, POSITION, 0}, {0, 16, D3DCOLOR_TYPE, 0, COLOR, 0}};
        uint8_t points[2][POINTS][BYTES] = {0};

        for (unsigned i = 0; i < POINTS; i++) {
            const uint32_t color = 0xff8040 + i * 7;
            float p[3];
            int16_t s[4] = {0, 0, 0, types[t] == SHORT4 ? 1 : types[t] == SHORT4N ? 32767 : 0x3c00};
            uint32_t word;

            position_of(i, p);
            for (unsigned c = 0; c < 3; c++) {
                p[c] = c == 2 ? 0 : step(p[c]);
                s[c] = (int16_t)(p[c] * (types[t] == SHORT4N ? 32767 : 1));
                if (types[t] == FLOAT16_4)
                    s[c] = (int16_t)(p[c] > 0 ? 0x3c00 : p[c] < 0 ? 0xbc00 : 0);
            }
            word = ((uint32_t)(int32_t)(p[0] * 511) & 1023) | ((uint32_t)(int32_t)(p[1] * 511) & 1023) << 10;
            if (types[t] == DEC3N)
                memcpy(points[0][i], &word, 4);
            else
                memcpy(points[0][i], s, 8);
            memcpy(points[1][i], p, 12);
            memcpy(&points[0][i][16], &color, 4);
            memcpy(&points[1][i][16], &color, 4);
        }
        const uint64_t drawn = draw_patch(f, packed, 2, points[0][0]), wanted = draw_patch(f, plain, 2, points[1][0]);

        assert_true(drawn == wanted);
    }
}

/* --- blend indices ------------------------------------------------------------------ */

static void move_right(struct fixture *f, unsigned matrix, float by)
{
    float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, by, 0, 0, 1};

    fixture_transform(f, 256 + matrix, m);
}

static void blend_by_index(struct fixture *f)
{
    fixture_state(f, D3DRS_VERTEXBLEND, D3DVBF_0WEIGHTS);
    fixture_state(f, D3DRS_INDEXEDVERTEXBLENDENABLE, 1);
    move_right(f, 0, -0.25f);
    move_right(f, 3, 0.25f);
}

/* Bytes are kept unchanged with the patch, whichever of their types they have. */
static void test_indices_of_patches(void **state)
{
    static const uint8_t types[] = {UBYTE4, D3DCOLOR_TYPE, UBYTE4N};
    struct fixture *f = *state;
    uint64_t drawn[ARRAY_COUNT(types)], left;

    for (unsigned t = 0; t <= ARRAY_COUNT(types); t++) {
        const uint8_t type = types[t % ARRAY_COUNT(types)];
        const struct element elements[] = {
            {0, 0, FLOAT3, 0, POSITION, 0}, {0, 12, type, 0, BLENDINDICES, 0}, {0, 16, D3DCOLOR_TYPE, 0, COLOR, 0}};
        uint8_t points[POINTS][BYTES] = {0};

        for (unsigned i = 0; i < POINTS; i++) {
            const uint32_t index = t < ARRAY_COUNT(types) ? 3 : 0, color = 0xffffff;
            float position[3];

            position_of(i, position);
            memcpy(points[i], position, 12);
            memcpy(&points[i][12], &index, 4);
            memcpy(&points[i][16], &color, 4);
        }
        blend_by_index(f);
        if (t < ARRAY_COUNT(types)) {
            drawn[t] = draw_patch(f, elements, 3, points[0]);
            assert_true(drawn[t] == drawn[0]);
        } else {
            left = draw_patch(f, elements, 3, points[0]);
            assert_true(left != drawn[0]);
        }
    }
}

/* One index for several consecutive vertices is read at its own place, not at the vertices' places. */
static void test_indices_of_divided_streams(void **state)
{
    struct fixture *f = *state;
    const struct element elements[] = {{0, 0, FLOAT3, 0, POSITION, 0}, {0, 12, UBYTE4, 0, BLENDINDICES, 0}};
    const uint32_t frequency[2] = {0, 300};
    struct {
        float position[3];
        uint32_t index;
    } v[2] = {{{0, 0, 0.5f}, 3}, {{0.5f, 0.5f, 0.5f}, 3}};

    begin(f);
    fixture_vertices(f, FVF_COLORED, v, sizeof(v), sizeof(v[0]));
    declare(f, elements, 2);
    blend_by_index(f);
    fixture_put(f, D3DDP2OP_SETSTREAMSOURCEFREQ, 1, frequency, sizeof(frequency));
    fixture_draw(f, D3DPT_POINTLIST, 0, 600);
    assert_int_equal(fixture_run(f), DD_OK);
    assert_int_equal(fixture_count(f, 0xffffff), 2);
    assert_int_equal(fixture_pixel(f, 40, 32), 0xffffff); /* moved by the matrix of the index */
}

/* --- elements of shaders alone ------------------------------------------------------- */

static void use_shader(struct fixture *f, const char *text)
{
    uint32_t body[258] = {7};
    struct shader_error error;
    const size_t count = shader_assemble(text, body + 2, ARRAY_COUNT(body) - 2, &error);

    assert_true(count > 0);
    body[1] = (uint32_t)(4 * count);
    fixture_put(f, D3DDP2OP_CREATEVERTEXSHADERFUNC, 1, body, 8 + 4 * count);
    fixture_put(f, D3DDP2OP_SETVERTEXSHADERFUNC, 1, body, 4);
}

/* An element that only a shader reads is interpolated too, and kept with the patch: the picture shows it as a
 * colour. */
static void test_elements_of_shaders(void **state)
{
    static const uint8_t types[] = {D3DCOLOR_TYPE, FLOAT4};
    struct fixture *f = *state;
    uint64_t drawn[2][2];

    for (unsigned t = 0; t < ARRAY_COUNT(types); t++) {
        const struct element named[] = {{0, 0, FLOAT3, 0, POSITION, 0}, {0, 12, types[t], 0, BINORMAL, 3}};
        const struct element color[] = {{0, 0, FLOAT3, 0, POSITION, 0}, {0, 12, types[t], 0, COLOR, 0}};
        uint8_t points[POINTS][BYTES] = {0};

        random_seed = 90;
        for (unsigned i = 0; i < POINTS; i++) {
            float position[3], value[4];

            position_of(i, position);
            put_element(&points[i][12], types[t], value);
            memcpy(points[i], position, 12);
        }
        for (unsigned n = 0; n < 2; n++) {
            begin(f);
            fixture_vertices(f, FVF_COLORED, points, sizeof(points), BYTES);
            declare(f, n ? named : color, 2);
            use_shader(f, n ? "vs_2_0\ndcl_position v0\ndcl_binormal3 v1\nmov oPos, v0\nmov oD0, v1\n"
                            : "vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n");
            put_rect(f, 5, fine, whole);
            assert_int_equal(fixture_run(f), DD_OK);
            assert_true(fixture_count(f, 0) < FIXTURE_SIZE * FIXTURE_SIZE - 1000);
            drawn[n][0] = picture(f);
            fixture_clear(f, 0);
            put_rect(f, 5, fine, NULL);
            assert_int_equal(fixture_run(f), DD_OK);
            drawn[n][1] = picture(f);
        }
        assert_true(drawn[0][0] == drawn[1][0] && drawn[0][1] == drawn[1][1] && drawn[0][0] == drawn[1][1]);
    }
}

/* --- N-patches ---------------------------------------------------------------------- */

/* A normal of two components gives no curve, and there is no room for the third. */
static void test_npatches_of_all_normals(void **state)
{
    struct fixture *f = *state;

    for (unsigned type = 0; type < TYPES; type++) {
        const struct element elements[] = {{0, 0, FLOAT3, 0, POSITION, 0}, {0, 12, (uint8_t)type, 0, NORMAL, 0}};
        uint8_t v[63][28];

        for (unsigned i = 0; i < 63; i++) {
            const float x = (float)(i % 3) - 1, y = (float)(i % 2) - 0.5f;

            memset(v[i], 0, sizeof(v[i]));
            memcpy(v[i], (const float[3]){x, y, 0.5f}, 12);
            memset(&v[i][12], 0x3f, 16);
        }
        begin(f);
        fixture_float_state(f, D3DRS_PATCHSEGMENTS, 3);
        fixture_vertices(f, FVF_COLORED, v, sizeof(v), sizeof(v[0]));
        declare(f, elements, 2);
        fixture_draw(f, D3DPT_TRIANGLELIST, 0, 21);
        assert_int_equal(fixture_run(f), DD_OK);
        assert_int_equal(f->context->resources.patches != NULL, components[type] >= 3);
        hal_patches_destroy(f->context->resources.patches);
        f->context->resources.patches = NULL;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(test_colors_of_patches),          fixture_test(test_coordinates_of_patches),
        fixture_test(test_positions_of_patches),       fixture_test(test_indices_of_patches),
        fixture_test(test_indices_of_divided_streams), fixture_test(test_npatches_of_all_normals),
        fixture_test(test_elements_of_shaders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
