/* SPDX-License-Identifier: MIT */
/*
 * The halcyon command: runs Windows programs on Halcyon's dlls. Shared by its commands.
 *
 * The exit status of `halcyon run` is that of the program; if the program could not start, it is as for env(1) and
 * nohup(1):
 *
 *   125  halcyon itself cannot continue: a wrong command line, no Wine, no dlls, a folder that cannot be written
 *   126  the program is there but cannot be started: not a Windows program, no 32-bit Wine, a dll that it needs is missing
 *   127  there is no such program
 *
 * The other commands return 0 or 125, doctor also 1: a check has failed.
 */
#ifndef HALCYON_LAUNCHER_LAUNCHER_H
#define HALCYON_LAUNCHER_LAUNCHER_H

#include "base/options/options.h"
#include "base/wine/paths.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    LAUNCHER_OK = 0,
    LAUNCHER_WRONG = 1,
    LAUNCHER_FAILED = 125,
    LAUNCHER_CANNOT_START = 126,
    LAUNCHER_NOT_FOUND = 127
};

#define LAUNCHER_PATH WINE_PATH

struct command {
    struct option_syntax syntax; /* name, options and texts */
    size_t size;                 /* bytes of the command's settings, which are all 0 at first */
    /* Does the work. operands: `count` of them. Returns the exit status. */
    int (*run)(void *settings, char **operands, int count);
};

extern const struct command command_run, command_install, command_uninstall, command_doctor;

/* Rows of the tables of several commands. */
#define LAUNCHER_PREFIX(type, member)                                                                        \
    {                                                                                                        \
        "prefix", 'p', SETS_TEXT(type, member), .argument = "FOLDER", .value = VALUE_FOLDER,                 \
                                                .help = "the Wine prefix (default: $WINEPREFIX, or ~/.wine)" \
    }
#define LAUNCHER_WINE(type, member)                                                                            \
    {                                                                                                          \
        "wine", 0, SETS_TEXT(type, member), .argument = "FILE", .value = VALUE_FILE,                           \
                                            .help = "the Wine to use (default: $WINE, or the one on the path)" \
    }

/* "halcyon: message" on standard error, with control characters escaped. */
void say(const char *format, ...) __attribute__((format(gnu_printf, 1, 2)));
/* The same, and returns LAUNCHER_FAILED. */
int fail(const char *format, ...) __attribute__((format(gnu_printf, 1, 2)));
/* Prints that the command line is wrong, and how to get help. Returns LAUNCHER_FAILED. */
int usage(const struct command *command, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));

#endif
