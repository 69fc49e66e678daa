#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every lesson of the playground, drawn by the driver: each solution passes its checks, and its starting point does
not. Speaks TAP.

tests/lessons/test_lessons.py [DP2] [LESSON...]     DP2: the program, build/native/dp2 by default
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "scripts"), os.path.join(ROOT, "web", "lessons"), os.path.join(ROOT, "tests", "cli")]
import lessons      # noqa: E402
import picture      # noqa: E402
from tap import run_tests   # noqa: E402

dp2_program = os.path.join(ROOT, "build/native/dp2")
folder = None


def dp2(*arguments):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
    done = subprocess.run([dp2_program, *arguments], env=dict(clean, HALCYON_LOG_LEVEL="error"), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0 and not done.stderr, "dp2 %s: exit status %d\n%s" % (" ".join(arguments), done.returncode, done.stderr)
    return done.stdout


def draw(stream):
    """The picture and the counters of a stream's last frame."""
    paths = [os.path.join(folder, "lesson" + ending) for ending in (".dp2s", ".capture", ".png")]
    for path in paths:
        if os.path.exists(path):
            os.remove(path)
    with open(paths[0], "w") as file:
        file.write(stream)
    dp2("asm", paths[0], "-o", paths[1])
    frames = json.loads(dp2("draws", paths[1], "--json"))["frames"]
    dp2("replay", paths[1], "--frame", str(frames[-1]["frame"]), "-o", paths[2])
    dumped = json.loads(dp2("dump", paths[1], "--frame", str(frames[-1]["frame"]), "--ddi", "umd", "--json"))["frames"]
    calls = [call for event in dumped[-1]["events"] for call in event["calls"]]
    return lessons.Result(*picture.read(paths[2]), frames[-1]["draws"], calls)


def hold(lesson):
    start = draw(lesson["start"])
    for solution in [lesson["solution"]] + lesson["others"]:
        said = lessons.failures(lesson["checks"], draw(solution), start)
        assert not said, "a solution fails: " + " ".join(said)
    assert lessons.failures(lesson["checks"], start, start), "the starting point passes"


def solutions_apart():
    """A check is specific to its lesson: the solution of one lesson does not solve the next, so no check passes for
    every picture."""
    taught = lessons.load_all()
    results = [(draw(lesson["start"]), draw(lesson["solution"])) for lesson in taught]
    for n, lesson in enumerate(taught):
        other = results[(n + 1) % len(taught)][1]
        assert lessons.failures(lesson["checks"], other, results[n][0]), "%s accepts the solution of another lesson" % lesson["id"]


def texts():
    """Each lesson has its own title, a task and links; each step of the tutorial is a lesson."""
    taught = lessons.load_all()
    assert len({lesson["title"] for lesson in taught}) == len(taught)
    with open(os.path.join(ROOT, lessons.TUTORIAL)) as file:
        steps = re.findall(r"^## \d+\. (.*)", file.read(), re.M)
    told = [json.loads(lessons.read(lessons.HERE, lesson["id"], "lesson.json")).get("step") for lesson in taught]
    assert sorted(steps) == sorted(step for step in told if step), "steps of the tutorial: %s" % (set(steps) ^ set(filter(None, told)))
    for lesson in taught:
        assert lesson["text"] and lesson["task"] and lesson["hint"], lesson["id"]
        assert "https://" in lesson["see"], "%s: no public document" % lesson["id"]
        shown = lesson["text"] + lesson["task"] + lesson["hint"]
        assert not re.search(r"\bdp2 \w+ \S*\.(dp2s|capture|psa)|^    dp2 ", shown, re.M), "%s sends its readers to a shell" % lesson["id"]
        for path, anchor in re.findall(r"\]\((docs/[^)#\s]*)#([^)\s]*)\)", lesson["text"] + lesson["task"] + lesson["hint"] + lesson["see"]):
            headings = re.findall(r"^#+ (.*)", lessons.read(ROOT, path), re.M)
            assert anchor in [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings], "%s: no heading %s#%s" % (
                lesson["id"], path, anchor)


def rules():
    """Errors in a lesson are reported."""
    for diff in ("@@ -1 +1 @@\n-b\n+c\n", "@@ -3 +3 @@\n+c\n", "", "@@ -1 +1 @@\n?a\n"):
        try:
            lessons.apply_diff("a\n", diff)
        except lessons.Wrong:
            continue
        raise AssertionError("accepted: %r" % diff)
    assert lessons.apply_diff("a\nb\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+d\n@@ -3 +3,2 @@\n c\n+e\n") == "a\nd\nc\ne\n"
    for check in ({"pixel": [0, 0]}, {"pixel": [0, 0], "is": "red", "say": "x"}, {"say": "x"}, {"counter": "draws", "least": 1, "say": "x"},
                  {"colors": [0, 0, 1, 1], "say": "x"}, {"pixel": [0, 0], "is": "#000000", "say": "x", "near": 1}):
        try:
            lessons.validate_check(check)
        except lessons.Wrong:
            continue
        raise AssertionError("accepted: %r" % check)
    result = lessons.Result(2, 1, bytes((0, 0, 0, 255, 255, 255)), [])
    check = {"area": [0, 0, 2, 1], "is": "#fefefe", "within": 1, "least": 1, "most": 1, "say": "no"}
    assert lessons.failures([check], result, result) == []
    assert lessons.failures([dict(check, within=0)], result, result) == ["no"]
    called = lessons.Result(1, 1, bytes(3), [], [{"function": "f", "arguments": {"a": 3}}, {"function": "f", "arguments": {"a": 4}}, {"function": "g", "arguments": {}}])
    assert [lessons.measure(c, called, called) for c in ({"call": "f"}, {"call": "f", "argument": "a"}, {"call": "h"})] == [2, 7, 0]
    assert lessons.failures([check], lessons.Result(1, 1, bytes(3), []), result) == ["The picture should keep its size of 2 x 1 pixels."]


def main(arguments):
    global dp2_program, folder
    if arguments and os.path.sep in arguments[0]:
        dp2_program = os.path.abspath(arguments.pop(0))
    tests = []
    for name in arguments or lessons.names():
        def test(name=name):
            hold(lessons.load(name))
        test.__name__ = name
        tests.append(test)
    with tempfile.TemporaryDirectory(prefix="halcyon-") as folder:
        return 0 if run_tests(tests + ([] if arguments else [texts, rules, solutions_apart])) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
