#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves `dp2 coverage` against exact arithmetic.

tests/coverage/oracle.py [--dp2 PATH] [--count N] [--seed S] [--tier 1|2|3 | --standard]...

The coverage of random triangles of every kind is computed here using only Python's integers, which do not overflow,
from the rules of docs/reference/conservative-rules.md and the Direct3D fill rule, not from the rasterizer's code: each
row of pixels is reduced to the interval of columns for which an inequality holds. For each triangle:

  conservative  must       the float triangle meets the pixel's inside (no false negative, whatever snapping does),
                           or the snapped triangle grown by 1/512 px does (top-left rule where they only touch)
                must not   the snapped triangle grown by what the tier allows (1/2, 1/256 px) does not touch the pixel
                inner      only if the pixel lies whole in the float triangle; always if it lies inside the snapped
                           triangle shrunk by 1/256 px (tier 3)
  standard      exactly    the pixels (with 4 samples: the samples) that the snapped edges and the top-left rule hold

Exit status 0 if all agree, 1 with the first disagreements.
"""
import argparse
import json
import os
import queue
import random
import struct
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIDE = 8
# Everything below is in units of 1/2^20 px. Float coordinates are multiples of 2^-14 px, exact in this grid.
PIXEL = 1 << 20
HALF = PIXEL // 2
SUBPIXEL = PIXEL // 256
GRAIN = PIXEL >> 14
GUARD = 16376           # farthest vertex, px
SAMPLES4 = ((-2, -6), (6, -2), (-6, 2), (2, 6))     # 1/16 px from the centre
FULL = (1 << SIDE) - 1


def snap(v):
    """To 1/256 px, ties to even."""
    q, r = divmod(v, SUBPIXEL)
    if 2 * r > SUBPIXEL or (2 * r == SUBPIXEL and q & 1):
        q += 1
    return q * SUBPIXEL


def area(p):
    (ax, ay), (bx, by), (cx, cy) = p
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def edges(p):
    """The edges (a, direction) with the inside on their positive side; a segment has two, a point has none."""
    a = area(p)
    if a:
        q = p if a > 0 else (p[0], p[2], p[1])
        return [(q[i], (q[(i + 1) % 3][0] - q[i][0], q[(i + 1) % 3][1] - q[i][1])) for i in range(3)]
    low, high = min(p), max(p)      # on one line: the two farthest points, in order of x, then y
    if low == high:
        return []
    d = (high[0] - low[0], high[1] - low[1])
    return [(low, d), (high, (-d[0], -d[1]))]


def columns(slope, value, strict):
    """The bits of the columns i in 0..7 with value + slope * i * PIXEL >= 0 (> 0 if strict)."""
    step = slope * PIXEL
    need = 1 if strict else 0                   # value + step * i >= need
    if step == 0:
        return FULL if value >= need else 0
    if step > 0:
        first = -((value - need) // step)       # ceil((need - value) / step)
        return FULL if first <= 0 else FULL & ~((1 << min(first, SIDE)) - 1)
    last = (value - need) // -step
    return 0 if last < 0 else (1 << min(last + 1, SIDE)) - 1


def area_mask(p, grow, contact, offset=(0, 0), box=True):
    """Pixels whose centre (moved by offset) lies in p grown by a square of half-width grow (shrunk if negative).

    contact(direction) tells whether a centre on the border that an edge of that direction makes counts;
    contact(None): on a side of the enlarged box. 64 bits, row by row."""
    result = 0
    lines = []
    for (ax, ay), (dx, dy) in edges(p):
        reach = grow * (abs(dx) + abs(dy))
        lines.append((ax, ay, dx, dy, reach, not contact((dx, dy))))
    if box:
        xs, ys = [v[0] for v in p], [v[1] for v in p]
        left, right, top, bottom = min(xs) - grow, max(xs) + grow, min(ys) - grow, max(ys) + grow
        strict = not contact(None)
        cx = HALF + offset[0]
        across = columns(1, cx - left, strict) & columns(-1, right - cx, strict)
        if not across:
            return 0
    else:
        across = FULL
    for row in range(SIDE):
        cy = row * PIXEL + HALF + offset[1]
        if box and not ((top < cy < bottom) if strict else (top <= cy <= bottom)):
            continue
        bits = across
        for ax, ay, dx, dy, reach, edge_strict in lines:
            value = dx * (cy - ay) - dy * (HALF + offset[0] - ax) + reach
            bits &= columns(-dy, value, edge_strict)
            if not bits:
                break
        result |= bits << (row * SIDE)
    return result


def top_left(direction):
    if direction is None:
        return False
    dx, dy = direction
    return dy < 0 or (dy == 0 and dx > 0)


def never(direction):
    return False


def always(direction):
    return True


class Oracle:
    def __init__(self, tier):
        self.tier = tier            # 0: standard
        self.pixels = self.inners = self.extra = 0

    def command(self):
        base = ["--viewport", "%dx%d" % (SIDE, SIDE), "--space", "pixel", "--stdin"]
        if not self.tier:
            return base + ["--samples", "4"]
        return base + ["--mode", "conservative", "--tier", str(self.tier)] + ["--inner"] * (self.tier == 3)

    def judge(self, exact, answer):
        """None, or the complaint about the answer."""
        snapped = tuple((snap(x), snap(y)) for x, y in exact)
        turn = area(snapped)
        if answer["front_facing"] != (turn > 0):
            return "faces the wrong way"
        if answer["viewport"] != [SIDE, SIDE]:
            return "has another viewport"
        return self.conservative(exact, snapped, turn, answer) if self.tier else self.standard(snapped, turn, answer)

    def standard(self, snapped, turn, answer):
        got = [0] * 4
        for (x, y), mask in zip(answer["covered"], answer["sample_masks"]):
            for s in range(4):
                got[s] |= (mask >> s & 1) << (y * SIDE + x)
        for s, (x, y) in enumerate(SAMPLES4):
            want = area_mask(snapped, 0, top_left, (x * PIXEL // 16, y * PIXEL // 16), False) if turn else 0
            self.pixels += bin(want).count("1")
            if want != got[s]:
                return "sample %d covers %016x, not %016x" % (s, got[s], want)
        return None

    def conservative(self, exact, snapped, turn, answer):
        got = inner = 0
        for x, y in answer["covered"]:
            got |= 1 << (y * SIDE + x)
        for x, y in answer["inner"]:
            inner |= 1 << (y * SIDE + x)
        allowed = HALF + (HALF if self.tier == 1 else PIXEL // 256)
        must = area_mask(exact, HALF, never) | area_mask(snapped, HALF + PIXEL // 512, top_left)
        may = area_mask(snapped, allowed, always)
        if not turn and self.tier == 1:
            must = 0                # tier 1 may cull triangles that snap to nothing
        self.pixels += bin(got).count("1")
        self.extra += bin(got & ~must).count("1")
        if must & ~got:
            return "misses %016x" % (must & ~got)
        if got & ~may:
            return "covers %016x, which nothing allows" % (got & ~may)
        if self.tier < 3:
            return None
        may_inner = must_inner = 0
        if turn:
            must_inner = area_mask(snapped, -HALF - PIXEL // 256, never, box=False)
        if area(exact):
            may_inner = area_mask(exact, -HALF, always, box=False)
        self.inners += bin(inner).count("1")
        if inner & ~may_inner:
            return "calls %016x inner, which they need not be" % (inner & ~may_inner)
        if must_inner & ~inner:
            return "does not call %016x inner" % (must_inner & ~inner)
        return "is inner where it does not cover" if inner & ~got else None


# --- triangles ------------------------------------------------------------------------------------


def as_float(units):
    """The nearest 32-bit float to a position in 1/2^20 px, as (float, units)."""
    v = struct.unpack("f", struct.pack("f", units / PIXEL))[0]
    return v, int(v * PIXEL)


def point(rng, low, high, grid):
    return [rng.randrange(int(low * PIXEL), int(high * PIXEL)) // grid * grid for _ in range(2)]


def kind_any(rng):
    return [point(rng, -2, SIDE + 2, GRAIN) for _ in range(3)]


def kind_on_grid(rng):
    grid = rng.choice((PIXEL, HALF, PIXEL // 4, SUBPIXEL, SUBPIXEL // 2))
    return [point(rng, -1, SIDE + 1, grid) for _ in range(3)]


def kind_small(rng):
    size = rng.choice((HALF, PIXEL // 16, SUBPIXEL * 2, SUBPIXEL))
    x, y = point(rng, 0, SIDE, rng.choice((GRAIN, HALF)))
    return [[x + rng.randrange(-size, size + 1) // GRAIN * GRAIN, y + rng.randrange(-size, size + 1) // GRAIN * GRAIN]
            for _ in range(3)]


def kind_sliver(rng):
    a, b = point(rng, -2, SIDE + 2, GRAIN), point(rng, -2, SIDE + 2, GRAIN)
    t, width = rng.random(), rng.choice((GRAIN, SUBPIXEL // 2, SUBPIXEL, 4 * SUBPIXEL))
    c = [int(a[i] + (b[i] - a[i]) * t + rng.randrange(-width, width + 1)) // GRAIN * GRAIN for i in range(2)]
    return [a, b, c]


def kind_degenerate(rng):
    grid = rng.choice((PIXEL, HALF, SUBPIXEL, GRAIN))
    a, b = point(rng, -1, SIDE + 1, grid), point(rng, -1, SIDE + 1, grid)
    if rng.random() < 0.3:
        b[rng.randrange(2)] = a[rng.randrange(2)]
    return [a, b, rng.choice((list(a), list(b), [2 * b[0] - a[0], 2 * b[1] - a[1]]))]


def kind_huge(rng):
    reach = rng.choice((20, 200, 2000, GUARD))
    return [point(rng, -reach, reach, GRAIN) for _ in range(rng.choice((1, 2, 3)))] + [
        point(rng, 0, SIDE, GRAIN) for _ in range(2)]


def kind_corner(rng):
    """Through corners of pixels, or off them by about as much as snapping moves."""
    triangle = [[rng.randrange(-1, SIDE + 2) * PIXEL for _ in range(2)] for _ in range(3)]
    for p in triangle:
        p[rng.randrange(2)] += rng.choice((0, 0, SUBPIXEL // 2, -SUBPIXEL // 2, SUBPIXEL, -SUBPIXEL,
                                           rng.randrange(-2 * SUBPIXEL, 2 * SUBPIXEL) // GRAIN * GRAIN))
    return triangle


KINDS = (kind_any, kind_any, kind_on_grid, kind_small, kind_sliver, kind_degenerate, kind_huge, kind_corner)


def triangle(rng):
    corners = rng.choice(KINDS)(rng)[:3]
    rng.shuffle(corners)
    both = [[as_float(v) for v in p] for p in corners]
    text = " ".join("%r,%r" % (p[0][0], p[1][0]) for p in both)
    return text, tuple((p[0][1], p[1][1]) for p in both)


# --- a second opinion: polygons cut in rational arithmetic --------------------------------------------


def cut_area(p, x, y):
    """Area of triangle p inside pixel (x, y), times 2, as a fraction: Sutherland and Hodgman's algorithm."""
    from fractions import Fraction
    polygon = [(Fraction(a), Fraction(b)) for a, b in p]
    for axis, side, sign in ((0, x, 1), (0, x + 1, -1), (1, y, 1), (1, y + 1, -1)):
        out = []
        for i, b in enumerate(polygon):
            a = polygon[i - 1]
            da, db = ((v[axis] - side * PIXEL) * sign for v in (a, b))
            if (da < 0) != (db < 0):
                t = da / (da - db)
                out.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
            if db >= 0:
                out.append(b)
        polygon = out
    return abs(sum(polygon[i - 1][0] * b[1] - polygon[i - 1][1] * b[0] for i, b in enumerate(polygon)))


