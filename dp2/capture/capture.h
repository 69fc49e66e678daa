/* SPDX-License-Identifier: MIT */
/*
 * The capture container: the calls through the driver interface, as a file (docs/capture-format.md). Chunks of events,
 * each compressed and checksummed, and an index by frame at the end. Knows only bytes: no Direct3D header is included
 * here. Structures below are the file's own layout, little-endian DWORDs without padding.
 */
#ifndef HALCYON_DP2_CAPTURE_CAPTURE_H
#define HALCYON_DP2_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_VERSION_MAJOR 1            /* a reader refuses files of another major version */
#define CAPTURE_VERSION_MINOR 3            /* 1: colour keys; 2: samples; 3: palettes */
#define CAPTURE_MAX_CHUNK     (256u << 20) /* bytes of a chunk before compression */
#define CAPTURE_MAX_FRAMES    (16u << 20)
#define CAPTURE_MAX_STREAM    ((uint64_t)2 << 30) /* bytes that are read from a pipe */

/* --- events ------------------------------------------------------------------------------ */

enum capture_event_type {
    CAPTURE_SURFACES = 1,      /* struct capture_surfaces, parts, links */
    CAPTURE_ANNOUNCE = 2,      /* CreateSurfaceEx: struct capture_announce, names, links */
    CAPTURE_DESTROY = 3,       /* struct capture_destroy */
    CAPTURE_LOCAL_GONE = 4,    /* u32 local */
    CAPTURE_MEMORY = 5,        /* struct capture_memory, bytes */
    CAPTURE_BLT = 6,           /* struct capture_blt, rectangles */
    CAPTURE_FLIP = 7,          /* struct capture_flip */
    CAPTURE_CONTEXT = 8,       /* struct capture_context */
    CAPTURE_CONTEXT_GONE = 9,  /* u32 context */
    CAPTURE_PROCESS_GONE = 10, /* u32 process: ContextDestroyAll */
    CAPTURE_TARGET = 11,       /* struct capture_target */
    CAPTURE_SCENE = 12,        /* u32 context, u32 flag */
    CAPTURE_CLEAR = 13,        /* struct capture_clear, rectangles */
    CAPTURE_DRAW = 14,         /* struct capture_draw, commands, vertices */
    CAPTURE_FRAME = 15,        /* struct capture_frame: the end of a frame */
    CAPTURE_COLOR_KEY = 16,    /* struct capture_color_key: SetColorKey */
    CAPTURE_SAMPLES = 17,      /* struct capture_samples, bytes: AccessSamples */
    CAPTURE_PALETTE = 18,      /* struct capture_palette, entries: CreatePalette, SetEntries */
    CAPTURE_PALETTE_GONE = 19, /* u32 palette: DestroyPalette */
    CAPTURE_SET_PALETTE = 20,  /* struct capture_set_palette: SetPalette */
    CAPTURE_EVENT_COUNT
};

/* Surfaces are named by serial numbers of the capture, from 1; 0 is none. They are never reused. */
struct capture_part {
    uint32_t id;
    uint32_t handle; /* dwSurfaceHandle, 0 if it has none yet */
    uint32_t caps, caps2, caps3, caps4;
    uint32_t local_flags, global_flags; /* dwFlags of the LCL, dwGlobalFlags */
    uint32_t width, height;             /* texels; buffers: 0 */
    uint32_t pitch, slice_pitch;        /* bytes; only of system memory, else the driver chose */
    uint32_t bytes;                     /* of the memory; buffers: their size */
    uint32_t fvf;
    uint32_t mip_count, back_buffers;
    uint32_t color_key_low, color_key_high;
    uint32_t format[8]; /* DDPIXELFORMAT */
};

struct capture_link {
    uint32_t from, to; /* attach list: `to` is attached to `from` */
};

enum { CAPTURE_SYSTEM_MEMORY = 1 };

