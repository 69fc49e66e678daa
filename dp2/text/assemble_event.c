/* SPDX-License-Identifier: MIT */
/*
 * The assembler: events from text. In addition to the notation of dumps it has a few words for streams written by hand:
 * "create" makes a surface and announces it, names can replace numbers, "memory" knows the rows of its surface,
 * "present" ends a frame.
 */
#include "base/base.h"
#include "dp2/fields.h"
#include "dp2/text/assemble.h"

#include <inttypes.h>
#include <stdlib.h>

/* ddraw.h, and docs/reference/driver-calls.md, section 4: the capabilities of surfaces written by hand. */
#define CAPS_VIDEO_MEMORY 0x10004000u /* VIDEOMEMORY, LOCALVIDMEM */
#define CAPS_BUFFER       0x00800000u
#define CAPS_TARGET       0x00002000u
#define CAPS_DEPTH        0x00020000u
#define CAPS_TEXTURE      0x00001000u
#define CAPS_MIPMAP       0x00400008u /* MIPMAP, COMPLEX */
#define CAPS2_VERTICES    0x00000020u
#define CAPS2_INDICES     0x04000000u
#define CAPS2_SUBLEVEL    0x00010000u
#define CAPS3_LIGHTWEIGHT 0x00000400u
#define FLAGS_FORMAT      0x00002000u /* DDRAWISURF_HASPIXELFORMAT */
#define PALETTE_256       1u          /* DDRAWIPAL_256 */
#define FORMAT_D3D        0x00200000u /* DDPF_D3DFORMAT */

#define MAX_LEVELS        13u
#define MAX_SURFACES      (1u << 16)

struct shape {
    uint32_t width, height, format; /* of surfaces that are one row: width bytes, height 0 */
};

struct dp2_assembler {
    struct asm_parser p;
    const struct dp2_asm_output *output; /* of the current text */
    struct asm_bytes event;              /* being made */
    struct shape *shapes;                /* by number */
    uint32_t shape_count, next_surface, next_context, next_frame;
    uint32_t user_stride; /* that streams have set last, 0: none */
};

static bool event_emit(struct dp2_assembler *a, enum capture_event_type type)
{
    if (!a->output->event(a->output->user, type, a->event.data, a->event.size))
        return asm_fail(&a->p, "the event \"%s\" cannot be written", capture_event_name(type));
    a->event.size = 0;
    return true;
}

static bool event_append(struct dp2_assembler *a, const void *data, size_t size)
{
    uint8_t *at = asm_grow(&a->p, &a->event, size);

    if (at && size)
        memcpy(at, data, size);
    return at != NULL;
}

static bool note_shape(struct dp2_assembler *a, const struct capture_part *part)
{
    const bool buffer = part->caps & CAPS_BUFFER;
    const bool one_row = buffer || (part->caps3 & CAPS3_LIGHTWEIGHT && part->mip_count > 1);

    if (part->id >= MAX_SURFACES)
        return true; /* then the text must give everything */
    if (part->id >= a->shape_count) {
        const uint32_t count = part->id + part->id / 2 + 16;
        struct shape *bigger = mem_realloc(a->shapes, count, sizeof(*bigger));

        if (!bigger)
            return asm_no_memory(&a->p);
        memset(bigger + a->shape_count, 0, (count - a->shape_count) * sizeof(*bigger));
        a->shapes = bigger;
        a->shape_count = count;
    }
    a->shapes[part->id] =
        (struct shape){buffer ? part->bytes : part->width, one_row ? 0 : part->height, part->format[2]};
    if (part->id >= a->next_surface)
        a->next_surface = part->id + 1;
    return true;
}

/* --- arrays in braces
 * ------------------------------------------------------------------------------ */

