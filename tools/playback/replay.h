/* SPDX-License-Identifier: MIT */
/*
 * Shared by the two files of dp2 replay.
 */
#ifndef HALCYON_TOOLS_PLAYBACK_REPLAY_H
#define HALCYON_TOOLS_PLAYBACK_REPLAY_H

#include "base/output.h"
#include "base/json/json.h"
#include "replay/player.h"
#include "tools/tool.h"

/* Where to stop: in the middle of a frame. */
struct stop {
    bool wanted, has_call, has_offset;
    uint32_t frame, call, offset;
};

enum picture_place {
    PICTURE_NOWHERE,
    PICTURE_FILE,   /* the last picture, or all pictures in order into standard output */
    PICTURE_NUMBER, /* a file for each */
};

struct frame_times {
    double *list; /* seconds */
    size_t count, capacity;
    double last;
};

#define MAX_NAMED_FRAMES 8u

/* Frames with calls that the driver refused. */
struct refusals {
    uint64_t calls;
    unsigned frames;
    uint32_t frame[MAX_NAMED_FRAMES]; /* the first of them */
};

struct replay {
    const char *path, *output, *record;
    FILE *results; /* hashes and numbers: standard output, if nothing else is written to it; of JSON always */
    struct stop stop;
    bool depths_given;           /* --depth-range; otherwise those that are there */
    struct player_depths depths; /* black and white of a depth picture */
    struct frame_range range;
    bool hash, stats, quiet;
    bool as_json;
    struct json_writer json;
    struct player_picture shown; /* the frame that --hash has shown last: its size, without pixels */
    uint64_t shown_hash;
    enum picture_place place;
    long loops, threads; /* threads 0: as the driver is set */
    int cpu;             /* enum cpu_level; -1: as the driver is set */
    int ddi;             /* 0 dx9, 1 umd; -1: as HALCYON_DDI says */
    uint64_t frames_shown, frames_played;
    uint64_t frames_there;      /* of the capture, as far as it was played */
    bool damaged;               /* what follows is unknown */
    struct player_picture last; /* to be written to one file at the end */
    uint32_t last_frame;
    struct frame_times times;
    struct progress progress;
    struct player_stats totals;
    struct refusals refusals; /* of the first pass */
};

/* Writes a picture; "-" is standard output. Prints errors. */
int replay_write_picture(const struct replay *replay, const struct player_picture *picture, const char *path);

/* replay_until.c: FRAME[:CALL[:OFFSET]] */
bool replay_parse_stop(struct stop *stop, const char *text);
/* LEAST:GREATEST, different numbers. */
bool replay_parse_depths(struct player_depths *depths, const char *text);
/* Plays up to there, then prints and writes the contents of the targets. */
int replay_until(struct replay *replay, struct capture_reader *reader, struct player *player);

#endif
