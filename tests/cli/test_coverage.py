#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 coverage: every field of the rasterizer state on points, lines and triangles, and its input and output. Speaks
TAP.

tests/cli/test_coverage.py [DP2]     DP2: the program, build/native/dp2 by default

The expected results are computed here, from the gallium rasterizer document and the rules that it refers to (OpenGL
2.1, Direct3D 10), never by the rasterizer. Where the document leaves coverage to the API, sample points are tested in
rational arithmetic.
"""
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

from tap import run_tests

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIDE = 16
SAMPLES = {1: ((0, 0),), 4: ((-2, -6), (6, -2), (-6, 2), (2, 6))}       # 1/16 px from the centre
POINT, LINE, TRI = "--point 8,8,.5", "--line 2,8.5,.5 14,8.5,.5", "--tri 1,1,.5 15,1,.5 1,15,.5"
SHAPES = {"point": POINT, "line": LINE, "tri": TRI}
COLORS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 0, 1)]
dp2_program = os.path.join(ROOT, "build/native/dp2")
sys.dont_write_bytecode = True      # of scripts/gallery


def command(arguments, states="", samples=1, show=None, side=SIDE, space="pixel"):
    words = [dp2_program, "coverage", "--viewport", "%dx%d" % (side, side), "--space", space, "--samples", str(samples)]
    for state in states.split():
        words += ["--state", state]
    return words + (["--show", show] if show else []) + arguments.split()


def run_tool(words, text="", status=0):
    done = subprocess.run(words, input=text.encode(), capture_output=True, timeout=3600)
    assert done.returncode == status, "%s: exit status %d\n%s" % (" ".join(words), done.returncode, done.stderr.decode())
    return done.stdout.decode()


def draw(arguments, states="", **more):
    """{(x, y): (sample mask, shown value)}"""
    return pixels_of(run_tool(command(arguments + " --json", states, **more)))


def draw_each(lines, states="", arguments="", **more):
    """The same for each line of --stdin, by one process."""
    return [pixels_of(a) for a in run_tool(command(arguments + " --stdin", states, **more), "\n".join(lines) + "\n").splitlines()]


def pixels_of(text):
    answer = json.loads(text)
    pixels = [tuple(p) for p in answer["covered"]]
    masks = answer.get("sample_masks", [1] * len(pixels))
    shown = answer.get("color", answer.get("depth", [None] * len(pixels)))
    return dict(zip(pixels, zip(masks, shown)))


def covered(*arguments, **more):
    return set(draw(*arguments, **more))


def everywhere(test):
    """Runs the test for each shape, without samples, with samples, and with samples switched off."""
    for name, shape in SHAPES.items():
        for samples, states in ((1, ""), (4, ""), (4, "multisample=0")):
            try:
                test(name, shape, samples, states)
            except AssertionError as error:
                raise AssertionError("%s, %d samples, %s: %s" % (name, samples, states, error)) from error


def same(a, b, what="pictures differ"):
    assert a == b, "%s: %s" % (what, sorted(set(a) ^ set(b)) or [(k, a[k], b[k]) for k in a if a[k] != b[k]][:4])


# --- colours ------------------------------------------------------------------------------------


def clamp_vertex_color():
    """Corners of 4 are clamped to 1 before they are interpolated, on every primitive that has corners."""
    def test(name, shape, samples, states):
        for clamp in 0, 1:
            shown = draw(shape + " --gain 4", "clamp_vertex_color=%d %s" % (clamp, states), samples=samples, show="color")
            plain = draw(shape, states, samples=samples, show="color")
            for pixel, (mask, color) in shown.items():
                scale = 1 if clamp else 4
                wanted = [scale * c for c in plain[pixel][1]]
                assert all(abs(a - b) < 1e-5 for a, b in zip(color, wanted)), (pixel, color, wanted)
    everywhere(test)


def light_twoside():
    back = "--tri 1,1,.5 1,15,.5 15,1,.5"
    for samples in 1, 4:
        shown = draw(back, "light_twoside=1 flatshade=1", samples=samples, show="color")
        assert {tuple(c) for m, c in shown.values()} == {(0, 1, 1, 1)}
    everywhere(lambda name, shape, samples, states: same(       # points and lines face front
        draw(shape, "light_twoside=1 " + states, samples=samples, show="color"),
        draw(shape, states, samples=samples, show="color")))


def flat_colors(arguments, states=""):
    """The colour drawn at each of the given pixels."""
    return {p: COLORS.index(tuple(c[:3])) for p, (m, c) in
            draw(arguments, "flatshade=1 " + states, show="color").items()}


def flatshade_first():
    """The provoking corner of every topology, filled and as lines, and of triangles that snap to zero area."""
    square = "2,2 14,2 14,14 2,14"
    ring = "8,1 14,5 12,13 4,13 2,5"
    cases = [   # topology, its points, the first and last corner of each part
        ("--tri", "2,2 14,2 2,14", [0], [2]),
        ("--line", "2,8.5 14,8.5", [0], [1]),
        ("--line-strip", "2,2.5 13.5,2.5 13.5,14", [0, 1], [1, 2]),
        ("--tri-strip", "2,2 2,14 8,2 8,14 14,2", [0, 1, 2], [2, 3, 4]),
        ("--fan", square, [1, 2], [2, 3]),
        ("--quad", square, [3], [3]),
        ("--polygon", ring, [0], [0]),
    ]
    for option, points, first, last in cases:
        for number, parts in ((1, first), (0, last)):
            state = "flatshade_first=%d" % number
            assert set(flat_colors("%s %s" % (option, points), state).values()) == set(parts), (option, state)
            if "line" not in option:
                got = set(flat_colors("%s %s" % (option, points), state + " fill_front=line fill_back=line").values())
                assert got <= set(parts) and got & {parts[-1]}, (option, state, got)
    for count in range(3, 6):
        line = "--mode conservative --%s" % ("tri" if count == 3 else "polygon")
        points = " ".join("%d,3.5" % (2 + 2 * i) for i in range(count))     # no area
        for number in 0, 1:
            state = "flatshade_first=%d" % number
            corner = 2 if count == 3 and not number else 0
            shown = draw("%s %s" % (line, points), state, show="color")     # without flatshade: a rule of the mode
            assert shown and {tuple(c[:3]) for m, c in shown.values()} == {COLORS[corner]}, (count, state)


def degenerate_depth():
    """Depth of conservative triangles without area is the provoking vertex's, too."""
    for samples in 1, 4:
        for number, depth in ((1, 0.25), (0, 0.75)):
            for extra in "", " subpixel_precision_x=2":
                shown = draw("--mode conservative --tri 2,3.5,.25 9,3.5,.5 6,3.5,.75", "flatshade_first=%d%s" % (number, extra),
                             samples=samples, show="depth")
                flat = [d if samples > 1 else [d] for m, d in shown.values()]
                assert shown and all(d == depth for ds in flat for d in ds), (number, flat[:3])


