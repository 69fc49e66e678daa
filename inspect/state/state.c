/* SPDX-License-Identifier: MIT */
/* The state of a context: values from its arrays, with names. */
#include "inspect/state/state.h"

#include "base/base.h"
#include "d3d/states.h"
#include "dp2/text/visit.h"
#include "inspect/draws.h"
#include "inspect/internal.h"
#include "inspect/state/values.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- values -------------------------------------------------------------------------------------- */

struct inspect_value *inspect_add_value(struct inspect_state *state, const char *group, const char *name)
{
    struct inspect_value *value;

    if (state->count == state->capacity) {
        const size_t capacity = 2 * state->capacity + 256;
        struct inspect_value *bigger = mem_realloc(state->values, capacity, sizeof(*bigger));

        if (!bigger) {
            state->failed = true;
            return NULL;
        }
        state->values = bigger;
        state->capacity = capacity;
    }
    value = &state->values[state->count++];
    *value = (struct inspect_value){.kind = INSPECT_BITS, .count = 1};
    snprintf(value->group, sizeof(value->group), "%s", group);
    snprintf(value->name, sizeof(value->name), "%s", name);
    return value;
}

void inspect_value_text(struct inspect_state *state, struct inspect_value *value, const char *format, ...)
{
    va_list args;
    int length;

    if (!value)
        return;
    free(value->text);
    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    value->text = length < 0 ? NULL : mem_alloc((size_t)length, 1, 1);
    state->failed |= !value->text;
    if (!value->text)
        return;
    va_start(args, format);
    vsnprintf(value->text, (size_t)length + 1, format, args);
    va_end(args);
}

static void add_numbers(struct inspect_state *state, const char *group, const char *name, enum inspect_value_kind kind,
                        const void *numbers, unsigned count, const void *initial)
{
    static const uint32_t zeros[INSPECT_VALUE_BITS];
    struct inspect_value *value = inspect_add_value(state, group, name);

    if (!value)
        return;
    value->kind = kind;
    value->count = BASE_MIN(count, (unsigned)INSPECT_VALUE_BITS);
    memcpy(value->bits, numbers, value->count * sizeof(uint32_t));
    value->is_default = !memcmp(value->bits, initial ? initial : zeros, value->count * sizeof(uint32_t));
}

void inspect_add_floats(struct inspect_state *state, const char *group, const char *name, const void *floats,
                        unsigned count, const void *initial)
{
    add_numbers(state, group, name, INSPECT_FLOATS, floats, count, initial);
}

void inspect_add_ints(struct inspect_state *state, const char *group, const char *name, const void *ints,
                      unsigned count, const void *initial)
{
    add_numbers(state, group, name, INSPECT_INTS, ints, count, initial);
}

void inspect_add_number(struct inspect_state *state, const char *group, const char *name, uint32_t number,
                        uint32_t initial)
{
    struct inspect_value *value = inspect_add_value(state, group, name);

    inspect_value_text(state, value, "%" PRIu32, number);
    if (!value)
        return;
    value->bits[0] = number;
    value->is_default = number == initial;
}

/* Names of the flags that are set; bits without a name in hexadecimal. */
static void write_flags(char set, uint32_t word, char *out, size_t size)
{
    const char *name;
    uint32_t bits, mask, left = word;
    size_t length = 0;

    out[0] = 0;
    for (unsigned i = 0; (name = dp2_flag_name(set, i, &bits, &mask)); i++) {
        if (!bits || (word & mask) != bits || !(left & bits) || length + 48 > size)
            continue;
        length += (size_t)snprintf(out + length, size - length, "%s%s", length ? "|" : "", name);
        left &= ~mask;
    }
    if (left || !length)
        snprintf(out + length, size - length, left ? "%s%#" PRIx32 : "%s0", length ? "|" : "", left);
}

