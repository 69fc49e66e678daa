/* SPDX-License-Identifier: MIT */
/*
 * dp2 asm: text to capture.
 */
#include "tools/tool.h"

#include "dp2/text.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_TEXT ((size_t)1 << 30) /* bytes */

static const char help[] =
    "usage: dp2 asm TEXT -o CAPTURE\n"
    "\n"
    "Makes a capture of text, as 'dp2 dump --asm' prints it or as people write it by hand:\n"
    "docs/tutorial.md teaches it, docs/dp2-text.md has all of it. TEXT - is standard input.\n"
    "\n"
    "  -o, --output FILE   the capture to write\n"
    "\n"
    "example:\n"
    "  dp2 asm triangle.dp2s -o triangle.capture\n"
    "  dp2 replay triangle.capture -o triangle.png\n";

struct assembly {
    char info[4096];
    struct capture_writer *writer;
    const char *output;
    struct capture_error error;
};

static void add_info(void *user, const char *line)
{
    struct assembly *assembly = user;
    const size_t length = strlen(assembly->info);

    if (!assembly->writer && length + strlen(line) + 2 < sizeof(assembly->info))
        snprintf(assembly->info + length, sizeof(assembly->info) - length, "%s\n", line);
}

static bool add_event(void *user, enum capture_event_type type, const void *data, size_t size)
{
    struct assembly *assembly = user;
    const struct capture_bytes piece = {data, size};

    if (!assembly->writer)
        assembly->writer = capture_create(assembly->output, assembly->info, &assembly->error);
    return assembly->writer && capture_write(assembly->writer, type, &piece, 1) &&
           (type != CAPTURE_FRAME || capture_flush(assembly->writer, true));
}

/* A whole file, or NULL with errno. */
static char *read_text(const char *path, size_t *size)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0, count = 1;

    *size = 0;
    while (file && count && *size < MAX_TEXT) {
        if (*size == capacity) {
            char *bigger = realloc(text, capacity = 2 * capacity + 65536);
            if (!bigger)
                break;
            text = bigger;
        }
        count = fread(text + *size, 1, capacity - *size, file);
        *size += count;
    }
    const bool done = file && !count && !ferror(file);
    if (file && file != stdin)
        fclose(file);
    if (done)
        return text;
    free(text);
    return NULL;
}

static int finish(struct assembly *assembly, bool done, const struct dp2_asm_error *error,
                  const char *path)
{
    bool written = true;

    if (done && !assembly->writer)
        return tool_fail(&verb_asm, "%s: no event in it", path);
    if (assembly->writer)
        written = capture_finish(assembly->writer, &assembly->error);
    if (done && written)
        return TOOL_OK;
    unlink(assembly->output);
    if (assembly->error.text[0])
        return tool_fail(&verb_asm, "%s: %s", assembly->output, assembly->error.text);
    return tool_fail(&verb_asm, "%s:%u: %s", path, error->line, error->text);
}

static int assemble(const char *path, const char *output)
{
    struct assembly assembly = {.output = output};
    struct dp2_asm_error error = {0};
    char folder[1024] = ".";
    const char *slash = strrchr(path, '/');
    size_t size;
    char *text = read_text(path, &size);
    bool done;

    if (!text)
        return tool_fail(&verb_asm, "%s: %s", path, errno ? strerror(errno) : "too long");
    if (slash && (size_t)(slash - path) < sizeof(folder))
        snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
    const struct dp2_asm_output target = {add_event, add_info, &assembly, folder};
    done = dp2_assemble(text, size, &target, &error);
    free(text);
    return finish(&assembly, done, &error, path);
}

static int asm_verb(int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *output = NULL;
    int option;

    while ((option = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
        switch (option) {
        case 'o':
            output = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            return TOOL_OK;
        default:
            return tool_usage(&verb_asm, "see the options above");
        }
    }
    if (optind + 1 != argc || !output)
        return tool_usage(&verb_asm, "one text, and -o CAPTURE, please");
    return assemble(argv[optind], output);
}

const struct tool_verb verb_asm = {"asm", "make a capture of text", help, asm_verb};