/* Rows called `name` until another word comes; *count of them. */
static bool rows(struct dp2_assembler *a, const char *name, const char *fields, uint32_t *count, bool parts)
{
    struct asm_parser *p = &a->p;
    const uint32_t size = dp2_fields_size(fields);

    while (p->kind == ASM_WORD && asm_is(p, name)) {
        uint8_t data[128] = {0};
        uint32_t given = 0;

        asm_next(p);
        if (!asm_fields(p, fields, data, &given) || !event_append(a, data, size))
            return false;
        if (parts) {
            struct capture_part part;
            memcpy(&part, data, sizeof(part));
            if (!note_shape(a, &part))
                return false;
        }
        ++*count;
    }
    return !p->failed;
}

static bool surfaces_body(struct dp2_assembler *a)
{
    uint32_t counts[2] = {0};

    if (!event_append(a, counts, sizeof(counts)) || !asm_expect(&a->p, '{') ||
        !rows(a, "part", dp2_part_fields, &counts[0], true) || !rows(a, "link", dp2_link_fields, &counts[1], false) ||
        !asm_expect(&a->p, '}'))
        return false;
    memcpy(a->event.data + 12, counts, sizeof(counts));
    return true;
}

static bool announce_body(struct dp2_assembler *a)
{
    uint32_t counts[2] = {0};

    if (!event_append(a, counts, sizeof(counts)) || !asm_expect(&a->p, '{') ||
        !rows(a, "name", dp2_name_fields, &counts[0], false) || !rows(a, "link", dp2_link_fields, &counts[1], false) ||
        !asm_expect(&a->p, '}'))
        return false;
    memcpy(a->event.data + 12, counts, sizeof(counts));
    return true;
}

static bool rects_body(struct dp2_assembler *a)
{
    const size_t place = a->event.size;
    uint32_t count = 0;

    if (!event_append(a, &count, sizeof(count)))
        return false;
    if (asm_is_mark(&a->p, '{')) {
        asm_next(&a->p);
        if (!rows(a, "rect", dp2_rect_fields, &count, false) || !asm_expect(&a->p, '}'))
            return false;
    }
    memcpy(a->event.data + place, &count, sizeof(count));
    return true;
}

/* --- memory
 * -------------------------------------------------------------------------------------------- */

/* Fields of a "memory" and of "samples" that the text gave, as dp2_event_fields numbers them. */
enum {
    GIVEN_FLAGS = 1u << 1,
    GIVEN_ROWS = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6, /* first_row, row_count, row_offset, row_bytes */
    GIVEN_SLICE_COUNT = 1u << 8,
    GIVEN_SAMPLE_ROWS = 1u << 3 | 1u << 4 | 1u << 5, /* of "samples": first_row, row_count, row_bytes */
};

/* Rows that the text omits: the whole surface, or the part of a buffer or lightweight texture that the bytes fill. One slice if no slices are
 * given. */
static bool complete_memory(struct dp2_assembler *a, struct capture_memory *head, size_t bytes, uint32_t given)
{
    const struct shape *shape = head->id < a->shape_count ? &a->shapes[head->id] : NULL;

    if (!(given & GIVEN_SLICE_COUNT))
        head->slice_count = 1;
    if (!(given & GIVEN_ROWS)) {
        if (!shape || (!shape->width && !shape->height))
            return asm_fail(&a->p, "surface %" PRIu32 " is not known here", head->id);
        head->row_count = 1;
        head->row_bytes = (uint32_t)bytes;
        if (shape->height)
            head->row_bytes = dp2_row_bytes(shape->format, shape->width, shape->height, &head->row_count);
    }
    if (!(given & GIVEN_FLAGS))
        head->flags = CAPTURE_MEMORY_LOCKED;
    const uint64_t wanted = (uint64_t)head->row_bytes * head->row_count * head->slice_count;

    return wanted == bytes ||
           asm_fail(&a->p, "%zu bytes, but %" PRIu32 " slices of %" PRIu32 " rows of %" PRIu32 " bytes", bytes,
                    head->slice_count, head->row_count, head->row_bytes);
}

/* Data in braces, after the structure. */
static bool data_body(struct dp2_assembler *a)
{
    uint32_t fvf = 0;

    if (!asm_expect(&a->p, '{'))
        return false;
    while (!asm_is_mark(&a->p, '}'))
        if (!asm_data(&a->p, &a->event, &fvf))
            return false;
    return true;
}

