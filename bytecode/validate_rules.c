/* SPDX-License-Identifier: MIT */
/*
 * The API's rules for shaders. The table at the end is the one place that says which rule holds for which model; the
 * functions before it look at one thing each. A function may rely on the rules that stand before its own in the table.
 * Source: reference shaders.md 1, 2, 3, 4, 7, 10; DirectX 8.1 and 9 documentation, "Pixel Shaders", "Vertex Shaders".
 */
#include "bytecode/validator.h"

typedef const struct validator *V;

/* --- versions ------------------------------------------------------------------------------------- */

static bool stage_is_wanted(V v)
{
    return v->reader.stage == SHADER_VERTEX ? !v->limits->pixel_only : !v->limits->vertex_only;
}

static bool version_is_known(V v)
{
    unsigned highest = v->reader.stage == SHADER_VERTEX ? v->limits->vertex_version : v->limits->pixel_version;

    return !highest || shader_version(&v->reader) <= highest;
}

/* --- registers ------------------------------------------------------------------------------------ */

static bool register_exists(V v, const struct shader_parameter *p, unsigned access)
{
    const struct shader_register_rule *rule = shader_register_rule(&v->reader, p->type);

    return rule && p->number < rule->count && !(access & ~rule->access);
}

static bool registers_exist(V v)
{
    const struct shader_instruction *i = &v->now;

    if (i->has_destination &&
        !register_exists(v, &i->destination,
                         validator_writes(i) ? SREG_WRITE : i->opcode == SOP_TEXKILL ? SREG_READ : 0))
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (!register_exists(v, &i->source[k], SREG_READ))
            return false;
    return true;
}

static bool constants_are_there(V v)
{
    const struct shader_instruction *i = &v->now;
    unsigned least = v->reader.minor == 255 ? 8192 : v->reader.major == 1 ? 96 : 256;
    unsigned count = v->limits->vertex_constants ? v->limits->vertex_constants : least;

    if (i->has_destination && i->destination.type == SREG_CONST && i->destination.number >= count)
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (i->source[k].type == SREG_CONST && i->source[k].number >= count)
            return false;
    return true;
}

static bool temps_are_there(V v)
{
    const struct shader_instruction *i = &v->now;
    unsigned count = v->caps->temps ? v->caps->temps : 12;

    if (i->has_destination && i->destination.type == SREG_TEMP && i->destination.number >= count)
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (i->source[k].type == SREG_TEMP && i->source[k].number >= count)
            return false;
    return true;
}

/* Constants by a0 or aL; inputs and outputs of model 3 as the table of registers says. */
static bool index_is_allowed(V v, const struct shader_parameter *p, unsigned access)
{
    const struct shader_register_rule *rule = shader_register_rule(&v->reader, p->type);

    if (!p->relative)
        return true;
    if (v->reader.stage == SHADER_PIXEL && p->relative_type == SREG_ADDRESS)
        return false;
    return rule && rule->access & access;
}

static bool indices_are_allowed(V v)
{
    const struct shader_instruction *i = &v->now;

    if (i->has_destination && !index_is_allowed(v, &i->destination, SREG_INDEXED_WRITE))
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (!index_is_allowed(v, &i->source[k], SREG_INDEXED_READ))
            return false;
    return true;
}

static bool uses_index(V v, unsigned type)
{
    const struct shader_instruction *i = &v->now;
    bool uses = i->has_destination && i->destination.relative && i->destination.relative_type == type;

    for (unsigned k = 0; k < i->source_count; k++)
        uses |= i->source[k].relative && i->source[k].relative_type == type;
    return uses;
}

static bool address_is_known(V v)
{
    return !uses_index(v, SREG_ADDRESS) || v->address_written;
}

/* Subroutines may use the counter of the loop that calls them. */
static bool counter_is_in_a_loop(V v)
{
    bool loop = v->level > 0;

    for (unsigned b = 0; b < v->depth; b++)
        loop |= v->block[b].opcode == SOP_LOOP;
    return loop || !uses_index(v, SREG_LOOP);
}

/* Different registers of a file among the sources. */
static unsigned ports(V v, unsigned type)
{
    const struct shader_parameter *s = v->now.source;
    unsigned different = 0;

    for (unsigned k = 0; k < v->now.source_count; k++) {
        bool seen = s[k].type != type;

        for (unsigned j = 0; j < k; j++)
            seen |= s[j].type == type && s[j].number == s[k].number && s[j].relative == s[k].relative;
        different += !seen;
    }
    return different;
}

static bool one_constant(V v)
{
    /* the series of sincos come from two */
    return ports(v, SREG_CONST) <= (v->now.opcode == SOP_SINCOS ? 2u : 1u);
}

static bool two_constants(V v)
{
    return ports(v, SREG_CONST) <= 2;
}

static bool one_input(V v)
{
    return ports(v, SREG_INPUT) <= 1;
}

static bool one_texture(V v)
{
    return ports(v, SREG_TEXTURE) <= 1;
}

static bool two_textures(V v)
{
    return ports(v, SREG_TEXTURE) <= 2;
}

static bool constant_read_twice(V v)
{
    unsigned reads = 0;

    for (unsigned k = 0; k < v->now.source_count; k++)
        reads += v->now.source[k].type == SREG_CONST;
    return reads <= 2;
}

/* What a subroutine writes is not followed. */
static bool temps_are_written(V v)
{
    const struct shader_instruction *i = &v->now;

    if (!validator_is_code(i) || v->calls_seen || v->labels_seen)
        return true;
    if (i->opcode == SOP_TEXKILL && i->destination.type == SREG_TEMP &&
        i->destination.mask & 7 & ~(unsigned)v->temp_written[i->destination.number])
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (i->source[k].type == SREG_TEMP &&
            validator_components_read(v, k) & ~(unsigned)v->temp_written[i->source[k].number])
            return false;
    return true;
}

