/* SPDX-License-Identifier: MIT */
/*
 * Walks through a shader, tracks its state, and applies the rules for its version.
 */
#include "bytecode/validator.h"

#include <stdlib.h>

/* --- slots ---------------------------------------------------------------------------------------- */

static unsigned vertex_slots(const struct shader_instruction *i)
{
    if (i->opcode == SOP_EXP || i->opcode == SOP_LOG)
        return 10;
    return i->opcode == SOP_FRC ? 3 : i->info->flags & SOPF_MATRIX ? i->info->slots : 1;
}

/* vs_1_1 and ps_1_x count slots differently. */
static unsigned slots_of(const struct validator *v)
{
    const struct shader_instruction *i = &v->now;
    unsigned version = shader_version(&v->reader);

    if (v->reader.major > 1)
        return i->info->slots;
    if (i->info->flags & SOPF_DEFINITION || i->opcode == SOP_NOP)
        return 0;
    if (v->reader.stage == SHADER_VERTEX)
        return vertex_slots(i);
    if (i->coissue)
        return 0;
    return i->opcode == SOP_BEM || (version < 0x104 && (i->opcode == SOP_CMP || i->opcode == SOP_DP4)) ? 2 : 1;
}

static void note_slots(struct validator *v)
{
    const struct shader_instruction *i = &v->now;
    unsigned slots = slots_of(v), phase = BASE_MIN(v->phases, 1u);

    if (i->info->flags & SOPF_TEXTURE) {
        v->texture += slots;
        v->phase_texture[phase] += slots;
        v->arithmetic += i->opcode == SOP_TEXBEML;
    } else {
        v->arithmetic += slots;
        v->phase_arithmetic[phase] += slots;
    }
    v->compares += i->opcode == SOP_CMP;
    v->dot_products += i->opcode == SOP_DP4;
    v->bump_results += i->opcode == SOP_BEM;
    v->static_flow += i->info->flags & SOPF_FLOW && i->opcode != SOP_RET && i->opcode != SOP_LABEL &&
                      i->opcode != SOP_ELSE && i->opcode != SOP_ENDIF && i->opcode != SOP_ENDLOOP &&
                      i->opcode != SOP_ENDREP && !validator_is_dynamic(i);
    for (unsigned k = 0; k < i->source_count; k++)
        v->divisions += i->source[k].modifier == SMOD_DZ;
}

/* --- what an instruction reads -------------------------------------------------------------------------- */

/* Components of each source before its swizzle, depending on the instruction. */
static unsigned operand_components(const struct validator *v, unsigned k)
{
    const struct shader_instruction *i = &v->now;

    switch (i->opcode) {
    case SOP_DP3:
    case SOP_M3X2:
    case SOP_M3X3:
    case SOP_M3X4:
    case SOP_NRM:
    case SOP_CRS:
        return 7;
    case SOP_DP4:
    case SOP_M4X3:
    case SOP_M4X4:
        return 15;
    case SOP_DP2ADD:
        return k < 2 ? 3 : 1;
    case SOP_LIT:
        return 11;
    case SOP_DST:
        return k ? 10 : 6;
    case SOP_SGN: /* the others are scratch */
        return k ? 0 : i->destination.mask;
    case SOP_SINCOS:
        return k ? 0 : 1;
    case SOP_TEXCOORD:
        return i->destination.mask;
    case SOP_CND:
        return k || shader_version(&v->reader) == 0x104 ? i->destination.mask : 8;
    default:
        if (i->info->flags & SOPF_TEXTURE) /* at least two coordinates */
            return k ? 0 : 3;
        if (i->info->flags & SOPF_SCALAR) /* of model 1 w, which the swizzle need not name */
            return v->reader.major == 1 ? 8 : 1;
        return i->info->flags & SOPF_FLOW ? 1 : i->destination.mask;
    }
}

unsigned validator_components_read(const struct validator *v, unsigned k)
{
    unsigned needed = operand_components(v, k), read = 0;

    for (unsigned n = 0; n < 4; n++)
        if (needed >> n & 1)
            read |= 1u << (v->now.source[k].swizzle >> 2 * n & 3);
    return read;
}

/* --- the effect of an instruction --------------------------------------------------------------------- */

/* A computed coordinate makes a read dependent; values computed from such reads inherit their order. */
static unsigned order_of(const struct validator *v)
{
    const struct shader_instruction *i = &v->now;
    unsigned order = 0;

    for (unsigned k = 0; k < i->source_count; k++)
        if (i->source[k].type == SREG_TEMP && i->source[k].number < VALIDATOR_TEMPS)
            order = BASE_MAX(order, v->temp_order[i->source[k].number]);
    return order + (i->info->flags & SOPF_TEXTURE && i->source_count && i->source[0].type == SREG_TEMP);
}