/* If the text gives no rows: the whole surface. */
static bool samples_body(struct dp2_assembler *a, uint32_t given)
{
    const size_t head_size = sizeof(struct capture_samples);
    struct capture_samples head;

    if (!data_body(a))
        return false;
    memcpy(&head, a->event.data, head_size);
    const struct shape *shape = head.id < a->shape_count ? &a->shapes[head.id] : NULL;

    if (!(given & GIVEN_SAMPLE_ROWS) && shape && shape->height)
        head.row_bytes = dp2_row_bytes(shape->format, shape->width, shape->height, &head.row_count);
    if ((uint64_t)head.row_bytes * head.row_count != a->event.size - head_size) {
        return asm_fail(&a->p, "%zu bytes, but %" PRIu32 " rows of %" PRIu32 " bytes", a->event.size - head_size,
                        head.row_count, head.row_bytes);
    }
    memcpy(a->event.data, &head, head_size);
    return asm_expect(&a->p, '}');
}

/* As many entries as the data in braces has. */
static bool palette_body(struct dp2_assembler *a)
{
    const size_t head_size = sizeof(struct capture_palette);
    struct capture_palette head;

    if (!data_body(a))
        return false;
    memcpy(&head, a->event.data, head_size);
    const size_t bytes = a->event.size - head_size;

    if (bytes % 4 || (head.entry_count && head.entry_count != bytes / 4))
        return asm_fail(&a->p, "%zu bytes of entries, 4 each", bytes);
    head.entry_count = (uint32_t)(bytes / 4);
    memcpy(a->event.data, &head, head_size);
    return asm_expect(&a->p, '}');
}

static bool memory_body(struct dp2_assembler *a, uint32_t given)
{
    const size_t head_size = sizeof(struct capture_memory);
    struct capture_memory head;

    if (!data_body(a))
        return false;
    memcpy(&head, a->event.data, head_size);
    if (!complete_memory(a, &head, a->event.size - head_size, given))
        return false;
    memcpy(a->event.data, &head, head_size);
    return asm_expect(&a->p, '}');
}

/* --- draws
 * ------------------------------------------------------------------------------------------------
 */

static bool user_vertices(struct dp2_assembler *a, struct asm_bytes *vertices, uint32_t *fvf)
{
    asm_next(&a->p);
    if (!asm_expect(&a->p, '{'))
        return false;
    while (!asm_is_mark(&a->p, '}'))
        if (!asm_data(&a->p, vertices, fvf))
            return false;
    return asm_expect(&a->p, '}');
}

static void note_line(const struct dp2_assembler *a, uint32_t offset)
{
    if (a->output->line)
        a->output->line(a->output->user, offset, a->p.line);
}

static bool command(struct dp2_assembler *a, struct asm_bytes *stream)
{
    note_line(a, (uint32_t)stream->size);
    return asm_command(&a->p, stream, 0);
}

static bool commands(struct dp2_assembler *a, struct asm_bytes *stream, struct asm_bytes *vertices, uint32_t *fvf)
{
    if (!asm_expect(&a->p, '{'))
        return false;
    while (!asm_is_mark(&a->p, '}'))
        if (asm_is(&a->p, "user_vertices") ? !user_vertices(a, vertices, fvf) : !command(a, stream))
            return false;
    return asm_expect(&a->p, '}');
}

/* The stride of vertices in user memory that the stream leaves set; *stride stays where it sets none. */
static void note_user_stride(const struct asm_bytes *stream, uint32_t vertex_size, uint32_t *stride)
{
    struct dp2_cursor cursor;
    struct dp2_command command;

    dp2_cursor_init(&cursor, stream->data, stream->size, vertex_size);
    while (dp2_next(&cursor, &command) == DP2_OK) {
        struct dp2_entry entry = {0};

        while (command.info->number == DP2OP_SETSTREAMSOURCEUM && dp2_next_entry(&command, &entry))
            *stride = DP2_U32(entry.head, entry_SETSTREAMSOURCEUM, stride);
    }
}

/* Values that the text omits from a draw: the size of its vertices in user memory, and their number. `given`: the
 * fields it has. */
