/* SPDX-License-Identifier: MIT */
#include "base/word.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST 32u /* letters; longer words are not compared */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned word_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LONGEST + 1] = {{0}}; /* for the last two letters of a, and for the current one */

    if (a_length > LONGEST || b_length > LONGEST)
        return LONGEST;
    for (unsigned x = 0; x <= b_length; x++)
        rows[1][x] = x;
    for (unsigned y = 1; y <= a_length; y++) {
        unsigned *row = rows[2];

        row[0] = y;
        for (unsigned x = 1; x <= b_length; x++) {
            const bool same = toupper((unsigned char)a[y - 1]) == toupper((unsigned char)b[x - 1]);

            row[x] = least(least(row[x - 1], rows[1][x]) + 1, rows[1][x - 1] + !same);
            if (y > 1 && x > 1 && a[y - 1] == b[x - 2] && a[y - 2] == b[x - 1])
                row[x] = least(row[x], rows[0][x - 2] + 1);
        }
        memcpy(rows[0], rows[1], sizeof(rows[0]));
        memcpy(rows[1], rows[2], sizeof(rows[1]));
    }
    return rows[1][b_length];
}

void word_guess(struct word_guess *guess, const char *name, size_t length)
{
    const unsigned limit = guess->word_length < 3 ? 0 : guess->word_length < 6 ? 1 : guess->word_length / 3;
    const unsigned distance = word_distance(guess->word, guess->word_length, name, length);

    if (distance <= limit && (!guess->best || distance < guess->distance)) {
        guess->best = name;
        guess->best_length = length;
        guess->distance = distance;
    }
}
