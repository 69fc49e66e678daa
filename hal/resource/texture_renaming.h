/* SPDX-License-Identifier: MIT */
/* Texture renaming: a texture that is rewritten gets new memory while a pending scene reads the old memory
 * (docs/presentation.md, "A lock that discards"). */
#ifndef HALCYON_HAL_RESOURCE_TEXTURE_RENAMING_H
#define HALCYON_HAL_RESOURCE_TEXTURE_RENAMING_H

struct hal_surface;

/* The whole surface is about to be written: if possible, a pending scene that reads it keeps a copy, so that
 * hal_surface_acquire does not wait. The contents of the surface do not change. */
void hal_texture_rename(struct hal_surface *surface);

#endif
