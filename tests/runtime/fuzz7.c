/* SPDX-License-Identifier: MIT */
/*
 * Random calls of DirectDraw with hostile parameters; the allocations of the dlls are watched, and fail on request.
 *
 *   fuzz7.exe [--seed N] [--sequences N] [--calls N] [--minutes N] [--faults] [--threads] [--trace]
 *
 * A sequence makes the calls that the seed gives, then releases everything. No memory may be left, and nothing may have been
 * written outside of allocated memory. Seeds count up from --seed. A sequence that fails prints its seed; --trace names each
 * call before it is made. --faults: in every second sequence, allocations fail. --threads: three threads make the calls of every
 * fourth sequence; only its seed is then the same when it is repeated, not the order. Exit status 0: all is well; 1: not; 2: wrong
 * usage; 3: a crash; 4: a call takes more than an hour.
 */
#include "tests/runtime/fuzz7.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runtime/check.h"
#include "tests/runtime/ddraw_dll.h"
#include "tests/runtime/heap.h"

#define MOST_BYTES (200u << 20) /* the most that the dlls may allocate */
#define HANGS      600000       /* milliseconds of one call: more than any takes on a busy machine */
#define ITEMS      24           /* of each kind */
#define DEAD       16
#define THREADS    3
#define PRIMED     2000 /* surfaces, more than a sequence ever has */

HWND fuzz_windows[FUZZ_WINDOWS];
uint8_t *fuzz_arena;
bool fuzz_is_threaded;
volatile LONG fuzz_successes, fuzz_writes, fuzz_overlays;

static HMODULE library;
static CRITICAL_SECTION pool_lock;
static struct fuzz_item items[FUZZ_KINDS][ITEMS];
static IUnknown *dead[DEAD];
static unsigned dead_at, failures;
static bool trace;
static _Thread_local uint64_t random_state;

/* The current sequence and call, for the watching thread and the crash handler. */
static volatile uint32_t current_seed, current_call;
static const char *volatile current_name = "nothing";
static volatile LONG current_start;

void *fuzz_export(const char *name)
{
    return (void *)GetProcAddress(library, name);
}

/* --- random values ----------------------------------------------------------------------- */

void fuzz_seed(uint64_t seed)
{
    random_state = seed * 0x2545f4914f6cdd1dull;
}

/* splitmix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators". */
uint32_t rnd32(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)(z >> 32);
}

uint32_t rnd(uint32_t n)
{
    return (uint32_t)((uint64_t)rnd32() * n >> 32);
}

bool one_in(uint32_t n)
{
    return rnd(n) == 0;
}

