/* SPDX-License-Identifier: MIT */
/* The heap of watched dlls: counts allocations, makes them fail, and finds misused blocks. */
#include "tests/runtime/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT   64
#define FENCE       64 /* bytes after a block that must not be written */
#define PAGE        4096
#define LARGE       32768 /* the size from which on each block is guarded */
#define QUARANTINED 512   /* blocks that are kept after they have been freed */
#define CALLERS     6

enum { FRESH = 0xcd, FREED = 0xdd, FENCED = 0xfd };

/* Lies before the bytes that the caller gets. */
struct block {
    struct block *next, *previous;
    void *raw;
    size_t bytes, reserved; /* reserved size in pages, 0: from the heap */
    unsigned long long serial;
    void *callers[CALLERS];
    uint64_t magic; /* the last thing before the bytes */
};

#define HEADER ((sizeof(struct block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)
#define LIVE   0x6d656d6f72792121ull
#define DEAD   0x66726565642e2e2eull

static SRWLOCK lock = SRWLOCK_INIT;
static struct block *blocks;
static struct {
    struct block *block; /* NULL: of pages, which cannot be read */
    void *raw;
} quarantine[QUARANTINED];
static unsigned quarantine_at, guard, damage, fail_in, fail_count;
static size_t limit;
static bool has_failed;
static struct heap_use use;
static unsigned long long serial;

/* The header ends where the bytes begin. */
static struct block *block_of(void *memory)
{
    return (struct block *)((uint8_t *)memory - sizeof(struct block));
}

static uint8_t *memory_of(struct block *block)
{
    return (uint8_t *)(block + 1);
}

void heap_print_address(const void *address)
{
    char path[MAX_PATH] = "?";
    const char *name = path;
    HMODULE module = NULL;

    if (GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           address, &module))
        GetModuleFileNameA(module, path, sizeof(path));
    for (const char *c = path; *c; c++)
        if (*c == '\\' || *c == '/')
            name = c + 1;
    printf(" %s+%#llx", name, (unsigned long long)((uintptr_t)address - (uintptr_t)module));
}

static void tell(const char *what, const struct block *block)
{
    damage++;
    printf("# heap: %s: %zu bytes, allocated %llu by", what, block->bytes, block->serial);
    for (unsigned i = 0; i < CALLERS && block->callers[i]; i++)
        heap_print_address(block->callers[i]);
    printf("\n");
    fflush(stdout);
}

/* --- one block ---------------------------------------------------------------------------- */

static bool is_guarded(size_t bytes)
{
    return guard && (bytes >= LARGE || serial % guard == 0);
}

/* Where a block in pages has its bytes: as near to the end of the last page as their alignment allows. */
static struct block *make_guarded(size_t bytes)
{
    const size_t inside = (HEADER + bytes + 2 * ALIGNMENT + PAGE - 1) / PAGE * PAGE;
    uint8_t *raw = VirtualAlloc(NULL, inside + PAGE, MEM_RESERVE, PAGE_NOACCESS);
    struct block *block;

    if (!raw)
        return NULL;
    if (!VirtualAlloc(raw, inside, MEM_COMMIT, PAGE_READWRITE)) {
        VirtualFree(raw, 0, MEM_RELEASE);
        return NULL;
    }
    block = block_of((void *)(((uintptr_t)raw + inside - bytes) & ~(uintptr_t)(ALIGNMENT - 1)));
    block->raw = raw;
    block->reserved = inside;
    return block;
}

static struct block *make_plain(size_t bytes)
{
    uint8_t *raw = HeapAlloc(GetProcessHeap(), 0, HEADER + bytes + ALIGNMENT + FENCE);
    struct block *block;

    if (!raw)
        return NULL;
    block = block_of((void *)(((uintptr_t)raw + HEADER + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1)));
    block->raw = raw;
    block->reserved = 0;
    return block;
}

static size_t fence_bytes(struct block *block)
{
    uint8_t *end = memory_of(block) + block->bytes;

    return block->reserved ? (size_t)((uint8_t *)block->raw + block->reserved - end) : FENCE;
}

