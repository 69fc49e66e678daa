/* SPDX-License-Identifier: MIT */
/*
 * Vertex layouts, and reading vertices out of memory that is not trusted. Sources: shaders.md 5,
 * ddi.md 6 "Streams".
 */
#include "hal/stream.h"

#include "hal/front.h"

static const uint8_t element_bytes[] = {0, 4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8};
#define DX8_ELEMENT_TYPES 9

static bool add(struct hal_layout *layout, unsigned component, unsigned type, unsigned stream,
                uint32_t offset)
{
    const uint32_t end = offset + element_bytes[type];

    if (offset > UINT16_MAX) {
        return false;
    }
    layout->component[component].type = (uint8_t)type;
    layout->component[component].stream = (uint8_t)stream;
    layout->component[component].offset = (uint16_t)offset;
    layout->components |= 1u << component;
    layout->streams |= 1u << stream;
    layout->stream_bytes[stream] = BASE_MAX(layout->stream_bytes[stream], end);
    return true;
}

/* Adds a component behind the others of stream 0; returns the offset behind it. */
static uint32_t append(struct hal_layout *layout, unsigned component, unsigned type,
                       uint32_t offset)
{
    add(layout, component, type, 0, offset);
    return offset + element_bytes[type];
}

/* Weights and indices of XYZB1..XYZB5. */
static uint32_t append_blending(struct hal_layout *layout, uint32_t fvf, uint32_t offset)
{
    const uint32_t betas = ((fvf & D3DFVF_POSITION_MASK) - D3DFVF_XYZRHW) / 2;
    const bool index = (fvf & (D3DFVF_LASTBETA_UBYTE4 | 0x8000)) != 0 || betas == 5;
    const uint32_t weights = betas - index;

    if (weights > 0) {
        append(layout, HAL_BLEND_WEIGHT, HAL_ELEMENT_NONE + weights, offset);
    }
    if (index) {
        append(layout, HAL_BLEND_INDEX, HAL_ELEMENT_UBYTE4, offset + 4 * weights);
    }
    layout->weight_count = (uint8_t)weights;
    return offset + 4 * betas;
}

static uint32_t append_position(struct hal_layout *layout, uint32_t fvf)
{
    const uint32_t position = fvf & D3DFVF_POSITION_MASK;

    if (position == D3DFVF_XYZRHW) {
        layout->transformed = true;
        return append(layout, HAL_POSITION, HAL_ELEMENT_FLOAT4, 0);
    }
    if (fvf & 0x4000 /* XYZW, DirectX 9 */) {
        return append(layout, HAL_POSITION, HAL_ELEMENT_FLOAT4, 0);
    }
    const uint32_t offset = append(layout, HAL_POSITION, HAL_ELEMENT_FLOAT3, 0);

    return position == D3DFVF_XYZ ? offset : append_blending(layout, fvf, offset);
}

