#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that README.md, docs/*.md, the folders' README.md and the examples of `dp2 VERB --help` tell a reader
to type. Speaks TAP.

tests/docs/test_docs.py [DP2]     DP2: the program, build/native/dp2 by default

For each command, verb, options, targets, settings and files must exist (rules.py). Commands of dp2 and of the shell are
run in a scratch folder, with sample captures and texts in place of the reader's own; they must print the output that
the document shows.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import extract
import rules
from extract import Command
from rules import ROOT, Wrong

DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] + sorted(glob.glob("docs/*.md", root_dir=ROOT) + [name for deep in ("*", "*/*")
                                   for name in glob.glob(deep + "/README.md", root_dir=ROOT) if not name.startswith(("build/", "docs/"))])
EXAMPLES = sorted(os.path.basename(path)[:-len(".capture")] for path in glob.glob(os.path.join(ROOT, "build/demo/*.capture")))
# A command that opens a window runs until the window is closed, so it is stopped, which timeout answers with 124.
WINDOW = ("play",)
FRAMES = 210        # in the sample capture: documents name frames up to 200
# dp2 diff and dp2 compare end with 1 for captures that differ, as the sample captures do.
STATUSES = {"diff": (0, 1), "compare": (0, 1)}
failures = 0
tests = 0


def read(name):
    with open(os.path.join(ROOT, name)) as file:
        return file.read()


def stand_in(name, offset):
    """The text of a capture with many frames of four calls each. A token begins at the offset, and each frame ends
    with the draw of a triangle over most of the picture; another name gives another picture."""
    front = "    VIEWPORTINFO {x=0 y=0 width=64 height=48}\n    CLEAR flags=TARGET color=#ff%06x {rect=(0 0 64 48)}\n" % (
        sum(name.encode()) * 7919 % 0x1000000)
    rest = (offset - 0x14 - 0x24) // 4      # DWORDs, which tokens fill: 3 with one state, 5 with two
    two = next(n for n in range(3) if (rest - 5 * n) % 3 == 0)
    one_state, two_states = ("    RENDERSTATE %s\n" % ("{state=CULLMODE value=NONE}" * n) for n in (1, 2))
    draw = ("    RENDERSTATE {state=LIGHTING value=FALSE}\n    SETVERTEXSHADER {shader=XYZ|DIFFUSE}\n    SETSTREAMSOURCE {stream=0 buffer=corners stride=16}\n"
            "    DRAWPRIMITIVE {type=TRIANGLELIST start=0 primitives=1}\n")
    corners = "create vertices corners 48\nmemory corners { fvf(XYZ|DIFFUSE -1 -1 0.5 #ff4080c0 -1 2.5 0.5 #ffc08040 2.5 -1 0.5 #ff40c080) }\n"
    call = "draw c {\n" + front + two_states * two + one_state * ((rest - 5 * two) // 3 + 1) + draw + "}\n"
    return "create target screen 64x48 X8R8G8B8\n" + corners + "context c target=screen\n" + (call * 4 + "present screen\n") * FRAMES


class Scratch:
    """A folder to run commands in: the project's folders, a home, the programs, and what the commands read."""

    def __init__(self, folder):
        self.folder, self.home, self.bin = folder, os.path.join(folder, "home"), os.path.join(folder, "bin")
        self.work, self.made = os.path.join(folder, "work"), set()
        for path in self.home, self.bin, self.work:
            os.mkdir(path)
        for name in "examples", "docs", "tests", "scripts", "halcyon.conf":
            os.symlink(os.path.join(ROOT, name), os.path.join(self.work, name))
        os.symlink(rules.dp2_program, os.path.join(self.bin, "dp2"))
        for name, script in ("jq", "exec python3 -m json.tool"), ("ffmpeg", "exec cat >/dev/null"), ("less", "exec cat"):
            if name == "ffmpeg" or not shutil.which(name):
                with open(os.path.join(self.bin, name), "w") as file:
                    file.write("#!/bin/sh\n%s\n" % script)
                os.chmod(os.path.join(self.bin, name), 0o755)

    def path(self, name):
        return os.path.join(self.work, os.path.expanduser(name).replace(os.path.expanduser("~"), self.home))

    def shell(self, text, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
        clean.update(HOME=self.home, PATH=self.bin + ":" + os.environ["PATH"], HALCYON_LOG_LEVEL="none", **environment)
        return subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=self.work, env=clean, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=3600)

    def make_capture(self, name, offset):
        example = os.path.basename(name)[:-len(".capture")]
        if example in EXAMPLES:
            os.symlink(os.path.join(ROOT, "build/demo", example + ".capture"), self.path(name))
            return
        self.made.add(name)
        subprocess.run([rules.dp2_program, "asm", "-", "-o", self.path(name)], input=stand_in(name, offset), text=True, check=True)

    def make_farm(self, words):
        """The folders of a command of dp2 farm: captures to plan, plans of others, and results for a report."""
        planned = words[3:4] if words[2] != "plan" else [word for option, word in zip(words, words[1:]) if option == "--baseline"]
        for name in planned + [word for word in words[3:4] if words[2] == "plan"]:
            os.makedirs(self.path(name), exist_ok=True)
            if not glob.glob(self.path(name) + "*"):
                capture = "one-of-%s.capture" % name.strip("/")
                self.make_capture(os.path.join(name, capture) if name not in planned else capture, 0x200)
                if name in planned:
                    self.shell("dp2 farm plan %s -o %s" % (capture, name))
        if words[2] == "merge":
            self.shell("for shard in $(dp2 farm left %s); do dp2 farm run %s $shard; done" % (words[3], words[3]))

    def prepare(self, simple):
        """Makes the files that a command reads, unless an earlier command has made them."""
        outputs = {word for words in simple for option, word in zip(words, words[1:]) if option in ("-o", "--output", "--record", "--png")}
        places = [int(word.split(":")[2], 0) for words in simple for word in words if re.fullmatch(r"\d+:\d+:0x[0-9a-f]+", word)]
        for words in simple:
            for word in words[1:]:
                if word in outputs or os.path.exists(self.path(word)) and not (places and word in self.made):
                    continue
                if word.endswith(".capture"):
                    self.make_capture(word, (places + [0x200])[0])
                elif word.endswith(".dp2s"):
                    shutil.copy(os.path.join(ROOT, "examples/dp2/02-triangle.dp2s"), self.path(word))
                elif word.endswith(".png") and words[:2] == ["dp2", "compare"]:
                    shutil.copy(os.path.join(ROOT, "docs/images/tutorial/02-triangle.png"), self.path(word))
                elif word.endswith(".trace"):
                    shutil.copy(os.path.join(ROOT, "tests/traces/features9.trace"), self.path(word))
                elif word.endswith((".pso", ".psa")):
                    shutil.copy(os.path.join(ROOT, "examples/dp2/rings.psa"), self.path(word))
                elif word.startswith("build/"):
                    rules.require(rules.target_exists(word), "make has no target %s", word)
                    os.makedirs(os.path.dirname(self.path(word)), exist_ok=True)
                    open(self.path(word), "w").close()
            if words[:2] == ["dp2", "farm"] and len(words) > 3:
                self.make_farm(words)
            if words[0] in ("cp", "cd"):
                os.makedirs(self.path(words[-1]), exist_ok=True)
        return outputs


def pattern(lines):
    """Compares the output with the lines in a document: `...` matches any number of lines, and times and speeds may
    be any."""
    text = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.sub(
        r"\d+(?:\\\.\d+)?(?=\\ (?:s|ms|frames/s)\b)", r"[0-9.]+", re.escape(line.rstrip())) + r"[ ]*\n" for line in lines)
    return text + r"\Z"


