#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 play in a window of an X server without a screen: its pictures equal those that dp2 replay and dp2 shot write, to
the bit. Speaks TAP.

tests/cli/test_play.py [DP2]
"""
import mmap
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from program import FOLDER, MULTI, PATIENCE, PROGRAM, assemble, clean, content, damaged, dp2, path, put, rows_of_png, run
from tap import run_tests

# Seconds after which a player that nobody closes is ended
SLOW = 5 if "/asan/" in PROGRAM else 1
# Number of players of damaged captures at the same time
TOGETHER = 6


class Screen:
    """An X server that keeps its picture in a file, and dp2 play in a window of it."""

    def __init__(self, *words):
        self.room = tempfile.mkdtemp(dir=FOLDER)
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1024x768x24", "-fbdir", self.room, "-noreset", "-nolisten", "tcp"],
                                       pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as file:
            self.display = ":" + file.readline().strip()
        self.player = subprocess.Popen([PROGRAM, "play", *words], env=clean(DISPLAY=self.display, SDL_VIDEODRIVER="x11"), cwd=self.room,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            self.left, self.top, self.width, self.height = self.find()
        except BaseException:
            self.player.kill()
            self.close(None)
            raise
        self.x("mousemove", str(self.left + 1), str(self.top + 1))

    def x(self, *words):
        return subprocess.run(["xdotool", *words], env=clean(DISPLAY=self.display), capture_output=True, text=True, timeout=PATIENCE)

    def find(self):
        for _ in range(10 * PATIENCE):
            found = self.x("search", "--onlyvisible", "--name", "dp2 play")
            window = found.stdout.split()
            shape = dict(line.split("=") for line in self.x("getwindowgeometry", "--shell", window[0]).stdout.split()) if window else {}
            if "HEIGHT" in shape:
                return int(shape["X"]), int(shape["Y"]), int(shape["WIDTH"]), int(shape["HEIGHT"])
            assert self.player.poll() is None, self.player.communicate()
            time.sleep(0.1)
        raise AssertionError("no window")

    def press(self, *keys):
        for key in keys:
            self.x("key", key)

    def pixels(self):
        """The rows of the window, as RGB."""
        with open(os.path.join(self.room, "Xvfb_screen0"), "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            head = struct.unpack(">25I", data[:100])
            start, bits, pitch = head[0] + 12 * head[19], head[11], head[12]
            step, rows = bits // 8, []
            assert step == 4
            for y in range(self.height):
                at = start + (self.top + y) * pitch + self.left * step
                line, row = data[at:at + self.width * step], bytearray(3 * self.width)
                for c in range(3):
                    row[c::3] = line[2 - c::4]
                rows.append(bytes(row))
            return rows

    def shows(self, name, attempts=10 * PATIENCE):
        """Does the window come to show the picture in its corner, each pixel as a square?"""
        width, height, wanted = rows_of_png(name)
        zoom = max(1, min(960 // width, 720 // height))
        wide = [b"".join(row[3 * x:3 * x + 3] * zoom for x in range(width)) for row in wanted]
        for _ in range(attempts):
            rows = self.pixels()
            if all(rows[y * zoom + i][:len(wide[y])] == wide[y] for y in range(height) for i in range(zoom)):
                return True
            time.sleep(0.1)
        return False

    def must_show(self, name):
        assert self.shows(name), os.path.basename(name)

    def must_hide(self, name):
        for _ in range(10 * PATIENCE):
            if not self.shows(name, 1):
                return
            time.sleep(0.1)
        raise AssertionError(os.path.basename(name))

    def close(self, key="q"):
        if key:
            self.press(key)
        try:
            out, err = self.player.communicate(timeout=PATIENCE)
        finally:
            self.player.kill()
            self.server.terminate()
            self.server.wait()
        return self.player.returncode, out.decode(), err.decode()


def lacks():
    for program in "Xvfb", "xdotool":
        if not shutil.which(program):
            return "skip: no " + program
    done = run("play", assemble(MULTI, "game.capture"), DISPLAY=":987654", SDL_VIDEODRIVER="x11")
    assert done.returncode == 2 and done.stderr, done
    for words in b"built without SDL", b"cannot be loaded":
        if words in done.stderr:
            return "skip: " + done.stderr.decode().strip()
    return None


def window_shows_frames_and_draws():
    reason = lacks()
    if reason:
        return reason
    capture = assemble(MULTI, "game.capture")
    for frame in "0", "4", "5":
        dp2("replay", capture, "-f", frame, "-o", path("frame%s.png" % frame))
    for show in "color", "before", "wireframe", "overdraw", "touched":
        dp2("shot", capture, "5.1", "--show", show, "-o", path(show + ".png"))
    screen = Screen(capture)
    try:
        screen.must_show(path("frame0.png"))
        screen.press("Right", "Right", "Right", "Right", "Right")
        screen.must_show(path("frame5.png"))
        screen.press("Left")
        screen.must_show(path("frame4.png"))
        screen.press("5", "period", "1", "Return")
        screen.must_show(path("color.png"))
        screen.press("Tab")
        screen.must_show(path("before.png"))
        screen.press("shift+Tab", "Up", "Down", "c")
        screen.must_show(path("color.png"))
        screen.press("s", "Tab", "Tab", "Tab", "Tab", "Tab")
        screen.must_show(path("touched.png"))
        screen.press("s", "Tab")
        screen.must_show(path("overdraw.png"))
        screen.press("Tab", "Tab")
        screen.must_show(path("wireframe.png"))
        screen.press("h")
        screen.must_hide(path("wireframe.png"))
        screen.press("h")
        screen.must_show(path("wireframe.png"))
    finally:
        status, out, err = screen.close()
    assert (status, err) == (0, "") and out == "game-5.1.png\ngame-5.1-touched.png\n", (status, out, err)
    for saved, wanted in ("game-5.1.png", "color.png"), ("game-5.1-touched.png", "touched.png"):
        with open(os.path.join(screen.room, saved), "rb") as one, open(path(wanted), "rb") as two:
            assert one.read() == two.read(), saved
    return None


def clicks_print_histories():
    reason = lacks()
    if reason:
        return reason
    capture = assemble(MULTI, "game.capture")
    dp2("replay", capture, "-f", "5", "-o", path("frame5.png"))
    width, height, _ = rows_of_png(path("frame5.png"))
    zoom = max(1, min(960 // width, 720 // height))
    screen = Screen(capture, "-f", "5")
    try:
        screen.must_show(path("frame5.png"))
        screen.x("mousemove", str(screen.left + 20 * zoom), str(screen.top + 10 * zoom), "click", "1")
    finally:
        status, out, err = screen.close("Escape")
    assert status == 0 and err == "", (status, err)
    assert out == "pixel 20,10 of frame 5\n" + dp2("pixel", capture, "20,10", "-f", "5"), out


def frames_move():
    """While playing, the last frame is reached, and playing stops there."""
    reason = lacks()
    if reason:
        return reason
    capture = assemble(MULTI, "game.capture")
    frames = len([line for line in dp2("replay", capture, "--hash").splitlines() if line.strip()])
    dp2("replay", capture, "-f", str(frames - 1), "-o", path("last.png"))
    screen = Screen(capture, "--play", "--fps", "50")
    try:
        screen.must_show(path("last.png"))
        screen.press("Home")
        dp2("replay", capture, "-f", "0", "-o", path("frame0.png"))
        screen.must_show(path("frame0.png"))
    finally:
        status, _, err = screen.close()
    assert (status, err) == (0, "")


def wrong_questions():
    capture = assemble(MULTI, "game.capture")
    for words in (["--frame", "99"], ["--frame", "1.99"], ["--frame", "x"], ["--frame", "1:0:0"], ["--show", "x"], ["--fps", "0"], ["--threads", "x"],
                  ["-o", path("missing")], ["-o", capture], ["--what"], ["more"]):
        done = run("play", capture, *words, DISPLAY="")
        assert done.returncode == 2 and done.stderr and not done.stdout, (words, done)
    assert run("play").returncode == 2 and run("play", path("missing.capture")).returncode == 2
    done = run("play", capture, DISPLAY="", WAYLAND_DISPLAY="", SDL_VIDEODRIVER="x11")
    assert done.returncode == 2 and b"dp2 play: " in done.stderr, done
    # SDL's own choice without a display shows nothing, so nobody would notice
    unset = [k for k in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY") if os.environ.pop(k, None) is not None]
    done = run("play", capture, "--play", "--loop", XDG_RUNTIME_DIR=path("nothing"))
    assert done.returncode == 2 and b"display" in done.stderr, (unset, done)


def play_in_memory(name):
    """A window that nobody can see, which plays without end."""
    return subprocess.Popen([PROGRAM, "play", path(name), "--play", "--loop", "--fps", "50"], env=clean(SDL_VIDEODRIVER="dummy"),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def close_by_force(number, player, begin):
    try:
        player.wait(max(0, begin + SLOW - time.monotonic()))
    except subprocess.TimeoutExpired:
        player.terminate()
    _, err = player.communicate()
    assert player.returncode in (1, 2, -15) and (player.returncode == -15 or err) and b"Sanitizer" not in err, (number, player.returncode, err)


def damaged_captures():
    """A message, or a window with whatever can be shown."""
    players = []
    for number, bad in enumerate(damaged(content(assemble(MULTI, "game.capture")), 20, 3)):
        name = "bad-%d.capture" % number
        put(name, bad)
        done = run("play", path(name), "-f", "11", SDL_VIDEODRIVER="dummy")
        assert done.returncode in (1, 2) and done.stderr, (number, done)
        players.append((number, play_in_memory(name), time.monotonic()))
        if len(players) == TOGETHER:
            close_by_force(*players.pop(0))
    for player in players:
        close_by_force(*player)


# SDL, X and their libraries keep memory until the process ends.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")
passed = run_tests([window_shows_frames_and_draws, clicks_print_histories, frames_move, wrong_questions, damaged_captures])
sys.exit(0 if passed else 1)
