/* SPDX-License-Identifier: MIT */
/*
 * Shared by all test programs, for either version: checks and a window. A program is a table of tests; each prints "ok
 * NAME" or "not ok NAME", a failed check says where and why on a line that begins with "#". The programs do not depend
 * on this driver: they could run with any d3d8.dll or d3d9.dll.
 */
#ifndef TESTS_RUNTIME_CHECK_H
#define TESTS_RUNTIME_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <windows.h>

#define WIDTH  640
#define HEIGHT 480

struct test {
    const char *name;
    void (*run)(void);
};

/* Is the name one of the arguments, or are there no arguments? */
bool is_wanted(const char *name, int argc, char **argv);
/* Runs the tests whose names the command line has, or all; the process's exit status. */
int run_tests(const struct test *tests, unsigned count, int argc, char **argv);

/* Failures of the current test so far. */
unsigned failure_count(void);
/* Counts and explains a failure of the current test. */
void failed(const char *file, int line, const char *format, ...) __attribute__((format(gnu_printf, 3, 4)));

#define CHECK(condition)                                  \
    do {                                                  \
        if (!(condition))                                 \
            failed(__FILE__, __LINE__, "%s", #condition); \
    } while (0)
#define CHECK_HR(call, expected)                                                                   \
    do {                                                                                           \
        HRESULT hr_ = (call);                                                                      \
        if (hr_ != (HRESULT)(expected))                                                            \
            failed(__FILE__, __LINE__, "%s: %08lx, not %s", #call, (unsigned long)hr_, #expected); \
    } while (0)
/* clang-format off */
#define CHECK_EQUAL(value, expected)                                                                                   \
    do {                                                                                                               \
        long long value_ = (long long)(value), expected_ = (long long)(expected);                                      \
        if (value_ != expected_)                                                                                       \
            failed(__FILE__, __LINE__, "%s is %lld (%#llx), not %lld (%#llx)", #value, value_, value_, expected_,      \
                   expected_);                                                                                         \
    } while (0)
/* clang-format on */

/* A visible popup window with a client area of WIDTH x HEIGHT at the origin. */
HWND open_window(void);
/* Handles the messages in the thread's queue. */
void pump(void);
/* Destroys the window, if it is not NULL, and handles the messages. */
void close_window(HWND window);

/* All pixels of a locked 32-bit surface, 0x00RRGGBB, WIDTH x HEIGHT, 0 where the surface is smaller; the caller frees them. */
uint32_t *copy_pixels(const void *bits, INT pitch, unsigned width, unsigned height);
/* One of such pixels; frees them all. */
uint32_t take_pixel(uint32_t *pixels, unsigned x, unsigned y);

/* Runs this program again, with one option; returns its exit status. */
DWORD run_self(const char *option);

/* The pixels of the window itself, as GDI sees them. */
uint32_t window_pixel(HWND window, int x, int y);

#define SHADER_TOKENS 512 /* the most tokens that a test's shader needs */
/* The code of a shader given as assembly text, in `tokens`; a failure is noted if the text is wrong. */
const DWORD *assemble_shader(const char *text, uint32_t tokens[SHADER_TOKENS]);

/* The greatest difference of a colour channel. */
unsigned color_distance(uint32_t a, uint32_t b);

#endif
