/* SPDX-License-Identifier: MIT */
/*
 * Random calls of Direct3D 9 and 9Ex (fuzz9.c): the objects of the current sequence, and random values for parameters.
 * Everything follows from the seed.
 */
#ifndef TESTS_RUNTIME_FUZZ9_H
#define TESTS_RUNTIME_FUZZ9_H

#include "tests/runtime/program9.h"

enum fuzz_kind {
    FUZZ_CHAIN,
    FUZZ_TEXTURE,
    FUZZ_CUBE,
    FUZZ_VOLUME_TEXTURE,
    FUZZ_SURFACE,
    FUZZ_VOLUME,
    FUZZ_VERTICES,
    FUZZ_INDICES,
    FUZZ_DECLARATION,
    FUZZ_VERTEX_SHADER,
    FUZZ_PIXEL_SHADER,
    FUZZ_BLOCK,
    FUZZ_QUERY,
    FUZZ_KINDS
};

#define FUZZ_ITEMS   10 /* of each kind */
#define FUZZ_DEVICES 2
#define FUZZ_WINDOWS 3
#define FUZZ_MEMORY  (4u << 20) /* bytes of fuzz_memory */

struct fuzz_device {
    IDirect3DDevice9Ex *iface; /* NULL: there is none. `ex`: the methods after CreateQuery may be called */
    IDirect3D9Ex *d3d;
    IDirect3DStateBlock9 *defaults; /* all states of the new device; NULL if there was no memory */
    bool ex;
};

extern struct fuzz_device fuzz_devices[FUZZ_DEVICES];
extern HWND fuzz_windows[FUZZ_WINDOWS];
/* Random bytes, and random floats and indices, for anything that a program passes in. */
extern uint8_t *fuzz_memory;

uint32_t rnd32(void);
/* 0..n - 1; 0 if n is 0. */
uint32_t rnd(uint32_t n);
/* Should this parameter be bad? */
bool evil(void);
/* Any DWORD, often one at an end of a range. */
DWORD odd_dword(void);
/* 0..n - 1, or anything. */
DWORD some(uint32_t n);
float some_float(void);
/* A pointer to `size` random bytes, or sometimes NULL. */
void *some_memory(size_t size);

/* An object of the kind, from any device; NULL if there is none, or if it should be NULL. */
void *fuzz_any(enum fuzz_kind kind);
/* The same, never NULL if there is any. */
void *fuzz_self(enum fuzz_kind kind);
/* Takes over the reference to a new object; another object of its kind is released if there is no room. NULL is
 * ignored. */
void fuzz_take(enum fuzz_kind kind, void *object);
void fuzz_drop(enum fuzz_kind kind);
/* A texture of any kind. */
IDirect3DBaseTexture9 *fuzz_any_texture(void);
HWND fuzz_any_window(void);

D3DPRESENT_PARAMETERS fuzz_params(void);
/* Releases everything, and resets the device correctly. */
void fuzz_reset(struct fuzz_device *device);

/* Random calls, by the object that they are made on: fuzz9_create.c, fuzz9_resource.c, fuzz9_device.c. */
typedef void (*fuzz_function)(struct fuzz_device *device);
struct fuzz_call {
    const char *name;
    unsigned weight;
    fuzz_function call;
};
extern const struct fuzz_call fuzz_creations[], fuzz_resources[], fuzz_states[], fuzz_draws[];
extern const unsigned fuzz_creation_count, fuzz_resource_count, fuzz_state_count, fuzz_draw_count;

#endif
