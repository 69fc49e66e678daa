#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 feedback: the maps that it prints and draws, next to which a program's own maps still work. Speaks TAP.

tests/cli/test_feedback.py [DP2 [CAPTURE...]]
"""
import json
import os
import sys

from program import CAPTURES, MULTI, ROOT, assemble, content, dp2, hashes, later_frame, path, run
from streams import KINDS, STEPS, kept, name_of
from tap import run_tests


def png_size(name):
    head = content(name)[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", name
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def feedback():
    capture = assemble(os.path.join(ROOT, "examples/dp2/07-mipmaps.dp2s"), "mips.capture")
    report = json.loads(dp2("feedback", capture, "--json"))
    (texture,) = report["textures"]
    assert report["frames"] == 1 and texture["region"] == [4, 4] and texture["mips"] == 4
    # A floor whose near edge lies behind the near plane: level 0 in a band across it, the others everywhere.
    bands = ["1" * 16 if 8 <= row < 13 else "0" * 16 for row in range(16)]
    assert texture["levels"][0]["faces"] == [bands], texture["levels"][0]
    assert [level["used"] for level in texture["levels"]] == [80, 64, 16, 4]
    assert texture["bytes"] == 4 * (64 * 64 + 32 * 32 + 16 * 16 + 8 * 8)
    assert texture["touched"] == 4 * 16 * (80 + 64 + 16 + 4) == report["total"]["touched"]
    rows = dp2("feedback", capture, "-o", path("maps")).splitlines()
    assert rows[1].split()[:6] == ["2", "A8R8G8B8", "64x64", "4", "0-3", "164/340"], rows
    assert png_size(path("maps/texture-2.png")) == (256, 276)
    dp2("feedback", capture, "--frame", "7", status=2)
    dp2("feedback", capture, "--frame", "x", status=2)
    dp2("feedback", path("nothing"), status=2)


def feedback_of_all_kinds():
    capture = assemble(KINDS, "kinds.capture")
    heights, ramp, volume = json.loads(dp2("feedback", capture, "--json"))["textures"]
    (level,) = heights["levels"]
    # Three vertices read (3, 3), (19, 3) and (3, 19); a fourth, which no index names, would read (57, 57).
    assert level["used"] == 3 and level["faces"][0][0] == "1000100000000000" and level["faces"][0][4] == "1" + "0" * 15, level
    assert ramp["height"] == 1 and ramp["levels"][0]["faces"] == [["00000001"]], ramp
    assert volume["depth"] == 5 and volume["levels"][0]["used"] == 1 and volume["levels"][1]["used"] == 0, volume
    assert volume["levels"][0]["slices"][2] == ["0000", "0001", "0000", "0000"], volume
    assert volume["bytes"] == 4 * (16 * 16 * 5 + 8 * 8 * 2) and volume["touched"] == 64
    rows = dp2("feedback", capture, "-o", path("kinds")).splitlines()
    assert [row.split()[2] for row in rows[1:4]] == ["64x64", "32x1", "16x16x5"], rows
    assert png_size(path("kinds/texture-6.png")) == (200, 152)


def feedback_changes_no_pixel():
    for capture in [assemble(step, name_of(step) + ".capture") for step in STEPS + [MULTI, KINDS]] + CAPTURES:
        seen = [line.split()[2] for line in dp2("feedback", capture, "--hash").splitlines()]
        assert seen == hashes(capture), capture


def feedback_beside_maps_of_the_program():
    """Maps that the program binds, pairs or sends commands to are left to it: nothing is refused, and they decode to
    the same as without the tool."""
    def command(letter, stage=0):
        return sum(ord(c) << 8 * i for i, c in enumerate("SF%s%d" % (letter, stage)))
    text = kept(6).replace("create vertices corners", """create texture bound 64x64 0x32325546
create texture paired 64x64 0x32325546
create texture bytes 16x16 L8
create vertices corners""").replace("{stage=0 state=TEXTUREMAP value=board}", "{stage=0 state=TEXTUREMAP value=bound}").replace(
        "    SETVERTEXSHADER", """    RENDERSTATE {state=POINTSIZE value=%d} {state=POINTSIZE value=%d}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=board}
    SETVERTEXSHADER""" % (command("B"), command("C")), 1)
    # in the last frames the map is decoded into a texture, which is shown; then the other map is paired with the
    # texture
    last = text[text.rindex("draw c { CLEAR"):]
    text += """draw c {
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=bytes} RENDERSTATE {state=POINTSIZE value=%d}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=0}     RENDERSTATE {state=POINTSIZE value=%d}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=bytes}
}
""" % (command("D"), command("B")) + last
    text += "draw c { SETFEEDBACK {texture=board map=paired} TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=board} }\n" + last
    capture = assemble(text, "own.capture")
    said = [run(verb, capture, "--hash", HALCYON_LOG_LEVEL="warn") for verb in ("replay", "feedback")]
    assert [done.returncode for done in said] == [0, 0] and [done.stderr for done in said] == [b"", b""], said
    assert said[0].stdout == said[1].stdout and len(set(hashes(capture))) >= 7, said


def feedback_of_frames():
    for capture in CAPTURES:
        first = later_frame(capture)
        whole, part = (json.loads(dp2("feedback", capture, "--json", *frames))["total"]["touched"]
                       for frames in ((), ("--frame", f"{first}-{first + 1}")))
        assert part <= whole and (part > 0 or whole == 0), capture


sys.exit(0 if run_tests([
    feedback, feedback_of_all_kinds, feedback_changes_no_pixel, feedback_beside_maps_of_the_program, feedback_of_frames]) else 1)
