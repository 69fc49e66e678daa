/* SPDX-License-Identifier: MIT */
/*
 * Is an event complete? One table of structures and of the arrays after them.
 */
#include "dp2/capture/capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct capture_part) == 104, "part");
_Static_assert(sizeof(struct capture_surfaces) == 20, "surfaces");
_Static_assert(sizeof(struct capture_announce) == 20, "announce");
_Static_assert(sizeof(struct capture_memory) == 36, "memory");
_Static_assert(sizeof(struct capture_blt) == 68, "blt");
_Static_assert(sizeof(struct capture_clear) == 24, "clear");
_Static_assert(sizeof(struct capture_draw) == 28, "draw");
_Static_assert(sizeof(struct capture_frame) == 24, "frame");
_Static_assert(sizeof(struct capture_color_key) == 20, "colour key");
_Static_assert(sizeof(struct capture_samples) == 24, "samples");
_Static_assert(sizeof(struct capture_palette) == 16, "palette");
_Static_assert(sizeof(struct capture_set_palette) == 8, "set palette");

static const struct {
    const char *name;
    uint32_t head;
} event_types[CAPTURE_EVENT_COUNT] = {
    [CAPTURE_SURFACES] = {"surfaces", sizeof(struct capture_surfaces)},
    [CAPTURE_ANNOUNCE] = {"announce", sizeof(struct capture_announce)},
    [CAPTURE_DESTROY] = {"destroy", sizeof(struct capture_destroy)},
    [CAPTURE_LOCAL_GONE] = {"local-gone", 4},
    [CAPTURE_MEMORY] = {"memory", sizeof(struct capture_memory)},
    [CAPTURE_BLT] = {"blt", sizeof(struct capture_blt)},
    [CAPTURE_FLIP] = {"flip", sizeof(struct capture_flip)},
    [CAPTURE_CONTEXT] = {"context", sizeof(struct capture_context)},
    [CAPTURE_CONTEXT_GONE] = {"context-gone", 4},
    [CAPTURE_PROCESS_GONE] = {"process-gone", 4},
    [CAPTURE_TARGET] = {"target", sizeof(struct capture_target)},
    [CAPTURE_SCENE] = {"scene", 8},
    [CAPTURE_CLEAR] = {"clear", sizeof(struct capture_clear)},
    [CAPTURE_DRAW] = {"draw", sizeof(struct capture_draw)},
    [CAPTURE_FRAME] = {"frame", sizeof(struct capture_frame)},
    [CAPTURE_COLOR_KEY] = {"color-key", sizeof(struct capture_color_key)},
    [CAPTURE_SAMPLES] = {"samples", sizeof(struct capture_samples)},
    [CAPTURE_PALETTE] = {"palette", sizeof(struct capture_palette)},
    [CAPTURE_PALETTE_GONE] = {"palette-gone", 4},
    [CAPTURE_SET_PALETTE] = {"set-palette", sizeof(struct capture_set_palette)},
};

const char *capture_event_name(unsigned type)
{
    return type < CAPTURE_EVENT_COUNT && event_types[type].name ? event_types[type].name : "unknown";
}

uint32_t capture_head_size(unsigned type)
{
    return type < CAPTURE_EVENT_COUNT ? event_types[type].head : 0;
}

static uint64_t memory_size(const struct capture_memory *memory)
{
    const uint64_t rows = (uint64_t)memory->row_count * memory->slice_count;

    if (memory->row_bytes && rows > UINT32_MAX)
        return UINT64_MAX;
    return rows * memory->row_bytes;
}

static uint64_t draw_size(const struct capture_draw *draw)
{
    return (((uint64_t)draw->command_bytes + 3) & ~(uint64_t)3) + draw->vertex_bytes;
}

/* Bytes that must follow the structure. */
static uint64_t tail_size(const struct capture_event *event)
{
    const void *head = event->data;

    switch (event->type) {
    case CAPTURE_SURFACES: {
        const struct capture_surfaces *surfaces = head;
        return (uint64_t)surfaces->part_count * sizeof(struct capture_part) +
               (uint64_t)surfaces->link_count * sizeof(struct capture_link);
    }
    case CAPTURE_ANNOUNCE: {
        const struct capture_announce *announce = head;
        return (uint64_t)announce->name_count * sizeof(struct capture_name) +
               (uint64_t)announce->link_count * sizeof(struct capture_link);
    }
    case CAPTURE_MEMORY:
        return memory_size(head);
    case CAPTURE_SAMPLES:
        return (uint64_t)((const struct capture_samples *)head)->row_count *
               ((const struct capture_samples *)head)->row_bytes;
    case CAPTURE_PALETTE:
        return (uint64_t)((const struct capture_palette *)head)->entry_count * 4;
    case CAPTURE_BLT:
        return (uint64_t)((const struct capture_blt *)head)->rect_count * sizeof(struct capture_rect);
    case CAPTURE_CLEAR:
        return (uint64_t)((const struct capture_clear *)head)->rect_count * sizeof(struct capture_rect);
    case CAPTURE_DRAW:
        return draw_size(head);
    default:
        return 0;
    }
}

bool capture_event_is_sound(const struct capture_event *event, struct capture_error *error)
{
    const uint32_t head = capture_head_size(event->type);
    const uint64_t tail = event->size >= head ? tail_size(event) : 0;

    if (event->size >= head && event->size - head == tail)
        return true;
    error->offset = event->offset;
    snprintf(error->text, sizeof(error->text),
             "event \"%s\" at byte %" PRIu32 " of the chunk has %" PRIu32 " bytes, its counts ask for %" PRIu64,
             capture_event_name(event->type), event->position, event->size, head + tail);
    return false;
}
