/* SPDX-License-Identifier: MIT */
/*
 * Surfaces and contexts that exist after the events; the states of each context are in its log
 * (state_log.h).
 */
#include "dp2/capture/setup_internal.h"
#include "base/base.h"
#include "dp2/fields.h"

#include "d3d/states.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ID (1u << 22)

struct capture_setup *capture_setup_create(void)
{
    struct capture_setup *setup = mem_calloc(1, sizeof(*setup));

    if (setup) {
        setup->made_end = &setup->made;
        setup->announced_end = &setup->announced;
        setup->gone_end = &setup->gone;
        setup->contexts_end = &setup->contexts;
        base_map_init(&setup->palettes, SETUP_MAX_PALETTES);
    }
    return setup;
}

static void free_blobs(struct setup_blob *blob)
{
    while (blob) {
        struct setup_blob *next = blob->next;

        free(blob);
        blob = next;
    }
}

static void setup_free_context(struct setup_context *context)
{
    state_log_free(&context->log);
    patch_log_free(&context->patches);
    free(context);
}

void capture_setup_destroy(struct capture_setup *setup)
{
    if (!setup)
        return;
    while (setup->contexts) {
        struct setup_context *next = setup->contexts->next;

        setup_free_context(setup->contexts);
        setup->contexts = next;
    }
    free_blobs(setup->made);
    free_blobs(setup->announced);
    free_blobs(setup->gone);
    base_map_clear(&setup->palettes);
    free(setup->surfaces);
    free(setup);
}

/* --- surfaces ------------------------------------------------------------------------------- */

static struct setup_blob *append_blob(struct setup_blob ***end, const void *data, size_t size)
{
    struct setup_blob *blob = mem_alloc(size, 1, sizeof(*blob) + 4);

    if (blob) {
        blob->next = NULL;
        blob->root = 0;
        blob->left_out = blob->marked = false;
        blob->size = size;
        memcpy(blob->data, data, size);
        **end = blob;
        *end = &blob->next;
    }
    return blob;
}

static void remove_blob(struct setup_blob **list, struct setup_blob ***end, const struct setup_blob *gone)
{
    while (*list != gone)
        list = &(*list)->next;
    struct setup_blob *next = (*list)->next;

    if (*end == &(*list)->next)
        *end = list;
    free(*list);
    *list = next;
}

static bool reserve_surface(struct capture_setup *setup, uint32_t id)
{
    const uint32_t limit = id + id / 2 + 64;
    struct setup_surface *bigger;

    if (id < setup->limit)
        return true;
    bigger = mem_realloc(setup->surfaces, limit, sizeof(*bigger));
    if (!bigger)
        return false;
    memset(bigger + setup->limit, 0, (limit - setup->limit) * sizeof(*bigger));
    setup->surfaces = bigger;
    setup->limit = limit;
    return true;
}

static bool setup_make_surfaces(struct capture_setup *setup, const struct capture_event *event)
{
    const struct capture_surfaces *head = (const void *)event->data;
    const struct capture_part *parts = (const void *)(head + 1);
    struct setup_blob *blob = append_blob(&setup->made_end, event->data, event->size);

    for (uint32_t i = 0; blob && i < head->part_count; i++) {
        if (parts[i].id >= MAX_ID || !reserve_surface(setup, parts[i].id))
            return false;
        setup->surfaces[parts[i].id] = (struct setup_surface){.made = blob, .part = parts[i]};
    }
    return blob != NULL;
}

const struct capture_part *capture_setup_surface(const struct capture_setup *setup, uint32_t id)
{
    const struct setup_blob *made = id < setup->limit ? setup->surfaces[id].made : NULL;

    return made && !made->left_out ? &setup->surfaces[id].part : NULL;
}

uint32_t capture_setup_limit(const struct capture_setup *setup)
{
    return setup->limit;
}

static unsigned parts_alive(const struct capture_setup *setup, const struct setup_blob *blob)
{
    const struct capture_surfaces *head = (const void *)blob->data;
    const struct capture_part *parts = (const void *)(head + 1);
    unsigned alive = 0;

    for (uint32_t i = 0; i < head->part_count; i++)
        alive += setup->surfaces[parts[i].id].made == blob;
    return alive;
}

static struct setup_blob *announcement(const struct capture_setup *setup, uint32_t root)
{
    struct setup_blob *blob = setup->announced;

    while (blob && blob->root != root)
        blob = blob->next;
    return blob;
}

static void forget_announcement(struct capture_setup *setup, uint32_t root)
{
    struct setup_blob *blob = announcement(setup, root);

    if (blob)
        remove_blob(&setup->announced, &setup->announced_end, blob);
}

