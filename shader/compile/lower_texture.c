/* SPDX-License-Identifier: MIT */
/*
 * Texture instructions to IR: the addressing operations of ps_1_0..ps_1_3, texld and related instructions of later
 * models, texkill and depth. Source: docs/reference/shader-code.md, sections 6 and 8.
 */
#include "shader/compile/compiler.h"

#include <string.h>

#define SCRATCH(n)              ir_register(IR_TEMP, CODE_TEMP_SCRATCH + (n))
#define SCRATCH_TARGET(n, mask) ir_target(IR_TEMP, CODE_TEMP_SCRATCH + (n), mask)
#define ROWS                    ir_register(IR_TEMP, CODE_TEMP_ROWS)

static void sample(struct compiler *c, struct ir_destination d, unsigned sampler, struct ir_source coordinate)
{
    struct ir_instruction i = {.op = IR_TEX, .sampler = (uint8_t)sampler, .destination = d, .source = {coordinate}};

    c->program->samplers |= (uint16_t)(1u << sampler);
    compiler_emit(c, &i);
}

/* Interpolated coordinates of a stage. */
static struct ir_source texture_coordinates(struct compiler *c, unsigned stage)
{
    const struct shader_parameter p = {.type = SREG_TEXTURE, .number = (uint16_t)stage, .swizzle = SHADER_IDENTITY};
    uint8_t written = c->texture_written;
    struct ir_source s = {0};

    c->texture_written = 0; /* the coordinates remain even if t# was written */
    compiler_source(c, &p, &s);
    c->texture_written = written;
    return s;
}

/* --- ps_1_0..ps_1_3 ------------------------------------------------------------------------------ */

static void project(struct compiler *c, unsigned stage, struct ir_source s)
{
    struct ir_instruction i = {
        .op = IR_PROJECT, .sampler = (uint8_t)stage, .destination = SCRATCH_TARGET(0, 7), .source = {s}};

    compiler_emit(c, &i);
}

/* The coordinates moved by the matrix times (du, dv). */
static void bump_sample(struct compiler *c, unsigned stage, struct ir_destination d, struct ir_source s, bool luminance)
{
    struct ir_source matrix = ir_register(IR_BUMP, stage), scale = ir_register(IR_LUMINANCE, stage);

    c->program->bump_stages |= (uint8_t)(1u << stage);
    if (luminance)
        COMPILER_EMIT(c, IR_MAD, SCRATCH_TARGET(1, 1), ir_component(s, 2), ir_component(scale, 0),
                      ir_component(scale, 1));
    project(c, stage, texture_coordinates(c, stage));
    COMPILER_EMIT(c, IR_MAD, SCRATCH_TARGET(0, 3), ir_component(s, 0), ir_swizzled(matrix, 0, 1, 0, 1), SCRATCH(0));
    COMPILER_EMIT(c, IR_MAD, SCRATCH_TARGET(0, 3), ir_component(s, 1), ir_swizzled(matrix, 2, 3, 2, 3), SCRATCH(0));
    sample(c, d, stage, SCRATCH(0));
    if (luminance)
        COMPILER_EMIT(c, IR_MUL, d, ir_register(d.file, d.index), ir_component(SCRATCH(1), 0));
}

/* The next row of a matrix times a vector: the stage's coordinates . source. */
static void row(struct compiler *c, unsigned stage, struct ir_source s)
{
    unsigned index = BASE_MIN(c->row, 2u);

    COMPILER_EMIT(c, IR_DP3, ir_target(IR_TEMP, CODE_TEMP_ROWS, 1u << index), texture_coordinates(c, stage), s);
    if (index < 2)
        c->row_stage[index] = (uint8_t)stage;
    c->row = index + 1;
}

/* Samples along the reflected eye vector: 2 (N.E) / (N.N) N - E. */
static void reflect_sample(struct compiler *c, unsigned stage, struct ir_destination d, struct ir_source eye)
{
    struct ir_source factor = ir_component(SCRATCH(0), 0), length = ir_component(SCRATCH(0), 1);

    COMPILER_EMIT(c, IR_DP3, SCRATCH_TARGET(0, 1), ROWS, eye);
    COMPILER_EMIT(c, IR_DP3, SCRATCH_TARGET(0, 2), ROWS, ROWS);
    COMPILER_EMIT(c, IR_DIV, SCRATCH_TARGET(0, 1), factor, length);
    factor.modifiers |= IR_DOUBLE;
    COMPILER_EMIT(c, IR_MAD, SCRATCH_TARGET(1, 7), ROWS, factor, ir_negated(eye));
    sample(c, d, stage, SCRATCH(1));
}

/* The eye vector of texm3x3vspec: w of the three stages' coordinates. */
static struct ir_source interpolated_eye(struct compiler *c, unsigned stage)
{
    const uint8_t stages[3] = {c->row_stage[0], c->row_stage[1], (uint8_t)stage};

    for (unsigned k = 0; k < 3; k++)
        COMPILER_EMIT(c, IR_MOV, SCRATCH_TARGET(2, 1u << k), ir_component(texture_coordinates(c, stages[k]), 3));
    return SCRATCH(2);
}

