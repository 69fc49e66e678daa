#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves conservative `dp2 coverage --space clip` against exact arithmetic, from clip space on.

tests/coverage/clip_oracle.py [--dp2 PATH] [--count N] [--seed S] [--jobs N] [KIND...]

oracle.py starts where floats in pixels are given. Here triangles are given in clip space. They are clipped and divided
by w using only Python's integers, which do not overflow, with the planes of docs/reference/rasterization.md, section 2,
and without the driver's clipper: near, far, w > 0, user planes, and the view with a margin. For the remaining polygon
P:

  must        every pixel that P meets with its inside: no false negative, whatever clipping, division and snapping do
  may         no pixel farther than 1/256 px from P (tier 3: snapping moves corners by 1/512 px, the region adds 1/512 px)
  inner       only pixels that lie whole in P; all that lie 1/256 px inside it
  facing      of the whole triangle: as it is snapped if all of it can be, else the sign of its determinant

Kinds of triangles: %s.
Exit status 0 if all agree, 1 with the first disagreements.
"""
import argparse
import json
import math
import multiprocessing
import os
import queue
import random
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle import ROOT, SIDE, columns, FULL

MARGIN = 2              # px around the view that the exact clipping keeps
WHOLE = 1 << 21         # px: vertices nearer than this are compared after snapping
UNIT = 1024             # fractions of a pixel, the unit of growth; half a pixel and 1/512 px are whole multiples
HALF = UNIT // 2
STEP = UNIT // 512


# --- the exact region -----------------------------------------------------------------------------


def whole_numbers(vertices):
    """The vertices as integers, all multiplied by one power of two, which changes nothing because they are
    homogeneous."""
    ratios = [[v.as_integer_ratio() for v in vertex] for vertex in vertices]
    shift = max(r[1] for vertex in ratios for r in vertex)
    return [tuple(n * (shift // d) for n, d in vertex) for vertex in ratios]


def cut(polygon, distance):
    out = []
    for i, b in enumerate(polygon):
        a = polygon[i - 1]
        da, db = distance(a), distance(b)
        if (da < 0) != (db < 0):
            p = tuple(u * abs(db) + v * abs(da) for u, v in zip(a, b))
            g = math.gcd(*p) or 1
            out.append(tuple(u // g for u in p))
        if db >= 0:
            out.append(b)
    return out


def window(vertex):
    """Clip space to pixels, over w: the viewport is SIDE x SIDE at 0, 0; z comes along."""
    x, y, z, w = vertex
    return ((x + w) * (SIDE // 2), (w - y) * (SIDE // 2), z, w)


def visible(polygon, kind):
    """The corners (X, Y, W) of the visible part, as integers; window position X / W, Y / W."""
    if kind.depth_clip:
        polygon = cut(polygon, lambda p: p[2])
        polygon = cut(polygon, lambda p: p[3] - p[2])
    for plane in whole_numbers(kind.planes) if kind.planes else ():
        polygon = cut(polygon, lambda p: sum(u * v for u, v in zip(plane, p)))
    polygon = [kind.window(p) for p in polygon]
    for axis in (0, 1):         # together: w >= 0
        polygon = cut(polygon, lambda p: p[axis] + MARGIN * p[3])
        polygon = cut(polygon, lambda p: (SIDE + MARGIN) * p[3] - p[axis])
    return [(p[0], p[1], p[3]) for p in polygon if p[3] > 0]


def determinant(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]))


def sign(v):
    return (v > 0) - (v < 0)


def line(a, b):
    """(u, v, c): u X + v Y + c > 0 inside of a clockwise edge a -> b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def lines_of(polygon):
    """The edges of the convex polygon, inside positive; and whether it has an area."""
    turn = 0
    for i in range(2, len(polygon)):
        turn = sign(determinant(polygon[0], polygon[i - 1], polygon[i]))
        if turn:
            break
    if turn:
        ordered = polygon if turn > 0 else polygon[::-1]
        edges = [line(ordered[i - 1], p) for i, p in enumerate(ordered)]
        return [e for e in edges if e[0] or e[1]], True
    for a in polygon:           # on one line: any two points give its direction
        for b in polygon:
            u, v, c = line(a, b)
            if u or v:
                return [(u, v, c), (-u, -v, -c)], False
    return [], False


