/* SPDX-License-Identifier: MIT */
/* dp2 coverage --state key=value: every field of raster_state by its name. */
#include "tools/coverage/coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum field_kind { FIELD_BOOL, FIELD_FLOAT, FIELD_U8, FIELD_U16, FIELD_U32, FIELD_ENUM };

struct field {
    const char *name;
    size_t offset;
    enum field_kind kind;
    const char *words; /* of an enumeration, in order, separated by blanks */
};

#define FIELD(name, kind)                                      \
    {                                                          \
#name, offsetof(struct raster_state, name), kind, NULL \
    }
#define WORDS(name, words)                                            \
    {                                                                 \
#name, offsetof(struct raster_state, name), FIELD_ENUM, words \
    }

static const struct field fields[] = {
    FIELD(clamp_vertex_color, FIELD_BOOL),
    FIELD(clamp_fragment_color, FIELD_BOOL),
    FIELD(flatshade, FIELD_BOOL),
    FIELD(flatshade_first, FIELD_BOOL),
    FIELD(light_twoside, FIELD_BOOL),
    FIELD(front_ccw, FIELD_BOOL),
    WORDS(cull_mode, "none front back both"),
    WORDS(fill_front, "point line solid"),
    WORDS(fill_back, "point line solid"),
    FIELD(poly_stipple_enable, FIELD_BOOL),
    FIELD(poly_smooth, FIELD_BOOL),
    FIELD(offset_point, FIELD_BOOL),
    FIELD(offset_line, FIELD_BOOL),
    FIELD(offset_tri, FIELD_BOOL),
    FIELD(offset_units, FIELD_FLOAT),
    FIELD(offset_units_unscaled, FIELD_BOOL),
    FIELD(offset_scale, FIELD_FLOAT),
    FIELD(offset_clamp, FIELD_FLOAT),
    FIELD(line_width, FIELD_FLOAT),
    FIELD(line_smooth, FIELD_BOOL),
    FIELD(line_stipple_enable, FIELD_BOOL),
    FIELD(line_stipple_pattern, FIELD_U16),
    FIELD(line_stipple_factor, FIELD_U16),
    FIELD(line_last_pixel, FIELD_BOOL),
    FIELD(sprite_coord_enable, FIELD_U32),
    WORDS(sprite_coord_mode, "upper_left lower_left"),
    FIELD(point_quad_rasterization, FIELD_BOOL),
    FIELD(point_tri_clip, FIELD_BOOL),
    FIELD(point_smooth, FIELD_BOOL),
    FIELD(point_size_per_vertex, FIELD_BOOL),
    FIELD(point_size, FIELD_FLOAT),
    FIELD(scissor, FIELD_BOOL),
    FIELD(multisample, FIELD_BOOL),
    FIELD(half_pixel_center, FIELD_BOOL),
    FIELD(bottom_edge_rule, FIELD_BOOL),
    FIELD(clip_halfz, FIELD_BOOL),
    FIELD(depth_clip_near, FIELD_BOOL),
    FIELD(depth_clip_far, FIELD_BOOL),
    FIELD(depth_clamp, FIELD_BOOL),
    FIELD(clip_plane_enable, FIELD_U32),
    WORDS(conservative_raster_mode, "off post_snap pre_snap"),
    FIELD(conservative_raster_dilate, FIELD_FLOAT),
    FIELD(subpixel_precision_x, FIELD_U8),
    FIELD(subpixel_precision_y, FIELD_U8),
};

/* "left,top,right,bottom", right and bottom exclusive. */
static bool parse_rect(const char *text, struct raster_rect *rect)
{
    int *side[4] = {&rect->left, &rect->top, &rect->right, &rect->bottom};

    for (unsigned i = 0; i < 4; i++) {
        char *end;
        long v = strtol(text, &end, 10);

        if (end == text || *end != (i < 3 ? ',' : 0) || v < 0 || v > RASTER_MAX_SIZE)
            return false;
        *side[i] = (int)v;
        text = end + 1;
    }
    return true;
}

