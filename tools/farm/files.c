/* SPDX-License-Identifier: MIT */
/* The names of files in the folder of a farm, and documents read from them. */
#include "tools/farm/farm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

const struct tool_verb farm_messages = {.syntax = {.name = "farm"}};

const char *farm_verdict_name(enum farm_verdict verdict)
{
#define FARM_VERDICT_NAME(NUMBER, name) #name,
    static const char *const names[] = {FARM_VERDICTS(FARM_VERDICT_NAME)};

    return names[verdict];
}

void farm_id(char id[FARM_ID], const char *file)
{
    snprintf(id, FARM_ID, "%016" PRIx64, (uint64_t)XXH3_64bits(file, strlen(file)));
}

bool farm_path(char path[FARM_PATH], const char *folder, const char *format, ...)
{
    const int length = snprintf(path, FARM_PATH, "%s/", folder);
    va_list args;
    int more;

    if (length < 0 || length >= FARM_PATH)
        return false;
    va_start(args, format);
    more = vsnprintf(path + length, FARM_PATH - (size_t)length, format, args);
    va_end(args);
    return more >= 0 && more < FARM_PATH - length;
}

bool farm_result_path(char path[FARM_PATH], const char *folder, const char *file)
{
    char id[FARM_ID];

    farm_id(id, file);
    return farm_path(path, folder, "captures/%s.json", id);
}

bool farm_shard_path(char path[FARM_PATH], const char *folder, uint32_t shard)
{
    return farm_path(path, folder, "shard-%05" PRIu32 ".json", shard);
}

bool farm_picture_path(char path[FARM_PATH], const char *folder, const char *file, bool after)
{
    char id[FARM_ID];

    farm_id(id, file);
    return farm_path(path, folder, "pictures/%s-%s.png", id, after ? "after" : "before");
}

int farm_make_folder(const char *path)
{
    struct stat info;

    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return TOOL_OK;
    return tool_cannot_write(&farm_messages, path);
}

json_t *farm_load(const char *path, const char *action)
{
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    const char *format = farm_get_text(document, "format"), *is = farm_get_text(document, "action");
    uint64_t version;

    if (format && strcmp(format, "dp2-farm") == 0 && is && strcmp(is, action) == 0 &&
        farm_get_number(document, "version", JSON_SCHEMA_VERSION, &version) && version == JSON_SCHEMA_VERSION)
        return document;
    json_decref(document);
    return NULL;
}

bool farm_of_plan(const json_t *document, uint64_t plan)
{
    uint64_t hash;

    return farm_get_hash(document, "plan", &hash) && hash == plan;
}

bool farm_get_number(const json_t *object, const char *name, uint64_t most, uint64_t *number)
{
    const json_t *value = json_object_get(object, name);

    if (!json_is_integer(value) || json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) > most)
        return false;
    *number = (uint64_t)json_integer_value(value);
    return true;
}

bool farm_get_hash(const json_t *object, const char *name, uint64_t *hash)
{
    const char *text = farm_get_text(object, name);
    char *end;

    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return false;
    *hash = strtoull(text, &end, 16);
    return true;
}

const char *farm_get_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

void farm_begin(struct json_writer *json, FILE *file, const char *action, uint64_t plan)
{
    json_begin(json, file, "dp2-farm", false);
    json_put_text(json, "action", action);
    if (plan)
        json_put_hash(json, "plan", plan);
}