static bool complete_draw(struct dp2_assembler *a, struct capture_draw *head, uint32_t given, uint32_t fvf)
{
    const bool has_size = given & 8, has_count = given & 16;
    uint32_t size = fvf ? dp2_fvf_size(fvf) : dp2_fvf_size(head->vertex_type);

    if (has_size || !head->vertex_bytes)
        size = head->vertex_size;
    else if (!size)
        size = a->user_stride;
    if (!has_size && !has_count && head->vertex_bytes && (!size || (!fvf && head->vertex_bytes % size)))
        return asm_fail(&a->p,
                        "%" PRIu32 " bytes of user vertices of %" PRIu32
                        " each: give vertex_size=BYTES, or the stride (SETSTREAMSOURCEUM), or write them as fvf(...)",
                        head->vertex_bytes, size);
    head->vertex_size = size;
    if (!has_count && size)
        head->vertex_count = head->vertex_bytes / size;
    return true;
}

static bool draw_body(struct dp2_assembler *a, uint32_t given)
{
    struct asm_bytes stream = {0}, vertices = {0};
    static const uint8_t padding[4];
    uint32_t sizes[2], fvf = 0;
    struct capture_draw *head;
    bool done = commands(a, &stream, &vertices, &fvf);

    sizes[0] = (uint32_t)stream.size;
    sizes[1] = (uint32_t)vertices.size;
    done = done && event_append(a, sizes, sizeof(sizes)) && event_append(a, stream.data, stream.size) &&
           event_append(a, padding, -stream.size & 3) && event_append(a, vertices.data, vertices.size);
    if (done) {
        head = (void *)a->event.data;
        note_user_stride(&stream, dp2_fvf_size(head->vertex_type), &a->user_stride);
        done = complete_draw(a, head, given, fvf);
    }
    free(stream.data);
    free(vertices.data);
    return done;
}

/* --- words for people
 * ------------------------------------------------------------------------------------- */

static bool event_take_name(struct dp2_assembler *a, uint32_t value)
{
    struct asm_parser *p = &a->p;

    if (p->kind != ASM_WORD || !asm_set_symbol(p, p->word, p->length, value))
        return asm_fail(p, "a name expected before \"%.*s\"", (int)(p->length < 40 ? p->length : 40), p->word);
    asm_next(p);
    return !p->failed;
}

struct creation {
    uint32_t kind; /* index in kinds */
    uint32_t width, height, format, levels, samples;
    bool light;     /* one surface for all levels */
    uint32_t parts; /* surfaces: levels, or 1 */
};

static struct capture_part event_part(const struct dp2_assembler *a, const struct creation *create, uint32_t level)
{
    static const struct {
        uint32_t caps, caps2;
    } kinds[] = {{CAPS_TARGET, 0},
                 {CAPS_DEPTH, 0},
                 {CAPS_TEXTURE, 0},
                 {CAPS_TEXTURE | CAPS_TARGET, 0},
                 {CAPS_BUFFER, CAPS2_VERTICES},
                 {CAPS_BUFFER, CAPS2_INDICES}};
    const bool buffer = create->kind >= 4;
    struct capture_part part = {
        .id = a->next_surface + level,
        .caps = CAPS_VIDEO_MEMORY | kinds[create->kind].caps | (create->levels > 1 ? CAPS_MIPMAP : 0),
        .caps2 = kinds[create->kind].caps2 | (level ? CAPS2_SUBLEVEL : 0),
        .caps3 = create->samples | (create->light ? CAPS3_LIGHTWEIGHT : 0),
        .mip_count = !buffer && create->levels > 1 ? create->levels - level : 0,
    };

    if (buffer) {
        part.bytes = create->width;
        return part;
    }
    part.local_flags = FLAGS_FORMAT;
    part.width = create->width >> level ? create->width >> level : 1;
    part.height = create->height >> level ? create->height >> level : 1;
    part.format[0] = 32;
    part.format[1] = FORMAT_D3D;
    part.format[2] = create->format;
    return part;
}

