/* SPDX-License-Identifier: MIT */
/*
 * SetCooperativeLevel: which flags go together, the errors, and what the caller has to do. The rules know windows by identity
 * alone.
 */
#ifndef HALCYON_DDRAW_LEVEL_H
#define HALCYON_DDRAW_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

/* The level of a DirectDraw object. Begins zeroed. */
struct ddraw_level {
    bool is_set; /* CreateSurface may be called */
    bool is_exclusive;
    bool
        keeps_mode; /* a call of version 1 has succeeded: the mode outlives exclusive mode for good (test_coop_level_versions) */
    bool owns_window;   /* DDSCL_CREATEDEVICEWINDOW has made the device window */
    const void *focus;  /* DDSCL_SETFOCUSWINDOW; NULL: none */
    const void *window; /* of the level; NULL: none, or the window that the object owns */
};

struct ddraw_level_facts {
    unsigned version;   /* of the DirectDraw interface: 1, 2, 4 or 7 */
    DWORD flags;        /* DDSCL_* */
    const void *window; /* NULL: none */
    bool is_taken;      /* another DirectDraw object has the window exclusively */
    bool is_blocked;    /* another object is in exclusive mode */
};

/* Things that the caller does, in this order; also after an error. */
enum ddraw_level_actions {
    DDRAW_LEVEL_LEAVE = 1,          /* the window that covers the screen is put back */
    DDRAW_LEVEL_RESTORE_MODE = 2,   /* the mode from before exclusive mode, if the object has set another one */
    DDRAW_LEVEL_DESTROY_WINDOW = 4, /* the device window that the object owns */
    DDRAW_LEVEL_CREATE_WINDOW = 8,
    DDRAW_LEVEL_ENTER = 16,     /* the device window covers the screen */
    DDRAW_LEVEL_LOSE = 32,      /* surfaces in video memory are lost (test_flip) */
    DDRAW_LEVEL_SETUP_FPU = 64, /* single precision, no exceptions */
};

/* *actions: enum ddraw_level_actions. An error leaves the level as it was, except for a device window that was made for nothing. */
HRESULT ddraw_set_level(struct ddraw_level *level, const struct ddraw_level_facts *facts, unsigned *actions);

#endif
