/* SPDX-License-Identifier: MIT */
/* Paths of files and folders. */
#include "base/wine/paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool make_path(char path[WINE_PATH], const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(path, WINE_PATH, format, args);
    va_end(args);
    if (length >= 0 && length < WINE_PATH)
        return true;
    errno = ENAMETOOLONG;
    path[0] = 0;
    return false;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool path_folder(char folder[WINE_PATH], const char *path)
{
    const size_t length = (size_t)(path_name(path) - path);

    return length > 1 ? make_path(folder, "%.*s", (int)length - 1, path) : make_path(folder, length ? "/" : ".");
}

bool is_file(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISREG(status.st_mode);
}

bool is_folder(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

bool make_folders(const char *path)
{
    char part[WINE_PATH];

    if (!make_path(part, "%s", path))
        return false;
    for (char *at = part + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            if (mkdir(part, 0777) && errno != EEXIST)
                return false;
            *at = '/';
        }
    return !mkdir(part, 0777) || (errno == EEXIST && is_folder(part));
}
