#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The lessons of the playground: reads their folders, and judges pictures by the checks of each lesson.

web/lessons/lessons.py            prints all lessons as one JSON list, from which the playground is built
web/lessons/lessons.py NAME start|solution     prints a stream of one lesson

README.md in this folder describes the files of a lesson and the checks.
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TUTORIAL = "docs/tutorial.md"
SECTIONS = ("task", "hint", "see also")
# The keys of each kind of check, apart from the limits and the message for failure.
KINDS = {"pixel": {"is", "not", "within"}, "area": {"is", "not", "within"}, "colors": set(), "changed": set(), "counter": {"draw"}, "call": {"argument"}}
COUNTERS = ("primitives", "assembled", "rejected", "clipped", "culled", "tested", "killed", "passed", "written")


PANES = ("history", "state", "textures", "mesh", "shader", "stream", "interfaces")     # of web/model/place.ts


class Wrong(Exception):
    """A lesson that does not follow README.md."""


def require(condition, message, *values):
    if not condition:
        raise Wrong(message % values)


def read(*names):
    with open(os.path.join(*names), encoding="utf-8") as file:
        return file.read()


def tutorial_section(title):
    """(text, path of the stream) of a section of the tutorial."""
    found = re.search(r"^## \d+\. %s\n\n!\[.*?\n\n(.*?)The text: \[.*?\]\(\.\./(.*?)\)" % re.escape(title), read(ROOT, TUTORIAL), re.M | re.S)
    require(found, "%s has no step '%s'", TUTORIAL, title)
    return without_shell(found[1].strip()), found[2]


def from_root(text, folder):
    """A text whose relative links, which begin at a folder, begin at the project's folder instead."""
    def link(found):
        target, hash_mark, anchor = found[2].partition("#")
        if "://" in found[2]:
            return found[0]
        path = os.path.normpath(os.path.join(folder, target)) if target else TUTORIAL
        require(os.path.exists(os.path.join(ROOT, path)), "a link leads to %s, which is not there", path)
        return "[%s](%s%s%s)" % (found[1], path, hash_mark, anchor)
    return re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, text)


def without_comments(stream):
    """A stream without the comments at its top, which say what the lesson's text says."""
    return re.sub(r"\A(//.*\n)+", "", stream)


def without_shell(text):
    """A section of the tutorial without its last part for readers with a command line, if it has one."""
    return re.sub(r"\n\nOn the command line.*", "", text, flags=re.S)


def apply_diff(text, diff):
    """The text with a unified diff applied; every line of the diff must match."""
    lines, out, at = text.splitlines(True), [], 0
    hunks = re.split(r"^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*\n", diff, flags=re.M)
    require(len(hunks) > 1, "the solution's diff changes nothing")
    for first, body in zip(hunks[1::2], hunks[2::2]):
        start = int(first) - 1
        require(at <= start <= len(lines), "a part of the solution's diff is out of place")
        out += lines[at:start]
        at = start
        for line in body.splitlines(True):
            mark, rest = line[0], line[1:]
            require(mark in " +-", "a line of the solution's diff begins with '%s'", mark)
            if mark in " -":
                require(at < len(lines) and lines[at] == rest, "the solution's diff does not fit: %s", rest.strip())
                at += 1
            if mark in " +":
                out.append(rest)
    return "".join(out + lines[at:])


def color_of(text):
    require(re.fullmatch(r"#[0-9a-f]{6}", text), "%s is not a colour", text)
    return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))


def validate_check(check):
    kinds = [kind for kind in KINDS if kind in check]
    require(len(kinds) == 1, "a check is one of %s", ", ".join(KINDS))
    unknown = set(check) - {kinds[0], "least", "most", "say"} - KINDS[kinds[0]]
    require(not unknown, "a check has an unknown member: %s", ", ".join(unknown))
    require(check.get("say"), "a check does not say what is wrong if it fails")
    if kinds[0] in ("pixel", "area"):
        require(("is" in check) != ("not" in check), "a colour is either asked for or ruled out")
        color_of(check.get("is") or check["not"])
    if kinds[0] == "counter":
        require(check["counter"] in COUNTERS, "%s is not a counter", check["counter"])
    require(kinds[0] == "pixel" or "least" in check or "most" in check, "a check has no limit")


