/* SPDX-License-Identifier: MIT */
/*
 * The frame debugger on narrow states (docs/narrow-colour.md): scenes with random programs, textures, targets and
 * triangles. Each row of a pixel's history starts with the value that the previous row ended with, and the last value
 * is that of the surface; drawing primitives one by one gives the same result as the draw; a trace gives the values of
 * the history and, if nothing comes between program and target, the stored bytes. At all CPU levels.
 */
#include "inspect_fixture.h"

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/picture/shot.h"
#include "inspect/trace/trace.h"
#include "raster/narrow.h"
#include "shader/code.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#include <math.h>

#define WIDTH     96
#define HEIGHT    80
#define DRAWS     5
#define TRIANGLES 12 /* of a draw */
#define CUTS      8

static unsigned wanted_scenes = 40, wanted_pixels = 8;

#define PICK(...) \
    (((const char *const[]){__VA_ARGS__})[random_below(ARRAY_COUNT(((const char *const[]){__VA_ARGS__})))])

/* --- text ------------------------------------------------------------------------------------------ */

static char text[1 << 17];
static size_t length;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    length += (size_t)vsnprintf(text + length, sizeof(text) - length, format, args);
    va_end(args);
    assert_true(length < sizeof(text));
}

/* Programs that fit into 16 bits, by the coordinates that they use. */
static const struct {
    unsigned textures;
    const char *code;
} programs[] = {
    {1, "ps_1_1\ntex t0\nmul r0, t0, v0\n"},
    {1, "ps_1_1\ndef c0, 0.3, 0.6, 0.1, 0.5\ntex t0\nlrp r0, c0, t0, v0\n+mul_x2 r0.a, t0.a, v0.a\n"},
    {2, "ps_1_1\ntex t0\ntex t1\ndp3_sat r0, t0_bx2, t1_bx2\nmul r0, r0, v0\n"},
    {2, "ps_1_3\ntex t0\ntex t1\ncmp r1, t0_bias, t1, v0\nmad r0.rgb, 1-r1, v1, t0\n+mov r0.a, 1-t1.a\n"},
    {3, "ps_1_2\ntex t0\ntex t1\ntex t2\nmul r0, t0, 1-t1\nlrp_sat r0.rgb, t2.a, r0, v1\n"},
    {4, "ps_1_1\ntex t0\ntex t1\ntex t2\ntex t3\nmul r0, t0, t1\nmul_d2 r1, t2, t3\nadd_sat r0, r0, r1\n"},
    {1, "ps_1_1\ntex t0\nmov r0, v0\ncnd r0, r0.a, t0, v1\n"},
};

static void put_program(unsigned n)
{
    uint32_t tokens[256];
    struct shader_error error;
    const size_t count = shader_assemble(programs[n].code, tokens, ARRAY_COUNT(tokens), &error);

    if (!count)
        fail_msg("program %u, line %zu: %s", n, error.offset, error.text);
    put("CREATEPIXELSHADER {handle=%u code=hex(", 11 + 2 * n);
    for (size_t i = 0; i < count; i++)
        put("%08x ", tokens[i]);
    put(")}\n");
}

static void put_textures(void)
{
    static const char *const sizes[4] = {"32x32", "64x16", "24x20", "8x8"};
    static const unsigned side[4][2] = {{32, 32}, {64, 16}, {24, 20}, {8, 8}};

    for (unsigned t = 0; t < 4; t++) {
        put("create texture t%u %s %s levels=%u\n", t, sizes[t], t == 1 ? "X8R8G8B8" : "A8R8G8B8", t == 2 ? 1 : 3);
        for (unsigned level = 0; level < (t == 2 ? 1 : 3); level++) {
            put("memory t%u+%u { u32(", t, level);
            for (unsigned i = 0; i < (side[t][0] >> level) * (side[t][1] >> level); i++)
                put("0x%08x ", (unsigned)(random_below(1 << 16) << 16 | random_below(1 << 16)));
            put(") }\n");
        }
    }
}

/* --- draws ----------------------------------------------------------------------------------------- */

