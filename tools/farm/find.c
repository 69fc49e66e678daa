/* SPDX-License-Identifier: MIT */
/* The captures that operands name: files, and those in folders. */
#include "tools/farm/farm.h"

#include "base/base.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_DEPTH 32u /* folders in folders: links may make circles */

static bool find_is_utf8(const char *text)
{
    while (*text) {
        const size_t length = utf8_length(text);

        if (!length || (unsigned char)*text < ' ')
            return false;
        text += length;
    }
    return true;
}

static int find_add(struct farm_plan *plan, const char *file)
{
    if (!find_is_utf8(file))
        return tool_fail(&farm_messages, "%s: names in a plan must be UTF-8 without control characters", file);
    if (plan->count == FARM_MAX_CAPTURES)
        return tool_fail(&farm_messages, "more than %u captures", FARM_MAX_CAPTURES);
    if (plan->count == plan->capacity) {
        struct farm_capture *bigger = mem_realloc(plan->captures, 2 * plan->capacity + 64, sizeof(*bigger));

        if (!bigger)
            return tool_fail(&farm_messages, "out of memory");
        plan->captures = bigger;
        plan->capacity = 2 * plan->capacity + 64;
    }
    plan->captures[plan->count] = (struct farm_capture){.file = strdup(file)};
    if (!plan->captures[plan->count].file)
        return tool_fail(&farm_messages, "out of memory");
    plan->count++;
    return TOOL_OK;
}

static bool find_has_name(const char *name)
{
    static const char end[] = ".capture";
    const size_t length = strlen(name);

    return length >= sizeof(end) && strcmp(name + length - (sizeof(end) - 1), end) == 0;
}

static int find_in_folder(struct farm_plan *plan, const char *folder, unsigned depth)
{
    DIR *list = opendir(folder);
    const size_t end = strlen(folder);
    const char *slash = end && folder[end - 1] == '/' ? "" : "/";
    struct dirent *entry;
    int status = TOOL_OK;

    if (!list)
        return tool_fail(&farm_messages, "%s: %s", folder, strerror(errno));
    while (status == TOOL_OK && (entry = readdir(list))) {
        char path[FARM_PATH];
        struct stat info;
        const int length = snprintf(path, sizeof(path), "%s%s%s", folder, slash, entry->d_name);

        if (entry->d_name[0] == '.')
            continue;
        if (length < 0 || length >= (int)sizeof(path))
            status = tool_fail(&farm_messages, "%s/%s: the name is too long", folder, entry->d_name);
        else if (stat(path, &info) != 0)
            continue; /* removed in the meantime, or a link to nothing */
        else if (S_ISDIR(info.st_mode) && depth < MAX_DEPTH)
            status = find_in_folder(plan, path, depth + 1);
        else if (S_ISREG(info.st_mode) && find_has_name(entry->d_name))
            status = find_add(plan, path);
    }
    closedir(list);
    return status;
}

int farm_find(struct farm_plan *plan, const char *operand)
{
    struct stat info;

    if (strlen(operand) >= FARM_PATH)
        return tool_fail(&farm_messages, "a name has more than %d bytes", FARM_PATH - 1);
    if (stat(operand, &info) != 0)
        return tool_fail(&farm_messages, "%s: %s", operand, strerror(errno));
    return S_ISDIR(info.st_mode) ? find_in_folder(plan, operand, 0) : find_add(plan, operand);
}

static int find_by_name(const void *a, const void *b)
{
    const struct farm_capture *first = a, *second = b;

    return strcmp(first->file, second->file);
}

int farm_sort(struct farm_plan *plan)
{
    if (!plan->count)
        return tool_fail(&farm_messages, "no captures found: folders are searched for files named *.capture");
    qsort(plan->captures, plan->count, sizeof(*plan->captures), find_by_name);
    for (size_t i = 1; i < plan->count; i++)
        if (strcmp(plan->captures[i - 1].file, plan->captures[i].file) == 0)
            return tool_fail(&farm_messages, "%s: named twice", plan->captures[i].file);
    return TOOL_OK;
}
