/* SPDX-License-Identifier: MIT */
/*
 * Declares what the files of the recorder share: the surfaces, DirectDraw objects and contexts it has seen.
 */
#ifndef HALCYON_DDI_RECORD_INTERNAL_H
#define HALCYON_DDI_RECORD_INTERNAL_H

#include "ddi/record/record.h"

#include "base/output.h"
#include "dp2/capture/capture.h"
#include "dp2/capture/setup.h"
#include "dp2/capture/uses.h"
#include "hal/resource/surface.h"

#define RECORD_STREAMS 16u
#define RECORD_STAGES  24u        /* pixel samplers, displacement and vertex samplers folded */
#define RECORD_HANDLES (1u << 22) /* beyond: not followed */

struct record_chain;

struct record_surface {
    struct record_surface *next_in_bucket;
    DDRAWI_DDRAWSURFACE_LCL *lcl;
    struct record_chain *chain;
    struct record_local *local;
    uint32_t id, handle;
    bool system_memory;
    /* Digests of what the capture holds in its memory, block by block (ddi/record/changes.c). NULL: nothing that is known. */
    uint64_t *known;
    size_t known_count;
    uint64_t known_version; /* of the hal_surface: video memory that the driver has changed since is unknown */
    struct record_surface *next_locked; /* with locks */
    unsigned locks;
    uint32_t lock_flags;
    bool watched; /* what changes while it is locked goes into the capture */
    uint32_t
        looked_in; /* the frame, from 1, in which a buffer that is not locked was looked at; 0: not since its last lock */
    uint32_t range; /* of frames in which the capture holds what is in it */
    /* The file of an earlier range, which goes on, holds in this surface what has this digest (hal_surface_digest). */
    bool left_in_file;
    uint64_t digest;
    struct capture_color_key source_key, destination_key; /* what the capture holds of them */
};

/* Surfaces that belong together: levels, faces, back buffers. */
struct record_chain {
    struct record_surface **surfaces;
    unsigned count, alive;
};

struct record_local {
    struct record_local *next;
    const DDRAWI_DIRECTDRAW_LCL *lcl;
    uint32_t id;
    struct record_surface **by_handle;
    uint32_t handle_capacity;
};

/* Handles a context has bound, to know what a draw may read. */
struct record_context {
    struct record_context *next;
    uint32_t context, process;
    struct record_local *local;
    uint32_t streams[RECORD_STREAMS], indices, stages[RECORD_STAGES];
    uint32_t user_stride; /* SETSTREAMSOURCEUM, bytes */
};

#define RECORD_BUCKETS 1024u

/* A file that is written, or will be once there is something to write. */
struct record_file {
    struct output output;
    const char *exact_path;        /* is replaced; NULL: a new file by HALCYON_CAPTURE */
    struct capture_writer *writer; /* NULL: not open */
    uint32_t frames;               /* whole ones in it */
    bool written;                  /* there is an event in it */
};

/* The recorder's one root. */
struct recorder {
    struct record_file ranges;   /* all frames, or the ranges of HALCYON_CAPTURE_FRAMES */
    struct record_file demand;   /* what was asked for while the program runs */
    struct record_file *current; /* what happens goes there; NULL: it is only followed */
    unsigned files_finished;
    bool failed;
    struct record_surface *buckets[RECORD_BUCKETS]; /* by LCL address */
    struct record_surface *locked;                  /* video memory; the last to be locked first */
    struct record_local *locals;
    struct record_context *contexts;
    uint32_t next_surface, next_local, frame;
    /* The surfaces, contexts and states so far (ddi/record/range.c). NULL: all frames are recorded, and none of this is needed. */
    struct capture_setup *setup;
    struct capture_uses *uses;
    struct record_surface **by_id; /* NULL: gone */
    uint32_t id_capacity;
    uint32_t range;                          /* number of the range, from 1; 0 without ranges */
    const struct record_file *followed_file; /* whose surfaces hold what record_surface says; NULL: none */
    bool poll;                               /* a range may begin or end before the next event */
    bool exit_when_done;
    /* Captures on demand (ddi/record/demand.c). */
    bool on_demand;
    uint32_t demanded;   /* frames, still to be written */
    const char *trigger; /* the file to look for; NULL: none */
    bool trigger_empty;  /* it was there at the last look, with nothing in it */
    double next_look;    /* clock_seconds */
};
extern struct recorder recorder;

/* --- events.c ------------------------------------------------------------------------------- */

/* Writes one event; on failure recording ends with a message. */
void record_event(enum capture_event_type type, const struct capture_bytes *pieces, unsigned count);
void record_event_simple(enum capture_event_type type, const void *data, size_t size);
/* Recording cannot go on (memory, disk). */
void record_give_up(const char *why);
/* record_file_open, _write and _finish for files of the recorder. record_write opens the file if it is not open, and gives up where it cannot
 * be written (false). */