/* How a scene is drawn: unchanged, inside a scissor rectangle, each triangle by itself. */
static struct {
    bool is_cut, is_apart;
    unsigned left, top, right, bottom;
} way;

/* Facts about a scene's draws. */
static bool is_plain[DRAWS];

static void put_stages(unsigned count)
{
    for (unsigned s = 0; s < count; s++) {
        put("TEXTURESTAGESTATE {stage=%u state=TEXTUREMAP value=t%u} {stage=%u state=COLOROP value=%s} {stage=%u "
            "state=COLORARG1 value=%s} {stage=%u state=COLORARG2 value=%s} {stage=%u state=ALPHAOP value=%s} {stage=%u "
            "state=ALPHAARG1 value=TEXTURE} {stage=%u state=ALPHAARG2 value=%s}\n",
            s, random_below(4), s,
            PICK("MODULATE", "MODULATE", "MODULATE2X", "SELECTARG1", "ADD", "BLENDDIFFUSEALPHA", "BLENDTEXTUREALPHA",
                 "ADDSIGNED", "SUBTRACT"),
            s, s ? PICK("TEXTURE", "TEXTURE", "TFACTOR") : "TEXTURE", s, s ? "CURRENT" : PICK("DIFFUSE", "TFACTOR"), s,
            PICK("MODULATE", "SELECTARG1", "SELECTARG2"), s, s, s ? "CURRENT" : "DIFFUSE");
        put("TEXTURESTAGESTATE {stage=%u state=TEXCOORDINDEX value=%u}\n", s, s);
    }
    put("TEXTURESTAGESTATE {stage=%u state=COLOROP value=DISABLE} {stage=%u state=ALPHAOP value=DISABLE}\n", count,
        count);
}

static void put_samplers(void)
{
    for (unsigned s = 0; s < 4; s++) {
        const char *address = PICK("WRAP", "WRAP", "CLAMP", "MIRROR", "BORDER");

        put("TEXTURESTAGESTATE {stage=%u state=MAGFILTER value=%s} {stage=%u state=MINFILTER value=%s} {stage=%u "
            "state=MIPFILTER value=%s} {stage=%u state=ADDRESSU value=%s} {stage=%u state=ADDRESSV value=%s}\n",
            s, PICK("POINT", "LINEAR", "LINEAR"), s, PICK("POINT", "LINEAR", "LINEAR"), s,
            PICK("NONE", "POINT", "LINEAR"), s, address, s, address);
    }
}

/* Returns whether the program's result is stored unchanged. */
static bool put_output(bool wide_target)
{
    const bool blends = random_below(2), tests = !random_below(3), fogs = !random_below(4), masks = !random_below(5),
               dithers = !random_below(6);

    put("RENDERSTATE {state=ALPHABLENDENABLE value=%s} {state=SRCBLEND value=%s} {state=DESTBLEND value=%s}\n",
        blends ? "TRUE" : "FALSE", PICK("SRCALPHA", "ONE", "DESTCOLOR", "SRCCOLOR", "INVDESTALPHA"),
        PICK("INVSRCALPHA", "ONE", "ZERO", "SRCCOLOR", "DESTALPHA"));
    put("RENDERSTATE {state=ALPHATESTENABLE value=%s} {state=ALPHAFUNC value=%s} {state=ALPHAREF value=%u}\n",
        tests ? "TRUE" : "FALSE", PICK("GREATER", "LESS", "GREATEREQUAL", "NOTEQUAL"), random_below(256));
    put("RENDERSTATE {state=FOGENABLE value=%s} {state=FOGCOLOR value=#ff406080} {state=COLORWRITEENABLE value=%u} "
        "{state=DITHERENABLE value=%s}\n",
        fogs ? "TRUE" : "FALSE", masks ? random_below(16) : 15, dithers ? "TRUE" : "FALSE");
    return wide_target && !blends && !fogs && !masks && !dithers;
}

