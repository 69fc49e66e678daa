/* SPDX-License-Identifier: MIT */
/* Resources of both versions by kind: created and locked in the same way, whatever their interfaces. */
#ifndef TESTS_RUNTIME_RESOURCES_H
#define TESTS_RUNTIME_RESOURCES_H

#include "tests/runtime/check.h"

#include <unknwn.h>

enum resource_kind {
    RESOURCE_VERTICES,
    RESOURCE_INDICES,
    RESOURCE_TEXTURE,
    RESOURCE_CUBE,
    RESOURCE_VOLUME,
    RESOURCE_PLAIN,  /* CreateOffscreenPlainSurface; in version 8 an image surface, which is in system memory */
    RESOURCE_TARGET, /* lockable */
    RESOURCE_BACK,   /* the device's back buffer; the rest of the description is ignored */
    RESOURCE_KINDS,
};

/* Values of D3DPOOL, D3DUSAGE and D3DFORMAT, which both versions share. */
struct resource_desc {
    enum resource_kind kind;
    DWORD format, usage, pool;
    UINT width, height, depth, levels; /* buffers: width bytes */
    unsigned face;                     /* of a cube, which is locked and drawn */
};

/* Level 0 while it is locked; a buffer counts as one row with pitch 0. */
struct resource_memory {
    uint8_t *bits;
    INT pitch, slice_pitch; /* bytes */
};

struct resource_api {
    HRESULT (*create)(void *device, const struct resource_desc *desc, IUnknown **object);
    /* The surface of level 0, with a reference; NULL if the resource has none. */
    IUnknown *(*surface)(const struct resource_desc *desc, IUnknown *object);
    HRESULT (*lock)(const struct resource_desc *desc, IUnknown *object, DWORD flags, struct resource_memory *memory);
    void (*unlock)(const struct resource_desc *desc, IUnknown *object);
    HRESULT (*update)(void *device, IUnknown *from, IUnknown *to); /* UpdateTexture */
};

extern const struct resource_api resources8, resources9;

#endif
