/* SPDX-License-Identifier: MIT */
/*
 * Decides whether a program fits into 16-bit numbers: its operations, the readers of results, and the range of each
 * value. Ranges are those of real numbers; rounding may exceed them by a few 1/32767, where numbers saturate.
 */
#include "shader/narrow/fit.h"
#include "d3d/usages.h"
#include "shader/run/lane_math.h"

/* The error that rounding of constants may add to a limit. */
#define SLACK 1e-6

/* --- operations, operands, inputs ------------------------------------------------------------------------ */

static bool has_operation(const struct ir_instruction *i)
{
    switch (i->op) {
    case IR_MOV:
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_MAD:
    case IR_LRP:
    case IR_DP3:
    case IR_MIN:
    case IR_MAX:
    case IR_CMP:
    case IR_CND:
    case IR_TEX:
        return true;
    default:
        return false;
    }
}

/* Only colours are clamped to 0..1 before a program reads them. */
static bool is_color(const struct shader_program *program, unsigned entry)
{
    return program->code->is_fixed || program->input[entry].usage == D3D_USAGE_COLOR;
}

static bool note_input(struct narrow_code *n, const struct ir_source *s, bool is_coordinate)
{
    const unsigned entry = narrow_entry(n->program, s->index);

    if (entry >= RASTER_MAX_INPUTS || (!is_coordinate && !is_color(n->program, entry)))
        return false;
    *(is_coordinate ? &n->coordinates : &n->colors) |= (uint16_t)(1u << entry);
    return true;
}

static bool reads_texture(struct narrow_code *n, const struct ir_instruction *i)
{
    const struct ir_source *s = &i->source[0];

    return i->lod == RASTER_LOD_COMPUTED && i->destination.mask == 15 && !i->destination.shift && s->file == IR_INPUT &&
           s->swizzle == IR_XYZW && !s->modifiers && note_input(n, s, true);
}

static bool has_source(struct narrow_code *n, const struct ir_source *s)
{
    if (s->relative)
        return false;
    return narrow_is_uniform(s) || s->file == IR_TEMP || (s->file == IR_INPUT && note_input(n, s, false));
}

static bool has_instruction(struct narrow_code *n, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;

    if (!has_operation(i) || i->predicate || d->relative ||
        !(d->file == IR_TEMP || (d->file == IR_OUTPUT && d->index == 0)))
        return false;
    if (i->op == IR_TEX)
        return !i->source[0].relative && reads_texture(n, i);
    for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++)
        if (!has_source(n, &i->source[k]))
            return false;
    return true;
}

bool narrow_has_form(struct narrow_code *n)
{
    const struct shader_program *p = n->program;

    if (!p->samplers || p->outputs_written != 1 || p->kills || p->writes_depth || p->reads_position || p->reads_face)
        return false;
    for (unsigned k = 0; k < n->count; k++)
        if (!has_instruction(n, &n->code[k]))
            return false;
    return !(n->colors & n->coordinates);
}

/* --- who reads what --------------------------------------------------------------------------------------- */

static unsigned slot_of(const struct ir_destination *d)
{
    return d->file == IR_OUTPUT ? NARROW_SLOT_OUTPUT : d->index;
}

/* Components of the register that source k reads. */
static unsigned components_of(const struct ir_instruction *i, unsigned k)
{
    const unsigned needed = ir_components_read((enum ir_op)i->op, k, i->destination.mask);
    unsigned read = 0;

    for (unsigned c = 0; c < 4; c++)
        read |= needed >> c & 1 ? 1u << (i->source[k].swizzle >> 2 * c & 3) : 0;
    return read;
}

static bool copies_to_output(const struct ir_instruction *i)
{
    return i->op == IR_MOV && i->destination.file == IR_OUTPUT && !i->destination.shift &&
           !(i->source[0].modifiers & ~(unsigned)IR_SATURATE);
}

