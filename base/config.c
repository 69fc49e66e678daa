/* SPDX-License-Identifier: MIT */
/*
 * Configuration: default < profile of a known program < halcyon.conf < its section for the program < HALCYON_CONFIG < one environment variable a
 * key. Read once, at first use; constant from then on.
 */
#include "base/config.h"
#include "base/base.h"
#include "base/lock.h"
#include "base/process.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
extern char **environ;
#endif

#define LEVEL_CHOICE(NUMBER, name) "|" #name
static const struct config_key keys[] = {
    {"threads", CONFIG_INT, "0", NULL, 0, 64},
    {"cpu", CONFIG_CHOICE, "auto", "auto" CPU_LEVELS(LEVEL_CHOICE), 0, 0},
    {"jit", CONFIG_CHOICE, "1", "0|1|check", 0, 0},
    {"caps", CONFIG_CHOICE, "dx9", "dx7|dx8|dx9", 0, 0},
    {"ddi", CONFIG_CHOICE, "dx9", "dx9|umd", 0, 0},
    {"adapter", CONFIG_CHOICE, "halcyon", "halcyon|nvidia|amd|intel", 0, 0},
    {"adapter_device", CONFIG_STRING, "", NULL, 0, 0},
    {"adapter_description", CONFIG_STRING, "", NULL, 0, 0},
    {"adapter_driver", CONFIG_STRING, "", NULL, 0, 0},
    {"adapter_driver_version", CONFIG_STRING, "", NULL, 0, 0},
    {"video_memory", CONFIG_INT, "1024", NULL, 16, 4095},
    {"shader_rules", CONFIG_CHOICE, "lenient", "lenient|strict", 0, 0},
    {"conservative_tier", CONFIG_INT, "3", NULL, 0, 3},
    {"capture", CONFIG_PATH, "", NULL, 0, 0},
    {"capture_frames", CONFIG_STRING, "", NULL, 0, 0},
    {"capture_key", CONFIG_CHOICE, "F11",
     "none|F1|F2|F3|F4|F5|F6|F7|F8|F9|F10|F11|F12|Pause|ScrollLock|PrintScreen|Insert", 0, 0},
    {"capture_trigger", CONFIG_PATH, "", NULL, 0, 0},
    {"capture_count", CONFIG_INT, "1", NULL, 1, 1000000},
    {"capture_exit", CONFIG_BOOL, "0", NULL, 0, 0},
    {"work_limit", CONFIG_INT, "3600", NULL, 0, 1000000},
    {"hud", CONFIG_STRING, "", NULL, 0, 0},
    {"frame_limit", CONFIG_INT, "0", NULL, -1, 1000},
    {"full_screen", CONFIG_CHOICE, "mode", "mode|borderless|window", 0, 0},
    {"hook_cursor", CONFIG_BOOL, "1", NULL, 0, 0},
    {"window_size", CONFIG_STRING, "", NULL, 0, 0},
    {"scale", CONFIG_CHOICE, "stretch", "stretch|aspect|integer", 0, 0},
    {"scale_filter", CONFIG_CHOICE, "nearest", "nearest|linear|sharp", 0, 0},
    {"ddraw", CONFIG_CHOICE, "auto", "auto|on|off", 0, 0},
    {"profiles", CONFIG_BOOL, "1", NULL, 0, 0},
    {"internal_resolution", CONFIG_STRING, "", NULL, 0, 0},
    {"anisotropy", CONFIG_INT, "0", NULL, 0, 16},
    {"multisample", CONFIG_INT, "0", NULL, 0, 16},
    {"window_gamma", CONFIG_BOOL, "0", NULL, 0, 0},
    {"screenshot_frames", CONFIG_STRING, "", NULL, 0, 0},
    {"screenshot_path", CONFIG_PATH, "halcyon", NULL, 0, 0},
    {"split_seed", CONFIG_INT, "0", NULL, 0, 2147483647},
    {"checkpoint_every", CONFIG_INT, "0", NULL, 0, 1000000},
    {"trace", CONFIG_PATH, "", NULL, 0, 0},
    {"jit_perf", CONFIG_PATH, "", NULL, 0, 0},
    {"log_level", CONFIG_CHOICE, "warn", "none|error|warn|info|debug|trace", 0, 0},
    {"log_path", CONFIG_PATH, "", NULL, 0, 0},
    {"log_format", CONFIG_CHOICE, "plain", "plain|full", 0, 0},
};

