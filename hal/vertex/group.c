/* SPDX-License-Identifier: MIT */
/*
 * Draws made by all threads: a group of chunks, each of which one thread fetches, processes, clips, sets up and bins, with memory of
 * its own. What the front end alone does is what must be in order: it looks up indices, and it has the budget, against which
 * the group counts as a whole or not at all. It waits for the group, so that memory of the caller has been read when the
 * call goes on. docs/threads.md.
 */
#include "base/assert.h"
#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/index.h"
#include "hal/vertex/prim.h"
#include "hal/work.h"

/* Pieces of a group: fewer are not worth the waking of a thread; so many for each thread, and at most that many, make one, behind
 * which tiles can be drawn. */
#define LEAST_PIECES  4
#define THREAD_PIECES 16
#define MOST_PIECES   64
/* Chunks of a group for each thread, so that none waits long for the last. */
#define THREAD_CHUNKS 4
#define LEAST_CHUNKS  3

struct prim_group {
    const struct prim_processing *processing;
    const struct prim_assembly *assembly;
    const struct hal_draw *draw;
    const uint32_t *slots;        /* of an indexed chunk; NULL: vertex i is in slot i */
    uint32_t begin, end;          /* primitives, of the draw or of the indexed chunk */
    uint32_t chunk;               /* primitives of a chunk: whole pieces */
    struct prim_scratch *scratch; /* of each thread */
};

uint32_t prim_group_end(const struct prim_assembly *a, const struct hal_draw *draw, uint32_t first, uint32_t primitives)
{
    const unsigned threads = raster_thread_count(a->raster);
    const uint32_t pieces = BASE_MIN(THREAD_PIECES * threads, (unsigned)MOST_PIECES);
    const uint64_t end = first + (uint64_t)pieces * prim_whole(draw->type, PRIM_PIECE);

    return threads < 2 ? primitives : (uint32_t)BASE_MIN(end, (uint64_t)primitives);
}

/* Primitives of fans share a corner, those of line strips a pattern that goes on; a stage that records or supplies constants writes
 * what others read. Conservative triangles are few and dear. An observer sees primitives in their order. */
static bool allows_groups(const struct prim_assembly *a, const struct hal_draw *draw)
{
    const struct hal_vertex_stage *stage = &a->front->vertex_stage;

    return draw->type != D3DPT_TRIANGLEFAN && draw->type != D3DPT_LINESTRIP && !a->conservative && !a->observed &&
           !stage->records && !stage->supply;
}

static unsigned chunk_count(const struct prim_group *group)
{
    return (group->end - group->begin + group->chunk - 1) / group->chunk;
}

/* Cuts the primitives into at most so many chunks. */
static void cut_chunks(struct prim_group *group, unsigned chunks)
{
    const uint32_t piece = prim_whole(group->draw->type, PRIM_PIECE);
    const uint32_t pieces = (group->end - group->begin + piece - 1) / piece;

    group->chunk = piece * ((pieces + chunks - 1) / chunks);
}

/* False: one thread draws the primitives as well. */
static bool begin_group(struct prim_group *group)
{
    const struct prim_assembly *a = group->assembly;
    const unsigned threads = raster_thread_count(a->raster);
    const uint32_t piece = prim_whole(group->draw->type, PRIM_PIECE);

    if (threads < 2 || group->end - group->begin <= (LEAST_PIECES - 1) * piece || !raster_has_idle_threads(a->raster) ||
        !allows_groups(a, group->draw))
        return false;
    cut_chunks(group, BASE_MIN(THREAD_CHUNKS * threads, (unsigned)RASTER_MAX_CHUNKS));
    group->scratch = prim_scratch_of_threads((struct hal_front *)a->front, threads);
    return group->scratch != NULL;
}