void inspect_write_value(const struct dp2_state_name *name, uint32_t value, char *out, size_t size)
{
    const struct dp2_state_name *kind = name;
    struct dp2_value decoded = {0};
    float number;

    dp2_decode_value(&decoded, 'V', (const uint8_t *)&value, &kind);
    memcpy(&number, &value, sizeof(number));
    switch (decoded.kind) {
    case DP2_VALUE_NAME:
        snprintf(out, size, "%s", decoded.name);
        break;
    case DP2_VALUE_BOOL:
        snprintf(out, size, "%s", value ? "TRUE" : "FALSE");
        break;
    case DP2_VALUE_COLOR:
        snprintf(out, size, "#%08" PRIx32, value);
        break;
    case DP2_VALUE_FLOAT:
        snprintf(out, size, "%.9g", (double)number);
        break;
    case DP2_VALUE_FLAGS:
        write_flags(decoded.set, value, out, size);
        break;
    case DP2_VALUE_HEX:
        snprintf(out, size, "%#" PRIx32, value);
        break;
    default:
        snprintf(out, size, "%" PRIu32, value);
        break;
    }
}

/* A number that is the value of a render state or stage state of this name and kind. */
static void inspect_add_named(struct inspect_state *state, const char *group, const struct dp2_state_name *name,
                              uint32_t bits, uint32_t initial)
{
    struct inspect_value *value = inspect_add_value(state, group, name->name);
    char text[256];

    if (!value)
        return;
    value->bits[0] = bits;
    value->is_default = bits == initial;
    inspect_write_value(name, bits, text, sizeof(text));
    inspect_value_text(state, value, "%s", text);
}

static void describe_surface(struct inspect_state *state, struct inspect_value *value,
                             const struct hal_resource *surface)
{
    struct hal_inspect_surface shape;
    char code[5], samples[24] = "";
    const char *format;

    hal_inspect_surface(surface, &shape);
    format = dp2_format_name(shape.d3d_format, code);
    if (shape.samples)
        snprintf(samples, sizeof(samples), " %u samples", shape.samples);
    if (shape.is_buffer)
        inspect_value_text(state, value, "#%" PRIu32 " %zu bytes", inspect_surface_id(surface), shape.bytes);
    else if (shape.is_volume)
        inspect_value_text(state, value, "#%" PRIu32 " %ux%ux%u %s", inspect_surface_id(surface), shape.width,
                           shape.height, shape.depth, format ? format : "?");
    else
        inspect_value_text(state, value, "#%" PRIu32 " %s%ux%u %s%s", inspect_surface_id(surface),
                           shape.faces == 6 ? "6x " : "", shape.width, shape.height, format ? format : "?", samples);
}

void inspect_add_surface(struct inspect_state *state, const char *group, const char *name, uint32_t handle,
                         const struct hal_resource *surface)
{
    struct inspect_value *value = inspect_add_value(state, group, name);

    if (!value)
        return;
    value->bits[0] = surface ? inspect_surface_id(surface) : 0;
    value->is_default = !surface && !handle;
    if (surface)
        describe_surface(state, value, surface);
    else if (handle)
        inspect_value_text(state, value, "handle %" PRIu32 ", which names nothing", handle);
    else
        inspect_value_text(state, value, "-");
}

/* --- groups -------------------------------------------------------------------------------------- */

static void add_targets(struct inspect_state *state, const struct hal_inspect_state *set)
{
    const int32_t rect[4] = {set->state.scissor.left, set->state.scissor.top, set->state.scissor.right,
                             set->state.scissor.bottom};
    const float depths[2] = {set->state.viewport.min_z, set->state.viewport.max_z}, all[2] = {0.0f, 1.0f};
    const float eye[2] = {set->state.w_near, set->state.w_far};
    char name[16];

    inspect_add_surface(state, "targets", "color 0", 0, set->bound.color[0]);
    for (unsigned t = 1; t < HAL_INSPECT_TARGETS; t++) {
        snprintf(name, sizeof(name), "color %u", t);
        inspect_add_surface(state, "targets", name, 0, set->bound.color[t]);
    }
    inspect_add_surface(state, "targets", "depth", 0, set->bound.depth);
    inspect_add_ints(state, "viewport", "x y width height", &set->state.viewport, 4, NULL);
    inspect_add_floats(state, "viewport", "depth range", depths, 2, all);
    inspect_add_floats(state, "viewport", "eye depth range", eye, 2, all);
    inspect_add_ints(state, "viewport", "scissor", rect, 4, NULL);
}

