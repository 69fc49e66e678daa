/* SPDX-License-Identifier: MIT */
/*
 * Runs compiled shaders: every instruction over all lanes of a batch before the next. Flow is kept in a mask of the
 * lanes that are active: what an instruction writes reaches those alone, and a block is left out when no lane is
 * active in it. Counts of loops are the same for all lanes. Source: reference shaders.md 7, 10; docs/shader-ir.md.
 */
#include "shader/alu.h"
#include "shader/code.h"
#include "shader/lane_math.h"

#define LANES(n) _Pragma("GCC ivdep") for (unsigned l = 0; l < (n); l++)

struct frame {
    uint8_t kind;       /* IR_IF, IR_LOOP, IR_REP, IR_CALL */
    uint64_t outer;     /* active again behind the block */
    uint64_t other;     /* IR_IF: active in the other half; loops: lanes that have not left */
    int32_t left, value, step; /* loops: rounds to go; aL and its step of the loop around */
    uint32_t back;      /* IR_CALL */
};

struct machine {
    const struct shader_binding *binding;
    const struct shader_code *code;
    struct raster_batch *pixels; /* NULL: vertices */
    unsigned lanes;              /* a multiple of 16 */
    uint64_t all, active;
    bool full; /* active == all */
    unsigned depth, executed;
    int32_t loop, loop_step; /* aL */
    const float *input[SHADER_MAX_INPUTS][4];
    float (*output)[4][SHADER_LANES];
    struct frame frame[CODE_MAX_FRAMES];
    _Alignas(64) int32_t mask[SHADER_LANES]; /* -1: active */
    _Alignas(64) int32_t address[4][SHADER_LANES];
    _Alignas(64) int32_t predicate[4][SHADER_LANES];
    _Alignas(64) float scratch[3][4][SHADER_LANES]; /* of sources */
    _Alignas(64) float result[4][SHADER_LANES];
    _Alignas(64) float temp[CODE_TEMP_COUNT][4][SHADER_LANES];
};

/* --- masks --------------------------------------------------------------------------------------- */

static uint64_t pack_mask(unsigned lanes, const int32_t *mask)
{
    uint64_t bits = 0;

    for (unsigned l = 0; l < lanes; l++)
        bits |= (uint64_t)(mask[l] & 1) << l;
    return bits;
}

static void unpack_mask(unsigned lanes, uint64_t bits, int32_t *restrict mask)
{
    LANES(lanes)
    mask[l] = -(int32_t)(bits >> l & 1);
}

static void set_active(struct machine *m, uint64_t active)
{
    if (active == m->active)
        return;
    m->active = active;
    m->full = active == m->all;
    unpack_mask(m->lanes, active, m->mask);
}

/* --- sources ------------------------------------------------------------------------------------- */

static const _Alignas(64) float lanes_of_zero[SHADER_LANES];
static const _Alignas(64) float lanes_of_one[SHADER_LANES] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};

static float constant(const struct machine *m, int32_t index, unsigned component)
{
    return (uint32_t)index < m->binding->float_count ? m->binding->floats[index][component] : 0.0f;
}

/* The same for all lanes? Then *value is it. */
static bool uniform_source(const struct machine *m, const struct ir_source *s, unsigned component, float *value)
{
    switch (s->file) {
    case IR_CONSTANT:
        if (s->relative != IR_ABSOLUTE && s->relative != IR_AL)
            return false;
        *value = constant(m, s->index + (s->relative == IR_AL ? m->loop : 0), component);
        return true;
    case IR_IMMEDIATE:
        *value = m->code->immediates[s->index][component];
        return true;
    case IR_BUMP:
        *value = m->binding->bump[s->index][component];
        return true;
    case IR_LUMINANCE:
        *value = m->binding->luminance[s->index][component & 1];
        return true;
    default:
        return false;
    }
}

static void gather(const struct machine *m, const struct ir_source *s, unsigned component, float *out)
{
    const int32_t *address = m->address[s->relative - IR_A0_X];

    for (unsigned l = 0; l < m->lanes; l++) {
        int32_t index = s->index + address[l];

        if (s->file == IR_CONSTANT) {
            out[l] = constant(m, index, component);
        } else {
            index = index < 0 ? 0 : index;
            out[l] = m->input[BASE_MIN(index, SHADER_MAX_INPUTS - 1)][component][l];
        }
    }
}

