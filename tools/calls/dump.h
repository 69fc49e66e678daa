/* SPDX-License-Identifier: MIT */
/* Plays the events of a capture through the bridge, and prints the calls that each of them becomes: dp2 dump --ddi umd. */
#ifndef HALCYON_TOOLS_CALLS_DUMP_H
#define HALCYON_TOOLS_CALLS_DUMP_H

#include "base/json/json.h"
#include "dp2/text/text.h"
#include "replay/player.h"

struct calls_dump;

/* One at a time in a process. all: lists are not shortened. NULL: *hr says why. */
struct calls_dump *calls_dump_open(bool all, HRESULT *hr);
/* Destroys contexts and surfaces; these calls are not printed. */
void calls_dump_close(struct calls_dump *dump);

/* Plays an event. show: keeps the text of its calls. False: the event is invalid, exceeds the limit of work, or memory ran out; see the error. */
bool calls_dump_play(struct calls_dump *dump, const struct capture_event *event, bool show,
                     struct capture_error *error);
/* Prints the calls of a command that the event holds, a line each (after_command of struct dp2_print_options). */
void calls_dump_command(struct calls_dump *dump, const struct dp2_sink *sink, const struct dp2_command *command);
/* Prints those calls of the event that are not printed yet; a comment if it has none at all. */
void calls_dump_rest(struct calls_dump *dump, const struct dp2_sink *sink);

/* Plays an event and writes its calls as the list "calls", into the object that is open. As calls_dump_play. */
bool calls_dump_put(struct calls_dump *dump, const struct capture_event *event, struct json_writer *json,
                    struct capture_error *error);

#endif