DWORD odd_dword(void)
{
    static const DWORD ends[] = {0,      1,       2,          4,          0x7fff,     0x8000,
                                 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

    return rnd(3) ? ends[rnd(sizeof(ends) / sizeof(ends[0]))] : rnd(2) ? 1u << rnd(32) : rnd32();
}

/* --- objects ------------------------------------------------------------------------------ */

struct fuzz_item fuzz_pick(enum fuzz_kind kind)
{
    struct fuzz_item item = {NULL, NULL, 0};
    const unsigned first = rnd(ITEMS);

    EnterCriticalSection(&pool_lock);
    for (unsigned i = 0; i < ITEMS && !item.pointer; i++)
        item = items[kind][(first + i) % ITEMS];
    LeaveCriticalSection(&pool_lock);
    return item;
}

static void release(struct fuzz_item item)
{
    if (!item.pointer)
        return;
    if (!((ULONG(WINAPI *)(IUnknown *))item.vtbl[2])(item.pointer)) {
        EnterCriticalSection(&pool_lock);
        dead[dead_at++ % DEAD] = item.pointer;
        LeaveCriticalSection(&pool_lock);
    }
}

/* Puts the item there, and returns the one that was there. */
static struct fuzz_item exchange(enum fuzz_kind kind, unsigned at, struct fuzz_item item)
{
    struct fuzz_item old;

    EnterCriticalSection(&pool_lock);
    old = items[kind][at];
    items[kind][at] = item;
    LeaveCriticalSection(&pool_lock);
    return old;
}

void fuzz_take(enum fuzz_kind kind, void *pointer, unsigned version)
{
    if (pointer)
        release(exchange(kind, rnd(ITEMS), (struct fuzz_item){pointer, *(void ***)pointer, version}));
}

void fuzz_drop(enum fuzz_kind kind)
{
    release(exchange(kind, rnd(ITEMS), (struct fuzz_item){NULL, NULL, 0}));
}

static void drop_all(void)
{
    static const enum fuzz_kind order[] = {FUZZ_SURFACE, FUZZ_GAMMA,   FUZZ_CLIPPER,
                                           FUZZ_PALETTE, FUZZ_FACTORY, FUZZ_DDRAW};

    for (unsigned k = 0; k < FUZZ_KINDS; k++)
        for (unsigned i = 0; i < ITEMS; i++)
            release(exchange(order[k], i, (struct fuzz_item){NULL, NULL, 0}));
}

static HRESULT WINAPI foreign_query(IUnknown *iface, REFIID id, void **out)
{
    (void)iface;
    (void)id;
    *out = NULL;
    return E_NOINTERFACE;
}

static ULONG WINAPI foreign_count(IUnknown *iface)
{
    (void)iface;
    return 1;
}

void *fuzz_bad_object(void)
{
    static IUnknownVtbl vtbl = {foreign_query, foreign_count, foreign_count};
    static IUnknown foreign = {&vtbl};

    switch (rnd(5)) {
    case 0:
        return NULL;
    case 1:
        return (uint8_t *)fuzz_pick((enum fuzz_kind)rnd(FUZZ_KINDS)).pointer + 1 + rnd(7);
    case 2:
        return dead[rnd(DEAD)];
    case 3:
        return &foreign;
    default:
        return (void *)(uintptr_t)0xdeadbeef;
    }
}

/* --- sequences ---------------------------------------------------------------------------- */

void fuzz_wrong(const char *what, HRESULT hr)
{
    if (!failures++)
        printf("not ok seed %u\n", current_seed);
    printf("# call %u, %s: %s: %08lx\n", current_call, current_name, what, (unsigned long)hr);
    fflush(stdout);
}

void fuzz_begin_call(const char *name)
{
    current_name = name;
    current_start = (LONG)GetTickCount();
    if (trace) {
        printf("# seed %u call %u: %s\n", current_seed, current_call, name);
        fflush(stdout);
    }
}

static void open_windows(void)
{
    for (unsigned i = 0; i < FUZZ_WINDOWS; i++)
        if (!IsWindow(fuzz_windows[i]))
            fuzz_windows[i] = CreateWindowA("static", "fuzz7", WS_POPUP | WS_VISIBLE, 10 * (int)i, 10, 100, 80, NULL,
                                            NULL, NULL, NULL);
    pump();
}

/*
 * The structures of dead objects stay, and are used for later ones of their class (runtime/ddraw/object/interface.h). More of them
 * than any sequence needs are made here, so that whatever is left after a sequence is a leak.
 */
static void prime(void)
{
    static IUnknown *made[PRIMED];
    HRESULT(WINAPI * create)(GUID *, void **, REFIID, IUnknown *) = fuzz_export("DirectDrawCreateEx");
    IDirectDraw7 *ddraws[ITEMS * 2] = {NULL};
    DDSURFACEDESC2 desc = {.dwSize = sizeof(desc), .dwFlags = DDSD_CAPS | DDSD_WIDTH | DDSD_HEIGHT};
    static PALETTEENTRY entries[256];

    desc.ddsCaps.dwCaps = DDSCAPS_OFFSCREENPLAIN | DDSCAPS_SYSTEMMEMORY;
    desc.dwWidth = desc.dwHeight = 4;
    for (unsigned i = 0; i < ITEMS * 2; i++)
        if (SUCCEEDED(create(NULL, (void **)&ddraws[i], &IID_IDirectDraw7, NULL)))
            IDirectDraw7_SetCooperativeLevel(ddraws[i], NULL, DDSCL_NORMAL);
    for (unsigned i = 0; i < PRIMED && ddraws[0]; i++)
        IDirectDraw7_CreateSurface(ddraws[0], &desc, (IDirectDrawSurface7 **)&made[i], NULL);
    for (unsigned i = 0; i < PRIMED && ddraws[0]; i++)
        if (made[i])
            IUnknown_Release(made[i]);
    for (unsigned kind = 0; kind < 2 && ddraws[0]; kind++) {
        for (unsigned i = 0; i < ITEMS * 8; i++)
            if (kind)
                IDirectDraw7_CreateClipper(ddraws[0], 0, (IDirectDrawClipper **)&made[i], NULL);
            else
                IDirectDraw7_CreatePalette(ddraws[0], DDPCAPS_8BIT, entries, (IDirectDrawPalette **)&made[i], NULL);
        for (unsigned i = 0; i < ITEMS * 8; i++)
            IUnknown_Release(made[i]);
    }
    for (unsigned i = 0; i < ITEMS * 2; i++)
        if (ddraws[i])
            IDirectDraw7_Release(ddraws[i]);
}

struct job {
    uint64_t seed;
    unsigned calls;
    bool faults;
};

static DWORD WINAPI run_calls(void *context)
{
    const struct job *job = context;

    fuzz_seed(job->seed);
    for (unsigned i = 0; i < job->calls; i++) {
        current_call = i;
        if (job->faults && one_in(8))
            heap_fail(1 + rnd(100), one_in(3) ? 1 + rnd(40) : 1);
        fuzz_call();
        if (!fuzz_is_threaded && one_in(40))
            pump();
        if (!fuzz_is_threaded && one_in(300)) {
            DestroyWindow(fuzz_windows[rnd(FUZZ_WINDOWS)]);
            open_windows();
        }
    }
    return 0;
}

/* This thread has the windows, so it answers messages until the others are done. */
static void run_threads(const struct job *job)
{
    struct job jobs[THREADS];
    HANDLE threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        jobs[i] = *job;
        jobs[i].seed = job->seed << 8 | i;
        threads[i] = CreateThread(NULL, 0, run_calls, &jobs[i], 0, NULL);
    }
    while (WaitForMultipleObjects(THREADS, threads, TRUE, 10) == WAIT_TIMEOUT)
        pump();
    for (unsigned i = 0; i < THREADS; i++)
        CloseHandle(threads[i]);
}

