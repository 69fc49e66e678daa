/* SPDX-License-Identifier: MIT */
/* dp2 shot: pictures of a draw. */
#include "replay/picture.h"
#include "tools/debug/inspection.h"
#include "tools/playback/replay.h"

#include "base/base.h"
#include "inspect/json/json.h"
#include "inspect/picture/shot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct inspection inspection;
    const char *name, *output;
    int given_show; /* enum inspect_show; -1: not given */
    enum inspect_show show;
    struct player_depths depths;
    struct inspect_shot_of of;
    long target, surface, width;
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
    json_put_bool(&json, "before", r->of.before || r->show == INSPECT_SHOW_BEFORE);
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
    struct capture_error second = {0}; /* of a surface the first error tells more */

    r->of.depths = r->has_depths ? &r->depths : NULL;
    if (inspect_shoot_of(session, r->place.draw, r->show, &r->of, &r->shot, error))
        return true;
    if (r->has_show || r->of.target || inspect_lacks_memory(error))
        return false;
    r->show = INSPECT_SHOW_DEPTH;
    return inspect_shoot_of(session, r->place.draw, r->show, &r->of, &r->shot, r->of.surface ? &second : error);
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
    if (r->width && !picture_shrink(&r->shot.picture, (unsigned)r->width)) {
        free(r->shot.picture.pixels);
        return tool_fail(&verb_shot, "out of memory");
    }
    if (r->output && !picture_write_png(&r->shot.picture, r->output, why, sizeof(why)))
        status = tool_fail(&verb_shot, "%s: %s", tool_output_name(r->output), why);
    else if (r->as_json)
        status = put_shot(r);
    else
        print_shot(r);
    free(r->shot.picture.pixels);
    return status;
}

static enum option_result take_depths(void *settings, const struct option_row *row, const char *value,
                                      struct option_line *line)
{
    struct request *r = settings;

    (void)row;
    r->has_depths = true;
    return replay_parse_depths(&r->depths, value) ? OPTION_OK
                                                  : option_wrong(line, "'%s' is not a range of depths, A:B", value);
}

static int shot_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;

    (void)count;
    r->has_show = r->given_show >= 0;
    if (r->has_show)
        r->show = (enum inspect_show)r->given_show;
    r->of.target = (unsigned)r->target;
    r->of.surface = (uint32_t)r->surface;
    if (r->target && r->surface)
        return tool_usage(&verb_shot, "--target and --surface both say which surface");
    if (r->target && (r->show == INSPECT_SHOW_DEPTH || r->show == INSPECT_SHOW_STENCIL))
        return tool_usage(&verb_shot, "--target is a color target, which has no %s", inspect_show_name(r->show));
    if (r->of.before && r->show >= INSPECT_SHOW_TOUCHED)
        return tool_usage(&verb_shot, "--before is for color, alpha, depth and stencil");
    if (r->as_json && r->output && strcmp(r->output, "-") == 0)
        return tool_usage(&verb_shot, "--json and --output - both write to standard output");
    if (r->output && (tool_check_output(&verb_shot, r->output, operands[0]) != TOOL_OK ||
                      tool_check_picture(&verb_shot, r->output) != TOOL_OK))
        return TOOL_ERROR;
    r->name = operands[1];
    return inspection_ask(&r->inspection, &verb_shot, operands[0], shoot, r);
}

static const struct option_row options[] = {
    {"output", 'o', SETS_TEXT(struct request, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "write the picture as PNG; - is standard output"},
    {"show", 0, SETS_CHOICE(struct request, given_show), .argument = "WHAT", .choices = INSPECTION_SHOWS,
     .help = "the picture: color (default, or depth where there is no color), before (the draw), alpha; depth and "
             "stencil, scaled to the values that occur; touched: what the draw changed, the rest dark, covered but "
             "unchanged red; overdraw: fragments tested up to this draw; quad-overdraw: quads shaded; wireframe: "
             "culled sides red; depth-fail: green passed, red failed the stencil, depth or alpha test, yellow killed; "
             "mip: level of the first texture read, from 0 blue to coarse red; triangle-size: red up to 1 pixel, "
             "orange 4, yellow 16, green 64, blue more; coverage: white where the center of a pixel is covered, orange "
             "where primitives only touch it"},
    {"depth-range", 0, OPTION_CALL, .take = take_depths, .argument = "A:B",
     .help = "depths that are black and white; by default the least and the greatest"},
    {"target", 't', SETS_NUMBER(struct request, target), .argument = "N", .high = 3, .wrong = "a color target, 0 to 3",
     .help = "color target N of the draw (default: 0)"},
    {"surface", 's', SETS_NUMBER(struct request, surface), .argument = "ID", .low = 1, .high = INT32_MAX,
     .wrong = "the number of a surface",
     .help = "this surface, as 'dp2 draws' and 'dp2 textures' number them, whatever the draw draws to"},
    {"before", 'b', SETS_BOOL(struct request, of.before),
     .help = "as it was before the draw: of color, alpha, depth and stencil"},
    {"width", 'w', SETS_NUMBER(struct request, width), .argument = "N", .low = 1, .high = 32768,
     .wrong = "a width in pixels",
     .help = "a picture at most this wide, each pixel the mean of those that it stands for"},
    {"json", 0, SETS_BOOL(struct request, as_json), .help = "print JSON (docs/json.md) instead of text; excludes -o -"},
    {0},
};

static const struct request defaults = {.given_show = -1};

const struct tool_verb verb_shot = {
    .syntax =
        {
            .name = "shot",
            .summary = "show the target after a draw, or what the draw did",
            .about = "Shows the render target after a draw, or what the draw did to it. 'dp2 draws' lists the names of "
                     "draws; FRAME:CALL:OFFSET is a name too.",
            .options = options,
            .notes = "Prints the surface, its size, the hash of the picture and, depending on the kind of picture, the "
                     "values that are black and white, the greatest count or level, and the number of marked pixels.",
            .examples = "dp2 shot game.capture 2.1 -o after.png\n"
                        "dp2 shot game.capture 2.1 --show touched -o touched.png\n"
                        "dp2 shot game.capture 2.1 --show depth-fail --json",
            .operands = tool_draw,
            .missing = "a capture and a draw, FRAME.DRAW",
        },
    .size = sizeof(struct request),
    .defaults = &defaults,
    .run = shot_verb,
};
