/* SPDX-License-Identifier: MIT */
/* Palettes of a replay. */
#ifndef HALCYON_REPLAY_PALETTE_H
#define HALCYON_REPLAY_PALETTE_H

#include "d3d/ddi.h"
#include "replay/player.h"

#include <stdbool.h>
#include <stdint.h>

struct player;
struct player_surface;

void player_palettes_init(struct player *player);
/* New entries, which must lie inside; the driver's answer. False: out of memory, or too many palettes. */
bool player_change_palette(struct player *player, const struct capture_palette *head, struct player_refusal *answer);
void player_drop_palette(struct player *player, uint32_t number);
/* number 0 detaches the palette that the surface has. Returns the driver's answer, or DDERR_INVALIDOBJECT if no palette has the number. */
HRESULT player_set_palette(struct player *player, struct player_surface *surface, uint32_t number);
void player_free_palettes(struct player *player);

/* Bytes of a texel whose first byte is an index; 0: another format. */
unsigned player_index_bytes(const DDPIXELFORMAT *format);
/* 0xffRRGGBB of each index of a surface: by its palette, or, in a flip chain, by that of the primary surface; greys if
 * there is none. */
void player_colors(const struct player *player, const struct player_surface *surface, uint32_t colors[256]);

#endif
