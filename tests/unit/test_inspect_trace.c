/* SPDX-License-Identifier: MIT */
/*
 * Traces compared with the driver's work without a trace: outputs of pixel programs as in the history of the pixel,
 * vertices as in the draw's primitives, in more than a thousand places. And traces compared with themselves: a register
 * that is read holds the value written last, and the texels of a read give its result.
 */
#include "inspect_fixture.h"

#include "base/base.h"
#include "bytecode/bytecode.h"
#include "hal/context.h"
#include "hal/pixel/pipeline.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/trace/trace.h"
#include "raster/frontend.h"
#include "shader/code.h"
#include "tests/random.h"

#include <math.h>

/* The number of comparisons. */
static struct {
    unsigned pixels[2], vertices[2]; /* of the fixed function, of shaders */
    unsigned killed, reads, texels, loops, calls, masked, discarded_lanes, depths;
} seen;

static const char *where; /* for messages */

static bool same_bits(float a, float b)
{
    return !memcmp(&a, &b, sizeof(a));
}

/* --- one run by itself --------------------------------------------------------------------------- */

/* The contents of registers, as far as the steps report them. */
struct known {
    bool temp[CODE_TEMP_COUNT][4], output[SHADER_MAX_OUTPUTS][4];
    float temp_value[CODE_TEMP_COUNT][4][4], output_value[SHADER_MAX_OUTPUTS][4][4];
};

static void check_sources(const struct inspect_trace *trace, const struct shader_trace_step *m,
                          const struct known *known)
{
    for (unsigned k = 0; k < 3; k++) {
        const struct ir_source *s = &m->code->source[k];

        for (unsigned c = 0; c < 4; c++) {
            const unsigned from = s->swizzle >> 2 * c & 3;

            if (!(m->read[k] >> c & 1) || s->file != IR_TEMP || s->modifiers || !known->temp[s->index][from])
                continue;
            for (unsigned l = 0; l < trace->run->lanes; l++)
                if (m->active >> l & 1 && !same_bits(m->source[k][c][l], known->temp_value[s->index][from][l]))
                    fail_msg("%s: instruction %u reads from r%u.%c %g, which was %g", where, m->number, s->index,
                             "xyzw"[from], (double)m -> source[k][c][l],
                             (double)known -> temp_value[s->index][from][l]);
        }
    }
}

static void note_results(const struct inspect_trace *trace, const struct shader_trace_step *m, struct known *known)
{
    const unsigned file = m->code->destination.file;

    if (m->code->op >= IR_KILL || m->code->op == IR_SETP || m->code->op == IR_ARL || m->code->op == IR_ARR)
        return;
    for (unsigned c = 0; c < 4; c++) {
        if (!(m->written >> c & 1))
            continue;
        for (unsigned l = 0; l < trace->run->lanes; l++) {
            if (file == IR_TEMP) {
                known->temp[m->target[l]][c] = true;
                known->temp_value[m->target[l]][c][l] = m->result[c][l];
            } else if (file == IR_OUTPUT && m->code->destination.relative == IR_ABSOLUTE) {
                known->output[m->target[l]][c] = true;
                known->output_value[m->target[l]][c][l] = m->result[c][l];
            }
        }
    }
}

/* (NaN is reported as the canonical NaN, like all executors' results.) */
static bool leaves_as(float held, float left)
{
    return same_bits(held, left) || (isnan(held) && isnan(left));
}

static void check_outputs(const struct inspect_trace *trace, const struct known *known)
{
    for (unsigned i = 0; i < trace->run->output_count; i++) {
        const struct hal_run_register *r = &trace->run->output[i];
        const unsigned reg = (unsigned)atoi(r->name + 1);

        if (r->name[0] != 'o')
            continue;
        for (unsigned c = 0; c < 4; c++)
            if (r->mask >> c & 1 && known->output[reg][c] &&
                !leaves_as(known->output_value[reg][c][trace->run->lane], r->value[c][trace->run->lane]))
                fail_msg("%s: %s.%c ends as %g, but was written as %g", where, r->name, "xyzw"[c],
                         (double)r -> value[c][trace->run->lane],
                         (double)known -> output_value[reg][c][trace->run->lane]);
    }
}

/* The weighted sum of the texels equals the value read, up to the filter's rounding. */
static void check_fetch(const struct inspect_trace *trace, const struct shader_trace_step *m,
                        const struct hal_run_fetch *fetch)
{
    float sum[4] = {0}, weights = fetch->border, most = 1.0f, tolerance = 4e-3f;

    seen.reads++;
    if (!fetch->bound || !fetch->has_texels || fetch->texel_count > HAL_RUN_TEXELS)
        return;
    for (unsigned c = 0; c < 4; c++)
        sum[c] = fetch->border > 0.0f ? fetch->border * fetch->border_value[c] : 0.0f;
    for (unsigned i = 0; i < fetch->texel_count; i++) {
        const struct hal_run_texel *t = &fetch->texels[i];

        assert_true(t->weight > 0.0f && t->level < fetch->levels);
        assert_true(t->x < BASE_MAX(fetch->width >> t->level, 1u) && t->y < BASE_MAX(fetch->height >> t->level, 1u));
        seen.texels++;
        weights += t->weight;
        for (unsigned c = 0; c < 4; c++) {
            sum[c] += t->weight * t->value[c];
            most = BASE_MAX(most, fabsf(t->value[c]));
            if (t->value[c] == -1.0f) /* for signed bytes it may be -128/127, which is clamped after the filter */
                tolerance = 1e-2f;
        }
    }
    if (fetch->state.fetch4)
        return;
    if (!(fabsf(weights - 1.0f) < 1e-3f))
        fail_msg("%s: weights of instruction %u sum up to %g", where, m->number, (double)weights);
    for (unsigned c = 0; c < 4; c++)
        if (m->lanes[c] >> trace->run->lane & 1 && !m->code->destination.shift && !m->code->destination.saturate &&
            !(fabsf(sum[c] - m->result[c][trace->run->lane]) <= tolerance * most))
            fail_msg("%s: the texels of instruction %u make %g of component %u, but it read %g", where, m->number,
                     (double)sum[c], c, (double)m->result[c][trace->run->lane]);
}

