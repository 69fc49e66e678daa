/* SPDX-License-Identifier: MIT */
/* Values and signatures of a trace. */
#include "tools/import/values.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------------- */

#define BLOCK 4000

struct arena_block {
    struct arena_block *next;
    size_t size, used;
    max_align_t data[];
};

void *arena_take(struct arena *arena, size_t size, size_t most)
{
    struct arena_block *block = arena->blocks;
    uint8_t *taken;

    if (size > most)
        return NULL;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!block || size > block->size - block->used) {
        const size_t room = BASE_MAX(size, (size_t)BLOCK);

        block = mem_alloc(room, 1, sizeof(*block));
        if (!block)
            return NULL;
        *block = (struct arena_block){.next = arena->blocks, .size = room};
        arena->blocks = block;
        arena->bytes += room;
    }
    taken = (uint8_t *)block->data + block->used;
    block->used += size;
    return taken;
}

void arena_free(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;

        free(arena->blocks);
        arena->blocks = next;
    }
    arena->bytes = 0;
}

/* --- signatures ----------------------------------------------------------------------------------- */

bool values_damaged(struct values *values, const char *why)
{
    if (!values->container.error)
        values->container.error = why;
    return false;
}

void signatures_free(struct signatures *signatures)
{
    for (size_t i = 0; i < signatures->capacity; i++)
        free(signatures->list[i].name);
    free(signatures->list);
    *signatures = (struct signatures){0};
}

/* The signature of a number, which may be new. NULL: damaged. */
static struct signature *signature_of(struct values *values, struct signatures *signatures)
{
    uint64_t id;

    if (!container_number(&values->container, &id))
        return NULL;
    if (id >= VALUES_SIGNATURES) {
        values_damaged(values, "a signature has too large a number");
        return NULL;
    }
    if (id >= signatures->capacity) {
        const size_t capacity = BASE_MAX((size_t)id + 1, BASE_MIN(2 * signatures->capacity, (size_t)VALUES_SIGNATURES));
        struct signature *list = mem_realloc(signatures->list, capacity, sizeof(*list));

        if (!list) {
            values_damaged(values, "out of memory");
            return NULL;
        }
        memset(list + signatures->capacity, 0, (capacity - signatures->capacity) * sizeof(*list));
        signatures->list = list;
        signatures->capacity = capacity;
    }
    return &signatures->list[id];
}

bool values_skip_string(struct values *values)
{
    uint64_t size;

    if (!container_number(&values->container, &size))
        return false;
    if (size > container_left(&values->container))
        return values_damaged(values, "a text is longer than the file");
    return container_skip(&values->container, size);
}

/* The number of names or values in a signature, each of which takes a byte at least. */
static bool read_count(struct values *values, unsigned *count)
{
    uint64_t number;

    if (!container_number(&values->container, &number))
        return false;
    if (number > container_left(&values->container) || number > UINT32_MAX)
        return values_damaged(values, "a list is longer than the file");
    *count = (unsigned)number;
    return true;
}

static bool skip_names(struct values *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!values_skip_string(values))
            return false;
    return true;
}

bool values_function(struct values *values, const struct signature **function)
{
    struct signature *signature = signature_of(values, &values->functions);
    uint64_t size;

    *function = signature;
    if (!signature || signature->known)
        return signature != NULL;
    if (!container_number(&values->container, &size))
        return false;
    if (size >= VALUES_NAME)
        return values_damaged(values, "the name of a function is too long");
    free(signature->name);
    signature->name = mem_calloc(1, (size_t)size + 1);
    if (!signature->name)
        return values_damaged(values, "out of memory");
    if (!container_read(&values->container, signature->name, (size_t)size) || !read_count(values, &signature->count) ||
        !skip_names(values, signature->count))
        return false;
    signature->known = true;
    return true;
}

static bool read_structure_signature(struct values *values, unsigned *count)
{
    struct signature *signature = signature_of(values, &values->structures);

    if (!signature)
        return false;
    if (!signature->known) {
        if (!values_skip_string(values) || !read_count(values, &signature->count) ||
            !skip_names(values, signature->count))
            return false;
        signature->known = true;
    }
    *count = signature->count;
    return true;
}

/* A number of an enumeration: written like a value, of type SINT or UINT. */
static bool read_signed(struct values *values, struct trace_value *value)
{
    uint8_t type;

    if (!container_byte(&values->container, &type) || !container_number(&values->container, &value->number))
        return false;
    if (type != TRACE_SINT && type != TRACE_UINT)
        return values_damaged(values, "an enumeration has a value that is not a number");
    value->type = (enum trace_type)type;
    if (type == TRACE_SINT)
        value->number = -value->number;
    return true;
}

static bool read_enumeration(struct values *values, struct trace_value *value)
{
    struct signature *signature = signature_of(values, &values->enumerations);
    struct trace_value named;

    if (!signature)
        return false;
    if (!signature->known) {
        signature->count = 1;
        if (values->version >= 3 && !read_count(values, &signature->count))
            return false;
        for (unsigned i = 0; i < signature->count; i++) {
            if (!values_skip_string(values) || !read_signed(values, &named))
                return false;
            signature->value = named.number;
        }
        signature->known = true;
    }
    if (values->version >= 3)
        return read_signed(values, value);
    *value = (struct trace_value){.type = TRACE_UINT, .number = signature->value};
    return true;
}

