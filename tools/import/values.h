/* SPDX-License-Identifier: MIT */
/* The values of a trace: read into memory that is freed at once, with the signatures that the file tells once each. */
#ifndef HALCYON_TOOLS_IMPORT_VALUES_H
#define HALCYON_TOOLS_IMPORT_VALUES_H

#include "tools/import/calls.h"
#include "tools/import/container.h"

#define VALUES_SIGNATURES (1u << 16) /* of each kind, numbered from 0 */
#define VALUES_NAME       256        /* bytes of a function's name, with its 0 */

/* Memory of the values of a call. */
struct arena {
    struct arena_block *blocks;
    size_t bytes;
};
/* NULL: out of memory, or more than `most` bytes. Aligned for any value. */
void *arena_take(struct arena *arena, size_t size, size_t most);
void arena_free(struct arena *arena);

/* A signature: how many values or names belong to it; functions also have a name. */
struct signature {
    bool known;
    unsigned count;
    uint64_t value; /* of an enumeration before version 3 */
    char *name;
};
struct signatures {
    struct signature *list;
    size_t capacity;
};
void signatures_free(struct signatures *signatures);

struct values {
    struct container container;
    unsigned version; /* of the format */
    struct signatures functions, structures, enumerations, bitmasks;
    size_t most; /* bytes that values may still take */
};

/* Each is false at damage, which sets container.error. */
bool values_read(struct values *values, struct arena *arena, struct trace_value *value);
/* The signature of a function: its number, and at its first occurrence its name and the names of its arguments. */
bool values_function(struct values *values, const struct signature **function);
bool values_skip_string(struct values *values);
/* Sets container.error unless it is set. Returns false. */
bool values_damaged(struct values *values, const char *why);

#endif