void narrow_find_uses(struct narrow_code *n)
{
    uint8_t live[NARROW_SLOTS] = {0},
            used[NARROW_SLOTS] = {0}; /* used: read by something other than a copy to the output */

    for (unsigned k = 0; k < n->count; k++)
        if (n->code[k].destination.file == IR_OUTPUT)
            live[NARROW_SLOT_OUTPUT] |= n->code[k].destination.mask;
    for (unsigned k = n->count; k-- > 0;) {
        const struct ir_instruction *i = &n->code[k];
        const unsigned slot = slot_of(&i->destination), mask = i->destination.mask;

        n->use[k].keeps = (uint8_t)(live[slot] & ~mask);
        n->use[k].is_color = slot == NARROW_SLOT_OUTPUT || !(used[slot] & mask);
        live[slot] &= (uint8_t)~mask;
        used[slot] &= (uint8_t)~mask;
        for (unsigned s = 0; s < ir_source_count((enum ir_op)i->op); s++) {
            const unsigned read = i->source[s].file == IR_TEMP ? components_of(i, s) : 0;

            live[i->source[s].index % CODE_TEMP_COUNT] |= (uint8_t)read;
            used[i->source[s].index % CODE_TEMP_COUNT] |= (uint8_t)(copies_to_output(i) ? 0 : read);
        }
    }
    for (unsigned t = 0; t < CODE_TEMP_COUNT; t++)
        n->unset[t] = live[t];
}

/* --- ranges ----------------------------------------------------------------------------------------------- */

struct range {
    double low, high;
};

struct ranges {
    struct range of[CODE_TEMP_COUNT][4];
};

static const struct range whole = {-1.0, 1.0}, positive = {0.0, 1.0};

static bool is_inside(struct range r)
{
    return r.low >= -1.0 - SLACK && r.high <= 1.0 + SLACK;
}

static struct range sum(struct range a, struct range b)
{
    return (struct range){a.low + b.low, a.high + b.high};
}

static struct range negated(struct range a)
{
    return (struct range){-a.high, -a.low};
}

static struct range product(struct range a, struct range b)
{
    const double corner[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    struct range r = {corner[0], corner[0]};

    for (unsigned k = 1; k < 4; k++) {
        r.low = BASE_MIN(r.low, corner[k]);
        r.high = BASE_MAX(r.high, corner[k]);
    }
    return r;
}

/* The smallest range that contains both. */
static struct range hull(struct range a, struct range b)
{
    return (struct range){BASE_MIN(a.low, b.low), BASE_MAX(a.high, b.high)};
}

static struct range limited(struct range r, double low, double high)
{
    r.low = BASE_MIN(BASE_MAX(r.low, low), high);
    r.high = BASE_MIN(BASE_MAX(r.high, low), high);
    return r;
}

/* The value of a constant's component before its modifiers, or its range. */
static struct range constant_range(const struct shader_code *code, const struct ir_source *s, unsigned c)
{
    const float *value = s->file == IR_IMMEDIATE ? code->immediates[s->index] : NULL;