static bool setup_unmake(struct capture_setup *setup, const struct capture_destroy *head)
{
    struct setup_blob *blob = head->id < setup->limit ? setup->surfaces[head->id].made : NULL;

    if (!blob)
        return true;
    if (blob->marked && !append_blob(&setup->gone_end, head, sizeof(*head)))
        return false;
    const struct capture_surfaces *made = (const void *)blob->data;
    const struct capture_part *parts = (const void *)(made + 1);

    for (uint32_t i = 0; i < made->part_count; i++) {
        const uint32_t id = parts[i].id;
        if (setup->surfaces[id].made == blob && (id == head->id || head->flags & CAPTURE_SYSTEM_MEMORY)) {
            setup->surfaces[id].made = NULL;
            forget_announcement(setup, id);
        }
    }
    if (parts_alive(setup, blob) == 0)
        remove_blob(&setup->made, &setup->made_end, blob);
    return true;
}

static bool setup_announce(struct capture_setup *setup, const struct capture_event *event)
{
    const struct capture_announce *head = (const void *)event->data;
    struct setup_blob *blob;

    forget_announcement(setup, head->root);
    blob = append_blob(&setup->announced_end, event->data, event->size);
    if (blob)
        blob->root = head->root;
    return blob != NULL;
}

static void setup_set_color_key(struct capture_setup *setup, const struct capture_color_key *head)
{
    if (head->id < setup->limit && setup->surfaces[head->id].made)
        setup->surfaces[head->id].keys[head->kind == CAPTURE_KEY_DESTINATION] = *head;
}

/* --- palettes --------------------------------------------------------------------------------- */

static bool setup_change_palette(struct capture_setup *setup, const struct capture_palette *head)
{
    struct setup_palette *palette;

    if (!head->palette || head->first > CAPTURE_PALETTE_ENTRIES ||
        head->entry_count > CAPTURE_PALETTE_ENTRIES - head->first)
        return true; /* the player refuses it */
    palette = base_map_make(&setup->palettes, head->palette, sizeof(*palette));
    if (!palette)
        return base_map_is_full(&setup->palettes);
    palette->number = head->palette;
    palette->flags = head->flags;
    palette->gone = false;
    memcpy(palette->entries + head->first, head + 1, head->entry_count * sizeof(*palette->entries));
    return true;
}

static void setup_drop_palette(struct capture_setup *setup, uint32_t number)
{
    struct setup_palette *palette = base_map_get(&setup->palettes, number);

    if (palette && palette->marked)
        palette->gone = true;
    else if (palette)
        free(base_map_take(&setup->palettes, number));
}

static void setup_set_palette(struct capture_setup *setup, const struct capture_set_palette *head)
{
    if (head->id < setup->limit && setup->surfaces[head->id].made)
        setup->surfaces[head->id].palette = *head;
}

static void mark_palettes(struct capture_setup *setup)
{
    struct setup_palette *palette;
    uint32_t at = 0;

    while ((palette = base_map_next(&setup->palettes, &at))) {
        palette->marked = true;
        if (!palette->gone)
            continue;
        free(base_map_take(&setup->palettes, palette->number));
        at--; /* another may have taken its place */
    }
}

/* --- leaving out --------------------------------------------------------------------------- */

static bool setup_keep(struct capture_setup *setup, uint32_t id)
{
    struct setup_blob *made = id < setup->limit ? setup->surfaces[id].made : NULL;
    const bool was_left_out = made && made->left_out;

    if (was_left_out)
        made->left_out = false;
    return was_left_out;
}

/* Keeps surfaces that are attached to kept ones. Returns whether there were any. */
static bool keep_attached(struct capture_setup *setup)
{
    bool more = false;

    for (const struct setup_blob *blob = setup->made; blob; blob = blob->next) {
        const struct capture_surfaces *head = (const void *)blob->data;
        const struct capture_link *links =
            (const void *)((const struct capture_part *)(const void *)(head + 1) + head->part_count);

        for (uint32_t i = 0; !blob->left_out && i < head->link_count; i++)
            more |= setup_keep(setup, links[i].from) | setup_keep(setup, links[i].to);
    }
    for (const struct setup_blob *blob = setup->announced; blob; blob = blob->next) {
        const struct capture_announce *head = (const void *)blob->data;
        const struct capture_name *names = (const void *)(head + 1);

        for (uint32_t i = 0; capture_setup_surface(setup, head->root) && i < head->name_count; i++)
            more |= setup_keep(setup, names[i].id);
    }
    return more;
}

void capture_setup_keep_named(struct capture_setup *setup, bool (*named)(const void *user, uint32_t id),
                              const void *user)
{
    for (struct setup_blob *blob = setup->made; blob; blob = blob->next)
        blob->left_out = true;
    for (uint32_t id = 0; id < setup->limit; id++)
        if (setup->surfaces[id].made && named(user, id))
            setup->surfaces[id].made->left_out = false;
    while (keep_attached(setup)) {
    }
}

/* --- states ------------------------------------------------------------------------------------
 */

