/* SPDX-License-Identifier: MIT */
/* halcyon doctor: checks everything that a program needs, and draws a test picture natively and under Wine. */
#include "base/wine/ask.h"
#include "base/wine/dlls.h"
#include "launcher/launcher.h"
#include "launcher/settings.h"
#include "base/wine/wine.h"

#include "base/base.h"
#include "base/config.h"
#include "base/json/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ROWS    16
#define LOW_MEMORY   512 /* MiB */
#define LONG_SECONDS 120 /* for steps that may be slow */
/* The output of `dp2 replay --hash` for the picture below, on every machine. */
#define PICTURE_HASH "92182bc7794db8ac"

/* The tutorial's second step: a triangle. */
static const char picture[] =
    "create target screen 160x120 X8R8G8B8\n"
    "context c target=screen\n"
    "draw c {\n"
    "    VIEWPORTINFO {x=0 y=0 width=160 height=120}\n"
    "    CLEAR flags=TARGET color=#ff204060 {rect=(0 0 160 120)}\n"
    "    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=FALSE}\n"
    "    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}\n"
    "    SETSTREAMSOURCEUM {stream=0 stride=20}\n"
    "    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\n"
    "    user_vertices {\n"
    "        fvf(XYZRHW|DIFFUSE\n"
    "             80  10 0.5 1 #ffff4040\n"
    "            145 108 0.5 1 #ff40ff40\n"
    "             15 108 0.5 1 #ff4040ff)\n"
    "    }\n"
    "}\n"
    "present screen\n";

enum state { STATE_OK, STATE_WARN, STATE_FAIL };
static const char *const state_names[] = {"ok", "warn", "fail"};

struct doctor {
    const char *wanted_wine, *wanted_prefix, *wanted_dlls;
    bool as_json;
    struct wine wine;
    bool has_wine;
    char room[LAUNCHER_PATH]; /* a folder for files of the tests */
    struct row {
        enum state state;
        const char *name;
        char text[512], advice[512];
    } rows[MOST_ROWS];
    unsigned count;
};

/* A line of the result; advice: what to do, "" for nothing. */
__attribute__((format(printf, 5, 6))) static void add(struct doctor *doctor, enum state state, const char *name,
                                                      const char *advice, const char *format, ...)
{
    struct row *row = &doctor->rows[doctor->count];
    va_list args;

    if (doctor->count == MOST_ROWS)
        return;
    doctor->count++;
    row->state = state;
    row->name = name;
    snprintf(row->advice, sizeof(row->advice), "%s", advice);
    va_start(args, format);
    vsnprintf(row->text, sizeof(row->text), format, args);
    va_end(args);
}

static void check_processor(struct doctor *doctor)
{
    const enum cpu_level level = cpu_level_detected();
    const bool is_fast = level >= CPU_GENERATED || level + 1 == CPU_LEVEL_COUNT;

    add(doctor, is_fast ? STATE_OK : STATE_WARN, "processor", is_fast ? "" : "drawing is slower without AVX2",
        "%s, %u threads", cpu_level_name(level), cpu_thread_count());
}

static void check_memory(struct doctor *doctor)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[256];
    unsigned long kib = 0;

    while (file && fgets(line, sizeof(line), file) && sscanf(line, "MemAvailable: %lu", &kib) != 1)
        ;
    if (file)
        fclose(file);
    add(doctor, kib / 1024 >= LOW_MEMORY ? STATE_OK : STATE_WARN, "memory",
        kib / 1024 >= LOW_MEMORY ? "" : "close other programs", "%lu MiB available", kib / 1024);
}

static void check_dlls(struct doctor *doctor, unsigned bits)
{
    static const char *const names[] = {"d3d8.dll", "d3d9.dll", "ddraw.dll", "halcyon.dll"};
    const char *name = bits == 64 ? "64-bit dlls" : "32-bit dlls";
    char folder[LAUNCHER_PATH], path[LAUNCHER_PATH];

    if (!dlls_find(folder, doctor->wanted_dlls, bits)) {
        add(doctor, STATE_FAIL, name, "build or install Halcyon again, or name the folder by --dlls", "not in %s",
            folder);
        return;
    }
    for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
        if (!make_path(path, "%s/%s", folder, names[i]) || !dlls_is_ours(path)) {
            add(doctor, STATE_FAIL, name, "build or install Halcyon again", "%s is missing or damaged", path);
            return;
        }
    add(doctor, STATE_OK, name, "", "%s", folder);
}

