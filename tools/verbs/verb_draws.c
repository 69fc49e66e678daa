/* SPDX-License-Identifier: MIT */
/* dp2 draws: the effects of each draw, clear, blit and present of a frame. */
#include "tools/debug/inspection.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/draws.h"
#include "inspect/json/json.h"
#include "inspect/state/changes.h"

#include <inttypes.h>

struct list {
    struct inspection inspection;
    struct frame_range range;
    bool as_json, names, has_head;
    struct inspect_tracker *tracker; /* JSON: for the states that differ */
    struct json_writer json;
};

static void print_shader(char text[16], uint32_t handle)
{
    if (handle)
        snprintf(text, 16, "%" PRIu32, handle);
    else
        snprintf(text, 16, "-");
}

static void print_where(const struct inspect_draw *draw)
{
    char name[32], where[32] = "";

    snprintf(name, sizeof(name), "%" PRIu32 ".%" PRIu32, draw->place.frame, draw->place.draw);
    if (draw->action.call != INSPECT_NO_CALL)
        snprintf(where, sizeof(where), "%" PRIu32 ":%06" PRIx32, draw->action.call, draw->action.offset);
    printf("%-9s %-7s %10s  ", name, inspect_kind_name(draw->action.kind), where);
}

static void print_textures(const struct inspect_draw *draw)
{
    char text[128] = "-";
    size_t length = 0;

    for (unsigned i = 0; i < draw->texture_count && length + 16 < sizeof(text); i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%" PRIu32, i ? "," : "",
                                   draw->texture[i].surface);
    printf(" %-10s", text);
}

static void print_draw(const struct inspect_draw *draw)
{
    const struct inspect_counts *n = &draw->counts;
    const char *type = dp2_primitive_name(draw->action.type);
    char vertex[16], pixel[16];

    print_where(draw);
    if (draw->action.kind != INSPECT_DRAW) {
        printf("%s", draw->text);
    } else {
        print_shader(vertex, draw->vertex_shader);
        print_shader(pixel, draw->pixel_shader);
        printf("%-13s %6" PRIu32 " %7" PRIu64 " %7" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64
               " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %5" PRIu32 " %5" PRIu32,
               type ? type : draw->action.token, draw->action.primitives, n->named, n->processed, n->rejected,
               n->no_area, n->clipped, n->culled, n->tested, n->passed, n->written, draw->target[0], draw->depth);
        print_textures(draw);
        printf(" %4s %4s", vertex, pixel);
    }
    printf(" %8.3f%s", 1000.0 * draw->seconds, draw->refused ? "  refused" : "");
    for (unsigned i = 0; i < draw->lacks.count; i++) {
        char lack[INSPECT_LACK_TEXT];

        inspect_lack_text(&draw->lacks.list[i], lack);
        printf("%s%s", i ? "; " : "  ", lack);
    }
    printf("\n");
}

static void print_head(void)
{
    printf("%-9s %-7s %10s  %-13s %6s %7s %7s %6s %6s %6s %6s %8s %8s %8s %5s %5s %-10s %4s %4s %8s\n", "draw", "kind",
           "call", "type", "prims", "named", "process", "reject", "flat", "clip", "cull", "tested", "passed", "written",
           "color", "depth", "textures", "vs", "ps", "ms");
}

/* The head is printed with the first row: a frame that does not exist has neither. */
static void print_row(struct list *list, const struct inspect_draw *draw)
{
    if (!list->has_head)
        print_head();
    list->has_head = true;
    print_draw(draw);
}

static bool show_row(void *user, const struct inspect_draw *draw)
{
    struct list *list = user;
    struct inspect_changes changes;

    progress_clear();
    if (!list->as_json) {
        print_row(list, draw);
        return true;
    }
    inspect_track(list->tracker, list->inspection.session, &draw->action, &changes);
    inspect_put_draw(&list->json, NULL, draw, &changes);
    return true;
}

static void show_name(struct list *list, const struct inspect_place *place)
{
    const struct inspect_action *action = inspect_action(list->inspection.session, place->draw);
    const struct inspect_draw draw = {.place = *place, .action = *action};
    const char *type = dp2_primitive_name(action->type);

    progress_clear();
    if (list->as_json) {
        inspect_put_name(&list->json, NULL, place, action);
        return;
    }
    print_where(&draw);
    if (action->kind == INSPECT_DRAW)
        printf("%-13s %6" PRIu32 "\n", type ? type : action->token, action->primitives);
    else
        printf("%s\n", action->token);
}

