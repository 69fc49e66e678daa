/* SPDX-License-Identifier: MIT */
/* The history of a pixel as JSON. */
#include "inspect/json/json.h"

#include "dp2/names.h"

static void put_floats(struct json_writer *json, const char *name, const float *floats, unsigned count)
{
    json_open_list(json, name);
    for (unsigned i = 0; i < count; i++)
        json_put_float(json, NULL, floats[i]);
    json_close(json);
}

void inspect_put_pixel(struct json_writer *json, const char *name, const struct inspect_pixel *pixel)
{
    json_open_list(json, name);
    for (unsigned s = 0; s < pixel->samples; s++) {
        json_open_object(json, NULL);
        if (pixel->has_color) {
            json_put_bytes(json, "bytes", pixel->raw[s], pixel->bytes);
            put_floats(json, "color", pixel->color[s], 4);
            if (pixel->has_index)
                json_put_number(json, "index", pixel->raw[s][0]);
            if (pixel->has_index && pixel->palette)
                json_put_number(json, "palette", pixel->palette);
        }
        if (pixel->has_depth)
            json_put_float(json, "depth", pixel->depth[s]);
        if (pixel->has_stencil)
            json_put_number(json, "stencil", pixel->stencil[s]);
        json_close(json);
    }
    json_close(json);
}

static void put_test(struct json_writer *json, const char *name, unsigned func)
{
    const char *text = dp2_value_name(DP2_KIND_COMPARE, func);

    json_open_object(json, name);
    json_put_text(json, "func", text ? text : "?");
}

static void put_parts(struct json_writer *json, uint8_t parts)
{
    json_open_list(json, "would_change");
    for (unsigned i = 0; i < INSPECT_PARTS; i++)
        if (parts >> i & 1)
            json_put_text(json, NULL, inspect_part_name(i));
    json_close(json);
}

void inspect_put_fragment(struct json_writer *json, const char *name, const struct inspect_fragment *f)
{
    json_open_object(json, name);
    json_put_number(json, "primitive", f->primitive);
    json_put_text(json, "verdict", inspect_verdict_name(f->verdict));
    if (f->state)
        json_put_text(json, "state", f->state);
    if (f->otherwise != INSPECT_NOT_TRIED)
        json_put_text(json, "otherwise", inspect_otherwise_name(f->otherwise));
    if (f->otherwise == INSPECT_CHANGES)
        put_parts(json, f->would_change);
    json_put_bool(json, "front_facing", f->front_facing);
    json_put_number(json, "samples", f->samples);
    json_open_list(json, "output");
    for (unsigned c = 0; c < 4; c++)
        if (f->output_mask >> c & 1)
            json_put_float(json, NULL, f->output[c]);
        else
            json_put_null(json, NULL);
    json_close(json);
    if (f->verdict == INSPECT_KILLED) {
        json_put_number(json, "kills", f->kills);
        json_put_number(json, "killed_by", f->killed_by);
    }
    if (f->has_depth)
        put_floats(json, "depth", f->depth, f->before.samples);
    if (f->has_alpha_test) {
        put_test(json, "alpha_test", f->alpha_func);
        json_put_number(json, "alpha", f->alpha);
        json_put_number(json, "ref", f->alpha_ref);
        json_close(json);
    }
    if (f->depth_func) {
        put_test(json, "depth_test", f->depth_func);
        json_close(json);
    }
    if (f->stencil_func) {
        put_test(json, "stencil_test", f->stencil_func);
        json_put_number(json, "ref", f->stencil_ref);
        json_put_number(json, "mask", f->stencil_mask);
        json_close(json);
    }
    inspect_put_pixel(json, "before", &f->before);
    inspect_put_pixel(json, "after", &f->after);
    json_close(json);
}

static void put_nearest(struct json_writer *json, const struct inspect_nearest *nearest)
{
    json_open_object(json, "nearest");
    json_put_number(json, "primitive", nearest->primitive);
    json_put_text(json, "verdict", inspect_verdict_name(nearest->verdict));
    if (nearest->verdict == INSPECT_OUTSIDE || nearest->verdict == INSPECT_CLIPPED)
        inspect_put_planes(json, "planes", nearest->planes);
    if (nearest->otherwise != INSPECT_NOT_TRIED)
        json_put_text(json, "otherwise", inspect_otherwise_name(nearest->otherwise));
    if (nearest->otherwise == INSPECT_CHANGES)
        put_parts(json, nearest->would_change);
    if ((nearest->verdict == INSPECT_UNCOVERED || nearest->verdict == INSPECT_NO_AREA) && nearest->distance < 1e9)
        json_put_real(json, "distance", nearest->distance);
    json_close(json);
}

static void put_key(struct json_writer *json, const char *name, const struct hal_inspect_key *key)
{
    if (key->set)
        json_put_number(json, name, key->value);
}

static void put_blit(struct json_writer *json, const struct inspect_blit *blit)
{
    json_open_object(json, "blit");
    json_put_text(json, "fate", inspect_blit_fate_name(blit->fate));
    if (blit->fate == INSPECT_BLIT_FILLED)
        json_put_number(json, "fill", blit->fill);
    if (blit->fate == INSPECT_BLIT_COPIED || blit->fate == INSPECT_BLIT_SOURCE_KEYED ||
        blit->fate == INSPECT_BLIT_DESTINATION_KEYED) {
        json_put_number(json, "source", blit->source);
        json_put_number(json, "x", blit->x);
        json_put_number(json, "y", blit->y);
        if (blit->has_texel)
            json_put_bytes(json, "texel", blit->texel, blit->bytes);
        json_put_bool(json, "stretched", blit->stretched);
        json_put_bool(json, "mirrored_x", blit->mirrored_x);
        json_put_bool(json, "mirrored_y", blit->mirrored_y);
        put_key(json, "source_key", &blit->source_key);
        put_key(json, "destination_key", &blit->destination_key);
    }
    json_put_bool(json, "disagrees", blit->disagrees);
    json_close(json);
}

void inspect_put_pixel_row(struct json_writer *json, const char *name, const struct inspect_pixel_row *row)
{
    const size_t kept = row->fragment_count < INSPECT_MOST_FRAGMENTS ? row->fragment_count : INSPECT_MOST_FRAGMENTS;

    json_open_object(json, name);
    inspect_put_place(json, "draw", &row->place);
    inspect_put_action(json, &row->action);
    json_put_number(json, "surface", row->surface);
    if (row->from)
        json_put_number(json, "from", row->from);
    json_put_bool(json, "refused", row->refused);
    json_put_bool(json, "reaches", row->reaches);
    json_put_bool(json, "changed", row->changed);
    inspect_put_pixel(json, "before", &row->before);
    inspect_put_pixel(json, "after", &row->after);
    if (row->between != INSPECT_NO_CHANGE)
        json_put_text(json, "between", inspect_change_between_name(row->between));
    if (row->blit.fate != INSPECT_BLIT_NONE)
        put_blit(json, &row->blit);
    if (row->action.kind != INSPECT_DRAW) {
        json_put_text(json, "text", row->text);
    } else {
        json_put_number(json, "primitives", row->primitives);
        json_put_number(json, "fragment_count", row->fragment_count);
        json_open_list(json, "fragments");
        for (size_t i = 0; i < kept; i++)
            inspect_put_fragment(json, NULL, &row->fragments[i]);
        json_close(json);
        inspect_put_lacks(json, "lacks", &row->lacks);
        if (!row->fragment_count && row->nearest.found)
            put_nearest(json, &row->nearest);
        json_put_bool(json, "disagrees", row->disagrees);
    }
    json_close(json);
}