static void run_sequence(struct job job, bool threads)
{
    current_seed = (uint32_t)job.seed;
    job.faults &= job.seed & 1;
    fuzz_is_threaded = threads && job.seed % 4 == 2;
    open_windows();
    if (fuzz_is_threaded)
        run_threads(&job);
    else
        run_calls(&job);
    heap_fail(0, 0);
    fuzz_begin_call("the end of a sequence");
    fuzz_is_threaded = false;
    drop_all();
    pump();
    if (heap_damage())
        fuzz_wrong("the heap is damaged", E_FAIL);
}

/* Memory that stays from one sequence to the next is what the driver keeps for all devices. */
static void check_growth(struct heap_use *most, unsigned long long since, unsigned sequence)
{
    const struct heap_use now = heap_use();

    if (trace)
        printf("# heap: %zu blocks of %zu bytes\n", now.blocks, now.bytes);
    if (sequence < 3) {
        most->blocks = max(most->blocks, now.blocks);
        most->bytes = max(most->bytes, now.bytes);
    } else if (now.blocks > most->blocks + 8 || now.bytes > most->bytes + (64u << 10)) {
        fuzz_wrong("memory is left", E_FAIL);
        printf("# %zu blocks of %zu bytes, after %zu of %zu\n", now.blocks, now.bytes, most->blocks, most->bytes);
        heap_list(since);
        *most = now;
    }
}

/* --- crashes and hangs ---------------------------------------------------------------------- */

static LONG WINAPI crashed(EXCEPTION_POINTERS *pointers)
{
    void *frames[40];
    const unsigned count = RtlCaptureStackBackTrace(0, 40, frames, NULL);

    printf("not ok seed %u\n# call %u, %s: exception %08lx at", current_seed, current_call, current_name,
           pointers->ExceptionRecord->ExceptionCode);
    heap_print_address(pointers->ExceptionRecord->ExceptionAddress);
    printf(" address %p\n#", (void *)pointers->ExceptionRecord->ExceptionInformation[1]);
    for (unsigned i = 0; i < count; i++)
        heap_print_address(frames[i]);
    printf("\n");
    fflush(stdout);
    TerminateProcess(GetCurrentProcess(), 3);
    return EXCEPTION_EXECUTE_HANDLER;
}

static DWORD WINAPI watch(void *unused)
{
    (void)unused;
    while (Sleep(1000), true) {
        if ((LONG)GetTickCount() - current_start > HANGS) {
            printf("not ok seed %u\n# call %u, %s: it hangs\n", current_seed, current_call, current_name);
            fflush(stdout);
            TerminateProcess(GetCurrentProcess(), 4);
        }
    }
    return 0;
}

static int usage(void)
{
    printf("usage: fuzz7 [--seed N] [--sequences N] [--calls N] [--minutes N] [--faults] [--threads] [--trace]\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct job job = {1, 400, false};
    unsigned sequences = 20, minutes = 0, bad = 0, done = 0;
    struct heap_use most = {0, 0};
    bool threads = false;
    const DWORD start = GetTickCount();

    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--faults"))
            job.faults = true;
        else if (!strcmp(argv[i], "--threads"))
            threads = true;
        else if (!strcmp(argv[i], "--trace"))
            trace = true;
        else if (i + 1 == argc)
            return usage();
        else if (!strcmp(argv[i], "--seed"))
            job.seed = strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--sequences"))
            sequences = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--calls"))
            job.calls = (unsigned)strtoul(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--minutes"))
            minutes = (unsigned)strtoul(argv[++i], NULL, 0);
        else
            return usage();
    InitializeCriticalSection(&pool_lock);
    if (!heap_watch(LoadLibraryA("halcyon.dll")) || !(library = load_ddraw()) || !fuzz_export("DirectDrawCreateEx") ||
        !heap_watch(library))
        return usage();
    SetUnhandledExceptionFilter(crashed);
    current_start = (LONG)start;
    CreateThread(NULL, 0, watch, NULL, 0, NULL);
    fuzz_arena = malloc(FUZZ_ARENA);
    heap_guard(16);
    heap_limit(MOST_BYTES);
    prime();
    for (unsigned i = 0; minutes ? GetTickCount() - start < minutes * 60000 : i < sequences; i++, job.seed++) {
        const unsigned long long since = heap_serial();

        failures = 0;
        run_sequence(job, threads);
        check_growth(&most, since, i);
        bad += failures != 0;
        done++;
    }
    printf("%s fuzz7: %u sequences to seed %llu, %u calls each, %lu s, %ld of the methods succeeded, %ld locks were "
           "written, %ld overlays shown, %u bad\n",
           bad ? "not ok" : "ok", done, (unsigned long long)job.seed - 1, job.calls,
           (unsigned long)(GetTickCount() - start) / 1000, fuzz_successes, fuzz_writes, fuzz_overlays, bad);
    return bad != 0;
}
