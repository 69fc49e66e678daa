#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Twenty questions of users, each answered from docs/ in one step: a page that README.md or docs/README.md links to has
one section, or one paragraph of the FAQ, with all that the answer needs. The first ten were asked by newcomers, who at
first found no answer or a part of one. Speaks TAP."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# question, page, its section ("": up to the first), what the answer says (regular expressions)
QUESTIONS = [
    ("Does it run on Windows?", "faq.md", "Does it run on Windows?", ["only under Wine", "Windows XP"]),
    ("Which versions of Wine?", "faq.md", "Which Wine?", ["Wine 8", "Wine 10", "halcyon doctor"]),
    ("How do I use the library from C or Python?", "embedding.md", "", [r"halcyon\.h", "pkg-config", "[Pp]ython"]),
    ("How is a 640x480 game scaled to my screen?", "running-games.md", "Old games on a large screen",
     ["full_screen", "borderless", "aspect", "scale_filter"]),
    ("What do I write into Steam, Lutris, Bottles?", "running-games.md", "Lutris, Steam, Bottles",
     [r"WINEDLLOVERRIDES=\"d3d8,d3d9=n\" %command%", "Runner options", "DLL overrides"]),
    ("How are thousands of captures checked every night?", "farm.md", "", ["dp2 farm plan", "dp2 farm merge"]),
    ("Will my captures replay with later versions?", "compatibility.md", "", ["every capture of format 1.x replays", "CHANGELOG"]),
    ("How do I record the moment of the fault?", "troubleshooting.md", "Reporting a bug", ["F11", "dp2 trim"]),
    ("How do I limit the threads?", "faq.md", "How many cores does it use?", ["threads = 2", "pixels do not depend"]),
    ("Somebody sent me a capture: how do I look at it without installing anything?", "faq.md",
     "Can I send a capture to somebody who has nothing installed?", ["dp2 view", "any browser"]),
    ("How do I get smooth edges in a game without an option for them?", "antialiasing.md", "Multisampling or a larger resolution?",
     ["multisample = 4", "internal_resolution = 2x"]),
    ("Does it draw DirectDraw games?", "running-games.md", "DirectDraw", ["DirectDraw 1 to 7", "Direct3D 1 to 7", "--ddraw"]),
    ("How does it run in a container without a display?", "ci.md", "Containers", ["apt-get install", "xvfb", "halcyon-tools"]),
    ("The game wants a card of NVIDIA's.", "faq.md", "The program says that it needs a card of some vendor.",
     ["adapter = nvidia", "video_memory"]),
    ("Why is this pixel black?", "debugging.md", "Why a pixel has its colour: `dp2 pixel`", ["dp2 pixel", "--why"]),
    ("A 32-bit game does not start.", "troubleshooting.md", "32-bit programs", ["wine32", "i386"]),
    ("How do I get rid of it in a prefix?", "running-games.md", "For a whole prefix: `halcyon install`",
     ["halcyon uninstall ~/.wine", "restore"]),
    ("My script needs to know whether the game has started.", "running-games.md", "Exit status", ["125", "126", "127", "never 0"]),
    ("May I open a capture from a stranger?", "embedding.md", "Files and streams from strangers", ["checked", "work_limit"]),
    ("Is Halcyon drawing at all, or is it Wine?", "troubleshooting.md", "Is Halcyon drawing at all?", ["--hud", "log"]),
]


def read(name):
    with open(os.path.join(ROOT, name)) as file:
        return file.read()


def section(text, name):
    """The text below a heading, or of a paragraph that begins with the words in bold; None: there is neither."""
    if not name:
        return re.split(r"^## ", text, flags=re.M)[0] if "\n## " in text else text
    found = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % re.escape(name), text, re.M | re.S)
    if not found:
        found = re.search(r"^\*\*%s\*\*(.*?)(?=^\*\*|\Z)" % re.escape(name), text, re.M | re.S)
    return found and found.group(1)


def problem(page, name, facts):
    maps = read("README.md") + read("docs/README.md")
    if not re.search(r"\]\((docs/)?%s" % re.escape(page), maps):
        return "no map links to %s" % page
    answer = section(read("docs/" + page), name)
    if answer is None:
        return "%s has no section '%s'" % (page, name)
    missing = [fact for fact in facts if not re.search(fact, answer)]
    return missing and "%s, '%s' does not say %s" % (page, name, ", ".join(missing))


def main():
    failures = 0
    for number, (question, page, name, facts) in enumerate(QUESTIONS, 1):
        wrong = problem(page, name, facts)
        failures += bool(wrong)
        if wrong:
            print("# " + wrong)
        print("%s %d %s" % ("not ok" if wrong else "ok", number, question))
    print("1..%d" % len(QUESTIONS))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
