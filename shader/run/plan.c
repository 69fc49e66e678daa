/* SPDX-License-Identifier: MIT */
/*
 * Takes instructions apart into steps. A step gives the same bits as kernels/vector.c for its instruction with all
 * lanes active; only the access to operands is decided in advance.
 */
#include "shader/run/plan.h"

#include "base/assert.h"
#include "shader/code.h"

#include <stdlib.h>
#include <string.h>

#define OFFSET_LIMIT 65535u

struct planner {
    struct plan *plan;
    const struct ir_instruction *code;
    unsigned count;
    unsigned straight; /* instructions before the first flow instruction; all of them if plan.straight */
    const struct ir_instruction *instruction; /* the instruction being taken apart */
    struct plan_operand source[3][4];         /* by component after the swizzle */
    struct plan_operand out[4];               /* by part */
    uint8_t component[4];                     /* of the destination, by part */
    unsigned parts;
    bool failed; /* no memory */
};

static struct plan_step *plan_add_step(struct planner *p, unsigned kernel, unsigned parts)
{
    struct plan *plan = p->plan;

    if (plan->step_count == plan->step_capacity) {
        unsigned bigger = plan->step_capacity ? plan->step_capacity * 2 : 32;
        void *moved = mem_realloc(plan->steps, bigger, sizeof(*plan->steps));

        if (!moved) {
            p->failed = true;
            return NULL;
        }
        plan->steps = moved;
        plan->step_capacity = bigger;
    }
    struct plan_step *s = &plan->steps[plan->step_count++];

    BASE_ASSERT(kernel < STEP_KERNELS && parts <= 4);
    memset(s, 0, sizeof(*s));
    s->kernel = (uint8_t)kernel;
    s->parts = (uint8_t)parts;
    return s;
}

static bool plan_same_operand(struct plan_operand a, struct plan_operand b)
{
    return a.base == b.base && a.offset == b.offset;
}

/* --- operands ------------------------------------------------------------------------ */

static bool plan_place(unsigned base, size_t offset, struct plan_operand *out)
{
    *out = (struct plan_operand){(uint8_t)base, (uint16_t)offset};
    return offset <= OFFSET_LIMIT;
}

static struct plan_operand plan_scratch(unsigned k, unsigned component)
{
    BASE_ASSERT(k <= 3 && component < 4);
    return (struct plan_operand){PLAN_SCRATCH, (uint16_t)((4 * k + component) * SHADER_LANES)};
}

/* The result of struct machine follows three scratch registers. */
static struct plan_operand plan_result(unsigned component)
{
    return plan_scratch(3, component);
}

/* The register's component without modifiers. */
static bool plan_locate(const struct ir_source *s, unsigned component, struct plan_operand *out)
{
    size_t scalar = 4u * s->index + component;

    if (s->relative != IR_ABSOLUTE)
        return false;
    switch (s->file) {
    case IR_TEMP:
        return plan_place(PLAN_TEMP, scalar * SHADER_LANES, out);
    case IR_INPUT:
        return s->index < SHADER_MAX_INPUTS && plan_place(PLAN_INPUT + (unsigned)scalar, 0, out);
    case IR_CONSTANT:
        return plan_place(PLAN_FLOATS, scalar, out);
    case IR_IMMEDIATE:
        return plan_place(PLAN_IMMEDIATES, scalar, out);
    case IR_BUMP:
        return plan_place(PLAN_BUMP, scalar, out);
    case IR_LUMINANCE:
        return plan_place(PLAN_LUMINANCE, 2u * s->index + (component & 1), out);
    default:
        return false;
    }
}

static bool plan_modify_uniform(struct planner *p, struct plan_operand *o, uint16_t modifiers)
{
    struct plan *plan = p->plan;
    unsigned n;

    for (n = 0; n < plan->modified_count; n++)
        if (plan_same_operand(plan->modified[n].from, *o) && plan->modified[n].modifiers == modifiers)
            return plan_place(PLAN_MODIFIED, n, o);
    if (n == PLAN_MAX_MODIFIED)
        return false;
    plan->modified[n] = (struct plan_modified){*o, modifiers};
    plan->modified_count++;
    return plan_place(PLAN_MODIFIED, n, o);
}

