/* SPDX-License-Identifier: MIT */
/* The needs of dp2 import: Wine, a prefix in which it runs, and the player with Halcyon's dlls. */
#ifndef HALCYON_TOOLS_IMPORT_PREFIX_H
#define HALCYON_TOOLS_IMPORT_PREFIX_H

#include "base/wine/wine.h"

struct import_system {
    struct wine wine;
    char dlls[WINE_PATH], player[WINE_PATH];
    char prefix[WINE_PATH];
    bool own; /* the prefix is dp2's own, without a display, which is made if it does not exist */
};

/* To be used in place of those that are found; NULL: none. */
struct import_wanted {
    const char *wine, *dlls, *prefix;
};

/* Looks for all of it. False: `why`, a message. */
bool import_system_find(struct import_system *system, const struct import_wanted *wanted, char *why, size_t size);
/* Makes dp2's own prefix, which takes some seconds; `say` is called before. False: `why`. */
bool import_prefix_make(const struct import_system *system, void (*say)(const char *prefix), char *why, size_t size);

#endif