static bool inputs_are_fed(V v)
{
    for (unsigned k = 0; v->limits->declaration_known && k < v->now.source_count; k++)
        if (v->now.source[k].type == SREG_INPUT && !(v->limits->declared_inputs >> v->now.source[k].number & 1))
            return false;
    return true;
}

/* --- masks, swizzles, modifiers ---------------------------------------------------------------------- */

static bool writes_something(V v)
{
    return !validator_writes(&v->now) || v->now.destination.mask;
}

/* As many components as the product has rows. */
static uint8_t rows_mask(V v)
{
    static const uint8_t masks[] = {15, 7, 15, 7, 3};

    return masks[v->now.opcode - SOP_M4X4];
}

static bool is_matrix_product(V v)
{
    return validator_is_code(&v->now) && v->now.info->flags & SOPF_MATRIX;
}

static bool matrix_mask(V v)
{
    return !is_matrix_product(v) || v->now.destination.mask == rows_mask(v);
}

/* Assemblers leave the full mask of an m3x3 without one, and programs of the time relied on it (Irrlicht 1.8). */
static bool matrix_mask_early(V v)
{
    return !is_matrix_product(v) || v->now.destination.mask == rows_mask(v) || v->now.destination.mask == 15;
}

static bool matrix_rows_plain(V v)
{
    const struct shader_parameter *rows = &v->now.source[1];

    return !v->now.info || !(v->now.info->flags & SOPF_MATRIX) ||
           (rows->swizzle == SHADER_IDENTITY && rows->modifier == SMOD_NONE);
}

static bool fraction_mask(V v)
{
    return v->now.opcode != SOP_FRC || v->now.destination.mask == 2 || v->now.destination.mask == 3;
}

static bool cross_mask(V v)
{
    return v->now.opcode != SOP_CRS || !(v->now.destination.mask & 8);
}

static bool normal_mask(V v)
{
    return v->now.opcode != SOP_NRM || (v->now.destination.mask & 7) == 7;
}

static bool sincos_mask(V v)
{
    return v->now.opcode != SOP_SINCOS || !(v->now.destination.mask & 12);
}

static bool not_in_place(V v)
{
    const struct shader_instruction *i = &v->now;
    unsigned opcode = i->opcode;
    unsigned looked_at = opcode == SOP_CRS ? 2 : opcode == SOP_NRM || opcode == SOP_SINCOS ? 1 : 0;

    for (unsigned k = 0; k < looked_at; k++)
        if (i->source[k].type == i->destination.type && i->source[k].number == i->destination.number)
            return false;
    return true;
}

static bool early_mask(V v)
{
    unsigned mask = v->now.destination.mask;

    return !validator_writes(&v->now) || mask == 15 || mask == 7 || mask == 8;
}

static bool coordinate_mask(V v)
{
    return v->now.opcode != SOP_TEXCOORD || v->now.destination.mask == 7 || v->now.destination.mask == 3;
}

static bool texel_mask(V v)
{
    return v->now.opcode != SOP_TEX || v->now.destination.mask == 15;
}

static bool not_saturated(V v)
{
    return !v->now.has_destination || !(v->now.destination.modifier & SDST_SATURATE);
}

static bool not_shifted(V v)
{
    return !v->now.has_destination || !v->now.destination.shift;
}

static bool shifted_little(V v)
{
    return !v->now.has_destination || (v->now.destination.shift >= -1 && v->now.destination.shift <= 2);
}

static bool shifted_more(V v)
{
    return !v->now.has_destination || (v->now.destination.shift >= -3 && v->now.destination.shift <= 3);
}

static bool textures_plain(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || (not_saturated(v) && not_shifted(v));
}

/* Does a source have one of these modifiers (bits by number)? */
static bool has_modifier(V v, unsigned modifiers)
{
    for (unsigned k = 0; k < v->now.source_count; k++)
        if (modifiers >> v->now.source[k].modifier & 1)
            return true;
    return false;
}

#define BIT(n) (1u << (n))
#define DOUBLED (BIT(SMOD_X2) | BIT(SMOD_NEGATE_X2))
#define BIASED (BIT(SMOD_BIAS) | BIT(SMOD_NEGATE_BIAS) | BIT(SMOD_BX2) | BIT(SMOD_NEGATE_BX2) | BIT(SMOD_COMPLEMENT))
#define ABSOLUTE (BIT(SMOD_ABS) | BIT(SMOD_NEGATE_ABS))

static bool no_absolute(V v)
{
    return !has_modifier(v, ABSOLUTE);
}

static bool no_scaling(V v)
{
    return !has_modifier(v, BIASED | DOUBLED);
}

static bool no_doubling(V v)
{
    return !has_modifier(v, DOUBLED);
}

static bool division_of_coordinates(V v)
{
    bool coordinates = v->reader.stage == SHADER_PIXEL && shader_version(&v->reader) == 0x104 &&
                       (v->now.opcode == SOP_TEX || v->now.opcode == SOP_TEXCOORD);

    return coordinates || !has_modifier(v, BIT(SMOD_DZ) | BIT(SMOD_DW));
}

/* t# is divided by w, r# by z. */
static bool division_by_kind(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return !v->now.source_count || (s->modifier == SMOD_DW ? s->type != SREG_TEMP
                                                           : s->modifier != SMOD_DZ || s->type == SREG_TEMP);
}

static bool two_divisions(V v)
{
    return v->divisions + has_modifier(v, BIT(SMOD_DZ)) <= 2;
}

static bool not_of_conditions(V v)
{
    for (unsigned k = 0; k < v->now.source_count; k++)
        if (v->now.source[k].modifier == SMOD_NOT && v->now.source[k].type != SREG_BOOLEAN &&
            v->now.source[k].type != SREG_PREDICATE)
            return false;
    return true;
}