/* By way of a step that writes the scratch register of source k. */
static void plan_to_scratch(struct planner *p, unsigned kernel, struct plan_operand *o, unsigned k, unsigned component,
                            uint16_t modifiers)
{
    struct plan_operand to = plan_scratch(k, component);
    struct plan_step *last = p->plan->step_count ? &p->plan->steps[p->plan->step_count - 1] : NULL;
    const struct plan_entry *entry = &p->plan->entries[p->instruction - p->code];

    if (!last || p->plan->step_count == entry->first || last->kernel != kernel || last->modifiers != modifiers ||
        last->parts == 4)
        last = plan_add_step(p, kernel, 0);
    if (last) {
        last->modifiers = modifiers;
        last->out[last->parts] = to;
        last->source[0][last->parts++] = *o;
    }
    *o = to;
}

/* Locates the components `needed` of source k and applies modifiers on the way. */
static bool plan_locate_source(struct planner *p, unsigned k, unsigned needed)
{
    const struct ir_source *s = &p->instruction->source[k];
    struct plan_operand by_component[4];
    unsigned have = 0;

    for (unsigned c = 0; c < 4; c++) {
        unsigned component = (unsigned)s->swizzle >> 2 * c & 3;
        struct plan_operand *o = &by_component[component];

        if (!(needed & (1u << c)))
            continue;
        if (!(have & (1u << component))) {
            if (!plan_locate(s, component, o))
                return false;
            if (s->modifiers && plan_is_uniform(*o)) {
                if (!plan_modify_uniform(p, o, s->modifiers))
                    return false;
            } else if (s->modifiers) {
                plan_to_scratch(p, STEP_MODIFY, o, k, component, s->modifiers);
            }
            have |= 1u << component;
        }
        p->source[k][c] = *o;
    }
    return true;
}

static bool plan_locate_destination(struct planner *p)
{
    const struct ir_destination *d = &p->instruction->destination;
    unsigned base = d->file == IR_TEMP ? PLAN_TEMP : PLAN_OUTPUT;

    p->parts = 0;
    if ((d->file != IR_TEMP && d->file != IR_OUTPUT) || d->relative != IR_ABSOLUTE ||
        p->instruction->predicate != IR_ALWAYS)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (d->mask & (1u << c)) {
            p->component[p->parts] = (uint8_t)c;
            plan_place(base, (4u * d->index + c) * SHADER_LANES, &p->out[p->parts++]);
        }
    return p->parts > 0;
}

/* Makes component c of source k a vector. */
static void plan_splat(struct planner *p, unsigned k, unsigned c)
{
    if (plan_is_uniform(p->source[k][c]))
        plan_to_scratch(p, STEP_MOV_U, &p->source[k][c], k, c, 0);
}

static void plan_splat_source(struct planner *p, unsigned k)
{
    for (unsigned n = 0; n < p->parts; n++)
        plan_splat(p, k, p->component[n]);
}

static bool plan_source_is_uniform(const struct planner *p, unsigned k)
{
    return plan_is_uniform(p->source[k][p->component[0]]);
}

static void plan_exchange(struct planner *p, unsigned a, unsigned b)
{
    struct plan_operand held[4];

    memcpy(held, p->source[a], sizeof(held));
    memcpy(p->source[a], p->source[b], sizeof(held));
    memcpy(p->source[b], held, sizeof(held));
}

/* --- results ------------------------------------------------------------------------- */