static void check_text(const struct inspect_trace *trace, const struct shader_trace_step *m)
{
    char text[512];

    inspect_trace_ir(m->code, text, sizeof(text));
    assert_true(text[0] && !strchr(text, '\n'));
    inspect_trace_assembly(trace, m->code->origin, text, sizeof(text));
    if (trace->run->is_bytecode && m->code->origin && !text[0])
        fail_msg("%s: instruction %u comes from DWORD %u, where there is none", where, m->number, m->code->origin);
    assert_true(trace->run->is_bytecode || !text[0]);
}

static void check_run(const struct inspect_trace *trace)
{
    static struct known known;
    uint8_t active = 0;

    memset(&known, 0, sizeof(known));
    assert_true(trace->run->step_count > 0 && trace->run->lane < trace->run->lanes);
    for (size_t i = 0; i < trace->run->step_count; i++) {
        const struct hal_run_step *step = &trace->run->steps[i];
        const struct shader_trace_step *m = &step->machine;

        active |= m->active;
        assert_true(m->active && m->number < trace->run->program->code->count);
        assert_ptr_equal(m->code, &trace->run->program->code->code[m->number]);
        check_text(trace, m);
        check_sources(trace, m, &known);
        note_results(trace, m, &known);
        seen.loops += m->code->op == IR_LOOP || m->code->op == IR_REP;
        seen.calls += m->code->op == IR_CALL;
        seen.masked += m->code->predicate != IR_ALWAYS;
        seen.discarded_lanes += m->active != (1u << trace->run->lanes) - 1;
        seen.depths += m->code->destination.file == IR_DEPTH;
        assert_int_equal(step->fetch != NULL, m->code->op == IR_TEX);
        if (step->fetch && m->active >> trace->run->lane & 1)
            check_fetch(trace, m, step->fetch);
    }
    assert_true(active >> trace->run->lane & 1);
    check_outputs(trace, &known);
}

/* --- pixels -------------------------------------------------------------------------------------- */

struct expected {
    bool optimized;
    size_t count, at;
    struct inspect_fragment list[INSPECT_MOST_FRAGMENTS];
};

static bool keep_row(void *user, const struct inspect_pixel_row *row)
{
    struct expected *e = user;

    e->count = BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS);
    if (e->count)
        memcpy(e->list, row->fragments, e->count * sizeof(*e->list));
    assert_false(row->disagrees);
    return true;
}

/* Bytecode is traced as written, unless the optimizer is requested. */
static void check_program(const struct inspect_trace *trace, bool optimized)
{
    struct shader_program *(*compile)(const uint32_t *, size_t, struct shader_error *) =
        optimized ? shader_compile : shader_compile_plain;
    struct shader_program *program = NULL;

    if (!trace->run->is_bytecode)
        return;
    program = compile(trace->run->tokens, trace->run->token_count, NULL);
    assert_non_null(program);
    assert_int_equal(trace->run->program->code->count, program->code->count);
    shader_destroy(program);
}

static bool compare_fragment(void *user, const struct inspect_trace *trace)
{
    struct expected *e = user;
    const struct inspect_fragment *f = &e->list[e->at];

    assert_true(e->at++ < e->count);
    assert_int_equal(trace->run->stage, SHADER_PIXEL);
    assert_int_equal(trace->primitive, f->primitive);
    assert_int_equal(trace->fragment.verdict, f->verdict);
    assert_true(trace->run->output_count > 0);
    for (unsigned c = 0; c < 4; c++) {
        const float left = trace->run->output[0].value[c][trace->run->lane];

        if (trace->run->output[0].mask >> c & 1 &&
            (!same_bits(left, f->output[c]) || !same_bits(trace->fragment.output[c], f->output[c])))
            fail_msg("%s: primitive %u gives %g as component %u in a trace and %g without", where, f->primitive,
                     (double)left, c, (double)f->output[c]);
    }
    assert_int_equal(f->output_mask, trace->run->output[0].mask);
    assert_true((f->output_mask & 7) == 7);
    assert_memory_equal(&trace->fragment.after, &f->after, sizeof(f->after));
    if (f->verdict == INSPECT_KILLED) {
        assert_true(trace->run->killed >> trace->run->lane & 1);
        seen.killed++;
    } else if (f->verdict > INSPECT_KILLED) {
        assert_false(trace->run->killed >> trace->run->lane & 1);
    }
    check_program(trace, e->optimized);
    check_run(trace);
    seen.pixels[trace->run->is_bytecode]++;
    return true;
}

static void check_pixel(struct inspect *session, uint32_t action, uint32_t target, unsigned x, unsigned y,
                        bool optimized)
{
    static struct expected e;
    const struct inspect_trace_options options = {.primitive = INSPECT_ALL, .optimized = optimized};
    struct capture_error error = {0};
    bool done;

    e = (struct expected){.optimized = optimized};
    assert_true(inspect_pixel(session, target, x, y, action, keep_row, &e, NULL, NULL, &error));
    done = inspect_trace_pixel(session, action, x, y, &options, compare_fragment, &e, &error);
    if (done != (e.count > 0) || (done && e.at != e.count) || (!done && !error.text[0]))
        fail_msg("%s: %zu fragments, %zu traced: %s", where, e.count, e.at, error.text);
}

