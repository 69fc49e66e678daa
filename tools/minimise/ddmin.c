/* SPDX-License-Identifier: MIT */
/* Delta debugging of lists and ranges. */
#include "tools/minimise/ddmin.h"

#include <string.h>

/* Progress of the work: the length of runs is halved repeatedly, with a pass over all items at each length. */
struct ddmin_place {
    unsigned pass, passes;
    double share; /* shown last */
};

/* part: of the pass, 0 to 1 */
static void ddmin_show(const struct ddmin *ddmin, struct ddmin_place *place, double part)
{
    const double share = (place->pass + part) / place->passes;

    place->share = share > place->share ? share : place->share;
    place->share = place->share < 1 ? place->share : 1;
    if (ddmin->progress)
        ddmin->progress(ddmin->user, place->share);
}

static void ddmin_set(uint8_t *const *items, size_t count, uint8_t flag)
{
    for (size_t i = 0; i < count; i++)
        *items[i] = flag;
}

/* One pass, from the end: removes each run of `length` items that is not needed. *removed: at least one was. */
static bool ddmin_pass(const struct ddmin *ddmin, uint8_t **items, size_t *count, size_t length, bool *removed,
                       struct ddmin_place *place)
{
    const size_t all = *count;
    size_t end = all;

    *removed = false;
    while (end > 0) {
        const size_t run = length < end ? length : end, begin = end - run;
        enum ddmin_answer answer;

        ddmin_set(items + begin, run, 0);
        answer = ddmin->test(ddmin->user);
        if (answer == DDMIN_YES) {
            memmove(items + begin, items + end, (*count - end) * sizeof(*items));
            *count -= run;
            *removed = true;
        } else {
            ddmin_set(items + begin, run, 1);
        }
        if (answer == DDMIN_STOP)
            return false;
        end = begin;
        ddmin_show(ddmin, place, 1 - (double)end / (double)all);
    }
    return true;
}

bool ddmin_list(const struct ddmin *ddmin, uint8_t **items, size_t *count)
{
    struct ddmin_place place = {.passes = 1};
    size_t length = *count;
    bool removed = false;

    for (size_t l = length; l > 1; l = (l + 1) / 2)
        place.passes++;
    for (;; length = (length + 1) / 2) {
        if (*count == 0)
            break;
        if (!ddmin_pass(ddmin, items, count, length, &removed, &place))
            return false;
        if (length <= 1 && !removed)
            break;
        place.pass += place.pass + 1 < place.passes; /* there may be several passes over single items */
    }
    place.pass = place.passes - 1;
    ddmin_show(ddmin, &place, 1);
    return true;
}

bool ddmin_range(const struct ddmin *ddmin, uint32_t *begin, uint32_t *end, uint32_t least, uint32_t step)
{
    uint32_t part = (*end - *begin) / 2;

    while (part > 0) {
        const uint32_t old_begin = *begin, old_end = *end, length = old_end - old_begin;
        const uint32_t front = step ? part / step * step : 0;
        enum ddmin_answer answer = DDMIN_NO;

        if (length >= part && length - part >= least) {
            *end -= part;
            answer = ddmin->test(ddmin->user);
            if (answer != DDMIN_YES)
                *end = old_end;
        }
        if (answer == DDMIN_NO && front && length >= front && length - front >= least) {
            *begin += front;
            answer = ddmin->test(ddmin->user);
            if (answer != DDMIN_YES)
                *begin = old_begin;
        }
        if (answer == DDMIN_STOP)
            return false;
        if (answer == DDMIN_NO)
            part /= 2;
        else if (part > *end - *begin)
            part = *end - *begin;
    }
    return true;
}
