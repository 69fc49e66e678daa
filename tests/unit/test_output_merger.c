/* SPDX-License-Identifier: MIT */
/*
 * The stages after the pixel program, through the tokens of DirectX 9: blending, two-sided stencil, depth bounds, alpha
 * to coverage, depth resolve, sRGB, dithering, fog. Expected values are computed here from the documented formulas.
 */
#include "d3d/extension.h"
#include "d3d/states.h"
#include "tests/unit/shader_stage.h"

#define FORMAT_INTZ MAKEFOURCC('I', 'N', 'T', 'Z')

#define PS_C0       "ps_2_0\nmov r0, c0\nmov oC0, r0\n"

static void set_float_state(struct shader_scene *s, uint32_t state, float value)
{
    stage_state_float(&s->stage, state, value);
}

/* One colour over the whole target, at a depth. */
static void fill(struct shader_scene *s, const float color[4], float z)
{
    struct quad_vertex v[4];

    memcpy(v, quad, sizeof(v));
    for (unsigned i = 0; i < 4; i++)
        v[i].position[2] = z;
    set_floats(s, true, 0, color[0], color[1], color[2], color[3]);
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
    check(s);
}

static void use_plain(struct shader_scene *s)
{
    use_vs(s, VS_PASS_2);
    use_ps(s, PS_C0);
}

/* --- blending ----------------------------------------------------------------------------------- */

static const float source[4] = {0.5f, 0.25f, 0.75f, 0.4f}, below[4] = {0.2f, 0.6f, 0.125f, 0.8f};
static const float constant[4] = {51 / 255.0f, 102 / 255.0f, 153 / 255.0f, 204 / 255.0f};
#define CONSTANT 0xcc336699u

static float factor(unsigned blend, unsigned c)
{
    const float s = source[c], sa = source[3], d = below[c], da = below[3], k = constant[c];
    const float saturated = c == 3 ? 1.0f : BASE_MIN(sa, 1 - da);
    const float values[16] = {0, 0, 1, s, 1 - s, sa, 1 - sa, da, 1 - da, d, 1 - d, saturated, sa, 1 - sa, k, 1 - k};

    return values[blend];
}

static float blended(unsigned op, float s, float d, float f, float g)
{
    switch (op) {
    case 1:
        return s * f + d * g;
    case 2:
        return s * f - d * g;
    case 3:
        return d * g - s * f;
    case 4:
        return BASE_MIN(s, d);
    default:
        return BASE_MAX(s, d);
    }
}

static void blend_is(struct shader_scene *s, const unsigned color[3], const unsigned alpha[3])
{
    float wanted[4];

    stage_state(&s->stage, D3DRS_ALPHABLENDENABLE, FALSE);
    fill(s, below, 0.5f);
    stage_state(&s->stage, D3DRS_ALPHABLENDENABLE, TRUE);
    fill(s, source, 0.5f);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned *b = c == 3 ? alpha : color;
        const unsigned other = b[0] == 12 ? 6 : b[0] == 13 ? 5 : b[1]; /* BOTHSRCALPHA names both */

        wanted[c] = blended(b[2], source[c], below[c], factor(b[0], c), factor(other, c));
    }
    pixel_is(s, 5, 5, wanted[0], wanted[1], wanted[2], wanted[3]);
}

/* Every factor on either side with every operation. */
static void test_blend_factors(void **state)
{
    struct shader_scene *s = *state;

    use_plain(s);
    stage_state(&s->stage, D3D_RS_BLENDFACTOR, CONSTANT);
    for (unsigned op = 1; op <= 5; op++)
        for (unsigned src = 1; src <= 15; src++)
            for (unsigned dst = 1 + (src + op) % 2; dst <= 15; dst += 2) {
                const unsigned blend[3] = {src, dst == 12 || dst == 13 ? 1 : dst, op};

                stage_state(&s->stage, D3DRS_SRCBLEND, blend[0]);
                stage_state(&s->stage, D3DRS_DESTBLEND, blend[1]);
                stage_state(&s->stage, D3DRS_BLENDOP, blend[2]);
                blend_is(s, blend, blend);
            }
}

