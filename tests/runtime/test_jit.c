/* SPDX-License-Identifier: MIT */
/*
 * Memory for generated code (jit/) as Windows sees it: the access rights of its pages, and the unwind entry for stack
 * walks from inside. This program contains the code itself.
 */
#include "tests/runtime/check.h"

#include "base/base.h"
#include "jit/encode.h"
#include "jit/memory.h"

/* How functions are called, and where their arguments are: as generated_fn (shader/run/generated.h). */
#ifdef __x86_64__
#define CONVENTION __attribute__((sysv_abi))
#define FIRST      JIT_RDI
#define SECOND     JIT_RSI
#else
#define CONVENTION __attribute__((fastcall))
#define FIRST      JIT_RCX
#define SECOND     JIT_RDX
#endif

#define FOR_KINDS(kind) for (enum jit_section_kind kind = JIT_TWO_VIEWS; kind <= JIT_ONE_VIEW; kind++)

static MEMORY_BASIC_INFORMATION query(const void *address)
{
    MEMORY_BASIC_INFORMATION info = {.Protect = 0};

    VirtualQuery(address, &info, sizeof(info));
    return info;
}

/* Pages of the process that are both writable and executable: system dlls may have some. */
static size_t writable_code(void)
{
    size_t bytes = 0;
    MEMORY_BASIC_INFORMATION info;

    for (const char *at = NULL; VirtualQuery(at, &info, sizeof(info));
         at = (const char *)info.BaseAddress + info.RegionSize)
        if (info.State == MEM_COMMIT && info.Protect & (PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY))
            bytes += info.RegionSize;
    return bytes;
}

/* A leaf function: stores its second argument where the first points, if that is not 0, and returns 7. */
static const void *place_store(struct jit_memory_pool *pool, size_t size)
{
    static uint8_t bytes[JIT_MEMORY_LARGEST];
    struct jit_buffer buffer = {
        .bytes = bytes, .capacity = sizeof(bytes), .set = JIT_AVX2, .is_32_bit = sizeof(void *) == 4};
    size_t jump;

    jit_compare_constant(&buffer, FIRST, 0);
    jump = jit_jump(&buffer, JIT_EQUAL);
    jit_store_pointer(&buffer, SECOND, (struct jit_memory){.base = FIRST, .index = JIT_NO_REGISTER});
    jit_land(&buffer, jump);
    jit_move_constant(&buffer, JIT_RAX, 7);
    bytes[buffer.length++] = 0xc3; /* ret: without vzeroupper, so that any processor can run it */
    CHECK(!buffer.full);
    return jit_memory_place(pool, bytes, size ? size : buffer.length, NULL);
}

static unsigned call_store(const void *code, uintptr_t *where, uintptr_t value)
{
    CONVENTION unsigned (*function)(uintptr_t *, uintptr_t);

    memcpy(&function, &code, sizeof(function));
    return function(where, value);
}

static void rights(void)
{
    const size_t before = writable_code();

    FOR_KINDS(kind)
    {
        struct jit_memory_pool *pool = jit_memory_create_of_kind(JIT_MEMORY_LIMIT, kind);
        const DWORD type = kind == JIT_TWO_VIEWS ? MEM_MAPPED : MEM_PRIVATE;
        const void *first, *second;
        uintptr_t value = 0;

        CHECK(pool);
        if (!pool)
            continue;
        CHECK_EQUAL(writable_code(), before);
        first = place_store(pool, 0);
        second = place_store(pool, JIT_MEMORY_LARGEST);
        CHECK_EQUAL(writable_code(), before);
        CHECK_EQUAL(query(first).Protect, PAGE_EXECUTE_READ);
        CHECK_EQUAL(query(second).Protect, PAGE_EXECUTE_READ);
        CHECK_EQUAL(query(first).Type, type);
        CHECK_EQUAL(call_store(first, &value, (uintptr_t)0x123456789abcdef0), 7);
        CHECK(value == (uintptr_t)0x123456789abcdef0);
        CHECK_EQUAL(call_store(second, NULL, 1), 7);
        jit_memory_release(pool, first);
        first = place_store(pool, 4000);
        CHECK_EQUAL(query(first).Protect, PAGE_EXECUTE_READ);
        CHECK_EQUAL(call_store(first, &value, 5), 7);
        CHECK_EQUAL(value, 5);
        CHECK_EQUAL(writable_code(), before);
        jit_memory_destroy(pool);
        CHECK(query(first).State == MEM_FREE || query(first).Protect != PAGE_EXECUTE_READ);
    }
}

