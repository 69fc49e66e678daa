/* SPDX-License-Identifier: MIT */
/*
 * A state that was set again is kept once, at the place of its last setting; nothing moves across
 * the tokens whose outcome depends on all before them (state blocks, matrices that multiply,
 * palettes that are updated).
 */
#include "dp2/state_log.h"

#include <stdlib.h>
#include <string.h>

#define STATE_POINT_SIZE 154u
#define STATE_PATCH      169u /* D3DRS_DELETERTPATCH */
#define SLOTS_AT_FIRST   1024u

void state_log_free(struct state_log *log)
{
    free(log->bytes);
    free(log->entries);
    free(log->slots);
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

static size_t slot_of(const struct state_log *log, uint64_t key)
{
    size_t slot = (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) % log->slot_count;

    while (log->slots[slot] && log->entries[log->slots[slot] - 1].key != key) {
        slot = (slot + 1) % log->slot_count;
    }
    return slot;
}

/* Rebuilds log, bytes and hash without what is dead. */
static bool tidy(struct state_log *log)
{
    const size_t slots = 4 * (log->count - log->dead) + SLOTS_AT_FIRST;
    size_t *bigger = calloc(slots, sizeof(*bigger));
    size_t kept = 0, bytes = 0, before_barrier = 0;

    if (!bigger) {
        return false;
    }
    free(log->slots);
    log->slots = bigger;
    log->slot_count = slots;
    for (size_t i = 0; i < log->count; i++) {
        struct state_entry entry = log->entries[i];

        if (entry.dead) {
            continue;
        }
        memmove(log->bytes + bytes, log->bytes + entry.offset, entry.size);
        entry.offset = bytes;
        bytes += entry.size;
        before_barrier += i < log->barrier;
        log->entries[kept++] = entry;
        if (entry.key && i >= log->barrier) {
            log->slots[slot_of(log, entry.key)] = kept;
        }
    }
    log->count = kept;
    log->byte_count = bytes;
    log->dead = 0;
    log->barrier = before_barrier;
    return true;
}

/* Kills the entry of this key, if nothing stands between. */
static bool kill_key(struct state_log *log, uint64_t key)
{
    const size_t slot = log->slot_count ? slot_of(log, key) : 0;
    const size_t number = log->slot_count ? log->slots[slot] : 0;

    if (number == 0 || number - 1 < log->barrier || log->entries[number - 1].dead) {
        return false;
    }
    log->entries[number - 1].dead = true;
    log->dead++;
    return true;
}

/* One entry as a command of its own. */
static bool append_entry(struct state_log *log, uint64_t key, uint8_t token,
                         const struct dp2_entry *entry)
{
    const size_t size = 4 + entry->head_size + entry->data_size;
    uint8_t *at;

    if (key) {
        kill_key(log, key);
    }
    if ((log->count + 1) * 2 > log->slot_count && !tidy(log)) {
        return false;
    }
    if (!grow(&log->bytes, &log->byte_capacity, log->byte_count + size, 1) ||
        !grow(&log->entries, &log->capacity, log->count + 1, sizeof(*log->entries))) {
        return false;
    }
    at = log->bytes + log->byte_count;
    memcpy(at, (const uint8_t[]){token, 0, 1, 0}, 4);
    memcpy(at + 4, entry->head, entry->head_size);
    if (entry->data_size) {
        memcpy(at + 4 + entry->head_size, entry->data, entry->data_size);
    }
    log->entries[log->count++] = (struct state_entry){key, log->byte_count, size, false};
    log->byte_count += size;
    if (key) {
        log->slots[slot_of(log, key)] = log->count;
    } else {
        log->barrier = log->count;
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
    case DP2OP_SETFEEDBACK:
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

/* A command by FOURCC goes through D3DRS_POINTSIZE, which keeps the size it had
 * (docs/extensions.md). */
static bool is_command(uint32_t state, uint32_t value)
{
    if (state != STATE_POINT_SIZE) {
        return false;
    }
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t letter = (uint8_t)(value >> 8 * i);

        if (!(letter >= '0' && letter <= '9') && !(letter >= 'A' && letter <= 'Z')) {
            return false;
        }
    }
    return true;
}

static bool follow_render_state(struct state_log *log, const struct dp2_entry *entry)
{
    const uint32_t state = dp2_read_u32(entry->head), value = dp2_read_u32(entry->head + 4);
    const uint64_t key = is_command(state, value) ? make_key(DP2OP_RENDERSTATE, value, state)
                                                  : make_key(DP2OP_RENDERSTATE, state, 0);

    return state == STATE_PATCH || append_entry(log, key, DP2OP_RENDERSTATE, entry);
}

bool state_log_follow(struct state_log *log, uint8_t token, const struct dp2_entry *entry)
{
    uint8_t created = 0;
    const enum treatment treatment = treatment_of(token, &created);
    const uint32_t first = entry->head_size >= 4 ? dp2_read_u32(entry->head) : 0;
    const uint32_t second = entry->head_size >= 8 ? dp2_read_u32(entry->head + 4) : 0;

    switch (treatment) {
    case BARRIER:
        return append_entry(log, 0, token, entry);
    case BY_TOKEN:
        return append_entry(log, make_key(token, 0, 0), token, entry);
    case BY_FIRST:
        return token == DP2OP_RENDERSTATE
                   ? follow_render_state(log, entry)
                   : append_entry(log, make_key(token, first, 0), token, entry);
    case BY_RANGE:
        /* A light is switched on or off, or described. */
        return append_entry(
            log,
            make_key(token, first, token == DP2OP_SETLIGHT ? second == DP2_LIGHT_DATA : second),
            token, entry);
    case BY_THIRD:
        return append_entry(log, make_key(token, dp2_read_u32(entry->head + 8), 0), token, entry);
    case CREATE:
        return append_entry(log, make_key(token, first, 0), token, entry);
    case DELETE:
        return kill_key(log, make_key(created, first, 0)) ||
               append_entry(log, make_key(token, first, 0), token, entry);
    default:
        return true;
    }
}

void state_log_forget_target(struct state_log *log)
{
    kill_key(log, make_key(DP2OP_SETRENDERTARGET, 0, 0));
}
