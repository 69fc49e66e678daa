/* SPDX-License-Identifier: MIT */
/*
 * The server. Other users of the machine can connect to the loopback address, and read the address of the page in the
 * list of processes (a browser gets it as an argument), so the kernel is asked whose a connection is. Pages of
 * other sites can send requests from the user's own browser: these cannot know the secret, and a name that leads to 127.0.0.1
 * is refused as a host.
 */
#define _GNU_SOURCE /* accept4 */
#include "launcher/http.h"

#include "base/base.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define HEAD_BYTES    8192
#define IDLE_SECONDS  5.0 /* a connection without a request */
#define SLOW_SECONDS  5   /* each read and write */
#define NOTHING_LOADS "default-src 'none'; frame-ancestors 'self'"

/* --- life ---------------------------------------------------------------------------------------------- */

static bool make_secret(char secret[33])
{
    uint8_t bytes[16];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    for (unsigned i = 0; i < sizeof(bytes); i++)
        snprintf(secret + 2 * (size_t)i, 3, "%02x", bytes[i]);
    return true;
}

bool http_open(struct http_server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);

    *server = (struct http_server){.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    for (unsigned i = 0; i < HTTP_MOST; i++)
        server->waiting[i].connection = -1;
    if (server->listener >= 0 && make_secret(server->secret) &&
        !bind(server->listener, (const struct sockaddr *)&address, sizeof(address)) &&
        !listen(server->listener, HTTP_MOST) && !getsockname(server->listener, (struct sockaddr *)&address, &length)) {
        server->port = ntohs(address.sin_port);
        return true;
    }
    http_close(server);
    return false;
}

void http_close(struct http_server *server)
{
    const int why = errno;

    for (unsigned i = 0; i < HTTP_MOST; i++)
        if (server->waiting[i].connection >= 0)
            close(server->waiting[i].connection);
    if (server->listener >= 0)
        close(server->listener);
    server->listener = -1;
    errno = why;
}

void http_address(const struct http_server *server, char address[HTTP_ADDRESS])
{
    snprintf(address, HTTP_ADDRESS, "http://127.0.0.1:%u/%s/", server->port, server->secret);
}

/* --- whose a connection is ------------------------------------------------------------------------------ */

/* A line of /proc/net/tcp: is it the other end of a connection from `port` to the server, and of this user? */
static bool is_own_line(const char *line, uint16_t port, uint16_t server_port)
{
    unsigned local, local_port, remote, remote_port, user;

    return sscanf(line, " %*u: %8X:%4X %8X:%4X %*X %*X:%*X %*X:%*X %*X %u", &local, &local_port, &remote, &remote_port,
                  &user) == 5 &&
           local == htonl(INADDR_LOOPBACK) && local_port == port && remote == htonl(INADDR_LOOPBACK) &&
           remote_port == server_port && user == getuid();
}

static bool is_of_this_user(const struct http_server *server, int connection)
{
    struct sockaddr_in peer;
    socklen_t length = sizeof(peer);
    FILE *list = fopen("/proc/net/tcp", "re");
    bool found = false;
    char line[512];

    if (list && !getpeername(connection, (struct sockaddr *)&peer, &length) && peer.sin_family == AF_INET)
        while (!found && fgets(line, sizeof(line), list))
            found = is_own_line(line, ntohs(peer.sin_port), server->port);
    if (list)
        fclose(list);
    return found;
}

/* --- requests ------------------------------------------------------------------------------------------------ */

/* The value of a field of the head, and its length; NULL: the head does not have it. */
static const char *find_field(const char *head, const char *name, size_t *length)
{
    const size_t name_length = strlen(name);

    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, name_length) != 0 || line[name_length] != ':')
            continue;
        line += name_length + 1;
        line += strspn(line, " \t");
        *length = strcspn(line, "\r\n");
        return line;
    }
    return NULL;
}

static bool field_is(const char *head, const char *name, const char *wanted, bool may_lack)
{
    size_t length;
    const char *value = find_field(head, name, &length);

    return value ? length == strlen(wanted) && !memcmp(value, wanted, length) : may_lack;
}