struct capture_surfaces {
    uint32_t local; /* DirectDraw object, a serial number */
    uint32_t process;
    uint32_t flags; /* CAPTURE_SYSTEM_MEMORY: not created by the driver, only announced to it */
    uint32_t part_count, link_count;
};

struct capture_name {
    uint32_t id, handle;
};

struct capture_announce {
    uint32_t local;
    uint32_t root; /* the surface of the call */
    uint32_t flags;
    uint32_t name_count, link_count;
};

struct capture_destroy {
    uint32_t id;
    uint32_t flags; /* CAPTURE_SYSTEM_MEMORY: announced without memory, not destroyed by a call */
};

enum { CAPTURE_MEMORY_LOCKED = 1 };

/* New bytes of a surface's memory: row_bytes * row_count * slice_count bytes follow. Rows are
 * those of the memory (of blocks, for compressed formats); a buffer is one row. */
struct capture_memory {
    uint32_t id;
    uint32_t flags;      /* CAPTURE_MEMORY_LOCKED: written between Lock and Unlock */
    uint32_t lock_flags; /* DDLOCK_* */
    uint32_t first_row, row_count;
    uint32_t row_offset, row_bytes;
    uint32_t first_slice, slice_count;
};

struct capture_rect {
    int32_t left, top, right, bottom;
};

struct capture_blt {
    uint32_t destination, source; /* source 0: a fill */
    struct capture_rect destination_rect, source_rect;
    uint32_t flags; /* DDBLT_* */
    uint32_t rop, effects, fill;
    uint32_t key_low, key_high; /* DDBLTFX ddckSrcColorkey */
    uint32_t rect_count;        /* prDestRects */
};

struct capture_flip {
    uint32_t current, target;
    uint32_t flags;
};

struct capture_context {
    uint32_t context, local;
    uint32_t level; /* of the runtime: 4 = DX8 */
    uint32_t process;
    uint32_t target, depth;
};

struct capture_target {
    uint32_t context, target, depth;
};

struct capture_clear {
    uint32_t context, flags, color;
    uint32_t depth; /* bits of the float */
    uint32_t stencil;
    uint32_t rect_count;
};

/* Commands follow, padded to 4 bytes, then the vertices. */
struct capture_draw {
    uint32_t context, flags; /* D3DHALDP2_* */
    uint32_t vertex_type, vertex_size, vertex_count;
    uint32_t command_bytes, vertex_bytes;
};

/* A frame event says what the previous call brought to the screen. */
struct capture_frame {
    uint32_t frame; /* from 0 */
    uint32_t surface;
    struct capture_rect rect;
};

enum { CAPTURE_KEY_DESTINATION = 2, CAPTURE_KEY_SOURCE = 8 }; /* DDCKEY_DESTBLT, DDCKEY_SRCBLT */

/* The new colour key of a surface. */
struct capture_color_key {
    uint32_t id;
    uint32_t kind; /* CAPTURE_KEY_* */
    uint32_t set;  /* 0: the key was removed */
    uint32_t low, high;
};

/* Contents of one sample of all pixels in some rows; row_bytes * row_count bytes follow. */
struct capture_samples {
    uint32_t id;
    uint32_t samples; /* per pixel of the surface */
    uint32_t sample;  /* which, from 0 */
    uint32_t first_row, row_count;
    uint32_t row_bytes; /* of a whole row */
};

#define CAPTURE_PALETTE_ENTRIES 256u /* of a palette */

/* New entries of a palette, which exists from its first event on; entry_count times 4 bytes follow: red, green, blue, flags. */
struct capture_palette {
    uint32_t palette; /* a number that no other palette of the capture has, not 0 */
    uint32_t flags;   /* DDRAWIPAL_* */
    uint32_t first, entry_count;
};

/* The palette in whose colours a surface is shown from now on. */
struct capture_set_palette {
    uint32_t id;
    uint32_t palette; /* 0: none */
};

