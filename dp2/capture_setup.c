/* SPDX-License-Identifier: MIT */
/*
 * Surfaces and contexts left behind by events; the states of each context are in its log
 * (state_log.h).
 */
#include "dp2/capture_setup.h"

#include "dp2/patch_log.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ID        (1u << 22)
#define CAPS_TARGET   0x2000u

#define STATE_DELETE_PATCH 169u /* D3DRS_DELETERTPATCH */

struct blob {
    struct blob *next;
    uint32_t root; /* announcements */
    bool left_out;
    bool marked; /* was there at capture_setup_mark */
    size_t size;
    uint32_t data[];
};

struct surface {
    struct blob *made; /* the event, NULL: not there */
    struct capture_part part;
    struct capture_color_key keys[2]; /* source, destination, as set since; id 0: never */
};

struct context {
    struct context *next;
    struct capture_context head;
    struct state_log log;
    struct patch_log patches;
};

struct capture_setup {
    struct surface *surfaces;
    uint32_t limit;
    struct blob *made, **made_end, *announced, **announced_end;
    struct blob *gone, **gone_end; /* what took down surfaces that were there at capture_setup_mark */
    struct context *contexts, **contexts_end;
    bool (*read)(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size, uint8_t *out);
    void *user; /* of `read`; NULL: buffers cannot be read */
};

struct capture_setup *capture_setup_create(void)
{
    struct capture_setup *setup = calloc(1, sizeof(*setup));

    if (setup) {
        setup->made_end = &setup->made;
        setup->announced_end = &setup->announced;
        setup->gone_end = &setup->gone;
        setup->contexts_end = &setup->contexts;
    }
    return setup;
}

static void free_blobs(struct blob *blob)
{
    while (blob) {
        struct blob *next = blob->next;

        free(blob);
        blob = next;
    }
}

static void free_context(struct context *context)
{
    state_log_free(&context->log);
    patch_log_free(&context->patches);
    free(context);
}

void capture_setup_destroy(struct capture_setup *setup)
{
    if (!setup) {
        return;
    }
    while (setup->contexts) {
        struct context *next = setup->contexts->next;

        free_context(setup->contexts);
        setup->contexts = next;
    }
    free_blobs(setup->made);
    free_blobs(setup->announced);
    free_blobs(setup->gone);
    free(setup->surfaces);
    free(setup);
}

/* --- surfaces ------------------------------------------------------------------------------- */

static struct blob *append_blob(struct blob ***end, const void *data, size_t size)
{
    struct blob *blob = malloc(sizeof(*blob) + size + 4);

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

static void remove_blob(struct blob **list, struct blob ***end, const struct blob *gone)
{
    while (*list != gone) {
        list = &(*list)->next;
    }
    struct blob *next = (*list)->next;

    if (*end == &(*list)->next) {
        *end = list;
    }
    free(*list);
    *list = next;
}

static bool reserve_surface(struct capture_setup *setup, uint32_t id)
{
    const uint32_t limit = id + id / 2 + 64;
    struct surface *bigger;

    if (id < setup->limit) {
        return true;
    }
    bigger = realloc(setup->surfaces, limit * sizeof(*bigger));
    if (!bigger) {
        return false;
    }
    memset(bigger + setup->limit, 0, (limit - setup->limit) * sizeof(*bigger));
    setup->surfaces = bigger;
    setup->limit = limit;
    return true;
}

static bool make_surfaces(struct capture_setup *setup, const struct capture_event *event)
{
    const struct capture_surfaces *head = (const void *)event->data;
    const struct capture_part *parts = (const void *)(head + 1);
    struct blob *blob = append_blob(&setup->made_end, event->data, event->size);

    for (uint32_t i = 0; blob && i < head->part_count; i++) {
        if (parts[i].id >= MAX_ID || !reserve_surface(setup, parts[i].id)) {
            return false;
        }
        setup->surfaces[parts[i].id] = (struct surface){.made = blob, .part = parts[i]};
    }
    return blob != NULL;
}

const struct capture_part *capture_setup_surface(const struct capture_setup *setup, uint32_t id)
{
    const struct blob *made = id < setup->limit ? setup->surfaces[id].made : NULL;

    return made && !made->left_out ? &setup->surfaces[id].part : NULL;
}

uint32_t capture_setup_limit(const struct capture_setup *setup)
{
    return setup->limit;
}

static unsigned parts_alive(const struct capture_setup *setup, const struct blob *blob)
{
    const struct capture_surfaces *head = (const void *)blob->data;
    const struct capture_part *parts = (const void *)(head + 1);
    unsigned alive = 0;

    for (uint32_t i = 0; i < head->part_count; i++) {
        alive += setup->surfaces[parts[i].id].made == blob;
    }
    return alive;
}

static struct blob *announcement(const struct capture_setup *setup, uint32_t root)
{
    struct blob *blob = setup->announced;

