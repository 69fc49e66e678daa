/* SPDX-License-Identifier: MIT */
/*
 * Positions, normals, colours and fog as IR; texture coordinates are in lower_texcoord.c. Every result is computed in
 * only one way, so that two passes over the same geometry get the same depth regardless of other states.
 */
#include "hal/vertex/tnl/lower.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/state/values.h"
#include "hal/vertex/stream.h"
#include "hal/vertex/tnl/emit.h"
#include "shader/ir/build.h"
#include "shader/ir/ir.h"
#include "shader/shader.h"

#include <stdlib.h>

/* --- emitting ------------------------------------------------------------------------- */

struct ir_source tnl_const(unsigned index)
{
    return ir_register(IR_CONSTANT, index);
}

struct ir_source tnl_scalar(unsigned index, unsigned component)
{
    return ir_component(tnl_const(index), component);
}

struct ir_source tnl_zero(void)
{
    return tnl_scalar(TNL_C_LITERAL, 0);
}

struct ir_source tnl_one(void)
{
    return tnl_scalar(TNL_C_LITERAL, 1);
}

struct ir_source tnl_temp(unsigned index)
{
    return ir_register(IR_TEMP, index);
}

struct ir_destination tnl_to(unsigned index, unsigned mask)
{
    return ir_target(IR_TEMP, index, mask);
}

void tnl_emit(struct tnl_lowering *t, unsigned op, struct ir_destination d, struct ir_source a, struct ir_source b,
              struct ir_source c)
{
    if (t->count == TNL_MAX_INSTRUCTIONS)
        return; /* the table has room for the longest possible program */
    t->code[t->count++] = (struct ir_instruction){.op = (uint8_t)op, .destination = d, .source = {a, b, c}};
}

/* d.x.. = vector * columns of a matrix */
void tnl_rows(struct tnl_lowering *t, unsigned op, struct ir_destination d, struct ir_source vector, unsigned columns,
              unsigned count)
{
    for (unsigned c = 0; c < count; c++) {
        d.mask = (uint8_t)(1u << c);
        EMIT2(t, op, d, vector, tnl_const(columns + c));
    }
}

/* d.mask = length of v.xyz */
void tnl_length(struct tnl_lowering *t, unsigned temp, unsigned mask, struct ir_source v)
{
    EMIT2(t, IR_DP3, tnl_to(temp, mask), v, v);
    EMIT1(t, IR_SQRT, tnl_to(temp, mask), ir_component(tnl_temp(temp), (unsigned)__builtin_ctz(mask)));
}

/* temp.xyz = v / temp.w where temp.w > 0, else `otherwise` */
void tnl_divide(struct tnl_lowering *t, unsigned temp, struct ir_source v, struct ir_source otherwise)
{
    const struct ir_source length = ir_component(tnl_temp(temp), 3);

    EMIT2(t, IR_SLT, tnl_to(R_SCRATCH, 8), tnl_zero(), length);
    EMIT2(t, IR_DIV, tnl_to(R_SCRATCH, 7), v, length);
    EMIT3(t, IR_CND, tnl_to(temp, 7), ir_component(tnl_temp(R_SCRATCH), 3), tnl_temp(R_SCRATCH), otherwise);
}

/* --- positions and normals ------------------------------------------------------------- */

static struct ir_source tween(struct tnl_lowering *t, unsigned temp, struct ir_source a, struct ir_source b)
{
    EMIT2(t, IR_MUL, tnl_to(temp, 7), a, tnl_scalar(TNL_C_TWEEN, 0));
    EMIT3(t, IR_MAD, tnl_to(temp, 7), b, tnl_scalar(TNL_C_TWEEN, 1), tnl_temp(temp));
    return tnl_temp(temp);
}

/* A column of the k-th matrix: a fixed one, or the one a0.x names. */
static struct ir_source blend_column(const struct tnl_key *key, unsigned k, unsigned column)
{
    struct ir_source s = tnl_const(TNL_C_BLEND + (key->indexed ? 0 : 4 * k) + column);

    s.relative = key->indexed ? IR_A0_X : IR_ABSOLUTE;
    return s;
}

static void blend_rows(struct tnl_lowering *t, unsigned k, unsigned op, unsigned temp, struct ir_source vector,
                       struct ir_source share, unsigned count)
{
    const unsigned mask = (1u << count) - 1;