static void put_corner(float x, float y, float rhw, uint32_t color, float u, float v)
{
    put("%g %g %g %g #%08x #%08x %g %g %g %g %g %g %g %g\n", (double)x, (double)y, (double)random_between(0.1f, 0.9f),
        (double)rhw, color, (unsigned)(random_below(1 << 16) << 16 | random_below(1 << 16)), (double)u, (double)v,
        (double)(v + 0.3f), (double)(u - 0.2f), (double)(2 * u), (double)v, (double)u, (double)(3 * v));
}

static uint32_t any_color(void)
{
    return (uint32_t)(random_below(1 << 16) << 16 | random_below(1 << 16));
}

/* Two triangles, which may become one rectangle: where numbers are even and planes the same. */
static void put_quad(void)
{
    static const uint8_t corners[2][6] = {{0, 1, 2, 2, 1, 3}, {0, 1, 3, 0, 3, 2}};
    const bool is_even = random_below(4), is_flat = random_below(2);
    const float x = random_between(0, WIDTH * 0.7f), y = random_between(0, HEIGHT * 0.7f);
    const float left = is_even ? floorf(x) - 0.5f : x, top = is_even ? floorf(y) - 0.5f : y;
    const float width = is_even ? (float)(8 << random_below(4)) : random_between(3, 70);
    const float height = is_even ? (float)(8 << random_below(4)) : random_between(3, 60);
    const float u = is_even ? 0 : random_between(-2, 2),
                v = is_even ? 0.25f * (float)random_below(8) : random_between(-1, 1);
    const float across = is_even ? 1 : random_between(0.2f, 4), down = is_even ? 0.5f : random_between(0.2f, 4);
    const float rhw = random_below(2) ? 1.0f : random_between(0.2f, 2);
    const unsigned order = random_below(2);
    const uint32_t color[2] = {any_color(), any_color()};

    for (unsigned k = 0; k < 6; k++) {
        const unsigned c = corners[order][k];
        const double at_u = (double)(u + (float)(c & 1) * across), at_v = (double)(v + (float)(c >> 1) * down);

        put("%g %g 0.5 %g #%08x #ff204060 %g %g %g %g %g %g %g %g\n", (double)(left + (float)(c & 1) * width),
            (double)(top + (float)(c >> 1) * height), (double)rhw, color[is_flat ? 0 : c >> 1], at_u, at_v, at_v, at_u,
            at_u, at_v, at_v, at_u);
    }
}

static void put_triangle(void)
{
    const float size = random_below(2) ? random_between(2, 10) : random_between(10, 90);
    const float x = random_between(0, WIDTH), y = random_between(0, HEIGHT);
    const bool perspective = !random_below(3);
    const float repeats = random_below(8) ? 1.5f : 150.0f, rhw = random_below(2) ? 1.0f : random_between(0.3f, 2.0f);
    const bool one_color = random_below(2);
    const uint32_t color = any_color();

    for (unsigned k = 0; k < 3; k++)
        put_corner(x + random_between(-size, size), y + random_between(-size, size),
                   perspective ? random_between(0.2f, 2) : rhw, one_color ? color : any_color(),
                   random_between(-repeats, repeats), random_between(-repeats, repeats));
}

static void put_draw(unsigned number, bool wide_target)
{
    const bool is_shader = random_below(2);
    const unsigned program = random_below(ARRAY_COUNT(programs));
    const unsigned kind = random_below(3);

    put("draw c {\n");
    put_stages(1 + random_below(4));
    if (is_shader) {
        put("SETPIXELSHADER {shader=%u}\n", 11 + 2 * program);
        for (unsigned s = 0; s < programs[program].textures; s++)
            put("TEXTURESTAGESTATE {stage=%u state=TEXTUREMAP value=t%u}\n", s, random_below(4));
    } else {
        put("SETPIXELSHADER {shader=0}\n");
    }
    put_samplers();
    is_plain[number] = put_output(wide_target);
    put("RENDERSTATE {state=ZENABLE value=%s} {state=SPECULARENABLE value=%s} {state=TEXTUREFACTOR value=#%08x}\n",
        PICK("TRUE", "FALSE"), PICK("TRUE", "FALSE"), any_color());
    put("SETVERTEXSHADER {shader=XYZRHW|DIFFUSE|SPECULAR|TEX4} SETSTREAMSOURCEUM {stream=0 stride=56} DRAWPRIMITIVE");
    for (unsigned k = 0; k < TRIANGLES; k += way.is_apart ? 1 : TRIANGLES)
        put(" {type=TRIANGLELIST start=%u primitives=%u}", 3 * k, way.is_apart ? 1 : TRIANGLES);
    put("\nuser_vertices { fvf(XYZRHW|DIFFUSE|SPECULAR|TEX4\n");
    for (unsigned k = 0; k < (kind == 0 ? TRIANGLES / 2 : TRIANGLES); k++)
        if (kind == 0)
            put_quad();
        else
            put_triangle();
    put(") }\n}\n");
}

