/* SPDX-License-Identifier: MIT */
/* Compares pictures of processes with different values of a setting. */
#include "tests/runtime/with_settings.h"

#include <math.h>
#include <stdlib.h>

/* Memory that the processes share, of this process and those that it starts. */
static struct settings_view *open_view(unsigned long process, unsigned value)
{
    char name[64];
    HANDLE mapping;

    snprintf(name, sizeof(name), "halcyon-settings-%lu-%u", process, value);
    mapping = CreateFileMappingA(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0, sizeof(struct settings_view), name);
    return mapping ? MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, 0) : NULL;
}

static int draw_one(const struct settings_picture *picture, unsigned long process, unsigned value)
{
    struct settings_view *view = open_view(process, value);

    if (!view)
        return 2;
    picture->draw(view);
    view->complete = 1;
    return failure_count() != 0;
}

static void compare(const struct settings_picture *picture, const char *value, const struct settings_view *plain,
                    const struct settings_view *set)
{
    unsigned different = 0, first = 0;

    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        if (color_distance(plain->pixels[i], set->pixels[i]) <= picture->step)
            continue;
        first = different++ ? first : i;
    }
    if (different > picture->pixels)
        failed(__FILE__, __LINE__, "%s: %u pixels differ with %s, not %u; the first is %u, %u: %06x, not %06x",
               picture->name, different, value, picture->pixels, first % WIDTH, first / WIDTH,
               (unsigned)set->pixels[first], (unsigned)plain->pixels[first]);
    for (unsigned i = 0; i < SETTINGS_NUMBERS; i++)
        if (!(fabsf(plain->numbers[i] - set->numbers[i]) <= picture->number))
            failed(__FILE__, __LINE__, "%s: number %u is %g with %s, not %g", picture->name, i, (double)set->numbers[i],
                   value, (double)plain->numbers[i]);
}

/* A picture of one colour would prove nothing. */
static void check_content(const struct settings_picture *picture, const struct settings_view *view)
{
    unsigned changes = 0;

    for (unsigned i = 1; i < WIDTH * HEIGHT; i++)
        changes += view->pixels[i] != view->pixels[i - 1];
    if (changes < 100)
        failed(__FILE__, __LINE__, "%s: there is nothing in the picture", picture->name);
}

static const struct setting *current_setting;
static const struct settings_picture *current;

static void run_picture(void)
{
    struct settings_view *views[MOST_VALUES + 1];
    char option[96];
    unsigned count = 1;

    while (count <= MOST_VALUES && current_setting->values[count - 1])
        count++;
    for (unsigned i = 0; i < count; i++) {
        snprintf(option, sizeof(option), "draw %s %lu %u", current->name, (unsigned long)GetCurrentProcessId(), i);
        views[i] = open_view(GetCurrentProcessId(), i);
        CHECK(views[i] != NULL);
        if (!views[i])
            return;
        memset(views[i], 0, sizeof(*views[i]));
        SetEnvironmentVariableA(current_setting->variable, i ? current_setting->values[i - 1] : NULL);
        CHECK_EQUAL(run_self(option), 0);
        CHECK_EQUAL(views[i]->complete, 1);
    }
    SetEnvironmentVariableA(current_setting->variable, NULL);
    check_content(current, views[0]);
    for (unsigned i = 1; i < count; i++)
        compare(current, current_setting->values[i - 1], views[0], views[i]);
    for (unsigned i = 0; i < count; i++)
        UnmapViewOfFile(views[i]);
}

int settings_run(const struct setting *setting, const struct settings_picture *pictures, unsigned count, int argc,
                 char **argv)
{
    int status = 0;

    current_setting = setting;
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
