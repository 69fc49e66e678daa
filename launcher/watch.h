/* SPDX-License-Identifier: MIT */
/* Starts a program under Wine and follows Wine's messages about loaded dlls. */
#ifndef HALCYON_LAUNCHER_WATCH_H
#define HALCYON_LAUNCHER_WATCH_H

#include "launcher/launcher.h"

/* The events of a run. `native` and `builtin` are sets of 1 << enum pe_library: dlls that were loaded from a file,
 * and Wine's own. */
struct watched {
    bool ran; /* Wine was executed; else see errno_of_start */
    int errno_of_start;
    int status;     /* of waitpid */
    bool started;   /* Wine loaded the program */
    bool lacks_dll; /* but not a dll that it imports */
    bool driver;    /* halcyon.dll was loaded */
    unsigned native, builtin;
};

/* Runs argv in the folder (NULL: the current one); `program` is the file name of the .exe. Standard error of Wine
 * and the program is passed on, except for the lines about loaded dlls, which WINEDEBUG=+loaddll causes. Returns
 * when the program ends. */
void watch_program(struct watched *watched, char *const *argv, const char *folder, const char *program);

#endif
