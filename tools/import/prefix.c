/* SPDX-License-Identifier: MIT */
/*
 * Wine for the player. By default it has a prefix of its own, made once, with Wine's null graphics driver: nothing appears on the screen,
 * no display is needed, and the user's prefix with its programs and settings stays as it is.
 */
#include "tools/import/prefix.h"
#include "tools/import/process.h"

#include "base/base.h"
#include "base/wine/dlls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define OVERRIDES "mscoree,mshtml,winemenubuilder.exe=" /* no questions whether to download Mono and Gecko, no menus */

static bool own_prefix(char path[WINE_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (cache && cache[0] == '/')
        return make_path(path, "%s/halcyon/import", cache);
    return home && *home && make_path(path, "%s/.cache/halcyon/import", home);
}

bool import_system_find(struct import_system *system, const struct import_wanted *wanted, char *why, size_t size)
{
    *system = (struct import_system){.own = !wanted->prefix};
    if (!wine_find(&system->wine, wanted->wine) || !system->wine.version[0]) {
        snprintf(why, size, "there is no Wine, under which the calls are made; to install it:\n%s",
                 wine_install_help(false));
        why[strlen(why) - 1] = 0; /* the newline of the advice */
        return false;
    }
    if (!system->wine.runs64) {
        snprintf(why, size, "%s does not run 64-bit programs", system->wine.path);
        return false;
    }
    if (!dlls_find(system->dlls, wanted->dlls, 64) ||
        !make_path(system->player, "%s/halcyon-import.exe", system->dlls) || !is_file(system->player)) {
        snprintf(why, size, "halcyon-import.exe and the dlls are not in %s: install Halcyon again",
                 system->dlls[0] ? system->dlls : "the folder of the 64-bit dlls");
        return false;
    }
    if (system->own ? !own_prefix(system->prefix) : !wine_prefix(system->prefix, wanted->prefix)) {
        snprintf(why, size, "the folder of the Wine prefix: %s", system->own ? "HOME is not set" : strerror(errno));
        return false;
    }
    return true;
}

/* --- dp2's own prefix ----------------------------------------------------------------------------- */

static void ignore(void *user, const char *line)
{
    (void)user;
    (void)line;
}

static bool run_wine(const struct import_system *system, char *const *argv)
{
    const char *const variables[] = {
        "WINEPREFIX", system->prefix, "WINEDEBUG",       "-all", "WINEARCH", "win64", "WINEDLLOVERRIDES", OVERRIDES,
        "DISPLAY",    NULL,           "WAYLAND_DISPLAY", NULL,   NULL};
    const struct import_command command = {argv, variables};
    struct import_process process = {.answer = ignore};
    const bool started = import_process_start(&process, &command);

    return import_process_end(&process, !started) == 0 && started;
}

/*
 * The desktop reads the name of the graphics driver once, when it starts, and making a prefix starts it. So the setting is there before: Wine
 * adds everything else to a registry that it finds.
 */
static bool make_prefix(const struct import_system *system)
{
    static const char registry[] = "WINE REGISTRY Version 2\n\n[Software\\\\Wine\\\\Drivers]\n\"Graphics\"=\"null\"\n";
    char wine[WINE_PATH], path[WINE_PATH];
    char *const boot[] = {wine, "wineboot", "-i", NULL};
    FILE *file = make_path(path, "%s/user.reg", system->prefix) ? fopen(path, "w") : NULL;
    const bool written = file && fputs(registry, file) >= 0;

    if (file && fclose(file))
        return false;
    return written && make_path(wine, "%s", system->wine.path) && run_wine(system, boot);
}

/* Another dp2 may be making it: the lock has the prefix's name. */
bool import_prefix_make(const struct import_system *system, void (*say)(const char *prefix), char *why, size_t size)
{
    char mark[WINE_PATH], lock_path[WINE_PATH];
    bool made;
    int lock, file;

    if (!make_path(mark, "%s/.halcyon-import", system->prefix) || !make_path(lock_path, "%s.lock", system->prefix) ||
        !make_folders(system->prefix)) {
        snprintf(why, size, "%s: %s", system->prefix, strerror(errno));
        return false;
    }
    lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0 || flock(lock, LOCK_EX)) {
        snprintf(why, size, "%s: %s", lock_path, strerror(errno));
        if (lock >= 0)
            close(lock);
        return false;
    }
    made = is_file(mark);
    if (!made) {
        say(system->prefix);
        file = make_prefix(system) ? open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
        made = file >= 0;
        if (made)
            close(file);
        else
            snprintf(why, size, "Wine cannot make a prefix in %s; 'WINEPREFIX=%s wine wineboot -i' says why",
                     system->prefix, system->prefix);
    }
    close(lock);
    return made;
}