static bool absolute_constants_alike(V v)
{
    unsigned with = 0, all = 0;

    for (unsigned k = 0; k < v->now.source_count; k++) {
        all += v->now.source[k].type == SREG_CONST;
        with += v->now.source[k].type == SREG_CONST && ABSOLUTE >> v->now.source[k].modifier & 1;
    }
    return !with || with == all;
}

static bool is_replicated(unsigned swizzle)
{
    return swizzle % 85 == 0;
}

/* ps_1_0..1_3: as it is, .a, or .b into alpha. */
static bool early_swizzles(V v)
{
    for (unsigned k = 0; k < v->now.source_count; k++) {
        unsigned swizzle = v->now.source[k].swizzle;

        if (swizzle != SHADER_IDENTITY && swizzle != 0xff && !(swizzle == 0xaa && v->now.destination.mask == 8))
            return false;
    }
    return true;
}

/* Of ps_1_4; coordinates: .xyz or .xyw. */
static bool phased_swizzles(V v)
{
    bool texture = v->now.info && v->now.info->flags & SOPF_TEXTURE;

    for (unsigned k = 0; k < v->now.source_count; k++) {
        unsigned swizzle = v->now.source[k].swizzle;
        bool xyz = swizzle == SHADER_IDENTITY || swizzle == 0xa4, xyw = swizzle == 0xf4 || swizzle == 0xb4;

        if (texture ? !xyz && !xyw : swizzle != SHADER_IDENTITY && !is_replicated(swizzle))
            return false;
    }
    return true;
}

/* Of model 2: as it is, yzxw, zxyw, wzyx, or one component. */
static bool plain_swizzles(V v)
{
    bool any = v->caps->arbitrary_swizzle && v->reader.minor;

    for (unsigned k = 0; k < v->now.source_count && !any; k++) {
        unsigned swizzle = v->now.source[k].swizzle;

        if (swizzle != SHADER_IDENTITY && swizzle != 0xc9 && swizzle != 0xd2 && swizzle != 0x1b && !is_replicated(swizzle))
            return false;
    }
    return true;
}

static bool scalars_replicated(V v)
{
    if (!v->now.info || !(v->now.info->flags & SOPF_SCALAR))
        return true;
    for (unsigned k = 0; k < v->now.source_count; k++)
        if (!is_replicated(v->now.source[k].swizzle))
            return false;
    return true;
}

/* --- arithmetic ----------------------------------------------------------------------------------------- */

static bool address_by_mov(V v)
{
    return !validator_writes(&v->now) || v->now.destination.type != SREG_ADDRESS ||
           (v->now.opcode == SOP_MOV && v->now.destination.mask == 1);
}

static bool address_by_mova(V v)
{
    bool address = validator_writes(&v->now) && v->now.destination.type == SREG_ADDRESS;

    return address == (v->now.opcode == SOP_MOVA);
}

static bool condition_is_r0(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return v->now.opcode != SOP_CND || (s->type == SREG_TEMP && s->number == 0 && s->swizzle == 0xff && !s->modifier);
}

static bool compare_elsewhere(V v)
{
    const struct shader_instruction *i = &v->now;

    for (unsigned k = 0; i->opcode == SOP_CMP && k < i->source_count; k++)
        if (i->source[k].type == i->destination.type && i->source[k].number == i->destination.number)
            return false;
    return true;
}

static bool three_compares(V v)
{
    return v->compares + (v->now.opcode == SOP_CMP) <= 3;
}

static bool four_dot_products(V v)
{
    return v->dot_products + (v->now.opcode == SOP_DP4) <= 4;
}

static bool scratch_is_temps(V v)
{
    const struct shader_parameter *s = v->now.source;

    return v->now.opcode != SOP_SGN ||
           (s[1].type == SREG_TEMP && s[2].type == SREG_TEMP && s[1].number != s[2].number);
}

static bool series_is_constants(V v)
{
    const struct shader_parameter *s = v->now.source;

    return v->now.opcode != SOP_SINCOS ||
           (s[1].type == SREG_CONST && s[2].type == SREG_CONST && s[1].number != s[2].number);
}

/* A pair: arithmetic both, one of them writes alpha alone and the other does not write it. */
static bool paired(V v)
{
    const struct shader_instruction *a = &v->before, *b = &v->now;

    if (!b->coissue)
        return true;
    if (v->first || !a->info || a->coissue || (a->info->flags | b->info->flags) & (SOPF_TEXTURE | SOPF_DEFINITION))
        return false;
    return a->destination.mask == 8 ? !(b->destination.mask & 8) : b->destination.mask == 8 && !(a->destination.mask & 8);
}

static bool dp4_alone(V v)
{
    return !v->now.coissue || (v->now.opcode != SOP_DP4 && v->before.opcode != SOP_DP4);
}

/* --- textures of ps_1_x ------------------------------------------------------------------------------------- */

static bool textures_first(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || !v->arithmetic_seen;
}

/* A texture instruction that reads another's result (not what counts its source as a coordinate). */
static bool reads_stage(const struct shader_instruction *i)
{
    return i->info && i->info->flags & SOPF_TEXTURE && i->source_count && i->source[0].type == SREG_TEXTURE;
}

static bool stage_is_earlier(V v)
{
    return !reads_stage(&v->now) || v->now.source[0].number < v->now.destination.number;
}

static bool stage_is_sampled(V v)
{
    return !reads_stage(&v->now) || v->texture_written >> v->now.source[0].number & 1;
}

static bool stage_is_new(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || v->now.opcode == SOP_TEXKILL ||
           !(v->texture_written >> v->now.destination.number & 1);
}

