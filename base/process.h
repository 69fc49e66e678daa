/* SPDX-License-Identifier: MIT */
/* The process we are in, for names of files, messages and what a capture says of itself. */
#ifndef HALCYON_BASE_PROCESS_H
#define HALCYON_BASE_PROCESS_H

#include <stddef.h>
#include <time.h>

/* The number the system gives it. */
unsigned process_number(void);

/* When it began; now, if the system does not tell. */
time_t process_begin(void);

/* The program's name without folder and extension, in the encoding of file names; "program" if the system does not tell. */
void process_title(char *title, size_t size);

/* Path of the program, and the words it was started with, separated by spaces: UTF-8, whatever the system has. "" if it
 * does not tell; cut between two characters when `size` bytes do not hold it. */
void process_path(char *path, size_t size);
void process_command(char *command, size_t size);

/* "8.0" under Wine, "" elsewhere. */
const char *process_wine_version(void);

#endif
