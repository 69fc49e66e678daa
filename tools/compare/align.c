/* SPDX-License-Identifier: MIT */
/* Aligns two lists by a shortest edit script. */
#include "tools/compare/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define MOST_DIFFERENCES 3000 /* the furthest points of all steps take 4 bytes times its square */

struct align {
    const uint64_t *a, *b;
    int a_count, b_count;
    int *steps[MOST_DIFFERENCES + 1]; /* of each number of differences d: the furthest x on diagonals -d..d */
    int count;
};

/* The furthest x on diagonal k with d differences, before the common elements that follow. */
static int align_begin(const struct align *align, int d, int k)
{
    const int *before = d ? align->steps[d - 1] + (d - 1) : NULL;

    if (d == 0)
        return 0;
    return k == -d || (k != d && before[k - 1] < before[k + 1]) ? before[k + 1] : before[k - 1] + 1;
}

/* One more difference. 1: the end of both is reached; 0: not yet; -1: no memory. */
static int align_step(struct align *align, int d)
{
    int *furthest = mem_calloc(2 * (size_t)d + 1, sizeof(*furthest));

    if (!furthest)
        return -1;
    align->steps[align->count++] = furthest;
    furthest += d;
    for (int k = -d; k <= d; k += 2) {
        int x = align_begin(align, d, k);

        while (x < align->a_count && x - k < align->b_count && x - k >= 0 && align->a[x] == align->b[x - k])
            x++;
        furthest[k] = x;
        if (x >= align->a_count && x - k >= align->b_count)
            return 1;
    }
    return 0;
}

/* Walks from the end back to the beginning, recording common elements. */
static void align_trace(const struct align *align, size_t *match, size_t b_first)
{
    int x = align->a_count, y = align->b_count;

    for (int d = align->count - 1; d >= 0; d--) {
        const int k = x - y, begin = align_begin(align, d, k);
        const int *before = d ? align->steps[d - 1] + (d - 1) : NULL;

        while (x > begin) {
            x--;
            y--;
            match[x] = b_first + (size_t)y;
        }
        if (d == 0)
            return;
        if (k == -d || (k != d && before[k - 1] < before[k + 1]))
            y--;
        else
            x--;
    }
}

/* The rest between common beginnings and ends. */
static bool align_middle(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, size_t *match,
                         size_t b_first)
{
    struct align *align = mem_calloc(1, sizeof(*align));
    int found = 0;

    if (!align)
        return false;
    align->a = a;
    align->b = b;
    align->a_count = (int)a_count;
    align->b_count = (int)b_count;
    for (int d = 0; found == 0 && d <= MOST_DIFFERENCES; d++)
        found = align_step(align, d);
    if (found > 0)
        align_trace(align, match, b_first);
    for (int i = 0; i < align->count; i++)
        free(align->steps[i]);
    free(align);
    return found >= 0;
}

bool align_sequences(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, size_t *match)
{
    size_t front = 0, a_end = a_count, b_end = b_count;

    for (size_t i = 0; i < a_count; i++)
        match[i] = ALIGN_NONE;
    for (; front < a_end && front < b_end && a[front] == b[front]; front++)
        match[front] = front;
    while (a_end > front && b_end > front && a[a_end - 1] == b[b_end - 1])
        match[--a_end] = --b_end;
    if (a_end == front || b_end == front || a_end > INT32_MAX / 2 || b_end > INT32_MAX / 2)
        return true;
    return align_middle(a + front, a_end - front, b + front, b_end - front, match + front, front);
}