# --- polygons -----------------------------------------------------------------------------------


def stipple_draws(x, y):
    """The tool's stipple pattern: squares of 2x2."""
    return (x >> 1 & 1) == (y >> 1 & 1)


def poly_stipple():
    def test(name, shape, samples, states):
        for mode in "", "--mode conservative ":
            plain = draw(mode + shape, states, samples=samples)
            with_it = draw(mode + shape, "poly_stipple_enable=1 " + states, samples=samples)
            if name == "tri":
                plain = {p: v for p, v in plain.items() if stipple_draws(*p)}
            same(with_it, plain, mode)
        if name == "tri" and samples == 1:      # smoothed polygons are polygons
            smooth = covered(shape, "poly_smooth=1")
            same(covered(shape, "poly_smooth=1 poly_stipple_enable=1"), {p for p in smooth if stipple_draws(*p)})
            outline = covered(shape, "fill_front=line")
            same(covered(shape, "fill_front=line poly_stipple_enable=1"), outline)
    everywhere(test)


def part_of_pixel(inside, x, y, n=4):
    """How many of the n x n points of a pixel are inside."""
    steps = [Fraction(2 * i + 1, 2 * n) for i in range(n)]
    return Fraction(sum(inside(x + dx, y + dy) for dy in steps for dx in steps), n * n)