static void note_write(struct validator *v)
{
    const struct shader_parameter *d = &v->now.destination;

    switch (d->type) {
    case SREG_TEMP:
        if (d->number < VALIDATOR_TEMPS) {
            unsigned order = order_of(v);

            v->temp_order[d->number] = (uint8_t)BASE_MAX(order, d->mask == 15 ? 0 : v->temp_order[d->number]);
            v->temp_written[d->number] |= d->mask;
        }
        if (v->reader.major == 1 && d->number == 0)
            v->first_color |= d->mask;
        break;
    case SREG_ADDRESS: /* t# in pixel shaders */
        if (v->reader.stage == SHADER_PIXEL)
            v->texture_written |= (uint8_t)(1u << (d->number & 7));
        else
            v->address_written |= d->mask;
        break;
    case SREG_RASTER_OUT:
        v->position_written |= d->number == 0 ? d->mask : 0;
        break;
    case SREG_COLOR_OUT:
        v->colors_written |= (uint8_t)(1u << (d->number & 7));
        v->first_color |= d->number == 0 ? d->mask : 0;
        break;
    case SREG_DEPTH_OUT:
        v->depth_writes = 1;
        break;
    case SREG_PREDICATE:
        v->predicate_set = true;
        break;
    default:
        break;
    }
}

static void note_pads(struct validator *v)
{
    unsigned opcode = v->now.opcode;

    if (opcode == SOP_TEXM3X2PAD || opcode == SOP_TEXM3X3PAD)
        v->pads++;
    else if (v->now.info->flags & SOPF_TEXTURE)
        v->pads = 0;
}

static void note_phase_use(struct validator *v)
{
    const struct shader_instruction *i = &v->now;
    bool coordinate = i->opcode == SOP_TEX && i->source_count && i->source[0].type == SREG_TEMP;

    for (unsigned k = 0; k < i->source_count; k++)
        v->early_input |= i->source[k].type == SREG_INPUT;
    v->late_texture |=
        coordinate || i->opcode == SOP_TEXDEPTH || (i->opcode == SOP_TEXKILL && i->destination.type == SREG_TEMP);
    v->depth_taken |= i->opcode == SOP_TEXDEPTH;
}

static void note_phase(struct validator *v)
{
    v->phases++;
    v->arithmetic_seen = false;
    v->late_texture = v->early_input = false;
    for (unsigned r = 0; r < VALIDATOR_TEMPS; r++)
        v->temp_written[r] &= 7;
}

static void note_declaration(struct validator *v)
{
    const struct shader_instruction *i = &v->now;
    const struct shader_parameter *d = &i->destination;
    bool output = d->type == SREG_TEXCOORD_OUT;
    unsigned usage = i->usage & 15, index = i->usage >> 16 & 15;

    if (i->opcode != SOP_DCL || d->type >= SREG_COUNT || d->number >= 32)
        return;
    v->declared[d->type][d->number] |= d->mask;
    v->position_declared |=
        output && index == 0 && (usage == D3D_USAGE_POSITION || usage == D3D_USAGE_POSITIONT) && d->mask == 15;
    if ((output || d->type == SREG_INPUT) && v->semantic_count < VALIDATOR_SEMANTICS)
        v->semantic[v->semantic_count++] = (uint16_t)(usage << 8 | index | (output ? 0x8000u : 0));
}

/* --- flow ------------------------------------------------------------------------------------------------- */

static void validate_open_block(struct validator *v, unsigned opcode)
{
    bool dynamic = validator_is_dynamic(&v->now), loop = opcode == SOP_LOOP || opcode == SOP_REP;

    if (v->depth < VALIDATOR_BLOCKS)
        v->block[v->depth++] = (struct validator_block){(uint16_t)opcode, dynamic};
    v->ifs += !loop && !dynamic;
    v->loops += loop;
    v->dynamic_blocks += dynamic;
}

static void validate_close_block(struct validator *v)
{
    const struct validator_block *b;

    if (!v->depth)
        return;
    b = &v->block[--v->depth];
    if (b->opcode == SOP_LOOP || b->opcode == SOP_REP)
        v->loops--;
    else if (b->dynamic)
        v->dynamic_blocks--;
    else
        v->ifs--;
}

static void note_call(struct validator *v)
{
    unsigned label = v->now.source[0].number;

    v->calls_seen = true;
    v->label_called[label] = true;
    v->label_level[label] = (uint8_t)BASE_MAX(v->label_level[label], v->level + 1);
    v->label_dynamic[label] |= v->dynamic || v->dynamic_blocks || validator_is_dynamic(&v->now);
}

