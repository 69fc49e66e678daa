/* SPDX-License-Identifier: MIT */
/* Options, and the settings that they set. base/config.h, the table that the dlls read, checks their values. */
#define _GNU_SOURCE
#include "launcher/settings.h"

#include "base/base.h"
#include "base/config.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_HUD = 256, OPT_CAPTURE, OPT_EXIT, OPT_WINE, OPT_DLLS, OPT_HERE, OPT_DRY_RUN, OPT_SET, OPT_HELP, OPT_KEY };

/* Options that are a setting each: OPT_KEY and the index. */
static const struct {
    const char *option, *key;
} direct[] = {
    {"capture-frames", "capture_frames"},
    {"screenshot", "screenshot_frames"},
    {"fps", "frame_limit"},
    {"threads", "threads"},
    {"cpu", "cpu"},
    {"log-level", "log_level"},
};

static const struct option options[] = {
    {"hud", optional_argument, NULL, OPT_HUD},
    {"capture", optional_argument, NULL, OPT_CAPTURE},
    {"capture-exit", no_argument, NULL, OPT_EXIT},
    {"capture-frames", required_argument, NULL, OPT_KEY},
    {"screenshot", required_argument, NULL, OPT_KEY + 1},
    {"fps", required_argument, NULL, OPT_KEY + 2},
    {"threads", required_argument, NULL, OPT_KEY + 3},
    {"cpu", required_argument, NULL, OPT_KEY + 4},
    {"log-level", required_argument, NULL, OPT_KEY + 5},
    {"set", required_argument, NULL, OPT_SET},
    {"output", required_argument, NULL, 'o'},
    {"prefix", required_argument, NULL, 'p'},
    {"wine", required_argument, NULL, OPT_WINE},
    {"dlls", required_argument, NULL, OPT_DLLS},
    {"here", no_argument, NULL, OPT_HERE},
    {"dry-run", no_argument, NULL, OPT_DRY_RUN},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, OPT_HELP},
    {0},
};

static void variable_of(char variable[64], const char *key)
{
    snprintf(variable, 64, "HALCYON_%s", key);
    for (char *c = variable; *c; c++)
        *c = (char)toupper((unsigned char)*c);
}

/* Puts a setting into the environment. False: the error has been printed. */
static bool set_key(const struct command *command, const char *key, const char *value)
{
    size_t count, i;
    const struct config_key *keys = config_keys(&count);
    char variable[64];
    const char *wrong;

    for (i = 0; i < count && strcmp(keys[i].name, key) != 0; i++)
        ;
    if (i == count) {
        usage(command, "there is no setting '%s'; halcyon.conf(5) lists all", key);
        return false;
    }
    wrong = config_check(&keys[i], value);
    if (wrong) {
        usage(command, "%s = %s: the value %s%s%s", key, value, wrong, keys[i].choices ? ": " : "",
              keys[i].choices ? keys[i].choices : "");
        return false;
    }
    variable_of(variable, key);
    setenv(variable, value, 1);
    return true;
}

static bool set_assignment(const struct command *command, const char *text)
{
    const char *equals = strchr(text, '=');
    char key[64];

    if (!equals || (size_t)(equals - text) >= sizeof(key)) {
        usage(command, "--set takes KEY=VALUE, not '%s'", text);
        return false;
    }
    snprintf(key, sizeof(key), "%.*s", (int)(equals - text), text);
    return set_key(command, key, equals + 1);
}

/* A path that is still valid when the program runs in another folder. */
static bool set_absolute(const struct command *command, const char *key, const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0), *all = NULL;
    bool done;

    if (asprintf(&all, "%s%s%s", here ? here : "", here ? "/" : "", path) < 0)
        return false;
    done = set_key(command, key, all);
    free(all);
    free(here);
    return done;
}

static bool take_option(struct settings *settings, const struct command *command, int option)
{
    switch (option) {
    case OPT_HUD:
        return set_key(command, "hud", optarg ? optarg : "1");
    case OPT_CAPTURE:
        settings->capture = true;
        return !optarg || set_absolute(command, "capture", optarg);
    case OPT_EXIT:
        return set_key(command, "capture_exit", "1");
    case OPT_SET:
        return set_assignment(command, optarg);
    case 'o':
        settings->output = optarg;
        return true;
    case 'p':
        settings->prefix = optarg;
        return true;
    case OPT_WINE:
        settings->wine = optarg;
        return true;
    case OPT_DLLS:
        settings->dlls = optarg;
        return true;
    case OPT_HERE:
        settings->here = true;
        return true;
    case OPT_DRY_RUN:
        settings->dry_run = true;
        return true;
    case 'q':
        settings->quiet = true;
        return true;
    default:
        return set_key(command, direct[option - OPT_KEY].key, optarg);
    }
}

int settings_read(struct settings *settings, const struct command *command, int argc, char **argv)
{
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:o:p:q", options, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(command->help, stdout);
            return SETTINGS_HELP_PRINTED;
        }
        if (option == '?' || option == ':') {
            usage(command, option == ':' ? "option '%s' requires an argument" : "unrecognized option '%s'",
                  argv[optind - 1]);
            return -1;
        }
        if (!take_option(settings, command, option))
            return -1;
    }
    return optind;
}

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

/* The dlls find halcyon.conf in the program's folder. If there is none, the user's own file is used. */
static void choose_file(const char *program)
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
    choose_file(program);
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