/* texm3x2pad t1, then texm3x2tex t2; texm3x3pad t1, t2, then texm3x3* t3. */
static bool pads_in_a_row(V v)
{
    const struct shader_instruction *i = &v->now;
    bool two = i->opcode == SOP_TEXM3X2TEX || i->opcode == SOP_TEXM3X2DEPTH;
    bool three = i->opcode == SOP_TEXM3X3TEX || i->opcode == SOP_TEXM3X3 || i->opcode == SOP_TEXM3X3SPEC ||
                 i->opcode == SOP_TEXM3X3VSPEC;
    bool pad3 = i->opcode == SOP_TEXM3X3PAD;

    if (!i->info || !(i->info->flags & SOPF_TEXTURE))
        return !v->pads || !i->info;
    unsigned wanted = three ? 2 : two ? 1 : pad3 ? BASE_MIN(v->pads, 1u) : 0;
    unsigned kind = two ? SOP_TEXM3X2PAD : SOP_TEXM3X3PAD;

    return v->pads == wanted &&
           (!wanted || (v->before.opcode == kind && v->before.destination.number + 1 == i->destination.number));
}

static bool no_pads_left(V v)
{
    return !v->pads;
}

static bool one_phase(V v)
{
    return v->now.info || v->phases == 0;
}

static bool inputs_late(V v)
{
    return v->now.info || !v->early_input;
}

static bool computed_coordinates_late(V v)
{
    return v->now.info || !v->late_texture;
}

static bool one_bump(V v)
{
    return v->now.opcode != SOP_BEM || (v->bump_results == 0 && v->phases == 0);
}

static bool depth_from_r5(V v)
{
    return v->now.opcode != SOP_TEXDEPTH || (v->now.destination.type == SREG_TEMP && v->now.destination.number == 5);
}

static bool r5_is_dead(V v)
{
    const struct shader_instruction *i = &v->now;

    for (unsigned k = 0; v->depth_taken && k < i->source_count; k++)
        if (i->source[k].type == SREG_TEMP && i->source[k].number == 5)
            return false;
    return !v->depth_taken || !i->has_destination || i->destination.type != SREG_TEMP || i->destination.number != 5;
}

/* --- textures of models 2 and 3 -------------------------------------------------------------------------------- */

static bool samples(const struct shader_instruction *i)
{
    return i->info && i->info->flags & SOPF_TEXTURE && i->opcode != SOP_TEXKILL;
}

static bool samplers_in_place(V v)
{
    for (unsigned k = 0; k < v->now.source_count; k++)
        if ((v->now.source[k].type == SREG_SAMPLER) != (samples(&v->now) && k == 1))
            return false;
    return true;
}

static bool coordinates_plain(V v)
{
    return !samples(&v->now) || (v->now.source[0].swizzle == SHADER_IDENTITY && !v->now.source[0].modifier);
}

static bool coordinates_are_values(V v)
{
    return !samples(&v->now) || v->now.source[0].type == SREG_TEMP || v->now.source[0].type == SREG_TEXTURE;
}

static bool texels_to_temps(V v)
{
    return !samples(&v->now) || v->now.destination.type == SREG_TEMP;
}

static bool four_orders(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return v->caps->any_dependent_reads || !samples(&v->now) || s->type != SREG_TEMP || v->temp_order[s->number] < 4;
}

static bool gradients_supported(V v)
{
    unsigned opcode = v->now.opcode;

    return v->caps->gradients || (opcode != SOP_DSX && opcode != SOP_DSY && opcode != SOP_TEXLDD);
}

/* Quads must stay together where differences of computed values are taken. */
static bool gradients_in_the_open(V v)
{
    const struct shader_instruction *i = &v->now;
    bool takes = i->opcode == SOP_DSX || i->opcode == SOP_DSY || i->opcode == SOP_TEX;

    return !takes || i->source[0].type != SREG_TEMP || (!v->dynamic_blocks && !v->dynamic);
}

/* --- declarations ---------------------------------------------------------------------------------------------- */

static bool declarations_first(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_DEFINITION) || !v->code_seen;
}

/* Samplers, vPos and vFace as a whole, others by component. */
static bool is_declared(V v, const struct shader_parameter *p, unsigned components)
{
    bool texture = p->type == SREG_TEXTURE && v->reader.stage == SHADER_PIXEL;
    bool whole = p->type == SREG_SAMPLER || p->type == SREG_MISC;

    if ((!whole && !texture && p->type != SREG_INPUT) || p->relative || p->number >= 32)
        return true;
    return whole ? v->declared[p->type][p->number] != 0 : !(components & ~(unsigned)v->declared[p->type][p->number]);
}

static bool inputs_are_declared(V v)
{
    const struct shader_instruction *i = &v->now;

    if (!validator_is_code(i) || v->limits->directx8)
        return true;
    if (i->opcode == SOP_TEXKILL && !is_declared(v, &i->destination, i->destination.mask & 3))
        return false;
    for (unsigned k = 0; k < i->source_count; k++)
        if (!is_declared(v, &i->source[k], validator_components_read(v, k)))
            return false;
    return true;
}

static bool outputs_are_declared(V v)
{
    const struct shader_parameter *d = &v->now.destination;

    return !validator_writes(&v->now) || d->type != SREG_TEXCOORD_OUT || d->relative ||
           !(d->mask & ~(unsigned)v->declared[SREG_TEXCOORD_OUT][d->number]);
}

static bool components_are_new(V v)
{
    const struct shader_parameter *d = &v->now.destination;

    return v->now.opcode != SOP_DCL || !(d->mask & v->declared[d->type][d->number & 31]);
}

static bool meaning_is_new(V v)
{
    const struct shader_parameter *d = &v->now.destination;
    bool output = d->type == SREG_TEXCOORD_OUT;
    unsigned meaning = (v->now.usage & 15) << 8 | (v->now.usage >> 16 & 15) | (output ? 0x8000u : 0);

    if (v->now.opcode != SOP_DCL || (!output && d->type != SREG_INPUT))
        return true;
    for (unsigned i = 0; i < v->semantic_count; i++)
        if (v->semantic[i] == meaning)
            return false;
    return true;
}

