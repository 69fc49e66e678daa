/* SPDX-License-Identifier: MIT */
/* Shader constant registers, for the files of the state layer; its callers use rt_set_constants and similar
 * functions (state.h). */
#ifndef HALCYON_RUNTIME_CONSTANTS_H
#define HALCYON_RUNTIME_CONSTANTS_H

#include "runtime/common/state/state.h"

/* Bytes of a register. */
unsigned rt_constant_bytes(enum rt_bank bank);
/* A bit for each register of the bank. */
uint32_t *rt_constant_mask(struct rt_state_mask *mask, enum rt_bank bank);
const uint32_t *rt_constant_mask_of(const struct rt_state_mask *mask, enum rt_bank bank);
/* Number of those bits: the registers of any device. */
unsigned rt_mask_limit(enum rt_bank bank);
/* Register `index`, which is below rt_constant_limit. */
const void *rt_constant(const struct rt_state *state, enum rt_bank bank, unsigned index);
/* Stores registers in a state, without a token. */
void rt_store_constants(struct rt_state *state, enum rt_bank bank, unsigned first, unsigned count, const void *values);
void rt_copy_constants(struct rt_state *to, const struct rt_state *from, enum rt_bank bank, unsigned first,
                       unsigned count);
/* rt_set_constants with the registers of a state. */
void rt_set_constants_from(struct rt_pipe *pipe, const struct rt_state *from, enum rt_bank bank, unsigned first,
                           unsigned count);

#endif
