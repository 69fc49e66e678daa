/* SPDX-License-Identifier: MIT */
/* The primitives of a draw as JSON. */
#include "inspect/json/json.h"

void inspect_put_planes(struct json_writer *json, const char *name, unsigned planes)
{
    json_open_list(json, name);
    for (unsigned i = 0; i < INSPECT_PLANE_BITS; i++)
        if (planes >> i & 1 && inspect_plane_name(i))
            json_put_text(json, NULL, inspect_plane_name(i));
    json_close(json);
}

static void put_vector(struct json_writer *json, const char *name, const float vector[4])
{
    json_open_list(json, name);
    for (unsigned c = 0; c < 4; c++)
        json_put_float(json, NULL, vector[c]);
    json_close(json);
}

static void put_fetched(struct json_writer *json, const struct inspect_format *format,
                        const struct inspect_corner *corner)
{
    json_open_list(json, "fetched");
    for (unsigned e = 0; e < format->count; e++) {
        json_open_list(json, NULL);
        for (unsigned c = 0; c < format->element[e].count; c++)
            json_put_float(json, NULL, corner->fetched[e][c]);
        json_close(json);
    }
    json_close(json);
}

void inspect_put_corner(struct json_writer *json, const char *name, const struct inspect_format *format,
                        const struct inspect_corner *corner, uint64_t number, unsigned inputs)
{
    json_open_object(json, name);
    json_put_number(json, "number", number);
    if (format && format->indexed)
        json_put_number(json, "index", corner->index);
    if (format)
        json_put_signed(json, "vertex", corner->vertex);
    json_put_bool(json, "missing", corner->missing);
    if (format)
        put_fetched(json, format, corner);
    put_vector(json, "clip", corner->clip);
    if (corner->has_window)
        put_vector(json, "window", corner->window);
    inspect_put_planes(json, "outside", corner->outside);
    json_open_list(json, "inputs");
    for (unsigned i = 0; i < inputs; i++)
        put_vector(json, NULL, corner->input[i]);
    json_close(json);
    json_close(json);
}

void inspect_put_format(struct json_writer *json, const char *name, const struct inspect_format *format)
{
    json_open_object(json, name);
    json_put_bool(json, "indexed", format->indexed);
    json_put_bool(json, "transformed", format->transformed);
    json_put_bool(json, "tessellated", format->tessellated);
    json_open_list(json, "elements");
    for (unsigned e = 0; e < format->count; e++) {
        const struct inspect_element *element = &format->element[e];

        json_open_object(json, NULL);
        json_put_text(json, "name", element->name);
        json_put_text(json, "type", element->type);
        json_put_number(json, "stream", element->stream);
        json_put_number(json, "offset", element->offset);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

void inspect_put_primitive(struct json_writer *json, const char *name, const struct inspect_primitive *primitive)
{
    json_open_object(json, name);
    json_put_number(json, "primitive", primitive->number);
    json_put_number(json, "part", primitive->part);
    json_put_text(json, "verdict",
                  primitive->verdict == INSPECT_WRITTEN ? "drawn" : inspect_verdict_name(primitive->verdict));
    inspect_put_planes(json, "planes", primitive->planes);
    json_open_list(json, "corners");
    for (unsigned c = 0; c < primitive->corners; c++)
        inspect_put_corner(json, NULL, primitive->format, &primitive->corner[c],
                           (uint64_t)primitive->number * primitive->corners + c, primitive->inputs);
    json_close(json);
    json_close(json);
}
