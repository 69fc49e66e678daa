#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dp2 command from outside: what it prints, writes and answers. Speaks TAP.

tests/cli/test_dp2.py [DP2]     DP2: the program, build/native/dp2 by default
tests/cli/test_dp2.py --update  writes the hashes and pictures of the tutorial anew
"""
import ctypes
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

from tap import run_tests

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS = sorted(glob.glob(os.path.join(ROOT, "examples/dp2/*.dp2s")))
HASHES = os.path.join(ROOT, "tests/cli/tutorial.txt")
PICTURES = os.path.join(ROOT, "docs/images/tutorial")
MULTI = os.path.join(ROOT, "tests/cli/multi.dp2s")
KEYS = os.path.join(ROOT, "tests/cli/color-keys.dp2s")
PATCHES = os.path.join(ROOT, "tests/cli/patches.dp2s")
SAMPLES = os.path.join(ROOT, "tests/cli/samples.dp2s")
KINDS = os.path.join(ROOT, "tests/cli/feedback.dp2s")
dp2_program = os.path.join(ROOT, "build/native/dp2")
folder = None


def dp2(*arguments, status=0, **environment):
    """Runs it; the exit status must be as said, or one of several."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
    done = subprocess.run([dp2_program, *arguments], env=dict(clean, HALCYON_LOG_LEVEL="none", **environment),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    allowed = status if isinstance(status, tuple) else (status,)
    assert done.returncode in allowed, "%s: exit status %d\n%s" % (" ".join(arguments), done.returncode,
                                                                  done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")


def path(name):
    return os.path.join(folder, name)


def assemble(text, name):
    dp2("asm", text, "-o", path(name))
    return path(name)


def assemble_text(text, name, status=0):
    with open(path(name + ".dp2s"), "w") as file:
        file.write(text)
    dp2("asm", path(name + ".dp2s"), "-o", path(name), status=status)
    return path(name)


def content(name):
    with open(name, "rb") as file:
        return file.read()


def hashes(capture, *options):
    """The hash of each frame."""
    return [line.split()[2] for line in dp2("replay", capture, "--hash", *options).splitlines()]


def examples():
    """Captures of the example programs; the sanitizers are too slow for them."""
    return [] if "/asan/" in dp2_program else sorted(glob.glob(os.path.join(ROOT, "build/demo/*.capture")))


def name_of(step):
    return os.path.basename(step)[:-len(".dp2s")]


def tutorial():
    with open(HASHES) as file:
        expected = dict(line.split() for line in file if line.strip() and line[0] != "#")
    assert len(STEPS) == 11 and len(expected) == 11
    for step in STEPS:
        capture = assemble(step, "step.capture")
        assert hashes(capture, "-o", path("step.png")) == [expected[name_of(step)]], step
        picture = os.path.join(PICTURES, name_of(step) + ".png")
        subprocess.run([os.path.join(ROOT, "scripts/picture.py"), "compare", path("step.png"), picture],
                       check=True, capture_output=True)


def tutorial_is_told():
    with open(os.path.join(ROOT, "docs/tutorial.md")) as file:
        text = file.read()
    for step in STEPS:
        assert "examples/dp2/%s.dp2s" % name_of(step) in text, step
        assert "images/tutorial/%s.png" % name_of(step) in text, step


def call_log():
    """At the log level debug each call of the driver interface has a line, in their order; at others none has."""
    capture = assemble(STEPS[1], "calls.capture")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}

    def calls(level):
        done = subprocess.run([dp2_program, "replay", capture], env=dict(clean, HALCYON_LOG_LEVEL=level), capture_output=True, text=True)
        assert done.returncode == 0, done
        return re.findall(r"^halcyon: debug: DDI: (.*)$", done.stderr, re.M)

    told = calls("debug")
    assert calls("info") == []
    order = ["HalcyonDriverInit", "GetDriverInfo D3DCallbacks3", "GetDriverInfo2 GETD3DCAPS8", "GetDriverInfo2 GETFORMAT 0",
             "CreateSurface of 1 part, 160x120", "CreateSurfaceEx handle 1", "ContextCreate level 4, target 1: context 1", "CreateExecuteBuffer", "LockExecuteBuffer",
             "DrawPrimitives2 context 1,", "ContextDestroy context 1", "DestroySurface handle 1", "DestroyDDLocal", "DestroyDriver"]
    places = [next((n for n, line in enumerate(told) if line.startswith(call)), -1) for call in order]
    assert -1 not in places and places == sorted(places), list(zip(order, places))
    assert all(line.endswith(": DD_OK") for line in told), told
    capture = assemble_text("create target s 8x8 X8R8G8B8\ncontext c target=s\ndraw c { raw hex(000000ff) }\npresent s\n", "bad.capture")
    done = subprocess.run([dp2_program, "replay", capture], env=dict(clean, HALCYON_LOG_LEVEL="debug"), capture_output=True, text=True)
    assert re.search(r"DDI: DrawPrimitives2 context 1, 4 bytes of commands, .*: 0x88760bb8$", done.stderr, re.M), done.stderr


def shader_text():
    """The words in the tutorial are those of its text; text, words and rules through dp2 shader."""
    text = os.path.join(ROOT, "examples/dp2/rings.psa")
    words = dp2("shader", text, "--tokens").split()
    with open(os.path.join(ROOT, "examples/dp2/11-shader.dp2s")) as file:
        assert " ".join(words) in " ".join(file.read().split())
    assert dp2("shader", text, "--check") == "keeps the rules\n"
    with open(path("tokens.txt"), "w") as file:
        file.write(" ".join(words))
    assert dp2("shader", path("tokens.txt"), "--asm") == dp2("shader", text, "--asm")
    with open(path("broken.psa"), "w") as file:
        file.write("ps_1_1\nmov r0.xy, v0\n")
    broken = subprocess.run([dp2_program, "shader", path("broken.psa"), "--check"], capture_output=True, text=True)
    assert broken.returncode == 1 and broken.stdout.startswith("DWORD 1: write masks"), broken
    assert broken.stdout.endswith("is created unless shader_rules is strict\n"), broken
    with open(path("broken.psa"), "w") as file:
        file.write("ps_1_1\nmov r0, c8\n")
    broken = subprocess.run([dp2_program, "shader", path("broken.psa"), "--ir"], capture_output=True, text=True)
    assert broken.returncode == 1 and "there is no register c8" in broken.stderr, broken
    with open(path("broken.psa"), "w") as file:
        file.write("ps_1_1\nmove r0, v0\n")
    broken = subprocess.run([dp2_program, "shader", path("broken.psa")], capture_output=True, text=True)
    assert broken.returncode == 1 and "line 2" in broken.stderr, broken
    for line, message in (("mvo r0, v0   // no", 'unknown instruction at "mvo r0, v0"'), ("mov r0 v0", 'a comma or the end of the line is expected at "v0"'),
                          ("mov r0,", "a register is missing at the end of the line")):
        with open(path("broken.psa"), "w") as file:
            file.write("ps_1_1\n%s\nmov r1, v0\n" % line)
        broken = subprocess.run([dp2_program, "shader", path("broken.psa")], capture_output=True, text=True)
        assert broken.stderr == "dp2 shader: line 2: %s\n" % message, broken


def token_table():
    """The document is what the command prints."""
    with open(os.path.join(ROOT, "docs/tokens.md")) as file:
        assert file.read() == dp2("tokens", "--markdown"), "docs/tokens.md: run dp2 tokens --markdown"


def caps():
    """Every bit that is set has a name, once, and none has one that is not; D3DCAPS9 of a driver that has it."""
    answer = json.loads(dp2("caps", "--json"))
    for caps, names in (answer["caps"], answer["caps_bits"]), (answer["caps9"], answer["caps9_bits"]):
        assert {"RasterCaps", "DevCaps", "TextureOpCaps", "FVFCaps"} <= set(names) <= set(caps)
        for field, bits in names.items():
            value = caps[field] & ~0xffff if field == "FVFCaps" else caps[field]
            assert len(bits) == len(set(bits)) == bin(value).count("1") and not [b for b in bits if b.startswith("bit")], (field, bits)
    # d3d8caps.h: 0x1, 0x10, 0x80, 0x100, 0x40000
    for bit, name in (0, "DITHER"), (4, "ZTEST"), (7, "FOGVERTEX"), (8, "FOGTABLE"), (18, "WBUFFER"):
        assert (name in answer["caps_bits"]["RasterCaps"]) == bool(answer["caps"]["RasterCaps"] >> bit & 1), name
    assert set(answer["caps9_bits"]) - set(answer["caps_bits"]) == {"DevCaps2", "DeclTypes", "StretchRectFilterCaps", "VS20Caps.Caps",
                                                                    "PS20Caps.Caps", "VertexTextureFilterCaps"}
    text = dp2("caps")
    assert "D3DCAPS8\n" in text and "\nD3DCAPS9\n" in text and "FOGTABLE" in text and "NumSimultaneousRTs" in text
    assert "caps9" not in json.loads(dp2("caps", "--json", HALCYON_CAPS="dx8")) and "D3DCAPS9" not in dp2("caps", HALCYON_CAPS="dx8")


def round_trip():
    for text in STEPS + [MULTI, KEYS, SAMPLES]:
        capture = assemble(text, "a.capture")
        with open(path("a.dp2s"), "w") as file:
            file.write(dp2("dump", capture, "--asm"))
        assert content(assemble(path("a.dp2s"), "b.capture")) == content(capture), text


def dumps():
    capture = assemble(MULTI, "a.capture")
    frames = json.loads(dp2("dump", capture, "--json"))["frames"]
    assert [frame["frame"] for frame in frames] == [0, 1, 2, 3, 4, 5]
    tokens = [c["token"] for f in frames for e in f["events"] for c in e.get("commands", [])]
    assert tokens.count("STATESET") == 4 and tokens.count("DRAWPRIMITIVE") == 4
    first = [e for e in frames[0]["events"] if e["event"] == "draw"][0]["commands"][2]
    assert first["entries"][0] == {"state": "CULLMODE", "value": "NONE"}
    assert "fvf(" in dp2("dump", assemble(STEPS[1], "b.capture"), "--vertices")
    assert "draw" not in dp2("dump", capture, "--frame", "9", status=2)
    assert json.loads(dp2("info", capture, "--json"))["total"]["primitives"] == 5
    assert "frames     6" in dp2("info", capture)


def flags():
    """Flags by name in text, both ways, and by number in JSON; what has no name stays a number."""
    stage = [("TEXCOORDINDEX", "CAMERASPACEPOSITION|1", 0x20001), ("TEXCOORDINDEX", "3", 3), ("TEXTURETRANSFORMFLAGS", "COUNT2|PROJECTED", 258),
             ("TEXTURETRANSFORMFLAGS", "0", 0), ("TEXTURETRANSFORMFLAGS", "PROJECTED|0x205", 0x305)]
    render = [("COLORWRITEENABLE", "RED|ALPHA", 9), ("WRAP1", "U|V", 3), ("WRAP0", "U|0x10", 0x11)]
    text = "create target t 8x8 X8R8G8B8\ncontext c target=t\ndraw c {\n"
    text += "".join("TEXTURESTAGESTATE {stage=0 state=%s value=%s}\n" % s[:2] for s in stage)
    text += "".join("RENDERSTATE {state=%s value=%s}\n" % s[:2] for s in render)
    text += "}\nblt 1 source=1 to=(0 0 4 4) from=(0 0 4 4) flags=ROP|WAIT\ndraw c flags=USERMEMVERTICES|0x100 { }\npresent t\n"
    text += "blt 1 source=1 to=(0 0 4 4) from=(0 0 4 4) flags=ROP|DDFX effects=MIRRORUPDOWN|0x1000\nflip 1 target=1 flags=NOVSYNC|INTERVAL3\n"
    text += """draw c { SURFACEBLT {src=t src_rect=(0 0 4 4) dst=t dst_rect=(4 4 8 8) flags=LINEAR} ISSUEQUERY {id=9 flags=END|BEGIN}
    DRAWRECTPATCH {handle=5 flags=HASSEGS segments=(1 1 1 1)} }\n"""
    capture = assemble_text(text, "flags.capture")
    dump = dp2("dump", capture, "--verbose")
    for state, value, number in stage + render:
        assert "state=%s value=%s}" % (state, value) in dump, (state, value, dump)
    assert "flags=ROP|WAIT" in dump and "flags=USERMEMVERTICES|0x100" in dump and "caps=3DDEVICE|VIDEOMEMORY|LOCALVIDMEM" in dump, dump
    for named in ("local_flags=HASPIXELFORMAT ", "pf_flags=D3DFORMAT ", "effects=MIRRORUPDOWN|0x1000", "flags=NOVSYNC|INTERVAL3",
                  "flags=LINEAR}", "flags=END|BEGIN}", "flags=HASSEGS "):
        assert named in dump, (named, dump)
    assert not re.search(r"flags=0x", dump), dump
    with open(path("flags2.dp2s"), "w") as file:
        file.write(dp2("dump", capture, "--asm"))
    assert content(assemble(path("flags2.dp2s"), "flags2.capture")) == content(capture)
    entries = [e for event in json.loads(dp2("dump", capture, "--json"))["frames"][0]["events"] for c in event.get("commands", []) for e in c["entries"]]
    assert [(e["state"], e["value"]) for e in entries] == [(state, number) for state, _, number in stage + render], entries


def properties():
    """What a capture says of itself; also when others made the text."""
    os.makedirs(path("r"), exist_ok=True)
    capture = assemble(MULTI, "a.capture")
    dp2("replay", capture, "--record", path("r/p.capture"))
    info = json.loads(dp2("info", path("r/p.capture"), "--json"))
    said = info["info"]
    assert said["program"] == os.path.realpath(dp2_program) and "replay" in said["command"]
    assert re.match(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$", said["date"])
    assert said["bits"] == "64" and int(said["threads"]) >= 1 and said["cpu"] and said["first_frame"] == "0"
    assert "wine" not in said
    shown = json.loads(dp2("info", presented(MULTI, 64, 48, "p.capture"), "--json"))
    assert (shown["width"], shown["height"]) == (64, 48) and shown["info"].get("program") is None
    assert os.listdir(path("r")) == ["p.capture"]
    hostile = assemble_text('info "title=a\x1b[31m\tb=c"\ninfo "nothing"\n' + open(STEPS[0]).read(), "h.capture")
    with open(path("h.capture.dp2s"), "rb") as file:
        text = file.read().replace(b"a\x1b", b"a\xff\x1b")
    with open(path("h.capture.dp2s"), "wb") as file:
        file.write(text)
    dp2("asm", path("h.capture.dp2s"), "-o", hostile)
    assert json.loads(dp2("info", hostile, "--json"))["info"]["title"] == "a\ufffd [31m b=c"
    assert "\x1b" not in dp2("info", hostile)


def record_fails():
    """Exit status 2, and what was there before stays."""
    capture = assemble(MULTI, "a.capture")
    dp2("replay", capture, "--record", path("none/r.capture"), status=2)
    dp2("replay", capture, "--record", "/dev/full", status=2)
    os.makedirs(path("kept"), exist_ok=True)
    with open(path("kept/r.capture"), "w") as file:
        file.write("old")
    dp2("replay", capture, "--record", path("kept/r.capture"), HALCYON_CAPTURE_FRAMES="500-600", status=2)
    assert open(path("kept/r.capture")).read() == "old" and os.listdir(path("kept")) == ["r.capture"]


def trim():
    capture = assemble(MULTI, "a.capture")
    all_frames = hashes(capture)
    assert len(set(all_frames)) >= 5
    for first in range(6):
        for last in range(first, 6):
            for options in [], ["--full"]:
                dp2("trim", capture, "--frame", "%d-%d" % (first, last), "-o", path("t.capture"), *options)
                assert hashes(path("t.capture")) == all_frames[first:last + 1], (first, last, options)
    dp2("trim", capture, "--frame", "7", "-o", path("t.capture"), status=2)


def library(textures):
    """An empty frame, then three that show one of many textures, whose texels cannot be packed; the last fills it anew."""
    lines = ["create target screen 32x32 X8R8G8B8", "create depth z 32x32 D16", "context c target=screen depth=z"]
    seed = 1
    for number in range(textures):
        lines.append("create texture t%d 32x32 A8R8G8B8 levels=2" % number)
        for level, side in ("", 32), ("+1", 16):
            words = []
            for _ in range(side * side):
                seed = (seed * 1103515245 + 12345) & 0x7fffffff
                words.append("%08x" % (0xff000000 | seed >> 7))
            rows = " ".join(" ".join(word[i:i + 2] for i in (6, 4, 2, 0)) for word in words)
            lines.append("memory t%d%s { hex(%s) }" % (number, level, rows))
    quad = """fvf(XYZRHW|TEX1 2 2 0.5 1 0 0  30 2 0.5 1 1 0  2 30 0.5 1 0 1  30 30 0.5 1 1 1)"""
    show = "    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=t%d}\n    DRAWPRIMITIVE2 {type=TRIANGLESTRIP offset=0 primitives=2}"
    lines += ["create vertices corners 96", "memory corners { %s }" % quad, """draw c {
    VIEWPORTINFO {x=0 y=0 width=32 height=32}
    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=TRUE}
    TEXTURESTAGESTATE {stage=0 state=COLOROP value=SELECTARG1} {stage=0 state=COLORARG1 value=TEXTURE}
                      {stage=1 state=COLOROP value=DISABLE}
    SETVERTEXSHADER {shader=XYZRHW|TEX1}
    SETSTREAMSOURCE {stream=0 buffer=corners stride=24}
}""", "present screen"]
    clear = "    CLEAR flags=TARGET|ZBUFFER color=#ff000000 depth=1 {rect=(0 0 32 32)}"
    for number in 0, 1:
        lines += ["draw c {\n%s\n%s\n}" % (clear, show % number), "present screen"]
    lines += ["memory t0 { checker(32 32 8 #ffe0d0b0 #ff804030) }", "memory t0+1 { fill(256 #ff00ff00) }",
              "draw c {\n%s\n%s\n}" % (clear, show % 0), "present screen"]
    return "\n".join(lines) + "\n"


def surfaces_of(capture):
    """Surfaces that a capture makes, and those of them that it writes to, with the bytes."""
    made, written = set(), {}
    for frame in json.loads(dp2("dump", capture, "--json"))["frames"]:
        for event in frame["events"]:
            if event["event"] == "surfaces":
                made |= {part["id"] for part in event["parts"]}
            elif event["event"] == "memory":
                size = event["row_bytes"] * event["row_count"] * event["slice_count"]
                written[event["id"]] = written.get(event["id"], 0) + size
    return made, written


def trim_keeps_what_is_used():
    capture = assemble_text(library(24), "l.capture")
    whole = os.path.getsize(capture)
    wanted = hashes(capture)
    for frame, textures in (1, 1), (2, 2), (3, 2):
        said = dp2("trim", capture, "--frame", str(frame), "-o", path("t.capture"))
        assert hashes(path("t.capture")) == [wanted[frame]], frame
        made, written = surfaces_of(path("t.capture"))
        assert len(made) == 3 + 2 * textures, (frame, made)     # target, depth, vertices; what was bound before
        # The target and the depth buffer are cleared, and frame 3 writes its texture: nothing from before is kept.
        assert sum(written.values()) == 32 * 32 * 4 + 16 * 16 * 4 + 96, (frame, written)
        size = os.path.getsize(path("t.capture"))
        assert size < whole / 8, (frame, size, whole)
        assert said == "1 frames, %d of %d bytes, replayed: the same pixels\n" % (size, whole), said
    assert "not replayed" in dp2("trim", capture, "--frame", "2", "-o", path("t.capture"), "--no-check")
    assert hashes(path("t.capture")) == [wanted[2]]


def trim_makes_nothing_larger():
    for capture in [assemble(text, name_of(text) + ".capture") for text in STEPS + [MULTI, KEYS, KINDS, PATCHES, SAMPLES]] + examples():
        all_frames = hashes(capture)
        for frame in range(0, len(all_frames), max(1, len(all_frames) // 3)):
            dp2("trim", capture, "--frame", str(frame), "-o", path("t.capture"))
            assert hashes(path("t.capture")) == [all_frames[frame]], (capture, frame)
            if len(all_frames) > 1:     # of one frame nothing but the note in its information can be added
                assert os.path.getsize(path("t.capture")) <= os.path.getsize(capture), (capture, frame)


def trim_examples():
    for capture in examples():
        wanted = hashes(capture, "--frame", "5-7")
        dp2("trim", capture, "--frame", "5-7", "-o", path("t.capture"))
        assert hashes(path("t.capture")) == wanted, capture


def presented(stream, width, height, name):
    """The frames of a stream with the blit that a recorder takes for their ends."""
    with open(stream) as file:
        text = file.read()
    size = "%d %d" % (width, height)
    blt = "blt destination=front source=screen to=(0 0 %s) from=(0 0 %s) flags=0x30020000 rop=0xcc0020\n" % (size, size)
    front = "create target front %dx%d X8R8G8B8\ncontext c" % (width, height)
    return assemble_text(text.replace("context c", front, 1).replace("present screen", blt + "present screen"), name)


def recorded_ranges():
    for capture in [presented(MULTI, 64, 48, "p.capture"), presented(KEYS, 8, 2, "kp.capture")] + examples():
        all_frames = hashes(capture, "--frame", "0-9")
        for ranges in ("0", "1", "5", "1-2,4", "0,2,4-", "2-3") if "p.capture" in capture else ("1-2,4", "5"):
            dp2("replay", capture, "--frame", "0-9", "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=ranges)
            wanted = []
            for part in ranges.split(","):
                first, _, last = part.partition("-")
                last = int(last) if last else (int(first) if "-" not in part else 9)
                wanted += all_frames[int(first):last + 1]
            assert hashes(path("r.capture")) == wanted, (capture, ranges)


def recorded_range_keeps_what_is_used():
    """Contents are written when the range wants them: those of one texture in 24, and of no target that is cleared."""
    with open(path("l.dp2s"), "w") as file:
        file.write(library(24))
    capture = presented(path("l.dp2s"), 32, 32, "l.capture")
    wanted = hashes(capture)
    for ranges, textures in ("1", 1), ("2", 1), ("3", 1), ("1-2", 2), ("1,3", 2):
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=ranges)
        frames = [int(frame) for frame in re.split("[-,]", ranges)]
        assert hashes(path("r.capture")) == [wanted[frame] for frame in frames], ranges
        made, written = surfaces_of(path("r.capture"))
        size = textures * (32 * 32 * 4 + 16 * 16 * 4) + 96
        assert sum(written.values()) == size, (ranges, size, written)
        assert os.path.getsize(path("r.capture")) < os.path.getsize(capture) / 4, ranges
    # Cut short in the middle, what is there still shows the first frame.
    dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES="1-2")
    data = content(path("r.capture"))
    with open(path("cut.capture"), "wb") as file:
        file.write(data[:-200])
    shown = subprocess.run([dp2_program, "replay", path("cut.capture"), "--hash"], capture_output=True, text=True,
                           env=dict(os.environ, HALCYON_LOG_LEVEL="none"))
    assert [line.split()[2] for line in shown.stdout.splitlines()] == wanted[1:2], shown


def kept(frames):
    """Frames that all show one texture that cannot be packed; the last two after it has got other texels."""
    lines = ["create target screen 64x64 X8R8G8B8", noise("board", 64), "create vertices corners 96", "context c target=screen",
             "memory corners { fvf(XYZRHW|TEX1 2 2 0.5 1 0 0  60 2 0.5 1 1 0  2 60 0.5 1 0 1  60 60 0.5 1 1 1) }", """draw c {
    VIEWPORTINFO {x=0 y=0 width=64 height=64}
    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=FALSE}
    TEXTURESTAGESTATE {stage=0 state=COLOROP value=SELECTARG1} {stage=0 state=COLORARG1 value=TEXTURE} {stage=1 state=COLOROP value=DISABLE}
                      {stage=0 state=TEXTUREMAP value=board}
    SETVERTEXSHADER {shader=XYZRHW|TEX1}
    SETSTREAMSOURCE {stream=0 buffer=corners stride=24}
}""", "present screen"]
    for frame in range(1, frames):
        if frame == frames - 2:
            lines.append("memory board first_row=0 row_count=1 row_offset=0 row_bytes=256 { fill(64 #ff00ff00) }")
        lines += ["draw c { CLEAR flags=TARGET color=#ff%02x0000 {rect=(0 0 64 64)} DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=2} }" % (frame * 9),
                  "present screen"]
    return "\n".join(lines) + "\n"


def unchanged_contents_are_written_once():
    """A file of several ranges holds a texture once, and again when it has changed in between; surfaces that come and go between
    the ranges come and go in the file."""
    text = kept(10)
    for frame in 2, 4:      # the first is made, then destroyed, between two ranges
        at = -1
        for _ in range(frame):
            at = text.index("present screen", at + 1)
        text = text[:at] + ("create target-texture late 16x16 A8R8G8B8\n" if frame == 2 else "destroy late\n") + text[at:]
    with open(path("kept.dp2s"), "w") as file:
        file.write(text)
    capture = presented(path("kept.dp2s"), 64, 64, "kept.capture")
    wanted, sizes, boards = hashes(capture), {}, {}
    for ranges in "1", "1,3", "1,3,5,7", "1,3,6-7,9", "2,4,6":
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=ranges)
        frames = [f for part in ranges.split(",") for f in range(int(part[0]), int(part[-1]) + 1)]
        assert hashes(path("r.capture")) == [wanted[frame] for frame in frames], ranges
        assert "late" not in text or dp2("info", path("r.capture"))
        sizes[ranges], boards[ranges] = os.path.getsize(path("r.capture")), surfaces_of(path("r.capture"))[1][2]
    texture = 64 * 64 * 4
    assert boards == {"1": texture, "1,3": texture, "1,3,5,7": texture, "1,3,6-7,9": 2 * texture, "2,4,6": texture}, boards
    assert sizes["1,3,5,7"] < sizes["1"] + 3 * 1024 and sizes["1,3,6-7,9"] > sizes["1"] + 6000, sizes


def flips():
    """Three buffers that are drawn to in parts, one after the other: what a trim and a range carry moves with each flip."""
    buffers = [("front", "PRIMARYSURFACE|FRONTBUFFER|FLIP|COMPLEX|3DDEVICE"), ("back", "BACKBUFFER|FLIP|3DDEVICE"), ("third", "FLIP|3DDEVICE")]
    parts = "".join("    part id=%d handle=%d caps=%s|VIDEOMEMORY|LOCALVIDMEM local_flags=0x2000 width=32 height=32 pf_size=32 pf_flags=0x200000 "
                    "format=X8R8G8B8 back_buffers=%d\n" % (i + 1, i + 1, caps, 2 if i == 0 else 0) for i, (_, caps) in enumerate(buffers))
    links = "    link from=1 to=2\n    link from=2 to=3\n    link from=3 to=1\n"
    text = "surfaces local=1 process=1 {\n%s%s}\nannounce local=1 root=1 {\n    name id=1 handle=1\n    name id=2 handle=2\n    name id=3 handle=3\n%s}\n" % (parts, links, links)
    text += noise("waste", 128) + "\ncontext c target=2\n"
    for frame in range(9):
        text += "clear c flags=TARGET color=#ff%02x%02x%02x depth=1 { rect area=(%d %d %d %d) }\nflip 1 target=2\nframe %d surface=1 rect=(0 0 32 32)\n" % (
            frame * 25, 255 - frame * 20, 40 * (frame % 4), frame * 3, frame * 2, frame * 3 + 6, frame * 2 + 9, frame)
    capture = assemble_text(text, "flips.capture")
    wanted = hashes(capture)
    assert len(set(wanted)) == 9
    for first, last in [(frame, frame) for frame in range(9)] + [(2, 6), (4, 8)]:
        frames = "%d-%d" % (first, last)
        said = dp2("trim", capture, "--frame", frames, "-o", path("t.capture"))
        assert first == 0 or "all calls" not in said, (frames, said)
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=frames)
        for part in "t.capture", "r.capture":
            assert hashes(path(part)) == wanted[first:last + 1], (frames, part)
    dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES="1,3,5-6,8")
    assert hashes(path("r.capture")) == [wanted[frame] for frame in (1, 3, 5, 6, 8)]


