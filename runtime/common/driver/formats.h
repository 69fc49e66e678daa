/* SPDX-License-Identifier: MIT */
/*
 * Tells what the API layer must know about a D3DFORMAT: its memory layout and its role. What the
 * driver can do with a format comes from the driver (link.h), not from here.
 */
#ifndef HALCYON_RUNTIME_FORMATS_H
#define HALCYON_RUNTIME_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rt_format_flags {
    RT_FORMAT_DEPTH = 1,
    RT_FORMAT_STENCIL = 2,
    RT_FORMAT_PALETTE = 4,
    RT_FORMAT_BLOCKS = 8,    /* sizes must be whole blocks (DXTn) */
    RT_FORMAT_LOCKABLE = 16, /* a depth format that may be locked */
    RT_FORMAT_ALPHA = 32,
    RT_FORMAT_VENDOR = 64,       /* blocks that the original runtime does not know: it counts rows of texels, and
                                  * allows any lock */
    RT_FORMAT_BYTE_TEXELS = 128, /* ... and counts a byte for a texel */
    RT_FORMAT_ONLY_8 = 256,
    RT_FORMAT_UNOFFERED_9 = 512,        /* version 9 can create surfaces of it, but does not offer it (d3d/formats.h) */
    RT_FORMAT_UNOFFERED_TEXTURE = 1024, /* the API has no textures of this format */
    /* Blits convert colours from this format, or to it, whatever the other format is. */
    RT_FORMAT_COLORS_FROM = 2048,
    RT_FORMAT_COLORS_TO = 4096,
    RT_FORMAT_PLANAR = 8192, /* d3d/planes.h; a block is what shares chroma, and its bytes are luma of one row */
};

struct rt_format {
    uint32_t format;
    uint8_t block_bytes;
    uint8_t block_width, block_height; /* texels */
    uint8_t level;                     /* version of DirectX that introduced it */
    uint16_t flags;
};

/* NULL: the runtime does not know the format. */
const struct rt_format *rt_format_info(uint32_t format);
/* NULL as well if the header of DirectX `level` does not have the number. Codes of four letters are between program and driver,
 * whatever the level. */
const struct rt_format *rt_format_of(unsigned level, uint32_t format);
bool rt_format_is_depth(uint32_t format);

/* Bytes of a row of blocks, a multiple of 4, and the number of such rows, including those of chroma. Any width and height is
 * good, in 64 bits. */
uint64_t rt_format_pitch(const struct rt_format *format, unsigned width);
uint64_t rt_format_rows(const struct rt_format *format, unsigned height);
/* Rows that lie between one level and the next in memory, rt_format_lock_pitch bytes each. */
uint64_t rt_format_memory_rows(const struct rt_format *format, unsigned height);
/* The pitch that programs get when they lock memory of the runtime's: rt_format_pitch, except for
 * RT_FORMAT_BYTE_TEXELS, where it is the width, or more if the blocks of a level would not fit into that many bytes
 * a row of texels. */
uint64_t rt_format_lock_pitch(const struct rt_format *format, unsigned width, unsigned height);

/* The display format whose layout `format` shares, ignoring alpha: A8R8G8B8 -> X8R8G8B8. */
uint32_t rt_format_without_alpha(uint32_t format);

/* Levels of a full mip chain. */
unsigned rt_full_chain(unsigned width, unsigned height, unsigned depth);

static inline unsigned rt_level_size(unsigned size, unsigned level)
{
    unsigned v = level < 32 ? size >> level : 0;
    return v ? v : 1;
}

#endif
