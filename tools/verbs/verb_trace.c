/* SPDX-License-Identifier: MIT */
/* dp2 trace: a program of a draw for one pixel or vertex, instruction by instruction. */
#include "tools/debug/inspection.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/json/json.h"
#include "inspect/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct inspection inspection;
    struct inspect_place place;
    unsigned x, y;
    long vertex;    /* below 0: a pixel */
    long primitive; /* below 0: all */
    struct inspect_trace_options options;
    bool as_json, quad;
    struct json_writer json;
};

/* --- values -------------------------------------------------------------------------------------- */

static void print_lane(const shader_trace_value value, unsigned mask, unsigned lane)
{
    const char *between = "";

    printf("(");
    for (unsigned c = 0; c < 4; c++) {
        printf("%s", between);
        if (mask >> c & 1)
            printf("%.6g", (double)value[c][lane]);
        else
            printf("-");
        between = " ";
    }
    printf(")");
}

static void print_value(const struct request *r, const struct inspect_trace *trace, const shader_trace_value value,
                        unsigned mask)
{
    if (!r->quad || trace->run->lanes == 1) {
        print_lane(value, mask, trace->run->lane);
        return;
    }
    for (unsigned l = 0; l < trace->run->lanes; l++) {
        printf("%s%s", l ? " " : "", l == trace->run->lane ? ">" : "");
        print_lane(value, mask, l);
    }
}

static void print_registers(const struct request *r, const struct inspect_trace *trace, const char *title,
                            const struct hal_run_register *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        printf("  %-6s %-6s %-18s ", title, list[i].name, list[i].meaning);
        print_value(r, trace, list[i].value, list[i].mask);
        printf("\n");
    }
}

/* --- texture reads ------------------------------------------------------------------------------- */

static const char *name_of(char kind, unsigned value)
{
    const char *name = dp2_value_name(kind, value);

    return name ? name : "?";
}

static void print_texel(const struct hal_run_fetch *fetch, const struct hal_run_texel *texel)
{
    printf("            level %" PRIu32 " ", texel->level);
    if (fetch->kind != HAL_RUN_2D)
        printf("%s %" PRIu32 " ", fetch->kind == HAL_RUN_CUBE ? "face" : "slice", texel->layer);
    printf("texel %" PRIu32 ",%" PRIu32, texel->x, texel->y);
    if (texel->channel >= 0)
        printf("  as %c", "xyzw"[texel->channel]);
    else if (texel->weight >= 0.0f)
        printf("  weight %.6g", (double)texel->weight);
    printf("  (%.6g %.6g %.6g %.6g)\n", (double)texel->value[0], (double)texel->value[1], (double)texel->value[2],
           (double)texel->value[3]);
}

static void print_sampler(const struct hal_run_fetch *fetch)
{
    const struct hal_run_sampler *s = &fetch->state;

    printf("          s%u #%" PRIu32 " %s %" PRIu32 "x%" PRIu32, fetch->sampler, inspect_surface_id(fetch->surface),
           inspect_texture_kind(fetch), fetch->width, fetch->height);
    if (fetch->kind == HAL_RUN_VOLUME)
        printf("x%" PRIu32, fetch->depth);
    printf(", %u level%s; %s %s", fetch->levels, fetch->levels == 1 ? "" : "s",
           name_of(DP2_KIND_ADDRESS, s->address[0]), name_of(DP2_KIND_ADDRESS, s->address[1]));
    if (fetch->axes == 3)
        printf(" %s", name_of(DP2_KIND_ADDRESS, s->address[2]));
    printf("; mag %s min %s mip %s", name_of(DP2_KIND_FILTER, s->mag_filter), name_of(DP2_KIND_FILTER, s->min_filter),
           name_of(DP2_KIND_FILTER, s->mip_filter));
    if (s->min_filter == D3DTEXF_ANISOTROPIC)
        printf(" %ux", s->max_anisotropy);
    printf("%s%s%s\n", s->srgb ? "; sRGB" : "", s->compares ? "; compared" : "", s->fetch4 ? "; fetch4" : "");
}

