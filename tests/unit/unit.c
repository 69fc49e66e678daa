/* SPDX-License-Identifier: MIT */
/*
 * The suites that need nothing but the driver, in one program: linking each with the driver took longer than running most of them. The
 * suite is named by the program's name, or else by the first argument; `unit` alone lists the names. The Makefile compiles a suite with its
 * main named SUITE_main, and writes the list of suites.
 */
#include <stdio.h>
#include <string.h>

#define SUITE(name) int name##_main(void);
#include "build/tests/suites.def"
#undef SUITE

static const struct suite {
    const char *name;
    int (*run)(void);
} suites[] = {
#define SUITE(name) {#name, name##_main},
#include "build/tests/suites.def"
#undef SUITE
};
#define SUITE_COUNT (sizeof(suites) / sizeof(suites[0]))

static const struct suite *find_suite(const char *name)
{
    for (size_t i = 0; name && i < SUITE_COUNT; i++)
        if (!strcmp(suites[i].name, name))
            return &suites[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const struct suite *suite = find_suite(slash ? slash + 1 : argv[0]);

    if (!suite)
        suite = find_suite(argv[1]);
    if (suite)
        return suite->run();
    if (argc > 1)
        fprintf(stderr, "unit: there is no suite '%s'\n", argv[1]);
    for (size_t i = 0; argc == 1 && i < SUITE_COUNT; i++)
        puts(suites[i].name);
    return argc > 1 ? 2 : 0;
}
