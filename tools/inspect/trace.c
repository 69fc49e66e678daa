/* SPDX-License-Identifier: MIT */
/* dp2 trace: a program of a draw for one pixel or vertex, instruction by instruction. */
#include "tools/inspect/inspect.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/json/json.h"
#include "inspect/trace/trace.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dp2 trace FILE FRAME.DRAW X,Y [OPTION...]\n"
    "       dp2 trace FILE FRAME.DRAW --vertex N [OPTION...]\n"
    "\n"
    "Shows what the pixel or vertex program of a draw does for one pixel or one vertex: a shader, or\n"
    "the program that the states of the fixed function became. For each instruction: the registers\n"
    "that it reads and the one that it writes, texture reads with coordinates, level of detail, and\n"
    "the texels with their weights; then the outputs. The pixel is one of the draw's first target;\n"
    "each primitive that covers it has a run of its own, whatever becomes of the fragment.\n"
    "\n"
    "      --vertex N      vertex N, as 'dp2 mesh' numbers them, instead of a pixel\n"
    "      --primitive N   only this primitive\n"
    "      --quad          the values of all four pixels of the quad, which derivatives come from\n"
    "      --optimized     a shader as it runs, after the optimizer; by default instruction by\n"
    "                      instruction as it is written, which gives the same outputs\n"
    "      --json          as JSON (docs/json.md)\n"
    "\n"
    "examples:\n"
    "  dp2 trace game.capture 2.1 30,20\n"
    "  dp2 trace game.capture 2.1 30,20 --primitive 0 --quad\n"
    "  dp2 trace game.capture 2.1 --vertex 0 --json | jq '.runs[0].outputs'\n";

struct request {
    struct inspection inspection;
    struct inspect_place place;
    unsigned x, y;
    long vertex; /* below 0: a pixel */
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
    if (!r->quad || trace->lanes == 1) {
        print_lane(value, mask, trace->lane);
        return;
    }
    for (unsigned l = 0; l < trace->lanes; l++) {
        printf("%s%s", l ? " " : "", l == trace->lane ? ">" : "");
        print_lane(value, mask, l);
    }
}

static void print_registers(const struct request *r, const struct inspect_trace *trace, const char *title,
                            const struct inspect_trace_register *list, unsigned count)
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

static void print_texel(const struct inspect_fetch *fetch, const struct inspect_texel *texel)
{
    printf("            level %" PRIu32 " ", texel->level);
    if (fetch->kind != RASTER_TEXTURE_2D)
        printf("%s %" PRIu32 " ", fetch->kind == RASTER_TEXTURE_CUBE ? "face" : "slice", texel->layer);
    printf("texel %" PRIu32 ",%" PRIu32, texel->x, texel->y);
    if (texel->channel >= 0)
        printf("  as %c", "xyzw"[texel->channel]);
    else if (texel->weight >= 0.0f)
        printf("  weight %.6g", (double)texel->weight);
    printf("  (%.6g %.6g %.6g %.6g)\n", (double)texel->value[0], (double)texel->value[1], (double)texel->value[2],
           (double)texel->value[3]);
}

static void print_sampler(const struct inspect_fetch *fetch)
{
    const struct raster_sampler *s = &fetch->state;

    printf("          s%u #%" PRIu32 " %s %" PRIu32 "x%" PRIu32, fetch->sampler, fetch->surface,
           inspect_texture_kind(fetch), fetch->width, fetch->height);
    if (fetch->kind == RASTER_TEXTURE_VOLUME)
        printf("x%" PRIu32, fetch->depth);
    printf(", %u level%s; %s %s", fetch->levels, fetch->levels == 1 ? "" : "s",
           name_of(DP2_KIND_ADDRESS, s->address[0] + 1u), name_of(DP2_KIND_ADDRESS, s->address[1] + 1u));
    if (fetch->axes == 3)
        printf(" %s", name_of(DP2_KIND_ADDRESS, s->address[2] + 1u));
    printf("; mag %s min %s mip %s", name_of(DP2_KIND_FILTER, s->mag_filter), name_of(DP2_KIND_FILTER, s->min_filter),
           name_of(DP2_KIND_FILTER, s->mip_filter));
    if (s->min_filter == RASTER_FILTER_ANISOTROPIC)
        printf(" %ux", s->max_anisotropy);
    printf("%s%s%s\n", s->srgb ? "; sRGB" : "", fetch->compares ? "; compared" : "", s->fetch4 ? "; fetch4" : "");
}

static void print_fetch(const struct request *r, const struct inspect_trace *trace, const struct inspect_fetch *fetch)
{
    const unsigned rows = inspect_lod_rows(fetch->mode);
    const unsigned kept = BASE_MIN(fetch->texel_count, (unsigned)INSPECT_MOST_TEXELS);

    if (fetch->bound)
        print_sampler(fetch);
    else
        printf("          s%u has no texture: (0 0 0 1)\n", fetch->sampler);
    printf("          at ");
    print_value(r, trace, fetch->coordinate, (1u << fetch->axes) - 1);
    if (rows) {
        printf("; %s", inspect_lod_name(fetch->mode));
        for (unsigned i = 0; i < rows; i++)
            printf(" %.6g", (double)fetch->lod[i][trace->lane]);
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
        inspect_trace_constant(trace, step, k, text, sizeof(text));
        printf("%s%s\n", text[0] ? "  " : "", text);
    }
}

