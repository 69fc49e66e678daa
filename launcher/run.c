/* SPDX-License-Identifier: MIT */
/* halcyon run: runs a program under Wine, drawn by Halcyon, and reports the result. */
#define _GNU_SOURCE /* asprintf */
#include "base/wine/dlls.h"
#include "launcher/launcher.h"
#include "launcher/live.h"
#include "launcher/pe.h"
#include "launcher/settings.h"
#include "launcher/watch.h"
#include "base/wine/wine.h"

#include "base/base.h"
#include "base/config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BOTH       (1u << PE_D3D8 | 1u << PE_D3D9)
#define DIRECTDRAW (1u << PE_DDRAW | 1u << PE_D3D7)
#define MOST_DLLS  256 /* of the program's folder that are examined */

struct run {
    struct settings settings;
    const char *program; /* as it was given */
    char path[LAUNCHER_PATH], folder[LAUNCHER_PATH], prefix[LAUNCHER_PATH], dlls[LAUNCHER_PATH];
    struct pe_facts facts;
    unsigned uses;    /* a set of 1 << enum pe_library, of the program and of the dlls in its folder */
    bool has_wrapper; /* a ddraw.dll of another project is in its folder */
    bool ddraw;       /* Halcyon's ddraw.dll takes the place of Wine's */
    struct wine wine;
    struct links links;
};

/* --- the program ---------------------------------------------------------------------------------------------------- */

/* Copies and links of our dlls say nothing about the program. */
static bool is_ours_by_name(const char *path, const char *name)
{
    static const char *const names[] = {"d3d8.dll", "d3d9.dll", "ddraw.dll", "halcyon.dll"};

    for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
        if (!strcasecmp(name, names[i]))
            return dlls_is_ours(path);
    return false;
}

/* Engines often have their renderer in a dll in the program's folder. */
static unsigned look_beside(const char *folder, unsigned bits, bool *has_wrapper)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    unsigned count = 0, uses = 0;

    while (directory && count < MOST_DLLS && (entry = readdir(directory))) {
        const size_t length = strlen(entry->d_name);
        char path[LAUNCHER_PATH];
        struct pe_facts facts;

        if (length < 5 || strcasecmp(entry->d_name + length - 4, ".dll") != 0 ||
            !make_path(path, "%s/%s", folder, entry->d_name))
            continue;
        if (is_ours_by_name(path, entry->d_name))
            continue;
        count++;
        *has_wrapper |= !strcasecmp(entry->d_name, "ddraw.dll") && is_file(path);
        if (pe_read_file(path, &facts) && facts.kind == PE_OK && facts.bits == bits)
            uses |= facts.imported | facts.named;
    }
    if (directory)
        closedir(directory);
    return uses;
}

/* As the setting says; auto: only where it serves the program, because Wine's ddraw.dll has Direct3D 1 to 7 and ours has not. */
static bool wants_ddraw(const struct run *run)
{
    const char *when = config_string("ddraw");

    if (strcmp(when, "auto") != 0)
        return !strcmp(when, "on");
    return (run->uses & DIRECTDRAW) == 1u << PE_DDRAW && !run->has_wrapper;
}