/* The other one of the two views: executable memory is writable only through the pool. */
static void create(void)
{
    struct jit_memory_pool *pool = jit_memory_create(JIT_MEMORY_LIMIT);
    const void *code = pool ? place_store(pool, 0) : NULL;

    CHECK(code);
    if (code)
        CHECK_EQUAL(query(code).Type, MEM_MAPPED);
    jit_memory_destroy(pool);
}

/* --- stacks: those of 32-bit programs need no entries ------------------------------------------------ */

#ifdef __x86_64__

/* From any instruction of a function the stack walk reaches its caller, and it ends when the pool is released. */
static void unwinding(void)
{
    FOR_KINDS(kind)
    {
        struct jit_memory_pool *pool = jit_memory_create_of_kind(JIT_MEMORY_LIMIT, kind);
        const char *code = pool ? place_store(pool, 0) : NULL;

        CHECK(code);
        for (unsigned offset = 0; code && offset < 16; offset++) {
            uint64_t stack[4] = {0x1122334455667788, 0, 0, 0};
            CONTEXT context = {.Rip = (DWORD64)(code + offset), .Rsp = (DWORD64)stack};
            DWORD64 base = 0, frame = 0;
            void *data = NULL;
            RUNTIME_FUNCTION *entry = RtlLookupFunctionEntry(context.Rip, &base, NULL);

            CHECK(entry && context.Rip >= base + entry->BeginAddress && context.Rip < base + entry->EndAddress);
            if (!entry)
                continue;
            RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, context.Rip, entry, &context, &data, &frame, NULL);
            CHECK(context.Rip == stack[0]);
            CHECK(context.Rsp == (DWORD64)(stack + 1));
        }
        jit_memory_destroy(pool);
        if (code) {
            DWORD64 base;

            CHECK(!RtlLookupFunctionEntry((DWORD64)code, &base, NULL));
        }
    }
}

static CONTEXT fault;

static LONG CALLBACK skip_store(EXCEPTION_POINTERS *pointers)
{
    if (pointers->ExceptionRecord->ExceptionCode != EXCEPTION_ACCESS_VIOLATION)
        return EXCEPTION_CONTINUE_SEARCH;
    fault = *pointers->ContextRecord;
    pointers->ContextRecord->Rip += 3; /* the length of mov [rdi], rsi */
    return EXCEPTION_CONTINUE_EXECUTION;
}

/* A fault inside reaches handlers, and the stack of its context leads back to this program. */
static void faults(void)
{
    struct jit_memory_pool *pool = jit_memory_create(JIT_MEMORY_LIMIT);
    const char *code = pool ? place_store(pool, 0) : NULL;
    PVOID handler = AddVectoredExceptionHandler(1, skip_store);
    DWORD64 base = 0, frame;
    void *data;
    RUNTIME_FUNCTION *entry;

    CHECK(code);
    if (code) {
        CHECK_EQUAL(call_store(code, (uintptr_t *)16, 1), 7);
        CHECK(fault.Rip > (DWORD64)code && fault.Rip < (DWORD64)code + 32);
        entry = RtlLookupFunctionEntry(fault.Rip, &base, NULL);
        CHECK(entry);
        if (entry)
            RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, fault.Rip, entry, &fault, &data, &frame, NULL);
        RtlLookupFunctionEntry(fault.Rip, &base, NULL);
        CHECK(base == (DWORD64)GetModuleHandleA(NULL));
    }
    RemoveVectoredExceptionHandler(handler);
    jit_memory_destroy(pool);
}

#endif

static const struct test tests[] = {
    {"jit_rights", rights},
    {"jit_create", create},
#ifdef __x86_64__
    {"jit_unwinding", unwinding},
    {"jit_faults", faults},
#endif
};

int main(int argc, char **argv)
{
    return run_tests(tests, ARRAY_COUNT(tests), argc, argv);
}