const char *capture_event_name(unsigned type);

/* --- errors ------------------------------------------------------------------------------- */

struct capture_error {
    uint64_t offset; /* in the file */
    int system;      /* errno, if reading or writing failed; 0: the contents are wrong */
    char text[160];
};

/* --- writing ------------------------------------------------------------------------------ */

struct capture_writer;
struct output;

struct capture_bytes {
    const void *data;
    size_t size;
};

/* Begins a capture in `output`, which must be open (base/output.h) and outlive the writer. `info`: lines "key=value\n"
 * in UTF-8 about program and driver, may be NULL. NULL on failure; the error says why. The output stays open in any
 * case: the caller gives the file its name or discards it. */
struct capture_writer *capture_create(struct output *output, const char *info, struct capture_error *error);
/* Writes one event made of pieces. False on failure, after which nothing more is written. */
bool capture_write(struct capture_writer *writer, enum capture_event_type type, const struct capture_bytes *pieces,
                   unsigned count);
/* Ends the chunk, and with `end_of_frame` the frame: everything so far survives a crash. */
bool capture_flush(struct capture_writer *writer, bool end_of_frame);
/* The errno of the first write that failed; 0: none. */
int capture_write_error(const struct capture_writer *writer);
/* Writes index and footer; always frees the writer. The output stays open, for output_commit or output_discard. */
bool capture_finish(struct capture_writer *writer, struct capture_error *error);

/* --- reading ------------------------------------------------------------------------------- */

enum capture_status {
    CAPTURE_OK,
    CAPTURE_END, /* all was read */
    CAPTURE_CUT, /* the file ends inside a chunk; everything before it was read */
    CAPTURE_BAD, /* damaged: see the error */
};

struct capture_reader;

struct capture_event {
    uint16_t type;
    uint32_t size;       /* of `data`, at least the size of the type's structure */
    const uint8_t *data; /* 4-byte aligned; valid until the next call */
    uint32_t frame;      /* it belongs to */
    uint64_t offset;     /* of its chunk in the file */
    uint32_t position;   /* of its header in the unpacked chunk */
};

/* "-" is standard input. Input that cannot seek, such as a pipe, is read into memory (at most CAPTURE_MAX_STREAM
 * bytes). */
struct capture_reader *capture_open(const char *path, struct capture_error *error);
/* The bytes must outlive the reader. */
struct capture_reader *capture_open_memory(const void *data, size_t size, struct capture_error *error);
void capture_close(struct capture_reader *reader);

/* Every event returned has been checked: its structure, arrays and bytes are complete and their counts agree with its
 * size. Events of unknown types are skipped. */
enum capture_status capture_next(struct capture_reader *reader, struct capture_event *event,
                                 struct capture_error *error);
/* Back to the first event. */
void capture_rewind(struct capture_reader *reader);
/* To the first event of a frame. False if there is no index, or the index does not have the frame. */
bool capture_seek_frame(struct capture_reader *reader, uint32_t frame);
/* Events of unknown types that were skipped since capture_open or capture_rewind; and the minor version of the file's
 * format. */
uint64_t capture_skipped(const struct capture_reader *reader);
unsigned capture_minor_version(const struct capture_reader *reader);
/* Complete frames in the index; 0 if the file has no index (cut short). */
uint32_t capture_indexed_frames(const struct capture_reader *reader);
/* The text given to capture_create, "" if none. */
const char *capture_info(const struct capture_reader *reader);
/* Bytes of the file, and of them already read: for progress. */
uint64_t capture_size(const struct capture_reader *reader);
uint64_t capture_position(const struct capture_reader *reader);

/* The array after a structure begins at `event->data + capture_head_size(type)`. */
uint32_t capture_head_size(unsigned type);
/* Is the event valid for its type? The reader has already checked this. */
bool capture_event_is_sound(const struct capture_event *event, struct capture_error *error);

#endif
