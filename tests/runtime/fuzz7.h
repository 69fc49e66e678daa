/* SPDX-License-Identifier: MIT */
/* Random calls of DirectDraw (fuzz7.c): the pool of objects and random values. Everything that one thread does follows from the seed. */
#ifndef TESTS_RUNTIME_FUZZ7_H
#define TESTS_RUNTIME_FUZZ7_H

#include <stdbool.h>
#include <stdint.h>

#define COBJMACROS
#include <windows.h>

#include <ddraw.h>

enum fuzz_kind { FUZZ_DDRAW, FUZZ_SURFACE, FUZZ_CLIPPER, FUZZ_PALETTE, FUZZ_GAMMA, FUZZ_FACTORY, FUZZ_KINDS };

/* An interface to which the program holds one reference. pointer NULL: none. */
struct fuzz_item {
    IUnknown *pointer;
    void **vtbl; /* kept, because that of a dead object must not be read */
    unsigned version;
};

#define FUZZ_WINDOWS 2
#define FUZZ_ARENA   (4u << 20) /* bytes that the program gives to surfaces as their memory */

extern HWND fuzz_windows[FUZZ_WINDOWS];
extern uint8_t *fuzz_arena;
/* Calls of this sequence are made by more than one thread. */
extern bool fuzz_is_threaded;
/* Calls of methods that succeeded, locks whose bytes were written and read again, and overlays that were shown. */
extern volatile LONG fuzz_successes, fuzz_writes, fuzz_overlays;
/* The exports, by their names; NULL: ddraw.dll does not have it. */
void *fuzz_export(const char *name);

/* Each thread has a sequence of its own. */
void fuzz_seed(uint64_t seed);
uint32_t rnd(uint32_t n); /* 0..n - 1 */
uint32_t rnd32(void);
bool one_in(uint32_t n);
/* Any DWORD, often one at an end of a range. */
DWORD odd_dword(void);

/* An item of the kind; its pointer is NULL if there is none. */
struct fuzz_item fuzz_pick(enum fuzz_kind kind);
/* Takes over the reference; an item is released if there is no room. NULL is ignored. */
void fuzz_take(enum fuzz_kind kind, void *pointer, unsigned version);
/* Releases an item of the kind. */
void fuzz_drop(enum fuzz_kind kind);
/* A pointer to anything but a living object: NULL, misaligned, dead, foreign, not mapped. */
void *fuzz_bad_object(void);

/* Notes a failure of the current sequence. */
void fuzz_wrong(const char *what, HRESULT hr);
void fuzz_begin_call(const char *name);

/* One random call of anything: fuzz7_calls.c. */
void fuzz_call(void);

#endif
