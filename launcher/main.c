/* SPDX-License-Identifier: MIT */
/* halcyon: runs Windows programs on Halcyon's dlls. Chooses the command. */
#include "launcher/launcher.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {&command_run, &command_doctor, &command_install, &command_uninstall};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *file)
{
    fputs("usage: halcyon COMMAND [OPTION...] [ARGUMENT...]\n\n"
          "Run programs of Direct3D 8 and 9 under Wine, drawn by Halcyon.\n\n",
          file);
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n'halcyon help COMMAND' or 'halcyon COMMAND --help' explains a command, 'halcyon --version' prints the "
          "version.\n"
          "Begin with 'halcyon doctor', then 'halcyon run -- title.exe'.\n",
          file);
}

static const struct command *find_command(const char *name)
{
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(name, commands[i]->name))
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

static int help(const char *name)
{
    const struct command *command = name ? find_command(name) : NULL;

    if (name && !command)
        return no_command(name);
    if (command)
        fputs(command->help, stdout);
    else
        print_help(stdout);
    return LAUNCHER_OK;
}

static int choose(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    const struct command *command;

    if (!word) {
        print_help(stderr);
        return LAUNCHER_FAILED;
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        return help(NULL);
    if (!strcmp(word, "help"))
        return help(argc > 2 ? argv[2] : NULL);
    if (!strcmp(word, "--version") || !strcmp(word, "version")) {
        puts("halcyon " HALCYON_VERSION);
        return LAUNCHER_OK;
    }
    command = find_command(word);
    return command ? command->run(argc - 1, argv + 1) : no_command(word);
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
