/* SPDX-License-Identifier: MIT */
/*
 * Reading vertices out of a source: components into lanes, for programs, or unchanged, for copies to vertices. Memory
 * is read as bytes, because it may have any alignment. If a batch of vertices reaches outside the memory, its elements
 * are first copied to a buffer, with zeros for missing bytes.
 */
#include "base/base.h"
#include "base/simd/simd4.h"
#include "dp2/dp2.h"
#include "hal/vertex/stream.h"

#include <string.h>

/* --- into lanes --------------------------------------------------------------------- */

static void fill(hal_lanes lanes, unsigned count, float value)
{
    for (unsigned i = 0; i < count; i++)
        lanes[i] = value;
}

/* The address of the element of a vertex of the span. */
static inline const uint8_t *element_at(const struct hal_source_element *e, const struct hal_span *span, unsigned i)
{
    return e->data + (size_t)span->number[i] * e->stride;
}

/* In two pieces, which stay in registers. */
static inline __attribute__((always_inline)) float4 load_floats(const uint8_t *p, unsigned components)
{
    const size_t bytes = components * sizeof(float);
    uint64_t low = 0, high = 0;

    memcpy(&low, p, BASE_MIN(bytes, sizeof(low)));
    if (components > 2)
        memcpy(&high, p + sizeof(low), bytes - sizeof(low));
    return (float4)int4_of_halves(low, high);
}

static inline __attribute__((always_inline)) void fetch_floats(const struct hal_source_element *e,
                                                               const struct hal_span *span, unsigned components,
                                                               hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i += SIMD4_LANES) {
        float4 v[4];

        SIMD4_EACH(l)
            v[l] = load_floats(element_at(e, span, i + l), components);
        float4_transpose(v);
        _Pragma("GCC unroll 4") for (unsigned c = 0; c < components; c++)
        {
            float4_store(&out[c][i], v[c]);
        }
    }
}

static inline float4 color_channel(int4 colors, int shift)
{
    return float4_from(colors >> shift & 255) / 255.0f;
}

static void fetch_color(const struct hal_source_element *e, const struct hal_span *span, hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i += SIMD4_LANES) {
        int4 v;

        SIMD4_EACH(l)
            v[l] = (int32_t)dp2_read_u32(element_at(e, span, i + l));
        float4_store(&out[0][i], color_channel(v, 16));
        float4_store(&out[1][i], color_channel(v, 8));
        float4_store(&out[2][i], color_channel(v, 0));
        float4_store(&out[3][i], color_channel(v, 24));
    }
}

static inline __attribute__((always_inline)) void fetch_shorts(const struct hal_source_element *e,
                                                               const struct hal_span *span, unsigned components,
                                                               hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i++) {
        int16_t v[4];

        memcpy(v, element_at(e, span, i), components * sizeof(*v));
        for (unsigned c = 0; c < components; c++)
            out[c][i] = v[c];
    }
}

static void fetch_ubytes(const struct hal_source_element *e, const struct hal_span *span, hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i++) {
        const uint8_t *v = element_at(e, span, i);

        for (unsigned c = 0; c < 4; c++)
            out[c][i] = v[c];
    }
}

/* 5 bits of exponent, 10 of mantissa. */
static float half_to_float(uint32_t h)
{
    const uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff;
    uint32_t bits = sign | (exponent + 112) << 23 | mantissa << 13;
    float v;

    if (exponent == 0) {
        v = (float)(int32_t)mantissa * (1.0f / 16777216.0f);
        return sign ? -v : v;
    }
    if (exponent == 31)
        bits = sign | 0x7f800000u | mantissa << 13;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* Component c of a packed element of DirectX 9. Source: docs/reference/vertex-processing.md, section 3. */
static float unpack(const uint8_t *p, unsigned type, unsigned c)
{
    const uint32_t word = dp2_read_u32(p);

    switch (type) {
    case HAL_ELEMENT_UBYTE4N:
        return (float)p[c] / 255.0f;
    case HAL_ELEMENT_SHORT2N:
    case HAL_ELEMENT_SHORT4N:
        return BASE_MAX((float)(int16_t)dp2_read_u16(p + 2 * c) / 32767.0f, -1.0f);
    case HAL_ELEMENT_USHORT2N:
    case HAL_ELEMENT_USHORT4N:
        return (float)dp2_read_u16(p + 2 * c) / 65535.0f;
    case HAL_ELEMENT_UDEC3:
        return (float)(int32_t)(word >> 10 * c & 0x3ff);
    case HAL_ELEMENT_DEC3N:
        return BASE_MAX((float)((int32_t)(word << (22 - 10 * c)) >> 22) / 511.0f, -1.0f);
    default:
        return half_to_float(dp2_read_u16(p + 2 * c));
    }
}

static void fetch_packed(const struct hal_source_element *e, const struct hal_span *span, unsigned components,
                         hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i++) {
        const uint8_t *p = element_at(e, span, i);

        for (unsigned c = 0; c < components; c++)
            out[c][i] = unpack(p, e->type, c);
    }
}

