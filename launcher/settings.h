/* SPDX-License-Identifier: MIT */
/* The options of `halcyon run`, and the settings of halcyon.conf that they set. */
#ifndef HALCYON_LAUNCHER_SETTINGS_H
#define HALCYON_LAUNCHER_SETTINGS_H

#include "launcher/launcher.h"

#define SETTINGS_HELP                                                                                \
    "      --hud[=ITEMS]     figures over the picture: fps, full, or a list as of halcyon.conf(5)\n" \
    "      --capture[=NAME]  record what the program draws (default: into the folder of --output)\n" \
    "      --capture-frames LIST\n"                                                                  \
    "                        only these frames, as 10,101-200; none: those that F11 asks for\n"      \
    "      --capture-exit    end the program when they are recorded\n"                               \
    "      --screenshot LIST save these frames as PNG\n"                                             \
    "      --fps NUMBER      frames a second at most; -1: never wait\n"                              \
    "      --threads NUMBER  threads that draw\n"                                                    \
    "      --cpu LEVEL       widest SIMD instructions: auto, scalar, sse2, avx2, avx512\n"           \
    "      --log-level LEVEL error, warn, info, debug (default: info)\n"                             \
    "      --set KEY=VALUE   any setting of halcyon.conf(5)\n"                                       \
    "  -o, --output FOLDER   where log, captures and pictures go (default:\n"                        \
    "                        ~/.local/state/halcyon/PROGRAM)\n"

#define SETTINGS_HELP_PRINTED (-2)

struct settings {
    const char *prefix, *wine, *dlls, *output; /* NULL: not given */
    bool here, dry_run, quiet, capture;
    char folder[LAUNCHER_PATH]; /* of the output */
};

/* Reads options up to the program, and puts settings into the environment. Returns the index of the program in argv,
 * argc if there is none, -1 after printing an error, or SETTINGS_HELP_PRINTED. */
int settings_read(struct settings *settings, const struct command *command, int argc, char **argv);

/* Makes the folder of the output and names log, captures and pictures in it, unless the environment does; names the
 * user's own halcyon.conf if the program's folder has none. Returns LAUNCHER_OK or LAUNCHER_FAILED. */
int settings_apply(struct settings *settings, const char *program);

/* Prints where log, captures and pictures are. */
void settings_tell_files(const struct settings *settings);

/* Prints the variables of all settings that are set, and that of their file. */
void settings_print(void);

#endif