/* --- vertices ------------------------------------------------------------------------------------ */

struct wanted {
    bool optimized;
    uint32_t vertex; /* INSPECT_ALL: how many there are is counted */
    uint64_t count;
    struct inspect_corner corner;
    unsigned inputs;
};

static bool keep_corner(void *user, const struct inspect_primitive *primitive)
{
    struct wanted *w = user;

    w->count = BASE_MAX(w->count, ((uint64_t)primitive->number + 1) * primitive->corners);
    if (w->vertex == INSPECT_ALL || w->vertex / primitive->corners != primitive->number)
        return true;
    w->corner = primitive->corner[w->vertex % primitive->corners];
    w->inputs = primitive->inputs;
    return true;
}

/* Input components that pixel programs do not read keep their previous contents. */
static uint8_t read_mask(const struct hal_pipeline_inputs *inputs, unsigned i)
{
    return i < inputs->count ? inputs->mask[i] : 0;
}

static struct hal_pipeline_inputs pixel_inputs;

static bool compare_vertex(void *user, const struct inspect_trace *trace)
{
    const struct wanted *w = user;

    assert_int_equal(trace->run->stage, SHADER_VERTEX);
    assert_int_equal(trace->vertex, w->vertex);
    assert_int_equal(trace->corner_inputs, w->inputs);
    assert_memory_equal(trace->corner.clip, w->corner.clip, sizeof(w->corner.clip));
    assert_int_equal(trace->corner.has_window, w->corner.has_window);
    assert_memory_equal(trace->corner.window, w->corner.window, sizeof(w->corner.window));
    assert_int_equal(trace->corner.outside, w->corner.outside);
    for (unsigned i = 0; i < w->inputs; i++)
        for (unsigned c = 0; c < 4; c++)
            if (read_mask(&pixel_inputs, i) >> c & 1 && !same_bits(trace->corner.input[i][c], w->corner.input[i][c]))
                fail_msg("%s: input %u.%c is %g in a trace and %g without", where, i, "xyzw"[c],
                         (double)trace -> corner.input[i][c], (double)w->corner.input[i][c]);
    /* The results of the program are the values that the draw continues with. */
    for (unsigned o = 0; o < trace->run->output_count; o++)
        if (!strcmp(trace->run->output[o].meaning, "position") || !strcmp(trace->run->output[o].meaning, "POSITION 0"))
            for (unsigned c = 0; c < 4; c++)
                assert_true(same_bits(trace->run->output[o].value[c][0], w->corner.clip[c]));
    check_program(trace, w->optimized);
    check_run(trace);
    seen.vertices[trace->run->is_bytecode]++;
    return true;
}

static void check_vertex(struct inspect *session, uint32_t action, uint32_t vertex, bool optimized)
{
    const struct inspect_trace_options options = {.primitive = INSPECT_ALL, .optimized = optimized};
    struct wanted w = {.vertex = vertex, .optimized = optimized};
    struct capture_error error = {0};
    struct hal_context *context;

    assert_true(inspect_mesh(session, action, keep_corner, &w, NULL, &error));
    context = inspect_context(session, inspect_action(session, action)->context);
    assert_non_null(context);
    pixel_inputs = *hal_pipeline_inputs(&context->renderer);
    if (inspect_trace_vertex(session, action, vertex, &options, compare_vertex, &w, &error))
        return;
    /* The only acceptable reasons. */
    if (!strstr(error.text, "come transformed") && !(w.corner.missing && strstr(error.text, "not in the streams")))
        fail_msg("%s: vertex %u: %s", where, vertex, error.text);
}

static uint64_t count_vertices(struct inspect *session, uint32_t action)
{
    struct wanted w = {.vertex = INSPECT_ALL};
    struct capture_error error = {0};

    assert_true(inspect_mesh(session, action, keep_corner, &w, NULL, &error));
    return w.count;
}

/* --- captures ------------------------------------------------------------------------------------ */

struct place_count {
    unsigned pixels, vertices; /* of each draw, at most */
};

static struct place_count places_each;

static void check_draw(struct inspect *session, uint32_t action)
{
    const uint64_t vertices = count_vertices(session, action);
    uint32_t target, depth;
    struct hal_context *context;
    unsigned width, height;

    inspect_targets(session, &target, &depth);
    context = inspect_context(session, inspect_action(session, action)->context);
    if (!context || !target || !context->scene.target)
        return;
    width = context->scene.raster->targets.color[0].width;
    height = context->scene.raster->targets.color[0].height;
    for (unsigned i = 0; i < places_each.pixels; i++)
        check_pixel(session, action, target, random_below(width), random_below(height), i % 4 == 3);
    for (unsigned i = 0; vertices && i < places_each.vertices; i++)
        check_vertex(session, action, random_below(vertices), i % 4 == 3);
}

static void check_frame(struct inspect *session, unsigned most_draws)
{
    const size_t count = inspect_action_count(session);
    const size_t step = BASE_MAX(count / most_draws, (size_t)1);
    static char text[300];

    for (size_t i = count > most_draws ? random_below(step) : 0; i < count; i += step) {
        if (inspect_action(session, i)->kind != INSPECT_DRAW)
            continue;
        snprintf(text, sizeof(text), "%u.%zu", (unsigned)inspect_frame(session), i);
        where = text;
        check_draw(session, (uint32_t)i);
    }
}

