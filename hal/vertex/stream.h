/* SPDX-License-Identifier: MIT */
/*
 * The source of vertices. A layout says where each component lies in which stream (from a
 * flexible vertex format or a DirectX 8 declaration); a source is a layout over the memory bound
 * right now, and knows which vertices lie inside it (stream.c). fetch.c reads them.
 */
#ifndef HALCYON_HAL_VERTEX_STREAM_H
#define HALCYON_HAL_VERTEX_STREAM_H

#include "base/assert.h"
#include "hal/state/values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_front;
struct hal_resources;
struct hal_shaders;
struct hal_state;
struct shader_program;

/* Components by their register numbers in declarations (D3DVSDE_*). */
enum hal_component {
    HAL_POSITION,
    HAL_BLEND_WEIGHT,
    HAL_BLEND_INDEX,
    HAL_NORMAL,
    HAL_POINT_SIZE,
    HAL_DIFFUSE,
    HAL_SPECULAR,
    HAL_TEXCOORD0,
    HAL_POSITION2 = HAL_TEXCOORD0 + 8,
    HAL_NORMAL2,
    HAL_COMPONENT_COUNT, /* as a number: no component */
    /* Elements of DirectX 9 that are not components of the fixed function; programs find them by usage and index. Their
     * index in hal_layout.named follows from the number. */
    HAL_FIRST_NAMED,
    HAL_MAX_NAMED = 64, /* elements of a declaration */
    HAL_SOURCE_ELEMENTS = HAL_FIRST_NAMED + HAL_MAX_NAMED,
};

enum hal_element_type { /* D3DVSDT_* + 1, D3DDECLTYPE + 1 */
                        HAL_ELEMENT_NONE,
                        HAL_ELEMENT_FLOAT1,
                        HAL_ELEMENT_FLOAT2,
                        HAL_ELEMENT_FLOAT3,
                        HAL_ELEMENT_FLOAT4,
                        HAL_ELEMENT_COLOR, /* D3DCOLOR: r, g, b, a */
                        HAL_ELEMENT_UBYTE4,
                        HAL_ELEMENT_SHORT2,
                        HAL_ELEMENT_SHORT4,
                        /* DirectX 9 */
                        HAL_ELEMENT_UBYTE4N,
                        HAL_ELEMENT_SHORT2N,
                        HAL_ELEMENT_SHORT4N,
                        HAL_ELEMENT_USHORT2N,
                        HAL_ELEMENT_USHORT4N,
                        HAL_ELEMENT_UDEC3,
                        HAL_ELEMENT_DEC3N,
                        HAL_ELEMENT_FLOAT16_2,
                        HAL_ELEMENT_FLOAT16_4,
                        HAL_ELEMENT_COUNT,
};

struct hal_layout {
    struct {
        uint8_t type; /* enum hal_element_type */
        uint8_t stream;
        uint16_t offset; /* bytes from the start of the vertex in its stream */
    } component[HAL_COMPONENT_COUNT];
    uint32_t components;  /* bit c: component c is there */
    bool transformed;     /* position is x, y in pixels, z, rhw */
    bool has_fog;         /* the named element FOG 0 is the factor of vertex fog */
    bool by_meaning;      /* programs find inputs by usage, not by register number */
    uint8_t weight_count; /* blend weights in the vertex */
    /* The tessellator computes normals from one component into another, and texture coordinates (hal/vertex/patch/eval.c); 0: none. */
    uint8_t normal_from, normal_to, uv_to;
    uint32_t streams;                       /* bit i: stream i is read */
    uint32_t stream_bytes[HAL_MAX_STREAMS]; /* bytes read of one vertex */
    uint32_t fvf;                           /* a format with the same components, for the pixel pipeline */
    uint8_t named_count;
    struct hal_named_element {
        uint8_t usage, index; /* D3DDECLUSAGE, POSITION for POSITIONT */
        uint8_t type, stream;
        uint16_t offset;
    } named[HAL_MAX_NAMED]; /* element HAL_FIRST_NAMED + i. Stays last: hal_layout_bytes */
};

