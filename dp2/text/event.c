/* SPDX-License-Identifier: MIT */
/*
 * Describes the structures of events and the data after tokens in field letters.
 */
#include "dp2/text/text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const event_fields[CAPTURE_EVENT_COUNT] = {
    [CAPTURE_SURFACES] = "u local,u process,I flags",
    [CAPTURE_ANNOUNCE] = "u local,u root,Z flags",
    [CAPTURE_DESTROY] = "u id,I flags",
    [CAPTURE_LOCAL_GONE] = "u local",
    [CAPTURE_MEMORY] = "u id,H flags,N lock_flags,u first_row,u row_count,u row_offset,u row_bytes,"
                       "u first_slice,u slice_count",
    [CAPTURE_BLT] = "u destination,u source,R to,R from,G flags,9 rop,v effects,x fill,u key_low,"
                    "u key_high",
    [CAPTURE_FLIP] = "u current,u target,s flags",
    [CAPTURE_CONTEXT] = "u context,u local,u level,u process,u target,u depth",
    [CAPTURE_CONTEXT_GONE] = "u context",
    [CAPTURE_PROCESS_GONE] = "u process",
    [CAPTURE_TARGET] = "u context,u target,u depth",
    [CAPTURE_SCENE] = "u context,u end",
    [CAPTURE_CLEAR] = "u context,L flags,c color,f depth,u stencil",
    [CAPTURE_DRAW] = "u context,J flags,F vertex_type,u vertex_size,u vertex_count",
    [CAPTURE_FRAME] = "u frame,u surface,R rect",
    [CAPTURE_COLOR_KEY] = "u id,k kind,u set,x low,x high",
    [CAPTURE_SAMPLES] = "u id,u samples,u sample,u first_row,u row_count,u row_bytes",
    [CAPTURE_PALETTE] = "u palette,8 flags,u first,u entry_count",
    [CAPTURE_PALETTE_GONE] = "u palette",
    [CAPTURE_SET_PALETTE] = "u id,u palette",
};

const char dp2_part_fields[] =
    "u id,u handle,A caps,C caps2,x caps3,x caps4,e local_flags,j global_flags,u width,u height,"
    "u pitch,u slice_pitch,u bytes,F fvf,u mip_count,u back_buffers,x color_key_low,"
    "x color_key_high,u pf_size,r pf_flags,D format,u bits,x red,x green,x blue,x alpha";
const char dp2_link_fields[] = "u from,u to";
const char dp2_name_fields[] = "u id,u handle";
const char dp2_rect_fields[] = "R area";

#define F(letter, name)    #letter " " #name ","
#define DATA(name, fields) const char dp2_fields_of_##name[] = fields;
#include "d3d/tokens.def"
#undef F

const char *dp2_patch_segment_fields(enum dp2_size_rule rule)
{
    return rule == DP2_SIZE_RECTPATCH ? dp2_fields_of_RECTPATCH_SEGMENTS : dp2_fields_of_TRIPATCH_SEGMENTS;
}

const char *dp2_patch_info_fields(enum dp2_size_rule rule)
{
    return rule == DP2_SIZE_RECTPATCH ? dp2_fields_of_RECTPATCH_INFO : dp2_fields_of_TRIPATCH_INFO;
}

const char *dp2_event_fields(unsigned type)
{
    return type < CAPTURE_EVENT_COUNT ? event_fields[type] : NULL;
}

uint32_t dp2_fields_size(const char *fields)
{
    uint32_t size = 0;

    while (*fields && *fields != ';') {
        size += dp2_field_size(fields[0]);
        fields += strcspn(fields, ",;");
        fields += *fields == ',' ? 1 : 0;
    }
    return size;
}

static void add_letters(struct dp2_vertex_layout *layout, char letter, unsigned count)
{
    const size_t length = strlen(layout->letters);

    for (unsigned i = 0; i < count && length + i + 1 < sizeof(layout->letters); i++)
        layout->letters[length + i] = letter;
    layout->size += 4 * count;
}

void dp2_vertex_layout(uint32_t fvf, struct dp2_vertex_layout *layout)
{
    static const uint8_t position[8] = {0, 3, 4, 4, 5, 6, 7, 8};
    static const uint8_t coordinates[4] = {2, 3, 4, 1};
    const unsigned floats = fvf & 0x4000 ? 4 : position[fvf >> 1 & 7];
    const bool last_beta = (fvf & 0x9000) && (fvf >> 1 & 7) >= 3;

    memset(layout, 0, sizeof(*layout));
    if (dp2_fvf_size(fvf) == 0)
        return;
    add_letters(layout, 'f', floats - (last_beta ? 1 : 0));
    add_letters(layout, fvf & 0x1000 ? 'x' : 'c', last_beta ? 1 : 0);
    add_letters(layout, 'f', fvf & 0x10 ? 3 : 0);
    add_letters(layout, 'f', fvf & 0x20 ? 1 : 0);
    add_letters(layout, 'c', fvf & 0x40 ? 1 : 0);
    add_letters(layout, 'c', fvf & 0x80 ? 1 : 0);
    add_letters(layout, 'f', fvf & 0x2000 ? 1 : 0);
    for (unsigned i = 0; i < (fvf >> 8 & 15); i++)
        add_letters(layout, 'f', coordinates[fvf >> (16 + 2 * i) & 3]);
}

/* Bytes of a row as wide as `width` texels of an uncompressed format; of blocks of four rows: 0 in
 * *rows when the format is not known here. */
uint32_t dp2_row_bytes(uint32_t format, uint32_t width, uint32_t height, uint32_t *row_count)
{
    static const struct {
        uint8_t format, bytes;
    } sizes[] = {{20, 3},  {21, 4},  {22, 4},  {23, 2},  {24, 2},  {25, 2},   {26, 2}, {27, 1}, {28, 1}, {29, 2},
                 {30, 2},  {31, 4},  {32, 4},  {33, 4},  {34, 4},  {35, 4},   {36, 8}, {40, 2}, {41, 1}, {50, 1},
                 {51, 2},  {52, 1},  {60, 2},  {61, 2},  {62, 4},  {63, 4},   {64, 4}, {65, 4}, {67, 4}, {70, 2},
                 {71, 4},  {73, 2},  {75, 4},  {77, 4},  {79, 4},  {80, 2},   {81, 2}, {82, 4}, {83, 4}, {110, 8},
                 {111, 2}, {112, 4}, {113, 8}, {114, 4}, {115, 8}, {116, 16}, {117, 2}};

    *row_count = height;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        if (sizes[i].format == format)
            return width * sizes[i].bytes;
    if ((format & 0xffffff) == 0x545844) { /* DXT? */
        *row_count = (height + 3) / 4;
        return (width + 3) / 4 * (format >> 24 == '1' ? 8 : 16);
    }
    *row_count = 0;
    return 0;
}
