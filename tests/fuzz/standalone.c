/* SPDX-License-Identifier: MIT */
/*
 * A main function for fuzz targets without libFuzzer: runs each named file, then so many mutations of files chosen at random, two of
 * which may be joined. What they are depends on the seed and the files alone. An input that stops the program is kept.
 *
 * usage: PROGRAM [-runs=N] [-seed=N] [-timeout=SECONDS] [-artifact_prefix=PATH] FILE...
 */
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_BYTES (1u << 20)

struct input {
    uint8_t *data;
    size_t size;
};

/* --- what is running ----------------------------------------------------------------------------- */

static const char *target = "fuzz", *prefix = "";
static uint8_t running[MOST_BYTES];
static size_t running_size;

/* The program is about to end. */
static void keep_input(void)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%scrash-%s", prefix, target);
    file = fopen(path, "wb");
    if (!file)
        return;
    fwrite(running, 1, running_size, file);
    fclose(file);
    fprintf(stderr, "the input is kept in %s\n", path);
}

static void stopped(int number)
{
    fprintf(stderr, number == SIGALRM ? "an input takes too long\n" : "aborted\n");
    keep_input();
    _exit(1);
}

/* The sanitizer of undefined behaviour has no callback: it aborts. Its runtime calls this function. */
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

static void try_input(unsigned timeout)
{
    uint8_t *exact =
        malloc(running_size ? running_size : 1); /* so that a read beyond the end is one beyond an allocation */

    if (!exact)
        exit(2);
    memcpy(exact, running, running_size);
    alarm(timeout);
    LLVMFuzzerTestOneInput(exact, running_size);
    alarm(0);
    free(exact);
}

/* --- inputs ---------------------------------------------------------------------------------------- */

static struct input read_file(const char *path)
{
    struct input input = {.data = malloc(MOST_BYTES)};
    FILE *file = fopen(path, "rb");

    if (!file || !input.data) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    input.size = fread(input.data, 1, MOST_BYTES, file);
    fclose(file);
    return input;
}

static const uint32_t words[] = {0,      1,      2,     0x7f,       0x80,       0xff,      0x7fff,
                                 0x8000, 0xffff, 65536, 0x7fffffff, 0x80000000, 0xffffffff};

static void change_byte(size_t at)
{
    if (random_one_in(2))
        running[at] = (uint8_t)random_word();
    else
        running[at] ^= (uint8_t)(1u << random_below(8));
}

/* An interesting number, or the one that is there and a little more or less. */
static void change_word(size_t at)
{
    uint32_t word;

    if (running_size - at < sizeof(word))
        return;
    memcpy(&word, running + at, sizeof(word));
    word = random_one_in(3) ? word + random_below(9) - 4 : words[random_below(sizeof(words) / sizeof(words[0]))];
    memcpy(running + at, &word, random_one_in(4) ? 2 : sizeof(word));
}

/* Some bytes move over others, or between others, or go. */
static void change_order(size_t at)
{
    const size_t most = random_one_in(8) ? 512 : 32;
    size_t length = 1 + random_below((uint32_t)most), to = random_below((uint32_t)running_size);
    uint8_t some[512];

    length = length < running_size - at ? length : running_size - at;
    memcpy(some, running + at, length);
    switch (random_below(3)) {
    case 0:
        length = length < running_size - to ? length : running_size - to;
        memcpy(running + to, some, length);
        break;
    case 1:
        if (running_size + length > MOST_BYTES)
            break;
        memmove(running + to + length, running + to, running_size - to);
        memcpy(running + to, some, length);
        running_size += length;
        break;
    default:
        memmove(running + at, running + at + length, running_size - at - length);
        running_size -= length;
        break;
    }
}

/* The beginning of this input, then the end of another. */
static void join(const struct input *other)
{
    const size_t first = random_below((uint32_t)running_size + 1), from = random_below((uint32_t)other->size + 1);
    size_t rest = other->size - from;

    rest = rest < MOST_BYTES - first ? rest : MOST_BYTES - first;
    memcpy(running + first, other->data + from, rest);
    running_size = first + rest;
}

static void mutate(const struct input *inputs, unsigned count)
{
    const struct input *input = &inputs[random_below(count)];

    memcpy(running, input->data, input->size);
    running_size = input->size;
    if (random_one_in(6))
        join(&inputs[random_below(count)]);
    for (unsigned changes = random_below(8) + 1; changes && running_size; changes--) {
        const size_t at = random_below((uint32_t)running_size);

        switch (random_below(5)) {
        case 0:
        case 1:
            change_byte(at);
            break;
        case 2:
        case 3:
            change_word(at);
            break;
        default:
            if (random_one_in(8))
                running_size = at;
            else
                change_order(at);
            break;
        }
    }
}

/* --- main ------------------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    unsigned long runs = 0;
    unsigned timeout = 0, count;
    struct input *inputs;
    int first = 1;

    target = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    for (; first < argc && argv[first][0] == '-'; first++)
        if (strncmp(argv[first], "-runs=", 6) == 0)
            runs = strtoul(argv[first] + 6, NULL, 10);
        else if (strncmp(argv[first], "-seed=", 6) == 0)
            random_seed = (uint32_t)strtoul(argv[first] + 6, NULL, 10);
        else if (strncmp(argv[first], "-timeout=", 9) == 0)
            timeout = (unsigned)strtoul(argv[first] + 9, NULL, 10);
        else if (strncmp(argv[first], "-artifact_prefix=", 17) == 0)
            prefix = argv[first] + 17;
    count = (unsigned)(argc - first);
    inputs = calloc(count ? count : 1, sizeof(*inputs));
    if (!inputs || !count) {
        fprintf(stderr, "usage: %s [-runs=N] [-seed=N] [-timeout=SECONDS] [-artifact_prefix=PATH] FILE...\n", argv[0]);
        return 2;
    }
    signal(SIGABRT, stopped);
    signal(SIGALRM, stopped);
    __sanitizer_set_death_callback(keep_input);
    for (unsigned i = 0; i < count; i++) {
        inputs[i] = read_file(argv[first + (int)i]);
        memcpy(running, inputs[i].data, inputs[i].size);
        running_size = inputs[i].size;
        try_input(timeout);
    }
    for (unsigned long run = 0; run < runs; run++) {
        mutate(inputs, count);
        try_input(timeout);
    }
    for (unsigned i = 0; i < count; i++)
        free(inputs[i].data);
    free(inputs);
    printf("%u files, %lu mutations\n", count, runs);
    return 0;
}