    for (unsigned c = 0; c < count; c++)
        EMIT2(t, op, tnl_to(R_SCRATCH, 1u << c), vector, blend_column(t->key, k, c));
    if (k == 0)
        EMIT2(t, IR_MUL, tnl_to(temp, mask), tnl_temp(R_SCRATCH), share);
    else
        EMIT3(t, IR_MAD, tnl_to(temp, mask), tnl_temp(R_SCRATCH), share, tnl_temp(temp));
}

/* The weighted sum over the matrices; the last weight is 1 minus the others. */
static void blend(struct tnl_lowering *t, struct ir_source position, struct ir_source normal)
{
    const struct tnl_key *key = t->key;
    const struct ir_source weights = ir_register(IR_INPUT, 1), rest = ir_component(tnl_temp(R_REST), 0);

    EMIT1(t, IR_MOV, tnl_to(R_REST, 1), tnl_one());
    for (unsigned k = 0; k < key->matrices; k++) {
        const bool last = k + 1 == key->matrices;
        const struct ir_source share = last ? rest : ir_component(weights, k);

        if (key->indexed) {
            EMIT2(t, IR_MUL, tnl_to(R_REST, 2), ir_component(ir_register(IR_INPUT, TNL_V_INDEX), k),
                  tnl_scalar(TNL_C_LITERAL2, 0));
            EMIT1(t, IR_ARL, ir_target(IR_ADDRESS, 0, 1), ir_component(tnl_temp(R_REST), 1));
        }
        blend_rows(t, k, IR_DP4, R_EYE, position, share, 4);
        if (t->needs_normal)
            blend_rows(t, k, IR_DP3, R_NORMAL, normal, share, 3);
        if (!last)
            EMIT2(t, IR_SUB, tnl_to(R_REST, 1), rest, share);
    }
}

static void lower_positions(struct tnl_lowering *t)
{
    const struct tnl_key *key = t->key;
    struct ir_source position = ir_register(IR_INPUT, 0), normal = ir_register(IR_INPUT, 3);

    if (key->transformed)
        return;
    if (key->tween) {
        EMIT1(t, IR_MOV, tnl_to(R_POSITION, 8), key->has_w ? tnl_one() : position);
        position = tween(t, R_POSITION, position, ir_register(IR_INPUT, TNL_V_POSITION2));
        if (t->needs_normal && key->has_normal2)
            normal = tween(t, R_TWEENED, normal, ir_register(IR_INPUT, TNL_V_NORMAL2));
    }
    if (key->has_w && !key->tween) {
        EMIT1(t, IR_MOV, tnl_to(R_POSITION, 7), position);
        EMIT1(t, IR_MOV, tnl_to(R_POSITION, 8), tnl_one());
        position = tnl_temp(R_POSITION);
    }
    if (key->matrices) {
        blend(t, position, normal);
        tnl_rows(t, IR_DP4, ir_target(IR_OUTPUT, TNL_O_POSITION, 0), tnl_temp(R_EYE), TNL_C_PROJECTION, 4);
    } else {
        tnl_rows(t, IR_DP4, ir_target(IR_OUTPUT, TNL_O_POSITION, 0), position, TNL_C_CLIP, 4);
        if (t->needs_eye)
            tnl_rows(t, IR_DP4, tnl_to(R_EYE, 0), position, TNL_C_EYE, 4);
        if (t->needs_normal)
            tnl_rows(t, IR_DP3, tnl_to(R_NORMAL, 0), normal, TNL_C_NORMAL, 3);
    }
    if (t->needs_normal && key->normalize) {
        tnl_length(t, R_NORMAL, 8, tnl_temp(R_NORMAL));
        tnl_divide(t, R_NORMAL, tnl_temp(R_NORMAL), tnl_temp(R_NORMAL));
    }
    for (unsigned k = 0; k < key->planes; k++)
        EMIT2(t, IR_DP4, ir_target(IR_OUTPUT, TNL_O_PLANES + k / 4, 1u << k % 4), tnl_temp(R_EYE),
              tnl_const(TNL_C_PLANE + k));
}

/* --- lights ------------------------------------------------------------------------------ */