static bool read_bitmask(struct values *values, struct trace_value *value)
{
    struct signature *signature = signature_of(values, &values->bitmasks);
    uint64_t flag;

    if (!signature)
        return false;
    if (!signature->known) {
        if (!read_count(values, &signature->count))
            return false;
        for (unsigned i = 0; i < signature->count; i++)
            if (!values_skip_string(values) || !container_number(&values->container, &flag))
                return false;
        signature->known = true;
    }
    value->type = TRACE_UINT;
    return container_number(&values->container, &value->number);
}

/* --- values --------------------------------------------------------------------------------------- */

static bool read_value(struct values *values, struct arena *arena, struct trace_value *value, unsigned depth);

static void *take(struct values *values, struct arena *arena, size_t size)
{
    void *taken = arena_take(arena, size, values->most - BASE_MIN(values->most, arena->bytes));

    if (!taken)
        values_damaged(values, "a call holds more than fits into memory");
    return taken;
}

static bool read_bytes(struct values *values, struct arena *arena, struct trace_value *value)
{
    uint64_t size;
    uint8_t *bytes;

    if (!container_number(&values->container, &size))
        return false;
    if (size > container_left(&values->container))
        return values_damaged(values, "a block of bytes is longer than the file");
    bytes = take(values, arena, (size_t)size);
    value->blob.bytes = bytes;
    value->blob.size = (size_t)size;
    return bytes && container_read(&values->container, bytes, (size_t)size);
}

static bool read_wide(struct values *values, struct arena *arena, struct trace_value *value)
{
    unsigned count;
    uint64_t unit;
    uint8_t *bytes;

    if (!read_count(values, &count))
        return false;
    bytes = take(values, arena, (size_t)count * 2);
    if (!bytes)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (!container_number(&values->container, &unit))
            return false;
        bytes[2 * i] = (uint8_t)unit;
        bytes[2 * i + 1] = (uint8_t)(unit >> 8);
    }
    value->blob.bytes = bytes;
    value->blob.size = (size_t)count * 2;
    return true;
}

/* The list grows with what has been read, since its count is only a promise. */
static bool read_list(struct values *values, struct arena *arena, struct trace_value *value, unsigned count,
                      unsigned depth)
{
    struct trace_value *items = NULL;
    unsigned capacity = 0;

    for (unsigned i = 0; i < count; i++) {
        if (i == capacity) {
            struct trace_value *more;

            capacity = BASE_MIN(count, BASE_MAX(2 * capacity, 64u));
            more = take(values, arena, capacity * sizeof(*more));
            if (!more)
                return false;
            if (i)
                memcpy(more, items, i * sizeof(*more));
            items = more;
        }
        if (!read_value(values, arena, &items[i], depth + 1))
            return false;
    }
    value->list.items = items;
    value->list.count = count;
    return true;
}

static bool read_group(struct values *values, struct arena *arena, struct trace_value *value, unsigned depth)
{
    unsigned count;

    if (value->type == TRACE_ARRAY ? !read_count(values, &count) : !read_structure_signature(values, &count))
        return false;
    if (count > container_left(&values->container))
        return values_damaged(values, "a list is longer than the file");
    return read_list(values, arena, value, count, depth);
}

/* Two values: what people read, and what the program passed. */
static bool read_pair(struct values *values, struct arena *arena, struct trace_value *value, unsigned depth)
{
    struct trace_value read;

    return read_value(values, arena, &read, depth + 1) && read_value(values, arena, value, depth + 1);
}

static bool read_value(struct values *values, struct arena *arena, struct trace_value *value, unsigned depth)
{
    uint8_t type;

    if (depth > CALLS_DEPTH)
        return values_damaged(values, "values are nested too deeply");
    if (!container_byte(&values->container, &type))
        return false;
    *value = (struct trace_value){.type = (enum trace_type)type};
    switch (type) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        return true;
    case TRACE_SINT:
        if (!container_number(&values->container, &value->number))
            return false;
        value->number = -value->number;
        return true;
    case TRACE_UINT:
    case TRACE_OPAQUE:
        return container_number(&values->container, &value->number);
    case TRACE_FLOAT:
        return container_read(&values->container, &value->f, sizeof(value->f));
    case TRACE_DOUBLE:
        return container_read(&values->container, &value->d, sizeof(value->d));
    case TRACE_STRING:
    case TRACE_BLOB:
        return read_bytes(values, arena, value);
    case TRACE_ENUM:
        return read_enumeration(values, value);
    case TRACE_BITMASK:
        return read_bitmask(values, value);
    case TRACE_ARRAY:
    case TRACE_STRUCT:
        return read_group(values, arena, value, depth);
    case TRACE_REPR:
        return read_pair(values, arena, value, depth);
    case TRACE_WSTRING:
        return read_wide(values, arena, value);
    default:
        return values_damaged(values, "a value has an unknown type");
    }
}

bool values_read(struct values *values, struct arena *arena, struct trace_value *value)
{
    return read_value(values, arena, value, 0);
}