static bool fence_is_whole(struct block *block)
{
    const uint8_t *end = memory_of(block) + block->bytes;
    const size_t bytes = fence_bytes(block);

    for (size_t i = 0; i < bytes; i++)
        if (end[i] != FENCED)
            return false;
    return true;
}

static bool is_untouched(struct block *block)
{
    const uint8_t *memory = memory_of(block);

    for (size_t i = 0; i < block->bytes; i++)
        if (memory[i] != FREED)
            return false;
    return fence_is_whole(block);
}

/* Adds an unused block to the kept ones, and releases the oldest of those. */
static void keep_freed(struct block *block)
{
    struct block *oldest = quarantine[quarantine_at].block;
    void *raw = quarantine[quarantine_at].raw;
    DWORD old;

    quarantine[quarantine_at].block = block->reserved ? NULL : block;
    quarantine[quarantine_at].raw = block->raw;
    quarantine_at = (quarantine_at + 1) % QUARANTINED;
    if (block->reserved)
        VirtualProtect(block->raw, block->reserved, PAGE_NOACCESS, &old);
    else
        memset(memory_of(block), FREED, block->bytes);
    if (oldest && !is_untouched(oldest))
        tell("written after it was freed", oldest);
    if (oldest)
        HeapFree(GetProcessHeap(), 0, raw);
    else if (raw)
        VirtualFree(raw, 0, MEM_RELEASE);
}

/* --- replacing the imports ----------------------------------------------------------------------- */

static bool fails(size_t bytes)
{
    if (limit && (bytes > limit || use.bytes + bytes > limit))
        return true;
    if (!fail_in || --fail_in)
        return false;
    has_failed = true;
    if (fail_count > 1) {
        fail_count--;
        fail_in = 1;
    }
    return true;
}

static void *allocate(size_t bytes, int fill)
{
    struct block *block = NULL;

    if (bytes > SIZE_MAX / 2)
        return NULL;
    AcquireSRWLockExclusive(&lock);
    serial++;
    if (!fails(bytes))
        block = is_guarded(bytes) ? make_guarded(bytes) : make_plain(bytes);
    if (block) {
        block->magic = LIVE;
        block->bytes = bytes;
        block->serial = serial;
        memset(block->callers, 0, sizeof(block->callers));
        if (guard)
            RtlCaptureStackBackTrace(2, CALLERS, block->callers, NULL);
        block->previous = NULL;
        block->next = blocks;
        if (blocks)
            blocks->previous = block;
        blocks = block;
        use.blocks++;
        use.bytes += bytes;
        if (fill >= 0)
            memset(memory_of(block), fill, bytes);
        memset(memory_of(block) + bytes, FENCED, fence_bytes(block));
    }
    ReleaseSRWLockExclusive(&lock);
    return block ? memory_of(block) : NULL;
}

/* Blocks that were allocated before the dll was watched are fine. */
static void release_unknown(void *memory, bool is_dead)
{
    if (!is_dead && HeapValidate((HANDLE)_get_heap_handle(), 0, memory)) {
        free(memory);
        return;
    }
    damage++;
    printf("# heap: %p is freed, which is %s\n", memory, is_dead ? "free" : "not allocated");
    fflush(stdout);
}

static void release(void *memory)
{
    struct block *block;

    if (!memory)
        return;
    AcquireSRWLockExclusive(&lock);
    block = block_of(memory);
    if (block->magic != LIVE) {
        ReleaseSRWLockExclusive(&lock);
        release_unknown(memory, block->magic == DEAD);
        return;
    }
    if (!fence_is_whole(block))
        tell("written beyond its end", block);
    if (block->previous)
        block->previous->next = block->next;
    else
        blocks = block->next;
    if (block->next)
        block->next->previous = block->previous;
    use.blocks--;
    use.bytes -= block->bytes;
    block->magic = DEAD;
    if (guard)
        keep_freed(block);
    else if (block->reserved)
        VirtualFree(block->raw, 0, MEM_RELEASE);
    else
        HeapFree(GetProcessHeap(), 0, block->raw);
    ReleaseSRWLockExclusive(&lock);
}

static void *watched_malloc(size_t bytes)
{
    return allocate(bytes, guard ? FRESH : -1);
}

