/* SPDX-License-Identifier: MIT */
/* dp2 import: a trace of apitrace becomes a capture. */
#include "tools/import/import.h"
#include "tools/tool.h"

#include "base/base.h"
#include "base/json/json.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct request {
    const char *output;
    bool check, as_json;
    struct import_wanted wanted;
    struct import import;
    struct progress progress;
};

/* --- the trace ------------------------------------------------------------------------------------ */

struct mapped {
    void *data;
    size_t size;
};

static int map_file(const char *path, struct mapped *mapped)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    int error = 0;

    if (file < 0 || fstat(file, &status)) {
        error = errno;
    } else if (!S_ISREG(status.st_mode)) {
        error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    } else if (status.st_size) {
        mapped->size = (size_t)status.st_size;
        mapped->data = mmap(NULL, mapped->size, PROT_READ, MAP_PRIVATE, file, 0);
        error = mapped->data == MAP_FAILED ? errno : 0;
    }
    if (file >= 0)
        close(file);
    return error;
}

static void show_progress(void *user, double share, uint64_t calls)
{
    progress_show_share(user, share, "call", calls);
}

static void say_prefix(const char *prefix)
{
    progress_clear();
    tool_say(&verb_import, "making a Wine prefix for imports, once: %s", prefix);
}

/* --- the result ----------------------------------------------------------------------------------- */

static void print_list(const char *title, const struct import_report *report)
{
    if (!report->total)
        return;
    printf("%s: %" PRIu64 "\n", title, report->total);
    import_report_print(report, stdout);
}

static void print_result(const struct request *r)
{
    const struct translator *translator = &r->import.translator;

    printf("%" PRIu64 " call%s, %" PRIu64 " frame%s", translator->calls, translator->calls == 1 ? "" : "s",
           translator->presents, translator->presents == 1 ? "" : "s");
    if (!r->check)
        printf("; %" PRIu64 " calls made", r->import.played);
    printf("; %" PRIu64 " that only ask, or failed in the trace with nothing to repeat", translator->questions);
    if (translator->lost)
        printf("; %" PRIu64 " that failed since the display was lost", translator->lost);
    putchar('\n');
    print_list("not understood", &translator->report);
    print_list("with another result than in the trace", &r->import.results);
}

static void put_list(struct json_writer *json, const char *name, const struct import_report *report)
{
    json_stream_list(json, name);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_row *row = &report->rows[i];

        json_open_object(json, NULL);
        json_put_text(json, "call", row->name);
        json_put_text(json, "why", row->why);
        json_put_number(json, "calls", row->count);
        json_put_number(json, "first", row->first);
        json_close(json);
    }
    json_close(json);
    json->failed |= report->failed;
}

static bool put_document(const struct request *r, const char *path, bool recorded)
{
    const struct import *import = &r->import;
    struct json_writer json;

    json_begin(&json, stdout, "dp2-import", false);
    json_put_text(&json, "file", path);
    if (recorded)
        json_put_text(&json, "output", r->output);
    json_put_number(&json, "calls", import->translator.calls);
    json_put_number(&json, "frames", import->translator.presents);
    if (!r->check)
        json_put_number(&json, "made", import->played);
    json_put_number(&json, "asking", import->translator.questions);
    json_put_number(&json, "display_lost", import->translator.lost);
    if (import->damaged) {
        json_open_object(&json, "damaged");
        json_put_number(&json, "after", calls_begun(import->calls));
        json_put_text(&json, "why", calls_error(import->calls));
        json_close(&json);
    }
    json_put_bool(&json, "cut_short", !import->damaged && calls_cut(import->calls));
    put_list(&json, "not_understood", &import->translator.report);
    put_list(&json, "other_results", &import->results);
    return json_end(&json);
}

