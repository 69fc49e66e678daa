/* SPDX-License-Identifier: MIT */
/* dp2 shot: pictures of a draw. */
#include "replay/picture.h"
#include "tools/inspect/inspect.h"
#include "tools/verbs/replay.h"

#include "base/base.h"
#include "inspect/json/json.h"
#include "inspect/picture/shot.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dp2 shot FILE FRAME.DRAW [OPTION...]\n"
    "\n"
    "Shows the render target of a capture after a draw, or what the draw did to it.\n"
    "'dp2 draws' lists the names of draws; FRAME:CALL:OFFSET is one too.\n"
    "\n"
    "  -o, --output FILE   write the picture as PNG; - is standard output\n"
    "      --show WHAT     color (default, or depth of what has no color), before (the draw), alpha;\n"
    "                      depth and stencil, fitted to what is there; touched: what the draw\n"
    "                      changed, the rest dark, covered but unchanged red; overdraw: fragments\n"
    "                      tested up to this draw; quad-overdraw: quads shaded; wireframe: culled\n"
    "                      sides red; depth-fail: green passed, red failed stencil, depth or alpha\n"
    "                      test, yellow killed; mip: level of the first texture read, from 0 blue\n"
    "                      to the coarse red; triangle-size: red up to 1 pixel, orange 4, yellow 16,\n"
    "                      green 64, blue more; coverage: pixels whose center is covered white,\n"
    "                      those that the primitives only touch orange\n"
    "      --depth-range A:B\n"
    "                      the depths that are black and white; by default the least and greatest\n"
    "      --json          what is printed as JSON (docs/json.md); excludes -o -\n"
    "\n"
    "Prints the surface, its size, the hash of the picture and, by the kind of picture, what is\n"
    "black and white, the greatest count or level, and how many pixels are marked.\n"
    "\n"
    "examples:\n"
    "  dp2 shot game.capture 2.1 -o after.png\n"
    "  dp2 shot game.capture 2.1 --show touched -o touched.png\n"
    "  dp2 shot game.capture 2.1 --show depth-fail --json\n";

struct request {
    struct inspection inspection;
    const char *name, *output;
    enum inspect_show show;
    struct player_depths depths;
    bool has_show, has_depths, as_json;
    struct inspect_place place;
    struct inspect_shot shot;
};

static bool has_marks(enum inspect_show show)
{
    return show >= INSPECT_SHOW_TOUCHED;
}

static bool has_most(enum inspect_show show)
{
    return show == INSPECT_SHOW_STENCIL || show == INSPECT_SHOW_OVERDRAW || show == INSPECT_SHOW_QUADS ||
           show == INSPECT_SHOW_MIP;
}

static bool has_mean(enum inspect_show show)
{
    return show == INSPECT_SHOW_OVERDRAW || show == INSPECT_SHOW_QUADS;
}

static void print_shot(const struct request *r)
{
    const struct inspect_shot *shot = &r->shot;
    FILE *told = r->output && strcmp(r->output, "-") == 0 ? stderr : stdout;

    fprintf(told, "%s #%" PRIu32 " %ux%u %016" PRIx64, inspect_show_name(r->show), shot->surface, shot->picture.width,
            shot->picture.height, picture_hash(&shot->picture));
    if (r->show == INSPECT_SHOW_DEPTH)
        fprintf(told, " black %.9g white %.9g", (double)shot->depths.least, (double)shot->depths.greatest);
    if (has_most(r->show))
        fprintf(told, " most %" PRIu32, shot->most);
    if (has_mean(r->show))
        fprintf(told, " mean %.2f", shot->mean);
    if (has_marks(r->show))
        fprintf(told, " marked %" PRIu64, shot->marked);
    fprintf(told, "\n");
}

