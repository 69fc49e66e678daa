/* SPDX-License-Identifier: MIT */
/* Functions that add values to a state, shared by the files that collect them. */
#ifndef HALCYON_INSPECT_STATE_VALUES_H
#define HALCYON_INSPECT_STATE_VALUES_H

#include "dp2/names.h"
#include "hal/inspect.h"
#include "inspect/state/state.h"

/* The next value of a group; NULL: out of memory, which the state records. */
struct inspect_value *inspect_add_value(struct inspect_state *state, const char *group, const char *name);
void inspect_value_text(struct inspect_state *state, struct inspect_value *value, const char *format, ...)
    __attribute__((format(gnu_printf, 3, 4)));
/* Numbers of 32 bits each. The default is that all bits are those of `initial` (NULL: zeros). */
void inspect_add_floats(struct inspect_state *state, const char *group, const char *name, const void *floats,
                        unsigned count, const void *initial);
void inspect_add_ints(struct inspect_state *state, const char *group, const char *name, const void *ints,
                      unsigned count, const void *initial);
void inspect_add_number(struct inspect_state *state, const char *group, const char *name, uint32_t number,
                        uint32_t initial);
/* "#12 256x256 A8R8G8B8"; none: "-". */
void inspect_add_surface(struct inspect_state *state, const char *group, const char *name, uint32_t handle,
                         const struct hal_resource *surface);

/* shaders.c: streams, declarations, shaders and their constants. */
void inspect_add_shaders(struct inspect_state *state, const struct hal_inspect_state *set);

struct inspect;

/* surfaces.c: surfaces of DirectDraw with their flip chains, keys and palettes, and all palettes. */
void inspect_add_surfaces(struct inspect_state *state, const struct inspect *session);

#endif
