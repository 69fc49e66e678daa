/* SPDX-License-Identifier: MIT */
/* dp2 pixel: the history of a pixel in a frame. */
#include "tools/debug/pixel_history.h"

#include "inspect/json/json.h"
#include "inspect/pixel/pixel.h"

struct request {
    struct inspection inspection;
    unsigned x, y;
    long frame, surface;
    const char *why;
    bool as_json;
    struct json_writer json;
};

static bool put_row(void *user, const struct inspect_pixel_row *row)
{
    struct request *r = user;

    progress_clear();
    inspect_put_pixel_row(&r->json, NULL, row);
    return true;
}

static int put_history(struct request *r, uint32_t only, struct capture_error *error)
{
    struct inspect_pixel initial, final;
    bool done;

    json_begin(&r->json, stdout, "dp2-pixel", false);
    json_put_text(&r->json, "file", r->inspection.path);
    json_put_number(&r->json, "frame", (uint64_t)r->frame);
    json_put_number(&r->json, "x", r->x);
    json_put_number(&r->json, "y", r->y);
    json_stream_list(&r->json, "rows");
    done = inspect_pixel(r->inspection.session, (uint32_t)r->surface, r->x, r->y, only, put_row, r, &initial, &final,
                         error);
    json_close(&r->json);
    if (done) {
        inspect_put_pixel(&r->json, "initial", &initial);
        inspect_put_pixel(&r->json, "final", &final);
    }
    if (!json_end(&r->json))
        return tool_fail(r->inspection.verb, "out of memory");
    return done ? TOOL_OK : inspection_fail(&r->inspection, error);
}

static int answer_pixel(void *user)
{
    struct request *r = user;
    struct capture_error error = {0};
    struct inspect_place place = {(uint32_t)r->frame, UINT32_MAX};
    int status = TOOL_OK;

    if (r->why)
        status = inspection_find(&r->inspection, r->why, &place);
    else if (!inspect_load(r->inspection.session, place.frame, &error))
        status = inspection_fail(&r->inspection, &error);
    if (status != TOOL_OK)
        return status;
    r->frame = place.frame;
    progress_end(&r->inspection.progress);
    return r->as_json ? put_history(r, place.draw, &error)
                      : pixel_print_history(&r->inspection, (uint32_t)r->surface, r->x, r->y, place.draw);
}

static int pixel_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;

    (void)count;
    if (!inspection_parse_pixel(operands[1], &r->x, &r->y))
        return tool_usage(&verb_pixel, "'%s' is not a pixel, X,Y", operands[1]);
    return inspection_ask(&r->inspection, &verb_pixel, operands[0], answer_pixel, r);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_NUMBER(struct request, frame), .argument = "N", .high = CAPTURE_MAX_FRAMES, .wrong = "a frame",
     .help = "the frame (default: 0)"},
    {"surface", 0, SETS_NUMBER(struct request, surface), .argument = "ID", .low = 1, .high = INT32_MAX,
     .wrong = "the number of a surface",
     .help = "a pixel of this surface, as 'dp2 draws' numbers targets; by default of the surface that the frame shows, "
             "followed back through flips"},
    {"why", 0, SETS_TEXT(struct request, why), .argument = "FRAME.DRAW",
     .help = "only this draw; if it did not reach the pixel, print why: its primitive that came closest, and what kept "
             "that primitive away"},
    {"json", 0, SETS_BOOL(struct request, as_json),
     .help = "print JSON (docs/json.md) instead of text, with the values of each sample"},
    {0},
};

static const struct option_operand operands[] = {{"FILE", .value = VALUE_FILE}, {.name = "X,Y"}, {0}};

const struct tool_verb verb_pixel = {
    .syntax =
        {
            .name = "pixel",
            .summary = "print the history of a pixel",
            .about = "Prints the history of a pixel in a frame: every clear, draw and blit that reached it and, for "
                     "draws, each primitive that covers it, with the output of the program, the values before and "
                     "after, and the verdict: culled, scissored, sample-masked, killed, alpha-failed, bounds-failed, "
                     "stencil-failed, depth-failed, write-masked, blended or written.",
            .options = options,
            .examples = "dp2 pixel game.capture 30,20 --frame 2\n"
                        "dp2 pixel game.capture 30,20 --why 2.1\n"
                        "dp2 pixel game.capture 10,10 --frame 2 --surface 1 --json",
            .operands = operands,
            .missing = "a capture and a pixel, X,Y",
        },
    .size = sizeof(struct request),
    .run = pixel_verb,
};
