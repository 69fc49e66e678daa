/* SPDX-License-Identifier: MIT */
/*
 * Frame lists as users write them: "10,101-200,300-".
 */
#include "base/base.h"
#include "base/frames.h"

#include <errno.h>
#include <stdlib.h>

static bool parse_frame(const char **text, uint32_t *frame)
{
    char *end;
    unsigned long value;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    value = strtoul(*text, &end, 10);
    *text = end;
    *frame = (uint32_t)value;
    return !errno && value < UINT32_MAX;
}

bool frame_range_parse(struct frame_range *range, const char *text)
{
    range->count = 0;
    do {
        uint32_t first, last;
        if (range->count == ARRAY_COUNT(range->spans) || !parse_frame(&text, &first))
            return false;
        last = first;
        if (*text == '-') {
            text++;
            last = UINT32_MAX;
            if (*text && *text != ',' && !parse_frame(&text, &last))
                return false;
        }
        if (last < first)
            return false;
        range->spans[range->count].first = first;
        range->spans[range->count++].last = last;
    } while (*text++ == ',');
    return text[-1] == 0;
}

bool frame_range_has(const struct frame_range *range, uint32_t frame)
{
    for (unsigned i = 0; i < range->count; i++)
        if (frame >= range->spans[i].first && frame <= range->spans[i].last)
            return true;
    return range->count == 0;
}

uint32_t frame_range_end(const struct frame_range *range)
{
    uint32_t end = 0;

    for (unsigned i = 0; i < range->count; i++)
        end = BASE_MAX(end, range->spans[i].last);
    return range->count ? end : UINT32_MAX;
}
