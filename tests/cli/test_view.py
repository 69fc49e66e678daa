#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 view: the data that it writes into the page, the places of the template, and messages. The page itself is tested
in a browser (web/tests/). Speaks TAP.

tests/cli/test_view.py [DP2]     DP2: the program, build/native/dp2 by default
"""
import base64
import html.parser
import os
import shutil
import sys

from program import MULTI, PROGRAM, assemble, content, path, put, run
from tap import run_tests

TEMPLATE = ("<!doctype html>\n<script>before</script>\n"
            '<script type="text/plain" id="capture" data-name=""></script>\n<script>behind</script>\n')


def view(*words, status=0, **more):
    done = run("view", *words, **more)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    assert (status == 0) == (done.stderr == b""), (words, done.stderr)
    return done


class Page(html.parser.HTMLParser):
    """The contents of the element for the capture, read as a browser reads them."""
    def __init__(self, text):
        super().__init__()
        self.name = self.data = None
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.inside = dict(attributes).get("id") == "capture"
        if self.inside:
            self.name, self.data = dict(attributes)["data-name"], ""

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.data += data


def page(name):
    read = Page(content(path(name)).decode())
    return read.name, base64.b64decode(read.data)


def the_capture_is_in_the_page():
    view(path("good"), "--template", path("template"), "-o", path("page.html"))
    assert page("page.html") == ("good", content(path("good")))
    text = content(path("page.html")).decode()
    assert text.startswith(TEMPLATE[:40]) and text.endswith("<script>behind</script>\n")
    assert view(path("good"), "--template", path("template"), "-o", "-").stdout.decode() == text


def every_length_is_whole():
    """base64 has three cases; captures of two other lengths are damaged ones."""
    good = content(path("good"))
    for cut in 40, 41, 42, 43:
        put("cut", good[:-cut])
        view(path("cut"), "--template", path("template"), "-o", path("page.html"), status=1)
        assert page("page.html")[1] == good[:-cut]


def names_are_no_markup():
    name = 'a"b<c>&d.capture'
    put(name, content(path("good")))
    view(path(name), "--template", path("template"), "-o", path("page.html"))
    assert page("page.html") == (name, content(path("good")))
    assert b'a"b' not in content(path("page.html")) and b"<c>" not in content(path("page.html"))


def standard_input():
    view("-", "--template", path("template"), "-o", path("page.html"), input=content(path("good")))
    assert page("page.html") == ("capture", content(path("good")))


def a_page_without_capture():
    view("--template", path("template"), "-o", path("page.html"))
    assert content(path("page.html")).decode() == TEMPLATE


def what_is_no_capture_makes_no_page():
    put("text", b"this is not a capture " * 100)
    put("kept.html", "kept")
    done = view(path("text"), "--template", path("template"), "-o", path("kept.html"), status=1)
    assert done.stderr.startswith(b"dp2 view: ") and content(path("kept.html")) == b"kept"
    view(path("missing"), "--template", path("template"), "-o", path("kept.html"), status=2)
    view(path("good"), "--template", path("template"), status=2)
    view(path("good"), path("good"), "--template", path("template"), "-o", path("kept.html"), status=2)
    view(path("good"), "--template", path("missing"), "-o", path("kept.html"), status=2)
    view(path("good"), "--template", path("good"), "-o", path("kept.html"), status=2)
    view(path("good"), "--template", path("template"), "-o", path("good"), status=2)
    view(path("good"), "--template", path("template"), "-o", path("no/such/folder"), status=2)
    assert content(path("kept.html")) == b"kept"


def the_template_is_found():
    """The places where `make install` and `make web` put the template; the advice if it is in neither."""
    os.makedirs(path("prefix/bin"))
    program = shutil.copy(PROGRAM, path("prefix/bin/dp2"))
    done = view(path("good"), "-o", path("page.html"), status=2, program=program)
    assert b"make web" in done.stderr and b"make install" in done.stderr
    for place in "prefix/web", "prefix/share/halcyon":
        os.makedirs(path(place))
        put(place + "/view.html", TEMPLATE.replace("before", place))
        view(path("good"), "-o", path("page.html"), program=program)
        assert place.encode() in content(path("page.html")) and page("page.html")[1] == content(path("good"))


def notes_come_with_the_capture():
    """Those of a file that is named, or of the one next to the capture; their text cannot end the element."""
    place = '<script type="text/plain" id="notes"></script>\n<script type="text/plain" id="capture"'
    put("noted-template", TEMPLATE.replace('<script type="text/plain" id="capture"', place))
    put("noted", content(path("good")))
    view(path("noted"), "--template", path("noted-template"), "-o", path("page.html"))
    assert b'id="notes"></script>' in content(path("page.html"))
    put("noted.notes.json", '{"format": "dp2-notes", "notes": [{"draw": "1.0", "text": "</script><b>"}]}')
    view(path("noted"), "--template", path("noted-template"), "-o", path("page.html"))
    text = content(path("page.html")).decode()
    assert 'id="notes">{"format": "dp2-notes", "notes": [{"draw": "1.0", "text": "\\u003c/script>\\u003cb>"}]}</script>' in text, text[:600]
    assert page("page.html") == ("noted", content(path("good"))) and text.endswith("<script>behind</script>\n")
    put("other.json", "{}")
    view(path("noted"), "--notes", path("other.json"), "--template", path("noted-template"), "-o", path("page.html"))
    assert b'id="notes">{}</script>' in content(path("page.html"))
    put("kept.html", "kept")
    view(path("noted"), "--notes", path("missing.json"), "--template", path("noted-template"), "-o", path("kept.html"), status=2)
    view(path("noted"), "--template", path("template"), "-o", path("kept.html"), status=2)        # a page without a place for notes
    assert content(path("kept.html")) == b"kept"


assemble(MULTI, "good")
put("template", TEMPLATE)
passed = run_tests([the_capture_is_in_the_page, every_length_is_whole, names_are_no_markup, standard_input, a_page_without_capture,
                    what_is_no_capture_makes_no_page, the_template_is_found, notes_come_with_the_capture])
sys.exit(0 if passed else 1)
