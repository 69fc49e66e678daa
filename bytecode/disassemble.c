/* SPDX-License-Identifier: MIT */
/*
 * Bytecode as assembly text in the notation of the API's assembler. Source:
 * docs/reference/shader-code.md, section 1.
 */
#include "bytecode/bytecode.h"

#include "d3d/usages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *buffer;
    size_t size, used;
};

static void text_put(struct text *t, const char *format, ...) __attribute__((format(gnu_printf, 2, 3)));

static void text_put(struct text *t, const char *format, ...)
{
    size_t at = t->used < t->size ? t->used : t->size;
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(t->buffer + at, t->size - at, format, args);
    va_end(args);
    t->used += length > 0 ? (size_t)length : 0;
}

static const char component[] = "xyzw";

static void text_put_register(struct text *t, const struct shader_reader *r, const struct shader_parameter *p)
{
    const char *name = shader_register_name(r->stage, r->major, p);

    if (p->relative && p->relative_type == SREG_LOOP)
        text_put(t, "%s[aL+%u]", name, p->number);
    else if (p->relative)
        text_put(t, "%s[a0.%c+%u]", name, component[p->relative_component], p->number);
    else if (p->type == SREG_RASTER_OUT || p->type == SREG_MISC || p->type == SREG_DEPTH_OUT || p->type == SREG_LOOP)
        text_put(t, "%s", name);
    else
        text_put(t, "%s%u", name, p->number);
}

static void put_swizzle(struct text *t, unsigned swizzle)
{
    unsigned last = swizzle >> 6 & 3, count = 4;

    if (swizzle == SHADER_IDENTITY)
        return;
    /* components that repeat the last one are not written */
    while (count > 1 && (swizzle >> 2 * (count - 2) & 3) == last)
        count--;
    text_put(t, ".");
    for (unsigned c = 0; c < count; c++)
        text_put(t, "%c", component[swizzle >> 2 * c & 3]);
}

static void put_source(struct text *t, const struct shader_reader *r, const struct shader_parameter *p)
{
    static const char *const before[SMOD_COUNT] = {
        "", "-", "", "-", "", "-", "1-", "", "-", "", "", "", "-", "!",
    };
    static const char *const after[SMOD_COUNT] = {
        "", "", "_bias", "_bias", "_bx2", "_bx2", "", "_x2", "_x2", "_dz", "_dw", "_abs", "_abs", "",
    };
    text_put(t, "%s", before[p->modifier]);
    text_put_register(t, r, p);
    text_put(t, "%s", after[p->modifier]);
    if (p->type != SREG_SAMPLER || r->major >= 3)
        put_swizzle(t, p->swizzle);
}

static void put_mask(struct text *t, unsigned mask)
{
    if (mask == 15)
        return;
    text_put(t, ".");
    for (unsigned c = 0; c < 4; c++)
        if (mask & (1u << c))
            text_put(t, "%c", component[c]);
}

static void put_destination(struct text *t, const struct shader_reader *r, const struct shader_parameter *p)
{
    text_put_register(t, r, p);
    if (p->type != SREG_SAMPLER)
        put_mask(t, p->mask);
}

static void put_declaration(struct text *t, const struct shader_reader *r, const struct shader_instruction *i)
{
    static const char *const usages[16] = {
#define USAGE_WORD(name, word) #word,
        D3D_USAGES(USAGE_WORD) "usage14", "usage15"};
    static const char *const kinds[16] = {"", "_1d", "_2d", "_cube", "_volume"};
    const struct shader_parameter *p = &i->destination;
    unsigned index = i->usage >> 16 & 15, kind = i->usage >> 27 & 15;

    if (p->type == SREG_SAMPLER)
        text_put(t, "dcl%s ", kinds[kind] ? kinds[kind] : "_?");
    else if (r->stage == SHADER_PIXEL && (r->major < 3 || p->type == SREG_MISC))
        text_put(t, "dcl%s%s ", p->modifier & SDST_PARTIAL ? "_pp" : "",
                 p->modifier & SDST_CENTROID ? "_centroid" : "");
    else
        text_put(t, "dcl_%s%u%s%s ", usages[i->usage & 15], index, p->modifier & SDST_PARTIAL ? "_pp" : "",
                 p->modifier & SDST_CENTROID ? "_centroid" : "");
    put_destination(t, r, p);
}