static int look_at_program(struct run *run)
{
    static const char *const wrong[] = {
        [PE_NOT] = "is not a Windows program",
        [PE_DOS] = "is a program for DOS or 16-bit Windows",
        [PE_FOREIGN] = "is a Windows program for another processor than x86",
    };
    char *real = realpath(run->program, NULL);
    unsigned beside;

    if (!real) {
        say("%s: %s", run->program, strerror(errno));
        return LAUNCHER_NOT_FOUND;
    }
    /* the folder of the program's name counts, not the target of a link */
    free(real);
    if (run->program[0] == '/')
        make_path(run->path, "%s", run->program);
    else if (!getcwd(run->folder, LAUNCHER_PATH) || !make_path(run->path, "%s/%s", run->folder, run->program))
        return fail("%s: %s", run->program, strerror(errno));
    path_folder(run->folder, run->path);
    if (!pe_read_file(run->path, &run->facts)) {
        say("%s: %s", run->program, strerror(errno));
        return LAUNCHER_CANNOT_START;
    }
    if (run->facts.kind != PE_OK || run->facts.is_dll) {
        say("%s %s", run->program, run->facts.kind != PE_OK ? wrong[run->facts.kind] : "is a dll, not a program");
        return LAUNCHER_CANNOT_START;
    }
    run->uses = run->facts.imported | run->facts.named;
    beside = look_beside(run->folder, run->facts.bits, &run->has_wrapper);
    run->uses |= run->uses & BOTH ? beside & DIRECTDRAW : beside;
    settings_choose_file(run->path);
    config_for_program(run->path);
    run->ddraw = wants_ddraw(run);
    return LAUNCHER_OK;
}

static void tell_uses(const struct run *run)
{
    char text[256] = "";

    for (unsigned i = 0; i < PE_LIBRARY_COUNT; i++)
        if (run->uses & 1u << i)
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? ", " : "",
                     pe_library_what((enum pe_library)i));
    say("%s: a %u-bit program that names %s", run->program, run->facts.bits, text[0] ? text : "no graphics library");
    if (run->uses & DIRECTDRAW && !run->ddraw)
        say("DirectDraw and Direct3D 1 to 7 are left to %s%s", run->has_wrapper ? "the ddraw.dll next to it" : "Wine",
            strcmp(config_string("ddraw"), "off") ? "; --ddraw on: to Halcyon, which has DirectDraw alone" : "");
    if (!(run->uses & BOTH) && !run->ddraw)
        say("neither it nor a dll next to it names what Halcyon draws: Direct3D 8 or 9, or DirectDraw alone");
}

/* --- Wine ------------------------------------------------------------------------------------------------------------ */

static int look_for_wine(struct run *run)
{
    const bool found = wine_find(&run->wine, run->settings.wine);

    if (!found || !run->wine.version[0]) {
        say(found ? "%s does not run" : "Wine is not installed%s", found ? run->wine.path : "");
        fprintf(stderr, "Install it:\n%s", wine_install_help(run->facts.bits == 32));
        return LAUNCHER_FAILED;
    }
    if (run->wine.major < WINE_OLDEST)
        say("%s is older than Wine %u, with which Halcyon has been tested", run->wine.version, WINE_OLDEST);
    if (run->facts.bits == 32 && run->wine.runs64 && !run->wine.runs32) {
        say("%s is a 32-bit program, and %s runs 64-bit programs only", run->program, run->wine.path);
        fprintf(stderr, "Install 32-bit Wine:\n%s", wine_install_help(true));
        return LAUNCHER_CANNOT_START;
    }
    if (run->facts.bits == 64 && run->wine.runs32 && !run->wine.runs64) {
        say("%s is a 64-bit program, and %s runs 32-bit programs only", run->program, run->wine.path);
        return LAUNCHER_CANNOT_START;
    }
    return LAUNCHER_OK;
}

static int make_links(struct run *run)
{
    const char *const names[] = {"d3d8.dll", "d3d9.dll", "halcyon.dll", run->ddraw ? "ddraw.dll" : NULL, NULL};

    switch (links_make(&run->links, run->folder, run->dlls, names)) {
    case LINKS_MADE:
        return LAUNCHER_OK;
    case LINKS_FOREIGN:
        return fail("%s/%s is not Halcyon's: give the file another name while Halcyon is to draw", run->folder,
                    run->links.names[run->links.count]);
    default:
        return fail("%s: links to the dlls cannot be made there: %s", run->folder, strerror(errno));
    }
}

static void append_variable(const char *name, const char *before, const char *text)
{
    const char *old = getenv(name);
    char *all;

    if (!old || !*old)
        old = before;
    if (asprintf(&all, "%s%s%s", old, *old ? (strcmp(name, "WINEDEBUG") ? ";" : ",") : "", text) < 0)
        return;
    setenv(name, all, 1);
    free(all);
}

