/* SPDX-License-Identifier: MIT */
/* Depth as 24 bits, in float arithmetic. */
#ifndef HALCYON_RASTER_DEPTH_H
#define HALCYON_RASTER_DEPTH_H

/*
 * trunc(z DEPTH_24_SCALE + DEPTH_24_ROUND) in floats is trunc(z (2^24 - 1) + 1/2) for z in 0..1 (not -0), exactly,
 * though both operations round.
 *
 * Let v = 2^24 z, i and f its whole part and its fraction, u the step of floats at v. The required result is trunc(v -
 * z + 1/2), with u/2 <= z < u. The product rounds v - z to the float before v: v - u, or v - u/2 if v is a power of
 * two. Call it p.
 *   v > 2^23: u = 1 and f = 0; the result must be i - 1 = p, and p plus less than 1/2 rounds to p.
 *   v <= 2^23: the result must be i + 1 if f >= 1/2 + u, which is when p + 1/2 reaches i + 1, else i. The constant is the
 *   float before 1/2; the sum rounds up to p + 1/2 where that is i + 1, and stays below elsewhere.
 * Both are monotonic; tests/unit/test_kernel_definitions.c compares them at each of the 2^24 - 1 places where they step.
 */
#define DEPTH_24_SCALE 16777215.0f
#define DEPTH_24_ROUND 0.49999997f

#endif
