/* SPDX-License-Identifier: MIT */
/* How similar two words are, for "did you mean". */
#ifndef HALCYON_BASE_WORD_H
#define HALCYON_BASE_WORD_H

#include <stddef.h>

/* Letters to change, add, leave out or swap to get from one word to the other, whatever their case; at most 32. */
unsigned word_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* The most similar of the names tried, if it is similar enough: one letter of a word of three may be wrong, more of a longer one. */
struct word_guess {
    const char *word; /* as it was written */
    size_t word_length;
    const char *best; /* the most similar of all names tried; NULL: none */
    size_t best_length;
    unsigned distance;
};
void word_guess(struct word_guess *guess, const char *name, size_t length);

#endif