static void check_wine(struct doctor *doctor)
{
    const struct wine *wine = &doctor->wine;

    doctor->has_wine = wine_find(&doctor->wine, doctor->wanted_wine) && wine->version[0];
    if (!doctor->has_wine) {
        add(doctor, STATE_FAIL, "wine", wine_install_help(true), "%s%s", wine->path,
            wine->path[0] ? " does not run" : "not installed");
        return;
    }
    add(doctor, wine->major < WINE_OLDEST ? STATE_WARN : STATE_OK, "wine",
        wine->major < WINE_OLDEST ? "Halcyon has been tested with Wine 8 and newer" : "", "%s, %s", wine->path,
        wine->version);
    add(doctor, wine->runs64 ? STATE_OK : STATE_WARN, "64-bit programs", wine->runs64 ? "" : wine_install_help(false),
        "%s", wine->runs64 ? "can run" : "cannot run with this Wine");
    add(doctor, wine->runs32 ? STATE_OK : STATE_WARN, "32-bit programs", wine->runs32 ? "" : wine_install_help(true),
        "%s",
        wine->new_wow64 ? "can run (new WoW64)"
        : wine->runs32  ? "can run"
                        : "cannot run with this Wine; most games are 32-bit programs");
}

static void check_prefix(struct doctor *doctor)
{
    char path[LAUNCHER_PATH], file[LAUNCHER_PATH];

    if (!wine_prefix(path, doctor->wanted_prefix) || !make_path(file, "%s/user.reg", path))
        add(doctor, STATE_FAIL, "prefix", "name one by --prefix", "no name");
    else if (!is_file(file))
        add(doctor, STATE_WARN, "prefix", "the first program that runs makes it", "%s is not there yet", path);
    else
        add(doctor, STATE_OK, "prefix", "", "%s%s", path,
            make_path(file, "%s/.halcyon-backup", path) && is_folder(file) ? ", halcyon install has been here" : "");
}

/* --- pictures ---------------------------------------------------------------------------------------------------------- */

static bool find_dp2(char path[LAUNCHER_PATH])
{
    char program[LAUNCHER_PATH], folder[LAUNCHER_PATH];

    return realpath("/proc/self/exe", program) && path_folder(folder, program) && make_path(path, "%s/dp2", folder) &&
           is_file(path);
}

/* dp2 with up to four words. */
static int dp2(char *text, size_t size, const char *verb, const char *a, const char *b, const char *c)
{
    char program[LAUNCHER_PATH];
    char *const argv[] = {program, (char *)verb, (char *)a, (char *)b, (char *)c, NULL};

    return find_dp2(program) ? ask_program(argv, text, size, LONG_SECONDS) : -1;
}

static void check_native_picture(struct doctor *doctor)
{
    char source[LAUNCHER_PATH], capture[LAUNCHER_PATH], text[256];
    FILE *file = make_path(source, "%s/picture.dp2s", doctor->room) ? fopen(source, "w") : NULL;

    if (!file || fputs(picture, file) < 0 || fclose(file) || !make_path(capture, "%s/native.capture", doctor->room))
        add(doctor, STATE_FAIL, "native picture", "see that the folder for temporary files can be written", "%s",
            source);
    else if (dp2(text, sizeof(text), "asm", source, "-o", capture) ||
             dp2(text, sizeof(text), "replay", capture, "--hash", NULL))
        add(doctor, STATE_FAIL, "native picture", "install Halcyon again: dp2 must be next to halcyon",
            "dp2 does not draw");
    else if (!strstr(text, PICTURE_HASH))
        add(doctor, STATE_FAIL, "native picture", "this is a bug: please report it with your processor's name",
            "drawn with the wrong colours: %.200s", text);
    else
        add(doctor, STATE_OK, "native picture", "", "drawn, hash " PICTURE_HASH);
}

