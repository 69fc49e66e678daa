/* SPDX-License-Identifier: MIT */
/*
 * A state that was set several times is kept once, at the position of the last time; nothing moves across tokens whose
 * result depends on everything before them. Those are few: state blocks are executed here (state_block.c), and matrices
 * multiplied, as long as their initial values are known.
 */
#include "dp2/capture/state_log.h"

#include "base/base.h"
#include "d3d/states.h"

#include "dp2/fields.h"
#include "dp2/order.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_AT_FIRST 1024u

void state_log_free(struct state_log *log)
{
    free(log->bytes);
    free(log->entries);
    free(log->slots);
    state_blocks_free(log);
}

static bool state_log_grow(void *place, size_t *capacity, size_t wanted, size_t element)
{
    void **memory = place;
    const size_t size = wanted + wanted / 2 + 16;
    void *bigger;

    if (wanted <= *capacity)
        return true;
    bigger = mem_realloc(*memory, size, element);
    if (!bigger)
        return false;
    *memory = bigger;
    *capacity = size;
    return true;
}

static size_t slot_of(const struct state_log *log, uint64_t key)
{
    size_t slot = (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) % log->slot_count;

    while (log->slots[slot] && log->entries[log->slots[slot] - 1].key != key)
        slot = (slot + 1) % log->slot_count;
    return slot;
}

/* Rebuilds log, bytes and hash without dead entries. */
static bool drop_dead_entries(struct state_log *log)
{
    const size_t slots = 4 * (log->count - log->dead) + SLOTS_AT_FIRST;
    size_t *bigger = mem_calloc(slots, sizeof(*bigger));
    size_t kept = 0, bytes = 0, before_barrier = 0, before_unsure = 0;

    if (!bigger)
        return false;
    free(log->slots);
    log->slots = bigger;
    log->slot_count = slots;
    for (size_t i = 0; i < log->count; i++) {
        struct state_entry entry = log->entries[i];

        if (entry.dead)
            continue;
        memmove(log->bytes + bytes, log->bytes + entry.offset, entry.size);
        entry.offset = bytes;
        bytes += entry.size;
        before_barrier += i < log->barrier;
        before_unsure += i < log->unsure;
        log->entries[kept++] = entry;
        if (entry.key && i >= log->barrier)
            log->slots[slot_of(log, entry.key)] = kept;
    }
    log->count = kept;
    log->byte_count = bytes;
    log->dead = 0;
    log->barrier = before_barrier;
    log->unsure = before_unsure;
    return true;
}

/* Marks the entry of this key as dead, unless a barrier is in between. */
static bool kill_key(struct state_log *log, uint64_t key)
{
    const size_t slot = log->slot_count ? slot_of(log, key) : 0;
    const size_t number = log->slot_count ? log->slots[slot] : 0;

    if (number == 0 || number - 1 < log->barrier || log->entries[number - 1].dead)
        return false;
    log->entries[number - 1].dead = true;
    log->dead++;
    return true;
}

const uint8_t *state_log_find(const struct state_log *log, uint64_t key, size_t *size)
{
    const size_t number = log->slot_count ? log->slots[slot_of(log, key)] : 0;

    if (number == 0 || number - 1 < log->barrier || number - 1 < log->unsure || log->entries[number - 1].dead)
        return NULL;
    *size = log->entries[number - 1].size;
    return log->bytes + log->entries[number - 1].offset;
}

/* One entry as a command of its own. */
bool state_log_append(struct state_log *log, uint64_t key, uint8_t token, const struct dp2_entry *entry)
{
    const size_t size = 4 + entry->head_size + entry->data_size;
    uint8_t *at;

    if (key)
        kill_key(log, key);
    if ((log->count + 1) * 2 > log->slot_count && !drop_dead_entries(log))
        return false;
    if (!state_log_grow(&log->bytes, &log->byte_capacity, log->byte_count + size, 1) ||
        !state_log_grow(&log->entries, &log->capacity, log->count + 1, sizeof(*log->entries)))
        return false;
    at = log->bytes + log->byte_count;
    memcpy(at, (const uint8_t[]){token, 0, 1, 0}, 4);
    memcpy(at + 4, entry->head, entry->head_size);
    if (entry->data_size)
        memcpy(at + 4 + entry->head_size, entry->data, entry->data_size);
    log->entries[log->count++] = (struct state_entry){key, log->byte_count, size, false};
    log->byte_count += size;
    if (key)
        log->slots[slot_of(log, key)] = log->count;
    else
        log->barrier = log->count;
    return true;
}

