/* SPDX-License-Identifier: MIT */
/*
 * halcyon install, halcyon uninstall: the dlls in a Wine prefix. The previous files are kept in PREFIX/.halcyon-backup:
 * system32/NAME, syswow64/NAME, user.reg before the installation, and user.reg.installed after it.
 */
#include "base/wine/dlls.h"
#include "launcher/launcher.h"
#include "launcher/registry.h"

#include "base/base.h"
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The last of each are put there only if asked for: programs of Direct3D 1 to 7 need Wine's ddraw.dll. */
static const char *const names[] = {"d3d8.dll", "d3d9.dll", "halcyon.dll", "ddraw.dll"};
static const char *const overrides[] = {"d3d8", "d3d9", "ddraw"};

struct prefix {
    char path[LAUNCHER_PATH], backup[LAUNCHER_PATH];
    bool is_64;
    bool with_ddraw; /* of installation: ddraw.dll too */
};

/* --- files ------------------------------------------------------------------------------------------------------------ */

/* A whole file followed by a 0, to be freed; NULL: see errno. */
static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    long length;

    if (!file)
        return NULL;
    if (!fseek(file, 0, SEEK_END) && (length = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET) &&
        (data = mem_alloc((size_t)length, 1, 1))) {
        *size = fread(data, 1, (size_t)length, file);
        data[*size] = 0;
        if (*size != (size_t)length) {
            free(data);
            data = NULL;
            errno = EIO;
        }
    }
    fclose(file);
    return data;
}

static bool write_all(const char *path, const char *data, size_t size)
{
    struct output output;

    if (!output_open(&output, path, OUTPUT_REPLACE))
        return false;
    fwrite(data, 1, size, output.file);
    return output_commit(&output);
}

static bool copy_file(const char *to, const char *from)
{
    size_t size;
    char *data = read_all(from, &size);
    const bool done = data && write_all(to, data, size);

    free(data);
    return done;
}

/* --- prefixes ----------------------------------------------------------------------------------------------------------- */

/* Does a wineserver hold the prefix open? */
static bool process_uses(const char *process, const char *path)
{
    char name[LAUNCHER_PATH], real[LAUNCHER_PATH], text[32] = "";
    const struct dirent *entry;
    bool uses = false;
    FILE *file = make_path(name, "/proc/%s/comm", process) ? fopen(name, "r") : NULL;
    DIR *files;

    if (file && !fgets(text, sizeof(text), file))
        text[0] = 0;
    if (file)
        fclose(file);
    if (strncmp(text, "wineserver", 10) != 0 || !make_path(name, "/proc/%s/fd", process) || !(files = opendir(name)))
        return false;
    while (!uses && (entry = readdir(files))) {
        const ssize_t length =
            make_path(name, "/proc/%s/fd/%s", process, entry->d_name) ? readlink(name, real, sizeof(real) - 1) : -1;
        if (length <= 0)
            continue;
        real[length] = 0;
        uses = !strcmp(real, path) || (!strncmp(real, path, strlen(path)) && real[strlen(path)] == '/');
    }
    closedir(files);
    return uses;
}

static bool is_in_use(const char *path)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    bool uses = false;

    while (processes && !uses && (entry = readdir(processes)))
        uses = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && process_uses(entry->d_name, path);
    if (processes)
        closedir(processes);
    return uses;
}

static int open_prefix(struct prefix *prefix, const char *path)
{
    char name[LAUNCHER_PATH];
    size_t size;
    char *text;

    if (!realpath(path, prefix->path))
        return fail("%s: %s", path, strerror(errno));
    if (!make_path(name, "%s/drive_c/windows/system32", prefix->path) || !is_folder(name) ||
        !make_path(name, "%s/user.reg", prefix->path) || !(text = read_all(name, &size)))
        return fail("%s is not a Wine prefix", path);
    prefix->is_64 = strstr(text, "\n#arch=win64") != NULL;
    free(text);
    if (!make_path(prefix->backup, "%s/.halcyon-backup", prefix->path))
        return fail("%s: %s", path, strerror(errno));
    if (is_in_use(prefix->path))
        return fail("%s is in use: close its programs, or end them by 'wineserver -k'", path);
    return LAUNCHER_OK;
}

/* The system folders of the prefix, and the dlls that belong in them. */
static unsigned folders(const struct prefix *prefix, const char *folder[2], unsigned bits[2])
{
    char name[LAUNCHER_PATH];

    folder[0] = "system32";
    bits[0] = prefix->is_64 ? 64 : 32;
    folder[1] = "syswow64";
    bits[1] = 32;
    return prefix->is_64 && make_path(name, "%s/drive_c/windows/syswow64", prefix->path) && is_folder(name) ? 2 : 1;
}

/* --- install --------------------------------------------------------------------------------------------------------------- */

