/* SPDX-License-Identifier: MIT */
/*
 * Shared declarations of the recorder: the surfaces, DirectDraw objects and contexts that it has seen.
 */
#ifndef HALCYON_DDI_RECORD_INTERNAL_H
#define HALCYON_DDI_RECORD_INTERNAL_H

#include "ddi/record/record.h"

#include "base/frames.h"
#include "base/output.h"
#include "d3d/bindings.h"
#include "dp2/capture/capture.h"
#include "dp2/capture/setup.h"
#include "dp2/capture/uses.h"
#include "hal/resource/surface.h"

#define RECORD_HANDLES (1u << 22) /* higher handles are not tracked */

struct record_chain;

/* System memory as the capture describes it. */
struct record_shape {
    uint32_t width, height, pitch, format;
};

struct record_surface {
    struct record_surface *next_in_bucket;
    DDRAWI_DDRAWSURFACE_LCL *lcl;
    struct record_chain *chain;
    struct record_local *local;
    uint32_t id, handle;
    bool system_memory;
    struct record_shape shape; /* of system memory */
    /* Digests of what the capture holds in its memory, block by block (ddi/record/changes.c). NULL: nothing is
     * known. */
    uint64_t *known;
    size_t known_count;
    uint64_t known_version; /* of the hal_surface: video memory that the driver has changed since is unknown */
    struct record_surface *next_locked; /* with locks */
    unsigned locks;
    uint32_t lock_flags;
    bool watched; /* changes made while it is locked go into the capture */
    uint32_t
        looked_in; /* the frame, from 1, in which a buffer that is not locked was looked at; 0: not since its last lock */
    uint32_t range; /* of frames in which the capture holds what is in it */
    /* The file of an earlier range, which is still open, holds contents with this digest for the surface
     * (hal_surface_digest). */
    bool left_in_file;
    uint64_t digest;
    struct capture_color_key source_key, destination_key; /* what the capture holds of them */
};

/* The surfaces of one chain: levels, faces, back buffers. */
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
    uint32_t streams[D3D_STREAMS], indices, samplers[D3D_SAMPLER_PLACES];
    uint32_t user_stride; /* SETSTREAMSOURCEUM, bytes */
};

#define RECORD_BUCKETS 1024u

/* A file that is being written, or will be opened with the first event. */
struct record_file {
    struct output output;
    const char *exact_path;        /* is replaced; NULL: a new file by HALCYON_CAPTURE */
    struct capture_writer *writer; /* NULL: not open */
    uint32_t frames;               /* complete ones in it */
    bool written;                  /* there is an event in it */
};

/* Part of the driver's root (ddi/entry.h). */
struct recorder {
    bool active;                 /* events are recorded or tracked */
    bool stopped;                /* record_stop has been called */
    unsigned interfaces;         /* enum record_interface bits */
    struct record_file ranges;   /* all frames, or the ranges of HALCYON_CAPTURE_FRAMES */
    struct record_file demand;   /* captures requested while the program runs */
    struct record_file *current; /* where events go; NULL: they are only tracked */
    unsigned files_finished;
    bool failed;
    struct record_surface *buckets[RECORD_BUCKETS]; /* by LCL address */
    struct record_surface *locked;                  /* video memory; the last to be locked first */
    struct record_local *locals;
    struct record_context *contexts;
    uint32_t next_surface, next_local, frame;
    /* The surfaces, contexts and states so far (ddi/record/range.c). NULL: all frames are recorded, so none of this is
     * needed. */
    struct frame_range named; /* HALCYON_CAPTURE_FRAMES */
    struct capture_setup *setup;
    struct capture_uses *uses;
    struct record_surface **by_id; /* NULL: gone */
    uint32_t id_capacity;
    uint32_t range;                          /* number of the range, from 1; 0 without ranges */
    const struct record_file *followed_file; /* whose surfaces hold what record_surface says; NULL: none */
    bool poll;                               /* a range may begin or end before the next event */
    bool exit_when_done;
    bool ending; /* all frames are in their files: the program ends at its next call that is not a lock */
    /* Captures on demand (ddi/record/demand.c). */
    bool on_demand;
    uint32_t demanded;   /* frames, still to be written */
    bool holds;          /* after them the program waits for the next request in the trigger file */
    const char *trigger; /* the file to look for; NULL: none */
    bool trigger_empty;  /* at the last check the file existed and was empty */
    double next_look;    /* clock_seconds */
};

/* --- events.c ------------------------------------------------------------------------------- */

/* Writes one event; on failure recording ends with a message. */
void record_event(struct recorder *recorder, enum capture_event_type type, const struct capture_bytes *pieces,
                  unsigned count);
void record_event_simple(struct recorder *recorder, enum capture_event_type type, const void *data, size_t size);
/* Stops recording, which cannot continue (memory, disk). */
void record_give_up(struct recorder *recorder, const char *why);
/* record_file_open, _write and _finish for files of the recorder. record_write opens the file if necessary, and gives
 * up if it cannot be written (false). */
bool record_open(struct recorder *recorder, struct record_file *file);
bool record_write(struct recorder *recorder, struct record_file *file, enum capture_event_type type,
                  const struct capture_bytes *pieces, unsigned count);
void record_finish(struct recorder *recorder, struct record_file *file);

/* --- range.c, demand.c ----------------------------------------------------------------------- */

