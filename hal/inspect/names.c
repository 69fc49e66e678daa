/* SPDX-License-Identifier: MIT */
/* The meaning of registers: by usage, and those of programs that the driver makes from states of the fixed function. */
#include "base/base.h"
#include "dp2/text/visit.h"
#include "hal/inspect/tracer.h"
#include "hal/vertex/tnl/lower.h"
#include "shader/stages.h"

#include <stdio.h>

void run_print_meaning(char *text, size_t size, unsigned usage, unsigned index)
{
    const uint8_t number = (uint8_t)usage;
    struct dp2_value value;

    text[0] = 0;
    if (usage == SHADER_USAGE_NONE)
        return;
    dp2_decode_value(&value, 'g', &number, NULL);
    if (value.kind == DP2_VALUE_NAME)
        snprintf(text, size, "%.20s %u", value.name, index);
    else
        snprintf(text, size, "usage %u %u", usage, index);
}

/* --- constants of the fixed function --------------------------------------------------------------- */

/* Registers from `first` on, up to the next row: their meaning (empty: plain numbers, or unused). `stride` registers
 * form one item, and items are numbered; 0: there is one item. */
struct constant_row {
    uint16_t first, stride;
    const char *text;
};

static const struct constant_row vertex_constants[] = {
    {TNL_C_LITERAL, 0, ""},
    {TNL_C_CLIP, 0, "to clip space"},
    {TNL_C_EYE, 0, "to view space"},
    {TNL_C_PROJECTION, 0, "projection"},
    {TNL_C_NORMAL, 0, "normals to view space"},
    {TNL_C_TWEEN, 0, "tween factors"},
    {TNL_C_FOG, 0, "fog"},
    {TNL_C_POINT, 0, "point size, viewport height"},
    {TNL_C_POINT_SCALE, 0, "point scale"},
    {TNL_C_AMBIENT, 0, "ambient of the scene"},
    {TNL_C_MATERIAL, 0, "material diffuse"},
    {TNL_C_MATERIAL + 1, 0, "material ambient"},
    {TNL_C_MATERIAL + 2, 0, "material specular"},
    {TNL_C_MATERIAL + 3, 0, "material emissive"},
    {TNL_C_POWER, 0, "material power"},
    {TNL_C_POWER + 1, 0, ""},
    {TNL_C_PLANE, 1, "clip plane"},
    {TNL_C_PLANE + HAL_MAX_CLIP_PLANES, 0, ""},
    {TNL_C_LIGHT, TNL_LIGHT_STRIDE, "light"},
    {TNL_C_TEXTURE, 4, "texture matrix"},
    {TNL_C_BLEND, 4, "world matrix"},
};

static const struct constant_row pixel_constants[] = {
    {STAGES_CONSTANT_IMMEDIATE, 0, ""},
    {STAGES_CONSTANT_FACTOR, 0, "texture factor"},
    {STAGES_CONSTANT_BUMP, 1, "bump matrix of stage"},
    {STAGES_CONSTANT_LUMINANCE, 1, "luminance of stage"},
    {STAGES_CONSTANT_KEY, 0, "scale of keyed alpha"},
    {STAGES_CONSTANT_COLOR, 1, "constant of stage"},
};

static const char *light_part(unsigned part)
{
    static const char *const names[TNL_LIGHT_STRIDE] = {
        [TNL_L_DIFFUSE] = "diffuse", [TNL_L_SPECULAR] = "specular", [TNL_L_AMBIENT] = "ambient",
        [TNL_L_PLACE] = "place",     [TNL_L_AXIS] = "axis",         [TNL_L_SHAPE] = "attenuation, range",
        [TNL_L_CONE] = "cone",
    };

    return names[part];
}

void hal_run_constant(const struct hal_run *run, const struct shader_trace_step *step, unsigned k, char *text,
                      size_t size)
{
    const bool of_vertices = run->stage == SHADER_VERTEX;
    const struct constant_row *rows = of_vertices ? vertex_constants : pixel_constants, *row = NULL;
    const unsigned count = of_vertices ? ARRAY_COUNT(vertex_constants) : ARRAY_COUNT(pixel_constants);
    const struct ir_source *s = &step->code->source[k];
    unsigned within;

    text[0] = 0;
    if (run->is_bytecode || !step->read[k] || s->file != IR_CONSTANT || s->relative != IR_ABSOLUTE)
        return;
    for (unsigned i = 0; i < count && rows[i].first <= s->index; i++)
        row = &rows[i];
    if (!row)
        return;
    within = s->index - row->first;
    if (!row->stride)
        snprintf(text, size, "%s", row->text);
    else if (of_vertices && row->first == TNL_C_LIGHT)
        snprintf(text, size, "%s %u %s", row->text, within / row->stride, light_part(within % row->stride));
    else
        snprintf(text, size, "%s %u", row->text, within / row->stride);
}