static void set_picture_variables(const struct doctor *doctor, const char *prefix)
{
    char path[LAUNCHER_PATH];

    setenv("WINEPREFIX", prefix, 1);
    setenv("WINEDLLOVERRIDES", "d3d8=n", 1);
    setenv("WINEDEBUG", "-all", 1);
    setenv("HALCYON_SCREENSHOT_FRAMES", "2", 1);
    if (make_path(path, "%s/wine", doctor->room))
        setenv("HALCYON_SCREENSHOT_PATH", path, 1);
    if (make_path(path, "%s/wine.capture", doctor->room))
        setenv("HALCYON_CAPTURE", path, 1);
    if (make_path(path, "%s/wine.log", doctor->room))
        setenv("HALCYON_LOG_PATH", path, 1);
}

/* Does the capture give the same picture natively? */
static bool is_replayed(char *capture, char *replayed, char *seen)
{
    char program[LAUNCHER_PATH], text[256];
    char *const replay[] = {program, "replay", capture, "--frame", "2", "-o", replayed, NULL};
    char *const compare[] = {program, "compare", replayed, seen, NULL};

    return find_dp2(program) && !ask_program(replay, text, sizeof(text), LONG_SECONDS) &&
           !ask_program(compare, text, sizeof(text), LONG_SECONDS);
}

/* A program of Direct3D 8 draws; its picture must be the one that its capture gives natively. */
static void check_wine_picture(struct doctor *doctor, unsigned bits)
{
    const char *name = bits == 64 ? "64-bit picture" : "32-bit picture";
    char prefix[LAUNCHER_PATH], folder[LAUNCHER_PATH], program[LAUNCHER_PATH], seen[LAUNCHER_PATH],
        capture[LAUNCHER_PATH], replayed[LAUNCHER_PATH], text[256];
    char *const argv[] = {doctor->wine.path, program, NULL};
    int status;

    if (!doctor->has_wine || !(bits == 64 ? doctor->wine.runs64 : doctor->wine.runs32) ||
        !wine_prefix(prefix, doctor->wanted_prefix) || !dlls_find(folder, doctor->wanted_dlls, bits) ||
        !make_path(program, "%s/halcyon-picture.exe", folder) || !make_path(seen, "%s/wine-000002.png", doctor->room) ||
        !make_path(capture, "%s/wine.capture", doctor->room) || !make_path(replayed, "%s/replayed.png", doctor->room))
        return;
    if (!is_file(program) || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))) {
        add(doctor, STATE_WARN, name,
            is_file(program) ? "start this in a desktop, or by xvfb-run" : "install Halcyon again", "not tried: %s",
            is_file(program) ? "there is no display" : "halcyon-picture.exe is missing");
        return;
    }
    unlink(seen);
    unlink(capture);
    set_picture_variables(doctor, prefix);
    status = ask_program(argv, text, sizeof(text), LONG_SECONDS);
    unsetenv("HALCYON_CAPTURE");
    unsetenv("HALCYON_SCREENSHOT_FRAMES");
    if (status || !is_file(seen))
        add(doctor, STATE_FAIL, name, "run halcyon-picture.exe by 'halcyon run' and read the log",
            "the test program ended with status %d, %s picture", status, is_file(seen) ? "with a" : "without a");
    else if (!is_replayed(capture, replayed, seen))
        add(doctor, STATE_FAIL, name, "this is a bug: please report it", "its capture gives another picture natively");
    else
        add(doctor, STATE_OK, name, "", "drawn under Wine as natively");
}

/* The settings that programs start with: those that are not the defaults, and what is wrong with the others. Sections for single
 * programs are not among them. */
static void check_settings(struct doctor *doctor)
{
    char text[sizeof(doctor->rows[0].text)] = "";
    size_t count, used = 0;
    const struct config_key *keys = config_keys(&count);
    unsigned changed = 0;

    for (size_t i = 0; i < count; i++) {
        if (!strcmp(config_string(keys[i].name), keys[i].fallback))
            continue;
        changed++;
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s = %s (%s)", used ? "; " : "", keys[i].name,
                                 config_string(keys[i].name), config_source(i));
        used = BASE_MIN(used, sizeof(text) - 1);
    }
    if (config_problem(0))
        add(doctor, STATE_WARN, "settings", config_problem(0), "%s", changed ? text : "defaults");
    else if (changed)
        add(doctor, STATE_OK, "settings", "", "%s", text);
    else
        add(doctor, STATE_OK, "settings", "", "%zu, all with their defaults", count);
}

