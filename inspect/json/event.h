/* SPDX-License-Identifier: MIT */
/* Events of a capture and commands of a DrawPrimitives2 call as JSON, as docs/json.md lists their members. */
#ifndef HALCYON_INSPECT_JSON_EVENT_H
#define HALCYON_INSPECT_JSON_EVENT_H

#include "base/json/json.h"
#include "dp2/text/visit.h"

struct capture_event;
struct dp2_command;

/* Writes an event of a capture; bytes: the bytes of its commands as well. */
void json_put_event(struct json_writer *json, const char *name, const struct capture_event *event, bool bytes);
/* The same, with members at its end that `put` writes. */
void json_put_event_and(struct json_writer *json, const char *name, const struct capture_event *event, bool bytes,
                        void (*put)(void *user, struct json_writer *json), void *user);
/* Writes what it visits; bytes: those of commands as well. */
struct dp2_visitor json_event_visitor(struct json_writer *json, bool bytes);
/* Writes a command of a DrawPrimitives2 call. */
void json_put_command(struct json_writer *json, const char *name, const struct dp2_command *command);

#endif
