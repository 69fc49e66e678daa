/* SPDX-License-Identifier: MIT */
/* Text files of Wine's registry: values of one section, [Software\\Wine\\DllOverrides]. Everything else in a file stays as it is. */
#ifndef HALCYON_LAUNCHER_REGISTRY_H
#define HALCYON_LAUNCHER_REGISTRY_H

/* The value of `name` as written, with its quotes, to be freed; NULL: there is none. */
char *registry_get(const char *text, const char *name);

/* A copy of the text, to be freed, in which `name` has this value, written with its quotes; without the value if
 * `value` is NULL. The section is added if it is missing. NULL: out of memory. */
char *registry_set(const char *text, const char *name, const char *value);

#endif