static struct setup_context *setup_find_context(const struct capture_setup *setup, uint32_t number)
{
    struct setup_context *context = setup->contexts;

    while (context && context->head.context != number)
        context = context->next;
    return context;
}

static bool add_context(struct capture_setup *setup, const struct capture_context *head)
{
    struct setup_context *context = mem_calloc(1, sizeof(*context));

    if (!context)
        return false;
    context->head = *head;
    *setup->contexts_end = context;
    setup->contexts_end = &context->next;
    return true;
}

static void setup_forget_contexts(struct capture_setup *setup, uint32_t number, bool by_process)
{
    struct setup_context **at = &setup->contexts;

    while (*at) {
        struct setup_context *context = *at;

        if ((by_process ? context->head.process : context->head.context) != number) {
            at = &context->next;
            continue;
        }
        *at = context->next;
        setup_free_context(context);
    }
    setup->contexts_end = at;
}

struct buffer_reader {
    const struct capture_setup *setup;
    uint32_t local;
};

static bool setup_read_buffer(void *user, uint32_t handle, size_t offset, size_t size, uint8_t *out)
{
    const struct buffer_reader *reader = user;
    const struct capture_setup *setup = reader->setup;

    return setup->read && setup->read(setup->user, reader->local, handle, offset, size, out);
}

static bool setup_follow_entry(struct setup_context *context, uint8_t token, const struct dp2_entry *entry,
                               const struct patch_source *source)
{
    if (token == DP2OP_DRAWRECTPATCH || token == DP2OP_DRAWTRIPATCH)
        return patch_log_follow(&context->patches, &context->log, token, entry, source);
    if (token == DP2OP_RENDERSTATE && DP2_U32(entry->head, entry_RENDERSTATE, state) == D3D_RS_DELETERTPATCH)
        patch_log_delete(&context->patches, DP2_U32(entry->head, entry_RENDERSTATE, value));
    return state_log_follow(&context->log, token, entry);
}

static bool follow_draw(struct capture_setup *setup, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct setup_context *context = setup_find_context(setup, head->context);
    struct buffer_reader reader = {setup, context ? context->head.local : 0};
    const struct patch_source source = {(const uint8_t *)(head + 1) + ((head->command_bytes + 3) & ~3u),
                                        head->vertex_bytes, setup_read_buffer, &reader};
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (context && dp2_next(&cursor, &command) == DP2_OK) {
        struct dp2_entry entry = {0};

        while (dp2_next_entry(&command, &entry))
            if (!setup_follow_entry(context, command.info->number, &entry, &source))
                return false;
    }
    return true;
}

void capture_setup_read_with(struct capture_setup *setup,
                             bool (*read)(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size,
                                          uint8_t *out),
                             void *user)
{
    setup->read = read;
    setup->user = user;
}

bool capture_setup_follow(struct capture_setup *setup, const struct capture_event *event)
{
    const void *head = event->data;
    const uint32_t *numbers = head;
    struct setup_context *context;

    switch (event->type) {
    case CAPTURE_SURFACES:
        return setup_make_surfaces(setup, event);
    case CAPTURE_ANNOUNCE:
        return setup_announce(setup, event);
    case CAPTURE_DESTROY:
        return setup_unmake(setup, head);
    case CAPTURE_COLOR_KEY:
        setup_set_color_key(setup, head);
        return true;
    case CAPTURE_PALETTE:
        return setup_change_palette(setup, head);
    case CAPTURE_PALETTE_GONE:
        setup_drop_palette(setup, numbers[0]);
        return true;
    case CAPTURE_SET_PALETTE:
        setup_set_palette(setup, head);
        return true;
    case CAPTURE_CONTEXT:
        return add_context(setup, head);
    case CAPTURE_CONTEXT_GONE:
    case CAPTURE_PROCESS_GONE:
        setup_forget_contexts(setup, numbers[0], event->type == CAPTURE_PROCESS_GONE);
        return true;
    case CAPTURE_TARGET:
        context = setup_find_context(setup, numbers[0]);
        if (context) {
            context->head.target = numbers[1];
            context->head.depth = numbers[2];
            state_log_forget_target(&context->log);
        }
        return true;
    case CAPTURE_DRAW:
        return follow_draw(setup, head);
    default:
        return true;
    }
}

bool capture_setup_has_patches(const struct capture_setup *setup)
{
    for (const struct setup_context *context = setup->contexts; context; context = context->next)
        if (context->patches.incomplete)
            return false;
    return true;
}

void capture_setup_mark(struct capture_setup *setup)
{
    free_blobs(setup->gone);
    setup->gone = NULL;
    setup->gone_end = &setup->gone;
    for (struct setup_blob *blob = setup->made; blob; blob = blob->next)
        blob->marked = true;
    mark_palettes(setup);
    for (struct setup_blob *blob = setup->announced; blob; blob = blob->next)
        blob->marked = true;
}
