/* SPDX-License-Identifier: MIT */
/*
 * State left behind by events. A state that was set again is kept once, at the place of its last
 * setting; nothing moves across the two tokens whose outcome depends on all before them (state
 * blocks, and matrices that multiply). Drawing is left out: what it did is in the surfaces.
 */
#include "dp2/capture_setup.h"

#include "dp2/tokens.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ID         (1u << 22)
#define CAPS_TARGET    0x2000u
#define CAPS3_SAMPLES  0x1fu /* DDSCAPS3_MULTISAMPLE_MASK */
#define STATE_PATCH    169u  /* D3DRS_DELETERTPATCH */
#define SLOTS_AT_FIRST 1024u

struct blob {
    struct blob *next;
    uint32_t root; /* announcements */
    size_t size;
    uint32_t data[];
};

struct surface {
    struct blob *made; /* the event, NULL: not there */
    struct capture_part part;
};

/* A command of one entry, in the log of a context. */
struct entry {
    uint64_t key; /* 0: for ever */
    size_t offset, size;
    bool dead;
};

struct context {
    struct context *next;
    struct capture_context head;
    uint8_t *bytes;
    size_t byte_count, byte_capacity;
    struct entry *log;
    size_t count, capacity, dead, barrier; /* barrier: entries before it stay as they are */
    size_t *slots;                         /* hash of keys: number of an entry + 1 */
    size_t slot_count;
};

struct capture_setup {
    struct surface *surfaces;
    uint32_t limit;
    struct blob *made, **made_end, *announced, **announced_end;
    struct context *contexts, **contexts_end;
    bool cached_patches;
};

struct capture_setup *capture_setup_create(void)
{
    struct capture_setup *setup = calloc(1, sizeof(*setup));

    if (setup) {
        setup->made_end = &setup->made;
        setup->announced_end = &setup->announced;
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
    free(context->bytes);
    free(context->log);
    free(context->slots);
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
    free(setup->surfaces);
    free(setup);
}

static bool grow(void *place, size_t *capacity, size_t wanted, size_t element)
{
    void **memory = place;
    const size_t size = wanted + wanted / 2 + 16;
    void *bigger;

    if (wanted <= *capacity) {
        return true;
    }
    bigger = realloc(*memory, size * element);
    if (!bigger) {
        return false;
    }
    *memory = bigger;
    *capacity = size;
    return true;
}

/* --- surfaces ------------------------------------------------------------------------------- */

static struct blob *append_blob(struct blob ***end, const void *data, size_t size)
{
    struct blob *blob = malloc(sizeof(*blob) + size + 4);