def noise(name, side):
    """A texture whose texels cannot be packed."""
    seed, words = 1, []
    for _ in range(side * side):
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        words.append("%08x" % (0xff000000 | seed >> 7))
    data = " ".join(" ".join(word[i:i + 2] for i in (6, 4, 2, 0)) for word in words)
    return "create texture %s %dx%d A8R8G8B8\nmemory %s { hex(%s) }" % (name, side, side, name, data)


def samples():
    """A trim and a range that begin between draws to four samples carry each of them, in old readers' pixels too."""
    with open(SAMPLES) as file, open(path("samples.dp2s"), "w") as out:
        text = file.read()
        # what makes the whole capture larger than the parts: texels that cannot be packed
        out.write(text.replace("context c", noise("waste", 128) + "\ncontext c", 1))
    capture = presented(path("samples.dp2s"), 32, 32, "samples.capture")
    wanted = hashes(capture)
    assert len(set(wanted)) == 4
    for first, last in (1, 1), (2, 2), (3, 3), (1, 3), (2, 3):
        frames = "%d-%d" % (first, last)
        said = dp2("trim", capture, "--frame", frames, "-o", path("t.capture"))
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=frames)
        for part in "t.capture", "r.capture":
            assert hashes(path(part)) == wanted[first:last + 1], (frames, part)
            assert hashes(path(part), "--cpu", "scalar", "--threads", "3") == wanted[first:last + 1], (frames, part)
            text = dp2("dump", path(part), "--asm")
            # four of each surface, and none of the calls before the frames
            assert len(re.findall(r"^  samples ", text, re.M)) == 8 and text.count("CLEAR flags") == 0, (frames, part)
            with open(path("s.dp2s"), "w") as file:
                file.write(text)
            assert content(assemble(path("s.dp2s"), "s.capture")) == content(path(part)), (frames, part)
            # Recorded once more they are there again.
            dp2("replay", path(part), "--record", path("again.capture"))
            assert hashes(path("again.capture")) == wanted[first:last + 1], (frames, part)
            # Resolved pixels are not enough: what a reader shows that does not know the samples.
            resolved = assemble_text(re.sub(r"^  samples .*?^  }$", "", text, flags=re.M | re.S), "resolved.capture")
            assert hashes(resolved) != wanted[first:last + 1], (frames, part)
        assert "all calls" not in said, said
    for ranges in "1,3", "0,2-3", "0,3":
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=ranges)
        frames = {"1,3": [1, 3], "0,2-3": [0, 2, 3], "0,3": [0, 3]}[ranges]
        assert hashes(path("r.capture")) == [wanted[frame] for frame in frames], ranges