    while (blob && blob->root != root) {
        blob = blob->next;
    }
    return blob;
}

static void forget_announcement(struct capture_setup *setup, uint32_t root)
{
    struct blob *blob = announcement(setup, root);

    if (blob) {
        remove_blob(&setup->announced, &setup->announced_end, blob);
    }
}

static bool unmake(struct capture_setup *setup, const struct capture_destroy *head)
{
    struct blob *blob = head->id < setup->limit ? setup->surfaces[head->id].made : NULL;

    if (!blob) {
        return true;
    }
    if (blob->marked && !append_blob(&setup->gone_end, head, sizeof(*head))) {
        return false;
    }
    const struct capture_surfaces *made = (const void *)blob->data;
    const struct capture_part *parts = (const void *)(made + 1);

    for (uint32_t i = 0; i < made->part_count; i++) {
        const uint32_t id = parts[i].id;
        if (setup->surfaces[id].made == blob &&
            (id == head->id || head->flags & CAPTURE_SYSTEM_MEMORY)) {
            setup->surfaces[id].made = NULL;
            forget_announcement(setup, id);
        }
    }
    if (parts_alive(setup, blob) == 0) {
        remove_blob(&setup->made, &setup->made_end, blob);
    }
    return true;
}

static bool announce(struct capture_setup *setup, const struct capture_event *event)
{
    const struct capture_announce *head = (const void *)event->data;
    struct blob *blob;

    forget_announcement(setup, head->root);
    blob = append_blob(&setup->announced_end, event->data, event->size);
    if (blob) {
        blob->root = head->root;
    }
    return blob != NULL;
}

static void set_color_key(struct capture_setup *setup, const struct capture_color_key *head)
{
    if (head->id < setup->limit && setup->surfaces[head->id].made) {
        setup->surfaces[head->id].keys[head->kind == CAPTURE_KEY_DESTINATION] = *head;
    }
}

/* --- leaving out --------------------------------------------------------------------------- */

static bool keep(struct capture_setup *setup, uint32_t id)
{
    struct blob *made = id < setup->limit ? setup->surfaces[id].made : NULL;
    const bool was_left_out = made && made->left_out;

    if (was_left_out) {
        made->left_out = false;
    }
    return was_left_out;
}

/* Brings back what is attached to surfaces that are kept. Was there any? */
static bool keep_attached(struct capture_setup *setup)
{
    bool more = false;

    for (const struct blob *blob = setup->made; blob; blob = blob->next) {
        const struct capture_surfaces *head = (const void *)blob->data;
        const struct capture_link *links =
            (const void *)((const struct capture_part *)(const void *)(head + 1) + head->part_count);

        for (uint32_t i = 0; !blob->left_out && i < head->link_count; i++) {
            more |= keep(setup, links[i].from) | keep(setup, links[i].to);
        }
    }
    for (const struct blob *blob = setup->announced; blob; blob = blob->next) {
        const struct capture_announce *head = (const void *)blob->data;
        const struct capture_name *names = (const void *)(head + 1);

        for (uint32_t i = 0; capture_setup_surface(setup, head->root) && i < head->name_count; i++) {
            more |= keep(setup, names[i].id);
        }
    }
    return more;
}

void capture_setup_keep_named(struct capture_setup *setup, bool (*named)(const void *user, uint32_t id), const void *user)
{
    for (struct blob *blob = setup->made; blob; blob = blob->next) {
        blob->left_out = true;
    }
    for (uint32_t id = 0; id < setup->limit; id++) {
        if (setup->surfaces[id].made && named(user, id)) {
            setup->surfaces[id].made->left_out = false;
        }
    }
    while (keep_attached(setup)) {
    }
}

/* --- states ------------------------------------------------------------------------------------
 */

static struct context *find_context(const struct capture_setup *setup, uint32_t number)
{
    struct context *context = setup->contexts;

