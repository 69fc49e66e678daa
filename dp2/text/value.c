/* SPDX-License-Identifier: MIT */
/*
 * The meaning of a field's bytes, by the field letters of dp2/tokens.h.
 */
#include "dp2/text/visit.h"

static void decode_number(struct dp2_value *value, enum dp2_value_kind kind, uint32_t number)
{
    value->kind = kind;
    value->number = number;
}

/* A name, or a number without a name. */
static void decode_name(struct dp2_value *value, const char *name, uint32_t number)
{
    decode_number(value, name ? DP2_VALUE_NAME : DP2_VALUE_UNSIGNED, number);
    value->name = name;
}

static void decode_flags(struct dp2_value *value, char set, uint32_t number)
{
    decode_number(value, DP2_VALUE_FLAGS, number);
    value->set = set;
}

static void decode_array(struct dp2_value *value, enum dp2_value_kind kind, const uint8_t *at, size_t count)
{
    value->kind = kind;
    value->at = at;
    value->count = count;
}

/* Letters that mean the same for a field and for the value of a state. False: the letter is another one. */
static bool decode_common(struct dp2_value *value, char letter, const uint8_t *at)
{
    switch (letter) {
    case 'f':
        decode_array(value, DP2_VALUE_FLOAT, at, 1);
        return true;
    case 'c':
        decode_number(value, DP2_VALUE_COLOR, dp2_read_u32(at));
        return true;
    case 'x':
        decode_number(value, DP2_VALUE_HEX, dp2_read_u32(at));
        return true;
    default:
        return false;
    }
}

static void decode_state_value(struct dp2_value *value, const struct dp2_state_name *state, const uint8_t *at)
{
    const char type = state ? state->type : 'x';
    const uint32_t number = dp2_read_u32(at);

    if (decode_common(value, type, at))
        return;
    if (type == 'b')
        decode_number(value, number > 1 ? DP2_VALUE_UNSIGNED : DP2_VALUE_BOOL, number);
    else if (dp2_is_flag_state(type))
        decode_flags(value, type, number);
    else
        decode_name(value, dp2_value_name(type, number), number);
}

static void decode_format(struct dp2_value *value, uint32_t number)
{
    decode_name(value, dp2_format_name(number, value->text), number);
    if (value->kind != DP2_VALUE_NAME)
        value->kind = DP2_VALUE_HEX;
}

/* Enumerated and packed DWORDs. */
static void decode_dword(struct dp2_value *value, char letter, const uint8_t *at, const struct dp2_state_name **state)
{
    const uint32_t number = dp2_read_u32(at);
    const char enumeration = dp2_letter_enumeration(letter);

    if (decode_common(value, letter, at))
        return;
    switch (letter) {
    case 'S':
        *state = dp2_render_state_name(number);
        decode_name(value, *state ? (*state)->name : NULL, number);
        break;
    case 'V':
        decode_state_value(value, *state, at);
        break;
    case 'F':
        decode_name(value, dp2_fvf_name(number, value->text), number);
        break;
    case 'L':
        decode_name(value, dp2_clear_flags_name(number, value->text), number);
        break;
    case 'D':
        decode_format(value, number);
        break;
    case 'i':
        decode_number(value, DP2_VALUE_SIGNED, number);
        break;
    default:
        if (dp2_is_flag_set(letter)) {
            decode_flags(value, letter, number);
            break;
        }
        decode_name(value, enumeration ? dp2_value_name(enumeration, number) : NULL, number);
        break;
    }
}

void dp2_decode_value(struct dp2_value *value, char letter, const uint8_t *at, const struct dp2_state_name **state)
{
    switch (letter) {
    case 'y':
        decode_number(value, DP2_VALUE_UNSIGNED, *at);
        break;
    case 't':
    case 'g':
    case '6':
        decode_name(value, dp2_value_name(dp2_letter_enumeration(letter), *at), *at);
        break;
    case 'w':
        decode_number(value, DP2_VALUE_UNSIGNED, dp2_read_u16(at));
        break;
    case 'E':
        decode_number(value, DP2_VALUE_HEX, dp2_read_u16(at));
        break;
    case 'T':
        *state = dp2_stage_state_name(dp2_read_u16(at));
        decode_name(value, *state ? (*state)->name : NULL, dp2_read_u16(at));
        break;
    case '3':
    case '4':
        decode_array(value, DP2_VALUE_FLOATS, at, (size_t)(letter - '0'));
        break;
    case 'M':
        decode_array(value, DP2_VALUE_FLOATS, at, 16);
        break;
    case 'Q':
        decode_array(value, DP2_VALUE_INTS, at, 2);
        break;
    case 'R':
        decode_array(value, DP2_VALUE_INTS, at, 4);
        break;
    case 'B':
        decode_array(value, DP2_VALUE_INTS, at, 6);
        break;
    default:
        decode_dword(value, letter, at, state);
        break;
    }
}
