/* SPDX-License-Identifier: MIT */
/* Makes the values of a segment, and tracks which value each place of lanes holds. */
#include "shader/jit/values.h"

#include "base/assert.h"
#include "shader/run/generated.h"

#include <float.h>
#include <string.h>

const float generated_literals[SEGMENT_LITERALS] = {
    [SEGMENT_ONE_HALF_NEGATIVE] = -0.5f,
    [SEGMENT_ONE_NEGATIVE] = -1.0f,
    [SEGMENT_LARGEST] = FLT_MAX,
    [SEGMENT_LARGEST_NEGATIVE] = -FLT_MAX,
    [SEGMENT_SIGN] = -0.0f,
    [SEGMENT_ALL_BITS] = -__builtin_nanf("0x3fffff"),
    [SEGMENT_NAN] = __builtin_nanf(""),
    [SEGMENT_SMALLEST] = FLT_MIN,
    [SEGMENT_TWO_24] = 16777216.0f,
    [SEGMENT_ROUNDER] = 12582912.0f,
    [SEGMENT_ROOT_OF_TWO] = 1.41421356f,
    [SEGMENT_MANTISSA] = 0x1.fffffcp-127f, /* 0x007fffff */
    [SEGMENT_INTEGER_1] = 0x1p-149f,
    [SEGMENT_INTEGER_127] = 0x1.fcp-143f,
    [SEGMENT_EXP2_LOWEST] = -150.0f,
    [SEGMENT_BIAS] = 127.0f,
    [SEGMENT_BIAS_TINY] = 151.0f,
    [SEGMENT_EXP2] = 0.000015252733804f,
    0.00015403530393f,
    0.0013333558146f,
    0.0096181291076f,
    0.055504108665f,
    0.24022650696f,
    0.69314718056f,
    [SEGMENT_LOG2] = 0.3205988980f,
    0.4121985831f,
    0.5770780164f,
    0.9617966939f,
    2.8853900818f,
    [SEGMENT_LIT_LOWEST] = -127.9961f,
    [SEGMENT_LIT_HIGHEST] = 127.9961f,
    [SEGMENT_INDEX_LOWEST] = -32768.0f,
    [SEGMENT_INDEX_HIGHEST] = 32767.0f,
    [SEGMENT_ANGLE_END] = 65536.0f,
    [SEGMENT_RIGHT_ANGLES] = 0.63661977237f,
    [SEGMENT_RIGHT_ANGLE] = 1.5703125f,
    4.837512969970703125e-4f,
    7.549789954891e-8f,
    [SEGMENT_SINE] = -1.9515295891e-4f,
    8.3321608736e-3f,
    -1.6666654611e-1f,
    [SEGMENT_COSINE] = 2.443315711809948e-5f,
    -1.388731625493765e-3f,
    4.166664568298827e-2f,
    [SEGMENT_POWERS] = 0x1p-8f,
    0x1p-7f,
    0x1p-6f,
    0x1p-5f,
    0x1p-4f,
    0x1p-3f,
    0x1p-2f,
    0x1p-1f,
    1.0f,
    2.0f,
    4.0f,
    8.0f,
    16.0f,
    32.0f,
    64.0f,
    128.0f,
};

/* The kinds of places that segments write, in the order of their numbers. */
static const struct {
    unsigned first, end;
    uint8_t base; /* enum plan_base */
} written[] = {
    {0, SEGMENT_TEMPS, PLAN_TEMP},
    {SEGMENT_TEMPS, SEGMENT_OUTPUTS, PLAN_OUTPUT},
    {SEGMENT_OUTPUTS, SEGMENT_SCRATCH, PLAN_SCRATCH},
    {SEGMENT_SCRATCH, SEGMENT_ADDRESS, PLAN_ADDRESS},
    {SEGMENT_ADDRESS, SEGMENT_PREDICATE, PLAN_PREDICATE},
    {SEGMENT_PREDICATE, SEGMENT_KILLED, PLAN_KILLED},
    {SEGMENT_KILLED, SEGMENT_DEPTH, PLAN_DEPTH},
};

unsigned segment_place(struct plan_operand o)
{
    const unsigned reg = o.offset / SHADER_LANES;

    for (unsigned n = 0; n < ARRAY_COUNT(written); n++)
        if (o.base == written[n].base) {
            BASE_ASSERT(reg < written[n].end - written[n].first);
            return written[n].first + reg;
        }
    if (o.base == PLAN_POSITION)
        return SEGMENT_DEPTH + reg;
    BASE_ASSERT(o.base >= PLAN_INPUT && o.base < PLAN_BASES);
    return SEGMENT_POSITION + o.base - PLAN_INPUT;
}

static struct plan_operand operand_of_place(unsigned place)
{
    unsigned n = 0;

    while (place >= written[n].end)
        n++;
    return (struct plan_operand){written[n].base, (uint16_t)((place - written[n].first) * SHADER_LANES)};
}

/* --- values ----------------------------------------------------------------------------- */

