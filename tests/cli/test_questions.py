#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 find, dp2 resources, dp2 buffer, and dp2 shot of any surface: on scenes whose answers follow from their text, and on the captures of
the examples if they exist, where one verb must agree with another. Speaks TAP.

tests/cli/test_questions.py [DP2] [CAPTURE...]
"""
import os
import random
import struct
import sys

from program import MULTI, ROOT, all_captures, ask, assemble, content, dp2, frames_with_draws, path, put, rows_of_png, run
from tap import run_tests

# Three draws with states that differ: 1 to the screen, 2 with the texture of surface 4, 3 with its own depth state.
SCENE = """create target t 32x32 A8R8G8B8
create depth z 32x32 D24S8
create texture u 8x8 A8R8G8B8
memory u { fill(64 #ff3060c0) }
context c target=t depth=z
clear c flags=TARGET|ZBUFFER color=#ff102030 depth=1
draw c {
    RENDERSTATE {state=LIGHTING value=FALSE} {state=CULLMODE value=NONE} {state=ZENABLE value=TRUE}
    SETVERTEXSHADER {shader=XYZRHW|DIFFUSE|TEX1}
    SETSTREAMSOURCEUM {stream=0 stride=28}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    RENDERSTATE {state=ALPHABLENDENABLE value=TRUE} {state=FILLMODE value=WIREFRAME}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=u} {stage=1 state=COLOROP value=DISABLE}
    DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=1}
    RENDERSTATE {state=ZENABLE value=FALSE} {state=FOGDENSITY value=0.5} {state=COLORWRITEENABLE value=RED|ALPHA}
    TEXTURESTAGESTATE {stage=0 state=COLOROP value=ADD}
    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}
    user_vertices { fvf(XYZRHW|DIFFUSE|TEX1 3.5 3.5 .5 1 #ff0080ff 0 0  19.5 3.5 .5 1 #80ff8000 1 0  3.5 19.5 .5 1 #ffffffff 0 1) }
}
present t
"""


def found(capture, *words):
    return [d["draw"] for d in ask("find", capture, *words)["draws"]]


def conditions_on_states():
    """Every form of a condition: the draws of the scene that it must find."""
    capture = assemble(put("scene.dp2s", SCENE))
    for words, wanted in {
            "ZENABLE off": "3", "ZENABLE on": "12", "zenable = false": "3", "ZENABLE!=FALSE": "12", "ALPHABLENDENABLE on": "23", "ALPHABLENDENABLE=0": "1",
            "FILLMODE=WIREFRAME": "23", "FILLMODE != WIREFRAME": "1", "FILLMODE=2": "23", "FOGDENSITY=0.5": "3", "FOGDENSITY<0.6": "3", "FOGDENSITY>=1": "12",
            "COLORWRITEENABLE=RED|ALPHA": "3", "COLORWRITEENABLE=9": "3", "stage 0 COLOROP=ADD": "3", "COLOROP=ADD": "3", "stage 1 COLOROP=ADD": "",
            "stage 1 COLOROP=DISABLE": "123", "changed FILLMODE": "2", "changed stage 0 COLOROP": None, "changed COLOROP": "3", "not ZENABLE off draw": "12",
            "ZENABLE off ALPHABLENDENABLE on": "3", "ZENABLE off FILLMODE=SOLID": "", "tri": "123", "TRIANGLESTRIP": "2", "vs0 ps0": "123", "ps7": "",
            "clear": "0", "draw": "123", "present": "", "0.2": "2", "reads #3": "23", "writes #1": "0123", "writes #2": "0123", "uses #3": "23", "#3": "23", "reads 3": "23",
            "not reads #3 draw": "1", "writes #9": "", "refused": "", "DRAWPRIM": "123"}.items():
        if wanted is None:
            assert run("find", capture, words).returncode == 2, words
            continue
        assert found(capture, words) == ["0.%s" % n for n in wanted], (words, found(capture, words), wanted)
        assert found(capture, *words.split()) == ["0.%s" % n for n in wanted], words


def values_without_an_order():
    """A NaN, as the codes of extensions are, is equal to no number, and neither less nor greater."""
    capture = assemble(put("nan.dp2s", SCENE.replace("FOGDENSITY value=0.5", "FOGDENSITY value=0x7fc00000")))
    for words, wanted in {"FOGDENSITY=1": "12", "FOGDENSITY!=1": "3", "FOGDENSITY<1": "", "FOGDENSITY>1": "", "FOGDENSITY<=1": "12", "FOGDENSITY>=1": "12"}.items():
        assert found(capture, words) == ["0.%s" % n for n in wanted], (words, found(capture, words), wanted)


def conditions_are_told():
    """Conditions as they were understood, with the number of actions that meet each condition alone; text and JSON agree."""
    capture = assemble(put("scene.dp2s", SCENE))
    told = ask("find", capture, "ZENABLE on stage 0 COLOROP=ADD not reads #3")
    assert told["tested"] == 4 and told["draws"] == []
    assert [(u["words"], u["meaning"], u["met"]) for u in told["understood"]] == [
        ("ZENABLE on", "ZENABLE is not FALSE", 2), ("stage 0 COLOROP=ADD", "COLOROP of stage 0 is ADD", 1),
        ("not reads #3", "not: reads surface #3", 2)], told["understood"]
    assert dp2("find", capture, "FILLMODE=wireframe").splitlines() == [
        "0.2 draw DRAWPRIMITIVE TRIANGLESTRIP 1", "0.3 draw DRAWPRIMITIVE TRIANGLELIST 1", "# FILLMODE is WIREFRAME: 2 of 4"]


def mistyped_words_have_suggestions():
    """A word that means nothing is status 2 with a similar one, never an empty list."""
    capture = assemble(put("scene.dp2s", SCENE))
    for words, wanted in {
            "ZENABEL off": "did you mean 'ZENABLE'?", "ALPHABLEND on": "did you mean 'ALPHABLENDENABLE'?", "FILLMODE=WIREFRAM": "did you mean 'WIREFRAME'?",
            "FILLMODE=WIRE": "did you mean 'WIREFRAME'?", "CULLMODE": "which value? NONE, CW, CCW", "ZENABLE maybe": "no value 'maybe': FALSE, TRUE, USEW",
            "raeds #3": "did you mean 'reads'?", "reads": "which surface?", "reads x": "which surface?", "changed": "which state?", "changed FILMODE": "did you mean 'FILLMODE'?",
            "stage x COLOROP=ADD": "which?", "stage 0 CULLMODE=CW": "is not a stage state", "xyzzy": "'xyzzy' means nothing here", "not": "not: what?", "=3": "of what?",
            "depth test off": "did you mean 'ZENABLE'?", "Blending": "did you mean 'ALPHABLENDENABLE'?", "culling=off": "did you mean 'CULLMODE'?",
            "fog on": "did you mean 'FOGENABLE'?", "stencil off": "did you mean 'STENCILENABLE'?",
            "COLORWRITEENABLE=PURPLE": "no value 'PURPLE'", "presnt": "did you mean 'present'?", "  ": "there is no condition", "ZENABLE off " * 17: "more than 16"}.items():
        done = run("find", capture, words)
        assert done.returncode == 2 and not done.stdout and wanted in done.stderr.decode(), (words, done)
    assert run("find", capture).returncode == 2
    assert b"\x1b" not in run("find", capture, "\x1b[31mred").stderr


def answers_are_those_of_other_verbs():
    """Some draws of each capture: found if and only if dp2 state and dp2 draws say so."""
    compared = 0
    for capture in all_captures():
        for frame in frames_with_draws(capture)[:2]:
            number = str(frame["frame"])
            draws = [d for d in frame["draws"] if d["kind"] == "draw"]
            if not draws:
                continue
            for state, value in ("ZENABLE", "TRUE"), ("CULLMODE", "NONE"), ("ALPHABLENDENABLE", "FALSE"):
                have = set(found(capture, "%s=%s" % (state, value), "-f", number))
                for d in draws[:: max(1, len(draws) // 3)]:
                    group = ask("state", capture, d["draw"], "--group", "render states")["groups"][0]
                    text = next(v["text"] for v in group["values"] if v["name"] == state)
                    assert (d["draw"] in have) == (text == value), (capture, d["draw"], state, text)
                    compared += 1
            for surface in sorted({t["surface"] for d in draws for t in d["textures"]} - {0})[:3]:
                drawn = {d["draw"] for d in draws if d["assembled"] and surface in [t["surface"] for t in d["textures"]]}
                assert drawn <= set(found(capture, "reads #%d" % surface, "draw", "-f", number)), (capture, surface)
            target = draws[0]["targets"][0]
            wanted = {d["draw"] for d in frame["draws"] if d["kind"] in ("draw", "clear") and target in d["targets"] + [d["depth"]]}
            assert wanted <= set(found(capture, "writes #%d" % target, "-f", number)), (capture, target)
    assert compared > 20, compared


def neighbours_differ_by_their_changes():
    changes = [d.get("changes") for d in ask("draws", assemble(put("scene.dp2s", SCENE)))["frames"][0]["draws"]]
    assert changes[0] is None and changes[2] == ["FILLMODE=WIREFRAME", "ALPHABLENDENABLE=TRUE"], changes
    assert changes[3] == ["ZENABLE=FALSE", "FOGDENSITY=0.5", "COLORWRITEENABLE=RED|ALPHA", "stage 0 COLOROP=ADD"], changes
    assert "LIGHTING=FALSE" in changes[1] and "CULLMODE=NONE" in changes[1] and "vertex format" in changes[1], changes


# --- resources -------------------------------------------------------------------------------------

def resources_of_a_draw():
    capture = assemble(put("scene.dp2s", SCENE))
    told = ask("resources", capture, "0.2", "--export", path("out"), "--width", "16")
    assert [(r["as"], r["surface"], r["depth"], r["stencil"]) for r in told["outputs"]] == [("color 0", 1, False, False), ("depth", 2, True, True)], told
    assert [(r["as"], r["surface"], r["format"], r["width"]) for r in told["inputs"]] == [("texture 0", 3, "A8R8G8B8", 8)], told
    assert told["buffers"] == [{"as": "stream 0", "surface": 0, "bound": True, "offset": 0, "bytes": 84, "stride": 28}], told
    assert sorted(os.listdir(path("out"))) == ["color-0.png", "depth-stencil.png", "depth.png", "texture-0.png"]
    assert rows_of_png(path("out/color-0.png"))[:2] == (16, 16) and rows_of_png(path("out/texture-0.png"))[:2] == (8, 8)
    assert set(rows_of_png(path("out/texture-0.png"))[2][0]) == {0x30, 0x60, 0xc0}
    assert ask("resources", capture, "0.1")["inputs"] == [] and ask("resources", capture, "0.0")["buffers"] == []
    assert [r["as"] for r in ask("resources", capture, "0.0")["outputs"]] == ["color 0", "depth"]
    assert run("resources", capture, "0.9").returncode == 2 and run("resources", capture, "0.1", "--width", "9").returncode == 2
    blits = ask("resources", assemble(os.path.join(ROOT, "tests/cli/sprites.dp2s")), "0.4")
    assert [r["as"] for r in blits["outputs"]] == ["destination"] and [r["as"] for r in blits["inputs"]] == ["source"], blits


def resources_are_those_of_the_list():
    compared = 0
    for capture in all_captures():
        for frame in frames_with_draws(capture)[:1]:
            for d in [d for d in frame["draws"] if d["kind"] == "draw" and d["assembled"]][:4]:
                told = ask("resources", capture, d["draw"])
                assert [r["surface"] for r in told["outputs"] if r["as"] != "depth"] == [t for t in d["targets"] if t], (capture, d)
                assert {r["surface"] for r in told["inputs"] if r["as"].startswith("texture")} == {t["surface"] for t in d["textures"]}, (capture, d)
                compared += 1
    assert compared > 10, compared


# --- shots of any surface --------------------------------------------------------------------------

def pictures_of_all_targets():
    """The lesson with two targets: each is what dp2 textures exports, before and after."""
    capture = assemble(put("targets.dp2s", content(os.path.join(ROOT, "web/lessons/29-targets/start.dp2s")).decode().replace(
        "SETRENDERTARGET2 {index=0 target=light}\n", "SETRENDERTARGET2 {index=0 target=light} {index=1 target=height}\n")))
    draw = [d for d in ask("draws", capture)["frames"][0]["draws"] if d["kind"] == "draw"][0]
    assert draw["targets"] == [2, 3], draw
    first, second = (ask("shot", capture, draw["draw"], "--target", n) for n in "01")
    assert (first["surface"], second["surface"]) == (2, 3) and first["hash"] != second["hash"]
    assert first["hash"] == ask("shot", capture, draw["draw"])["hash"] == ask("shot", capture, draw["draw"], "--surface", "2")["hash"]
    before = ask("shot", capture, draw["draw"], "--target", "1", "--before")
    assert before["hash"] != second["hash"] and before["before"] and not second["before"]
    assert before["hash"] == ask("shot", capture, draw["draw"], "-t", "1", "--show", "before")["hash"]
    for show in "touched", "overdraw", "wireframe", "depth-fail":
        assert ask("shot", capture, draw["draw"], "--target", "1", "--show", show)["surface"] == 3, show
    assert ask("shot", capture, draw["draw"], "--target", "1", "--show", "touched")["marked"] > 10000
    assert ask("shot", capture, draw["draw"], "--target", "1", "--show", "depth-fail")["marked"] == 0
    small = ask("shot", capture, draw["draw"], "--width", "40")
    assert (small["width"], small["height"]) == (40, 30)
    # The history is that of the surface that is asked for.
    rows = ask("pixel", capture, "20,30", "--surface", "3")["rows"]
    assert [r["draw"] for r in rows if r["changed"]] == ["0.0", draw["draw"]] and {r["surface"] for r in rows} == {3}, rows
    for words in (["--target", "2"], ["--target", "4"], ["--surface", "99"], ["--target", "1", "--surface", "2"], ["--target", "1", "--show", "depth"],
                  ["--before", "--show", "touched"], ["--surface", "1", "--show", "overdraw"], ["--surface", "1", "--show", "depth"]):
        done = run("shot", capture, draw["draw"], *words)
        assert done.returncode == 2 and done.stderr and not done.stdout, (words, done)


def depth_before_and_after():
    capture = assemble(put("scene.dp2s", SCENE))
    after, before = ask("shot", capture, "0.1", "--show", "depth"), ask("shot", capture, "0.1", "--show", "depth", "--before")
    assert after["hash"] != before["hash"] == ask("shot", capture, "0.0", "--show", "depth")["hash"]
    assert ask("shot", capture, "0.1", "--surface", "2")["show"] == "depth"         # a depth buffer has no colours
    texture = ask("shot", capture, "0.1", "--surface", "3")
    assert (texture["width"], texture["height"], texture["show"]) == (8, 8, "color")


# --- buffers ---------------------------------------------------------------------------------------

def tables_of_vertices():
    capture = assemble(put("scene.dp2s", SCENE))
    told = ask("buffer", capture, "0.1")
    assert (told["source"], told["surface"], told["bytes"], told["stride"], told["first"], told["end"]) == ("stream 0", 0, 84, 28, 0, 3), told
    assert told["layout"] == "FLOAT4 position, D3DCOLOR diffuse, FLOAT2 texcoord-0", told
    assert told["rows"][1] == {"row": 1, "cells": [[19.5, 3.5, 0.5, 1], ["#80ff8000"], [1, 0]]}, told
    assert [r["row"] for r in ask("buffer", capture, "0.1", "--rows", "0,2-9")["rows"]] == [0, 2]
    typed = ask("buffer", capture, "0.1", "--layout", "hex, float y @4, ubyte4 @16, Short @16")
    assert typed["rows"][0]["cells"] == [["0x40600000"], [3.5], [0xff, 0x80, 0, 0xff], [-0x7f01]], typed["rows"][0]
    assert ask("buffer", capture, "0.1", "--layout", typed["layout"])["rows"] == typed["rows"]         # the layout is one that is understood
    assert [r["cells"] for r in ask("buffer", capture, "0.1", "--offset", "80", "--stride", "2", "--layout", "UINT")["rows"]] == [[[0x3f800000]], [None]]
    lines = dp2("buffer", capture, "0.1", "-r", "1").splitlines()
    assert lines[-2:] == ["row,position.x,position.y,position.z,position.w,diffuse,texcoord 0.x,texcoord 0.y", "1,19.5,3.5,0.5,1,#80ff8000,1,0"], lines
    dp2("buffer", capture, "0.1", "-o", path("v.bin"))
    assert content(path("v.bin"))[:28] == struct.pack("<4fI2f", 3.5, 3.5, 0.5, 1, 0xff0080ff, 0, 0) and len(content(path("v.bin"))) == 84
    dp2("buffer", capture, "0.1", "-o", path("v.csv"), "--rows", "1")
    assert content(path("v.csv")).decode().splitlines() == lines[-2:]
    surface = ask("buffer", capture, "0.1", "--surface", "3")
    assert (surface["bytes"], surface["stride"], surface["end"]) == (256, 16, 16) and surface["rows"][0]["cells"] == [["0xff3060c0"]] * 4
    for words, wanted in ((["--stream", "1"], "reads no vertices from stream 1"), (["--indices"], "has no indices"), (["--surface", "77"], "cannot be read"),
                          (["--layout", "FLOAT5 x"], "did you mean 'FLOAT"), (["--layout", ""], "no column"), (["--layout", "FLOAT3 a b"], "a comma stands between"),
                          (["--layout", "UINT @x"], "not an offset"), (["--stream", "0", "--indices"], "each name a buffer"), (["--stride", "0"], "number of bytes")):
        done = run("buffer", capture, "0.1", *words)
        assert done.returncode == 2 and wanted in done.stderr.decode() and not done.stdout, (words, done)
    assert run("buffer", capture, "0.0").returncode == 2


def tables_are_what_the_vertex_stage_fetches():
    """Elements of the examples' draws: numbers that dp2 mesh fetches, by vertex; indices in the order of its corners."""
    compared = 0
    for capture in all_captures():
        for frame in frames_with_draws(capture)[:1]:
            for d in [d for d in frame["draws"] if d["kind"] == "draw" and d["assembled"] > 0][:3]:
                mesh = ask("mesh", capture, d["draw"], "--primitives", "0-19")
                elements = mesh["vertices"]["elements"]
                if mesh["vertices"]["tessellated"]:
                    continue
                corners = [c for p in mesh["primitives"] if p["part"] == 0 for c in p["corners"] if not c["missing"]]
                for stream in {e["stream"] for e in elements}:
                    table = ask("buffer", capture, d["draw"], "--stream", str(stream), "--rows", "0-4000")
                    rows = {r["row"]: r["cells"] for r in table["rows"]}
                    names = [c["name"] for c in table["columns"]]
                    for c in corners:
                        for e, values in zip(elements, c["fetched"]):
                            if e["stream"] != stream or e["type"] == "D3DCOLOR" or c["vertex"] not in rows:
                                continue
                            cell = rows[c["vertex"]][names.index(e["name"])]
                            assert all(abs(a - b) <= 1e-6 * abs(b) + 1e-7 for a, b in zip(values, cell)), (capture, d["draw"], e, c["vertex"], values, cell)
                            compared += 1
                if mesh["vertices"]["indexed"] and d.get("type") == "TRIANGLELIST":
                    table = [r["cells"][0][0] for r in ask("buffer", capture, d["draw"], "--indices", "--rows", "0-59")["rows"] if r["cells"][0]]
                    for p in mesh["primitives"]:
                        if p["part"] == 0 and not any(c["missing"] for c in p["corners"]):
                            assert sorted(c["index"] for c in p["corners"]) == sorted(table[3 * p["primitive"]:3 * p["primitive"] + 3]), (capture, d["draw"], p)
    assert compared > 100, compared


def numbers_of_every_type():
    """Random bytes through every type, against Python's own reading."""
    random_of = random.Random(7)
    data = bytes(random_of.randrange(256) for _ in range(64))
    capture = assemble(put("bytes.dp2s", SCENE.replace("fill(64 #ff3060c0)", "hex(%s)" % (data * 4).hex(" "))))

    def cells(kind):
        return ask("buffer", capture, "0.1", "--surface", "3", "--layout", kind, "--rows", "0")["rows"][0]["cells"][0]

    def normal(values, most):
        return [max(v / most, -1) for v in values]

    bits = struct.unpack("<I", data[:4])[0]
    tens = [bits >> s & 1023 for s in (0, 10, 20)]
    shorts, bytes4 = struct.unpack("<4h", data[:8]), struct.unpack("<4B", data[:4])
    wanted = {"UINT": [bits], "INT": struct.unpack("<i", data[:4]), "HEX": ["0x%08x" % bits], "D3DCOLOR": ["#%08x" % bits], "USHORT": struct.unpack("<H", data[:2]),
              "SHORT": shorts[:1], "UBYTE": data[:1], "BYTE": struct.unpack("<b", data[:1]), "UBYTE4": bytes4, "SHORT2": shorts[:2], "SHORT4": shorts,
              "UBYTE4N": normal(bytes4, 255), "SHORT2N": normal(shorts[:2], 32767), "SHORT4N": normal(shorts, 32767),
              "USHORT2N": normal(struct.unpack("<2H", data[:4]), 65535), "USHORT4N": normal(struct.unpack("<4H", data[:8]), 65535), "UDEC3": tens,
              "DEC3N": normal([t - 1024 if t > 511 else t for t in tens], 511), "FLOAT16_2": struct.unpack("<2e", data[:4]), "FLOAT16_4": struct.unpack("<4e", data[:8]),
              "FLOAT": struct.unpack("<f", data[:4]), "FLOAT1": struct.unpack("<f", data[:4]), "FLOAT2": struct.unpack("<2f", data[:8]),
              "FLOAT3": struct.unpack("<3f", data[:12]), "FLOAT4": struct.unpack("<4f", data[:16])}
    for kind, values in wanted.items():
        got = cells(kind)
        assert len(got) == len(values), (kind, got, values)
        for a, b in zip(got, values):
            assert a == b if isinstance(b, (int, str)) else abs(a - b) <= 1e-6 * abs(b), (kind, got, values)


def damaged_captures():
    """An answer or a message, whatever the file contains."""
    from program import damaged
    for number, bad in enumerate(damaged(content(assemble(MULTI)), 20, 41)):
        put("bad.capture", bad)
        for words in (["find", "ZENABLE on", "reads #1"], ["resources", "2.1"], ["resources", "2.1", "--export", path("bad")], ["buffer", "2.1"], ["buffer", "2.1", "--surface", "2", "--json"],
                      ["shot", "2.1", "--surface", "3"], ["shot", "2.1", "--target", "1", "--show", "touched"]):
            done = run(words[0], path("bad.capture"), *words[1:])
            assert done.returncode in (0, 1, 2) and (done.returncode == 0 or done.stderr), (number, words, done)


passed = run_tests([
    conditions_on_states, values_without_an_order, conditions_are_told, mistyped_words_have_suggestions, answers_are_those_of_other_verbs, neighbours_differ_by_their_changes,
    resources_of_a_draw, resources_are_those_of_the_list, pictures_of_all_targets, depth_before_and_after, tables_of_vertices,
    tables_are_what_the_vertex_stage_fetches, numbers_of_every_type, damaged_captures])
sys.exit(0 if passed else 1)
