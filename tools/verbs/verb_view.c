/* SPDX-License-Identifier: MIT */
/*
 * dp2 view: the frame debugger as a page. The page is built by `make web` (web/README.md) with a placeholder for the
 * capture, which is inserted as base64; so the page only needs a browser.
 */
#include "tools/tool.h"

#include "base/base.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Browsers can hold about twice as much base64 as the text of one element. */
#define MOST_CAPTURE ((size_t)256 << 20)
#define MOST_PAGE    ((size_t)64 << 20)
#define READ_BYTES   65536 /* at a time */

/* The end of the template's element for the capture; the name is inserted between the quotes, the data before the
 * tag. */
static const char place[] = "id=\"capture\" data-name=\"\"></script>";
#define NAME_AT (sizeof("id=\"capture\" data-name=\"") - 1)
#define DATA_AT (NAME_AT + sizeof("\">") - 1)

/* The end of the element for notes, which stands before it. */
static const char notes_place[] = "id=\"notes\"></script>";
#define NOTES_AT   (sizeof("id=\"notes\">") - 1)
#define MOST_NOTES ((size_t)32 << 20)

struct bytes {
    char *data; /* to be freed; NULL: there are none */
    size_t size;
};

/* False: see errno; EFBIG: more than `most` bytes. */
static bool read_file(struct bytes *bytes, FILE *file, size_t most)
{
    size_t capacity = 0, count = 1;

    errno = 0;
    while (count) {
        char *grown = mem_grow(bytes->data, &capacity, bytes->size, READ_BYTES);

        if (!grown)
            return false;
        bytes->data = grown;
        count = fread(bytes->data + bytes->size, 1, capacity - bytes->size, file);
        bytes->size += count;
        if (bytes->size > most) {
            errno = EFBIG;
            return false;
        }
    }
    return !ferror(file);
}

static bool read_path(struct bytes *bytes, const char *path, size_t most)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    const bool done = file && read_file(bytes, file, most);
    const int why = errno;

    if (file && file != stdin)
        fclose(file);
    errno = why ? why : EIO;
    return done;
}

/* --- the template ------------------------------------------------------------------------------- */

/* Its path from the folder of the program: installed, in a release, in the tree. */
static const char *const template_places[] = {"../share/halcyon/view.html", "../web/view.html"};

/* Reads the first that exists. */
static bool find_template(struct bytes *page)
{
    char path[4096 + 32];
    const ssize_t length = readlink("/proc/self/exe", path, 4096 - 1);
    char *name;

    if (length <= 0)
        return false;
    path[length] = 0;
    name = strrchr(path, '/') + 1;
    for (unsigned i = 0; i < ARRAY_COUNT(template_places); i++) {
        snprintf(name, sizeof(path) - (size_t)(name - path), "%s", template_places[i]);
        if (read_path(page, path, MOST_PAGE))
            return true;
        free(page->data);
        *page = (struct bytes){0};
    }
    return false;
}

/* Number of bytes before the last placeholder of this text; SIZE_MAX: there is none. */
static size_t find_text(const struct bytes *page, const char *text)
{
    const size_t length = strlen(text);

    for (size_t i = page->size; i-- > length;)
        if (memcmp(page->data + i - length, text, length) == 0)
            return i - length;
    return SIZE_MAX;
}

/* The same for the capture. */
static size_t find_place(const struct bytes *page)
{
    return find_text(page, place);
}

static int load_template(struct bytes *page, const char *path)
{
    if (!path && !find_template(page))
        return tool_fail(&verb_view,
                         "the page has not been built: 'make web' does it, then 'make install' installs it; "
                         "--template names one");
    if (path && !read_path(page, path, MOST_PAGE))
        return tool_fail(&verb_view, "%s: %s", path, strerror(errno));
    if (find_place(page) == SIZE_MAX)
        return tool_fail(&verb_view, "%s: it has no place for a capture", path ? path : "view.html");
    return TOOL_OK;
}

/* --- the page ------------------------------------------------------------------------------------ */

static void write_base64(FILE *file, const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[4096];
    size_t used = 0;

    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)data[i + 2] : 0);

        line[used++] = digits[three >> 18];
        line[used++] = digits[three >> 12 & 63];
        line[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
        line[used++] = left > 2 ? digits[three & 63] : '=';
        if (used == sizeof(line) || left <= 3) {
            fwrite(line, 1, used, file);
            used = 0;
        }
    }
}

/* The last part of a file's name, escaped for an attribute. */
static void write_name(FILE *file, const char *path)
{
    const char *slash = strrchr(path, '/');

    for (const char *c = slash ? slash + 1 : path; *c; c++)
        if (*c == '"' || *c == '&' || *c == '<' || *c == '>')
            fprintf(file, "&#%d;", *c);
        else if ((unsigned char)*c >= ' ')
            fputc(*c, file);
}