static void set_wine_variables(const struct run *run)
{
    setenv("WINEPREFIX", run->prefix, 1);
    append_variable("WINEDLLOVERRIDES", "", run->ddraw ? "d3d8,d3d9,ddraw=n" : "d3d8,d3d9=n");
    append_variable("WINEDEBUG", "fixme-all", "err+module,+loaddll");
}

/* --- afterwards ------------------------------------------------------------------------------------------------------- */

/* Frames that the log reports after `start`; of several programs the most. */
static unsigned long count_frames(const char *log, long start)
{
    static const char words[] = "frames shown: ";
    FILE *file = fopen(log, "r");
    unsigned long most = 0, frames;
    char line[2048];
    const char *at;

    if (!file)
        return 0;
    if (!fseek(file, start, SEEK_SET))
        while (fgets(line, sizeof(line), file))
            if ((at = strstr(line, words)) && (frames = strtoul(at + sizeof(words) - 1, NULL, 10)) > most)
                most = frames;
    fclose(file);
    return most;
}

static void tell_result(const struct run *run, const struct watched *watched, long log_start)
{
    const unsigned ours = BOTH | (run->ddraw ? 1u << PE_DDRAW : 0);
    const char *log = getenv("HALCYON_LOG_PATH");
    const unsigned long frames = log ? count_frames(log, log_start) : 0;

    if (watched->driver && frames)
        say("drawn by Halcyon: %lu frames", frames);
    else if (watched->driver)
        say("Halcyon was loaded, and the program has shown no frame");
    else if (watched->builtin & BOTH)
        say("NOT drawn by Halcyon: Wine has loaded its own Direct3D");
    else if (watched->builtin & DIRECTDRAW)
        say("NOT drawn by Halcyon: Wine has loaded its own DirectDraw");
    else if (watched->native & ours)
        say("Halcyon's %s was loaded, and the program has not used it",
            watched->native & BOTH ? "Direct3D" : "DirectDraw");
    else if (watched->native & DIRECTDRAW)
        say("NOT drawn by Halcyon: the program has loaded another ddraw.dll");
    else
        say("NOT drawn by Halcyon: the program has not loaded Direct3D 8 or 9, or DirectDraw");
    settings_tell_files(&run->settings);
}

static int status_of(const struct run *run, const struct watched *watched)
{
    if (!watched->ran) {
        say("%s cannot be executed: %s", run->wine.path, strerror(watched->errno_of_start));
        return LAUNCHER_FAILED;
    }
    if (watched->lacks_dll && !watched->driver) {
        say("%s could not start: a dll that it needs is missing", run->program);
        return LAUNCHER_CANNOT_START;
    }
    if (!watched->started) {
        say("%s could not start: Wine has not loaded it", run->program);
        return LAUNCHER_CANNOT_START;
    }
    return WIFSIGNALED(watched->status) ? 128 + WTERMSIG(watched->status) : WEXITSTATUS(watched->status);
}

static int run_program(struct run *run, int count, char **arguments)
{
    char **argv = mem_calloc((size_t)count + 3, sizeof(*argv));
    const char *log = getenv("HALCYON_LOG_PATH");
    struct watched watched;
    struct live *live;
    FILE *before;
    long log_start = 0;
    int status;

    if (!argv)
        return fail("out of memory");
    live = run->settings.debug ? live_start(run->settings.folder) : NULL;
    if (run->settings.debug && !live) {
        free(argv);
        return LAUNCHER_FAILED;
    }
    argv[0] = run->wine.path;
    argv[1] = run->path;
    memcpy(argv + 2, arguments, (size_t)count * sizeof(*argv));
    before = log ? fopen(log, "r") : NULL;
    if (before && !fseek(before, 0, SEEK_END))
        log_start = ftell(before);
    if (before)
        fclose(before);
    watch_program(&watched, argv, run->settings.here ? NULL : run->folder, path_name(run->path));
    live_stop(live);
    links_remove(&run->links);
    status = status_of(run, &watched);
    if (watched.ran && watched.started && !(run->settings.quiet && watched.driver))
        tell_result(run, &watched, log_start);
    free(argv);
    return status;
}

