/* SPDX-License-Identifier: MIT */
/*
 * One valid command of every token, written by hand from the layouts in the DDI documentation (not from
 * d3d/tokens.def), for the tests of dp2/ and the seeds of its fuzz target.
 */
#ifndef HALCYON_TESTS_DP2_SAMPLES_H
#define HALCYON_TESTS_DP2_SAMPLES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SAMPLE_VERTEX_SIZE 20u /* XYZ + TEX1 */

struct dp2_sample {
    uint8_t token;
    uint16_t count;
    uint32_t body_size; /* after a header that ends at a multiple of 4 */
    /* DWORDs to be written into the body before use, as {byte offset, value} pairs; 0, 0 ends. */
    struct {
        uint32_t offset, value;
    } set[8];
};

static const struct dp2_sample dp2_samples[] = {
    /* DX3 */
    {11, 0, 0, {{0}}},
    {13, 2, 8, {{0, 3}, {4, 2}}},
    /* DX6 */
    {1, 3, 12, {{0}}},
    {2, 5, 20, {{0}}},
    {3, 2, 16, {{0}}},
    {8, 3, 24, {{0, 7}, {4, 1}, {8, 34}, {12, 0xff102030}, {16, 36}, {20, 0x3f800000}}},
    {15, 7, 2, {{0}}},
    {16, 7, 2, {{0}}},
    {17, 7, 2 + 2 * 8, {{0}}},
    {18, 7, 2, {{0}}},
    {19, 7, 2, {{0}}},
    {20, 7, 2 + 2 * 9, {{0}}},
    {21, 7, 2, {{0}}},
    {22, 7, 2 + 2 * 9, {{0}}},
    {23, 2, 4 + 4 * SAMPLE_VERTEX_SIZE, {{0, 15}}},
    {24, 3, 6 * SAMPLE_VERTEX_SIZE, {{0}}},
    {25, 2, 16, {{0, 0x00010000}, {4, 4}, {8, 0x000d0001}, {12, 3}}},
    {26, 3, 2 + 18, {{0}}},
    {27, 3, 2 + 12, {{0}}},
    {28, 1, 16, {{8, 640}, {12, 480}}},
    {29, 1, 8, {{4, 0x3f800000}}},
    {30, 2, 24, {{0, 1}, {4, 1}, {8, 5}}},
    {31, 1, 8 + 4 * 16, {{0, 1}, {4, 16u << 16}}},
    {31, 9, 8 + 4 * 2, {{0, 1}, {4, 2u << 16}}}, /* the count is unused */
    {41, 1, 8, {{0, 3}, {4, 4}}},
    {42, 0, 16 + 16, {{0, 1}}}, /* still one rectangle */
    {42, 1, 16 + 16, {{0, 3}, {4, 0xff336699}, {8, 0x3f800000}, {24, 640}, {28, 480}}},
    {42, 3, 16 + 48, {{0, 7}}},
    /* DX7 */
    {32, 1, 8, {{4, 0x3f800000}}},
    {33, 1, 68, {{0, 0x3f800000}}},
    {34, 2, 16, {{0, 1}, {4, 0}, {8, 2}, {12, 1}}},
    {34, 3, 8 + 8 + 104 + 8, {{0, 0}, {8, 1}, {12, 2}, {16, 3}, {120, 1}}},
    {35, 2, 8, {{4, 1}}},
    {36, 2, 136, {{0, 2}, {68, 3}}},
    {38, 1, 36, {{0, 2}, {4, 3}}},
    {39, 1, 12, {{0, 0}, {4, 1}, {8, 1}}},
    {40, 1, 8, {{0, 2}}},
    {43, 1, 8, {{0, 2}}},
    {44, 1, 20, {{0, 1}, {4, 0x3f800000}}},
    /* DX8 */
    {45, 1, 12 + 8 + 16, {{0, 1}, {4, 8}, {8, 16}, {20, 0xfffe0101}}},
    {45, 2, 12 + 4 + 12, {{0, 1}, {4, 4}, {16, 3}}},
    {46, 1, 4, {{0, 1}}},
    {47, 1, 4, {{0, 0x112}}},
    {48, 1, 8 + 32, {{0, 4}, {4, 2}}},
    {49, 1, 12, {{4, 7}, {8, 32}}},
    {50, 1, 8, {{4, 32}}},
    {51, 1, 8, {{0, 8}, {4, 2}}},
    {52, 2, 24, {{0, 4}, {8, 12}, {12, 5}, {20, 2}}},
    {53, 1, 24, {{0, 4}, {20, 4}}},
    {54, 1, 8 + 12, {{0, 1}, {4, 12}}},
    {55, 1, 4, {{0, 1}}},
    {56, 1, 4, {{0, 1}}},
    {57, 2, 8 + 16 + 8, {{4, 1}, {24, 1}}},
    {58, 1, 12, {{8, 3}}},
    {59, 1, 12, {{0, 6}, {8, 3}}},
    {60, 1, 24, {{0, 5}, {4, 0xffffffe0}, {20, 2}}},
    {61, 4, 4 * 8 + 16 + 28 + 16 + 28, {{4, 0}, {12, 1}, {36, 2}, {72, 3}}},
    {62, 4, 4 * 8 + 12 + 16 + 12 + 16, {{4, 0}, {12, 1}, {32, 2}, {56, 3}}},
    {63, 1, 48, {{0, 2}, {4, 3}}},
    {64, 1, 24, {{0, 2}, {4, 3}}},
    {65, 1, 68, {{0, 256}}},
    {66, 1, 20, {{0, 2}}},
    {67, 1, 28, {{0, 2}}},
    /* DX9 */
    {71, 1, 8 + 8 * 3, {{0, 1}, {4, 3}}},
    {72, 1, 4, {{0, 1}}},
    {73, 1, 4, {{0, 1}}},
    {74, 1, 8 + 20, {{0, 1}, {4, 20}}},
    {75, 1, 4, {{0, 1}}},
    {76, 1, 4, {{0, 1}}},
    {77, 1, 8 + 16, {{4, 1}}},
    {79, 1, 16, {{8, 64}, {12, 64}}},
    {80, 1, 16, {{4, 7}, {12, 32}}},
    {81, 1, 52, {{0, 2}, {24, 3}}},
    {82, 1, 24, {{0, 2}, {20, 0xff00ff00}}},
    {83, 1, 8 + 4 * 5, {{4, 5}}},
    {84, 1, 8, {{4, 9}}},
    {85, 1, 8, {{0, 1}}},
    {86, 1, 4, {{0, 4}}},
    {89, 1, 8, {{0, 2}, {4, 2}}},
    {90, 1, 4, {{0, 1}}},
    {91, 1, 8, {{4, 1}}},
    {93, 1, 8 + 48, {{4, 3}}},
    {94, 1, 8 + 4, {{4, 1}}},
    {95, 1, 8, {{4, 0x40000002}}},
    {96, 1, 52, {{0, 2}, {24, 3}}},
    {97, 1, 12 + 4 * 3 + 4 * 5, {{0, 3}, {4, 5}, {8, 3}}},
    {97, 1, 12 + 4 * 5, {{0, 3}, {4, 5}, {8, 2}}},
    {98, 1, 32, {{0, 2}, {4, 3}, {12, 1}}},
    /* ours */
    {200, 2, 16, {{0, 3}, {4, 5}, {8, 3}}},
    {201, 2, 12 + 8 + 12, {{0, 1}, {4, 5}, {8, 0xff102030}, {12, 0x6e656353}, {16, 0x65}, {20, 2}}},
};
#define DP2_SAMPLE_COUNT (sizeof(dp2_samples) / sizeof(dp2_samples[0]))