def run(scratch, command):
    """Runs the command. Its status, the files that it names, its JSON and its output must be right."""
    simple = [rules.assignments(words)[1] for words in rules.split(command.text)]
    outputs = scratch.prepare(simple)
    if any(words[:1] == ["dp2"] and words[1] in WINDOW for words in simple):
        done = scratch.shell("timeout 1 " + command.text, SDL_VIDEODRIVER="dummy")
        rules.require(done.returncode == 124 or "SDL 2" in done.stderr, "exit status %d: %s", done.returncode, done.stderr.strip())
        return
    done = scratch.shell(command.text)
    allowed = {status for words in simple for status in STATUSES.get(words[1] if words[0] == "dp2" else "", (0,))}
    rules.require(done.returncode in allowed, "exit status %d: %s", done.returncode, done.stderr.strip())
    for name in outputs - {"-"}:
        rules.require(os.path.exists(scratch.path(name)), "%s was not written", name)
    if simple[-1][0] == "dp2" and "--json" in simple[-1] and "-o" not in simple[-1]:
        json.loads(done.stdout)
    elif command.output is not None:
        output = list(command.output)
        while output and not output[-1].strip():
            output.pop()
        rules.require(re.match(pattern(output), done.stdout), "the document shows\n%s\nand this is printed:\n%s", "\n".join(output),
                      done.stdout)


