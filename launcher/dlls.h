/* SPDX-License-Identifier: MIT */
/*
 * Halcyon's dlls where they lie, and as links beside a program. Wine takes a native dll from the program's folder, or from the system
 * folder of the prefix; WINEPATH and WINEDLLPATH come after Wine's own dll of that name, which ends the search. A link is no copy: the
 * dlls stay those that are installed.
 */
#ifndef HALCYON_LAUNCHER_DLLS_H
#define HALCYON_LAUNCHER_DLLS_H

#include "launcher/launcher.h"

/* The folder with the dlls of a width, 32 or 64: `wanted`, or where a build tree, `make install` and the release archive have them,
 * seen from this program. False: there is none; folder is where they were expected. */
bool dlls_find(char folder[LAUNCHER_PATH], const char *wanted, unsigned bits);

/* Is a file one of Halcyon's dlls, of any version? */
bool dlls_is_ours(const char *path);

#define LINKS_MOST 3

/* Links beside a program, and the lock that tells the last of several runs to take them away. */
struct links {
    char folder[LAUNCHER_PATH];
    const char *names[LINKS_MOST];
    unsigned count;
    int lock; /* of the folder; -1: none */
};

enum links_result {
    LINKS_MADE,
    LINKS_FOREIGN, /* a file that is not Halcyon's has the name of a link: links->names[links->count] */
    LINKS_FAILED,  /* errno says why */
};

/* Makes links to `names` of `from`, ended by NULL, at most LINKS_MOST. A file of Halcyon that is there already is left alone; a link that
 * an earlier run could not take away is taken over. Whatever the answer, links_remove must follow. */
enum links_result links_make(struct links *links, const char *folder, const char *from, const char *const *names);

/* Takes the links away, unless another run of a program in this folder still needs them. */
void links_remove(struct links *links);

#endif