static bool emit_surfaces(struct dp2_assembler *a, const struct creation *create)
{
    const struct capture_surfaces head = {1, 1, 0, create->parts, create->parts - 1};
    const uint32_t first = a->next_surface;

    if (!event_append(a, &head, sizeof(head)))
        return false;
    for (uint32_t level = 0; level < create->parts; level++) {
        struct capture_part part = event_part(a, create, level);

        part.id = first + level;
        if (!event_append(a, &part, sizeof(part)) || !note_shape(a, &part))
            return false;
    }
    for (uint32_t level = 0; level + 1 < create->parts; level++) {
        const struct capture_link link = {first + level, first + level + 1};

        if (!event_append(a, &link, sizeof(link)))
            return false;
    }
    return event_emit(a, CAPTURE_SURFACES);
}

/* Handles are the surfaces' numbers: small and unique. */
static bool emit_announce(struct dp2_assembler *a, uint32_t first, uint32_t parts)
{
    const struct capture_announce head = {1, first, 0, parts, 0};

    if (!event_append(a, &head, sizeof(head)))
        return false;
    for (uint32_t part = 0; part < parts; part++) {
        const struct capture_name name = {first + part, first + part};

        if (!event_append(a, &name, sizeof(name)))
            return false;
    }
    return event_emit(a, CAPTURE_ANNOUNCE);
}

/* "320x240" */
static bool take_size(struct dp2_assembler *a, uint32_t *width, uint32_t *height)
{
    struct asm_parser *p = &a->p;
    uint32_t *edge = width;

    *width = *height = 0;
    for (size_t i = 0; p->kind == ASM_WORD && i < p->length; i++) {
        if (p->word[i] == 'x' && edge == width) {
            edge = height;
        } else if (p->word[i] >= '0' && p->word[i] <= '9' && *edge < 10000) {
            *edge = *edge * 10 + (uint32_t)(p->word[i] - '0');
        } else {
            *width = 0;
            break;
        }
    }
    if (!*width || !*height || *width > 8192 || *height > 8192) {
        return asm_fail(p, "a size like 320x240 expected before \"%.*s\"", (int)(p->length < 40 ? p->length : 40),
                        p->word);
    }
    asm_next(p);
    return !p->failed;
}

static const char *const kinds[] = {"target", "depth", "texture", "target-texture", "vertices", "indices"};

/* "light", if it is there */
static bool take_light(struct dp2_assembler *a, struct creation *create)
{
    struct asm_parser *p = &a->p;

    if (!asm_is(p, "light"))
        return true;
    if (strcmp(kinds[create->kind], "texture"))
        return asm_fail(p, "only a texture is light");
    create->light = true;
    asm_next(p);
    return !p->failed;
}

/* create target|depth|texture|target-texture NAME 320x240 FORMAT [levels=N] [samples=N]
 * create texture NAME 320x240 FORMAT light [levels=N]
 * create vertices|indices NAME BYTES */
static bool event_create(struct dp2_assembler *a)
{
    struct asm_parser *p = &a->p;
    struct creation create = {.levels = 1};
    uint8_t options[8] = {1};
    uint32_t given = 0;

    asm_next(p);
    while (create.kind < 6 && !asm_is(p, kinds[create.kind]))
        create.kind++;
    if (create.kind == 6)
        return asm_fail(p, "create what? target, depth, texture, target-texture, vertices, indices");
    asm_next(p);
    if (!event_take_name(a, a->next_surface))
        return false;
    if (create.kind >= 4) {
        if (!asm_number(p, &create.width))
            return false;
    } else if (!take_size(a, &create.width, &create.height) || !asm_value(p, 'D', (uint8_t *)&create.format) ||
               !take_light(a, &create) || !asm_fields(p, "u levels,u samples", options, &given)) {
        return false;
    } else {
        memcpy(&create.levels, options, 4);
        memcpy(&create.samples, options + 4, 4);
    }
    if (create.levels == 0 || create.levels > MAX_LEVELS || create.samples > 16)
        return asm_fail(p, "%" PRIu32 " levels, %" PRIu32 " samples", create.levels, create.samples);
    const uint32_t first = a->next_surface;

    create.parts = create.light ? 1 : create.levels;
    return emit_surfaces(a, &create) && emit_announce(a, first, create.parts);
}

