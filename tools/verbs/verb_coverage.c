/* SPDX-License-Identifier: MIT */
/* dp2 coverage: which pixels, samples and insides a primitive covers. */
#include "tools/coverage/coverage.h"
#include "base/base.h"
#include "tools/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct primitives {
    struct coverage_primitive *list;
    unsigned count, capacity;
};

struct request {
    struct coverage_settings settings;
    struct primitives primitives;
    const char *png;
    int mode, tier, samples, cull; /* indices among the values of these options; cull: -1 if it is not given */
    long zoom, gain, vertex_size;
    bool json, stdin_lines;
};

/* --- the command line --------------------------------------------------------------------------- */

static int add_primitive(struct primitives *p, const struct coverage_primitive *primitive)
{
    if (p->count == p->capacity) {
        unsigned capacity = p->capacity ? 2 * p->capacity : 16;
        struct coverage_primitive *list = mem_realloc(p->list, capacity, sizeof(*list));

        if (!list)
            return tool_fail(&verb_coverage, "out of memory");
        p->list = list;
        p->capacity = capacity;
    }
    p->list[p->count++] = *primitive;
    return TOOL_OK;
}

static bool is_point(const char *text, float position[4])
{
    const char *end;

    return coverage_parse_point(text, &end, position) && !*end;
}

/* The option's value and the points that follow, as many as the topology can have; anything else is the next option, or a
 * file. */
static enum option_result take_points(void *settings, const struct option_row *row, const char *value,
                                      struct option_line *line)
{
    struct request *r = settings;
    const struct coverage_shape *shape = &coverage_shapes[row->number];
    struct coverage_primitive primitive = {.topology = (enum coverage_topology)row->number};
    const char *text = value;

    while (text && primitive.corners < shape->most && is_point(text, primitive.position[primitive.corners])) {
        if (primitive.corners++)
            option_next(line);
        text = line->next < line->argc ? line->argv[line->next] : NULL;
    }
    if (primitive.corners < shape->least)
        return text ? option_wrong(line, "--%s: '%s' is not a point (x,y or x,y,z or x,y,z,w)", shape->name, text)
                    : option_wrong(line, "--%s needs %u points", shape->name, shape->least);
    line->status = add_primitive(&r->primitives, &primitive);
    return line->status == TOOL_OK ? OPTION_OK : OPTION_FAILED;
}

static enum option_result take_viewport(void *settings, const struct option_row *row, const char *value,
                                        struct option_line *line)
{
    struct coverage_settings *s = &((struct request *)settings)->settings;
    char *end;
    unsigned long width = strtoul(value, &end, 10), height = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;

    if (*end || !width || !height || width > RASTER_MAX_SIZE || height > RASTER_MAX_SIZE)
        return option_wrong(line, "--%s takes WIDTHxHEIGHT, 1 to %d each", row->name, RASTER_MAX_SIZE);
    s->width = (unsigned)width;
    s->height = (unsigned)height;
    return OPTION_OK;
}

static enum option_result take_plane(void *settings, const struct option_row *row, const char *value,
                                     struct option_line *line)
{
    struct coverage_settings *s = &((struct request *)settings)->settings;
    uint32_t *enabled = &s->state.rasterizer.clip_plane_enable;
    unsigned n = ~*enabled ? (unsigned)__builtin_ctz(~*enabled) : CLIP_MAX_PLANES;
    const char *end;

    if (n >= CLIP_MAX_PLANES)
        return option_wrong(line, "there are %d clip planes", CLIP_MAX_PLANES);
    if (!coverage_parse_point(value, &end, s->plane[n]) || *end)
        return option_wrong(line, "--%s: '%s' is not A,B,C,D", row->name, value);
    *enabled |= 1u << n;
    return OPTION_OK;
}

static enum option_result take_state(void *settings, const struct option_row *row, const char *value,
                                     struct option_line *line)
{
    struct coverage_settings *s = &((struct request *)settings)->settings;

    if (strcmp(value, "help") == 0) {
        coverage_state_list(stdout);
        return OPTION_DONE;
    }
    const char *wrong = coverage_state_set(&s->state, value);

