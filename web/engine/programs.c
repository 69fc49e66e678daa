/* SPDX-License-Identifier: MIT */
/* A page starts no programs: Wine is not found there, and dp2 import says so. */
#include "base/wine/ask.h"
#include "tools/import/process.h"

#include <errno.h>

int ask_program(char *const *argv, char *text, size_t size, unsigned seconds)
{
    (void)argv;
    (void)size;
    (void)seconds;
    text[0] = 0;
    return -1;
}

bool import_process_start(struct import_process *process, const struct import_command *command)
{
    (void)process;
    (void)command;
    errno = ENOSYS;
    return false;
}

bool import_process_send(struct import_process *process, const void *data, size_t size)
{
    (void)process;
    (void)data;
    (void)size;
    return false;
}

void import_process_close(struct import_process *process)
{
    (void)process;
}

bool import_process_wait(struct import_process *process, double seconds)
{
    (void)process;
    (void)seconds;
    return false;
}

int import_process_end(struct import_process *process, bool kill)
{
    (void)process;
    (void)kill;
    return -1;
}
