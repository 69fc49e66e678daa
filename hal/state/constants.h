/* SPDX-License-Identifier: MIT */
/* Banks of constants that tokens write and shaders read (constants.c). */
#ifndef HALCYON_HAL_STATE_CONSTANTS_H
#define HALCYON_HAL_STATE_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

struct hal_constants;
struct hal_state;

/* Creates zeroed banks with `floats` float vectors. False: out of memory. */
bool hal_constants_create(struct hal_constants *constants, uint32_t floats);
void hal_constants_destroy(struct hal_constants *constants);

/* The destination of a constants token. */
struct hal_register_bank {
    uint8_t *registers;
    uint32_t count; /* registers that have memory; the others, up to limit, are 0 */
    uint32_t limit;
    uint32_t bytes; /* of a register */
    uint32_t dirty; /* enum hal_dirty */
};
struct hal_register_bank hal_register_bank(struct hal_state *state, uint8_t token);

/* Copies registers first .. first + count - 1, which are within the bank's limit. */
void hal_register_values(const struct hal_register_bank *bank, uint32_t first, uint32_t count, uint8_t *values);

#endif