    return wrong ? option_wrong(line, "--%s %s: %s", row->name, value, wrong) : OPTION_OK;
}

/* The fill mode is solid in conservative mode, as CreateRasterizerState2 demands. */
static int coverage_check(const struct request *r)
{
    const struct coverage_settings *s = &r->settings;
    const struct raster_state *rs = &s->state.rasterizer;
    bool conservative = s->conservative || rs->conservative_raster_mode != RASTER_CONSERVATIVE_OFF;

    if (!s->width)
        return tool_usage(&verb_coverage, "--viewport is needed");
    if (r->png && tool_check_picture(&verb_coverage, r->png) != TOOL_OK)
        return TOOL_ERROR;
    if (r->png && strcmp(r->png, "-") == 0 && r->json)
        return tool_usage(&verb_coverage, "--json and --png - both write to standard output");
    if (!r->stdin_lines && !r->primitives.count)
        return tool_usage(&verb_coverage, "nothing to draw");
    if (rs->clip_plane_enable >> CLIP_MAX_PLANES)
        return tool_usage(&verb_coverage, "there are %d clip planes", CLIP_MAX_PLANES);
    if (rs->clip_plane_enable && s->space != COVERAGE_CLIP)
        return tool_usage(&verb_coverage, "clip planes need --space clip");
    if (s->inner && (!conservative || s->tier < 3))
        return tool_usage(&verb_coverage, "--inner needs --mode conservative and tier 3");
    if (conservative && (rs->fill_front != RASTER_FILL_SOLID || rs->fill_back != RASTER_FILL_SOLID))
        return tool_usage(&verb_coverage, "conservative rasterization fills: fill modes must be solid");
    return TOOL_OK;
}

/* --- files and streams ---------------------------------------------------------------------------- */

static int bad_line(const char *file, unsigned long line)
{
    tool_say(&verb_coverage, "%s:%lu: malformed line", file, line);
    return TOOL_DAMAGED;
}

static int coverage_read_file(struct request *r, const char *path)
{
    const bool from_stdin = strcmp(path, "-") == 0;
    struct coverage_reader reader = {.file = from_stdin ? stdin : fopen(path, "r")};
    struct coverage_primitive primitive;
    enum coverage_read found;
    int status = TOOL_OK;

    if (!reader.file)
        return tool_fail(&verb_coverage, "%s: %s", path, strerror(errno));
    while (!status && (found = coverage_read(&reader, &primitive)) != COVERAGE_READ_END)
        status = found == COVERAGE_READ_PRIMITIVE ? add_primitive(&r->primitives, &primitive)
                                                  : bad_line(tool_input_name(path), reader.line);
    if (!status && ferror(reader.file))
        status = tool_fail(&verb_coverage, "%s: %s", tool_input_name(path), strerror(errno));
    if (!from_stdin)
        fclose(reader.file);
    if (!status && r->png)
        status = tool_check_output(&verb_coverage, r->png, path);
    return status;
}

/* The reader may wait for an answer before its next question, so each answer is flushed; malformed lines get one
 * too. */
static int answer_lines(struct coverage_canvas *canvas)
{
    struct coverage_reader reader = {.file = stdin};
    struct coverage_primitive primitive;
    enum coverage_read found;
    int status = TOOL_OK;
    bool done;

    while ((found = coverage_read(&reader, &primitive)) != COVERAGE_READ_END) {
        if (found == COVERAGE_READ_MALFORMED) {
            status = bad_line("standard input", reader.line);
            done = coverage_json_malformed(stdout, reader.line);
        } else {
            coverage_clear(canvas);
            coverage_draw(canvas, &primitive);
            raster_flush(canvas->raster);
            done = coverage_json(stdout, canvas);
        }
        if (!done)
            return tool_fail(&verb_coverage, "out of memory");
        if (fflush(stdout))
            return tool_fail(&verb_coverage, "cannot write the answer: %s", strerror(errno));
    }
    return ferror(stdin) ? tool_fail(&verb_coverage, "cannot read standard input") : status;
}