static struct inspect *open_capture(const struct fixture_capture *capture, struct capture_reader **reader)
{
    struct capture_error error = {0};
    const struct inspect_options options = {0};
    struct inspect *session;

    *reader = capture_open_memory(capture->bytes, capture->size, &error);
    assert_non_null(*reader);
    session = inspect_open(*reader, &options, &error);
    assert_non_null(session);
    return session;
}

static void check_capture(const struct fixture_capture *capture, unsigned frames, unsigned draws)
{
    struct capture_error error = {0};
    struct capture_reader *reader;
    struct inspect *session = open_capture(capture, &reader);

    for (uint32_t frame = 0; frame < frames && inspect_load(session, frame, &error); frame++)
        check_frame(session, draws);
    inspect_close(session);
    capture_close(reader);
}

static void check_text_file(const char *path)
{
    struct fixture_capture capture;

    fixture_assemble_file(&capture, path);
    check_capture(&capture, 2, 8);
    fixture_free(&capture);
}

static void check_texts(void)
{
    places_each = (struct place_count){6, 3};
    fixture_all_texts(check_text_file);
}

/* --- scenes -------------------------------------------------------------------------------------- */

/* A scene of random triangles: a vertex shader or NULL, a pixel shader or NULL, and commands. */
struct traced_scene {
    const char *name, *vertex, *pixel, *commands;
};

#define TO_CLIP  "m4x4 oPos, v0, c0\n"
#define DECLARED "dcl_position v0\ndcl_normal v1\ndcl_color v2\ndcl_texcoord v3\n"

