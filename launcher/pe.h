/* SPDX-License-Identifier: MIT */
/*
 * Facts about a Windows program: its width, and the graphics libraries that it uses. Files are untrusted: every read is
 * checked against the given bytes. "PE/COFF specification" is Microsoft's PE Format.
 */
#ifndef HALCYON_LAUNCHER_PE_H
#define HALCYON_LAUNCHER_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The libraries, X(NUMBER, name, what): name is the file's without ".dll". Direct3D 1 to 7 has no library of its own for most programs,
 * which ask DirectDraw for its interfaces: their identifiers in a file count as its name (pe.c). d3drm.dll, Retained Mode, asks for
 * them too. */
#define PE_LIBRARIES(X)                    \
    X(PE_D3D8, "d3d8", "Direct3D 8")       \
    X(PE_D3D9, "d3d9", "Direct3D 9")       \
    X(PE_DDRAW, "ddraw", "DirectDraw")     \
    X(PE_D3D7, "d3drm", "Direct3D 1 to 7") \
    X(PE_D3D10, "d3d10", "Direct3D 10")    \
    X(PE_D3D11, "d3d11", "Direct3D 11")    \
    X(PE_D3D12, "d3d12", "Direct3D 12")    \
    X(PE_OPENGL, "opengl32", "OpenGL")     \
    X(PE_VULKAN, "vulkan-1", "Vulkan")

#define PE_LIBRARY_NUMBER(NUMBER, name, what) NUMBER,
enum pe_library { PE_LIBRARIES(PE_LIBRARY_NUMBER) PE_LIBRARY_COUNT };

enum pe_kind {
    PE_OK,
    PE_NOT,     /* not a PE file */
    PE_DOS,     /* a program for DOS, or for 16-bit Windows */
    PE_FOREIGN, /* for a processor other than x86 */
};

struct pe_facts {
    enum pe_kind kind;
    unsigned bits; /* 32 or 64 */
    bool is_dll;
    bool is_dotnet;
    /* Sets of 1 << enum pe_library: in the import table or among delayed imports, and anywhere else in the file as text, which
     * LoadLibrary may be given, or as identifiers of interfaces. */
    unsigned imported, named;
};

/* Examines `size` bytes of a file. If kind is not PE_OK, the other members are 0. */
struct pe_facts pe_read(const uint8_t *data, size_t size);

/* The same with a file. False: it cannot be read, see errno. */
bool pe_read_file(const char *path, struct pe_facts *facts);

const char *pe_library_name(enum pe_library library); /* "d3d8" */
const char *pe_library_what(enum pe_library library); /* "Direct3D 8" */

#endif