def smoothing():
    """Alpha is the covered part of the pixel on single-sampled targets, and with multisampling off; with
    multisampling on, and in conservative mode, the fields have no effect."""
    inside = {
        "tri": lambda x, y: x >= 1 and y >= 1 and x + y <= 16,
        "line": lambda x, y: 2 <= x <= 14 and Fraction(27, 4) <= y <= Fraction(39, 4),
        "point": lambda x, y: (x - 8) ** 2 + (y - 8) ** 2 < Fraction(49, 4),
    }
    state = {"tri": "poly_smooth=1", "line": "line_smooth=1 line_width=3",
             "point": "point_smooth=1 point_size=7 point_quad_rasterization=0"}

    def test(name, shape, samples, states):
        shape = shape.replace("8.5", "8.25")
        off = state[name].replace("smooth=1", "smooth=0")
        plain = draw(shape, "%s %s" % (off, states), samples=samples, show="color")
        shown = draw(shape, "%s %s" % (state[name], states), samples=samples, show="color")
        if samples == 4 and not states:
            same(shown, plain)
        else:
            wanted = {(x, y): part_of_pixel(inside[name], x, y) for x in range(SIDE) for y in range(SIDE)}
            same({p: c[3] for p, (m, c) in shown.items()}, {p: float(a) for p, a in wanted.items() if a})
            assert {m for m, c in shown.values()} == {(1 << samples) - 1}
            assert len({c[3] for m, c in shown.values()}) > 1
        conservative = "--mode conservative " + shape
        same(draw(conservative, "%s %s" % (state[name], states), samples=samples, show="color"),
             draw(conservative, "%s %s" % (off, states), samples=samples, show="color"), "conservative")
        for other in set(state) - {name}:       # the fields of the other primitives
            same(draw(shape, "%s_smooth=1 %s" % ({"tri": "poly"}.get(other, other), states), samples=samples, show="color"),
                 draw(shape, states, samples=samples, show="color"), other)
    everywhere(test)


# --- lines --------------------------------------------------------------------------------------