    for (unsigned k = 0; s->file == IR_CONSTANT && k < code->definition_count; k++)
        if (code->definitions[k].index == s->index)
            value = code->definitions[k].value; /* the last definition counts */
    if (value)                                  /* conversion turns NaN into 0 */
        return value[c] == value[c] ? (struct range){(double)value[c], (double)value[c]} : (struct range){0.0, 0.0};
    return code->is_fixed ? positive : whole;
}

/* Modifiers of an operand that is not a constant: the result of each must stay in range. */
static bool modify(unsigned modifiers, struct range *r)
{
    static const struct range half = {0.5, 0.5}, one = {1.0, 1.0};
    bool inside = true;

    if (modifiers & IR_SATURATE)
        *r = limited(*r, 0.0, 1.0);
    if (modifiers & IR_ABS)
        *r = r->low < 0.0 ? (struct range){0.0, BASE_MAX(-r->low, r->high)} : *r;
    if (modifiers & IR_BIAS)
        *r = sum(*r, negated(half));
    inside = inside && is_inside(*r);
    if (modifiers & IR_SIGNED)
        *r = sum(sum(*r, *r), negated(one));
    inside = inside && is_inside(*r);
    if (modifiers & IR_DOUBLE)
        *r = sum(*r, *r);
    inside = inside && is_inside(*r);
    if (modifiers & IR_COMPLEMENT)
        *r = sum(one, negated(*r));
    if (modifiers & IR_NEGATE)
        *r = negated(*r);
    return inside && is_inside(*r);
}

/* Component c of a source, after swizzle and modifiers; false if it is out of range. */
static bool source_range(const struct narrow_code *n, const struct ranges *ranges, const struct ir_source *s,
                         unsigned c, struct range *r)
{
    const unsigned component = s->swizzle >> 2 * c & 3;

    if (narrow_is_uniform(s)) {
        /* modified as floats: only the result counts */
        *r = constant_range(n->program->code, s, component);
        if (s->modifiers & IR_CLAMP)
            *r = limited(*r, -1.0, 1.0);
        modify(s->modifiers, r);
        return is_inside(*r);
    }
    *r = s->file == IR_INPUT ? positive : ranges->of[s->index][component];
    return modify(s->modifiers, r);
}

/* The range of one component of the result, for operands in range; false if an intermediate value is not. */
static bool operation_range(enum ir_op op, const struct range s[3], struct range *r)
{
    const struct range difference = sum(s[1], negated(s[2]));

    switch (op) {
    case IR_ADD:
        *r = sum(s[0], s[1]);
        return true;
    case IR_SUB:
        *r = sum(s[0], negated(s[1]));
        return true;
    case IR_MUL:
        *r = product(s[0], s[1]);
        return true;
    case IR_MAD:
        *r = sum(product(s[0], s[1]), s[2]);
        return true;
    case IR_LRP:
        *r = s[0].low >= 0.0 ? hull(s[1], s[2]) : sum(s[2], product(s[0], difference));
        return is_inside(difference);
    case IR_MIN:
        *r = (struct range){BASE_MIN(s[0].low, s[1].low), BASE_MIN(s[0].high, s[1].high)};
        return true;
    case IR_MAX:
        *r = (struct range){BASE_MAX(s[0].low, s[1].low), BASE_MAX(s[0].high, s[1].high)};
        return true;
    case IR_CMP:
    case IR_CND:
        *r = hull(s[1], s[2]);
        return true;
    default: /* IR_MOV */
        *r = s[0];
        return true;
    }
}

/* A sum saturates at 1. Doubling keeps it there, but halving does not; values below 0 are clamped afterwards. */
static bool finish(const struct ir_destination *d, bool clamped, struct range *r)
{
    const double scale = d->shift < 0 ? 1.0 / (1 << -d->shift) : (double)(1 << d->shift);

    if ((r->high > 1.0 + SLACK && !(clamped && d->shift >= 0)) || (r->low < -1.0 - SLACK && !clamped))
        return false;
    r->low *= scale;
    r->high *= scale;
    if (clamped)
        *r = limited(*r, 0.0, 1.0);
    return is_inside(*r);
}

static bool dot_range(const struct narrow_code *n, const struct ranges *ranges, const struct ir_instruction *i,
                      struct range *r)
{
    *r = (struct range){0.0, 0.0};
    for (unsigned c = 0; c < 3; c++) {
        struct range s[2];

        for (unsigned k = 0; k < 2; k++)
            if (!source_range(n, ranges, &i->source[k], c, &s[k]))
                return false;
        *r = sum(*r, product(s[0], s[1]));
    }
    return true;
}

static bool component_range(const struct narrow_code *n, const struct ranges *ranges, const struct ir_instruction *i,
                            unsigned c, struct range *r)
{
    struct range s[3] = {{0}};

    if (i->op == IR_TEX) {
        *r = positive;
        return true;
    }
    if (i->op == IR_DP3)
        return dot_range(n, ranges, i, r);
    for (unsigned k = 0; k < ir_source_count((enum ir_op)i->op); k++)
        if (!source_range(n, ranges, &i->source[k], c, &s[k]))
            return false;
    return operation_range((enum ir_op)i->op, s, r);
}

bool narrow_fits(const struct narrow_code *n)
{
    struct ranges ranges = {{{{0}}}};

    for (unsigned k = 0; k < n->count; k++) {
        const struct ir_instruction *i = &n->code[k];
        const struct ir_destination *d = &i->destination;
        struct range result[4];

        for (unsigned c = 0; c < 4; c++)
            if ((d->mask >> c & 1) && (!component_range(n, &ranges, i, c, &result[c]) ||
                                       !finish(d, d->saturate || n->use[k].is_color, &result[c])))
                return false;
        for (unsigned c = 0; c < 4; c++)
            if ((d->mask >> c & 1) && d->file == IR_TEMP)
                ranges.of[d->index][c] = result[c];
    }
    return true;
}