/* Says what was read and done; recorded: the capture has been written. Returns the status of the verb. */
static int tell_result(struct request *r, const char *path, bool recorded)
{
    const struct import *import = &r->import;
    const struct translator *translator = &import->translator;
    bool has_memory = !translator->failed;
    int status = TOOL_OK;

    progress_end(&r->progress);
    import_report_sort(&r->import.translator.report);
    import_report_sort(&r->import.results);
    if (r->as_json)
        has_memory &= put_document(r, path, recorded);
    else
        print_result(r);
    if (translator->report.total || import->results.total) {
        tool_say(&verb_import, "%s: %" PRIu64 " calls were not understood, %" PRIu64 " had another result", path,
                 translator->report.total, import->results.total);
        status = TOOL_DIFFERENT;
    }
    if (import->damaged) {
        tool_say(&verb_import, "%s: after call %" PRIu64 ": %s", path, calls_begun(import->calls),
                 calls_error(import->calls));
        status = TOOL_DAMAGED;
    } else if (calls_cut(import->calls)) {
        tool_say(&verb_import, "%s: the file is cut short; all whole calls have been read", path);
        status = TOOL_DAMAGED;
    }
    return has_memory ? status : tool_fail(&verb_import, "out of memory");
}

/* --- the capture ---------------------------------------------------------------------------------- */

/* Where the recorder writes before the capture has its name: a folder next to it. */
struct room {
    char folder[WINE_PATH], capture[WINE_PATH];
};

static bool room_make(struct room *room, const char *output)
{
    char folder[WINE_PATH], real[WINE_PATH];

    return path_folder(folder, output) && realpath(folder, real) &&
           make_path(room->folder, "%s/.dp2-import-XXXXXX", real) && mkdtemp(room->folder) &&
           make_path(room->capture, "%s/import.capture", room->folder);
}

static void room_remove(const struct room *room)
{
    char part[WINE_PATH];

    unlink(room->capture);
    if (make_path(part, "%s.part", room->capture))
        unlink(part);
    rmdir(room->folder);
}

/* The end of the player, and what it has left. */
static int finish(struct request *r, const struct room *room, const char *path, bool sent)
{
    struct import *import = &r->import;
    bool recorded;
    int status;

    import_process_close(&import->process);
    if (sent)
        while (!import->done && import_process_wait(&import->process, 3600))
            ;
    import_process_end(&import->process, !import->done);
    if (import->process.stopped) {
        progress_clear();
        return tool_fail(&verb_import, "stopped; nothing has been written");
    }
    recorded = import->done && is_file(room->capture);
    if (recorded && rename(room->capture, r->output))
        return tool_cannot_write(&verb_import, r->output);
    status = tell_result(r, path, recorded);
    if (!import->done)
        return tool_fail(&verb_import, "the player ended before the trace did, after call %" PRIu64,
                         import->translator.calls);
    if (!recorded)
        return tool_fail(&verb_import, "the driver has recorded nothing: the trace makes no device, or it failed");
    return status;
}

static int play(struct request *r, const char *path)
{
    struct import_system system;
    char why[3 * WINE_PATH];
    struct room room = {.folder = ""};
    int status;

    if (!import_system_find(&system, &r->wanted, why, sizeof(why)) ||
        (system.own && !import_prefix_make(&system, say_prefix, why, sizeof(why))))
        return tool_fail(&verb_import, "%s", why);
    if (!room_make(&room, r->output))
        return tool_cannot_write(&verb_import, r->output);
    if (import_start(&r->import, &system, room.capture, why, sizeof(why))) {
        const bool sent = import_calls(&r->import, true);

        status = finish(r, &room, path, sent);
    } else {
        import_process_end(&r->import.process, true);
        status = r->import.process.stopped ? tool_fail(&verb_import, "stopped; nothing has been written")
                                           : tool_fail(&verb_import, "%s", why);
    }
    room_remove(&room);
    return status;
}

/* FILE.trace becomes FILE.capture. */
static char *default_output(const char *path)
{
    const size_t length = strlen(path),
                 end = length > 6 && strcmp(path + length - 6, ".trace") == 0 ? length - 6 : length;
    char *output = mem_alloc(end, 1, sizeof(".capture"));

    if (output) {
        memcpy(output, path, end);
        strcpy(output + end, ".capture");
    }
    return output;
}