def hostile_samples():
    """Samples that a surface does not have are refused, and the rest is played."""
    head = "create target t 8x8 X8R8G8B8 samples=4\ncreate target flat 8x8 X8R8G8B8\ncreate vertices v 64\ncontext c target=t\n"
    rows = "{ fill(8 #ff102030) }\n"
    for line in ("samples t samples=4 sample=4 first_row=0 row_count=1 row_bytes=32 " + rows,
                 "samples t samples=4 sample=0 first_row=8 row_count=1 row_bytes=32 " + rows,
                 "samples t samples=4 sample=0 first_row=4294967295 row_count=1 row_bytes=32 " + rows,
                 "samples t samples=4 sample=0 first_row=0 row_count=2 row_bytes=16 " + rows,
                 "samples flat samples=4 sample=0 first_row=0 row_count=1 row_bytes=32 " + rows,
                 "samples v samples=4 sample=0 first_row=0 row_count=1 row_bytes=32 " + rows):
        capture = assemble_text(head + line + "present t\n", "h.capture")
        assert len(hashes_of_refused(capture)) == 1, line
    good = assemble_text(head + "".join("samples t samples=4 sample=%d { fill(64 #ff%02x0000) }\n" % (i, 40 * i) for i in range(4))
                         + "present t\n", "h.capture")
    assert hashes(good) == [picture_hash([[0x3c0000] * 8] * 8)]
    # A surface that is not there, as after a refusal of the driver.
    assert len(hashes(assemble_text(head + "samples 77 samples=4 sample=0 first_row=0 row_count=1 row_bytes=32 " + rows + "present t\n", "h.capture"))) == 1