/* Bytes of the layout up to its last named element: all that copies and comparisons need. */
static inline size_t hal_layout_bytes(const struct hal_layout *layout)
{
    return offsetof(struct hal_layout, named) + layout->named_count * sizeof(layout->named[0]);
}

/* False: not a possible format. psize_is_pad: bit 0x20 is a reserved DWORD (DirectX 6 and 7). */
bool hal_layout_from_fvf(struct hal_layout *layout, uint32_t fvf, bool psize_is_pad);
/* D3DVSD_* tokens up to D3DVSD_END; false: malformed, or a stream or register out of range. */
bool hal_layout_from_declaration(struct hal_layout *layout, const uint8_t *tokens, size_t bytes);

/* D3DVERTEXELEMENT9 array, with or without its end mark; false: malformed, or out of range. Of elements with one meaning
 * the last counts. */
bool hal_layout_from_elements(struct hal_layout *layout, const uint8_t *elements, size_t count);

/* The component or named element (enum hal_component) of a D3DDECLUSAGE with its index; HAL_COMPONENT_COUNT: none. A
 * component that is returned may still be absent; hal_fetch then reads the defaults. */
unsigned hal_layout_find(const struct hal_layout *layout, unsigned usage, unsigned index);

/* A vertex format with the components of the layout. */
uint32_t hal_layout_fvf(const struct hal_layout *layout);

/* Memory of one stream. Vertex i starts at data + offset + i * stride. Data outside these bytes read as zeros. */
struct hal_stream_memory {
    const uint8_t *data; /* NULL: nothing bound, zeros are read */
    size_t bytes;
    int64_t offset; /* bytes; may be negative */
    uint32_t stride;
    uint32_t divider; /* vertex i reads element i / divider; 0 and 1: i */
    uint32_t period;  /* vertex i reads element i % period, all of which must be there; 0: i. Without a divider */
};

/*
 * Vertices are numbered as in their streams. Bytes outside a stream's memory read as zeros, as if each buffer were
 * surrounded by endless zeros. Vertices that are completely inside are read directly; for all others each read is
 * checked (hal_span.checked).
 */
struct hal_source {
    /* Count of vertex numbers: the last number represents all vertices that lie beyond the memory of every stream. */
    uint32_t count;
    uint32_t whole_first, whole_end; /* vertices that are completely inside */
    uint32_t components;             /* bit c: component c is there; of the others element[] says nothing */
    uint32_t named;                  /* number of named elements */
    uint32_t period;                 /* of the buffers that have one, 0: none */
    struct hal_source_element {
        const uint8_t *data; /* of vertex 0, if it is whole */
        uint32_t stride;
        uint32_t divider; /* > 1: element i / divider */
        uint32_t period;  /* not 0: element i % period */
        uint8_t type;
        const uint8_t *memory; /* of the stream */
        size_t bytes;
        int64_t at; /* of vertex 0, in bytes from memory on */
    } element[HAL_SOURCE_ELEMENTS];
};

/* Does the source have this component or named element? */
static inline bool hal_source_has(const struct hal_source *source, unsigned component)
{
    return component < HAL_COMPONENT_COUNT ? source->components >> component & 1
                                           : component - HAL_FIRST_NAMED < source->named;
}

/* The number of a vertex, which may be any integer. Vertices before the first read like those after the last (see
 * draw.h). */
static inline uint32_t hal_source_number(const struct hal_source *source, int64_t vertex)
{
    return (uint64_t)vertex < source->count ? (uint32_t)vertex : source->count - 1;
}

/* Are the vertices with these numbers completely inside the streams? */
static inline bool hal_source_holds(const struct hal_source *source, uint32_t lowest, uint32_t highest)
{
    return lowest >= source->whole_first && highest < source->whole_end;
}

