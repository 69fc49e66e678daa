/* SPDX-License-Identifier: MIT */
/* The answers as JSON: the members that docs/json.md lists. */
#ifndef HALCYON_INSPECT_JSON_H
#define HALCYON_INSPECT_JSON_H

#include "inspect/draws.h"
#include "inspect/picture/mesh.h"
#include "inspect/pixel/pixel.h"
#include "inspect/state/state.h"
#include "tools/json.h"

/* "2.17" */
void inspect_put_place(struct json_writer *json, const char *name, const struct inspect_place *place);
/* The members of an action that say what and where it is, into the object that is open. */
void inspect_put_action(struct json_writer *json, const struct inspect_action *action);
/* A value of dp2 state: its members, into the object that is open. */
void inspect_put_value(struct json_writer *json, const struct inspect_value *value);
/* How the vertices of a draw come; a primitive of dp2 mesh; names of planes. */
void inspect_put_format(struct json_writer *json, const char *name, const struct inspect_format *format);
void inspect_put_primitive(struct json_writer *json, const char *name, const struct inspect_primitive *primitive);
void inspect_put_planes(struct json_writer *json, const char *name, unsigned planes);
/* A corner of one: its number among the corners of the draw; format NULL: without what the streams hold. */
void inspect_put_corner(struct json_writer *json, const char *name, const struct inspect_format *format,
                        const struct inspect_corner *corner, uint64_t number, unsigned inputs);
/* What a draw lacks; a list. */
void inspect_put_lacks(struct json_writer *json, const char *name, const struct inspect_lacks *lacks);
/* What targets hold at a pixel; a row of its history. */
void inspect_put_pixel(struct json_writer *json, const char *name, const struct inspect_pixel *pixel);
void inspect_put_pixel_row(struct json_writer *json, const char *name, const struct inspect_pixel_row *row);
/* A row of dp2 draws --names: what the action is and where. */
void inspect_put_name(struct json_writer *json, const char *name, const struct inspect_place *place,
                      const struct inspect_action *action);
/* A fragment of such a row. */
void inspect_put_fragment(struct json_writer *json, const char *name, const struct inspect_fragment *fragment);
/* A run of dp2 trace, streamed; quad: with the values of all its lanes. */
struct inspect_trace;
void inspect_put_trace(struct json_writer *json, const char *name, const struct inspect_trace *trace, bool quad);
/* A row of dp2 draws; name NULL: in a list. */
void inspect_put_draw(struct json_writer *json, const char *name, const struct inspect_draw *draw);

#endif