static bool install_dll(const struct prefix *prefix, const char *folder, const char *from, const char *name)
{
    char to[LAUNCHER_PATH], kept[LAUNCHER_PATH], ours[LAUNCHER_PATH];
    struct stat status;

    if (!make_path(to, "%s/drive_c/windows/%s/%s", prefix->path, folder, name) ||
        !make_path(kept, "%s/%s/%s", prefix->backup, folder, name) || !make_path(ours, "%s/%s", from, name))
        return false;
    if (!lstat(to, &status) && !dlls_is_ours(to) && rename(to, kept))
        return false;
    if (copy_file(to, ours))
        return true;
    (void)!rename(kept, to); /* where there was one */
    return false;
}

static char *with_overrides(const char *text, unsigned count)
{
    char *all = strdup(text);

    for (unsigned i = 0; i < count && all; i++) {
        char *next = registry_set(all, overrides[i], "\"native\"");
        free(all);
        all = next;
    }
    return all;
}

static bool install_overrides(const struct prefix *prefix)
{
    char registry[LAUNCHER_PATH], kept[LAUNCHER_PATH], left[LAUNCHER_PATH];
    size_t size;
    char *text, *changed;
    bool done;

    if (!make_path(registry, "%s/user.reg", prefix->path) || !make_path(kept, "%s/user.reg", prefix->backup) ||
        !make_path(left, "%s/user.reg.installed", prefix->backup) || !(text = read_all(registry, &size)))
        return false;
    changed = with_overrides(text, ARRAY_COUNT(overrides) - !prefix->with_ddraw);
    done = changed && (is_file(kept) || write_all(kept, text, size));
    if (done && strcmp(changed, text) != 0)
        done = write_all(left, changed, strlen(changed)) && write_all(registry, changed, strlen(changed));
    free(text);
    free(changed);
    return done;
}

static int install(const struct prefix *prefix, const char *wanted)
{
    const char *folder[2];
    char from[2][LAUNCHER_PATH], kept[LAUNCHER_PATH];
    unsigned bits[2], count = folders(prefix, folder, bits);

    for (unsigned i = 0; i < count; i++)
        if (!dlls_find(from[i], wanted, bits[i]))
            return fail("Halcyon's %u-bit dlls are not in %s; --dlls names the folder with x32 and x64", bits[i],
                        from[i]);
    for (unsigned i = 0; i < count; i++) {
        if (!make_path(kept, "%s/%s", prefix->backup, folder[i]) || !make_folders(kept))
            return fail("%s: %s", prefix->backup, strerror(errno));
        for (unsigned n = 0; n < ARRAY_COUNT(names) - !prefix->with_ddraw; n++)
            if (!install_dll(prefix, folder[i], from[i], names[n]))
                return fail("%s of %s: %s", names[n], folder[i], strerror(errno));
    }
    if (!install_overrides(prefix))
        return fail("%s/user.reg: %s", prefix->path, strerror(errno));
    say("%s: programs in this prefix are drawn by Halcyon; 'halcyon uninstall' undoes it", prefix->path);
    return LAUNCHER_OK;
}

/* --- uninstall ------------------------------------------------------------------------------------------------------------- */

/* Files that Wine has put there since stay. */
static bool uninstall_dll(const struct prefix *prefix, const char *folder, const char *name)
{
    char to[LAUNCHER_PATH], kept[LAUNCHER_PATH];
    struct stat status;

    if (!make_path(to, "%s/drive_c/windows/%s/%s", prefix->path, folder, name) ||
        !make_path(kept, "%s/%s/%s", prefix->backup, folder, name))
        return false;
    if (!lstat(to, &status) && !dlls_is_ours(to))
        return !unlink(kept) || errno == ENOENT;
    if (!lstat(kept, &status))
        return !rename(kept, to);
    return !unlink(to) || errno == ENOENT;
}

/* Has the installation changed an override? */
static bool has_changed(const char *before, const char *left, const char *name)
{
    char *old = registry_get(before, name), *added = registry_get(left, name);
    const bool changed = added && (!old || strcmp(old, added) != 0);

    free(old);
    free(added);
    return changed;
}

/* Restores the previous registry if it has not changed since; else only the values that the installation has changed. `left`: the
 * registry after the installation; NULL: that has changed nothing. */
static char *without_overrides(const char *now, const char *before, const char *left)
{
    char *all = strdup(left && !strcmp(now, left) ? before : now);

    for (unsigned i = 0; i < ARRAY_COUNT(overrides) && all; i++) {
        if (!left || !has_changed(before, left, overrides[i]))
            continue;
        char *old = registry_get(before, overrides[i]), *next = registry_set(all, overrides[i], old);
        free(all);
        free(old);
        all = next;
    }
    return all;
}

