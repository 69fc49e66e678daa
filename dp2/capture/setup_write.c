/* SPDX-License-Identifier: MIT */
/* Writes the events that recreate surfaces and contexts (dp2/capture/setup.h). */
#include "dp2/capture/setup_internal.h"
#include "base/base.h"
#include "dp2/fields.h"

#include <stdlib.h>
#include <string.h>

#define CAPS_TARGET 0x2000u

struct output {
    bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size);
    void *user;
};

static bool is_part(const struct capture_surfaces *head, uint32_t id)
{
    const struct capture_part *parts = (const void *)(head + 1);

    for (uint32_t i = 0; i < head->part_count; i++)
        if (parts[i].id == id)
            return true;
    return false;
}

/* Without links of destroyed surfaces. */
static bool write_surfaces(const struct capture_setup *setup, const struct output *out, const struct setup_blob *blob)
{
    const struct capture_surfaces *from = (const void *)blob->data;
    const struct capture_link *links =
        (const void *)((const struct capture_part *)(const void *)(from + 1) + from->part_count);
    const size_t fixed = (size_t)((const uint8_t *)links - (const uint8_t *)from);
    struct capture_surfaces *copy = malloc(blob->size);
    bool done;

    if (!copy)
        return false;
    memcpy(copy, from, fixed);
    copy->link_count = 0;
    struct capture_link *link = (void *)((uint8_t *)copy + fixed);

    for (uint32_t i = 0; i < from->link_count; i++)
        if ((is_part(from, links[i].from) || capture_setup_surface(setup, links[i].from)) &&
            (is_part(from, links[i].to) || capture_setup_surface(setup, links[i].to)))
            link[copy->link_count++] = links[i];
    done = out->event(out->user, CAPTURE_SURFACES, copy, fixed + copy->link_count * sizeof(*link));
    free(copy);
    return done;
}

static bool write_made(const struct capture_setup *setup, const struct output *out, const struct setup_blob *blob)
{
    const struct capture_surfaces *head = (const void *)blob->data;
    const struct capture_part *parts = (const void *)(head + 1);

    if (blob->left_out)
        return true;
    if (!write_surfaces(setup, out, blob))
        return false;
    for (uint32_t i = 0; i < head->part_count; i++) {
        const struct capture_destroy gone = {parts[i].id, 0};

        if (setup->surfaces[parts[i].id].made != blob && !out->event(out->user, CAPTURE_DESTROY, &gone, sizeof(gone)))
            return false;
    }
    return true;
}

static bool write_color_keys(const struct capture_setup *setup, const struct output *out)
{
    bool done = true;

    for (uint32_t id = 0; id < setup->limit; id++) {
        const struct setup_surface *surface = &setup->surfaces[id];

        for (unsigned i = 0; capture_setup_surface(setup, id) && i < 2; i++)
            if (surface->keys[i].id && done)
                done = out->event(out->user, CAPTURE_COLOR_KEY, &surface->keys[i], sizeof(surface->keys[i]));
    }
    return done;
}

static bool write_palette(const struct output *out, const struct setup_palette *palette)
{
    struct {
        struct capture_palette head;
        uint32_t entries[CAPTURE_PALETTE_ENTRIES];
    } event = {.head = {palette->number, palette->flags, 0, CAPTURE_PALETTE_ENTRIES}};

    if (palette->gone)
        return out->event(out->user, CAPTURE_PALETTE_GONE, &palette->number, sizeof(palette->number));
    memcpy(event.entries, palette->entries, sizeof(event.entries));
    return out->event(out->user, CAPTURE_PALETTE, &event, sizeof(event));
}

/* All palettes, because surfaces may get them later, and those that surfaces have now. */
static bool write_palettes(const struct capture_setup *setup, const struct output *out)
{
    const struct setup_palette *palette;
    uint32_t at = 0;
    bool done = true;

    while (done && (palette = base_map_next(&setup->palettes, &at)))
        done = write_palette(out, palette);
    for (uint32_t id = 0; done && id < setup->limit; id++) {
        const struct capture_set_palette *set = &setup->surfaces[id].palette;
        const struct setup_palette *found = base_map_get(&setup->palettes, set->palette);

        if (set->id && capture_setup_surface(setup, id) && (!set->palette || (found && !found->gone)))
            done = out->event(out->user, CAPTURE_SET_PALETTE, set, sizeof(*set));
    }
    return done;
}

