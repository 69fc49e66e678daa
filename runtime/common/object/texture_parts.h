/* SPDX-License-Identifier: MIT */
/* Shared by texture.c, texture_dirty.c and texture_methods.c. */
#ifndef HALCYON_RUNTIME_TEXTURE_PARTS_H
#define HALCYON_RUNTIME_TEXTURE_PARTS_H

#include "runtime/common/object/texture.h"

/* All of level 0. */
D3DBOX rt_texture_box(const struct rt_texture *texture);
void rt_texture_all_dirty(struct rt_texture *texture);
/* Copies a box of level 0, and the part of each other level that it covers, from the texture's own memory to a
 * driver's chain; or all dirty boxes, which are then clean. */
void rt_texture_copy_box(struct rt_texture *source, struct rt_chain *destination, unsigned face, const D3DBOX *box);
void rt_texture_copy_dirty(struct rt_texture *source, struct rt_chain *destination);
/* Tokens about a texture that the driver has a copy of. */
void rt_texture_send_lod(struct rt_texture *texture);
void rt_texture_send_priority(struct rt_texture *texture);

#endif
