/* SPDX-License-Identifier: MIT */
/*
 * frames CAPTURE [FRAME X Y]: prints number, size and hash of each frame of a capture, or how a pixel of a frame came to its colour.
 */
#include <halcyon.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what)
{
    fprintf(stderr, "frames: %s: %s\n", what, halcyon_message());
    return 1;
}

static int print_frames(struct halcyon_capture *capture)
{
    for (uint32_t frame = 0; frame < halcyon_capture_frames(capture); frame++) {
        struct halcyon_picture picture;

        if (halcyon_capture_picture(capture, frame, &picture) != HALCYON_OK)
            return fail("the capture");
        printf("%" PRIu32 " %" PRIu32 "x%" PRIu32 " %016" PRIx64 "\n", frame, picture.width, picture.height,
               picture.hash);
    }
    return halcyon_capture_refused(capture) ? 2 : 0;
}

static int print_history(struct halcyon_capture *capture, uint32_t frame, uint32_t x, uint32_t y)
{
    struct halcyon_history *history;

    if (halcyon_capture_pixel(capture, frame, x, y, &history) != HALCYON_OK)
        return fail("the pixel");
    for (size_t i = 0; i < history->count; i++) {
        const struct halcyon_step *step = &history->steps[i];

        printf("%" PRIu32 ".%" PRIu32 " %s", frame, step->action, step->text);
        if (step->flags & HALCYON_STEP_CHANGED)
            printf(" -> (%.3f %.3f %.3f)", (double)step->after[0], (double)step->after[1], (double)step->after[2]);
        printf("\n");
    }
    halcyon_history_free(history);
    return 0;
}

int main(int argc, char **argv)
{
    struct halcyon_capture *capture;
    int status;

    if (argc != 2 && argc != 5) {
        fprintf(stderr, "frames CAPTURE [FRAME X Y]\n");
        return 1;
    }
    if (halcyon_capture_open(argv[1], &capture) != HALCYON_OK)
        return fail(argv[1]);
    if (argc == 5)
        status = print_history(capture, (uint32_t)strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10),
                               (uint32_t)strtoul(argv[4], NULL, 10));
    else
        status = print_frames(capture);
    halcyon_capture_close(capture);
    return status;
}
