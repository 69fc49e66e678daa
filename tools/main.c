/* SPDX-License-Identifier: MIT */
/*
 * dp2: tools for DrawPrimitives2 captures. Chooses the verb.
 */
#include "tools/tool.h"

#include "base/word.h"

#include "base/json/json.h"
#include "base/output.h"
#include "base/utf8.h"
#include "dp2/text/text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const struct tool_verb verb_help;

/* In the order of the help, by groups. */
static const struct tool_verb *const verbs[] = {
    &verb_info,     &verb_replay,   &verb_play,     &verb_view,      &verb_draws,    &verb_find,
    &verb_state,    &verb_shot,     &verb_pixel,    &verb_resources, &verb_mesh,     &verb_buffer,
    &verb_trace,    &verb_textures, &verb_profile,  &verb_compare,   &verb_diff,     &verb_farm,
    &verb_dump,     &verb_asm,      &verb_import,   &verb_trim,      &verb_minimise, &verb_edit,
    &verb_coverage, &verb_shader,   &verb_feedback, &verb_caps,      &verb_tokens};
#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

/* Heading above the first verb of a group; NULL: in the same group as the verb before. */
static const char *group_of(const struct tool_verb *verb)
{
    return verb == &verb_info       ? "look at a capture and draw it"
           : verb == &verb_draws    ? "ask a frame, a draw or a pixel"
           : verb == &verb_compare  ? "compare"
           : verb == &verb_dump     ? "write and change captures"
           : verb == &verb_coverage ? "shaders, textures and the driver"
                                    : NULL;
}

static void print_help(FILE *file)
{
    fputs("usage: dp2 VERB [OPTION...] [FILE]\n\n"
          "Work with captures of Direct3D programs drawn by Halcyon.\n\n",
          file);
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        const char *group = group_of(verbs[i]);

        if (group)
            fprintf(file, "%s%s:\n", i ? "\n" : "", group);
        fprintf(file, "  %-9s %s\n", verbs[i]->syntax.name, verbs[i]->syntax.summary);
    }
    fputs("\n'dp2 help VERB' or 'dp2 VERB --help' explains a verb, 'dp2 help --json'\n"
          "describes all verbs for programs, and 'dp2 --version' prints the version.\n"
          "To make a capture, run a program with HALCYON_CAPTURE=FILE in its environment;\n"
          "an existing file is never overwritten.\n"
          "Exit status: 0 done; 1 different, refused or damaged; 2 wrong usage, or\n"
          "something is missing or cannot be read or written.\n",
          file);
}

/* Removes half-written files, then lets the signal take its default action. */
static void end_by_signal(int number)
{
    output_remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};

    for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        /* (a signal that the parent made us ignore stays ignored) */
        if (signal(numbers[i], end_by_signal) == SIG_IGN)
            signal(numbers[i], SIG_IGN);
    }
}

/* The reader of our output has closed it: end as quietly as by SIGPIPE. */
static bool reader_has_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return poll(&output, 1, 0) == 1 && output.revents & POLLERR;
}

/* All that was printed must have reached standard output. */
static int main_finish(const char *who, int status)
{
    const bool failed = ferror(stdout);
    int why;

    errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return status;
    why = errno ? errno : output_stream_error(stdout);
    if (why != EPIPE && !reader_has_gone())
        fprintf(stderr, "%s: standard output: %s\n", who, strerror(why));
    return TOOL_ERROR;
}

static const struct tool_verb *find_verb(const char *name)
{
    for (unsigned i = 0; i < VERB_COUNT; i++)
        if (strcmp(name, verbs[i]->syntax.name) == 0)
            return verbs[i];
    return NULL;
}

static int no_verb(const char *name)
{
    const struct tool_verb *near = NULL;
    unsigned least = 3; /* anything further away is a different word */

    for (unsigned i = 0; i < VERB_COUNT; i++) {
        const unsigned d = word_distance(name, strlen(name), verbs[i]->syntax.name, strlen(verbs[i]->syntax.name));
        if (d < least) {
            least = d;
            near = verbs[i];
        }
    }
    fputs("dp2: there is no verb '", stderr);
    utf8_print(stderr, name);
    fputc('\'', stderr);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near->syntax.name);
    fputs("\nTry 'dp2 --help'.\n", stderr);
    return TOOL_ERROR;
}

/* All verbs, or one, as JSON. */
static int help_json(const struct tool_verb *one)
{
    const char *group = NULL;
    struct json_writer json;

    json_begin(&json, stdout, "dp2-help", false);
    json_stream_list(&json, "verbs");
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        group = group_of(verbs[i]) ? group_of(verbs[i]) : group;
        if (!one || one == verbs[i])
            options_put(&json, &verbs[i]->syntax, group);
    }
    json_close(&json);
    return json_end(&json) ? TOOL_OK : tool_fail(&verb_help, "out of memory");
}

struct help {
    bool as_json;
};

/* 'dp2 help' and 'dp2 help VERB' */
static int help_verb(void *settings, char **operands, int count)
{
    const struct help *help = settings;
    const struct tool_verb *verb = count ? find_verb(operands[0]) : NULL;

    if (count && strcmp(operands[0], verb_help.syntax.name) == 0)
        verb = &verb_help;
    if (count && !verb)
        return no_verb(operands[0]);
    if (help->as_json)
        return help_json(verb);
    if (verb)
        options_print_help(stdout, "dp2", &verb->syntax);
    else
        print_help(stdout);
    return TOOL_OK;
}

static const struct option_row help_options[] = {
    {"json", 0, SETS_BOOL(struct help, as_json),
     .help = "print JSON (docs/json.md): verbs with their options, operands and texts, from which manual pages and "
             "completion are made"},
    {0},
};

static const struct option_operand help_operands[] = {{"VERB", .optional = true}, {0}};

static const struct tool_verb verb_help = {
    .syntax =
        {
            .name = "help",
            .summary = "explain a verb, or list all verbs",
            .about = "Explains a verb, or lists all of them.",
            .options = help_options,
            .examples = "dp2 help replay\n"
                        "dp2 help --json | jq -r '.verbs[] | .name + \": \" + .summary'",
            .operands = help_operands,
            .missing = "",
        },
    .size = sizeof(struct help),
    .run = help_verb,
};

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

int main(int argc, char **argv)
{
    const struct tool_verb *verb;
    char who[32];

    catch_signals();
    if (argc < 2) {
        print_help(stderr);
        return TOOL_ERROR;
    }
    if (is_one_of(argv[1], "--help", "-h", "help"))
        return main_finish("dp2", tool_run(&verb_help, argc - 1, argv + 1));
    if (is_one_of(argv[1], "--version", "-V", "version")) {
        puts("dp2 (Halcyon) " HALCYON_VERSION);
        return main_finish("dp2", TOOL_OK);
    }
    verb = find_verb(argv[1]);
    if (!verb)
        return no_verb(argv[1]);
    snprintf(who, sizeof(who), "dp2 %s", verb->syntax.name);
    return main_finish(who, tool_run(verb, argc - 1, argv + 1));
}