/* Writes into `result` and copies from there: used when a later component reads what an earlier component writes. */
static void plan_hold(struct planner *p, struct plan_step *s)
{
    unsigned parts = p->parts;

    for (unsigned n = 0; n < parts; n++)
        s->out[n] = plan_result(p->component[n]);
    s = plan_add_step(p, STEP_MOV_V, parts);
    for (unsigned n = 0; s && n < parts; n++) {
        s->out[n] = p->out[n];
        s->source[0][n] = plan_result(p->component[n]);
    }
}

/* Sets the operations that the instruction's last step applies to its results. */
static void plan_finish(struct planner *p)
{
    const struct ir_destination *d = &p->instruction->destination;
    struct plan_step *s = &p->plan->steps[p->plan->step_count - 1];

    s->scale = d->shift < 0 ? 1.0f / (float)(1 << -d->shift) : (float)(1 << d->shift);
    s->after = (uint8_t)((d->shift ? PLAN_SCALE : 0) | (d->saturate ? PLAN_SATURATE : 0) |
                         (d->file == IR_OUTPUT && !d->saturate ? PLAN_CANONICAL_NAN : 0));
}

/* Does part n of the step write something that part `from` or a later one reads? */
static bool plan_writes_source(const struct planner *p, const struct plan_step *s, unsigned sources, unsigned n,
                               unsigned from)
{
    for (unsigned k = 0; k < sources; k++)
        for (unsigned later = from; later < p->parts; later++)
            if (plan_same_operand(p->out[n], s->source[k][later]))
                return true;
    return false;
}

/* --- kinds of instructions ---------------------------------------------------------------- */

/* The kernel for an operation, and its uniform sources. Operations without a kernel of their own take only vectors. */
static unsigned plan_component_kernel(struct planner *p, unsigned op)
{
    unsigned sources = ir_source_count((enum ir_op)op);

    if (sources >= 2 && plan_source_is_uniform(p, 0) && plan_source_is_uniform(p, 1))
        plan_splat_source(p, 0);
    if ((op == IR_ADD || op == IR_MUL || op == IR_MAD) && plan_source_is_uniform(p, 0))
        plan_exchange(p, 0, 1);
    switch (op) {
    case IR_MOV:
        return plan_source_is_uniform(p, 0) ? STEP_MOV_U : STEP_MOV_V;
    case IR_ADD:
        return plan_source_is_uniform(p, 1) ? STEP_ADD_VU : STEP_ADD_VV;
    case IR_SUB:
        return plan_source_is_uniform(p, 0) ? STEP_SUB_UV : plan_source_is_uniform(p, 1) ? STEP_SUB_VU : STEP_SUB_VV;
    case IR_MUL:
        if (p->instruction->destination.saturate)
            return plan_source_is_uniform(p, 1) ? STEP_MUL_SAT_VU : STEP_MUL_SAT_VV;
        return plan_source_is_uniform(p, 1) ? STEP_MUL_VU : STEP_MUL_VV;
    case IR_MAD:
        if (plan_source_is_uniform(p, 1))
            return plan_source_is_uniform(p, 2) ? STEP_MAD_VUU : STEP_MAD_VUV;
        return plan_source_is_uniform(p, 2) ? STEP_MAD_VVU : STEP_MAD_VVV;
    case IR_MIN:
    case IR_MAX:
        if (plan_source_is_uniform(p, 0))
            plan_splat_source(p, 0);
        if (op == IR_MIN)
            return plan_source_is_uniform(p, 1) ? STEP_MIN_VU : STEP_MIN_VV;
        return plan_source_is_uniform(p, 1) ? STEP_MAX_VU : STEP_MAX_VV;
    default:
        for (unsigned k = 0; k < sources; k++)
            plan_splat_source(p, k);
        return op == IR_LRP ? STEP_LRP_VVV : STEP_COMPONENT;
    }
}

