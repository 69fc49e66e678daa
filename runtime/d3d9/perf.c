/* SPDX-License-Identifier: MIT */
/*
 * The state here belongs neither to a device nor to an adapter: the calls name neither, so names are kept by the
 * calling thread.
 */
#include "runtime/d3d9/perf.h"

#include "base/base.h"
#include "base/lock.h"
#include "base/thread.h"
#include "d3d/dp2_tokens.h"
#include "d3d/marker.h"
#include "runtime/common/driver/link.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAME 1024       /* UTF-16 units of a name that are kept */
#define MAX_KEPT (64 << 10) /* bytes of a thread that no device draws on */

bool d3d9_perf_is_used;

struct kept {
    uint8_t *bytes; /* entries of MARKER, contiguous */
    size_t size, capacity;
    int level; /* events that have begun and not ended */
};

static struct base_once once = BASE_ONCE_INITIALIZER;
static struct base_slot slot;
static bool has_slot;

static void free_kept(void *value)
{
    struct kept *kept = value;

    free(kept->bytes);
    free(kept);
}

static void make_slot(void)
{
    const bool made = base_slot_make(&slot, free_kept);

    __atomic_store_n(&has_slot, made, __ATOMIC_RELEASE);
    if (!made)
        log_error("D3DPERF: no thread has room for names");
}

/* The names of the calling thread; NULL: out of memory. Freed when the thread ends. */
static struct kept *of_thread(void)
{
    struct kept *kept;

    base_call_once(&once, make_slot);
    if (!has_slot)
        return NULL;
    kept = base_slot_get(&slot);
    if (kept)
        return kept;
    kept = mem_calloc(1, sizeof(*kept));
    if (kept && !base_slot_set(&slot, kept)) {
        free(kept);
        return NULL;
    }
    return kept;
}

/* (another thread may be making the slot) */
void d3d9_perf_thread_ends(void)
{
    if (__atomic_load_n(&has_slot, __ATOMIC_ACQUIRE))
        base_slot_thread_ends(&slot);
}

void d3d9_perf_unload(void)
{
    if (has_slot)
        base_slot_free(&slot);
}

/* --- texts --------------------------------------------------------------------------------- */

/* The character at text[*i], of `length` units; unpaired surrogates become U+FFFD. */
static uint32_t next_character(const WCHAR *text, size_t length, size_t *i)
{
    const uint32_t unit = text[(*i)++];

    if (unit < 0xd800 || unit > 0xdfff)
        return unit;
    if (unit < 0xdc00 && *i < length && text[*i] >= 0xdc00 && text[*i] <= 0xdfff)
        return 0x10000 + ((unit - 0xd800) << 10) + (text[(*i)++] - 0xdc00u);
    return 0xfffd;
}

static size_t put_utf8(uint8_t *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (uint8_t)(0xc0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xe0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 63));
        out[2] = (uint8_t)(0x80 | (c & 63));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 63));
    out[3] = (uint8_t)(0x80 | (c & 63));
    return 4;
}

/* --- what a thread has said ------------------------------------------------------------------ */

/* Room for `size` more bytes; NULL: out of memory. A thread that fills its limit without drawing loses the names. */
static uint8_t *grow_kept(struct kept *kept, size_t size)
{
    if (kept->size + size > MAX_KEPT) {
        log_once(LOG_INFO, 0, "D3DPERF: a thread has set many names without drawing; they are dropped");
        kept->size = 0;
    }
    if (kept->size + size > kept->capacity) {
        const size_t capacity = BASE_MAX(2 * kept->capacity, kept->size + size);
        uint8_t *bytes = mem_realloc(kept->bytes, capacity, 1);

        if (!bytes)
            return NULL;
        kept->bytes = bytes;
        kept->capacity = capacity;
    }
    return kept->bytes + kept->size;
}

static void keep_marker(struct kept *kept, enum ddi_marker kind, D3DCOLOR color, const WCHAR *name)
{
    uint8_t text[3 * MAX_NAME]; /* a unit needs at most three bytes, a pair four */
    HALCYON_DP2MARKER marker = {.dwKind = kind, .Color = color};
    size_t length = 0, padded;
    uint8_t *entry;

    while (name && length < MAX_NAME && name[length])
        length++;
    for (size_t i = 0; i < length;)
        marker.dwTextBytes += (DWORD)put_utf8(text + marker.dwTextBytes, next_character(name, length, &i));
    padded = (marker.dwTextBytes + 3u) & ~3u;
    entry = grow_kept(kept, sizeof(marker) + padded);
    if (!entry)
        return;
    memcpy(entry, &marker, sizeof(marker));
    memset(entry + sizeof(marker), 0, padded);
    memcpy(entry + sizeof(marker), text, marker.dwTextBytes);
    kept->size += sizeof(marker) + padded;
    __atomic_store_n(&d3d9_perf_is_used, true, __ATOMIC_RELAXED);
}

void d3d9_perf_send_kept(struct rt_link *link)
{
    struct kept *kept = of_thread();

    if (!kept)
        return;
    for (size_t at = 0; at < kept->size;) {
        const uint8_t *entry = kept->bytes + at;
        HALCYON_DP2MARKER marker;
        size_t size;

        memcpy(&marker, entry, sizeof(marker));
        size = sizeof(marker) + ((marker.dwTextBytes + 3u) & ~3u);
        rt_put_entry(link, D3DDP2OP_MARKER, entry, size);
        at += size;
    }
    kept->size = 0;
}

/* --- exports ----------------------------------------------------------------------------------- */

int WINAPI D3DPERF_BeginEvent(D3DCOLOR color, LPCWSTR name)
{
    struct kept *kept = of_thread();

    if (!kept)
        return -1;
    keep_marker(kept, DDI_MARKER_BEGIN, color, name);
    return kept->level++;
}

int WINAPI D3DPERF_EndEvent(void)
{
    struct kept *kept = of_thread();

    if (!kept || !kept->level)
        return -1;
    keep_marker(kept, DDI_MARKER_END, 0, NULL);
    return --kept->level;
}

void WINAPI D3DPERF_SetMarker(D3DCOLOR color, LPCWSTR name)
{
    struct kept *kept = of_thread();

    if (kept)
        keep_marker(kept, DDI_MARKER_POINT, color, name);
}

void WINAPI D3DPERF_SetRegion(D3DCOLOR color, LPCWSTR name)
{
    struct kept *kept = of_thread();

    if (kept)
        keep_marker(kept, DDI_MARKER_REGION, color, name);
}

/* A tool that analyses a frame repeats it; no such tool is present. */
BOOL WINAPI D3DPERF_QueryRepeatFrame(void)
{
    return FALSE;
}

/* Opts out of such tools. Captures are not affected: they are the user's choice. */
void WINAPI D3DPERF_SetOptions(DWORD options)
{
    (void)options;
}

/* 0: no such tool is attached. Programs that check leave out their names then. */
DWORD WINAPI D3DPERF_GetStatus(void)
{
    return 0;
}
