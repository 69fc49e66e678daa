/* SPDX-License-Identifier: MIT */
/*
 * Vertex layouts, from vertex formats and declarations. Sources: docs/reference/vertex-processing.md, sections 1 to 3;
 * docs/reference/device-state.md, section 1.
 */
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/usages.h"
#include "dp2/dp2.h"
#include "hal/dp2_fields.h"
#include "hal/state/values.h"
#include "hal/vertex/stream.h"

#include <string.h>

static const uint8_t element_bytes[] = {0, 4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8};
_Static_assert(ARRAY_COUNT(element_bytes) == HAL_ELEMENT_COUNT, "a size for each type");
#define DX8_ELEMENT_TYPES 9

/* Sets the bytes that are read of each vertex. */
static void read_stream(struct hal_layout *layout, unsigned stream, uint32_t bytes)
{
    layout->streams |= 1u << stream;
    layout->stream_bytes[stream] = BASE_MAX(layout->stream_bytes[stream], bytes);
}

static bool add(struct hal_layout *layout, unsigned component, unsigned type, unsigned stream, uint32_t offset)
{
    if (offset > UINT16_MAX)
        return false;
    layout->component[component].type = (uint8_t)type;
    layout->component[component].stream = (uint8_t)stream;
    layout->component[component].offset = (uint16_t)offset;
    layout->components |= 1u << component;
    read_stream(layout, stream, offset + element_bytes[type]);
    return true;
}

/* Adds a component after the others of stream 0; returns the offset after it. */
static uint32_t append(struct hal_layout *layout, unsigned component, unsigned type, uint32_t offset)
{
    add(layout, component, type, 0, offset);
    return offset + element_bytes[type];
}

static struct hal_named_element *find_named(const struct hal_layout *layout, unsigned usage, unsigned index)
{
    for (unsigned i = 0; i < layout->named_count; i++)
        if (layout->named[i].usage == usage && layout->named[i].index == index)
            return (struct hal_named_element *)&layout->named[i];
    return NULL;
}

static void add_named(struct hal_layout *layout, const struct hal_named_element *element)
{
    struct hal_named_element *named = find_named(layout, element->usage, element->index);

    if (!named)
        named = &layout->named[layout->named_count++];
    *named = *element;
    read_stream(layout, element->stream, (uint32_t)element->offset + element_bytes[element->type]);
}

/* The fog factor of DirectX 9's driver interface, which is not a component of declarations. */
static uint32_t append_fog(struct hal_layout *layout, uint32_t offset)
{
    layout->has_fog = true;
    add_named(layout, &(struct hal_named_element){D3D_USAGE_FOG, 0, HAL_ELEMENT_FLOAT1, 0, (uint16_t)offset});
    return offset + element_bytes[HAL_ELEMENT_FLOAT1];
}

/* Weights and indices of XYZB1..XYZB5. */
static uint32_t append_blending(struct hal_layout *layout, uint32_t fvf, uint32_t offset)
{
    const uint32_t betas = ((fvf & D3DFVF_POSITION_MASK) - D3DFVF_XYZRHW) / 2;
    const bool index = (fvf & (D3DFVF_LASTBETA_UBYTE4 | 0x8000)) != 0 || betas == 5;
    const uint32_t weights = betas - index;

    if (weights > 0)
        append(layout, HAL_BLEND_WEIGHT, HAL_ELEMENT_NONE + weights, offset);
    if (index)
        append(layout, HAL_BLEND_INDEX, HAL_ELEMENT_UBYTE4, offset + 4 * weights);
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
    if (fvf & 0x4000 /* XYZW, DirectX 9 */)
        return append(layout, HAL_POSITION, HAL_ELEMENT_FLOAT4, 0);
    const uint32_t offset = append(layout, HAL_POSITION, HAL_ELEMENT_FLOAT3, 0);

    return position == D3DFVF_XYZ ? offset : append_blending(layout, fvf, offset);
}

