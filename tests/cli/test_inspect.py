#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The verbs of the frame debugger on captures assembled from text, and on those of the examples if they exist. Speaks
TAP.

tests/cli/test_inspect.py [DP2] [CAPTURE...]
"""
import functools
import json
import os
import random
import re
import struct
import sys

from program import CAPTURES, MULTI, PROGRAM, ROOT, all_captures, ask, assemble, content, damaged, dp2, frames_with_draws, path, put, rows_of_png, run
from tap import run_tests

# --- draws -----------------------------------------------------------------------------------------

SCENE = """create target t 32x32 A8R8G8B8
create depth z 32x32 D24S8
context c target=t depth=z
clear c flags=TARGET|ZBUFFER color=#ff102030 depth=1
draw c {
    RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=CCW} {state=ZENABLE value=TRUE}
    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}
    SETSTREAMSOURCEUM {stream=0 stride=20}
    %s
    user_vertices { fvf(XYZRHW|DIFFUSE %s) }
}
present t
"""


def scene(commands, *vertices):
    return assemble(SCENE % (commands, "\n".join("%s 1 #ff%06x" % (xyz, i * 1000) for i, xyz in enumerate(vertices))))


# 8x8 pixels from (4, 4) on, clockwise; the same counter-clockwise; and a square of one pixel farther back
FRONT = ("3.5 3.5 .5", "11.5 3.5 .5", "3.5 11.5 .5", "11.5 3.5 .5", "11.5 11.5 .5", "3.5 11.5 .5")
BACK = tuple(FRONT[i] for i in (0, 2, 1, 3, 5, 4))
BEHIND = tuple(v.replace(" .5", " .75") for v in FRONT)


def draws_of(capture, frame=0):
    return ask("draws", capture, "--frame", str(frame))["frames"][0]["draws"]


def draws_count_what_they_do():
    two = "DRAWPRIMITIVE {type=TRIANGLELIST start=%d primitives=2}"
    rows = draws_of(scene(two % 0 + "\n" + two % 6 + "\n" + two % 12, *FRONT, *BACK, *BEHIND))
    assert [r["kind"] for r in rows] == ["clear", "draw", "draw", "draw"], rows
    assert [r["draw"] for r in rows] == ["0.%d" % i for i in range(4)]
    front, back, behind = rows[1:4]
    assert (front["tested"], front["passed"], front["written"], front["culled"]) == (64, 64, 64, 0), front
    assert (back["tested"], back["passed"], back["culled"], back["assembled"]) == (0, 0, 2, 2), back
    assert (behind["tested"], behind["passed"], behind["culled"]) == (64, 0, 0), behind
    assert front["targets"] == [1] and front["depth"] == 2 and front["vertices_named"] == 6 == front["vertices_processed"]


def draws_are_entries():
    """A token of three entries is three draws, with the same effect as three tokens."""
    entries = "{type=TRIANGLELIST start=0 primitives=2} {type=TRIANGLELIST start=6 primitives=2} {type=TRIANGLELIST start=12 primitives=2}"
    rows = draws_of(scene("DRAWPRIMITIVE " + entries, *FRONT, *BACK, *BEHIND))
    assert [(r["entry"], r["tested"], r["passed"]) for r in rows[1:4]] == [(0, 64, 64), (1, 0, 0), (2, 64, 0)], rows


def draws_of_states():
    """Fragments that are killed, fail a test, or are not written."""
    two = "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=2}"
    masked = draws_of(scene("RENDERSTATE {state=COLORWRITEENABLE value=0} {state=ZWRITEENABLE value=FALSE} " + two, *FRONT))[1]
    assert (masked["tested"], masked["passed"], masked["written"]) == (64, 64, 0), masked
    alpha = draws_of(scene("RENDERSTATE {state=ALPHATESTENABLE value=TRUE} {state=ALPHAFUNC value=LESS} {state=ALPHAREF value=255} " + two, *FRONT))[1]
    assert (alpha["tested"], alpha["passed"]) == (64, 0), alpha


@functools.cache
def ends_and_entries(capture):
    """(number, last event or None, number of entries of tokens of primitives) of each frame in the capture's dump."""
    def count(events):
        return sum(len(c["entries"]) for e in events for c in e.get("commands", []) if c["token"] in PRIMITIVES)
    return [(f["frame"], f["events"][-1]["event"] if f["events"] else None, count(f["events"])) for f in ask("dump", capture)["frames"]]


PRIMITIVES = "DRAWPRIMITIVE", "DRAWINDEXEDPRIMITIVE"


def all_draws_have_rows():
    """There are as many draws as in the stream; no draw has more passed than tested fragments."""
    for capture in all_captures():
        frames = frames_with_draws(capture)
        dumped = ends_and_entries(capture)
        assert [f["frame"] for f in frames] == [number for number, _, _ in dumped] and frames, capture
        rows = [r for f in frames for r in f["draws"]]
        assert sum(r["token"] in PRIMITIVES for r in rows) == sum(entries for _, _, entries in dumped), capture
        for f in frames:
            assert [r["draw"] for r in f["draws"]] == ["%d.%d" % (f["frame"], i) for i in range(len(f["draws"]))]
        for r in rows:
            if r["kind"] == "draw":
                assert r["tested"] >= r["passed"] >= r["written"] and r["tested"] >= r["killed"], (capture, r)
                assert r["assembled"] >= r["rejected"] + r["clipped"] + r["culled"], (capture, r)


def draws_as_a_table():
    lines = dp2("draws", assemble(MULTI), "--frame", "1-2").splitlines()
    assert lines[0].split()[:3] == ["draw", "kind", "call"] and {l.split(".")[0] for l in lines[1:]} == {"1", "2"}


# --- checkpoints -----------------------------------------------------------------------------------