/* R_STRENGTH.x times the strength by the angle from the axis. */
static void apply_spot(struct tnl_lowering *t, unsigned light, unsigned n)
{
    const struct ir_source rho = ir_component(tnl_temp(R_SPOT), 0), soft = ir_component(tnl_temp(R_SPOT), 1),
                           holds = ir_component(tnl_temp(R_SPOT), 2);

    EMIT2(t, IR_DP3, tnl_to(R_SPOT, 1), tnl_temp(R_LIGHT), tnl_const(light + TNL_L_AXIS));
    EMIT2(t, IR_SUB, tnl_to(R_SPOT, 2), rho, tnl_scalar(light + TNL_L_CONE, 1));
    EMIT2(t, IR_DIV, tnl_to(R_SPOT, 2), soft, tnl_scalar(light + TNL_L_CONE, 2));
    if (t->key->falloff[n])
        EMIT2(t, IR_POW, tnl_to(R_SPOT, 2), soft, tnl_scalar(light + TNL_L_AXIS, 3));
    EMIT2(t, IR_SLT, tnl_to(R_SPOT, 4), tnl_scalar(light + TNL_L_CONE, 1), rho);
    EMIT3(t, IR_CND, tnl_to(R_SPOT, 2), holds, soft, tnl_zero());
    EMIT2(t, IR_SLT, tnl_to(R_SPOT, 4), tnl_scalar(light + TNL_L_CONE, 0), rho);
    EMIT3(t, IR_CND, tnl_to(R_SPOT, 2), holds, tnl_one(), soft);
    EMIT2(t, IR_MUL, tnl_to(R_STRENGTH, 1), ir_component(tnl_temp(R_STRENGTH), 0), soft);
}

/* R_LIGHT.xyz: towards the light; R_STRENGTH.x: its intensity at the vertex. */
static void attenuate(struct tnl_lowering *t, unsigned light, unsigned n)
{
    const struct ir_source distance = ir_component(tnl_temp(R_LIGHT), 3);
    const struct ir_source strength = ir_component(tnl_temp(R_STRENGTH), 0);

    EMIT2(t, IR_SUB, tnl_to(R_LIGHT, 7), tnl_const(light + TNL_L_PLACE), tnl_temp(R_EYE));
    EMIT2(t, IR_DP3, tnl_to(R_STRENGTH, 2), tnl_temp(R_LIGHT), tnl_temp(R_LIGHT));
    EMIT1(t, IR_SQRT, tnl_to(R_LIGHT, 8), ir_component(tnl_temp(R_STRENGTH), 1));
    tnl_divide(t, R_LIGHT, tnl_temp(R_LIGHT), tnl_zero());
    EMIT3(t, IR_MAD, tnl_to(R_STRENGTH, 1), distance, tnl_scalar(light + TNL_L_SHAPE, 1),
          tnl_scalar(light + TNL_L_SHAPE, 0));
    EMIT3(t, IR_MAD, tnl_to(R_STRENGTH, 1), ir_component(tnl_temp(R_STRENGTH), 1), tnl_scalar(light + TNL_L_SHAPE, 2),
          strength);
    EMIT1(t, IR_RCP, tnl_to(R_STRENGTH, 1), strength);
    if (t->key->light[n] == D3DLIGHT_SPOT)
        apply_spot(t, light, n);
    EMIT2(t, IR_SGE, tnl_to(R_STRENGTH, 2), tnl_scalar(light + TNL_L_SHAPE, 3), distance);
    EMIT3(t, IR_CND, tnl_to(R_STRENGTH, 1), ir_component(tnl_temp(R_STRENGTH), 1), strength, tnl_zero());
}

/* sum += of the light * factor; the first light begins the sum. */
static void add_color(struct tnl_lowering *t, unsigned n, unsigned sum, struct ir_source color,
                      const struct ir_source *factor)
{
    if (!factor && n == 0)
        EMIT1(t, IR_MOV, tnl_to(sum, 7), color);
    else if (!factor)
        EMIT2(t, IR_ADD, tnl_to(sum, 7), tnl_temp(sum), color);
    else if (n == 0)
        EMIT2(t, IR_MUL, tnl_to(sum, 7), *factor, color);
    else
        EMIT3(t, IR_MAD, tnl_to(sum, 7), *factor, color, tnl_temp(sum));
}

