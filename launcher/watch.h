/* SPDX-License-Identifier: MIT */
/* Starts a program under Wine and follows what Wine says of the dlls that it loads. */
#ifndef HALCYON_LAUNCHER_WATCH_H
#define HALCYON_LAUNCHER_WATCH_H

#include "launcher/launcher.h"

/* What happened. `native` and `builtin` are sets of 1 << enum pe_library: dlls that were loaded from a file, and Wine's own. */
struct watched {
    bool ran; /* Wine was executed; else errno_of_start says why not */
    int errno_of_start;
    int status;     /* of waitpid */
    bool started;   /* Wine loaded the program */
    bool lacks_dll; /* but not a dll that it imports */
    bool driver;    /* halcyon.dll was loaded */
    unsigned native, builtin;
};

/* Runs argv in the folder, NULL: in this one; `program` is the file name of the .exe. What Wine and the program write to standard
 * error is passed on, except for the lines that tell of loaded dlls, which WINEDEBUG=+loaddll brings. Returns when the program ends. */
void watch_program(struct watched *watched, char *const *argv, const char *folder, const char *program);

/* Takes a line that Wine has written, without its newline. False: it is not one that tells of a dll. */
bool watch_line(struct watched *watched, const char *line, const char *program);

#endif