/* x and y of the pixel; facing. */
static const float *pixel_value(const struct machine *m, unsigned index, unsigned component, float *out)
{
    if (index == 0)
        return component == 0 ? m->pixels->x : component == 1 ? m->pixels->y : lanes_of_zero;
    for (unsigned l = 0; l < m->lanes; l++)
        out[l] = m->pixels->front_facing[l / RASTER_GROUP_LANES] ? 1.0f : -1.0f;
    return out;
}

static const float *varying_source(const struct machine *m, const struct ir_source *s, unsigned component, float *out)
{
    int32_t index = s->index;

    if (s->relative >= IR_A0_X && s->relative <= IR_A0_W) {
        gather(m, s, component, out);
        return out;
    }
    switch (s->file) {
    case IR_TEMP:
        return m->temp[s->index][component];
    case IR_PIXEL:
        return pixel_value(m, s->index, component, out);
    default:
        index += s->relative == IR_AL ? m->loop : 0;
        index = index < 0 ? 0 : index;
        return m->input[BASE_MIN(index, SHADER_MAX_INPUTS - 1)][component];
    }
}

/* The lanes of one component of source k, modified. `component` is that of the register. */
static const float *register_lanes(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned component)
{
    const struct ir_source *s = &i->source[k];
    float *restrict out = m->scratch[k][component], value;

    if (uniform_source(m, s, component, &value)) {
        if (s->modifiers) {
            float lanes[16] = {value};

            KERNEL(alu_modify)(s->modifiers, 1, lanes, lanes);
            value = lanes[0];
        }
        LANES(m->lanes)
        out[l] = value;
        return out;
    }
    const float *lanes = varying_source(m, s, component, out);
    if (!s->modifiers)
        return lanes;
    KERNEL(alu_modify)(s->modifiers, m->lanes, out, lanes);
    return out;
}

/* Component c after the swizzle. */
static const float *source_lanes(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned c)
{
    return register_lanes(m, i, k, (unsigned)i->source[k].swizzle >> 2 * c & 3);
}

/* All that `needed` names, each component of the register fetched once. */
static void source_vector(struct machine *m, const struct ir_instruction *i, unsigned k, unsigned needed,
                          const float *out[4])
{
    const float *by_component[4] = {NULL, NULL, NULL, NULL};

    for (unsigned c = 0; c < 4; c++) {
        unsigned component = (unsigned)i->source[k].swizzle >> 2 * c & 3;

        out[c] = lanes_of_zero;
        if (!(needed & (1u << c)))
            continue;
        if (!by_component[component])
            by_component[component] = register_lanes(m, i, k, component);
        out[c] = by_component[component];
    }
}

/* --- destinations ------------------------------------------------------------------------------- */

/* Lanes that component c of the destination may be written in. */
static const int32_t *write_mask(const struct machine *m, const struct ir_instruction *i, unsigned c,
                                 int32_t *restrict mask)
{
    if (i->predicate == IR_ALWAYS)
        return m->mask;
    const int32_t *p = m->predicate[i->predicate_swizzle >> 2 * c & 3];
    int32_t invert = i->predicate == IR_IF_CLEAR ? -1 : 0;
    LANES(m->lanes)
    mask[l] = m->mask[l] & (p[l] ^ invert);
    return mask;
}

static void store_lanes(struct machine *m, const struct ir_instruction *i, unsigned c, float *out, const float *from)
{
    _Alignas(64) int32_t room[SHADER_LANES];

    if (m->full && i->predicate == IR_ALWAYS) {
        memcpy(out, from, m->lanes * sizeof(*out));
        return;
    }
    const int32_t *mask = write_mask(m, i, c, room);
    LANES(m->lanes)
    out[l] = mask[l] ? from[l] : out[l];
}

static int32_t output_index(int32_t index)
{
    return index < 0 ? 0 : BASE_MIN(index, SHADER_MAX_OUTPUTS - 1);
}

/* o[a0 + n]: each lane where it says. */
static void scatter(struct machine *m, const struct ir_instruction *i, unsigned c)
{
    const struct ir_destination *d = &i->destination;
    const int32_t *address = m->address[d->relative - IR_A0_X];
    int32_t room[SHADER_LANES];
    const int32_t *mask = write_mask(m, i, c, room);

    for (unsigned l = 0; l < m->lanes; l++)
        if (mask[l])
            m->output[output_index(d->index + address[l])][c][l] = m->result[c][l];
}