static const struct config_profile profiles[] = {
#define PROFILE(program, key, value, reason, source) {program, key, value, reason, source},
#include "base/profiles.def"
};

#define KEY_COUNT    ARRAY_COUNT(keys)
#define MAX_PROBLEMS 16
#define MAX_NAME     40 /* bytes of a key's name */
#define MAX_LINE     1024

static struct {
    struct base_once once;
    char *value[KEY_COUNT]; /* NULL: the default */
    char *source[KEY_COUNT];
    char *problem[MAX_PROBLEMS];
    unsigned problem_count;
    bool memory_was_short;
    char program[MAX_LINE]; /* whose configuration it is; "": that of the running program */
} config = {.once = BASE_ONCE_INITIALIZER};

const struct config_key *config_keys(size_t *count)
{
    *count = KEY_COUNT;
    return keys;
}

const struct config_profile *config_profiles(size_t *count)
{
    *count = ARRAY_COUNT(profiles);
    return profiles;
}

void config_for_program(const char *path)
{
    snprintf(config.program, sizeof(config.program), "%s", path);
}

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);

    while (*choices) {
        size_t span = strcspn(choices, "|");

        if (span == length && !memcmp(choices, value, length))
            return true;
        choices += span;
        if (*choices)
            choices++;
    }
    return false;
}

const char *config_check(const struct config_key *key, const char *value)
{
    char *end;
    long number;

    switch (key->kind) {
    case CONFIG_CHOICE:
        return is_choice(key->choices, value) ? NULL : "is none of the allowed values";
    case CONFIG_BOOL:
        return is_choice("0|1|false|true|no|yes|off|on", value) ? NULL : "is neither 0 nor 1";
    case CONFIG_INT:
        number = strtol(value, &end, 10);
        if (end == value || *end)
            return "is not a number";
        return number < key->min || number > key->max ? "is out of range" : NULL;
    default:
        return NULL;
    }
}

BASE_PRINTF(1, 2) static void add_problem(const char *format, ...)
{
    char text[MAX_LINE];
    va_list args;

    if (config.problem_count == MAX_PROBLEMS)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    config.problem[config.problem_count] = strdup(text);
    if (config.problem[config.problem_count])
        config.problem_count++;
    else
        config.memory_was_short = true;
}

/* Programs under Wine are given Unix paths by their callers' scripts; the C runtime looks for such a path on the
 * current drive, which need not be the one mapped to the root directory. */
static char *copy_value(const struct config_key *key, const char *value)
{
#ifdef _WIN32
    if (key->kind == CONFIG_PATH && value[0] == '/' && value[1] != '/' &&
        GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version")) {
        size_t size = strlen(value) + 3;
        char *path = malloc(size);

        if (path)
            snprintf(path, size, "Z:%s", value);
        return path;
    }
#endif
    (void)key;
    return strdup(value);
}

static size_t index_of(const char *name)
{
    size_t i = 0;

    while (i < KEY_COUNT && strcmp(keys[i].name, name) != 0)
        i++;
    return i;
}

static void set_value(const char *name, const char *value, const char *source)
{
    char *value_copy, *source_copy;
    const char *wrong;
    const size_t i = index_of(name);

    if (i == KEY_COUNT) {
        add_problem("%s: no such key: %s", source, name);
        return;
    }
    wrong = config_check(&keys[i], value);
    if (wrong) {
        add_problem("%s: %s = %s: the value %s%s%s", source, name, value, wrong, keys[i].choices ? ": " : "",
                    keys[i].choices ? keys[i].choices : "");
        return;
    }
    value_copy = copy_value(&keys[i], value);
    source_copy = strdup(source);
    if (!value_copy || !source_copy) {
        config.memory_was_short = true;
        free(value_copy);
        free(source_copy);
        return;
    }
    free(config.value[i]);
    free(config.source[i]);
    config.value[i] = value_copy;
    config.source[i] = source_copy;
}

static char *trim(char *text)
{
    size_t length;

    while (isspace((unsigned char)*text))
        text++;
    for (length = strlen(text); length && isspace((unsigned char)text[length - 1]); length--)
        ;
    text[length] = 0;
    return text;
}

