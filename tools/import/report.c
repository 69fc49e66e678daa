/* SPDX-License-Identifier: MIT */
/* The list of calls that an import could not make. */
#include "tools/import/report.h"

#include "base/base.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct report_row *find_row(struct import_report *report, const char *name, const char *why)
{
    for (size_t i = 0; i < report->count; i++)
        if (strcmp(report->rows[i].name, name) == 0 && strcmp(report->rows[i].why, why) == 0)
            return &report->rows[i];
    return NULL;
}

static struct report_row *add_row(struct import_report *report, const char *name, const char *why, uint64_t call)
{
    struct report_row row = {.name = strdup(name), .why = strdup(why), .first = call};

    if (report->count == report->capacity) {
        const size_t capacity = BASE_MAX(2 * report->capacity, (size_t)16);
        struct report_row *rows = mem_realloc(report->rows, capacity, sizeof(*rows));

        if (rows) {
            report->rows = rows;
            report->capacity = capacity;
        }
    }
    if (!row.name || !row.why || report->count == report->capacity) {
        free(row.name);
        free(row.why);
        return NULL;
    }
    report->rows[report->count] = row;
    return &report->rows[report->count++];
}

void import_report_add(struct import_report *report, const char *name, uint64_t call, const char *format, ...)
{
    struct report_row *row;
    char why[160];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    report->total++;
    row = find_row(report, name, why);
    if (!row && report->count >= REPORT_ROWS) {
        name = "others";
        snprintf(why, sizeof(why), "the list is full");
        row = find_row(report, name, why);
    }
    if (!row)
        row = add_row(report, name, why, call);
    if (row)
        row->count++;
    else
        report->failed = true;
}

static int by_first_call(const void *a, const void *b)
{
    const struct report_row *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

void import_report_sort(struct import_report *report)
{
    if (report->count)
        qsort(report->rows, report->count, sizeof(report->rows[0]), by_first_call);
}

void import_report_print(const struct import_report *report, FILE *file)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct report_row *row = &report->rows[i];

        fputs("  ", file);
        utf8_print(file, row->name);
        fprintf(file, ": %s; %" PRIu64 " call%s, the first is %" PRIu64 "\n", row->why, row->count,
                row->count == 1 ? "" : "s", row->first);
    }
    if (report->failed)
        fputs("  (memory ran out: the list is not complete)\n", file);
}

void import_report_free(struct import_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        free(report->rows[i].name);
        free(report->rows[i].why);
    }
    free(report->rows);
    *report = (struct import_report){0};
}
