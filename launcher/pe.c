/* SPDX-License-Identifier: MIT */
/* Reads the relevant parts of Windows programs. Section numbers are those of the PE/COFF specification. */
#define _GNU_SOURCE /* memmem */
#include "launcher/pe.h"

#include "base/base.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SECTIONS 96   /* as many as Windows loads */
#define MAX_IMPORTS  4096 /* dlls that a table may list */
#define MAX_NAME     64   /* bytes of a dll's name; longer names do not matter */

struct library {
    const char *name, *what;
};

#define LIBRARY(NUMBER, name, what) {name, what},
static const struct library libraries[] = {PE_LIBRARIES(LIBRARY)};

struct image {
    const uint8_t *data;
    size_t size;
    size_t sections; /* offset of the section table */
    unsigned section_count;
    uint32_t header_size; /* bytes at the start of the file that are mapped unchanged */
    size_t optional;      /* offset of the optional header */
    uint32_t optional_size;
    bool wide;     /* PE32+ */
    uint64_t base; /* preferred address */
};

const char *pe_library_name(enum pe_library library)
{
    return libraries[library].name;
}

const char *pe_library_what(enum pe_library library)
{
    return libraries[library].what;
}

static bool has(const struct image *image, uint64_t offset, uint64_t bytes)
{
    return offset <= image->size && bytes <= image->size - offset;
}

/* Little-endian numbers; 0 beyond the end of the file. */
static uint32_t read_u16(const struct image *image, uint64_t offset)
{
    const uint8_t *p = image->data + offset;

    return has(image, offset, 2) ? (uint32_t)p[0] | (uint32_t)p[1] << 8 : 0;
}

static uint32_t read_u32(const struct image *image, uint64_t offset)
{
    return has(image, offset, 4) ? read_u16(image, offset) | read_u16(image, offset + 2) << 16 : 0;
}

/* The file offset of an address relative to the image's base; false: there is none. Section 4, "Section Table". */
static bool offset_of(const struct image *image, uint32_t rva, uint64_t *offset)
{
    for (unsigned i = 0; i < image->section_count; i++) {
        const uint64_t row = image->sections + 40 * (uint64_t)i;
        const uint32_t address = read_u32(image, row + 12), raw_size = read_u32(image, row + 16);

        if (rva >= address && rva - address < raw_size) {
            *offset = (uint64_t)read_u32(image, row + 20) + (rva - address);
            return *offset < image->size;
        }
    }
    *offset = rva;
    return rva < image->header_size && rva < image->size;
}

/* The library with this name of `length` bytes, with or without ".dll"; PE_LIBRARY_COUNT: none. d3d10_1 is d3d10. */
static enum pe_library library_of(const char *name, size_t length)
{
    if (length > 4 && !strncasecmp(name + length - 4, ".dll", 4))
        length -= 4;
    if (length == 7 && !strncasecmp(name, "d3d10_1", 7))
        return PE_D3D10;
    for (unsigned i = 0; i < PE_LIBRARY_COUNT; i++)
        if (strlen(libraries[i].name) == length && !strncasecmp(name, libraries[i].name, length))
            return (enum pe_library)i;
    return PE_LIBRARY_COUNT;
}

static unsigned set_of(enum pe_library library)
{
    return library < PE_LIBRARY_COUNT ? 1u << library : 0;
}

static unsigned imported_name(const struct image *image, uint32_t rva)
{
    uint64_t offset;
    size_t length = 0, most;

    if (!offset_of(image, rva, &offset))
        return 0;
    most = BASE_MIN(image->size - offset, MAX_NAME);
    while (length < most && image->data[offset + length])
        length++;
    return length < most ? set_of(library_of((const char *)image->data + offset, length)) : 0;
}

/* Address and size of an entry of the data directory, section 3.4.3; 0: the image has no such entry. */
static uint32_t directory(const struct image *image, unsigned index)
{
    const uint32_t counts = image->wide ? 108 : 92; /* offset of the number of entries in the optional header */
    const uint32_t place = counts + 4 + 8 * index;

    if (index >= read_u32(image, image->optional + counts) || place + 8 > image->optional_size)
        return 0;
    return read_u32(image, image->optional + place);
}

/* The tables of imported libraries, a row for each: sections 6.4.1 and 5.8. */
static const struct import_table {
    unsigned entry;     /* of the data directory */
    uint32_t row_bytes; /* a row whose name is 0 ends the table */
    uint32_t name;      /* offset in a row of the name's address */
    bool is_delayed;    /* the name's address is absolute where bit 0 of a row's attributes, at 0, is not set */
} import_tables[] = {{1, 20, 12, false}, {13, 32, 4, true}};

static unsigned read_imports(const struct image *image, const struct import_table *table)
{
    const uint32_t rva = directory(image, table->entry);
    unsigned set = 0;
    uint64_t row;

    if (!rva || !offset_of(image, rva, &row))
        return 0;
    for (unsigned i = 0; i < MAX_IMPORTS && has(image, row, table->row_bytes); i++, row += table->row_bytes) {
        const uint32_t name = read_u32(image, row + table->name);
        const bool is_absolute = table->is_delayed && !(read_u32(image, row) & 1);
        if (!name)
            break;
        set |= imported_name(image, is_absolute ? (uint32_t)(name - image->base) : name);
    }
    return set;
}

/* A byte that may be part of a file name, so that a name does not begin or end next to it. */
static bool is_name_byte(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '-' || c == '.';
}

