/* SPDX-License-Identifier: MIT */
/*
 * Colour keys of DirectDraw: a texel value that blits leave out, or replace, and that textures do not draw. They are in
 * the surface's LCL, which the runtime keeps; SetColorKey writes them there. Only single values, in the surface's
 * format; for palettized formats, an index. Source: DirectX 7 SDK, "Color Keying" and "Color Keying State".
 */
#ifndef HALCYON_HAL_RESOURCE_COLOR_KEY_H
#define HALCYON_HAL_RESOURCE_COLOR_KEY_H

#include "d3d/ddi.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "raster/format/format.h"

#include <stdbool.h>
#include <stdint.h>

struct hal_state;

/* Returns how the view of a texture is keyed, for the texture stages: enum stage_keyed. */
unsigned hal_key_kind(const struct hal_texture *texture);

/* The bits of a texel, from bit 0 of its first byte, that keys are compared with: colour, and alpha if the format has it. 0: the
 * format has no keys (blocks, shared chroma, more than 8 bits a channel, signed formats, depth). */
uint32_t hal_color_key_mask(enum raster_format format);

/* The surface's source key (DDCKEY_SRCBLT) and destination key (DDCKEY_DESTBLT). */
struct hal_color_key hal_source_key(const struct hal_surface *surface);
struct hal_color_key hal_destination_key(const struct hal_surface *surface);

/* May textures be keyed? COLORKEYENABLE is on; runtimes of DirectX 8 do not know it. */
bool hal_keys_textures(const struct hal_state *state);
/* The key of a texture as draws see it: that of its first surface. */
struct hal_color_key hal_texture_key(const struct hal_state *state, const struct hal_texture *texture);
/* Alpha of a decoded level: 0 where texels have the key, else 255; in formats with alpha of their own 1 to 255 for 0 to
 * 255, so that a transparent texel is not taken for a keyed one (enum stage_keyed undoes that). texels: width * height
 * * depth words, without gaps. */
void hal_color_key_cut(const struct hal_surface *part, const struct hal_color_key *key, uint32_t *texels);

/* A blit that skips source texels with the source key, and destination texels without the destination key. Stretches
 * with point sampling; converts between formats without a palette. DD_OK, DDERR_INVALIDRECT, DDERR_INVALIDPIXELFORMAT,
 * DDERR_NOCOLORKEYHW (formats without keys, multisampled surfaces), DDERR_OUTOFMEMORY. */
HRESULT hal_keyed_blt(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from,
                      const struct hal_color_key *source_key, const struct hal_color_key *destination_key);

#endif
