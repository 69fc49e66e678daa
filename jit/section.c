/* SPDX-License-Identifier: MIT */
/* Executable memory of Linux and Windows. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "jit/section.h"
#include "base/assert.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define UNIT 64   /* a cache line */
#define PAGE 4096 /* of x86-64 */
#define TRAP 0xcc /* int3 */
/* Offset in the head of what Windows reads */
#define UNWIND_INFO_OFFSET 16

size_t jit_section_unit(enum jit_section_kind kind)
{
    return kind == JIT_TWO_VIEWS ? UNIT : PAGE;
}

/* --- systems: views, page rights, and notification of new code ---------------------------------------- */

#if !defined(__x86_64__) && !defined(__i386__)

static bool map(struct jit_section *section)
{
    (void)section;
    return false;
}

static void unmap(struct jit_section *section)
{
    (void)section;
}

static bool set_rights(uint8_t *pages, size_t bytes, bool executable)
{
    (void)pages, (void)bytes, (void)executable;
    return false;
}

static void forget_old_code(void)
{
}

#elif defined(_WIN32)

#include <windows.h>

static void unmap(struct jit_section *section)
{
    if (section->kind == JIT_ONE_VIEW) {
        VirtualFree(section->write, 0, MEM_RELEASE);
        return;
    }
    if (section->write)
        UnmapViewOfFile(section->write);
    if (section->run)
        UnmapViewOfFile(section->run);
}

static bool map(struct jit_section *section)
{
    const DWORD bytes = (DWORD)section->bytes;
    HANDLE mapping;

    if (section->kind == JIT_ONE_VIEW) {
        section->write = VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
        section->run = section->write;
        return section->write;
    }
    mapping = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_EXECUTE_READWRITE, 0, bytes, NULL);
    if (!mapping)
        return false;
    section->write = MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, bytes);
    section->run = MapViewOfFile(mapping, FILE_MAP_READ | FILE_MAP_EXECUTE, 0, 0, bytes);
    CloseHandle(mapping); /* the views keep the memory */
    if (section->write && section->run)
        return true;
    unmap(section);
    return false;
}

static bool set_rights(uint8_t *pages, size_t bytes, bool executable)
{
    DWORD before;

    return VirtualProtect(pages, bytes, executable ? PAGE_EXECUTE_READ : PAGE_READWRITE, &before);
}

static void forget_old_code(void)
{
    FlushInstructionCache(GetCurrentProcess(), NULL, 0);
}

#else

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8 /* Linux 6.3: not a program to start, which some systems demand and older ones do not know */
#endif

static void unmap(struct jit_section *section)
{
    if (section->write)
        munmap(section->write, section->bytes);
    if (section->run && section->kind == JIT_TWO_VIEWS)
        munmap((void *)section->run, section->bytes);
}

/* NULL: the system refuses. file -1: memory of no file. */
static void *view(size_t bytes, int rights, int file)
{
    void *memory = mmap(NULL, bytes, rights, file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static bool map(struct jit_section *section)
{
    int file;

    if (section->kind == JIT_ONE_VIEW) {
        section->write = view(section->bytes, PROT_READ | PROT_WRITE, -1);
        section->run = section->write;
        return section->write;
    }
    file = memfd_create("halcyon-code", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (file < 0 && errno == EINVAL)
        file = memfd_create("halcyon-code", MFD_CLOEXEC);
    if (file < 0)
        return false;
    if (!ftruncate(file, (off_t)section->bytes)) {
        section->write = view(section->bytes, PROT_READ | PROT_WRITE, file);
        section->run = view(section->bytes, PROT_READ | PROT_EXEC, file);
    }
    close(file); /* the mappings keep the memory */
    if (section->write && section->run)
        return true;
    unmap(section);
    return false;
}

static bool set_rights(uint8_t *pages, size_t bytes, bool executable)
{
    return !mprotect(pages, bytes, PROT_READ | (executable ? PROT_EXEC : PROT_WRITE));
}

/*
 * Intel SDM vol. 3A, 8.1.3 (cross-modifying code): a thread executes a serializing instruction before it runs what
 * another has written. The kernel makes all threads do so; a process must register for that once. Without this call, a
 * system is no worse off than with code generators that never use it.
 */
static void forget_old_code(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) && errno == EPERM &&
        !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0))
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

#endif

/* --- stacks ------------------------------------------------------------------------------------------ */

#if defined(_WIN32) && defined(__x86_64__)

/*
 * Generated functions neither call nor move the stack pointer. Windows needs no entry for such functions, except to walk a
 * stack from a fault inside one: UNWIND_INFO of version 1 that undoes nothing, for the section as a whole. Source: "x64
 * exception handling", struct RUNTIME_FUNCTION and struct UNWIND_INFO.
 */
static void add_unwind(struct jit_section *section)
{
    static const uint8_t info[] = {1, 0, 0, 0};
    RUNTIME_FUNCTION *entry = mem_calloc(1, sizeof(*entry));

    memcpy(section->write + UNWIND_INFO_OFFSET, info, sizeof(info));
    if (!entry)
        return;
    entry->BeginAddress = JIT_SECTION_HEAD;
    entry->EndAddress = (DWORD)section->bytes;
    entry->UnwindData = UNWIND_INFO_OFFSET;
    if (RtlAddFunctionTable(entry, 1, (DWORD64)(uintptr_t)section->run))
        section->unwind = entry;
    else
        free(entry);
}

static void remove_unwind(struct jit_section *section)
{
    if (section->unwind)
        RtlDeleteFunctionTable(section->unwind);
    free(section->unwind);
}

#else

static void add_unwind(struct jit_section *section)
{
    (void)section;
}

static void remove_unwind(struct jit_section *section)
{
    (void)section;
}

#endif

/* --- sections --------------------------------------------------------------------------------------- */

bool jit_section_open(struct jit_section *section, size_t bytes, enum jit_section_kind kind)
{
    *section = (struct jit_section){.kind = kind, .bytes = bytes};
    if (!map(section))
        return false;
    add_unwind(section);
    /* The head is never written again: its page shows whether the system lets pages become executable. */
    if (kind == JIT_TWO_VIEWS || set_rights(section->write, PAGE, true))
        return true;
    jit_section_close(section);
    return false;
}

void jit_section_close(struct jit_section *section)
{
    remove_unwind(section);
    unmap(section);
    *section = (struct jit_section){.bytes = 0};
}

bool jit_section_write(struct jit_section *section, size_t offset, const void *bytes, size_t count, bool reused)
{
    const size_t unit = jit_section_unit(section->kind), whole = (count + unit - 1) / unit * unit;
    uint8_t *to = section->write + offset;

    BASE_ASSERT(offset % unit == 0 && offset + whole <= section->bytes);
    if (section->kind == JIT_ONE_VIEW && !set_rights(to, whole, false))
        return false;
    memcpy(to, bytes, count);
    memset(to + count, TRAP, whole - count);
    if (section->kind == JIT_ONE_VIEW && !set_rights(to, whole, true))
        return false;
    if (reused)
        forget_old_code();
    return true;
}

void jit_section_erase(struct jit_section *section, size_t offset, size_t count)
{
    if (section->kind == JIT_TWO_VIEWS)
        memset(section->write + offset, TRAP, count);
}