/* Most vertices follow one another: no division for these. */
static void split_numbers(const struct hal_span *span, uint32_t by, uint32_t *whole, uint32_t *rest)
{
    uint32_t w = 0, r = 0;

    for (unsigned i = 0; i < span->padded; i++) {
        if (i && span->number[i] == span->number[i - 1] + 1) {
            r++;
            w += r == by;
            r = r == by ? 0 : r;
        } else if (!i || span->number[i] != span->number[i - 1]) {
            w = span->number[i] / by;
            r = span->number[i] % by;
        }
        whole[i] = w;
        rest[i] = r;
    }
}

void hal_span_split(struct hal_span *span, uint32_t by)
{
    span->split = by;
    if (by)
        split_numbers(span, by, span->whole, span->rest);
}

/* The elements that a span's vertices read. */
static void number_elements(const struct hal_source_element *e, const struct hal_span *span,
                            uint32_t numbers[HAL_BATCH])
{
    const uint32_t by = e->period ? e->period : e->divider;
    const uint32_t *from = e->period ? span->rest : span->whole;
    uint32_t whole[HAL_BATCH], rest[HAL_BATCH];

    if (hal_element_is_plain(e)) {
        from = span->number;
    } else if (by != span->split) {
        split_numbers(span, by, whole, rest);
        from = e->period ? rest : whole;
    }
    memcpy(numbers, from, span->padded * sizeof(*numbers));
}

/* --- memory that ends ----------------------------------------------------------------- */

#define LARGEST_ELEMENT 16

/* Element `number` and the bytes after it up to the size of the largest element. Bytes outside of the memory are
 * zeros. */
static void read_checked(const struct hal_source_element *e, uint32_t number, uint8_t out[LARGEST_ELEMENT])
{
    const int64_t at = e->at + (int64_t)number * e->stride, end = (int64_t)e->bytes;
    const int64_t first = BASE_MAX(-at, (int64_t)0), last = BASE_MIN(end - at, (int64_t)LARGEST_ELEMENT);

    memset(out, 0, LARGEST_ELEMENT);
    if (first < last)
        memcpy(out + first, e->memory + at + first, (size_t)(last - first));
}

static bool is_direct(const struct hal_source_element *e, const struct hal_span *span)
{
    return hal_element_is_plain(e) && !span->checked;
}

/* Elements that are not at their vertices' numbers, or that may be outside the memory. */
struct gathered {
    struct hal_source source; /* whose first component they are */
    struct hal_span span;
    uint8_t memory[HAL_BATCH][LARGEST_ELEMENT];
};

static void gather(struct gathered *g, const struct hal_source_element *e, const struct hal_span *span)
{
    struct hal_source_element *element = &g->source.element[0];

    g->span.count = span->count;
    g->span.padded = span->padded;
    g->span.split = 0;
    g->span.checked = false;
    number_elements(e, span, g->span.number);
    g->source.components = 1;
    *element = *e;
    element->divider = 1;
    element->period = 0;
    if (!span->checked)
        return;
    for (unsigned i = 0; i < span->padded; i++) {
        read_checked(e, g->span.number[i], g->memory[i]);
        g->span.number[i] = i;
    }
    element->data = g->memory[0];
    element->stride = LARGEST_ELEMENT;
}

static __attribute__((noinline)) unsigned fetch_gathered(const struct hal_source_element *e,
                                                         const struct hal_span *span, hal_lanes out[4])
{
    struct gathered g;

    gather(&g, e, span);
    return hal_fetch(&g.source, 0, &g.span, out);
}

void hal_span_check(struct hal_span *span, const struct hal_source *source)
{
    uint32_t lowest = span->number[0], highest = lowest;

    for (unsigned i = 1; i < span->count; i++) {
        lowest = BASE_MIN(lowest, span->number[i]);
        highest = BASE_MAX(highest, span->number[i]);
    }
    span->checked = !hal_source_holds(source, lowest, highest);
}

/* --- any element ----------------------------------------------------------------------- */

unsigned hal_element_components(unsigned type)
{
    static const uint8_t count_of[] = {0, 1, 2, 3, 4, 4, 4, 2, 4, 4, 2, 4, 2, 4, 3, 3, 2, 4};

    _Static_assert(ARRAY_COUNT(count_of) == HAL_ELEMENT_COUNT, "a count for each type");
    return count_of[type];
}

