/* SPDX-License-Identifier: MIT */
/*
 * The table of configuration keys, for the tests and for tools that list it. Everyone else reads
 * values with config_string() and its relatives in base/base.h.
 */
#ifndef HALCYON_BASE_CONFIG_H
#define HALCYON_BASE_CONFIG_H

#include <stddef.h>

enum config_kind { CONFIG_STRING, CONFIG_PATH, CONFIG_INT, CONFIG_BOOL, CONFIG_CHOICE };

struct config_key {
    const char *name; /* lower case; the variable is HALCYON_ and the name in upper case */
    enum config_kind kind;
    const char *fallback; /* the default */
    const char *choices;  /* CONFIG_CHOICE: allowed values, separated by | */
    int min, max;         /* CONFIG_INT */
};

const struct config_key *config_keys(size_t *count);

/* Reads the configuration of another program than the running one, `path`: its halcyon.conf, sections and profiles. To be called before
 * any value is read. */
void config_for_program(const char *path);

/* NULL if `value` suits the key, else what is wrong with it, as the end of a sentence. */
const char *config_check(const struct config_key *key, const char *value);

/* "default", "profile of title.exe", "HALCYON_THREADS", "HALCYON_CONFIG" or the file with its line: where the value in
 * effect came from. */
const char *config_source(size_t index);

/* A setting that a known program needs (base/profiles.def). */
struct config_profile {
    const char *program; /* its file name; case does not matter */
    const char *key, *value, *reason, *source;
};

const struct config_profile *config_profiles(size_t *count);

/* Returns what was wrong with the file or the environment, one sentence each; NULL past the last
 * one. They are kept because the log itself cannot be opened before the configuration is read. */
const char *config_problem(size_t index);

#endif