/* Earlier rules have checked the numbers used here. */
static void note_flow(struct validator *v)
{
    unsigned label = v->now.source_count ? v->now.source[0].number & (VALIDATOR_LABELS - 1) : 0;

    switch (v->now.opcode) {
    case SOP_IF:
    case SOP_IFC:
        validate_open_block(v, SOP_IF);
        break;
    case SOP_LOOP:
    case SOP_REP:
        validate_open_block(v, v->now.opcode);
        break;
    case SOP_ELSE:
        v->block[v->depth - 1].opcode = SOP_ELSE;
        break;
    case SOP_ENDIF:
    case SOP_ENDLOOP:
    case SOP_ENDREP:
        validate_close_block(v);
        break;
    case SOP_CALL:
    case SOP_CALLNZ:
        note_call(v);
        break;
    case SOP_LABEL:
        v->label_placed[label] = v->labels_seen = true;
        v->level = v->label_level[label];
        v->dynamic = v->label_dynamic[label];
        break;
    default:
        break;
    }
}

static void note(struct validator *v)
{
    const struct shader_instruction *i = &v->now;

    if (i->opcode == SOP_PHASE) {
        note_phase(v);
        return;
    }
    note_slots(v);
    note_pads(v);
    note_phase_use(v);
    note_declaration(v);
    if (validator_writes(i))
        note_write(v);
    if (i->info->flags & SOPF_FLOW)
        note_flow(v);
    v->code_seen |= validator_is_code(i);
    v->arithmetic_seen |=
        validator_is_code(i) && !(i->info->flags & (SOPF_TEXTURE | SOPF_FLOW)) && i->opcode != SOP_NOP;
}

/* --- walking ------------------------------------------------------------------------------------------------- */

/* False: the walk ends. */
static bool note_broken(struct validator *v, unsigned index, size_t offset, struct shader_error *error)
{
    const struct validator_rule *rule = &validator_rules[index];
    struct shader_error broken;

    if (rule->required || !v->report)
        return shader_fail(error, offset, "%s", rule->text);
    if (!v->reported[index]) {
        v->reported[index] = true;
        shader_fail(&broken, offset, "%s", rule->text);
        v->report(v->user, index, &broken);
    }
    return true;
}

static bool validate_ask(struct validator *v, unsigned when, size_t offset, struct shader_error *error)
{
    unsigned version = shader_version(&v->reader);

    for (unsigned i = 0; i < validator_rule_count; i++) {
        const struct validator_rule *rule = &validator_rules[i];
        bool vertex = v->reader.stage == SHADER_VERTEX;
        unsigned first = vertex ? rule->vs_first : rule->ps_first, last = vertex ? rule->vs_last : rule->ps_last;

        if (rule->when == when && first && first <= version && version <= last && !rule->holds(v) &&
            !note_broken(v, i, offset, error))
            return false;
    }
    return true;
}

static bool validate_walk(struct validator *v, struct shader_error *error)
{
    if (!validate_ask(v, VALIDATE_START, 0, error))
        return false;
    for (;;) {
        if (!shader_read(&v->reader, &v->now, error))
            return false;
        if (v->now.opcode == SOP_END)
            return validate_ask(v, VALIDATE_END, v->reader.offset, error);
        if (!validate_ask(v, VALIDATE_INSTRUCTION, v->now.offset, error))
            return false;
        note(v);
        v->before = v->now;
        v->first = false;
    }
}

static bool validate(const uint32_t *tokens, size_t count, const struct shader_limits *limits,
                     shader_rule_report *report, void *user, struct shader_error *error)
{
    struct validator *v = mem_calloc(1, sizeof(*v));
    bool valid = false;

    if (!v)
        return shader_fail(error, 0, "out of memory");
    v->limits = limits;
    v->report = report;
    v->user = user;
    v->first = true;
    if (shader_reader_init(&v->reader, tokens, count, error)) {
        v->caps = v->reader.stage == SHADER_VERTEX ? &limits->vertex_2x : &limits->pixel_2x;
        valid = validate_walk(v, error);
    }
    free(v);
    return valid;
}

bool shader_validate(const uint32_t *tokens, size_t count, const struct shader_limits *limits,
                     struct shader_error *error)
{
    return validate(tokens, count, limits, NULL, NULL, error);
}

bool shader_validate_required(const uint32_t *tokens, size_t count, const struct shader_limits *limits,
                              shader_rule_report *report, void *user, struct shader_error *error)
{
    return validate(tokens, count, limits, report, user, error);
}

bool shader_rule_is_required(unsigned index)
{
    return index < validator_rule_count && validator_rules[index].required;
}

const char *shader_rule_text(unsigned index)
{
    return index < validator_rule_count ? validator_rules[index].text : NULL;
}