static bool usage_exists(V v)
{
    return v->now.opcode != SOP_DCL || (v->now.usage & 15) <= 13;
}

static bool sampler_has_kind(V v)
{
    unsigned kind = v->now.usage >> 27 & 15;

    return v->now.opcode != SOP_DCL || v->now.destination.type != SREG_SAMPLER || (kind >= 2 && kind <= 4);
}

static bool input_usage(V v)
{
    unsigned usage = v->now.usage & 15, index = v->now.usage >> 16 & 15;

    if (v->now.opcode != SOP_DCL || v->now.destination.type != SREG_INPUT)
        return true;
    return !(usage == USAGE_POSITION && index == 0) && usage != USAGE_TESSFACTOR && usage != USAGE_POSITIONT;
}

/* --- flow ------------------------------------------------------------------------------------------------------- */

static unsigned source_type(V v, unsigned k)
{
    return k < v->now.source_count ? v->now.source[k].type : (unsigned)SREG_COUNT;
}

static bool operands_are_values(V v)
{
    const unsigned others =
        BIT(SREG_LABEL) | BIT(SREG_BOOLEAN) | BIT(SREG_INTEGER) | BIT(SREG_LOOP) | BIT(SREG_PREDICATE);

    for (unsigned k = 0; k < v->now.source_count; k++)
        if (others >> v->now.source[k].type & 1)
            return false;
    return true;
}

static bool operands_of_flow(V v)
{
    unsigned first = source_type(v, 0), second = source_type(v, 1);

    switch (v->now.opcode) {
    case SOP_CALL:
    case SOP_LABEL:
        return first == SREG_LABEL;
    case SOP_CALLNZ:
        return first == SREG_LABEL && (second == SREG_BOOLEAN || second == SREG_PREDICATE);
    case SOP_IF:
        return first == SREG_BOOLEAN || first == SREG_PREDICATE;
    case SOP_BREAKP:
        return first == SREG_PREDICATE;
    case SOP_LOOP:
        return first == SREG_LOOP && second == SREG_INTEGER;
    case SOP_REP:
        return first == SREG_INTEGER;
    default:
        return operands_are_values(v);
    }
}

static bool comparison_exists(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_COMPARES) || shader_comparison_name(v->now.control);
}

static bool block_was_opened(V v)
{
    unsigned open = v->depth ? v->block[v->depth - 1].opcode : SOP_NOP;

    switch (v->now.opcode) {
    case SOP_ELSE:
        return open == SOP_IF;
    case SOP_ENDIF:
        return open == SOP_IF || open == SOP_ELSE;
    case SOP_ENDLOOP:
        return open == SOP_LOOP;
    case SOP_ENDREP:
        return open == SOP_REP;
    default:
        return true;
    }
}

static bool break_leaves_a_loop(V v)
{
    unsigned opcode = v->now.opcode;

    return (opcode != SOP_BREAK && opcode != SOP_BREAKC && opcode != SOP_BREAKP) || v->loops;
}

static bool static_flow_fits(V v)
{
    return v->static_flow <= 16;
}

static bool opens_loop(V v)
{
    return v->now.opcode == SOP_LOOP || v->now.opcode == SOP_REP;
}

static bool opens_static_if(V v)
{
    return v->now.opcode == SOP_IF && !validator_is_dynamic(&v->now);
}

static bool is_call(V v)
{
    return v->now.opcode == SOP_CALL || v->now.opcode == SOP_CALLNZ;
}

static unsigned depth_2x(V v)
{
    return BASE_MAX(v->caps->static_depth, v->reader.stage == SHADER_VERTEX ? 1u : 0u);
}

static bool one_loop(V v)
{
    return !opens_loop(v) || v->loops < 1;
}

static bool loops_of_caps(V v)
{
    return !opens_loop(v) || v->loops < depth_2x(v);
}

static bool four_loops(V v)
{
    return !opens_loop(v) || v->loops < 4;
}

static bool calls_once(V v)
{
    return !is_call(v) || v->level < 1;
}

static bool calls_of_caps(V v)
{
    return !is_call(v) || v->level < depth_2x(v);
}

static bool calls_four_deep(V v)
{
    return !is_call(v) || v->level < 4;
}

static bool ifs_of_caps(V v)
{
    return !opens_static_if(v) || (depth_2x(v) && v->ifs < 24);
}

static bool ifs_24_deep(V v)
{
    return !opens_static_if(v) || v->ifs < 24;
}

static bool dynamic_of_caps(V v)
{
    bool dynamic = validator_is_dynamic(&v->now) || v->now.opcode == SOP_BREAK;

    return !dynamic || v->dynamic_blocks < v->caps->dynamic_depth;
}

static bool dynamic_24_deep(V v)
{
    return !validator_is_dynamic(&v->now) || v->dynamic_blocks < 24;
}

static unsigned label_of(V v)
{
    return v->now.source[0].number & (VALIDATOR_LABELS - 1);
}

static bool calls_forward(V v)
{
    return !is_call(v) || !v->label_placed[label_of(v)];
}

static bool label_is_new(V v)
{
    return v->now.opcode != SOP_LABEL || !v->label_placed[label_of(v)];
}

static bool label_behind_ret(V v)
{
    return v->now.opcode != SOP_LABEL || (v->before.opcode == SOP_RET && !v->depth);
}

static bool nothing_behind_ret(V v)
{
    return v->before.opcode != SOP_RET || v->depth || v->now.opcode == SOP_LABEL;
}

/* --- predicates -------------------------------------------------------------------------------------------------- */

static bool uses_predicate(V v)
{
    bool uses = v->now.predicated || v->now.opcode == SOP_SETP;

    for (unsigned k = 0; k < v->now.source_count; k++)
        uses |= v->now.source[k].type == SREG_PREDICATE;
    return uses;
}