bool hal_layout_from_fvf(struct hal_layout *layout, uint32_t fvf, bool psize_is_pad)
{
    static const uint8_t texcoord_type[4] = {HAL_ELEMENT_FLOAT2, HAL_ELEMENT_FLOAT3,
                                             HAL_ELEMENT_FLOAT4, HAL_ELEMENT_FLOAT1};
    const unsigned sets = (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;

    memset(layout, 0, sizeof(*layout));
    layout->by_meaning = true;
    layout->fvf = fvf;
    if (!(fvf & D3DFVF_POSITION_MASK) || dp2_fvf_size(fvf) == 0) {
        return false;
    }
    uint32_t offset = append_position(layout, fvf);

    if (fvf & D3DFVF_NORMAL) {
        offset = append(layout, HAL_NORMAL, HAL_ELEMENT_FLOAT3, offset);
    }
    if (fvf & D3DFVF_PSIZE) {
        if (psize_is_pad) {
            offset += 4;
        } else {
            offset = append(layout, HAL_POINT_SIZE, HAL_ELEMENT_FLOAT1, offset);
        }
    }
    if (fvf & D3DFVF_DIFFUSE) {
        offset = append(layout, HAL_DIFFUSE, HAL_ELEMENT_COLOR, offset);
    }
    if (fvf & D3DFVF_SPECULAR) {
        offset = append(layout, HAL_SPECULAR, HAL_ELEMENT_COLOR, offset);
    }
    for (unsigned i = 0; i < sets; i++) {
        offset = append(layout, HAL_TEXCOORD0 + i, texcoord_type[fvf >> (16 + 2 * i) & 3], offset);
    }
    return true;
}

/* --- declarations ------------------------------------------------------------------- */

uint32_t hal_layout_fvf(const struct hal_layout *layout)
{
    static const uint8_t size_code[5] = {0, 3, 0, 1, 2}; /* D3DFVF_TEXTUREFORMATn */
    uint32_t fvf = layout->transformed ? D3DFVF_XYZRHW : D3DFVF_XYZ, sets = 0;

    fvf |= layout->component[HAL_NORMAL].type ? D3DFVF_NORMAL : 0;
    fvf |= layout->component[HAL_POINT_SIZE].type ? D3DFVF_PSIZE : 0;
    fvf |= layout->component[HAL_DIFFUSE].type ? D3DFVF_DIFFUSE : 0;
    fvf |= layout->component[HAL_SPECULAR].type ? D3DFVF_SPECULAR : 0;
    for (unsigned i = 0; i < 8; i++) {
        const unsigned type = layout->component[HAL_TEXCOORD0 + i].type;

        if (type) {
            sets = i + 1;
            fvf |= (uint32_t)size_code[type <= HAL_ELEMENT_FLOAT4 ? type : 0] << (16 + 2 * i);
        }
    }
    return fvf | sets << D3DFVF_TEXCOUNT_SHIFT;
}

struct declaration {
    const uint8_t *tokens;
    size_t count, at;
    unsigned stream;
    uint32_t offset; /* bytes, running in the current stream */
};

/* A component or a gap in the current stream. */
static bool stream_data(struct hal_layout *layout, struct declaration *d, uint32_t token)
{
    const uint32_t operand = token >> 16 & 15;

    if (token & 1u << 28) { /* SKIP */
        d->offset += 4 * operand;
        return true;
    }
    const uint32_t reg = token & 31;

    if (operand + 1 >= DX8_ELEMENT_TYPES || reg >= HAL_COMPONENT_COUNT ||
        layout->component[reg].type || !add(layout, reg, operand + 1, d->stream, d->offset)) {
        return false;
    }
    d->offset += element_bytes[operand + 1];
    return true;
}

/* A register that the tessellator fills: with u and v (bit 28), or with the normal of the surface
 * that another register describes. Register 0 cannot be one. */
static bool tessellator_data(struct hal_layout *layout, uint32_t token)
{
    const uint32_t to = token & 31, from = token >> 20 & 15;

    if (to == 0 || to >= HAL_COMPONENT_COUNT) {
        return false;
    }
    if (token & 1u << 28) {
        layout->uv_to = (uint8_t)to;
    } else {
        layout->normal_from = (uint8_t)from;
        layout->normal_to = (uint8_t)to;
    }
    return true;
}

/* One token; false: malformed. */
static bool declaration_token(struct hal_layout *layout, struct declaration *d, uint32_t token)
{
    switch (token >> 29) {
    case 0: /* NOP */
        return true;
    case 1: /* STREAM; bit 28: the tessellator's, whose registers no memory feeds */
        d->stream = token & 15;
        d->offset = 0;
        return true;
    case 2:
        return stream_data(layout, d, token);
    case 3: /* TESSELLATOR */
        return tessellator_data(layout, token);
    case 4: /* CONSTMEM: for the shader's code */
        d->at += 4 * (size_t)(token >> 25 & 15);
        return d->at <= d->count;
    case 5: /* EXT */
        d->at += token >> 24 & 31;
        return d->at <= d->count;
    default:
        return false;
    }
}

bool hal_layout_from_declaration(struct hal_layout *layout, const uint8_t *tokens, size_t bytes)
{
    struct declaration d = {.tokens = tokens, .count = bytes / 4};

    memset(layout, 0, sizeof(*layout));
    for (;;) {
        if (d.at >= d.count) {
            return false; /* no END */
        }
        const uint32_t token = dp2_read_u32(tokens + 4 * d.at++);

        if (token == 0xffffffff) {
            break;
        }
        if (!declaration_token(layout, &d, token)) {
            return false;
        }
    }
    const unsigned weights = layout->component[HAL_BLEND_WEIGHT].type;

    layout->weight_count =
        (uint8_t)(weights == HAL_ELEMENT_COLOR || weights > HAL_ELEMENT_FLOAT4 ? 4 : weights);
    layout->fvf = hal_layout_fvf(layout);
    return true;
}

/* --- declarations of DirectX 9 -------------------------------------------------------- */

enum { USAGE_POSITION_TRANSFORMED = 9, TYPE_UNUSED = 17, STREAM_END = 0xff };
enum { METHOD_CROSSUV = 3, METHOD_UV }; /* D3DDECLMETHOD */
#define MAX_ELEMENTS 64

/* What the fixed function takes from an element; -1: nothing. */
int hal_component_of(unsigned usage, unsigned index)
{
    static const int8_t first[] = {HAL_POSITION, HAL_BLEND_WEIGHT, HAL_BLEND_INDEX, HAL_NORMAL, HAL_POINT_SIZE};

    switch (usage) {
    case 0:
        return index == 0 ? HAL_POSITION : index == 1 ? HAL_POSITION2 : -1;
    case 3:
        return index == 0 ? HAL_NORMAL : index == 1 ? HAL_NORMAL2 : -1;
    case 1:
    case 2:
    case 4:
        return index == 0 ? first[usage] : -1;
    case 5:
        return index < 8 ? (int)(HAL_TEXCOORD0 + index) : -1;
    case USAGE_POSITION_TRANSFORMED:
        return index == 0 ? HAL_POSITION : -1;
    case 10:
        return index < 2 ? (int)(HAL_DIFFUSE + index) : -1;
    default:
        return -1;
    }
}

/* One D3DVERTEXELEMENT9: w stream, w offset, b type, b method, b usage, b usage index. */
static bool add_element(struct hal_layout *layout, const uint8_t *element)
{
    const unsigned stream = dp2_read_u16(element), offset = dp2_read_u16(element + 2);
    const unsigned type = element[4], method = element[5], usage = element[6], index = element[7];

    if (stream >= HAL_MAX_STREAMS || offset & 3 || (type >= TYPE_UNUSED && method != METHOD_UV) || method > 6 || usage > 13 || index > 15) {
        return false;
    }
    const int component = hal_component_of(usage, index);

    if (component > 0 && method == METHOD_CROSSUV) {
        layout->normal_from = HAL_POSITION;
        layout->normal_to = (uint8_t)component;
    } else if (component > 0 && method == METHOD_UV) {
        layout->uv_to = (uint8_t)component;
    }
    if (component < 0 || method != 0) {
        return true;
    }
    if (layout->component[component].type || !add(layout, (unsigned)component, type + 1, stream, offset)) {
        return false;
    }
    layout->transformed |= usage == USAGE_POSITION_TRANSFORMED;
    return true;
}

bool hal_layout_from_elements(struct hal_layout *layout, const uint8_t *elements, size_t count)
{
    memset(layout, 0, sizeof(*layout));
    layout->by_meaning = true;
    for (size_t i = 0; i < count && dp2_read_u16(elements + 8 * i) != STREAM_END; i++) {
        if (i == MAX_ELEMENTS || !add_element(layout, elements + 8 * i)) {
            return false;
        }
    }
    const unsigned weights = layout->component[HAL_BLEND_WEIGHT].type;

    layout->weight_count = (uint8_t)(weights > HAL_ELEMENT_FLOAT4 ? 4 : weights);
    layout->fvf = hal_layout_fvf(layout);
    return true;
}

/* --- binding ------------------------------------------------------------------------ */

/* Vertices [*first, *end) of one stream that can be read whole. */
static void readable_range(const struct hal_buffer *buffer, uint32_t bytes, int64_t *first,
                           int64_t *end)
{
    const int64_t stride = buffer->stride;
    const int64_t room = (int64_t)buffer->bytes - bytes; /* last start that fits */

    *first = *end = 0;
    if (stride == 0) {
        if (buffer->offset >= 0 && buffer->offset <= room) {
            *end = HAL_MAX_SOURCE_VERTICES;
        }
        return; /* dividers change nothing */
    }
    if (buffer->offset < 0) {
        *first = (-buffer->offset + stride - 1) / stride;
    }
    if (buffer->offset <= room) {
        *end = (room - buffer->offset) / stride + 1;
    }
    if (buffer->divider > 1) {
        *first *= buffer->divider;
        *end *= buffer->divider;
    }
}

/* What all streams can deliver. */
static bool bind_range(struct hal_source *source, const struct hal_layout *layout, const struct hal_buffer *buffers)
{
    int64_t first = 0, end = INT64_MAX;

    for (uint32_t left = layout->streams; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        int64_t stream_first, stream_end;

        if (buffers[i].data) {
            readable_range(&buffers[i], layout->stream_bytes[i], &stream_first, &stream_end);
            first = BASE_MAX(first, stream_first);
            end = BASE_MIN(end, stream_end);
        }
    }
    source->first = first;
    source->count = (uint32_t)BASE_MIN(end - first, (int64_t)HAL_MAX_SOURCE_VERTICES);
    return first < end && end != INT64_MAX;
}

static struct hal_source_element bind_element(const struct hal_buffer *buffer, unsigned type, uint32_t offset, int64_t first)
{
    static const uint8_t zeros[16];
    struct hal_source_element element = {.data = zeros, .type = (uint8_t)type};

    if (!buffer->data) {
        return element;
    }
    element.stride = buffer->stride;
    element.divider = 1;
    if (buffer->divider > 1) {
        element.divider = buffer->divider;
        element.bias = (uint32_t)(first % buffer->divider);
        first /= buffer->divider;
    }
    element.data = buffer->data + (size_t)(buffer->offset + first * buffer->stride + offset);
    return element;
}

bool hal_source_bind(struct hal_source *source, const struct hal_layout *layout,
                     const struct hal_buffer buffers[HAL_MAX_STREAMS])
{
    if (!bind_range(source, layout, buffers)) {
        return false;
    }
    source->components = layout->components;
    for (uint32_t left = layout->components; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);

        source->element[i] = bind_element(&buffers[layout->component[i].stream], layout->component[i].type,
                                          layout->component[i].offset, source->first);
    }
    return true;
}

