/* SPDX-License-Identifier: MIT */
/*
 * The dp2 command: shared by its verbs.
 *
 * Exit status of every verb (the manual has the same table). If two apply, the higher one is returned; but if a damaged capture
 * lacks a frame or place, it is 1, because that may have been after the damage.
 *
 *   0  done: all that was asked for; of diff: equal
 *   1  of diff: different. Of all: the content is refused or damaged, with a message on standard error. That is a file cut
 *      short, a checksum that is wrong, text with an error, a shader that breaks a rule, a call that the driver refused.
 *      The verb does as much as it still can.
 *   2  the command line is wrong, a file is missing or cannot be read or written, there is no such frame or place in the
 *      capture, or memory ran out; with a message on standard error. An existing output file stays unchanged.
 */
#ifndef HALCYON_TOOLS_TOOL_H
#define HALCYON_TOOLS_TOOL_H

#include "base/frames.h"
#include "base/options/options.h"
#include "dp2/capture/capture.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TOOL_OK = 0, TOOL_DIFFERENT = 1, TOOL_DAMAGED = 1, TOOL_ERROR = 2 };

struct tool_verb {
    struct option_syntax syntax;     /* name, options and texts */
    size_t size;                     /* bytes of the verb's settings */
    const void *defaults;            /* of the settings; NULL: all 0 */
    void (*prepare)(void *settings); /* sets defaults that are computed; NULL: there are none */
    /* Does the work. operands: `count` of them. Returns the exit status. */
    int (*run)(void *settings, char **operands, int count);
    void (*release)(void *settings); /* called in the end, also when the command line is wrong; NULL: nothing to free */
};

extern const struct tool_verb verb_replay, verb_dump, verb_asm, verb_trim, verb_diff, verb_info, verb_caps, verb_tokens,
    verb_minimise, verb_compare, verb_textures, verb_edit, verb_shader, verb_coverage, verb_feedback, verb_draws,
    verb_state, verb_find, verb_shot, verb_pixel, verb_mesh, verb_buffer, verb_resources, verb_trace, verb_profile,
    verb_play, verb_view, verb_farm, verb_import;

/* "dp2 VERB: message" on standard error. */
void tool_say(const struct tool_verb *verb, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
/* Says "dp2 VERB: message" on standard error, and returns TOOL_ERROR. */
int tool_fail(const struct tool_verb *verb, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
/* Prints that the command line is wrong, and how to get help. Returns TOOL_ERROR. */
int tool_usage(const struct tool_verb *verb, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));
/* Parses the command line of a verb, prints its help or runs it. argv[0] is ignored. Returns the exit status. */
int tool_run(const struct tool_verb *verb, int argc, char **argv);
/* For verbs whose number of operands depends on options. what: "a capture". Returns TOOL_OK or TOOL_ERROR. */
int tool_operands(const struct tool_verb *verb, char **operands, int given, int wanted, const char *what);
/* The driver's number of threads, which is that of its setting if threads is 0. */
void tool_set_threads(long threads);

/* Opens a capture; "-" is standard input. NULL: the error has been printed, and *status is the verb's result. */
struct capture_reader *tool_open_capture(const struct tool_verb *verb, const char *path, int *status);
/* Prints whether events of a newer version were skipped. Returns the status, raised accordingly. */
int tool_check_skipped(const struct tool_verb *verb, const char *path, const struct capture_reader *reader, int status);
/* The same, and closes it. */
int tool_close_capture(const struct tool_verb *verb, const char *path, struct capture_reader *reader, int status);
/* Prints that a capture ends in the middle, or that the rest cannot be read. Returns the status. */
int tool_cut_short(const struct tool_verb *verb, const char *path, const struct capture_error *error);
int tool_unreadable(const struct tool_verb *verb, const char *path, const struct capture_error *error);
/* The same for the last result of capture_next; TOOL_OK for others. */
int tool_read_result(const struct tool_verb *verb, const char *path, enum capture_status status,
                     const struct capture_error *error);
/* Are all requested frames among the first `there` frames? Returns TOOL_OK or TOOL_ERROR. */
int tool_check_frames(const struct tool_verb *verb, const char *path, const struct frame_range *range, uint64_t there);
/* Refuses to write to the input file. Returns TOOL_OK or TOOL_ERROR. */
int tool_check_output(const struct tool_verb *verb, const char *output, const char *input);
/* Refuses to write a picture, which is a PNG, under the name of another format. Returns TOOL_OK or TOOL_ERROR. */
int tool_check_picture(const struct tool_verb *verb, const char *output);
/* Says why `path` cannot be written: errno. Returns TOOL_ERROR. */
int tool_cannot_write(const struct tool_verb *verb, const char *path);
/* The name, or "standard input", "standard output" for "-". */
const char *tool_input_name(const char *path);
const char *tool_output_name(const char *path);

/* A progress line that is redrawn on standard error, if that is a terminal and the work takes longer than a second.
 * It goes from 0 to 100 % by frames; in a file without index by the bytes after the first frame. */
struct progress {
    const char *what;
    const struct capture_reader *reader;
    uint64_t frames; /* in a pass; 0: unknown */
    uint64_t first;  /* bytes up to the end of the first frame; 0: not reached yet */
    uint64_t pass, passes;
    uint64_t number; /* frame that was played last; or number of tries, and so on */
    const char *counted;
    double start, last;
    bool hidden;
};
/* end: the last requested frame; passes: how often everything is played, at least 1. */
void progress_start(struct progress *progress, const char *what, const struct capture_reader *reader, uint32_t end,
                    uint64_t passes);
/* A frame, from 0, has been played. */
void progress_show(struct progress *progress, uint32_t frame);
/* Some events before the first frame have been played. */
void progress_setup(struct progress *progress);
/* Work that is not measured in frames: share, 0 to 1, is done; `number` of `counted` ("tries"). */
void progress_show_share(struct progress *progress, double share, const char *counted, uint64_t number);
void progress_next_pass(struct progress *progress);
void progress_end(struct progress *progress);
/* Removes the line from the terminal: call it before anything is printed. */
void progress_clear(void);

/* Operands that several verbs have: FILE, and FILE FRAME.DRAW. */
extern const struct option_operand tool_capture[], tool_draw[];
/* Rows that several verbs have. */
#define TOOL_JSON(type, member)                                                                 \
    {                                                                                           \
        "json", 0, SETS_BOOL(type, member), .help = "print JSON (docs/json.md) instead of text" \
    }
#define TOOL_THREADS(type, member)                                                                              \
    {                                                                                                           \
        "threads", 0, SETS_NUMBER(type, member), .argument = "N", .low = 1, .high = 64,                         \
                                                 .help = "number of the driver's threads, like HALCYON_THREADS" \
    }

#endif
