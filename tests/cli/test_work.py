#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The limit on the cost of a replay (docs/limits.md): honest captures play to the end, others stop where they exceed
it. Speaks TAP.

tests/cli/test_work.py [DP2]
"""
import sys

from program import MULTI, assemble, dp2, hashes, path, run
from tap import run_tests

START = """create target screen 1024x1024 X8R8G8B8
create target other 1024x1024 R5G6B5
context c local=1 process=1 target=screen level=5
"""
# converted in both directions: 50 ms of one core by the driver's prices for commands, which count both surfaces, 25 ms
# as events
COMMANDS = "draw c {\n%s}\n"
PAIR = ("  BLT {src=screen src_rect=(0 0 1024 1024) dst=other dst_rect=(0 0 1024 1024)}\n"
        "  BLT {src=other src_rect=(0 0 1024 1024) dst=screen dst_rect=(0 0 1024 1024)}\n")
EVENTS = ("blt other source=screen to=(0 0 1024 1024) from=(0 0 1024 1024) flags=0x1000000\n"
          "blt screen source=other to=(0 0 1024 1024) from=(0 0 1024 1024) flags=0x1000000\n")
# rectangles that cover the whole surface
LIST = ("blt other source=screen to=(0 0 1024 1024) from=(0 0 1024 1024) flags=0x1000000 {\n"
        + "  rect area=(0 0 1024 1024)\n" * 200 + "}\n")


def frames(count, work):
    """A capture whose frames have different colours; each frame does the given work after its clear."""
    text = START
    for n in range(count):
        text += COMMANDS % ("  CLEAR flags=TARGET color=#ff0000%02x {rect=(0 0 1024 1024)}\n" % (8 * n + 8)) + work + "present screen\n"
    return assemble(text, "w.capture")


def stops(capture, place, sufficed):
    """With a limit of one second: the frames before it are shown, the place is named, the status is set, and no
    other frame is shown."""
    whole = hashes(capture)
    done = run("replay", capture, "--hash", "-o", path("w.png"), HALCYON_WORK_LIMIT="1")
    said = done.stderr.decode()
    assert done.returncode == 1, said
    assert "%s asks for too much work: HALCYON_WORK_LIMIT=1 sufficed for %s (0: no limit)" % (place, sufficed) in said, said
    shown = [line.split()[2] for line in done.stdout.decode().splitlines()]
    assert shown == whole[:len(shown)] and len(shown) == int(place.split()[1].rstrip(",")), (shown, whole)
    unbounded = dp2("replay", capture, "--hash", HALCYON_WORK_LIMIT="0")
    assert [line.split()[2] for line in unbounded.splitlines()] == whole


def dear_draws():
    stops(frames(5, COMMANDS % (PAIR * 5)), "frame 3, call 1", "3 frames")


def dear_events():
    stops(frames(5, EVENTS * 11), "frame 3, call 1", "3 frames")


def dear_lists():
    stops(frames(2, LIST), "frame 0, call 1", "less than one frame")


def every_pass_has_its_own():
    capture = frames(2, COMMANDS % (PAIR * 5))
    assert run("replay", capture, "--loop", "8", HALCYON_WORK_LIMIT="1").returncode == 0


def other_verbs_stop():
    capture = frames(5, COMMANDS % (PAIR * 5))
    for words in ("draws", capture, "--frame", "4"), ("feedback", capture), ("trim", capture, "--frame", "4", "-o", path("t.capture")):
        done = run(*words, HALCYON_WORK_LIMIT="1")
        assert done.returncode in (1, 2) and b"frame 3" in done.stderr, (words, done.stderr)


def honest_captures_play_whole():
    assert hashes(assemble(MULTI, "a.capture")) == [line.split()[2] for line in
                                                    dp2("replay", path("a.capture"), "--hash", HALCYON_WORK_LIMIT="0").splitlines()]


sys.exit(0 if run_tests([dear_draws, dear_events, dear_lists, every_pass_has_its_own, other_verbs_stop, honest_captures_play_whole]) else 1)