def hashes_of_refused(capture):
    return dp2("replay", capture, "--hash", status=1).splitlines()


def newer_files():
    """What a later version has written is skipped, and said."""
    good = bytearray(content(assemble(SAMPLES, "n.capture")))
    chunk = struct.unpack_from("<I", good, 12)[0]
    while struct.unpack_from("<H", good, chunk + 4)[0] != 2:       # the first chunk of events
        chunk += 32 + struct.unpack_from("<I", good, chunk + 8)[0]
    stored, raw = struct.unpack_from("<II", good, chunk + 8)
    packed = bytes(good[chunk + 32:chunk + 32 + stored])
    events = (zlib.decompress(packed) if stored != raw else packed) + struct.pack("<HHI8s", 4711, 0, 5, b"later")
    head = struct.pack("<IHHIIII", 0x4b484348, 2, 0, len(events), len(events), zlib.crc32(events), 0)
    data = good[:chunk] + head + struct.pack("<II", zlib.crc32(head), 0) + events + good[chunk + 32 + stored:]
    data[10] = 99       # the minor version
    data = data[:-24]   # the footer's place of the index is no longer right, and an index is needed by nobody
    with open(path("n.capture"), "wb") as file:
        file.write(data)
    for words in (["replay", "--hash"], ["info"], ["dump"], ["feedback"], ["diff", path("n.capture")], ["trim", "-f", "0-3", "-o", path("t.capture")]):
        done = subprocess.run([dp2_program, words[0], path("n.capture"), *words[1:]], capture_output=True, text=True,
                              env=dict(os.environ, HALCYON_LOG_LEVEL="none"))
        assert done.returncode == 1 and ": 1 events were skipped: the file has format 1.99, this program reads 1." in done.stderr, done
        if words[0] == "replay":
            assert [line.split()[2] for line in done.stdout.splitlines()] == hashes(assemble(SAMPLES, "o.capture"))


