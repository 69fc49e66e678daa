/* SPDX-License-Identifier: MIT */
/* Finds values that a segment need not compute. Walks backwards, because the answer depends on the readers of a
 * value. */
#include "shader/jit/segment.h"

#include "base/assert.h"

#include <string.h>

static const uint8_t source_counts[SEGMENT_OPERATION_COUNT] = {
#define SEGMENT_COUNT(name, sources) sources,
    SEGMENT_OPERATIONS(SEGMENT_COUNT)
#undef SEGMENT_COUNT
};

unsigned segment_source_count(const struct segment_value *v)
{
    return source_counts[v->operation];
}

/* Can the reader of source k tell -0 from 0 there? It depends on whether the sign of 0 matters in the reader's own
 * result. */
static bool tells_zeros(const struct segment_value *v, unsigned k, bool matters)
{
    switch (v->operation) {
    case SEGMENT_ADD:
        return matters && !v->adds_zero;
    case SEGMENT_DIV:
        return k == 1 || matters; /* an infinity of either sign */
    case SEGMENT_SELECT:
        return k >= 2 && matters;
    case SEGMENT_ANDN: /* of a sign */
        return k == 0;
    case SEGMENT_COPY:
    case SEGMENT_SUB:
    case SEGMENT_MUL:
    case SEGMENT_MIN:
    case SEGMENT_MAX:
    case SEGMENT_SQRT:
    case SEGMENT_FLOOR:
    case SEGMENT_SHUFFLE:
        return matters;
    default: /* of bits */
        return true;
    }
}

/* Is the result NaN whenever source k is NaN? */
static bool passes_nan(const struct segment_value *v)
{
    return v->operation == SEGMENT_ADD || v->operation == SEGMENT_SUB || v->operation == SEGMENT_MUL ||
           v->operation == SEGMENT_DIV || v->operation == SEGMENT_SQRT;
}

/* The requirements of a value's readers. */
struct demand {
    bool zeros; /* some reader distinguishes -0 from 0 */
    bool seen;  /* a NaN would be noticed, because it makes a checked value NaN */
};

/* The value that replaces v: a sum with 0 without an observable effect is replaced by its other operand. */
static uint16_t resolve(const uint16_t *instead, uint16_t v)
{
    return v == SEGMENT_NONE ? v : instead[v];
}

static void demand_stores(const struct segment *segment, struct segment_value *value, struct demand *demand)
{
    for (unsigned n = 0; n < segment->store_count; n++) {
        value[segment->store[n].value].used = true;
        demand[segment->store[n].value].zeros = true;
    }
}

static void demand_sources(struct segment *segment, const struct segment_value *v, const struct demand *of,
                           struct demand *demand)
{
    const bool seen = passes_nan(v) && (v->checked || of->seen);

    for (unsigned k = 0; k < source_counts[v->operation]; k++) {
        const uint16_t from = v->source[k];

        segment->value[from].used = true;
        demand[from].zeros |= tells_zeros(v, k, of->zeros);
        demand[from].seen |= seen;
    }
}

/* Is the value never NaN as long as no checked value is? `is`: the answers for earlier values. */
static bool is_number(const struct segment *segment, const struct segment_value *v, const bool *is)
{
    const uint16_t a = v->source[0], b = v->source[1];

    switch (v->operation) {
    case SEGMENT_LITERAL:
        return true;
    case SEGMENT_ADD:
        return v->adds_zero && is[a];
    case SEGMENT_MIN:
    case SEGMENT_MAX: /* b where either is NaN */
        return is[b];
    case SEGMENT_COPY:
        return is[a];
    case SEGMENT_ANDN:
    case SEGMENT_XOR: /* of signs */
        return is[a] && is[b];
    case SEGMENT_SQRT:
        return segment->value[a].operation == SEGMENT_ANDN && is[a];
    case SEGMENT_DIV:
        return segment->value[a].operation == SEGMENT_LITERAL && is[b];
    case SEGMENT_SELECT:
        return is[v->source[2]] && is[v->source[3]];
    default:
        return false;
    }
}

/* Backwards: collects the requirements on each value. `instead`: replacements of sums with 0 that have no observable
 * effect. `is`: values that are checked, or whose NaN makes a checked value NaN. */
static void find_demand(struct segment *segment, uint16_t *instead, bool *is)
{
    struct demand demand[SEGMENT_MAX_VALUES];

    memset(demand, 0, segment->value_count * sizeof(*demand));
    demand_stores(segment, segment->value, demand);
    for (unsigned n = segment->value_count; n-- > 0;) {
        struct segment_value *v = &segment->value[n];

        instead[n] = (uint16_t)n;
        is[n] = v->checked || demand[n].seen;
        if (!v->used)
            continue;
        if (v->adds_zero && !demand[n].zeros) { /* its readers read its source instead */
            instead[n] = v->source[0];
            segment->value[v->source[0]].used = true;
            demand[v->source[0]].seen |= demand[n].seen;
            v->used = false;
            continue;
        }
        demand_sources(segment, v, &demand[n], demand);
        if (v->checked && demand[n].seen) /* by the operation that makes it */
            v->checked = false;
    }
}

void segment_simplify(struct segment *segment)
{
    uint16_t instead[SEGMENT_MAX_VALUES];
    bool is[SEGMENT_MAX_VALUES];

    find_demand(segment, instead, is);
    for (unsigned n = 0; n < segment->value_count; n++) {
        struct segment_value *v = &segment->value[n];

        if (instead[n] != n)
            instead[n] = instead[instead[n]];
        for (unsigned k = 0; k < source_counts[v->operation]; k++)
            v->source[k] = resolve(instead, v->source[k]);
        is[n] |= is_number(segment, v, is);
    }
    for (unsigned n = 0; n < segment->store_count; n++) {
        struct segment_store *store = &segment->store[n];

        store->value = resolve(instead, store->value);
        store->clean = is[store->value];
    }
}
