/* SPDX-License-Identifier: MIT */
/* dp2 draws: the effects of each draw, clear, blit and present of a frame. */
#include "tools/inspect/inspect.h"

#include "base/base.h"
#include "dp2/names.h"
#include "inspect/draws.h"
#include "inspect/json/json.h"

#include <getopt.h>
#include <inttypes.h>

static const char help[] =
    "usage: dp2 draws FILE [OPTION...]\n"
    "\n"
    "Lists every draw, clear, blit, fill and present of the frames, named FRAME.DRAW as all verbs\n"
    "of the frame debugger name them (docs/debugging.md): its token, by call and offset as in dp2\n"
    "dump, and what it did.\n"
    "\n"
    "  -f, --frame N|A-B   these frames (default: all)\n"
    "      --names         only what they are and where, which needs no drawing of them\n"
    "      --json          as JSON (docs/json.md)\n"
    "\n"
    "Columns: name; kind; call and offset; type and number of primitives; vertices that the draw\n"
    "names and that were processed; primitives rejected, without area (flat), clipped, culled;\n"
    "fragments tested, passed (alpha test, stencil, depth) and written; color and depth target;\n"
    "textures; vertex and pixel shader (-: fixed function); milliseconds of the draw by itself;\n"
    "what the draw lacks: buffers that are not bound or too short, or why it is skipped.\n"
    "\n"
    "examples:\n"
    "  dp2 draws game.capture --frame 2\n"
    "  dp2 draws game.capture --frame 2 --json | jq '.frames[0].draws | max_by(.tested)'\n";

struct list {
    struct inspection inspection;
    struct frame_range range;
    bool as_json, names, has_head;
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

    progress_clear();
    if (list->as_json)
        inspect_put_draw(&list->json, NULL, draw);
    else
        print_row(list, draw);
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

static int draws_verb(int argc, char **argv)
{
    enum { OPT_JSON = 256, OPT_NAMES };
    static const struct option options[] = {
        {"frame", required_argument, NULL, 'f'},
        {"names", no_argument, NULL, OPT_NAMES},
        {"json", no_argument, NULL, OPT_JSON},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct list list = {0};
    int option;

    while ((option = tool_option(&verb_draws, argc, argv, "f:h", options, NULL)) != -1) {
        switch (option) {
        case 'f':
            if (!frame_range_parse(&list.range, optarg))
                return tool_usage(&verb_draws, "'%s' is not a range of frames", optarg);
            break;
        case OPT_NAMES:
            list.names = true;
            break;
        case OPT_JSON:
            list.as_json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_bad_option(&verb_draws);
        }
    }
    if (tool_operands(&verb_draws, argc, argv, 1, "a capture") != TOOL_OK)
        return TOOL_ERROR;
    return list_draws(&list, argv[optind]);
}

const struct tool_verb verb_draws = {"draws", "list the draws of frames and what they did", help, draws_verb};
