/* SPDX-License-Identifier: MIT */
/* Shared by the files of dp2 textures. */
#ifndef HALCYON_TOOLS_DEBUG_TEXTURES_SHEET_H
#define HALCYON_TOOLS_DEBUG_TEXTURES_SHEET_H

#include "inspect/textures.h"

/* A sheet of small pictures: the first level of the first face of each, above its number. Textures without a picture are left out.
 * False: no memory. */
bool textures_sheet(struct inspect *session, const struct inspect_textures *textures, struct player_picture *sheet);

#endif
