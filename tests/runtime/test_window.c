/* SPDX-License-Identifier: MIT */
/* Direct3D 8: the program's window after full screen. */
#include "tests/runtime/window_rules.h"

static void styles(void)
{
    window_styles_of_program(&devices8, 0);
}

static void left_alone(void)
{
    window_left_alone(&devices8, 0);
}

static void moved(void)
{
    window_moved(&devices8, 0);
}

static void procedures(void)
{
    window_procedures(&devices8, 0);
}

static const struct test tests[] = {
    {"window_styles", styles},
    {"window_left_alone", left_alone},
    {"window_moved", moved},
    {"window_procedures", procedures},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