class Region:
    def __init__(self, polygon):
        self.empty = not polygon
        if self.empty:
            return
        self.lines, self.has_area = lines_of(polygon)
        self.box = []
        for axis in (0, 1):
            low = high = polygon[0]
            for p in polygon[1:]:
                low = p if p[axis] * low[2] < low[axis] * p[2] else low
                high = p if p[axis] * high[2] > high[axis] * p[2] else high
            self.box.append(((low[axis], low[2]), (high[axis], high[2])))

    def row_bits(self, axis, grow, strict):
        """The pixels along an axis whose centre lies in the enlarged box."""
        (low, low_w), (high, high_w) = self.box[axis]
        bits = 0
        for i in range(SIDE):
            centre = i * UNIT + HALF
            a, b = (centre + grow) * low_w - UNIT * low, UNIT * high - (centre - grow) * high_w
            if (a > 0 and b > 0) if strict else (a >= 0 and b >= 0):
                bits |= 1 << i
        return bits

    def mask(self, grow, strict, box=True):
        """The pixels whose centre lies in the region grown by a square of half-width grow / UNIT (shrunk if
        negative)."""
        if self.empty:
            return 0
        across = self.row_bits(0, grow, strict) if box else FULL
        down = self.row_bits(1, grow, strict) if box else FULL
        edges = [(u, v, UNIT * c + grow * (abs(u) + abs(v)) + HALF * u) for u, v, c in self.lines]
        result = 0
        for row in range(SIDE):
            bits = across if down >> row & 1 else 0
            for u, v, c in edges:
                if not bits:
                    break
                value = c + v * (row * UNIT + HALF)
                # columns() takes steps of its own pixel, 2^20 units: both are scaled by the same factor
                bits &= columns(u, value << 10, strict)
            result |= bits << (row * SIDE)
        return result


# --- facing -----------------------------------------------------------------------------------------


def snap(n, d):
    """n / d px to 1/256 px, ties to even."""
    q, r = divmod(256 * n, d)
    return q + (2 * r > d or (2 * r == d and q & 1))


def turn_of(vertices, kind):
    """1: clockwise on the screen, -1: the other way, 0: degenerate."""
    w = [kind.window(v) for v in vertices]
    if all(p[3] > 0 and abs(p[0]) < WHOLE * p[3] and abs(p[1]) < WHOLE * p[3] for p in w):
        (ax, ay), (bx, by), (cx, cy) = ((snap(p[0], p[3]), snap(p[1], p[3])) for p in w)
        return sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
    return sign(determinant(*((p[0], p[1], p[3]) for p in w)))


# --- judging ----------------------------------------------------------------------------------------


class Judge:
    def __init__(self, kind):
        self.kind = kind
        self.pixels = self.inners = self.extra = 0

    def command(self):
        k = self.kind
        text = ["--viewport", "%dx%d" % (SIDE, SIDE), "--space", k.space, "--mode", "conservative", "--inner"]
        if not k.depth_clip:
            text += ["--state", "depth_clip_near=0", "--state", "depth_clip_far=0"]
        for plane in k.planes:
            text += ["--clip-plane", ",".join("%g" % v for v in plane)]
        return text

    def judge(self, floats, answer):
        """None, or the complaint about the answer."""
        # vertices in pixels come with a w that does not affect their place
        vertices = whole_numbers(floats if self.kind.space == "clip" else [v[:3] + [1.0] for v in floats])
        region = Region(visible(vertices, self.kind))
        got = inner = 0
        for x, y in answer["covered"]:
            got |= 1 << (y * SIDE + x)
        for x, y in answer["inner"]:
            inner |= 1 << (y * SIDE + x)
        must, may = region.mask(HALF, True), region.mask(HALF + 2 * STEP, False)
        self.pixels += bin(got).count("1")
        self.inners += bin(inner).count("1")
        self.extra += bin(got & ~must).count("1")
        if must & ~got:
            return "misses %016x" % (must & ~got)
        if got & ~may:
            return "covers %016x, which lies farther than 1/256 px from it" % (got & ~may)
        may_inner = must_inner = 0
        if not region.empty and region.has_area:
            may_inner = region.mask(-HALF, False, box=False)
            must_inner = region.mask(-HALF - 2 * STEP, True, box=False)
        if inner & ~may_inner:
            return "calls %016x inner, which are not" % (inner & ~may_inner)
        if must_inner & ~inner:
            return "does not call %016x inner" % (must_inner & ~inner)
        if got and answer["front_facing"] != (turn_of(vertices, self.kind) > 0):
            return "faces the wrong way"
        return None