/* present SURFACE: the frame shows the whole surface. */
static bool present(struct dp2_assembler *a)
{
    struct capture_frame frame = {.frame = a->next_frame++};

    asm_next(&a->p);
    if (!asm_number_of(&a->p, "surface", &frame.surface))
        return false;
    if (frame.surface < a->shape_count) {
        frame.rect.right = (int32_t)a->shapes[frame.surface].width;
        frame.rect.bottom = (int32_t)a->shapes[frame.surface].height;
    }
    return event_append(a, &frame, sizeof(frame)) && event_emit(a, CAPTURE_FRAME);
}

static bool info(struct dp2_assembler *a)
{
    struct asm_bytes line = {0};
    uint8_t *end = NULL;

    asm_next(&a->p);
    if (asm_string(&a->p, &line))
        end = asm_grow(&a->p, &line, 1);
    if (end && (strlen((const char *)line.data) + 1 != line.size || strchr((const char *)line.data, '\n')))
        asm_fail(&a->p, "information is one line of text");
    else if (end && a->output->info && !a->output->info(a->output->user, (const char *)line.data))
        asm_no_memory(&a->p);
    free(line.data);
    return !a->p.failed;
}

/* --- events
 * --------------------------------------------------------------------------------------------------
 */

static bool find_event(const struct asm_parser *p, enum capture_event_type *type)
{
    for (unsigned i = 1; i < CAPTURE_EVENT_COUNT; i++) {
        if (asm_is(p, capture_event_name(i))) {
            *type = (enum capture_event_type)i;
            return true;
        }
    }
    return false;
}

/* The first field may be given without its name; after "context" this may be a new name. */
static bool first_field(struct dp2_assembler *a, enum capture_event_type type, uint8_t *head, uint32_t *given)
{
    uint32_t value;

    if (a->p.kind != ASM_WORD)
        return true;
    if (type == CAPTURE_CONTEXT && (a->p.length == 0 || *a->p.word < '0' || *a->p.word > '9')) {
        value = a->next_context++;
        if (!event_take_name(a, value))
            return false;
    } else if (!asm_number_of(&a->p, dp2_event_fields(type) + 2, &value)) {
        return false;
    }
    memcpy(head, &value, 4);
    *given |= 1;
    return true;
}

static void defaults(enum capture_event_type type, uint32_t *head)
{
    if (type == CAPTURE_CONTEXT) {
        head[1] = 1; /* local */
        head[2] = 4; /* DirectX 8 */
        head[3] = 1; /* process */
    }
    if (type == CAPTURE_PALETTE)
        head[1] = PALETTE_256;
    if (type == CAPTURE_COLOR_KEY) {
        head[1] = CAPTURE_KEY_SOURCE;
        head[2] = 1; /* set */
    }
}

/* Events whose structure does not end in a count. */
static bool is_plain(enum capture_event_type type)
{
    return type != CAPTURE_SURFACES && type != CAPTURE_ANNOUNCE && type != CAPTURE_BLT && type != CAPTURE_CLEAR &&
           type != CAPTURE_DRAW && type != CAPTURE_MEMORY && type != CAPTURE_SAMPLES && type != CAPTURE_PALETTE;
}

static bool body(struct dp2_assembler *a, enum capture_event_type type, uint32_t given)
{
    switch (type) {
    case CAPTURE_SURFACES:
        return surfaces_body(a);
    case CAPTURE_ANNOUNCE:
        return announce_body(a);
    case CAPTURE_BLT:
    case CAPTURE_CLEAR:
        return rects_body(a);
    case CAPTURE_MEMORY:
        return memory_body(a, given);
    case CAPTURE_SAMPLES:
        return samples_body(a, given);
    case CAPTURE_PALETTE:
        return palette_body(a);
    case CAPTURE_DRAW:
        return draw_body(a, given);
    default:
        return is_plain(type);
    }
}

