/* SPDX-License-Identifier: MIT */
/*
 * Writing through every pointer that the API hands out: all kinds of locks of all kinds of resources, in both versions of the API.
 * The page of a case is a row of cells; a capture of the program must replay to the same cells (tests/run, CAPTURED).
 */
#ifndef TESTS_RUNTIME_LOCKS_H
#define TESTS_RUNTIME_LOCKS_H

#include "tests/runtime/check.h"

#define LOCKS_CELL    16u
#define LOCKS_TEXELS  16u /* of pictures, each way; volumes have two slices */
#define LOCKS_CORNERS 4u

enum locks_kind {
    LOCKS_VERTICES,
    LOCKS_INDICES,
    LOCKS_TEXTURE,
    LOCKS_CUBE,
    LOCKS_VOLUME,
    LOCKS_PLAIN,
    LOCKS_TARGET,
    LOCKS_BACK, /* the back buffer: only what lies in the case's cells is written */
    LOCKS_KINDS,
};

/* As D3DPOOL, D3DUSAGE, D3DFORMAT and D3DLOCK have them, which both versions share. */
struct locks_case {
    enum locks_kind kind;
    DWORD pool, usage, format, flags;
    bool by_dc;        /* GetDC in place of Lock */
    bool drawn_locked; /* is drawn from while it is locked */
};

struct locks_vertex {
    float x, y, z;
    DWORD color;
};

struct locks_memory {
    uint8_t *bits;
    size_t pitch, slice_pitch; /* bytes; of pictures */
    HDC dc;
};

/* Draws cover the viewport, which is a cell. */
struct locks_api {
    /* NULL: the API has no such resource. */
    void *(*create)(const struct locks_case *c);
    void (*release)(const struct locks_case *c, void *object);
    /* False: refused. Pictures: level 0, of cubes face 1. */
    bool (*lock)(const struct locks_case *c, void *object, DWORD flags, struct locks_memory *memory);
    void (*unlock)(const struct locks_case *c, void *object, struct locks_memory *memory);
    void (*draw)(const struct locks_case *c, void *object, unsigned x, unsigned y);
    void (*clear)(uint32_t rgb);
    uint32_t *(*read)(void); /* as read_target */
    void (*show)(void);
};

/* Indices of buffers choose among these squares, each of one colour. */
#define LOCKS_SQUARES 5u
void locks_square(struct locks_vertex corners[LOCKS_CORNERS], unsigned color);

/* Runs all cases whose resources the API has. */
void locks_run(const struct locks_api *api);

#endif
