/* SPDX-License-Identifier: MIT */
/* The calls that an import could not make, by name and reason: how many, and the first of them. */
#ifndef HALCYON_TOOLS_IMPORT_REPORT_H
#define HALCYON_TOOLS_IMPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Different pairs of call and reason that are told apart; more of them are counted together. */
#define REPORT_ROWS 1000

struct import_report {
    struct report_row {
        char *name, *why;
        uint64_t count, first; /* calls, and the number of the first one */
    } * rows;
    size_t count, capacity;
    uint64_t total;
    bool failed; /* out of memory: rows are missing */
};

void import_report_add(struct import_report *report, const char *name, uint64_t call, const char *format, ...)
    __attribute__((format(gnu_printf, 4, 5)));
/* Puts the rows in the order of the first calls. */
void import_report_sort(struct import_report *report);
/* A line for each row. */
void import_report_print(const struct import_report *report, FILE *file);
void import_report_free(struct import_report *report);

#endif
