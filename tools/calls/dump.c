/* SPDX-License-Identifier: MIT */
/* The calls that each event of a capture becomes, collected while the event is played. */
#include "tools/calls/dump.h"

#include "base/base.h"
#include "d3d/halcyon.h"
#include "d3d/umd_private.h"
#include "d3d/umd.h"
#include "inspect/json/event.h"
#include "tools/calls/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct calls_dump {
    struct client_driver driver;
    struct player *player;
    bool all, show, failed;
    struct json_writer *json; /* NULL: text */
    char *text;               /* of the event's calls, a line each */
    size_t length, capacity;
    struct line {
        uint32_t offset; /* of its command */
        size_t start;    /* in the text */
    } * lines;
    size_t line_count, line_capacity;
    size_t printed; /* lines */
};

/* --- collecting --------------------------------------------------------------------------------- */

static void keep_text(void *user, const char *text, size_t size)
{
    struct calls_dump *dump = user;
    char *grown = dump->failed ? NULL : mem_grow(dump->text, &dump->capacity, dump->length, size);

    if (!grown) {
        dump->failed = true;
        return;
    }
    dump->text = grown;
    memcpy(dump->text + dump->length, text, size);
    dump->length += size;
}

static void keep_line(struct calls_dump *dump, const struct calls_call *call)
{
    const struct dp2_sink sink = {keep_text, dump};

    if (dump->line_count == dump->line_capacity) {
        const size_t capacity = 2 * dump->line_capacity + 64;
        struct line *bigger = mem_realloc(dump->lines, capacity, sizeof(*bigger));
        if (!bigger) {
            dump->failed = true;
            return;
        }
        dump->lines = bigger;
        dump->line_capacity = capacity;
    }
    dump->lines[dump->line_count++] = (struct line){call->offset, dump->length};
    calls_print(&sink, call, dump->all);
}

static void put_call(struct json_writer *json, const struct calls_call *call)
{
    const struct dp2_visitor visitor = json_event_visitor(json, false);
    const char *result = calls_result_name(call->result);

    json_open_object(json, NULL);
    json_put_text(json, "function", call->function);
    if (call->offset != CLIENT_UMD_NO_COMMAND)
        json_put_number(json, "command", call->offset);
    json_open_object(json, "arguments");
    calls_visit(&visitor, call);
    json_close(json);
    if (result)
        json_put_text(json, "result", result);
    json_close(json);
}

/* Calls that say nothing about the capture: limits of the player's work, and holding the device around each DrawPrimitives2. */
static bool is_of_player(const struct calls_call *call)
{
    return calls_is_info(call, HALCYON_DEVINFOID_ALLOWANCE) || calls_is_info(call, HALCYON_DEVINFOID_HOLD);
}

static void take_call(void *user, const struct calls_call *call)
{
    struct calls_dump *dump = user;

    if (!dump->show || is_of_player(call))
        return;
    if (dump->json)
        put_call(dump->json, call);
    else
        keep_line(dump, call);
}

/* --- the driver ------------------------------------------------------------------------------------ */

struct calls_dump *calls_dump_open(bool all, HRESULT *hr)
{
    struct calls_dump *dump = mem_calloc(1, sizeof(*dump));

    *hr = DDERR_OUTOFMEMORY;
    if (!dump)
        return NULL;
    dump->all = all;
    calls_report(take_call, dump);
    client_umd_choose(OpenAdapter);
    *hr = client_driver_init(&dump->driver, client_umd_init);
    if (FAILED(*hr)) {
        calls_report(NULL, NULL);
        free(dump);
        return NULL;
    }
    dump->player = player_create(&dump->driver);
    *hr = dump->player ? player_prepare(dump->player) : DDERR_OUTOFMEMORY;
    if (FAILED(*hr)) {
        calls_dump_close(dump);
        return NULL;
    }
    return dump;
}

void calls_dump_close(struct calls_dump *dump)
{
    if (!dump)
        return;
    dump->show = false;
    player_destroy(dump->player);
    client_driver_close(&dump->driver);
    calls_report(NULL, NULL);
    free(dump->text);
    free(dump->lines);
    free(dump);
}

static bool play(struct calls_dump *dump, const struct capture_event *event, struct capture_error *error)
{
    if (!player_play(dump->player, event, error))
        return false;
    if (!dump->failed)
        return true;
    *error = (struct capture_error){.offset = event->offset, .system = ENOMEM, .text = "out of memory"};
    return false;
}

/* --- text -------------------------------------------------------------------------------------------- */

bool calls_dump_play(struct calls_dump *dump, const struct capture_event *event, bool show, struct capture_error *error)
{
    dump->length = dump->line_count = dump->printed = 0;
    dump->show = show;
    dump->json = NULL;
    return play(dump, event, error);
}

static void print_next(struct calls_dump *dump, const struct dp2_sink *sink)
{
    static const char indent[] = "            ", end[] = "\n";
    const size_t at = dump->printed++;
    const size_t last = dump->printed < dump->line_count ? dump->lines[dump->printed].start : dump->length;

    sink->put(sink->user, indent, sizeof(indent) - 1);
    sink->put(sink->user, dump->text + dump->lines[at].start, last - dump->lines[at].start);
    sink->put(sink->user, end, sizeof(end) - 1);
}

void calls_dump_command(struct calls_dump *dump, const struct dp2_sink *sink, const struct dp2_command *command)
{
    size_t last = dump->printed;

    for (size_t i = dump->printed; i < dump->line_count && (dump->lines[i].offset == CLIENT_UMD_NO_COMMAND ||
                                                            dump->lines[i].offset <= command->offset);
         i++)
        if (dump->lines[i].offset != CLIENT_UMD_NO_COMMAND)
            last = i + 1; /* and what comes before the first command */
    while (dump->printed < last)
        print_next(dump, sink);
}

void calls_dump_rest(struct calls_dump *dump, const struct dp2_sink *sink)
{
    if (!dump->line_count)
        dp2_sink_printf(sink, "            // no call\n");
    while (dump->printed < dump->line_count)
        print_next(dump, sink);
}

/* --- JSON -------------------------------------------------------------------------------------------- */

bool calls_dump_put(struct calls_dump *dump, const struct capture_event *event, struct json_writer *json,
                    struct capture_error *error)
{
    bool done;

    dump->show = true;
    dump->json = json;
    json_open_list(json, "calls");
    done = play(dump, event, error);
    json_close(json);
    return done;
}
