/* SPDX-License-Identifier: MIT */
/* The report of dp2 minimise. */
#ifndef HALCYON_TOOLS_MINIMISE_REPORT_H
#define HALCYON_TOOLS_MINIMISE_REPORT_H

#include "tools/minimise/keep.h"
#include "tools/minimise/model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct minimise_report {
    const char *path, *output;
    uint32_t frame; /* of the pixel, if the test is a pixel */
    const struct model *model;
    const struct keep *keep;
    struct model_counts before, after;
    uint64_t bytes_before, bytes_after; /* of the files; 0: unknown */
};

/* Prints a document dp2-minimise (docs/json.md) on standard output. False: out of memory. */
bool minimise_report_json(const struct minimise_report *report);
void minimise_report_text(const struct minimise_report *report, FILE *file);

#endif
