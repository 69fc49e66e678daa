/* SPDX-License-Identifier: MIT */
/* The names of draws: FRAME.DRAW, or FRAME:CALL:OFFSET. */
#include "inspect/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static bool parse_part(const char **text, uint32_t *value)
{
    const bool hexadecimal = (*text)[0] == '0' && (*text)[1] == 'x';
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    const unsigned long long number = strtoull(*text, &end, hexadecimal ? 16 : 10);
    if (errno || number >= UINT32_MAX || end == *text)
        return false;
    *value = (uint32_t)number;
    *text = end;
    return true;
}

bool inspect_parse_name(struct inspect_name *name, const char *text)
{
    *name = (struct inspect_name){.place.draw = UINT32_MAX};
    if (!parse_part(&text, &name->place.frame))
        return false;
    if (*text == '.') {
        text++;
        return parse_part(&text, &name->place.draw) && !*text;
    }
    name->by_offset = true;
    if (*text++ != ':' || !parse_part(&text, &name->call) || *text++ != ':')
        return false;
    return parse_part(&text, &name->offset) && !*text;
}

bool inspect_resolve(struct inspect *session, const struct inspect_name *name, struct inspect_place *place,
                     struct capture_error *error)
{
    if ((!session->loaded || session->frame != name->place.frame) && !inspect_load(session, name->place.frame, error)) {
        if (!error->text[0])
            inspect_fail(error, "no such frame: %" PRIu32 " (the capture has %" PRIu32 ")", name->place.frame,
                         session->frames_there);
        return false;
    }
    *place = name->place;
    if (!name->by_offset && name->place.draw >= session->index.count)
        return inspect_fail(error, "frame %" PRIu32 " has no draw %" PRIu32 "; it has %zu, counted from 0",
                            name->place.frame, name->place.draw, session->index.count);
    for (size_t i = 0; name->by_offset && i < session->index.count; i++) {
        const struct inspect_action *action = &session->index.pieces[i].action;

        if (action->call == name->call && action->offset == name->offset) {
            place->draw = (uint32_t)i;
            return true;
        }
    }
    return !name->by_offset || inspect_fail(error, "nothing is drawn at %" PRIu32 ":%" PRIu32 ":%#" PRIx32,
                                            name->place.frame, name->call, name->offset);
}