static enum dp2_key key_rule(uint8_t token)
{
    const struct dp2_token_info *info = dp2_token_info(token);

    return info ? (enum dp2_key)info->key : DP2_KEY_NONE;
}

static uint64_t pack_key(uint8_t token, uint32_t first, uint32_t second)
{
    return (uint64_t)token << 56 | (uint64_t)(second & 0xffffff) << 32 | first;
}

static uint64_t state_log_make_key(uint8_t token, uint32_t first, uint32_t second)
{
    return pack_key(dp2_token_info(token)->key_token, first, second);
}

static uint64_t render_state_key(uint32_t state, uint32_t value)
{
    return dp2_order_of(state, value).kind != DP2_ORDER_NONE ? state_log_make_key(DP2OP_RENDERSTATE, value, state)
                                                             : state_log_make_key(DP2OP_RENDERSTATE, state, 0);
}

/* DirectX 7 numbers world matrices 1, 4, 5, 6, DirectX 8 from 256: the same matrices. */
static uint64_t transform_key(uint32_t type)
{
    const uint32_t number = type == 1 ? 256 : type >= 4 && type <= 6 ? type - 4 + 257 : type;

    return state_log_make_key(DP2OP_SETTRANSFORM, number, 0);
}

uint64_t state_log_key(uint8_t token, const struct dp2_entry *entry)
{
    const uint32_t first = entry->head_size >= 4 ? dp2_read_dword(entry->head, 0) : 0;
    const uint32_t second = entry->head_size >= 8 ? dp2_read_dword(entry->head, 1) : 0;

    switch (key_rule(token)) {
    case DP2_KEY_TOKEN:
        return state_log_make_key(token, 0, 0);
    case DP2_KEY_FIRST:
        return token == DP2OP_RENDERSTATE    ? render_state_key(first, second)
               : token == DP2OP_SETTRANSFORM ? transform_key(first)
                                             : state_log_make_key(token, first, 0);
    case DP2_KEY_RANGE:
        /* A light is switched on or off, or described. */
        return state_log_make_key(token, first, token == DP2OP_SETLIGHT ? second == DP2_LIGHT_DATA : second);
    case DP2_KEY_THIRD:
        return state_log_make_key(token, dp2_read_dword(entry->head, 2), 0);
    case DP2_KEY_PALETTE: /* 8 bits of start, 9 of count */
        return state_log_make_key(token, first, (second & 0xff) << 9 | (second >> 16 & 0x1ff));
    case DP2_KEY_CREATE:
        return state_log_make_key(token, first, 0);
    default:
        return 0;
    }
}

/* given * old, in doubles, like the driver; old NULL: the identity, the initial value of contexts. */
static void state_log_multiply(uint8_t *out, const uint8_t *given, const uint8_t *old)
{
    float a[4][4], b[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, r[4][4];

    memcpy(a, given, sizeof(a));
    if (old)
        memcpy(b, old, sizeof(b));
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++) {
            double sum = 0.0;

            for (unsigned k = 0; k < 4; k++)
                sum += (double)a[i][k] * b[k][j];
            r[i][j] = (float)sum;
        }
    }
    memcpy(out, r, sizeof(r));
}

