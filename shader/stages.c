/* SPDX-License-Identifier: MIT */
/* Programs for the texture stages of the fixed function (D3DTOP, D3DTA). */
#include "shader/code.h"
#include "shader/stages.h"

#include <string.h>

#include "base/assert.h"
#include "d3d/types.h"

#define OP_COUNT (D3DTOP_LERP + 1)

enum { READS_ARG0 = 1, READS_ARG1 = 2, READS_ARG2 = 4, READS_TEXTURE_ALPHA = 8 };

/* The arguments that each operation reads. */
static const uint8_t op_reads[OP_COUNT] = {
    [D3DTOP_SELECTARG1] = READS_ARG1,
    [D3DTOP_SELECTARG2] = READS_ARG2,
    [D3DTOP_MODULATE] = READS_ARG1 | READS_ARG2,
    [D3DTOP_MODULATE2X] = READS_ARG1 | READS_ARG2,
    [D3DTOP_MODULATE4X] = READS_ARG1 | READS_ARG2,
    [D3DTOP_ADD] = READS_ARG1 | READS_ARG2,
    [D3DTOP_ADDSIGNED] = READS_ARG1 | READS_ARG2,
    [D3DTOP_ADDSIGNED2X] = READS_ARG1 | READS_ARG2,
    [D3DTOP_SUBTRACT] = READS_ARG1 | READS_ARG2,
    [D3DTOP_ADDSMOOTH] = READS_ARG1 | READS_ARG2,
    [D3DTOP_BLENDDIFFUSEALPHA] = READS_ARG1 | READS_ARG2,
    [D3DTOP_BLENDTEXTUREALPHA] = READS_ARG1 | READS_ARG2 | READS_TEXTURE_ALPHA,
    [D3DTOP_BLENDFACTORALPHA] = READS_ARG1 | READS_ARG2,
    [D3DTOP_BLENDTEXTUREALPHAPM] = READS_ARG1 | READS_ARG2 | READS_TEXTURE_ALPHA,
    [D3DTOP_BLENDCURRENTALPHA] = READS_ARG1 | READS_ARG2,
    [D3DTOP_PREMODULATE] = READS_ARG1,
    [D3DTOP_MODULATEALPHA_ADDCOLOR] = READS_ARG1 | READS_ARG2,
    [D3DTOP_MODULATECOLOR_ADDALPHA] = READS_ARG1 | READS_ARG2,
    [D3DTOP_MODULATEINVALPHA_ADDCOLOR] = READS_ARG1 | READS_ARG2,
    [D3DTOP_MODULATEINVCOLOR_ADDALPHA] = READS_ARG1 | READS_ARG2,
    [D3DTOP_DOTPRODUCT3] = READS_ARG1 | READS_ARG2,
    [D3DTOP_MULTIPLYADD] = READS_ARG0 | READS_ARG1 | READS_ARG2,
    [D3DTOP_LERP] = READS_ARG0 | READS_ARG1 | READS_ARG2,
};

static const float immediates[4] = {0.0f, 0.5f, 1.0f, 2.0f};

enum { REG_CURRENT, REG_TEMP, REG_SCRATCH0, REG_SCRATCH1, REG_PREMODULATED, REG_TEXTURE0 };
enum { MASK_COLOR = 7, MASK_ALPHA = 8, MASK_ALL = 15 };

struct compiler {
    const struct stages_key *key;
    struct stages_program *out;
    unsigned stage_count;
    uint8_t input_of[STAGES_TEXCOORD0 + STAGES_MAX]; /* raster input + 1; 0: none yet */
    bool current_written, temp_written, output_written;
    bool premodulate_color, premodulate_alpha; /* requested by the last stage */
    bool kills;
    uint8_t sampled; /* bit s: register REG_TEXTURE0 + s is valid */
};

/* --- registers -------------------------------------------------------------------------- */

static struct ir_source stage_source(unsigned file, unsigned index)
{
    return (struct ir_source){.file = (uint8_t)file, .index = (uint16_t)index, .swizzle = IR_XYZW};
}

