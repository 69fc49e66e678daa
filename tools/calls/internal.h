/* SPDX-License-Identifier: MIT */
/* Between the files of this folder: the table of functions, and names of handles. */
#ifndef HALCYON_TOOLS_CALLS_INTERNAL_H
#define HALCYON_TOOLS_CALLS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3d/umd.h"

/* Kinds of fields: a letter of dp2/tokens.h for 1 to 64 bytes of plain data, or one of these. */
enum {
    CALLS_HANDLE = '*', /* HANDLE */
    CALLS_PLACE = '[',  /* HANDLE; the UINT at `more` is the index of a sub-resource */
    CALLS_NEW = '!',    /* HANDLE that the call has made; `text`: what of */
    CALLS_BLOCK = '%',  /* HANDLE of a state block: made by the operation at `more`, or in use */
    CALLS_GONE = '~',   /* HANDLE that the call has destroyed */
    CALLS_BITS = '|',   /* UINT; `text`: its bits as in D3DDDI_*_BITS */
    CALLS_WORDS = '=',  /* UINT; `text`: names of its values from 0 on, separated by '|' */
    CALLS_TOKEN = 'o',  /* UINT: the number of a token */
    CALLS_BYTES = '#',  /* pointer to as many bytes as the UINT at `more` says: their number is printed */
    CALLS_OF = '>',     /* pointer to a structure of `fields`, which are printed in its place */
    CALLS_LIST =
        '&', /* pointer to as many elements as the UINT at `more` says: of `fields`, or of the letter `element` */
    CALLS_INFO = '?', /* UINT, the number of a private call; the pointer behind it is to its structure */
};

struct calls_field {
    const char *name; /* NULL: the end */
    unsigned offset;
    char kind, element;
    bool of_first; /* `more` is in the structure of the first argument */
    unsigned more;
    unsigned size;          /* bytes of an element */
    unsigned when_at, when; /* unless 0: only if the UINT at when_at has one of these bits */
    const char *text;
    const struct calls_field *fields;
};

/* Arguments are in slots of the size of pointers. */
#define CALLS_SLOT(n) ((unsigned)((n) * sizeof(uintptr_t)))

enum calls_row {
#define FUNCTION(number, Name, NAME, HOW, through, parameters) CALLS_##Name = (number),
#include "d3d/umd_functions.def"
    CALLS_CreateDevice
};

/* Fields of the arguments by enum calls_row; NULL: the bridge does not call the function. */
extern const struct calls_field *const calls_arguments[CALLS_CreateDevice + 1];

/* Private calls of pfnGetInfo (d3d/umd_private.h). */
struct calls_info {
    UINT id;
    const char *name; /* NULL: the end */
    UINT size;
    const struct calls_field *fields;
};
extern const struct calls_info calls_infos[];

/* names.c. A handle gets the next name of its kind, "resource 1". Without memory it has none. */
void calls_name(HANDLE handle, const char *kind);
void calls_forget(HANDLE handle);
void calls_forget_all(void);
/* "resource 1", "NULL", or the handle's bits if it has no name. */
#define CALLS_NAME 64
const char *calls_name_of(HANDLE handle, char text[CALLS_NAME]);

#endif