static const struct traced_scene scenes[] = {
    {"lights, fog, specular", NULL, NULL,
     "RENDERSTATE {state=LIGHTING value=TRUE} {state=SPECULARENABLE value=TRUE} {state=NORMALIZENORMALS value=TRUE} "
     "{state=LOCALVIEWER value=TRUE} "
     "{state=AMBIENT value=#ff202020} {state=COLORVERTEX value=TRUE} {state=FOGENABLE value=TRUE} {state=FOGVERTEXMODE "
     "value=LINEAR} "
     "{state=FOGSTART value=0.0} {state=FOGEND value=2.0} {state=FOGCOLOR value=#ff406080} {state=RANGEFOGENABLE "
     "value=TRUE}\n"
     "SETMATERIAL {diffuse=(0.9 0.8 0.7 1) ambient=(0.9 0.8 0.7 1) specular=(0.6 0.6 0.6 1) emissive=(0 0 0 0) "
     "power=20}\n"
     "CREATELIGHT {index=0} {index=1} {index=2}\n"
     "SETLIGHT {index=0 light=POINT diffuse=(1 0.9 0.7 1) specular=(1 1 1 1) ambient=(0.1 0 0 0) position=(0.5 0.5 -1) "
     "range=10 att0=0.2 att1=0.5 att2=0.3} "
     "{index=1 light=SPOT diffuse=(0.2 0.3 0.9 1) specular=(1 1 1 1) position=(0 0 -2) direction=(0.1 0.2 1) range=10 "
     "falloff=1.5 att0=1 theta=0.5 phi=1.5} "
     "{index=2 light=DIRECTIONAL diffuse=(0.5 0.5 0.5 1) direction=(0.6 -0.6 0.6)} {index=0 op=ENABLE} {index=1 "
     "op=ENABLE} {index=2 op=ENABLE}\n"
     "TEXTURESTAGESTATE {stage=0 state=COLOROP value=MODULATE2X} {stage=0 state=COLORARG1 value=TEXTURE} {stage=0 "
     "state=COLORARG2 value=DIFFUSE} "
     "{stage=1 state=COLOROP value=DISABLE}\n"},
    {"bump mapping and generated coordinates", NULL, NULL,
     "RENDERSTATE {state=LIGHTING value=FALSE}\n"
     "TEXTURESTAGESTATE {stage=0 state=COLOROP value=BUMPENVMAPLUMINANCE} {stage=0 state=COLORARG1 value=TEXTURE} "
     "{stage=0 state=TEXTUREMAP value=bumps} "
     "{stage=0 state=BUMPENVMAT00 value=0.5} {stage=0 state=BUMPENVMAT01 value=0.1} {stage=0 state=BUMPENVMAT10 "
     "value=-0.2} {stage=0 state=BUMPENVMAT11 value=0.4} "
     "{stage=0 state=BUMPENVLSCALE value=0.7} {stage=0 state=BUMPENVLOFFSET value=0.2} {stage=0 state=ALPHAOP "
     "value=SELECTARG1} "
     "{stage=1 state=COLOROP value=ADDSIGNED} {stage=1 state=COLORARG1 value=TEXTURE} {stage=1 state=COLORARG2 "
     "value=DIFFUSE} {stage=1 state=TEXTUREMAP value=board} "
     "{stage=1 state=TEXCOORDINDEX value=0x20000} {stage=1 state=TEXTURETRANSFORMFLAGS value=COUNT2} {stage=1 "
     "state=ADDRESSU value=BORDER} {stage=1 state=ADDRESSV value=MIRROR} "
     "{stage=1 state=BORDERCOLOR value=#80ff8040} "
     "{stage=2 state=COLOROP value=MODULATE} {stage=2 state=COLORARG1 value=TFACTOR} {stage=2 state=COLORARG2 "
     "value=CURRENT} {stage=3 state=COLOROP value=DISABLE}\n"
     "RENDERSTATE {state=TEXTUREFACTOR value=#ff80c0e0}\n"
     "SETTRANSFORM {type=TEXTURE1 matrix=(1.5 0.2 0 0  -0.2 1.5 0 0  0 0 1 0  0.1 0.2 0 1)}\n"},
    {"indexed blending", NULL, NULL,
     "RENDERSTATE {state=LIGHTING value=FALSE} {state=VERTEXBLEND value=1} {state=INDEXEDVERTEXBLENDENABLE "
     "value=TRUE}\n"
     "CREATEVERTEXSHADERDECL {handle=9 [stream=0 offset=0 type=FLOAT3 method=DEFAULT usage=POSITION usage_index=0] "
     "[stream=0 offset=28 type=FLOAT1 method=DEFAULT usage=BLENDWEIGHT usage_index=0] [stream=0 offset=36 type=UBYTE4 "
     "method=DEFAULT usage=BLENDINDICES usage_index=0] "
     "[stream=0 offset=24 type=D3DCOLOR method=DEFAULT usage=COLOR usage_index=0]}\n"
     "SETVERTEXSHADERDECL {decl=9}\n"
     "SETTRANSFORM {type=WORLD matrix=(0.8 0.1 0 0  -0.1 0.9 0 0  0 0 1 0  0 0 0 1)}\n"
     "SETTRANSFORM {type=WORLD1 matrix=(0.5 -0.3 0 0  0.3 0.5 0 0  0 0 1 0  0.2 0 0.1 1)}\n"
     "SETTRANSFORM {type=WORLD2 matrix=(0.9 0 0 0  0 0.9 0.1 0  0 0 1 0  0 0.1 0 1)}\n"
     "TEXTURESTAGESTATE {stage=0 state=COLOROP value=SELECTARG2} {stage=0 state=COLORARG2 value=DIFFUSE} {stage=1 "
     "state=COLOROP value=DISABLE}\n"},
    {"vs_1_1, ps_1_1 that kills",
     "vs_1_1\n" DECLARED "mov a0.x, c10.x\nm4x4 oPos, v0, c0\nmov r0, c[a0.x + 4]\ndp3 r1, v1, r0\nlit r2, r1\nmul "
     "oD0, v2, r2.y\nmov oD1, r2\nmov oT0, v3\nadd oT1, v0, c5\nmov oFog, v0.z\n",
     "ps_1_1\ndef c0, 0.5, 0.25, 0.75, 1\ntex t0\ntexkill t1\nmul_x2 r0.rgb, t0, v0\n+mov r0.a, t0.a\nmad_sat r0, r0, "
     "c0, v1\n",
     "RENDERSTATE {state=FOGENABLE value=TRUE}\n"},
    {"texm3x3tex",
     "vs_1_1\n" DECLARED TO_CLIP "mov oD0, v2\nmov oT0, v3\nmov oT1, v1\nmov oT2, v1.yzxw\nmov oT3, v1.zxyw\n",
     "ps_1_1\ntex t0\ntexm3x3pad t1, t0_bx2\ntexm3x3pad t2, t0_bx2\ntexm3x3tex t3, t0_bx2\nmov r0, t3\n",
     "TEXTURESTAGESTATE {stage=3 state=TEXTUREMAP value=board}\n"},
    {"texm3x3, texm3x2tex, texdp3",
     "vs_1_1\n" DECLARED TO_CLIP "mov oD0, v2\nmov oT0, v3\nmov oT1, v1\nmov oT2, v1.yzxw\nmov oT3, v1.zxyw\n",
     "ps_1_3\ntex t0\ntexm3x3pad t1, t0_bx2\ntexm3x3pad t2, t0_bx2\ntexm3x3 t3, t0_bx2\ndp3_sat r0, t3, v0\nlrp r0, "
     "v0.a, r0, t0\ncnd r0, r0.a, r0, 1-t0\n",
     ""},
    {"texbem and texbeml", "vs_1_1\n" DECLARED TO_CLIP "mov oD0, v2\nmov oT0, v3\nmov oT1, v3.yxzw\nmov oT2, v3\n",
     "ps_1_1\ntex t0\ntexbem t1, t0\ntexbeml t2, t0\nmul r0, t1, t2\nadd_d2 r0, r0, v0\n",
     "TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=bumps} {stage=2 state=TEXTUREMAP value=board} {stage=1 "
     "state=BUMPENVMAT00 value=0.5} {stage=1 state=BUMPENVMAT11 value=-0.5} "
     "{stage=2 state=BUMPENVMAT01 value=0.3} {stage=2 state=BUMPENVLSCALE value=0.6} {stage=2 state=BUMPENVLOFFSET "
     "value=0.1}\n"},
    {"ps_1_4", "vs_1_1\n" DECLARED TO_CLIP "mov oD0, v2\nmov oT0, v3\nmov oT1, v1\n",
     "ps_1_4\ntexld r0, t0\ntexcrd r1.rgb, t1\nmul r0.rg, r0, r1\nphase\ntexld r2, r0\nmul r0, r2, v0\n", ""},
    {"vs_2_x with calls, loops and conditions, ps_2_0 with depth",
     "vs_2_x\ndef c20, 0.1, 0.2, 0.3, 1\n" DECLARED TO_CLIP
     "mov r0, v2\nmov r3, c20\nloop aL, i0\nadd r0, r0, c[aL + 4]\nif_gt r0.x, r3.y\nbreak_ge r0.x, r3.w\nmul r0, r0, "
     "r3.w\nelse\nadd r0, r0, r3.x\nendif\nendloop\n"
     "rep i1\nmul r0, r0, c10.w\nendrep\nif b0\ncall l0\nendif\ncallnz l1, b1\nmov oD0, r0\nmov oT0, v3\nmov oT1, "
     "v0\nret\nlabel l0\nadd r0.x, r0.x, c20.x\nret\nlabel l1\nadd r0.y, r0.y, c20.y\nret\n",
     "ps_2_0\ndef c8, 0.5, 2, 1, 0\ndcl t0.xy\ndcl t1\ndcl v0\ndcl_2d s0\ndcl_2d s1\ntexld r0, t0, s0\nmov r2, "
     "t0.xyyx\nmad r2.xy, r0, c8.x, r2\ntexldb r1, r2, s1\nnrm r3, t1\nsincos r4.xy, r3.x, c9, c11\n"
     "mad r0, r0, r1, v0\nmov r0.w, r4.x\nmov oC0, r0\nmov r5.x, t1.z\nmov oDepth, r5.x\n",
     ""},
    {"vs_2_x and ps_2_x with predicates",
     "vs_2_x\ndef c20, 0.1, 0.2, 0.3, 1\n" DECLARED TO_CLIP
     "setp_gt p0, v1, c20.x\nmov r0, v2\n(p0) add r0, r0, c20\n(!p0.x) mul r0, r0, c20.z\nif p0.y\nmov r0.z, "
     "c20.x\nelse\nmov r0.z, c20.y\nendif\n"
     "mova a0.xy, c10\nmov r1, c[a0.y + 4]\nmad oD0, r1, c20.x, r0\nmov oT0, v3\nmov oT1, v1\n",
     "ps_2_x\ndef c8, 0.5, 0.1, 1, 0\ndcl t0.xy\ndcl t1\ndcl v0\ndcl_2d s0\ndsx r0, t0\ndsy r1, t0\ntexldd r2, t0, s0, "
     "r0, r1\nsetp_lt p0, r2, c8.x\n(p0) add r2, r2, v0\n(!p0.y) mul r2, r2, c8.x\nmov r3, t1\nif_gt r3.x, c8.y\n"
     "mul r2, r2, c8.x\nelse\nadd r2, r2, c8.y\nendif\nrep i2\nadd r2.x, r2.x, c8.y\nbreak_gt r2.x, "
     "c8.z\nendrep\ntexkill r3\nmov oC0, r2\n",
     ""},
    {"vs_3_0 with a vertex texture, ps_3_0 with loops and faces",
     "vs_3_0\ndef c20, 0.1, 0.2, 0.3, 1\ndcl_position v0\ndcl_normal v1\ndcl_color v2\ndcl_texcoord v3\ndcl_2d "
     "s0\ndcl_position o0\ndcl_color o1\ndcl_texcoord o2\ndcl_texcoord1 o3\ndcl_texcoord2 o4\n"
     "mov r0, v3.xyxx\nmov r0.w, c20.y\ntexldl r1, r0, s0\nmov r2, v0\nmad r2.xy, r1, c20.x, v0\nmov r2.w, c20.w\nm4x4 "
     "o0, r2, c0\nmov o1, v2\nloop aL, i0\nmov o[aL + 2], v3\nendloop\nmov o4, v1\n",
     "ps_3_0\ndef c8, 0.5, 0.1, 1, 0\ndefi i3, 2, 0, 1, 0\ndcl_color v0\ndcl_texcoord v1\ndcl_texcoord1 "
     "v2\ndcl_texcoord2 v3\ndcl vPos.xy\ndcl vFace\ndcl_2d s0\nmov r0, c8.w\nloop aL, i3\nmad r0, v[aL + 1], c8.x, "
     "r0\nendloop\n"
     "mov r1, r0.xyxx\nmov r1.w, c8.z\ntexldl r2, r1, s0\ntexld r3, v1, s0\nif_gt v3.x, c8.y\nadd r2, r2, "
     "r3\nelse\nmul r2, r2, r3\nendif\nmov r4.x, vFace\nif_lt r4.x, c8.w\nadd r2.x, r2.x, c8.x\nendif\nmul r5.xy, "
     "vPos, c8.y\nfrc r5.xy, r5\n"
     "sub r5.z, r5.x, c8.y\nmov r5.xyw, c8.z\ntexkill r5\nsetp_gt p0, r2, c8.x\nrep i3\nadd r2, r2, c8.y\nbreakp "
     "p0.x\nendrep\ncall l2\nmul oC0, r2, v0\nret\nlabel l2\nmad r2.y, r2.y, c8.x, c8.y\nret\n",
     ""},
    {"no vertex shader, ps_3_0 with a projected and an anisotropic read", NULL,
     "ps_3_0\ndef c8, 0.5, 0.1, 3, 0\ndcl_texcoord v0.xy\ndcl_2d s0\ndcl_2d s1\nmov r0, v0.xyyx\nmov r0.w, "
     "c8.z\ntexldp r1, r0, s0\nmul r2, v0.xyyx, c8.zxxx\ntexld r3, r2, s1\nadd oC0, r1, r3\n",
     "RENDERSTATE {state=LIGHTING value=FALSE}\nTEXTURESTAGESTATE {stage=1 state=MINFILTER value=ANISOTROPIC} {stage=1 "
     "state=MAGFILTER value=LINEAR} {stage=1 state=MAXANISOTROPY value=8} {stage=1 state=MIPFILTER value=LINEAR} "
     "{stage=0 state=ADDRESSU value=CLAMP}\n"},
};

