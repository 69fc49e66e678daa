/* SPDX-License-Identifier: MIT */
/* dp2 state: the whole state of a draw, and the differences between two. */
#include "tools/debug/inspection.h"

#include "base/base.h"
#include "inspect/json/json.h"
#include "inspect/state/state.h"

#include <inttypes.h>
#include <string.h>

struct request {
    struct inspection inspection;
    char **names; /* of one draw or two */
    const char *group;
    bool all, changes, as_json;
    struct inspect_place place[2];
    struct inspect_state state[2]; /* [1]: of the draw before, or of the second draw */
    bool has_second;
    struct json_writer json;
};

/* --- text ---------------------------------------------------------------------------------------- */

static void print_numbers(const struct inspect_value *value)
{
    for (unsigned i = 0; i < value->count; i++) {
        float number;

        memcpy(&number, &value->bits[i], sizeof(number));
        if (i && i % 4 == 0)
            printf(" |");
        if (value->kind == INSPECT_FLOATS)
            printf(" %.9g", (double)number);
        else
            printf(" %" PRId32, (int32_t)value->bits[i]);
    }
}

static void print_value(const struct inspect_value *value)
{
    if (!value)
        printf(" -");
    else if (value->kind == INSPECT_FLOATS || value->kind == INSPECT_INTS)
        print_numbers(value);
    else if (value->kind == INSPECT_BITS)
        printf(" %s", value->text ? value->text : "");
}

/* Lines of a text, each after spaces. */
static void print_lines(const char *text)
{
    while (text && *text) {
        const size_t length = strcspn(text, "\n");

        printf("      %.*s\n", (int)length, text);
        text += length + (text[length] != 0);
    }
}

static bool is_asked_for(const struct request *r, const struct inspect_value *value)
{
    return !r->group || !strcmp(r->group, value->group);
}

/* Did an earlier draw have another value? */
static bool is_changed(const struct request *r, size_t index)
{
    const struct inspect_value *value = &r->state[0].values[index];

    return r->state[1].count && !inspect_same_value(value, inspect_state_find(&r->state[1], value, index));
}

static void print_state(const struct request *r)
{
    const char *group = "";

    for (size_t i = 0; i < r->state[0].count; i++) {
        const struct inspect_value *value = &r->state[0].values[i];
        const bool changed = is_changed(r, i);

        if (!is_asked_for(r, value) || (r->changes ? !changed : !r->all && !changed && value->is_default))
            continue;
        if (strcmp(group, value->group))
            printf("%s\n", value->group);
        group = value->group;
        printf("%c   %-26s", changed ? '*' : ' ', value->name);
        print_value(value);
        printf("\n");
        if (value->kind == INSPECT_LINES)
            print_lines(value->text);
    }
}

/* Calls the function for each value that differs: values of the first state, then values that only the second has. */
static void for_each_difference(struct request *r, void (*show)(struct request *r, const struct inspect_value *a,
                                                                const struct inspect_value *b))
{
    for (size_t i = 0; i < r->state[0].count; i++) {
        const struct inspect_value *a = &r->state[0].values[i];
        const struct inspect_value *b = inspect_state_find(&r->state[1], a, i);

        if (is_asked_for(r, a) && !inspect_same_value(a, b))
            show(r, a, b);
    }
    for (size_t i = 0; i < r->state[1].count; i++) {
        const struct inspect_value *b = &r->state[1].values[i];

        if (is_asked_for(r, b) && !b->is_default && !inspect_state_find(&r->state[0], b, i))
            show(r, NULL, b);
    }
}

static void print_difference(struct request *r, const struct inspect_value *a, const struct inspect_value *b)
{
    const struct inspect_value *any = a ? a : b;

    (void)r;
    printf("%-16s %-26s", any->group, any->name);
    if (any->kind == INSPECT_LINES) {
        printf("\n");
        print_lines(a ? a->text : NULL);
        printf("    ->\n");
        print_lines(b ? b->text : NULL);
        return;
    }
    print_value(a);
    printf("  ->");
    print_value(b);
    printf("\n");
}

/* --- JSON ---------------------------------------------------------------------------------------- */

