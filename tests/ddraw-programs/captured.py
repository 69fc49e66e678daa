# SPDX-License-Identifier: MIT
"""Captures of the programs: what the runtime has captured until now is played by dp2, outside Wine."""
import glob
import json
import os
import shutil
import subprocess

from desktop import ROOT
import picture

# Bits of the channels of formats that are widened to 8 bits: by GDI on the screen, which repeats bits, and by dp2, which divides and rounds.
BITS = {"R5G6B5": (5, 6, 5), "X1R5G5B5": (5, 5, 5)}
DP2 = os.path.join(ROOT, "build", "native", "dp2")


def variables(folder):
    """For the environment of a program: everything is captured, into `folder`, which is made empty."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return {"HALCYON_CAPTURE": folder + "/"}


def bits_of(rgb, bits):
    """Channels of 8 bits as they were before they were widened; bits None: they were not."""
    return [[value >> 8 - count for value in rgb[channel::3]] for channel, count in enumerate(bits)] if bits else rgb


def differs(folder, shown):
    """None if the last picture of the capture in `folder` is to be seen on the screen, each pixel the same; what
    differs otherwise. shown: (width, height, RGB) of the screen. The program may still run: each frame that has ended
    is in the file."""
    found = glob.glob(os.path.join(folder, "*.capture*"))
    if len(found) != 1:
        return "%d captures" % len(found)
    copy, path = folder + "-now.capture", folder + "-now.png"
    shutil.copy(found[0], copy)
    frames = json.loads(dp2("info", copy, "--json"))["by_frame"]
    if not frames:
        return "the capture has no frame"
    last = frames[-1]["frame"]
    dp2("replay", copy, "--frame", str(last), "-o", path, "-q")
    frame = json.loads(dp2("dump", copy, "--frame", str(last), "--json"))["frames"][0]["events"][-1]
    left, top, right, bottom = frame["rect"]
    bits = BITS.get(next(s["format"] for s in json.loads(dp2("textures", copy, "--frame", str(last), "--json"))["textures"] if s["surface"] == frame["surface"]))
    width, height, rgb = picture.read(path)
    if (width, height) != (right - left, bottom - top) or right > shown[0] or bottom > shown[1]:
        return "the last frame of the capture is %dx%d, and %s on the screen" % (width, height, frame["rect"])
    for y in range(height):
        at = ((top + y) * shown[0] + left) * 3
        if bits_of(shown[2][at : at + width * 3], bits) != bits_of(rgb[y * width * 3 : (y + 1) * width * 3], bits):
            return "frame %d of the capture differs from the screen in row %d" % (last, y)
    return None


def dp2(*words):
    """Runs dp2, and returns what that prints. Files of a program that still runs have no index: dp2 says so and takes what they hold."""
    done = subprocess.run([DP2, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode and "the file ends without an index" not in done.stderr:
        raise SystemExit("dp2 %s: %s" % (" ".join(words), done.stderr))
    return done.stdout