static int put_shot(const struct request *r)
{
    const struct inspect_shot *shot = &r->shot;
    struct json_writer json;

    json_begin(&json, stdout, "dp2-shot", false);
    json_put_text(&json, "file", r->inspection.path);
    inspect_put_place(&json, "draw", &r->place);
    json_put_text(&json, "show", inspect_show_name(r->show));
    json_put_number(&json, "surface", shot->surface);
    json_put_number(&json, "width", shot->picture.width);
    json_put_number(&json, "height", shot->picture.height);
    json_put_hash(&json, "hash", picture_hash(&shot->picture));
    if (r->show == INSPECT_SHOW_DEPTH) {
        json_put_float(&json, "black", shot->depths.least);
        json_put_float(&json, "white", shot->depths.greatest);
    }
    if (has_most(r->show))
        json_put_number(&json, "most", shot->most);
    if (has_mean(r->show))
        json_put_real(&json, "mean", shot->mean);
    if (has_marks(r->show))
        json_put_number(&json, "marked", shot->marked);
    if (r->output)
        json_put_text(&json, "output", r->output);
    return json_end(&json) ? TOOL_OK : tool_fail(&verb_shot, "out of memory");
}

/* The picture that is requested; by default the colours, or the depth of a shadow map, which has no colours. */
static bool shoot_show(struct request *r, struct capture_error *error)
{
    struct inspect *session = r->inspection.session;
    const struct player_depths *depths = r->has_depths ? &r->depths : NULL;

    if (inspect_shoot(session, r->place.draw, r->show, depths, &r->shot, error))
        return true;
    if (r->has_show)
        return false;
    r->show = INSPECT_SHOW_DEPTH;
    return inspect_shoot(session, r->place.draw, r->show, depths, &r->shot, error);
}

static int shoot(void *user)
{
    struct request *r = user;
    struct capture_error error = {0};
    char why[128];
    int status = inspection_find(&r->inspection, r->name, &r->place);

    if (status != TOOL_OK)
        return status;
    if (!shoot_show(r, &error))
        return inspection_fail(&r->inspection, &error);
    if (r->output && !picture_write_png(&r->shot.picture, r->output, why, sizeof(why)))
        status = tool_fail(&verb_shot, "%s: %s", tool_output_name(r->output), why);
    else if (r->as_json)
        status = put_shot(r);
    else
        print_shot(r);
    free(r->shot.picture.pixels);
    return status;
}

static int shot_verb(int argc, char **argv)
{
    enum { OPT_SHOW = 256, OPT_RANGE, OPT_JSON };
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"show", required_argument, NULL, OPT_SHOW},
        {"depth-range", required_argument, NULL, OPT_RANGE},
        {"json", no_argument, NULL, OPT_JSON},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct request r = {0};
    int option;

    while ((option = tool_option(&verb_shot, argc, argv, "o:h", options, NULL)) != -1) {
        switch (option) {
        case 'o':
            r.output = optarg;
            break;
        case OPT_SHOW:
            if (!inspect_parse_show(&r.show, optarg))
                return inspection_no_show(&verb_shot, optarg);
            r.has_show = true;
            break;
        case OPT_RANGE:
            if (!replay_parse_depths(&r.depths, optarg))
                return tool_usage(&verb_shot, "'%s' is not a range of depths, A:B", optarg);
            r.has_depths = true;
            break;
        case OPT_JSON:
            r.as_json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_bad_option(&verb_shot);
        }
    }
    if (tool_operands(&verb_shot, argc, argv, 2, "a capture and a draw, FRAME.DRAW") != TOOL_OK)
        return TOOL_ERROR;
    if (r.as_json && r.output && strcmp(r.output, "-") == 0)
        return tool_usage(&verb_shot, "--json and --output - both write to standard output");
    if (r.output && (tool_check_output(&verb_shot, r.output, argv[optind]) != TOOL_OK ||
                     tool_check_picture(&verb_shot, r.output) != TOOL_OK))
        return TOOL_ERROR;
    r.name = argv[optind + 1];
    return inspection_ask(&r.inspection, &verb_shot, argv[optind], shoot, &r);
}

const struct tool_verb verb_shot = {"shot", "show the target after a draw, or what the draw did", help, shot_verb};