static void tell_dry_run(const struct run *run, int count, char **arguments)
{
    printf("wine: %s (%s%s)\nprefix: %s\ndlls: %s\nfolder: %s\n", run->wine.path, run->wine.version,
           run->wine.new_wow64 ? ", new WoW64" : "", run->prefix, run->dlls, run->folder);
    printf("WINEDLLOVERRIDES=%s\nWINEDEBUG=%s\n", getenv("WINEDLLOVERRIDES"), getenv("WINEDEBUG"));
    settings_print();
    printf("%s %s", run->wine.path, run->path);
    for (int i = 0; i < count; i++)
        printf(" %s", arguments[i]);
    putchar('\n');
}

static int run_command(void *settings, char **operands, int count)
{
    struct run *run = mem_calloc(1, sizeof(*run));
    int status;

    if (!run)
        return fail("out of memory");
    run->links.lock = -1;
    run->settings = *(const struct settings *)settings;
    run->program = operands[0];
    status = look_at_program(run);
    if (status == LAUNCHER_OK && !run->settings.quiet)
        tell_uses(run);
    if (status == LAUNCHER_OK)
        status = look_for_wine(run);
    if (status == LAUNCHER_OK && !dlls_find(run->dlls, run->settings.dlls, run->facts.bits))
        status = fail("Halcyon's %u-bit dlls are not in %s; --dlls names their folder", run->facts.bits, run->dlls);
    if (status == LAUNCHER_OK && !wine_prefix(run->prefix, run->settings.prefix))
        status = fail("%s: %s", run->settings.prefix ? run->settings.prefix : "prefix", strerror(errno));
    if (status == LAUNCHER_OK)
        status = settings_apply(&run->settings, run->path);
    if (status == LAUNCHER_OK) {
        set_wine_variables(run);
        if (run->settings.dry_run)
            tell_dry_run(run, count - 1, operands + 1);
        else if ((status = make_links(run)) == LAUNCHER_OK)
            status = run_program(run, count - 1, operands + 1);
    }
    links_remove(&run->links);
    free(run);
    return status;
}

static const struct option_operand operands[] = {
    {"PROGRAM.exe", .value = VALUE_FILE},
    {"ARGUMENT", .value = VALUE_FILE, .optional = true, .repeats = true},
    {0},
};

const struct command command_run = {
    .syntax =
        {
            .name = "run",
            .summary = "run a program, drawn by Halcyon",
            .usage = "[OPTION...] [--] PROGRAM.exe [ARGUMENT...]",
            .about = "Runs a program under Wine with Halcyon as its Direct3D 8 and 9 and, if it does without Direct3D "
                     "1 to 7, "
                     "as its DirectDraw. The dlls are not copied: while "
                     "the program runs, links to them lie next to it. Wine's own settings are not changed. Afterwards "
                     "the command says whether Halcyon has drawn, and where log, captures and pictures are.",
            .options = settings_options,
            .notes =
                "Exit status: that of the program. 125: the command line is wrong, or Wine, the dlls or the rights to "
                "make links are missing. 126: the program cannot be started. 127: there is no such program.",
            .examples = "halcyon run -- title.exe\n"
                        "halcyon run --hud=full --fps 60 -- title.exe -windowed\n"
                        "halcyon run --capture --capture-frames 100-120 -- title.exe\n"
                        "halcyon run --debug -- title.exe\n"
                        "halcyon run --screenshot 10,100 --output shots -- title.exe",
            .operands = operands,
            .missing = "a program",
            .stops = true,
        },
    .size = sizeof(struct settings),
    .run = run_command,
};