static bool show_names(struct list *list, uint32_t frame)
{
    for (size_t i = 0; i < inspect_action_count(list->inspection.session); i++)
        show_name(list, &(struct inspect_place){frame, (uint32_t)i});
    return true;
}

static bool show_rows(struct list *list, uint32_t frame, struct capture_error *error)
{
    return list->names ? show_names(list, frame) : inspect_draws(list->inspection.session, show_row, list, error);
}

static bool show_frame(struct list *list, uint32_t frame, struct capture_error *error)
{
    bool done;

    if (!list->as_json)
        return show_rows(list, frame, error);
    json_stream_object(&list->json, NULL);
    json_put_number(&list->json, "frame", frame);
    inspect_tracker_forget(list->tracker);
    json_stream_list(&list->json, "draws");
    done = show_rows(list, frame, error);
    json_close(&list->json);
    json_close(&list->json);
    return done;
}

/* All frames of the range, or up to the end of the capture. */
static int show_frames(struct list *list)
{
    const uint32_t end = frame_range_end(&list->range);
    struct inspect *session = list->inspection.session;
    struct capture_error error = {0};
    uint32_t frame = 0;

    for (; frame <= end && frame < CAPTURE_MAX_FRAMES; frame++) {
        if (!frame_range_has(&list->range, frame))
            continue;
        if (!inspect_load(session, frame, &error))
            break;
        if (!show_frame(list, frame, &error))
            return inspection_fail(&list->inspection, &error);
        progress_show(&list->inspection.progress, frame);
    }
    progress_end(&list->inspection.progress);
    if (error.text[0])
        return inspection_fail(&list->inspection, &error);
    if (inspect_end(session) == CAPTURE_OK)
        return TOOL_OK;
    return tool_check_frames(list->inspection.verb, list->inspection.path, &list->range, inspect_frames_there(session));
}

static int list_draws(struct list *list, const char *path)
{
    int status = inspection_open(&list->inspection, &verb_draws, path, frame_range_end(&list->range));

    if (status != TOOL_OK)
        return status;
    if (list->as_json) {
        json_begin(&list->json, stdout, "dp2-draws", false);
        json_put_text(&list->json, "file", path);
        json_stream_list(&list->json, "frames");
    }
    status = show_frames(list);
    if (list->as_json && !json_end(&list->json))
        status = tool_fail(&verb_draws, "out of memory");
    return inspection_close(&list->inspection, status);
}

static int draws_verb(void *settings, char **operands, int count)
{
    struct list *list = settings;

    (void)count;
    list->tracker = inspect_tracker_create();
    if (!list->tracker)
        return tool_fail(&verb_draws, "out of memory");
    return list_draws(list, operands[0]);
}

static void release(void *settings)
{
    inspect_tracker_destroy(((struct list *)settings)->tracker);
}

static const struct option_row options[] = {
    {"frame", 'f', SETS_FRAMES(struct list, range), .argument = "N|A-B",
     .help = "list only these frames (default: all)"},
    {"names", 0, SETS_BOOL(struct list, names), .help = "print only names, kinds and places, which needs no drawing"},
    TOOL_JSON(struct list, as_json),
    {0},
};

const struct tool_verb verb_draws = {
    .syntax =
        {
            .name = "draws",
            .summary = "list the draws of frames and what they did",
            .about = "Lists every draw, clear, blit, fill and present of the frames with its token, its call and "
                     "offset as in dp2 dump, and what it did. Each has the name FRAME.DRAW by which all verbs of the "
                     "frame debugger know it (docs/debugging.md).",
            .options = options,
            .notes = "Columns: name; kind; call and offset; type and number of primitives; vertices that the draw "
                     "names, and vertices processed; primitives rejected, without area (flat), clipped, culled; "
                     "fragments tested, passed (alpha test, stencil, depth) and written; color and depth target; "
                     "textures; vertex and pixel shader (-: fixed function); milliseconds of the draw by itself; what "
                     "the draw lacks: buffers that are not bound or too short, or why it is skipped.",
            .examples = "dp2 draws game.capture --frame 2\n"
                        "dp2 draws game.capture -f 2 --json | jq '.frames[0].draws | max_by(.tested)'",
            .operands = tool_capture,
            .missing = "a capture",
        },
    .size = sizeof(struct list),
    .run = draws_verb,
    .release = release,
};
