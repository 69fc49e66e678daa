/* SPDX-License-Identifier: MIT */
/*
 * The files of the recorder. A file gets its name when it is complete (base/output.h); until then, and if the program
 * crashes, it is NAME.part, which can be replayed up to its end.
 */
#include "ddi/record/internal.h"

#include "base/base.h"
#include "base/name.h"
#include "base/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef HALCYON_VERSION
#define HALCYON_VERSION "unknown"
#endif

#define INFO_BYTES 4096u

const char *record_interfaces_text(unsigned interfaces)
{
    static const char *const names[] = {"none", "DirectX 9 DDI", "WDDM user-mode interface",
                                        "DirectX 9 DDI, WDDM user-mode interface"};

    return names[interfaces & 3];
}

/* --- information in a capture ----------------------------------------------------------- */

/* Writes the text of the information chunk (docs/capture-format.md, "Chunk: a header of 32 bytes, then its payload"). */
static void file_describe(char *info, size_t size, uint32_t first_frame, unsigned interfaces)
{
    char program[1024], command[2048], date[32];
    const char *wine = process_wine_version();
    const time_t now = time(NULL);
    struct tm utc = {0};

    process_path(program, sizeof(program));
    process_command(command, sizeof(command));
    for (char *at = command; (at = strchr(at, '"')) != NULL;)
        *at = '\''; /* the notation of `dp2 dump --asm` has no quotes inside a line */
#ifdef _WIN32
    if (gmtime(&now))
        utc = *gmtime(&now);
#else
    gmtime_r(&now, &utc);
#endif
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(info, size,
             "driver=halcyon "
             "%s\ninterface=%s\nbits=%u\nprogram=%s\ncommand=%s\ndate=%s\n%s%s%scpu=%s\nthreads=%u\nfirst_frame=%u\n",
             HALCYON_VERSION, record_interfaces_text(interfaces), (unsigned)sizeof(void *) * 8, program, command, date,
             wine[0] ? "wine=" : "", wine, wine[0] ? "\n" : "", cpu_level_name(cpu_level_selected()),
             cpu_thread_count(), (unsigned)first_frame);
}

/* --- opening ----------------------------------------------------------------------------------- */

static bool open_new(struct record_file *file)
{
    char program[256];
    const struct name_values values = name_values_now(program, sizeof(program));
    char *path = name_expand(config_string("capture"), "capture", &values);
    bool open;

    if (!path) {
        errno = ENOMEM;
        return false;
    }
    open = name_open(&file->output, path);
    if (!open)
        log_error("capture: %s: %s", path, strerror(errno));
    free(path);
    return open;
}

static bool open_exactly(struct record_file *file)
{
    if (output_open(&file->output, file->exact_path, OUTPUT_REPLACE))
        return true;
    log_error("capture: %s: %s", file->exact_path, strerror(errno));
    return false;
}

bool record_file_open(struct record_file *file, uint32_t first_frame, unsigned interfaces)
{
    struct capture_error error = {0};
    char info[INFO_BYTES];

    if (file->writer)
        return true;
    if (!(file->exact_path ? open_exactly(file) : open_new(file)))
        return false;
    file_describe(info, sizeof(info), first_frame, interfaces);
    file->writer = capture_create(&file->output, info, &error);
    file->frames = 0;
    file->written = false;
    if (!file->writer) {
        log_error("capture: %s %s", file->output.path, error.text);
        output_discard(&file->output);
        return false;
    }
    log_info("capture: recording to %s", file->output.path);
    return true;
}

/* --- writing ------------------------------------------------------------------------------------ */

const char *record_file_write(struct record_file *file, enum capture_event_type type,
                              const struct capture_bytes *pieces, unsigned count)
{
    if (!capture_write(file->writer, type, pieces, count))
        return strerror(capture_write_error(file->writer));
    file->written = true;
    return NULL;
}

const char *record_file_end_frame(struct record_file *file)
{
    file->frames++;
    return file->writer && !capture_flush(file->writer, true) ? strerror(capture_write_error(file->writer)) : NULL;
}

/* Keeps the written part of a file. A file that was to replace another one is discarded. */
static void keep_part(struct record_file *file)
{
    if (file->exact_path)
        output_discard(&file->output);
    else
        output_keep(&file->output);
}

enum record_file_end record_file_finish(struct record_file *file, bool discards_empty)
{
    const char *rest = file->exact_path || !file->output.temporary
                           ? ""
                           : "; the complete part stays in the file with .part after its name";
    struct capture_error error = {0};
    char *name;
    bool done;

    if (!file->writer)
        return RECORD_FILE_NONE;
    name = strdup(file->output.path ? file->output.path : "");
    done = capture_finish(file->writer, &error);
    file->writer = NULL;
    if (discards_empty && !file->written) {
        output_discard(&file->output);
        free(name);
        return RECORD_FILE_NONE;
    }
    if (!done) {
        keep_part(file);
    } else {
        done = file->exact_path ? output_commit(&file->output) : output_commit_or_keep(&file->output);
        if (!done)
            snprintf(error.text, sizeof(error.text), "cannot be written: %s", strerror(errno));
    }
    if (done)
        log_info("capture: %u frames are in %s", (unsigned)file->frames, name ? name : "");
    else
        log_error("capture: %s %s%s", name ? name : "", error.text, rest);
    free(name);
    return done ? RECORD_FILE_WHOLE : RECORD_FILE_BROKEN;
}