static void store_depth(struct machine *m, const struct ir_instruction *i)
{
    float *restrict z = m->result[0];

    LANES(m->lanes)
    z[l] = lane_limit(z[l], 0.0f, 1.0f);
    store_lanes(m, i, 0, m->pixels->z, z);
}

/* The lanes of the destination's component if it may be written directly, else NULL. */
static float *direct(struct machine *m, const struct ir_instruction *i, unsigned c)
{
    const struct ir_destination *d = &i->destination;

    if (!m->full || i->predicate != IR_ALWAYS || d->relative != IR_ABSOLUTE)
        return NULL;
    return d->file == IR_TEMP ? m->temp[d->index][c] : d->file == IR_OUTPUT ? m->output[d->index][c] : NULL;
}

/* What stands in m->result goes where the instruction says. */
static void store_result(struct machine *m, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;

    for (unsigned c = 0; c < 4; c++) {
        if (!(d->mask & (1u << c)))
            continue;
        if (d->shift || d->saturate)
            KERNEL(alu_finish)(d->shift, d->saturate, m->lanes, m->result[c]);
        if (d->file == IR_TEMP)
            store_lanes(m, i, c, m->temp[d->index][c], m->result[c]);
        else if (d->file == IR_DEPTH && c == 0)
            store_depth(m, i);
        else if (d->file == IR_OUTPUT && (d->relative == IR_ABSOLUTE || d->relative == IR_AL))
            store_lanes(m, i, c, m->output[output_index(d->index + (d->relative ? m->loop : 0))][c], m->result[c]);
        else if (d->file == IR_OUTPUT)
            scatter(m, i, c);
    }
}

/* --- arithmetic ----------------------------------------------------------------------------------- */

/* Would writing component by component change what a later component reads? */
static bool overlaps(const struct ir_instruction *i, unsigned sources)
{
    for (unsigned k = 0; k < sources; k++)
        if (i->source[k].file == IR_TEMP && i->destination.file == IR_TEMP &&
            i->source[k].index == i->destination.index && i->source[k].swizzle != IR_XYZW)
            return true;
    return false;
}

static void run_components(struct machine *m, const struct ir_instruction *i)
{
    const struct ir_destination *d = &i->destination;
    unsigned sources = ir_source_count(i->op);
    bool held = overlaps(i, sources) || i->op == IR_DDX || i->op == IR_DDY, stored = true;
    const float *source[3][4];

    for (unsigned k = 0; k < sources; k++)
        source_vector(m, i, k, d->mask, source[k]);
    for (unsigned c = 0; c < 4; c++) {
        float *out = held ? NULL : direct(m, i, c);

        if (!(d->mask & (1u << c)))
            continue;
        KERNEL(alu_component)(i->op, m->lanes, out ? out : m->result[c], source[0][c],
                              sources > 1 ? source[1][c] : NULL, sources > 2 ? source[2][c] : NULL);
        if (out && (d->shift || d->saturate))
            KERNEL(alu_finish)(d->shift, d->saturate, m->lanes, out);
        stored &= out != NULL;
    }
    if (!stored)
        store_result(m, i);
}

/* The first component's result in all that are written. */
static void replicate(struct machine *m, const struct ir_instruction *i)
{
    for (unsigned c = 1; c < 4; c++)
        if (i->destination.mask & (1u << c))
            memcpy(m->result[c], m->result[0], m->lanes * sizeof(float));
    store_result(m, i);
}

static void run_scalar(struct machine *m, const struct ir_instruction *i)
{
    KERNEL(alu_component)(i->op, m->lanes, m->result[0], source_lanes(m, i, 0, 0),
                          i->op == IR_POW ? source_lanes(m, i, 1, 0) : NULL, NULL);
    replicate(m, i);
}

static void run_dot(struct machine *m, const struct ir_instruction *i)
{
    unsigned terms = i->op == IR_DP4 ? 4 : i->op == IR_DP3 ? 3 : 2;
    const float *a[4], *b[4];

    source_vector(m, i, 0, (1u << terms) - 1, a);
    source_vector(m, i, 1, (1u << terms) - 1, b);
    KERNEL(alu_dot)(terms, m->lanes, m->result[0], a, b, terms == 2 ? source_lanes(m, i, 2, 0) : NULL);
    replicate(m, i);
}

