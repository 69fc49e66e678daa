/* SPDX-License-Identifier: MIT */
/*
 * dp2 dump: a capture as text, event by event and token by token.
 */
#include "tools/tool.h"

#include "dp2/capture.h"
#include "dp2/tokens.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dp2 dump FILE [OPTION...]\n"
    "\n"
    "Prints what crossed the driver interface: events in their order, and of each\n"
    "DrawPrimitives2 call its tokens with their offsets in the command buffer.\n"
    "\n"
    "  -f, --frame N|A-B   only these frames\n"
    "  -v, --verbose       every entry of every token on a line of its own\n"
    "      --tokens-only   leave out what is no DrawPrimitives2 call\n"
    "\n"
    "examples:\n"
    "  dp2 dump game.capture | less\n"
    "  dp2 dump game.capture --frame 12 --verbose\n";

struct dump {
    struct frame_range range;
    bool verbose, tokens_only;
    char *text; /* of one command */
    size_t text_size;
};

static const char *print_command(struct dump *dump, const struct dp2_command *command)
{
    const int length = dp2_print(dump->text, dump->text_size, command, dump->verbose);

    if (length >= 0 && (size_t)length >= dump->text_size) {
        char *bigger = realloc(dump->text, (size_t)length + 1);
        if (!bigger)
            return "(out of memory)";
        dump->text = bigger;
        dump->text_size = (size_t)length + 1;
        dp2_print(dump->text, dump->text_size, command, dump->verbose);
    }
    return dump->text;
}

static void dump_draw(struct dump *dump, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct dp2_cursor cursor;
    struct dp2_command command;
    enum dp2_status status;

    printf("  draw context=%" PRIu32 " flags=0x%" PRIx32 " fvf=0x%" PRIx32 " vertices=%" PRIu32
           "x%" PRIu32 " vertex_bytes=%" PRIu32 " command_bytes=%" PRIu32 "\n",
           head->context, head->flags, head->vertex_type, head->vertex_count, head->vertex_size,
           head->vertex_bytes, head->command_bytes);
    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while ((status = dp2_next(&cursor, &command)) == DP2_OK)
        printf("    %06zx  %s\n", command.offset, print_command(dump, &command));
    if (status != DP2_END)
        printf("    %06zx  ! %s\n", command.offset, dp2_status_text(status));
}

static void dump_surfaces(const struct capture_surfaces *head)
{
    const struct capture_part *parts = (const void *)(head + 1);
    const struct capture_link *links = (const void *)(parts + head->part_count);

    printf("  surfaces local=%" PRIu32 "%s\n", head->local,
           head->flags & CAPTURE_SYSTEM_MEMORY ? " system-memory" : "");
    for (uint32_t i = 0; i < head->part_count; i++) {
        const struct capture_part *p = &parts[i];
        printf("    #%" PRIu32 " handle=%" PRIu32 " %" PRIu32 "x%" PRIu32 " bytes=%" PRIu32
               " pitch=%" PRIu32 " format=%" PRIu32 " fvf=0x%" PRIx32 " caps=0x%" PRIx32
               ",0x%" PRIx32 ",0x%" PRIx32 ",0x%" PRIx32 "\n",
               p->id, p->handle, p->width, p->height, p->bytes, p->pitch, p->format[2], p->fvf,
               p->caps, p->caps2, p->caps3, p->caps4);
    }
    for (uint32_t i = 0; i < head->link_count; i++)
        printf("    #%" PRIu32 " attached to #%" PRIu32 "\n", links[i].to, links[i].from);
}

static void dump_announce(const struct capture_announce *head)
{
    const struct capture_name *names = (const void *)(head + 1);

    printf("  announce local=%" PRIu32 " #%" PRIu32 " handles", head->local, head->root);
    for (uint32_t i = 0; i < head->name_count; i++)
        printf(" #%" PRIu32 "=%" PRIu32, names[i].id, names[i].handle);
    putchar('\n');
}

static void print_rect(const char *name, const struct capture_rect *rect)
{
    printf(" %s=(%" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 ")", name, rect->left, rect->top,
           rect->right, rect->bottom);
}

static void dump_memory(const struct capture_memory *head)
{
    printf("  memory #%" PRIu32 " rows=%" PRIu32 "+%" PRIu32 " bytes=%" PRIu32 "+%" PRIu32
           " slices=%" PRIu32 "+%" PRIu32 "%s lock=0x%" PRIx32 "\n",
           head->id, head->first_row, head->row_count, head->row_offset, head->row_bytes,
           head->first_slice, head->slice_count,
           head->flags & CAPTURE_MEMORY_LOCKED ? "" : " unlocked", head->lock_flags);
}

static void dump_blt(const struct capture_blt *head)
{
    printf("  blt #%" PRIu32 " <- ", head->destination);
    if (head->source)
        printf("#%" PRIu32, head->source);
    else
        printf("0x%" PRIx32, head->fill);
    print_rect("to", &head->destination_rect);
    if (head->source)
        print_rect("from", &head->source_rect);
    printf(" flags=0x%" PRIx32 "\n", head->flags);
}

