#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""halcyon run --debug: its server, its page, and pausing and stepping of a program, with a Wine that is a script and
stands in for the recorder, and with the real one. Speaks TAP.

tests/cli/test_live.py [HALCYON]
"""
import glob
import http.client
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import time

from test_halcyon_run import DRAWS, HALCYON, ROOT, dlls, program, wine
from program import FOLDER, MULTI, PATIENCE, clean, content, path, put
from tap import run_tests

DP2 = os.path.join(os.path.dirname(HALCYON), "dp2")
# The recorder: each request for a frame makes a capture, until one says "continue". It ends with the folder of the test.
RECORDER = DRAWS + """
n=0
while [ -d "%(folder)s" ]; do
    [ -e "$HALCYON_CAPTURE_TRIGGER" ] || { sleep 0.02; continue; }
    asked=$(cat "$HALCYON_CAPTURE_TRIGGER"); rm "$HALCYON_CAPTURE_TRIGGER"
    echo "$asked" >>"%(asked)s"
    [ "$asked" != continue ] || break
    n=$((n + 1)); cp "%(capture)s" "%(out)s/.part"; mv "%(out)s/.part" "%(out)s/title-$n.capture"
done
while [ -d "%(folder)s" ] && [ ! -e "%(end)s" ]; do sleep 0.02; done"""


def wait(condition, what):
    for _ in range(20 * PATIENCE):
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(what)


class Live:
    """halcyon run --debug, and the page's requests to it."""

    def __init__(self, command, **environment):
        self.out, self.said = path("live"), path("said")
        shutil.rmtree(self.out, ignore_errors=True)
        for name in "opened", "asked", "end":
            if os.path.exists(path(name)):
                os.remove(path(name))
        browser = put("browser", '#!/bin/sh\necho "$1" >>"%s"\n' % path("opened"))
        os.chmod(browser, 0o755)
        with open(self.said, "wb") as file:
            self.process = subprocess.Popen(command, env={**environment, "BROWSER": browser}, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        self.port, self.secret = wait(self.address, "no address")

    def address(self):
        assert self.process.poll() is None, self.text()
        found = re.search(r"^halcyon: debugger: http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/$", self.text(), re.M)
        return found and (int(found[1]), found[2])

    def text(self):
        return content(self.said).decode()

    def ask(self, name, method="GET", secret=None, **headers):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, "/%s/%s" % (self.secret if secret is None else secret, name), headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def state(self):
        return json.loads(self.ask("state")[2])

    def hold(self, frames):
        """Pauses or steps: so many frames have been captured then."""
        assert self.ask("hold", "POST")[0] == 200
        wait(lambda: self.state()["frames"] == frames, "%d frames" % frames)
        assert self.state() == {"frames": frames, "controls": True, "holds": True, "waits": False}, self.state()

    def rooms(self):
        return glob.glob(os.path.join(FOLDER, "halcyon-live-*"))

    def finish(self):
        status = self.process.wait(PATIENCE)
        assert not self.rooms()
        try:
            self.ask("state")
        except ConnectionRefusedError:
            return status
        raise AssertionError("it still answers")

    def close(self):
        self.process.kill()
        self.process.wait()
        for room in self.rooms():
            shutil.rmtree(room)


def played(**environment):
    """A program of the recorder above, with the capture of six frames."""
    subprocess.run([DP2, "asm", MULTI, "-o", path("multi.capture")], check=True, env=clean())
    script = RECORDER % {"folder": FOLDER, "asked": path("asked"), "capture": path("multi.capture"), "out": path("live"), "end": path("end")}
    return Live([HALCYON, "run", "--debug", "--dlls", dlls(), "--wine", wine(script), "--output", path("live"), "--", program()],
                **clean(HOME=FOLDER, XDG_RUNTIME_DIR="", **environment))


def test_pauses_steps_and_continues():
    live = played()
    try:
        (room,) = live.rooms()
        assert stat.S_IMODE(os.stat(room).st_mode) == 0o700
        assert live.ask("frame/0")[0] == 404 and live.ask("hold", "POST")[0] == 200
        address = "http://127.0.0.1:%d/%s/" % (live.port, live.secret)
        wait(lambda: os.path.exists(path("opened")) and content(path("opened")), "no browser")      # no page has asked for the state yet
        assert live.state() == {"frames": 1, "controls": True, "holds": True, "waits": False}
        live.hold(2)
        assert content(path("opened")).decode().split() == [address]        # the page that asks for the state shows the second frame
        assert content(path("asked")) == b"1 hold\n1 hold\n"
        assert live.ask("continue", "POST")[0] == 200 and live.state()["holds"] is False
        put("end", "")
        assert live.finish() == 0, live.text()
        assert content(path("asked")) == b"1 hold\n1 hold\ncontinue\n"
    finally:
        live.close()


def test_frames_are_pages_of_dp2_view():
    live = played()
    try:
        live.hold(1)
        status, headers, body = live.ask("frame/0")
        if os.path.exists(os.path.join(ROOT, "build/web/view.html")):
            assert status == 200 and b'data-name="title-1.capture">' in body, (status, body[-400:])
            assert headers["Content-Security-Policy"].startswith("frame-ancestors 'self'"), headers
        else:
            assert status == 500 and b"the page has not been built" in body, (status, body)
        assert live.ask("frame/1")[0] == live.ask("frame/-1")[0] == live.ask("frame/0x")[0] == live.ask("../title-1.capture")[0] == 404
    finally:
        live.close()


def test_page_in_a_browser():
    """Headless Chromium runs the page, which shows the frame that is there."""
    chromium = shutil.which("chromium")
    if not chromium or "/asan/" in HALCYON:
        return "skip: no chromium"
    live = played()
    try:
        live.hold(1)
        done = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + path("chromium"), "--virtual-time-budget=3000", "--dump-dom",
                               "http://127.0.0.1:%d/%s/" % (live.port, live.secret)], env=clean(HOME=FOLDER), capture_output=True, text=True, timeout=PATIENCE)
        shown = done.stdout
        assert re.search(r'<iframe id="frame"[^>]* src="frame/0"', shown) and 'role="status">Paused.<' in shown, (shown, done.stderr)
        assert '<option value="0">frame 1</option>' in shown and ">Step a frame</button>" in shown, shown
    finally:
        live.close()
    return None


