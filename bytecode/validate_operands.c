/* SPDX-License-Identifier: MIT */
/* Rules about write masks, swizzles and modifiers of operands. validate_rules.c says which apply to which model. */
#include "bytecode/rules.h"

/* --- masks, swizzles, modifiers ---------------------------------------------------------------------- */

bool rule_writes_something(V v)
{
    return !validator_writes(&v->now) || v->now.destination.mask;
}

/* The write mask of a matrix product has as many components as the product has rows. */
static uint8_t rows_mask(V v)
{
    static const uint8_t masks[] = {15, 7, 15, 7, 3};

    return masks[v->now.opcode - SOP_M4X4];
}

static bool is_matrix_product(V v)
{
    return validator_is_code(&v->now) && v->now.info->flags & SOPF_MATRIX;
}

bool rule_matrix_mask(V v)
{
    return !is_matrix_product(v) || v->now.destination.mask == rows_mask(v);
}

/* Assemblers leave the full mask of an m3x3 without one, and programs of the time relied on it (Irrlicht 1.8). */
bool rule_matrix_mask_early(V v)
{
    return !is_matrix_product(v) || v->now.destination.mask == rows_mask(v) || v->now.destination.mask == 15;
}

bool rule_matrix_rows_plain(V v)
{
    const struct shader_parameter *rows = &v->now.source[1];

    return !v->now.info || !(v->now.info->flags & SOPF_MATRIX) ||
           (rows->swizzle == SHADER_IDENTITY && rows->modifier == SMOD_NONE);
}

bool rule_fraction_mask(V v)
{
    return v->now.opcode != SOP_FRC || v->now.destination.mask == 2 || v->now.destination.mask == 3;
}

bool rule_cross_mask(V v)
{
    return v->now.opcode != SOP_CRS || !(v->now.destination.mask & 8);
}

bool rule_normal_mask(V v)
{
    return v->now.opcode != SOP_NRM || (v->now.destination.mask & 7) == 7;
}

bool rule_sincos_mask(V v)
{
    return v->now.opcode != SOP_SINCOS || !(v->now.destination.mask & 12);
}

bool rule_not_in_place(V v)
{
    const struct shader_instruction *i = &v->now;
    unsigned opcode = i->opcode;
    unsigned looked_at = opcode == SOP_CRS ? 2 : opcode == SOP_NRM || opcode == SOP_SINCOS ? 1 : 0;

    for (unsigned k = 0; k < looked_at; k++)
        if (i->source[k].type == i->destination.type && i->source[k].number == i->destination.number)
            return false;
    return true;
}

bool rule_early_mask(V v)
{
    unsigned mask = v->now.destination.mask;

    return !validator_writes(&v->now) || mask == 15 || mask == 7 || mask == 8;
}

bool rule_coordinate_mask(V v)
{
    return v->now.opcode != SOP_TEXCOORD || v->now.destination.mask == 7 || v->now.destination.mask == 3;
}

bool rule_texel_mask(V v)
{
    return v->now.opcode != SOP_TEX || v->now.destination.mask == 15;
}

bool rule_not_saturated(V v)
{
    return !v->now.has_destination || !(v->now.destination.modifier & SDST_SATURATE);
}

bool rule_not_shifted(V v)
{
    return !v->now.has_destination || !v->now.destination.shift;
}

bool rule_shifted_little(V v)
{
    return !v->now.has_destination || (v->now.destination.shift >= -1 && v->now.destination.shift <= 2);
}

bool rule_shifted_more(V v)
{
    return !v->now.has_destination || (v->now.destination.shift >= -3 && v->now.destination.shift <= 3);
}

bool rule_textures_plain(V v)
{
    return !v->now.info || !(v->now.info->flags & SOPF_TEXTURE) || (rule_not_saturated(v) && rule_not_shifted(v));
}

/* Does a source have one of these modifiers (bits by number)? */
static bool has_modifier(V v, unsigned modifiers)
{
    for (unsigned k = 0; k < v->now.source_count; k++)
        if (modifiers >> v->now.source[k].modifier & 1)
            return true;
    return false;
}

