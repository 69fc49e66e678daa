/* SPDX-License-Identifier: MIT */
/* Runs a program and reads its output. */
#ifndef HALCYON_BASE_ASK_H
#define HALCYON_BASE_ASK_H

#include <stddef.h>

/* Runs argv[0], a path, without input and without its messages, for at most `seconds`. `text`: the first bytes of
 * its output, ended by 0. Returns its exit status; -1: it cannot be executed, was ended by a signal, or took too
 * long. */
int ask_program(char *const *argv, char *text, size_t size, unsigned seconds);

#endif