/* Without names and links of destroyed surfaces. */
static bool write_announced(const struct capture_setup *setup, const struct output *out, const struct setup_blob *blob)
{
    const struct capture_announce *from = (const void *)blob->data;
    const struct capture_name *names = (const void *)(from + 1);
    const struct capture_link *links = (const void *)(names + from->name_count);
    struct capture_announce *copy = malloc(blob->size);
    bool done;

    if (!capture_setup_surface(setup, from->root)) {
        free(copy);
        return true;
    }
    if (!copy)
        return false;
    *copy = *from;
    copy->name_count = copy->link_count = 0;
    struct capture_name *name = (void *)(copy + 1);

    for (uint32_t i = 0; i < from->name_count; i++)
        if (capture_setup_surface(setup, names[i].id))
            name[copy->name_count++] = names[i];
    struct capture_link *link = (void *)(name + copy->name_count);

    for (uint32_t i = 0; i < from->link_count; i++)
        if (capture_setup_surface(setup, links[i].from) && capture_setup_surface(setup, links[i].to))
            link[copy->link_count++] = links[i];
    done =
        out->event(out->user, CAPTURE_ANNOUNCE, copy, (size_t)((uint8_t *)(link + copy->link_count) - (uint8_t *)copy));
    free(copy);
    return done;
}

static uint32_t any_target(const struct capture_setup *setup)
{
    for (uint32_t id = 0; id < setup->limit; id++) {
        const struct capture_part *part = capture_setup_surface(setup, id);

        if (part && part->caps & CAPS_TARGET)
            return id;
    }
    return 0;
}

static bool has_handle(const struct capture_setup *setup, uint32_t handle)
{
    for (uint32_t id = 0; id < setup->limit; id++) {
        const struct capture_part *part = capture_setup_surface(setup, id);

        if (part && part->handle == handle)
            return true;
    }
    for (const struct setup_blob *blob = setup->announced; blob; blob = blob->next) {
        const struct capture_announce *head = (const void *)blob->data;
        const struct capture_name *names = (const void *)(head + 1);

        for (uint32_t i = 0; i < head->name_count; i++)
            if (names[i].handle == handle && capture_setup_surface(setup, names[i].id))
                return true;
    }
    return false;
}

/* Settings of a destroyed surface are not written. */
static bool is_of_no_surface(const struct capture_setup *setup, const uint8_t *command)
{
    switch (command[0]) {
    case DP2OP_SETPALETTE:
        return !has_handle(setup, DP2_U32(command + DP2_HEADER_BYTES, entry_SETPALETTE, surface));
    case DP2OP_SETPRIORITY:
    case DP2OP_SETTEXLOD:
    case DP2OP_SETFEEDBACK: /* all three begin with the surface */
        return !has_handle(setup, DP2_U32(command + DP2_HEADER_BYTES, entry_SETPRIORITY, surface));
    default:
        return false;
    }
}

/* Writes commands that a context executes as a call. */
static bool write_commands(const struct output *out, uint32_t context, const uint8_t *const pieces[3],
                           const size_t sizes[3])
{
    const size_t size = sizes[0] + sizes[1] + sizes[2];
    struct capture_draw *draw = mem_calloc(1, sizeof(*draw) + ((size + 3) & ~(size_t)3));
    uint8_t *at = (uint8_t *)(draw + 1);
    bool done;

    if (!draw)
        return false;
    draw->context = context;
    draw->command_bytes = (uint32_t)size;
    for (unsigned i = 0; i < 3; i++) {
        if (sizes[i])
            memcpy(at, pieces[i], sizes[i]);
        at += sizes[i];
    }
    done = out->event(out->user, CAPTURE_DRAW, draw, sizeof(*draw) + ((size + 3) & ~(size_t)3));
    free(draw);
    return done;
}

/* BEGIN, the recorded commands, END; without END if the block is still being recorded. */
static bool write_block(const struct output *out, uint32_t context, const struct state_block *block, bool recording)
{
    uint8_t begin[DP2_HEADER_BYTES + sizeof(struct dp2_entry_STATESET)] = {DP2OP_STATESET, 0, 1};
    uint8_t end[sizeof(begin)] = {DP2OP_STATESET, 0, 1, 0, 1};
    const uint8_t *const pieces[3] = {begin, block->bytes, end};
    const size_t sizes[3] = {sizeof(begin), block->length, recording ? 0 : sizeof(end)};

    memcpy(begin + DP2_HEADER_BYTES + DP2_OFFSET(entry_STATESET, block), &block->handle, sizeof(block->handle));
    memcpy(end + DP2_HEADER_BYTES + DP2_OFFSET(entry_STATESET, block), &block->handle, sizeof(block->handle));
    return write_commands(out, context, pieces, sizes);
}