void hal_stream_buffer(struct hal_context *context, unsigned stream, struct hal_buffer *buffer)
{
    const struct hal_stream *s = &context->stream[stream];
    const struct hal_execute *execute = context->execute;

    *buffer = (struct hal_buffer){.stride = s->stride, .offset = s->offset};
    if (context->stream[0].user_memory) {
        if (stream == 0 && execute) {
            buffer->data = execute->vertices;
            buffer->bytes = execute->vertex_bytes;
            buffer->offset = 0;
        }
        return;
    }
    const struct hal_surface *surface = hal_handles_get(context->handles, s->handle);

    if (s->handle && surface && surface->memory && surface->kind & HAL_SURFACE_BUFFER) {
        buffer->data = surface->memory;
        buffer->bytes = surface->bytes;
    }
}

const struct hal_layout *hal_stream_layout(struct hal_context *context)
{
    struct hal_front *front = context->front;
    const uint32_t shader = context->vertex_shader;

    if (shader & 1) {
        const struct hal_shader *s = hal_current_declaration(context);

        if (!s) {
            log_once(LOG_WARN, shader, "vertex shader %#x is unknown: draws with it are skipped", shader);
            return NULL;
        }
        return &s->layout;
    }
    if (shader != front->fvf_of_layout) {
        front->fvf_of_layout = shader;
        front->fvf_is_valid = hal_layout_from_fvf(&front->fvf_layout, shader, false);
        front->dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
    return front->fvf_is_valid ? &front->fvf_layout : NULL;
}

const struct shader_program *hal_stream_program(const struct hal_context *context, const struct hal_layout *layout)
{
    const struct hal_shader *shader = NULL;

    if (layout->transformed) {
        return NULL;
    }
    if (context->vertex_function && (context->is_declaration || !(context->vertex_shader & 1))) {
        shader = hal_map_get(&context->front->vertex_functions, context->vertex_function);
    } else if (context->vertex_shader & 1) {
        shader = hal_current_declaration(context);
    }
    return shader ? shader->program : NULL;
}

/* --- fetching ----------------------------------------------------------------------- */

static void fill(hal_lanes lanes, unsigned count, float value)
{
    for (unsigned i = 0; i < count; i++) {
        lanes[i] = value;
    }
}

/* Where a vertex of the span has the element. */
static inline const uint8_t *element_at(const struct hal_source_element *e, const struct hal_span *span, unsigned i)
{
    return e->data + (size_t)span->number[i] * e->stride;
}

typedef uint64_t two_halves __attribute__((vector_size(16)));

/* In two pieces, which need no detour over memory. */
static inline __attribute__((always_inline)) vec4f load_floats(const uint8_t *p, unsigned components)
{
    const size_t bytes = components * sizeof(float);
    uint64_t low = 0, high = 0;

    memcpy(&low, p, BASE_MIN(bytes, sizeof(low)));
    if (components > 2) {
        memcpy(&high, p + sizeof(low), bytes - sizeof(low));
    }
    return (vec4f)(two_halves){low, high};
}

static inline __attribute__((always_inline)) void fetch_floats(const struct hal_source_element *e,
                                                               const struct hal_span *span,
                                                               unsigned components,
                                                               hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i += VEC_LANES) {
        vec4f v[4];

        VEC_EACH(l) {
            v[l] = load_floats(element_at(e, span, i + l), components);
        }
        vec_transpose(v);
        _Pragma("GCC unroll 4") for (unsigned c = 0; c < components; c++) {
            vec_store(&out[c][i], v[c]);
        }
    }
}