static void put_values(struct text *t, const struct shader_instruction *i)
{
    float value[4];

    if (i->opcode == SOP_DEFB) {
        text_put(t, ", %s", i->data[0] ? "true" : "false");
        return;
    }
    memcpy(value, i->data, sizeof(value));
    for (unsigned k = 0; k < 4; k++)
        if (i->opcode == SOP_DEF)
            text_put(t, ", %.9g", (double)value[k]);
        else
            text_put(t, ", %" PRId32, (int32_t)i->data[k]);
}

static void text_put_name(struct text *t, const struct shader_reader *r, const struct shader_instruction *i)
{
    const char *name = i->info->name, *comparison = shader_comparison_name(i->control);
    unsigned version = shader_version(r);

    if (i->opcode == SOP_TEX)
        name = version < 0x104                       ? "tex"
               : i->control == 1 && version >= 0x200 ? "texldp"
               : i->control == 2 && version >= 0x200 ? "texldb"
                                                     : "texld";
    else if (i->opcode == SOP_TEXCOORD && version == 0x104)
        name = "texcrd";
    text_put(t, "%s", name);
    if (i->info->flags & SOPF_COMPARES)
        text_put(t, "_%s", comparison ? comparison : "?");
}

static void put_modifiers(struct text *t, const struct shader_parameter *p)
{
    static const char *const shifts[16] = {
        "",      "_x2",   "_x4",  "_x8",  "_x16", "_x32", "_x64", "_x128",
        "_d256", "_d128", "_d64", "_d32", "_d16", "_d8",  "_d4",  "_d2",
    };
    text_put(t, "%s%s%s%s", shifts[p->shift & 15], p->modifier & SDST_SATURATE ? "_sat" : "",
             p->modifier & SDST_PARTIAL ? "_pp" : "", p->modifier & SDST_CENTROID ? "_centroid" : "");
}

static void put_instruction(struct text *t, const struct shader_reader *r, const struct shader_instruction *i)
{
    const char *separator = " ";

    text_put(t, "%s", i->coissue ? "  + " : "    ");
    if (i->opcode == SOP_DCL) {
        put_declaration(t, r, i);
        return;
    }
    if (i->predicated) {
        text_put(t, "(");
        put_source(t, r, &i->predicate);
        text_put(t, ") ");
    }
    text_put_name(t, r, i);
    if (i->has_destination) {
        put_modifiers(t, &i->destination);
        text_put(t, " ");
        put_destination(t, r, &i->destination);
        separator = ", ";
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        text_put(t, "%s", separator);
        put_source(t, r, &i->source[k]);
        separator = ", ";
    }
    if (i->opcode == SOP_DEF || i->opcode == SOP_DEFI || i->opcode == SOP_DEFB)
        put_values(t, i);
}

static void put_version(struct text *t, const struct shader_reader *r)
{
    text_put(t, "%cs_%u_", r->stage == SHADER_VERTEX ? 'v' : 'p', r->major);
    if (r->minor == 255)
        text_put(t, "sw\n");
    else if (r->major == 2 && r->minor == 1)
        text_put(t, "x\n");
    else
        text_put(t, "%u\n", r->minor);
}

int shader_disassemble(const uint32_t *tokens, size_t count, char *buffer, size_t size)
{
    struct text t = {buffer, size, 0};
    struct shader_reader reader;
    struct shader_instruction i;
    struct shader_error error;

    if (size)
        buffer[0] = 0;
    if (!shader_reader_init(&reader, tokens, count, &error)) {
        text_put(&t, "// %s\n", error.text);
        return (int)t.used;
    }
    put_version(&t, &reader);
    for (;;) {
        if (!shader_read(&reader, &i, &error)) {
            text_put(&t, "// DWORD %lu: %s\n", (unsigned long)error.offset, error.text);
            break;
        }
        if (i.opcode == SOP_END)
            break;
        if (i.opcode == SOP_PHASE)
            text_put(&t, "    phase");
        else
            put_instruction(&t, &reader, &i);
        text_put(&t, "\n");
    }
    return (int)t.used;
}
