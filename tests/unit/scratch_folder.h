/* SPDX-License-Identifier: MIT */
/* A folder for a test, or for a group of tests, that is removed with its contents. */
#ifndef HALCYON_TESTS_SCRATCH_FOLDER_H
#define HALCYON_TESTS_SCRATCH_FOLDER_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

/* Set-up and tear-down. */
static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/halcyon-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command);
}

/* The path of a file in the folder; valid until the eighth call after this one. */
static inline const char *at(const char *name)
{
    static char paths[8][160];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

/* The number of files and folders in it that are not hidden; `but` is not counted, NULL: all are counted. */
static inline unsigned files_in_folder(const char *but)
{
    unsigned count = 0;
    DIR *list = opendir(folder);

    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        count += entry->d_name[0] != '.' && (!but || strcmp(entry->d_name, but) != 0);
    closedir(list);
    return count;
}

#define test_in_folder(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

#endif