static void *watched_calloc(size_t count, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(count, size, &bytes) ? NULL : allocate(bytes, 0);
}

static void *watched_realloc(void *old, size_t bytes)
{
    void *memory = watched_malloc(bytes);

    if (memory && old) {
        const size_t kept = block_of(old)->bytes;

        memcpy(memory, old, kept < bytes ? kept : bytes);
        release(old);
    }
    return memory;
}

static void *watched_aligned_malloc(size_t bytes, size_t alignment)
{
    return alignment <= ALIGNMENT ? watched_malloc(bytes) : NULL;
}

/* --- imports --------------------------------------------------------------------------------- */

static void *instead_of(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } table[] = {
        {"malloc", watched_malloc},
        {"calloc", watched_calloc},
        {"realloc", watched_realloc},
        {"free", release},
        {"_aligned_malloc", watched_aligned_malloc},
        {"_aligned_free", release},
    };

    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (!strcmp(name, table[i].name))
            return table[i].function;
    return NULL;
}

/* PE/COFF specification, section 6.4, "The .idata Section". */
static unsigned redirect(uint8_t *base, const IMAGE_IMPORT_DESCRIPTOR *import)
{
    const IMAGE_THUNK_DATA *names = (const void *)(base + import->OriginalFirstThunk);
    IMAGE_THUNK_DATA *places = (void *)(base + import->FirstThunk);
    unsigned count = 0;

    for (; names->u1.AddressOfData; names++, places++) {
        const IMAGE_IMPORT_BY_NAME *by_name = (const void *)(base + names->u1.AddressOfData);
        void *function;
        DWORD old;

        if (IMAGE_SNAP_BY_ORDINAL(names->u1.Ordinal))
            continue;
        function = instead_of((const char *)by_name->Name);
        if (!function || !VirtualProtect(places, sizeof(*places), PAGE_READWRITE, &old))
            continue;
        places->u1.Function = (UINT_PTR)function;
        VirtualProtect(places, sizeof(*places), old, &old);
        count++;
    }
    return count;
}

bool heap_watch(HMODULE module)
{
    uint8_t *base = (uint8_t *)module;
    const IMAGE_NT_HEADERS *headers;
    const IMAGE_IMPORT_DESCRIPTOR *import;
    unsigned count = 0;

    if (!module)
        return false;
    headers = (const void *)(base + ((const IMAGE_DOS_HEADER *)base)->e_lfanew);
    import = (const void *)(base + headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress);
    for (; import->FirstThunk; import++)
        count += redirect(base, import);
    return count != 0;
}

/* --- asking -------------------------------------------------------------------------------------- */

struct heap_use heap_use(void)
{
    struct heap_use now;

    AcquireSRWLockExclusive(&lock);
    now = use;
    ReleaseSRWLockExclusive(&lock);
    return now;
}

void heap_fail(unsigned in, unsigned count)
{
    AcquireSRWLockExclusive(&lock);
    fail_in = in;
    fail_count = count;
    has_failed = false;
    ReleaseSRWLockExclusive(&lock);
}

void heap_limit(size_t bytes)
{
    limit = bytes;
}

bool heap_has_failed(void)
{
    return has_failed;
}

void heap_guard(unsigned one_in)
{
    guard = one_in;
}

unsigned heap_damage(void)
{
    unsigned count;

    AcquireSRWLockExclusive(&lock);
    for (struct block *block = blocks; block; block = block->next)
        if (!fence_is_whole(block)) {
            tell("written beyond its end", block);
            memset(memory_of(block) + block->bytes, FENCED, fence_bytes(block));
        }
    count = damage;
    damage = 0;
    ReleaseSRWLockExclusive(&lock);
    return count;
}

unsigned long long heap_serial(void)
{
    return serial;
}

void heap_list(unsigned long long since)
{
    AcquireSRWLockExclusive(&lock);
    for (const struct block *block = blocks; block; block = block->next)
        if (block->serial > since) {
            printf("# heap: %zu bytes, allocated %llu by", block->bytes, block->serial);
            for (unsigned i = 0; i < CALLERS && block->callers[i]; i++)
                heap_print_address(block->callers[i]);
            printf("\n");
        }
    ReleaseSRWLockExclusive(&lock);
}
