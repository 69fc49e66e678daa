/* SPDX-License-Identifier: MIT */
/* The answers as JSON: the members that docs/json.md lists. */
#ifndef HALCYON_INSPECT_JSON_H
#define HALCYON_INSPECT_JSON_H

#include "inspect/draws.h"
#include "inspect/picture/mesh.h"
#include "inspect/pixel/pixel.h"
#include "inspect/state/state.h"
#include "base/json/json.h"

/* "2.17" */
void inspect_put_place(struct json_writer *json, const char *name, const struct inspect_place *place);
/* Writes the members that identify an action into the open object. */
void inspect_put_action(struct json_writer *json, const struct inspect_action *action);
/* Writes the members of a value of dp2 state into the open object. */
void inspect_put_value(struct json_writer *json, const struct inspect_value *value);
/* The kind of a draw's vertices; a primitive of dp2 mesh; names of planes. */
void inspect_put_format(struct json_writer *json, const char *name, const struct inspect_format *format);
void inspect_put_primitive(struct json_writer *json, const char *name, const struct inspect_primitive *primitive);
void inspect_put_planes(struct json_writer *json, const char *name, unsigned planes);
/* A corner of a primitive, with its number among the corners of the draw; format NULL: without the contents of the
 * streams. */
void inspect_put_corner(struct json_writer *json, const char *name, const struct inspect_format *format,
                        const struct inspect_corner *corner, uint64_t number, unsigned inputs);
/* The missing data of a draw, as a list. */
void inspect_put_lacks(struct json_writer *json, const char *name, const struct inspect_lacks *lacks);
/* The contents of targets at a pixel; a row of its history. */
void inspect_put_pixel(struct json_writer *json, const char *name, const struct inspect_pixel *pixel);
void inspect_put_pixel_row(struct json_writer *json, const char *name, const struct inspect_pixel_row *row);
/* A row of dp2 draws --names: the kind and place of an action. */
void inspect_put_name(struct json_writer *json, const char *name, const struct inspect_place *place,
                      const struct inspect_action *action);
/* A fragment of such a row. */
void inspect_put_fragment(struct json_writer *json, const char *name, const struct inspect_fragment *fragment);
/* A run of dp2 trace, streamed; quad: with the values of all its lanes. */
struct inspect_trace;
void inspect_put_trace(struct json_writer *json, const char *name, const struct inspect_trace *trace, bool quad);
/* A row of dp2 draws; name NULL: in a list. changes: of a draw, the states that differ from the action before; NULL: not known, so none. */
struct inspect_changes;
void inspect_put_draw(struct json_writer *json, const char *name, const struct inspect_draw *draw,
                      const struct inspect_changes *changes);

#endif