# --- triangles ------------------------------------------------------------------------------------


def as_float(v):
    return struct.unpack("f", struct.pack("f", v))[0]


def vertex(rng, w, reach=1.6, z=(0.05, 0.95)):
    """A vertex near the view; z: its range after division."""
    return [rng.uniform(-reach, reach) * w, rng.uniform(-reach, reach) * w, rng.uniform(*z) * w, w]


def any_w(rng):
    return 2.0 ** rng.uniform(-6, 6) if rng.random() < 0.7 else rng.choice((1.0, 0.5, 2.0))


def kind_near(rng):
    t = [vertex(rng, any_w(rng), z=(-1.5, 1)) for _ in range(3)]
    if rng.random() < 0.3:              # like that of a camera: z follows w
        for v in t:
            v[2] = 1.1 * (v[3] - 0.5)
    return t


def kind_far(rng):
    return [vertex(rng, any_w(rng), z=(0, 2.5)) for _ in range(3)]


def kind_eye(rng):
    """Vertices behind the eye, or in its plane."""
    near = 2.0 ** rng.uniform(-4, 0)
    t = []
    for _ in range(3):
        w = rng.choice((rng.uniform(-4, 4), rng.uniform(-40, 40), 0.0 if rng.random() < 0.1 else rng.uniform(0.1, 3)))
        v = vertex(rng, 1, reach=rng.choice((1, 4, 20)))
        t.append([v[0], v[1], 1.02 * (w - near) if rng.random() < 0.8 else rng.uniform(-2, 2), w])
    return t


def kind_guard(rng):
    """8 px span x = -1..1: the guard band is at 4093."""
    reach = rng.choice((3e3, 5e3, 2e4, 1e6, 1e8))
    t = [vertex(rng, any_w(rng), reach=rng.choice((1.2, reach)), z=rng.choice(((0.1, 0.9), (-0.5, 1.5)))) for _ in range(3)]
    t[rng.randrange(3)] = vertex(rng, any_w(rng), reach=reach)
    return t


def kind_sliver(rng):
    a, b = vertex(rng, any_w(rng)), vertex(rng, any_w(rng))
    s, width = rng.random(), 2.0 ** rng.uniform(-16, -6)
    c = [u * s + v * (1 - s) for u, v in zip(a, b)]
    scale = c[3] * width
    c = [c[0] + rng.uniform(-scale, scale), c[1] + rng.uniform(-scale, scale), c[2] + rng.choice((0, 0, c[3])), c[3]]
    return [a, b, c]


def kind_ortho(rng):
    grid = rng.choice((0, 0, 4, 256, 1024))
    t = [vertex(rng, 1, reach=rng.choice((1.2, 3)), z=rng.choice(((0, 1), (-1, 2)))) for _ in range(3)]
    return [[round(v[0] * grid) / grid, round(v[1] * grid) / grid, v[2], 1.0] for v in t] if grid else t


def kind_user(rng):
    """Few bits, so that sums of distances from planes are exact in floats."""
    t = [vertex(rng, rng.choice((0.5, 1, 1, 2, 3))) for _ in range(3)]
    return [[round(u * 1024) / 1024 for u in v] for v in t]


def kind_more(rng):
    """Any bits: distances from planes beyond Direct3D's six are summed up in doubles."""
    return rng.choice((kind_near, kind_ortho, kind_sliver, kind_eye))(rng)


def kind_open(rng):
    """Depth is not clipped: only w > 0 applies."""
    return [[rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-3, 3),
             rng.choice((rng.uniform(-1, 3), rng.uniform(-0.1, 1), 2.0 ** rng.uniform(-40, 0)))] for _ in range(3)]


def kind_scaled(rng):
    """Any of them at another scale: homogeneous positions mean the same. Floats lose no bits in that range."""
    while True:
        t = [[as_float(u) for u in v] for v in rng.choice((kind_near, kind_ortho, kind_sliver, kind_eye))(rng)]
        scaled = [[math.ldexp(u, rng_exponent) for u in v] for rng_exponent in (rng.randrange(-100, 120),) for v in t]
        if max(abs(u) for v in scaled for u in v) < 2.0 ** 127:
            return scaled