def pure(frames):
    """Frames of a pure device: blocks recorded, captured, made by type, executed; a matrix that is multiplied; a palette."""
    lines = ["create target screen 32x32 X8R8G8B8", "create texture board 8x8 A8R8G8B8", "create texture other 8x8 A8R8G8B8",
             "create vertices corners 96", "context c target=screen", "memory board { checker(8 8 2 #ffe0d0b0 #ff804030) }",
             "memory other { checker(8 8 4 #ff00ff00 #ff2040ff) }",
             "memory corners { fvf(XYZ|TEX1 -1 1 0.5 0 0  1 1 0.5 1 0  -1 -1 0.5 0 1  1 -1 0.5 1 1) }", """draw c {
    VIEWPORTINFO {x=0 y=0 width=32 height=32}
    ZRANGE {min=0 max=1}
    RENDERSTATE {state=CULLMODE value=NONE} {state=LIGHTING value=FALSE} {state=ZENABLE value=FALSE}
    TEXTURESTAGESTATE {stage=0 state=COLOROP value=SELECTARG1} {stage=0 state=COLORARG1 value=TEXTURE}
                      {stage=1 state=COLOROP value=DISABLE} {stage=0 state=TEXTUREMAP value=other}
    SETVERTEXSHADER {shader=XYZ|TEX1}
    SETSTREAMSOURCE {stream=0 buffer=corners stride=20}
    STATESET {op=BEGIN block=1}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=board}
    STATESET {op=END block=1}
    STATESET {op=BEGIN block=2}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=0} {stage=0 state=COLOROP value=SELECTARG1}
    STATESET {op=END block=2}
    STATESET {op=CAPTURE block=2}
    STATESET {op=CREATE block=3 type=2}
}""", "present screen"]
    for frame in range(frames):
        scale = 1 - frame / (2 * frames)
        lines += ["""draw c {
    CLEAR flags=TARGET color=#ff%02x0000 {rect=(0 0 32 32)}
    SETTRANSFORM {type=WORLD matrix=(%g 0 0 0 0 %g 0 0 0 0 1 0 0 0 0 1)}
    MULTIPLYTRANSFORM {type=WORLD matrix=(0.9 0 0 0 0 1.1 0 0 0 0 1 0 0.1 0 0 1)}
    STATESET {op=EXECUTE block=%d}
    UPDATEPALETTE {palette=1 start=0 entries=2 data=hex(01 02 03 04 05 06 07 08)}
    DRAWPRIMITIVE {type=TRIANGLESTRIP start=0 primitives=2}
    RENDERSTATE {state=TEXTUREFACTOR value=%d}
}""" % (frame * 4, scale, scale, 1 + frame % 3, frame), "present screen"]
    return "\n".join(lines) + "\n"