static bool write_blocks(const struct output *out, const struct setup_context *context)
{
    const struct state_log *log = &context->log;
    bool done = true;

    for (size_t i = 0; done && i < log->block_count; i++)
        if (!log->blocks[i].in_log && log->recording != i + 1)
            done = write_block(out, context->head.context, &log->blocks[i], false);
    return done && (!log->recording || write_block(out, context->head.context, &log->blocks[log->recording - 1], true));
}

static bool write_patch(const struct output *out, uint32_t context, const struct patch_definition *patch)
{
    uint8_t commands[PATCH_LOG_COMMANDS];
    const size_t size = patch_log_commands(patch, commands), padded = (size + 3) & ~(size_t)3;
    struct capture_draw *draw = mem_calloc(1, sizeof(*draw) + padded + patch->bytes);
    bool done;

    if (!draw)
        return false;
    *draw = (struct capture_draw){.context = context,
                                  .vertex_size = patch->stride,
                                  .vertex_count = (uint32_t)(patch->bytes / patch->stride),
                                  .command_bytes = (uint32_t)size,
                                  .vertex_bytes = (uint32_t)patch->bytes};
    memcpy(draw + 1, commands, size);
    memcpy((uint8_t *)(draw + 1) + padded, patch->points, patch->bytes);
    done = out->event(out->user, CAPTURE_DRAW, draw, sizeof(*draw) + padded + patch->bytes);
    free(draw);
    return done;
}

/* part: of the target that the context is made with, NULL: it has none. */
static bool write_patches(const struct output *out, const struct setup_context *context,
                          const struct capture_part *part)
{
    const struct patch_log *log = &context->patches;
    uint8_t commands[PATCH_LOG_COMMANDS];
    const uint8_t *const pieces[3] = {commands, NULL, NULL};
    size_t sizes[3] = {patch_log_begin(commands), 0, 0};
    bool done = true;

    if (log->count == 0)
        return true;
    done = write_commands(out, context->head.context, pieces, sizes);
    for (size_t i = 0; done && i < log->count; i++)
        done = write_patch(out, context->head.context, &log->list[i]);
    sizes[0] = patch_log_end(part ? part->width : 0, part ? part->height : 0, commands);
    return done && write_commands(out, context->head.context, pieces, sizes);
}

static bool write_context(const struct capture_setup *setup, const struct output *out,
                          const struct setup_context *context)
{
    struct capture_context head = context->head;
    bool done;

    if (!capture_setup_surface(setup, head.target))
        head.target = any_target(setup);
    if (!capture_setup_surface(setup, head.depth))
        head.depth = 0;
    done = out->event(out->user, CAPTURE_CONTEXT, &head, sizeof(head)) &&
           write_patches(out, context, capture_setup_surface(setup, head.target));
    /* One call each: if the driver rejects one, the others must still be executed. */
    for (size_t i = 0; done && i < context->log.count; i++) {
        const struct state_entry *entry = &context->log.entries[i];
        const uint8_t *const pieces[3] = {context->log.bytes + entry->offset, NULL, NULL};
        const size_t sizes[3] = {entry->size, 0, 0};

        if (!entry->dead && !is_of_no_surface(setup, pieces[0]))
            done = write_commands(out, head.context, pieces, sizes);
    }
    return done && write_blocks(out, context);
}

/* changes: without marked surfaces and announcements. */
static bool setup_write_all(const struct capture_setup *setup, const struct output *out, bool changes)
{
    bool done = true;

    for (const struct setup_blob *blob = setup->made; done && blob; blob = blob->next)
        done = (changes && blob->marked) || write_made(setup, out, blob);
    for (const struct setup_blob *blob = setup->announced; done && blob; blob = blob->next)
        done = (changes && blob->marked) || write_announced(setup, out, blob);
    /* The driver knows system memory only from its announcement on. */
    done = done && write_color_keys(setup, out) && write_palettes(setup, out);
    for (const struct setup_context *context = setup->contexts; done && context; context = context->next)
        done = write_context(setup, out, context);
    return done;
}

bool capture_setup_write(const struct capture_setup *setup,
                         bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size),
                         void *user)
{
    const struct output out = {event, user};

    return setup_write_all(setup, &out, false);
}

bool capture_setup_write_changes(const struct capture_setup *setup,
                                 bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size),
                                 void *user)
{
    const struct output out = {event, user};
    bool done = true;

    for (const struct setup_blob *blob = setup->gone; done && blob; blob = blob->next)
        done = event(user, CAPTURE_DESTROY, blob->data, blob->size);
    return done && setup_write_all(setup, &out, true);
}