static bool plan_components(struct planner *p)
{
    unsigned op = p->instruction->op, sources = ir_source_count((enum ir_op)op), kernel;
    bool held = op == IR_DDX || op == IR_DDY;
    struct plan_step *s;

    for (unsigned k = 0; k < sources; k++)
        if (!plan_locate_source(p, k, p->instruction->destination.mask))
            return false;
    kernel = plan_component_kernel(p, op);
    s = plan_add_step(p, kernel, p->parts);
    if (!s)
        return true;
    s->op = (uint8_t)op;
    for (unsigned n = 0; n < p->parts; n++) {
        s->out[n] = p->out[n];
        for (unsigned k = 0; k < sources; k++)
            s->source[k][n] = p->source[k][p->component[n]];
    }
    for (unsigned n = 0; n < p->parts; n++)
        held |= plan_writes_source(p, s, sources, n, n + 1);
    if (held)
        plan_hold(p, s);
    plan_finish(p);
    return true;
}

static bool plan_is_read_later(const struct planner *p, unsigned temp)
{
    for (const struct ir_instruction *i = p->instruction + 1; i < p->code + p->straight; i++) {
        const unsigned sources = i->op == IR_TEX ? 3 : ir_source_count((enum ir_op)i->op);

        for (unsigned k = 0; k < sources; k++)
            if (i->source[k].file == IR_TEMP && i->source[k].index == temp)
                return true;
    }
    return false;
}

/* If the previous step makes a temporary and this one, its last reader, moves it to an output, the previous step writes
 * the output instead. */
static bool plan_redirect(struct planner *p)
{
    const struct ir_instruction *i = p->instruction;
    const struct ir_source *from = &i->source[0];
    struct plan_step *last = p->plan->step_count ? &p->plan->steps[p->plan->step_count - 1] : NULL;

    if (!p->plan->straight || !last || last->parts != p->parts || last->kernel == STEP_TEXTURE ||
        last->kernel == STEP_INSTRUCTION || from->file != IR_TEMP || from->modifiers ||
        i->destination.file != IR_OUTPUT || i->destination.saturate || i->destination.shift ||
        plan_is_read_later(p, from->index))
        return false;
    for (unsigned n = 0; n < p->parts; n++) {
        struct plan_operand o;

        if (!plan_locate(from, (unsigned)from->swizzle >> 2 * p->component[n] & 3, &o) ||
            !plan_same_operand(o, last->out[n]))
            return false;
    }
    memcpy(last->out, p->out, sizeof(last->out));
    last->after |= PLAN_CANONICAL_NAN;
    return true;
}

static bool plan_scalar(struct planner *p)
{
    struct plan_step *s;
    bool two = p->instruction->op == IR_POW;

    if (!plan_locate_source(p, 0, 1) || (two && !plan_locate_source(p, 1, 1)))
        return false;
    plan_splat(p, 0, 0);
    if (two)
        plan_splat(p, 1, 0);
    s = plan_add_step(p, p->instruction->op == IR_RSQ ? STEP_RSQ : STEP_SCALAR, p->parts);
    if (!s)
        return true;
    s->op = p->instruction->op;
    memcpy(s->out, p->out, sizeof(s->out));
    s->source[0][0] = p->source[0][0];
    s->source[1][0] = two ? p->source[1][0] : p->source[0][0];
    plan_finish(p);
    return true;
}

static bool plan_dot(struct planner *p)
{
    unsigned terms = p->instruction->op == IR_DP4 ? 4 : 3, kernel;
    struct plan_step *s;

    if (!plan_locate_source(p, 0, (1u << terms) - 1) || !plan_locate_source(p, 1, (1u << terms) - 1))
        return false;
    if (plan_is_uniform(p->source[0][0]) && plan_is_uniform(p->source[1][0]))
        for (unsigned c = 0; c < terms; c++)
            plan_splat(p, 0, c);
    if (plan_is_uniform(p->source[0][0]))
        plan_exchange(p, 0, 1);
    kernel = terms == 4 ? STEP_DP4_VV : STEP_DP3_VV;
    s = plan_add_step(p, kernel + plan_is_uniform(p->source[1][0]), p->parts);
    if (!s)
        return true;
    memcpy(s->out, p->out, sizeof(s->out));
    for (unsigned k = 0; k < 2; k++)
        memcpy(s->source[k], p->source[k], terms * sizeof(*s->source[k]));
    plan_finish(p);
    return true;
}

