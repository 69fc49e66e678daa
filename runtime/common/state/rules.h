/* SPDX-License-Identifier: MIT */
/*
 * The differences between versions of the API in device state: which states, bindings and registers exist, their initial
 * values, and the tokens that carry them to the driver. A face has one constant set of rules; rt_state holds it. Every member
 * is zero for a version that does not have the thing.
 */
#ifndef HALCYON_RUNTIME_STATE_RULES_H
#define HALCYON_RUNTIME_STATE_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* The shaders that can replace the fixed function. */
enum rt_shaders {
    RT_SHADERS_NONE,    /* nothing: each draw says what its vertices hold */
    RT_SHADERS_HANDLES, /* handles of the API; a vertex shader includes its declaration, and a vertex format is one too */
    RT_SHADERS_OBJECTS, /* objects: a declaration, a vertex shader, a pixel shader */
};

/* The columns of d3d/states.def that say which states are in predefined state blocks. */
enum rt_block_column { RT_BLOCK_COLUMN_8, RT_BLOCK_COLUMN_9, RT_BLOCK_COLUMNS };

struct rt_state_rules {
    /* --- states ---------------------------------------------------------------------------- */
    uint8_t state_level; /* states of d3d/states.def up to this level begin with their value there, the others with 0 */
    uint8_t block_column; /* enum rt_block_column */
    /* Render states that are in no block, and that a new context is told nevertheless. Ends with 0; NULL: none. */
    const uint8_t *unblocked_states;
    uint32_t point_size_min, patch_segments; /* initial values of these two render states, as bits of a float */
    uint8_t last_stage_state;                /* D3DTSS_*: the highest number */
    bool has_sampler_states;                 /* filters and addresses are states of samplers, not of stages */
    uint8_t samplers;                        /* RT_STAGES, or RT_SAMPLERS */
    bool has_scissor;

    /* --- bindings -------------------------------------------------------------------------- */
    uint8_t streams;          /* up to RT_STREAMS */
    bool has_stream_offsets;  /* SETSTREAMSOURCE2, not SETSTREAMSOURCE */
    bool has_frequencies;     /* of streams; state blocks hold them */
    bool sets_targets_singly; /* SETRENDERTARGET2 and SETDEPTHSTENCIL, not SETRENDERTARGET for both */
    enum rt_shaders shaders;

    /* --- registers of shaders -------------------------------------------------------------- */
    uint8_t banks; /* those there are: 1 << enum rt_bank of each */
    bool
        joins_registers; /* applying a state block sends consecutive registers in one command, not one command for each */
};

#endif