static char *text_at, *text_end;

static void write_text(const char *format, ...) __attribute__((format(gnu_printf, 1, 2)));
static void write_text(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_at += vsnprintf(text_at, (size_t)(text_end - text_at), format, args);
    va_end(args);
    assert_true(text_at < text_end);
}

/* Assembly as the data of a token. */
static void write_code(const char *name, const char *assembly)
{
    uint32_t tokens[1024];
    struct shader_error error;
    const size_t count = shader_assemble(assembly, tokens, ARRAY_COUNT(tokens), &error);

    if (!count)
        fail_msg("%s: line %zu: %s", name, error.offset, error.text);
    write_text("code=hex(");
    for (size_t i = 0; i < count; i++)
        write_text("%08x ", tokens[i]);
    write_text(")");
}

#define TRIANGLES 12

static void write_vertices(void)
{
    write_text("memory corners { ");
    for (unsigned t = 0; t < TRIANGLES; t++) {
        const float x = random_between(-0.6f, 0.6f), y = random_between(-0.6f, 0.6f), turn = random_between(0, 6);

        for (unsigned k = 0; k < 3; k++) {
            const float angle = turn + 2.1f * (float)(t & 1 ? k : 3 - k), size = random_between(0.3f, 1.2f);

            write_text("floats(%g %g %g ", (double)(x + size * cosf(angle)), (double)(y + size * sinf(angle)),
                       (double)random_between(0.05f, 0.95f));
            write_text("%g %g %g) u32(%u) ", (double)random_between(-1, 1), (double)random_between(-1, 1),
                       (double)random_between(-1, 1), (unsigned)(random_below(1 << 16) << 16 | random_below(1 << 16)));
            write_text("floats(%g %g) u32(%u)\n", (double)random_between(0, 1), (double)random_between(-1, 2),
                       (unsigned)(random_below(3) | random_below(3) << 8));
        }
    }
    write_text("}\n");
}