/* "key = value"; empty text is fine */
static void set_assignment(char *text, const char *source)
{
    char *equals;

    text = trim(text);
    if (!*text)
        return;
    equals = strchr(text, '=');
    if (!equals) {
        add_problem("%s: not of the form key = value: %s", source, text);
        return;
    }
    *equals = 0;
    set_value(trim(text), trim(equals + 1), source);
}

/* The program whose configuration is read. */
static void program_path(char *path, size_t size)
{
    if (config.program[0])
        snprintf(path, size, "%s", config.program);
    else
        process_path(path, size);
}

/* Is this that program? File names of Windows have no case. `length`: of the name, without the 0. */
static bool is_program(const char *name, size_t length)
{
    char path[MAX_LINE];
    const char *file = path;

    program_path(path, sizeof(path));
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            file = at + 1;
    if (strlen(file) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)file[i]) != tolower((unsigned char)name[i]))
            return false;
    return length > 0;
}

/* "[title.exe]": the following lines are only for that program. The name ends at the bracket that ends the line or
 * precedes a comment. A section whose end is missing is for no program. False: the line begins no section. */
static bool read_section(const char *line, const char *source, bool *applies)
{
    const char *name = line + strspn(line, " \t") + 1, *end;

    if (name[-1] != '[')
        return false;
    *applies = false;
    for (end = strchr(name, ']'); end; end = strchr(end + 1, ']')) {
        const char *rest = end + 1 + strspn(end + 1, " \t\r\n");
        if (!*rest || *rest == '#') {
            *applies = is_program(name, (size_t)(end - name));
            return true;
        }
    }
    add_problem("%s: not of the form [program.exe]: [%.*s", source, (int)strcspn(name, "\r\n"), name);
    return true;
}

/* The part of a line that does not fit is not a line of its own. Returns whether there was such a part. */
static bool skip_rest(FILE *file, const char *line)
{
    bool skipped = false;
    int c;

    if (strchr(line, '\n'))
        return false;
    while ((c = getc(file)) != EOF && c != '\n')
        skipped = true;
    return skipped;
}

/* Settings before the first section are for all programs; those of a section come later, and replace them. */
static void config_read_file(const char *path, bool must_exist)
{
    char line[MAX_LINE], source[MAX_LINE];
    FILE *file = fopen(path, "r");
    unsigned number = 0;
    bool applies = true;

    if (!file) {
        if (must_exist)
            add_problem("HALCYON_CONFIG_FILE: cannot open %s", path);
        return;
    }
    while (fgets(line, sizeof(line), file)) {
        snprintf(source, sizeof(source), "%.*s:%u", (int)sizeof(source) - 16, path, ++number);
        if (skip_rest(file, line) && !strchr(line, '#')) {
            add_problem("%s: the line is longer than %d bytes", source, MAX_LINE - 2);
            continue;
        }
        if (read_section(line, source, &applies) || !applies)
            continue;
        line[strcspn(line, "#")] = 0;
        set_assignment(line, source);
    }
    fclose(file);
}

/* Directory of the program with its last separator; "" if unknown. */
static void program_directory(char *path, size_t size)
{
    char *slash;
#ifdef _WIN32
    DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);

    path[length < size ? length : 0] = 0;
    slash = strrchr(path, '\\');
#else
    const size_t named = strnlen(config.program, size - 1);
    ssize_t length = named ? (ssize_t)named : readlink("/proc/self/exe", path, size - 1);

    memcpy(path, config.program, named);
    path[length > 0 ? length : 0] = 0;
    slash = strrchr(path, '/');
#endif
    if (slash)
        slash[1] = 0;
    else
        path[0] = 0;
}

static void read_files(void)
{
    const char *named = getenv("HALCYON_CONFIG_FILE");
    char path[MAX_LINE];

    if (named && *named) {
        config_read_file(named, true);
        return;
    }
    program_directory(path, sizeof(path) - sizeof("halcyon.conf"));
    strcat(path, "halcyon.conf");
    config_read_file(path, false);
}

static void read_environment(void)
{
    const char *list = getenv("HALCYON_CONFIG");
    char variable[64], part[MAX_LINE];
    size_t i, k;

    while (list && *list) {
        size_t span = strcspn(list, ";");

        snprintf(part, sizeof(part), "%.*s", (int)BASE_MIN(span, sizeof(part) - 1), list);
        set_assignment(part, "HALCYON_CONFIG");
        list += span + (list[span] == ';');
    }
    for (i = 0; i < KEY_COUNT; i++) {
        const char *value;

        snprintf(variable, sizeof(variable), "HALCYON_%s", keys[i].name);
        for (k = 0; variable[k]; k++)
            variable[k] = (char)toupper((unsigned char)variable[k]);
        value = getenv(variable);
        if (value)
            set_value(keys[i].name, value, variable);
    }
}

