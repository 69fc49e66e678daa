/* SPDX-License-Identifier: MIT */
/*
 * Chains that are several times as large as the program believes, texel by texel: copies between chains with different multiples,
 * and views, which the program locks in their place.
 *
 * A texel of the program's is a square of `times` x `times` texels of the chain. Reading takes the square's first texel, the upper left
 * one, which has the place of a pixel that is drawn in the program's resolution: no value is read that has not been drawn, so
 * identifiers, depth and alpha stay what they are. Writing fills the square.
 */
#ifndef HALCYON_RUNTIME_VIEW_H
#define HALCYON_RUNTIME_VIEW_H

#include "runtime/common/driver/link.h"

/* A part of a chain, and how many times as large as the program believes it is. */
struct rt_view_of {
    struct rt_chain *chain;
    unsigned part, times;
};

/* Copies `rect` of the source to `at`, both in the program's texels and inside; formats have texels of the same size in bytes, without
 * blocks: D3DERR_INVALIDCALL. Samples of the source are averaged, and all of the destination's written. */
HRESULT rt_view_copy(const struct rt_view_of *destination, POINT at, const struct rt_view_of *source, const RECT *rect);

/* The contents of a part in the program's size, in memory of their own. */
struct rt_view;

/* flags: D3DLOCK_*. The caller closes *view. */
HRESULT rt_view_open(const struct rt_view_of *of, DWORD flags, struct rt_view **view, struct rt_mapping *mapping);
/* Writes the texels that differ from what they were when the view was opened; those that the program left alone keep their detail. */
void rt_view_close(struct rt_view *view);
/* The chain is gone: nothing is written. NULL is fine. */
void rt_view_drop(struct rt_view *view);

#endif