/* --- the result --------------------------------------------------------------------------------------------------------- */

static void print_rows(const struct doctor *doctor)
{
    static const char *const colors[] = {"\033[32m", "\033[33m", "\033[31m"};
    const bool colored = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");

    for (unsigned i = 0; i < doctor->count; i++) {
        const struct row *row = &doctor->rows[i];
        const char *advice = row->advice;

        printf("%s%-4s%s  %-16s %s\n", colored ? colors[row->state] : "", state_names[row->state],
               colored ? "\033[0m" : "", row->name, row->text);
        while (*advice) {
            const size_t length = strcspn(advice, "\n"), indent = strspn(advice, " ");

            printf("      %-16s %.*s\n", "", (int)(length - indent), advice + indent);
            advice += length + (advice[length] == '\n');
        }
    }
}

static bool print_json(const struct doctor *doctor)
{
    struct json_writer json;

    json_begin(&json, stdout, "halcyon-doctor", false);
    json_open_list(&json, "checks");
    for (unsigned i = 0; i < doctor->count; i++) {
        json_open_object(&json, NULL);
        json_put_text(&json, "state", state_names[doctor->rows[i].state]);
        json_put_text(&json, "name", doctor->rows[i].name);
        json_put_text(&json, "text", doctor->rows[i].text);
        json_put_text(&json, "advice", doctor->rows[i].advice);
        json_close(&json);
    }
    json_close(&json);
    return json_end(&json);
}

static void remove_files(const struct doctor *doctor)
{
    static const char *const names[] = {"picture.dp2s", "native.capture", "wine-000002.png",
                                        "wine.capture", "replayed.png",   "wine.log"};
    char path[LAUNCHER_PATH];

    for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
        if (make_path(path, "%s/%s", doctor->room, names[i]))
            unlink(path);
    rmdir(doctor->room);
}

static int examine(struct doctor *doctor, bool json)
{
    const char *temporary = getenv("TMPDIR");
    int status = LAUNCHER_OK;

    settings_choose_file("");
    if (!make_path(doctor->room, "%s/halcyon-doctor-XXXXXX", temporary && *temporary ? temporary : "/tmp") ||
        !mkdtemp(doctor->room))
        return fail("%s cannot be made", doctor->room);
    check_processor(doctor);
    check_memory(doctor);
    check_settings(doctor);
    check_dlls(doctor, 32);
    check_dlls(doctor, 64);
    check_native_picture(doctor);
    check_wine(doctor);
    check_prefix(doctor);
    check_wine_picture(doctor, 32);
    check_wine_picture(doctor, 64);
    remove_files(doctor);
    if (!json)
        print_rows(doctor);
    else if (!print_json(doctor))
        return fail("out of memory");
    for (unsigned i = 0; i < doctor->count; i++)
        if (doctor->rows[i].state == STATE_FAIL)
            status = LAUNCHER_WRONG;
    return status;
}

static int doctor_command(void *settings, char **operands, int count)
{
    struct doctor *doctor = settings;

    (void)operands;
    (void)count;
    return examine(doctor, doctor->as_json);
}

static const struct option_row options[] = {
    {"dlls", 0, SETS_TEXT(struct doctor, wanted_dlls), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "the folder with x32 and x64 in it"},
    {"json", 0, SETS_BOOL(struct doctor, as_json), .help = "print a JSON document"},
    LAUNCHER_PREFIX(struct doctor, wanted_prefix),
    LAUNCHER_WINE(struct doctor, wanted_wine),
    {0},
};

const struct command command_doctor = {
    .syntax =
        {
            .name = "doctor",
            .summary = "check all that programs need, and draw test pictures",
            .about = "Checks Wine, the dlls, the processor and the memory, and draws test pictures.",
            .options = options,
            .notes = "Exit status: 0 nothing failed, though there may be warnings; 1 something failed; 125 the command "
                     "line is wrong.",
            .examples = "halcyon doctor",
        },
    .size = sizeof(struct doctor),
    .run = doctor_command,
};