static void texture_store_depth(struct compiler *c, struct ir_source above, struct ir_source below)
{
    struct ir_destination depth = ir_target(IR_DEPTH, 0, 1);

    depth.saturate = 1;
    c->program->writes_depth = true;
    COMPILER_EMIT(c, IR_DIV, depth, above, below);
}

static void rows_to(struct compiler *c, struct ir_destination d)
{
    struct ir_destination rgb = d;

    rgb.mask = d.mask & 7;
    COMPILER_EMIT(c, IR_MOV, rgb, ROWS);
    rgb.mask = d.mask & 8;
    COMPILER_EMIT(c, IR_MOV, rgb, compiler_immediate(c, 1.0f, 1.0f, 1.0f, 1.0f));
}

static bool lower_matrix(struct compiler *c, unsigned m, struct ir_destination d, struct ir_source s)
{
    struct ir_source eye = {0};

    switch (c->instruction.opcode) {
    case SOP_TEXM3X2PAD:
    case SOP_TEXM3X3PAD:
        row(c, m, s);
        return true;
    case SOP_TEXM3X3SPEC:
        if (!compiler_source(c, &c->instruction.source[1], &eye))
            return false;
        break;
    default:
        break;
    }
    row(c, m, s);
    c->row = 0;
    switch (c->instruction.opcode) {
    case SOP_TEXM3X2TEX:
    case SOP_TEXM3X3TEX:
        sample(c, d, m, ROWS);
        break;
    case SOP_TEXM3X2DEPTH:
        texture_store_depth(c, ir_component(ROWS, 0), ir_component(ROWS, 1));
        break;
    case SOP_TEXM3X3:
        rows_to(c, d);
        break;
    case SOP_TEXM3X3SPEC:
        reflect_sample(c, m, d, eye);
        break;
    default:
        reflect_sample(c, m, d, interpolated_eye(c, m));
        break;
    }
    return true;
}

/* texcoord t#: clamped coordinates, w 1. */
static void take_coordinates(struct compiler *c, unsigned m, struct ir_destination d)
{
    struct ir_destination part = d;

    part.mask = d.mask & 7;
    part.saturate = 1;
    COMPILER_EMIT(c, IR_MOV, part, texture_coordinates(c, m));
    part.mask = d.mask & 8;
    COMPILER_EMIT(c, IR_MOV, part, compiler_immediate(c, 1.0f, 1.0f, 1.0f, 1.0f));
}

static bool lower_early(struct compiler *c)
{
    const struct shader_instruction *i = &c->instruction;
    unsigned m = i->destination.number;
    struct ir_source s = {0};
    struct ir_destination d;
    struct ir_instruction tex = {.op = IR_TEX, .sampler = (uint8_t)m, .stage_project = true};

    if (i->destination.type != SREG_TEXTURE || m >= 4)
        return compiler_fail(c, "%s does not write there", i->info->name);
    if (i->source_count && !compiler_source(c, &i->source[0], &s))
        return false;
    if (i->opcode == SOP_TEXKILL) {
        COMPILER_EMIT(c, IR_KILL, ir_target(IR_TEMP, 0, 7), texture_coordinates(c, m));
        c->program->kills = true;
        return true;
    }
    if (!compiler_destination(c, &i->destination, &d))
        return false;
    switch (i->opcode) {
    case SOP_TEX:
        tex.destination = d;
        tex.source[0] = texture_coordinates(c, m);
        c->program->samplers |= (uint16_t)(1u << m);
        compiler_emit(c, &tex);
        return true;
    case SOP_TEXCOORD:
        take_coordinates(c, m, d);
        return true;
    case SOP_TEXBEM:
    case SOP_TEXBEML:
        bump_sample(c, m, d, s, i->opcode == SOP_TEXBEML);
        return true;
    case SOP_TEXREG2AR:
        sample(c, d, m, ir_swizzled(s, 3, 0, 0, 0));
        return true;
    case SOP_TEXREG2GB:
        sample(c, d, m, ir_swizzled(s, 1, 2, 2, 2));
        return true;
    case SOP_TEXREG2RGB:
        sample(c, d, m, s);
        return true;
    case SOP_TEXDP3:
        COMPILER_EMIT(c, IR_DP3, d, texture_coordinates(c, m), s);
        return true;
    case SOP_TEXDP3TEX:
        COMPILER_EMIT(c, IR_DP3, SCRATCH_TARGET(0, 1), texture_coordinates(c, m), s);
        COMPILER_EMIT(c, IR_MOV, SCRATCH_TARGET(0, 6), compiler_immediate(c, 0.0f, 0.0f, 0.0f, 0.0f));
        sample(c, d, m, SCRATCH(0));
        return true;
    default:
        return lower_matrix(c, m, d, s);
    }
}

/* --- ps_1_4 and later ------------------------------------------------------------------------------------ */

