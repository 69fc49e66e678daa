/* SPDX-License-Identifier: MIT */
/* The help of a verb, from its table. */
#include "base/options/options.h"

#include <string.h>

#define WIDTH  80 /* columns of a line */
#define COLUMN 22 /* where the texts of options begin */

/* Words of one paragraph. */
static void print_paragraph(FILE *file, const char *text, size_t length, unsigned indent, unsigned width)
{
    unsigned column = indent;

    while (length) {
        const char *space = memchr(text, ' ', length);
        const size_t word = space ? (size_t)(space - text) : length;

        if (column > indent && column + 1 + word > width) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        }
        if (column > indent)
            fputc(' ', file);
        fprintf(file, "%.*s", (int)word, text);
        column += (unsigned)word + (column > indent);
        text += word + (word < length);
        length -= word + (word < length);
    }
    fputc('\n', file);
}

/* Breaks lines at `width` columns; new lines begin after `indent` spaces, the first one at column `indent`. A line that
 * begins with a space is printed as it is. */
static void options_print_text(FILE *file, const char *text, unsigned indent, unsigned width)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");

        if (*text == ' ')
            fprintf(file, "%.*s\n", (int)length, text);
        else
            print_paragraph(file, text, length, indent, width);
        text += length + (text[length] != 0);
        if (*text && *text != '\n')
            fprintf(file, "%*s", (int)indent, "");
    }
}

bool options_usage(const struct option_syntax *syntax, const char **text, char *usage, size_t size)
{
    size_t at = 0;

    if (*text && !**text)
        return false;
    if (syntax->usage) {
        const char *form = *text ? *text : syntax->usage;
        const size_t length = strcspn(form, "\n");

        snprintf(usage, size, "%.*s", (int)length, form);
        *text = form + length + (form[length] != 0);
        return true;
    }
    for (const struct option_operand *operand = syntax->operands; operand && operand->name && at < size; operand++)
        at += (size_t)snprintf(usage + at, size - at, "%s%s%s%s ", operand->optional ? "[" : "", operand->name,
                               operand->repeats ? "..." : "", operand->optional ? "]" : "");
    if (at < size)
        snprintf(usage + at, size - at, "[OPTION...]");
    *text = "";
    return true;
}

/* "  -o, --output FILE" */
static void option_label(const struct option_row *row, char *label, size_t size)
{
    char letter[8] = "    ";

    if (row->letter)
        snprintf(letter, sizeof(letter), "-%c, ", row->letter);
    snprintf(label, size, "  %s--%s%s%s%s", letter, row->name,
             !row->argument  ? ""
             : row->optional ? "[="
                             : " ",
             row->argument ? row->argument : "", row->argument && row->optional ? "]" : "");
}

static void print_option(FILE *file, const struct option_row *row)
{
    char label[128];

    option_label(row, label, sizeof(label));
    fputs(label, file);
    if (strlen(label) + 2 > COLUMN)
        fprintf(file, "\n%*s", COLUMN, "");
    else
        fprintf(file, "%*s", COLUMN - (int)strlen(label), "");
    options_print_text(file, row->help, COLUMN, WIDTH);
}

static void print_examples(FILE *file, const char *examples)
{
    fprintf(file, "\n%s:\n", strchr(examples, '\n') ? "examples" : "example");
    while (*examples) {
        const size_t length = strcspn(examples, "\n");

        fprintf(file, "  %.*s\n", (int)length, examples);
        examples += length + (examples[length] != 0);
    }
}

void options_print_help(FILE *file, const char *program, const struct option_syntax *syntax)
{
    const char *left = NULL;
    char usage[256];

    for (bool first = true; options_usage(syntax, &left, usage, sizeof(usage)); first = false)
        fprintf(file, "%s %s %s %s\n", first ? "usage:" : "      ", program, syntax->name, usage);
    fputc('\n', file);
    options_print_text(file, syntax->about, 0, WIDTH);
    if (syntax->options && syntax->options->name)
        fputc('\n', file);
    for (const struct option_row *row = syntax->options; row && row->name; row++)
        print_option(file, row);
    if (syntax->notes) {
        fputc('\n', file);
        options_print_text(file, syntax->notes, 0, WIDTH);
    }
    if (syntax->examples)
        print_examples(file, syntax->examples);
}