static struct ir_source alpha_of(struct ir_source s)
{
    unsigned w = s.swizzle >> 6;

    s.swizzle = IR_SWIZZLE(w, w, w, w);
    return s;
}

static struct ir_source complement(struct ir_source s)
{
    s.modifiers ^= IR_COMPLEMENT;
    return s;
}

static struct ir_source immediate(unsigned component)
{
    struct ir_source s = stage_source(IR_CONSTANT, STAGES_CONSTANT_IMMEDIATE);

    s.swizzle = IR_SWIZZLE(component, component, component, component);
    return s;
}

static struct ir_source input(struct compiler *c, unsigned attribute, unsigned mask)
{
    struct stages_program *out = c->out;

    if (!c->input_of[attribute]) {
        out->input[out->input_count] = (uint8_t)attribute;
        c->input_of[attribute] = ++out->input_count;
    }
    out->input_mask[c->input_of[attribute] - 1] |= (uint8_t)mask;
    return stage_source(IR_INPUT, c->input_of[attribute] - 1u);
}

/* The value of a texture as an operation reads it: 0 if it is not bound. */
static struct ir_source implied_texture(struct compiler *c, unsigned stage)
{
    return c->sampled & (1u << stage) ? stage_source(IR_TEMP, REG_TEXTURE0 + stage) : immediate(0);
}

/* The source of an argument. Only arguments of alpha can name a texture that is not bound; it is opaque. */
static struct ir_source named_texture(struct compiler *c, unsigned stage)
{
    return c->sampled & (1u << stage) ? stage_source(IR_TEMP, REG_TEXTURE0 + stage) : immediate(2);
}

static struct ir_source current(struct compiler *c)
{
    return c->current_written ? stage_source(IR_TEMP, REG_CURRENT) : input(c, STAGES_DIFFUSE, MASK_ALL);
}

static struct ir_source argument(struct compiler *c, unsigned stage, unsigned arg)
{
    struct ir_source s;

    switch (arg & D3DTA_SELECTMASK) {
    case D3DTA_DIFFUSE:
        s = input(c, STAGES_DIFFUSE, MASK_ALL);
        break;
    case D3DTA_TEXTURE:
        s = named_texture(c, stage);
        break;
    case D3DTA_TFACTOR:
        s = stage_source(IR_CONSTANT, STAGES_CONSTANT_FACTOR);
        break;
    case D3DTA_SPECULAR:
        s = input(c, STAGES_SPECULAR, MASK_ALL);
        break;
    case D3DTA_TEMP:
        s = c->temp_written ? stage_source(IR_TEMP, REG_TEMP) : immediate(0);
        break;
    case D3DTA_CONSTANT:
        s = stage_source(IR_CONSTANT, STAGES_CONSTANT_COLOR + stage);
        c->out->colors |= (uint8_t)(1u << stage);
        break;
    default:
        s = c->premodulate_color || c->premodulate_alpha ? stage_source(IR_TEMP, REG_PREMODULATED) : current(c);
        break;
    }
    if (arg & D3DTA_COMPLEMENT)
        s = complement(s);
    return arg & D3DTA_ALPHAREPLICATE ? alpha_of(s) : s;
}

/* --- code ------------------------------------------------------------------------------------ */

static void stage_emit(struct compiler *c, enum ir_op op, struct ir_destination d, const struct ir_source *s)
{
    struct ir_instruction i = {.op = (uint8_t)op, .destination = d};

    memcpy(i.source, s, ir_source_count(op) * sizeof(*s));
    ir_emit(&c->out->ir, &i);
}

#define EMIT(c, op, d, ...) stage_emit(c, op, d, (const struct ir_source[]){__VA_ARGS__})

static struct ir_destination scratch(unsigned index, unsigned mask)
{
    return (struct ir_destination){.file = IR_TEMP, .index = (uint16_t)index, .mask = (uint8_t)mask};
}

