/* SPDX-License-Identifier: MIT */
/* From the result of the parser to an exit status. */
#include "base/options/options.h"

int options_run(const struct option_program *program, void *settings, int argc, char **argv)
{
    struct option_line line;

    switch (options_parse(program->syntax, settings, argc, argv, &line)) {
    case OPTION_OK:
        return program->run(settings, argv + 1, line.operand_count);
    case OPTION_WRONG:
        return program->complain(program->user, line.error);
    case OPTION_HELP:
        options_print_help(stdout, program->name, program->syntax);
        return 0;
    case OPTION_DONE:
        return 0;
    case OPTION_FAILED:
        return line.status;
    }
    return 0;
}
