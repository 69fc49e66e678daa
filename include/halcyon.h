/* SPDX-License-Identifier: MIT */
/*
 * libhalcyon: captures of Direct3D 8 and 9 replayed, and DrawPrimitives2 command streams drawn, on the CPU
 * (docs/embedding.md).
 *
 *   struct halcyon_capture   a capture: its frames, their hashes and pixels, the history of a pixel
 *   struct halcyon_device    a driver with a render target, to which streams are sent, as bytes or as text
 *
 * Functions that can fail return an enum halcyon_result; then halcyon_message() has the reason, and results are not
 * written. Any thread may call any function: the library holds one lock, so calls run one after another, while the
 * driver draws with all cores. An object may be used by several threads, but a pointer that it returns is valid only until
 * the next call for the object. Destroy functions accept NULL. After fork(), the child must not use the library.
 *
 * Captures, streams and texts may come from strangers. Everything in them is checked, and the work that they may cause
 * is limited (the option "work_limit").
 */
#ifndef HALCYON_H
#define HALCYON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HALCYON_API __attribute__((visibility("default")))
#else
#define HALCYON_API
#endif

/* --- version, errors, options --------------------------------------------------------------- */

/* Grows with each addition to this header. */
#define HALCYON_API_VERSION 1
/* The HALCYON_API_VERSION of the library, which may be newer than that of the program. */
HALCYON_API uint32_t halcyon_api_version(void);
/* The version of the library as text, such as "1.2"; also `dp2 --version`. */
HALCYON_API const char *halcyon_version(void);

enum halcyon_result {
    HALCYON_OK = 0,
    HALCYON_INVALID = 1,       /* an argument is wrong: NULL, out of range */
    HALCYON_NO_MEMORY = 2,     /* the same call may succeed later */
    HALCYON_UNREADABLE = 3,    /* the file cannot be opened or read */
    HALCYON_DAMAGED = 4,       /* it is not a capture, or it is damaged or ends before the requested frame */
    HALCYON_NO_FRAME = 5,      /* the capture does not have this frame */
    HALCYON_NO_PICTURE = 6,    /* the frame or surface does not hold a picture that can be shown */
    HALCYON_TOO_MUCH_WORK = 7, /* the option "work_limit" is exceeded */
    HALCYON_REFUSED = 8,       /* the driver refused the call */
    HALCYON_BAD_TEXT = 9,      /* the text of a stream has a mistake */
    HALCYON_NO_DRIVER = 10,    /* the driver does not start */
    HALCYON_RESULT_COUNT
};
/* "no frame"; "unknown result" for other numbers. */
HALCYON_API const char *halcyon_result_name(int result);
/* The reason why the last call of this thread failed, one sentence without a period; "" if it succeeded. Valid until the next
 * call of this thread. */
HALCYON_API const char *halcyon_message(void);

/* Sets an option of halcyon.conf(5), such as "threads", "cpu", "work_limit", "log_level", before the first object is
 * created; afterwards HALCYON_INVALID. It sets the environment variable HALCYON_NAME, so no other thread may use the
 * environment at the same time. */
HALCYON_API enum halcyon_result halcyon_set_option(const char *name, const char *value);

/* --- pictures -------------------------------------------------------------------------------- */

/* Rows from the top, each of `stride` bytes; four bytes a pixel: blue, green, red, alpha (255 if the surface has no alpha). */
struct halcyon_picture {
    uint32_t width, height; /* pixels */
    uint32_t stride;        /* bytes from row to row */
    uint32_t reserved;
    uint64_t hash;         /* as `dp2 replay --hash` prints it: the same on all machines */
    const uint8_t *pixels; /* owned by the object; valid until the next call for it */
};

/* --- captures -------------------------------------------------------------------------------- */

struct halcyon_capture;

/* path: a file, which must not change while it is open. HALCYON_UNREADABLE, HALCYON_DAMAGED (its beginning),
 * HALCYON_NO_MEMORY, HALCYON_NO_DRIVER. */
HALCYON_API enum halcyon_result halcyon_capture_open(const char *path, struct halcyon_capture **capture);
/* The same from memory, which is copied. */
HALCYON_API enum halcyon_result halcyon_capture_open_memory(const void *data, size_t size,
                                                            struct halcyon_capture **capture);