def load(name):
    """One lesson: id, title, text, task, hint, see, start, solution, checks, others (further solutions)."""
    folder = os.path.join(HERE, name)
    told, data = read(folder, "lesson.md"), json.loads(read(folder, "lesson.json"))
    title, _, rest = told.partition("\n")
    require(title.startswith("# "), "lesson.md begins with no heading")
    parts = re.split(r"^## (.*)\n", rest, flags=re.M)
    sections = {heading.lower(): from_root(text.strip(), os.path.relpath(folder, ROOT)) for heading, text in zip(parts[1::2], parts[2::2])}
    require(tuple(sections) == SECTIONS, "lesson.md has not the sections %s", ", ".join(SECTIONS))
    text = from_root(parts[0].strip(), os.path.relpath(folder, ROOT))
    require(not set(data) - {"step", "checks", "pane"}, "lesson.json has an unknown member")
    require(data.get("pane", "interfaces") in PANES, "there is no pane %s", data.get("pane"))
    if "step" in data:
        taught, stream = tutorial_section(data["step"])
        text = "\n\n".join(filter(None, (from_root(taught, os.path.dirname(TUTORIAL)), text)))
        start = without_comments(read(ROOT, stream))
    else:
        start = read(folder, "start.dp2s")
        require(start.startswith("// SPDX-License-Identifier: MIT\n"), "start.dp2s names no licence")
        start = without_comments(start)
    require(data.get("checks"), "nothing is checked")
    for check in data["checks"]:
        validate_check(check)
    other = os.path.join(folder, "other.diff")
    return {"id": name, "title": title[2:], "text": text, "task": sections["task"], "hint": sections["hint"], "see": sections["see also"],
            "start": start, "solution": apply_diff(start, read(folder, "solution.diff")), "checks": data["checks"],
            "others": [apply_diff(start, read(other))] if os.path.exists(other) else [], **({"pane": data["pane"]} if "pane" in data else {})}


def names():
    return sorted(name for name in os.listdir(HERE) if os.path.isdir(os.path.join(HERE, name)) and not name.startswith(("_", ".")))


def load_all():
    lessons = []
    for name in names():
        try:
            lessons.append(load(name))
        except (Wrong, OSError, ValueError, KeyError) as error:
            raise Wrong("%s: %s" % (name, error)) from error
    return lessons


class Result:
    """The input of the checks: the last frame of a stream, the counters of its draws, and its calls of the WDDM interface."""

    def __init__(self, width, height, pixels, draws, calls=()):
        self.width, self.height = width, height
        self.pixels = pixels        # RGB, a byte each
        self.draws = draws          # dicts as `dp2 draws --json` has them
        self.calls = calls          # likewise of `dp2 dump --ddi umd --json`

    def area(self, left, top, right, bottom):
        """The colours of a rectangle; right and bottom are outside."""
        require(0 <= left < right <= self.width and 0 <= top < bottom <= self.height, "the area lies outside of the picture")
        for y in range(top, bottom):
            for x in range(left, right):
                at = 3 * (y * self.width + x)
                yield tuple(self.pixels[at : at + 3])


def near(color, wanted, within):
    return max(abs(a - b) for a, b in zip(color, wanted)) <= within


def measure(check, result, start):
    """The number that a check compares with its limits."""
    if "counter" in check:
        draws = [draw for draw in result.draws if draw.get("kind") == "draw"]
        draws = draws if "draw" not in check else draws[check["draw"] : check["draw"] + 1]
        return sum(draw.get(check["counter"], 0) for draw in draws)
    if "call" in check:
        calls = [call for call in result.calls if call["function"] == check["call"]]
        return sum(call["arguments"].get(check["argument"], 0) for call in calls) if "argument" in check else len(calls)
    if "changed" in check:
        pairs = zip(result.area(*check["changed"]), start.area(*check["changed"]))
        return sum(a != b for a, b in pairs)
    if "colors" in check:
        return len(set(result.area(*check["colors"])))
    area = check["area"] if "area" in check else [*check["pixel"], check["pixel"][0] + 1, check["pixel"][1] + 1]
    wanted = color_of(check.get("is") or check["not"])
    return sum(near(color, wanted, check.get("within", 0)) == ("is" in check) for color in result.area(*area))


def failures(checks, result, start):
    """The messages of the checks that fail. `start`: the picture of the lesson's starting point."""
    if (result.width, result.height) != (start.width, start.height):
        return ["The picture should keep its size of %d x %d pixels." % (start.width, start.height)]
    said = []
    for check in checks:
        number = measure(check, result, start)
        if not check.get("least", 1 if "pixel" in check else 0) <= number <= check.get("most", number):
            said.append(check["say"])
    return said


def main(arguments):
    if len(arguments) == 2 and arguments[1] in ("start", "solution"):
        print(load(arguments[0])[arguments[1]], end="")
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    json.dump(load_all(), sys.stdout, ensure_ascii=False, indent=1)
    print()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Wrong as error:
        print("lessons.py: %s" % error, file=sys.stderr)
        sys.exit(1)
