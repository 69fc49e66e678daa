/* SPDX-License-Identifier: MIT */
/* dp2 pixel: the history of a pixel in a frame. */
#include "tools/inspect/pixel.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/json/json.h"
#include "inspect/pixel/pixel.h"

#include <inttypes.h>

struct request {
    struct inspection inspection;
    unsigned x, y;
    long frame, surface;
    const char *why;
    bool as_json;
    struct json_writer json;
};

static void print_pixel(const struct inspect_pixel *pixel)
{
    if (pixel->has_color) {
        printf(" ");
        for (unsigned i = pixel->bytes; i-- > 0;)
            printf("%02x", pixel->raw[0][i]);
        printf(" (%.4g %.4g %.4g %.4g)", (double)pixel->color[0][0], (double)pixel->color[0][1],
               (double)pixel->color[0][2], (double)pixel->color[0][3]);
    }
    if (pixel->has_depth)
        printf(" z %.9g", (double)pixel->depth[0]);
    if (pixel->has_stencil)
        printf(" s %u", pixel->stencil[0]);
    if (pixel->samples > 1)
        printf(" [sample 0 of %u]", pixel->samples);
    if (!pixel->has_color && !pixel->has_depth)
        printf(" -");
}

static const char *compare_name(unsigned func)
{
    const char *name = dp2_value_name(DP2_KIND_COMPARE, func);

    return name ? name : "?";
}

/* The values that the verdict comes from. */
static void print_reason(const struct inspect_fragment *f)
{
    switch (f->verdict) {
    case INSPECT_KILLED:
        if (f->killed_by)
            printf(" by kill %u of %u", f->killed_by, f->kills);
        break;
    case INSPECT_ALPHA_FAILED:
        printf(": %u is not %s %u", f->alpha, compare_name(f->alpha_func), f->alpha_ref);
        break;
    case INSPECT_DEPTH_FAILED:
        printf(": %.9g is not %s %.9g", (double)f->depth[0], compare_name(f->depth_func), (double)f->before.depth[0]);
        break;
    case INSPECT_STENCIL_FAILED:
        printf(": %u is not %s %u (mask %#x)", f->stencil_ref & f->stencil_mask, compare_name(f->stencil_func),
               f->before.stencil[0] & f->stencil_mask, f->stencil_mask);
        break;
    default:
        break;
    }
}

/* Its effect without the test that it failed, or without the planes. */
static void print_otherwise(enum inspect_otherwise otherwise, uint8_t parts)
{
    const char *before = " ";

    printf("(without that %s", inspect_otherwise_text(otherwise));
    for (unsigned i = 0; i < INSPECT_PARTS; i++)
        if (otherwise == INSPECT_CHANGES && parts >> i & 1) {
            printf("%s%s", before, inspect_part_name(i));
            before = ", ";
        }
    printf(")");
}

static void print_fragment(const struct inspect_fragment *f)
{
    printf("    primitive %-6" PRIu32 " %-14s output (", f->primitive, inspect_verdict_name(f->verdict));
    for (unsigned c = 0; c < 4; c++)
        if (f->output_mask >> c & 1)
            printf("%s%.4g", c ? " " : "", (double)f->output[c]);
        else
            printf("%s-", c ? " " : "");
    printf(")");
    if (f->has_depth)
        printf(" z %.9g", (double)f->depth[0]);
    if (f->before.samples > 1)
        printf(" samples %#" PRIx32, f->samples);
    print_reason(f);
    if (f->otherwise != INSPECT_NOT_TRIED) {
        printf("  ");
        print_otherwise(f->otherwise, f->would_change);
    }
    if (f->verdict >= INSPECT_WRITE_MASKED) {
        printf("  ->");
        print_pixel(&f->after);
    }
    printf("\n");
}

static void print_nearest(const struct inspect_pixel_row *row)
{
    const struct inspect_nearest *nearest = &row->nearest;

    inspection_print_lacks("    ", &row->lacks);
    if (row->fragment_count)
        return;
    if (!row->reaches) {
        printf("    it does not draw to surface #%" PRIu32 "\n", row->surface);
    } else if (!nearest->found) {
        if (!row->lacks.count)
            printf("    it has no primitives\n");
    } else {
        printf("    nearest: primitive %" PRIu32 " %s", nearest->primitive, inspect_verdict_name(nearest->verdict));
        if (nearest->verdict == INSPECT_OUTSIDE || nearest->verdict == INSPECT_CLIPPED)
            inspection_print_planes(nearest->planes);
        if ((nearest->verdict == INSPECT_UNCOVERED || nearest->verdict == INSPECT_NO_AREA) && nearest->distance < 1e9)
            printf(", %.2f pixels away", nearest->distance);
        printf(": %s", inspect_verdict_text(nearest->verdict));
        if (nearest->otherwise != INSPECT_NOT_TRIED) {
            printf(" ");
            print_otherwise(nearest->otherwise, nearest->would_change);
        }
        printf("\n");
    }
}

static bool show_row(void *user, const struct inspect_pixel_row *row)
{
    struct request *r = user;
    const size_t kept = BASE_MIN(row->fragment_count, (size_t)INSPECT_MOST_FRAGMENTS);

    progress_clear();
    if (r->as_json) {
        inspect_put_pixel_row(&r->json, NULL, row);
        return true;
    }
    printf("%" PRIu32 ".%-6" PRIu32 " %-7s %s #%" PRIu32, row->place.frame, row->place.draw,
           inspect_kind_name(row->action.kind),
           row->refused   ? "refused"
           : row->changed ? "changed"
                          : "same   ",
           row->surface);
    print_pixel(&row->after);
    printf("\n");
    if (row->text[0])
        printf("    %s\n", row->text);
    for (size_t i = 0; i < kept; i++)
        print_fragment(&row->fragments[i]);
    if (row->fragment_count > kept)
        printf("    and %zu more primitives\n", row->fragment_count - kept);
    if (r->why && row->action.kind == INSPECT_DRAW)
        print_nearest(row);
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
    done = inspect_pixel(r->inspection.session, (uint32_t)r->surface, r->x, r->y, only, show_row, r, &initial, &final,
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

static int print_history(struct request *r, uint32_t only, struct capture_error *error)
{
    struct inspect_pixel final;

    if (!inspect_pixel(r->inspection.session, (uint32_t)r->surface, r->x, r->y, only, show_row, r, NULL, &final, error))
        return inspection_fail(&r->inspection, error);
    if (!r->why) {
        printf("at the end");
        print_pixel(&final);
        printf("\n");
    }
    return TOOL_OK;
}

int pixel_print_history(const struct inspection *inspection, uint32_t frame, uint32_t surface, unsigned x, unsigned y)
{
    struct request r = {.inspection = *inspection, .x = x, .y = y, .frame = (long)frame, .surface = (long)surface};
    struct capture_error error = {0};

    if (!inspect_load(inspection->session, frame, &error))
        return inspection_fail(inspection, &error);
    return print_history(&r, UINT32_MAX, &error);
}

static int tell(void *user)
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
    return r->as_json ? put_history(r, place.draw, &error) : print_history(r, place.draw, &error);
}

static int pixel_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;

    (void)count;
    if (!inspection_parse_pixel(operands[1], &r->x, &r->y))
        return tool_usage(&verb_pixel, "'%s' is not a pixel, X,Y", operands[1]);
    return inspection_ask(&r->inspection, &verb_pixel, operands[0], tell, r);
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