static void run_vector(struct machine *m, const struct ir_instruction *i)
{
    const float *a[4], *b[4];
    size_t size = m->lanes * sizeof(float);

    source_vector(m, i, 0, i->op == IR_SINCOS ? 1 : 15, a);
    if (i->op == IR_SINCOS) {
        KERNEL(alu_sincos)(m->lanes, m->result[1], m->result[0], a[0]);
    } else if (i->op == IR_LIT) {
        memcpy(m->result[0], lanes_of_one, size);
        KERNEL(alu_component)(IR_MAX, m->lanes, m->result[1], a[0], lanes_of_zero, NULL);
        KERNEL(alu_lit)(m->lanes, m->result[2], a[0], a[1], a[3]);
        memcpy(m->result[3], lanes_of_one, size);
    } else { /* IR_DST */
        source_vector(m, i, 1, 15, b);
        memcpy(m->result[0], lanes_of_one, size);
        KERNEL(alu_component)(IR_MUL, m->lanes, m->result[1], a[1], b[1], NULL);
        memcpy(m->result[2], a[2], size);
        memcpy(m->result[3], b[3], size);
    }
    store_result(m, i);
}

/* --- a0, p0, texkill -------------------------------------------------------------------------------- */

static void run_address(struct machine *m, const struct ir_instruction *i)
{
    float half = i->op == IR_ARR ? 0.5f : 0.0f;
    _Alignas(64) int32_t room[SHADER_LANES], index[4][SHADER_LANES];

    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask & (1u << c)))
            continue;
        const float *a = source_lanes(m, i, 0, c);
        int32_t *restrict to = index[c];
        LANES(m->lanes)
        to[l] = lane_index(lane_floor(a[l] + half));
    }
    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask & (1u << c)))
            continue;
        const int32_t *mask = write_mask(m, i, c, room);
        int32_t *restrict to = m->address[c];
        const int32_t *restrict from = index[c];
        LANES(m->lanes)
        to[l] = mask[l] ? from[l] : to[l];
    }
}

