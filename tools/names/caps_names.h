/* SPDX-License-Identifier: MIT */
/*
 * Names of capability bits.
 */
#ifndef HALCYON_TOOLS_NAMES_CAPS_NAMES_H
#define HALCYON_TOOLS_NAMES_CAPS_NAMES_H

/* The names of the 32 bits of a field of D3DCAPS8 or D3DCAPS9 ("RasterCaps"), lowest first, NULL for a bit without one. NULL:
 * the field is a number. */
const char *const *caps_bit_names(const char *field);

#endif
