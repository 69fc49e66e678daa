/* SPDX-License-Identifier: MIT */
/*
 * The live debugger of `halcyon run --debug`. A thread serves a page on the loopback address (launcher/http.h) while the
 * program runs. When a frame has been captured, the page opens in a browser, and shows the frame as `dp2 view` does; its
 * buttons pause the program, step it frame by frame, and let it continue. They write the trigger file of the recorder
 * (capture_trigger in halcyon.conf). At the end of the program the server is gone, and the page keeps what it shows.
 */
#ifndef HALCYON_LAUNCHER_LIVE_H
#define HALCYON_LAUNCHER_LIVE_H

struct live;

/* Names captures and trigger file in the environment, as far as they are not named there; frames are captured only on
 * request, unless the environment names some. Starts the server and says its address. NULL: it cannot, which has been
 * said. `folder`: of captures that the environment does not place elsewhere. */
struct live *live_start(const char *folder);
/* A program that waits continues. live: NULL: does nothing. */
void live_stop(struct live *live);

/* live_page.c: the page around the frames. */
extern const char live_page[];

#endif