def kind_special(rng):
    """Vertices on planes and on each other, in the eye, degenerate triangles, and all of that slightly shifted."""
    values = (0.0, 0.0, 1.0, -1.0, 0.5, -0.5, 0.25, 2.0, 2.0 ** -8, -(2.0 ** -8), 1 + 2.0 ** -8)
    t = [[rng.choice(values) for _ in range(3)] + [rng.choice((1.0, 1.0, 2.0, 0.5, 0.0, -1.0))] for _ in range(3)]
    if rng.random() < 0.3:
        s = rng.choice((0.0, 0.5, 0.25, 2.0, -1.0))
        t[2] = [a + s * (b - a) for a, b in zip(t[0], t[1])]
    return t


def kind_screen(rng):
    """Vertices in pixels, clipped by z and the guard band."""
    reach = rng.choice((SIDE, SIDE, 5 * SIDE, 2e4, 1e7))
    return [[rng.uniform(-reach, reach), rng.uniform(-reach, reach), rng.uniform(-1, 2), any_w(rng)] for _ in range(3)]


class Kind:
    def __init__(self, make, depth_clip=True, planes=(), space="clip"):
        self.make, self.depth_clip, self.planes, self.space = make, depth_clip, planes, space
        self.window = window if space == "clip" else lambda p: p


USER_PLANES = ((1.0, 0.5, 0.0, 0.25), (-0.5, 0.25, 0.5, 0.75), (0.0, -1.0, 0.125, 0.5))
MORE_PLANES = 6 * ((0.0, 0.0, 0.0, 1.0),) + ((1.0, 0.3, -0.1, 0.25), (-0.7, 0.2, 0.6, 0.6))
KINDS = {
    "near": Kind(kind_near), "far": Kind(kind_far), "eye": Kind(kind_eye), "guard": Kind(kind_guard),
    "sliver": Kind(kind_sliver), "ortho": Kind(kind_ortho), "user": Kind(kind_user, planes=USER_PLANES),
    "more": Kind(kind_more, planes=MORE_PLANES),
    "screen": Kind(kind_screen, space="pixel"), "open": Kind(kind_open, depth_clip=False), "scaled": Kind(kind_scaled), "special": Kind(kind_special),
}
__doc__ %= ", ".join(KINDS)


# --- the run --------------------------------------------------------------------------------------


def feed(stream, rng, make, count, asked):
    """Sends requests ahead of the answers; the tool may answer in whole buffers."""
    for _ in range(count):
        t = [[as_float(u) for u in v] for v in make(rng)]
        rng.shuffle(t)
        text = " ".join(",".join("%r" % u for u in v) for v in t)
        stream.write(text + "\n")
        asked.put((text, t))
    stream.close()


def prove(job):
    """(triangles that disagree, text)"""
    name, dp2, count, seed = job
    judge, rng = Judge(KINDS[name]), random.Random("%s %d" % (name, seed))
    start, bad, text = time.monotonic(), 0, []
    process = subprocess.Popen([dp2, "coverage"] + judge.command() + ["--stdin"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, bufsize=1 << 20)
    asked = queue.Queue(20000)
    threading.Thread(target=feed, args=(process.stdin, rng, KINDS[name].make, count, asked), daemon=True).start()
    for done in range(count):
        one, floats = asked.get()
        answer = process.stdout.readline()
        if not answer:
            return 1, "%s: dp2 ended early, at triangle %d: %s" % (name, done + 1, one)
        wrong = judge.judge(floats, json.loads(answer))
        if wrong:
            bad += 1
            if bad <= 5:
                text.append("triangle %s %s\n    dp2 coverage %s --tri %s" % (one, wrong, " ".join(judge.command()), one))
    process.wait()
    text.append("%s: %d triangles, %d pixels covered (%d more than the triangles meet), %d inner, %d disagree, %.0f s" % (
        name, count, judge.pixels, judge.extra, judge.inners, bad, time.monotonic() - start))
    return bad, "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dp2", default=os.path.join(ROOT, "build/native/dp2"))
    parser.add_argument("--count", type=int, default=6000, help="triangles per kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("kind", nargs="*", metavar="KIND")
    options = parser.parse_args()
    unknown = [k for k in options.kind if k not in KINDS]
    if unknown:
        parser.error("no such kind: %s" % ", ".join(unknown))
    bad = 0
    with multiprocessing.Pool(options.jobs) as pool:
        jobs = [(k, options.dp2, options.count, options.seed) for k in options.kind or KINDS]
        for wrong, text in pool.imap(prove, jobs):
            bad += wrong
            print(text, flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