def test_strangers_get_nothing():
    """Other paths, names of hosts and origins; requests that are none; other users."""
    live = played()
    try:
        host = "127.0.0.1:%d" % live.port
        for secret in "", "0" * 32, live.secret[:-1], live.secret + "0", live.secret.upper() + "x":
            assert live.ask("state", secret=secret)[0] == 404, secret
        for headers in {"Host": "localhost:%d" % live.port}, {"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}:
            assert live.ask("continue", "POST", **headers)[0] == 403, headers
        assert live.ask("continue")[0] == 404 and live.ask("state", "PUT")[0] == 405 and live.ask("stop", "POST")[0] == 404
        for bad in b"\r\n\r\n", b"GET\r\n\r\n", b"GET /%s/state HTTP/1.1\r\n\r\n" % live.secret.encode(), b"GET /" + b"a" * 9000, b"\0" * 9000 + b"\r\n\r\n", b"":
            with socket.create_connection(("127.0.0.1", live.port)) as connection:
                connection.sendall(bad)
                connection.shutdown(socket.SHUT_WR)
                try:
                    got = connection.recv(1000)
                except ConnectionResetError:
                    got = b""
            assert not got or re.match(rb"HTTP/1.1 40[03] ", got), (bad[:80], got)
        if os.geteuid() == 0:
            other = "import http.client\nc = http.client.HTTPConnection('127.0.0.1', %d)\nc.request('GET', '/%s/state')\nprint(c.getresponse().status)" % (live.port, live.secret)
            done = subprocess.run(["/usr/bin/python3", "-c", other], user=65534, group=65534, extra_groups=[], cwd="/", capture_output=True, text=True, timeout=PATIENCE)
            assert done.returncode != 0 and "200" not in done.stdout, done
        assert live.state() == {"frames": 0, "controls": True, "holds": False, "waits": False}
        idle = [socket.create_connection(("127.0.0.1", live.port)) for _ in range(8)]       # as browsers do in advance
        assert live.state()["frames"] == 0 and not os.path.exists(path("asked"))
        assert live.ask("", Host=host)[0] == 200
        for connection in idle:
            connection.close()
    finally:
        live.close()


def test_a_program_is_stepped():
    """The real recorder: the program stands still between two frames, and their captures are one frame each."""
    example = os.path.join(ROOT, "build/x64/primitives.exe")
    if not os.path.exists(example) or "/asan/" in HALCYON:
        return "skip: no example"
    live = Live([os.path.join(ROOT, "scripts/with-wine"), HALCYON, "run", "--debug", "--output", path("live"), "--", put("game/primitives.exe", content(example)),
                 "--frames", "300"], **{**{k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}, "XDG_RUNTIME_DIR": "", "TMPDIR": FOLDER})
    try:
        numbers = []
        for step in range(3):
            live.hold(step + 1)
            time.sleep(0.3)
            captures = sorted(glob.glob(os.path.join(live.out, "*.capture")), key=os.path.getmtime)
            info = json.loads(subprocess.run([DP2, "info", captures[-1], "--json"], env=clean(), capture_output=True, check=True).stdout)
            history = json.loads(subprocess.run([DP2, "pixel", captures[-1], "100,100", "--json"], env=clean(), capture_output=True, check=True).stdout)
            assert len(captures) == step + 1 and info["frames"] == 1 and history["rows"], (captures, info)
            numbers.append(int(info["info"]["first_frame"]))
        assert numbers == list(range(numbers[0], numbers[0] + 3)), numbers
        assert live.ask("continue", "POST")[0] == 200
        assert live.finish() == 0 and "drawn by Halcyon: 300 frames" in live.text(), live.text()
    finally:
        live.close()
    return None


sys.exit(0 if run_tests([f for n, f in list(globals().items()) if n.startswith("test_")]) else 1)