static void emit_dot(struct compiler *c, struct ir_destination d, struct ir_source a, struct ir_source b)
{
    EMIT(c, IR_SUB, scratch(REG_SCRATCH0, MASK_COLOR), a, immediate(1));
    EMIT(c, IR_SUB, scratch(REG_SCRATCH1, MASK_COLOR), b, immediate(1));
    d.shift = 2;
    d.mask = MASK_ALL;
    EMIT(c, IR_DP3, d, stage_source(IR_TEMP, REG_SCRATCH0), stage_source(IR_TEMP, REG_SCRATCH1));
}

/* a + b - 1/2: the half is subtracted first, because a + b can exceed 1 (shader/narrow/). */
static void emit_add_signed(struct compiler *c, struct ir_destination d, struct ir_source a, struct ir_source b,
                            unsigned shift)
{
    EMIT(c, IR_SUB, scratch(REG_SCRATCH0, d.mask), a, immediate(1));
    d.shift = (int8_t)shift;
    EMIT(c, IR_ADD, d, stage_source(IR_TEMP, REG_SCRATCH0), b);
}

/* a * weight + b * (1 - weight) */
static void emit_blend(struct compiler *c, struct ir_destination d, struct ir_source weight, struct ir_source a,
                       struct ir_source b)
{
    EMIT(c, IR_MUL, scratch(REG_SCRATCH0, d.mask), complement(weight), b);
    EMIT(c, IR_MAD, d, weight, a, stage_source(IR_TEMP, REG_SCRATCH0));
}

/* One operation; arg: ARG0, ARG1, ARG2. */
static void emit_op(struct compiler *c, unsigned stage, unsigned op, struct ir_destination d,
                    const struct ir_source arg[3])
{
    struct ir_source a = arg[1], b = arg[2], texture_alpha = alpha_of(implied_texture(c, stage));

    switch (op) {
    case D3DTOP_SELECTARG2:
        EMIT(c, IR_MOV, d, b);
        break;
    case D3DTOP_MODULATE4X:
    case D3DTOP_MODULATE2X:
    case D3DTOP_MODULATE:
        d.shift = (int8_t)(op - D3DTOP_MODULATE);
        EMIT(c, IR_MUL, d, a, b);
        break;
    case D3DTOP_ADD:
        EMIT(c, IR_ADD, d, a, b);
        break;
    case D3DTOP_ADDSIGNED:
    case D3DTOP_ADDSIGNED2X:
        emit_add_signed(c, d, a, b, op - D3DTOP_ADDSIGNED);
        break;
    case D3DTOP_SUBTRACT:
        EMIT(c, IR_SUB, d, a, b);
        break;
    case D3DTOP_ADDSMOOTH:
        EMIT(c, IR_MAD, d, b, complement(a), a);
        break;
    case D3DTOP_BLENDDIFFUSEALPHA:
        emit_blend(c, d, alpha_of(input(c, STAGES_DIFFUSE, MASK_ALPHA)), a, b);
        break;
    case D3DTOP_BLENDTEXTUREALPHA:
        emit_blend(c, d, texture_alpha, a, b);
        break;
    case D3DTOP_BLENDFACTORALPHA:
        emit_blend(c, d, alpha_of(stage_source(IR_CONSTANT, STAGES_CONSTANT_FACTOR)), a, b);
        break;
    case D3DTOP_BLENDTEXTUREALPHAPM:
        EMIT(c, IR_MAD, d, b, complement(texture_alpha), a);
        break;
    case D3DTOP_BLENDCURRENTALPHA:
        emit_blend(c, d, alpha_of(argument(c, stage, D3DTA_CURRENT)), a, b);
        break;
    case D3DTOP_MODULATEALPHA_ADDCOLOR:
        EMIT(c, IR_MAD, d, alpha_of(a), b, a);
        break;
    case D3DTOP_MODULATECOLOR_ADDALPHA:
        EMIT(c, IR_MAD, d, a, b, alpha_of(a));
        break;
    case D3DTOP_MODULATEINVALPHA_ADDCOLOR:
        EMIT(c, IR_MAD, d, complement(alpha_of(a)), b, a);
        break;
    case D3DTOP_MODULATEINVCOLOR_ADDALPHA:
        EMIT(c, IR_MAD, d, complement(a), b, alpha_of(a));
        break;
    case D3DTOP_DOTPRODUCT3:
        emit_dot(c, d, a, b);
        break;
    case D3DTOP_MULTIPLYADD:
        EMIT(c, IR_MAD, d, a, b, arg[0]);
        break;
    case D3DTOP_LERP:
        emit_blend(c, d, arg[0], a, b);
        break;
    default: /* SELECTARG1, PREMODULATE */
        EMIT(c, IR_MOV, d, a);
        break;
    }
}

