/* SPDX-License-Identifier: MIT */
/* Groups of state that have changed since values were last derived from them. */
#ifndef HALCYON_HAL_STATE_DIRTY_H
#define HALCYON_HAL_STATE_DIRTY_H

#include <stdint.h>

enum hal_dirty {
    HAL_DIRTY_RENDER_STATE = 1, /* render states without a group of their own (hal_render_state_group) */
    HAL_DIRTY_STAGE = 2,        /* likewise of stages (hal_stage_state_group) */
    HAL_DIRTY_TEXTURE = 4,      /* contents of textures, or the textures that handles name */
    HAL_DIRTY_TRANSFORM = 8,
    HAL_DIRTY_LIGHT = 16, /* lights and material */
    HAL_DIRTY_TARGET = 32,
    HAL_DIRTY_VIEWPORT = 64,
    HAL_DIRTY_VERTEX_FORMAT = 128,
    HAL_DIRTY_VERTEX_CONSTANTS = 256, /* of shaders */
    HAL_DIRTY_PIXEL_CONSTANTS = 512,
    HAL_DIRTY_OUTPUT = 1024,  /* render states of depth, stencil, alpha test, blending and masks */
    HAL_DIRTY_FACTOR = 2048,  /* D3DRS_TEXTUREFACTOR */
    HAL_DIRTY_SAMPLER = 4096, /* stage states of samplers and bump mapping: values that no code depends on */
    HAL_DIRTY_BOUND = 8192,   /* stage states of handles: other textures are bound */
    HAL_DIRTY_ALL = 16383,
    HAL_DIRTY_RENDER_STATE_TEXTURE = HAL_DIRTY_RENDER_STATE | HAL_DIRTY_TEXTURE,
    /* The pixel side is derived again when any of these changes. */
    HAL_DIRTY_PIXEL = HAL_DIRTY_RENDER_STATE | HAL_DIRTY_STAGE | HAL_DIRTY_TEXTURE | HAL_DIRTY_TARGET |
                      HAL_DIRTY_VIEWPORT | HAL_DIRTY_OUTPUT | HAL_DIRTY_FACTOR | HAL_DIRTY_SAMPLER | HAL_DIRTY_BOUND,
    /* The subset that affects only the values of a pixel program. */
    HAL_DIRTY_VALUES = HAL_DIRTY_TEXTURE | HAL_DIRTY_FACTOR | HAL_DIRTY_SAMPLER | HAL_DIRTY_BOUND,
    /* While none of these changes, a program with the same textures and the same texture factor has the same values. */
    HAL_DIRTY_BINDINGS = (HAL_DIRTY_PIXEL | HAL_DIRTY_PIXEL_CONSTANTS) &
                         ~(HAL_DIRTY_OUTPUT | HAL_DIRTY_FACTOR | HAL_DIRTY_BOUND | HAL_DIRTY_VIEWPORT),
    /* Fixed-function vertex processing is derived from these. */
    HAL_DIRTY_VERTEX = HAL_DIRTY_RENDER_STATE | HAL_DIRTY_STAGE | HAL_DIRTY_TRANSFORM | HAL_DIRTY_LIGHT |
                       HAL_DIRTY_TARGET | HAL_DIRTY_VIEWPORT | HAL_DIRTY_VERTEX_FORMAT,
};

/* hal/pixel/draw_state.c: the bit for a change of the render state or stage state. */
uint32_t hal_render_state_group(uint32_t state);
uint32_t hal_stage_state_group(uint32_t state);

#endif