static bool predication_supported(V v)
{
    return v->caps->predication || !uses_predicate(v);
}

static bool predicate_known(V v)
{
    return v->now.opcode == SOP_SETP || !uses_predicate(v) || v->predicate_set || v->calls_seen || v->labels_seen;
}

static bool predicate_on_results(V v)
{
    return !v->now.predicated || !(v->now.info->flags & (SOPF_FLOW | SOPF_DEFINITION));
}

static bool predicate_swizzle(V v)
{
    unsigned swizzle = v->now.predicate.swizzle;

    return !v->now.predicated || swizzle == SHADER_IDENTITY || is_replicated(swizzle);
}

static bool predicate_by_setp(V v)
{
    return (validator_writes(&v->now) && v->now.destination.type == SREG_PREDICATE) == (v->now.opcode == SOP_SETP);
}

/* --- outputs -------------------------------------------------------------------------------------------------------- */

static bool is_color(V v)
{
    return validator_writes(&v->now) && v->now.destination.type == SREG_COLOR_OUT;
}

static bool is_depth(V v)
{
    return validator_writes(&v->now) && v->now.destination.type == SREG_DEPTH_OUT;
}

static bool colors_by_mov(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return !is_color(v) || (v->now.opcode == SOP_MOV && v->now.destination.mask == 15 &&
                            s->swizzle == SHADER_IDENTITY && s->modifier == SMOD_NONE);
}

static bool depth_by_mov(V v)
{
    return !is_depth(v) || v->now.opcode == SOP_MOV;
}

static bool outputs_once(V v)
{
    if (is_color(v))
        return !(v->colors_written >> v->now.destination.number & 1);
    return !is_depth(v) || !v->depth_writes;
}

static bool outputs_unconditional(V v)
{
    return (!is_color(v) && !is_depth(v)) || (!v->dynamic_blocks && !v->dynamic && !v->now.predicated);
}

/* --- of the whole ------------------------------------------------------------------------------------------------------ */

static bool position_written(V v)
{
    return v->position_written == 15;
}

static bool position_declared(V v)
{
    return v->position_declared;
}

static bool color_written(V v)
{
    return v->first_color != 0;
}

static bool colors_without_gap(V v)
{
    return !(v->colors_written & (v->colors_written + 1u));
}

static unsigned all_slots(V v)
{
    return v->arithmetic + v->texture;
}

static bool slots_128(V v)
{
    return all_slots(v) <= 128;
}

static bool slots_256(V v)
{
    return all_slots(v) <= 256;
}

static bool slots_ps_1_0(V v)
{
    return v->arithmetic <= 8 && v->texture <= 4 && all_slots(v) <= 8;
}

static bool slots_ps_1(V v)
{
    return v->arithmetic <= 8 && v->texture <= 4;
}

static bool slots_ps_1_4(V v)
{
    for (unsigned p = 0; p < 2; p++)
        if (v->phase_arithmetic[p] > 8 || v->phase_texture[p] > 6)
            return false;
    return true;
}

static bool slots_ps_2_0(V v)
{
    return v->arithmetic <= 64 && v->texture <= 32;
}

static bool slots_ps_2_x(V v)
{
    return all_slots(v) <= BASE_MAX(v->caps->slots, 96u) && (v->caps->any_texture_count || v->texture <= 32);
}

static bool slots_3_0(V v)
{
    return all_slots(v) <= BASE_MAX(v->limits->slots_30, 512u);
}

static bool blocks_closed(V v)
{
    return !v->depth;
}

static bool labels_exist(V v)
{
    for (unsigned l = 0; l < VALIDATOR_LABELS; l++)
        if (v->label_called[l] && !v->label_placed[l])
            return false;
    return true;
}

static bool ends_with_ret(V v)
{
    return !v->labels_seen || v->before.opcode == SOP_RET;
}

/* --- the table --------------------------------------------------------------------------------------------------------- */

#define NONE    0, 0
#define ALL     0x100, 0x3ff
#define V_1     0x100, 0x101
#define V_2     0x200, 0x2fe /* without software versions */
#define V_2_0   0x200, 0x200
#define V_2_X   0x201, 0x201
#define M_1_2   0x100, 0x2fe /* models 1 and 2 */
#define M_2     0x200, 0x2ff
#define M_2_UP  0x200, 0x3ff
#define M_2X_UP 0x201, 0x3ff
#define M_3     0x300, 0x3ff
#define V_3_0   0x300, 0x300
#define P_1     0x100, 0x104
#define P_1_3   0x100, 0x103
#define P_1_1   0x100, 0x101
#define P_1_2   0x102, 0x103
#define P_1_4   0x104, 0x104

#define START VALIDATE_START
#define EACH  VALIDATE_INSTRUCTION
#define LAST  VALIDATE_END

