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

/* The number of the palette that indices of a surface are seen through: its own, or, in a flip chain, that of the primary surface;
 * 0: none, so they are seen as greys. */
uint32_t player_shown_palette(const struct player *player, const struct player_surface *surface);
/* The 256 entries of a palette, and its flags (DDRAWIPAL_*); NULL: there is none with this number. */
const PALETTEENTRY *player_palette_entries(const struct player *player, uint32_t number, uint32_t *flags);
/* The least number of a palette above this one; 0: there is none. */
uint32_t player_next_palette(const struct player *player, uint32_t number);

/* Bytes of a texel whose first byte is an index; 0: another format. */
unsigned player_index_bytes(const DDPIXELFORMAT *format);
/* 0xffRRGGBB of each index of a surface: by its palette, or, in a flip chain, by that of the primary surface; greys if
 * there is none. */
void player_colors(const struct player *player, const struct player_surface *surface, uint32_t colors[256]);

#endif