static void test_separate_alpha(void **state)
{
    static const unsigned color[3] = {D3DBLEND_SRCALPHA, D3DBLEND_ONE, 1};
    static const unsigned alphas[][3] = {{2, 1, 1}, {1, 2, 1}, {2, 2, 3}, {14, 8, 1}, {2, 2, 4}, {2, 2, 5}};
    struct shader_scene *s = *state;

    use_plain(s);
    stage_state(&s->stage, D3D_RS_BLENDFACTOR, CONSTANT);
    stage_state(&s->stage, D3DRS_SRCBLEND, color[0]);
    stage_state(&s->stage, D3DRS_DESTBLEND, color[1]);
    stage_state(&s->stage, D3D_RS_SEPARATEALPHABLENDENABLE, TRUE);
    for (unsigned i = 0; i < ARRAY_COUNT(alphas); i++) {
        stage_state(&s->stage, D3D_RS_SRCBLENDALPHA, alphas[i][0]);
        stage_state(&s->stage, D3D_RS_DESTBLENDALPHA, alphas[i][1]);
        stage_state(&s->stage, D3D_RS_BLENDOPALPHA, alphas[i][2]);
        blend_is(s, color, alphas[i]);
    }
    /* off: the colour's blend applies to alpha too */
    stage_state(&s->stage, D3D_RS_SEPARATEALPHABLENDENABLE, FALSE);
    blend_is(s, color, color);
}

/* --- stencil, depth bounds ------------------------------------------------------------------------ */

/* Clockwise triangles use one set of states, counter-clockwise ones the other. */
static void test_two_sided_stencil(void **state)
{
    static const unsigned order[2][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}};
    static const unsigned wanted[2][2] = {{5, 5}, {5, 9}}; /* [two-sided][counter-clockwise] */
    struct shader_scene *s = *state;

    use_plain(s);
    stage_state(&s->stage, D3DRS_STENCILENABLE, TRUE);
    stage_state(&s->stage, D3DRS_STENCILREF, 5);
    stage_state(&s->stage, D3DRS_STENCILPASS, D3DSTENCILOP_REPLACE);
    stage_state(&s->stage, D3D_RS_CCW_STENCILPASS, D3DSTENCILOP_INCR);
    stage_state(&s->stage, D3D_RS_CCW_STENCILFUNC, D3DCMP_NOTEQUAL);
    for (unsigned two = 0; two < 2; two++) {
        stage_state(&s->stage, D3D_RS_TWOSIDEDSTENCILMODE, two);
        for (unsigned face = 0; face < 2; face++) {
            struct quad_vertex v[4];

            stage_clear(&s->stage, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1, 8);
            for (unsigned i = 0; i < 4; i++)
                v[i] = quad[order[face][i]];
            stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
            assert_int_equal(word_at(s, s->stage.depth, 4, 4) & 255, wanted[two][face]);
        }
    }
    /* failing pixels keep the value */
    stage_state(&s->stage, D3D_RS_CCW_STENCILFUNC, D3DCMP_EQUAL);
    stage_state(&s->stage, D3D_RS_CCW_STENCILFAIL, D3DSTENCILOP_ZERO);
    struct quad_vertex v[4];
    for (unsigned i = 0; i < 4; i++)
        v[i] = quad[order[1][i]];
    stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
    assert_int_equal(word_at(s, s->stage.depth, 4, 4) & 255, 0);
}

