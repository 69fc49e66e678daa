/* SPDX-License-Identifier: MIT */
/* Paths of files and folders, for the programs that start Wine: halcyon and dp2. */
#ifndef HALCYON_BASE_PATHS_H
#define HALCYON_BASE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#define WINE_PATH 4096 /* bytes of a path with its 0 */

/* Writes a path; false: it is longer than WINE_PATH. */
bool make_path(char path[WINE_PATH], const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
/* The folder of a path, "." if there is none in it; and its last part. */
bool path_folder(char folder[WINE_PATH], const char *path);
const char *path_name(const char *path);
bool is_file(const char *path);
bool is_folder(const char *path);
/* Makes a folder and its parents. False: see errno. */
bool make_folders(const char *path);

#endif