static void write_scene(const struct traced_scene *scene)
{
    write_text(
        "create target t 48x40 A8R8G8B8\ncreate depth z 48x40 D24S8\ncreate texture board 32x32 A8R8G8B8 levels=6\n"
        "create texture bumps 16x16 X8L8V8U8 levels=1\ncreate vertices corners %u\ncontext c target=t depth=z "
        "level=5\n",
        TRIANGLES * 3 * 40);
    write_text("memory board { gradient(32 32 #ffff2010 #8020ff40 #c01030ff #40e0e0e0) }\n"
               "memory bumps { gradient(16 16 #ff807f40 #00c040ff #00208010 #0040ff80) }\n");
    write_vertices();
    write_text("clear c flags=TARGET|ZBUFFER color=#ff102030 depth=1\ndraw c {\nVIEWPORTINFO {x=0 y=0 width=48 "
               "height=40}\nZRANGE {min=0 max=1}\n"
               "RENDERSTATE {state=CULLMODE value=NONE} {state=ZENABLE value=TRUE} {state=ZFUNC value=LESSEQUAL}\n"
               "SETTRANSFORM {type=PROJECTION matrix=(0.9 0 0 0  0 0.9 0 0  0 0 0.8 0.3  0 0 0.1 1)}\n"
               "SETTRANSFORM {type=VIEW matrix=(1 0.1 0 0  -0.1 1 0 0  0 0 1 0  0 0 0 1)}\nSETTRANSFORM {type=WORLD "
               "matrix=(1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1)}\n");
    for (unsigned s = 0; s < 4; s++)
        write_text("TEXTURESTAGESTATE {stage=%u state=TEXTUREMAP value=board} {stage=%u state=MAGFILTER value=LINEAR} "
                   "{stage=%u state=MINFILTER value=%s} {stage=%u state=MIPFILTER value=%s}\n",
                   s, s, s, s & 1 ? "POINT" : "LINEAR", s, s & 1 ? "POINT" : "LINEAR");
    write_text("TEXTURESTAGESTATE {stage=257 state=TEXTUREMAP value=board} {stage=257 state=MAGFILTER value=LINEAR} "
               "{stage=257 state=MINFILTER value=LINEAR}\n");
    write_text("SETVERTEXSHADERCONST {register=0 count=11 (0.9 0 0 0  0 0.9 0 0  0 0 0.8 0.1  0.1 0 0.3 1  0.2 0.1 0.3 "
               "0.4  0.3 0.4 0.1 0.2  0.5 0.2 0.2 0.1  0.1 0.1 0.1 0.1  0 0 0 1  0 0 0 0  1 2 0 0.75)}\n"
               "SETVERTEXSHADERCONSTI {register=0 count=2 (2 0 1 0  3 0 0 0)}\nSETVERTEXSHADERCONSTB {register=0 "
               "count=2 (1) (0)}\n"
               "SETPIXELSHADERCONSTI {register=2 count=1 (3 0 0 0)}\n"
               "SETPIXELSHADERCONST {register=9 count=3 (-0.0000015501 -0.000021701 0.0026041667 0.00026041668  0 0 0 "
               "0  -0.020833334 -0.125 1 0.5)}\n"
               "CREATEVERTEXSHADERDECL {handle=3 [stream=0 offset=0 type=FLOAT3 method=DEFAULT usage=POSITION "
               "usage_index=0] [stream=0 offset=12 type=FLOAT3 method=DEFAULT usage=NORMAL usage_index=0] "
               "[stream=0 offset=24 type=D3DCOLOR method=DEFAULT usage=COLOR usage_index=0] [stream=0 offset=28 "
               "type=FLOAT2 method=DEFAULT usage=TEXCOORD usage_index=0]}\nSETVERTEXSHADERDECL {decl=3}\n");
    if (scene->vertex) {
        write_text("CREATEVERTEXSHADERFUNC {handle=5 ");
        write_code(scene->name, scene->vertex);
        write_text("}\nSETVERTEXSHADERFUNC {shader=5}\n");
    }
    if (scene->pixel) {
        write_text("CREATEPIXELSHADER {handle=7 ");
        write_code(scene->name, scene->pixel);
        write_text("}\nSETPIXELSHADER {shader=7}\n");
    }
    write_text("%sSETSTREAMSOURCE {stream=0 buffer=corners stride=40}\nDRAWPRIMITIVE {type=TRIANGLELIST start=0 "
               "primitives=%u}\n}\npresent t\n",
               scene->commands, TRIANGLES);
}