/* Numbers that are not allowed in a stream: without meaning, the front end's own, from driver to runtime. */
static const uint8_t dp2_unknown[] = {0, 4, 5, 6, 7, 9, 10, 12, 14, 37, 68, 69, 70, 78, 87, 88, 92, 99, 128, 254, 255};

/* Writes the command at `at`, which is a place for a header at a multiple of 4; returns its size. */
static inline size_t dp2_write_sample(uint8_t *at, const struct dp2_sample *sample)
{
    memset(at, 0, 4 + sample->body_size);
    at[0] = sample->token;
    memcpy(at + 2, &sample->count, 2);
    for (unsigned i = 0; i < 8; i++)
        if (sample->set[i].offset || sample->set[i].value)
            memcpy(at + 4 + sample->set[i].offset, &sample->set[i].value, 4);
    return 4 + sample->body_size;
}

/* All samples in a row. Tokens of an odd number of WORDs leave the next header at 2 mod 4; before inline vertices a
 * second such token restores the alignment. Returns the size; offsets (may be NULL) gets where each sample begins. */
static inline size_t dp2_write_all_samples(uint8_t *stream, size_t *offsets)
{
    static const struct dp2_sample filler = {15, 1, 2, {{0}}};
    size_t length = 0;

    for (size_t i = 0; i < DP2_SAMPLE_COUNT; i++) {
        const uint8_t token = dp2_samples[i].token;
        if ((token == 23 || token == 24) && length % 4)
            length += dp2_write_sample(stream + length, &filler);
        if (offsets)
            offsets[i] = length;
        length += dp2_write_sample(stream + length, &dp2_samples[i]);
    }
    return length;
}
#define DP2_SAMPLE_STREAM_MAX 16384

#endif