static void run_set_predicate(struct machine *m, const struct ir_instruction *i)
{
    _Alignas(64) int32_t room[SHADER_LANES], holds[4][SHADER_LANES];
    const float *a[4], *b[4];

    source_vector(m, i, 0, i->destination.mask, a);
    source_vector(m, i, 1, i->destination.mask, b);
    for (unsigned c = 0; c < 4; c++) {
        KERNEL(alu_compare)(i->compare, m->lanes, holds[c], a[c], b[c]);
        if (i->predicate != IR_ALWAYS) { /* all masks are taken before p0 changes */
            const int32_t *mask = write_mask(m, i, c, room), *old = m->predicate[c];

            LANES(m->lanes)
            holds[c][l] = mask[l] ? holds[c][l] : old[l];
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        int32_t *restrict to = m->predicate[c];

        if (i->destination.mask & (1u << c))
            LANES(m->lanes)
            to[l] = m->mask[l] ? holds[c][l] : to[l];
    }
}

static void run_kill(struct machine *m, const struct ir_instruction *i)
{
    _Alignas(64) int32_t room[SHADER_LANES], below[SHADER_LANES];
    uint64_t killed = 0;

    for (unsigned c = 0; c < 4; c++) {
        if (!(i->destination.mask & (1u << c)))
            continue;
        const int32_t *mask = write_mask(m, i, c, room);
        KERNEL(alu_compare)(IR_LT, m->lanes, below, source_lanes(m, i, 0, c), lanes_of_zero);
        LANES(m->lanes)
        below[l] &= mask[l];
        killed |= pack_mask(m->lanes, below);
    }
    if (m->pixels)
        m->pixels->covered &= ~killed;
}

/* --- textures ----------------------------------------------------------------------------------------- */

/* Component of the coordinates that divides the others; 0: none. */
static unsigned divisor(const struct machine *m, const struct ir_instruction *i, const struct raster_sampler *sampler)
{
    unsigned q = i->project ? 4 : 0;

    if ((i->stage_project || i->op == IR_PROJECT) && i->sampler < SHADER_MAX_STAGES)
        q = BASE_MIN(m->binding->projected[i->sampler], 4u);
    return sampler->texture && sampler->texture->kind == RASTER_TEXTURE_CUBE ? 0 : q;
}

static void divide(struct machine *m, const float *q, const float *const *from, unsigned axes,
                   float (*to)[SHADER_LANES])
{
    for (unsigned c = 0; c < axes; c++) {
        float *restrict out = to[c];

        LANES(m->lanes)
        out[l] = from[c][l] / q[l];
    }
}

static void run_project(struct machine *m, const struct ir_instruction *i)
{
    unsigned q = divisor(m, i, &m->binding->sampler[i->sampler]);
    const float *a[4];

    source_vector(m, i, 0, 15, a);
    if (q)
        divide(m, a[q - 1], a, 3, m->result);
    else
        for (unsigned c = 0; c < 3; c++)
            memcpy(m->result[c], a[c], m->lanes * sizeof(float));
    store_result(m, i);
}

/* Change of u, v, w in x and y, from sources 1 and 2. */
static void copy_gradients(struct machine *m, const struct ir_instruction *i, float (*lod)[SHADER_LANES])
{
    const float *d[2][4];

    source_vector(m, i, 1, 7, d[0]);
    source_vector(m, i, 2, 7, d[1]);
    for (unsigned c = 0; c < 6; c++)
        memcpy(lod[c], d[c / 3][c % 3], m->lanes * sizeof(float));
}

static void run_texture(struct machine *m, const struct ir_instruction *i)
{
    const struct raster_sampler *sampler = &m->binding->sampler[i->sampler];
    unsigned axes = sampler->texture && sampler->texture->kind != RASTER_TEXTURE_2D ? 3 : 2;
    unsigned q = divisor(m, i, sampler), needed = (1u << axes) - 1;
    bool given = i->lod == RASTER_LOD_BIASED || i->lod == RASTER_LOD_GIVEN;
    _Alignas(64) float coordinate[3][SHADER_LANES], lod[6][SHADER_LANES];
    const float *a[4];

    needed |= q ? 1u << (q - 1) : 0;
    source_vector(m, i, 0, needed | (given ? 8 : 0), a);
    if (q)
        divide(m, a[q - 1], a, axes, coordinate);
    else
        for (unsigned c = 0; c < axes; c++)
            memcpy(coordinate[c], a[c], m->lanes * sizeof(float));
    if (axes == 2)
        memset(coordinate[2], 0, sizeof(coordinate[2]));
    if (given)
        memcpy(lod[0], a[3], m->lanes * sizeof(float));
    else if (i->lod == RASTER_LOD_GRADIENTS)
        copy_gradients(m, i, lod);
    float(*out)[SHADER_LANES] = m->result;
    const struct ir_destination *d = &i->destination;
    bool whole = d->mask == 15 && !d->shift && !d->saturate && direct(m, i, 0);
    if (whole)
        out = d->file == IR_TEMP ? m->temp[d->index] : m->output[d->index];
    m->binding->sample(sampler, m->lanes / RASTER_GROUP_LANES, (const float(*)[SHADER_LANES])coordinate, i->lod,
                       (const float(*)[SHADER_LANES])lod, out);
    if (!whole)
        store_result(m, i);
}

/* --- flow ------------------------------------------------------------------------------------------------ */

/* Lanes for which the condition of an instruction holds, among all. */
static uint64_t condition(struct machine *m, const struct ir_instruction *i)
{
    _Alignas(64) int32_t holds[SHADER_LANES];
    const struct ir_source *s = &i->source[0];
    uint64_t bits;

    if (i->op == IR_IFC || i->op == IR_BREAKC) {
        KERNEL(alu_compare)(i->compare, m->lanes, holds, source_lanes(m, i, 0, 0), source_lanes(m, i, 1, 0));
        return pack_mask(m->lanes, holds);
    }
    if (s->file == IR_BOOLEAN)
        bits = m->binding->booleans >> s->index & 1 ? m->all : 0;
    else if (s->file == IR_PREDICATE)
        bits = pack_mask(m->lanes, m->predicate[s->swizzle & 3]);
    else
        return m->all;
    return s->modifiers & IR_NOT ? ~bits & m->all : bits;
}

/* Takes lanes out of what runs, in all blocks above frame `above`: they have left a loop or a subroutine. */
static void leave(struct machine *m, uint64_t lanes, unsigned above)
{
    for (unsigned f = above; f < m->depth; f++) {
        m->frame[f].outer &= ~lanes;
        m->frame[f].other &= ~lanes;
    }
    set_active(m, m->active & ~lanes);
}

static struct frame *push(struct machine *m, unsigned kind)
{
    struct frame *f = &m->frame[m->depth++]; /* step() makes sure that there is room */

    memset(f, 0, sizeof(*f));
    f->kind = (uint8_t)kind;
    f->outer = m->active;
    return f;
}

static uint32_t begin_if(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    uint64_t holds = condition(m, i);
    struct frame *f = push(m, IR_IF);

    f->other = m->active & ~holds;
    set_active(m, m->active & holds);
    return m->active ? at + 1 : i->target;
}

static uint32_t begin_else(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    struct frame *f = &m->frame[m->depth - 1];

    set_active(m, f->other);
    f->other = 0;
    return m->active ? at + 1 : i->target;
}

static uint32_t begin_loop(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    const int32_t *count = m->binding->integers[i->source[0].index];
    struct frame *f;

    if (!count[0] || !m->active)
        return i->target;
    f = push(m, i->op);
    f->other = m->active;
    f->left = count[0];
    f->value = m->loop;
    f->step = m->loop_step;
    if (i->op == IR_LOOP) {
        m->loop = count[1];
        m->loop_step = count[2];
    }
    return at + 1;
}

static uint32_t end_loop(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    struct frame *f = &m->frame[m->depth - 1];

    if (--f->left > 0 && f->other) {
        if (f->kind == IR_LOOP)
            m->loop += m->loop_step;
        set_active(m, f->other);
        return i->target;
    }
    m->loop = f->value;
    m->loop_step = f->step;
    m->depth--;
    set_active(m, f->outer);
    return at + 1;
}

static void break_loop(struct machine *m, const struct ir_instruction *i)
{
    uint64_t lanes = m->active & (i->op == IR_BREAK ? m->all : condition(m, i));
    unsigned f = m->depth;

    while (f && m->frame[f - 1].kind != IR_LOOP && m->frame[f - 1].kind != IR_REP)
        f--;
    if (!f)
        return;
    m->frame[f - 1].other &= ~lanes;
    leave(m, lanes, f);
}

static uint32_t begin_call(struct machine *m, const struct ir_instruction *i, uint32_t at)
{
    uint64_t lanes = m->active & condition(m, i);
    struct frame *f;

    if (!lanes)
        return at + 1;
    f = push(m, IR_CALL);
    f->back = at + 1;
    set_active(m, lanes);
    return i->target;
}

/* Back to the caller, or on to the block's end when other lanes may still be in the subroutine. */
static uint32_t end_call(struct machine *m, uint32_t at, uint32_t end)
{
    unsigned f = m->depth;

    while (f && m->frame[f - 1].kind != IR_CALL)
        f--;
    if (f != m->depth) {
        leave(m, m->active, f);
        return at + 1;
    }
    if (!f)
        return end;
    m->depth--;
    set_active(m, m->frame[f - 1].outer);
    return m->frame[f - 1].back;
}

/* One flow instruction; returns the next one's number. */
static uint32_t step(struct machine *m, const struct ir_instruction *i, uint32_t at, uint32_t end)
{
    if (m->depth == CODE_MAX_FRAMES && (i->op == IR_IF || i->op == IR_IFC || i->op == IR_LOOP || i->op == IR_REP ||
                                        i->op == IR_CALL))
        return end;
    switch (i->op) {
    case IR_IF:
    case IR_IFC:
        return begin_if(m, i, at);
    case IR_ELSE:
        return begin_else(m, i, at);
    case IR_ENDIF:
        m->depth--;
        set_active(m, m->frame[m->depth].outer);
        return at + 1;
    case IR_LOOP:
    case IR_REP:
        return begin_loop(m, i, at);
    case IR_ENDLOOP:
        return end_loop(m, i, at);
    case IR_CALL:
        return begin_call(m, i, at);
    case IR_RET:
        return end_call(m, at, end);
    case IR_END:
        return end;
    default:
        break_loop(m, i);
        return at + 1;
    }
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static void run_instruction(struct machine *m, const struct ir_instruction *i)
{
    switch (i->op) {
    case IR_RCP:
    case IR_RSQ:
    case IR_EXP2:
    case IR_LOG2:
    case IR_POW:
        run_scalar(m, i);
        break;
    case IR_DP2:
    case IR_DP3:
    case IR_DP4:
        run_dot(m, i);
        break;
    case IR_LIT:
    case IR_DST:
    case IR_SINCOS:
        run_vector(m, i);
        break;
    case IR_TEX:
        run_texture(m, i);
        break;
    case IR_PROJECT:
        run_project(m, i);
        break;
    case IR_SETP:
        run_set_predicate(m, i);
        break;
    case IR_ARL:
    case IR_ARR:
        run_address(m, i);
        break;
    case IR_KILL:
        run_kill(m, i);
        break;
    default:
        run_components(m, i);
        break;
    }
}

static void fill(unsigned lanes, float *out, float value)
{
    LANES(lanes)
    out[l] = value;
}

static void prepare(struct machine *m)
{
    const struct shader_code *code = m->code;

    m->loop = m->loop_step = 0;
    m->depth = m->executed = 0;
    m->active = ~m->all; /* so that the next line takes effect */
    set_active(m, m->all);
    for (unsigned t = 0; t < CODE_TEMP_COUNT; t++)
        if (code->zero_temps >> t & 1)
            memset(m->temp[t], 0, sizeof(m->temp[t]));
    for (unsigned o = 0; o < SHADER_MAX_OUTPUTS; o++)
        for (unsigned c = 0; c < 4 && (code->init_outputs >> o & 1); c++)
            fill(m->lanes, m->output[o][c], code->output_one[o] >> c & 1 ? 1.0f : 0.0f);
    if (code->uses_predicate)
        memset(m->predicate, 0, sizeof(m->predicate));
    if (m->binding->program->stage == SHADER_VERTEX)
        memset(m->address, 0, sizeof(m->address));
}

/* Whatever made a NaN, and on whatever machine: it leaves as the same one. */
static void settle(unsigned lanes, float *restrict v)
{
    const float nan = lane_from_bits(0x7fc00000);

    LANES(lanes)
    v[l] = v[l] == v[l] ? v[l] : nan;
}

static void run(struct machine *m)
{
    const struct shader_code *code = m->code;
    uint32_t at = 0, end = code->count;

    prepare(m);
    while (at < end && m->executed++ < SHADER_MAX_EXECUTED) {
        const struct ir_instruction *i = &code->code[at];

        if (i->op > IR_KILL) {
            at = step(m, i, at, end);
            continue;
        }
        if (m->active)
            run_instruction(m, i);
        at++;
    }
    for (unsigned o = 0; o < SHADER_MAX_OUTPUTS; o++)
        for (unsigned c = 0; c < 4 && (m->binding->program->outputs_written >> o & 1); c++)
            settle(m->lanes, m->output[o][c]);
}

void KERNEL(shader_run_vertices)(const struct shader_binding *binding, struct shader_vertex_batch *batch)
{
    struct machine m;

    m.binding = binding;
    m.code = binding->program->code;
    m.pixels = NULL;
    m.lanes = (batch->count + 15) & ~15u;
    m.all = batch->count < 64 ? (1ull << batch->count) - 1 : ~0ull;
    m.output = batch->output;
    for (unsigned r = 0; r < SHADER_MAX_INPUTS; r++)
        for (unsigned c = 0; c < 4; c++)
            m.input[r][c] = batch->input[r][c];
    run(&m);
}

/* Which lanes the program's v# and t# are; those nobody delivers are (0, 0, 0, 1). */
static void link_inputs(struct machine *m, const struct raster_batch *batch)
{
    const struct shader_program *program = m->binding->program;

    for (unsigned r = 0; r < SHADER_MAX_INPUTS; r++)
        for (unsigned c = 0; c < 4; c++)
            m->input[r][c] = c == 3 ? lanes_of_one : lanes_of_zero;
    for (unsigned k = 0; k < program->input_count; k++) {
        const struct shader_semantic *s = &program->input[k];
        unsigned from = m->binding->input[k];

        for (unsigned c = 0; c < 4 && from < RASTER_MAX_INPUTS; c++)
            if (s->mask & (1u << c))
                m->input[s->reg][c] = batch->input[from][c];
    }
}

void KERNEL(shader_run_pixels)(const void *program, struct raster_batch *batch)
{
    struct machine m;

    m.binding = program;
    m.code = m.binding->program->code;
    m.pixels = batch;
    m.lanes = batch->group_count * RASTER_GROUP_LANES;
    m.all = m.lanes < 64 ? (1ull << m.lanes) - 1 : ~0ull;
    m.output = batch->color;
    link_inputs(&m, batch);
    run(&m);
    if (m.binding->program->writes_depth)
        settle(m.lanes, batch->z);
}
