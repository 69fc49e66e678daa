#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 trim and recorded ranges of frames: the same pixels, and nothing superfluous. Speaks TAP.

tests/cli/test_trim.py [DP2 [CAPTURE...]]
"""
import functools
import json
import os
import re
import sys

from program import CAPTURES, MULTI, assemble, content, dp2, hashes, later_frame, path, picture_hash, put
from streams import KEYS, KINDS, PATCHES, SAMPLES, STEPS, kept, library, name_of, noise, presented
from tap import run_tests


def record_fails():
    """Exit status 2, and the existing file stays."""
    capture = assemble(MULTI, "a.capture")
    dp2("replay", capture, "--record", path("none/r.capture"), status=2)
    dp2("replay", capture, "--record", "/dev/full", status=2)
    os.makedirs(path("kept"), exist_ok=True)
    put("kept/r.capture", "old")
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


def surfaces_of(capture):
    """The surfaces that a capture creates, and those of them that it writes to, with the number of bytes."""
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
    capture = assemble(library(24), "l.capture")
    whole = os.path.getsize(capture)
    wanted = hashes(capture)
    for frame, textures in (1, 1), (2, 2), (3, 2):
        said = dp2("trim", capture, "--frame", str(frame), "-o", path("t.capture"))
        assert hashes(path("t.capture")) == [wanted[frame]], frame
        made, written = surfaces_of(path("t.capture"))
        assert len(made) == 3 + 2 * textures, (frame, made)     # target, depth, vertices: the earlier bindings
        # The target and the depth buffer are cleared, and frame 3 writes its texture: nothing from earlier frames is
        # kept.
        assert sum(written.values()) == 32 * 32 * 4 + 16 * 16 * 4 + 96, (frame, written)
        size = os.path.getsize(path("t.capture"))
        assert size < whole / 8, (frame, size, whole)
        assert said == "1 frame, %d of %d bytes, replayed: the same pixels\n" % (size, whole), said
    assert "not replayed" in dp2("trim", capture, "--frame", "2", "-o", path("t.capture"), "--no-check")
    assert hashes(path("t.capture")) == [wanted[2]]


@functools.cache
def hashes_of_example(capture):
    return hashes(capture)


def trim_makes_nothing_larger():
    for capture in [assemble(text, name_of(text) + ".capture") for text in STEPS + [MULTI, KEYS, KINDS, PATCHES, SAMPLES]] + CAPTURES:
        all_frames = hashes_of_example(capture) if capture in CAPTURES else hashes(capture)
        for frame in range(0, len(all_frames), max(1, len(all_frames) // (2 if capture in CAPTURES else 3))):
            dp2("trim", capture, "--frame", str(frame), "-o", path("t.capture"))
            assert hashes(path("t.capture")) == [all_frames[frame]], (capture, frame)
            if len(all_frames) > 1:     # for one frame, only the note in the information can be longer
                assert os.path.getsize(path("t.capture")) <= os.path.getsize(capture), (capture, frame)


def trim_examples():
    for capture in CAPTURES:
        first = later_frame(capture)
        frames = f"{first}-{first + 2}"
        dp2("trim", capture, "--frame", frames, "-o", path("t.capture"))
        assert hashes(path("t.capture")) == hashes_of_example(capture)[first:first + 3], capture


def recorded_ranges():
    for capture in [presented(MULTI, 64, 48, "p.capture"), presented(KEYS, 8, 2, "kp.capture")] + CAPTURES:
        all_frames = (hashes_of_example(capture) if capture in CAPTURES else hashes(capture))[:10]
        for ranges in ("0", "1", "5", "1-2,4", "0,2,4-", "2-3") if "p.capture" in capture else ("1-2,4", str(later_frame(capture))):
            dp2("replay", capture, "--frame", "0-9", "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=ranges)
            wanted = []
            for part in ranges.split(","):
                first, _, last = part.partition("-")
                last = int(last) if last else (int(first) if "-" not in part else 9)
                wanted += all_frames[int(first):last + 1]
            assert hashes(path("r.capture")) == wanted, (capture, ranges)


def recorded_range_keeps_what_is_used():
    """Contents are written only if the range needs them: those of one texture in 24, and of no target that is
    cleared."""
    capture = presented(library(24), 32, 32, "l.capture")
    wanted = hashes(capture)
    for ranges, textures in ("1", 1), ("2", 1), ("3", 1), ("1-2", 2), ("1,3", 2):
        dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES=ranges)
        frames = [int(frame) for frame in re.split("[-,]", ranges)]
        assert hashes(path("r.capture")) == [wanted[frame] for frame in frames], ranges
        made, written = surfaces_of(path("r.capture"))
        size = textures * (32 * 32 * 4 + 16 * 16 * 4) + 96
        assert sum(written.values()) == size, (ranges, size, written)
        assert os.path.getsize(path("r.capture")) < os.path.getsize(capture) / 4, ranges
    # Cut off in the middle, the file still shows the first frame.
    dp2("replay", capture, "--record", path("r.capture"), HALCYON_CAPTURE_FRAMES="1-2")
    data = content(path("r.capture"))
    put("cut.capture", data[:-200])
    assert hashes(path("cut.capture"), status=1) == wanted[1:2]


def unchanged_contents_are_written_once():
    """A file with several ranges holds a texture once, and again if it has changed in between; surfaces that are
    created or destroyed between the ranges are created or destroyed in the file."""
    text = kept(10)
    for frame in 2, 4:      # the first one is created and destroyed between two ranges
        at = -1
        for _ in range(frame):
            at = text.index("present screen", at + 1)
        text = text[:at] + ("create target-texture late 16x16 A8R8G8B8\n" if frame == 2 else "destroy late\n") + text[at:]
    capture = presented(text, 64, 64, "kept.capture")
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
    """Three buffers that are partly drawn to, in turn: the contents that a trim and a range save move with each
    flip."""
    buffers = [("front", "PRIMARYSURFACE|FRONTBUFFER|FLIP|COMPLEX|3DDEVICE"), ("back", "BACKBUFFER|FLIP|3DDEVICE"), ("third", "FLIP|3DDEVICE")]
    parts = "".join("    part id=%d handle=%d caps=%s|VIDEOMEMORY|LOCALVIDMEM local_flags=0x2000 width=32 height=32 pf_size=32 pf_flags=0x200000 "
                    "format=X8R8G8B8 back_buffers=%d\n" % (i + 1, i + 1, caps, 2 if i == 0 else 0) for i, (_, caps) in enumerate(buffers))
    links = "    link from=1 to=2\n    link from=2 to=3\n    link from=3 to=1\n"
    text = "surfaces local=1 process=1 {\n%s%s}\nannounce local=1 root=1 {\n    name id=1 handle=1\n    name id=2 handle=2\n    name id=3 handle=3\n%s}\n" % (parts, links, links)
    text += noise("waste", 128) + "\ncontext c target=2\n"
    for frame in range(9):
        text += "clear c flags=TARGET color=#ff%02x%02x%02x depth=1 { rect area=(%d %d %d %d) }\nflip 1 target=2\nframe %d surface=1 rect=(0 0 32 32)\n" % (
            frame * 25, 255 - frame * 20, 40 * (frame % 4), frame * 3, frame * 2, frame * 3 + 6, frame * 2 + 9, frame)
    capture = assemble(text, "flips.capture")
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


def samples():
    """A trim and a range that begin between draws to four samples save each sample, and the pixels for old readers."""
    # texels that cannot be compressed, so that the whole capture is larger than its parts
    text = content(SAMPLES).decode().replace("context c", noise("waste", 128) + "\ncontext c", 1)
    capture = presented(text, 32, 32, "samples.capture")
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
            put("s.dp2s", text)
            assert content(assemble(path("s.dp2s"), "s.capture")) == content(path(part)), (frames, part)
            # Recorded once more, the samples are still there.
            dp2("replay", path(part), "--record", path("again.capture"))
            assert hashes(path("again.capture")) == wanted[first:last + 1], (frames, part)
            # Resolved pixels are not enough: the picture of a reader that does not know the samples.
            resolved = assemble(re.sub(r"^  samples .*?^  }$", "", text, flags=re.M | re.S), "resolved.capture")
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
        capture = assemble(head + line + "present t\n", "h.capture")
        assert len(hashes(capture, status=1)) == 1, line
    good = assemble(head + "".join("samples t samples=4 sample=%d { fill(64 #ff%02x0000) }\n" % (i, 40 * i) for i in range(4))
                         + "present t\n", "h.capture")
    assert hashes(good) == [picture_hash([[0x3c0000] * 8] * 8)]
    # A surface that does not exist, as after a refusal of the driver.
    assert len(hashes(assemble(head + "samples 77 samples=4 sample=0 first_row=0 row_count=1 row_bytes=32 " + rows + "present t\n", "h.capture"))) == 1


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
    """Trims and ranges of a pure device's program do not grow with the number of earlier frames."""
    capture = presented(pure(48), 32, 32, "pure.capture")
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
    """A patch that was described before the frames is saved with its control points of that time."""
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
    # Without the earlier calls: those of frame 0 are not in the file.
    dp2("trim", capture, "--frame", "1", "-o", path("t.capture"))
    clears = [c for f in json.loads(dp2("dump", path("t.capture"), "--json"))["frames"] for e in f["events"]
              for c in e.get("commands", []) if c["token"] == "CLEAR"]
    assert len(clears) == 1, clears


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


sys.exit(0 if run_tests([
    record_fails, trim, trim_keeps_what_is_used, trim_makes_nothing_larger, trim_examples, recorded_ranges, recorded_range_keeps_what_is_used,
    pure_states, patches, unchanged_contents_are_written_once, flips, samples, hostile_samples, color_keys]) else 1)
