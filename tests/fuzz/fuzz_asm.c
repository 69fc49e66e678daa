/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as assembler text. Text that is accepted must give sound events, print completely, and become the same
 * events again.
 */
#include "dp2/text/text.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    char *data;
    size_t size, capacity;
};

static void put(void *user, const char *text, size_t size)
{
    struct text *out = user;

    if (out->size + size > out->capacity) {
        out->capacity = 2 * (out->size + size) + 4096;
        out->data = realloc(out->data, out->capacity);
        if (!out->data)
            abort();
    }
    memcpy(out->data + out->size, text, size);
    out->size += size;
}

struct expected {
    const void *data;
    size_t size;
    unsigned count;
};

static bool compare(void *user, enum capture_event_type type, const void *data, size_t size)
{
    struct expected *expected = user;

    (void)type;
    if (size != expected->size || memcmp(data, expected->data, size) != 0)
        abort();
    expected->count++;
    return true;
}

static bool check(void *user, enum capture_event_type type, const void *data, size_t size)
{
    const struct capture_event event = {.type = (uint16_t)type, .size = (uint32_t)size, .data = data};
    const struct dp2_print_options options = {.style = DP2_TEXT_FULL};
    struct text text = {0};
    const struct dp2_sink sink = {put, &text};
    struct expected expected = {data, size, 0};
    const struct dp2_asm_output output = {.event = compare, .user = &expected};
    struct capture_error unsound;
    struct dp2_asm_error error;

    (void)user;
    if (size > 1u << 20)
        return true;
    if (!capture_event_is_sound(&event, &unsound))
        abort();
    dp2_print_event(&sink, &event, &options);
    if (!dp2_assemble(text.data, text.size, &output, &error) || expected.count != 1)
        abort();
    free(text.data);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct dp2_asm_output output = {.event = check};
    struct dp2_asm_error error;

    dp2_assemble((const char *)data, size, &output, &error);
    return 0;
}