static inline vec4f color_channel(vec4i colors, int shift)
{
    return __builtin_convertvector(colors >> shift & 255, vec4f) / 255.0f;
}

static void fetch_color(const struct hal_source_element *e, const struct hal_span *span,
                        hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i += VEC_LANES) {
        vec4i v;

        VEC_EACH(l) {
            v[l] = (int32_t)dp2_read_u32(element_at(e, span, i + l));
        }
        vec_store(&out[0][i], color_channel(v, 16));
        vec_store(&out[1][i], color_channel(v, 8));
        vec_store(&out[2][i], color_channel(v, 0));
        vec_store(&out[3][i], color_channel(v, 24));
    }
}

static inline __attribute__((always_inline)) void fetch_shorts(const struct hal_source_element *e,
                                                               const struct hal_span *span,
                                                               unsigned components, hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i++) {
        int16_t v[4];

        memcpy(v, element_at(e, span, i), components * sizeof(*v));
        for (unsigned c = 0; c < components; c++) {
            out[c][i] = v[c];
        }
    }
}

static void fetch_ubytes(const struct hal_source_element *e, const struct hal_span *span,
                         hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i++) {
        const uint8_t *v = element_at(e, span, i);

        for (unsigned c = 0; c < 4; c++) {
            out[c][i] = v[c];
        }
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
    if (exponent == 31) {
        bits = sign | 0x7f800000u | mantissa << 13;
    }
    memcpy(&v, &bits, sizeof(v));
    return v;
}