def check_itself(rng, count):
    """Compares the intervals with cut polygons: a pixel is met if the common area is not 0, and whole if that is the
    pixel's area."""
    for _ in range(count):
        p = triangle(rng)[1]
        if not area(p):
            continue
        met, whole = area_mask(p, HALF, never), area_mask(p, -HALF, always, box=False)
        for y in range(SIDE):
            for x in range(SIDE):
                common, bit = cut_area(p, x, y), y * SIDE + x
                if (common > 0) != bool(met >> bit & 1) or (common == 2 * PIXEL * PIXEL) != bool(whole >> bit & 1):
                    sys.exit("oracle: two ways to decide pixel (%d, %d) of %r disagree" % (x, y, p))


# --- the run --------------------------------------------------------------------------------------


def prove(dp2, tier, count, seed):
    """The number of triangles that disagree."""
    oracle, rng = Oracle(tier), random.Random(seed * 4 + tier)
    start, bad = time.monotonic(), 0
    process = subprocess.Popen([dp2, "coverage"] + oracle.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, bufsize=1 << 20)
    asked = queue.Queue(20000)
    threading.Thread(target=feed, args=(process.stdin, rng, count, asked), daemon=True).start()
    for done in range(count):
        text, exact = asked.get()
        line = process.stdout.readline()
        if not line:
            sys.exit("oracle: dp2 ended early, at triangle %d: %s" % (done + 1, text))
        wrong = oracle.judge(exact, json.loads(line))
        if wrong:
            bad += 1
            if bad <= 5:
                print("triangle %s %s\n    dp2 coverage %s --tri %s" % (
                    text, wrong, " ".join(o for o in oracle.command() if o != "--stdin"), text))
    process.wait()
    name = "tier %d" % tier if tier else "standard, 4 samples"
    print("%s: %d triangles, %d pixels covered%s, %d disagree, %.0f s" % (
        name, count, oracle.pixels,
        " (%d more than u = 1/512 asks for), %d inner" % (oracle.extra, oracle.inners) if tier else "",
        bad, time.monotonic() - start), flush=True)
    return bad


def feed(stream, rng, count, asked):
    """Sends requests ahead of the answers, for speed: the tool answers each line at once."""
    for _ in range(count):
        one = triangle(rng)
        stream.write(one[0] + "\n")
        asked.put(one)
    stream.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dp2", default=os.path.join(ROOT, "build/native/dp2"))
    parser.add_argument("--count", type=int, default=60000, help="triangles per mode")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tier", type=int, action="append", choices=(1, 2, 3))
    parser.add_argument("--standard", action="store_true")
    options = parser.parse_args()
    tiers = options.tier or ([] if options.standard else [3, 2, 1])
    if options.standard or not options.tier:
        tiers = tiers + [0]
    check_itself(random.Random(options.seed), 300)
    return 1 if sum(prove(options.dp2, tier, options.count, options.seed) for tier in tiers) else 0


if __name__ == "__main__":
    sys.exit(main())