def pure_states():
    """Trims and ranges of a pure device's program do not grow with what was before them."""
    with open(path("pure.dp2s"), "w") as file:
        file.write(pure(48))
    capture = presented(path("pure.dp2s"), 32, 32, "pure.capture")
    wanted = hashes(capture)
    assert len(set(wanted)) > 40
    tokens = {}
    for frame in list(range(1, 10)) + [46, 47, 48]:
        dp2("trim", capture, "--frame", str(frame), "-o", path("t.capture"))
        assert hashes(path("t.capture")) == [wanted[frame]], frame
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES="%d-" % frame)
        assert hashes(path("r.capture")) == wanted[frame:], frame
        tokens[frame] = json.loads(dp2("info", path("t.capture"), "--json"))["total"]["tokens"]
    assert max(tokens[frame] for frame in (46, 47, 48)) <= max(tokens[frame] for frame in (7, 8, 9)), tokens


def patches():
    """A patch that was described before the frames is kept with the control points it had then."""
    capture = presented(PATCHES, 64, 64, "patches.capture")
    wanted = hashes(capture)
    assert len(set(wanted)) == 3
    for frames in "1", "2", "1-2":
        first, last = int(frames[0]), int(frames[-1])
        dp2("trim", capture, "--frame", frames, "-o", path("t.capture"))
        assert hashes(path("t.capture")) == wanted[first:last + 1], frames
        assert "DRAWRECTPATCH" in json.loads(dp2("info", path("t.capture"), "--json"))["tokens"]
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=frames)
        assert hashes(path("r.capture")) == wanted[first:last + 1], frames
    # Without the calls before it: those of frame 0 are not in the file.
    dp2("trim", capture, "--frame", "1", "-o", path("t.capture"))
    clears = [c for f in json.loads(dp2("dump", path("t.capture"), "--json"))["frames"] for e in f["events"]
              for c in e.get("commands", []) if c["token"] == "CLEAR"]
    assert len(clears) == 1, clears


