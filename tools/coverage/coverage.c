/* SPDX-License-Identifier: MIT */
/* dp2 coverage: which pixels, samples and insides a primitive covers. */
#include "tools/coverage/coverage.h"
#include "tools/tool.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dp2 coverage --viewport WxH [OPTION...] PRIMITIVE... [FILE]\n"
    "       dp2 coverage --viewport WxH [OPTION...] --stdin\n"
    "\n"
    "Draws primitives and shows what they cover: '.' nothing, '#' covered, '@' inner,\n"
    "or how many samples (1..9, a..g) with --samples.\n"
    "\n"
    "primitives (a POINT is x,y or x,y,z or x,y,z,w):\n"
    "  --tri POINT POINT POINT   --line POINT POINT   --point POINT\n"
    "  --line-strip POINT...     --tri-strip POINT...     --fan POINT...   up to 16 points\n"
    "  --quad POINT POINT POINT POINT                     --polygon POINT...\n"
    "  FILE                      one primitive per line: three, two or one POINT, or the name of\n"
    "                            a topology and its points (fan POINT...); '#' begins a comment;\n"
    "                            - is standard input\n"
    "\n"
    "options:\n"
    "  --viewport WxH            size of viewport and target, 1..8192 each\n"
    "  --space ndc|pixel|clip    what points are in (default ndc; clip: divided by w, clipped)\n"
    "  --mode standard|conservative   (default standard)\n"
    "  --tier 1|2|3              of conservative rasterization (default 3)\n"
    "  --inner                   inner coverage too (conservative, tier 3)\n"
    "  --samples N               1, 2, 4, 8 or 16 (default 1)\n"
    "  --cull none|front|back|both    (default none)\n"
    "  --clip-plane A,B,C,D      one more of eight user planes, and enables it (--space clip)\n"
    "  --state KEY=VALUE         any field of the rasterizer state; --state help lists them\n"
    "  --json                    one JSON object (docs/json.md); --png FILE a picture\n"
    "                            (--zoom N: pixels per cell), - is standard output\n"
    "  --show coverage|color|depth    what the colours of cells stand for; the JSON has\n"
    "                            a list of colours, or of depths as a depth buffer holds them\n"
    "  --gain N                  corners are N times as bright, and shown darker by as much (1..16)\n"
    "  --vertex-size N           size of the points themselves, for point_size_per_vertex (1..256)\n"
    "  --stdin                   primitives from standard input, as in a FILE; each line is\n"
    "                            answered at once, with a JSON object on a line\n"
    "\n"
    "Pixel centres are half-integer (Direct3D 10); --state half_pixel_center=0 for Direct3D 9.\n"
    "A malformed line is reported on standard error; in a FILE it ends the command, on standard\n"
    "input its answer has \"line\" and \"error\", and the next one is read. Exit status 1 if there\n"
    "was one. Blank lines and comments have no answer.\n"
    "\n"
    "examples:\n"
    "  dp2 coverage --viewport 2x2 --mode conservative --tri -1,0 1,0 0,0.5\n"
    "  dp2 coverage --viewport 8x8 --space pixel --samples 4 --tri 1,1 7,2 3,7\n"
    "  dp2 coverage --viewport 8x8 --space pixel --state line_width=3 --line 1,1 7,5\n"
    "  dp2 coverage --viewport 8x8 --space pixel --show depth --json --tri 1,1,0 7,2,.5 3,7,1\n"
    "  printf '1,1 7,2 3,7\\n2,2 6,5\\n' | dp2 coverage --viewport 8x8 --space pixel --stdin\n";

struct primitives {
    struct coverage_primitive *list;
    unsigned count, capacity;
};

struct request {
    struct coverage_settings settings;
    struct primitives primitives;
    const char *png;
    long zoom;
    bool json, stdin_lines;
};

enum option_number {
    OPTION_HELP = 'h',
    OPTION_VIEWPORT = 256,
    OPTION_SPACE,
    OPTION_MODE,
    OPTION_TIER,
    OPTION_INNER,
    OPTION_SAMPLES,
    OPTION_CULL,
    OPTION_PLANE,
    OPTION_STATE,
    OPTION_JSON,
    OPTION_PNG,
    OPTION_ZOOM,
    OPTION_SHOW,
    OPTION_GAIN,
    OPTION_VERTEX_SIZE,
    OPTION_STDIN,
    OPTION_SHAPE, /* followed by those of the other topologies */
};

