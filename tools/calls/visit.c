/* SPDX-License-Identifier: MIT */
/* Arguments as values with names, by the table of arguments.c. */
#include "tools/calls/calls.h"
#include "tools/calls/internal.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct dp2_visitor *visitor;
    const struct calls_call *call;
    const struct dp2_state_name *state; /* what the next value is one of */
};

static UINT read_number(const void *base, unsigned offset)
{
    UINT number;

    memcpy(&number, (const uint8_t *)base + offset, sizeof(number));
    return number;
}

static void *read_pointer(const void *base, unsigned offset)
{
    void *pointer;

    memcpy(&pointer, (const uint8_t *)base + offset, sizeof(pointer));
    return pointer;
}

static void put_name(struct walk *walk, const char *name, const char *text)
{
    dp2_visit_name(walk->visitor, name, text);
}

static void put_place(struct walk *walk, const struct calls_field *field, const void *base)
{
    HANDLE handle = read_pointer(base, field->offset);
    char name[CALLS_NAME], text[CALLS_NAME + 16];

    snprintf(text, sizeof(text), handle ? "%s[%u]" : "%s", calls_name_of(handle, name), read_number(base, field->more));
    put_name(walk, field->name, text);
}

/* Names of the bits that are set; `list`: "Name : bits, Name : bits". */
static void put_bits(struct walk *walk, const char *name, const char *list, UINT word)
{
    char text[512] = "";
    size_t length = 0;

    for (unsigned bit = 0; bit < 32 && *list;) {
        const size_t end = strcspn(list, " :");
        const unsigned bits = (unsigned)strtoul(list + strcspn(list, ":") + 1, NULL, 10);
        const UINT mask = (bits < 32 ? (1u << bits) - 1 : UINT32_MAX) << bit, value = word & mask;

        if (value && bits == 1)
            length +=
                (size_t)snprintf(text + length, sizeof(text) - length, "%s%.*s", length ? "|" : "", (int)end, list);
        else if (value)
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s0x%x", length ? "|" : "", value);
        length = BASE_MIN(length, sizeof(text) - 1);
        bit += bits;
        list += strcspn(list, ",");
        list += strspn(list, ", ");
    }
    put_name(walk, name, length ? text : "0");
}

static void put_word(struct walk *walk, const char *name, const char *words, UINT number)
{
    char text[32];
    UINT left = number;

    while (left && *words) {
        words += strcspn(words, "|");
        words += *words == '|';
        left--;
    }
    if (*words)
        snprintf(text, sizeof(text), "%.*s", (int)strcspn(words, "|"), words);
    else
        snprintf(text, sizeof(text), "%u", number);
    put_name(walk, name, text);
}

static void put_token(struct walk *walk, const char *name, UINT number)
{
    const struct dp2_token_info *info = number < 256 ? dp2_token_info((uint8_t)number) : NULL;

    if (info)
        put_name(walk, name, info->name);
    else
        dp2_visit_number(walk->visitor, name, number);
}

static void put_plain(struct walk *walk, const char *name, char letter, const uint8_t *at)
{
    struct dp2_value value = {0};

    dp2_decode_value(&value, letter, at, &walk->state);
    walk->visitor->value(walk->visitor->user, name, &value);
}

static void visit_fields(struct walk *walk, const struct calls_field *fields, const void *base);

static UINT count_of(const struct walk *walk, const struct calls_field *field, const void *base)
{
    const void *first = (const void *)walk->call->slots[0];

    if (field->of_first)
        return first ? read_number(first, field->more) : 0;
    return read_number(base, field->more);
}

static void put_list(struct walk *walk, const struct calls_field *field, const void *base)
{
    const struct dp2_visitor *v = walk->visitor;
    const uint8_t *at = read_pointer(base, field->offset);
    const UINT count = at ? count_of(walk, field, base) : 0;

    v->open(v->user, field->name, DP2_LIST);
    for (UINT i = 0; i < count; i++, at += field->size) {
        if (!field->fields) {
            put_plain(walk, NULL, field->element, at);
            continue;
        }
        v->open(v->user, NULL, DP2_RECORD);
        visit_fields(walk, field->fields, at);
        v->close(v->user);
    }
    v->close(v->user);
}

/* pfnGetInfo: the members of the structure of a private call, and what its entry says. */
static void put_info(struct walk *walk, const struct calls_field *field, const void *base)
{
    const UINT id = read_number(base, field->offset), size = read_number(base, CALLS_SLOT(2));
    const void *data = read_pointer(base, CALLS_SLOT(1));
    const struct calls_info *info = calls_infos;

    while (info->name && info->id != id)
        info++;
    if (!info->name) {
        dp2_visit_number(walk->visitor, field->name, id);
        return;
    }
    put_name(walk, field->name, info->name);
    if (data && size >= info->size)
        visit_fields(walk, info->fields, data);
}

static void put_handle(struct walk *walk, const struct calls_field *field, const void *base)
{
    char text[CALLS_NAME];

    put_name(walk, field->name, calls_name_of(read_pointer(base, field->offset), text));
}

static void visit_field(struct walk *walk, const struct calls_field *field, const void *base)
{
    char text[32];

    switch (field->kind) {
    case CALLS_NEW:
        if (SUCCEEDED(walk->call->result))
            put_handle(walk, field, base);
        break;
    case CALLS_HANDLE:
    case CALLS_BLOCK:
    case CALLS_GONE:
        put_handle(walk, field, base);
        break;
    case CALLS_PLACE:
        put_place(walk, field, base);
        break;
    case CALLS_BITS:
        put_bits(walk, field->name, field->text, read_number(base, field->offset));
        break;
    case CALLS_WORDS:
        put_word(walk, field->name, field->text, read_number(base, field->offset));
        break;
    case CALLS_TOKEN:
        put_token(walk, field->name, read_number(base, field->offset));
        break;
    case CALLS_BYTES:
        snprintf(text, sizeof(text), "%u bytes", count_of(walk, field, base));
        put_name(walk, field->name, text);
        break;
    case CALLS_OF:
        if (read_pointer(base, field->offset))
            visit_fields(walk, field->fields, read_pointer(base, field->offset));
        break;
    case CALLS_LIST:
        put_list(walk, field, base);
        break;
    case CALLS_INFO:
        put_info(walk, field, base);
        break;
    default:
        put_plain(walk, field->name, field->kind, (const uint8_t *)base + field->offset);
        break;
    }
}

static void visit_fields(struct walk *walk, const struct calls_field *fields, const void *base)
{
    for (const struct calls_field *field = fields; field->name; field++)
        if (!field->when || read_number(base, field->when_at) & field->when)
            visit_field(walk, field, base);
}

void calls_visit(const struct dp2_visitor *visitor, const struct calls_call *call)
{
    struct walk walk = {.visitor = visitor, .call = call};

    visit_fields(&walk, calls_arguments[call->row], call->slots);
}

bool calls_is_info(const struct calls_call *call, UINT id)
{
    return call->row == CALLS_GetInfo && call->slots[0] == id;
}

const char *calls_result_name(HRESULT hr)
{
    static char text[16];

    switch (hr) {
    case S_OK:
        return NULL;
    case S_FALSE:
        return "S_FALSE";
    case E_FAIL:
        return "E_FAIL";
    case E_NOTIMPL:
        return "E_NOTIMPL";
    case E_OUTOFMEMORY:
        return "E_OUTOFMEMORY";
    case E_INVALIDARG:
        return "E_INVALIDARG";
    default:
        snprintf(text, sizeof(text), "0x%08x", (unsigned)hr);
        return text;
    }
}