/* Source of texld and texcrd in ps_1_4, whose dz and dw divide x and y. */
static bool divided_source(struct compiler *c, struct ir_source *s)
{
    struct shader_parameter p = c->instruction.source[0];
    unsigned divisor = p.modifier == SMOD_DZ ? 2 : 3, swizzle = p.swizzle;

    if (p.modifier != SMOD_DZ && p.modifier != SMOD_DW)
        return compiler_source(c, &p, s);
    p.modifier = SMOD_NONE;
    p.swizzle = SHADER_IDENTITY;
    if (!compiler_source(c, &p, s))
        return false;
    COMPILER_EMIT(c, IR_DIV, SCRATCH_TARGET(0, 3), *s, ir_component(*s, divisor));
    COMPILER_EMIT(c, IR_MOV, SCRATCH_TARGET(0, 12), *s);
    *s = SCRATCH(0);
    s->swizzle = (uint8_t)swizzle;
    return true;
}

static bool lower_14(struct compiler *c)
{
    const struct shader_instruction *i = &c->instruction;
    struct ir_destination d;
    struct ir_source s;

    if (i->opcode == SOP_TEXDEPTH) {
        if (!compiler_destination(c, &i->destination, &d))
            return false;
        s = ir_register(d.file, d.index);
        COMPILER_EMIT(c, IR_MIN, SCRATCH_TARGET(0, 1), ir_component(s, 1),
                      compiler_immediate(c, 1.0f, 1.0f, 1.0f, 1.0f));
        texture_store_depth(c, ir_component(s, 0), SCRATCH(0));
        return true;
    }
    /* the destination's number is the stage's */
    if (i->opcode == SOP_TEX && i->destination.number >= SHADER_MAX_STAGES)
        return compiler_fail(c, "texld into r%u", i->destination.number);
    if (!divided_source(c, &s) || !compiler_destination(c, &i->destination, &d))
        return false;
    if (i->opcode == SOP_TEX)
        sample(c, d, i->destination.number, s);
    else
        COMPILER_EMIT(c, IR_MOV, d, s);
    return true;
}

static bool lower_kill(struct compiler *c)
{
    struct shader_parameter p = c->instruction.destination;
    unsigned mask = c->reader.major == 1 ? 7 : p.mask;
    struct ir_source s;

    p.swizzle = SHADER_IDENTITY;
    p.modifier = SMOD_NONE;
    if (!compiler_source(c, &p, &s))
        return false;
    COMPILER_EMIT(c, IR_KILL, ir_target(IR_PREDICATE, 0, mask), s);
    c->program->kills = true;
    return true;
}

static bool sampler_of(struct compiler *c, unsigned k, unsigned *sampler)
{
    const struct shader_parameter *p = &c->instruction.source[k];

    if (p->type != SREG_SAMPLER || p->relative)
        return compiler_fail(c, "operand %u is not a sampler", k + 2);
    *sampler = p->number;
    return compiler_register(c, p, SREG_READ, 1);
}

static bool lower_sample(struct compiler *c)
{
    const struct shader_instruction *i = &c->instruction;
    struct ir_instruction tex = {.op = IR_TEX};
    struct ir_source texel = SCRATCH(0);
    unsigned sampler = 0;

    if (i->opcode == SOP_TEX && i->control > 2)
        return compiler_fail(c, "texld of kind %u", i->control);
    tex.project = i->opcode == SOP_TEX && i->control == 1;
    tex.lod = i->opcode == SOP_TEXLDL                   ? RASTER_LOD_GIVEN
              : i->opcode == SOP_TEXLDD                 ? RASTER_LOD_GRADIENTS
              : i->opcode == SOP_TEX && i->control == 2 ? RASTER_LOD_BIASED
                                                        : RASTER_LOD_COMPUTED;
    if (!compiler_source(c, &i->source[0], &tex.source[0]) || !sampler_of(c, 1, &sampler) ||
        !compiler_destination(c, &i->destination, &tex.destination))
        return false;
    for (unsigned k = 2; k < i->source_count; k++)
        if (!compiler_source(c, &i->source[k], &tex.source[k - 1]))
            return false;
    if (tex.destination.file == IR_PREDICATE || tex.destination.file == IR_ADDRESS)
        return compiler_fail(c, "%s does not write there", i->info->name);
    tex.sampler = (uint8_t)sampler;
    c->program->samplers |= (uint16_t)(1u << sampler);
    if (i->source[1].swizzle == SHADER_IDENTITY) {
        compiler_emit(c, &tex);
        return true;
    }
    struct ir_destination d = tex.destination;
    tex.destination = SCRATCH_TARGET(0, 15);
    compiler_emit(c, &tex);
    texel.swizzle = i->source[1].swizzle;
    COMPILER_EMIT(c, IR_MOV, d, texel);
    return true;
}

bool lower_texture(struct compiler *c)
{
    if (c->version < 0x104)
        return lower_early(c);
    if (c->instruction.opcode == SOP_TEXKILL)
        return lower_kill(c);
    return c->version == 0x104 ? lower_14(c) : lower_sample(c);
}
