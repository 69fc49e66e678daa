/* SPDX-License-Identifier: MIT */
/* Finds Halcyon's dlls, and links them into programs' folders. */
#include "base/wine/dlls.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_dlls(char folder[WINE_PATH], const char *top, unsigned bits)
{
    char path[WINE_PATH];

    return make_path(folder, "%s/x%u", top, bits) && make_path(path, "%s/halcyon.dll", folder) && is_file(path);
}

bool dlls_find(char folder[WINE_PATH], const char *wanted, unsigned bits)
{
    /* relative to the folder of this program: a build tree and the archive, then an installation */
    static const char *const places[] = {"..", "../lib/halcyon"};
    char program[WINE_PATH], here[WINE_PATH], top[WINE_PATH], path[WINE_PATH];
    const unsigned named = bits == 64 ? 64 : 32;

    if (wanted)
        return has_dlls(folder, wanted, named) ||
               (make_path(folder, "%s", wanted) && make_path(path, "%s/halcyon.dll", folder) && is_file(path));
    if (!realpath("/proc/self/exe", program) || !path_folder(here, program))
        return false;
    for (unsigned i = 0; i < ARRAY_COUNT(places); i++) {
        if (!make_path(top, "%s/%s", here, places[i]) || !has_dlls(folder, top, named))
            continue;
        if (!realpath(folder, path))
            return false;
        return make_path(folder, "%s", path);
    }
    return false;
}

/* All of Halcyon's dlls contain the name of a setting's variable. */
bool dlls_is_ours(const char *path)
{
    static const char mark[] = "HALCYON_CONFIG_FILE";
    FILE *file = fopen(path, "rb");
    size_t matched = 0;
    int c;

    while (file && matched < sizeof(mark) - 1 && (c = getc(file)) != EOF)
        matched = c == mark[matched] ? matched + 1 : c == mark[0];
    if (file)
        fclose(file);
    return matched == sizeof(mark) - 1;
}

/* A link of an earlier run: it leads to a dll of its name in a folder x32 or x64. */
static bool is_left_behind(const char *path, const char *name)
{
    char target[WINE_PATH], end[64];
    const ssize_t length = readlink(path, target, sizeof(target) - 1);
    int size;

    if (length <= 0)
        return false;
    target[length] = 0;
    for (unsigned bits = 32; bits <= 64; bits += 32) {
        size = snprintf(end, sizeof(end), "/x%u/%s", bits, name);
        if (length > size && !strcmp(target + length - size, end))
            return true;
    }
    return false;
}

enum links_result links_make(struct links *links, const char *folder, const char *from, const char *const *names)
{
    char path[WINE_PATH], target[WINE_PATH];
    struct stat status;

    *links = (struct links){.lock = -1};
    if (!make_path(links->folder, "%s", folder))
        return LINKS_FAILED;
    links->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (links->lock < 0 || flock(links->lock, LOCK_SH))
        return LINKS_FAILED;
    for (; *names && links->count < LINKS_MOST; names++) {
        links->names[links->count] = *names;
        if (!make_path(path, "%s/%s", folder, *names) || !make_path(target, "%s/%s", from, *names))
            return LINKS_FAILED;
        if (is_left_behind(path, *names))
            unlink(path); /* it may lead to a dll of the other width, or to nothing */
        if (!lstat(path, &status) && !S_ISLNK(status.st_mode)) {
            if (!dlls_is_ours(path))
                return LINKS_FOREIGN;
            continue;
        }
        if (symlink(target, path) && errno != EEXIST)
            return LINKS_FAILED;
        links->count++;
    }
    return LINKS_MADE;
}

void links_remove(struct links *links)
{
    char path[WINE_PATH];

    if (links->lock >= 0 && !flock(links->lock, LOCK_EX | LOCK_NB))
        for (unsigned i = 0; i < links->count; i++)
            if (make_path(path, "%s/%s", links->folder, links->names[i]) && is_left_behind(path, links->names[i]))
                unlink(path);
    if (links->lock >= 0)
        close(links->lock);
    links->lock = -1;
    links->count = 0;
}