static void test_depth_bounds(void **state)
{
    static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
    static const struct {
        float min, max;
        bool drawn;
    } rows[] = {{0.4f, 0.6f, true}, {0.5f, 0.5f, true}, {0.6f, 0.9f, false}, {0.0f, 0.4f, false}, {0.0f, 1.0f, true}};
    struct shader_scene *s = *state;

    use_plain(s);
    stage_state(&s->stage, D3DRS_ZENABLE, TRUE);
    for (unsigned i = 0; i < ARRAY_COUNT(rows); i++)
        for (unsigned on = 0; on < 2; on++) {
            bool drawn = rows[i].drawn || !on;

            stage_state(&s->stage, D3D_RS_ADAPTIVETESS_X, 0);
            stage_state(&s->stage, D3DRS_ZFUNC, D3DCMP_ALWAYS);
            fill(s, red, 0.5f); /* the bounds test the stored depth, not the new one */
            stage_state(&s->stage, D3D_RS_ADAPTIVETESS_X, on ? EXTENSION_DEPTH_BOUNDS : 0);
            set_float_state(s, D3D_RS_ADAPTIVETESS_Z, rows[i].min);
            set_float_state(s, D3D_RS_ADAPTIVETESS_W, rows[i].max);
            stage_state(&s->stage, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
            fill(s, green, 0.1f);
            pixel_is(s, 3, 3, drawn ? 0 : 1, drawn ? 1 : 0, 0, 1);
            /* depth stays too; and bounds of a block's pixels after a draw without effect are not trusted */
            stage_state(&s->stage, D3D_RS_ADAPTIVETESS_X, 0);
            fill(s, red, 0.3f);
            pixel_is(s, 3, 3, drawn ? 0 : 1, drawn ? 1 : 0, 0, 1);
        }
}

/* --- multisampled targets --------------------------------------------------------------------------- */

static struct client_chain *use_samples(struct shader_scene *s, unsigned samples, struct client_chain **depth)
{
    const struct client_chain_desc color = {
        .usage = CLIENT_TARGET, .format = D3DFMT_A8R8G8B8, .width = SIZE, .height = SIZE, .samples = samples};
    const struct client_chain_desc buffer = {
        .usage = CLIENT_DEPTH, .format = D3DFMT_D24S8, .width = SIZE, .height = SIZE, .samples = samples};
    struct client_chain *target = add_surface(s, &color);

    *depth = add_surface(s, &buffer);
    stage_submit(&s->stage);
    assert_int_equal(
        client_set_target(s->stage.client, s->stage.context, client_part(target, 0), client_part(*depth, 0)), DD_OK);
    stage_clear(&s->stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 1.0f, 0);
    return target;
}

static void leave_samples(struct shader_scene *s)
{
    stage_submit(&s->stage);
    client_set_target(s->stage.client, s->stage.context, client_part(s->stage.target, 0),
                      client_part(s->stage.depth, 0));
}

static void coverage_is(struct shader_scene *s, struct client_chain *target, float alpha, unsigned red)
{
    const float color[4] = {1, 0, 0, alpha};

    stage_clear(&s->stage, D3DCLEAR_TARGET, 0xff000000, 1, 0);
    fill(s, color, 0.5f);
    assert_int_equal(word_at(s, target, 6, 6) >> 16 & 255, red);
}

static void test_alpha_to_coverage(void **state)
{
    static const unsigned reds[5] = {0, 64, 128, 191, 255}; /* of four samples */
    struct shader_scene *s = *state;
    struct client_chain *depth, *target = use_samples(s, 4, &depth);

    use_plain(s);
    stage_state(&s->stage, D3D_RS_ADAPTIVETESS_Y, EXTENSION_ALPHA_COVERAGE);
    coverage_is(s, target, 0.5f, 255); /* it replaces the alpha test, which is off */
    stage_state(&s->stage, D3DRS_ALPHATESTENABLE, TRUE);
    stage_state(&s->stage, D3DRS_ALPHAFUNC, D3DCMP_GREATER);
    stage_state(&s->stage, D3DRS_ALPHAREF, 200);
    for (unsigned n = 0; n <= 4; n++)
        coverage_is(s, target, (float)n / 4, reds[n]);
    coverage_is(s, target, 0.3f, 64);
    stage_state(&s->stage, D3D_RS_ADAPTIVETESS_Y, 0);
    coverage_is(s, target, 0.75f, 0); /* the alpha test is back */
    stage_state(&s->stage, D3DRS_ALPHATESTENABLE, FALSE);
    stage_state(&s->stage, D3DRS_POINTSIZE, EXTENSION_ALPHA_COVERAGE_ON);
    coverage_is(s, target, 0.25f, 64);
    stage_state(&s->stage, D3DRS_POINTSIZE, EXTENSION_ALPHA_COVERAGE_OFF);
    coverage_is(s, target, 0.25f, 255);
    leave_samples(s);
}

/* Pixels with some alpha, but not all, where a slanted line has been drawn. */
static unsigned smoothed_pixels(struct shader_scene *s, struct client_chain *target)
{
    struct quad_vertex v[2];
    unsigned count = 0;

    memcpy(v, quad, sizeof(v));
    v[1].position[1] = -0.3f;
    set_floats(s, true, 0, 1, 1, 1, 1);
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0, 1, 0);
    stage_draw_vertices(&s->stage, D3DPT_LINELIST, 1, v, 2, sizeof(v[0]));
    check(s);
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        const uint32_t alpha = word_at(s, target, i % SIZE, i / SIZE) >> 24;

        count += alpha > 0 && alpha < 255;
    }
    return count;
}

