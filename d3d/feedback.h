/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback through the driver interface: numbers that Direct3D does not define. docs/sampler-feedback.md
 * describes their use.
 *
 * A map is a texture (cube texture, volume texture) of a FOURCC format with the size and levels of the texture it is
 * paired with; its memory is private. The FOURCC names what the map keeps and how large its regions are:
 *
 *     'F', 'M' or 'U', log2 of the region's width, of its height    ('2' .. 'B': 4 .. 2048 texels)
 *
 * FM: the finest level asked for, per region of level 0. FU: for each region of each level, whether it was read.
 *
 * A map records while it is bound to a stage (the texture stage state below) or is paired with the texture that the
 * stage samples (the token SETFEEDBACK). A colour fill of any part clears it whole; a blit to a map of the same shape
 * copies it whole; a blit to a surface with one byte per texel decodes it (FM: 0xFF none; FU: 0xFF or 0), a blit from
 * such a surface encodes the map. Rectangles are in regions; FM ignores them.
 */
#ifndef HALCYON_D3D_FEEDBACK_H
#define HALCYON_D3D_FEEDBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "d3d/states.h"

/*
 * For Direct3D 8 and 9: the render state D3DRS_POINTSIZE takes a command for a sampler, and keeps its value. BIND,
 * BIND_REQUESTS and BIND_WRITES bind the map that is set as the sampler's texture to the sampler (no texture: unbind
 * the map), in the mode of their name. The others apply to the map bound to the sampler: CLEAR, DECODE into the texture
 * set on the sampler, ENCODE from it, faces, slices and levels one to one (FM: level 0). QUEUE also decodes the current
 * state of the map, but later, when the previous draws are finished: only a lock of the texture waits for them, and a
 * lock with D3DLOCK_DONOTWAIT only polls.
 */
enum ddi_feedback_command {
    DDI_FEEDBACK_BIND = 'B',
    DDI_FEEDBACK_BIND_REQUESTS = 'R',
    DDI_FEEDBACK_BIND_WRITES = 'W',
    DDI_FEEDBACK_CLEAR = 'C',
    DDI_FEEDBACK_DECODE = 'D',
    DDI_FEEDBACK_QUEUE = 'Q',
    DDI_FEEDBACK_ENCODE = 'E',
};

/* The letter of a sampler: 0..15 of pixel shaders and stages are '0'..'9', 'a'..'f', 16..19, of vertex shaders,
 * 'v'..'y'. As a float, each command is a number that no program would use as a point size. */
static inline char ddi_feedback_sampler(unsigned sampler)
{
    return (char)(sampler < 10 ? '0' + sampler : sampler < 16 ? 'a' + sampler - 10 : 'v' + sampler - 16);
}

/* False: no such sampler. */
static inline bool ddi_feedback_parse_sampler(unsigned letter, unsigned *sampler)
{
    for (unsigned i = 0; i < 20; i++)
        if (letter == (unsigned char)ddi_feedback_sampler(i)) {
            *sampler = i;
            return true;
        }
    return false;
}

#define DDI_FEEDBACK_COMMAND(command, sampler) \
    ((uint32_t)'S' | (uint32_t)'F' << 8 | (uint32_t)(command) << 16 | (uint32_t)ddi_feedback_sampler(sampler) << 24)
/* The value of D3D_TSS_FEEDBACKCLAMP that clamps a sampler to a whole level, 0..15. */
#define DDI_FEEDBACK_CLAMP(level, sampler)                                              \
    ((uint32_t)'S' | (uint32_t)'M' << 8 | (uint32_t)ddi_feedback_sampler(level) << 16 | \
     (uint32_t)ddi_feedback_sampler(sampler) << 24)

#define DDI_FEEDBACK_MIN_LOG2 2u
#define DDI_FEEDBACK_MAX_LOG2 11u

/* An entry of the token SETFEEDBACK: surface handles. map 0: the texture has no map. */
struct ddi_set_feedback {
    uint32_t texture;
    uint32_t map;
};

/*
 * Texture stage states of d3d/states.def. D3D_TSS_FEEDBACK: surface handle of the map bound to the stage, 0: none.
 * D3D_TSS_FEEDBACKMODE: enum ddi_feedback_mode, the accesses that the sampler's map records. D3D_TSS_FEEDBACKCLAMP: a
 * float, the finest level of requests and writes (0: all), as the clamp of WriteSamplerFeedback.
 */
enum ddi_feedback_mode {
    DDI_FEEDBACK_READS,    /* reads of the texture, which has the map's size and levels */
    DDI_FEEDBACK_REQUESTS, /* what would be read of all the map's levels: the texture may lack the finest ones, and neither
                              D3DTSS_MAXMIPLEVEL nor SetLOD holds any back */
    DDI_FEEDBACK_WRITES, /* the same, but no texture is read: the sampler returns (0, 0, 0, 1) */
};

static inline char ddi_feedback_digit(unsigned log2)
{
    return (char)(log2 < 10 ? '0' + log2 : 'A' + log2 - 10);
}

static inline uint32_t ddi_feedback_format(bool min_mip, unsigned log2_width, unsigned log2_height)
{
    return (uint32_t)'F' | (uint32_t)(min_mip ? 'M' : 'U') << 8 | (uint32_t)ddi_feedback_digit(log2_width) << 16 |
           (uint32_t)ddi_feedback_digit(log2_height) << 24;
}

/* False: not the FOURCC of a map. */
static inline bool ddi_feedback_parse(uint32_t fourcc, bool *min_mip, unsigned *log2_width, unsigned *log2_height)
{
    *min_mip = (fourcc >> 8 & 255) == 'M';
    for (unsigned w = DDI_FEEDBACK_MIN_LOG2; w <= DDI_FEEDBACK_MAX_LOG2; w++)
        for (unsigned h = DDI_FEEDBACK_MIN_LOG2; h <= DDI_FEEDBACK_MAX_LOG2; h++)
            if (fourcc == ddi_feedback_format(*min_mip, w, h)) {
                *log2_width = w;
                *log2_height = h;
                return true;
            }
    return false;
}

/* The side, in texels, of the texture into which a map can be decoded without loss; the map has a side of `size`
 * texels, regions of 2^log2 texels, and `levels` levels. The levels of the texture round down while the regions of a
 * level round up. A power of two always suffices; this function returns the smallest size. */
static inline unsigned ddi_feedback_decoded_side(unsigned size, unsigned log2, unsigned levels)
{
    unsigned side = 1;

    for (unsigned l = 0; l < levels && l < 16; l++) {
        const unsigned texels = size >> l ? size >> l : 1, regions = ((texels - 1) >> log2) + 1;

        /* each level has room for at least one texel */
        if (regions > 1 && side < regions << l)
            side = regions << l;
    }
    return side;
}

#endif