static void check_scenes(void)
{
    static char text[1 << 17];

    places_each = (struct place_count){50, 40};
    for (unsigned i = 0; i < ARRAY_COUNT(scenes); i++) {
        const unsigned pixels = seen.pixels[scenes[i].pixel != NULL];
        const unsigned vertices = seen.vertices[scenes[i].vertex != NULL];
        struct fixture_capture capture;

        random_seed = 1 + i; /* whatever the texts before have used */
        text_at = text;
        text_end = text + sizeof(text);
        write_scene(&scenes[i]);
        fixture_assemble(&capture, text, (size_t)(text_at - text), ".");
        check_capture(&capture, 1, 100);
        fixture_free(&capture);
        if (seen.pixels[scenes[i].pixel != NULL] < pixels + 20 ||
            seen.vertices[scenes[i].vertex != NULL] < vertices + 40)
            fail_msg("%s: only %u pixels, %u vertices", scenes[i].name, seen.pixels[scenes[i].pixel != NULL] - pixels,
                     seen.vertices[scenes[i].vertex != NULL] - vertices);
    }
}

/* The last test: a failure inside of a draw leaves the driver in the middle of it. */
static void test_places(void **state)
{
    (void)state;
    check_texts();
    check_scenes();
    print_message("pixels %u fixed, %u shaded; vertices %u, %u; %u killed, %u reads of %u texels, %u loops, %u calls, "
                  "%u predicates, %u with lanes left out, %u depths\n",
                  seen.pixels[0], seen.pixels[1], seen.vertices[0], seen.vertices[1], seen.killed, seen.reads,
                  seen.texels, seen.loops, seen.calls, seen.masked, seen.discarded_lanes, seen.depths);
    assert_true(seen.pixels[0] + seen.pixels[1] + seen.vertices[0] + seen.vertices[1] >= 1000);
    assert_true(seen.pixels[0] >= 100 && seen.pixels[1] >= 100 && seen.vertices[0] >= 100 && seen.vertices[1] >= 100);
    assert_true(seen.killed && seen.reads && seen.texels && seen.loops && seen.calls && seen.masked &&
                seen.discarded_lanes && seen.depths);
}

/* --- questions without an answer ----------------------------------------------------------------- */

static bool not_asked_for(void *user, const struct inspect_trace *trace)
{
    (void)trace;
    fail_msg("%s has a run", (const char *)user);
    return false;
}

static void test_no_answer(void **state)
{
    const struct inspect_trace_options all = {.primitive = INSPECT_ALL}, ninth = {.primitive = 9};
    struct capture_error error = {0};
    struct fixture_capture capture;
    struct capture_reader *reader;
    struct inspect *session;

    (void)state;
    fixture_assemble_file(&capture, "examples/dp2/11-shader.dp2s");
    session = open_capture(&capture, &reader);
    assert_true(inspect_load(session, 0, &error));
    assert_false(inspect_trace_pixel(session, 0, 20, 20, &all, not_asked_for, "a clear", &error));
    assert_string_equal(error.text, "that is not a draw, but a clear");
    assert_false(inspect_trace_pixel(session, 1, 160, 20, &all, not_asked_for, "a pixel outside", &error));
    assert_non_null(strstr(error.text, "has no pixel 160,20"));
    assert_false(inspect_trace_pixel(session, 1, 2, 2, &all, not_asked_for, "an uncovered pixel", &error));
    assert_non_null(strstr(error.text, "no primitive of the draw covers pixel 2,2"));
    assert_false(inspect_trace_pixel(session, 1, 20, 20, &ninth, not_asked_for, "another primitive", &error));
    assert_non_null(strstr(error.text, "primitive 9 does not cover"));
    assert_false(inspect_trace_vertex(session, 1, 0, &all, not_asked_for, "a transformed vertex", &error));
    assert_non_null(strstr(error.text, "come transformed"));
    assert_false(inspect_trace_vertex(session, 1, 6, &all, not_asked_for, "a vertex too many", &error));
    assert_string_equal(error.text, "it has no vertex 6; its primitives have 6");
    inspect_close(session);
    capture_close(reader);
    fixture_free(&capture);
}

/* --- captures of programs ------------------------------------------------------------------------ */

static void test_files(void **state)
{
    places_each = (struct place_count){24, 8};
    for (char **file = *state; *file; file++) {
        struct fixture_capture capture;

        fixture_read(&capture, *file);
        check_capture(&capture, 2, 30);
        fixture_free(&capture);
        print_message("%s: %u pixels, %u vertices so far\n", *file, seen.pixels[0] + seen.pixels[1],
                      seen.vertices[0] + seen.vertices[1]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_files[] = {cmocka_unit_test_prestate(test_files, argv + 1)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_answer),
        cmocka_unit_test(test_places),
    };

    setenv("HALCYON_LOG_LEVEL", "none", 0);
    if (argc > 1)
        return cmocka_run_group_tests(of_files, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