/* Component c of a packed element of DirectX 9. Source: shaders.md 6. */
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

static void fetch_packed(const struct hal_source_element *e, const struct hal_span *span,
                         unsigned components, hal_lanes out[4])
{
    for (unsigned i = 0; i < span->padded; i++) {
        const uint8_t *p = element_at(e, span, i);

        for (unsigned c = 0; c < components; c++) {
            out[c][i] = unpack(p, e->type, c);
        }
    }
}

/* One element serves `divider` vertices in a row. */
static unsigned fetch_divided(const struct hal_source *source, unsigned component,
                              const struct hal_span *span, hal_lanes out[4])
{
    const struct hal_source_element *e = &source->element[component];
    struct hal_source once = {.components = 1u << component};
    struct hal_span divided = *span;

    for (unsigned i = 0; i < span->padded; i++) {
        divided.number[i] = (span->number[i] + e->bias) / e->divider;
    }
    once.element[component] = *e;
    once.element[component].divider = 1;
    return hal_fetch(&once, component, &divided, out);
}

unsigned hal_element_components(unsigned type)
{
    static const uint8_t count_of[] = {0, 1, 2, 3, 4, 4, 4, 2, 4, 4, 2, 4, 2, 4, 3, 3, 2, 4};

    return count_of[type];
}

unsigned hal_fetch(const struct hal_source *source, unsigned component,
                   const struct hal_span *span, hal_lanes out[4])
{
    const bool absent = !(source->components >> component & 1);
    const struct hal_source_element *e = &source->element[absent ? 0 : component];
    const unsigned type = absent ? HAL_ELEMENT_NONE : e->type, count = hal_element_components(type);

    if (type && e->divider > 1) {
        return fetch_divided(source, component, span, out);
    }
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
    for (unsigned c = count; c < 4; c++) {
        fill(out[c], span->padded, c == 3 ? 1.0f : 0.0f);
    }
    return count;
}

bool hal_fetch_bytes(const struct hal_source *source, unsigned component,
                     const struct hal_span *span, uint32_t out[HAL_BATCH])
{
    const struct hal_source_element *e = &source->element[component];

    if (!(source->components >> component & 1)) {
        return false;
    }
    for (unsigned i = 0; i < span->padded; i++) {
        out[i] = dp2_read_u32(element_at(e, span, i));
    }
    return true;
}
