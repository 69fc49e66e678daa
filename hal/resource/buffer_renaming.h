/* SPDX-License-Identifier: MIT */
/* Buffer renaming: a texture that is written anew gets new memory while a scene that waits reads the old (docs/limits.md). */
#ifndef HALCYON_HAL_RESOURCE_BUFFER_RENAMING_H
#define HALCYON_HAL_RESOURCE_BUFFER_RENAMING_H

struct hal_surface;

/* All of it is going to be written: a scene that reads it and waits keeps a copy where that can be, and hal_surface_acquire
 * will not wait. What the surface held it still holds. */
void hal_surface_rename_buffer(struct hal_surface *surface);

#endif
