/* SPDX-License-Identifier: MIT */
/*
 * The log: one line per message, to stderr or appended to the file named by HALCYON_LOG_PATH. Lines of several threads,
 * of two dlls and of several programs that share a file do not mix, and none is lost.
 */
#include "base/base.h"
#include "base/config.h"
#include "base/lock.h"
#include "base/name.h"
#include "base/process.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#endif

#define MAX_MESSAGE 1024
#define SEEN_SLOTS  1024 /* power of two */

static struct {
    struct base_once once;
    struct base_lock lock;
    enum log_level level;
    FILE *file; /* NULL: nothing is written */
    char module[32];
    bool full;         /* log_format */
    char program[128]; /* for full lines */
    /* log_once: call sites with their keys, open addressing */
    struct {
        const char *format;
        uint32_t key;
    } seen[SEEN_SLOTS];
    unsigned seen_count;
} logger = {.once = BASE_ONCE_INITIALIZER, .lock = BASE_LOCK_INITIALIZER};

static const char *const level_names[] = {"none", "error", "warn", "info", "debug", "trace"};

/* Opens the file that both dlls of a process share, although they do not open it in the same second. */
static FILE *log_open_file(const char *text)
{
    char program[256];
    const struct name_values values = name_values_at(process_begin(), program, sizeof(program));
    char *path = name_expand(text, "log", &values);
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        fprintf(stderr, "halcyon: error: cannot write the log to %s: %s\n", path ? path : text,
                path ? strerror(errno) : "out of memory");
    free(path);
    return file ? file : stderr;
}

/* Locks the file while a line is appended. On Windows finding the end and writing there are two steps, and another
 * program could write in between. */
static void lock_file(bool lock)
{
#ifdef _WIN32
    OVERLAPPED place = {.OffsetHigh = 0x7fffffff}; /* where there is never a byte */
    HANDLE file = logger.file == stderr ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(_fileno(logger.file));

    if (file == INVALID_HANDLE_VALUE)
        return;
    if (lock)
        LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &place);
    else
        UnlockFileEx(file, 0, 1, 0, &place);
#else
    (void)lock;
#endif
}

static void open_log(void)
{
    const char *path = config_string("log_path"), *level = config_string("log_level");

    for (unsigned i = 0; i < ARRAY_COUNT(level_names); i++)
        if (!strcmp(level, level_names[i]))
            logger.level = (enum log_level)i;
    if (!strcmp(path, "none"))
        logger.level = LOG_NONE;
    if (logger.level == LOG_NONE)
        return;
    logger.file = *path ? log_open_file(path) : stderr;
    logger.full = !strcmp(config_string("log_format"), "full");
    process_title(logger.program, sizeof(logger.program));
}

bool log_enabled(enum log_level level)
{
    base_call_once(&logger.once, open_log);
    return level != LOG_NONE && level <= logger.level;
}

/* "13:15:02.417", local time */
static void clock_text(char *text, size_t size)
{
#ifdef _WIN32
    SYSTEMTIME now;

    GetLocalTime(&now);
    snprintf(text, size, "%02u:%02u:%02u.%03u", now.wHour, now.wMinute, now.wSecond, now.wMilliseconds);
#else
    struct timespec now;
    struct tm local;

    clock_gettime(CLOCK_REALTIME, &now);
    if (localtime_r(&now.tv_sec, &local))
        snprintf(text, size, "%02d:%02d:%02d.%03u", local.tm_hour, local.tm_min, local.tm_sec,
                 (unsigned)(now.tv_nsec / 1000000));
#endif
}

/* "13:15:02.417 title[4711] ": for a log of several programs. */
static void write_prefix(void)
{
    char clock[64] = "";

    clock_text(clock, sizeof(clock));
    fprintf(logger.file, "%s %s[%u] ", clock, logger.program, process_number());
}

BASE_PRINTF(2, 0)
static void write_line(enum log_level level, const char *format, va_list args)
{
    char text[MAX_MESSAGE], printable[4 * MAX_MESSAGE];

    vsnprintf(text, sizeof(text), format, args);
    utf8_escape_text(printable, sizeof(printable), text); /* there are names of programs and files in it */
    base_lock(&logger.lock);
    lock_file(true);
    if (logger.full)
        write_prefix();
    fprintf(logger.file, "%s: %s: %s\n", logger.module[0] ? logger.module : "halcyon", level_names[level], printable);
    fflush(logger.file); /* one call of the system: a line is shorter than the buffer */
    lock_file(false);
    base_unlock(&logger.lock);
}

void log_write(enum log_level level, const char *format, ...)
{
    va_list args;

    if (!log_enabled(level))
        return;
    va_start(args, format);
    write_line(level, format, args);
    va_end(args);
}

/* When the table is full, nothing more is logged: log_once must stop floods of different keys, too. */
static bool first_time(const char *format, uint32_t key)
{
    size_t slot = ((uintptr_t)format >> 3) * 31 + (size_t)key * 2654435761u;
    bool first = false;

    base_lock(&logger.lock);
    for (;; slot++) {
        slot &= SEEN_SLOTS - 1;
        if (!logger.seen[slot].format) {
            if (logger.seen_count < SEEN_SLOTS / 2) {
                logger.seen[slot].format = format;
                logger.seen[slot].key = key;
                logger.seen_count++;
                first = true;
            }
            break;
        }
        if (logger.seen[slot].format == format && logger.seen[slot].key == key)
            break;
    }
    base_unlock(&logger.lock);
    return first;
}

void log_once(enum log_level level, uint32_t key, const char *format, ...)
{
    va_list args;

    if (!log_enabled(level) || !first_time(format, key))
        return;
    va_start(args, format);
    write_line(level, format, args);
    va_end(args);
}

static void log_settings(void)
{
    size_t count;
    const struct config_key *keys = config_keys(&count);

    for (size_t i = 0; i < count; i++)
        log_info("%s = %s (%s)", keys[i].name, config_string(keys[i].name), config_source(i));
}

void base_init(const char *module_name)
{
    static bool done;
    bool first;

    base_lock(&logger.lock);
    first = !done;
    done = true;
    if (first)
        snprintf(logger.module, sizeof(logger.module), "%s", module_name);
    base_unlock(&logger.lock);
    if (!first)
        return;
    log_info("Halcyon " HALCYON_VERSION ", %u-bit, cpu %s (machine: %s), %u threads", (unsigned)sizeof(void *) * 8,
             cpu_level_name(cpu_level_selected()), cpu_level_name(cpu_level_detected()), cpu_thread_count());
    log_settings();
    for (size_t i = 0; config_problem(i); i++)
        log_warn("%s", config_problem(i));
    if (strcmp(config_string("cpu"), "auto") != 0 &&
        strcmp(config_string("cpu"), cpu_level_name(cpu_level_selected())) != 0)
        log_warn("cpu = %s: this machine has no more than %s", config_string("cpu"),
                 cpu_level_name(cpu_level_detected()));
}
