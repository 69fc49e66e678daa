/* SPDX-License-Identifier: MIT */
/* Actions that meet conditions: "ZENABLE off reads #12". */
#ifndef HALCYON_INSPECT_FIND_H
#define HALCYON_INSPECT_FIND_H

#include "inspect/inspect.h"

#define INSPECT_MOST_CONDITIONS 16
#define INSPECT_MEANING         160 /* bytes of a sentence, with its end */

/* All conditions of a text; an action must meet each. */
struct inspect_query;

/* Parses conditions between spaces (docs/debugging.md lists them). NULL: `why` says which word is not understood, and what it may have
 * been; or out of memory, which it says too (*no_memory). */
struct inspect_query *inspect_query(const char *text, char *why, size_t why_size, bool *no_memory);
void inspect_query_free(struct inspect_query *query);

size_t inspect_query_count(const struct inspect_query *query);
/* The words of a condition as they were typed, and what they mean as a sentence without full stop: "ZENABLE is FALSE". */
const char *inspect_query_words(const struct inspect_query *query, size_t condition);
const char *inspect_query_meaning(const struct inspect_query *query, size_t condition);
/* Actions tested so far, and those of them that met a condition, whatever the others say. */
uint64_t inspect_query_tested(const struct inspect_query *query);
uint64_t inspect_query_met(const struct inspect_query *query, size_t condition);

/*
 * Tests the actions of a frame in order, and calls `found` for those that meet all conditions; it returns false to end the work. The
 * session must be one with states_alone. Returns false on failure, or if there is no such frame (error->text is empty).
 */
bool inspect_find(struct inspect *session, uint32_t frame, struct inspect_query *query,
                  bool (*found)(void *user, const struct inspect_place *place, const struct inspect_action *action),
                  void *user, struct capture_error *error);

#endif
