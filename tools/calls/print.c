/* SPDX-License-Identifier: MIT */
/* A call as a line of text. */
#include "tools/calls/calls.h"

#define SHOWN      4u /* elements of a list that is shortened */

#define MOST_DEPTH 8

struct printer {
    const struct dp2_sink *sink;
    bool all;
    unsigned depth, hidden; /* levels that are open; of them hidden ones */
    struct {
        bool list;
        unsigned count;
    } level[MOST_DEPTH];
};

/* Begins an element. False: it is not shown. */
static bool begin(struct printer *p, const char *name)
{
    const unsigned index = p->level[p->depth].count++;

    if (p->hidden)
        return false;
    if (p->level[p->depth].list && index >= SHOWN && !p->all) {
        if (index == SHOWN)
            dp2_sink_printf(p->sink, " ...");
        return false;
    }
    dp2_sink_printf(p->sink, index ? " " : "");
    if (name)
        dp2_sink_printf(p->sink, "%s=", name);
    return true;
}

static void open_group(void *user, const char *name, enum dp2_group group)
{
    struct printer *p = user;

    if (!begin(p, name) || p->depth + 1 == MOST_DEPTH) {
        p->hidden++;
        return;
    }
    dp2_sink_printf(p->sink, group == DP2_LIST ? "[" : "{");
    p->depth++;
    p->level[p->depth].list = group == DP2_LIST;
    p->level[p->depth].count = 0;
}

static void close_group(void *user)
{
    struct printer *p = user;

    if (p->hidden) {
        p->hidden--;
        return;
    }
    dp2_sink_printf(p->sink, p->level[p->depth].list ? "]" : "}");
    p->depth--;
}

static void put_value(void *user, const char *name, const struct dp2_value *value)
{
    struct printer *p = user;

    if (begin(p, name))
        dp2_print_decoded(p->sink, value);
}

void calls_print(const struct dp2_sink *sink, const struct calls_call *call, bool all)
{
    struct printer printer = {.sink = sink, .all = all};
    const struct dp2_visitor visitor = {open_group, close_group, put_value, &printer, false};
    const char *result = calls_result_name(call->result);

    dp2_sink_printf(sink, "%s(", call->function);
    calls_visit(&visitor, call);
    dp2_sink_printf(sink, ")");
    if (result)
        dp2_sink_printf(sink, " -> %s", result);
}
