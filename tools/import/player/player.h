/* SPDX-License-Identifier: MIT */
/*
 * The player: performs the calls of the stream (tools/import/stream.h) on the d3d8.dll and d3d9.dll next to it. Its numbers come from the
 * translator, which has checked the trace; they are checked here once more.
 */
#ifndef HALCYON_TOOLS_IMPORT_PLAYER_H
#define HALCYON_TOOLS_IMPORT_PLAYER_H

#include "tools/import/classes.h"
#include "tools/import/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COBJMACROS
#include <windows.h>

#include <unknwn.h>

/* An object, or a handle of Direct3D 8. */
struct player_object {
    IUnknown *iface; /* NULL: a handle, or nothing */
    enum import_class class;
    uint32_t references; /* that the program has */
    DWORD handle;
    bool has_handle;
};

/* A locked part of a resource. */
struct player_lock {
    uint32_t object, key;
    uint8_t *bits;
    int64_t pitch, slice;       /* bytes from row to row, from slice to slice */
    uint64_t row, rows, slices; /* bytes of a row; rows of blocks */
    bool is_linear;             /* no rows, or such as lie in the same way when recorded and played: `linear` bytes */
    uint64_t linear;
    IUnknown *iface; /* a reference, for as long as the memory is in use */
};

struct player {
    struct player_object *objects; /* by number */
    size_t capacity;
    struct player_lock *locks;
    size_t lock_count, lock_capacity;
    HWND windows[STREAM_WINDOWS + 1];
    HMODULE libraries[2]; /* d3d8.dll, d3d9.dll */
    uint64_t calls;
    uint8_t scratch[STREAM_SCRATCH];
};

/* A line of text to dp2. */
void player_answer(const char *format, ...) __attribute__((format(gnu_printf, 1, 2)));
/* Memory of the trace was not written. */
void player_bad(uint64_t number, const char *why);

/* Room for an object of this number. NULL: the number is wrong, or memory ran out. */
struct player_object *player_object(struct player *player, uint32_t number);
/* The object of a number and class. NULL: there is none. */
struct player_object *player_object_of(struct player *player, uint32_t number, enum import_class class);
/* A new reference that a call has returned, for number `number`; 0: it is given back. False: it is not of the class. */
bool player_object_take(struct player *player, uint32_t number, enum import_class class, IUnknown *iface);
/* One reference less. */
void player_object_drop(struct player *player, uint32_t number);

void player_call(struct player *player, const void *body, size_t size);

/* Where a call stores what a lock answers. */
union player_lock_answer {
    struct {
        INT pitch;
        void *bits;
    } rect;
    struct {
        INT row_pitch, slice_pitch;
        void *bits;
    } box;
    void *buffer;
};
/* The part has been locked. False: its layout is unknown. */
bool player_lock_add(struct player *player, struct player_object *object, uint32_t number,
                     const struct stream_lock *lock, const union player_lock_answer *answer);
void player_lock_remove(struct player *player, uint32_t object, uint32_t key);
void player_write(struct player *player, const void *body, size_t size);

/* The size of a level of a resource: what its description says. */
struct player_size {
    uint32_t format, width, height, depth;
    uint32_t bytes; /* of a buffer */
};
bool player_size8(IUnknown *iface, enum import_class class, uint32_t level, struct player_size *size);
bool player_size9(IUnknown *iface, enum import_class class, uint32_t level, struct player_size *size);

/* Makes the window, or changes its size. */
void player_window(struct player *player, const struct stream_window *window);
/* Answers the messages of windows. */
void player_messages(void);

#endif