struct initial_state {
    uint16_t number;
    uint32_t value;
};

static void add_render_states(struct inspect_state *state, const struct hal_inspect_state *set)
{
    static const struct initial_state initial[] = {
#define RENDER_STATE(number, name, level, value, ...) {number, value},
#include "d3d/states.def"
    };

    for (unsigned i = 0; i < ARRAY_COUNT(initial); i++) {
        const struct dp2_state_name *name = dp2_render_state_name(initial[i].number);

        if (name)
            inspect_add_named(state, "render states", name, set->state.render_state[initial[i].number],
                              initial[i].value);
    }
    for (enum hal_extension e = 0; e < HAL_EXTENSION_COUNT; e++)
        inspect_add_number(state, "extensions", hal_inspect_extension_name(e), set->state.extension[e], 0);
}

void inspect_name_row(unsigned row, char name[32])
{
    if (row >= HAL_MAX_SAMPLERS)
        snprintf(name, 32, "vertex sampler %u", row - HAL_MAX_SAMPLERS);
    else
        snprintf(name, 32, row < HAL_MAX_STAGES ? "stage %u" : "sampler %u", row);
}

/* Initial values of a stage that differ from the table. */
static uint32_t initial_of_stage(unsigned row, const struct initial_state *initial)
{
    if (initial->number == D3D_TSS_TEXCOORDINDEX)
        return row;
    if (row == 0 && initial->number == D3D_TSS_COLOROP)
        return D3DTOP_MODULATE;
    if (row == 0 && initial->number == D3D_TSS_ALPHAOP)
        return D3DTOP_SELECTARG1;
    return initial->value;
}

static void add_stages(struct inspect_state *state, const struct hal_inspect_state *set)
{
    static const struct initial_state initial[] = {
#define STAGE_STATE(number, name, level, value, ...) {number, value},
#include "d3d/states.def"
    };
    char group[32];

    for (unsigned row = 0; row < HAL_STAGE_ROWS; row++) {
        const uint32_t handle = set->state.stage_state[row][0];

        inspect_name_row(row, group);
        inspect_add_surface(state, group, "texture", handle, set->texture[row]);
        for (unsigned i = 0; i < ARRAY_COUNT(initial); i++) {
            const struct dp2_state_name *name = dp2_stage_state_name(initial[i].number);

            if (name && initial[i].number)
                inspect_add_named(state, group, name, set->state.stage_state[row][initial[i].number],
                                  initial_of_stage(row, &initial[i]));
        }
    }
}

static void add_transforms(struct inspect_state *state, const struct hal_inspect_state *set)
{
    static const struct hal_matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    char name[16];

    for (unsigned i = 0; i < HAL_MAX_WORLD_MATRICES; i++) {
        if (i && !memcmp(&set->state.world[i], &identity, sizeof(identity)))
            continue;
        snprintf(name, sizeof(name), "world %u", i);
        inspect_add_floats(state, "transforms", name, &set->state.world[i], 16, &identity);
    }
    inspect_add_floats(state, "transforms", "view", &set->state.view, 16, &identity);
    inspect_add_floats(state, "transforms", "projection", &set->state.projection, 16, &identity);
    for (unsigned i = 0; i < HAL_MAX_STAGES; i++) {
        snprintf(name, sizeof(name), "texture %u", i);
        inspect_add_floats(state, "transforms", name, &set->state.texture[i], 16, &identity);
    }
    for (unsigned i = 0; i < HAL_MAX_CLIP_PLANES; i++) {
        snprintf(name, sizeof(name), "plane %u", i);
        inspect_add_floats(state, "clip planes", name, set->state.clip_plane[i], 4, NULL);
    }
}

static void add_material(struct inspect_state *state, const struct hal_inspect_state *set)
{
    const struct hal_material *m = &set->state.material;

    inspect_add_floats(state, "material", "diffuse", m->diffuse, 4, NULL);
    inspect_add_floats(state, "material", "ambient", m->ambient, 4, NULL);
    inspect_add_floats(state, "material", "specular", m->specular, 4, NULL);
    inspect_add_floats(state, "material", "emissive", m->emissive, 4, NULL);
    inspect_add_floats(state, "material", "power", &m->power, 1, NULL);
}