def picture_hash(rows):
    """What `dp2 replay --hash` prints for rows of colours 0xRRGGBB: XXH3 by the library itself."""
    xxh3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
    xxh3.restype, xxh3.argtypes = ctypes.c_uint64, (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64)
    pixels = b"".join(struct.pack("<I", 0xff000000 | c) for row in rows for c in row)
    return "%016x" % xxh3(pixels, len(pixels), len(rows) << 32 | len(rows[0]))


def color_keys():
    b, m, g, r, u = 0x808080, 0xff00ff, 0x00ff00, 0xff0000, 0x0000ff
    pictures = [
        [[b, b, g, g, b, b, u, u]] * 2,
        [[m, m, b, b, m, m, u, u]] * 2,
        [[m, m, g, g, m, m, u, u], [r, r, b, b, r, r, u, u]],
        [[b, g, b, u, b, b, b, b], [m, m, g, g, m, m, b, b]],
        [[m, g, m, u, b, b, b, b], [m, m, g, g, m, m, b, b]],
    ]
    wanted = [picture_hash(p) for p in pictures]
    capture = assemble(KEYS, "k.capture")
    assert hashes(capture) == wanted
    assert hashes(capture, "--cpu", "scalar", "--threads", "3") == wanted
    for first in range(5):
        for last in range(first, 5):
            for options in [], ["--full"]:
                dp2("trim", capture, "--frame", "%d-%d" % (first, last), "-o", path("t.capture"), *options)
                assert hashes(path("t.capture")) == wanted[first:last + 1], (first, last, options)
    event = [e for e in json.loads(dp2("dump", capture, "--json"))["frames"][0]["events"] if e["event"] == "color-key"][0]
    assert event["kind"] == "SOURCE" and event["low"] == 0xf81f and event["set"] == 1


def diff():
    a, b = assemble(STEPS[1], "a.capture"), None
    with open(STEPS[1]) as file:
        text = file.read()
    assert dp2("diff", a, a) == ""
    b = assemble_text(text.replace("#ff40ff40", "#ff40ffff"), "b.capture")
    out = dp2("diff", a, b, "-o", path("d.png"), status=1)
    assert "event 3, frame 0: draw" in out and "pixels differ" in out
    assert content(path("d.png"))[:4] == b"\x89PNG"
    c = assemble_text(text.replace("value=NONE", "value=CW"), "c.capture")
    out = dp2("diff", a, c, status=1)
    assert "- 000038: RENDERSTATE" in out and "value=CW" in out
    d = assemble_text(text + "\npresent screen\n", "d.capture")
    assert "only in" in dp2("diff", a, d, "--pixels", status=1)
    dp2("diff", a, path("none"), status=2)
    dp2("diff", a, status=2)


def gray_ends(name):
    """The least and the greatest red of a PNG of 8 bits."""
    sys.path.insert(0, os.path.join(ROOT, "scripts"))
    import picture
    reds = picture.read_png(content(name))[2][::3]
    return min(reds), max(reds)


def until():
    capture = assemble(STEPS[4], "a.capture")
    whole = dp2("replay", capture, "--until", "0", "-o", path("u.png")).split()
    assert whole[0] == "target" and whole[4] == "depth" and whole[3] == hashes(capture)[0]
    assert content(path("u.png"))[:4] == content(path("u.depth.png"))[:4] == b"\x89PNG"
    commands = [e for e in json.loads(dp2("dump", capture, "--json"))["frames"][0]["events"]
                if e["event"] == "draw"][0]["commands"]
    seen = [dp2("replay", capture, "--until", "0:0:%d" % c["offset"]) for c in commands]
    assert len(set(seen)) == 4      # nothing, cleared, one square, both
    assert dp2("replay", capture, "--until", "0:0").split()[3] == whole[3]
    # The depths that are there from black to white, and both ends said; or those that are asked for.
    assert whole[8] == "black" and whole[10] == "white" and 0 <= float(whole[9]) < float(whole[11]) == 1, whole
    assert gray_ends(path("u.depth.png")) == (0, 255)
    given = dp2("replay", capture, "--until", "0", "--depth-range", "0:1", "-o", path("a.png")).split()
    assert given[8:] == ["black", "0", "white", "1"] and given[:8] == whole[:8], given
    assert gray_ends(path("a.depth.png")) == (int(float(whole[9]) * 255 + 0.5), 255)
    dp2("replay", capture, "--until", "0", "--depth-range", "1:0", "-o", path("b.png"))
    assert gray_ends(path("b.depth.png")) == (0, 255 - int(float(whole[9]) * 255 + 0.5))
    cleared = dp2("replay", capture, "--until", "0:0:%d" % commands[1]["offset"]).split()
    assert cleared[9] == "0" and cleared[11] == "1", cleared      # one depth everywhere
    for wrong in (["--depth-range", "0:1"], ["--until", "0", "--depth-range", "1"], ["--until", "0", "--depth-range", "1:1"],
                  ["--until", "0", "--depth-range", "nan:1"]):
        dp2("replay", capture, *wrong, status=2)
    dp2("replay", capture, "--until", "4", status=2)
    dp2("replay", capture, "--until", "0:9", status=2)
    dp2("replay", capture, "--until", "0:0:%d" % (commands[-1]["offset"] + 1), status=2)
    dp2("replay", capture, "--until", "0:0:0x999999", status=2)
    dp2("replay", capture, "--until", "x", status=2)


def wrong_text():
    for text in "", "nonsense", "draw 1 {", "memory 5 { hex(00) }", "create target a 1x1", "\0\xff{}", "{" * 5000:
        assemble_text(text, "w.capture", status=1)
        assert not os.path.exists(path("w.capture"))
    # What makes no sense to the driver is refused there, and nothing dies.
    capture = assemble_text("create target t 8x8 X8R8G8B8\ncontext c target=t\n"
                            "draw c { DRAWPRIMITIVE {type=TRIANGLELIST start=4000000000 primitives=4000000000} }\n"
                            "draw c { raw hex(ff 00 ff ff) }\ndraw 77 { }\npresent t", "w.capture")
    dp2("replay", capture, "--hash", status=1)