/* --- stages ------------------------------------------------------------------------------------ */

static bool is_bump(unsigned op)
{
    return op == D3DTOP_BUMPENVMAP || op == D3DTOP_BUMPENVMAPLUMINANCE;
}

static bool args_name(unsigned op, const uint8_t arg[3], unsigned what)
{
    unsigned reads = op < OP_COUNT ? op_reads[op] : 0;

    for (unsigned k = 0; k < 3; k++)
        if ((reads & (1u << k)) && (arg[k] & D3DTA_SELECTMASK) == what)
            return true;
    return false;
}

/* Stages from the first that is disabled, or whose colour needs a texture it lacks, do not run. */
static unsigned active_stages(const struct stages_key *key)
{
    unsigned s;

    for (s = 0; s < STAGES_MAX; s++) {
        const struct stage_key *k = &key->stage[s];

        if (k->color_op <= D3DTOP_DISABLE || k->color_op >= OP_COUNT)
            break;
        if (!k->textured && args_name(k->color_op, k->color_arg, D3DTA_TEXTURE))
            break;
    }
    return s;
}

static bool needs_texture(const struct compiler *c, unsigned s)
{
    const struct stage_key *k = &c->key->stage[s];
    const struct stage_key *before = s ? &c->key->stage[s - 1] : NULL;

    if (!k->textured)
        return false;
    return is_bump(k->color_op) || args_name(k->color_op, k->color_arg, D3DTA_TEXTURE) ||
           args_name(k->alpha_op, k->alpha_arg, D3DTA_TEXTURE) || (op_reads[k->color_op] & READS_TEXTURE_ALPHA) ||
           (k->alpha_op < OP_COUNT && (op_reads[k->alpha_op] & READS_TEXTURE_ALPHA)) ||
           (before && (before->color_op == D3DTOP_PREMODULATE || before->alpha_op == D3DTOP_PREMODULATE));
}

/* The coordinates of a stage, moved by the bump stage before it. */
static struct ir_source stage_coordinates(struct compiler *c, unsigned s)
{
    const struct stage_key *k = &c->key->stage[s];
    unsigned axes = k->three_axes ? MASK_COLOR : 3;
    struct ir_source t = input(c, STAGES_TEXCOORD0 + s, axes | (k->projected ? MASK_ALPHA : 0));

    if (s == 0 || !is_bump(c->key->stage[s - 1].color_op) || !(c->sampled & (1u << (s - 1))))
        return t;
    struct ir_source bump = stage_source(IR_TEMP, REG_TEXTURE0 + s - 1);
    struct ir_source matrix = stage_source(IR_CONSTANT, STAGES_CONSTANT_BUMP + s - 1);
    struct ir_source du = bump, dv = bump, row0 = matrix, row1 = matrix;
    du.swizzle = IR_SWIZZLE(0, 0, 0, 0);
    dv.swizzle = IR_SWIZZLE(1, 1, 1, 1);
    row0.swizzle = IR_SWIZZLE(0, 1, 0, 1);
    row1.swizzle = IR_SWIZZLE(2, 3, 2, 3);
    /* A projected stage divides its own coordinates only: the displacement is scaled by q beforehand. */
    EMIT(c, IR_MUL, scratch(REG_SCRATCH0, 3), du, row0);
    EMIT(c, IR_MAD, scratch(REG_SCRATCH0, 3), dv, row1, stage_source(IR_TEMP, REG_SCRATCH0));
    EMIT(c, IR_MOV, scratch(REG_SCRATCH1, axes | (k->projected ? MASK_ALPHA : 0)), t);
    if (k->projected)
        EMIT(c, IR_MAD, scratch(REG_SCRATCH1, 3), stage_source(IR_TEMP, REG_SCRATCH0), alpha_of(t), t);
    else
        EMIT(c, IR_ADD, scratch(REG_SCRATCH1, 3), stage_source(IR_TEMP, REG_SCRATCH0), t);
    return stage_source(IR_TEMP, REG_SCRATCH1);
}

