/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback through the driver interface: numbers that no Direct3D knows. docs/sampler-feedback.md tells how
 * to use them.
 *
 * A map is a texture (or cube texture) of a FOURCC format with the size and levels of the texture it is paired with;
 * its memory is private. The FOURCC names what the map keeps and how large its regions are:
 *
 *     'F', 'M' or 'U', log2 of the region's width, of its height    ('2' .. 'B': 4 .. 2048 texels)
 *
 * FM: the finest level asked for, per region of level 0. FU: for each region of each level, whether it was read.
 *
 * It records while it stands beside a stage (the texture stage state below) or is paired with the texture that the
 * stage samples (the token SETFEEDBACK). A colour fill of any part clears it whole; a blit to a map of the same shape
 * copies it whole; a blit to a surface of one byte a texel decodes it (FM: 0xFF none; FU: 0xFF or 0), one from such a
 * surface encodes. Rectangles count regions; they mean nothing for FM.
 */
#ifndef HALCYON_DDI_FEEDBACK_H
#define HALCYON_DDI_FEEDBACK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * From Direct3D 8 and 9: the render state D3DRS_POINTSIZE takes a command for a stage, and keeps its own value. BIND
 * puts the map that is set as the stage's texture beside the stage (no texture: takes away what is there); the
 * others mean the map beside the stage: CLEAR, DECODE into the texture set on the stage, ENCODE from it, faces and levels
 * one to one (FM: level 0).
 */
enum ddi_feedback_command { DDI_FEEDBACK_BIND = 'B', DDI_FEEDBACK_CLEAR = 'C', DDI_FEEDBACK_DECODE = 'D',
                            DDI_FEEDBACK_ENCODE = 'E' };
#define DDI_FEEDBACK_COMMAND(command, stage) ((uint32_t)'S' | (uint32_t)'F' << 8 | (uint32_t)(command) << 16 | \
                                              (uint32_t)('0' + (stage)) << 24)

#define DDI_FEEDBACK_MIN_LOG2 2u
#define DDI_FEEDBACK_MAX_LOG2 11u

/* Texture stage state: surface handle of the map beside the stage, 0: none. */
#define DDI_TSS_FEEDBACK 33u

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

#endif