static int coverage_report(const struct request *r, struct coverage_canvas *canvas)
{
    char why[200];

    coverage_clear(canvas);
    for (unsigned i = 0; i < r->primitives.count; i++)
        coverage_draw(canvas, &r->primitives.list[i]);
    raster_flush(canvas->raster);
    if (r->png &&
        !coverage_png(canvas, r->primitives.list, r->primitives.count, (unsigned)r->zoom, r->png, why, sizeof(why)))
        return tool_fail(&verb_coverage, "%s: %s", tool_output_name(r->png), why);
    if (r->json && !coverage_json(stdout, canvas))
        return tool_fail(&verb_coverage, "out of memory");
    if (!r->json && !r->png)
        coverage_ascii(stdout, canvas);
    return TOOL_OK;
}

/* --- the verb ------------------------------------------------------------------------------------- */

static enum option_result take_file(void *settings, const char *word, struct option_line *line)
{
    line->status = coverage_read_file(settings, word);
    return line->status == TOOL_OK ? OPTION_OK : OPTION_FAILED;
}

static void coverage_prepare(void *settings)
{
    struct request *r = settings;

    coverage_settings_init(&r->settings);
    r->cull = -1;
    r->tier = r->settings.tier - 1;
    r->gain = (long)r->settings.gain;
    r->vertex_size = (long)r->settings.vertex_size;
}

static int coverage_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;
    struct coverage_canvas *canvas;
    int status;

    (void)operands;
    (void)count;
    if (r->cull >= 0)
        r->settings.state.rasterizer.cull_mode = (enum raster_cull)r->cull;
    r->settings.conservative = r->mode == 1;
    r->settings.tier = r->tier + 1;
    r->settings.samples = 1u << r->samples;
    r->settings.gain = (unsigned)r->gain;
    r->settings.vertex_size = (float)r->vertex_size;
    status = coverage_check(r);
    if (status != TOOL_OK)
        return status;
    canvas = mem_calloc(1, sizeof(*canvas));
    if (!canvas || !coverage_canvas_create(canvas, &r->settings)) {
        free(canvas);
        return tool_fail(&verb_coverage, "out of memory");
    }
    status = r->stdin_lines ? answer_lines(canvas) : coverage_report(r, canvas);
    coverage_canvas_destroy(canvas);
    free(canvas);
    return status;
}

static void coverage_release(void *settings)
{
    free(((struct request *)settings)->primitives.list);
}

#define SHAPE(name, topology, points, text)                                                                 \
    {                                                                                                       \
        name, 0, OPTION_CALL, .take = take_points, .argument = points, .repeats = true, .number = topology, \
                              .help = text                                                                  \
    }