/* The states for smooth lines have no effect on multisampled targets, whether multisampling is on or off: lines are
 * aliased there, in all samples. Source: Direct3D 9 documentation, D3DRS_ANTIALIASEDLINEENABLE. */
static void test_smooth_lines_of_samples(void **state)
{
    struct shader_scene *s = *state;

    use_plain(s);
    for (unsigned samples = 0; samples <= 4; samples += 4) {
        struct client_chain *depth, *target = samples ? use_samples(s, samples, &depth) : s->stage.target;

        for (unsigned multisample = 0; multisample < 2; multisample++) {
            stage_state(&s->stage, D3DRS_MULTISAMPLEANTIALIAS, multisample);
            stage_state(&s->stage, 176 /* ANTIALIASEDLINEENABLE */, TRUE);
            assert_int_equal(smoothed_pixels(s, target) > 4, samples == 0);
            stage_state(&s->stage, 176, FALSE);
            assert_int_equal(smoothed_pixels(s, target), 0);
        }
    }
    leave_samples(s);
}

static void resolve_into(struct shader_scene *s, uint32_t format)
{
    const struct client_chain_desc desc = {
        .usage = CLIENT_DEPTH | CLIENT_TEXTURE, .format = format, .width = SIZE, .height = SIZE};
    struct client_chain *texture = add_surface(s, &desc);
    uint32_t first, last;

    stage_texture_state(&s->stage, 0, 0, client_handle(client_part(texture, 0)));
    stage_state(&s->stage, D3DRS_POINTSIZE, EXTENSION_RESOLVE_DEPTH);
    if (format == D3DFMT_D16) {
        uint16_t half[2];

        read_surface(s, texture, 2, 2, &half[0], 2);
        read_surface(s, texture, 12, 2, &half[1], 2);
        assert_int_equal(half[0], 0x4000);
        assert_int_equal(half[1], 0xbfff);
        return;
    }
    first = word_at(s, texture, 2, 2);
    last = word_at(s, texture, 12, 2);
    assert_int_equal(first >> 8, 0x400000);
    assert_int_equal(last >> 8, 0xbfffff);
}

/* The left half lies at 1/4, the right one at 3/4. */
static void test_depth_resolve(void **state)
{
    struct shader_scene *s = *state;

    for (unsigned samples = 0; samples <= 4; samples += 4) {
        struct client_chain *depth;

        if (samples)
            use_samples(s, samples, &depth);
        stage_state(&s->stage, D3DRS_ZENABLE, TRUE);
        use_vs(s, VS_PASS_2);
        use_ps(
            s,
            "ps_2_0\ndcl t0\ndef c0, 0.5, 0.25, 0.75, 0\nsub r0, t0.x, c0.x\ncmp r1, r0.x, c0.z, c0.y\nmov oC0, c0.x\n"
            "mov oDepth, r1.x\n");
        draw_quad(s);
        resolve_into(s, FORMAT_INTZ);
        resolve_into(s, D3DFMT_D16);
    }
    leave_samples(s);
    /* nothing that fits: no effect */
    stage_texture_state(&s->stage, 0, 0, 0);
    stage_state(&s->stage, D3DRS_POINTSIZE, EXTENSION_RESOLVE_DEPTH);
    stage_submit(&s->stage);
    check(s);
}

/* --- colours ------------------------------------------------------------------------------------------ */

static unsigned srgb_byte(double linear)
{
    return (unsigned)((linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055) * 255 + 0.5);
}

