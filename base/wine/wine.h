/* SPDX-License-Identifier: MIT */
/* Finds Wine, and the kinds of programs that it runs. */
#ifndef HALCYON_BASE_WINE_H
#define HALCYON_BASE_WINE_H

#include "base/wine/paths.h"

enum { WINE_OLDEST = 8 }; /* the first version with which all of Halcyon's tests have been run */

struct wine {
    char path[WINE_PATH]; /* the command; "": none was found */
    char version[64];     /* its own version text, "wine-8.0 (Debian 8.0~repack-4)"; "": it does not run */
    unsigned major;       /* 0: unknown */
    bool runs32, runs64;
    bool new_wow64; /* 32-bit programs run in 64-bit processes, without 32-bit libraries of the system */
};

/* Looks for `wanted` if it is not NULL, then $WINE, then the commands of the usual packages. Runs `wine --version`.
 * False: not found; wine->path may contain the path that was tried. */
bool wine_find(struct wine *wine, const char *wanted);

/* Advice if Wine, or its 32-bit half, is missing: lines to print. */
const char *wine_install_help(bool for_32_bits);

/* The prefix in effect: `wanted` if it is not NULL, then $WINEPREFIX, then ~/.wine. False: see errno. */
bool wine_prefix(char path[WINE_PATH], const char *wanted);

#endif
