/* SPDX-License-Identifier: MIT */
/* The calls of a trace on their way to the player, and its answers. */
#include "tools/import/import.h"

#include "base/base.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH         (64u << 10) /* bytes that are sent at once */
#define START_SECONDS 120         /* that Wine may take to start the player */

/* --- answers -------------------------------------------------------------------------------------- */

static const char *result_name(uint32_t result, char text[16])
{
    static const struct {
        uint32_t result;
        const char *name;
    } names[] = {{0, "D3D_OK"},
                 {0x8876086c, "D3DERR_INVALIDCALL"},
                 {0x8876086a, "D3DERR_NOTAVAILABLE"},
                 {0x8876017c, "D3DERR_OUTOFVIDEOMEMORY"},
                 {0x88760868, "D3DERR_DEVICELOST"},
                 {0x88760869, "D3DERR_DEVICENOTRESET"},
                 {0x80004005, "E_FAIL"},
                 {0x80070057, "E_INVALIDARG"},
                 {0x80004002, "E_NOINTERFACE"},
                 {0x8007000e, "E_OUTOFMEMORY"},
                 {0x80004001, "E_NOTIMPL"}};

    for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
        if (names[i].result == result)
            return names[i].name;
    snprintf(text, 16, "%08" PRIx32, result);
    return text;
}

static void name_call(char *text, size_t size, unsigned function, unsigned class, unsigned slot)
{
    const struct import_method *method = import_method_at((enum import_class) class, slot);

    if (translate_function_name(function))
        snprintf(text, size, "%s", translate_function_name(function));
    else if (method)
        snprintf(text, size, "%s::%s", import_class_name((enum import_class) class), method->name);
    else
        snprintf(text, size, "a call");
}

static void take_answer(void *user, const char *line)
{
    struct import *import = user;
    unsigned function, class, slot;
    uint32_t expected, result;
    char name[128], there[16], here[16];
    uint64_t number;
    int end = 0;

    if (strcmp(line, "ready") == 0) {
        import->ready = true;
    } else if (sscanf(line, "call %" SCNu64 " %u %u %" SCNx32 " %" SCNx32, &number, &class, &slot, &expected,
                      &result) == 5) {
        name_call(name, sizeof(name), STREAM_METHOD, class, slot);
        import_report_add(&import->results, name, number, "%s in the trace, %s here", result_name(expected, there),
                          result_name(result, here));
    } else if (sscanf(line, "bad %" SCNu64 " %u %u %u %n", &number, &function, &class, &slot, &end) == 4 && end) {
        name_call(name, sizeof(name), function, class, slot);
        import_report_add(&import->results, name, number, "%s", line + end);
    } else if (sscanf(line, "done %" SCNu64, &import->played) == 1) {
        import->done = true;
    }
}

/* --- the player ----------------------------------------------------------------------------------- */

/* Percent signs in the name of a capture stand for other things (halcyon.conf). */
static bool quote_path(char out[WINE_PATH], const char *path)
{
    size_t length = 0;

    for (; *path; path++) {
        if (length + 3 > WINE_PATH)
            return false;
        if (*path == '%')
            out[length++] = '%';
        out[length++] = *path;
    }
    out[length] = 0;
    return true;
}

bool import_start(struct import *import, const struct import_system *system, const char *path, char *why, size_t size)
{
    char capture[WINE_PATH], wine[WINE_PATH], player[WINE_PATH];
    char *const argv[] = {wine, player, NULL};
    /* The recorder writes all frames, and nothing of the user's settings changes them. */
    const char *const variables[] = {"WINEPREFIX",
                                     system->prefix,
                                     "WINEDEBUG",
                                     "-all",
                                     "WINEDLLOVERRIDES",
                                     "mscoree,mshtml,winemenubuilder.exe=;d3d8,d3d9=n",
                                     "HALCYON_CAPTURE",
                                     capture,
                                     "HALCYON_CAPTURE_FRAMES",
                                     "",
                                     "HALCYON_CAPTURE_KEY",
                                     NULL,
                                     "HALCYON_CAPTURE_TRIGGER",
                                     NULL,
                                     "HALCYON_FULL_SCREEN",
                                     "window",
                                     "HALCYON_FRAME_LIMIT",
                                     "-1",
                                     "HALCYON_PROFILES",
                                     "0",
                                     "HALCYON_INTERNAL_RESOLUTION",
                                     NULL,
                                     "HALCYON_ANISOTROPY",
                                     NULL,
                                     "HALCYON_HUD",
                                     NULL,
                                     system->own ? "DISPLAY" : NULL,
                                     NULL,
                                     system->own ? "WAYLAND_DISPLAY" : NULL,
                                     NULL,
                                     NULL};
    const struct import_command command = {argv, variables};

    if (!quote_path(capture, path) || !make_path(wine, "%s", system->wine.path) ||
        !make_path(player, "%s", system->player)) {
        snprintf(why, size, "%s: %s", path, strerror(ENAMETOOLONG));
        return false;
    }
    import->process = (struct import_process){.answer = take_answer, .user = import};
    if (!import_process_start(&import->process, &command)) {
        snprintf(why, size, "%s: %s", wine, strerror(errno));
        return false;
    }
    for (double end = clock_seconds() + START_SECONDS; !import->ready && clock_seconds() < end;)
        if (!import_process_wait(&import->process, 1))
            break;
    if (!import->ready)
        snprintf(why, size, "the player does not start under Wine (%s)%s", system->wine.version,
                 system->own ? "" : "; without --prefix it needs no display");
    return import->ready;
}

/* --- calls ---------------------------------------------------------------------------------------- */

static bool send_batch(struct import *import, bool play)
{
    struct import_bytes *bytes = &import->translator.bytes;
    const bool sent = !play || import_process_send(&import->process, bytes->data, bytes->size);

    bytes->size = 0;
    return sent;
}

bool import_calls(struct import *import, bool play)
{
    struct translator *translator = &import->translator;
    enum calls_result result = CALLS_CALL;
    const struct trace_call *call;

    while (!translator->failed && (result = calls_next(import->calls, &call)) == CALLS_CALL) {
        translate_call(translator, call);
        if (translator->bytes.size >= BATCH && !send_batch(import, play))
            return false;
        if (import->progress && (translator->calls & 63) == 0)
            import->progress(import->user, calls_share(import->calls), translator->calls);
    }
    import->damaged = result == CALLS_BAD;
    translate_end(translator);
    return send_batch(import, play);
}