/* Runs the chunks; what clipping has made counts if they do. */
static bool run_group(struct prim_group *group, raster_chunk_fn *run)
{
    const unsigned threads = raster_thread_count(group->assembly->raster);
    uint32_t extra_triangles = 0;

    for (unsigned i = 0; i < threads; i++)
        *group->scratch[i].extra_triangles = 0;
    const bool drawn = raster_run_group(group->assembly->raster, chunk_count(group), run, group);

    for (unsigned i = 0; i < threads; i++)
        extra_triangles += *group->scratch[i].extra_triangles;
    if (drawn)
        *group->assembly->scratch->extra_triangles += extra_triangles;
    return drawn;
}

/* The part of the group that is a chunk's, for the thread that makes it. */
struct chunk_work {
    struct prim_processing processing;
    struct prim_assembly assembly;
    uint32_t begin, end;
};

static struct chunk_work chunk_work(const struct prim_group *group, struct raster *raster, unsigned chunk,
                                    unsigned thread)
{
    struct chunk_work work = {
        .processing = *group->processing,
        .assembly = *group->assembly,
        .begin = group->begin + chunk * group->chunk,
    };

    work.end = BASE_MIN(work.begin + group->chunk, group->end);
    work.processing.raster = work.assembly.raster = raster;
    work.processing.scratch = &group->scratch[thread];
    work.assembly.scratch = &group->scratch[thread];
    return work;
}

/* --- vertices in order ----------------------------------------------------------------------- */

static bool sequential_chunk(void *argument, struct raster *raster, unsigned chunk, unsigned thread)
{
    const struct prim_group *group = argument;
    struct chunk_work work = chunk_work(group, raster, chunk, thread);

    work.assembly.first = work.begin;
    return prim_draw_sequential(&work.processing, &work.assembly, group->draw, work.end);
}

/* Could the budget pay for what is known before? */
static bool can_pay(const struct prim_group *group)
{
    const struct hal_draw *draw = group->draw;
    const uint32_t count = group->end - group->begin, piece = prim_whole(draw->type, PRIM_PIECE);
    const uint64_t pieces = (count + piece - 1) / piece;
    const uint64_t price =
        (uint64_t)count * HAL_WORK_PRIMITIVE + pieces * prim_vertices_price(group->assembly->front, PRIM_PIECE);

    return price < raster_get_budget(group->assembly->raster);
}

bool prim_group_sequential(const struct prim_processing *w, const struct prim_assembly *a, const struct hal_draw *draw,
                           uint32_t end)
{
    struct prim_group group = {.processing = w, .assembly = a, .draw = draw, .begin = a->first, .end = end};

    return begin_group(&group) && can_pay(&group) && run_group(&group, sequential_chunk);
}

/* --- indexed chunks -------------------------------------------------------------------------- */

/* Indices of primitives begin .. end - 1 of the indexed chunk. */
struct index_range {
    uint32_t first, count;
};

static struct index_range indices_of(uint32_t type, uint32_t begin, uint32_t end)
{
    const uint32_t first = (uint32_t)hal_chunk_vertex(type, begin, 0);

    return (struct index_range){first, (uint32_t)hal_primitive_vertices(type, end) - first};
}

static uint32_t lowest_slot(const uint32_t *slots, uint32_t count)
{
    uint32_t lowest = UINT32_MAX;

    for (uint32_t i = 0; i < count; i++)
        lowest = BASE_MIN(lowest, slots[i]);
    return lowest;
}

uint32_t prim_lowest_slot(const struct hal_draw *draw, const uint32_t *slots, uint32_t begin, uint32_t end)
{
    const struct index_range range = indices_of(draw->type, begin, end);

    return slots ? lowest_slot(slots + range.first, range.count) : range.first;
}

