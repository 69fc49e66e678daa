/* SPDX-License-Identifier: MIT */
/* Runs the reports that the command line selects and prints their results. */
#include "tests/reports/report.h"

int run_reports(const struct report *reports, unsigned count, int argc, char **argv)
{
    int status = 0;

    for (unsigned i = 0; i < count; i++) {
        char label[128];
        struct test test = {label, reports[i].run};

        if (!is_wanted(reports[i].name, argc, argv))
            continue;
        snprintf(label, sizeof(label), "%s (%s)", reports[i].name, reports[i].source);
        status |= run_tests(&test, 1, 1, argv);
    }
    return status;
}

DWORD float_bits(float value)
{
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}