static bool parse_word(const char *words, const char *text, uint32_t *value)
{
    size_t length = strlen(text);

    for (uint32_t i = 0; *words; i++) {
        size_t n = strcspn(words, " ");

        if (n == length && strncmp(words, text, n) == 0) {
            *value = i;
            return true;
        }
        words += n + (words[n] == ' ');
    }
    return false;
}

static uint32_t word_count(const char *words)
{
    uint32_t n = 1;

    for (; *words; words++)
        n += *words == ' ';
    return n;
}

static bool parse_integer(const char *text, uint32_t last, uint32_t *value)
{
    char *end;
    unsigned long long v = strtoull(text, &end, 0);

    *value = (uint32_t)v;
    return end != text && !*end && *text != '-' && v <= last;
}

static const char *set_field(struct raster_state *rs, const struct field *field, const char *text)
{
    static const uint32_t last[] = {[FIELD_BOOL] = 1, [FIELD_U8] = 255, [FIELD_U16] = 65535, [FIELD_U32] = UINT32_MAX};
    uint8_t *p = (uint8_t *)rs + field->offset;
    uint32_t value;

    if (field->kind == FIELD_FLOAT) {
        char *end;
        float v = strtof(text, &end);

        if (end == text || *end || !isfinite(v))
            return "a number is needed";
        memcpy(p, &v, sizeof(v));
        return NULL;
    }
    if (field->kind == FIELD_ENUM) {
        if (!parse_word(field->words, text, &value) && !parse_integer(text, word_count(field->words) - 1, &value))
            return field->words;
        *p = (uint8_t)value;
        return NULL;
    }
    if (!parse_integer(text, last[field->kind], &value))
        return field->kind == FIELD_BOOL ? "0 or 1 is needed" : "a whole number in range is needed";
    if (field->kind == FIELD_U32)
        memcpy(p, &value, 4);
    else if (field->kind == FIELD_U16)
        memcpy(p, &(uint16_t){(uint16_t)value}, 2);
    else
        *p = (uint8_t)value; /* a bool is a byte too */
    return NULL;
}

_Static_assert(sizeof(bool) == 1 && sizeof(enum raster_cull) == 4, "set_field writes these");

const char *coverage_state_set(struct raster_draw_state *state, const char *assignment)
{
    size_t length = strcspn(assignment, "=");
    uint32_t value;

    if (!assignment[length])
        return "key=value is needed";
    const char *text = assignment + length + 1;
    for (unsigned i = 0; i < ARRAY_COUNT(fields); i++)
        if (strlen(fields[i].name) == length && strncmp(fields[i].name, assignment, length) == 0)
            return set_field(&state->rasterizer, &fields[i], text);
    if (strncmp(assignment, "scissor_rect=", 13) == 0)
        return parse_rect(text, &state->scissor) ? NULL : "left,top,right,bottom is needed";
    if (strncmp(assignment, "depth_min=", 10) == 0 || strncmp(assignment, "depth_max=", 10) == 0) {
        char *end;
        float depth = strtof(text, &end);

        if (end == text || *end || !(depth >= 0.0f && depth <= 1.0f))
            return "a depth from 0 to 1 is needed";
        *(assignment[7] == 'i' ? &state->depth_min : &state->depth_max) = depth;
        return NULL;
    }
    if (strncmp(assignment, "sample_mask=", 12) == 0) {
        if (!parse_integer(text, 65535, &value))
            return "a mask of 16 bits is needed";
        state->sample_mask = (uint16_t)value;
        return NULL;
    }
    return "no such field";
}

void coverage_state_list(FILE *file)
{
    static const char *const kinds[] = {"0 or 1", "number", "0..255", "0..65535", "32 bits", ""};

    for (unsigned i = 0; i < ARRAY_COUNT(fields); i++)
        fprintf(file, "  %-28s %s\n", fields[i].name, fields[i].words ? fields[i].words : kinds[fields[i].kind]);
    fprintf(file, "  %-28s left,top,right,bottom\n  %-28s 16 bits\n  %-28s 0..1\n  %-28s 0..1\n", "scissor_rect",
            "sample_mask", "depth_min", "depth_max");
}
