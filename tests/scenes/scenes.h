/* SPDX-License-Identifier: MIT */
/*
 * Random scenes through the driver interface, drawn by drivers with different settings; the settings must not make a
 * difference.
 *
 *   scene     what one seed draws: surfaces (world.c), then steps, each of which takes its random numbers from the seed and its
 *             own number alone, so that any of them can be left out
 *   order     which scene to play, and which of its steps
 *   settings  threads, CPU level and split_seed of a driver, and how its MIP maps are made; they hold for a process
 *   worker    a process with settings that plays orders (workers.c)
 *   record    something that a scene has looked at: a surface's memory, the answer of a query, a region of a feedback map
 */
#ifndef HALCYON_TESTS_SCENES_H
#define HALCYON_TESTS_SCENES_H

#include "base/base.h"
#include "tests/stage/stage.h"

#define SCENE_MAX_STEPS   64
#define SCENE_MAX_RECORDS 192
#define SCENE_NO_RECORD   UINT32_MAX

struct order {
    uint64_t seed;
    uint64_t skipped; /* bit n: step n is left out */
    uint32_t wanted;  /* the record whose bytes are requested; SCENE_NO_RECORD: none */
};

struct settings {
    unsigned threads;
    enum cpu_level level;
    uint32_t split_seed;
    bool light; /* MIP maps have one surface for all levels (CLIENT_LIGHTWEIGHT) */
    bool umd;   /* through the WDDM interface */
};

struct record {
    char name[32];
    uint32_t step;
    uint32_t handle; /* of the surface; 0: it is none */
    uint32_t row_bytes, rows, texel_bytes;
    uint64_t hash;   /* of the rows */
    uint32_t format; /* D3DFMT_* */
};

struct result {
    uint32_t count;
    uint32_t first_final; /* from this record on: what was left at the end */
    uint32_t steps;
    uint32_t byte_count;              /* of the wanted record */
    uint32_t failed;                  /* HRESULT of the first call that should have succeeded; 0: none */
    char failure[64];                 /* which one */
    char story[SCENE_MAX_STEPS][160]; /* what the steps did */
    struct record records[SCENE_MAX_RECORDS];
};

/* 64 bits of FNV-1a. */
#define SCENE_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t scene_hash(uint64_t hash, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* --- features ---------------------------------------------------------------------------------- */

/* clang-format off */
/* Features of a scene; each seed chooses some. */
enum feature {
    DEPTH, STENCIL, ALPHA_TEST, BLEND, FOG, DITHER, COVERAGE, CONSERVATIVE, RASTERIZER_OBJECT, FEEDBACK, CLIP_PLANES, POINT_SPRITES,
    LINES, PATCHES, VERTEX_SHADERS, PIXEL_SHADERS, TWO_CONTEXTS, TARGET_CHANGES, TARGET_TEXTURE, BLITS, MEMORY_WRITES, READBACKS,
    QUERIES, SCISSOR, VIEWPORTS, CLEARS, BUFFERS, DEPTH_BOUNDS, ALPHA_COVERAGE, LIGHTING, FILL_MODES, STRANGE_FLOATS,
    FEATURE_COUNT
};
/* clang-format on */

#define SCENE_TARGETS      3 /* two that share a depth buffer, one that is a texture */
#define SCENE_DEPTHS       2
#define SCENE_TEXTURES     10
#define SCENE_MAPS         3 /* of the first textures */
#define SCENE_BYTES        24
#define SCENE_PROGRAMS     6
#define SCENE_MAX_VERTICES 3072
#define SCENE_BUFFER_BYTES (SCENE_MAX_VERTICES * 48)

struct scene {
    struct stage stage;
    const struct order *order;
    struct result *result;
    uint8_t *wanted; /* bytes of the wanted record */
    uint64_t random;
    uint32_t step, step_count;
    uint64_t features; /* bit per enum feature */
    unsigned width, height, samples;
    uintptr_t contexts[2];
    struct client_chain *targets[SCENE_TARGETS], *depths[SCENE_DEPTHS], *textures[SCENE_TEXTURES], *maps[SCENE_MAPS],
        *bytes[SCENE_BYTES], *vertices, *indices, *answers, *screen;
    unsigned bytes_count;                                                   /* parts of maps, in order */
    uint32_t pixel_shaders[SCENE_PROGRAMS], vertex_shaders[SCENE_PROGRAMS]; /* handles; 0: refused */
    uint32_t vertex_shader; /* of the draws to come: SCENE_PROGRAMS is none */
    bool modern_shader;     /* it came with a declaration of DirectX 9 */
    bool query_open;
    unsigned buffer_at; /* vertices of `vertices` in use */
};

