/* SPDX-License-Identifier: MIT */
/* The answers as JSON: the members that docs/json.md lists. */
#ifndef HALCYON_INSPECT_JSON_H
#define HALCYON_INSPECT_JSON_H

#include "inspect/draws.h"
#include "inspect/mesh.h"
#include "inspect/pixel.h"
#include "inspect/state.h"
#include "tools/json.h"

/* "2.17" */
void inspect_put_place(struct json_writer *json, const char *name, const struct inspect_place *place);
/* The members of an action that say what and where it is, into the object that is open. */
void inspect_put_action(struct json_writer *json, const struct inspect_action *action);
/* A value of dp2 state: its members, into the object that is open. */
void inspect_put_value(struct json_writer *json, const struct inspect_value *value);
/* A primitive of dp2 mesh; names of planes. */
void inspect_put_primitive(struct json_writer *json, const char *name, const struct inspect_primitive *primitive);
void inspect_put_planes(struct json_writer *json, const char *name, unsigned planes);
/* What targets hold at a pixel; a row of its history. */
void inspect_put_pixel(struct json_writer *json, const char *name, const struct inspect_pixel *pixel);
void inspect_put_pixel_row(struct json_writer *json, const char *name, const struct inspect_pixel_row *row);
/* A row of dp2 draws; name NULL: in a list. */
void inspect_put_draw(struct json_writer *json, const char *name, const struct inspect_draw *draw);

#endif