static void print_result(const struct request *r, const struct inspect_trace *trace,
                         const struct shader_trace_step *step)
{
    char text[16];
    unsigned mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= (unsigned)(step->lanes[c] >> trace->lane & 1) << c;
    if (inspect_trace_target(step, trace->lane, text, sizeof(text)) && (r->quad ? step->written : mask)) {
        printf("       -> %-12s ", text);
        print_value(r, trace, step->result, r->quad ? step->written : mask);
        printf("\n");
    }
    if (inspect_trace_kills(step))
        printf("       -> %s\n", step->killed >> trace->lane & 1 ? "killed" : "not killed");
}

/* Lanes as the quad has them: 1 active, 0 not. */
static void print_active(const struct request *r, const struct inspect_trace *trace,
                         const struct shader_trace_step *step)
{
    if (r->quad && trace->lanes > 1) {
        printf("  [");
        for (unsigned l = 0; l < trace->lanes; l++)
            printf("%u", step->active >> l & 1);
        printf("]");
    }
    if (!(step->active >> trace->lane & 1))
        printf("  (not for this one)");
    else if (!(step->behind >> trace->lane & 1))
        printf("  (skips what follows)");
    if (inspect_trace_loops(step))
        printf("  aL = %" PRId32, step->loop);
}

static void print_step(const struct request *r, const struct inspect_trace *trace,
                       const struct inspect_trace_step *step, uint32_t *origin)
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
    if (!r->quad && !(m->active >> trace->lane & 1))
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
    if (trace->stage == SHADER_VERTEX) {
        printf("vertex %" PRIu32 " of primitive %" PRIu32, trace->vertex, trace->primitive);
        if (trace->element != INSPECT_ALL)
            printf(", element %" PRIu32 " of the streams", trace->element);
    } else {
        printf("pixel %u,%u of primitive %" PRIu32 ": %s", r->x, r->y, trace->primitive,
               inspect_verdict_name(trace->fragment.verdict));
    }
    if (trace->is_bytecode)
        printf("; %s_%u_%u", trace->stage == SHADER_VERTEX ? "vs" : "ps", trace->program->major, trace->program->minor);
    else
        printf("; fixed function");
    printf("%s\n", trace->narrow ? "; narrow: 16-bit fixed point, 32767 is 1" : "");
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
    print_registers(r, trace, "input", trace->input, trace->input_count);
    for (size_t i = 0; i < trace->step_count; i++)
        print_step(r, trace, &trace->steps[i], &origin);
    print_registers(r, trace, "output", trace->output, trace->output_count);
    if (trace->stage == SHADER_VERTEX)
        print_corner(trace);
    else if (trace->killed >> trace->lane & 1)
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
static int take_operands(struct request *r, int argc, char **argv)
{
    if (r->vertex >= 0)
        return tool_operands(&verb_trace, argc, argv, 2, "a capture and a draw, FRAME.DRAW");
    if (tool_operands(&verb_trace, argc, argv, 3, "a capture, a draw, FRAME.DRAW, and a pixel, X,Y") != TOOL_OK)
        return TOOL_ERROR;
    if (!inspection_parse_pixel(argv[optind + 2], &r->x, &r->y))
        return tool_usage(&verb_trace, "'%s' is not a pixel, X,Y", argv[optind + 2]);
    return TOOL_OK;
}

static int trace_verb(int argc, char **argv)
{
    enum { OPT_VERTEX = 256, OPT_PRIMITIVE, OPT_QUAD, OPT_OPTIMIZED, OPT_JSON };
    static const struct option options[] = {
        {"vertex", required_argument, NULL, OPT_VERTEX},
        {"primitive", required_argument, NULL, OPT_PRIMITIVE},
        {"quad", no_argument, NULL, OPT_QUAD},
        {"optimized", no_argument, NULL, OPT_OPTIMIZED},
        {"json", no_argument, NULL, OPT_JSON},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct request r = {.vertex = -1, .options = {.primitive = INSPECT_ALL}};
    long primitive;
    int option, status;

    while ((option = tool_option(&verb_trace, argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case OPT_VERTEX:
            if (!parse_number(optarg, 0, INT32_MAX, &r.vertex))
                return tool_usage(&verb_trace, "'%s' is not the number of a vertex", optarg);
            break;
        case OPT_PRIMITIVE:
            if (!parse_number(optarg, 0, INT32_MAX, &primitive))
                return tool_usage(&verb_trace, "'%s' is not the number of a primitive", optarg);
            r.options.primitive = (uint32_t)primitive;
            break;
        case OPT_QUAD:
            r.quad = true;
            break;
        case OPT_OPTIMIZED:
            r.options.optimized = true;
            break;
        case OPT_JSON:
            r.as_json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_bad_option(&verb_trace);
        }
    }
    if (r.vertex >= 0 && (r.quad || r.options.primitive != INSPECT_ALL))
        return tool_usage(&verb_trace, "--primitive and --quad are of pixels");
    if (take_operands(&r, argc, argv) != TOOL_OK)
        return TOOL_ERROR;
    status = inspection_open(&r.inspection, &verb_trace, argv[optind], UINT32_MAX);
    if (status != TOOL_OK)
        return status;
    status = show_trace(&r, argv[optind + 1]);
    return inspection_close(&r.inspection, status);
}

const struct tool_verb verb_trace = {"trace", "trace a program of a draw for a pixel or a vertex", help, trace_verb};
