#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The frame debugger's reasons compared with the known causes. Frames and draws are random; the correct reasons follow
from how they were made, and from the documentation of Direct3D. Speaks TAP.

tests/cli/test_causes.py [DP2] [CAPTURE...]
"""
import json
import random
import struct
import subprocess
import sys

from program import CAPTURES, PATIENCE, PROGRAM, all_captures, ask, assemble, clean, frames_with_draws, run
from tap import run_tests

ROUNDS = 8 if "/asan/" in PROGRAM else 40

# --- which actions belong to a pixel --------------------------------------------------------------------

SIZE = 8
BIG = "0 0 %g 1 #ff%06x  60 0 %g 1 #ff%06x  0 60 %g 1 #ff%06x"


class Frame:
    """Passes to several targets and depth buffers. `actions`: for each action the surfaces that it writes, in order."""

    def __init__(self, chance):
        self.chance, self.text, self.vertices, self.actions = chance, [], [], []
        self.targets = list(range(1, 2 + chance.randrange(1, 4)))
        self.depths = [len(self.targets) + 1 + i for i in range(chance.randrange(1, 3))]
        self.open, self.bound, self.more, self.depth = False, 1, 0, 0
        self.number = 0

    def name(self, surface):
        return ("t%d" if surface in self.targets else "z%d") % surface if surface else "0"

    def begin(self):
        if not self.open:
            self.text.append("draw c {")
            self.vertices.append([])
            self.open = True

    def end(self):
        if self.open:
            drawn = self.vertices[-1]
            self.text.append("user_vertices { fvf(XYZRHW|DIFFUSE %s) }\n}" % "\n".join(drawn) if drawn else "}")
            self.open = False

    def color(self):
        """A target that no earlier action used, and a depth buffer."""
        self.number += 1
        return self.number * 0x030507 & 0xffffff, self.number / 64

    def bind(self):
        self.begin()
        self.bound, self.depth = self.chance.choice(self.targets), self.chance.choice(self.depths + [0])
        self.more = self.chance.choice([0, 0] + [t for t in self.targets if t != self.bound])
        self.text.append("SETRENDERTARGET2 {index=1 target=0}\nSETRENDERTARGET {target=%s depth=%s}\nSETRENDERTARGET2 {index=1 target=%s}\n"
                         "VIEWPORTINFO {x=0 y=0 width=%d height=%d}" % (self.name(self.bound), self.name(self.depth), self.name(self.more), SIZE, SIZE))

    def written(self):
        return {self.bound, self.more, self.depth} - {0}

    def clear(self):
        self.begin()
        color, depth = self.color()
        self.text.append("CLEAR flags=TARGET%s color=#ff%06x depth=%g {rect=(0 0 %d %d)}" % ("|ZBUFFER" if self.depth else "", color, depth, SIZE, SIZE))
        self.actions.append(self.written())

    def draw(self):
        """The action may read the result of another pass."""
        self.begin()
        color, depth = self.color()
        free = [t for t in self.targets if t not in self.written()]
        texture = self.chance.choice([0] + free)
        self.text.append("TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=%s} {stage=0 state=COLOROP value=%s} {stage=0 state=COLORARG1 value=DIFFUSE}"
                         % (self.name(texture), "ADD" if texture else "SELECTARG1"))
        self.text.append("DRAWPRIMITIVE {type=TRIANGLELIST start=%d primitives=1}" % (3 * len(self.vertices[-1])))
        self.vertices[-1].append(BIG % ((depth, color) * 3))
        self.actions.append(self.written())

    def write(self):
        """The program writes to a target that no draw has written."""
        self.end()
        color, _ = self.color()
        self.text.append("memory t%d { hex(%s) }" % (self.chance.choice(self.targets), " ".join([struct.pack("<I", color).hex(" ")] * SIZE * SIZE)))

    def blit(self):
        """Copies from one target to another: a copy is an action of the surface that it writes."""
        self.end()
        to, source = self.chance.sample(self.targets, 2)
        self.text.append("blt t%d source=t%d to=(0 0 %d %d) from=(0 0 %d %d) flags=0x1000000" % ((to, source) + (SIZE,) * 4))
        self.actions.append({to})

    def capture(self):
        for _ in range(self.chance.randrange(6, 24)):
            self.chance.choice([self.bind, self.clear, self.draw, self.draw, self.draw, self.write, self.blit])()
        self.end()
        head = ["create target-texture t%d %dx%d A8R8G8B8" % (t, SIZE, SIZE) for t in self.targets]
        head += ["create depth z%d %dx%d D24S8" % (z, SIZE, SIZE) for z in self.depths]
        head += ["context c target=t1 level=5", "draw c {\nVIEWPORTINFO {x=0 y=0 width=%d height=%d}" % (SIZE, SIZE),
                 "RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=TRUE} {state=ZFUNC value=ALWAYS}",
                 "SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}\nSETSTREAMSOURCEUM {stream=0 stride=20}\n}"]
        return assemble("\n".join(head + self.text + ["present t1\n"]))


def random_frames_have_their_rows():
    """For each surface: exactly the actions that have it among their targets, whatever else is drawn or written in
    between."""
    chance, rows = random.Random(11), 0
    for number in range(ROUNDS):
        frame = Frame(chance)
        capture = frame.capture()
        for surface in frame.targets + frame.depths:
            found = ask("pixel", capture, "%d,%d" % (chance.randrange(SIZE), chance.randrange(SIZE)), "--surface", str(surface))["rows"]
            told = [r["draw"] for r in found if r["kind"] not in ("present", "lock")]
            wanted = ["0.%d" % i for i, written in enumerate(frame.actions) if surface in written]
            assert told == wanted, (number, surface, told, wanted, "\n".join(frame.text))
            rows += len(wanted)
        for row in ask("draws", capture)["frames"][0]["draws"]:
            if row["kind"] in ("draw", "clear"):
                assert set(row["targets"] + [row["depth"]]) - {0} == frame.actions[int(row["draw"][2:])], row
    assert rows > 5 * ROUNDS, rows


class Chain:
    """A frame that draws to the buffers of a flip chain and flips in between: to the next buffer, which moves all
    memories up by one, or to another one, which exchanges two. The front is 1; memories are numbered like the buffers
    that have them before the frame. `steps`: for each action ("flip", memories of all buffers after it) or (kind,
    buffers that it writes, whether it reaches the pixel, color)."""

    def __init__(self, chance):
        self.chance, self.count, self.steps, self.text = chance, chance.randrange(2, 5), [], []
        self.place = chance.randrange(SIZE), chance.randrange(SIZE)
        self.memory = {b: b for b in self.buffers()}
        self.start = dict(self.memory)

    def buffers(self):
        return range(1, self.count + 1)

    def color(self):
        return (len(self.steps) + 1) * 0x030507 & 0xffffff

    def targets(self):
        first, *more = self.chance.sample(list(self.buffers()), self.chance.choice([1, 1, 1, 2]))
        self.text.append("draw c {\nSETRENDERTARGET2 {index=1 target=0}\nSETRENDERTARGET {target=%d depth=0}\nSETRENDERTARGET2 {index=1 target=%d}\n"
                         "VIEWPORTINFO {x=0 y=0 width=%d height=%d}" % (first, more[0] if more else 0, SIZE, SIZE))
        return [first, *more]

    def clear(self):
        targets, color = self.targets(), self.color()
        left, top = self.chance.randrange(-1, 4), self.chance.randrange(-1, 4)
        self.text.append("CLEAR flags=TARGET color=#ff%06x depth=0 {rect=(%d %d %d %d)}\n}" % (color, left, top, SIZE, SIZE))
        self.steps.append(("clear", targets, self.place[0] >= left and self.place[1] >= top, color))

    def draw(self):
        targets, color = self.targets(), self.color()
        self.text.append("DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\nuser_vertices { fvf(XYZRHW|DIFFUSE %s) }\n}" % (BIG % ((0, color) * 3)))
        self.steps.append(("draw", targets, True, color))

    def flip(self):
        target, old = self.chance.randrange(2, self.count + 1), dict(self.memory)
        self.text.append("flip 1 target=%d" % target)
        if target == 2:
            self.memory = {b: old[b % self.count + 1] for b in self.buffers()}
        else:
            self.memory[1], self.memory[target] = old[target], old[1]
        self.steps.append(("flip", dict(self.memory)))

    def capture(self):
        for _ in range(self.chance.randrange(3, 16)):
            self.chance.choice([self.clear, self.draw, self.draw, self.flip])()
        caps = ["PRIMARYSURFACE|FRONTBUFFER|FLIP|COMPLEX|3DDEVICE", "BACKBUFFER|FLIP|3DDEVICE", "FLIP|3DDEVICE", "FLIP|3DDEVICE"]
        head = ["surfaces local=1 process=1 {"]
        head += ["    part id=%d handle=%d caps=%s|VIDEOMEMORY|LOCALVIDMEM local_flags=0x2000 width=%d height=%d pf_size=32 pf_flags=0x200000 format=A8R8G8B8 back_buffers=%d"
                 % (b, b, caps[b - 1], SIZE, SIZE, self.count - 1 if b == 1 else 0) for b in self.buffers()]
        links = ["    link from=%d to=%d" % (b, b % self.count + 1) for b in self.buffers()]
        head += links + ["}", "announce local=1 root=1 {"] + ["    name id=%d handle=%d" % (b, b) for b in self.buffers()] + links
        head += ["}", "context c target=1 level=5", "draw c {",
                 "RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=FALSE}",
                 "SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}\nSETSTREAMSOURCEUM {stream=0 stride=20}\n}"]
        return assemble("\n".join(head + self.text + ["frame 0 surface=1 rect=(0 0 %d %d)\n" % (SIZE, SIZE)]))

    def rows(self, surface):
        """(action, surface, from) of each row, and the memories that they concern. surface 0: of the memory that the
        front has in the end; else what is done to the surface by its number, and to memory before it comes to it."""
        told, before = [], self.start
        for number, step in enumerate(self.steps):
            after = step[1] if step[0] == "flip" else before
            coming = {a[1][surface] for a in self.steps[number:] if a[0] == "flip"} if surface else {self.memory[1]}
            for buffer in self.buffers():
                if buffer != surface and after[buffer] not in coming:
                    continue
                if step[0] != "flip":
                    told += [(number, buffer, 0, (before[buffer],) * 2)] if buffer in step[1] and step[2] else []
                elif before[buffer] != after[buffer]:
                    source = [b for b in self.buffers() if before[b] == after[buffer]][0]
                    told.append((number, buffer, source, (before[buffer], after[buffer])))
            before = after
        return told


def random_flips_are_rows():
    """Pixels of flip chains: each surface has the actions on it, the flips that give it memory, and the actions on that
    memory before; and the values of the rows are continuous in each memory."""
    chance, moved, doubled = random.Random(17), 0, 0
    for number in range(2 * ROUNDS):
        chain = Chain(chance)
        capture = chain.capture()
        for surface in range(chain.count + 1):
            answer = ask("pixel", capture, "%d,%d" % chain.place, *(["--surface", str(surface)] if surface else []))
            wanted, at = chain.rows(surface), (number, surface, chain.steps, answer["rows"])
            told = sorted((int(r["draw"][2:]), r["surface"], r.get("from", 0)) for r in answer["rows"])
            assert told == [w[:3] for w in wanted], (told, wanted, at)
            rows = {(int(r["draw"][2:]), r["surface"]): r for r in answer["rows"]}
            held = {}           # what each memory holds, as far as the rows have told
            for action, buffer, source, (old, new) in wanted:
                row, step = rows[action, buffer], chain.steps[action]
                # (what a buffer other than the surface loses by a flip is in no row)
                assert (source and buffer != surface) or held.get(old, row["before"]) == row["before"], at
                assert not source or held.get(new, row["after"]) == row["after"], at
                assert row["changed"] == (row["before"][0]["color"] != row["after"][0]["color"]), at
                if not source and buffer == step[1][0]:
                    assert row["after"][0]["bytes"] == struct.pack("<I", 0xff000000 | step[3]).hex(), at
                held[new] = row["after"]
                moved += source != 0
            doubled += len({w[0] for w in wanted if chain.steps[w[0]][0] == "draw"}) < len([w for w in wanted if chain.steps[w[0]][0] == "draw"])
            end = chain.memory[surface or 1]
            assert answer["final"] == held.get(end, answer["final"]), at
    assert moved > ROUNDS and doubled > 3, (moved, doubled)


def rows_are_of_their_surface():
    """Every history row of some pixels of all captures: its surface is among the targets of the action."""
    chance, rows = random.Random(5), 0
    for capture in all_captures():
        drawn = [f for f in frames_with_draws(capture) if f["draws"]]
        for frame in drawn[2:3] if capture in CAPTURES else drawn[-1:]:     # the examples have many frames to replay
            actions = {r["draw"]: r for r in frame["draws"]}
            surfaces = {s for r in frame["draws"] for s in r.get("targets", []) + [r.get("depth", 0)]} - {0}
            for surface in [0] + sorted(surfaces)[:8]:
                words = ["--surface", str(surface)] if surface else []
                done = run("pixel", capture, "%d,%d" % (chance.randrange(30), chance.randrange(30)), "-f", str(frame["frame"]), "--json", *words)
                for row in json.loads(done.stdout)["rows"] if done.returncode == 0 else []:
                    if row["kind"] in ("draw", "clear"):
                        action = actions[row["draw"]]
                        assert row["reaches"] and row["surface"] in action["targets"] + [action["depth"]], (capture, row, action)
                        rows += 1
    assert rows > 100, rows


# --- why a draw draws nothing ----------------------------------------------------------------------------

WIDTH, HEIGHT, X, Y = 160, 120, 80, 60
OVER = [(80, 10), (145, 108), (15, 108)]            # around the pixel, clockwise
FAR = [(10, 3), (24, 3), (10, 12)]                  # nowhere near
CLEAR, COLOR = 0x204060, 0xffff4040
CHANNELS = {"A8R8G8B8": 15, "X8R8G8B8": 7, "R5G6B5": 7}     # R1 G2 B4 A8, as COLORWRITEENABLE has them

SCENE = """create target t 160x120 %(format)s
create depth z 160x120 D24S8
%(create)s
context c target=t depth=z level=5
%(memory)s
draw c {
    VIEWPORTINFO {x=0 y=0 width=160 height=120}
    CLEAR flags=TARGET|ZBUFFER|STENCIL color=#ff204060 depth=1 stencil=3 {rect=(0 0 160 120)}
    RENDERSTATE {state=LIGHTING value=FALSE} %(states)s
    SETVERTEXSHADER {shader=%(fvf)s}
    %(commands)s
    %(draw)s
    %(draw)s
}
present t
"""


class Draw:
    """A draw of some triangles, the last of which covers the pixel. Everything not named here is random."""

    def __init__(self, chance):
        self.chance = chance
        self.others = chance.randrange(4)
        self.transformed = chance.random() < 0.5
        self.indexed = chance.choice([0, 2, 4])
        self.stride = (20 if self.transformed else 16) + 4 * chance.randrange(3)
        self.start = chance.randrange(3)
        self.format = chance.choice(sorted(CHANNELS))
        self.over = OVER
        self.vertex_bytes = self.index_bytes = None
        self.mask = chance.choice([15, 15, 15, 0, 1])
        self.depth_writes, self.stencils = chance.random() < 0.5, chance.random() < 0.5
        self.states = {"CULLMODE": chance.choice(["NONE", "CCW"]), "ZENABLE": "TRUE", "ALPHABLENDENABLE": "FALSE"}
        self.commands = ""
        self.bound = self.indices_bound = True
        self.nan = False
        self.given_stride = None

    def places(self):
        return FAR * self.others + self.over

    def vertex(self, place, bad):
        x = float("nan") if bad else place[0]
        if self.transformed:
            data = struct.pack("<4fI", x, place[1], 0.5, 1, COLOR)
        else:
            data = struct.pack("<3fI", (x + 0.5) / (WIDTH / 2) - 1, 1 - (place[1] + 0.5) / (HEIGHT / 2), 0.5, COLOR)
        return data.ljust(self.stride, b"\0")

    def count(self):
        return len(self.places())

    def capture(self):
        places = self.places()
        vertices = bytes(self.start * self.stride) + b"".join(self.vertex(p, self.nan and i == len(places) - 2) for i, p in enumerate(places))
        numbers = [0] * self.start + [self.start + i for i in range(len(places))] if self.indexed else []
        indices = b"".join(n.to_bytes(self.indexed, "little") for n in numbers)
        vertices, indices = vertices[:self.vertex_bytes], indices[:self.index_bytes]
        create, memory = ["create vertices vb %d" % len(vertices)], ["memory vb { hex(%s) }" % vertices.hex(" ")]
        stride = self.stride if self.given_stride is None else self.given_stride
        commands = "SETSTREAMSOURCE {stream=0 buffer=%s stride=%d}\n" % ("vb" if self.bound else "0", stride)
        if self.indexed:
            create.append("create indices ib %d" % len(indices))
            memory.append("memory ib { hex(%s) }" % indices.hex(" "))
            commands += "SETINDICES {buffer=%s stride=%d}\n" % ("ib" if self.indices_bound else "0", self.indexed)
            draw = "DRAWINDEXEDPRIMITIVE {type=TRIANGLELIST base=0 min_index=0 vertices=3 start_index=%d primitives=%d}" % (self.start, len(places) // 3)
        else:
            draw = "DRAWPRIMITIVE {type=TRIANGLELIST start=%d primitives=%d}" % (self.start, len(places) // 3)
        states = {**self.states, "COLORWRITEENABLE": self.mask, "ZWRITEENABLE": "TRUE" if self.depth_writes else "FALSE"}
        if self.stencils:
            states = {"STENCILENABLE": "TRUE", "STENCILFUNC": "ALWAYS", "STENCILPASS": "REPLACE", "STENCILREF": 7, "STENCILMASK": 255, **states}
        return assemble(SCENE % {
            "format": self.format, "create": "\n".join(create), "memory": "\n".join(memory), "draw": draw, "commands": commands + self.commands,
            "states": " ".join("{state=%s value=%s}" % s for s in states.items()), "fvf": "XYZRHW|DIFFUSE" if self.transformed else "XYZ|DIFFUSE"})

    def writes_color(self):
        return self.mask & CHANNELS[self.format] != 0

    def would_change(self):
        """The draw's colour, if it reaches the pixel. Alpha is the same before and after, so that the mask decides
        by the other channels."""
        return ["color"] * (self.mask & 7 != 0) + ["depth"] * self.depth_writes + ["stencil"] * self.stencils


# Each function creates one cause, and returns the verdict and whether dp2 proves it by experiment, the missing data
# with numbers, and words of the log.

def nothing(d):
    return "written" if d.writes_color() else "write-masked", False, None, None


def culled(d):
    d.states["CULLMODE"] = "CW"
    return "culled", True, None, None


def scissored(d):
    d.states["SCISSORTESTENABLE"] = "TRUE"
    d.commands = "SETSCISSORRECT {rect=(%d 0 160 120)}" % d.chance.randrange(X + 1, 160)
    return "scissored", True, None, None


def alpha(d):
    d.states.update(ALPHATESTENABLE="TRUE", ALPHAFUNC="NEVER")
    return "alpha-failed", True, None, None


def stencil(d):
    d.stencils = True
    d.states["STENCILFUNC"] = "NEVER"
    return "stencil-failed", True, None, None


def depth(d):
    d.states["ZFUNC"] = d.chance.choice(["NEVER", "GREATER"])
    return "depth-failed", True, None, None


def masked(d):
    d.mask = d.chance.choice([0, 15 & ~CHANNELS[d.format]])
    return "write-masked", False, None, None


def degenerate(d):
    d.over = d.chance.choice([[(80, 60)] * 3, [(80, 10), (80, 10), (80, 110)], [(10, 60), (80, 60), (150, 60)], [(15, 108), (80, 60), (15, 108)]])
    return "no-area", False, None, None


def zero_matrix(d):
    d.transformed, d.others = False, 0
    d.stride = max(d.stride, 16)
    d.commands = "SETTRANSFORM {type=WORLD matrix=(%s)}" % " ".join("0" * 16)
    return "no-area", False, None, None


def not_a_number(d):
    d.nan = True
    return "missing", False, None, "is not a number"


def short_stream(d):
    """The buffer ends after the first vertex of the triangle over the pixel, or between it and the next vertex: the
    missing ones are 0."""
    used = 20 if d.transformed else 16
    end = (d.start + d.count()) * d.stride
    d.vertex_bytes = end - 2 * d.stride - d.chance.randrange(d.stride - used + 1)
    read = end - d.stride + used
    return "no-data", False, {"lack": "stream-bytes", "stream": 0, "begin": d.start * d.stride, "end": read, "bytes": d.vertex_bytes}, "its streams hold"


def short_indices(d):
    d.indexed = d.indexed or 2
    end = (d.start + d.count()) * d.indexed
    d.index_bytes = end - d.chance.randrange(2 * d.indexed, 3 * d.indexed)     # the first vertex may lack bytes that are 0 anyway
    return "no-data", False, {"lack": "index-bytes", "begin": d.start * d.indexed, "end": end, "bytes": d.index_bytes}, "those beyond its end are 0"


def beyond(d):
    """The whole draw begins beyond the end of the buffer."""
    d.indexed, d.start = 0, 2
    d.vertex_bytes = d.chance.randrange(4, 2 * d.stride)
    read = (d.start + d.count() - 1) * d.stride + (20 if d.transformed else 16)
    return None, False, {"lack": "stream-bytes", "stream": 0, "begin": 2 * d.stride, "end": read, "bytes": d.vertex_bytes}, "skipped: its first vertex"


def no_stream(d):
    d.bound = False
    return "no-data", False, {"lack": "stream", "stream": 0}, "which has no buffer"


def no_indices(d):
    d.indexed, d.indices_bound = d.indexed or 4, False
    return None, False, {"lack": "no-indices"}, "skipped: no index buffer"


def no_stride(d):
    d.given_stride = 0
    return "no-area", False, {"lack": "stride", "stream": 0}, None


def no_viewport(d):
    d.commands = "VIEWPORTINFO {x=0 y=0 width=0 height=0}"
    return None, False, {"lack": "no-viewport"}, "skipped: the viewport"


CAUSES = [nothing, culled, scissored, alpha, stencil, depth, masked, degenerate, zero_matrix, not_a_number, short_stream, short_indices, beyond,
          no_stream, no_indices, no_stride, no_viewport]
SAID = {"no-area", "no-data", "missing", "culled"}      # from dp2 mesh, for the primitive over the pixel


def warnings(capture):
    done = subprocess.run([PROGRAM, "replay", capture], env=clean(HALCYON_LOG_LEVEL="warn"), capture_output=True, timeout=PATIENCE)
    return done.stderr.decode().splitlines()


def judge(d, capture, verdict, is_tried, lack, log):
    (row,) = ask("pixel", capture, "%d,%d" % (X, Y), "--surface", "1", "--why", "0.1")["rows"]
    assert row["reaches"] and not row["disagrees"], row
    (told,) = row["fragments"] or [row.get("nearest", {})]
    assert told.get("verdict") == verdict, (told, row["lacks"])
    if is_tried:
        changes = d.would_change()
        assert (told["otherwise"], told.get("would_change", [])) == ("changes" if changes else "leaves", changes), (told, changes)
    if verdict == "write-masked":
        assert told["otherwise"] == "changes" and told["would_change"] == ["color"], told
    draw = ask("draws", capture)["frames"][0]["draws"][1]
    mesh = ask("mesh", capture, "0.1")
    assert row["lacks"] == draw["lacks"] == mesh["lacks"], (row["lacks"], draw["lacks"])
    found = [{k: v for k, v in one.items() if k not in ("text", "surface")} for one in row["lacks"]]
    assert found == ([] if not lack else [lack]) or (lack and lack in found and found[0]["lack"] == "beyond"), (found, lack)
    if verdict in SAID:
        assert mesh["primitives"][-1]["verdict"] == verdict, mesh["primitives"][-1]
        assert verdict not in ("no-area", "no-data") or draw["no_area"] >= 1, draw
    assert verdict or draw["assembled"] == draw["written"] == 0, draw
    said = warnings(capture)
    assert sum(log in line for line in said) == 1 if log else not said, (log, said)


def causes_are_named():
    """Random states, buffers and geometry and one cause: every output names the cause, and says what would change
    without it."""
    chance, seen = random.Random(3), set()
    for number in range(ROUNDS * len(CAUSES) // 4):
        d = Draw(chance)
        cause = CAUSES[number % len(CAUSES)]
        wanted = cause(d)
        try:
            judge(d, d.capture(), *wanted)
        except AssertionError as error:
            raise AssertionError("%d %s: %s\n%s" % (number, cause.__name__, error, vars(d))) from error
        seen.add(wanted[0])
    assert len(seen) >= 11, seen


def limits_are_named():
    """A draw with more primitives than one token may have: everything that the buffer holds is drawn, and the rest
    is reported."""
    most = 0xfffff
    scene = SCENE % {"format": "A8R8G8B8", "create": "create vertices vb 60", "memory": "memory vb { hex(%s) }" % b"".join(
        struct.pack("<4fI", x, y, 0.5, 1, COLOR) for x, y in OVER).hex(" "), "states": "{state=CULLMODE value=NONE}", "fvf": "XYZRHW|DIFFUSE",
        "commands": "SETSTREAMSOURCE {stream=0 buffer=vb stride=20}", "draw": "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=%d}" % (most + 2)}
    draw = ask("draws", assemble(scene))["frames"][0]["draws"][1]
    assert [one["lack"] for one in draw["lacks"]] == ["limit", "stream-bytes"] and draw["written"] > 0, draw
    assert str(most + 2) in draw["lacks"][0]["text"] and draw["lacks"][1]["end"] == 3 * most * 20, draw["lacks"]


def formats_and_shaders_are_named():
    """Draws that are skipped as a whole: an invalid vertex format, a shader that was never created, an invalid
    primitive type, no primitives, no target."""
    good = {"format": "A8R8G8B8", "create": "create vertices vb 60", "memory": "", "states": "{state=CULLMODE value=NONE}", "fvf": "XYZRHW|DIFFUSE",
            "commands": "SETSTREAMSOURCE {stream=0 buffer=vb stride=20}", "draw": "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}"}
    for changes, lack in (({"fvf": "0"}, "format"), ({"fvf": "77"}, "shader"), ({"draw": good["draw"].replace("TRIANGLELIST", "9")}, "type"),
                          ({"draw": good["draw"].replace("primitives=1", "primitives=0")}, "no-primitives"),
                          ({"commands": good["commands"] + "\nSETRENDERTARGET {target=0 depth=0}"}, "no-target")):
        capture = assemble(SCENE % {**good, **changes})
        rows = [r for r in ask("draws", capture)["frames"][0]["draws"] if r["kind"] == "draw"]
        assert [[one["lack"] for one in r["lacks"]] for r in rows] == [[lack]] * 2, (changes, rows)
        assert sum("a draw is skipped" in line for line in warnings(capture)) == 1, (changes, warnings(capture))
        assert rows[0]["lacks"][0]["text"] in run("pixel", capture, "1,1", "--why", rows[0]["draw"]).stdout.decode()


def streams_that_are_not_read():
    """A draw with a byte offset reads only stream 0 (docs/ddi-coverage.md): elements of other streams are 0, even if
    a buffer is bound."""
    element = "[stream=%d offset=0 type=%s method=DEFAULT usage=%s usage_index=0]"
    capture = assemble(SCENE % {
        "format": "A8R8G8B8", "create": "create vertices vb 48\ncreate vertices colors 12", "memory": "memory vb { hex(%s) }" % b"".join(
            struct.pack("<4f", x, y, 0.5, 1) for x, y in OVER).hex(" "), "states": "{state=CULLMODE value=NONE}", "fvf": "XYZRHW|DIFFUSE",
        "commands": "CREATEVERTEXSHADERDECL {handle=3 %s %s}\nSETVERTEXSHADERDECL {decl=3}\n" % (element % (0, "FLOAT4", "POSITIONT"), element % (1, "D3DCOLOR", "COLOR"))
        + "SETSTREAMSOURCE {stream=0 buffer=vb stride=16} {stream=1 buffer=%s stride=4}", "draw": "DRAWPRIMITIVE2 {type=TRIANGLELIST offset=0 primitives=1}"} % "colors")
    (lack,) = ask("draws", capture)["frames"][0]["draws"][1]["lacks"]
    assert (lack["lack"], lack["stream"]) == ("stream", 1) and lack["surface"] and "reads stream 0 alone" in lack["text"], lack
    assert warnings(capture) == []


# --- patches and instances ------------------------------------------------------------------------------

def lacks_of(capture):
    """The missing data of the first draw, which all verbs must report alike, and the lines of the log."""
    draw = ask("draws", capture)["frames"][0]["draws"][1]
    (row,) = ask("pixel", capture, "%d,%d" % (X, Y), "--surface", "1", "--why", "0.1")["rows"]
    assert draw["lacks"] == row["lacks"] == ask("mesh", capture, "0.1")["lacks"], (draw["lacks"], row["lacks"])
    return [{k: v for k, v in one.items() if k not in ("text", "surface")} for one in draw["lacks"]], warnings(capture)


def control_points_are_named():
    """A random patch with one mistake: control points beyond the end of the buffer, or the patch does not exist at all."""
    chance = random.Random(9)
    for number in range(3 * ROUNDS // 4):
        mistake = ("none", "short", "unbound", "size", "handle", "no-positions")[number % 6]
        wide, high = chance.choice([(4, 4), (4, 7), (7, 4)])
        stride, pitch, x, y = 16 + 4 * chance.randrange(3), wide + chance.randrange(3), chance.randrange(3), chance.randrange(3)
        begin, end = (y * pitch + x) * stride, ((y + high - 1) * pitch + x + wide - 1) * stride + 16
        size = end - chance.randrange(4, 16) if mistake == "short" else end + chance.randrange(3)
        points = b"".join(struct.pack("<3fI", i % pitch / 3 - 1, 1 - i // pitch / 3, 0.5, COLOR).ljust(stride, b"\0") for i in range((y + high) * pitch + x))
        info = "offset_x=%d offset_y=%d width=%d height=%d stride=%d basis=BEZIER degree=CUBIC" % (x, y, wide - (mistake == "size"), high, pitch)
        commands = "SETSTREAMSOURCE {stream=0 buffer=%s stride=%d}\n" % ("0" if mistake == "unbound" else "vb", stride)
        if mistake == "no-positions":
            commands += ("CREATEVERTEXSHADERDECL {handle=3 [stream=0 offset=0 type=D3DCOLOR method=DEFAULT usage=COLOR usage_index=0]}\n"
                         "SETVERTEXSHADERDECL {decl=3}")
        capture = assemble(SCENE % {
            "format": "A8R8G8B8", "create": "create vertices vb %d" % size, "memory": "memory vb { hex(%s) }" % points[:size].ljust(size, b"\0").hex(" "),
            "states": "{state=CULLMODE value=NONE}", "fvf": "XYZ|DIFFUSE", "commands": commands,
            "draw": "DRAWRECTPATCH {handle=%d segments=(3 3 3 3) %s}" % ((9, "") if mistake == "handle" else (chance.randrange(2), info))})
        wanted, log = {
            "none": (None, None), "short": ({"lack": "stream-bytes", "stream": 0, "begin": begin, "end": end, "bytes": size}, "its streams hold"),
            "unbound": ({"lack": "stream", "stream": 0}, "which has no buffer"), "size": ({"lack": "no-surface"}, "no such surface"),
            "handle": ({"lack": "unknown-patch"}, "is unknown"), "no-positions": ({"lack": "no-positions"}, "have no positions")}[mistake]
        found, said = lacks_of(capture)
        assert found == ([wanted] if wanted else []), (mistake, found, wanted)
        assert sum(log in line for line in said) == 1 if log else not said, (mistake, said)


def curved_draws_lack_what_flat_ones_lack():
    """A draw whose triangles are N-patches lacks the same data as the draw without them."""
    chance = random.Random(10)
    for number in range(ROUNDS // 4):
        indexed, count = number % 3 != 0, 3 * chance.randrange(1, 30)
        vertices = b"".join(struct.pack("<6f", chance.uniform(-1, 1), chance.uniform(-1, 1), 0.5, 0, 0, -1) for _ in range(count))
        indices = b"".join(struct.pack("<H", i) for i in range(count))
        if number % 2:
            vertices = vertices[:chance.randrange(24, len(vertices))]
        elif indexed:
            indices = indices[:2 * chance.randrange(1, count)]
        draw = ("DRAWINDEXEDPRIMITIVE {type=TRIANGLELIST base=0 min_index=0 vertices=3 start_index=0 primitives=%d}" if indexed
                else "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=%d}") % (count // 3)
        flat, curved = (lacks_of(assemble(SCENE % {
            "format": "A8R8G8B8", "create": "create vertices vb %d\ncreate indices ib %d" % (len(vertices), len(indices)),
            "memory": "memory vb { hex(%s) }\nmemory ib { hex(%s) }" % (vertices.hex(" "), indices.hex(" ")), "fvf": "XYZ|NORMAL", "draw": draw,
            "commands": "SETSTREAMSOURCE {stream=0 buffer=vb stride=24}\nSETINDICES {buffer=ib stride=2}",
            "states": "{state=CULLMODE value=NONE} {state=PATCHSEGMENTS value=%g}" % segments})) for segments in (1, 3))
        assert flat[0] == curved[0] and bool(flat[0]) == (indexed or number % 2 == 1), (number, flat, curved)
        assert len(flat[1]) == len(curved[1]) == len(flat[0]), (number, flat, curved)


def instances_are_named():
    """Instances that the driver may draw together lack what they would lack one by one: vertices, data of instances,
    indices."""
    chance = random.Random(12)
    element = "[stream=%d offset=0 type=%s method=DEFAULT usage=%s usage_index=0]"
    for number in range(ROUNDS // 4):
        mistake = ("none", "vertices", "instances", "indices")[number % 4]
        count, instances, size = 3 * chance.randrange(1, 6), chance.randrange(2, 9), chance.choice([2, 4])
        sizes = {"vertices": 12 * count, "instances": 4 * instances, "indices": size * count}
        whole = dict(sizes)
        if mistake == "instances":
            sizes[mistake] -= 4 * chance.randrange(1, instances)
        elif mistake != "none":
            sizes[mistake] -= chance.randrange(1, 4 if mistake == "vertices" else size)
        data = {"vertices": b"".join(struct.pack("<3f", chance.uniform(-1, 1), chance.uniform(-1, 1), 0.5) for _ in range(count)),
                "instances": struct.pack("<I", COLOR) * instances, "indices": b"".join(i.to_bytes(size, "little") for i in range(count))}
        found, said = lacks_of(assemble(SCENE % {
            "format": "A8R8G8B8", "fvf": "XYZ", "states": "{state=CULLMODE value=NONE}",
            "create": "\n".join("create %s %s %d" % ("indices" if name == "indices" else "vertices", name, n) for name, n in sizes.items()),
            "memory": "\n".join("memory %s { hex(%s) }" % (name, data[name][:n].hex(" ")) for name, n in sizes.items()),
            "commands": "CREATEVERTEXSHADERDECL {handle=3 %s %s}\nSETVERTEXSHADERDECL {decl=3}\n" % (element % (0, "FLOAT3", "POSITION"), element % (1, "D3DCOLOR", "COLOR"))
            + "SETSTREAMSOURCE {stream=0 buffer=vertices stride=12} {stream=1 buffer=instances stride=4}\n"
            + "SETSTREAMSOURCEFREQ {stream=0 divider=%d} {stream=1 divider=%d}\nSETINDICES {buffer=indices stride=%d}" % (1 << 30 | instances, 1 << 31 | 1, size),
            "draw": "DRAWINDEXEDPRIMITIVE {type=TRIANGLELIST base=0 min_index=0 vertices=3 start_index=0 primitives=%d}" % (count // 3)}))
        wanted = {"none": [], "vertices": [{"lack": "stream-bytes", "stream": 0, "begin": 0}], "indices": [{"lack": "index-bytes", "begin": 0}],
                  "instances": [{"lack": "stream-bytes", "stream": 1, "begin": sizes["instances"]}]}[mistake]
        for one in wanted:
            one.update(end=whole[mistake], bytes=sizes[mistake])
        assert found == wanted and len(said) == len(wanted), (mistake, found, wanted, said)


passed = run_tests([random_frames_have_their_rows, random_flips_are_rows, rows_are_of_their_surface, causes_are_named, limits_are_named, streams_that_are_not_read, formats_and_shaders_are_named,
                    control_points_are_named, curved_draws_lack_what_flat_ones_lack, instances_are_named])
sys.exit(0 if passed else 1)