def line_width():
    """Columns as high as the width, rounded, starting at the pixel of the line moved by (width - 1) / 2; all
    samples."""
    places = 5.5, 6.3, 7.71875, 9.96875
    lines = ["%s,%s %s,%s" % p for w in places for p in ((2.5, w, 9.5, w), (w, 2.5, w, 9.5))]
    for samples in 1, 4:
        for tenths in range(10, 56, 5):
            width = int(tenths / 10 + 0.5)
            for n, got in enumerate(draw_each(lines, "line_width=%.1f" % (tenths / 10), samples=samples)):
                first = Fraction(places[n // 2]) - Fraction(width - 1, 2)
                row = -(-first.numerator // first.denominator) - 1
                want = {(y, x) if n & 1 else (x, y) for x in range(2, 10) for y in range(row, row + width)}
                same(set(got), want, "width %.1f: %s" % (tenths / 10, lines[n]))
                assert {m for m, s in got.values()} == {(1 << samples) - 1}
    everywhere(lambda name, shape, samples, states: name == "line" or same(
        draw(shape, "line_width=5 " + states, samples=samples), draw(shape, states, samples=samples)))


def row_text(pixels, y, width=SIDE):
    return "".join("#" if (x, y) in pixels else "." for x in range(width))


def line_stipple():
    """Bits from the lowest, each for factor + 1 pixels; the counter restarts at each line and each strip, and runs
    through a strip."""
    on = "line_stipple_enable=1 line_stipple_pattern=7"
    for samples in 1, 4:
        for lines in ("--line 0.5,0.5 20000,0.5", "--line 0.5,0.5 0.5,0.5", "--line 0.5,-9.5 9.5,-9.5",
                      "--line 2,0.5,-3 9,0.5,-2", "--tri 1,.5 9,.5 5,.5", "--line-strip 1,.5 5,.5 5,.5"):
            for fill in "", " fill_front=line fill_back=line":
                got = covered(lines + " --line 0.5,5.5 15.5,5.5", on + fill, samples=samples)
                assert row_text(got, 5) == "###.............", (lines, row_text(got, 5))
        for factor in 0, 1, 2, 6:
            for smooth in 0, 1:
                if smooth and samples > 1:
                    continue
                state = "line_stipple_enable=1 line_stipple_pattern=0x35a7 line_stipple_factor=%d line_smooth=%d" % (factor, smooth)
                cuts = [0, 3, 4, 11, 16]
                strip = covered("--line-strip " + " ".join("%d,4.5" % x for x in cuts), state, samples=samples)
                want = {(x, 4) for x in range(16) if 0x35a7 >> x // (factor + 1) % 16 & 1}
                same(strip, want, "factor %d, smooth %d" % (factor, smooth))
                clipped = covered("--line-strip -37,4.5 -20,4.5,-1 3,4.5 16,4.5", state, samples=samples)
                seen = {(x, 4) for x in range(16) if 0x35a7 >> (x + 37) // (factor + 1) % 16 & 1}
                assert {p for p in clipped if p[0] >= 3} == {p for p in seen if p[0] >= 3}, (factor, smooth)
    outline = covered("--tri 1,1 13,1 13,13 --tri 1,1 13,1 13,13", on + " fill_front=line")
    assert row_text(outline, 0).startswith(".###.....") and outline == covered("--tri 1,1 13,1 13,13", on + " fill_front=line")
    everywhere(lambda name, shape, samples, states: name == "line" or same(
        draw(shape, on + " " + states, samples=samples), draw(shape, states, samples=samples)))
    same(covered("--mode conservative " + LINE, on), covered(LINE), "conservative mode ignores it")


def smooth_and_stippled():
    """Rectangles of one pixel's length: the part that the pattern leaves out is not covered, across the line's
    direction."""
    for samples, states in ((1, ""), (4, " multisample=0")):
        state = "line_smooth=1 line_width=2 line_stipple_enable=1 line_stipple_pattern=0x0f0f" + states
        shown = draw("--line 1.5,8 15.5,8", state, samples=samples, show="color")
        want = {}
        for x in range(SIDE):
            part = part_of_pixel(lambda px, py: 1.5 <= px <= 15.5 and 0x0f0f >> int(px - Fraction(3, 2)) & 1, x, 0)
            want.update({(x, y): float(part) for y in (7, 8) if part})
        same({p: c[3] for p, (m, c) in shown.items()}, want)
        shown = draw("--line 1,1 13,10", state, samples=samples, show="color")      # 15 px long
        for (x, y), (m, color) in shown.items():
            along = ((x + 0.5 - 1) * 4 + (y + 0.5 - 1) * 3) / 5
            assert any(0x0f0f >> int(max(0, along + d)) & 1 for d in (-0.75, 0, 0.75)), (x, y)
        assert len(shown) < 0.75 * len(draw("--line 1,1 13,10", state.replace("enable=1", "enable=0"), samples=samples))


# --- depth --------------------------------------------------------------------------------------


def depths(shown):
    """By sample (or pixel), with its place in px."""
    result = {}
    for (x, y), (mask, depth) in shown.items():
        for s, d in enumerate(depth if isinstance(depth, list) else [depth]):
            if d is not None:
                dx, dy = SAMPLES[len(depth)][s] if isinstance(depth, list) else (0, 0)
                result[x, y, s] = (x + 0.5 + dx / 16, y + 0.5 + dy / 16, d)
    return result


def show_depth():
    """The contents of a depth buffer: of each sample at its place, of conservative pixels at their centres,
    extrapolated within the viewport's range. In ASCII and in JSON, coverage does not change."""
    for mode in "", "--mode conservative ":
        for samples in 1, 4:
            tri = mode + "--tri 1,1,0 13,2,.6 3,13,.4"
            shown = draw(tri, samples=samples, show="depth")
            same({p: m for p, (m, d) in shown.items()}, {p: m for p, (m, d) in draw(tri, samples=samples).items()})
            for place, (x, y, d) in depths(shown).items():
                if mode and samples > 1:
                    continue            # another rule defines which depth such a sample has
                a = (0.6 * 12 - 0.4) / (12 * 12 - 2)        # z = a (x - 1) + b (y - 1)
                b = (0.4 - 2 * a) / 12
                want = min(max(a * (x - 1) + b * (y - 1), 0), 1)
                assert abs(d - want) < 1e-5, (mode, samples, place, d, want)
            assert len({d for x, y, d in depths(shown).values()}) > 20
    for name, shape in SHAPES.items():
        for samples in 1, 4:
            assert {d for x, y, d in depths(draw(shape, samples=samples, show="depth")).values()} == {0.5}
    moved = depths(draw(TRI, "offset_tri=1 offset_units=0.25 offset_units_unscaled=1", show="depth"))
    assert {d for x, y, d in moved.values()} == {0.75}
    held = depths(draw(TRI, "depth_clamp=1 depth_max=0.375", show="depth"))
    assert {d for x, y, d in held.values()} == {0.375}
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        run_tool(command("--png %s --zoom 1 %s" % (file.name, TRI), show="depth"))
        again = tempfile.NamedTemporaryFile(suffix=".png")
        run_tool(command("--png %s --zoom 1 %s" % (again.name, TRI.replace(",.5", ",.25")), show="depth"))
        with open(file.name, "rb") as one, open(again.name, "rb") as two:
            assert one.read() != two.read(), "pictures of other depths are the same"


def depth_clip():
    """Near and far clipping, separately and together, in pixels and in clip space: a disabled plane does not clip,
    and depth is clamped to 0..1."""
    ends = {"point": [(8, 8)], "line": [(2, 8.5), (14, 8.5)], "tri": [(1, 1), (15, 1), (1, 15)]}
    ranges = [(-0.5, -0.5), (-1, 0.5), (-0.5, 1.5), (0.25, 2), (1.5, 1.5), (0.25, 0.75)]
    cases = [(name, low, high) for name in ends for low, high in ranges]

    def text(space, name, zs):
        return " ".join("%r,%r,%r" % ((x, y, z) if space == "pixel" else (x / 8 - 1, 1 - y / 8, z))
                        for (x, y), z in zip(ends[name], zs))

    for samples in 1, 4:
        for space in "pixel", "clip":
            whole = dict(zip(ends, draw_each([text(space, n, [0.5] * 3) for n in ends], samples=samples, space=space)))
            for near, far in ((0, 0), (0, 1), (1, 0), (1, 1)):
                answers = draw_each([text(space, n, (low, high, low)) for n, low, high in cases],
                                    "depth_clip_near=%d depth_clip_far=%d" % (near, far), samples=samples, show="depth", space=space)
                for (name, low, high), shown in zip(cases, answers):
                    check_depth_clip(shown, set(whole[name]), ends[name], low, high, near, far, samples)


def check_depth_clip(shown, whole, corners, low, high, near, far, samples):
    """z goes from low at the first corner to high at the second."""
    got = {(x, y): d for (x, y, s), (px, py, d) in depths(shown).items()}
    assert set(got) <= whole and all(0 <= d <= 1 for d in got.values())
    flat = len(corners) == 1 or low == high
    edge = 0 if flat else abs(high - low) / 10      # a pixel and a half away from the plane
    for x, y in whole:
        z = low if flat else low + (x + 0.5 - corners[0][0]) / (corners[1][0] - corners[0][0]) * (high - low)
        where = (corners, low, high, near, far, x, y, z)
        if (near and z < -edge) or (far and z > 1 + edge):
            assert (x, y) not in got, where
        if not (near and z < edge) and not (far and z > 1 - edge):
            assert (x, y) in got, where
            assert samples > 1 or abs(got[x, y] - min(max(z, 0), 1)) < 6e-4, (where, got[x, y])


def clip_planes():
    """Each of eight half-spaces by itself, and all of them together."""
    shapes = ["0,0,.5", "-.9,.03,.5 .9,.03,.5", "-.9,.9,.5 .9,.9,.5 -.9,-.9,.5"]
    states = "point_size=9"
    for samples in 1, 4:
        whole = draw_each(shapes, states, samples=samples, space="clip")
        for k in range(8):
            planes = "--clip-plane 0,0,0,1 " * k + "--clip-plane 1,0,0,0.25 "     # x >= -1/4
            for n, half in enumerate(draw_each(shapes, states, planes, samples=samples, space="clip")):
                same(set(half), {p for p in whole[n] if p[0] >= 6}, "plane %d of %s" % (k, shapes[n]))
            off = draw_each(shapes, states, planes + "--state clip_plane_enable=%d " % (255 & ~(1 << k)), samples=samples,
                            space="clip")
            assert off == whole, "plane %d is off" % k
    dropped = "point_size=9 point_tri_clip=0"       # before the point becomes a square: by its centre
    assert not covered("--clip-plane 1,0,0,-.1 --point 0,0,.5", dropped, space="clip")
    assert len(covered("--clip-plane 1,0,0,.1 --point 0,0,.5", dropped, space="clip")) == 81
    for arguments in ("--clip-plane 0,0,0,1 " * 9 + "--point 0,0", "--state clip_plane_enable=256 --point 0,0"):
        run_tool(command(arguments, space="clip"), status=2)


# --- conservative rasterization -------------------------------------------------------------------


def snap(v, bits):
    """A float to steps of 1 / (256 * 2^bits), ties to even."""
    return round(Fraction(v) * (256 << bits))


def conservative_pixels(corners, bits, side):
    """The definition, in integers: the snapped triangle swept by half a pixel and half a step, with the top-left
    rule on its edges. Units: 1/2^18 px."""
    unit = 1 << 18
    half = [unit // 2 + (unit >> 9 + b) for b in bits]
    p = [tuple(snap(v, b) * (unit >> 8 + b) for v, b in zip(c, bits)) for c in corners]
    area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0])
    if not area:
        return None
    if area < 0:
        p[1], p[2] = p[2], p[1]
    result = set()
    for y in range(side):
        for x in range(side):
            cx, cy = x * unit + unit // 2, y * unit + unit // 2
            inside = min(v[0] for v in p) - half[0] <= cx <= max(v[0] for v in p) + half[0] and \
                min(v[1] for v in p) - half[1] <= cy <= max(v[1] for v in p) + half[1]
            for i in range(3):
                (ax, ay), (bx, by) = p[i], p[(i + 1) % 3]
                dx, dy = bx - ax, by - ay
                e = dx * (cy - ay) - dy * (cx - ax) + half[1] * abs(dx) + half[0] * abs(dy)
                inside = inside and (e > 0 or (e == 0 and (dy < 0 or (dy == 0 and dx > 0))))
            if inside:
                result.add((x, y))
    return result


def subpixel_precision():
    """Up to eight more bits in each axis, for triangles of any size; no effect where coverage is not conservative."""
    random.seed(3)
    for bits in (0, 0), (4, 4), (8, 8), (8, 0), (0, 8), (3, 7):
        lines, corners = [], []
        for n in range(150):
            reach = random.choice((4, 4, 40, 900, 8000))
            c = [[Fraction(random.randint(-reach * 4096, reach * 4096), 4096) for v in "xy"] for i in range(3)]
            if n % 3 == 0:              # edges close to corners of pixels
                c = [[Fraction(round(v)) + Fraction(random.randint(-80, 80), 65536) for v in v2] for v2 in c]
            c = [[Fraction(float(v)).limit_denominator(1 << 20) for v in v2] for v2 in c]
            c = [[min(max(v, -8190), 8190) for v in v2] for v2 in c]
            c = [[Fraction(as_float(v)) for v in v2] for v2 in c]
            corners.append(c)
            lines.append(" ".join("%r,%r" % (float(x), float(y)) for x, y in c))
        states = "subpixel_precision_x=%d subpixel_precision_y=%d" % bits
        answers = run_tool(command("--mode conservative --stdin", states, side=12), "\n".join(lines) + "\n").splitlines()
        assert len(answers) == len(lines)
        seen = 0
        for text, c, answer in zip(lines, corners, answers):
            want = conservative_pixels(c, bits, 12)
            if want is not None:
                got = {tuple(p) for p in json.loads(answer)["covered"]}
                assert got == want, "bits %s: %s: %s" % (bits, text, sorted(got ^ want))
                seen += len(want)
        assert seen > 300, seen
    for samples in 1, 4:
        fine = "subpixel_precision_x=8 subpixel_precision_y=8"
        one = "--mode conservative --tri 1.25,1.25 5.99999,1.25 1.25,5.99999"
        both = covered(one, fine, samples=samples), covered(one, samples=samples)
        assert len(both[0]) < len(both[1])
    # A sliver of 1/2048 px has an area only on the finer grid; the same when the near plane cuts it at x = 8.5.
    sliver = "--mode conservative --tier 1 --tri -.6875,.46875,.5 .8125,.46875,%s -.6875,.46868896484375,.5"
    for z in "-.5", ".5":
        assert not covered(sliver % z, space="clip")
        same(covered(sliver % z, "subpixel_precision_x=8 subpixel_precision_y=8", space="clip"),
             {(x, 4) for x in range(2, 9 if z == "-.5" else 15)})
    everywhere(lambda name, shape, samples, states: same(
        draw(shape.replace("1,.5", "1.0005,.5"), "subpixel_precision_x=8 " + states, samples=samples),
        draw(shape.replace("1,.5", "1.0005,.5"), states, samples=samples)))


def as_float(v):
    """Rounded to a float of 24 bits."""
    return struct.unpack("f", struct.pack("f", float(v)))[0]


# --- the rest of the 44 fields ---------------------------------------------------------------------------


def every_field():
    """The tool knows each field of the document, and setting a field to its default changes nothing for points,
    lines and triangles."""
    with open(os.path.join(ROOT, "raster/raster.h")) as file:
        struct_text = re.search(r"struct raster_state \{(.*?)\n\};", file.read(), re.S)[1]
    struct_text = re.sub(r"/\*.*?\*/", "", struct_text, flags=re.S)
    names = [n.strip() for line in struct_text.split(";") if line.strip() for n in line.split(None, 1)[1].split(",")]
    listed = run_tool([dp2_program, "coverage", "--state", "help"])
    assert len(names) == 44 and all(re.search(r"^  %s " % n, listed, re.M) for n in names), len(names)


# --- input and output -------------------------------------------------------------------------------


def no_answer(number, frame):
    raise TimeoutError("no answer")


def stdin_at_once():
    """Each line is answered before the next one is sent."""
    signal.signal(signal.SIGALRM, no_answer)
    signal.alarm(3600)
    process = subprocess.Popen(command("--stdin"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    asked = [("1,1 7,2 3,7", 17), ("# nothing", None), ("", None), ("  \t", None), ("2.5,2.5 9.5,2.5", 8), ("4,4", 1),
             ("fan 1,1 5,1 5,5 1,5", 16), ("line-strip 2.5,2.5 5.5,2.5 5.5,5.5", 7), ("1,1 7,2 3,7\r", 17)]
    for text, count in asked:
        process.stdin.write((text + "\n").encode())
        process.stdin.flush()
        if count is not None:
            answer = json.loads(process.stdout.readline())
            assert answer["viewport"] == [SIDE, SIDE] and abs(len(answer["covered"]) - count) <= 3, (text, answer)
            want = sorted(map(list, covered("--%s %s" % tuple(text.split(None, 1)) if text[0].isalpha() else "--%s %s" % (
                ("point", "line", "tri")[text.count(" ")], text.strip()))))
            assert sorted(answer["covered"]) == want, text
    process.stdin.close()
    assert process.wait() == 0 and process.stdout.read() == b"" and process.stderr.read() == b""
    signal.alarm(0)


def stdin_malformed():
    """A malformed line is reported and answered, and does not end the process."""
    bad = ["1,1 2", "x", "1,1 2,2 3,3 4,4", "1", "1,,2", "nan,1", "fan 1,1 2,2", "hexagon 1,1 2,2 3,3", "1,1\0 2,2", "1,1 " * 400]
    lines = ["1,1 7,2 3,7"] + [l for b in bad for l in (b, "4,4")]
    done = subprocess.run(command("--stdin"), input="\n".join(lines).encode(), capture_output=True, timeout=3600)
    answers = [json.loads(l) for l in done.stdout.decode().splitlines()]
    assert done.returncode == 1 and len(answers) == len(lines)
    for number, (text, answer) in enumerate(zip(lines, answers), 1):
        if text in bad:
            assert (answer["line"], answer["error"]) == (number, "malformed line") and "covered" not in answer, (text, answer)
            assert "standard input:%d: malformed line" % number in done.stderr.decode()
        else:
            assert answer["covered"], text
    assert done.stderr.decode().count("malformed") == len(bad)
    assert run_tool(command("--stdin"), "") == "" and run_tool(command("--stdin"), "# only this") == ""


def files():
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("# a triangle, a line, a point\n1,1 7,2 3,7\n\nquad 9,9 12,9 12,12 9,12\n2,14.5 9,14.5\n14,2\n")
        file.flush()
        together = "--tri 1,1 7,2 3,7 --quad 9,9 12,9 12,12 9,12 --line 2,14.5 9,14.5 --point 14,2"
        same(covered(file.name), covered(together))
        same(covered("--point 1,14 " + file.name), covered("--point 1,14 " + together))
        file.write("1,1 7,2 oops\n")
        file.flush()
        done = subprocess.run(command(file.name), capture_output=True)
        assert done.returncode == 1 and b":7: malformed line" in done.stderr and not done.stdout
    for arguments in ("--tri 1,1 2,2", "--line 1,1", "--quad 1,1 2,2 3,3", "--fan 1,1 2,2", "--point x", "--polygon 1,1 x", "nothing.txt"):
        run_tool(command(arguments), status=2)


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.split(".")[0], os.path.join(ROOT, "scripts", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def gallery():
    """The pictures and the text of docs/gallery.md are those that `make gallery` makes."""
    script, picture = load("gallery"), load("picture.py")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(ROOT, "docs/gallery.md")) as file:
            assert script.make(folder, dp2_program) == file.read()
        made = sorted(os.listdir(folder))
        kept = os.path.join(ROOT, "docs/images/gallery")
        assert made == sorted(os.listdir(kept))
        for name in made:
            assert picture.read(os.path.join(folder, name)) == picture.read(os.path.join(kept, name)), name


if len(sys.argv) > 1:
    dp2_program = os.path.abspath(sys.argv[1])
passed = run_tests([
    clamp_vertex_color, light_twoside, flatshade_first, degenerate_depth, poly_stipple, smoothing,
    line_width, line_stipple, smooth_and_stippled, show_depth, depth_clip, clip_planes, subpixel_precision,
    every_field, stdin_at_once, stdin_malformed, files, gallery])
sys.exit(0 if passed else 1)