static void print_fetch(const struct request *r, const struct inspect_trace *trace, const struct hal_run_fetch *fetch)
{
    const unsigned rows = inspect_lod_rows(fetch->mode);
    const unsigned kept = BASE_MIN(fetch->texel_count, (unsigned)HAL_RUN_TEXELS);

    if (fetch->bound)
        print_sampler(fetch);
    else
        printf("          s%u has no texture: (0 0 0 1)\n", fetch->sampler);
    printf("          at ");
    print_value(r, trace, fetch->coordinate, (1u << fetch->axes) - 1);
    if (rows) {
        printf("; %s", inspect_lod_name(fetch->mode));
        for (unsigned i = 0; i < rows; i++)
            printf(" %.6g", (double)fetch->lod[i][trace->run->lane]);
    }
    if (fetch->level >= 0.0f)
        printf("; level of detail %.6g", (double)fetch->level);
    if (fetch->border > 0.0f)
        printf("; border color weight %.6g (%.6g %.6g %.6g %.6g)", (double)fetch->border,
               (double)fetch->border_value[0], (double)fetch->border_value[1], (double)fetch->border_value[2],
               (double)fetch->border_value[3]);
    printf("\n");
    for (unsigned i = 0; i < kept; i++)
        print_texel(fetch, &fetch->texels[i]);
    if (fetch->texel_count > kept)
        printf("            and %u more texels\n", fetch->texel_count - kept);
}

/* --- steps --------------------------------------------------------------------------------------- */

static void print_sources(const struct request *r, const struct inspect_trace *trace,
                          const struct shader_trace_step *step)
{
    char text[64];

    for (unsigned k = 0; k < 3; k++) {
        inspect_trace_source(step, k, text, sizeof(text));
        if (!text[0])
            continue;
        printf("          %-12s ", text);
        print_value(r, trace, step->source[k], step->read[k]);
        hal_run_constant(trace->run, step, k, text, sizeof(text));
        printf("%s%s\n", text[0] ? "  " : "", text);
    }
}

static void print_result(const struct request *r, const struct inspect_trace *trace,
                         const struct shader_trace_step *step)
{
    char text[16];
    unsigned mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= (unsigned)(step->lanes[c] >> trace->run->lane & 1) << c;
    if (inspect_trace_target(step, trace->run->lane, text, sizeof(text)) && (r->quad ? step->written : mask)) {
        printf("       -> %-12s ", text);
        print_value(r, trace, step->result, r->quad ? step->written : mask);
        printf("\n");
    }
    if (inspect_trace_kills(step))
        printf("       -> %s\n", step->killed >> trace->run->lane & 1 ? "killed" : "not killed");
}

/* Lanes as the quad has them: 1 active, 0 not. */
static void print_active(const struct request *r, const struct inspect_trace *trace,
                         const struct shader_trace_step *step)
{
    if (r->quad && trace->run->lanes > 1) {
        printf("  [");
        for (unsigned l = 0; l < trace->run->lanes; l++)
            printf("%u", step->active >> l & 1);
        printf("]");
    }
    if (!(step->active >> trace->run->lane & 1))
        printf("  (not for this one)");
    else if (!(step->behind >> trace->run->lane & 1))
        printf("  (skips what follows)");
    if (inspect_trace_loops(step))
        printf("  aL = %" PRId32, step->loop);
}

