/* SPDX-License-Identifier: MIT */
/*
 * Readable names of states and of their values: used by the disassembler and the tools.
 * All functions return NULL for a number without a name.
 */
#ifndef HALCYON_DP2_NAMES_H
#define HALCYON_DP2_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of state values, by their letters in tables and texts: a column of d3d/states.def. */
enum dp2_state_kind {
    /* plain types */
    DP2_KIND_BOOL = 'b',
    DP2_KIND_FLOAT = 'f',
    DP2_KIND_COLOR = 'c',
    DP2_KIND_NUMBER = 'u', /* decimal */
    DP2_KIND_HEX = 'x',
    DP2_KIND_HANDLE = 'h',
    /* flags */
    DP2_KIND_TEXTURE_TRANSFORM = 'm',
    DP2_KIND_TEXTURE_COORDINATE = 'n',
    DP2_KIND_COLOR_WRITE = 'o',
    DP2_KIND_WRAP = 'p',
    /* enumerations; digits and further letters are those of fields (dp2/tokens.h) */
    DP2_KIND_ADDRESS = 'A',
    DP2_KIND_ARGUMENT = 'R',
    DP2_KIND_BLEND = 'B',
    DP2_KIND_BLENDOP = 'P',
    DP2_KIND_COMPARE = 'C',
    DP2_KIND_CULLMODE = 'U',
    DP2_KIND_DEGREE = '9',
    DP2_KIND_EDGESTYLE = 'E',
    DP2_KIND_FILLMODE = 'L',
    DP2_KIND_FILTER = 'F',
    DP2_KIND_FOGMODE = 'G',
    DP2_KIND_MATERIALSOURCE = 'M',
    DP2_KIND_SHADEMODE = 'D',
    DP2_KIND_STENCILOP = 'S',
    DP2_KIND_TEXTUREOP = 'O',
    DP2_KIND_VERTEXBLEND = 'V',
    DP2_KIND_ZENABLE = 'Z',
};

struct dp2_state_name {
    const char *name;
    char type; /* enum dp2_state_kind */
};

const struct dp2_state_name *dp2_render_state_name(uint32_t state);
const struct dp2_state_name *dp2_stage_state_name(uint32_t state);
/* The name of `value` in the enumeration `type`. */
const char *dp2_value_name(char type, uint32_t value);

/* The enumeration of a field letter (dp2/tokens.h); 0: none. */
char dp2_letter_enumeration(char letter);
/* The reverse: names of `length` characters to numbers. */
bool dp2_render_state_number(const char *name, size_t length, uint32_t *state);
bool dp2_stage_state_number(const char *name, size_t length, uint32_t *state);
bool dp2_value_number(char type, const char *name, size_t length, uint32_t *value);
/* D3DFORMAT: a name, or the four characters of a code; NULL if it is neither. */
const char *dp2_format_name(uint32_t format, char buffer[5]);
bool dp2_format_number(const char *name, size_t length, uint32_t *format);

/* Sets of flags (dp2/flags.c), by the letter of a field (dp2/tokens.h) or the type of a state. */
bool dp2_is_flag_set(char set);
/* Is the type of a state a flag set? (Upper case field letters are enumerations there.) */
bool dp2_is_flag_state(char type);
/* Flag number `index` of a set, from 0: the flag is set if (word & *mask) == *value. NULL: past the last. */
const char *dp2_flag_name(char set, unsigned index, uint32_t *value, uint32_t *mask);
bool dp2_flag_number(char set, const char *name, size_t length, uint32_t *value);

/* Room for the longest name of the two functions below. */
#define DP2_FVF_NAME 96
/* A flexible vertex format by its parts ("XYZ|DIFFUSE|TEX1"); NULL: a shader handle. */
const char *dp2_fvf_name(uint32_t fvf, char buffer[DP2_FVF_NAME]);
/* D3DCLEAR_* ("TARGET|ZBUFFER"), with unnamed bits in hexadecimal. */
const char *dp2_clear_flags_name(uint32_t flags, char buffer[DP2_FVF_NAME]);

const char *dp2_primitive_name(uint32_t type);

#endif