static int import_verb(void *settings, char **operands, int count)
{
    struct request *r = settings;
    const char *path = operands[0], *error = "";
    char *made = r->output ? NULL : default_output(path);
    struct mapped mapped = {0};
    int status;

    (void)count;
    if (!r->output)
        r->output = made;
    if (!r->output)
        return tool_fail(&verb_import, "out of memory");
    r->progress = (struct progress){.what = "Importing", .passes = 1, .counted = "call", .start = clock_seconds()};
    r->progress.last = r->progress.start;
    r->import.progress = show_progress;
    r->import.user = &r->progress;
    status = r->check ? TOOL_OK : tool_check_output(&verb_import, r->output, path);
    if (status == TOOL_OK && (errno = map_file(path, &mapped)) != 0)
        status = tool_fail(&verb_import, "%s: %s", path, strerror(errno));
    else if (status == TOOL_OK) {
        r->import.calls = calls_open(mapped.data ? mapped.data : "", mapped.size, &error);
        if (!r->import.calls) {
            tool_say(&verb_import, "%s: %s", path, error);
            status = TOOL_DAMAGED;
        } else if (r->check) {
            import_calls(&r->import, false);
            status = tell_result(r, path, false);
        } else {
            status = play(r, path);
        }
    }
    calls_close(r->import.calls);
    translator_free(&r->import.translator);
    import_report_free(&r->import.results);
    if (mapped.data && mapped.data != MAP_FAILED)
        munmap(mapped.data, mapped.size);
    free(made);
    return status;
}

static const struct option_row options[] = {
    {"output", 'o', SETS_TEXT(struct request, output), .argument = "FILE", .value = VALUE_FILE,
     .help = "the capture to write (default: the name of the trace with .capture instead of .trace)"},
    {"check", 0, SETS_BOOL(struct request, check),
     .help = "read the trace and list what is not understood: without Wine, and nothing is written"},
    TOOL_JSON(struct request, as_json),
    {"prefix", 'p', SETS_TEXT(struct request, wanted.prefix), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "the Wine prefix to use; it needs a display (default: one of dp2's own, without a display, which is made "
             "when it is "
             "needed first)"},
    {"wine", 0, SETS_TEXT(struct request, wanted.wine), .argument = "FILE", .value = VALUE_FILE,
     .help = "the Wine to use (default: $WINE, or the one on the path)"},
    {"dlls", 0, SETS_TEXT(struct request, wanted.dlls), .argument = "FOLDER", .value = VALUE_FOLDER,
     .help = "the folder with Halcyon's dlls and halcyon-import.exe, or with x64 in it (default: where they are "
             "installed)"},
    {0},
};

static const struct option_operand operands[] = {{"FILE", .value = VALUE_FILE}, {0}};

const struct tool_verb verb_import = {
    .syntax =
        {
            .name = "import",
            .summary = "make a capture of an apitrace trace",
            .about = "Makes a capture of a trace of Direct3D 8 or 9 that apitrace has recorded, on any driver: the "
                     "calls of the "
                     "trace are made again, on Halcyon under Wine, and the driver records them.",
            .options = options,
            .notes = "Prints the number of calls, and lists exactly what was not understood, and which calls failed "
                     "there or here "
                     "but not in the other place: each with its number, and that of the first such call as apitrace "
                     "counts. The "
                     "status is 1 if there is any, or if the trace is damaged or cut short; the capture then holds "
                     "what could be "
                     "done. Calls that only ask the driver something are not repeated.\n\n"
                     "Traces are read in versions 0 to 6 of apitrace's format, compressed by Snappy; 'apitrace repack' "
                     "makes such a "
                     "file of others.",
            .examples = "dp2 import report.trace\n"
                        "dp2 import report.trace -o fault.capture\n"
                        "dp2 import --check report.trace",
            .operands = operands,
            .missing = "a trace",
        },
    .size = sizeof(struct request),
    .run = import_verb,
};
