/* SPDX-License-Identifier: MIT */
/* Shared by the programs of tests/reports, for either version: a table of public reports, each with its own case. */
#ifndef TESTS_REPORTS_REPORT_H
#define TESTS_REPORTS_REPORT_H

#include "tests/runtime/check.h"

/* Something that a program did and that a layer between Direct3D and a graphics card got wrong, according to its
 * tracker. */
struct report {
    const char *name;
    const char *source; /* owner/repository#number, or owner/repository@commit if no number is known */
    void (*run)(void);
};

/* Runs the reports whose names the command line has, or all: "ok NAME (SOURCE)" or "not ok NAME (SOURCE)" for each. The process's
 * exit status. */
int run_reports(const struct report *reports, unsigned count, int argc, char **argv);

/* Compares a pixel 0xXXRRGGBB, whose channels may differ from the expected ones by `most`. */
#define CHECK_COLOR(value, expected, most)                                                                     \
    do {                                                                                                       \
        uint32_t value_ = (value)&0xffffff, expected_ = (expected)&0xffffff;                                   \
        if (color_distance(value_, expected_) > (most))                                                        \
            failed(__FILE__, __LINE__, "%s is %06x, not %06x", #value, (unsigned)value_, (unsigned)expected_); \
    } while (0)

/* The bits of a number, as render states take them. */
DWORD float_bits(float value);

#endif