/* JSON has "<" in strings alone, where it may be written as an escape; an element of the page then cannot end in it. */
static void write_notes(FILE *file, const struct bytes *notes)
{
    for (size_t i = 0; i < notes->size; i++)
        if (notes->data[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(notes->data[i], file);
}

static void write_page(FILE *file, const struct bytes *page, const char *path, const struct bytes *capture,
                       const struct bytes *notes)
{
    const size_t before = find_place(page), noted = find_text(page, notes_place);
    size_t done = 0;

    if (notes->size && noted < before) {
        fwrite(page->data, 1, noted + NOTES_AT, file);
        write_notes(file, notes);
        done = noted + NOTES_AT;
    }
    fwrite(page->data + done, 1, before + NAME_AT - done, file);
    if (path)
        write_name(file, strcmp(path, "-") == 0 ? "capture" : path);
    fwrite(page->data + before + NAME_AT, 1, DATA_AT - NAME_AT, file);
    write_base64(file, (const uint8_t *)capture->data, capture->size);
    fwrite(page->data + before + DATA_AT, 1, page->size - before - DATA_AT, file);
}

/* Reads the capture once to report damage: the page shows what comes before the damage, unless the file is not a
 * capture. Returns the status. */
static int check_capture(const char *path, const struct bytes *capture, bool *is_capture)
{
    struct capture_error error = {0};
    struct capture_event event;
    enum capture_status read;
    struct capture_reader *reader = capture_open_memory(capture->data, capture->size, &error);
    int status;

    *is_capture = reader != NULL;
    if (!reader) {
        tool_say(&verb_view, "%s: %s", tool_input_name(path), error.text);
        return error.system ? TOOL_ERROR : TOOL_DAMAGED;
    }
    do
        read = capture_next(reader, &event, &error);
    while (read == CAPTURE_OK);
    status = tool_read_result(&verb_view, path, read, &error);
    return tool_close_capture(&verb_view, path, reader, status);
}

static int load_capture(struct bytes *capture, const char *path, bool *is_capture)
{
    if (read_path(capture, path, MOST_CAPTURE))
        return check_capture(path, capture, is_capture);
    if (errno == EFBIG)
        return tool_fail(&verb_view,
                         "%s: more than 256 MiB do not fit into a page; 'dp2 view -o PAGE' writes one that "
                         "asks for the capture",
                         tool_input_name(path));
    return tool_fail(&verb_view, "%s: %s", tool_input_name(path), strerror(errno));
}

/* Notes of a file that is named, or of one next to the capture, if there is one. */
static int load_notes(struct bytes *notes, const char *capture, const char *path)
{
    static const char end[] = ".notes.json";
    char *beside = NULL;
    int status = TOOL_OK;

    if (!path && capture && strcmp(capture, "-") != 0) {
        beside = mem_alloc(strlen(capture) + sizeof(end), 1, 0);
        if (!beside)
            return tool_fail(&verb_view, "out of memory");
        strcpy(stpcpy(beside, capture), end);
    }
    if ((path || beside) && !read_path(notes, path ? path : beside, MOST_NOTES) && (path || errno != ENOENT))
        status = tool_fail(&verb_view, "%s: %s", path ? path : beside, strerror(errno));
    free(beside);
    return status;
}

static int view(const char *path, const char *output_path, const char *template_path, const char *notes_path)
{
    struct bytes page = {0}, capture = {0}, notes = {0};
    struct output output = {0};
    bool is_capture = true;
    int status = path ? tool_check_output(&verb_view, output_path, path) : TOOL_OK;

    if (status == TOOL_OK)
        status = load_template(&page, template_path);
    if (status == TOOL_OK && path)
        status = load_capture(&capture, path, &is_capture);
    if (status != TOOL_ERROR && is_capture && load_notes(&notes, path, notes_path) != TOOL_OK)
        status = TOOL_ERROR;
    if (status != TOOL_ERROR && notes.size && find_text(&page, notes_place) == SIZE_MAX)
        status = tool_fail(&verb_view, "%s: it has no place for notes", template_path ? template_path : "view.html");
    if (status == TOOL_ERROR || !is_capture)
        goto done;
    if (!output_open(&output, output_path, OUTPUT_REPLACE)) {
        status = tool_cannot_write(&verb_view, output_path);
        goto done;
    }
    write_page(output.file, &page, path, &capture, &notes);
    if (!output_commit(&output))
        status = tool_cannot_write(&verb_view, output_path);
done:
    free(page.data);
    free(capture.data);
    free(notes.data);
    return status;
}

struct request {
    const char *output, *template_path, *notes;
};

static int view_verb(void *settings, char **operands, int count)
{
    const struct request *request = settings;

    if (!request->output)
        return tool_usage(&verb_view, "-o PAGE is missing");
    return view(count ? operands[0] : NULL, request->output, request->template_path, request->notes);
}

static const struct option_row options[] = {
    {"output", 'o', SETS_TEXT(struct request, output), .argument = "PAGE", .value = VALUE_FILE,
     .help = "write the HTML file to PAGE; - is standard output"},
    {"notes", 'n', SETS_TEXT(struct request, notes), .argument = "NOTES", .value = VALUE_FILE,
     .help =
         "put the notes of this file into the page, as the page saves them; by default those of FILE.notes.json, if "
         "that exists"},
    {"template", 0, SETS_TEXT(struct request, template_path), .argument = "FILE", .value = VALUE_FILE,
     .help = "use this page without a capture, as 'make web' builds it; by default the page next to this program, or "
             "where 'make install' puts it"},
    {0},
};

static const struct option_operand operands[] = {{"FILE", .value = VALUE_FILE, .optional = true}, {0}};

const struct tool_verb verb_view = {
    .syntax =
        {
            .name = "view",
            .summary = "write the frame debugger and a capture as a page",
            .usage = "[FILE] -o PAGE [OPTION...]",
            .about = "Writes the frame debugger with a capture into one HTML file, for any current browser: it needs "
                     "no server and no network, because the page contains the driver, which draws the capture there. "
                     "Without FILE the page asks for a capture; use that for captures of more than 256 MiB.",
            .options = options,
            .notes = "Links lead to a draw, a pixel and a pane: page.html#2.17/320,240/history. The question mark "
                     "opens the list of keys of the page.",
            .examples = "dp2 view game.capture -o page.html\n"
                        "dp2 view -o debugger.html",
            .operands = operands,
            .missing = "",
        },
    .size = sizeof(struct request),
    .run = view_verb,
};
