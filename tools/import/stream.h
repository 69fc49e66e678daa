/* SPDX-License-Identifier: MIT */
/*
 * The stream from dp2 import to the player, and its answers. The translator has checked a trace by then: objects are numbers of the
 * right class, memory behind pointers is as long as the method reads. The player checks numbers and lengths once more, since a
 * mistake there would be one in a process that a stranger's file drives.
 *
 * A record is a struct stream_record and its body, whose structures are multiples of 8 bytes. Both programs run on one machine: numbers
 * have its order. Answers are lines of text:
 *
 *   ready                                the player can start
 *   call N CLASS SLOT EXPECTED RESULT    call N of the trace has another result than there (hexadecimal)
 *   bad N FUNCTION CLASS SLOT WHY        call N could not be made
 *   done CALLS                           all records were played, that many calls among them
 */
#ifndef HALCYON_TOOLS_IMPORT_STREAM_H
#define HALCYON_TOOLS_IMPORT_STREAM_H

#include <stdint.h>

#define STREAM_ARGUMENTS 12                    /* of a call, without `this` */
#define STREAM_RECORD    ((uint32_t)1 << 30)   /* most bytes of a body */
#define STREAM_OBJECTS   ((uint32_t)1 << 24)   /* numbers of objects, from 1 */
#define STREAM_WINDOWS   1024                  /* numbers of windows, from 1 */
#define STREAM_SCRATCH   ((uint32_t)512 << 10) /* bytes for what a method answers through a pointer */

enum stream_kind {
    STREAM_WINDOW = 1, /* struct stream_window */
    STREAM_CALL,       /* struct stream_call, then its arguments */
    STREAM_WRITE,      /* struct stream_write, then the bytes */
    STREAM_END,
};

struct stream_record {
    uint32_t kind, size; /* enum stream_kind; bytes of the body */
};

/* A window exists from here on, with a client area of this size. */
struct stream_window {
    uint32_t number, width, height, zero;
};

enum stream_function {
    STREAM_METHOD, /* of an object */
    STREAM_CREATE8,
    STREAM_CREATE9,
    STREAM_CREATE9EX,
    STREAM_BEGIN_EVENT, /* D3DPERF_* */
    STREAM_END_EVENT,
    STREAM_SET_MARKER,
    STREAM_MEMORY, /* in answers: the tracer's memcpy */
};

enum {
    STREAM_COMPARE = 1, /* the result is an HRESULT: `expected` */
    STREAM_RELEASE = 2, /* the method is Release */
    STREAM_ADDREF = 4,
    STREAM_UNLOCK = 8, /* ends the lock `key` */
    STREAM_FLOAT = 16, /* the first argument is a float */
    STREAM_PRESENT = 32,
};

struct stream_call {
    uint64_t number; /* of the trace */
    uint32_t function, object, class, slot, flags, expected, key, count;
};

enum stream_argument_kind {
    STREAM_NUMBER, /* value */
    STREAM_NULL,
    STREAM_BYTES,         /* pointer to the bytes that follow */
    STREAM_PARAMETERS,    /* the same, with the handle of window `number` at byte `value` */
    STREAM_OBJECT,        /* object `number` */
    STREAM_RESULT,        /* pointer to where object `number`, of class `value`, is stored; 0: it is released at once */
    STREAM_WINDOW_HANDLE, /* of window `number` */
    STREAM_ANSWER,        /* pointer to STREAM_SCRATCH bytes */
    STREAM_LOCK,          /* pointer to a lock's answer; struct stream_lock follows */
    STREAM_HANDLE,        /* that of object `number`: a shader or state block of Direct3D 8 */
    STREAM_NEW_HANDLE,    /* pointer to where handle `number` is stored */
};

struct stream_argument {
    uint32_t kind, number;
    uint64_t value;
    uint32_t size, zero; /* bytes that follow, and as many as make them a multiple of 8 */
};

enum stream_lock_kind { STREAM_LOCK_BUFFER, STREAM_LOCK_RECT, STREAM_LOCK_BOX };

/* A part of a resource that a call locks. `key` tells apart the parts of an object; level: of a texture. */
struct stream_lock {
    uint32_t kind, key, level, whole; /* whole: there is no rectangle or box */
    uint32_t left, top, right, bottom, front, back;
    uint32_t offset, size; /* of a buffer */
};

/* Bytes that the program wrote into a locked part, as they lay in its memory. */
struct stream_write {
    uint64_t number; /* of the trace */
    uint32_t object, key;
    uint64_t offset;       /* of the first byte from the beginning of the part */
    uint32_t pitch, slice; /* of the memory they lay in; 0: a buffer's */
};

#endif