unsigned hal_fetch(const struct hal_source *source, unsigned component, const struct hal_span *span, hal_lanes out[4])
{
    const bool absent = !hal_source_has(source, component);
    const struct hal_source_element *e = &source->element[absent ? 0 : component];
    const unsigned type = absent ? HAL_ELEMENT_NONE : e->type, count = hal_element_components(type);

    if (type && !is_direct(e, span))
        return fetch_gathered(e, span, out);
    switch (type) {
    case HAL_ELEMENT_FLOAT1:
        fetch_floats(e, span, 1, out);
        break;
    case HAL_ELEMENT_FLOAT2:
        fetch_floats(e, span, 2, out);
        break;
    case HAL_ELEMENT_FLOAT3:
        fetch_floats(e, span, 3, out);
        break;
    case HAL_ELEMENT_FLOAT4:
        fetch_floats(e, span, 4, out);
        break;
    case HAL_ELEMENT_COLOR:
        fetch_color(e, span, out);
        break;
    case HAL_ELEMENT_UBYTE4:
        fetch_ubytes(e, span, out);
        break;
    case HAL_ELEMENT_SHORT2:
        fetch_shorts(e, span, 2, out);
        break;
    case HAL_ELEMENT_SHORT4:
        fetch_shorts(e, span, 4, out);
        break;
    case HAL_ELEMENT_NONE:
        break;
    default:
        fetch_packed(e, span, count, out);
        break;
    }
    for (unsigned c = count; c < 4; c++)
        fill(out[c], span->padded, c == 3 ? 1.0f : 0.0f);
    return count;
}

bool hal_fetch_bytes(const struct hal_source *source, unsigned component, const struct hal_span *span,
                     uint32_t out[HAL_BATCH])
{
    const struct hal_source_element *e = &source->element[component];
    struct gathered g;

    if (!hal_source_has(source, component))
        return false;
    if (!is_direct(e, span)) {
        gather(&g, e, span);
        e = &g.source.element[0];
        span = &g.span;
    }
    for (unsigned i = 0; i < span->padded; i++)
        out[i] = dp2_read_u32(element_at(e, span, i));
    return true;
}

/* --- as they are -------------------------------------------------------------------- */

static inline float *vertex_at(float *to, size_t stride, unsigned i)
{
    return (float *)((char *)to + i * stride);
}

static inline __attribute__((always_inline)) void copy_floats(const struct hal_source_element *e,
                                                              const struct hal_span *span, unsigned components,
                                                              float *to, size_t stride)
{
    for (unsigned i = 0; i < span->padded; i++) {
        float4 v = load_floats(element_at(e, span, i), components);

        if (components < 4)
            v[3] = 1.0f;
        float4_store(vertex_at(to, stride, i), float4_canonical_nan(v));
    }
}

static void copy_color(const struct hal_source_element *e, const struct hal_span *span, float *to, size_t stride)
{
    for (unsigned i = 0; i < span->padded; i++) {
        const uint32_t c = dp2_read_u32(element_at(e, span, i));
        const int4 channels = {c >> 16 & 255, c >> 8 & 255, c & 255, c >> 24};

        float4_store(vertex_at(to, stride, i), float4_from(channels) / 255.0f);
    }
}

/* Any type, through lanes. */
static void copy_lanes(const struct hal_source *source, unsigned component, const struct hal_span *span, float *to,
                       size_t stride)
{
    hal_lanes lanes[4];

    hal_fetch(source, component, span, lanes);
    for (unsigned i = 0; i < span->padded; i++)
        float4_store(vertex_at(to, stride, i),
                     float4_canonical_nan((float4){lanes[0][i], lanes[1][i], lanes[2][i], lanes[3][i]}));
}

void hal_copy(const struct hal_source *source, unsigned component, const struct hal_span *span, float *to,
              size_t stride)
{
    const bool absent = !hal_source_has(source, component);
    const struct hal_source_element *e = &source->element[absent ? 0 : component];

    switch (absent || !is_direct(e, span) ? (unsigned)HAL_ELEMENT_NONE : e->type) {
    case HAL_ELEMENT_FLOAT1:
        copy_floats(e, span, 1, to, stride);
        break;
    case HAL_ELEMENT_FLOAT2:
        copy_floats(e, span, 2, to, stride);
        break;
    case HAL_ELEMENT_FLOAT3:
        copy_floats(e, span, 3, to, stride);
        break;
    case HAL_ELEMENT_FLOAT4:
        copy_floats(e, span, 4, to, stride);
        break;
    case HAL_ELEMENT_COLOR:
        copy_color(e, span, to, stride);
        break;
    default:
        copy_lanes(source, component, span, to, stride);
        break;
    }
}
