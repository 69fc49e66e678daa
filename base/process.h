/* SPDX-License-Identifier: MIT */
/* The current process, for file names, messages and the description in captures. */
#ifndef HALCYON_BASE_PROCESS_H
#define HALCYON_BASE_PROCESS_H

#include <stddef.h>
#include <time.h>

/* The process ID. */
unsigned process_number(void);

/* The start time of the process; the current time if the system does not tell. */
time_t process_begin(void);

/* The program's name without folder and extension, in the encoding of file names; "program" if the system does not tell. */
void process_title(char *title, size_t size);

/* The path of the program, and its command line with the arguments separated by spaces, both always as UTF-8. "" if the
 * system does not tell; cut between two characters if `size` bytes are too few. */
void process_path(char *path, size_t size);
void process_command(char *command, size_t size);

/* "8.0" under Wine, "" elsewhere. */
const char *process_wine_version(void);

#endif