static bool follow_multiply(struct state_log *log, const struct dp2_entry *entry)
{
    const uint64_t key = transform_key(DP2_U32(entry->head, entry_MULTIPLYTRANSFORM, type));
    const size_t matrix = DP2_OFFSET(entry_SETTRANSFORM, matrix);
    uint8_t body[sizeof(struct dp2_entry_SETTRANSFORM)];
    const struct dp2_entry product = {.head = body, .head_size = sizeof(body)};
    size_t size;
    const uint8_t *old = state_log_find(log, key, &size);

    if (!old && (log->barrier || log->unsure))
        return state_log_append(log, 0, DP2OP_MULTIPLYTRANSFORM, entry);
    memcpy(body, entry->head, matrix);
    state_log_multiply(body + matrix, entry->head + matrix, old ? old + DP2_HEADER_BYTES + matrix : NULL);
    return state_log_append(log, key, DP2OP_SETTRANSFORM, &product);
}

static bool append_stage_state(struct state_log *log, uint32_t stage, uint32_t state, uint32_t value)
{
    const uint32_t body[2] = {stage | state << 16, value};
    const struct dp2_entry entry = {.head = (const uint8_t *)body, .head_size = sizeof(body)};

    return state_log_append(log, state_log_key(DP2OP_TEXTURESTAGESTATE, &entry), DP2OP_TEXTURESTAGESTATE, &entry);
}

/* The command takes the map from the stage's texture, which will be a different one when the log is played. */
static bool follow_bind_map(struct state_log *log, const struct dp2_order *order, const struct dp2_entry *entry)
{
    size_t size;
    const uint8_t *command = state_log_find(
        log, state_log_make_key(DP2OP_TEXTURESTAGESTATE, order->stage | (uint32_t)D3D_TSS_TEXTUREMAP << 16, 0), &size);

    if (!command && (log->barrier || log->unsure))
        return state_log_append(log, 0, DP2OP_RENDERSTATE, entry);
    return append_stage_state(log, order->stage, D3D_TSS_FEEDBACK,
                              command ? DP2_U32(command + DP2_HEADER_BYTES, entry_TEXTURESTAGESTATE, value) : 0) &&
           append_stage_state(log, order->stage, D3D_TSS_FEEDBACKMODE, order->value);
}

static bool state_log_follow_render_state(struct state_log *log, const struct dp2_entry *entry)
{
    const struct dp2_order order =
        dp2_order_of(DP2_U32(entry->head, entry_RENDERSTATE, state), DP2_U32(entry->head, entry_RENDERSTATE, value));

    switch (order.kind) {
    case DP2_ORDER_COPIES: /* its result is in the surfaces */
        return true;
    case DP2_ORDER_BIND_MAP:
        return follow_bind_map(log, &order, entry);
    case DP2_ORDER_CLAMP_MAP:
        return append_stage_state(log, order.stage, D3D_TSS_FEEDBACKCLAMP, order.value);
    default:
        return state_log_append(log, state_log_key(DP2OP_RENDERSTATE, entry), DP2OP_RENDERSTATE, entry);
    }
}

bool state_log_follow(struct state_log *log, uint8_t token, const struct dp2_entry *entry)
{
    const uint32_t first = entry->head_size >= 4 ? dp2_read_u32(entry->head) : 0;

    if (token == DP2OP_RENDERSTATE && first == D3D_RS_DELETERTPATCH)
        return true;
    if (state_block_takes(log, token))
        return state_block_record(log, token, entry);
    if (token == DP2OP_RENDERSTATE)
        return state_log_follow_render_state(log, entry);
    switch (key_rule(token)) {
    case DP2_KEY_NONE:
        return true;
    case DP2_KEY_BLOCK:
        return state_block_follow(log, entry);
    case DP2_KEY_MULTIPLY:
        return follow_multiply(log, entry);
    case DP2_KEY_DELETE:
        return kill_key(log, state_log_make_key(token, first, 0)) ||
               state_log_append(log, pack_key(token, first, 0), token, entry);
    default:
        return state_log_append(log, state_log_key(token, entry), token, entry);
    }
}

void state_log_forget_target(struct state_log *log)
{
    kill_key(log, state_log_make_key(DP2OP_SETRENDERTARGET, 0, 0));
}