def answers_do_not_depend_on_checkpoints():
    """With a checkpoint after each action, or after every second one (in turn), questions that go back and forth in a
    frame have the same answers."""
    asked = 0
    for capture in all_captures()[::1 if "/asan/" not in PROGRAM else 8]:
        frames = [f for f in frames_with_draws(capture) if any(r["kind"] == "draw" for r in f["draws"])]
        if not frames:
            continue
        # each question replays the frames before: of the examples, an early frame is asked about
        frame = min(frames[1:4] if capture in CAPTURES else frames[-3:], key=lambda f: len(f["draws"]))
        drawn = [r["draw"] for r in frame["draws"] if r["kind"] == "draw"]
        for words in (("pixel", capture, "9,7", "--frame", str(frame["frame"])), ("pixel", capture, "9,7", "--why", drawn[-1]), ("shot", capture, drawn[-1], "--show", "overdraw", "-o", path("c.png")),
                      ("shot", capture, drawn[len(drawn) // 2], "--show", "touched", "-o", path("c.png")), ("state", capture, drawn[0], drawn[-1])):
            answers = {(done.returncode, done.stdout, done.stderr, os.path.exists(path("c.png")) and content(path("c.png"))) for done in
                       [run(*words, "--json", HALCYON_CHECKPOINT_EVERY=every) for every in ("0", "12"[asked % 2])]}
            assert len(answers) == 1, (words, answers)
            asked += 1
    assert asked > 50, asked


# --- state -----------------------------------------------------------------------------------------

def state_of(capture, place, *words):
    groups = ask("state", capture, place, *words)["groups"]
    return {(g["group"], v["name"]): v for g in groups for v in g["values"]}


def states_have_names():
    two = "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=2}"
    capture = scene(two + " RENDERSTATE {state=CULLMODE value=CW} {state=COLORWRITEENABLE value=RED|ALPHA} " + two, *FRONT)
    first, second = state_of(capture, "0.1"), state_of(capture, "0.2")
    assert first["render states", "CULLMODE"] == {"name": "CULLMODE", "bits": 3, "text": "CCW", "default": True, "changed": False}
    assert first["render states", "ZENABLE"]["text"] == "TRUE" and first["render states", "ZENABLE"]["changed"] is False    # created with depth
    assert first["render states", "LIGHTING"]["changed"] and first["vertex shader", "set"]["text"] == "format XYZRHW|DIFFUSE"
    assert first["targets", "color 0"]["text"] == "#1 32x32 A8R8G8B8" and first["targets", "depth"]["bits"] == 2
    assert {n for n, v in second.items() if v["changed"]} == {("render states", "CULLMODE"), ("render states", "COLORWRITEENABLE")}
    assert second["render states", "COLORWRITEENABLE"]["text"] == "RED|ALPHA"
    assert set(state_of(capture, "0.2", "--changes")) == {n for n, v in second.items() if v["changed"]}
    difference = ask("state", capture, "0.1", "0.2")["differences"]
    assert [(d["name"], d["a"]["text"], d["b"]["text"]) for d in difference] == [
        ("CULLMODE", "CCW", "CW"), ("COLORWRITEENABLE", "RED|GREEN|BLUE|ALPHA", "RED|ALPHA")], difference
    text = dp2("state", capture, "0.2")
    assert "*   CULLMODE                   CW\n" in text and "ZFUNC" not in text and "ZFUNC" in dp2("state", capture, "0.2", "--all")


def states_by_offset():
    capture = scene("DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=2}", *FRONT)
    row = draws_of(capture)[1]
    named = "0:%d:%#x" % (row["call"], row["offset"])
    assert ask("state", capture, named) == ask("state", capture, row["draw"])
    assert run("state", capture, "0:0:0x1").returncode == 2


def all_draws_have_states():
    """The state at a draw is the state that the stream has set so far, in streams that only set render states."""
    for capture in all_captures():
        for frame in frames_with_draws(capture)[:2]:
            of_contexts = [r["draw"] for r in frame["draws"] if r.get("context")]
            for place in of_contexts[::max(1, len(of_contexts) // 4)]:
                state = state_of(capture, place)
                assert len(state) > 1000 and ("render states", "ZENABLE") in state, (capture, place)


# --- shots -----------------------------------------------------------------------------------------

def shot(capture, place, show="color"):
    return ask("shot", capture, place, "--show", show)


def pictures_are_those_of_replays():
    """After the last draw of a call, the picture is that of dp2 replay --until."""
    compared = 0
    for capture in all_captures():
        for frame in frames_with_draws(capture)[:2]:
            rows = [r for r in frame["draws"] if "call" in r]
            last = {r["call"]: r for r in rows}
            for call, row in list(last.items())[:3]:
                done = run("replay", capture, "--until", "%d:%d:%#x" % (frame["frame"], call, row["offset"]), "--json")
                if done.returncode or sum(r["call"] == call and r["offset"] == row["offset"] for r in rows) > 1:
                    continue
                there = json.loads(done.stdout)["target"]
                if there["surface"] == row["targets"][0]:
                    here = shot(capture, row["draw"])
                    assert here["hash"] == there["hash"], (capture, row, there, here)
                    compared += 1
    assert compared > 20, compared


def pictures_of_what_draws_did():
    two = "DRAWPRIMITIVE {type=TRIANGLELIST start=%d primitives=2}"
    capture = scene("\n".join(two % n for n in (0, 12, 6, 0)), *FRONT, *BACK, *BEHIND)
    assert shot(capture, "0.1", "touched")["marked"] == 64 and shot(capture, "0.2", "touched")["marked"] == 0
    assert shot(capture, "0.1", "depth-fail")["marked"] == 0 and shot(capture, "0.2", "depth-fail")["marked"] == 64
    assert shot(capture, "0.1", "before")["hash"] == shot(capture, "0.0")["hash"] != shot(capture, "0.1")["hash"]
    over = shot(capture, "0.4", "overdraw")
    assert (over["most"], over["marked"], over["mean"]) == (3, 64, 3.0), over
    quads = shot(capture, "0.1", "quad-overdraw")
    assert quads["most"] == 2 and quads["marked"] == 64, quads          # pixels on the diagonal twice
    sizes = shot(capture, "0.1", "triangle-size")["marked"]
    assert sizes == 64, sizes
    edges = shot(capture, "0.3", "wireframe")
    assert 30 <= edges["marked"] <= 50, edges                            # culled, and visible nevertheless
    touched = shot(capture, "0.1", "coverage")["marked"]
    assert touched == 100, touched          # and pixels whose border the primitive touches, on all sides
    depth = shot(capture, "0.1", "depth")
    assert (depth["black"], depth["white"]) == (0.5, 1) or abs(depth["black"] - 0.5) < 1e-6, depth
    dp2("shot", capture, "0.1", "-o", path("a.png"))
    with open(path("a.png"), "rb") as file:
        assert file.read(4) == b"\x89PNG"


def pictures_without_colors():
    """A target without colour, such as a shadow map: its depth, with marks on it."""
    text = SCENE.replace("create target t 32x32 A8R8G8B8", "create target t 32x32 NULL") % (
        TWO, "\n".join("%s 1 #ffffffff" % xyz for xyz in FRONT))
    capture = assemble(text)
    shown = ask("shot", capture, "0.1")
    assert (shown["show"], shown["surface"], round(shown["black"], 6), shown["white"]) == ("depth", 2, 0.5, 1), shown
    assert run("shot", capture, "0.1", "--show", "color").returncode == 2
    assert shot(capture, "0.1", "overdraw")["marked"] == 64 and shot(capture, "0.1", "wireframe")["marked"] > 20
    dp2("mesh", capture, "0.1", "-o", path("a.png"))
    assert rows_of_png(path("a.png"))[2][4][12:15] == b"\xff\xff\xff"


def levels_of_textures():
    """The texture of the tutorial: far away, its coarse levels are read."""
    capture = assemble(os.path.join(ROOT, "examples/dp2/07-mipmaps.dp2s"))
    rows = [r for f in ask("draws", capture)["frames"] for r in f["draws"] if r["kind"] == "draw" and r["textures"]]
    assert rows and max(shot(capture, r["draw"], "mip")["most"] for r in rows) > 0


def all_draws_have_pictures():
    """Three draws of a frame get a third of the kinds of pictures each; of long captures, of their second frame."""
    shows = "color before alpha depth stencil touched overdraw quad-overdraw wireframe depth-fail mip triangle-size coverage".split()
    for capture in all_captures():
        for frame in frames_with_draws(capture)[capture in CAPTURES:2]:
            for number, row in enumerate(frame["draws"][:: max(1, len(frame["draws"]) // 3)]):
                for show in shows[number % 3::3] if row["kind"] == "draw" else shows[:3]:
                    done = run("shot", capture, row["draw"], "--show", show, "--json")
                    told = done.stderr.decode()
                    assert done.returncode == 0 or "no depth buffer" in told or "no stencil" in told or "no color target" in told, (capture, row, show, told)


# --- pixels ----------------------------------------------------------------------------------------

def history(capture, x, y, *words):
    return ask("pixel", capture, "%d,%d" % (x, y), *words)


PASSES = """// The first pass goes to a surface and a depth buffer of its own, or to two of them; the frame shows the second.
create target screen 32x32 X8R8G8B8
create target other 32x32 X8R8G8B8
create target more 32x32 X8R8G8B8
create depth z 32x32 D24S8
create depth z2 32x32 D24S8
context c target=screen depth=z level=5
draw c {
    VIEWPORTINFO {x=0 y=0 width=32 height=32}
    CLEAR flags=TARGET|ZBUFFER color=#ff204060 depth=1 {rect=(0 0 32 32)}
    SETRENDERTARGET {target=other depth=z2}
    SETRENDERTARGET2 {index=1 target=more}
    VIEWPORTINFO {x=0 y=0 width=32 height=32}
    CLEAR flags=TARGET|ZBUFFER color=#ff000000 depth=0.75 {rect=(0 0 32 32)}
    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=TRUE}
    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE}
    SETSTREAMSOURCEUM {stream=0 stride=20}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    SETRENDERTARGET2 {index=1 target=0}
    SETRENDERTARGET {target=screen depth=z}
    VIEWPORTINFO {x=0 y=0 width=32 height=32}
    DRAWPRIMITIVE {type=TRIANGLELIST start=3 primitives=1}
    user_vertices { fvf(XYZRHW|DIFFUSE 0 0 .5 1 #ffff0000 60 0 .5 1 #ffff0000 0 60 .5 1 #ffff0000
        0 0 .5 1 #ff00ff00 60 0 .5 1 #ff00ff00 0 60 .5 1 #ff00ff00) }
}
present screen
"""


def rows_are_of_the_surface():
    """The history of a pixel has the draws and clears that have the surface among their targets, or as their depth
    buffer."""
    for surface, places in (1, ["0.0", "0.3"]), (2, ["0.1", "0.2"]), (4, ["0.0", "0.3"]), (5, ["0.1", "0.2"]):
        found = history(assemble(PASSES), 6, 6, "--surface", str(surface))
        assert [(r["draw"], r["changed"]) for r in found["rows"]] == [(place, True) for place in places], (surface, found)
        depths = [round(p["depth"], 2) for p in found["rows"][1]["before"] + found["rows"][1]["after"]]
        assert depths == ([1, .5] if surface in (1, 4) else [.75, .5]), found
    chance, rows = random.Random(7), 0
    for capture in all_captures():      # last frames: test_causes.py
        for frame in frames_with_draws(capture)[:1]:
            of_draws = {r["draw"]: r for r in frame["draws"]}
            surfaces = sorted({s for r in frame["draws"] for s in r.get("targets", []) + [r.get("depth", 0)]} - {0})
            for surface in surfaces[:6]:
                done = run("pixel", capture, "%d,%d" % (chance.randrange(8), chance.randrange(8)), "-f", str(frame["frame"]), "--surface", str(surface), "--json")
                for row in json.loads(done.stdout)["rows"] if done.returncode == 0 else []:
                    if row["kind"] in ("draw", "clear"):
                        draw = of_draws[row["draw"]]
                        assert surface in draw["targets"] + [draw["depth"]], (capture, surface, row, draw)
                        rows += 1
    assert rows > 50, rows


def verdicts(capture, x=6, y=6, place="0.1", *words):
    (row,) = history(capture, x, y, "--surface", "1", "--why", place, *words)["rows"]
    assert not row["disagrees"], row
    return [(f["primitive"], f["verdict"]) for f in row["fragments"]], row


TWO = "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=2}"


def states(*states):
    return "RENDERSTATE " + " ".join("{state=%s value=%s}" % s for s in states) + "\n"


def verdicts_name_their_cause():
    """Draws that fail on purpose."""
    assert verdicts(scene(TWO, *FRONT))[0] == [(0, "written")] == verdicts(scene(TWO, *FRONT), 5, 5)[0]
    assert verdicts(scene(TWO, *FRONT), 10, 10)[0] == [(1, "written")]
    assert verdicts(scene(TWO, *BACK))[0] == [(0, "culled")]
    found, row = verdicts(scene(TWO + "\n" + TWO.replace("start=0", "start=6"), *FRONT, *BEHIND), 6, 6, "0.2")
    assert found == [(0, "depth-failed")] and row["fragments"][0]["depth_test"] == {"func": "LESSEQUAL"}
    assert abs(row["fragments"][0]["depth"][0] - 0.75) < 1e-6 and abs(row["before"][0]["depth"] - 0.5) < 1e-6 and not row["changed"]
    found, row = verdicts(scene(states(("ALPHATESTENABLE", "TRUE"), ("ALPHAFUNC", "LESS"), ("ALPHAREF", 200)) + TWO, *FRONT))
    assert found == [(0, "alpha-failed")] and row["fragments"][0]["alpha_test"] == {"func": "LESS", "alpha": 255, "ref": 200}, row
    stencil = states(("STENCILENABLE", "TRUE"), ("STENCILFUNC", "EQUAL"), ("STENCILREF", 3), ("STENCILMASK", "0xff"))
    found, row = verdicts(scene(stencil + TWO, *FRONT))
    assert found == [(0, "stencil-failed")] and row["fragments"][0]["stencil_test"] == {"func": "EQUAL", "ref": 3, "mask": 255}
    assert verdicts(scene(states(("COLORWRITEENABLE", 0)) + TWO, *FRONT))[0] == [(0, "write-masked")]
    found, row = verdicts(scene(states(("ALPHABLENDENABLE", "TRUE"), ("SRCBLEND", "ONE"), ("DESTBLEND", "ONE")) + TWO, *FRONT))
    sums = [base + 255 * c for base, c in zip((0x10, 0x20, 0x30), row["fragments"][0]["output"])]
    assert found == [(0, "blended")] and all(abs(a - b) <= 1 for a, b in zip(bytes.fromhex(row["after"][0]["bytes"])[2::-1], sums)), row
    scissor = states(("SCISSORTESTENABLE", "TRUE")) + "SETSCISSORRECT {rect=(0 0 6 32)}\n"
    assert verdicts(scene(scissor + TWO, *FRONT))[0] == [(0, "scissored")] and verdicts(scene(scissor + TWO, *FRONT), 5, 6)[0] == [(0, "written")]




def in_two_targets(commands, *corners):
    return assemble(SCENE.replace("context c", "create target second 32x32 A8R8G8B8\ncontext c") % (
        commands, "\n".join("%s 1 #ffffffff" % corner for corner in corners)))


def states_that_decide_are_named():
    """With the named state changed, the verdict is another one."""
    stencil = (("STENCILENABLE", "TRUE"), ("TWOSIDEDSTENCILMODE", "TRUE"), ("CULLMODE", "NONE"), ("ALPHATESTENABLE", "FALSE"))
    after = TWO.replace("start=0", "start=6")
    with open(path("both.psa"), "w") as file:
        file.write("ps_2_0\ndef c0, 1, 1, 1, 1\nmov r0, c0\nmov oC0, r0\nmov oC1, r0\n")
    tokens = " ".join(dp2("shader", path("both.psa"), "--tokens").split())
    both = "CREATEPIXELSHADER {handle=1 code=hex(%s)}\nSETPIXELSHADER {shader=1}\nSETRENDERTARGET2 {index=1 target=second}\n" % tokens
    cases = (
        ("CULLMODE", "NONE", (), TWO, BACK),
        ("SCISSORTESTENABLE", "FALSE", (("SCISSORTESTENABLE", "TRUE"),), TWO, FRONT),
        ("ALPHAFUNC", "ALWAYS", (("ALPHATESTENABLE", "TRUE"), ("ALPHAFUNC", "NEVER")), TWO, FRONT),
        ("STENCILFUNC", "ALWAYS", stencil + (("STENCILFUNC", "NEVER"), ("CCW_STENCILFUNC", "ALWAYS")), TWO, FRONT),
        ("CCW_STENCILFUNC", "ALWAYS", stencil + (("STENCILFUNC", "ALWAYS"), ("CCW_STENCILFUNC", "NEVER")), TWO, BACK),
        ("ZFUNC", "ALWAYS", (), after, FRONT + BEHIND),
        ("COLORWRITEENABLE", "15", (("COLORWRITEENABLE", "0"),), TWO, FRONT),
        # of the depth buffer and of a second target
        ("ZWRITEENABLE", "TRUE", (("ZWRITEENABLE", "FALSE"), ("COLORWRITEENABLE", "0")), TWO, FRONT, "2"),
        ("ZENABLE", "TRUE", (("ZENABLE", "FALSE"),), TWO, FRONT, "2"),
        ("COLORWRITEENABLE1", "15", (("COLORWRITEENABLE1", "0"),), both + TWO, FRONT, "3"),
    )
    for state, allows, first, draws, corners, *surface in cases:
        surface = surface[0] if surface else "1"
        rows = []
        for last in (), ((state, allows),):
            before = TWO + "\n" if draws is after else ""
            commands = states(*first, *last) if first + last else ""
            place = "0.2" if before else "0.1"
            capture = in_two_targets(before + "SETSCISSORRECT {rect=(0 0 6 32)}\n" + commands + draws, *corners)
            (row,) = history(capture, 6, 6, "--surface", surface, "--why", place)["rows"]
            rows.append(row["fragments"][0])
            told = dp2("pixel", capture, "6,6", "--surface", surface, "--why", place)
            assert (" by %s" % state in told) == (not last), told
        failed, other = rows
        assert failed["state"] == state and failed["verdict"] not in ("written", "blended"), (state, failed)
        assert other["verdict"] == "written" and "state" not in other, (state, other)


def kills_are_numbered():
    """A shader model 2 program with three texkills, the second of which kills."""
    text = "ps_2_0\ndef c0, 1, 1, 1, 1\ndef c1, -1, -1, -1, -1\nmov r0, c0\nmov r1, c1\ntexkill r0\ntexkill r1\ntexkill r1\nmov oC0, r0\n"
    with open(path("kill.psa"), "w") as file:
        file.write(text)
    tokens = dp2("shader", path("kill.psa"), "--tokens").split()
    shader = "CREATEPIXELSHADER {handle=1 code=hex(%s)}\nSETPIXELSHADER {shader=1}\n" % " ".join(tokens)
    try:
        capture = scene(shader + TWO, *FRONT)
    except AssertionError as error:
        raise AssertionError(str(error)) from error
    found, row = verdicts(capture)
    assert found == [(0, "killed")], row
    assert (row["fragments"][0]["kills"], row["fragments"][0]["killed_by"]) == (3, 2), row["fragments"]


def reasons_are_confirmed():
    """Each failure comes with the result without that one test; two failing primitives do not affect each other."""
    def otherwise(capture, place="0.1", x=6, y=6):
        (row,) = history(capture, x, y, "--surface", "1", "--why", place)["rows"]
        return [(f["verdict"], f.get("otherwise")) for f in row["fragments"]], row

    hidden = TWO + "\n" + TWO.replace("start=0", "start=6")
    never = states(("ALPHATESTENABLE", "TRUE"), ("ALPHAFUNC", "NEVER"))
    stencil = states(("STENCILENABLE", "TRUE"), ("STENCILFUNC", "NEVER"))
    assert otherwise(scene(TWO, *FRONT))[0] == [("written", None)]
    assert otherwise(scene(TWO, *BACK))[0] == [("culled", "changes")]
    assert otherwise(scene(never + TWO, *BACK))[0] == [("culled", "fails")]
    assert otherwise(scene(never + TWO, *FRONT))[0] == [("alpha-failed", "changes")]
    assert otherwise(scene(stencil + TWO, *FRONT))[0] == [("stencil-failed", "changes")]
    assert otherwise(scene(stencil + never + TWO, *FRONT))[0] == [("alpha-failed", "fails")]
    assert otherwise(scene(hidden, *FRONT, *BEHIND), "0.2")[0] == [("depth-failed", "changes")]
    assert otherwise(scene(states(("COLORWRITEENABLE", 0)) + TWO, *FRONT))[0] == [("write-masked", "changes")]
    blended = states(("COLORWRITEENABLE", 0), ("ALPHABLENDENABLE", "TRUE"), ("SRCBLEND", "ZERO"), ("DESTBLEND", "ONE"))
    assert otherwise(scene(blended + TWO, *FRONT))[0] == [("write-masked", "leaves")]
    scissor = states(("SCISSORTESTENABLE", "TRUE")) + "SETSCISSORRECT {rect=(0 0 6 32)}\n"
    assert otherwise(scene(scissor + TWO, *FRONT))[0] == [("scissored", "changes")]
    assert otherwise(scene(scissor + TWO, *BACK))[0] == [("culled", "fails")]
    clip = states(("CLIPPLANEENABLE", 1), ("LIGHTING", "FALSE")) + "SETCLIPPLANE {index=0 plane=(0 0 0 -1)}\n"
    triangle = "-1 1 %s #ffffffff  1 1 %s #ffffffff  -1 -1 0.9 #ffffffff"
    flat = SCENE.replace("XYZRHW|DIFFUSE", "XYZ|DIFFUSE").replace("stride=20", "stride=16")
    one = TWO.replace("primitives=2", "primitives=1")
    for commands, z, planes, then in ((clip + one, 0.5, ["user 0"], "changes"), (one, -0.5, ["near"], "changes"), (never + one, -0.5, ["near"], "fails")):
        found, row = otherwise(assemble(flat % (commands, triangle % (z, z))), x=10, y=2)
        assert not found and (row["nearest"]["planes"], row["nearest"]["otherwise"]) == (planes, then), (commands, row)
    # all of the primitive is beyond the plane, and of two lines the one that would cover the pixel is named
    lines = flat % (TWO.replace("TRIANGLELIST", "LINELIST"), " ".join("%s 2 #ffffffff" % xy for xy in ("-1 .9", "1 .9", "-1 0", "1 0")))
    nearest = otherwise(assemble(lines), x=4, y=16)[1]["nearest"]
    assert nearest == {"primitive": 1, "verdict": "outside", "planes": ["far"], "otherwise": "changes", "would_change": ["color"]}, nearest
    # of two triangles that are clipped at the pixel, the one that fewer planes cut is named
    two = flat % (clip + TWO, triangle % (-0.5, -0.5) + " " + triangle % (0.5, 0.5))
    nearest = otherwise(assemble(two), x=10, y=2)[1]["nearest"]
    assert (nearest["primitive"], nearest["planes"], nearest["otherwise"]) == (1, ["user 0"], "changes"), nearest
    assert "(without that it changes color, depth)" in dp2("pixel", scene(TWO, *BACK), "6,6", "--surface", "1", "--why", "0.1")


def reasons_for_what_is_not_there():
    found, row = verdicts(scene(TWO, *FRONT), 20, 8)
    assert not found and row["reaches"] and row["nearest"]["verdict"] == "uncovered" and row["nearest"]["primitive"] == 1
    assert abs(row["nearest"]["distance"] - 8.5) < 1e-6, row["nearest"]
    view = "VIEWPORTINFO {x=0 y=0 width=5 height=32}\n"
    assert verdicts(scene(view + TWO, *FRONT), 6, 6)[1]["nearest"]["verdict"] == "off-viewport"
    # in clip space, because no transform is set: half of the triangle is in front of the near plane
    half = SCENE.replace("XYZRHW|DIFFUSE", "XYZ|DIFFUSE").replace("stride=20", "stride=16") % (
        TWO.replace("primitives=2", "primitives=1"), "-1 1 -0.5 #ffffffff  1 1 -0.5 #ffffffff  -1 -1 0.9 #ffffffff")
    found, row = verdicts(assemble(half), 10, 2)
    assert not found and row["nearest"]["verdict"] == "clipped" and row["nearest"]["planes"] == ["near"], row
    assert verdicts(assemble(half), 1, 28)[0] == [(0, "written")]
    outside = half.replace("-1 1 -0.5 #ffffffff  1 1 -0.5", "-3 1 0.5 #ffffffff  -2 1 0.5").replace("-1 -1 0.9", "-3 -1 0.9")
    nearest = verdicts(assemble(outside), 10, 2)[1]["nearest"]
    assert nearest["verdict"] == "outside" and nearest["planes"] == ["left"], nearest
    assert "nearest: primitive 0 outside left" in dp2("pixel", assemble(outside), "10,2", "--surface", "1", "--why", "0.1")


def meshes():
    """Corners are where the stream puts them, and the counts equal those of dp2 draws."""
    (first, second) = ask("mesh", scene(TWO, *FRONT), "0.1")["primitives"]
    assert [c["window"][:3] for c in first["corners"]] == [[3.5, 3.5, 0.5], [11.5, 3.5, 0.5], [3.5, 11.5, 0.5]], first
    assert second["verdict"] == "drawn" and ask("mesh", scene(TWO, *BACK), "0.1")["primitives"][0]["verdict"] == "culled"
    assert ask("mesh", scene(TWO, *FRONT), "0.1", "--primitives", "1") == dict(ask("mesh", scene(TWO, *FRONT), "0.1"), primitives=[second])
    assert run("mesh", scene(TWO, *FRONT), "0.1", "--primitives", "2-1").returncode == 2
    assert "primitive 1 drawn" in dp2("mesh", scene(TWO, *FRONT), "0.1") and run("mesh", scene(TWO, *FRONT), "0.0").returncode == 2
    compared = 0
    for capture in all_captures():
        for frame in frames_with_draws(capture)[:1]:
            for row in [r for r in frame["draws"] if r["kind"] == "draw"][:4]:
                # some documents have 40 MB; test_json.py looks at documents as a whole
                told = re.findall(r'^\{"primitive": \d+, "part": \d+, "verdict": "([\w-]+)"', dp2("mesh", capture, row["draw"], "--json"), re.M)
                assert len(told) == row["assembled"] and told.count("clipped") == row["clipped"] and told.count("culled") == row["culled"], (capture, row)
                compared += 1
    assert compared > 30, compared


# Two streams, read with indices and a base vertex; every kind of packed element.
STREAMS = """create target t 32x32 A8R8G8B8
create vertices places 48
create vertices colors 96
create indices order 12
context c target=t
memory places { hex(%s) }
memory colors { hex(%s) }
memory order { hex(%s) }
draw c {
    RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=NONE}
    CREATEVERTEXSHADERDECL {handle=3 %s}
    SETVERTEXSHADERDECL {decl=3}
    SETSTREAMSOURCE {stream=0 buffer=places stride=12} {stream=1 buffer=colors stride=24}
    SETINDICES {buffer=order stride=2}
    DRAWINDEXEDPRIMITIVE {type=TRIANGLELIST base=1 min_index=0 vertices=3 start_index=0 primitives=2}
}
present t
"""


def element(stream, offset, kind, usage, index=0):
    return "[stream=%d offset=%d type=%s method=DEFAULT usage=%s usage_index=%d]" % (stream, offset, kind, usage, index)


def meshes_as_fetched():
    """The values of each vertex in the streams are those that were written, for every type and stream."""
    places = [(9, 9, 9), (-1, 1, 0.5), (1, 1, 0.25), (-1, -1, 0.75)]
    packed = [struct.pack("<I4B2hI2e4B", 0x80ff4020 + i, 255, 0, 51, i, 32767, -32768, 5 | 6 << 10 | 7 << 20, 0.5, -2.0 - i, 1, 2, 3, i)
              for i in range(4)]
    order = [0, 1, 2, 2, 1, 7]
    declared = " ".join([element(0, 0, "FLOAT3", "POSITION"), element(1, 0, "D3DCOLOR", "COLOR"), element(1, 4, "UBYTE4N", "TANGENT"),
                         element(1, 8, "SHORT2N", "TEXCOORD"), element(1, 12, "UDEC3", "NORMAL"), element(1, 16, "FLOAT16_2", "TEXCOORD", 3),
                         element(1, 20, "UBYTE4", "BINORMAL", 1)])
    capture = assemble(STREAMS % (b"".join(struct.pack("<3f", *p) for p in places).hex(" "), b"".join(packed).hex(" "),
                                  struct.pack("<6H", *order).hex(" "), declared))
    told = ask("mesh", capture, "0.0")
    elements = told["vertices"]["elements"]
    assert told["vertices"]["indexed"] and not told["vertices"]["transformed"] and not told["vertices"]["tessellated"]
    assert {(e["name"], e["type"], e["stream"], e["offset"]) for e in elements} == {
        ("position", "FLOAT3", 0, 0), ("diffuse", "D3DCOLOR", 1, 0), ("TANGENT 0", "UBYTE4N", 1, 4), ("texcoord 0", "SHORT2N", 1, 8),
        ("normal", "UDEC3", 1, 12), ("texcoord 3", "FLOAT16_2", 1, 16), ("BINORMAL 1", "UBYTE4", 1, 20)}, elements
    first, second = told["primitives"]
    assert [c["index"] for c in first["corners"] + second["corners"]] == order
    assert [c["vertex"] for c in first["corners"] + second["corners"]] == [i + 1 for i in order]
    assert [c["missing"] for c in second["corners"]] == [False, False, True] and second["verdict"] != "missing"
    for n, corner in enumerate(first["corners"], 1):
        got = {e["name"]: v for e, v in zip(elements, corner["fetched"])}
        blue = 0x20 + n
        expected = {"position": places[n], "diffuse": (1, 0x40 / 255, blue / 255, 0x80 / 255), "TANGENT 0": (1, 0, 0.2, n / 255),
                    "texcoord 0": (1, -1), "normal": (5, 6, 7), "texcoord 3": (0.5, -2 - n), "BINORMAL 1": (1, 2, 3, n)}
        for name, values in expected.items():
            assert len(got[name]) == len(values) and all(abs(a - b) < 1e-6 for a, b in zip(got[name], values)), (name, got[name], values)
    assert dp2("mesh", capture, "0.0", "--indices").splitlines() == ["0: 0 1 2", "1: 2 1 7"]
    text = dp2("mesh", capture, "0.0", "--fetched")
    assert "texcoord 3: FLOAT16_2, stream 1, offset 16\n" in text and "texcoord 3 (0.5 -4)" in text and "vertex 8  beyond its buffers, which reads as 0" in text


def meshes_as_files():
    """OBJ: each vertex once, with its values from the streams; the picture has edges at the window positions."""
    capture = scene(TWO, *FRONT)
    assert dp2("mesh", capture, "0.1", "-o", path("a.obj")) == "2 primitives, 6 vertices\n"
    lines = open(path("a.obj")).read().splitlines()
    assert lines[1:5] == ["v 3.5 -3.5 0.5", "v 11.5 -3.5 0.5", "v 3.5 -11.5 0.5", "f 1 2 3"] and lines[-1] == "f 4 5 6", lines
    capture = assemble(os.path.join(ROOT, "tests/cli/patches.dp2s"))
    (row, *_) = [r for f in ask("draws", capture)["frames"] for r in f["draws"] if r["kind"] == "draw" and r["assembled"]]
    dp2("mesh", capture, row["draw"], "-o", path("b.obj"))
    text = open(path("b.obj")).read()
    count = len([l for l in text.splitlines() if l.startswith("v ")])
    faces = [[int(c.split("/")[0]) for c in l.split()[1:]] for l in text.splitlines() if l[0] == "f"]
    assert len(faces) == row["assembled"] and count < 3 * len(faces) and max(map(max, faces)) == count, (count, len(faces))
    capture = scene(TWO, *FRONT)
    dp2("mesh", capture, "0.1", "-o", path("a.png"))
    width, height, rows = rows_of_png(path("a.png"))
    white = {(x, y) for y in range(height) for x in range(width) if rows[y][3 * x:3 * x + 3] == b"\xff\xff\xff"}
    assert (width, height) == (32, 32) and {(4, 4), (12, 4), (4, 12), (12, 12), (8, 4), (4, 8)} <= white and len(white) < 64, white
    dp2("mesh", scene(TWO, *BACK), "0.1", "-o", path("a.png"))
    assert rows_of_png(path("a.png"))[2][4][12:15] == b"\xff\x40\x40"
    assert dp2("mesh", capture, "0.1", "--space", "fetched", "-o", path("a.png")).startswith("800x600 ")
    for words in (["-o", path("a.png"), "--json"], ["--space", "window"], ["--space", "clip", "-o", path("a.png")]):
        assert run("mesh", capture, "0.1", *words).returncode == 2, words


def bytes_of(value):
    return [s.get("bytes") for s in value]


def traces():
    """The traced instructions lead to the output that dp2 pixel reports, for all pixels of a row."""
    capture = assemble(os.path.join(ROOT, "examples/dp2/11-shader.dp2s"))
    for x in range(12, 150, 23):
        (run_,) = ask("trace", capture, "0.1", "%d,60" % x)["runs"]
        (row,) = ask("pixel", capture, "%d,60" % x, "--why", "0.1", "--surface", "1")["rows"]
        (fragment,) = row["fragments"]
        assert run_["outputs"][0]["value"] == run_["steps"][-2]["result"]["value"] == fragment["output"] == run_["fragment"]["output"]
        assert [s["assembly"].split()[0] for s in run_["steps"][:-1]] == ["dp2add", "mul", "frc", "mad", "mov", "mov", "mov"], run_
        u, v = run_["inputs"][0]["value"][:2]
        assert not run_["narrow"] and run_["inputs"][0]["meaning"] == "TEXCOORD 0" and abs(run_["steps"][0]["result"]["value"][0] - (u * u + v * v)) < 1e-6
    text = dp2("trace", capture, "0.1", "30,60", "--quad")
    assert "  dp2add r0, t0, t0, c0.z\n" in text and text.count("[1111]") == 8 and ">(" in text
    # a texel of its own: the centre of a texel of a checkerboard of 64
    board = assemble(os.path.join(ROOT, "examples/dp2/06-texture.dp2s"))
    (fixed,) = ask("trace", board, "0.1", "80,60")["runs"]
    fetch = fixed["steps"][0]["fetch"]
    assert not fixed["bytecode"] and sorted((t["x"], t["y"]) for t in fetch["texels"]) == [(31, 31), (31, 32), (32, 31), (32, 32)], fetch
    assert abs(sum(t["weight"] for t in fetch["texels"]) - 1) < 1e-4 and fetch["surface"] == 2 and fetch["level"] == 0
    # everything has 8 bits, in fixed point; the picture keeps what fits into its bytes
    numbers = [32767 * v for v in fixed["outputs"][0]["value"][:3]]
    assert fixed["narrow"] and all(abs(n - round(n)) < 0.01 for n in numbers), numbers
    assert [int(fixed["fragment"]["after"][0]["bytes"][2 * i:2 * i + 2], 16) for i in (2, 1, 0)] == [(round(n) * 255 + 16384) >> 15 for n in numbers]
    assert "fixed function; narrow: 16-bit fixed point, 32767 is 1\n" in dp2("trace", board, "0.1", "80,60")
    # nothing reads alpha, so the program omits it: the trace has no number for it, rather than the one left by another
    # pixel
    assert fixed["outputs"][0]["value"][3] is None and fixed["fragment"]["output"][3] is None
    (row,) = ask("pixel", board, "80,60", "--why", "0.1")["rows"]
    assert row["fragments"][0]["output"] == fixed["outputs"][0]["value"] and row["fragments"][0]["output"][:3] == fixed["steps"][0]["result"]["value"][:3]
    assert " -)" in dp2("pixel", board, "80,60", "--why", "0.1")


def traces_of_vertices():
    capture = assemble(os.path.join(ROOT, "examples/dp2/09-light.dp2s"))
    corners = [c for p in ask("mesh", capture, "0.1")["primitives"][:4] for c in p["corners"]]
    for corner in corners:
        (run_,) = ask("trace", capture, "0.1", "--vertex", str(corner["number"]))["runs"]
        assert run_["corner"] == {k: v for k, v in corner.items() if k not in ("index", "vertex", "fetched")} and run_["outputs"][0]["value"] == corner["clip"] and run_["outputs"][0]["meaning"] == "position"
        assert [o["value"] for o in run_["outputs"][1:]] == corner["inputs"], run_["outputs"]
    text = dp2("trace", capture, "0.1", "--vertex", "2")
    assert "output o3     diffuse" in text and "  light 0 diffuse\n" in text and "  material power\n" in text and "(0.2 0.3 0.9 -)  light 1 diffuse\n" in text
    assert "(0.12549 0.12549 0.12549 -)  ambient of the scene\n" in text


def traces_of_nothing():
    capture = assemble(os.path.join(ROOT, "examples/dp2/11-shader.dp2s"))
    for words, said in ((["0.0", "20,20"], b"is not a draw, but a clear"), (["0.1", "160,2"], b"has no pixel 160,2"), (["0.1", "2,2"], b"no primitive of the draw covers"),
                        (["0.1", "20,20", "--primitive", "7"], b"primitive 7 does not cover"), (["0.1", "--vertex", "6"], b"no vertex 6"), (["0.1", "--vertex", "5"], b"come transformed"),
                        (["0.9", "1,1"], b"has no draw 9"), (["0.1"], b"a pixel"), (["0.1", "1"], b"not a pixel"), (["0.1", "--vertex", "x"], b"not the number"),
                        (["0.1", "--vertex", "1", "--quad"], b"apply to pixels only")):
        done = run("trace", capture, *words)
        assert done.returncode == 2 and said in done.stderr and not done.stdout, (words, done)


def histories_end_in_the_picture():
    """Scattered pixels: each row starts with the value that the previous row ended with, a flip passes that value on,
    the last value is that of the picture, and drawing primitives one by one gives the same result as their draws."""
    seed, seen = 5, set()
    for capture in all_captures():
        frames = [number for number, end, _ in ends_and_entries(capture) if end == "frame"]
        for frame in frames[-1:]:
            if run("replay", capture, "--frame", str(frame), "-o", path("shown.png")).returncode == 2:
                continue
            width, height, shot = rows_of_png(path("shown.png"))
            for _ in range(3 if capture in CAPTURES else 6):
                seed = (seed * 1103515245 + 12345) & 0x7fffffff
                x, y = (seed >> 4) % width, (seed >> 14) % height
                told = history(capture, x, y, "--frame", str(frame))
                at = bytes_of(told["initial"])
                for row in told["rows"]:
                    where = (capture, frame, x, y, row["draw"])
                    if row.get("from"):     # a flip: before, the surface was the memory that the rows are not about
                        assert bytes_of(row["after"]) == at, where
                        continue
                    assert bytes_of(row["before"]) == at, where
                    assert not row.get("disagrees"), where
                    for f in row.get("fragments", [])[:]:
                        seen.add(f["verdict"])
                        assert bytes_of(f["before"]) == at, where
                        at = bytes_of(f["after"])
                    assert row["fragment_count"] > 256 or bytes_of(row["after"]) == at if row.get("fragments") else True, where
                    at = bytes_of(row["after"])
                assert bytes_of(told["final"]) == at, (capture, frame, x, y)
                if len(told["final"]) == 1 and len(at[0]) == 8:
                    shown = shot[y][3 * x:3 * x + 3]
                    assert bytes.fromhex(at[0])[:3] == bytes(reversed(shown)), (capture, frame, x, y, at, shown)
    assert {"written", "blended"} <= seen, seen


def wrong_questions():
    capture = assemble(MULTI)
    assert b"no such frame" in run("draws", capture, "--frame", "99").stderr and run("draws", capture, "--frame", "99").returncode == 2
    assert run("draws", capture, "--frame", "x").returncode == 2 and run("draws").returncode == 2
    assert run("draws", path("missing.capture")).returncode == 2
    assert b"no surface #99" in run("pixel", capture, "1,1", "--surface", "99").stderr
    assert b"no pixel" in run("pixel", capture, "5000,1").stderr
    for words in "1", "1,", "1,2,3", "-1,2", "1,99999":
        assert run("pixel", capture, words).returncode == 2, words
    for words in ["1.99"], ["99.0"], ["1"], ["x"], ["1.0", "1.0", "1.0"], []:
        done = run("shot", capture, *words)
        assert done.returncode == 2 and done.stderr and not done.stdout, (words, done)
        if len(words) != 2:
            assert run("pixel", capture, "1,1", "--why", *words).returncode == 2
        done = run("state", capture, *words)
        assert done.returncode == 2 and done.stderr and not done.stdout, (words, done)


SIZES = """create target a 8x6 X8R8G8B8 create target b 20x3 A8R8G8B8 create depth z 20x16 D24S8 create depth y 8x6 D16
context c target=a depth=y
draw c { CLEAR flags=TARGET|ZBUFFER color=#ff102030 depth=0.5 {rect=(0 0 90 90)}
    RENDERSTATE {state=CULLMODE value=NONE} SETVERTEXSHADER {shader=XYZRHW|DIFFUSE} SETSTREAMSOURCEUM {stream=0 stride=20}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    SETRENDERTARGET {target=b depth=z} CLEAR flags=TARGET|ZBUFFER color=#ff405060 depth=0.5 {rect=(0 0 90 90)}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    user_vertices { fvf(XYZRHW|DIFFUSE -50 -50 0.2 1 #ffffffff 150 -50 0.2 1 #ffffffff -50 150 0.2 1 #ffffffff) } }
present a
"""


def pixels_outside():
    """A surface has the pixels of its size and no others, whatever is drawn beyond them."""
    capture = assemble(put("sizes.dp2s", SIZES), "sizes.capture")
    draws = json.loads(dp2("draws", capture, "--json"))["frames"][0]["draws"]
    names = [d["draw"] for d in draws if d["kind"] == "draw"]
    assert len(names) == 2, draws
    for surface, width, height in (1, 8, 6), (2, 20, 3), (3, 20, 16), (4, 8, 6):
        for x, y in (0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1), (width, 0), (0, height), (width, height), (7, 7), (19, 5), (19, 2), (500, 500):
            for words in [], ["--json"], ["--why", names[0]], ["--why", names[1], "--json"]:
                done = run("pixel", capture, "%d,%d" % (x, y), "--surface", str(surface), *words)
                inside = x < width and y < height
                assert done.returncode == (0 if inside else 2), (surface, x, y, words, done)
                if not inside:
                    assert b"surface #%d of %dx%d has no pixel %d,%d" % (surface, width, height, x, y) in done.stderr, done
                    assert (json.loads(done.stdout)["rows"] == []) if "--json" in words else not done.stdout, done


FAULT = os.path.join(ROOT, "build/native/fail.so")


def allocations(capture):
    """The allocations of dp2 draws, as tests/fault/fail.c counts them."""
    count = path("allocations")
    text = dp2("draws", capture, "--frame", "0", "--json", LD_PRELOAD=FAULT, FAULT_COUNT=count)
    assert len(json.loads(text)["frames"][0]["draws"]) > 100
    return int(content(count).split()[0])


def ten_times_the_draws_are_ten_times_the_work():
    """A draw does not replay the draws before it, which would be a hundred times the work. The test counts
    allocations, which do not depend on the load of the machine."""
    if "/asan/" in PROGRAM or not os.path.exists(FAULT):
        return "skip: under the sanitizer, or without build/native/fail.so"
    one = "DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=2}\n"
    few, many = (allocations(scene(one * count, *FRONT)) for count in (150, 1500))
    assert many < 12 * few, (few, many)
    return None


def damaged_captures():
    """An answer or a message, whatever the file contains."""
    for number, bad in enumerate(damaged(content(assemble(MULTI)), 30, 99)):
        put("bad.capture", bad)
        for words in VERBS_ON_DAMAGE:
            done = run(words[0], path("bad.capture"), *words[1:])
            assert done.returncode in (0, 1, 2) and (done.returncode == 0 or done.stderr), (number, words, done)


VERBS_ON_DAMAGE = [["draws"], ["draws", "--frame", "2", "--json"], ["state", "2.1"], ["state", "3.0", "1.1"], ["shot", "2.1", "--show", "depth-fail"], ["pixel", "9,9", "-f", "2"], ["mesh", "2.1"],
                    ["mesh", "1.0", "-o", "/dev/null"], ["mesh", "1.0", "--space", "fetched", "-o", "/dev/null"],
                    ["trace", "2.1", "9,9"], ["trace", "2.1", "--vertex", "1"]]


passed = run_tests([
    draws_count_what_they_do, draws_are_entries, draws_of_states, all_draws_have_rows, draws_as_a_table, answers_do_not_depend_on_checkpoints,
    states_have_names, states_by_offset, all_draws_have_states,
    pictures_are_those_of_replays, pictures_of_what_draws_did, pictures_without_colors, levels_of_textures, all_draws_have_pictures,
    rows_are_of_the_surface, verdicts_name_their_cause, states_that_decide_are_named, kills_are_numbered, reasons_are_confirmed, reasons_for_what_is_not_there, meshes, meshes_as_fetched, meshes_as_files, traces, traces_of_vertices, traces_of_nothing, histories_end_in_the_picture, wrong_questions, pixels_outside,
    ten_times_the_draws_are_ten_times_the_work, damaged_captures])
sys.exit(0 if passed else 1)
