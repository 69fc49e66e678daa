#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/simulate on small traces whose schedules are easy to work out.

Prints "ok NAME" or "not ok NAME" for each, as tests/run expects.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def tiles(*costs):
    """Tile n with one command that costs this many nanoseconds."""
    return "".join("tile %d 1 %d\n" % (number, cost) for number, cost in enumerate(costs))


ONE, TWO = "--geometry one", "--threads 1,2"
RING = "tile 0 1 1000\nscene\nfront 100\ntile 1 1 1000\nscene\nfront 1900\nwait\n"
# the trace, options, speeds
CASES = {
    "one thread is the measure": (tiles(5, 7) + "scene\nwait\n", "--threads 1", [1]),
    "two tiles, two threads": (tiles(1000, 1000) + "scene\nwait\n", "--threads 1,2,4", [1, 2, 2]),
    "the front end stays on one thread": ("front 1000\n" + tiles(500, 500) + "scene\nwait\n", TWO, [1, 2000 / 1500]),
    "a scene is drawn while the next one gathers": (
        "front 0\n" + tiles(1000) + "scene\nfront 1000\n" + tiles(0) + "scene\nwait\n", TWO, [1, 2]),
    "not before the caller waits, with one thread": ("front 10\n" + tiles(20) + "scene\nfront 10\nwait\n", "--threads 1", [1]),
    "scenes draw a tile in turn": (
        tiles(1000) + "scene\nfront 0\n" + tiles(1000) + "scene\nwait\n", TWO, [1, 1]),
    "scenes draw other tiles side by side": (
        tiles(1000) + "scene\nfront 0\ntile 1 1 1000\nscene\nwait\n", TWO, [1, 2]),
    "chunks of a draw on all threads": ("chunk 500\n" * 4 + "join\n" + tiles(0) + "scene\nwait\n", "--threads 1,2,4,8", [1, 2, 4, 4]),
    "chunks on one thread": ("chunk 500\n" * 4 + "join\n" + tiles(0) + "scene\nwait\n", "--threads 1,2,4 " + ONE, [1, 1, 1]),
    "the front end waits for the chunks of a draw": (
        "chunk 1000\nchunk 100\njoin\nfront 100\n" + tiles(0) + "scene\nwait\n", TWO, [1, 1200 / 1100]),
    "a long draw is several groups": (
        "chunk 10\n" * 33 + "join\n" + tiles(0) + "scene\nwait\n", TWO, [1, 330 / 170]),
    "a group of few chunks for each thread": (
        "chunk 10\n" * 32 + "join\n" + tiles(0) + "scene\nwait\n", "--threads 3", [320 / 120]),
    "two draws are two groups": (
        "chunk 500\njoin\nchunk 500\njoin\n" + tiles(0) + "scene\nwait\n", TWO, [1, 1]),
    "a scene that ends in a draw": (
        "chunk 500\n" + tiles(0) + "scene\nchunk 500\njoin\n" + tiles(0) + "scene\nwait\n", TWO, [1, 2]),
    "a scene that is drawn during a draw": (
        "chunk 0\nchunk 500\n" + tiles(500) + "scene\nchunk 500\njoin\n" + tiles(0) + "scene\nwait\n", TWO + " " + ONE, [1, 1.5]),
    "by number": ("tile 0 1 100\ntile 1 1 100\ntile 2 1 100\ntile 3 64 300\nscene\nwait\n", TWO + " --order number", [1, 600 / 400]),
    "heaviest first": ("tile 0 1 100\ntile 1 1 100\ntile 2 1 100\ntile 3 64 300\nscene\nwait\n", TWO, [1, 2]),
    "heaviest by commands in powers of two": (
        "tile 0 46 100\ntile 1 46 100\ntile 2 46 100\ntile 3 90 300\nscene\nwait\n", TWO, [1, 600 / 400]),
    "by cost": ("tile 0 4 100\ntile 1 4 100\ntile 2 4 100\ntile 3 5 300\nscene\nwait\n", TWO + " --order cost", [1, 2]),
    "quarters of tiles": (tiles(1000) + "scene\nwait\n", "--threads 1,2,4 --split", [1 / 1.05, 2 / 1.05, 4 / 1.05]),
    "no quarters where tiles are many": (tiles(*[100] * 8) + "scene\nwait\n", "--threads 2 --split", [2]),
    "two scenes, of which one is filled": (RING, "--threads 3 --scenes 2", [4000 / 3000]),
    "three scenes, of which one is filled": (RING, "--threads 3 --scenes 3", [2]),
    "the first frame is left out": (
        "front 1000000\n" + tiles(1) + "scene\nwait\n" + tiles(1000, 1000) + "scene\nwait\n", TWO, [1, 2]),
    "frames that draw nothing are left out": (
        "wait\nfront 5\nwait\n" + tiles(1000, 1000) + "scene\nwait\nwait\n", TWO, [1, 2]),
}

