/* SPDX-License-Identifier: MIT */
/*
 * The tests that a capture is minimised by: a command that must succeed, or a pixel that must keep its colour.
 */
#ifndef HALCYON_TOOLS_MINIMISE_KEEP_H
#define HALCYON_TOOLS_MINIMISE_KEEP_H

#include "tools/minimise/ddmin.h"
#include "tools/minimise/model.h"
#include "replay/player.h"

struct keep {
    struct model *model;
    const char *info; /* of the captures that are written */
    uint64_t tries, limit, successes;
    bool exhausted; /* no tries are left */

    /* a command for sh; {} in it is the name of the capture, which is appended otherwise. NULL: a pixel */
    const char *command;
    double timeout; /* seconds */
    char *folder;   /* of candidates */
    int status;     /* of the last command, as from waitpid; -1: it did not end in time */

    /* a pixel of the picture that the pinned frame shows */
    unsigned x, y;
    uint32_t color;   /* 0xAARRGGBB */
    uint64_t refused; /* calls that the driver may refuse */
    bool has_driver;
    struct client_driver driver;

    /* hashes of failed candidates, open addressing */
    uint64_t *failed;
    size_t failed_count, failed_capacity;

    char why[200]; /* the test could not be made: the reason */
};

/* From now on SIGHUP, SIGINT and SIGTERM end the work instead of the process. */
void keep_catch_signals(void);
/* The signal that has come; 0: none. */
int keep_signal(void);

/* Prepares tests of a command, or of a pixel. False: see `why`. */
bool keep_begin(struct keep *keep);
void keep_end(struct keep *keep);
/* Does the current model pass? Called first: for a pixel it records the colour and the refused calls. loud: the
 * command may print to standard error. */
enum ddmin_answer keep_first(struct keep *keep);
/* The same, as a callback of struct ddmin; a candidate that failed once is not tried again. */
enum ddmin_answer keep_test(void *keep);
/* Writes the rest of the model as a capture into an open file (base/output.h). False: see `why`. */
struct output;
bool keep_write(struct keep *keep, struct output *output);

#endif
