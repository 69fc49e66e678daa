/* SPDX-License-Identifier: MIT */
/*
 * Executable memory of each system. No mapping is ever writable and executable at the same time. Usually there are two
 * mappings of the same memory: one to write, one to run. A system that refuses that may still let single pages change
 * from writable to executable; then there is one mapping, and what is written must not share a page with code that may
 * be running.
 */
#ifndef HALCYON_JIT_SECTION_H
#define HALCYON_JIT_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jit_section_kind { JIT_TWO_VIEWS, JIT_ONE_VIEW };

/* Bytes at the beginning of a section that are its own: what Windows reads when it walks a stack. */
#define JIT_SECTION_HEAD 64

struct jit_section {
    enum jit_section_kind kind;
    size_t bytes;
    uint8_t *write;     /* JIT_ONE_VIEW: the same place as `run` */
    const uint8_t *run; /* a page's beginning */
    void *unwind;       /* Windows: the entry of its function table, else NULL */
};

/* bytes: a multiple of 64 KiB. False: the system refuses it, or the processor is not an x86-64. */
bool jit_section_open(struct jit_section *, size_t bytes, enum jit_section_kind);
void jit_section_close(struct jit_section *);

/* Places share no unit with each other: 64 bytes, or a page. */
size_t jit_section_unit(enum jit_section_kind);

/* Writes `count` bytes at an offset, a multiple of the unit, and makes them executable. The bytes from there to the next multiple of
 * the unit trap when they are executed. reused: the bytes held code before, which processors may have fetched,
 * although no thread runs it any more. False: the system refuses; nothing there may be executed. */
bool jit_section_write(struct jit_section *, size_t offset, const void *bytes, size_t count, bool reused);
/* The code there is never executed again. With two views it traps from now on. */
void jit_section_erase(struct jit_section *, size_t offset, size_t count);

#endif
