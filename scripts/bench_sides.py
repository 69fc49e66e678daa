# SPDX-License-Identifier: MIT
"""Programs of bench/wine/ that take commands (bench/wine/bench.h), one for each implementation, and the pictures they draw."""
import os
import shutil
import subprocess

ENDINGS = ("present", "readback")
# A pixel differs if a channel is off by more than this; edges and filters are not defined to the bit.
CHANNEL_TOLERANCE = 24
# The percentage of pixels that may differ.
PIXEL_TOLERANCE = 2.0


class Side:
    """One implementation: a program that takes commands. `folder` is removed at the end."""

    def __init__(self, name, command, environment, folder=None):
        self.name = name
        self.program = os.path.basename(command[-1])
        self.folder = folder
        self.process = subprocess.Popen(command, env={**os.environ, **environment}, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def line(self):
        text = self.process.stdout.readline()
        if not text:
            raise RuntimeError("%s: %s ended" % (self.name, self.program))
        return text.strip()

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.line()

    def scenes(self):
        found, text = {}, self.ask("list")
        while text != ".":
            name, work = text.split(" ", 1)
            found[name] = work
            text = self.line()
        return found

    def rate(self, scene, ending, seconds):
        """Frames per second and per second of CPU time, or None where the implementation cannot."""
        answer = self.ask("run %s %s %g" % (scene, ending, seconds))
        if answer.startswith("skip"):
            return None
        frames, elapsed, cpu = answer.split()
        # The CPU clock ticks in hundredths of a second.
        return int(frames) / float(elapsed), int(frames) / max(float(cpu), 0.01)

    def shot(self, scene, path):
        """Draws a frame of the scene into a file, whose path the program sees below Z:, the root of its file system."""
        return self.ask("shot %s Z:%s" % (scene, path.replace("/", "\\"))) == "ok"

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        if self.folder:
            shutil.rmtree(self.folder)


def read_ppm(path):
    """The pixels of a picture that bench/wine/commands.c wrote."""
    with open(path, "rb") as file:
        magic, _, depth = file.readline(), file.readline(), file.readline()
        if (magic, depth) != (b"P6\n", b"255\n"):
            raise ValueError("%s is not such a picture" % path)
        return file.read()


def differing(first, second):
    """Per cent of pixels with a channel that is off by more than the tolerance."""
    bad = 0
    for i in range(0, len(first), 3):
        if first[i:i + 3] != second[i:i + 3]:
            bad += any(abs(a - b) > CHANNEL_TOLERANCE for a, b in zip(first[i:i + 3], second[i:i + 3]))
    return 300.0 * bad / max(1, len(first))


def parse_size(text):
    """(width, height) of "640x480"."""
    width, height = text.split("x")
    return int(width), int(height)


def thread_settings(threads):
    """The prefix of a command, and the environment, that give it this many processors and threads; None: all of
    them."""
    if not threads:
        return [], {}
    return ["taskset", "-c", "0-%d" % (threads - 1)], {"HALCYON_THREADS": str(threads), "LP_NUM_THREADS": str(threads)}