def hostile_files():
    good = content(assemble(MULTI, "a.capture"))
    seed = 12345
    for round_number in range(60):
        bad = bytearray(good)
        if round_number < 20:
            bad = bad[:len(bad) * round_number // 20]
        else:
            for _ in range(round_number % 4 + 1):
                seed = (seed * 1103515245 + 12345) & 0x7fffffff
                bad[seed % len(bad)] ^= 1 << (seed >> 16) % 8
        with open(path("h.capture"), "wb") as file:
            file.write(bad)
        for verb in (["dump"], ["dump", "--asm"], ["dump", "--json"], ["info"], ["replay", "--hash"],
                     ["trim", "--frame", "1-2", "-o", path("t.capture")], ["replay", "--until", "2"],
                     ["feedback", "--json"]):
            dp2(verb[0], path("h.capture"), *verb[1:], status=(0, 1, 2))
        dp2("diff", path("h.capture"), path("a.capture"), status=(0, 1, 2))


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
    for capture in [assemble(step, name_of(step) + ".capture") for step in STEPS + [MULTI, KINDS]] + examples():
        seen = [line.split()[2] for line in dp2("feedback", capture, "--hash").splitlines()]
        assert seen == hashes(capture), capture


def feedback_beside_maps_of_the_program():
    """Maps that the program has bound or paired and gives commands to stay its own: nothing is refused, and what they decode to is
    what it is without the tool."""
    def command(letter, stage=0):
        return sum(ord(c) << 8 * i for i, c in enumerate("SF%s%d" % (letter, stage)))
    text = kept(6).replace("create vertices corners", """create texture bound 64x64 0x32325546
create texture paired 64x64 0x32325546
create texture bytes 16x16 L8
create vertices corners""").replace("{stage=0 state=TEXTUREMAP value=board}", "{stage=0 state=TEXTUREMAP value=bound}").replace(
        "    SETVERTEXSHADER", """    RENDERSTATE {state=POINTSIZE value=%d} {state=POINTSIZE value=%d}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=board}
    SETVERTEXSHADER""" % (command("B"), command("C")), 1)
    # in the last frames the map is decoded into a texture, and this one shown; then the other map is paired with it
    last = text[text.rindex("draw c { CLEAR"):]
    text += """draw c {
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=bytes} RENDERSTATE {state=POINTSIZE value=%d}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=0}     RENDERSTATE {state=POINTSIZE value=%d}
    TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=bytes}
}
""" % (command("D"), command("B")) + last
    text += "draw c { SETFEEDBACK {texture=board map=paired} TEXTURESTAGESTATE {stage=0 state=TEXTUREMAP value=board} }\n" + last
    capture = assemble_text(text, "own.capture")
    said = [subprocess.run([dp2_program, verb, capture, "--hash"], capture_output=True, text=True, env=dict(os.environ, HALCYON_LOG_LEVEL="warn"))
            for verb in ("replay", "feedback")]
    assert [done.returncode for done in said] == [0, 0] and [done.stderr for done in said] == ["", ""], said
    assert said[0].stdout == said[1].stdout and len(set(hashes(capture))) >= 7, said


def feedback_of_frames():
    for capture in examples():
        whole, part = (json.loads(dp2("feedback", capture, "--json", *frames))["total"]["touched"]
                       for frames in ((), ("--frame", "5-6")))
        assert part <= whole and (part > 0 or whole == 0), capture


def manual():
    """Each verb's help, word for word, in the manual; its options and no others in both completions."""
    with open(os.path.join(ROOT, "tools/man/dp2.1")) as file:
        page = file.read()
    with open(os.path.join(ROOT, "tools/completion/dp2")) as file:
        completion = file.read()
    with open(os.path.join(ROOT, "tools/completion/_dp2")) as file:
        zsh = file.read()
    verbs = re.findall(r"^  ([a-z]+) ", dp2("--help"), re.M)
    assert len(verbs) > 8, verbs
    for verb in verbs:
        text = dp2(verb, "--help")
        section = re.search(r"^\.SS %s\n\.nf\n(.*?)^\.fi$" % verb, page, re.M | re.S)
        assert section, verb
        assert section[1].replace("\\-", "-").replace("\\&", "").replace("\\e", "\\") == text, verb
        options = re.search(r'^    %s\) options="(.*)" ;;' % verb, completion, re.M)
        assert options, verb
        # (what the descriptions quote of other verbs is none of this one's)
        text = re.sub(r"'dp2 [^']*'", "", text)
        named = set(re.findall(r"--[a-z][a-z-]*", text.split("examples:")[0])) | {"--help"}
        assert set(options[1].split()) == named, (verb, named)
        assert re.search(r'verbs="[^"]*\b%s\b' % verb, completion), verb
        section = re.search(r"^    %s\)\n(.*?);;$" % verb, zsh, re.M | re.S)
        assert section and "'%s:" % verb in zsh, verb
        offered = set(re.findall(r"(?:^ +'\*?|\+=\('|' '|,|\)|\*)(--[a-z][a-z-]*)(?=[}\[])", section[1], re.M)) | {"--help"}
        assert offered == named, (verb, offered ^ named)


def completion():
    """bash completes verbs, options, their values, and the verb behind help."""
    script = os.path.join(ROOT, "tools/completion/dp2")

    def offered(*words):
        call = "source %s; COMP_WORDS=(dp2 %s); COMP_CWORD=%d; _dp2; printf '%%s\\n' \"${COMPREPLY[@]}\"" % (
            script, " ".join(w or "''" for w in words), len(words))
        return subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True).stdout.split()

    assert offered("re") == ["replay"] and offered("help", "du") == ["dump"] and "--asm" not in offered("asm", "--")
    assert offered("replay", "--cpu", "s") == ["scalar", "sse2"] and offered("coverage", "--mode", "") == ["standard", "conservative"]
    assert offered("coverage", "--space", "p") == ["pixel"] and "--quiet" in offered("replay", "--q")


def update():
    with open(HASHES, "w") as file:
        print("# Pictures of examples/dp2; tests/cli/test_dp2.py --update", file=file)
        for step in STEPS:
            capture = assemble(step, "step.capture")
            picture = os.path.join(PICTURES, name_of(step) + ".png")
            print(name_of(step), hashes(capture, "-o", picture)[0], file=file)


with tempfile.TemporaryDirectory(prefix="halcyon-cli-") as folder:
    if sys.argv[1:] == ["--update"]:
        update()
        sys.exit(0)
    if len(sys.argv) > 1:
        dp2_program = os.path.abspath(sys.argv[1])
    passed = run_tests([
        properties, record_fails, tutorial, tutorial_is_told, call_log, shader_text, token_table, caps, round_trip, dumps,
        flags, trim, trim_keeps_what_is_used, trim_makes_nothing_larger, trim_examples, recorded_ranges,
        recorded_range_keeps_what_is_used, pure_states, patches, unchanged_contents_are_written_once, flips,
        samples, hostile_samples, newer_files, color_keys, diff, until, wrong_text, hostile_files, feedback,
        feedback_of_all_kinds, feedback_changes_no_pixel, feedback_beside_maps_of_the_program,
        feedback_of_frames, manual, completion])
sys.exit(0 if passed else 1)
