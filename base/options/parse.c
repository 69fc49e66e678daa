/* SPDX-License-Identifier: MIT */
/* The parser of command lines. Its messages about options are those of getopt_long. */
#include "base/options/options.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row help_row = {.name = "help", .letter = 'h'};

enum option_result option_wrong(struct option_line *line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(line->error, sizeof(line->error), format, args);
    va_end(args);
    return OPTION_WRONG;
}

const char *option_next(struct option_line *line)
{
    return line->next < line->argc ? line->argv[line->next++] : NULL;
}

bool option_takes_value(const struct option_row *row)
{
    return row->argument != NULL;
}

bool parse_number(const char *text, long low, long high, long *value)
{
    char *end;

    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && !*end && !errno && *value >= low && *value <= high;
}

/* --- values ------------------------------------------------------------------------------------------- */

size_t option_next_choice(const char **words)
{
    const size_t length = strcspn(*words, "|");

    *words += length + ((*words)[length] == '|');
    return length;
}

/* "--show takes color, before or alpha, not 'x'" */
static enum option_result wrong_choice(struct option_line *line, const struct option_row *row, const char *value)
{
    const char *words = row->choices, *word = words;
    char list[1024] = "";
    size_t at = 0, length;

    for (bool first = true; (length = option_next_choice(&words)) && at < sizeof(list); word = words, first = false) {
        const char *between = first ? "" : *words ? ", " : " or ";

        at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%.*s", between, (int)length, word);
    }
    return option_wrong(line, "--%s takes %s, not '%s'", row->name, list, value);
}

static enum option_result take_choice(struct option_line *line, const struct option_row *row, const char *value,
                                      int *index)
{
    const char *words = row->choices, *word = words;
    size_t length;

    for (int i = 0; (length = option_next_choice(&words)) > 0; word = words, i++)
        if (strlen(value) == length && strncmp(word, value, length) == 0) {
            *index = i;
            return OPTION_OK;
        }
    return wrong_choice(line, row, value);
}

static enum option_result wrong_value(struct option_line *line, const struct option_row *row, const char *value)
{
    if (!row->wrong && row->kind == OPTION_NUMBER)
        return option_wrong(line, "--%s takes %ld to %ld, not '%s'", row->name, row->low, row->high, value);
    return option_wrong(line, "'%s' is not %s", value, row->wrong ? row->wrong : "a range of frames");
}

static enum option_result take_value(struct option_line *line, const struct option_row *row, void *settings,
                                     const char *value)
{
    void *member = (char *)settings + row->offset;

    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_UNFLAG:
        *(bool *)member = row->kind == OPTION_FLAG;
        return OPTION_OK;
    case OPTION_TEXT:
        *(const char **)member = value;
        return OPTION_OK;
    case OPTION_NUMBER:
        return parse_number(value, row->low, row->high, member) ? OPTION_OK : wrong_value(line, row, value);
    case OPTION_CHOICE:
        return take_choice(line, row, value, member);
    case OPTION_FRAMES:
        return frame_range_parse(member, value) ? OPTION_OK : wrong_value(line, row, value);
    case OPTION_CALL:
        return row->take(settings, row, value, line);
    }
    return OPTION_OK;
}

/* --- words -------------------------------------------------------------------------------------------- */

/* The option with this name, or the only one whose name begins so. *ambiguous: there are several. */
static const struct option_row *find_name(const struct option_row *options, const char *name, size_t length,
                                          bool *ambiguous)
{
    const struct option_row *found = strncmp(help_row.name, name, length) == 0 ? &help_row : NULL;
    unsigned count = found != NULL;

    *ambiguous = false;
    if (found && strlen(help_row.name) == length)
        return found;
    for (; options && options->name; options++) {
        if (strncmp(options->name, name, length) != 0)
            continue;
        found = options;
        if (strlen(options->name) == length)
            return found;
        count++;
    }
    *ambiguous = count > 1;
    return count == 1 ? found : NULL;
}

static const struct option_row *find_letter(const struct option_row *options, char letter)
{
    for (; options && options->name; options++)
        if (options->letter == letter)
            return options;
    return letter == help_row.letter ? &help_row : NULL;
}

static enum option_result take_long(const struct option_syntax *syntax, void *settings, struct option_line *line,
                                    const char *word)
{
    const int length = (int)strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : NULL;
    bool ambiguous;
    const struct option_row *row = find_name(syntax->options, word + 2, (size_t)length - 2, &ambiguous);

    if (!row)
        return option_wrong(line, ambiguous ? "option '%s' is ambiguous" : "unrecognized option '%s'", word);
    if (value && !option_takes_value(row))
        return option_wrong(line, "option '%.*s' doesn't allow an argument", length, word);
    if (row == &help_row)
        return OPTION_HELP;
    if (!value && option_takes_value(row) && !row->optional && !(value = option_next(line)))
        return option_wrong(line, "option '%s' requires an argument", word);
    return take_value(line, row, settings, value);
}

static enum option_result take_letters(const struct option_syntax *syntax, void *settings, struct option_line *line,
                                       const char *letters)
{
    enum option_result result = OPTION_OK;

    while (result == OPTION_OK && *letters) {
        const char letter = *letters++, *value = NULL;
        const struct option_row *row = find_letter(syntax->options, letter);

        if (!row && letter >= '0' && letter <= '9')
            return option_wrong(line, "'-%c' begins no option, and no number here is negative", letter);
        if (!row)
            return option_wrong(line, "invalid option -- '%c'", letter);
        if (row == &help_row)
            return OPTION_HELP;
        if (option_takes_value(row)) {
            value = *letters ? letters : option_next(line);
            letters = "";
            if (!value)
                return option_wrong(line, "option requires an argument -- '%c'", letter);
        }
        result = take_value(line, row, settings, value);
    }
    return result;
}

static enum option_result take_operand(const struct option_syntax *syntax, void *settings, struct option_line *line,
                                       char *word)
{
    if (syntax->operand)
        return syntax->operand(settings, word, line);
    line->argv[++line->operand_count] = word;
    return OPTION_OK;
}

/* Are there as many operands as the table names? */
static enum option_result count_operands(const struct option_syntax *syntax, struct option_line *line)
{
    int least = 0, most = 0;

    if (!syntax->missing && syntax->operands)
        return OPTION_OK;
    for (const struct option_operand *operand = syntax->operands; operand && operand->name; operand++) {
        least += !operand->optional;
        most = operand->repeats ? INT_MAX : most + 1;
    }
    if (line->operand_count < least)
        return option_wrong(line, "missing operand: %s", syntax->missing);
    if (line->operand_count > most)
        return option_wrong(line, "extra operand '%s'", line->argv[1 + most]);
    return OPTION_OK;
}

enum option_result options_parse(const struct option_syntax *syntax, void *settings, int argc, char **argv,
                                 struct option_line *line)
{
    enum option_result result = OPTION_OK;
    bool ended = false;

    line->argv = argv;
    line->argc = argc;
    line->next = 1;
    line->operand_count = line->status = 0;
    line->error[0] = 0;
    while (result == OPTION_OK && line->next < argc) {
        char *word = argv[line->next++];

        if (ended || word[0] != '-' || !word[1]) {
            result = take_operand(syntax, settings, line, word);
            ended |= syntax->stops;
        } else if (strcmp(word, "--") == 0) {
            ended = true;
        } else if (word[1] == '-') {
            result = take_long(syntax, settings, line, word);
        } else {
            result = take_letters(syntax, settings, line, word + 1);
        }
    }
    return result == OPTION_OK ? count_operands(syntax, line) : result;
}
