/* SPDX-License-Identifier: MIT */
/* halcyon: runs Windows programs on Halcyon's dlls. Chooses the command. */
#include "launcher/launcher.h"

#include "base/base.h"
#include "base/json/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {&command_run, &command_doctor, &command_install, &command_uninstall};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *file)
{
    fputs("usage: halcyon COMMAND [OPTION...] [ARGUMENT...]\n\n"
          "Run programs of DirectDraw and Direct3D 8 and 9 under Wine, drawn by Halcyon.\n\n",
          file);
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        fprintf(file, "  %-10s %s\n", commands[i]->syntax.name, commands[i]->syntax.summary);
    fputs("\n'halcyon help COMMAND' or 'halcyon COMMAND --help' explains a command, 'halcyon --version' prints the "
          "version.\n"
          "Begin with 'halcyon doctor', then 'halcyon run -- title.exe'.\n",
          file);
}

static const struct command *find_command(const char *name)
{
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(name, commands[i]->syntax.name))
            return commands[i];
    return NULL;
}

static int no_command(const char *name)
{
    const size_t length = strlen(name);

    say("there is no command '%s'", name);
    if (length > 4 && !strcasecmp(name + length - 4, ".exe"))
        fputs("To run a program: halcyon run -- PROGRAM.exe\n", stderr);
    fputs("Try 'halcyon --help'.\n", stderr);
    return LAUNCHER_FAILED;
}

/* Parses a command line, prints the command's help or runs it. argv[0] is ignored. */
static int complain(const void *command, const char *message)
{
    return usage(command, "%s", message);
}

static int run_command_line(const struct command *command, int argc, char **argv)
{
    const struct option_program program = {
        .name = "halcyon", .syntax = &command->syntax, .run = command->run, .complain = complain, .user = command};
    void *settings = mem_calloc(1, command->size ? command->size : 1);
    int status;

    if (!settings)
        return fail("out of memory");
    status = options_run(&program, settings, argc, argv);
    free(settings);
    return status;
}

struct help {
    bool as_json;
};

/* All commands, or one, as JSON: a document like that of 'dp2 help --json'. */
static int help_json(const struct command *one)
{
    struct json_writer json;

    json_begin(&json, stdout, "halcyon-help", false);
    json_stream_list(&json, "verbs");
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        if (!one || one == commands[i])
            options_put(&json, &commands[i]->syntax, NULL);
    json_close(&json);
    return json_end(&json) ? LAUNCHER_OK : fail("out of memory");
}

static int help(void *settings, char **operands, int count)
{
    const struct command *command = count ? find_command(operands[0]) : NULL;

    if (count && !command)
        return no_command(operands[0]);
    if (((const struct help *)settings)->as_json)
        return help_json(command);
    if (command)
        options_print_help(stdout, "halcyon", &command->syntax);
    else
        print_help(stdout);
    return LAUNCHER_OK;
}

static const struct option_row help_options[] = {
    {"json", 0, SETS_BOOL(struct help, as_json),
     .help = "print JSON, as 'dp2 help --json' does: commands with their options, operands and texts"},
    {0},
};

static const struct option_operand help_operands[] = {{"COMMAND", .optional = true}, {0}};

static const struct command command_help = {
    .syntax =
        {
            .name = "help",
            .summary = "explain a command, or list all commands",
            .about = "Explains a command, or lists all of them.",
            .options = help_options,
            .examples = "halcyon help run",
            .operands = help_operands,
            .missing = "",
        },
    .size = sizeof(struct help),
    .run = help,
};

static int choose(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    const struct command *command;

    if (!word) {
        print_help(stderr);
        return LAUNCHER_FAILED;
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
        return run_command_line(&command_help, argc - 1, argv + 1);
    if (!strcmp(word, "--version") || !strcmp(word, "version")) {
        puts("halcyon " HALCYON_VERSION);
        return LAUNCHER_OK;
    }
    command = find_command(word);
    return command ? run_command_line(command, argc - 1, argv + 1) : no_command(word);
}

int main(int argc, char **argv)
{
    const int status = choose(argc, argv);

    if (fflush(stdout) || ferror(stdout)) {
        say("standard output cannot be written");
        return status ? status : LAUNCHER_FAILED;
    }
    return status;
}
