/* SPDX-License-Identifier: MIT */
/*
 * A small server for the page of a debugger: HTTP/1.1 on the loopback address, one request after the other, each on a
 * connection of its own. It answers only connections of the user who runs it, under a path that nobody can guess.
 */
#ifndef HALCYON_LAUNCHER_HTTP_H
#define HALCYON_LAUNCHER_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HTTP_PATH 64 /* bytes of a path behind the secret, with its 0 */
#define HTTP_MOST 16 /* connections that wait at once; more are closed */

struct http_waiting {
    int connection; /* -1: none */
    double since;
};

struct http_server {
    int listener; /* -1: closed */
    uint16_t port;
    char secret[33]; /* the first part of all paths */
    struct http_waiting waiting[HTTP_MOST];
};

struct http_request {
    bool posts;           /* POST, else GET */
    char path[HTTP_PATH]; /* behind "/SECRET/" */
};

/* The answer to a request: a file, or text. */
struct http_answer {
    unsigned status;    /* 200, 404 ...; 0: 404 */
    const char *type;   /* of the content */
    const char *policy; /* Content-Security-Policy; NULL: nothing may be loaded */
    const char *text;   /* NULL: `file` */
    FILE *file;         /* from its beginning; closed afterwards. NULL: nothing */
};

/* Listens on a free port of 127.0.0.1. False: see errno. */
bool http_open(struct http_server *server);
void http_close(struct http_server *server);
/* "http://127.0.0.1:PORT/SECRET/" */
#define HTTP_ADDRESS 80
void http_address(const struct http_server *server, char address[HTTP_ADDRESS]);
/* Waits for at most so long, and has requests answered by `answer`. */
void http_serve(struct http_server *server, int milliseconds,
                void (*answer)(void *user, const struct http_request *request, struct http_answer *answer), void *user);

/* Parses the head of a request, which ends with an empty line; returns the status to answer with, 200 if it may be
 * answered. For tests, too: heads come from strangers. */
unsigned http_parse(const struct http_server *server, const char *head, struct http_request *request);

#endif