def cannot_be_run(command):
    """None, or why a command cannot do here what the document shows."""
    if "dp2 view" in command.text and not os.path.exists(os.path.join(ROOT, "build/web/view.html")):
        return "no build/web/view.html: run make web first"
    if "dp2 import" in command.text and "--check" not in command.text and not (
            shutil.which("wine") and os.path.exists(os.path.join(ROOT, "build/x64/halcyon-import.exe"))):
        return "no Wine, or no build/x64/halcyon-import.exe"
    missing = [word for words in rules.split(command.text) for word in words
               if word.endswith(".capture") and os.path.exists(os.path.join(ROOT, "examples", word[:-len(".capture")] + ".c"))
               and word[:-len(".capture")] not in EXAMPLES]
    return "no build/demo/%s: run scripts/demo first" % missing[0] if command.output and missing else None


def windows_program(command):
    """An example under Wine must print what the document shows. The commands of scripts/with-wine run in the
    project's root."""
    words = rules.split(command.text)[0]
    programs = [word for word in words if word.endswith(".exe")]
    if not shutil.which("wine") or not programs or not os.path.exists(os.path.join(ROOT, programs[0])):
        return "no Wine, or no %s" % "".join(programs)
    done = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
                          env={k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")})
    rules.require(done.returncode == 0, "exit status %d: %s", done.returncode, done.stderr)
    rules.require(re.match(pattern([line for line in command.output if line.strip()]), done.stdout), "the document shows\n%s\nand this is printed:\n%s",
                  "\n".join(command.output), done.stdout)
    return None


def report(name, wrong, skip=None):
    global failures, tests
    tests += 1
    failures += bool(wrong)
    print("%s %d %s%s" % ("not ok" if wrong else "ok", tests, name, " # SKIP " + skip if skip and not wrong else ""), flush=True)
    for line in str(wrong or "").split("\n") * bool(wrong):
        print("# " + line)


def hold(scratch, name, command):
    """One command of a document."""
    wrong, skip = None, None
    try:
        if rules.check(command.text):
            skip = cannot_be_run(command)
            if not skip:
                run(scratch, command)
        elif command.output and command.text.startswith("scripts/with-wine"):
            skip = windows_program(command)
    except (Wrong, ValueError, OSError, subprocess.SubprocessError) as error:
        wrong = "%s\n%s: %s" % (command.text, type(error).__name__, error)
    report("%s: %s" % (name, command.text.split("\n")[0].split("    ")[0]), wrong, skip)


def document(name):
    """All commands of one document, in order and in one folder."""
    blocks, prose = extract.blocks_and_prose(read(name))
    with tempfile.TemporaryDirectory(prefix="halcyon-docs-") as folder:
        scratch = Scratch(folder)
        for block in blocks:
            where = "%s:%d" % (name, block.line)
            if block.language == "":
                report(where, "a fenced block without a language")
            elif block.language in (None, "sh"):
                for command in extract.commands(block):
                    hold(scratch, "%s:%d" % (name, command.line), command)
            elif block.language == "dp2s":
                done = subprocess.run([rules.dp2_program, "asm", "-", "-o", os.path.join(folder, "block.capture")],
                                      input="\n".join(block.lines) + "\n", text=True, capture_output=True)
                report(where + ": a text for dp2 asm", done.stderr if done.returncode else None)
        bad = []
        for command in extract.inline(prose):
            if rules.looks_like_command(command.text):
                try:
                    rules.check(command.text)
                except (Wrong, ValueError) as error:
                    bad.append("%s:%d: %s: %s" % (name, command.line, command.text, error))
        report(name + ": commands and settings in its sentences", "\n".join(bad))


def links(name):
    """The files that a document links to must exist, and headings in them."""
    def anchors(text):
        return {re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-") for line in re.findall(r"^#+ .*$", text, re.M)}

    folder, bad = os.path.dirname(os.path.join(ROOT, name)), []
    for target in re.findall(r"\]\(([^)\s]+)\)", read(name)):
        path, _, anchor = target.partition("#")
        file = os.path.join(folder, path) if path else os.path.join(ROOT, name)
        if "://" in target:
            continue
        if not os.path.exists(file):
            bad.append("no file %s" % target)
        elif anchor and anchor not in anchors(read(os.path.relpath(file, ROOT))):
            bad.append("no heading %s" % target)
    report(name + ": links", "\n".join(bad))


def linked_texts():
    """A text that the tutorial shows must be the text that it links to, without its comments."""
    bad, tutorial = [], read("docs/tutorial.md")
    for link, shown in re.findall(r"^The text: .*\]\(\.\./(.*)\):\n\n```dp2s\n(.*?)```", tutorial, re.M | re.S):
        if re.sub(r"^//.*\n", "", read(link), flags=re.M).strip() != shown.strip():
            bad.append(link)
    report("docs/tutorial.md: the texts that it shows", "\n".join(bad))


def help_examples():
    with tempfile.TemporaryDirectory(prefix="halcyon-docs-") as folder:
        scratch = Scratch(folder)
        for verb in rules.verbs():
            for command in extract.examples(rules.help_of(verb)):
                hold(scratch, "dp2 %s --help" % verb, command)


def settings_page():
    """The manual page of the settings is made from halcyon.conf."""
    made = subprocess.run(["scripts/manual"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    report("halcyon.conf(5) is what scripts/manual makes", None if made == read("tools/man/halcyon.conf.5") else "run scripts/manual --write")
    chart = subprocess.run(["scripts/speed-chart", "--check"], cwd=ROOT, capture_output=True, text=True)
    report("the chart of the README is that of docs/performance.md", chart.stderr.strip() or None)


def code():
    """The sources of the programs that read variables."""
    texts = []
    for folder in "base", "client", "ddi", "hal", "library", "raster", "scripts", "tests", "tools", "umd":
        for path, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith((".c", ".py")) or "." not in name:
                    texts.append(rules.text_of(os.path.join(path, name)))
    return "\n".join(texts)


def variables():
    """HALCYON_ variables that documents name are settings, or something in the project reads them."""
    known = set(re.findall(r"\bHALCYON_[A-Z_]*[A-Z]\b", code())) | {"HALCYON_" + key.upper() for key in rules.settings()}
    for name in DOCUMENTS + ["tools/man/dp2.1"]:
        bad = set(re.findall(r"\bHALCYON_[A-Z_]*[A-Z]\b", read(name))) - known
        report(name + ": variables", "\n".join(sorted(bad)))


def slips_are_found():
    """An option, verb, target, setting or script with one letter too many is refused, anywhere in the documents."""
    kinds = {r"(?<=\s)--[a-z][a-z-]*[a-z](?=[\s=]|$)": 0, r"(?<=\bdp2 )[a-z]+(?= |$)": 0, r"(?<=\bmake )[a-z]+(?= |$)": 0,
             r"\bHALCYON_[A-Z_]+(?==)": 0, r"\b(?:scripts|tests)/[a-z/_-]+(?= )": 0}
    missed = []
    for name in DOCUMENTS:
        blocks, prose = extract.blocks_and_prose(read(name))
        found = [command for block in blocks if block.language in (None, "sh") for command in extract.commands(block)]
        found += [command for command in extract.inline(prose) if rules.looks_like_command(command.text)]
        for command in found:
            for kind in kinds:
                for place in re.finditer(kind, command.text.split("#")[0]):
                    last = "Q" if place[0].isupper() else "q"
                    slip = command.text[:place.end()] + last + command.text[place.end():]
                    kinds[kind] += 1
                    # (names of other projects cannot be checked)
                    if re.search(r"(wineboot|dpkg|wine|git|pkg-config) [^&|]*$", command.text[:place.start()]) and kind.startswith(r"(?<=\s)--"):
                        continue
                    try:
                        rules.check(slip)
                        missed.append("%s:%d: %s" % (name, command.line, slip))
                    except (Wrong, ValueError):
                        pass
    report("slips in %d places of commands are found" % sum(kinds.values()), "\n".join(missed) or (0 in kinds.values() and str(kinds)))


def wrong_output_is_found():
    with tempfile.TemporaryDirectory(prefix="halcyon-docs-") as folder:
        scratch, wrong = Scratch(folder), []
        for text, output, good in (("echo 5 frames in 1.5 s", ["5 frames in 2.25 s"], True), ("echo 5 frames in 1.5 s", ["6 frames in 1.5 s"], False),
                                   ("printf 'a\\nb\\nc\\n'", ["a", "...", "c"], True), ("printf 'a\\nb\\n'", ["a"], False),
                                   ("dp2 replay x.capture --frame 9999", None, False), ("dp2 caps --json", None, True)):
            try:
                run(scratch, Command(1, text, output))
                wrong += [text] * (not good)
            except Wrong:
                wrong += [text] * good
        report("output that differs is found, times apart", "\n".join(wrong))


def main(arguments):
    if arguments:
        rules.dp2_program = os.path.abspath(arguments[0])
    slips_are_found()
    wrong_output_is_found()
    for name in DOCUMENTS:
        document(name)
        links(name)
    linked_texts()
    help_examples()
    settings_page()
    variables()
    print("1..%d" % tests)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
