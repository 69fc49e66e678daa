/* SPDX-License-Identifier: MIT */
/* What the programs of tests/reports share, whatever version they are of: a table of public reports, each a case of its own. */
#ifndef TESTS_REPORTS_REPORT_H
#define TESTS_REPORTS_REPORT_H

#include "tests/runtime/check.h"

/* Something that a program did and that a layer between Direct3D and a graphics card answered wrongly, as its tracker tells. */
struct report {
    const char *name;
    const char *source; /* owner/repository#number, or owner/repository@commit where no number is known */
    void (*run)(void);
};

/* Runs the reports whose names the command line has, or all: "ok NAME (SOURCE)" or "not ok NAME (SOURCE)" for each. The process's
 * exit status. */
int run_reports(const struct report *reports, unsigned count, int argc, char **argv);

/* A pixel 0xXXRRGGBB whose channels may differ from those expected by `most`. */
#define CHECK_COLOR(value, expected, most)                                                                     \
    do {                                                                                                       \
        uint32_t value_ = (value)&0xffffff, expected_ = (expected)&0xffffff;                                   \
        if (color_distance(value_, expected_) > (most))                                                        \
            failed(__FILE__, __LINE__, "%s is %06x, not %06x", #value, (unsigned)value_, (unsigned)expected_); \
    } while (0)

/* A number's bits, as render states take them. */
DWORD float_bits(float value);

#endif
