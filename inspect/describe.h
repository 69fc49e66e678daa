/* SPDX-License-Identifier: MIT */
/* Actions as one line of text. */
#ifndef HALCYON_INSPECT_DESCRIBE_H
#define HALCYON_INSPECT_DESCRIBE_H

#include "inspect/draws.h"
#include "inspect/frame.h"

/* The first line that dp2 dump prints for the command or event of an action, into INSPECT_TEXT bytes. False: out
 * of memory. */
bool inspect_describe(const struct inspect *session, const struct inspect_piece *piece, char *text);
/* The same for an event that is not a draw. */
void inspect_describe_event(const struct capture_event *event, char *text);

#endif
