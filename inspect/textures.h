/* SPDX-License-Identifier: MIT */
/* All surfaces: textures with their levels and faces, targets, depth buffers; their contents and the actions that
 * use them. */
#ifndef HALCYON_INSPECT_TEXTURES_H
#define HALCYON_INSPECT_TEXTURES_H

#include "inspect/inspect.h"
#include "raster/format/format.h"

#include <stdio.h>

#define INSPECT_MAX_LEVELS 16
#define INSPECT_MAX_FACES  6

/* How an action uses a surface: bits. */
enum inspect_use {
    INSPECT_USE_TEXTURE = 1,
    INSPECT_USE_TARGET = 2,
    INSPECT_USE_DEPTH = 4,
    INSPECT_USE_SOURCE = 8,       /* of a Blt; a fill has none */
    INSPECT_USE_DESTINATION = 16, /* of a Blt */
    INSPECT_USE_FLIPPED = 32,     /* a flip names it */
};
#define INSPECT_USES 6

struct inspect_texture_use {
    uint32_t draw; /* action of the loaded frame */
    uint32_t how;  /* bits of enum inspect_use */
};

struct inspect_texture {
    uint32_t surface, handle; /* of the first level of the first face; its handle in streams, 0: none */
    bool is_texture, is_cube, is_volume, is_target, is_depth, is_system;
    uint32_t d3d_format;           /* D3DFORMAT or FOURCC; 0: unknown */
    enum raster_format layout;     /* RASTER_FORMAT_NONE: its texels cannot be shown */
    unsigned width, height, depth; /* of the first level, texels; depth 1: not a volume */
    unsigned levels, faces;
    uint64_t bytes;   /* of all parts, in memory */
    uint32_t palette; /* that its indices are seen through at the end of the frame, as on the screen; 0: none */
    uint32_t part[INSPECT_MAX_FACES * INSPECT_MAX_LEVELS]; /* surfaces: [face * levels + level] */
    struct inspect_texture_use *uses;                      /* by ascending draw */
    size_t use_count, use_capacity;
};

struct inspect_textures {
    struct inspect_texture *list; /* by ascending surface */
    size_t count, capacity;
};

/* Plays the loaded frame, and lists the surfaces that exist at its end, except for buffers. Must be freed in any
 * case. Returns false on failure, see the error. */
bool inspect_textures(struct inspect *session, struct inspect_textures *textures, struct capture_error *error);
void inspect_textures_free(struct inspect_textures *textures);

/* One slice of a level of a face, at the position. */
struct inspect_level {
    unsigned width, height, slices;
    uint32_t *
        pixels; /* 0xAARRGGBB, to be freed; depth as grey, and so are indices that no palette is attached to; NULL: no picture */
    uint8_t *rows;      /* the texels as they are, rows of blocks without gaps, slice after slice; to be freed */
    size_t row_bytes;   /* of a row of blocks */
    unsigned row_count; /* of a slice */
};
/* Returns false if there is no such part, or out of memory, see the error. */
bool inspect_texture_level(struct inspect *session, const struct inspect_texture *texture, unsigned face,
                           unsigned level, unsigned slice, struct inspect_level *out, struct capture_error *error);
void inspect_level_free(struct inspect_level *level);

/* Writes all levels, faces and slices as they are, as a DirectDraw surface (DDS, as DirectX 9 writes it: FOURCC, or
 * a D3DFORMAT in its place, unless masks describe the format). Returns false if a level cannot be read, see the
 * error; the caller checks the file for errors. */
bool inspect_texture_dds(struct inspect *session, const struct inspect_texture *texture, FILE *file,
                         struct capture_error *error);

#endif
