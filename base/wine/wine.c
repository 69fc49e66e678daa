/* SPDX-License-Identifier: MIT */
/* Finds Wine, and the kinds of programs that it runs. */
#include "base/wine/wine.h"
#include "base/wine/ask.h"

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the packages of distributions and of WineHQ put the command when it is not on the path. */
static const char *const commands[] = {"wine",
                                       "wine64",
                                       "/opt/wine-stable/bin/wine",
                                       "/opt/wine-staging/bin/wine",
                                       "/opt/wine-devel/bin/wine",
                                       "/usr/lib/wine/wine64"};

/* Where they put the libraries, besides lib/wine and lib64/wine next to the command's folder. */
static const char *const libraries[] = {"/usr/lib/x86_64-linux-gnu/wine", "/usr/lib/i386-linux-gnu/wine"};

static bool is_program(const char *path)
{
    return is_file(path) && !access(path, X_OK);
}

/* Searches like execvp. */
static bool find_command(char path[WINE_PATH], const char *name)
{
    const char *from = getenv("PATH");

    if (strchr(name, '/'))
        return make_path(path, "%s", name) && is_program(path);
    while (from && *from) {
        const size_t length = strcspn(from, ":");

        if (length && make_path(path, "%.*s/%s", (int)length, from, name) && is_program(path))
            return true;
        from += length + (from[length] == ':');
    }
    path[0] = 0;
    return false;
}

/* The first line that `wine --version` prints. */
static void ask_version(struct wine *wine)
{
    char *const argv[] = {wine->path, "--version", NULL};

    ask_program(argv, wine->version, sizeof(wine->version), 60);
    wine->version[strcspn(wine->version, "\r\n")] = 0;
    if (sscanf(wine->version, "wine-%u", &wine->major) != 1)
        wine->version[0] = 0;
}

static void look_at_libraries(struct wine *wine, const char *folder, bool *unix32)
{
    char path[WINE_PATH];

    wine->runs64 |= make_path(path, "%s/x86_64-windows/ntdll.dll", folder) && is_file(path);
    wine->runs32 |= make_path(path, "%s/i386-windows/ntdll.dll", folder) && is_file(path);
    *unix32 |= make_path(path, "%s/i386-unix/ntdll.so", folder) && is_file(path);
}

static void find_widths(struct wine *wine)
{
    static const char *const beside[] = {"../lib/wine", "../lib64/wine", "../lib32/wine", "../lib/i386-linux-gnu/wine"};
    char real[WINE_PATH], folder[WINE_PATH], path[WINE_PATH];
    bool unix32 = false;

    if (!realpath(wine->path, real) || !path_folder(folder, real))
        return;
    for (unsigned i = 0; i < ARRAY_COUNT(beside); i++)
        if (make_path(path, "%s/%s", folder, beside[i]))
            look_at_libraries(wine, path, &unix32);
    /* a distribution's Wine has a folder for each width; a command elsewhere with another layout may be a script for
     * it */
    if (!strncmp(folder, "/usr/", 5) || (!wine->runs64 && !wine->runs32))
        for (unsigned i = 0; i < ARRAY_COUNT(libraries); i++)
            look_at_libraries(wine, libraries[i], &unix32);
    wine->new_wow64 = wine->runs32 && wine->runs64 && !unix32;
}

bool wine_find(struct wine *wine, const char *wanted)
{
    bool found = false;

    *wine = (struct wine){0};
    if (!wanted || !*wanted)
        wanted = getenv("WINE");
    if (wanted && *wanted)
        found = find_command(wine->path, wanted);
    else
        for (unsigned i = 0; i < ARRAY_COUNT(commands) && !found; i++)
            found = find_command(wine->path, commands[i]);
    if (!found)
        return false;
    ask_version(wine);
    find_widths(wine);
    return true;
}

/* Compares a name with the distribution's ID and ID_LIKE: "debian", "ubuntu", "fedora", "arch"... */
static bool system_is(const char *name)
{
    char line[256], wanted[32];
    FILE *file = fopen("/etc/os-release", "r");
    bool found = false;

    if (!file)
        return false;
    snprintf(wanted, sizeof(wanted), "%s", name);
    while (fgets(line, sizeof(line), file))
        found |= (!strncmp(line, "ID=", 3) || !strncmp(line, "ID_LIKE=", 8)) && strstr(line, wanted);
    fclose(file);
    return found;
}

const char *wine_install_help(bool for_32_bits)
{
    if (system_is("debian"))
        return for_32_bits ? "  sudo dpkg --add-architecture i386\n  sudo apt-get update\n  sudo apt-get install wine "
                             "wine32:i386\n"
                           : "  sudo apt-get update\n  sudo apt-get install wine\n";
    if (system_is("fedora"))
        return for_32_bits ? "  sudo dnf install wine.i686\n" : "  sudo dnf install wine\n";
    if (system_is("arch"))
        return "  sudo pacman -S wine\n";
    return for_32_bits ? "  the package of your distribution that brings 32-bit Wine, often called wine32\n"
                       : "  the package of your distribution that is called wine\n";
}

bool wine_prefix(char path[WINE_PATH], const char *wanted)
{
    char *absolute;

    if (!wanted || !*wanted)
        wanted = getenv("WINEPREFIX");
    if (!wanted || !*wanted)
        return make_path(path, "%s/.wine", getenv("HOME") ? getenv("HOME") : "");
    absolute = realpath(wanted, NULL);
    if (absolute) {
        const bool fits = make_path(path, "%s", absolute);
        free(absolute);
        return fits;
    }
    if (wanted[0] == '/')
        return make_path(path, "%s", wanted);
    if (!getcwd(path, WINE_PATH / 2) || strlen(path) + strlen(wanted) + 2 > WINE_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcat(path, "/");
    strcat(path, wanted);
    return true;
}