unsigned http_parse(const struct http_server *server, const char *head, struct http_request *request)
{
    char host[32], origin[40], method[8], path[HTTP_PATH + 40];
    const size_t secret = strlen(server->secret);

    snprintf(host, sizeof(host), "127.0.0.1:%u", server->port);
    snprintf(origin, sizeof(origin), "http://%s", host);
    if (sscanf(head, "%7[A-Z] %103[!-~] HTTP/1.", method, path) != 2)
        return 400;
    request->posts = !strcmp(method, "POST");
    if (!request->posts && strcmp(method, "GET") != 0)
        return 405;
    if (!field_is(head, "Host", host, false) || !field_is(head, "Origin", origin, true))
        return 403;
    if (path[0] != '/' || strncmp(path + 1, server->secret, secret) != 0 || path[1 + secret] != '/' ||
        strlen(path + 2 + secret) >= HTTP_PATH)
        return 404;
    snprintf(request->path, HTTP_PATH, "%.*s", HTTP_PATH - 1, path + 2 + secret);
    return 200;
}

/* False: the connection has ended, or the head is too long. */
static bool read_head(int connection, char head[HEAD_BYTES])
{
    size_t length = 0;

    while (length < HEAD_BYTES - 1) {
        const ssize_t got = read(connection, head + length, HEAD_BYTES - 1 - length);

        if (got <= 0)
            return false;
        length += (size_t)got;
        head[length] = 0;
        if (strstr(head, "\r\n\r\n"))
            return true;
    }
    return false;
}

static bool send_all(int connection, const char *data, size_t size)
{
    while (size) {
        const ssize_t sent = send(connection, data, size, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        data += sent;
        size -= (size_t)sent;
    }
    return true;
}

static void send_answer(int connection, const struct http_answer *answer)
{
    char head[1024], data[16384];
    size_t count;

    snprintf(head, sizeof(head),
             "HTTP/1.1 %u %s\r\nContent-Type: %s\r\nContent-Security-Policy: %s\r\nCache-Control: no-store\r\n"
             "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
             answer->status ? answer->status : 404, answer->status == 200 ? "OK" : "No",
             answer->type ? answer->type : "text/plain; charset=utf-8",
             answer->policy ? answer->policy : NOTHING_LOADS);
    if (!send_all(connection, head, strlen(head)))
        return;
    if (answer->text)
        send_all(connection, answer->text, strlen(answer->text));
    while (answer->file && (count = fread(data, 1, sizeof(data), answer->file)) > 0)
        if (!send_all(connection, data, count))
            break;
    shutdown(connection, SHUT_WR);
}

static void answer_one(struct http_server *server, int connection,
                       void (*fill)(void *user, const struct http_request *request, struct http_answer *answer),
                       void *user)
{
    char head[HEAD_BYTES];
    struct http_request request = {.path = ""};
    struct http_answer answer = {.status = 0};

    if (!read_head(connection, head))
        return;
    answer.status = http_parse(server, head, &request);
    if (answer.status == 200) {
        answer.status = 0;
        fill(user, &request, &answer);
    }
    if (!answer.text && !answer.file)
        answer.text = "no\n";
    send_answer(connection, &answer);
    if (answer.file)
        fclose(answer.file);
}

/* --- connections ------------------------------------------------------------------------------------------- */

/* Browsers open connections in advance, so a new one waits until its request comes. */
static void take_connection(struct http_server *server)
{
    const struct timeval patience = {.tv_sec = SLOW_SECONDS};
    const int connection = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);

    if (connection < 0)
        return;
    if (!is_of_this_user(server, connection)) {
        close(connection);
        return;
    }
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    for (unsigned i = 0; i < HTTP_MOST; i++)
        if (server->waiting[i].connection < 0) {
            server->waiting[i] = (struct http_waiting){connection, clock_seconds()};
            return;
        }
    close(connection);
}

void http_serve(struct http_server *server, int milliseconds,
                void (*answer)(void *user, const struct http_request *request, struct http_answer *answer), void *user)
{
    struct pollfd inputs[HTTP_MOST + 1] = {{.fd = server->listener, .events = POLLIN}};

    for (unsigned i = 0; i < HTTP_MOST; i++)
        inputs[i + 1] = (struct pollfd){.fd = server->waiting[i].connection, .events = POLLIN};
    if (poll(inputs, ARRAY_COUNT(inputs), milliseconds) <= 0)
        inputs[0].revents = 0;
    for (unsigned i = 0; i < HTTP_MOST; i++) {
        struct http_waiting *waiting = &server->waiting[i];

        if (waiting->connection < 0)
            continue;
        if (inputs[i + 1].revents)
            answer_one(server, waiting->connection, answer, user);
        else if (clock_seconds() - waiting->since < IDLE_SECONDS)
            continue;
        close(waiting->connection);
        waiting->connection = -1;
    }
    if (inputs[0].revents)
        take_connection(server);
}
