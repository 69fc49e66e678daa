/* SPDX-License-Identifier: MIT */
/* The table of a verb as JSON. */
#include "base/options/options.h"

#include "base/json/json.h"

#include <string.h>

static const char *const value_names[] = {
    [VALUE_WORD] = "word",
    [VALUE_FILE] = "file",
    [VALUE_FOLDER] = "folder",
    [VALUE_COMMAND] = "command",
};

static void put_lines(struct json_writer *json, const char *name, const char *text)
{
    json_open_list(json, name);
    while (text && *text) {
        const size_t length = strcspn(text, "\n");

        json_put_characters(json, NULL, text, length);
        text += length + (text[length] != 0);
    }
    json_close(json);
}

static void put_usage(struct json_writer *json, const struct option_syntax *syntax)
{
    const char *left = NULL;
    char usage[256];

    json_open_list(json, "usage");
    while (options_usage(syntax, &left, usage, sizeof(usage)))
        json_put_text(json, NULL, usage);
    json_close(json);
}

static void put_operands(struct json_writer *json, const struct option_operand *operand)
{
    json_open_list(json, "operands");
    for (; operand && operand->name; operand++) {
        json_open_object(json, NULL);
        json_put_text(json, "name", operand->name);
        json_put_text(json, "value", value_names[operand->value]);
        json_put_bool(json, "optional", operand->optional);
        json_put_bool(json, "repeats", operand->repeats);
        json_close(json);
    }
    json_close(json);
}

static void put_choices(struct json_writer *json, const char *words)
{
    const char *word = words;
    size_t length;

    json_open_list(json, "choices");
    for (; (length = option_next_choice(&words)) > 0; word = words)
        json_put_characters(json, NULL, word, length);
    json_close(json);
}

static void put_option(struct json_writer *json, const struct option_row *row)
{
    json_open_object(json, NULL);
    json_put_text(json, "name", row->name);
    if (row->letter)
        json_put_characters(json, "letter", &row->letter, 1);
    json_put_text(json, "help", row->help);
    json_put_bool(json, "repeats", row->repeats);
    if (option_takes_value(row)) {
        json_put_text(json, "argument", row->argument);
        json_put_text(json, "value", value_names[row->value]);
        json_put_bool(json, "optional", row->optional);
    }
    if (row->kind == OPTION_NUMBER) {
        json_put_signed(json, "least", row->low);
        json_put_signed(json, "most", row->high);
    }
    if (row->choices)
        put_choices(json, row->choices);
    json_close(json);
}

void options_put(struct json_writer *json, const struct option_syntax *syntax, const char *group)
{
    json_open_object(json, NULL);
    json_put_text(json, "name", syntax->name);
    if (group)
        json_put_text(json, "group", group);
    json_put_text(json, "summary", syntax->summary);
    put_usage(json, syntax);
    put_lines(json, "about", syntax->about);
    put_operands(json, syntax->operands);
    json_open_list(json, "options");
    for (const struct option_row *row = syntax->options; row && row->name; row++)
        put_option(json, row);
    json_close(json);
    put_lines(json, "notes", syntax->notes);
    put_lines(json, "examples", syntax->examples);
    json_close(json);
}