static const struct option options[] = {
    {"help", no_argument, NULL, OPTION_HELP},
    {"viewport", required_argument, NULL, OPTION_VIEWPORT},
    {"space", required_argument, NULL, OPTION_SPACE},
    {"mode", required_argument, NULL, OPTION_MODE},
    {"tier", required_argument, NULL, OPTION_TIER},
    {"inner", no_argument, NULL, OPTION_INNER},
    {"samples", required_argument, NULL, OPTION_SAMPLES},
    {"cull", required_argument, NULL, OPTION_CULL},
    {"clip-plane", required_argument, NULL, OPTION_PLANE},
    {"state", required_argument, NULL, OPTION_STATE},
    {"json", no_argument, NULL, OPTION_JSON},
    {"png", required_argument, NULL, OPTION_PNG},
    {"zoom", required_argument, NULL, OPTION_ZOOM},
    {"show", required_argument, NULL, OPTION_SHOW},
    {"gain", required_argument, NULL, OPTION_GAIN},
    {"vertex-size", required_argument, NULL, OPTION_VERTEX_SIZE},
    {"stdin", no_argument, NULL, OPTION_STDIN},
    {"point", required_argument, NULL, OPTION_SHAPE + COVERAGE_POINT},
    {"line", required_argument, NULL, OPTION_SHAPE + COVERAGE_LINE},
    {"tri", required_argument, NULL, OPTION_SHAPE + COVERAGE_TRI},
    {"line-strip", required_argument, NULL, OPTION_SHAPE + COVERAGE_LINE_STRIP},
    {"tri-strip", required_argument, NULL, OPTION_SHAPE + COVERAGE_TRI_STRIP},
    {"fan", required_argument, NULL, OPTION_SHAPE + COVERAGE_FAN},
    {"quad", required_argument, NULL, OPTION_SHAPE + COVERAGE_QUAD},
    {"polygon", required_argument, NULL, OPTION_SHAPE + COVERAGE_POLYGON},
    {NULL, 0, NULL, 0},
};

/* --- the command line --------------------------------------------------------------------------- */

