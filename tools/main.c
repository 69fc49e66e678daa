/* SPDX-License-Identifier: MIT */
/*
 * dp2: tools for DrawPrimitives2 captures. Chooses the verb.
 */
#include "tools/tool.h"

#include <string.h>

static const struct tool_verb *const verbs[] = {&verb_replay, &verb_dump, &verb_asm, &verb_trim, &verb_diff, &verb_info, &verb_caps,
                                                &verb_tokens, &verb_shader, &verb_coverage, &verb_feedback};
#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

static void print_help(FILE *file)
{
    fputs("usage: dp2 VERB [OPTION...] [FILE]\n\n"
          "Work with captures of Direct3D programs drawn by Halcyon.\n\n",
          file);
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        if (verbs[i]->summary)
            fprintf(file, "  %-8s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    fputs("\n'dp2 VERB --help' tells more. A capture is made by running a program with\n"
          "HALCYON_CAPTURE=FILE in its environment.\n"
          "Exit status: 0 ok, 1 different, 2 error.\n",
          file);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return TOOL_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return TOOL_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("dp2 (Halcyon) " HALCYON_VERSION);
        return TOOL_OK;
    }
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        if (strcmp(argv[1], verbs[i]->name) != 0)
            continue;
        int status = verbs[i]->run(argc - 1, argv + 1);
        if (fflush(stdout) || ferror(stdout))
            return tool_fail(verbs[i], "cannot write to standard output");
        return status;
    }
    fprintf(stderr, "dp2: no verb '%s'\nTry 'dp2 --help'.\n", argv[1]);
    return TOOL_ERROR;
}