static void add_light(struct inspect_state *state, const struct hal_inspect_light *entry)
{
    static const char *const types[] = {"?", "POINT", "SPOT", "DIRECTIONAL"};
    const struct hal_light *l = &entry->light;
    struct inspect_value *value;
    char group[24];

    snprintf(group, sizeof(group), "light %" PRIu32, entry->index);
    inspect_add_number(state, group, "enabled", entry->enabled, 0);
    value = inspect_add_value(state, group, "type");
    inspect_value_text(state, value, "%s", types[l->type < ARRAY_COUNT(types) ? l->type : 0]);
    if (value)
        value->bits[0] = l->type;
    inspect_add_floats(state, group, "diffuse", l->diffuse, 4, NULL);
    inspect_add_floats(state, group, "specular", l->specular, 4, NULL);
    inspect_add_floats(state, group, "ambient", l->ambient, 4, NULL);
    inspect_add_floats(state, group, "position", l->position, 3, NULL);
    inspect_add_floats(state, group, "direction", l->direction, 3, NULL);
    inspect_add_floats(state, group, "range", &l->range, 1, NULL);
    inspect_add_floats(state, group, "falloff", &l->falloff, 1, NULL);
    inspect_add_floats(state, group, "attenuation", l->attenuation, 3, NULL);
    inspect_add_floats(state, group, "theta phi", &l->theta, 2, NULL);
}

/* --- the whole ----------------------------------------------------------------------------------- */

/* The context of the last action that has one; before any, that of the next. */
static uint32_t context_here(const struct inspect *session)
{
    for (size_t i = session->position; i-- > 0;)
        if (session->index.pieces[i].action.context)
            return session->index.pieces[i].action.context;
    for (size_t i = session->position; i < session->index.count; i++)
        if (session->index.pieces[i].action.context)
            return session->index.pieces[i].action.context;
    return 0;
}

bool inspect_state(struct inspect *session, uint32_t recorded, struct inspect_state *state, struct capture_error *error)
{
    const struct hal_context *context;
    struct hal_inspect_state *set;

    *state = (struct inspect_state){.context = recorded ? recorded : context_here(session)};
    if (!state->context) { /* a program of DirectDraw alone */
        inspect_add_surfaces(state, session);
        return !state->failed || inspect_no_memory(error);
    }
    context = inspect_context(session, state->context);
    if (!context)
        return inspect_fail(error, "there is no context yet");
    set = hal_inspect_state(context);
    if (!set)
        return inspect_no_memory(error);
    add_targets(state, set);
    add_render_states(state, set);
    add_stages(state, set);
    add_transforms(state, set);
    add_material(state, set);
    for (size_t i = 0; i < set->light_count; i++)
        add_light(state, &set->lights[i]);
    inspect_add_shaders(state, set);
    inspect_add_surfaces(state, session);
    hal_inspect_state_free(set);
    return !state->failed || inspect_no_memory(error);
}

void inspect_state_free(struct inspect_state *state)
{
    for (size_t i = 0; i < state->count; i++)
        free(state->values[i].text);
    free(state->values);
    *state = (struct inspect_state){0};
}

const struct inspect_value *inspect_state_find(const struct inspect_state *state, const struct inspect_value *value,
                                               size_t hint)
{
    for (size_t i = 0; i < state->count; i++) {
        const struct inspect_value *found = &state->values[(hint + i) % state->count];

        if (!strcmp(found->name, value->name) && !strcmp(found->group, value->group))
            return found;
    }
    return NULL;
}

bool inspect_same_value(const struct inspect_value *a, const struct inspect_value *b)
{
    if (!a || !b)
        return a ? a->is_default : !b || b->is_default;
    if (a->kind != b->kind || a->count != b->count || memcmp(a->bits, b->bits, sizeof(a->bits)))
        return false;
    return !a->text || !b->text || !strcmp(a->text, b->text);
}