static int add_primitive(struct primitives *p, const struct coverage_primitive *primitive)
{
    if (p->count == p->capacity) {
        unsigned capacity = p->capacity ? 2 * p->capacity : 16;
        struct coverage_primitive *list = realloc(p->list, capacity * sizeof(*list));

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

/* The option's argument and the points that follow, as many as the topology can have. */
static int take_points(struct request *r, enum coverage_topology topology, int argc, char **argv)
{
    const struct coverage_shape *shape = &coverage_shapes[topology];
    struct coverage_primitive primitive = {.topology = topology};
    const char *text = optarg;

    while (is_point(text, primitive.position[primitive.corners])) {
        if (++primitive.corners == shape->most || optind == argc)
            return primitive.corners >= shape->least
                       ? add_primitive(&r->primitives, &primitive)
                       : tool_usage(&verb_coverage, "--%s needs %u points", shape->name, shape->least);
        text = argv[optind++];
    }
    if (primitive.corners >= shape->least) { /* anything but a point is the next option, or a file */
        optind--;
        return add_primitive(&r->primitives, &primitive);
    }
    return tool_usage(&verb_coverage, "--%s: '%s' is not a point (x,y or x,y,z or x,y,z,w)", shape->name, text);
}

static int take_viewport(struct coverage_settings *s)
{
    char *end;
    unsigned long width = strtoul(optarg, &end, 10), height = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;

    if (*end || !width || !height || width > RASTER_MAX_SIZE || height > RASTER_MAX_SIZE)
        return tool_usage(&verb_coverage, "--viewport takes WIDTHxHEIGHT, 1 to %d each", RASTER_MAX_SIZE);
    s->width = (unsigned)width;
    s->height = (unsigned)height;
    return TOOL_OK;
}

/* Index of the option's argument among the words (separated by '|'). */
static int take_word(const char *name, const char *words, int *value)
{
    size_t length = strlen(optarg);

    *value = 0;
    for (const char *w = words; *w; (*value)++) {
        size_t n = strcspn(w, "|");

        if (n == length && strncmp(w, optarg, n) == 0)
            return TOOL_OK;
        w += n + (w[n] == '|');
    }
    return tool_usage(&verb_coverage, "--%s takes %s, not '%s'", name, words, optarg);
}

static int take_plane(struct coverage_settings *s)
{
    uint32_t *enabled = &s->state.rasterizer.clip_plane_enable;
    unsigned n = ~*enabled ? (unsigned)__builtin_ctz(~*enabled) : CLIP_MAX_PLANES;
    const char *end;

    if (n >= CLIP_MAX_PLANES)
        return tool_usage(&verb_coverage, "there are %d clip planes", CLIP_MAX_PLANES);
    if (!coverage_parse_point(optarg, &end, s->plane[n]) || *end)
        return tool_usage(&verb_coverage, "--clip-plane: '%s' is not A,B,C,D", optarg);
    *enabled |= 1u << n;
    return TOOL_OK;
}

static int take_state(struct coverage_settings *s)
{
    if (strcmp(optarg, "help") == 0) {
        coverage_state_list(stdout);
        return -1;
    }
    const char *wrong = coverage_state_set(&s->state, optarg);

    return wrong ? tool_usage(&verb_coverage, "--state %s: %s", optarg, wrong) : TOOL_OK;
}

static int take_number(const char *name, long low, long high, long *value)
{
    if (!parse_number(optarg, low, high, value))
        return tool_usage(&verb_coverage, "--%s takes a number from %ld to %ld, not '%s'", name, low, high, optarg);
    return TOOL_OK;
}

static int take_setting(struct coverage_settings *s, int option, const char *name)
{
    int status, word = 0;
    long number = 0;

    switch (option) {
    case OPTION_VIEWPORT:
        return take_viewport(s);
    case OPTION_SPACE:
        status = take_word(name, "ndc|pixel|clip", &word);
        s->space = (enum coverage_space)word;
        return status;
    case OPTION_MODE:
        status = take_word(name, "standard|conservative", &word);
        s->conservative = word;
        return status;
    case OPTION_TIER:
        status = take_number(name, 1, 3, &number);
        s->tier = (int)number;
        return status;
    case OPTION_SAMPLES:
        status = take_number(name, 1, RASTER_MAX_SAMPLES, &number);
        s->samples = (unsigned)number;
        if (!status && number & (number - 1))
            return tool_usage(&verb_coverage, "--samples takes 1, 2, 4, 8 or 16");
        return status;
    case OPTION_CULL:
        status = take_word(name, "none|front|back|both", &word);
        s->state.rasterizer.cull_mode = (enum raster_cull)word;
        return status;
    case OPTION_SHOW:
        status = take_word(name, "coverage|color|depth", &word);
        s->show = (enum coverage_show)word;
        return status;
    case OPTION_GAIN:
        status = take_number(name, 1, 16, &number);
        s->gain = (unsigned)number;
        return status;
    case OPTION_VERTEX_SIZE:
        status = take_number(name, 1, 256, &number);
        s->vertex_size = (float)number;
        return status;
    case OPTION_PLANE:
        return take_plane(s);
    default:
        return take_state(s);
    }
}

static int coverage_take_option(struct request *r, int option, int index, int argc, char **argv)
{
    switch (option) {
    case OPTION_HELP:
        fputs(help, stdout);
        return -1;
    case OPTION_INNER:
        r->settings.inner = true;
        return TOOL_OK;
    case OPTION_JSON:
        r->json = true;
        return TOOL_OK;
    case OPTION_STDIN:
        r->stdin_lines = true;
        return TOOL_OK;
    case OPTION_PNG:
        r->png = optarg;
        return TOOL_OK;
    case OPTION_ZOOM:
        return take_number("zoom", 1, 256, &r->zoom);
    default:
        if (option >= OPTION_SHAPE)
            return take_points(r, (enum coverage_topology)(option - OPTION_SHAPE), argc, argv);
        return option == '?' ? tool_bad_option(&verb_coverage)
                             : take_setting(&r->settings, option, options[index].name);
    }
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

static int coverage_run(int argc, char **argv)
{
    struct request r = {.zoom = 0};
    struct coverage_canvas *canvas = NULL;
    int status = TOOL_OK, option, index = 0;

    coverage_settings_init(&r.settings);
    optind = 1;
    while (!status && optind < argc) {
        /* '+': in order, so that points may follow --tri */
        option = tool_option(&verb_coverage, argc, argv, "+h", options, &index);
        if (option == -1)
            status = optind < argc ? coverage_read_file(&r, argv[optind++]) : TOOL_OK;
        else
            status = coverage_take_option(&r, option, index, argc, argv);
    }
    if (!status)
        status = coverage_check(&r);
    if (!status) {
        canvas = calloc(1, sizeof(*canvas));
        if (!canvas || !coverage_canvas_create(canvas, &r.settings))
            status = tool_fail(&verb_coverage, "out of memory");
        else {
            status = r.stdin_lines ? answer_lines(canvas) : coverage_report(&r, canvas);
            coverage_canvas_destroy(canvas);
        }
    }
    free(canvas);
    free(r.primitives.list);
    return status < 0 ? TOOL_OK : status;
}

const struct tool_verb verb_coverage = {
    .name = "coverage",
    .summary = "show which pixels a primitive covers, as text, JSON or a picture",
    .help = help,
    .run = coverage_run,
};