/* Begins the chunk's own vertices; *slots: where its indices find them. */
static bool begin_vertices(const struct prim_group *group, struct chunk_work *work, const uint32_t **slots)
{
    struct prim_processing *w = &work->processing;
    const struct index_range range = indices_of(group->draw->type, work->begin, work->end);

    if (!group->slots)
        return prim_begin_chunk(w, w->numbers + range.first, w->first, range.count);
    const uint32_t *from = group->slots + range.first;
    const uint32_t lowest = lowest_slot(from, range.count), highest = hal_highest_slot(from, range.count);

    if (!prim_scratch_reserve(w->scratch, range.count) ||
        !prim_begin_chunk(w, NULL, w->first + lowest, highest - lowest + 1))
        return false;
    for (uint32_t i = 0; i < range.count; i++)
        w->scratch->slots[i] = from[i] - lowest;
    *slots = w->scratch->slots;
    return true;
}

static bool indexed_chunk(void *argument, struct raster *raster, unsigned chunk, unsigned thread)
{
    const struct prim_group *group = argument;
    struct chunk_work work = chunk_work(group, raster, chunk, thread);
    const uint32_t *slots = NULL;

    if (!begin_vertices(group, &work, &slots))
        return false;
    work.assembly.first += work.begin;
    prim_draw_pieces(&work.processing, &work.assembly, group->draw, slots, 0, work.end - work.begin);
    return true;
}

/* The slots that the pieces of a group use. */
struct piece_slots {
    uint32_t lowest[MOST_PIECES], highest[MOST_PIECES];
    unsigned count;
};

static void find_slots(const struct prim_group *group, struct piece_slots *pieces)
{
    const uint32_t piece = prim_whole(group->draw->type, PRIM_PIECE);

    pieces->count = 0;
    for (uint32_t begin = group->begin; begin < group->end; begin += piece) {
        const struct index_range range = indices_of(group->draw->type, begin, BASE_MIN(begin + piece, group->end));
        const uint32_t *slots = group->slots + range.first;

        BASE_ASSERT(pieces->count < MOST_PIECES);
        pieces->lowest[pieces->count] = lowest_slot(slots, range.count);
        pieces->highest[pieces->count++] = hal_highest_slot(slots, range.count);
    }
}

/* Vertices that chunks of so many pieces process together: those that several use count for each. */
static uint64_t vertices_of_chunks(const struct piece_slots *pieces, unsigned chunk)
{
    uint64_t vertices = 0;

    for (unsigned i = 0; i < pieces->count; i += chunk) {
        uint32_t lowest = UINT32_MAX, highest = 0;

        for (unsigned k = i; k < BASE_MIN(i + chunk, pieces->count); k++) {
            lowest = BASE_MIN(lowest, pieces->lowest[k]);
            highest = BASE_MAX(highest, pieces->highest[k]);
        }
        vertices += highest - lowest + 1;
    }
    return vertices;
}

/* Cuts larger chunks until what they process more than once is little beside what the other threads take over. With too few of
 * them the threads would wait for the last. */
static bool shares_few_vertices(struct prim_group *group)
{
    const unsigned threads = raster_thread_count(group->assembly->raster), wanted = chunk_count(group);
    const uint32_t piece = prim_whole(group->draw->type, PRIM_PIECE);
    struct piece_slots pieces;

    if (!group->slots)
        return true;
    find_slots(group, &pieces);
    const uint64_t vertices = vertices_of_chunks(&pieces, pieces.count);

    for (unsigned chunks = wanted; chunks >= BASE_MIN(LEAST_CHUNKS * threads, wanted); chunks /= 2) {
        cut_chunks(group, chunks);
        if (vertices_of_chunks(&pieces, group->chunk / piece) <= vertices + vertices / 8 * (threads - 1))
            return true;
    }
    return false;
}

bool prim_group_indexed(const struct prim_processing *w, const struct prim_assembly *a, const struct hal_draw *draw,
                        const uint32_t *slots, uint32_t begin, uint32_t end)
{
    struct prim_group group = {
        .processing = w, .assembly = a, .draw = draw, .slots = slots, .begin = begin, .end = end};

    /* Slots of vertices that do not exist lie behind those of the chunk. */
    return !(slots && w->outcodes & HAL_OUT_MISSING) && begin_group(&group) && shares_few_vertices(&group) &&
           run_group(&group, indexed_chunk);
}