static void sample_texture(struct compiler *c, unsigned s)
{
    struct ir_instruction tex = {
        .op = IR_TEX,
        .sampler = (uint8_t)s,
        .project = c->key->stage[s].projected,
        .destination = scratch(REG_TEXTURE0 + s, MASK_ALL),
    };

    if (!needs_texture(c, s))
        return;
    tex.source[0] = stage_coordinates(c, s);
    ir_emit(&c->out->ir, &tex);
    c->out->samplers |= (uint8_t)(1u << s);
    c->sampled |= (uint8_t)(1u << s);
    if (s && c->key->stage[s - 1].color_op == D3DTOP_BUMPENVMAPLUMINANCE && (c->sampled & (1u << (s - 1)))) {
        struct ir_source luminance = stage_source(IR_TEMP, REG_TEXTURE0 + s - 1), factor, offset;
        struct ir_destination d = scratch(REG_SCRATCH0, MASK_COLOR);

        luminance.swizzle = IR_SWIZZLE(2, 2, 2, 2);
        factor = offset = stage_source(IR_CONSTANT, STAGES_CONSTANT_LUMINANCE + s - 1);
        factor.swizzle = IR_SWIZZLE(0, 0, 0, 0);
        offset.swizzle = IR_SWIZZLE(1, 1, 1, 1);
        d.saturate = 1;
        EMIT(c, IR_MAD, d, luminance, factor, offset);
        EMIT(c, IR_MUL, scratch(REG_TEXTURE0 + s, MASK_COLOR), stage_source(IR_TEMP, REG_TEXTURE0 + s),
             stage_source(IR_TEMP, REG_SCRATCH0));
    }
}

/* Kills pixels where the texture is transparent. With filters: where all mixed texels are transparent. */
static void cut_key(struct compiler *c, unsigned s)
{
    struct ir_source visible = stage_source(IR_TEMP, REG_SCRATCH0);

    if (!c->key->stage[s].keyed || !(c->sampled & (1u << s)))
        return;
    EMIT(c, IR_SLT, scratch(REG_SCRATCH0, 1), immediate(0), alpha_of(stage_source(IR_TEMP, REG_TEXTURE0 + s)));
    visible.modifiers = IR_BIAS; /* 1 or 0, minus a half */
    EMIT(c, IR_KILL, scratch(0, 1), visible);
    c->kills = true;
    if (c->key->stage[s].keyed == STAGE_KEYED_ALPHA) {
        struct ir_source scale = stage_source(IR_CONSTANT, STAGES_CONSTANT_KEY), offset = scale;
        struct ir_destination alpha = scratch(REG_TEXTURE0 + s, MASK_ALPHA);

        scale.swizzle = IR_SWIZZLE(0, 0, 0, 0);
        offset.swizzle = IR_SWIZZLE(1, 1, 1, 1);
        alpha.saturate = 1;
        EMIT(c, IR_MAD, alpha, stage_source(IR_TEMP, REG_TEXTURE0 + s), scale, offset);
    }
}

/* After PREMODULATE the stage's CURRENT is CURRENT times its texture. */
static void premodulate(struct compiler *c, unsigned s)
{
    unsigned mask = (c->premodulate_color ? MASK_COLOR : 0) | (c->premodulate_alpha ? MASK_ALPHA : 0);

    if (!mask)
        return;
    if (mask != MASK_ALL)
        EMIT(c, IR_MOV, scratch(REG_PREMODULATED, MASK_ALL), current(c));
    EMIT(c, IR_MUL, scratch(REG_PREMODULATED, mask), current(c), implied_texture(c, s));
}