static bool event(struct dp2_assembler *a, enum capture_event_type type)
{
    const char *fields = dp2_event_fields(type);
    uint32_t head[32] = {0};
    uint32_t given = 0;

    defaults(type, head);
    asm_next(&a->p);
    /* "draw {" and "announce root=2 {" begin their bodies at once; all else may name a number. */
    if (!first_field(a, type, (uint8_t *)head, &given) || !asm_fields(&a->p, fields, (uint8_t *)head, &given))
        return false;
    if (a->p.kind == ASM_KEY) {
        struct word_guess guess = asm_guess_word(&a->p);

        asm_guess_field(&guess, fields);
        return asm_unknown(&a->p, &guess, "field", capture_event_name(type));
    }
    if (!event_append(a, head, dp2_fields_size(fields)) || !body(a, type, given))
        return false;
    if (type == CAPTURE_FRAME)
        a->next_frame = head[0] + 1;
    if (type == CAPTURE_CONTEXT && head[0] >= a->next_context)
        a->next_context = head[0] + 1;
    return event_emit(a, type);
}

static const char *const words[] = {"create", "present", "info"};

const char *dp2_text_word(enum dp2_text_words list, unsigned index)
{
    if (list == DP2_WORDS_DATA)
        return asm_maker(index);
    if (list == DP2_WORDS_CREATE)
        return index < ARRAY_COUNT(kinds) ? kinds[index] : NULL;
    return index < ARRAY_COUNT(words) ? words[index] : NULL;
}

bool asm_is_statement(const struct asm_parser *p)
{
    enum capture_event_type type;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (asm_is(p, words[i]))
            return true;
    return find_event(p, &type);
}

static bool unknown_event(struct asm_parser *p)
{
    struct word_guess guess = asm_guess_word(p);

    if (p->kind != ASM_WORD)
        return asm_fail(p, "an event expected, not \"%.*s\"", (int)(p->length < 60 ? p->length : 60), p->word);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        word_guess(&guess, words[i], strlen(words[i]));
    for (unsigned i = 1; i < CAPTURE_EVENT_COUNT; i++)
        word_guess(&guess, capture_event_name(i), strlen(capture_event_name(i)));
    return asm_unknown(p, &guess, "event", NULL);
}

static bool statement(struct dp2_assembler *a)
{
    struct asm_parser *p = &a->p;
    enum capture_event_type type;

    note_line(a, DP2_ASM_EVENT);
    if (asm_is(p, "create"))
        return event_create(a);
    if (asm_is(p, "present"))
        return present(a);
    if (asm_is(p, "info"))
        return info(a);
    if (p->kind != ASM_WORD || !find_event(p, &type))
        return unknown_event(p);
    return event(a, type);
}

static void assembler_free(struct dp2_assembler *a)
{
    asm_free_symbols(&a->p);
    free(a->event.data);
    free(a->shapes);
}

struct dp2_assembler *dp2_assembler_create(void)
{
    struct dp2_assembler *a = mem_calloc(1, sizeof(*a));

    if (a)
        a->next_surface = a->next_context = 1;
    return a;
}

void dp2_assembler_destroy(struct dp2_assembler *a)
{
    if (a)
        assembler_free(a);
    free(a);
}

bool dp2_assembler_run(struct dp2_assembler *a, const char *text, size_t size, const struct dp2_asm_output *output,
                       struct dp2_asm_error *error)
{
    const struct asm_parser before = a->p;

    asm_init(&a->p, text, size, error);
    asm_take_symbols(&a->p, &before);
    a->p.folder = output->folder;
    a->p.shader = output->shader;
    a->output = output;
    a->event.size = 0;
    while (a->p.kind != ASM_END && statement(a)) {
    }
    return !a->p.failed;
}

bool dp2_assemble(const char *text, size_t size, const struct dp2_asm_output *output, struct dp2_asm_error *error)
{
    struct dp2_assembler a = {.next_surface = 1, .next_context = 1};
    const bool done = dp2_assembler_run(&a, text, size, output, error);

    assembler_free(&a);
    return done;
}
