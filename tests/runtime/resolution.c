/* SPDX-License-Identifier: MIT */
/* Compares pictures of processes with different internal resolutions. */
#include "tests/runtime/resolution.h"

#include <math.h>
#include <stdlib.h>

static const char *const settings[] = {NULL, "2x", "3x"};
enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

/* Memory that the processes share, of this process and those that it starts. */
static struct resolution_view *open_view(unsigned long process, unsigned setting)
{
    char name[64];
    HANDLE mapping;

    snprintf(name, sizeof(name), "halcyon-resolution-%lu-%u", process, setting);
    mapping = CreateFileMappingA(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0, sizeof(struct resolution_view), name);
    return mapping ? MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, 0) : NULL;
}

static int draw_one(const struct resolution_picture *picture, unsigned long process, unsigned setting)
{
    struct resolution_view *view = open_view(process, setting);

    if (!view)
        return 2;
    picture->draw(view);
    view->complete = 1;
    return failure_count() != 0;
}

static void compare(const struct resolution_picture *picture, const char *setting, const struct resolution_view *plain,
                    const struct resolution_view *enlarged)
{
    unsigned different = 0, first = 0;

    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        if (color_distance(plain->pixels[i], enlarged->pixels[i]) <= picture->step)
            continue;
        first = different++ ? first : i;
    }
    if (different > picture->pixels)
        failed(__FILE__, __LINE__, "%s: %u pixels differ with %s, not %u; the first is %u, %u: %06x, not %06x",
               picture->name, different, setting, picture->pixels, first % WIDTH, first / WIDTH,
               (unsigned)enlarged->pixels[first], (unsigned)plain->pixels[first]);
    for (unsigned i = 0; i < RESOLUTION_NUMBERS; i++)
        if (!(fabsf(plain->numbers[i] - enlarged->numbers[i]) <= picture->number))
            failed(__FILE__, __LINE__, "%s: number %u is %g with %s, not %g", picture->name, i,
                   (double)enlarged->numbers[i], setting, (double)plain->numbers[i]);
}

/* A picture of one colour would prove nothing. */
static void check_content(const struct resolution_picture *picture, const struct resolution_view *view)
{
    unsigned changes = 0;

    for (unsigned i = 1; i < WIDTH * HEIGHT; i++)
        changes += view->pixels[i] != view->pixels[i - 1];
    if (changes < 100)
        failed(__FILE__, __LINE__, "%s: there is nothing in the picture", picture->name);
}

static const struct resolution_picture *current;

static void run_picture(void)
{
    struct resolution_view *views[SETTINGS];
    char option[96];

    for (unsigned i = 0; i < SETTINGS; i++) {
        snprintf(option, sizeof(option), "draw %s %lu %u", current->name, (unsigned long)GetCurrentProcessId(), i);
        views[i] = open_view(GetCurrentProcessId(), i);
        CHECK(views[i] != NULL);
        if (!views[i])
            return;
        memset(views[i], 0, sizeof(*views[i]));
        SetEnvironmentVariableA("HALCYON_INTERNAL_RESOLUTION", settings[i]);
        CHECK_EQUAL(run_self(option), 0);
        CHECK_EQUAL(views[i]->complete, 1);
    }
    SetEnvironmentVariableA("HALCYON_INTERNAL_RESOLUTION", NULL);
    check_content(current, views[0]);
    for (unsigned i = 1; i < SETTINGS; i++)
        compare(current, settings[i], views[0], views[i]);
    for (unsigned i = 0; i < SETTINGS; i++)
        UnmapViewOfFile(views[i]);
}

int resolution_run(const struct resolution_picture *pictures, unsigned count, int argc, char **argv)
{
    int status = 0;

    for (unsigned i = 0; i < count; i++) {
        struct test test = {pictures[i].name, run_picture};

        if (argc == 5 && !strcmp(argv[1], "draw")) {
            if (!strcmp(argv[2], pictures[i].name))
                return draw_one(&pictures[i], strtoul(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10));
            continue;
        }
        current = &pictures[i];
        status |= run_tests(&test, 1, argc, argv);
    }
    return status;
}
