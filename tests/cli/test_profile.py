#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 profile on captures assembled from text. Speaks TAP.

tests/cli/test_profile.py [DP2]
"""
import json
import os
import pty
import re
import subprocess
import sys

from program import MULTI, PROGRAM, ROOT, TEXTS, ask, assemble, content, damaged, dp2, path, put, run
from tap import run_tests

PHASES = ["states", "vertices", "setup", "pixels", "program", "sampling", "clears", "copies"]


def times_add_up():
    for text in TEXTS:
        capture = assemble(text)
        document = ask("profile", capture, "--loops", "2")
        listed = ask("draws", capture)["frames"]
        assert document["loops"] == 2 and [f["frame"] for f in document["frames"]] == [f["frame"] for f in listed], text
        for frame, rows in zip(document["frames"], listed):
            assert 0 < frame["seconds"]["least"] <= frame["seconds"]["median"] <= frame["seconds"]["most"], text
            assert abs(sum(a["seconds"]["median"] for a in frame["actions"]) - frame["actions_seconds"]) < 1e-9, text
            for action, row in zip(frame["actions"], rows["draws"], strict=True):
                assert list(action["phases"]) == PHASES
                assert abs(sum(action["phases"].values()) - action["seconds"]["median"]) < 1e-9, (text, action)
                assert (action["draw"], action["kind"], action["token"]) == (row["draw"], row["kind"], row["token"])
                if action["kind"] == "draw":
                    assert (action["vertices"], action["pixels"]) == (row["vertices_processed"], row["passed"]), (text, action)


def tables_are_sorted():
    capture = assemble(MULTI)
    text = dp2("profile", capture)
    for heading in "phase ", "draw ", "shader", "state", "frame ":
        assert any(line.startswith(heading) or line.endswith(heading) for line in text.splitlines()), (heading, text)
    for by, column in ("phase", 1), ("draw", 2), ("shader", 0), ("state", 0), ("frame", 2):
        lines = dp2("profile", capture, "--by", by, "--top", "0", "--loops", "1").splitlines()
        rows = [line.split() for line in lines[6:]]
        costs = [float(row[column]) for row in rows]
        assert costs == sorted(costs, reverse=True) and costs, (by, lines)
    phases = [line.split() for line in dp2("profile", capture, "--by", "phase").splitlines()[6:]]
    assert sorted(row[0] for row in phases) == sorted(PHASES)
    assert 99 < sum(float(row[2].rstrip("%")) for row in phases) < 101
    draws = dp2("profile", capture, "--by", "draw", "--top", "2").splitlines()
    assert len(draws) == 6 + 2 + 1 and draws[-1].startswith("... and "), draws


def scenes_name_their_reasons():
    """Each text that draws or clears has at least one scene, and the table has the totals of the document."""
    for text in TEXTS:
        capture = assemble(text)
        frames = ask("profile", capture, "--loops", "1")["frames"]
        sums = {}
        for frame in frames:
            for scene in frame["scenes"]:
                sums[scene["reason"]] = sums.get(scene["reason"], 0) + scene["count"]
        rows = [line.split(None, 3) for line in dp2("profile", capture, "--by", "scene", "--loops", "1").splitlines()[6:]]
        assert {row[2]: int(row[0]) for row in rows} == sums, (text, rows, sums)
        assert sums or not any(action["kind"] in ("draw", "clear") for frame in frames for action in frame["actions"]), text
        counts = [int(row[0]) for row in rows]
        assert counts == sorted(counts, reverse=True) and all(row[3] for row in rows), rows


def check_nesting(events):
    """Spans of a thread are nested or disjoint."""
    threads = {}
    for event in events:
        threads.setdefault((event["pid"], event["tid"]), []).append(event)
    for spans in threads.values():
        inside = []
        for event in sorted(spans, key=lambda e: (e["ts"], -e["dur"])):
            while inside and inside[-1] <= event["ts"] + 0.002:
                inside.pop()
            assert not inside or event["ts"] + event["dur"] <= inside[-1] + 0.002, event
            inside.append(event["ts"] + event["dur"])


def traces_open_in_perfetto():
    """The requirements of the Trace Event Format for complete and metadata events."""
    for threads in "1", "3":
        capture = assemble(MULTI)
        dp2("profile", capture, "--loops", "1", "--threads", threads, "--chrome-trace", path("t.json"))
        with open(path("t.json"), encoding="utf-8") as file:
            trace = json.load(file)
        assert trace["displayTimeUnit"] == "ms"
        names = [e for e in trace["traceEvents"] if e["ph"] == "M"]
        spans = [e for e in trace["traceEvents"] if e["ph"] == "X"]
        assert len(names) + len(spans) == len(trace["traceEvents"])
        for event in names:
            assert event["name"] in ("process_name", "thread_name") and event["args"]["name"]
        for event in spans:
            assert event["name"] and event["cat"] and event["ts"] >= 0 and event["dur"] >= 0, event
            assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
        named = {(e["pid"], e["tid"]) for e in names if e["name"] == "thread_name"}
        assert {(e["pid"], e["tid"]) for e in spans if e["pid"] == 1} <= named
        check_nesting(spans)
        listed = [d["draw"] for f in ask("draws", capture)["frames"] for d in f["draws"]]
        assert [e["name"] for e in spans if e["pid"] == 2 and e["cat"] != "phase"] == listed
        shown = [e["name"] for e in spans if e["pid"] == 1 and e["cat"] == "frame"]
        assert shown == ["frame %d" % f["frame"] for f in ask("draws", capture)["frames"]], shown
        draws = [d["draw"] for f in ask("draws", capture)["frames"] for d in f["draws"] if d["kind"] == "draw"]
        assert [e["name"] for e in spans if e["pid"] == 1 and e["cat"] == "draw"] == draws


def frames_in_the_middle():
    """The previous frame is played first, which does not change the counts."""
    capture = assemble(MULTI)
    every = {f["frame"]: f for f in ask("profile", capture, "--loops", "1")["frames"]}
    for frame in sorted(every):
        alone = ask("profile", capture, "--frame", str(frame), "--loops", "1")["frames"]
        assert len(alone) == 1 and alone[0]["frame"] == frame
        for a, b in zip(alone[0]["actions"], every[frame]["actions"], strict=True):
            assert {k: v for k, v in a.items() if k not in ("seconds", "phases")} == {k: v for k, v in b.items() if k not in ("seconds", "phases")}


def the_end_is_no_frame():
    """Work that programs do after their last present."""
    with open(os.path.join(ROOT, "examples/dp2/02-triangle.dp2s")) as file, open(path("end.dp2s"), "w") as out:
        out.write(file.read() + "\ncreate target waste 8x8 X8R8G8B8\ndestroy waste\n")
    capture = assemble(path("end.dp2s"))
    assert [f["frame"] for f in ask("profile", capture, "--loops", "1")["frames"]] == [0]
    assert dp2("profile", capture).startswith("1 frame, 3 loops\n")
    done = run("profile", capture, "--frame", "1")
    assert done.returncode == 2 and b"no such frame: 1 (the capture has 1)" in done.stderr, done


def shares_shown(capture):
    """The percentages that are printed to a terminal."""
    main, side = pty.openpty()
    player = subprocess.Popen([PROGRAM, "profile", capture, "--loops", "1000"], stdout=subprocess.DEVNULL, stderr=side)
    os.close(side)
    shown = b""
    while True:
        try:
            piece = os.read(main, 4096)
        except OSError:     # the other side is closed
            break
        shown += piece
        if not piece:
            break
    os.close(main)
    assert player.wait() == 0
    return [int(number) for number in re.findall(rb"(\d+)%", shown)]


def progress_is_even():
    """On a terminal, progress is shown for long work, never goes back, and ends at 100 %. The number of frames that
    take long enough is found by trying."""
    with open(os.path.join(ROOT, "examples/dp2/02-triangle.dp2s")) as file:
        head, draw, frame = file.read().partition("draw c {")
    frames, shares = 1, []
    while not shares:
        frames *= 4
        with open(path("long.dp2s"), "w") as out:
            out.write(head + frames * (draw + frame + "\n"))
        shares = shares_shown(assemble(path("long.dp2s")))
        assert shares == sorted(shares) and shares[-1:] in ([], [100]), shares


def wrong_questions():
    capture = assemble(MULTI)
    for words in (["--frame", "99"], ["--frame", "x"], ["--loops", "0"], ["--loops", "x"], ["--by", "colour"], ["--top", "-1"], ["--threads", "0"],
                  ["--chrome-trace", "-"], ["--chrome-trace", path("no/such/folder.json")], ["--chrome-trace", capture], ["--what"]):
        done = run("profile", capture, *words)
        assert done.returncode == 2 and done.stderr, (words, done)
    assert run("profile").returncode == 2 and run("profile", path("missing.capture")).returncode == 2
    with open(path("t.json"), "w") as file:
        file.write("as it was")
    assert run("profile", capture, "--frame", "99", "--chrome-trace", path("t.json")).returncode == 2
    with open(path("t.json")) as file:
        assert file.read() == "as it was"


def damaged_captures():
    """An answer or a message, whatever the file contains; JSON is complete."""
    for number, bad in enumerate(damaged(content(assemble(MULTI)), 30, 7)):
        put("bad.capture", bad)
        for words in [], ["--json"], ["--frame", "2", "--by", "draw"], ["--chrome-trace", path("bad.json")]:
            done = run("profile", path("bad.capture"), "--loops", "1", *words)
            assert done.returncode in (0, 1, 2) and (done.returncode == 0 or done.stderr), (number, words, done)
            if words == ["--json"] and done.stdout:
                json.loads(done.stdout)


def code_is_counted():
    """The share of machine code, with the line that reports it; no share if generated code is switched off. Not all
    machines generate code."""
    capture = assemble(os.path.join(ROOT, "tests/streams/depth-bias-of-any-float.dp2s"))
    with open("/proc/cpuinfo") as file:
        makes = " avx2 " in file.read()
    documents = [json.loads(dp2("profile", capture, "--loops", "2", "--json", HALCYON_JIT=jit)) for jit in "10"]
    for number, document in enumerate(documents):
        draws = [a for f in document["frames"] for a in f["actions"] if a["kind"] == "draw"]
        assert all(0 <= a["generated_steps"] <= a["steps"] for a in draws), draws
        assert any(a["steps"] > 0 for a in draws), draws
        assert any(a["generated_steps"] for a in draws) == (makes and number == 0), draws
        for frame in document["frames"]:
            code = frame["code"]
            assert (code["programs"] > 0) == (code["bytes"] > 0) and code["seconds"] >= 0, frame
            assert code["made"] > 0 or code["seconds"] == 0, frame
            assert number == 0 or not any(code.values()), frame
    steps = [{a["draw"]: a["steps"] for f in d["frames"] for a in f["actions"] if a["kind"] == "draw"} for d in documents]
    assert steps[0] == steps[1]
    text = dp2("profile", capture, "--loops", "2")
    told = re.search(r"^machine code:  ([0-9.]+)% of the steps of programs; (\d+) programs?, ([0-9.]+) KiB; (\d+) made in ([0-9.]+) ms$", text, re.M)
    assert told, text
    draws = [a for f in documents[0]["frames"] for a in f["actions"] if a["kind"] == "draw"]
    share = 100 * sum(a["generated_steps"] for a in draws) / sum(a["steps"] for a in draws)
    assert abs(float(told.group(1)) - share) < 0.051, (share, text)
    assert int(told.group(2)) == max(f["code"]["programs"] for f in documents[0]["frames"])


passed = run_tests([times_add_up, code_is_counted, tables_are_sorted, scenes_name_their_reasons, traces_open_in_perfetto, frames_in_the_middle, the_end_is_no_frame, progress_is_even, wrong_questions, damaged_captures])
sys.exit(0 if passed else 1)