static void add_specular(struct tnl_lowering *t, unsigned n, unsigned light, struct ir_source to_light,
                         const struct ir_source *strength)
{
    const struct ir_source viewer =
        t->key->local_viewer ? tnl_temp(R_VIEWER) : ir_swizzled(tnl_const(TNL_C_LITERAL2), 3, 3, 1, 1); /* 0, 0, -1 */
    const struct ir_source power = ir_component(tnl_temp(R_HALF), 0), lit = ir_component(tnl_temp(R_HALF), 1);

    EMIT2(t, IR_ADD, tnl_to(R_HALF, 7), to_light, viewer);
    EMIT2(t, IR_DP3, tnl_to(R_SPOT, 1), tnl_temp(R_NORMAL), tnl_temp(R_HALF));
    tnl_length(t, R_HALF, 8, tnl_temp(R_HALF));
    EMIT2(t, IR_SLT, tnl_to(R_HALF, 2), tnl_zero(), ir_component(tnl_temp(R_SPOT), 0));
    EMIT2(t, IR_DIV, tnl_to(R_HALF, 1), ir_component(tnl_temp(R_SPOT), 0), ir_component(tnl_temp(R_HALF), 3));
    EMIT2(t, IR_POW, tnl_to(R_HALF, 1), power, tnl_scalar(TNL_C_POWER, 0));
    if (strength)
        EMIT2(t, IR_MUL, tnl_to(R_HALF, 1), power, *strength);
    EMIT3(t, IR_CND, tnl_to(R_HALF, 1), lit, power, tnl_zero());
    EMIT2(t, IR_SLT, tnl_to(R_HALF, 2), tnl_zero(), ir_component(tnl_temp(R_STRENGTH), 2));
    EMIT3(t, IR_CND, tnl_to(R_HALF, 1), lit, power, tnl_zero());
    add_color(t, n, R_SPECULAR_SUM, tnl_const(light + TNL_L_SPECULAR), &power);
}

static void add_light(struct tnl_lowering *t, unsigned n)
{
    const unsigned light = TNL_C_LIGHT + n * TNL_LIGHT_STRIDE;
    const bool directional = t->key->light[n] == D3DLIGHT_DIRECTIONAL;
    const struct ir_source to_light = directional ? tnl_const(light + TNL_L_PLACE) : tnl_temp(R_LIGHT);
    const struct ir_source strength = ir_component(tnl_temp(R_STRENGTH), 0),
                           factor = ir_component(tnl_temp(R_STRENGTH), 3);

    if (!directional)
        attenuate(t, light, n);
    add_color(t, n, R_AMBIENT_SUM, tnl_const(light + TNL_L_AMBIENT), directional ? NULL : &strength);
    if (!t->key->has_normal)
        return;
    EMIT2(t, IR_DP3, tnl_to(R_STRENGTH, 4), tnl_temp(R_NORMAL), to_light);
    EMIT2(t, IR_MAX, tnl_to(R_STRENGTH, 8), ir_component(tnl_temp(R_STRENGTH), 2), tnl_zero());
    if (!directional)
        EMIT2(t, IR_MUL, tnl_to(R_STRENGTH, 8), factor, strength);
    add_color(t, n, R_DIFFUSE_SUM, tnl_const(light + TNL_L_DIFFUSE), &factor);
    if (t->key->specular && t->key->wants_specular)
        add_specular(t, n, light, to_light, directional ? NULL : &strength);
}

/* --- colours ------------------------------------------------------------------------------- */

/* The vertex's colours: white and black if it has none. */
static struct ir_source vertex_color(const struct tnl_key *key, unsigned which)
{
    if (which == 0)
        return key->has_color1 ? ir_register(IR_INPUT, 5) : tnl_one();
    if (key->has_color2)
        return ir_register(IR_INPUT, 6);
    return key->opaque_color2 ? ir_swizzled(tnl_const(TNL_C_LITERAL), 0, 0, 0, 1) : tnl_zero();
}

static struct ir_source material(const struct tnl_key *key, uint8_t source, unsigned which)
{
    return source == TNL_MATERIAL ? tnl_const(TNL_C_MATERIAL + which) : vertex_color(key, source == TNL_COLOR2);
}

static struct ir_destination saturated(unsigned output, unsigned mask)
{
    struct ir_destination d = ir_target(IR_OUTPUT, output, mask);

    d.saturate = 1;
    return d;
}

static void lower_lights(struct tnl_lowering *t)
{
    const struct tnl_key *key = t->key;

    if (key->local_viewer && key->specular && key->wants_specular && key->has_normal && key->light[0]) {
        struct ir_source back = ir_negated(tnl_temp(R_EYE));

        tnl_length(t, R_VIEWER, 8, tnl_temp(R_EYE));
        tnl_divide(t, R_VIEWER, back, tnl_zero());
    }
    for (unsigned n = 0; n < HAL_MAX_LIGHTS && key->light[n]; n++)
        add_light(t, n);
}

