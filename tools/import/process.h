/* SPDX-License-Identifier: MIT */
/* The player's process: Wine, which reads the stream from a pipe and answers through another one. */
#ifndef HALCYON_TOOLS_IMPORT_PROCESS_H
#define HALCYON_TOOLS_IMPORT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct import_process {
    pid_t child; /* 0: none */
    int to, from;
    char line[1024]; /* an answer that is not complete yet */
    size_t length;
    bool stopped; /* by SIGINT, SIGTERM or SIGHUP to this process */
    void (*answer)(void *user, const char *line);
    void *user;
};

/* A command of Wine's and the environment it needs: pairs of name and value, ended by NULL; a value of NULL removes the name. */
struct import_command {
    char *const *argv;
    const char *const *variables;
};

/* Starts a command. answer and user of `process` are set; the rest is 0. False: errno. import_process_end must follow. */
bool import_process_start(struct import_process *process, const struct import_command *command);
/* Sends bytes, and takes the answers that come meanwhile. False: the process reads no more, or this one was told to stop. */
bool import_process_send(struct import_process *process, const void *data, size_t size);
/* All has been sent: the process reads the end of its input. */
void import_process_close(struct import_process *process);
/* Takes answers for up to `seconds` without one, or until the process closes its output (false). */
bool import_process_wait(struct import_process *process, double seconds);
/* Ends the input, takes the last answers and waits for the end. kill: does not wait for the process to end by itself. Returns its exit status;
 * -1: it was killed, or ended by a signal. */
int import_process_end(struct import_process *process, bool kill);

#endif