/* Both halves of the destination exist before a part of it is written. */
static void prepare_destination(struct compiler *c, bool temp, unsigned mask)
{
    if (temp && !c->temp_written && mask != MASK_ALL)
        EMIT(c, IR_MOV, scratch(REG_TEMP, MASK_ALL), immediate(0));
    if (!temp && !c->current_written && mask != MASK_ALL)
        EMIT(c, IR_MOV, scratch(REG_CURRENT, MASK_ALL), input(c, STAGES_DIFFUSE, MASK_ALL));
}

static bool same_operation(const struct stage_key *k)
{
    unsigned reads = op_reads[k->color_op];

    if (k->color_op != k->alpha_op || k->color_op == D3DTOP_PREMODULATE || k->color_op >= D3DTOP_MODULATEALPHA_ADDCOLOR)
        return false;
    for (unsigned i = 0; i < 3; i++)
        if ((reads & (1u << i)) && k->color_arg[i] != k->alpha_arg[i])
            return false;
    return true;
}

/* Looks up only the arguments that the operation reads: looking up an input makes vertices deliver it. */
static void stage_arguments(struct compiler *c, unsigned s, unsigned op, const uint8_t arg[3], struct ir_source out[3])
{
    for (unsigned i = 0; i < 3; i++)
        out[i] = op_reads[op] & (1u << i) ? argument(c, s, arg[i]) : immediate(0);
}

static void emit_stage(struct compiler *c, unsigned s)
{
    const struct stage_key *k = &c->key->stage[s];
    bool last = s + 1 == c->stage_count, temp = k->result_temp && !last;
    bool joined = same_operation(k), dot = k->color_op == D3DTOP_DOTPRODUCT3;
    bool alpha = !dot && !joined && k->alpha_op > D3DTOP_DISABLE && k->alpha_op < OP_COUNT && !is_bump(k->alpha_op);
    struct ir_destination d = {
        .file = IR_TEMP, .index = temp ? REG_TEMP : REG_CURRENT, .mask = MASK_COLOR, .saturate = 1};
    struct ir_source color[3], alpha_args[3];

    if (is_bump(k->color_op)) {
        c->premodulate_color = c->premodulate_alpha = false;
        return;
    }
    if (joined || dot)
        d.mask = MASK_ALL;
    stage_arguments(c, s, k->color_op, k->color_arg, color);
    stage_arguments(c, s, alpha ? k->alpha_op : D3DTOP_DISABLE, k->alpha_arg, alpha_args);
    if (last && !c->key->specular_add) {
        d.file = IR_OUTPUT;
        d.index = 0;
        c->output_written = true;
    } else {
        /* Sources that still name the diffuse input remain valid: it is not overwritten. */
        prepare_destination(c, temp, d.mask);
    }
    emit_op(c, s, k->color_op, d, color);
    if (alpha) {
        d.mask = MASK_ALPHA;
        emit_op(c, s, k->alpha_op, d, alpha_args);
    } else if (c->output_written && d.mask != MASK_ALL) {
        d.mask = MASK_ALPHA;
        d.saturate = 0;
        EMIT(c, IR_MOV, d, current(c));
    }
    if (temp)
        c->temp_written = true;
    else
        c->current_written = true;
    c->premodulate_color = k->color_op == D3DTOP_PREMODULATE;
    c->premodulate_alpha = k->alpha_op == D3DTOP_PREMODULATE;
}

/* The optimized instructions, and the inputs that they read. An IR_TEX reads all components of its coordinates; the
 * stage knows which of them its texture has. */
static void take_optimized(struct stages_program *program)
{
    const struct shader_program *shader = program->shader;
    uint8_t wanted[RASTER_MAX_INPUTS];

    BASE_ASSERT(shader->code->count <= program->ir.count);
    program->ir.count = shader->code->count;
    memcpy(program->ir.code, shader->code->code, shader->code->count * sizeof(*shader->code->code));
    memcpy(wanted, program->input_mask, sizeof(wanted));
    program->input_count = (uint8_t)shader->input_count;
    for (unsigned k = 0; k < shader->input_count; k++) {
        program->input[k] = program->input[shader->input[k].reg];
        program->input_mask[k] = wanted[shader->input[k].reg] & shader->input[k].mask;
    }
}