# the trace, options, the message
BAD = {
    "a word that is none": ("front 10\ncores 4\n", "", "line 2: cores 4"),
    "a number too few": ("tile 1 2\n", "", "line 1: tile 1 2"),
    "no number": ("front x\n", "", "line 1: front x"),
    "a cost below zero": ("front -1\n", "", "line 1: front -1"),
    "an empty line": ("front 1\n\n", "", "line 2: empty"),
    "nothing drawn": ("front 1\nwait\n", "", "no frame that draws anything"),
    "no threads": (tiles(1) + "scene\nwait\n", "--threads 0", "at least one thread"),
    "one scene": (tiles(1) + "scene\nwait\n", "--scenes 1", "two scenes"),
}


def simulate(folder, trace, options):
    path = os.path.join(folder, "x.trace")
    with open(path, "w") as file:
        file.write(trace)
    return subprocess.run([os.path.join(ROOT, "bench", "simulate"), path] + options.split(), capture_output=True, text=True)


def check_speeds(folder, trace, options, wanted):
    """The complaint, or None."""
    done = simulate(folder, trace, options)
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != 2 or not lines[1].startswith("x "):
        return "%d: %s%s" % (done.returncode, done.stdout, done.stderr)
    given = [float(word) for word in lines[1].split()[3:]]
    good = len(given) == len(wanted) and all(abs(a - b) < 0.006 for a, b in zip(given, wanted))
    return None if good else "%s where %s" % (given, wanted)


def check_bad(folder, trace, options, said):
    done = simulate(folder, trace, options)
    return None if done.returncode == 2 and said in done.stderr else "%d: %s" % (done.returncode, done.stderr)


def check_driver(folder):
    """The simulator can read the driver's records, and has a row for each of their parts."""
    program = os.path.join(ROOT, "build/native/bench")
    if not os.path.exists(program):
        return "%s is not built" % program
    subprocess.run([program, "--trace", folder, "lit-mesh", "gouraud"], check=True, stderr=subprocess.DEVNULL)
    done = subprocess.run([os.path.join(ROOT, "bench", "simulate"), "--threads", "1,4"] +
                          [os.path.join(folder, name) for name in ("lit-mesh.trace", "gouraud.trace")],
                          capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    if done.returncode or [row[0] for row in rows] != ["lit-mesh", "gouraud"]:
        return "%d: %s%s" % (done.returncode, done.stdout, done.stderr)
    chunks = [float(row[2].rstrip("%")) for row in rows]
    if chunks[0] <= 0 or chunks[1] != 0:
        return "parts of chunks: %s" % chunks
    return None if all(1 < float(row[4]) <= 4 for row in rows) else "speeds: %s" % rows


def main():
    failures = 0
    with tempfile.TemporaryDirectory(prefix="halcyon-") as folder:
        results = [(name, check_speeds(folder, *case)) for name, case in CASES.items()]
        results += [(name, check_bad(folder, *case)) for name, case in BAD.items()]
        results.append(("a trace of the driver", check_driver(folder)))
    for name, wrong in results:
        print("ok %s" % name if wrong is None else "not ok %s\n# %s" % (name, wrong))
        failures += wrong is not None
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
