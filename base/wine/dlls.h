/* SPDX-License-Identifier: MIT */
/*
 * Halcyon's dlls, and links to them in a program's folder. Wine takes a native dll from the program's folder, or from
 * the system folder of the prefix; WINEPATH and WINEDLLPATH come after Wine's own dll of that name, which ends the
 * search. Links are used instead of copies, so that the installed dlls are used.
 */
#ifndef HALCYON_BASE_DLLS_H
#define HALCYON_BASE_DLLS_H

#include "base/wine/paths.h"

/* The folder with the dlls of a width, 32 or 64: `wanted`, or where a build tree, `make install` and the release archive have them,
 * seen from this program. False: there is none; folder is where they were expected. */
bool dlls_find(char folder[WINE_PATH], const char *wanted, unsigned bits);

/* Is a file one of Halcyon's dlls, of any version? */
bool dlls_is_ours(const char *path);

#define LINKS_MOST 4

/* Links in a program's folder, and the lock by which the last of several runs knows that it must remove them. */
struct links {
    char folder[WINE_PATH];
    const char *names[LINKS_MOST];
    unsigned count;
    int lock; /* of the folder; -1: none */
};

enum links_result {
    LINKS_MADE,
    LINKS_FOREIGN, /* another file already has the name of a link: links->names[links->count] */
    LINKS_FAILED,  /* see errno */
};

/* Makes links to `names` of `from`, ended by NULL, at most LINKS_MOST. An existing file of Halcyon is left alone; a
 * link that an earlier run could not remove is taken over. links_remove must follow, whatever the result. */
enum links_result links_make(struct links *links, const char *folder, const char *from, const char *const *names);

/* Removes the links, unless another run of a program in this folder still needs them. */
void links_remove(struct links *links);

#endif