static void lower_lit_colors(struct tnl_lowering *t)
{
    const struct tnl_key *key = t->key;
    const struct ir_source diffuse = material(key, key->source_diffuse, 0),
                           ambient = material(key, key->source_ambient, 1),
                           specular = material(key, key->source_specular, 2),
                           emissive = material(key, key->source_emissive, 3);
    const bool lights = key->light[0] != 0, shines = lights && key->has_normal;
    struct ir_source scene = tnl_const(TNL_C_AMBIENT);

    lower_lights(t);
    if (lights) {
        EMIT2(t, IR_ADD, tnl_to(R_AMBIENT_SUM, 7), tnl_temp(R_AMBIENT_SUM), scene);
        scene = tnl_temp(R_AMBIENT_SUM);
    }
    if (key->wants_diffuse) {
        if (shines) {
            EMIT3(t, IR_MAD, tnl_to(R_AMBIENT_SUM, 7), ambient, scene, emissive);
            EMIT3(t, IR_MAD, saturated(TNL_O_DIFFUSE, 7), diffuse, tnl_temp(R_DIFFUSE_SUM), tnl_temp(R_AMBIENT_SUM));
        } else {
            EMIT3(t, IR_MAD, saturated(TNL_O_DIFFUSE, 7), ambient, scene, emissive);
        }
        EMIT1(t, IR_MOV, saturated(TNL_O_DIFFUSE, 8), diffuse);
    }
    if (!key->wants_specular)
        return;
    if (!key->specular)
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, TNL_O_SPECULAR, 7), vertex_color(key, 1));
    else if (shines)
        EMIT2(t, IR_MUL, saturated(TNL_O_SPECULAR, 7), specular, tnl_temp(R_SPECULAR_SUM));
    else
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, TNL_O_SPECULAR, 7), tnl_zero());
    EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, TNL_O_SPECULAR, 8), vertex_color(key, 1));
}

static void lower_colors(struct tnl_lowering *t)
{
    const struct tnl_key *key = t->key;

    if (key->lighting && (key->wants_diffuse || key->wants_specular)) {
        lower_lit_colors(t);
        return;
    }
    if (key->wants_diffuse && tnl_copied_component(key, TNL_O_DIFFUSE) < 0)
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, TNL_O_DIFFUSE, 15), vertex_color(key, 0));
    if (key->wants_specular && tnl_copied_component(key, TNL_O_SPECULAR) < 0)
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, TNL_O_SPECULAR, 15), vertex_color(key, 1));
}

/* --- fog and points --------------------------------------------------------------------------- */

/* A second colour that is missing has alpha 1, but means full fog for transformed vertices (docs/reference/pixel-output.md,
 * section 7). */
static struct ir_source fog_of_alpha(const struct tnl_key *key)
{
    if (key->has_color2)
        return ir_component(ir_register(IR_INPUT, 6), 3);
    return key->transformed ? tnl_zero() : tnl_one();
}

static void lower_fog(struct tnl_lowering *t)
{
    const struct tnl_key *key = t->key;
    struct ir_source d = ir_component(tnl_temp(R_SCRATCH), 0);

    if (key->fog == TNL_FOG_ALPHA)
        EMIT1(t, IR_MOV, saturated(TNL_O_FOG, 1), fog_of_alpha(key));
    if (key->fog == TNL_FOG_FULL)
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, TNL_O_FOG, 1), tnl_zero());
    if (key->fog < TNL_FOG_LINEAR)
        return;
    if (key->fog_range) {
        tnl_length(t, R_SCRATCH, 1, tnl_temp(R_EYE));
    } else {
        struct ir_source z = ir_component(tnl_temp(R_EYE), 2);

        z.modifiers = IR_ABS;
        EMIT1(t, IR_MOV, tnl_to(R_SCRATCH, 1), z);
    }
    if (key->fog == TNL_FOG_LINEAR) {
        EMIT2(t, IR_SUB, tnl_to(R_SCRATCH, 1), tnl_scalar(TNL_C_FOG, 0), d);
        EMIT2(t, IR_DIV, saturated(TNL_O_FOG, 1), d, tnl_scalar(TNL_C_FOG, 1));
        return;
    }
    EMIT2(t, IR_MUL, tnl_to(R_SCRATCH, 1), d, tnl_scalar(TNL_C_FOG, 2));
    if (key->fog == TNL_FOG_EXP2)
        EMIT2(t, IR_MUL, tnl_to(R_SCRATCH, 1), d, d);
    EMIT2(t, IR_MUL, tnl_to(R_SCRATCH, 1), d, tnl_scalar(TNL_C_FOG, 3));
    EMIT1(t, IR_EXP2, saturated(TNL_O_FOG, 1), d);
}