    if (blob) {
        blob->next = NULL;
        blob->root = 0;
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
        setup->surfaces[parts[i].id] = (struct surface){blob, parts[i]};
    }
    return blob != NULL;
}

const struct capture_part *capture_setup_surface(const struct capture_setup *setup, uint32_t id)
{
    return id < setup->limit && setup->surfaces[id].made ? &setup->surfaces[id].part : NULL;
}

uint32_t capture_setup_limit(const struct capture_setup *setup)
{
    return setup->limit;
}

bool capture_setup_system_memory(const struct capture_setup *setup, uint32_t id)
{
    const struct blob *blob = setup->surfaces[id].made;

    return blob && ((const struct capture_surfaces *)(const void *)blob->data)->flags &
                       CAPTURE_SYSTEM_MEMORY;
}

bool capture_setup_is_first(const struct capture_setup *setup, uint32_t id)
{
    const struct blob *blob = setup->surfaces[id].made;
    const struct capture_surfaces *head = blob ? (const void *)blob->data : NULL;
    const struct capture_part *parts = (const void *)(head + 1);

    for (uint32_t i = 0; head && i < head->part_count; i++) {
        if (setup->surfaces[parts[i].id].made == blob) {
            return parts[i].id == id;
        }
    }
    return false;
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

static void unmake(struct capture_setup *setup, const struct capture_destroy *head)
{
    struct blob *blob = head->id < setup->limit ? setup->surfaces[head->id].made : NULL;

    if (!blob) {
        return;
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

static size_t slot_of(const struct context *context, uint64_t key)
{
    size_t slot = (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) % context->slot_count;

    while (context->slots[slot] && context->log[context->slots[slot] - 1].key != key) {
        slot = (slot + 1) % context->slot_count;
    }
    return slot;
}

/* Rebuilds log, bytes and hash without what is dead. */
static bool tidy(struct context *context)
{
    const size_t slots = 4 * (context->count - context->dead) + SLOTS_AT_FIRST;
    size_t *bigger = calloc(slots, sizeof(*bigger));
    size_t kept = 0, bytes = 0, before_barrier = 0;

    if (!bigger) {
        return false;
    }
    free(context->slots);
    context->slots = bigger;
    context->slot_count = slots;
    for (size_t i = 0; i < context->count; i++) {
        struct entry entry = context->log[i];

        if (entry.dead) {
            continue;
        }
        memmove(context->bytes + bytes, context->bytes + entry.offset, entry.size);
        entry.offset = bytes;
        bytes += entry.size;
        before_barrier += i < context->barrier;
        context->log[kept++] = entry;
        if (entry.key && i >= context->barrier) {
            context->slots[slot_of(context, entry.key)] = kept;
        }
    }
    context->count = kept;
    context->byte_count = bytes;
    context->dead = 0;
    context->barrier = before_barrier;
    return true;
}

/* Kills the entry of this key, if nothing stands between. */
static bool kill_key(struct context *context, uint64_t key)
{
    const size_t slot = context->slot_count ? slot_of(context, key) : 0;
    const size_t number = context->slot_count ? context->slots[slot] : 0;

    if (number == 0 || number - 1 < context->barrier || context->log[number - 1].dead) {
        return false;
    }
    context->log[number - 1].dead = true;
    context->dead++;
    return true;
}

/* One entry as a command of its own. */
static bool append_entry(struct context *context, uint64_t key, uint8_t token,
                         const struct dp2_entry *entry)
{
    const size_t size = 4 + entry->head_size + entry->data_size;
    uint8_t *at;

    if (key) {
        kill_key(context, key);
    }
    if ((context->count + 1) * 2 > context->slot_count && !tidy(context)) {
        return false;
    }
    if (!grow(&context->bytes, &context->byte_capacity, context->byte_count + size, 1) ||
        !grow(&context->log, &context->capacity, context->count + 1, sizeof(*context->log))) {
        return false;
    }
    at = context->bytes + context->byte_count;
    memcpy(at, (const uint8_t[]){token, 0, 1, 0}, 4);
    memcpy(at + 4, entry->head, entry->head_size);
    if (entry->data_size) {
        memcpy(at + 4 + entry->head_size, entry->data, entry->data_size);
    }
    context->log[context->count++] = (struct entry){key, context->byte_count, size, false};
    context->byte_count += size;
    if (key) {
        context->slots[slot_of(context, key)] = context->count;
    } else {
        context->barrier = context->count;
    }
    return true;
}

enum treatment { DROP, BARRIER, BY_TOKEN, BY_FIRST, BY_RANGE, BY_THIRD, CREATE, DELETE };

/* What becomes of a token, and for DELETE what it deletes. */
static enum treatment treatment_of(uint8_t token, uint8_t *created)
{
    switch (token) {
    case DP2OP_STATESET:
    case DP2OP_MULTIPLYTRANSFORM:
    case DP2OP_UPDATEPALETTE:
        return BARRIER;
    case DP2OP_VIEWPORTINFO:
    case DP2OP_ZRANGE:
    case DP2OP_WINFO:
    case DP2OP_SETMATERIAL:
    case DP2OP_SETSCISSORRECT:
    case DP2OP_SETVERTEXSHADER:
    case DP2OP_SETPIXELSHADER:
    case DP2OP_SETINDICES:
    case DP2OP_SETVERTEXSHADERDECL:
    case DP2OP_SETVERTEXSHADERFUNC:
    case DP2OP_SETRENDERTARGET:
    case DP2OP_SETDEPTHSTENCIL:
        return BY_TOKEN;
    case DP2OP_RENDERSTATE:
    case DP2OP_TEXTURESTAGESTATE:
    case DP2OP_SETTRANSFORM:
    case DP2OP_SETCLIPPLANE:
    case DP2OP_SETSTREAMSOURCE:
    case DP2OP_SETSTREAMSOURCEUM:
    case DP2OP_SETSTREAMSOURCE2:
    case DP2OP_SETSTREAMSOURCEFREQ:
    case DP2OP_SETRENDERTARGET2:
    case DP2OP_CREATELIGHT:
    case DP2OP_SETPRIORITY:
    case DP2OP_SETTEXLOD:
        return BY_FIRST;
    case DP2OP_SETLIGHT:
    case DP2OP_SETVERTEXSHADERCONST:
    case DP2OP_SETPIXELSHADERCONST:
    case DP2OP_SETVERTEXSHADERCONSTI:
    case DP2OP_SETVERTEXSHADERCONSTB:
    case DP2OP_SETPIXELSHADERCONSTI:
    case DP2OP_SETPIXELSHADERCONSTB:
        return BY_RANGE;
    case DP2OP_SETPALETTE:
        return BY_THIRD;
    case DP2OP_CREATEVERTEXSHADER:
    case DP2OP_CREATEPIXELSHADER:
    case DP2OP_CREATEVERTEXSHADERDECL:
    case DP2OP_CREATEVERTEXSHADERFUNC:
    case DP2OP_CREATEQUERY:
        return CREATE;
    case DP2OP_DELETEVERTEXSHADER:
    case DP2OP_DELETEPIXELSHADER:
    case DP2OP_DELETEVERTEXSHADERDECL:
    case DP2OP_DELETEVERTEXSHADERFUNC:
        *created =
            (uint8_t)(token == DP2OP_DELETEPIXELSHADER ? DP2OP_CREATEPIXELSHADER : token - 1);
        return DELETE;
    case DP2OP_DELETEQUERY:
        *created = DP2OP_CREATEQUERY;
        return DELETE;
    default:
        return DROP;
    }
}

static uint64_t make_key(uint8_t token, uint32_t first, uint32_t second)
{
    const bool stream = token == DP2OP_SETSTREAMSOURCEUM || token == DP2OP_SETSTREAMSOURCE2;

    return (uint64_t)(stream ? DP2OP_SETSTREAMSOURCE : token) << 56 |
           (uint64_t)(second & 0xffffff) << 32 | first;
}

static bool follow_entry(struct context *context, uint8_t token, const struct dp2_entry *entry)
{
    uint8_t created = 0;
    const enum treatment treatment = treatment_of(token, &created);
    const uint32_t first = entry->head_size >= 4 ? dp2_read_u32(entry->head) : 0;
    const uint32_t second = entry->head_size >= 8 ? dp2_read_u32(entry->head + 4) : 0;

    switch (treatment) {
    case BARRIER:
        return append_entry(context, 0, token, entry);
    case BY_TOKEN:
        return append_entry(context, make_key(token, 0, 0), token, entry);
    case BY_FIRST:
        if (token == DP2OP_RENDERSTATE && first == STATE_PATCH) {
            return true;
        }
        return append_entry(context, make_key(token, first, 0), token, entry);
    case BY_RANGE:
        /* A light is switched on or off, or described. */
        return append_entry(
            context,
            make_key(token, first, token == DP2OP_SETLIGHT ? second == DP2_LIGHT_DATA : second),
            token, entry);
    case BY_THIRD:
        return append_entry(context, make_key(token, dp2_read_u32(entry->head + 8), 0), token,
                            entry);
    case CREATE:
        return append_entry(context, make_key(token, first, 0), token, entry);
    case DELETE:
        return kill_key(context, make_key(created, first, 0)) ||
               append_entry(context, make_key(token, first, 0), token, entry);
    default:
        return true;
    }
}

static bool follow_draw(struct capture_setup *setup, const struct capture_draw *head)
{
    const uint32_t size = dp2_fvf_size(head->vertex_type);
    struct context *context = find_context(setup, head->context);
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, head + 1, head->command_bytes, size ? size : head->vertex_size);
    while (context && dp2_next(&cursor, &command) == DP2_OK) {
        const uint8_t token = command.info->number;
        struct dp2_entry entry = {0};

        while (dp2_next_entry(&command, &entry)) {
            if ((token == DP2OP_DRAWRECTPATCH || token == DP2OP_DRAWTRIPATCH) &&
                dp2_read_u32(entry.head)) {
                setup->cached_patches = true;
            }
            if (!follow_entry(context, token, &entry)) {
                return false;
            }
        }
    }
    return true;
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
        unmake(setup, head);
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
            kill_key(context, make_key(DP2OP_SETRENDERTARGET, 0, 0));
        }
        return true;
    case CAPTURE_DRAW:
        return follow_draw(setup, head);
    default:
        return true;
    }
}

bool capture_setup_is_whole(const struct capture_setup *setup)
{
    for (uint32_t id = 0; id < setup->limit; id++) {
        if (setup->surfaces[id].made && setup->surfaces[id].part.caps3 & CAPS3_SAMPLES) {
            return false;
        }
    }
    return !setup->cached_patches;
}

/* --- writing -------------------------------------------------------------------------------------
 */

struct output {
    bool (*event)(void *user, enum capture_event_type type, const void *data, size_t size);
    void *user;
};

static bool write_made(const struct capture_setup *setup, const struct output *out,
                       const struct blob *blob)
{
    const struct capture_surfaces *head = (const void *)blob->data;
    const struct capture_part *parts = (const void *)(head + 1);

    if (!out->event(out->user, CAPTURE_SURFACES, blob->data, blob->size)) {
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

/* Without names and links of surfaces that are gone. */
static bool write_announced(const struct capture_setup *setup, const struct output *out,
                            const struct blob *blob)
{
    const struct capture_announce *from = (const void *)blob->data;
    const struct capture_name *names = (const void *)(from + 1);
    const struct capture_link *links = (const void *)(names + from->name_count);
    struct capture_announce *copy = malloc(blob->size);
    bool done;

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
    done = out->event(out->user, CAPTURE_CONTEXT, &head, sizeof(head));
    /* A call each: one that the driver refuses must not take others with it. */
    for (size_t i = 0; done && i < context->count; i++) {
        const struct entry *entry = &context->log[i];
        const size_t padded = (entry->size + 3) & ~(size_t)3;
        struct capture_draw *draw = entry->dead ? NULL : calloc(1, sizeof(*draw) + padded);

        if (entry->dead) {
            continue;
        }
        done = draw != NULL;
        if (draw) {
            draw->context = head.context;
            draw->command_bytes = (uint32_t)entry->size;
            memcpy(draw + 1, context->bytes + entry->offset, entry->size);
            done = out->event(out->user, CAPTURE_DRAW, draw, sizeof(*draw) + padded);
        }
        free(draw);
    }
    return done;
}

bool capture_setup_write(const struct capture_setup *setup,
                         bool (*event)(void *user, enum capture_event_type type, const void *data,
                                       size_t size),
                         void *user)
{
    const struct output out = {event, user};
    bool done = true;

    for (const struct blob *blob = setup->made; done && blob; blob = blob->next) {
        done = write_made(setup, &out, blob);
    }
    for (const struct blob *blob = setup->announced; done && blob; blob = blob->next) {
        done = write_announced(setup, &out, blob);
    }
    for (const struct context *context = setup->contexts; done && context;
         context = context->next) {
        done = write_context(setup, &out, context);
    }
    return done;
}