static bool uninstall_overrides(const struct prefix *prefix)
{
    char registry[LAUNCHER_PATH], kept[LAUNCHER_PATH], installed[LAUNCHER_PATH];
    size_t size;
    char *now, *before, *left, *restored;
    bool done;

    if (!make_path(registry, "%s/user.reg", prefix->path) || !make_path(kept, "%s/user.reg", prefix->backup) ||
        !make_path(installed, "%s/user.reg.installed", prefix->backup))
        return false;
    before = read_all(kept, &size);
    if (!before)
        return errno == ENOENT; /* the installation had not got that far */
    now = read_all(registry, &size);
    left = read_all(installed, &size);
    restored = now ? without_overrides(now, before, left) : NULL;
    done = restored && write_all(registry, restored, strlen(restored)) && !unlink(kept) &&
           (!unlink(installed) || errno == ENOENT);
    free(now);
    free(before);
    free(left);
    free(restored);
    return done;
}

static int uninstall(const struct prefix *prefix)
{
    const char *folder[2];
    unsigned bits[2], count = folders(prefix, folder, bits);
    char kept[LAUNCHER_PATH];

    if (!is_folder(prefix->backup))
        return fail("%s: 'halcyon install' has not been here", prefix->path);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned n = 0; n < ARRAY_COUNT(names); n++)
            if (!uninstall_dll(prefix, folder[i], names[n]))
                return fail("%s of %s: %s", names[n], folder[i], strerror(errno));
        if (make_path(kept, "%s/%s", prefix->backup, folder[i]))
            rmdir(kept);
    }
    if (!uninstall_overrides(prefix))
        return fail("%s/user.reg: %s", prefix->path, strerror(errno));
    if (rmdir(prefix->backup))
        return fail("%s: %s", prefix->backup, strerror(errno));
    say("%s is as it was before Halcyon", prefix->path);
    return LAUNCHER_OK;
}

struct request {
    const char *dlls; /* NULL: those that belong to this program */
    int ddraw;        /* 1: on */
};

/* A ddraw.dll that an earlier installation has put there is replaced with the others, for they belong together. */
static bool has_ddraw(const struct prefix *prefix)
{
    const char *folder[2];
    unsigned bits[2], count = folders(prefix, folder, bits);
    char path[LAUNCHER_PATH];

    for (unsigned i = 0; i < count; i++)
        if (make_path(path, "%s/drive_c/windows/%s/ddraw.dll", prefix->path, folder[i]) && dlls_is_ours(path))
            return true;
    return false;
}

static int install_command(void *settings, char **operands, int count)
{
    const struct request *request = settings;
    struct prefix prefix;
    const int status = open_prefix(&prefix, operands[0]);

    (void)count;
    if (status != LAUNCHER_OK)
        return status;
    prefix.with_ddraw = request->ddraw || has_ddraw(&prefix);
    return install(&prefix, request->dlls);
}

static int uninstall_command(void *settings, char **operands, int count)
{
    struct prefix prefix;
    const int status = open_prefix(&prefix, operands[0]);

    (void)settings;
    (void)count;
    return status == LAUNCHER_OK ? uninstall(&prefix) : status;
}

static const struct option_row install_options[] = {
    {"ddraw", 0, SETS_CHOICE(struct request, ddraw), .argument = "WHEN", .choices = "off|on",
     .help = "on: ddraw.dll too, which has DirectDraw without Direct3D 1 to 7"},
    {"dlls", 0, SETS_TEXT(struct request, dlls), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "the folder with x32 and x64 in it"},
    {0},
};

static const struct option_operand operands[] = {{"PREFIX", .value = VALUE_FOLDER}, {0}};

const struct command command_install = {
    .syntax =
        {
            .name = "install",
            .summary = "put the dlls into a Wine prefix",
            .usage = "[--ddraw on] [--dlls FOLDER] PREFIX",
            .about = "Puts Halcyon's dlls into a Wine prefix, for all programs in it. The files that they replace are "
                     "kept in PREFIX/.halcyon-backup. To bring newer dlls, do it again. Wine's "
                     "DirectDraw stays unless --ddraw on is given: all programs of Direct3D 1 to 7 need it.",
            .options = install_options,
            .notes = "Exit status: 0 done; 125 it is not a prefix or is in use, or a file cannot be read or written.",
            .examples = "halcyon install ~/.wine",
            .operands = operands,
            .missing = "a Wine prefix",
        },
    .size = sizeof(struct request),
    .run = install_command,
};

const struct command command_uninstall = {
    .syntax =
        {
            .name = "uninstall",
            .summary = "take them out of it",
            .usage = "PREFIX",
            .about = "Takes Halcyon's dlls out of a Wine prefix, and puts back what was there before.",
            .notes = "Exit status: 0 done; 125 Halcyon is not installed there, the prefix is in use, or a file cannot "
                     "be written.",
            .examples = "halcyon uninstall ~/.wine",
            .operands = operands,
            .missing = "a Wine prefix",
        },
    .run = uninstall_command,
};
