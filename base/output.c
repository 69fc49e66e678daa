/* SPDX-License-Identifier: MIT */
/* Files that are written completely or not at all. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/process.h"

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

/* --- outputs that are open --------------------------------------------------------------------- */

/* Names for a signal handler, which finds a valid list at any time. An output that does not fit is only not removed
 * when a signal ends the process. */
#define MAX_OPEN 16
static char *volatile open_names[MAX_OPEN];

static void remember_name(char *temporary)
{
    for (unsigned i = 0; i < MAX_OPEN; i++)
        if (__sync_bool_compare_and_swap(&open_names[i], NULL, temporary))
            return;
}

static void forget_name(const char *temporary)
{
    for (unsigned i = 0; i < MAX_OPEN; i++)
        if (open_names[i] == temporary)
            open_names[i] = NULL;
}

void output_remove_temporaries(void)
{
    for (unsigned i = 0; i < MAX_OPEN; i++)
        if (open_names[i])
            unlink(open_names[i]);
}

/* --- differences of the systems ------------------------------------------------------------- */

#ifdef _WIN32

static int create_exclusively(const char *path)
{
    return _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
}

static char *output_resolve(const char *path)
{
    return strdup(path);
}

static void keep_permissions(int file, const struct stat *before)
{
    (void)file;
    (void)before;
}

static bool give_name(const struct output *output)
{
    DWORD flags = output->mode == OUTPUT_REPLACE ? MOVEFILE_REPLACE_EXISTING : 0;

    if (MoveFileExA(output->temporary, output->path, flags))
        return true;
    switch (GetLastError()) {
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    default:
        errno = EIO;
        break;
    }
    return false;
}

bool output_is_same_file(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION info[2];
    const char *const paths[2] = {a, b};

    for (unsigned i = 0; i < 2; i++) {
        HANDLE file = CreateFileA(paths[i], 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
        bool known = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, &info[i]);

        if (file != INVALID_HANDLE_VALUE)
            CloseHandle(file);
        if (!known)
            return false;
    }
    return info[0].dwVolumeSerialNumber == info[1].dwVolumeSerialNumber &&
           info[0].nFileIndexHigh == info[1].nFileIndexHigh && info[0].nFileIndexLow == info[1].nFileIndexLow;
}

#else

static int create_exclusively(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* Renaming onto a symbolic link would replace the link and not its target. */
static char *output_resolve(const char *path)
{
    char *real = realpath(path, NULL);

    return real ? real : strdup(path);
}

static void keep_permissions(int file, const struct stat *before)
{
    /* (where the system does not let us, the file has those of a new one) */
    if (fchmod(file, before->st_mode & 07777) != 0)
        errno = 0;
}

static bool give_name(const struct output *output)
{
    if (output->mode == OUTPUT_REPLACE)
        return rename(output->temporary, output->path) == 0;
    /* link() fails if the name is taken; rename() would not. Some file systems have no links. */
    if (link(output->temporary, output->path) == 0)
        return unlink(output->temporary) == 0;
    if (errno == EEXIST || access(output->path, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(output->temporary, output->path) == 0;
}

bool output_is_same_file(const char *a, const char *b)
{
    struct stat first, second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

#endif

/* --- opening and closing ----------------------------------------------------------------------------- */

static void free_names(struct output *output)
{
    int why = errno;

    if (output->temporary)
        forget_name(output->temporary);
    free(output->temporary);
    free(output->path);
    *output = (struct output){0};
    errno = why;
}

/* Creates output->temporary. Two outputs of a process may name the same file, and a killed process may have left its
 * temporary file: a file that replaces another tries several names. */
static int create_temporary(struct output *output)
{
    size_t size = strlen(output->path) + 48;
    int file = -1;

    output->temporary = malloc(size);
    if (!output->temporary) {
        errno = ENOMEM;
        return -1;
    }
    if (output->mode == OUTPUT_NEW) {
        struct stat now;

        snprintf(output->temporary, size, "%s.part", output->path);
        file = create_exclusively(output->temporary);
        /* The previous writer with this temporary name may have finished since the caller checked. */
        if (file >= 0 && stat(output->path, &now) == 0) {
            close(file);
            unlink(output->temporary);
            errno = EEXIST;
            file = -1;
        }
        return file;
    }
    for (unsigned n = 0; n < 100; n++) {
        snprintf(output->temporary, size, n ? "%s.%u-%u.part" : "%s.%u.part", output->path, process_number(), n);
        file = create_exclusively(output->temporary);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    return file;
}

static bool open_in_place(struct output *output, const char *path)
{
    output->path = strdup(path);
    output->file = fopen(path, "wb");
    if (!output->file)
        free_names(output);
    return output->file != NULL;
}

static bool open_temporary(struct output *output, const char *path, const struct stat *before)
{
    int file;

    output->path = output_resolve(path);
    file = output->path ? create_temporary(output) : -1;
    if (file < 0) {
        free_names(output);
        return false;
    }
    remember_name(output->temporary);
    if (before)
        keep_permissions(file, before);
    output->file = fdopen(file, "wb");
    if (!output->file) {
        close(file);
        unlink(output->temporary);
        free_names(output);
    }
    return output->file != NULL;
}

bool output_open(struct output *output, const char *path, enum output_mode mode)
{
    struct stat before;
    bool exists;

    *output = (struct output){.mode = mode};
    if (mode == OUTPUT_REPLACE && strcmp(path, "-") == 0) {
        output->file = stdout;
        return true;
    }
    exists = stat(path, &before) == 0;
    if (exists && mode == OUTPUT_NEW) {
        errno = EEXIST;
        return false;
    }
    if (exists && !S_ISREG(before.st_mode))
        return open_in_place(output, path);
    /* A file that may not be written is not replaced either, though its folder would allow it. */
    if (exists && access(path, W_OK) != 0)
        return false;
    return open_temporary(output, path, exists ? &before : NULL);
}

int output_stream_error(FILE *file)
{
    errno = 0;
    clearerr(file);
    if (fputc(0, file) != EOF && fflush(file) == 0)
        return EIO; /* it would continue now, with a gap */
    return errno ? errno : EIO;
}

/* Flushes the stream's buffer. False, with errno of the failed write, if it cannot. */
static bool finish_stream(struct output *output)
{
    bool whole = !ferror(output->file), flushed = fflush(output->file) == 0;
    int why = flushed ? 0 : errno;

    if (!whole && flushed)
        why = output_stream_error(output->file);

    if (output->file != stdout && fclose(output->file) != 0 && flushed) {
        why = errno;
        flushed = false;
    }
    output->file = NULL;
    errno = why;
    return whole && flushed;
}

static bool commit(struct output *output, bool keep)
{
    bool done = finish_stream(output);

    if (output->temporary) {
        done = done && give_name(output);
        if (!done && !keep) {
            int why = errno;

            unlink(output->temporary);
            errno = why;
        }
    }
    free_names(output);
    return done;
}

bool output_commit(struct output *output)
{
    return commit(output, false);
}

bool output_commit_or_keep(struct output *output)
{
    return commit(output, true);
}

static void close_without_result(struct output *output, bool keep)
{
    if (!output->file)
        return;
    if (output->file != stdout)
        fclose(output->file);
    output->file = NULL;
    if (output->temporary && !keep)
        unlink(output->temporary);
    free_names(output);
}

void output_discard(struct output *output)
{
    close_without_result(output, false);
}

void output_keep(struct output *output)
{
    close_without_result(output, true);
}