HALCYON_API void halcyon_capture_close(struct halcyon_capture *capture);

/* Number of complete frames, which are numbered from 0. 0 for NULL. */
HALCYON_API uint32_t halcyon_capture_frames(const struct halcyon_capture *capture);

/* Replays to the end of a frame. Continues from the last frame if it was an earlier one, and begins again otherwise, so
 * ascending order is the fast one. */
HALCYON_API enum halcyon_result halcyon_capture_replay(struct halcyon_capture *capture, uint32_t frame);
/* Replays to a frame, and gives its picture. */
HALCYON_API enum halcyon_result halcyon_capture_picture(struct halcyon_capture *capture, uint32_t frame,
                                                        struct halcyon_picture *picture);
/* Only the hash of the picture. */
HALCYON_API enum halcyon_result halcyon_capture_hash(struct halcyon_capture *capture, uint32_t frame, uint64_t *hash);
/* Calls that the driver has refused since the replay began; if there are any, the capture asks for something that the
 * driver cannot do, and pictures may lack it. 0 for NULL. */
HALCYON_API uint64_t halcyon_capture_refused(const struct halcyon_capture *capture);

/* --- the history of a pixel ------------------------------------------------------------------- */

enum halcyon_action {
    HALCYON_DRAW = 0,
    HALCYON_CLEAR = 1,
    HALCYON_BLIT = 2,
    HALCYON_FILL = 3,
    HALCYON_PRESENT = 4,
    /* Changes of a pixel between two actions: memory that the program wrote, and a palette. The number of such a step's action is
     * that of the next one. */
    HALCYON_LOCK = 5,
    HALCYON_PALETTE = 6,
    HALCYON_ACTION_COUNT
};

/* The fate of a primitive at the pixel, in the order of the driver's decisions. The numbers stay; new ones are added at the end. */
enum halcyon_verdict {
    HALCYON_OUTSIDE = 0,
    HALCYON_MISSING = 1,
    HALCYON_NO_DATA = 2,
    HALCYON_NO_AREA = 3,
    HALCYON_CLIPPED = 4,
    HALCYON_CULLED = 5,
    HALCYON_OFF_VIEWPORT = 6,
    HALCYON_SCISSORED = 7,
    HALCYON_UNCOVERED = 8,
    HALCYON_SAMPLE_MASKED = 9,
    HALCYON_KILLED = 10,
    HALCYON_ALPHA_FAILED = 11,
    HALCYON_BOUNDS_FAILED = 12,
    HALCYON_STENCIL_FAILED = 13,
    HALCYON_DEPTH_FAILED = 14,
    HALCYON_WRITE_MASKED = 15,
    HALCYON_BLENDED = 16,
    HALCYON_WRITTEN = 17,
    HALCYON_VERDICT_COUNT
};
/* "depth-failed", and "it failed the depth test"; "unknown" for other numbers. */
HALCYON_API const char *halcyon_verdict_name(int verdict);
HALCYON_API const char *halcyon_verdict_text(int verdict);

#define HALCYON_STEP_HAS_PRIMITIVE 1u  /* primitive, verdict, output, output_mask are valid: a draw */
#define HALCYON_STEP_HAS_COLOR     2u  /* before, after */
#define HALCYON_STEP_HAS_DEPTH     4u  /* depth_before, depth_after, stencil_before, stencil_after */
#define HALCYON_STEP_HAS_FRAGMENT  8u  /* depth */
#define HALCYON_STEP_CHANGED       16u /* the pixel is another one after the step */
#define HALCYON_STEP_REFUSED       32u /* the driver refused the call */

/* A primitive that covers the pixel, or an action without primitives that reaches it. Of a multisampled pixel, sample 0. */
struct halcyon_step {
    uint32_t action;      /* of the frame, from 0: the DRAW of `FRAME.DRAW` in dp2 */
    uint32_t kind;        /* enum halcyon_action */
    uint32_t flags;       /* HALCYON_STEP_* */
    uint32_t primitive;   /* of the draw, from 0 */
    uint32_t verdict;     /* enum halcyon_verdict */
    uint32_t output_mask; /* bits 0 to 3: components of `output` that the program has written */
    uint32_t samples;     /* bit s: the primitive covers sample s */
    uint32_t reserved;
    float before[4], after[4]; /* the pixel: red, green, blue, alpha */
    float output[4];           /* of the pixel program, before fog and blending */
    float depth;               /* of the primitive at the pixel */
    float depth_before, depth_after;
    uint32_t stencil_before, stencil_after;
    char text[172]; /* the step as a line of text */
};

