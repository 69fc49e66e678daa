/* SPDX-License-Identifier: MIT */
/* The planes that a processed vertex lies outside of, as bits (hal/vertex/clip.h). */
#ifndef HALCYON_HAL_VERTEX_OUTCODE_H
#define HALCYON_HAL_VERTEX_OUTCODE_H

enum hal_outcode {
    HAL_OUT_LEFT = 1,
    HAL_OUT_RIGHT = 2,
    HAL_OUT_BOTTOM = 4,
    HAL_OUT_TOP = 8,
    HAL_OUT_W = 16, /* w below HAL_MIN_W: not projected */
    HAL_OUT_NEAR = 32,
    HAL_OUT_FAR = 64,
    HAL_OUT_GUARD = 128,   /* beyond RASTER_GUARD_BAND pixels */
    HAL_OUT_USER0 = 256,   /* a bit for each of CLIP_MAX_PLANES */
    HAL_OUT_BAD = 1 << 16, /* NaN or beyond HAL_MAX_COORDINATE: primitives with it are dropped */
    HAL_OUT_USER = 255 * HAL_OUT_USER0,
    HAL_OUT_VIEW = HAL_OUT_LEFT | HAL_OUT_RIGHT | HAL_OUT_BOTTOM | HAL_OUT_TOP,
    /* All vertices outside one of these: nothing can be seen. */
    HAL_OUT_REJECT = 127 | HAL_OUT_USER,
    /* Any vertex outside one of these: clip. */
    HAL_OUT_CLIP = HAL_OUT_W | HAL_OUT_NEAR | HAL_OUT_FAR | HAL_OUT_GUARD | HAL_OUT_USER,
};

#endif