/* vertex versions, pixel versions, when, the rule, what is said when it is broken */
const struct validator_rule validator_rules[] = {
    {ALL, ALL, START, stage_is_wanted, "code of the other stage"},
    {ALL, ALL, START, version_is_known, "a version that the device lacks"},

    {ALL, ALL, EACH, registers_exist, "a register that the model lacks"},
    {ALL, NONE, EACH, constants_are_there, "a constant that the device lacks"},
    {V_2_X, V_2_X, EACH, temps_are_there, "a temporary that the device lacks"},
    {ALL, ALL, EACH, indices_are_allowed, "an index where the model has none"},
    {ALL, NONE, EACH, address_is_known, "a0 is used before it is written"},
    {M_2_UP, M_3, EACH, counter_is_in_a_loop, "aL outside of loops"},
    {M_1_2, V_2, EACH, one_constant, "more than one constant register in an instruction"},
    {NONE, P_1, EACH, two_constants, "more than two constant registers in an instruction"},
    {NONE, V_2, EACH, constant_read_twice, "a constant read three times in an instruction"},
    {M_1_2, V_2, EACH, one_input, "more than one input register in an instruction"},
    {NONE, V_2, EACH, one_texture, "more than one texture register in an instruction"},
    {NONE, P_1_1, EACH, two_textures, "more than two texture registers in an instruction"},
    {ALL, ALL, EACH, temps_are_written, "a temporary is read before it is written"},
    {V_1, NONE, EACH, inputs_are_fed, "an input that the declaration does not feed"},

    {ALL, ALL, EACH, writes_something, "an empty write mask"},
    {V_1, NONE, EACH, matrix_mask_early, "a matrix product with another mask than its rows, or all"},
    {M_2_UP, M_2_UP, EACH, matrix_mask, "a matrix product with another mask than its rows"},
    {ALL, M_2_UP, EACH, matrix_rows_plain, "a swizzle or modifier on the rows of a matrix"},
    {V_1, NONE, EACH, fraction_mask, "frc writes y or xy in vs_1_1"},
    {M_2_UP, M_2_UP, EACH, cross_mask, "crs writes w"},
    {M_2_UP, M_2_UP, EACH, normal_mask, "nrm writes xyz or xyzw"},
    {M_2_UP, M_2_UP, EACH, sincos_mask, "sincos writes z or w"},
    {M_2_UP, M_2_UP, EACH, not_in_place, "crs, nrm and sincos do not write what they read"},
    {NONE, P_1_3, EACH, early_mask, "write masks are rgba, rgb or a below ps_1_4"},
    {NONE, P_1_4, EACH, coordinate_mask, "texcrd writes rgb or rg"},
    {NONE, P_1_4, EACH, texel_mask, "texld writes rgba"},
    {0x100, 0x2ff, NONE, EACH, not_saturated, "_sat is not for vertex shaders below 3.0"},
    {ALL, M_2_UP, EACH, not_shifted, "result shifts are for ps_1_x"},
    {NONE, P_1_3, EACH, shifted_little, "result shifts are _x2, _x4 and _d2 below ps_1_4"},
    {NONE, P_1_4, EACH, shifted_more, "result shift beyond _x8 or _d8"},
    {NONE, 0x100, 0x2ff, EACH, textures_plain, "a modifier on the result of a texture instruction"},
    {0x100, 0x2ff, 0x100, 0x2ff, EACH, no_absolute, "_abs is for model 3"},
    {ALL, M_2_UP, EACH, no_scaling, "_bias, _bx2, _x2 and 1- are for ps_1_x"},
    {NONE, P_1_3, EACH, no_doubling, "_x2 on a source is for ps_1_4"},
    {ALL, ALL, EACH, division_of_coordinates, "_dz and _dw are for texld and texcrd of ps_1_4"},
    {NONE, P_1_4, EACH, division_by_kind, "_dw is for t#, _dz for r#"},
    {NONE, P_1_4, EACH, two_divisions, "more than two _dz"},
    {M_2_UP, M_2_UP, EACH, not_of_conditions, "! is for conditions"},
    {M_3, M_3, EACH, absolute_constants_alike, "_abs on some constants of an instruction and not on others"},
    {NONE, P_1_3, EACH, early_swizzles, "swizzles are .a, and .b into alpha, below ps_1_4"},
    {NONE, P_1_4, EACH, phased_swizzles, "swizzles of ps_1_4 are one component, or .xyz and .xyw of coordinates"},
    {NONE, 0x200, 0x201, EACH, plain_swizzles, "a swizzle that ps_2_0 lacks"},
    {M_2_UP, M_2_UP, EACH, scalars_replicated, "a scalar operand without a single component"},

    {V_1, NONE, EACH, address_by_mov, "a0.x is written by mov alone"},
    {M_2_UP, NONE, EACH, address_by_mova, "a0 is written by mova, and mova writes a0"},
    {NONE, P_1_3, EACH, condition_is_r0, "cnd looks at r0.a below ps_1_4"},
    {NONE, P_1_2, EACH, compare_elsewhere, "cmp writes what it reads"},
    {NONE, P_1_2, EACH, three_compares, "more than three cmp"},
    {NONE, P_1_2, EACH, four_dot_products, "more than four dp4"},
    {M_2, NONE, EACH, scratch_is_temps, "sgn wants two temporaries of its own"},
    {M_2, M_2, EACH, series_is_constants, "sincos wants two constants"},
    {NONE, P_1, EACH, paired, "a pair that is not one of colour and one of alpha"},
    {NONE, P_1, EACH, dp4_alone, "dp4 in a pair"},

    {NONE, P_1_3, EACH, textures_first, "a texture instruction behind arithmetic"},
    {NONE, P_1_4, EACH, textures_first, "a texture instruction behind arithmetic of its phase"},
    {NONE, P_1_3, EACH, stage_is_earlier, "a texture instruction that reads a later stage"},
    {NONE, P_1_3, EACH, stage_is_sampled, "a texture instruction that reads a stage without result"},
    {NONE, P_1_3, EACH, stage_is_new, "a stage with two texture instructions"},
    {NONE, P_1_3, EACH, pads_in_a_row, "texm3x2pad and texm3x3pad stand right before what they belong to"},
    {NONE, P_1_4, EACH, one_phase, "a second phase"},
    {NONE, P_1_4, EACH, inputs_late, "v# in the first phase"},
    {NONE, P_1_4, EACH, computed_coordinates_late, "texld or texkill of r#, or texdepth, in the first phase"},
    {NONE, P_1_4, EACH, one_bump, "bem twice, or in the second phase"},
    {NONE, P_1_4, EACH, depth_from_r5, "texdepth takes r5"},
    {NONE, P_1_4, EACH, r5_is_dead, "r5 behind texdepth"},

    {M_3, M_2_UP, EACH, samplers_in_place, "s# is the second operand of texture instructions, and nothing else"},
    {NONE, V_2_0, EACH, coordinates_plain, "a swizzle or modifier on texture coordinates"},
    {NONE, M_2, EACH, coordinates_are_values, "texture coordinates are t# or r#"},
    {NONE, M_2, EACH, texels_to_temps, "texture instructions write r#"},
    {NONE, 0x200, 0x201, EACH, four_orders, "dependent reads of more than fourth order"},
    {NONE, V_2_X, EACH, gradients_supported, "gradients that the device lacks"},
    {NONE, M_2X_UP, EACH, gradients_in_the_open, "differences of computed values inside dynamic flow"},

    {M_2_UP, ALL, EACH, declarations_first, "a declaration or definition behind code"},
    {ALL, M_2_UP, EACH, usage_exists, "a usage that does not exist"},
    {M_3, M_2_UP, EACH, sampler_has_kind, "a sampler that is neither 2d, cube nor volume"},
    {NONE, M_3, EACH, input_usage, "an input usage that pixel shaders do not have"},
    {ALL, M_2_UP, EACH, components_are_new, "components declared twice"},
    {ALL, M_3, EACH, meaning_is_new, "a usage declared twice"},
    {ALL, M_2_UP, EACH, inputs_are_declared, "a register without dcl"},
    {M_3, NONE, EACH, outputs_are_declared, "an output without dcl"},

    {M_2_UP, M_2X_UP, EACH, operands_of_flow, "an operand of the wrong kind"},
    {M_2X_UP, M_2X_UP, EACH, comparison_exists, "a comparison that does not exist"},
    {M_2_UP, M_2X_UP, EACH, block_was_opened, "the end of a block that was not opened"},
    {M_2X_UP, M_2X_UP, EACH, break_leaves_a_loop, "break outside of loops"},
    {V_2_0, NONE, EACH, one_loop, "loops nested in vs_2_0"},
    {V_2_X, V_2_X, EACH, loops_of_caps, "loops nested deeper than the device can"},
    {M_3, M_3, EACH, four_loops, "loops nested more than four deep"},
    {V_2_0, NONE, EACH, calls_once, "calls nested in vs_2_0"},
    {V_2_X, V_2_X, EACH, calls_of_caps, "calls nested deeper than the device can"},
    {M_3, M_3, EACH, calls_four_deep, "calls nested more than four deep"},
    {NONE, V_2_X, EACH, ifs_of_caps, "if on constants deeper than the device can"},
    {M_2_UP, M_3, EACH, ifs_24_deep, "if on constants more than 24 deep"},
    {V_2_X, V_2_X, EACH, dynamic_of_caps, "dynamic flow deeper than the device can"},
    {M_3, M_3, EACH, dynamic_24_deep, "dynamic flow more than 24 deep"},
    {M_2_UP, M_2X_UP, EACH, calls_forward, "a call backwards"},
    {M_2_UP, M_2X_UP, EACH, label_is_new, "a label a second time"},
    {M_2_UP, M_2X_UP, EACH, label_behind_ret, "a label that does not stand behind ret"},
    {M_2_UP, M_2X_UP, EACH, nothing_behind_ret, "code between ret and a label"},

    {V_2_X, V_2_X, EACH, predication_supported, "predicates that the device lacks"},
    {M_2X_UP, M_2X_UP, EACH, predicate_by_setp, "p0 is written by setp, and setp writes p0"},
    {M_2X_UP, M_2X_UP, EACH, predicate_known, "p0 is read before it is set"},
    {M_2_UP, M_2_UP, EACH, predicate_on_results, "a predicate on an instruction without result"},
    {M_2X_UP, M_2X_UP, EACH, predicate_swizzle, "a predicate's swizzle is all components or one"},

    {NONE, M_2, EACH, colors_by_mov, "oC# is written by mov of all components below 3.0"},
    {NONE, M_2, EACH, depth_by_mov, "oDepth is written by mov below 3.0"},
    {NONE, M_2, EACH, outputs_once, "oC# or oDepth written twice"},
    {NONE, M_2X_UP, EACH, outputs_unconditional, "oC# or oDepth under a dynamic condition"},

    {0x100, 0x2ff, NONE, LAST, position_written, "the position is not written, or not all of it"},
    {M_3, NONE, LAST, position_declared, "no output is the whole position"},
    {NONE, P_1_3, LAST, no_pads_left, "texm3x2pad or texm3x3pad without its end"},
    {NONE, 0x100, 0x2ff, LAST, color_written, "the first colour is not written"},
    {NONE, M_2, LAST, colors_without_gap, "oC# written without those before it"},
    {V_1, NONE, LAST, slots_128, "more than 128 instruction slots"},
    {V_2, NONE, LAST, slots_256, "more than 256 instruction slots"},
    {NONE, 0x100, 0x100, LAST, slots_ps_1_0, "more than 4 texture or 8 instructions in all"},
    {NONE, 0x101, 0x103, LAST, slots_ps_1, "more than 4 texture or 8 arithmetic instructions"},
    {NONE, P_1_4, LAST, slots_ps_1_4, "more than 6 texture or 8 arithmetic instructions in a phase"},
    {NONE, V_2_0, LAST, slots_ps_2_0, "more than 32 texture or 64 arithmetic instructions"},
    {NONE, V_2_X, LAST, slots_ps_2_x, "more instructions than the device can"},
    {V_3_0, V_3_0, LAST, slots_3_0, "more instruction slots than the device has"},
    {V_2_0, NONE, LAST, static_flow_fits, "more than 16 flow instructions in vs_2_0"},
    {M_2_UP, M_2X_UP, LAST, blocks_closed, "a block is not closed"},
    {M_2_UP, M_2X_UP, LAST, labels_exist, "a call of a label that does not exist"},
    {M_2_UP, M_2X_UP, LAST, ends_with_ret, "a subroutine without ret"},
};
const unsigned validator_rule_count = ARRAY_COUNT(validator_rules);