struct halcyon_history {
    size_t count;     /* steps, in the order in which they happened */
    size_t step_size; /* bytes from one step to the next */
    uint64_t
        omitted; /* further steps: of a draw only the first 256 are listed, and at most HALCYON_MOST_STEPS in all */
    const struct halcyon_step *steps;
};
#define HALCYON_MOST_STEPS 65536

/* Says how pixel (x, y) of the picture of a frame came to its colour. halcyon_history_free releases *history. */
HALCYON_API enum halcyon_result halcyon_capture_pixel(struct halcyon_capture *capture, uint32_t frame, uint32_t x,
                                                      uint32_t y, struct halcyon_history **history);
HALCYON_API void halcyon_history_free(struct halcyon_history *history);

/* --- devices ---------------------------------------------------------------------------------- */

struct halcyon_device;

/* A render target (A8R8G8B8, surface 1, in texts "screen"), a depth buffer (D24S8, surface 2, "depth") and a context of DirectX 9
 * (1, "device") that draws to them. width, height: 1 to 8192. */
HALCYON_API enum halcyon_result halcyon_device_create(uint32_t width, uint32_t height, struct halcyon_device **device);
HALCYON_API void halcyon_device_destroy(struct halcyon_device *device);

/* A stream of DrawPrimitives2 commands (docs/tokens.md). */
struct halcyon_stream {
    const void *commands;
    uint32_t command_bytes;
    uint32_t vertex_type;  /* FVF of DirectX 6 and 7 drawing tokens; 0 */
    const void *vertices;  /* of draws from user memory; NULL: none */
    uint32_t vertex_bytes; /* all of them */
    uint32_t vertex_size;  /* bytes of one */
};
/* Executes a stream. HALCYON_REFUSED: a command is wrong, and *error_offset (which may be NULL) is its offset; commands
 * before it have been executed. */
HALCYON_API enum halcyon_result halcyon_device_execute(struct halcyon_device *device,
                                                       const struct halcyon_stream *stream, uint32_t *error_offset);
/* Executes events in the text form (docs/dp2-text.md): streams, surfaces, memory, blits. Names stay defined for the next texts. The text
 * has no access to files. HALCYON_BAD_TEXT: the message begins with LINE:COLUMN. HALCYON_REFUSED: the driver refused
 * a call. In both cases the events before have been executed. */
HALCYON_API enum halcyon_result halcyon_device_text(struct halcyon_device *device, const char *text, size_t size);

/* Creates a texture; *surface is the handle of its first level, by which streams bind it. format: D3DFORMAT. levels:
 * 1 to 13. */
HALCYON_API enum halcyon_result halcyon_device_create_texture(struct halcyon_device *device, uint32_t width,
                                                              uint32_t height, uint32_t format, uint32_t levels,
                                                              uint32_t *surface);
enum halcyon_buffer { HALCYON_VERTICES = 0, HALCYON_INDICES = 1 };
HALCYON_API enum halcyon_result halcyon_device_create_buffer(struct halcyon_device *device, enum halcyon_buffer kind,
                                                             uint32_t bytes, uint32_t *surface);
/* Writes a whole level of a texture: its rows (of blocks, for compressed formats) without gaps between them. */
HALCYON_API enum halcyon_result halcyon_device_write_texture(struct halcyon_device *device, uint32_t surface,
                                                             uint32_t level, const void *data, size_t size);
HALCYON_API enum halcyon_result halcyon_device_write_buffer(struct halcyon_device *device, uint32_t surface,
                                                            uint32_t offset, const void *data, size_t size);
/* The contents of a surface, 0: the render target; a depth buffer as grey. */
HALCYON_API enum halcyon_result halcyon_device_picture(struct halcyon_device *device, uint32_t surface,
                                                       struct halcyon_picture *picture);

#ifdef __cplusplus
}
#endif

#endif