bool hal_layout_from_fvf(struct hal_layout *layout, uint32_t fvf, bool psize_is_pad)
{
    static const uint8_t texcoord_type[4] = {HAL_ELEMENT_FLOAT2, HAL_ELEMENT_FLOAT3, HAL_ELEMENT_FLOAT4,
                                             HAL_ELEMENT_FLOAT1};
    const unsigned sets = (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;

    memset(layout, 0, sizeof(*layout));
    layout->by_meaning = true;
    layout->fvf = fvf;
    if (!(fvf & D3DFVF_POSITION_MASK) || dp2_fvf_size(fvf) == 0)
        return false;
    uint32_t offset = append_position(layout, fvf);

    if (fvf & D3DFVF_NORMAL)
        offset = append(layout, HAL_NORMAL, HAL_ELEMENT_FLOAT3, offset);
    if (fvf & D3DFVF_PSIZE) {
        if (psize_is_pad)
            offset += 4;
        else
            offset = append(layout, HAL_POINT_SIZE, HAL_ELEMENT_FLOAT1, offset);
    }
    if (fvf & D3DFVF_DIFFUSE)
        offset = append(layout, HAL_DIFFUSE, HAL_ELEMENT_COLOR, offset);
    if (fvf & D3DFVF_SPECULAR)
        offset = append(layout, HAL_SPECULAR, HAL_ELEMENT_COLOR, offset);
    if (fvf & D3DFVF_FOG)
        offset = append_fog(layout, offset);
    for (unsigned i = 0; i < sets; i++)
        offset = append(layout, HAL_TEXCOORD0 + i, texcoord_type[fvf >> (16 + 2 * i) & 3], offset);
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

    if (operand + 1 >= DX8_ELEMENT_TYPES || reg >= HAL_COMPONENT_COUNT || layout->component[reg].type ||
        !add(layout, reg, operand + 1, d->stream, d->offset))
        return false;
    d->offset += element_bytes[operand + 1];
    return true;
}

/* A register that the tessellator fills: with u and v (bit 28), or with the normal of the surface
 * that another register describes. Register 0 cannot be one. */
static bool tessellator_data(struct hal_layout *layout, uint32_t token)
{
    const uint32_t to = token & 31, from = token >> 20 & 15;

    if (to == 0 || to >= HAL_COMPONENT_COUNT)
        return false;
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
        if (d.at >= d.count)
            return false; /* no END */
        const uint32_t token = dp2_read_u32(tokens + 4 * d.at++);

        if (token == 0xffffffff)
            break;
        if (!declaration_token(layout, &d, token))
            return false;
    }
    const unsigned weights = layout->component[HAL_BLEND_WEIGHT].type;

    layout->weight_count = (uint8_t)(weights == HAL_ELEMENT_COLOR || weights > HAL_ELEMENT_FLOAT4 ? 4 : weights);
    layout->fvf = hal_layout_fvf(layout);
    return true;
}

/* --- declarations of DirectX 9 -------------------------------------------------------- */

enum { USAGE_POSITION_TRANSFORMED = 9, TYPE_UNUSED = 17, STREAM_END = 0xff };
enum { METHOD_CROSSUV = 3, METHOD_UV }; /* D3DDECLMETHOD */

/* Returns the component that the fixed function takes from an element; -1: none. */
static int component_of(unsigned usage, unsigned index)
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

/* Shaders ask for POSITION, also when vertices have POSITIONT. */
static unsigned usage_of_programs(unsigned usage)
{
    return usage == USAGE_POSITION_TRANSFORMED ? 0 : usage;
}

unsigned hal_layout_find(const struct hal_layout *layout, unsigned usage, unsigned index)
{
    const int component = component_of(usage, index);
    const struct hal_named_element *named = NULL;

    if (component < 0)
        named = find_named(layout, usage_of_programs(usage), index);
    if (named)
        return HAL_FIRST_NAMED + (unsigned)(named - layout->named);
    return component < 0 ? HAL_COMPONENT_COUNT : (unsigned)component;
}

/* element: a D3DDDIVERTEXELEMENT, at any address. */
static bool add_element(struct hal_layout *layout, const uint8_t *element)
{
    const unsigned stream = DP2_WORD_FIELD(element, D3DDDIVERTEXELEMENT, Stream);
    const unsigned offset = DP2_WORD_FIELD(element, D3DDDIVERTEXELEMENT, Offset);
    const unsigned type = DP2_BYTE_FIELD(element, D3DDDIVERTEXELEMENT, Type);
    const unsigned method = DP2_BYTE_FIELD(element, D3DDDIVERTEXELEMENT, Method);
    const unsigned usage = DP2_BYTE_FIELD(element, D3DDDIVERTEXELEMENT, Usage);
    const unsigned index = DP2_BYTE_FIELD(element, D3DDDIVERTEXELEMENT, UsageIndex);

    if (stream >= HAL_MAX_STREAMS || offset & 3 || (type >= TYPE_UNUSED && method != METHOD_UV) || method > 6 ||
        usage > 13 || index > 15)
        return false;
    const int component = component_of(usage, index);

    if (component > 0 && method == METHOD_CROSSUV) {
        layout->normal_from = HAL_POSITION;
        layout->normal_to = (uint8_t)component;
    } else if (component > 0 && method == METHOD_UV) {
        layout->uv_to = (uint8_t)component;
    }
    if (method != 0)
        return true;
    if (component < 0) {
        add_named(layout, &(struct hal_named_element){(uint8_t)usage_of_programs(usage), (uint8_t)index,
                                                      (uint8_t)(type + 1), (uint8_t)stream, (uint16_t)offset});
        layout->has_fog |= usage == D3D_USAGE_FOG && index == 0;
        return true;
    }
    add(layout, (unsigned)component, type + 1, stream, offset);
    layout->transformed |= usage == USAGE_POSITION_TRANSFORMED;
    return true;
}

bool hal_layout_from_elements(struct hal_layout *layout, const uint8_t *elements, size_t count)
{
    memset(layout, 0, sizeof(*layout));
    layout->by_meaning = true;
    for (size_t i = 0; i < count; i++, elements += sizeof(D3DDDIVERTEXELEMENT)) {
        if (DP2_WORD_FIELD(elements, D3DDDIVERTEXELEMENT, Stream) == STREAM_END)
            break;
        if (i == HAL_MAX_NAMED || !add_element(layout, elements))
            return false;
    }
    const unsigned weights = layout->component[HAL_BLEND_WEIGHT].type;

    layout->weight_count = (uint8_t)(weights > HAL_ELEMENT_FLOAT4 ? 4 : weights);
    layout->fvf = hal_layout_fvf(layout);
    return true;
}
