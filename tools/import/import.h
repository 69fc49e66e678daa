/* SPDX-License-Identifier: MIT */
/* A trace becomes a capture: the translator and the player at work. */
#ifndef HALCYON_TOOLS_IMPORT_IMPORT_H
#define HALCYON_TOOLS_IMPORT_IMPORT_H

#include "tools/import/calls.h"
#include "tools/import/prefix.h"
#include "tools/import/process.h"
#include "tools/import/translate.h"

struct import {
    struct calls *calls;
    struct translator translator;
    struct import_report results; /* calls with other results than in the trace, or that the player could not make */
    struct import_process process;
    bool ready, done; /* what the player has said */
    uint64_t played;  /* calls */
    bool damaged;     /* the trace, at calls_error */
    /* Called now and then. */
    void (*progress)(void *user, double share, uint64_t calls);
    void *user;
};

/* Translates the whole trace. `play`: sends it to the player, which is running; false: it ended, or was told to stop. */
bool import_calls(struct import *import, bool play);
/* Starts the player, which records to the capture `path`. False: `why`. */
bool import_start(struct import *import, const struct import_system *system, const char *path, char *why, size_t size);

#endif