/* Compares `name` and ".dll" without regard to case with characters that are `step` bytes apart, and zeros between them. */
static bool text_is(const uint8_t *data, size_t left, const char *name, unsigned step)
{
    static const char ending[] = ".dll";
    const size_t length = strlen(name), all = length + sizeof(ending) - 1;

    if (all * step > left)
        return false;
    for (size_t i = 0; i < all; i++) {
        const char c = i < length ? name[i] : ending[i - length];
        if (tolower(data[i * step]) != c || (step == 2 && data[i * step + 1]))
            return false;
    }
    return all * step == left || !is_name_byte(data[all * step]);
}

/* Names in the text of a file, as bytes or as UTF-16. */
static unsigned read_names(const uint8_t *data, size_t size)
{
    unsigned set = 0;

    for (size_t at = 0; at + 8 <= size; at++) {
        const int first = tolower(data[at]);

        if ((first != 'd' && first != 'o' && first != 'v') || (at && is_name_byte(data[at - 1])) ||
            (at > 1 && !data[at - 1] && is_name_byte(data[at - 2]) && !data[at + 1]))
            continue;
        for (unsigned i = 0; i < PE_LIBRARY_COUNT; i++)
            if (text_is(data + at, size - at, libraries[i].name, 1) ||
                text_is(data + at, size - at, libraries[i].name, 2))
                set |= 1u << i;
    }
    return set;
}

/* The identifiers of IDirect3D, IDirect3D2, IDirect3D3 and IDirect3D7 (d3d.h), as they are in memory. DirectDraw objects answer them. */
static bool has_direct3d_interface(const uint8_t *data, size_t size)
{
    static const uint8_t identifiers[][16] = {
        {0x80, 0x00, 0xba, 0x3b, 0x21, 0x24, 0xcf, 0x11, 0xa3, 0x1a, 0x00, 0xaa, 0x00, 0xb9, 0x33, 0x56},
        {0xc1, 0x1e, 0xae, 0x6a, 0x2a, 0x66, 0xd0, 0x11, 0x88, 0x9d, 0x00, 0xaa, 0x00, 0xbb, 0xb7, 0x6a},
        {0x40, 0x32, 0x22, 0xbb, 0x2b, 0xe7, 0xd0, 0x11, 0xa9, 0xb4, 0x00, 0xaa, 0x00, 0xc0, 0x99, 0x3e},
        {0x77, 0x9e, 0x04, 0xf5, 0x61, 0x48, 0xd2, 0x11, 0xa4, 0x07, 0x00, 0xa0, 0xc9, 0x06, 0x29, 0xa8},
    };

    for (unsigned i = 0; i < ARRAY_COUNT(identifiers); i++)
        if (memmem(data, size, identifiers[i], sizeof(identifiers[i])))
            return true;
    return false;
}

/* Sections 3.1 to 3.4: the headers. */
static enum pe_kind read_headers(struct image *image, struct pe_facts *facts)
{
    const uint64_t pe = read_u32(image, 0x3c);
    uint32_t machine, magic;

    if (!has(image, 0, 64) || memcmp(image->data, "MZ", 2) != 0)
        return PE_NOT;
    if (!has(image, pe, 24) || memcmp(image->data + pe, "PE\0\0", 4) != 0)
        return PE_DOS;
    machine = read_u16(image, pe + 4);
    if (machine != 0x14c && machine != 0x8664)
        return PE_FOREIGN;
    image->optional = pe + 24;
    image->optional_size = read_u16(image, pe + 20);
    magic = read_u16(image, image->optional);
    if (magic != (machine == 0x8664 ? 0x20b : 0x10b) || !has(image, image->optional, image->optional_size))
        return PE_NOT;
    image->wide = magic == 0x20b;
    image->base = image->wide
                      ? (uint64_t)read_u32(image, image->optional + 28) << 32 | read_u32(image, image->optional + 24)
                      : read_u32(image, image->optional + 28);
    image->header_size = read_u32(image, image->optional + 60);
    image->sections = image->optional + image->optional_size;
    image->section_count = BASE_MIN(read_u16(image, pe + 6), MAX_SECTIONS);
    facts->bits = image->wide ? 64 : 32;
    facts->is_dll = read_u16(image, pe + 22) & 0x2000;
    return PE_OK;
}

struct pe_facts pe_read(const uint8_t *data, size_t size)
{
    struct image image = {.data = data, .size = size};
    struct pe_facts facts = {0};

    facts.kind = read_headers(&image, &facts);
    if (facts.kind != PE_OK)
        return facts;
    facts.is_dotnet = directory(&image, 14) != 0;
    for (unsigned i = 0; i < ARRAY_COUNT(import_tables); i++)
        facts.imported |= read_imports(&image, &import_tables[i]);
    facts.named = read_names(data, size);
    if (has_direct3d_interface(data, size))
        facts.named |= 1u << PE_D3D7;
    facts.named &= ~facts.imported;
    return facts;
}

bool pe_read_file(const char *path, struct pe_facts *facts)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not wait for a pipe */
    struct stat status;
    void *data;
    int error;

    *facts = (struct pe_facts){.kind = PE_NOT};
    if (file < 0)
        return false;
    if (fstat(file, &status) || !S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        close(file);
        return false;
    }
    if (!status.st_size) {
        close(file);
        return true;
    }
    data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    error = errno;
    close(file);
    errno = error;
    if (data == MAP_FAILED)
        return false;
    *facts = pe_read(data, (size_t)status.st_size);
    munmap(data, (size_t)status.st_size);
    return true;
}