static void print_step(const struct request *r, const struct inspect_trace *trace, const struct hal_run_step *step,
                       uint32_t *origin)
{
    const struct shader_trace_step *m = &step->machine;
    char text[512];

    if (m->code->origin != *origin) {
        inspect_trace_assembly(trace, m->code->origin, text, sizeof(text));
        if (text[0])
            printf("  %s\n", text);
        *origin = m->code->origin;
    }
    inspect_trace_ir(m->code, text, sizeof(text));
    printf("    %4" PRIu32 "  %s", m->number, text);
    print_active(r, trace, m);
    printf("\n");
    if (!r->quad && !(m->active >> trace->run->lane & 1))
        return;
    print_sources(r, trace, m);
    if (step->fetch)
        print_fetch(r, trace, step->fetch);
    print_result(r, trace, m);
}

/* --- runs ---------------------------------------------------------------------------------------- */

static void print_corner(const struct inspect_trace *trace)
{
    const struct inspect_corner *corner = &trace->corner;

    printf("  vertex clip (%.6g %.6g %.6g %.6g)", (double)corner->clip[0], (double)corner->clip[1],
           (double)corner->clip[2], (double)corner->clip[3]);
    if (corner->has_window)
        printf("  window (%.6g %.6g %.6g %.6g)", (double)corner->window[0], (double)corner->window[1],
               (double)corner->window[2], (double)corner->window[3]);
    printf("\n");
    for (unsigned i = 0; i < trace->corner_inputs; i++)
        printf("  vertex input %u (%.6g %.6g %.6g %.6g)\n", i, (double)corner->input[i][0], (double)corner->input[i][1],
               (double)corner->input[i][2], (double)corner->input[i][3]);
}

static void print_title(const struct request *r, const struct inspect_trace *trace)
{
    if (trace->run->stage == SHADER_VERTEX) {
        printf("vertex %" PRIu32 " of primitive %" PRIu32, trace->vertex, trace->primitive);
        if (trace->element != INSPECT_ALL)
            printf(", element %" PRIu32 " of the streams", trace->element);
    } else {
        printf("pixel %u,%u of primitive %" PRIu32 ": %s", r->x, r->y, trace->primitive,
               inspect_verdict_name(trace->fragment.verdict));
    }
    if (trace->run->is_bytecode)
        printf("; %s_%u_%u", trace->run->stage == SHADER_VERTEX ? "vs" : "ps", trace->run->program->major,
               trace->run->program->minor);
    else
        printf("; fixed function");
    printf("%s\n", trace->run->narrow ? "; narrow: 16-bit fixed point, 32767 is 1" : "");
}

static bool show_run(void *user, const struct inspect_trace *trace)
{
    struct request *r = user;
    uint32_t origin = 0;

    if (r->as_json) {
        inspect_put_trace(&r->json, NULL, trace, r->quad);
        return true;
    }
    print_title(r, trace);
    print_registers(r, trace, "input", trace->run->input, trace->run->input_count);
    for (size_t i = 0; i < trace->run->step_count; i++)
        print_step(r, trace, &trace->run->steps[i], &origin);
    print_registers(r, trace, "output", trace->run->output, trace->run->output_count);
    if (trace->run->stage == SHADER_VERTEX)
        print_corner(trace);
    else if (trace->run->killed >> trace->run->lane & 1)
        printf("  killed\n");
    return true;
}

static int show_trace(struct request *r, const char *name)
{
    struct capture_error error = {0};
    int status = inspection_find(&r->inspection, name, &r->place);
    struct inspect *session = r->inspection.session;
    bool done;

    if (status != TOOL_OK)
        return status;
    if (r->as_json) {
        json_begin(&r->json, stdout, "dp2-trace", false);
        json_put_text(&r->json, "file", r->inspection.path);
        inspect_put_place(&r->json, "draw", &r->place);
        if (r->vertex < 0) {
            json_put_number(&r->json, "x", r->x);
            json_put_number(&r->json, "y", r->y);
        }
        json_stream_list(&r->json, "runs");
    }
    if (r->vertex < 0)
        done = inspect_trace_pixel(session, r->place.draw, r->x, r->y, &r->options, show_run, r, &error);
    else
        done = inspect_trace_vertex(session, r->place.draw, (uint32_t)r->vertex, &r->options, show_run, r, &error);
    if (r->as_json && !json_end(&r->json))
        return tool_fail(&verb_trace, "out of memory");
    return done ? TOOL_OK : inspection_fail(&r->inspection, &error);
}