static const struct option_row options[] = {
    {"viewport", 0, OPTION_CALL, .take = take_viewport, .argument = "WxH",
     .help = "size of viewport and target, 1 to 8192 each"},
    {"space", 0, SETS_CHOICE(struct request, settings.space), .argument = "SPACE", .choices = "ndc|pixel|clip",
     .help = "coordinates of points: ndc (default), pixel, or clip (divided by w, and clipped)"},
    {"mode", 0, SETS_CHOICE(struct request, mode), .argument = "MODE", .choices = "standard|conservative",
     .help = "rasterization: standard (default) or conservative"},
    {"tier", 0, SETS_CHOICE(struct request, tier), .argument = "TIER", .choices = "1|2|3",
     .help = "tier of conservative rasterization, 1, 2 or 3 (default)"},
    {"inner", 0, SETS_BOOL(struct request, settings.inner), .help = "show inner coverage too (conservative, tier 3)"},
    {"samples", 0, SETS_CHOICE(struct request, samples), .argument = "N", .choices = "1|2|4|8|16",
     .help = "samples of a pixel: 1 (default), 2, 4, 8 or 16"},
    {"cull", 0, SETS_CHOICE(struct request, cull), .argument = "FACES", .choices = "none|front|back|both",
     .help = "faces that are culled: none (default), front, back or both"},
    {"clip-plane", 0, OPTION_CALL, .take = take_plane, .argument = "A,B,C,D", .repeats = true,
     .help = "define and enable one more of eight user planes (needs --space clip)"},
    {"state", 0, OPTION_CALL, .take = take_state, .argument = "KEY=VALUE", .repeats = true,
     .help = "set any field of the rasterizer state; --state help lists all fields"},
    {"json", 0, SETS_BOOL(struct request, json), .help = "print one JSON object (docs/json.md) instead of text"},
    {"png", 0, SETS_TEXT(struct request, png), .argument = "FILE", .value = VALUE_FILE,
     .help = "write a picture; - is standard output"},
    {"zoom", 0, SETS_NUMBER(struct request, zoom), .argument = "N", .low = 1, .high = 256,
     .help = "pixels of the picture for each cell"},
    {"show", 0, SETS_CHOICE(struct request, settings.show), .argument = "WHAT", .choices = "coverage|color|depth",
     .help = "what the colours of cells stand for: coverage (default), color or depth; the JSON gets a list of "
             "colours, or of depths as a depth buffer holds them"},
    {"gain", 0, SETS_NUMBER(struct request, gain), .argument = "N", .low = 1, .high = 16,
     .help = "make corners N times as bright, and show them darker by the same factor"},
    {"vertex-size", 0, SETS_NUMBER(struct request, vertex_size), .argument = "N", .low = 1, .high = 256,
     .help = "size of the points themselves, for point_size_per_vertex"},
    {"stdin", 0, SETS_BOOL(struct request, stdin_lines),
     .help = "read primitives from standard input, as in a FILE; each line is answered at once, with a JSON object on "
             "one line"},
    SHAPE("point", COVERAGE_POINT, "POINT", "draw a point"),
    SHAPE("line", COVERAGE_LINE, "POINT POINT", "draw a line"),
    SHAPE("tri", COVERAGE_TRI, "POINT POINT POINT", "draw a triangle"),
    SHAPE("line-strip", COVERAGE_LINE_STRIP, "POINT...", "draw a strip of lines through up to 16 points"),
    SHAPE("tri-strip", COVERAGE_TRI_STRIP, "POINT...", "draw a strip of triangles with up to 16 points"),
    SHAPE("fan", COVERAGE_FAN, "POINT...", "draw a fan of triangles with up to 16 points"),
    SHAPE("quad", COVERAGE_QUAD, "POINT POINT POINT POINT", "draw a quadrilateral"),
    SHAPE("polygon", COVERAGE_POLYGON, "POINT...", "draw a polygon with up to 16 points"),
    {0},
};

static const struct option_operand operands[] = {{"FILE", .value = VALUE_FILE, .optional = true, .repeats = true}, {0}};

const struct tool_verb verb_coverage = {
    .syntax =
        {
            .name = "coverage",
            .summary = "show which pixels a primitive covers, as text, JSON or a picture",
            .usage = "--viewport WxH [OPTION...] PRIMITIVE... [FILE]\n"
                     "--viewport WxH [OPTION...] --stdin",
            .about = "Draws primitives and shows what they cover: '.' nothing, '#' covered, '@' inner, or with "
                     "--samples how many samples (1 to 9, a to g).\n"
                     "\n"
                     "Primitives are given by options, or in a FILE: one on each line, as three, two or one POINT, or "
                     "as the name of a topology and its points (fan POINT...); '#' begins a comment, and - is standard "
                     "input. A POINT is x,y or x,y,z or x,y,z,w.",
            .options = options,
            .notes = "Pixel centres are half-integer (Direct3D 10); --state half_pixel_center=0 is for Direct3D 9.\n"
                     "\n"
                     "A malformed line is reported on standard error. In a FILE it ends the command; on standard input "
                     "its answer has \"line\" and \"error\", and the next line is read. The exit status is then 1. "
                     "Blank lines and comments have no answer.",
            .examples = "dp2 coverage --viewport 2x2 --mode conservative --tri -1,0 1,0 0,0.5\n"
                        "dp2 coverage --viewport 8x8 --space pixel --samples 4 --tri 1,1 7,2 3,7\n"
                        "dp2 coverage --viewport 8x8 --space pixel --state line_width=3 --line 1,1 7,5\n"
                        "printf '1,1 7,2 3,7\\n' | dp2 coverage --viewport 8x8 --space pixel --stdin",
            .operands = operands,
            .operand = take_file,
        },
    .size = sizeof(struct request),
    .run = coverage_verb,
    .prepare = coverage_prepare,
    .release = coverage_release,
};
