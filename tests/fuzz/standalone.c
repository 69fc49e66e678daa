/* SPDX-License-Identifier: MIT */
/*
 * A main function for fuzz targets without libFuzzer (gcc): runs each named file, then the requested number of
 * mutations of the files, which depend only on the seed.
 *
 * usage: PROGRAM [-runs=N] [-seed=N] FILE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_INPUT (1u << 20)

static size_t read_file(const char *path, uint8_t *data)
{
    FILE *file = fopen(path, "rb");
    size_t size;

    if (!file) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        exit(2);
    }
    size = fread(data, 1, MAX_INPUT, file);
    fclose(file);
    return size;
}

/* One to eight small changes: bytes, words, cuts, copies. */
static size_t mutate(uint8_t *data, size_t size)
{
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 65536};

    for (uint32_t changes = 1 + random_word() % 8; changes && size; changes--) {
        const size_t at = random_word() % size;
        const size_t length = 1 + random_word() % 32;
        switch (random_word() % 5) {
        case 0:
            data[at] = (uint8_t)random_word();
            break;
        case 1:
            data[at] ^= (uint8_t)(1u << random_word() % 8);
            break;
        case 2:
            if (size - at >= 4)
                memcpy(data + at, &words[random_word() % 7], 4);
            break;
        case 3:
            size = random_word() % 8 ? size : at;
            break;
        default:
            if (size - at >= length)
                memmove(data + random_word() % (size - length + 1), data + at, length);
            break;
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    static uint8_t original[MAX_INPUT], data[MAX_INPUT];
    unsigned long runs = 0;
    int first = 1;

    while (first < argc && argv[first][0] == '-') {
        if (strncmp(argv[first], "-runs=", 6) == 0)
            runs = strtoul(argv[first] + 6, NULL, 10);
        if (strncmp(argv[first], "-seed=", 6) == 0)
            random_seed = (uint32_t)strtoul(argv[first] + 6, NULL, 10);
        first++;
    }
    for (int i = first; i < argc; i++) {
        const size_t size = read_file(argv[i], original);
        LLVMFuzzerTestOneInput(original, size);
        for (unsigned long run = 0; run < runs; run++) {
            memcpy(data, original, size);
            LLVMFuzzerTestOneInput(data, mutate(data, size));
        }
    }
    printf("%d files, %lu mutations of each\n", argc - first, runs);
    return 0;
}