    while (context && context->head.context != number) {
        context = context->next;
    }
    return context;
}

static bool add_context(struct capture_setup *setup, const struct capture_context *head)
{
    struct context *context = calloc(1, sizeof(*context));

    if (!context) {
        return false;
    }
    context->head = *head;
    *setup->contexts_end = context;
    setup->contexts_end = &context->next;
    return true;
}

static void forget_contexts(struct capture_setup *setup, uint32_t number, bool by_process)
{
    struct context **at = &setup->contexts;

    while (*at) {
        struct context *context = *at;

        if ((by_process ? context->head.process : context->head.context) != number) {
            at = &context->next;
            continue;
        }
        *at = context->next;
        free_context(context);
    }
    setup->contexts_end = at;
}

struct buffer_reader {
    const struct capture_setup *setup;
    uint32_t local;
};

static bool read_buffer(void *user, uint32_t handle, size_t offset, size_t size, uint8_t *out)
{
    const struct buffer_reader *reader = user;
    const struct capture_setup *setup = reader->setup;

    return setup->read && setup->read(setup->user, reader->local, handle, offset, size, out);
}

static bool follow_entry(struct context *context, uint8_t token, const struct dp2_entry *entry,
                         const struct patch_source *source)
{
    if (token == DP2OP_DRAWRECTPATCH || token == DP2OP_DRAWTRIPATCH) {
        return patch_log_follow(&context->patches, &context->log, token, entry, source);
    }
    if (token == DP2OP_RENDERSTATE && dp2_read_u32(entry->head) == STATE_DELETE_PATCH) {
        patch_log_delete(&context->patches, dp2_read_u32(entry->head + 4));
    }
    return state_log_follow(&context->log, token, entry);
}

static bool follow_draw(struct capture_setup *setup, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct context *context = find_context(setup, head->context);
    struct buffer_reader reader = {setup, context ? context->head.local : 0};
    const struct patch_source source = {(const uint8_t *)(head + 1) + ((head->command_bytes + 3) & ~3u),
                                        head->vertex_bytes, read_buffer, &reader};
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (context && dp2_next(&cursor, &command) == DP2_OK) {
        struct dp2_entry entry = {0};

        while (dp2_next_entry(&command, &entry)) {
            if (!follow_entry(context, command.info->number, &entry, &source)) {
                return false;
            }
        }
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
    struct context *context;

    switch (event->type) {
    case CAPTURE_SURFACES:
        return make_surfaces(setup, event);
    case CAPTURE_ANNOUNCE:
        return announce(setup, event);
    case CAPTURE_DESTROY:
        return unmake(setup, head);
    case CAPTURE_COLOR_KEY:
        set_color_key(setup, head);
        return true;
    case CAPTURE_CONTEXT:
        return add_context(setup, head);
    case CAPTURE_CONTEXT_GONE:
    case CAPTURE_PROCESS_GONE:
        forget_contexts(setup, numbers[0], event->type == CAPTURE_PROCESS_GONE);
        return true;
    case CAPTURE_TARGET:
        context = find_context(setup, numbers[0]);
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
    for (const struct context *context = setup->contexts; context; context = context->next) {
        if (context->patches.incomplete) {
            return false;
        }
    }
    return true;
}

/* --- writing -------------------------------------------------------------------------------------
 */

struct output {
    bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size);
    void *user;
};

static bool is_part(const struct capture_surfaces *head, uint32_t id)
{
    const struct capture_part *parts = (const void *)(head + 1);

    for (uint32_t i = 0; i < head->part_count; i++) {
        if (parts[i].id == id) {
            return true;
        }
    }
    return false;
}

/* Without links of surfaces that are gone. */
static bool write_surfaces(const struct capture_setup *setup, const struct output *out, const struct blob *blob)
{
    const struct capture_surfaces *from = (const void *)blob->data;
    const struct capture_link *links =
        (const void *)((const struct capture_part *)(const void *)(from + 1) + from->part_count);
    const size_t fixed = (size_t)((const uint8_t *)links - (const uint8_t *)from);
    struct capture_surfaces *copy = malloc(blob->size);
    bool done;

    if (!copy) {
        return false;
    }
    memcpy(copy, from, fixed);
    copy->link_count = 0;
    struct capture_link *link = (void *)((uint8_t *)copy + fixed);

    for (uint32_t i = 0; i < from->link_count; i++) {
        if ((is_part(from, links[i].from) || capture_setup_surface(setup, links[i].from)) &&
            (is_part(from, links[i].to) || capture_setup_surface(setup, links[i].to))) {
            link[copy->link_count++] = links[i];
        }
    }
    done = out->event(out->user, CAPTURE_SURFACES, copy, fixed + copy->link_count * sizeof(*link));
    free(copy);
    return done;
}

static bool write_made(const struct capture_setup *setup, const struct output *out,
                       const struct blob *blob)
{
    const struct capture_surfaces *head = (const void *)blob->data;
    const struct capture_part *parts = (const void *)(head + 1);

    if (blob->left_out) {
        return true;
    }
    if (!write_surfaces(setup, out, blob)) {
        return false;
    }
    for (uint32_t i = 0; i < head->part_count; i++) {
        const struct capture_destroy gone = {parts[i].id, 0};

        if (setup->surfaces[parts[i].id].made != blob &&
            !out->event(out->user, CAPTURE_DESTROY, &gone, sizeof(gone))) {
            return false;
        }
    }
    return true;
}

static bool write_color_keys(const struct capture_setup *setup, const struct output *out)
{
    bool done = true;

    for (uint32_t id = 0; id < setup->limit; id++) {
        const struct surface *surface = &setup->surfaces[id];

        for (unsigned i = 0; capture_setup_surface(setup, id) && i < 2; i++) {
            if (surface->keys[i].id && done) {
                done = out->event(out->user, CAPTURE_COLOR_KEY, &surface->keys[i], sizeof(surface->keys[i]));
            }
        }
    }
    return done;
}

/* Without names and links of surfaces that are gone. */
static bool write_announced(const struct capture_setup *setup, const struct output *out,
                            const struct blob *blob)
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
    if (!copy) {
        return false;
    }
    *copy = *from;
    copy->name_count = copy->link_count = 0;
    struct capture_name *name = (void *)(copy + 1);

    for (uint32_t i = 0; i < from->name_count; i++) {
        if (capture_setup_surface(setup, names[i].id)) {
            name[copy->name_count++] = names[i];
        }
    }
    struct capture_link *link = (void *)(name + copy->name_count);

    for (uint32_t i = 0; i < from->link_count; i++) {
        if (capture_setup_surface(setup, links[i].from) &&
            capture_setup_surface(setup, links[i].to)) {
            link[copy->link_count++] = links[i];
        }
    }
    done = out->event(out->user, CAPTURE_ANNOUNCE, copy,
                      (size_t)((uint8_t *)(link + copy->link_count) - (uint8_t *)copy));
    free(copy);
    return done;
}

static uint32_t any_target(const struct capture_setup *setup)
{
    for (uint32_t id = 0; id < setup->limit; id++) {
        const struct capture_part *part = capture_setup_surface(setup, id);

        if (part && part->caps & CAPS_TARGET) {
            return id;
        }
    }
    return 0;
}

static bool has_handle(const struct capture_setup *setup, uint32_t handle)
{
    for (uint32_t id = 0; id < setup->limit; id++) {
        const struct capture_part *part = capture_setup_surface(setup, id);

        if (part && part->handle == handle) {
            return true;
        }
    }
    for (const struct blob *blob = setup->announced; blob; blob = blob->next) {
        const struct capture_announce *head = (const void *)blob->data;
        const struct capture_name *names = (const void *)(head + 1);

        for (uint32_t i = 0; i < head->name_count; i++) {
            if (names[i].handle == handle && capture_setup_surface(setup, names[i].id)) {
                return true;
            }
        }
    }
    return false;
}

/* Does the command set something of a surface that is gone? It goes with the surface. */
static bool is_of_no_surface(const struct capture_setup *setup, const uint8_t *command)
{
    switch (command[0]) {
    case DP2OP_SETPALETTE:
        return !has_handle(setup, dp2_read_u32(command + 12));
    case DP2OP_SETPRIORITY:
    case DP2OP_SETTEXLOD:
    case DP2OP_SETFEEDBACK:
        return !has_handle(setup, dp2_read_u32(command + 4));
    default:
        return false;
    }
}

/* Writes commands that a context is to execute, as a call. */
static bool write_commands(const struct output *out, uint32_t context, const uint8_t *const pieces[3], const size_t sizes[3])
{
    const size_t size = sizes[0] + sizes[1] + sizes[2];
    struct capture_draw *draw = calloc(1, sizeof(*draw) + ((size + 3) & ~(size_t)3));
    uint8_t *at = (uint8_t *)(draw + 1);
    bool done;

    if (!draw) {
        return false;
    }
    draw->context = context;
    draw->command_bytes = (uint32_t)size;
    for (unsigned i = 0; i < 3; i++) {
        if (sizes[i]) {
            memcpy(at, pieces[i], sizes[i]);
        }
        at += sizes[i];
    }
    done = out->event(out->user, CAPTURE_DRAW, draw, sizeof(*draw) + ((size + 3) & ~(size_t)3));
    free(draw);
    return done;
}

/* BEGIN, what was recorded, END; the last one without END if it is still being recorded. */
static bool write_block(const struct output *out, uint32_t context, const struct state_block *block, bool recording)
{
    uint8_t begin[16] = {DP2OP_STATESET, 0, 1}, end[16] = {DP2OP_STATESET, 0, 1, 0, 1};
    const uint8_t *const pieces[3] = {begin, block->bytes, end};
    const size_t sizes[3] = {sizeof(begin), block->length, recording ? 0 : sizeof(end)};

    memcpy(begin + 8, &block->handle, sizeof(block->handle));
    memcpy(end + 8, &block->handle, sizeof(block->handle));
    return write_commands(out, context, pieces, sizes);
}

static bool write_blocks(const struct output *out, const struct context *context)
{
    const struct state_log *log = &context->log;
    bool done = true;

    for (size_t i = 0; done && i < log->block_count; i++) {
        if (!log->blocks[i].in_log && log->recording != i + 1) {
            done = write_block(out, context->head.context, &log->blocks[i], false);
        }
    }
    return done && (!log->recording ||
                    write_block(out, context->head.context, &log->blocks[log->recording - 1], true));
}

static bool write_patch(const struct output *out, uint32_t context, const struct patch_definition *patch)
{
    uint8_t commands[PATCH_LOG_COMMANDS];
    const size_t size = patch_log_commands(patch, commands), padded = (size + 3) & ~(size_t)3;
    struct capture_draw *draw = calloc(1, sizeof(*draw) + padded + patch->bytes);
    bool done;

    if (!draw) {
        return false;
    }
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
static bool write_patches(const struct output *out, const struct context *context, const struct capture_part *part)
{
    const struct patch_log *log = &context->patches;
    uint8_t commands[PATCH_LOG_COMMANDS];
    const uint8_t *const pieces[3] = {commands, NULL, NULL};
    size_t sizes[3] = {patch_log_begin(commands), 0, 0};
    bool done = true;

    if (log->count == 0) {
        return true;
    }
    done = write_commands(out, context->head.context, pieces, sizes);
    for (size_t i = 0; done && i < log->count; i++) {
        done = write_patch(out, context->head.context, &log->list[i]);
    }
    sizes[0] = patch_log_end(part ? part->width : 0, part ? part->height : 0, commands);
    return done && write_commands(out, context->head.context, pieces, sizes);
}

static bool write_context(const struct capture_setup *setup, const struct output *out,
                          const struct context *context)
{
    struct capture_context head = context->head;
    bool done;

    if (!capture_setup_surface(setup, head.target)) {
        head.target = any_target(setup);
    }
    if (!capture_setup_surface(setup, head.depth)) {
        head.depth = 0;
    }
    done = out->event(out->user, CAPTURE_CONTEXT, &head, sizeof(head)) &&
           write_patches(out, context, capture_setup_surface(setup, head.target));
    /* A call each: one that the driver refuses must not take others with it. */
    for (size_t i = 0; done && i < context->log.count; i++) {
        const struct state_entry *entry = &context->log.entries[i];
        const uint8_t *const pieces[3] = {context->log.bytes + entry->offset, NULL, NULL};
        const size_t sizes[3] = {entry->size, 0, 0};

        if (!entry->dead && !is_of_no_surface(setup, pieces[0])) {
            done = write_commands(out, head.context, pieces, sizes);
        }
    }
    return done && write_blocks(out, context);
}

/* changes: without the surfaces and announcements that are marked. */
static bool write_all(const struct capture_setup *setup, const struct output *out, bool changes)
{
    bool done = true;

    for (const struct blob *blob = setup->made; done && blob; blob = blob->next) {
        done = (changes && blob->marked) || write_made(setup, out, blob);
    }
    done = done && write_color_keys(setup, out);
    for (const struct blob *blob = setup->announced; done && blob; blob = blob->next) {
        done = (changes && blob->marked) || write_announced(setup, out, blob);
    }
    for (const struct context *context = setup->contexts; done && context;
         context = context->next) {
        done = write_context(setup, out, context);
    }
    return done;
}

bool capture_setup_write(const struct capture_setup *setup,
                         bool (*event)(void *user, enum capture_event_type type, const void *data,
                                       size_t size),
                         void *user)
{
    const struct output out = {event, user};

    return write_all(setup, &out, false);
}

void capture_setup_mark(struct capture_setup *setup)
{
    free_blobs(setup->gone);
    setup->gone = NULL;
    setup->gone_end = &setup->gone;
    for (struct blob *blob = setup->made; blob; blob = blob->next) {
        blob->marked = true;
    }
    for (struct blob *blob = setup->announced; blob; blob = blob->next) {
        blob->marked = true;
    }
}

bool capture_setup_write_changes(const struct capture_setup *setup,
                                 bool (*event)(void *user, enum capture_event_type type, const void *data,
                                               size_t size),
                                 void *user)
{
    const struct output out = {event, user};
    bool done = true;

    for (const struct blob *blob = setup->gone; done && blob; blob = blob->next) {
        done = event(user, CAPTURE_DESTROY, blob->data, blob->size);
    }
    return done && write_all(setup, &out, true);
}