static void put_scene(unsigned *samples)
{
    const char *format = PICK("X8R8G8B8", "A8R8G8B8", "A8R8G8B8", "R5G6B5");

    char sampled[16];

    *samples = random_below(3) ? 1 : 2 + 2 * random_below(2);
    length = 0;
    snprintf(sampled, sizeof(sampled), *samples > 1 ? "samples=%u" : "", *samples);
    put("create target s %ux%u %s %s\ncreate depth z %ux%u D24S8 %s\n", WIDTH, HEIGHT, format, sampled, WIDTH, HEIGHT,
        sampled);
    put_textures();
    put("context c target=s depth=z level=4\ndraw c {\nVIEWPORTINFO {x=0 y=0 width=%u height=%u}\nZRANGE {min=0 "
        "max=1}\nCLEAR flags=TARGET|ZBUFFER color=#a0305070 depth=1 stencil=0 {rect=(0 0 %u %u)}\nRENDERSTATE "
        "{state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZFUNC value=LESSEQUAL}\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    for (unsigned n = 0; n < ARRAY_COUNT(programs); n++)
        put_program(n);
    if (way.is_cut)
        put("SETSCISSORRECT {rect=(%u %u %u %u)} RENDERSTATE {state=SCISSORTESTENABLE value=TRUE}\n", way.left, way.top,
            way.right, way.bottom);
    put("}\n");
    for (unsigned d = 0; d < DRAWS; d++)
        put_draw(d, format[0] != 'R' && *samples == 1);
    put("present s\n");
}

/* --- a pixel --------------------------------------------------------------------------------------- */

static struct {
    unsigned rows, fragments, narrow, wide, stored, reads, verdicts[INSPECT_WRITTEN + 1], multisampled, pictures;
} seen;

static unsigned scene;

/* The history of a pixel, and its rows' fragments. */
struct history {
    unsigned x, y, row_count;
    struct inspect_pixel at;
    struct {
        uint32_t draw;
        size_t count;
        struct inspect_fragment list[12];
    } row[2 * DRAWS + 2];
};

static void check_goes_on(const struct history *h, const struct inspect_pixel *pixel, const char *what)
{
    for (unsigned s = 0; s < pixel->samples; s++)
        if (memcmp(h->at.raw[s], pixel->raw[s], pixel->bytes))
            fail_msg("scene %u: %u,%u, %s: sample %u is not what was left", scene, h->x, h->y, what, s);
}

static bool follow_row(void *user, const struct inspect_pixel_row *row)
{
    struct history *h = user;
    const size_t kept = BASE_MIN(row->fragment_count, ARRAY_COUNT(h->row[0].list));

    assert_true(h->row_count < ARRAY_COUNT(h->row));
    check_goes_on(h, &row->before, "before a draw");
    if (row->disagrees)
        fail_msg("scene %u: %u,%u: the primitives of draw %u leave something else than the draw", scene, h->x, h->y,
                 row->place.draw);
    for (size_t i = 0; i < kept; i++) {
        check_goes_on(h, &row->fragments[i].before, "before a primitive");
        h->at = row->fragments[i].after;
        seen.verdicts[row->fragments[i].verdict]++;
    }
    h->row[h->row_count].draw = row->place.draw;
    h->row[h->row_count].count = kept;
    if (kept)
        memcpy(h->row[h->row_count].list, row->fragments, kept * sizeof(*row->fragments));
    h->row_count++;
    if (kept)
        check_goes_on(h, &row->after, "after a draw");
    h->at = row->after;
    seen.rows++;
    seen.fragments += (unsigned)kept;
    return true;
}

/* --- a trace --------------------------------------------------------------------------------------- */

struct runs {
    const struct history *history;
    unsigned row, at;
    bool is_plain;
};

static bool is_whole(float v)
{
    const float n = v * (float)NARROW_ONE;

    return fabsf(n - roundf(n)) < 0.01f && fabsf(v) <= 1.0f;
}

static void check_weights(const struct inspect_trace *trace, const struct hal_run_step *step)
{
    const struct hal_run_fetch *fetch = step->fetch;
    float sum[4] = {0}, weights = fetch->border;

    seen.reads++;
    assert_true(fetch->bound && fetch->has_texels);
    for (unsigned c = 0; c < 4; c++)
        sum[c] = fetch->border > 0.0f ? fetch->border * fetch->border_value[c] : 0.0f;
    for (unsigned i = 0; i < fetch->texel_count; i++) {
        weights += fetch->texels[i].weight;
        for (unsigned c = 0; c < 4; c++)
            sum[c] += fetch->texels[i].weight * fetch->texels[i].value[c];
    }
    if (fabsf(weights - 1.0f) > 5e-4f)
        fail_msg("scene %u: weights are %g together", scene, (double)weights);
    for (unsigned c = 0; c < 4; c++)
        if (fabsf(sum[c] - step->machine.result[c][trace->run->lane]) > 5e-4f)
            fail_msg("scene %u: texels make %g of component %u, but %g was read", scene, (double)sum[c], c,
                     (double)step->machine.result[c][trace->run->lane]);
}

/* Sources are the values written last. Returns how many components were compared. */
static unsigned check_steps(const struct inspect_trace *trace)
{
    float held[CODE_TEMP_COUNT][4];
    bool known[CODE_TEMP_COUNT][4] = {{false}};
    unsigned compared = 0;

    for (size_t i = 0; i < trace->run->step_count; i++) {
        const struct shader_trace_step *m = &trace->run->steps[i].machine;
        const struct ir_destination *d = &m->code->destination;

        for (unsigned k = 0; k < 3; k++)
            for (unsigned c = 0; c < 4; c++) {
                const struct ir_source *s = &m->code->source[k];
                const unsigned from = s->swizzle >> 2 * c & 3;

                if (!(m->read[k] >> c & 1) || s->file != IR_TEMP || s->modifiers || !known[s->index][from])
                    continue;
                compared++;
                if (m->source[k][c][trace->run->lane] != held[s->index][from])
                    fail_msg("scene %u: instruction %u reads %g from r%u, which was %g", scene, m->number,
                             (double)m->source[k][c][trace->run->lane], s->index, (double)held[s->index][from]);
            }
        for (unsigned c = 0; c < 4; c++) {
            if (!(d->mask >> c & 1))
                continue;
            assert_true(is_whole(m->result[c][trace->run->lane]));
            if (d->file != IR_TEMP)
                continue;
            known[d->index][c] = true;
            held[d->index][c] = m->result[c][trace->run->lane];
        }
        if (trace->run->steps[i].fetch)
            check_weights(trace, &trace->run->steps[i]);
    }
    return compared;
}

/* Blue, green, red, alpha, as in 32-bit targets. */
static void check_stored(const struct inspect_trace *trace, const struct inspect_fragment *f)
{
    for (unsigned n = 0; n < 3; n++) {
        const unsigned c = 2 - n;
        const uint8_t byte =
            narrow_byte((int16_t)lrintf(trace->run->output[0].value[c][trace->run->lane] * NARROW_ONE));

        if (f->after.raw[0][n] != byte)
            fail_msg("scene %u: %u,%u primitive %u gives %u as component %u, and %u is stored", scene,
                     trace->run->x[trace->run->lane], trace->run->y[trace->run->lane], f->primitive, byte, c,
                     f->after.raw[0][n]);
    }
    seen.stored++;
}

static bool compare_run(void *user, const struct inspect_trace *trace)
{
    struct runs *r = user;
    const struct inspect_fragment *f = &r->history->row[r->row].list[r->at];

    if (r->at++ >= r->history->row[r->row].count)
        return false;
    assert_int_equal(trace->primitive, f->primitive);
    assert_int_equal(trace->fragment.verdict, f->verdict);
    if (memcmp(trace->fragment.after.raw[0], f->after.raw[0], f->after.bytes))
        fail_msg("scene %u: %u,%u: primitive %u of draw %u leaves something else in a trace", scene, r->history->x,
                 r->history->y, f->primitive, r->history->row[r->row].draw);
    assert_int_equal(trace->fragment.alpha, f->alpha);
    for (unsigned c = 0; c < 4; c++)
        if (trace->run->output[0].mask >> c & 1 && (trace->run->output[0].value[c][trace->run->lane] != f->output[c] ||
                                                    trace->fragment.output[c] != f->output[c]))
            fail_msg("scene %u: %u,%u: primitive %u gives %g as component %u in a trace and %g without", scene,
                     r->history->x, r->history->y, f->primitive,
                     (double)trace->run->output[0].value[c][trace->run->lane], c, (double)f->output[c]);
    seen.narrow += trace->run->narrow;
    seen.wide += !trace->run->narrow;
    if (!trace->run->narrow)
        return true;
    check_steps(trace);
    if (r->is_plain && f->verdict == INSPECT_WRITTEN)
        check_stored(trace, f);
    return true;
}

/* --- pictures -------------------------------------------------------------------------------------- */

#define GREEN 0xff30d050u
#define RED   0xffe03030u

/* The pixel's value in a picture of the draw. */
static uint32_t shot_at(struct inspect *session, uint32_t draw, enum inspect_show show, const struct history *h)
{
    struct capture_error error = {0};
    struct inspect_shot shot;
    uint32_t color;

    if (!inspect_shoot(session, draw, show, NULL, &shot, &error))
        fail_msg("scene %u: draw %u: %s", scene, draw, error.text);
    color = shot.picture.pixels[(size_t)h->y * shot.picture.width + h->x];
    free(shot.picture.pixels);
    return color;
}

static bool is_level(uint32_t color)
{
    static const uint32_t levels[] = {0xff3050e0u, GREEN, 0xffe8d030u};

    for (unsigned k = 0; k < ARRAY_COUNT(levels); k++)
        if (color == levels[k])
            return true;
    return false;
}

/* Compares pictures of the draw's tests and levels of textures, which are drawn with other programs around the draw's
 * own, with the history. */
static void check_pictures(struct inspect *session, const struct history *h, unsigned row)
{
    const uint32_t draw = h->row[row].draw;
    bool passed = false, written = false; /* else no program runs */

    for (size_t i = 0; i < h->row[row].count; i++) {
        passed |= h->row[row].list[i].verdict >= INSPECT_WRITE_MASKED;
        written |= h->row[row].list[i].verdict > INSPECT_WRITE_MASKED;
    }
    const uint32_t tests = shot_at(session, draw, INSPECT_SHOW_TESTS, h);

    if (tests != (passed ? GREEN : RED))
        fail_msg("scene %u: %u,%u: the picture of draw %u has %08x, and a fragment has %s", scene, h->x, h->y, draw,
                 (unsigned)tests, passed ? "passed" : "failed");
    if (written && !is_level(shot_at(session, draw, INSPECT_SHOW_MIP, h)))
        fail_msg("scene %u: %u,%u: draw %u has read no level", scene, h->x, h->y, draw);
    seen.pictures++;
}

/* --- scenes ---------------------------------------------------------------------------------------- */

/* Does the pixel have the colour of the frame drawn as a whole? A mean of samples is rounded there, and so are formats
 * with fewer bits. */
static void check_shown(const struct history *h, const struct inspect_pixel *pixel,
                        const struct player_picture *picture)
{
    const uint32_t shown = picture->pixels[(size_t)h->y * picture->width + h->x];
    const float most = pixel->samples > 1 ? pixel->bytes == 4 ? 1.0f : 5.0f : pixel->bytes == 4 ? 0.01f : 1.0f;

    for (unsigned c = 0; c < 3; c++) {
        float sum = 0;

        for (unsigned s = 0; s < pixel->samples; s++)
            sum += pixel->color[s][c] * 255.0f / (float)pixel->samples;
        if (fabsf(sum - (float)(shown >> (16 - 8 * c) & 255)) > most)
            fail_msg("scene %u: %u,%u ends with %g as component %u, and is %08x", scene, h->x, h->y, (double)sum, c,
                     (unsigned)shown);
    }
}

/* The n-th draw of the frame; clears and other actions do not count. */
static unsigned draw_number(struct inspect *session, uint32_t action)
{
    unsigned number = 0;

    for (uint32_t i = 0; i < action; i++)
        number += inspect_action(session, i)->kind == INSPECT_DRAW;
    return number;
}

static void check_pixel(struct inspect *session, unsigned x, unsigned y, const struct player_picture *picture)
{
    static const struct inspect_trace_options options = {.primitive = INSPECT_ALL};
    static struct history h;
    struct capture_error error = {0};
    struct inspect_pixel last;

    h = (struct history){.x = x, .y = y};
    if (!inspect_pixel(session, 0, x, y, UINT32_MAX, follow_row, &h, &h.at, &last, &error))
        fail_msg("scene %u: %u,%u: %s", scene, x, y, error.text);
    check_goes_on(&h, &last, "in the end");
    check_shown(&h, &last, picture);
    for (unsigned row = 0; row < h.row_count; row++) {
        const uint32_t draw = h.row[row].draw;
        struct runs r = {.history = &h, .row = row};

        if (!h.row[row].count)
            continue;
        r.is_plain = is_plain[draw_number(session, draw)];
        if (!inspect_trace_pixel(session, draw, x, y, &options, compare_run, &r, &error))
            fail_msg("scene %u: %u,%u: draw %u: %s", scene, x, y, draw, error.text);
        if (last.samples == 1)
            check_pictures(session, &h, row);
    }
}

/* The frame, as the driver draws it without questions. */
static void draw_frame(const struct fixture_capture *capture, struct player_picture *picture)
{
    const struct inspect_options options = {0};
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open_memory(capture->bytes, capture->size, &error);
    struct inspect *session = inspect_open(reader, &options, &error);
    const struct inspect_events *events;

    assert_non_null(session);
    if (!inspect_load(session, 0, &error) || !inspect_finish(session, &error))
        fail_msg("scene %u: %s", scene, error.text);
    events = &session->index.events;
    assert_true(events->list[events->count - 1].type == CAPTURE_FRAME);
    assert_true(
        player_grab(inspect_player(session), (const void *)events->list[events->count - 1].data, picture, &error));
    inspect_close(session);
    capture_close(reader);
}

static void check_scene(void)
{
    const struct inspect_options options = {0};
    struct capture_error error = {0};
    struct fixture_capture capture;
    struct capture_reader *reader;
    struct inspect *session;
    struct player_picture picture = {0};
    unsigned samples;

    put_scene(&samples);
    fixture_assemble(&capture, text, length, ".");
    draw_frame(&capture, &picture);
    reader = capture_open_memory(capture.bytes, capture.size, &error);
    assert_non_null(reader);
    session = inspect_open(reader, &options, &error);
    assert_non_null(session);
    if (!inspect_load(session, 0, &error))
        fail_msg("scene %u: %s", scene, error.text);
    for (unsigned i = 0; i < wanted_pixels; i++)
        check_pixel(session, random_below(WIDTH), random_below(HEIGHT), &picture);
    seen.multisampled += samples > 1;
    free(picture.pixels);
    inspect_close(session);
    capture_close(reader);
    fixture_free(&capture);
}

/* --- frames ---------------------------------------------------------------------------------------- */

static void draw_scene(uint64_t from, struct player_picture *picture)
{
    struct fixture_capture capture;
    unsigned samples;

    random_seed = from;
    put_scene(&samples);
    fixture_assemble(&capture, text, length, ".");
    *picture = (struct player_picture){0};
    draw_frame(&capture, picture);
    fixture_free(&capture);
}

static void compare(const struct player_picture *whole, const struct player_picture *other, unsigned left, unsigned top,
                    unsigned right, unsigned bottom, const char *what)
{
    for (unsigned y = top; y < bottom; y++)
        for (unsigned x = left; x < right; x++)
            if (whole->pixels[y * whole->width + x] != other->pixels[y * whole->width + x])
                fail_msg("scene %u: %u,%u is %08x, and %08x %s (%u..%u, %u..%u)", scene, x, y,
                         (unsigned)whole->pixels[y * whole->width + x], (unsigned)other->pixels[y * whole->width + x],
                         what, left, right, top, bottom);
}

/* A pixel has the same bits inside any scissor rectangle, and whether triangles are drawn separately or may become
 * rectangles. */
static void check_frames(void)
{
    struct player_picture whole, other;
    const uint32_t from = random_seed;

    draw_scene(from, &whole);
    const uint32_t behind = random_seed;

    way.is_apart = true;
    draw_scene(from, &other);
    compare(&whole, &other, 0, 0, WIDTH, HEIGHT, "of triangles by themselves");
    free(other.pixels);
    way.is_apart = false;
    random_seed = behind;
    for (unsigned cut = 0; cut < CUTS; cut++) {
        way.left = random_below(WIDTH - 1);
        way.top = random_below(HEIGHT - 1);
        way.right = way.left + 1 + random_below(WIDTH - way.left);
        way.bottom = way.top + 1 + random_below(HEIGHT - way.top);
        const uint32_t next = random_seed;

        way.is_cut = true;
        draw_scene(from, &other);
        compare(&whole, &other, way.left, way.top, way.right, way.bottom, "in a scissor rectangle");
        free(other.pixels);
        way.is_cut = false;
        random_seed = next;
    }
    free(whole.pixels);
}

static void test_frames(void **state)
{
    (void)state;
    for (scene = 0; scene < 2 * wanted_scenes; scene++)
        check_frames();
}

static void test_scenes(void **state)
{
    (void)state;
    memset(&way, 0, sizeof(way));
    for (scene = 0; scene < wanted_scenes; scene++)
        check_scene();
    print_message("%u rows, %u fragments; %u runs narrow, %u not; %u reads; %u stored as they are; %u blended, %u "
                  "written, %u failed alpha, %u depth, %u masked; %u scenes with samples\n",
                  seen.rows, seen.fragments, seen.narrow, seen.wide, seen.reads, seen.stored,
                  seen.verdicts[INSPECT_BLENDED], seen.verdicts[INSPECT_WRITTEN], seen.verdicts[INSPECT_ALPHA_FAILED],
                  seen.verdicts[INSPECT_DEPTH_FAILED], seen.verdicts[INSPECT_WRITE_MASKED], seen.multisampled);
    assert_true(seen.narrow > wanted_scenes * 4 && seen.narrow > 3 * seen.wide && seen.stored && seen.multisampled);
    assert_true(seen.verdicts[INSPECT_BLENDED] && seen.verdicts[INSPECT_WRITTEN] &&
                seen.verdicts[INSPECT_ALPHA_FAILED] && seen.verdicts[INSPECT_DEPTH_FAILED]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_scenes)};

    setenv("HALCYON_LOG_LEVEL", "none", 0);
    random_seed = first_round(wanted_scenes);
    wanted_scenes = end_round(wanted_scenes) - first_round(wanted_scenes);
    if (argc > 1)
        wanted_scenes = (unsigned)atoi(argv[1]);
    if (argc > 2)
        wanted_pixels = (unsigned)atoi(argv[2]);
    if (argc > 3)
        random_seed = (uint32_t)atoll(argv[3]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