bool record_open(struct record_file *file);
bool record_write(struct record_file *file, enum capture_event_type type, const struct capture_bytes *pieces,
                  unsigned count);
void record_finish(struct record_file *file);

/* --- range.c, demand.c ----------------------------------------------------------------------- */

/* HALCYON_CAPTURE_FRAMES; NULL: no ranges, but all is followed. False: the text is wrong, or no memory is left. */
bool record_start_ranges(const char *text);
void record_stop_ranges(void);
/* The frame that has just ended was the last of its file? */
void record_after_frame(void);
/* Frames were named, and the last of them has ended. */
bool record_has_ranges(void);
bool record_ranges_are_over(void);
/* Between two events: a range begins where the frame is one of its own, or ends behind its last. */
void record_follow_ranges(void);
/* What happens from now on goes into the file, after what it needs of what is there. */
void record_begin_range(struct record_file *file);
/* "" : no file. */
void record_start_demand(const char *trigger);
/* Asks for frames when the file has appeared. */
void record_look_for_trigger(void);

/* --- file.c ---------------------------------------------------------------------------------- */

/* Opens the file under a name of its own if it is not open. False: the log says why. */
bool record_file_open(struct record_file *file, uint32_t first_frame);
/* Both return why the file, which is open, cannot be written. NULL: it has been. */
const char *record_file_write(struct record_file *file, enum capture_event_type type,
                              const struct capture_bytes *pieces, unsigned count);
const char *record_file_end_frame(struct record_file *file);
enum record_file_end {
    RECORD_FILE_NONE, /* it was not open, or nothing was in it and it is discarded */
    RECORD_FILE_WHOLE,
    RECORD_FILE_BROKEN, /* the log says why */
};
/* Index and footer, then the name. */
enum record_file_end record_file_finish(struct record_file *file, bool discards_empty);

/* --- surface.c, contents.c, changes.c, key.c -------------------------------------------------- */

struct record_local *record_local_of(const DDRAWI_DIRECTDRAW_LCL *lcl);
/* NULL: never seen. */
struct record_surface *record_find_surface(const DDRAWI_DDRAWSURFACE_LCL *lcl);
/* NULL for NULL; a surface never seen is recorded now. */
struct record_surface *record_surface_of(DDRAWI_DDRAWSURFACE_LCL *lcl);
uint32_t record_id_of(DDRAWI_DDRAWSURFACE_LCL *lcl);
struct record_surface *record_by_handle(const struct record_local *local, uint32_t handle);
void record_free_surfaces(const struct record_local *local); /* NULL: of all */

/* A range has begun: the file holds of surfaces what the last one left in it; with `all`, nothing. */
void record_forget_contents(bool all);
/* A range has ended, and its file will go on: notes what it holds. */
void record_leave_contents(void);
/* The surface is about to be used in a range: its contents go into the capture unless they are there, or are lost by this
 * use. */
void record_use(void *user, uint32_t id, enum capture_use use);
/* For capture_setup_read_with. */
bool record_read_buffer(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size, uint8_t *out);
/* A Flip exchanges what surfaces hold, and with it whether the capture holds that: those two, or all of a chain move up by one
 * if `back` is the next. */
void record_exchange(DDRAWI_DDRAWSURFACE_LCL *front, DDRAWI_DDRAWSURFACE_LCL *back);

/* A surface, with all that belongs to it, is about to be read or written by the driver: what the program has changed since the
 * last time goes into the capture. */
void record_before_use(struct record_surface *surface);
/* A draw is about to read a vertex or index buffer in video memory. Programs write through the pointers of locks that have ended,
 * too, which nobody promised them: such writes are looked for at the first draw after each lock, and at the first of each frame. */
void record_before_draw(struct record_surface *buffer);
/* Targets that are locked: the driver is about to draw to any of them. */
void record_locked_targets(void);
/* Takes a surface out of the list of those that are locked, if it is there. */
void record_leave_locked(const struct record_surface *surface);

/* A surface's memory as rows; buffers are one row. */
struct record_layout {
    const uint8_t *memory;
    size_t pitch, slice_pitch; /* bytes */
    uint32_t row_bytes, rows, slices;
};
/* False: it has no memory. */
bool record_layout_of(const struct record_surface *surface, struct record_layout *layout);
/* Does the recorder know what the capture holds of the surface, and is that what the driver left in it? */
bool record_is_known(const struct record_surface *surface);
void record_forget(struct record_surface *surface);
/* The capture holds what is in the surface now. */
void record_learn(struct record_surface *surface);
/* Writes the blocks that are not what the capture holds, all if that is not known; they are known then. */
void record_write_changes(struct record_surface *surface);

/* Records the colour keys of a surface, which the runtime keeps in the LCL, if they have changed since the last time. */
void record_changed_keys(struct record_surface *surface);
/* One of them, wherever it comes from. */
void record_color_key(struct record_surface *surface, uint32_t kind, bool set, const DDCOLORKEY *key);

#endif
