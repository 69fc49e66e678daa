/* SPDX-License-Identifier: MIT */
/*
 * Structures of the container, shared by its writer and its reader (docs/capture-format.md).
 */
#ifndef HALCYON_DP2_CAPTURE_FORMAT_H
#define HALCYON_DP2_CAPTURE_FORMAT_H

#include <stdint.h>

#define CAPTURE_FILE_MAGIC   "HALCAPT\x1a"
#define CAPTURE_FOOTER_MAGIC "HALCEND\x1a"
#define CAPTURE_CHUNK_MAGIC  0x4b484348u /* "HCHK" */

enum { CAPTURE_CHUNK_INFO = 1, CAPTURE_CHUNK_EVENTS = 2, CAPTURE_CHUNK_INDEX = 3 };
enum { CAPTURE_CHUNK_ZLIB = 1 }; /* flags */

struct capture_file_header {
    uint8_t magic[8];
    uint16_t major, minor;
    uint32_t header_size; /* of this structure: where the first chunk starts */
    uint32_t flags;       /* 0 */
    uint32_t reserved[3];
};

struct capture_chunk_header {
    uint32_t magic;
    uint16_t type, flags;
    uint32_t stored_size; /* bytes in the file */
    uint32_t raw_size;    /* bytes unpacked */
    uint32_t crc;         /* of the stored bytes */
    uint32_t frame;       /* of its events */
    uint32_t header_crc;  /* of the bytes before this field */
    uint32_t reserved;
};

struct capture_event_header {
    uint16_t type, reserved;
    uint32_t size; /* of what follows; the next header comes after padding to 4 bytes */
};

struct capture_index_entry {
    uint64_t offset; /* of the frame's first chunk */
    uint32_t frame;
    uint32_t events;
};

struct capture_footer {
    uint64_t index_offset;
    uint32_t frame_count;
    uint32_t crc; /* of the bytes before this field */
    uint8_t magic[8];
};

_Static_assert(sizeof(struct capture_file_header) == 32, "file header");
_Static_assert(sizeof(struct capture_chunk_header) == 32, "chunk header");
_Static_assert(sizeof(struct capture_event_header) == 8, "event header");
_Static_assert(sizeof(struct capture_index_entry) == 16, "index entry");
_Static_assert(sizeof(struct capture_footer) == 24, "footer");

#endif
