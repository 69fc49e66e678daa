/* SPDX-License-Identifier: MIT */
/* Declares the words of the text notation (docs/dp2-text.md) as JSON, for editors that complete them. */
#ifndef HALCYON_TOOLS_NAMES_WORDS_H
#define HALCYON_TOOLS_NAMES_WORDS_H

#include "base/json/json.h"

/* The member "words" of docs/json.md, section "tokens". */
void words_put(struct json_writer *json);

#endif