static void put_state(struct request *r)
{
    struct json_writer *json = &r->json;
    const char *group = NULL;

    json_put_number(json, "context", r->state[0].context);
    json_stream_list(json, "groups");
    for (size_t i = 0; i < r->state[0].count; i++) {
        const struct inspect_value *value = &r->state[0].values[i];

        if (!is_asked_for(r, value) || (r->changes && !is_changed(r, i)))
            continue;
        if (!group || strcmp(group, value->group)) {
            if (group) {
                json_close(json);
                json_close(json);
            }
            json_open_object(json, NULL);
            json_put_text(json, "group", value->group);
            json_open_list(json, "values");
        }
        group = value->group;
        json_open_object(json, NULL);
        json_put_text(json, "name", value->name);
        inspect_put_value(json, value);
        json_put_bool(json, "default", value->is_default);
        json_put_bool(json, "changed", is_changed(r, i));
        json_close(json);
    }
    if (group) {
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void put_side(struct json_writer *json, const char *name, const struct inspect_value *value)
{
    json_open_object(json, name);
    if (value)
        inspect_put_value(json, value);
    json_close(json);
}

static void put_difference(struct request *r, const struct inspect_value *a, const struct inspect_value *b)
{
    const struct inspect_value *any = a ? a : b;

    json_open_object(&r->json, NULL);
    json_put_text(&r->json, "group", any->group);
    json_put_text(&r->json, "name", any->name);
    put_side(&r->json, "a", a);
    put_side(&r->json, "b", b);
    json_close(&r->json);
}

static int put_document(struct request *r)
{
    json_begin(&r->json, stdout, "dp2-state", false);
    json_put_text(&r->json, "file", r->inspection.path);
    inspect_put_place(&r->json, "draw", &r->place[0]);
    if (r->has_second) {
        inspect_put_place(&r->json, "other", &r->place[1]);
        json_stream_list(&r->json, "differences");
        for_each_difference(r, put_difference);
        json_close(&r->json);
    } else {
        put_state(r);
    }
    return json_end(&r->json) ? TOOL_OK : tool_fail(&verb_state, "out of memory");
}

/* --- the session --------------------------------------------------------------------------------- */

/* State number n: of the draw with this name; if it is the only draw, also the state of the previous draw as number
 * 1. */
static int ask_state(struct request *r, unsigned n, const char *name)
{
    struct inspect *session = r->inspection.session;
    struct capture_error error = {0};
    int status = inspection_find(&r->inspection, name, &r->place[n]);
    uint32_t context;

    if (status != TOOL_OK)
        return status;
    if (!inspect_seek(session, r->place[n].draw + (size_t)1, &error) ||
        !inspect_state(session, 0, &r->state[n], &error))
        return inspection_fail(&r->inspection, &error);
    if (r->has_second)
        return TOOL_OK;
    context = r->state[n].context;
    if (!inspect_seek(session, r->place[n].draw, &error))
        return inspection_fail(&r->inspection, &error);
    /* A context that is created for this draw had no state before. */
    if (inspect_state(session, context, &r->state[1], &error))
        return TOOL_OK;
    inspect_state_free(&r->state[1]);
    return inspect_lacks_memory(&error) ? inspection_fail(&r->inspection, &error) : TOOL_OK;
}

static int show_states(void *user)
{
    struct request *r = user;
    int status = ask_state(r, 0, r->names[0]);

    if (status == TOOL_OK && r->has_second)
        status = ask_state(r, 1, r->names[1]);
    if (status != TOOL_OK)
        return status;
    if (r->as_json)
        status = put_document(r);
    else if (r->has_second)
        for_each_difference(r, print_difference);
    else
        print_state(r);
    return status;
}

static int state_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;
    int status;

    r->has_second = count == 3;
    if (r->has_second && r->changes)
        return tool_usage(&verb_state, "--changes takes one draw");
    r->names = operands + 1;
    status = inspection_ask(&r->inspection, &verb_state, operands[0], show_states, r);
    inspect_state_free(&r->state[0]);
    inspect_state_free(&r->state[1]);
    return status;
}

static const struct option_row options[] = {
    {"all", 0, SETS_BOOL(struct request, all), .help = "also print the values that a new device has"},
    {"changes", 0, SETS_BOOL(struct request, changes), .help = "print only what was set since the previous draw"},
    {"group", 0, SETS_TEXT(struct request, group), .argument = "NAME",
     .help = "print only this group, as 'render states' or 'stage 0'"},
    {"json", 0, SETS_BOOL(struct request, as_json), .help = "print all values as JSON (docs/json.md)"},
    {0},
};

static const struct option_operand operands[] = {
    {"FILE", .value = VALUE_FILE}, {.name = "FRAME.DRAW"}, {"FRAME.DRAW", .optional = true}, {0}};

const struct tool_verb verb_state = {
    .syntax =
        {
            .name = "state",
            .summary = "show the state of a draw, or what two differ in",
            .about = "Prints the state of a draw by groups: targets, render states, texture stages and samplers, "
                     "transforms, material, lights, streams, shaders with their code, constants; of DirectDraw's "
                     "surfaces the place in a flip chain, keys and palettes, and all palettes. Values that a new "
                     "device has are left out. A * marks what was set since the previous draw, clear or blit. With a "
                     "second draw, prints what differs between the two.\n"
                     "\n"
                     "'dp2 draws' lists the names of draws; FRAME:CALL:OFFSET is a name too.",
            .options = options,
            .examples = "dp2 state game.capture 2.1\n"
                        "dp2 state game.capture 2.1 --changes\n"
                        "dp2 state game.capture 2.1 2.2\n"
                        "dp2 state game.capture 2.1 --group 'render states' --all",
            .operands = operands,
            .missing = "a capture and a draw, FRAME.DRAW",
        },
    .size = sizeof(struct request),
    .run = state_verb,
};