/* --- random numbers ---------------------------------------------------------------------------- */

uint32_t scene_random(struct scene *s);

static inline unsigned below(struct scene *s, unsigned limit)
{
    return (unsigned)((uint64_t)scene_random(s) * limit >> 32);
}

static inline bool chance(struct scene *s, unsigned percent)
{
    return below(s, 100) < percent;
}

/* 0..1 in steps of 1/256 */
static inline float fraction(struct scene *s)
{
    return (float)below(s, 257) / 256.0f;
}

static inline bool has(const struct scene *s, enum feature feature)
{
    return s->features >> feature & 1;
}

/* A float that a program may set; in scenes with STRANGE_FLOATS sometimes one that few programs set on purpose: not a
 * number, infinite, huge, denormal, negative zero, or at the limits of integers. */
float any_float(struct scene *s, float usual);
/* The same for some of many. */
void any_floats(struct scene *s, float *floats, unsigned count);

/* Describes the step in words. */
void scene_tell(struct scene *s, const char *format, ...) BASE_PRINTF(2, 3);

/* --- parts ----------------------------------------------------------------------------------------- */

/* world.c */
void world_open(struct scene *s);
void world_close(struct scene *s);
uint32_t world_handle(struct client_chain *chain);
/* Records the contents of a surface. */
void world_record(struct scene *s, const char *name, struct client_surface *surface);
void world_record_bytes(struct scene *s, const char *name, const void *bytes, uint32_t count);
/* All maps, decoded. */
void world_record_maps(struct scene *s);
/* Levels of all faces, or surfaces of anything else. */
unsigned world_part_count(const struct client_chain *chain);
/* Writes random bytes into a level, or into the whole surface. */
void world_fill(struct scene *s, struct client_chain *chain, unsigned part, uint32_t flags);
/* The scenes of this process have lightweight MIP maps. */
void world_make_light(void);

/* states.c: changes some of the states of the scene's features. */
void states_begin(struct scene *s);
void states_change(struct scene *s);

/* programs.c: makes shaders; sets some of them. */
void programs_make(struct scene *s);
void programs_change(struct scene *s);

/* geometry.c: draws something. */
void geometry_draw(struct scene *s);

/* steps.c: plays a scene; `wanted` has room for the requested record (SCENE_WANTED_BYTES). */
#define SCENE_WANTED_BYTES (8u << 20)
void scene_play(const struct order *order, struct result *result, uint8_t *wanted);

/* --- workers.c ------------------------------------------------------------------------------------- */

struct worker;

/* NULL if the process could not start. capture: a file to record into, frames: HALCYON_CAPTURE_FRAMES; both may be
 * NULL. */
struct worker *worker_start(const struct settings *settings, const char *capture, const char *frames);
/* Ends the process and its recording. Returns false if it had died. */
bool worker_stop(struct worker *worker);
bool worker_send(struct worker *worker, const struct order *order);
/* `wanted`: room for SCENE_WANTED_BYTES, or NULL. Returns false if the process has died; then the result says how. */
bool worker_receive(struct worker *worker, struct result *result, uint8_t *wanted);
const char *settings_text(const struct settings *settings);
/* For processes that draw. */
void settings_apply(const struct settings *settings);

/* --- captures.c ------------------------------------------------------------------------------------ */

/* Records a scene, replays all of it and from a frame on, and converts it to text and back: the replays must leave in
 * the surfaces what the last records of the result say. Returns false if they do not, or if a step failed (which is
 * reported). */
bool captures_check(const struct order *order, const struct settings *settings, const char *folder);
/* Records it into a file. */
bool captures_record(const struct order *order, const struct settings *settings, const char *path, const char *frames,
                     struct result *result);

#endif