/* The number of edits (a character added, removed or replaced) from one name to the other; names are short. */
static unsigned config_edit_distance(const char *a, const char *b)
{
    unsigned row[MAX_NAME + 1], columns = (unsigned)strlen(b);

    for (unsigned x = 0; x <= columns; x++)
        row[x] = x;
    for (unsigned y = 0; a[y]; y++) {
        unsigned corner = row[0]++;
        for (unsigned x = 0; x < columns; x++) {
            unsigned replaced = corner + (a[y] != b[x]);
            corner = row[x + 1];
            row[x + 1] = BASE_MIN(replaced, BASE_MIN(corner, row[x]) + 1);
        }
    }
    return row[columns];
}

/* A variable without a key is usually a typing error. Those that are not similar to a key belong to other programs. */
static void check_variable(const char *variable)
{
    char name[MAX_NAME + 1];
    size_t length = strcspn(variable, "="), nearest = 0;
    unsigned least = UINT_MAX;

    if (length > MAX_NAME)
        return;
    for (size_t i = 0; i < length; i++)
        name[i] = (char)tolower((unsigned char)variable[i]);
    name[length] = 0;
    if (!strcmp(name, "config") || !strcmp(name, "config_file"))
        return;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        unsigned edits = config_edit_distance(name, keys[i].name);
        if (edits < least) {
            least = edits;
            nearest = i;
        }
    }
    if (least == 0 || least > 1 + length / 4)
        return;
    for (length = 0; keys[nearest].name[length]; length++)
        name[length] = (char)toupper((unsigned char)keys[nearest].name[length]);
    name[length] = 0;
    add_problem("HALCYON_%.*s means nothing: did you mean HALCYON_%s?", (int)strcspn(variable, "="), variable, name);
}

static void check_environment(void)
{
    static const char prefix[] = "HALCYON_";

    for (char **variable = environ; variable && *variable; variable++)
        if (!strncmp(*variable, prefix, sizeof(prefix) - 1))
            check_variable(*variable + sizeof(prefix) - 1);
}

/* After all other sources, of which each takes precedence. */
static void apply_profiles(void)
{
    const char *wanted = config.value[index_of("profiles")];
    char source[MAX_LINE];

    if (wanted && is_choice("0|false|no|off", wanted))
        return;
    for (size_t i = 0; i < ARRAY_COUNT(profiles); i++) {
        const struct config_profile *profile = &profiles[i];

        if (!is_program(profile->program, strlen(profile->program)) || config.value[index_of(profile->key)])
            continue;
        snprintf(source, sizeof(source), "profile of %s: %s", profile->program, profile->reason);
        set_value(profile->key, profile->value, source);
    }
}

static void config_load(void)
{
    read_files();
    read_environment();
    apply_profiles();
    check_environment();
}

const char *config_source(size_t index)
{
    base_call_once(&config.once, config_load);
    return index < KEY_COUNT && config.source[index] ? config.source[index] : "default";
}

const char *config_problem(size_t index)
{
    base_call_once(&config.once, config_load);
    if (index < config.problem_count)
        return config.problem[index];
    return index == config.problem_count && config.memory_was_short ? "out of memory: some settings are ignored" : NULL;
}

const char *config_string(const char *name)
{
    size_t i;

    base_call_once(&config.once, config_load);
    for (i = 0; i < KEY_COUNT; i++)
        if (!strcmp(keys[i].name, name))
            return config.value[i] ? config.value[i] : keys[i].fallback;
    return "";
}

bool config_is_default(const char *name)
{
    size_t i;

    base_call_once(&config.once, config_load);
    for (i = 0; i < KEY_COUNT && strcmp(keys[i].name, name) != 0; i++)
        ;
    return i == KEY_COUNT || !config.value[i];
}

int config_int(const char *name)
{
    return (int)strtol(config_string(name), NULL, 10);
}

bool config_bool(const char *name)
{
    return is_choice("1|true|yes|on", config_string(name));
}