/* Removes writes to outputs except for the components of `mask`. */
static void keep_outputs(struct ir_program *ir, unsigned mask)
{
    unsigned kept = 0;

    for (unsigned n = 0; n < ir->count; n++) {
        struct ir_instruction *i = &ir->code[n];

        if (i->destination.file == IR_OUTPUT)
            i->destination.mask &= (uint8_t)mask;
        if (i->destination.file != IR_OUTPUT || i->destination.mask)
            ir->code[kept++] = *i;
    }
    ir->count = kept;
}

/* outputs: the wanted components of the colour. */
static void compile(const struct stages_key *key, unsigned outputs, struct stages_program *program)
{
    struct compiler c = {.key = key, .out = program, .stage_count = active_stages(key)};
    struct ir_destination out = {.file = IR_OUTPUT, .mask = MASK_ALL};

    memset(program, 0, sizeof(*program));
    for (unsigned s = 0; s < c.stage_count; s++) {
        sample_texture(&c, s);
        cut_key(&c, s);
        premodulate(&c, s);
        emit_stage(&c, s);
    }
    if (!c.output_written)
        EMIT(&c, IR_MOV, out, current(&c));
    if (key->specular_add) {
        out.mask = MASK_COLOR;
        out.saturate = 1;
        EMIT(&c, IR_ADD, out, current(&c), input(&c, STAGES_SPECULAR, MASK_COLOR));
    }
    keep_outputs(&program->ir, outputs);
    program->shader = shader_from_ir(SHADER_PIXEL, program->ir.code, program->ir.count, immediates);
    if (!program->shader)
        return;
    program->shader->kills = c.kills;
    take_optimized(program);
}

void stages_compile(const struct stages_key *key, struct stages_program *program)
{
    compile(key, MASK_ALL, program);
}

void stages_compile_opaque(const struct stages_key *key, const struct stages_program *whole,
                           struct stages_program *program)
{
    compile(key, MASK_COLOR, program);
    if (program->shader)
        program->shader->code->cost = whole->shader->code->cost;
}

void stages_destroy(struct stages_program *program)
{
    shader_destroy(program->shader);
    program->shader = NULL;
}

/* Constants follow the binding, aligned to 16, then the samplers. */
static size_t constants_at(void)
{
    return (sizeof(struct shader_binding) + 15) & ~(size_t)15;
}

size_t stages_binding_size(const struct stages_program *program)
{
    const struct shader_program *shader = program->shader;

    return (constants_at() + shader->float_count * 4 * sizeof(float) +
            shader_sampler_count(shader) * sizeof(struct raster_sampler) + 63) &
           ~(size_t)63;
}

struct shader_binding *stages_bind(void *memory, const struct stages_program *program, enum cpu_level level)
{
    static const float key[4] = {255.0f / 254.0f, -1.0f / 254.0f};
    const struct shader_program *shader = program->shader;
    struct shader_binding *b = memory;
    float(*floats)[4] = (float(*)[4])((char *)memory + constants_at());

    BASE_ASSERT((uintptr_t)memory % 64 == 0);
    memset(memory, 0, stages_binding_size(program));
    b->program = shader;
    b->sample = raster_sample_lod_kernel(level);
    b->floats = (const float(*)[4])floats;
    b->float_count = shader->float_count;
    b->sampler = (struct raster_sampler *)(floats + shader->float_count);
    for (unsigned k = 0; k < shader->input_count; k++)
        b->input[k] = (uint8_t)k;
    stages_set_constant(b, STAGES_CONSTANT_IMMEDIATE, immediates);
    stages_set_constant(b, STAGES_CONSTANT_KEY, key);
    return b;
}

void stages_set_constant(struct shader_binding *b, unsigned index, const float value[4])
{
    if (index < b->float_count)
        memcpy((float *)b->floats[index], value, sizeof(b->floats[index]));
}

void stages_copy_values(struct shader_binding *to, const struct shader_binding *from,
                        const struct stages_program *program)
{
    memcpy((char *)to + constants_at(), (const char *)from + constants_at(),
           stages_binding_size(program) - constants_at());
}
