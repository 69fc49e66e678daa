/* SPDX-License-Identifier: MIT */
/* What the files of textures share: texture.c, texture_dirty.c, texture_methods.c. */
#ifndef HALCYON_RUNTIME_TEXTURE_PARTS_H
#define HALCYON_RUNTIME_TEXTURE_PARTS_H

#include "runtime/common/object/texture.h"

/* All of level 0. */
D3DBOX rt_texture_box(const struct rt_texture *texture);
void rt_texture_all_dirty(struct rt_texture *texture);
/* A box of level 0 and what it covers of the other levels, from the texture's own memory to a chain of the driver's; the dirty
 * ones, which are clean then. */
void rt_texture_copy_box(struct rt_texture *source, struct rt_chain *destination, unsigned face, const D3DBOX *box);
void rt_texture_copy_dirty(struct rt_texture *source, struct rt_chain *destination);
/* Tokens about a texture that the driver has a side of. */
void rt_texture_send_lod(struct rt_texture *texture);
void rt_texture_send_priority(struct rt_texture *texture);

#endif