/* The draw, and the pixel unless a vertex is asked for. */
static int take_operands(struct request *r, char **operands, int count)
{
    if (r->vertex >= 0)
        return tool_operands(&verb_trace, operands, count, 2, "a capture and a draw, FRAME.DRAW");
    if (tool_operands(&verb_trace, operands, count, 3, "a capture, a draw, FRAME.DRAW, and a pixel, X,Y") != TOOL_OK)
        return TOOL_ERROR;
    if (!inspection_parse_pixel(operands[2], &r->x, &r->y))
        return tool_usage(&verb_trace, "'%s' is not a pixel, X,Y", operands[2]);
    return TOOL_OK;
}

static int trace_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;
    int status;

    if (r->vertex >= 0 && (r->quad || r->primitive >= 0))
        return tool_usage(&verb_trace, "--primitive and --quad apply to pixels only");
    if (take_operands(r, operands, count) != TOOL_OK)
        return TOOL_ERROR;
    r->options.primitive = r->primitive >= 0 ? (uint32_t)r->primitive : INSPECT_ALL;
    status = inspection_open(&r->inspection, &verb_trace, operands[0], UINT32_MAX);
    if (status != TOOL_OK)
        return status;
    status = show_trace(r, operands[1]);
    return inspection_close(&r->inspection, status);
}

static const struct option_row options[] = {
    {"vertex", 0, SETS_NUMBER(struct request, vertex), .argument = "N", .high = INT32_MAX,
     .wrong = "the number of a vertex", .help = "trace vertex N, as 'dp2 mesh' numbers vertices, instead of a pixel"},
    {"primitive", 0, SETS_NUMBER(struct request, primitive), .argument = "N", .high = INT32_MAX,
     .wrong = "the number of a primitive", .help = "trace only this primitive"},
    {"quad", 0, SETS_BOOL(struct request, quad),
     .help = "print the values of all four pixels of the quad, from which derivatives are computed"},
    {"optimized", 0, SETS_BOOL(struct request, options.optimized),
     .help = "trace a shader as it runs, after the optimizer; by default its instructions as written, which give the "
             "same outputs"},
    TOOL_JSON(struct request, as_json),
    {0},
};

static const struct request defaults = {.vertex = -1, .primitive = -1};

static const struct option_operand operands[] = {
    {"FILE", .value = VALUE_FILE}, {.name = "FRAME.DRAW"}, {"X,Y", .optional = true}, {0}};

const struct tool_verb verb_trace = {
    .syntax =
        {
            .name = "trace",
            .summary = "trace a program of a draw for a pixel or a vertex",
            .usage = "FILE FRAME.DRAW X,Y [OPTION...]\n"
                     "FILE FRAME.DRAW --vertex N [OPTION...]",
            .about = "Shows what the pixel or vertex program of a draw does for one pixel or one vertex. The program "
                     "is a shader, or the one that the states of the fixed function became. For each instruction, "
                     "prints the registers that it reads and writes, and for texture reads the coordinates, the level "
                     "of detail, and the texels with their weights; then prints the outputs.\n"
                     "\n"
                     "The pixel is one of the draw's first target. Each primitive that covers it has its own run, "
                     "whatever becomes of the fragment.",
            .options = options,
            .examples = "dp2 trace game.capture 2.1 30,20\n"
                        "dp2 trace game.capture 2.1 30,20 --primitive 0 --quad\n"
                        "dp2 trace game.capture 2.1 --vertex 0 --json | jq '.runs[0].outputs'",
            .operands = operands,
        },
    .size = sizeof(struct request),
    .defaults = &defaults,
    .run = trace_verb,
};
