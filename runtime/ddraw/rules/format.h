/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats as DirectDraw describes them: masks and FOURCCs to D3DFORMAT and back, the formats of display modes, and
 * the pitches of surfaces. The masks are those of the column `legacy` of d3d/formats.def, whose numbers (enum d3d_format)
 * name formats here.
 */
#ifndef HALCYON_DDRAW_FORMAT_H
#define HALCYON_DDRAW_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/types.h"

/* The format that has exactly these masks, or this FOURCC; D3D_FORMAT_UNKNOWN: DirectX 7 has none. dwSize is ignored, as
 * native runtimes do (Wine's test_ck_operation leaves it 0). */
uint32_t ddraw_format_of(const DDPIXELFORMAT *pixels);
/* The description of a format. False, and a description without flags: DirectX 7 cannot describe it. */
bool ddraw_format_describe(uint32_t format, DDPIXELFORMAT *pixels);

/* DDSD_ZBUFFERBITDEPTH of versions 1 and 2: the format of a depth buffer of 16, 24 or 32 bits, and the description that
 * GetSurfaceDesc answers for it, whose mask has as many bits (Wine's zbufferbitdepth_test). D3D_FORMAT_UNKNOWN: no buffer
 * has this depth. */
uint32_t ddraw_format_of_depth(unsigned bits, DDPIXELFORMAT *pixels);

/* The format of display modes of 8, 16, 24 or 32 bits per pixel: P8, R5G6B5, R8G8B8, X8R8G8B8. Else D3D_FORMAT_UNKNOWN. */
uint32_t ddraw_format_of_mode(unsigned bits);
/* Bits of a pixel; 0: blocks, pairs and planes, which have no pixels of their own, and unknown formats. */
unsigned ddraw_format_bits(uint32_t format);
bool ddraw_format_is_depth(uint32_t format);
/* DXT1 to DXT5: described by DDSD_LINEARSIZE; textures of them have whole blocks. */
bool ddraw_format_is_blocks(uint32_t format);
/* A FOURCC: blocks, pairs or planes. */
bool ddraw_format_is_code(uint32_t format);
bool ddraw_format_is_palette(uint32_t format);
/* YV12 and NV12: rows of luma, and then the chroma (d3d/planes.h). */
bool ddraw_format_is_planar(uint32_t format);
/* Texels that share a block: 4x4 for DXTn, 2x1 for pairs, 2x2 for planes, else 1x1. */
SIZE ddraw_format_block(uint32_t format);
/* Bytes of a block; of planes, those of their luma. */
unsigned ddraw_format_block_bytes(uint32_t format);

/* Bytes of a row of `width` texels, or of their blocks, without padding; 0: unknown format. Any width is good. */
uint64_t ddraw_row_bytes(uint32_t format, unsigned width);
/* Pitches in memory of DirectDraw's own are multiples of this: of 8 bytes, in system memory of processes with 8-byte pointers of 4
 * (Wine's test_create_surface_pitch). pointer: bytes of a pointer of the process. */
unsigned ddraw_row_alignment(bool system_memory, unsigned pointer);
/* The distance of rows in such memory, in bytes. */
uint64_t ddraw_pitch(uint32_t format, unsigned width, bool system_memory, unsigned pointer);
/* dwLinearSize of blocks, in bytes; of other formats rows without padding. */
uint64_t ddraw_linear_size(uint32_t format, unsigned width, unsigned height);

#endif