/* size * height * sqrt(1 / (a + b d + c d^2)) */
static void lower_size(struct tnl_lowering *t)
{
    const struct tnl_key *key = t->key;
    const struct ir_source size =
        key->has_size ? ir_component(ir_register(IR_INPUT, 4), 0) : tnl_scalar(TNL_C_POINT, 0);
    const struct ir_source x = ir_component(tnl_temp(R_SCRATCH), 0), d = ir_component(tnl_temp(R_SCRATCH), 1),
                           d2 = ir_component(tnl_temp(R_SCRATCH), 2);
    const struct ir_destination to_x = tnl_to(R_SCRATCH, 1);

    if (!key->scales_size) {
        EMIT1(t, IR_MOV, ir_target(IR_OUTPUT, TNL_O_SIZE, 1), size);
        return;
    }
    EMIT2(t, IR_DP3, tnl_to(R_SCRATCH, 4), tnl_temp(R_EYE), tnl_temp(R_EYE));
    EMIT1(t, IR_SQRT, tnl_to(R_SCRATCH, 2), d2);
    EMIT3(t, IR_MAD, to_x, d, tnl_scalar(TNL_C_POINT_SCALE, 1), tnl_scalar(TNL_C_POINT_SCALE, 0));
    EMIT3(t, IR_MAD, to_x, d2, tnl_scalar(TNL_C_POINT_SCALE, 2), x);
    EMIT1(t, IR_RCP, to_x, x);
    EMIT1(t, IR_SQRT, to_x, x);
    EMIT2(t, IR_MUL, tnl_to(R_SCRATCH, 2), size, tnl_scalar(TNL_C_POINT, 1));
    EMIT2(t, IR_MUL, ir_target(IR_OUTPUT, TNL_O_SIZE, 1), d, x);
}

/* --- outputs that are not computed ----------------------------------------------------------------------- */

static int copied_texcoord(const struct tnl_key *key, unsigned stage)
{
    const unsigned set = key->texcoord[stage].set;

    if (!key->texcoord[stage].wanted || key->texcoord[stage].generate || key->texcoord[stage].columns ||
        key->texcoord[stage].divisor != 3)
        return -1;
    return set < HAL_MAX_STAGES ? (int)(HAL_TEXCOORD0 + set) : HAL_COMPONENT_COUNT;
}

int tnl_copied_component(const struct tnl_key *key, unsigned output)
{
    const bool lit = key->lighting && (key->wants_diffuse || key->wants_specular);

    switch (output) {
    case TNL_O_POSITION:
        return key->transformed ? HAL_POSITION : -1;
    case TNL_O_DIFFUSE:
        return key->has_color1 && !lit ? HAL_DIFFUSE : -1;
    case TNL_O_SPECULAR:
        return key->has_color2 && !lit ? HAL_SPECULAR : -1;
    default:
        return output >= TNL_O_TEXCOORD && output < TNL_O_TEXCOORD + HAL_MAX_STAGES
                   ? copied_texcoord(key, output - TNL_O_TEXCOORD)
                   : -1;
    }
}

/* --- the whole ------------------------------------------------------------------------------- */

/* The intermediate results that later steps read. */
static void find_needs(struct tnl_lowering *t)
{
    const struct tnl_key *key = t->key;
    const bool lit = key->lighting && key->light[0] && (key->wants_diffuse || key->wants_specular);

    t->needs_eye = key->planes || key->scales_size || key->fog >= TNL_FOG_LINEAR || lit;
    t->needs_normal = lit;
    for (unsigned s = 0; s < HAL_MAX_STAGES; s++)
        if (key->texcoord[s].wanted && key->texcoord[s].generate)
            t->needs_eye = t->needs_normal = true;
    t->needs_normal = t->needs_normal && key->has_normal;
}

struct shader_program *tnl_lower(const struct tnl_key *key)
{
    struct tnl_lowering *t = mem_calloc(1, sizeof(*t));
    struct shader_program *program;

    if (!t)
        return NULL;
    t->key = key;
    find_needs(t);
    lower_positions(t);
    lower_colors(t);
    if (key->fog)
        lower_fog(t);
    if (key->wants_size)
        lower_size(t);
    tnl_lower_texcoords(t);
    program = shader_from_ir(SHADER_VERTEX, t->code, t->count, NULL);
    free(t);
    return program;
}