/* Does vertex i read element i? */
static inline bool hal_element_is_plain(const struct hal_source_element *element)
{
    return element->divider <= 1 && !element->period;
}

/* Vertices from this number on are not reachable; keeps arithmetic in 32 bits. */
#define HAL_MAX_SOURCE_VERTICES 0x40000000u

/* Accesses only buffers that the layout reads. */
void hal_source_bind(struct hal_source *source, const struct hal_layout *layout,
                     const struct hal_stream_memory buffers[HAL_MAX_STREAMS]);

/* The first vertex that begins beyond the memory of every stream whose stride is not 0; UINT64_MAX: no stream that is
 * read has a stride, so that all numbers read the same data. */
uint64_t hal_layout_reach(const struct hal_layout *layout, const struct hal_stream_memory buffers[HAL_MAX_STREAMS]);

/* The memory of a vertex buffer named by a stream, of the call's vertices (stream 0 as user
 * memory), or nothing. */
void hal_stream_find_memory(const struct hal_state *state, const struct hal_resources *resources, unsigned stream,
                            struct hal_stream_memory *buffer);
/* The layout for the current vertex shader; NULL: none. */
const struct hal_layout *hal_stream_layout(struct hal_front *front, const struct hal_state *state,
                                           const struct hal_shaders *shaders);
/* The vertex program for this layout; NULL: fixed function. */
const struct shader_program *hal_stream_program(struct hal_front *front, const struct hal_state *state,
                                                const struct hal_shaders *shaders, const struct hal_layout *layout);

/* Up to 64 vertices at once, each component in separate lanes. */
#define HAL_BATCH 64

typedef float hal_lanes[HAL_BATCH];

struct hal_span {
    unsigned count;             /* vertices wanted, 1..HAL_BATCH */
    unsigned padded;            /* count rounded up to 4; the last vertex is repeated */
    bool checked;               /* not all vertices are completely inside the streams: each read is checked */
    uint32_t number[HAL_BATCH]; /* in the source */
    /* number / split and number % split, if split is not 0: for elements of that period or divider */
    uint32_t split, whole[HAL_BATCH], rest[HAL_BATCH];
};

/* Fills in `whole` and `rest` for the numbers; nothing if `by` is 0. */
void hal_span_split(struct hal_span *span, uint32_t by);

/* Sets `checked`: must reads of these numbers be checked? */
void hal_span_check(struct hal_span *span, const struct hal_source *source);

/* Asserts the conditions that readers of a span rely on. */
static inline void hal_span_assert(const struct hal_span *span, const struct hal_source *source)
{
    BASE_ASSERT(span->count >= 1 && span->count <= HAL_BATCH);
    BASE_ASSERT(span->padded == ((span->count + 3) & ~3u));
    for (unsigned i = 0; i < span->padded; i++)
        BASE_ASSERT(span->checked || hal_source_holds(source, span->number[i], span->number[i]));
    (void)span;
    (void)source;
}

/* How many components an element type (enum hal_element_type) has. */
unsigned hal_element_components(unsigned type);
/* Reads one component or named element (HAL_COMPONENT_COUNT: an absent one) into out[0..3]; components that the type
 * lacks become 0, 0, 0, 1. Returns how many the type has; 0 (and the defaults) if it is absent. */
unsigned hal_fetch(const struct hal_source *source, unsigned component, const struct hal_span *span, hal_lanes out[4]);
/* Reads one component as hal_fetch does into the four floats of each of the span's vertices, padded ones too: the first
 * vertex's are at `to`, the next one's `stride` bytes after them. */
void hal_copy(const struct hal_source *source, unsigned component, const struct hal_span *span, float *to,
              size_t stride);
/* Reads four bytes without conversion: blend indices. False if absent. */
bool hal_fetch_bytes(const struct hal_source *source, unsigned component, const struct hal_span *span,
                     uint32_t out[HAL_BATCH]);

#endif