/* A dot product that may be a row of a matrix: an unmodified vector with a constant's x, y, z, w. */
static bool plan_is_row(const struct ir_instruction *i, unsigned op)
{
    const struct ir_source *row = &i->source[1];
    const struct ir_destination *d = &i->destination;

    return i->op == op && i->predicate == IR_ALWAYS && d->relative == IR_ABSOLUTE &&
           (d->file == IR_TEMP || d->file == IR_OUTPUT) && !d->shift && !d->saturate && d->mask &&
           !(d->mask & (d->mask - 1)) && !row->modifiers && row->relative == IR_ABSOLUTE && row->swizzle == IR_XYZW &&
           (row->file == IR_CONSTANT || row->file == IR_IMMEDIATE) && 4u * row->index < OFFSET_LIMIT;
}

/* How many instructions from this one on are rows for the same vector, none of them writing it. */
static unsigned plan_count_rows(const struct planner *p)
{
    const struct ir_instruction *first = p->instruction;
    const struct ir_source *v = &first->source[0];
    unsigned left = p->count - (unsigned)(first - p->code), n;

    if (v->modifiers || (v->file != IR_TEMP && v->file != IR_INPUT) || v->relative != IR_ABSOLUTE)
        return 0;
    for (n = 0; n < 4 && n < left; n++) {
        const struct ir_source *a = &first[n].source[0];

        if (!plan_is_row(&first[n], first->op) || a->file != v->file || a->index != v->index ||
            a->swizzle != v->swizzle || a->modifiers || a->relative != IR_ABSOLUTE)
            break;
        if (v->file == IR_TEMP && first[n].destination.file == IR_TEMP && first[n].destination.index == v->index)
            break;
    }
    return n;
}

static bool plan_rows(struct planner *p, unsigned rows)
{
    const bool four = p->instruction->op == IR_DP4;
    struct plan_step *s;

    if (!plan_locate_source(p, 0, four ? 15 : 7))
        return false;
    s = plan_add_step(p, four ? STEP_ROWS4 : STEP_ROWS3, rows);
    if (!s)
        return true;
    memcpy(s->source[0], p->source[0], sizeof(s->source[0]));
    for (unsigned n = 0; n < rows; n++) {
        const struct ir_destination *d = &p->instruction[n].destination;
        unsigned component = (unsigned)__builtin_ctz(d->mask);

        plan_locate(&p->instruction[n].source[1], 0, &s->source[1][n]);
        plan_place(d->file == IR_TEMP ? PLAN_TEMP : PLAN_OUTPUT, (4u * d->index + component) * SHADER_LANES,
                   &s->out[n]);
        s->after |= d->file == IR_OUTPUT ? PLAN_CANONICAL_NAN : 0;
    }
    return true;
}

/* Unmodified coordinates and an unmodified result: most texture reads. */
static bool plan_texture(struct planner *p)
{
    const struct ir_instruction *i = p->instruction;
    struct plan_step *s;

    if (i->source[0].modifiers || i->lod != RASTER_LOD_COMPUTED || i->project || p->parts != 4 ||
        i->destination.shift || i->destination.saturate || !plan_locate_source(p, 0, 7))
        return false;
    for (unsigned c = 0; c < 3; c++)
        if (plan_is_uniform(p->source[0][c]))
            return false;
    s = plan_add_step(p, STEP_TEXTURE, 4);
    if (!s)
        return true;
    s->instruction = (uint16_t)(i - p->code);
    memcpy(s->out, p->out, sizeof(s->out));
    memcpy(s->source[0], p->source[0], sizeof(s->source[0]));
    return true;
}