#define DOUBLED  (BIT(SMOD_X2) | BIT(SMOD_NEGATE_X2))
#define BIASED   (BIT(SMOD_BIAS) | BIT(SMOD_NEGATE_BIAS) | BIT(SMOD_BX2) | BIT(SMOD_NEGATE_BX2) | BIT(SMOD_COMPLEMENT))
#define ABSOLUTE (BIT(SMOD_ABS) | BIT(SMOD_NEGATE_ABS))

bool rule_no_absolute(V v)
{
    return !has_modifier(v, ABSOLUTE);
}

bool rule_no_scaling(V v)
{
    return !has_modifier(v, BIASED | DOUBLED);
}

bool rule_no_doubling(V v)
{
    return !has_modifier(v, DOUBLED);
}

bool rule_division_of_coordinates(V v)
{
    bool coordinates = v->reader.stage == SHADER_PIXEL && shader_version(&v->reader) == 0x104 &&
                       (v->now.opcode == SOP_TEX || v->now.opcode == SOP_TEXCOORD);

    return coordinates || !has_modifier(v, BIT(SMOD_DZ) | BIT(SMOD_DW));
}

/* t# is divided by w, r# by z. */
bool rule_division_by_kind(V v)
{
    const struct shader_parameter *s = &v->now.source[0];

    return !v->now.source_count ||
           (s->modifier == SMOD_DW ? s->type != SREG_TEMP : s->modifier != SMOD_DZ || s->type == SREG_TEMP);
}

bool rule_two_divisions(V v)
{
    return v->divisions + has_modifier(v, BIT(SMOD_DZ)) <= 2;
}

bool rule_not_of_conditions(V v)
{
    for (unsigned k = 0; k < v->now.source_count; k++)
        if (v->now.source[k].modifier == SMOD_NOT && v->now.source[k].type != SREG_BOOLEAN &&
            v->now.source[k].type != SREG_PREDICATE)
            return false;
    return true;
}

bool rule_absolute_constants_alike(V v)
{
    unsigned with = 0, all = 0;

    for (unsigned k = 0; k < v->now.source_count; k++) {
        all += v->now.source[k].type == SREG_CONST;
        with += v->now.source[k].type == SREG_CONST && ABSOLUTE >> v->now.source[k].modifier & 1;
    }
    return !with || with == all;
}

bool validator_is_replicated(unsigned swizzle)
{
    return swizzle % 85 == 0;
}

/* ps_1_0..1_3: as it is, .a, or .b into alpha. */
bool rule_early_swizzles(V v)
{
    for (unsigned k = 0; k < v->now.source_count; k++) {
        unsigned swizzle = v->now.source[k].swizzle;

        if (swizzle != SHADER_IDENTITY && swizzle != 0xff && !(swizzle == 0xaa && v->now.destination.mask == 8))
            return false;
    }
    return true;
}

/* Sources of ps_1_4 have the identity as swizzle or repeat one component; those of texture instructions are .xyz or .xyw. */
bool rule_phased_swizzles(V v)
{
    bool texture = v->now.info && v->now.info->flags & SOPF_TEXTURE;

    for (unsigned k = 0; k < v->now.source_count; k++) {
        unsigned swizzle = v->now.source[k].swizzle;
        bool xyz = swizzle == SHADER_IDENTITY || swizzle == 0xa4, xyw = swizzle == 0xf4 || swizzle == 0xb4;

        if (texture ? !xyz && !xyw : swizzle != SHADER_IDENTITY && !validator_is_replicated(swizzle))
            return false;
    }
    return true;
}

/* Swizzles of model 2 are the identity, yzxw, zxyw, wzyx, or one component. */
bool rule_plain_swizzles(V v)
{
    bool any = v->caps->arbitrary_swizzle && v->reader.minor;

    for (unsigned k = 0; k < v->now.source_count && !any; k++) {
        unsigned swizzle = v->now.source[k].swizzle;

        if (swizzle != SHADER_IDENTITY && swizzle != 0xc9 && swizzle != 0xd2 && swizzle != 0x1b &&
            !validator_is_replicated(swizzle))
            return false;
    }
    return true;
}

bool rule_scalars_replicated(V v)
{
    if (!v->now.info || !(v->now.info->flags & SOPF_SCALAR))
        return true;
    for (unsigned k = 0; k < v->now.source_count; k++)
        if (!validator_is_replicated(v->now.source[k].swizzle))
            return false;
    return true;
}
