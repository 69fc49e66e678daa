/* SPDX-License-Identifier: MIT */
/* Options, and the settings that they set. base/config.h, the table that the dlls read, checks their values. */
#define _GNU_SOURCE
#include "launcher/settings.h"

#include "base/base.h"
#include "base/config.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void variable_of(char variable[64], const char *key)
{
    snprintf(variable, 64, "HALCYON_%s", key);
    for (char *c = variable; *c; c++)
        *c = (char)toupper((unsigned char)*c);
}

/* Puts a setting into the environment. */
static enum option_result set_key(struct option_line *line, const char *key, const char *value)
{
    size_t count, i;
    const struct config_key *keys = config_keys(&count);
    char variable[64];
    const char *wrong;

    for (i = 0; i < count && strcmp(keys[i].name, key) != 0; i++)
        ;
    if (i == count)
        return option_wrong(line, "there is no setting '%s'; halcyon.conf(5) lists all", key);
    wrong = config_check(&keys[i], value);
    if (wrong)
        return option_wrong(line, "%s = %s: the value %s%s%s", key, value, wrong, keys[i].choices ? ": " : "",
                            keys[i].choices ? keys[i].choices : "");
    variable_of(variable, key);
    setenv(variable, value, 1);
    return OPTION_OK;
}

/* --- options ------------------------------------------------------------------------------------------ */

static enum option_result take_hud(void *user, const struct option_row *row, const char *value,
                                   struct option_line *line)
{
    (void)user;
    (void)row;
    return set_key(line, "hud", value ? value : "1");
}

/* The path is still valid when the program runs in another folder. */
static enum option_result take_capture(void *user, const struct option_row *row, const char *value,
                                       struct option_line *line)
{
    struct settings *settings = user;
    char *here = !value || value[0] == '/' ? NULL : getcwd(NULL, 0), *all = NULL;
    enum option_result result;

    (void)row;
    settings->capture = true;
    if (!value)
        return OPTION_OK;
    if (asprintf(&all, "%s%s%s", here ? here : "", here ? "/" : "", value) < 0) {
        free(here);
        return option_wrong(line, "out of memory");
    }
    result = set_key(line, "capture", all);
    free(all);
    free(here);
    return result;
}

static enum option_result take_exit(void *user, const struct option_row *row, const char *value,
                                    struct option_line *line)
{
    (void)user;
    (void)row;
    (void)value;
    return set_key(line, "capture_exit", "1");
}

static enum option_result take_assignment(void *user, const struct option_row *row, const char *value,
                                          struct option_line *line)
{
    const char *equals = strchr(value, '=');
    char key[64];

    (void)user;
    if (!equals || (size_t)(equals - value) >= sizeof(key))
        return option_wrong(line, "--%s takes KEY=VALUE, not '%s'", row->name, value);
    snprintf(key, sizeof(key), "%.*s", (int)(equals - value), value);
    return set_key(line, key, equals + 1);
}

/* Options that are a setting each, by their numbers. */
enum { KEY_CAPTURE_FRAMES, KEY_SCREENSHOT, KEY_FPS, KEY_THREADS, KEY_CPU, KEY_LOG_LEVEL, KEY_DDRAW };

static enum option_result take_key(void *user, const struct option_row *row, const char *value,
                                   struct option_line *line)
{
    static const char *const keys[] = {
        [KEY_CAPTURE_FRAMES] = "capture_frames",
        [KEY_SCREENSHOT] = "screenshot_frames",
        [KEY_FPS] = "frame_limit",
        [KEY_THREADS] = "threads",
        [KEY_CPU] = "cpu",
        [KEY_LOG_LEVEL] = "log_level",
        [KEY_DDRAW] = "ddraw",
    };

    (void)user;
    return set_key(line, keys[row->number], value);
}

/* A row whose value is that of a setting. */
#define SETTING(name, key, argument_name, text) \
    name, 0, OPTION_CALL, .take = take_key, .number = key, .argument = argument_name, .help = text

const struct option_row settings_options[] = {
    {"hud", 0, OPTION_CALL, .take = take_hud, .argument = "ITEMS", .optional = true,
     .help = "show figures over the picture: fps, full, or a list as in halcyon.conf(5)"},
    {"capture", 0, OPTION_CALL, .take = take_capture, .argument = "NAME", .value = VALUE_FILE, .optional = true,
     .help = "record what the program draws (default: into the folder of --output)"},
    {SETTING("capture-frames", KEY_CAPTURE_FRAMES, "LIST",
             "record only these frames, as 10,101-200; none: only those that F11 asks for")},
    {"capture-exit", 0, OPTION_CALL, .take = take_exit, .help = "end the program when these frames are recorded"},
    {"debug", 0, SETS_BOOL(struct settings, debug),
     .help =
         "serve a page, for this user and while the program runs, that shows frames which F11 captures, and pauses and "
         "steps the program; the browser that BROWSER names, or xdg-open, opens it with the first frame"},
    {SETTING("screenshot", KEY_SCREENSHOT, "LIST", "save these frames as PNG")},
    {SETTING("fps", KEY_FPS, "NUMBER", "frames per second at most; -1: never wait")},
    {SETTING("threads", KEY_THREADS, "NUMBER", "number of threads that draw")},
    {SETTING("cpu", KEY_CPU, "LEVEL", "widest SIMD instructions: auto, scalar, sse2, avx2 or avx512"),
     .choices = "auto|scalar|sse2|avx2|avx512"},
    {SETTING("log-level", KEY_LOG_LEVEL, "LEVEL",
             "what is logged: none, error, warn, info, debug or trace (default: info)"),
     .choices = "none|error|warn|info|debug|trace"},
    {SETTING("ddraw", KEY_DDRAW, "WHEN",
             "DirectDraw by Halcyon: on, off, or auto: if the program names DirectDraw but not Direct3D 1 to 7, which "
             "Halcyon's "
             "ddraw.dll does not have (default: auto)"),
     .choices = "auto|on|off"},
    {"set", 0, OPTION_CALL, .take = take_assignment, .argument = "KEY=VALUE", .repeats = true,
     .help = "any setting of halcyon.conf(5)"},
    {"output", 'o', SETS_TEXT(struct settings, output), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "folder for log, captures and pictures (default: ~/.local/state/halcyon/PROGRAM)"},
    LAUNCHER_PREFIX(struct settings, prefix),
    LAUNCHER_WINE(struct settings, wine),
    {"dlls", 0, SETS_TEXT(struct settings, dlls), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "the folder with Halcyon's dlls, or with x32 and x64 in it"},
    {"here", 0, SETS_BOOL(struct settings, here), .help = "start in the current folder, not in that of the program"},
    {"dry-run", 0, SETS_BOOL(struct settings, dry_run), .help = "print what would be run, and do not run it"},
    {"quiet", 'q', SETS_BOOL(struct settings, quiet), .help = "print only what is wrong"},
    {0},
};

