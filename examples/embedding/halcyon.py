#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libhalcyon for Python's ctypes (docs/embedding.md).

    with halcyon.Capture("title.capture") as capture:
        for frame in range(capture.frames):
            print(capture.hash(frame))

halcyon.py CAPTURE [FRAME X Y]     prints the frames of a capture, or the history of a pixel, as frames.c does
"""
import ctypes
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_float, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

OK, CHANGED = 0, 16


class Picture(ctypes.Structure):
    _fields_ = [("width", c_uint32), ("height", c_uint32), ("stride", c_uint32), ("reserved", c_uint32), ("hash", c_uint64),
                ("pixels", POINTER(c_uint8))]


class Step(ctypes.Structure):
    _fields_ = [*((name, c_uint32) for name in ("action", "kind", "flags", "primitive", "verdict", "output_mask", "samples", "reserved")),
                ("before", c_float * 4), ("after", c_float * 4), ("output", c_float * 4), ("depth", c_float), ("depth_before", c_float),
                ("depth_after", c_float), ("stencil_before", c_uint32), ("stencil_after", c_uint32), ("text", c_char * 172)]


class History(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("step_size", c_size_t), ("omitted", c_uint64), ("steps", c_void_p)]


class Error(Exception):
    """A call failed. .result: its number, an enum halcyon_result."""

    def __init__(self, result):
        super().__init__(library.halcyon_message().decode("utf-8", "replace"))
        self.result = result


def load(name="libhalcyon.so.0"):
    """The library, with the types of the functions that are used here."""
    loaded = ctypes.CDLL(name)
    for function, result, *arguments in (
            ("message", c_char_p), ("version", c_char_p), ("api_version", c_uint32),
            ("capture_open", c_int, c_char_p, POINTER(c_void_p)), ("capture_open_memory", c_int, c_char_p, c_size_t, POINTER(c_void_p)),
            ("capture_close", None, c_void_p), ("capture_frames", c_uint32, c_void_p), ("capture_refused", c_uint64, c_void_p),
            ("capture_picture", c_int, c_void_p, c_uint32, POINTER(Picture)), ("capture_hash", c_int, c_void_p, c_uint32, POINTER(c_uint64)),
            ("capture_pixel", c_int, c_void_p, c_uint32, c_uint32, c_uint32, POINTER(POINTER(History))),
            ("history_free", None, POINTER(History)), ("device_create", c_int, c_uint32, c_uint32, POINTER(c_void_p)),
            ("device_destroy", None, c_void_p), ("device_text", c_int, c_void_p, c_char_p, c_size_t),
            ("device_picture", c_int, c_void_p, c_uint32, POINTER(Picture))):
        entry = getattr(loaded, "halcyon_" + function)
        entry.restype, entry.argtypes = result, arguments
    return loaded


library = load()


def check(result):
    if result != OK:
        raise Error(result)


def rows(picture):
    """The pixels as bytes: B, G, R, A, rows from the top."""
    return ctypes.string_at(picture.pixels, picture.stride * picture.height)


class Capture:
    """A capture: a path, or the bytes of one."""

    def __init__(self, source):
        self.handle = c_void_p()
        if isinstance(source, bytes):
            check(library.halcyon_capture_open_memory(source, len(source), byref(self.handle)))
        else:
            check(library.halcyon_capture_open(source.encode(), byref(self.handle)))
        self.frames = library.halcyon_capture_frames(self.handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        library.halcyon_capture_close(self.handle)
        self.handle = None

    def picture(self, frame):
        """(width, height, hash, bytes)"""
        picture = Picture()
        check(library.halcyon_capture_picture(self.handle, frame, byref(picture)))
        return picture.width, picture.height, picture.hash, rows(picture)

    def hash(self, frame):
        number = c_uint64()
        check(library.halcyon_capture_hash(self.handle, frame, byref(number)))
        return number.value

    def pixel(self, frame, x, y):
        """The history of a pixel: a list of Step."""
        history = POINTER(History)()
        check(library.halcyon_capture_pixel(self.handle, frame, x, y, byref(history)))
        told = history.contents
        steps = [Step.from_buffer_copy(ctypes.string_at(told.steps + i * told.step_size, ctypes.sizeof(Step))) for i in range(told.count)]
        library.halcyon_history_free(history)
        return steps


class Device:
    """A driver with a render target, to which streams are sent as text."""

    def __init__(self, width, height):
        self.handle = c_void_p()
        check(library.halcyon_device_create(width, height, byref(self.handle)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        library.halcyon_device_destroy(self.handle)
        self.handle = None

    def text(self, text):
        told = text.encode()
        check(library.halcyon_device_text(self.handle, told, len(told)))

    def picture(self, surface=0):
        """(width, height, hash, bytes)"""
        picture = Picture()
        check(library.halcyon_device_picture(self.handle, surface, byref(picture)))
        return picture.width, picture.height, picture.hash, rows(picture)


def main(arguments):
    if len(arguments) not in (1, 4):
        print(__doc__, file=sys.stderr)
        return 1
    try:
        with Capture(arguments[0]) as capture:
            if len(arguments) == 4:
                frame, x, y = map(int, arguments[1:])
                for step in capture.pixel(frame, x, y):
                    changed = " -> (%.3f %.3f %.3f)" % tuple(step.after[:3]) if step.flags & CHANGED else ""
                    print("%d.%d %s%s" % (frame, step.action, step.text.decode(), changed))
            else:
                for frame in range(capture.frames):
                    print("%d %dx%d %016x" % (frame, *capture.picture(frame)[:3]))
    except Error as error:
        print("halcyon.py: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
