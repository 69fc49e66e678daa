/* SPDX-License-Identifier: MIT */
/* The options of `halcyon run`, and the settings of halcyon.conf that they set. */
#ifndef HALCYON_LAUNCHER_SETTINGS_H
#define HALCYON_LAUNCHER_SETTINGS_H

#include "launcher/launcher.h"

struct settings {
    const char *prefix, *wine, *dlls, *output; /* NULL: not given */
    bool here, dry_run, quiet, capture, debug;
    char folder[LAUNCHER_PATH]; /* of the output */
};

/* The table of the options, which set struct settings, and settings in the environment. */
extern const struct option_row settings_options[];

/* Makes the folder of the output and names log, captures and pictures in it, unless the environment does; names the
 * user's own halcyon.conf if the program's folder has none. Returns LAUNCHER_OK or LAUNCHER_FAILED. */
int settings_apply(struct settings *settings, const char *program);

/* Names the user's own halcyon.conf in HALCYON_CONFIG_FILE, unless that is set or the program's folder has one. */
void settings_choose_file(const char *program);

/* Prints where log, captures and pictures are. */
void settings_tell_files(const struct settings *settings);

/* Prints the variables of all settings that are set, and that of their file. */
void settings_print(void);

#endif