static void dump_clear(const struct capture_clear *head)
{
    const struct capture_rect *rects = (const void *)(head + 1);
    float depth;

    memcpy(&depth, &head->depth, sizeof(depth));
    printf("  clear context=%" PRIu32 " flags=0x%" PRIx32 " color=#%08" PRIx32
           " depth=%.9g stencil=%" PRIu32,
           head->context, head->flags, head->color, (double)depth, head->stencil);
    for (uint32_t i = 0; i < head->rect_count; i++)
        print_rect("rect", &rects[i]);
    putchar('\n');
}

/* Events that are a few numbers. */
static void dump_small(const struct capture_event *event)
{
    const uint32_t *n = (const void *)event->data;

    switch (event->type) {
    case CAPTURE_DESTROY:
        printf("  destroy #%" PRIu32 "\n", n[0]);
        break;
    case CAPTURE_FLIP:
        printf("  flip #%" PRIu32 " <- #%" PRIu32 " flags=0x%" PRIx32 "\n", n[0], n[1], n[2]);
        break;
    case CAPTURE_CONTEXT:
        printf("  context %" PRIu32 " local=%" PRIu32 " level=%" PRIu32 " process=%" PRIu32
               " target=#%" PRIu32 " depth=#%" PRIu32 "\n",
               n[0], n[1], n[2], n[3], n[4], n[5]);
        break;
    case CAPTURE_TARGET:
        printf("  target context=%" PRIu32 " target=#%" PRIu32 " depth=#%" PRIu32 "\n", n[0], n[1],
               n[2]);
        break;
    case CAPTURE_SCENE:
        printf("  scene context=%" PRIu32 " %s\n", n[0], n[1] ? "end" : "begin");
        break;
    default:
        printf("  %s %" PRIu32 "\n", capture_event_name(event->type), n[0]);
        break;
    }
}

static void dump_event(struct dump *dump, const struct capture_event *event)
{
    const void *head = event->data;

    if (event->type == CAPTURE_DRAW) {
        dump_draw(dump, head);
        return;
    }
    if (event->type == CAPTURE_FRAME) {
        const struct capture_frame *frame = head;
        printf("  end of frame %" PRIu32 ": shows #%" PRIu32, frame->frame, frame->surface);
        print_rect("rect", &frame->rect);
        putchar('\n');
        return;
    }
    if (dump->tokens_only)
        return;
    switch (event->type) {
    case CAPTURE_SURFACES:
        dump_surfaces(head);
        break;
    case CAPTURE_ANNOUNCE:
        dump_announce(head);
        break;
    case CAPTURE_MEMORY:
        dump_memory(head);
        break;
    case CAPTURE_BLT:
        dump_blt(head);
        break;
    case CAPTURE_CLEAR:
        dump_clear(head);
        break;
    default:
        dump_small(event);
        break;
    }
}

static int dump_file(struct dump *dump, const char *path)
{
    const uint32_t end = frame_range_end(&dump->range);
    struct capture_error error = {0};
    struct capture_reader *reader = capture_open(path, &error);
    struct capture_event event;
    enum capture_status status;
    uint32_t frame = UINT32_MAX;

    if (!reader)
        return tool_fail(&verb_dump, "%s: %s", path, error.text);
    if (dump->range.count == 1)
        capture_seek_frame(reader, dump->range.spans[0].first);
    while ((status = capture_next(reader, &event, &error)) == CAPTURE_OK && event.frame <= end) {
        if (!frame_range_has(&dump->range, event.frame))
            continue;
        if (event.frame != frame)
            printf("frame %" PRIu32 " @%" PRIu64 "\n", event.frame, event.offset);
        frame = event.frame;
        dump_event(dump, &event);
    }
    capture_close(reader);
    if (status == CAPTURE_BAD)
        return tool_fail(&verb_dump, "%s: at byte %" PRIu64 ": %s", path, error.offset, error.text);
    if (status == CAPTURE_CUT)
        fprintf(stderr, "dp2 dump: %s: the file is cut short: %s (byte %" PRIu64 ")\n", path,
                error.text, error.offset);
    return TOOL_OK;
}

static int dump_verb(int argc, char **argv)
{
    enum { OPT_TOKENS = 256 };
    static const struct option options[] = {
        {"frame", required_argument, NULL, 'f'},
        {"verbose", no_argument, NULL, 'v'},
        {"tokens-only", no_argument, NULL, OPT_TOKENS},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct dump dump = {.text_size = 4096};
    int option, status;

    while ((option = getopt_long(argc, argv, "f:vh", options, NULL)) != -1) {
        switch (option) {
        case 'f':
            if (!frame_range_parse(&dump.range, optarg))
                return tool_usage(&verb_dump, "'%s' is no range of frames", optarg);
            break;
        case 'v':
            dump.verbose = true;
            break;
        case OPT_TOKENS:
            dump.tokens_only = true;
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_usage(&verb_dump, "see the options above");
        }
    }
    if (optind + 1 != argc)
        return tool_usage(&verb_dump, "one capture file, please");
    dump.text = malloc(dump.text_size);
    if (!dump.text)
        return tool_fail(&verb_dump, "out of memory");
    status = dump_file(&dump, argv[optind]);
    free(dump.text);
    return status;
}

const struct tool_verb verb_dump = {"dump", "print a capture: events and tokens", help, dump_verb};
