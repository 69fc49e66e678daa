/* SPDX-License-Identifier: MIT */
/*
 * The words of the text notation: events, tokens, fields, and values of fields and states. All come from the
 * assembler's tables.
 */
#include "tools/names/words.h"

#include "base/base.h"
#include "dp2/names.h"
#include "dp2/text/text.h"

#include <string.h>

#define MOST_VALUES 512 /* of an enumeration: transforms go up to 259 */

/* The names of an enumeration or of flags as member "values", if there are any. */
static void put_values(struct json_writer *json, char enumeration, char flags)
{
    uint32_t value, mask;
    const char *name;

    json_open_list(json, "values");
    for (uint32_t i = 0; enumeration && i < MOST_VALUES; i++)
        if ((name = dp2_value_name(enumeration, i)) != NULL)
            json_put_text(json, NULL, name);
    for (unsigned i = 0; flags && (name = dp2_flag_name(flags, i, &value, &mask)) != NULL; i++)
        json_put_text(json, NULL, name);
    json_close(json);
}

static const char *field_kind(char letter)
{
    switch (letter) {
    case 'S':
        return "render_state";
    case 'T':
        return "stage_state";
    case 'V':
        return "state_value";
    case 'D':
        return "format";
    case 'F':
        return "vertex_format";
    case 'h':
        return "handle";
    case 'c':
        return "color";
    case '4':
    case '3':
    case 'M':
    case 'R':
    case 'B':
    case 'Q':
        return "vector";
    default:
        return dp2_letter_enumeration(letter) ? "name" : dp2_is_flag_set(letter) ? "flags" : "number";
    }
}

static void put_field(struct json_writer *json, const char *name, size_t length, char letter)
{
    const char *kind = field_kind(letter);
    const bool is_name = !strcmp(kind, "name"), is_flags = !strcmp(kind, "flags");

    json_open_object(json, NULL);
    json_put_characters(json, "name", name, length);
    json_put_text(json, "kind", kind);
    if (is_name || is_flags)
        put_values(json, is_name ? dp2_letter_enumeration(letter) : 0, is_flags ? letter : 0);
    json_close(json);
}

/* Fields of d3d/tokens.def, before and after the semicolon. */
static void put_fields_of(struct json_writer *json, const char *fields)
{
    while (fields && *fields) {
        const size_t length = *fields == ';' ? 0 : strcspn(fields + 2, ",;");

        if (length)
            put_field(json, fields + 2, length, *fields);
        fields += length ? 2 + length : 1;
        fields += length && *fields == ',';
    }
}

/* The data after the fields of an entry. */
static void put_data_fields(struct json_writer *json, enum dp2_size_rule rule)
{
    switch (rule) {
    case DP2_SIZE_LIGHT:
        put_fields_of(json, dp2_fields_of_LIGHT);
        break;
    case DP2_SIZE_ELEMENTS:
        put_fields_of(json, dp2_fields_of_ELEMENT);
        break;
    case DP2_SIZE_RECTPATCH:
    case DP2_SIZE_TRIPATCH:
        put_fields_of(json, dp2_patch_segment_fields(rule));
        put_fields_of(json, dp2_patch_info_fields(rule));
        break;
    default:
        break;
    }
}

static void put_tokens(struct json_writer *json)
{
    json_open_list(json, "tokens");
    for (unsigned i = 0; i < 256; i++) {
        const struct dp2_token_info *info = dp2_token_info((uint8_t)i);

        if (!info || info->size_rule == DP2_SIZE_NONE)
            continue;
        json_open_object(json, NULL);
        json_put_text(json, "name", info->name);
        json_open_list(json, "fields");
        put_fields_of(json, info->fields);
        put_data_fields(json, info->size_rule);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void put_events(struct json_writer *json)
{
    json_open_list(json, "events");
    for (unsigned i = 1; i < CAPTURE_EVENT_COUNT; i++) {
        json_open_object(json, NULL);
        json_put_text(json, "name", capture_event_name(i));
        json_open_list(json, "fields");
        put_fields_of(json, dp2_event_fields(i));
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void put_states(struct json_writer *json, const char *member, const struct dp2_state_name *find(uint32_t state))
{
    json_open_list(json, member);
    for (uint32_t i = 0; i < 256; i++) {
        const struct dp2_state_name *state = find(i);

        if (!state)
            continue;
        json_open_object(json, NULL);
        json_put_text(json, "name", state->name);
        if (state->type == DP2_KIND_BOOL) {
            json_open_list(json, "values");
            json_put_text(json, NULL, "FALSE");
            json_put_text(json, NULL, "TRUE");
            json_close(json);
        } else {
            put_values(json, state->type, dp2_is_flag_state(state->type) ? state->type : 0);
        }
        json_close(json);
    }
    json_close(json);
}

static void put_formats(struct json_writer *json)
{
    char code[5];

    json_open_list(json, "formats");
    for (uint32_t i = 1; i < 256; i++)
        if (dp2_format_name(i, code) && dp2_format_name(i, code) != code)
            json_put_text(json, NULL, dp2_format_name(i, code));
    json_close(json);
}

/* Each part of a flexible vertex format has one bit or number: dp2_fvf_name gives its name after a position. */
static void put_vertex_formats(struct json_writer *json)
{
    char text[DP2_FVF_NAME];

    json_open_list(json, "vertex_formats");
    for (uint32_t position = 2; position < 16; position += 2)
        json_put_text(json, NULL, dp2_fvf_name(position, text));
    for (uint32_t bit = 0x10; bit <= 0x80; bit <<= 1)
        json_put_text(json, NULL, strchr(dp2_fvf_name(2 | bit, text), '|') + 1);
    for (uint32_t count = 1; count <= 8; count++)
        json_put_text(json, NULL, strchr(dp2_fvf_name(2 | count << 8, text), '|') + 1);
    json_close(json);
}

static void put_list(struct json_writer *json, const char *member, enum dp2_text_words words)
{
    json_open_list(json, member);
    for (unsigned i = 0; dp2_text_word(words, i); i++)
        json_put_text(json, NULL, dp2_text_word(words, i));
    json_close(json);
}

void words_put(struct json_writer *json)
{
    json_open_object(json, "words");
    put_list(json, "short", DP2_WORDS_SHORT);
    put_list(json, "create", DP2_WORDS_CREATE);
    put_list(json, "data", DP2_WORDS_DATA);
    put_events(json);
    put_tokens(json);
    put_states(json, "render_states", dp2_render_state_name);
    put_states(json, "stage_states", dp2_stage_state_name);
    put_formats(json);
    put_vertex_formats(json);
    json_close(json);
}