static void test_srgb_write(void **state)
{
    struct shader_scene *s = *state;

    use_plain(s);
    stage_state(&s->stage, D3D_RS_SRGBWRITEENABLE, TRUE);
    for (unsigned i = 0; i <= 64; i++) {
        const float color[4] = {(float)i / 64, (float)i / 4096, (float)i / 640, (float)i / 64};
        const uint32_t wanted = (uint32_t)((double)i / 64 * 255 + 0.5) << 24 | srgb_byte(i / 64.0) << 16 |
                                srgb_byte(i / 4096.0) << 8 | srgb_byte(i / 640.0);

        fill(s, color, 0.5f);
        assert_int_equal(word_at(s, s->stage.target, 7, 7), wanted);
    }
    /* clears write sRGB too */
    const uint32_t cleared =
        0x80000000 | srgb_byte(0x10 / 255.0) << 16 | srgb_byte(0x7f / 255.0) << 8 | srgb_byte(1 / 255.0);

    stage_clear(&s->stage, D3DCLEAR_TARGET, 0x80107f01, 1, 0);
    assert_int_equal(word_at(s, s->stage.target, 7, 7), cleared);
    /* blending adds after the conversion to sRGB */
    const float half[4] = {0.2140f, 0, 0, 0};
    stage_state(&s->stage, D3DRS_ALPHABLENDENABLE, TRUE);
    stage_state(&s->stage, D3DRS_SRCBLEND, D3DBLEND_ONE);
    stage_state(&s->stage, D3DRS_DESTBLEND, D3DBLEND_ONE);
    fill(s, half, 0.5f);
    assert_int_equal(word_at(s, s->stage.target, 7, 7), cleared + (srgb_byte(0.2140) << 16));
    stage_state(&s->stage, D3DRS_ALPHABLENDENABLE, FALSE);
    stage_state(&s->stage, D3D_RS_SRGBWRITEENABLE, FALSE);
    fill(s, half, 0.5f);
    assert_int_equal(word_at(s, s->stage.target, 7, 7), 0x00370000);
    stage_clear(&s->stage, D3DCLEAR_TARGET, 0x80107f01, 1, 0);
    assert_int_equal(word_at(s, s->stage.target, 7, 7), 0x80107f01);
}

/* 15.5 of 31: every second pixel of the pattern gets one more; formats with 8 bits per channel are not dithered. */
static void test_dithering(void **state)
{
    static const float gray[4] = {0.5f, 0.25f, 1, 1};
    struct shader_scene *s = *state;
    struct client_chain *target = add_target(s, 0, D3DFMT_R5G6B5);
    unsigned ups[2] = {0, 0}, greens[2] = {0, 0};

    use_plain(s);
    for (unsigned dither = 0; dither < 2; dither++) {
        stage_state(&s->stage, D3DRS_DITHERENABLE, dither);
        fill(s, gray, 0.5f);
        for (unsigned i = 0; i < 16; i++) {
            uint16_t texel;

            read_surface(s, target, 4 + i % 4, 8 + i / 4, &texel, 2);
            assert_in_range(texel >> 11, 15, 16);
            assert_int_equal(texel & 31, 31);
            ups[dither] += (texel >> 11) == 16;
            greens[dither] += (texel >> 5 & 63) == 16; /* 15.75 of 63 */
        }
    }
    assert_int_equal(ups[0], 16);
    assert_int_equal(ups[1], 8);
    assert_int_equal(greens[0], 16);
    assert_int_equal(greens[1], 12);
}

/* --- fog ---------------------------------------------------------------------------------------------- */

static void fog_is(struct shader_scene *s, float f)
{
    /* white in blue fog */
    pixel_is(s, 4, 4, f, f, 1, 1);
}

static void set_fog(struct shader_scene *s, uint32_t table, uint32_t vertex, float start, float end, float density)
{
    stage_state(&s->stage, D3DRS_FOGENABLE, TRUE);
    stage_state(&s->stage, D3DRS_FOGCOLOR, 0xff);
    stage_state(&s->stage, D3DRS_FOGTABLEMODE, table);
    stage_state(&s->stage, D3DRS_FOGVERTEXMODE, vertex);
    set_float_state(s, D3DRS_FOGSTART, start);
    set_float_state(s, D3DRS_FOGEND, end);
    set_float_state(s, D3DRS_FOGDENSITY, density);
}

