/* SPDX-License-Identifier: MIT */
/*
 * The drawing interface for the scenes of the catalogue: the common part of Direct3D 8, Direct3D 9 and the driver
 * interface. bench/canvas_stage.c implements it on the driver, bench/wine/canvas8.c and bench/wine/canvas9.c on the two
 * versions of Direct3D. So a scene is written once, and its work is the same wherever it is measured.
 *
 * States, formats, primitives and matrices have the numbers and the layout of Direct3D 8. Objects are named by small
 * numbers, in the order of their creation, beginning with 1; they live until the canvas is closed. Single calls do not
 * report failure: the canvas remembers a failure and reports it on request.
 */
#ifndef BENCH_CATALOGUE_CANVAS_H
#define BENCH_CATALOGUE_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CANVAS_MAX_OBJECTS 16

struct canvas;

/* `type`: D3DLIGHT_*. */
struct canvas_light {
    uint32_t type;
    float diffuse[3], place[3], direction[3];
    float range, attenuation[3];
};

/* A register of a vertex program: FLOAT1 to FLOAT4 (`floats`) of stream 0, packed in the order of the list; `usage`: D3DDECLUSAGE_*. */
struct canvas_input {
    uint8_t number, floats, usage;
};

/* Tokens of vs_1_1, with declarations of the inputs (which Direct3D 9 needs), and of ps_1_1; both end with an END
 * token. */
struct canvas_program {
    const uint32_t *vertex, *pixel;
    const struct canvas_input *inputs;
    unsigned input_count;
};

/* Writes a level of a square texture: rows of texels, or of blocks, `pitch` bytes apart. */
typedef void (*canvas_fill)(uint8_t *bits, size_t pitch, unsigned size);

struct canvas_calls {
    void (*clear)(struct canvas *canvas, uint32_t flags, uint32_t color);
    void (*state)(struct canvas *canvas, uint32_t state, uint32_t value);
    /* Includes filters and addresses, which are stage states in Direct3D 8. */
    void (*stage_state)(struct canvas *canvas, unsigned stage, uint32_t state, uint32_t value);
    void (*transform)(struct canvas *canvas, uint32_t which, const float matrix[16]);
    void (*light)(struct canvas *canvas, unsigned index, const struct canvas_light *light);
    void (*material)(struct canvas *canvas, const float diffuse[4], const float ambient[4]);

    unsigned (*create_texture)(struct canvas *canvas, uint32_t format, unsigned size, unsigned levels,
                               canvas_fill fill);
    /* NULL in place of data: a dynamic buffer. */
    unsigned (*create_vertices)(struct canvas *canvas, const void *data, unsigned bytes, uint32_t fvf);
    unsigned (*create_indices)(struct canvas *canvas, const uint16_t *indices, unsigned count);
    unsigned (*create_program)(struct canvas *canvas, const struct canvas_program *program);

    void (*use_texture)(struct canvas *canvas, unsigned stage, unsigned texture); /* 0: none */
    void (*use_format)(struct canvas *canvas, uint32_t fvf);                      /* and the fixed function */
    void (*use_program)(struct canvas *canvas, unsigned program);
    void (*use_vertices)(struct canvas *canvas, unsigned buffer, unsigned stride);
    void (*use_indices)(struct canvas *canvas, unsigned buffer);
    void (*constants)(struct canvas *canvas, bool pixel, unsigned first, const float (*values)[4], unsigned count);

    /* The whole of a dynamic buffer, whose contents are discarded; NULL on failure. */
    void *(*lock)(struct canvas *canvas, unsigned buffer);
    void (*unlock)(struct canvas *canvas, unsigned buffer);

    void (*draw)(struct canvas *canvas, uint32_t type, unsigned first, unsigned primitives);
    /* Indices from the buffer's first on; they count from vertex `base` and reach `vertices`. */
    void (*draw_indexed)(struct canvas *canvas, uint32_t type, unsigned base, unsigned vertices, unsigned primitives);
};

struct canvas {
    const struct canvas_calls *calls;
    unsigned width, height; /* of the target, pixels */
};

#define CANVAS_PROGRAM_TOKENS  128
#define CANVAS_INSTRUCTION_DCL 31u
#define CANVAS_END             0x0000ffffu

/* The tokens of a vertex program without declarations of inputs, as Direct3D 8 has them, and its declaration of a vertex;
 * CANVAS_PROGRAM_TOKENS each. */
static inline void canvas_program_of_version_8(const struct canvas_program *program, uint32_t *code,
                                               uint32_t *declaration)
{
    const uint32_t *from = program->vertex;

    *code++ = *from++;
    while (*from != CANVAS_END)
        if ((*from & 0xffff) == CANVAS_INSTRUCTION_DCL)
            from += 3;
        else
            *code++ = *from++;
    *code = CANVAS_END;
    *declaration++ = 0x20000000;                        /* D3DVSD_STREAM(0) */
    for (unsigned i = 0; i < program->input_count; i++) /* D3DVSD_REG */
        *declaration++ = 0x40000000u | (uint32_t)(program->inputs[i].floats - 1) << 16 | program->inputs[i].number;
    *declaration = 0xffffffff;
}

#endif