/* HALCYON_CAPTURE_FRAMES; NULL: no ranges, but everything is tracked. False: the text is wrong, or out of memory. */
bool record_start_ranges(struct recorder *recorder, const char *text);
void record_stop_ranges(struct recorder *recorder);
/* Was the frame that has just ended the last of its file? */
void record_after_frame(struct recorder *recorder);
/* Were frames named; and has the last of them ended? */
bool record_has_ranges(const struct recorder *recorder);
bool record_ranges_are_over(const struct recorder *recorder);
/* Called between two events: begins a range at its first frame, or ends it after its last. */
void record_follow_ranges(struct recorder *recorder);
/* From now on events go into the file, preceded by the surfaces, contexts and states that they need. */
void record_begin_range(struct recorder *recorder, struct record_file *file);
/* "" : no file. */
void record_start_demand(struct recorder *recorder, const char *trigger);
/* Requests frames if the trigger file has appeared. */
void record_look_for_trigger(struct recorder *recorder);
/* Waits with the program if the last request wants that and its frames are written, until the next request comes. */
void record_hold(struct recorder *recorder);

/* --- file.c ---------------------------------------------------------------------------------- */

/* Opens the file under a new name if it is not open. interfaces: enum record_interface bits. False: the log says why. */
bool record_file_open(struct record_file *file, uint32_t first_frame, unsigned interfaces);
/* Both return why the open file cannot be written. NULL: success. */
const char *record_file_write(struct record_file *file, enum capture_event_type type,
                              const struct capture_bytes *pieces, unsigned count);
const char *record_file_end_frame(struct record_file *file);
enum record_file_end {
    RECORD_FILE_NONE, /* the file was not open, or was empty and has been discarded */
    RECORD_FILE_WHOLE,
    RECORD_FILE_BROKEN, /* the log says why */
};
/* Writes index and footer, then gives the file its name. */
enum record_file_end record_file_finish(struct record_file *file, bool discards_empty);

/* --- surface.c, contents.c, changes.c, key.c -------------------------------------------------- */

struct record_local *record_local_of(struct recorder *recorder, const DDRAWI_DIRECTDRAW_LCL *lcl);
/* NULL: never seen. */
struct record_surface *record_find_surface(const struct recorder *recorder, const DDRAWI_DDRAWSURFACE_LCL *lcl);
/* NULL for NULL; a surface not seen before is recorded now. */
struct record_surface *record_surface_of(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl);
uint32_t record_id_of(struct recorder *recorder, DDRAWI_DDRAWSURFACE_LCL *lcl);
struct record_surface *record_by_handle(const struct record_local *local, uint32_t handle);
void record_free_surfaces(struct recorder *recorder, const struct record_local *local); /* NULL: of all */

/* A range has begun: the file holds the contents that the previous range left in it; with `all`, no contents. */
void record_forget_contents(struct recorder *recorder, bool all);
/* A range has ended, but its file will be continued: notes the contents that the file holds. */
void record_leave_contents(struct recorder *recorder);
/* The surface is about to be used in a range: its contents go into the capture, unless the capture has them or this use
 * overwrites them. */
void record_use(void *user, uint32_t id, enum capture_use use);
/* For capture_setup_read_with; `user` is the recorder, here and in record_use. */
bool record_read_buffer(void *user, uint32_t local, uint32_t handle, size_t offset, size_t size, uint8_t *out);
/* A Flip exchanges the contents of surfaces, and with them the record of what the capture holds: of its two surfaces,
 * or of the whole chain, moved up by one, if the target is the next and HALCYON_FLIP_EXCHANGE is not set. */
void record_exchange(struct recorder *recorder, const DDHAL_FLIPDATA *data);

/* The driver is about to read or write a surface and its chain: the program's changes since the last time go into the
 * capture. */
void record_before_use(struct recorder *recorder, struct record_surface *surface);
/* A draw is about to read a vertex or index buffer in video memory. Programs also write through the pointers of ended
 * locks, although the API does not allow this: such writes are looked for at the first draw after each lock and at the
 * first of each frame. */
void record_before_draw(struct recorder *recorder, struct record_surface *buffer);
/* The driver is about to draw to any of the locked targets. */
void record_locked_targets(struct recorder *recorder);
/* Removes a surface from the list of locked surfaces, if it is there. */
void record_leave_locked(struct recorder *recorder, const struct record_surface *surface);

/* A surface's memory as rows; buffers are one row. */
struct record_layout {
    const uint8_t *memory;
    size_t pitch, slice_pitch; /* bytes */
    uint32_t row_bytes, rows, slices;
};
/* False: it has no memory. */
bool record_layout_of(const struct record_surface *surface, struct record_layout *layout);
/* Does the recorder know which contents the capture holds for the surface, and are they what the driver left in it? */
bool record_is_known(const struct record_surface *surface);
void record_forget(struct record_surface *surface);
/* The capture now holds the surface's contents. */
void record_learn(struct recorder *recorder, struct record_surface *surface);
/* Writes the blocks that differ from the capture, or all blocks if the capture's are unknown; then they are known. */
void record_write_changes(struct recorder *recorder, struct record_surface *surface);

/* Records the colour keys of a surface, which the runtime keeps in the LCL, if they have changed since the last time. */
void record_changed_keys(struct recorder *recorder, struct record_surface *surface);
/* Records one colour key, regardless of its source. */
void record_color_key(struct recorder *recorder, struct record_surface *surface, uint32_t kind, bool set,
                      const DDCOLORKEY *key);

#endif