/* Returns false if the instruction is not taken apart. */
static bool plan_decoded(struct planner *p, uint8_t *covers)
{
    unsigned op = p->instruction->op;

    if (!plan_locate_destination(p))
        return false;
    switch (op) {
    case IR_TEX:
        return plan_texture(p);
    case IR_MOV:
        return plan_redirect(p) || plan_components(p);
    case IR_DP2:
    case IR_LIT:
    case IR_DST:
    case IR_SINCOS:
    case IR_PROJECT:
    case IR_SETP:
    case IR_ARL:
    case IR_ARR:
    case IR_KILL:
        return false;
    case IR_DP3:
    case IR_DP4: {
        unsigned rows = plan_count_rows(p);

        if (rows < 2)
            return plan_dot(p);
        *covers = (uint8_t)rows;
        return plan_rows(p, rows);
    }
    case IR_RCP:
    case IR_RSQ:
    case IR_SQRT:
    case IR_EXP2:
    case IR_LOG2:
    case IR_POW:
        return plan_scalar(p);
    default:
        return plan_components(p);
    }
}

/* Records properties that the machine needs before it runs a whole instruction. */
static void plan_note_undecoded(struct plan *plan, const struct ir_instruction *i)
{
    plan->masks = true;
    plan->addresses |= i->destination.relative != IR_ABSOLUTE;
    for (unsigned k = 0; k < ARRAY_COUNT(i->source); k++)
        plan->addresses |= i->source[k].relative != IR_ABSOLUTE;
    if (i->destination.file == IR_OUTPUT && i->op != IR_KILL)
        plan->nan_outputs |= i->destination.relative != IR_ABSOLUTE ? 0xffff : (uint16_t)(1u << i->destination.index);
}

/* The number of instructions that the entry covers. */
static void plan_instruction(struct planner *p, struct plan_entry *entry)
{
    struct plan *plan = p->plan;

    *entry = (struct plan_entry){.first = plan->step_count, .covers = 1};
    if (!plan_decoded(p, &entry->covers)) {
        plan->step_count = entry->first;
        entry->covers = 1;
        struct plan_step *s = plan_add_step(p, STEP_INSTRUCTION, 0);
        if (s)
            s->instruction = (uint16_t)(p->instruction - p->code);
        plan_note_undecoded(plan, p->instruction);
    } else if (p->instruction->op == IR_TEX && p->instruction->destination.file == IR_OUTPUT) {
        plan->nan_outputs |= (uint16_t)(1u << p->instruction->destination.index);
    }
    entry->count = (uint8_t)(plan->step_count - entry->first);
}

/* The number of instructions before the first flow instruction. */
static unsigned plan_count_straight(const struct planner *p)
{
    unsigned n = 0;

    while (n < p->count && p->code[n].op <= IR_KILL)
        n++;
    return n;
}

bool plan_build(struct plan *plan, const struct ir_instruction *code, unsigned count)
{
    struct planner p = {.plan = plan, .code = code, .count = count};
    unsigned end = count;

    plan->entries = mem_calloc(BASE_MAX(count, 1u), sizeof(*plan->entries));
    if (!plan->entries)
        return false;
    p.straight = plan_count_straight(&p);
    plan->straight = p.straight <= SHADER_MAX_EXECUTED &&
                     (p.straight == count || code[p.straight].op == IR_RET || code[p.straight].op == IR_END);
    if (plan->straight) /* only subroutines follow, which nothing calls */
        end = p.straight;
    for (unsigned at = 0; at < end && !p.failed;) {
        if (code[at].op > IR_KILL) {
            plan_note_undecoded(plan, &code[at++]);
            continue;
        }
        p.instruction = &code[at];
        plan_instruction(&p, &plan->entries[at]);
        BASE_ASSERT(plan->entries[at].covers >= 1 && at + plan->entries[at].covers <= end);
        at += plan->entries[at].covers;
    }
    return !p.failed;
}

void plan_clear(struct plan *plan)
{
    free(plan->entries);
    free(plan->steps);
    memset(plan, 0, sizeof(*plan));
}