/* --- folders ------------------------------------------------------------------------------------------ */

/* Names a file in the folder of the output, unless the environment names one. */
static bool set_default(const char *variable, const char *folder, const char *name)
{
    char path[LAUNCHER_PATH];

    return (getenv(variable) && *getenv(variable)) ||
           (make_path(path, "%s/%s", folder, name) && !setenv(variable, path, 1));
}

static bool name_folder(struct settings *settings, const char *program)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME"), *name = path_name(program);
    const char *dot = strrchr(name, '.');
    const int length = (int)(dot && dot != name ? dot - name : (ptrdiff_t)strlen(name));
    char here[LAUNCHER_PATH] = "";

    if (!settings->output)
        return state && state[0] == '/'
                   ? make_path(settings->folder, "%s/halcyon/%.*s", state, length, name)
                   : make_path(settings->folder, "%s/.local/state/halcyon/%.*s", home ? home : "", length, name);
    if (settings->output[0] != '/' && !getcwd(here, sizeof(here)))
        return false;
    return make_path(settings->folder, "%s%s%s", here, here[0] ? "/" : "", settings->output);
}

/* The dlls find halcyon.conf in the program's folder. */
void settings_choose_file(const char *program)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char folder[LAUNCHER_PATH], path[LAUNCHER_PATH];

    path_folder(folder, program);
    if (getenv("HALCYON_CONFIG_FILE") || (make_path(path, "%s/halcyon.conf", folder) && access(path, F_OK) == 0))
        return;
    if (config && config[0] == '/' ? make_path(path, "%s/halcyon/halcyon.conf", config)
                                   : make_path(path, "%s/.config/halcyon/halcyon.conf", home ? home : ""))
        if (access(path, R_OK) == 0)
            setenv("HALCYON_CONFIG_FILE", path, 1);
}

int settings_apply(struct settings *settings, const char *program)
{
    if (!name_folder(settings, program) || (!settings->dry_run && !make_folders(settings->folder)))
        return fail("%s: %s", settings->folder[0] ? settings->folder : "output", strerror(errno));
    settings_choose_file(program);
    if (!getenv("HALCYON_LOG_LEVEL"))
        setenv("HALCYON_LOG_LEVEL", "info", 1);
    if (!set_default("HALCYON_LOG_PATH", settings->folder, "halcyon.log") ||
        !set_default("HALCYON_SCREENSHOT_PATH", settings->folder, "shot") ||
        (settings->capture && !set_default("HALCYON_CAPTURE", settings->folder, "")))
        return fail("%s: %s", settings->folder, strerror(errno));
    return LAUNCHER_OK;
}

/* Files of the folder with this ending. */
static unsigned count_files(const char *folder, const char *ending)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    unsigned count = 0;

    while (directory && (entry = readdir(directory))) {
        const size_t length = strlen(entry->d_name), wanted = strlen(ending);
        count += length > wanted && !strcmp(entry->d_name + length - wanted, ending);
    }
    if (directory)
        closedir(directory);
    return count;
}

void settings_tell_files(const struct settings *settings)
{
    const char *frames = getenv("HALCYON_SCREENSHOT_FRAMES"), *capture = getenv("HALCYON_CAPTURE");

    say("log: %s", getenv("HALCYON_LOG_PATH"));
    if (frames && *frames)
        say("pictures: %s-*.png (%u in %s)", getenv("HALCYON_SCREENSHOT_PATH"), count_files(settings->folder, ".png"),
            settings->folder);
    if (capture && *capture)
        say("captures: %s (%u in %s)", capture, count_files(settings->folder, ".capture"), settings->folder);
}

void settings_print(void)
{
    size_t count;
    const struct config_key *keys = config_keys(&count);

    if (getenv("HALCYON_CONFIG_FILE"))
        printf("HALCYON_CONFIG_FILE=%s\n", getenv("HALCYON_CONFIG_FILE"));
    for (size_t i = 0; i < count; i++) {
        char variable[64];

        variable_of(variable, keys[i].name);
        if (getenv(variable))
            printf("%s=%s\n", variable, getenv(variable));
    }
}