static void test_fog_by_depth(void **state)
{
    static const float white[4] = {1, 1, 1, 1};
    struct shader_scene *s = *state;

    use_plain(s);
    set_fog(s, D3DFOG_LINEAR, 0, 0, 1, 1);
    fill(s, white, 0.25f);
    fog_is(s, 0.75f);
    set_fog(s, D3DFOG_EXP, 0, 0, 1, 2);
    fill(s, white, 0.25f);
    fog_is(s, expf(-0.5f));
    set_fog(s, D3DFOG_EXP2, 0, 0, 1, 2);
    fill(s, white, 0.25f);
    fog_is(s, expf(-0.25f));
    set_fog(s, D3DFOG_LINEAR, 0, 0.75f, 0.25f, 1); /* the other way round */
    fill(s, white, 0.375f);
    fog_is(s, 0.25f);
    /* shader model 3 computes its own fog */
    use_vs(s, VS_PASS);
    use_ps(s, "ps_3_0\nmov oC0, c0\n");
    fill(s, white, 0.25f);
    pixel_is(s, 4, 4, 1, 1, 1, 1);
}

/* With a perspective projection table fog uses w, vertex fog uses eye z. */
static void test_fog_by_w(void **state)
{
    static const float projection[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0};
    struct shader_scene *s = *state;
    struct quad_vertex v[4];

    memcpy(v, quad, sizeof(v));
    for (unsigned i = 0; i < 4; i++) {
        v[i].position[0] *= 4;
        v[i].position[1] *= 4;
        v[i].position[2] = 4;
        v[i].color = 0xffffffff;
    }
    stage_transform(&s->stage, D3DTS_PROJECTION, projection);
    stage_texture_state(&s->stage, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    stage_texture_state(&s->stage, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
    stage_texture_state(&s->stage, 0, D3DTSS_ALPHAARG2, D3DTA_DIFFUSE);
    for (unsigned vertex = 0; vertex < 2; vertex++) {
        set_fog(s, vertex ? 0 : D3DFOG_LINEAR, vertex ? D3DFOG_LINEAR : 0, 2, 10, 0);
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
        fog_is(s, 0.75f);
        set_fog(s, vertex ? 0 : D3DFOG_EXP, vertex ? D3DFOG_EXP : 0, 0, 0, 0.25f);
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
        fog_is(s, expf(-1));
        set_fog(s, vertex ? 0 : D3DFOG_EXP2, vertex ? D3DFOG_EXP2 : 0, 0, 0, 0.125f);
        stage_draw_vertices(&s->stage, D3DPT_TRIANGLESTRIP, 2, v, 4, sizeof(v[0]));
        fog_is(s, expf(-0.25f));
    }
}

/* After a pixel shader, fog uses colours unchanged if the target can store them, also beyond 0..1. */
static void test_fog_of_bright_colors(void **state)
{
    static const float bright[4] = {4, -2, 3, 1};
    struct shader_scene *s = *state;

    use_plain(s);
    set_fog(s, D3DFOG_LINEAR, 0, 0, 1, 1);
    fill(s, bright, 0.25f);
    pixel_is(s, 4, 4, 3, -1.5f, 2.5f, 1);
    fill(s, bright, 1);
    pixel_is(s, 4, 4, 0, 0, 1, 1);
}

/* A target of 0..1 clamps them before fog: too bright colours are fogged like white. */
static void test_fog_of_clamped_colors(void **state)
{
    static const float bright[4] = {4, -2, 0.5f, 1};
    struct shader_scene *s = *state;

    use_plain(s);
    set_fog(s, D3DFOG_LINEAR, 0, 0, 1, 1);
    fill(s, bright, 0.6f);
    assert_int_equal(word_at(s, s->stage.target, 4, 4), 0xff6600cc);
}

#define floats(name) cmocka_unit_test_setup_teardown(name, open_floats, close_stage)
#define bytes(name)  cmocka_unit_test_setup_teardown(name, open_bytes, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        floats(test_blend_factors),        floats(test_separate_alpha),   floats(test_two_sided_stencil),
        floats(test_depth_bounds),         bytes(test_alpha_to_coverage), bytes(test_smooth_lines_of_samples),
        bytes(test_depth_resolve),         bytes(test_srgb_write),        bytes(test_dithering),
        floats(test_fog_by_depth),         floats(test_fog_by_w),         floats(test_fog_of_bright_colors),
        bytes(test_fog_of_clamped_colors),
    };

    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