static uint16_t add_value(struct segment *segment, struct segment_value value)
{
    if (segment->value_count == SEGMENT_MAX_VALUES) {
        segment->full = true;
        return 0;
    }
    segment->value[segment->value_count] = value;
    return (uint16_t)segment->value_count++;
}

uint16_t value_literal(struct segment *segment, enum segment_literal number)
{
    uint16_t *held = &segment->literal[number];

    if (*held == SEGMENT_NONE)
        *held =
            add_value(segment, (struct segment_value){.operation = SEGMENT_LITERAL, .place.offset = (uint16_t)number});
    return *held;
}

uint16_t value_make(struct segment *segment, enum segment_operation operation, uint16_t a, uint16_t b)
{
    return add_value(segment, (struct segment_value){.operation = (uint8_t)operation, .source = {a, b}});
}

uint16_t value_select(struct segment *segment, enum segment_predicate predicate, uint16_t a, uint16_t b, uint16_t yes,
                      uint16_t no)
{
    return add_value(segment, (struct segment_value){.operation = SEGMENT_SELECT,
                                                     .immediate = (uint8_t)predicate,
                                                     .source = {a, b, yes, no}});
}

uint16_t value_immediate(struct segment *segment, enum segment_operation operation, uint16_t a, unsigned immediate)
{
    return add_value(segment, (struct segment_value){
                                  .operation = (uint8_t)operation, .immediate = (uint8_t)immediate, .source = {a}});
}

uint16_t value_integer(struct segment *segment, unsigned integer)
{
    return add_value(segment, (struct segment_value){.operation = SEGMENT_INTEGER, .place.offset = (uint16_t)integer});
}

uint16_t value_gather(struct segment *segment, uint16_t number, unsigned component)
{
    return add_value(
        segment,
        (struct segment_value){.operation = SEGMENT_GATHER, .place.offset = (uint16_t)component, .source = {number}});
}

/* 0 times anything is 0; a square needs no such rule. */
uint16_t value_product(struct segment *segment, uint16_t a, uint16_t b)
{
    return add_value(segment, (struct segment_value){.operation = SEGMENT_MUL, .legacy = a != b, .source = {a, b}});
}

uint16_t value_plus_zero(struct segment *segment, uint16_t a)
{
    const uint16_t zero = value_literal(segment, SEGMENT_ZERO);

    return add_value(segment, (struct segment_value){.operation = SEGMENT_ADD, .adds_zero = true, .source = {a, zero}});
}

uint16_t value_uniform(struct segment *segment, struct plan_operand place)
{
    for (unsigned n = 0; n < segment->uniform_count; n++) {
        const struct plan_operand *held = &segment->value[segment->uniform[n]].place;

        if (held->base == place.base && held->offset == place.offset)
            return segment->uniform[n];
    }
    const uint16_t v = add_value(segment, (struct segment_value){.operation = SEGMENT_UNIFORM, .place = place});

    if (!segment->full)
        segment->uniform[segment->uniform_count++] = v;
    return v;
}

uint16_t value_read(struct segment *segment, struct plan_operand from)
{
    if (plan_is_uniform(from))
        return value_uniform(segment, from);
    uint16_t *held = &segment->held[segment_place(from)];

    if (*held == SEGMENT_NONE)
        *held = add_value(segment, (struct segment_value){.operation = SEGMENT_LANES, .place = from});
    return *held;
}

void value_write(struct segment *segment, struct plan_operand to, uint16_t v, bool canonical)
{
    const unsigned place = segment_place(to);

    segment->held[place] = v;
    segment->dirty[place] = true;
    segment->canonical[place] = canonical;
}

/* --- the whole segment ------------------------------------------------------------------------------ */

void segment_begin(struct segment *segment, const struct shader_code *code)
{
    segment->value_count = segment->store_count = segment->uniform_count = 0;
    segment->code = code;
    segment->full = false;
    memset(segment->literal, 0xff, sizeof(segment->literal));
    memset(segment->held, 0xff, sizeof(segment->held));
    memset(segment->dirty, 0, sizeof(segment->dirty));
    segment->held[SEGMENT_PREDICATE] = value_literal(segment, SEGMENT_ZERO); /* no lane is killed yet */
}

void segment_end(struct segment *segment, const bool live[SEGMENT_PLACES])
{
    for (unsigned place = 0; place < SEGMENT_DEPTH; place++) {
        const bool stays = (place >= SEGMENT_TEMPS && place < SEGMENT_OUTPUTS) || place >= SEGMENT_SCRATCH;
        uint16_t v = segment->held[place];

        if (!segment->dirty[place] || !(stays || live[place]))
            continue;
        if (segment->value[v].operation == SEGMENT_LANES)
            v = value_make(segment, SEGMENT_COPY, v, SEGMENT_NONE);
        if (segment->store_count == SEGMENT_MAX_STORES) {
            segment->full = true;
            return;
        }
        segment->store[segment->store_count++] = (struct segment_store){
            .to = operand_of_place(place),
            .value = v,
            .canonical = segment->canonical[place],
        };
    }
}
