/* SPDX-License-Identifier: MIT */
/* One call of the stream. */
#include "tools/import/methods.h"
#include "tools/import/player/player.h"

#include <string.h>

#define MOST_RESULTS 4 /* pointers of a call to interface pointers */

/*
 * Any method, by the calling convention of 64-bit Windows: up to four arguments in registers, the others in memory, 8 bytes each, and the
 * caller removes them, so that a method does not notice arguments after its own. Floats among the first four have registers of
 * their own.
 */
typedef uintptr_t(WINAPI *method_function)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                           uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef uintptr_t(WINAPI *float_function)(void *, float);
#if !defined(_WIN64)
#error "the player is a 64-bit program"
#endif

/* A call while its arguments are read. */
struct playing {
    struct player *player;
    struct stream_call head;
    uintptr_t arguments[STREAM_ARGUMENTS];
    struct {
        void *iface; /* where the call stores it */
        uint32_t number;
        enum import_class class;
    } results[MOST_RESULTS];
    unsigned result_count;
    DWORD new_handle;
    uint32_t handle_number; /* of new_handle, if has_handle */
    bool has_handle, has_lock;
    struct stream_lock lock;
    union player_lock_answer answer;
};

static const char *read_result(struct playing *p, const struct stream_argument *argument, uintptr_t *value)
{
    if (p->result_count == MOST_RESULTS || argument->value >= CLASS_COUNT)
        return "too many results";
    p->results[p->result_count].number = argument->number;
    p->results[p->result_count].class = (enum import_class)argument->value;
    *value = (uintptr_t)&p->results[p->result_count++].iface;
    return NULL;
}

static const char *read_parameters(struct playing *p, const struct stream_argument *argument, uint8_t *bytes)
{
    const HWND window = argument->number <= STREAM_WINDOWS ? p->player->windows[argument->number] : NULL;

    if (argument->value > argument->size || argument->size - argument->value < sizeof(window))
        return "the parameters are too short";
    memcpy(bytes + argument->value, &window, sizeof(window));
    return NULL;
}

static const char *read_lock(struct playing *p, const struct stream_argument *argument, const uint8_t *bytes,
                             uintptr_t *value)
{
    if (argument->size != sizeof(p->lock) || p->has_lock)
        return "the lock is damaged";
    memcpy(&p->lock, bytes, sizeof(p->lock));
    p->has_lock = true;
    *value = (uintptr_t)&p->answer;
    return NULL;
}

static const char *read_handle(struct playing *p, const struct stream_argument *argument, uintptr_t *value)
{
    const struct player_object *object = player_object(p->player, argument->number);

    if (!object || !object->has_handle)
        return "there is no such handle";
    *value = object->handle;
    return NULL;
}

/* Returns NULL, or why the call cannot be made. */
static const char *read_argument(struct playing *p, const struct stream_argument *argument, uint8_t *bytes,
                                 uintptr_t *value)
{
    const struct player_object *object;

    *value = 0;
    switch (argument->kind) {
    case STREAM_NUMBER:
        *value = (uintptr_t)argument->value;
        return NULL;
    case STREAM_NULL:
        return NULL;
    case STREAM_PARAMETERS:
        *value = (uintptr_t)bytes;
        return read_parameters(p, argument, bytes);
    case STREAM_BYTES:
        *value = (uintptr_t)bytes;
        return NULL;
    case STREAM_OBJECT:
        object = player_object_of(p->player, argument->number, CLASS_NONE);
        *value = object ? (uintptr_t)object->iface : 0;
        return object ? NULL : "an object is missing";
    case STREAM_RESULT:
        return read_result(p, argument, value);
    case STREAM_WINDOW_HANDLE:
        *value = argument->number <= STREAM_WINDOWS ? (uintptr_t)p->player->windows[argument->number] : 0;
        return NULL;
    case STREAM_ANSWER:
        *value = (uintptr_t)p->player->scratch;
        return NULL;
    case STREAM_LOCK:
        return read_lock(p, argument, bytes, value);
    case STREAM_HANDLE:
        return read_handle(p, argument, value);
    case STREAM_NEW_HANDLE:
        p->has_handle = true;
        p->handle_number = argument->number;
        *value = (uintptr_t)&p->new_handle;
        return NULL;
    default:
        return "an argument has an unknown kind";
    }
}

static const char *read_arguments(struct playing *p, uint8_t *at, size_t left)
{
    struct stream_argument argument;
    const char *why = NULL;
    size_t size;

    if (p->head.count > STREAM_ARGUMENTS)
        return "too many arguments";
    for (unsigned i = 0; i < p->head.count && !why; i++) {
        if (left < sizeof(argument))
            return "the record is too short";
        memcpy(&argument, at, sizeof(argument));
        at += sizeof(argument);
        left -= sizeof(argument);
        size = ((size_t)argument.size + 7) / 8 * 8;
        if (size > left)
            return "the record is too short";
        why = read_argument(p, &argument, at, &p->arguments[i]);
        at += size;
        left -= size;
    }
    return why;
}

/* --- functions ------------------------------------------------------------------------------------ */

static FARPROC function_of(struct player *player, enum stream_function function)
{
    static const char *const names[] = {
        [STREAM_CREATE8] = "Direct3DCreate8",     [STREAM_CREATE9] = "Direct3DCreate9",
        [STREAM_CREATE9EX] = "Direct3DCreate9Ex", [STREAM_BEGIN_EVENT] = "D3DPERF_BeginEvent",
        [STREAM_END_EVENT] = "D3DPERF_EndEvent",  [STREAM_SET_MARKER] = "D3DPERF_SetMarker"};
    HMODULE *library = &player->libraries[function != STREAM_CREATE8];

    if (function == STREAM_METHOD || function >= sizeof(names) / sizeof(names[0]))
        return NULL;
    if (!*library)
        *library = LoadLibraryA(function == STREAM_CREATE8 ? "d3d8.dll" : "d3d9.dll");
    return *library ? GetProcAddress(*library, names[function]) : NULL;
}

static const char *call_function(struct playing *p)
{
    const FARPROC function = function_of(p->player, (enum stream_function)p->head.function);
    const uintptr_t *a = p->arguments;
    IUnknown *created = NULL;
    HRESULT hr = E_FAIL;

    if (!function)
        return "a function is missing";
    switch (p->head.function) {
    case STREAM_CREATE8:
    case STREAM_CREATE9:
        created = ((IUnknown * (WINAPI *)(UINT))(void *)function)((UINT)a[0]);
        hr = created ? S_OK : E_FAIL;
        break;
    case STREAM_CREATE9EX:
        hr = ((HRESULT(WINAPI *)(UINT, IUnknown **))(void *)function)((UINT)a[0], &created);
        break;
    case STREAM_END_EVENT:
        ((int(WINAPI *)(void))(void *)function)();
        return NULL;
    default:
        if (p->head.count == 2 && a[1])
            ((int(WINAPI *)(DWORD, const WCHAR *))(void *)function)((DWORD)a[0], (const WCHAR *)a[1]);
        return NULL;
    }
    if (FAILED(hr) || !created || !p->result_count)
        return "Direct3D cannot be started";
    return player_object_take(p->player, p->results[0].number, p->results[0].class, created)
               ? NULL
               : "it returned another object than the trace";
}

/* --- methods -------------------------------------------------------------------------------------- */

static uintptr_t call_method(const struct playing *p, IUnknown *iface)
{
    void *const function = (*(void ***)iface)[p->head.slot];
    const uintptr_t *a = p->arguments;

    if (p->head.flags & STREAM_FLOAT) {
        const uint32_t bits = (uint32_t)a[0];
        float value;

        memcpy(&value, &bits, sizeof(value));
        return ((float_function)function)(iface, value);
    }
    return ((method_function)function)(iface, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

/* Keeps the objects, handles and locks that the call has returned. Returns NULL, or why it cannot. */
static const char *take_results(struct playing *p, HRESULT hr)
{
    struct player_object *handle, *self = player_object_of(p->player, p->head.object, CLASS_NONE);
    const char *why = NULL;

    if (FAILED(hr))
        return NULL; /* (the comparison tells) */
    for (unsigned i = 0; i < p->result_count; i++)
        if (p->results[i].iface &&
            !player_object_take(p->player, p->results[i].number, p->results[i].class, p->results[i].iface))
            why = "it returned another object than the trace";
    if (p->has_handle && p->handle_number) {
        handle = player_object(p->player, p->handle_number);
        if (handle && !handle->iface)
            *handle = (struct player_object){.handle = p->new_handle, .has_handle = true};
    }
    if (p->has_lock && self && !player_lock_add(p->player, self, p->head.object, &p->lock, &p->answer))
        why = "the layout of the locked memory is unknown";
    return why;
}

static const char *play_method(struct playing *p)
{
    struct player_object *object = p->head.class < CLASS_COUNT
                                       ? player_object_of(p->player, p->head.object, (enum import_class)p->head.class)
                                       : NULL;
    uintptr_t result;

    if (!object)
        return "its object is missing";
    if (p->head.slot >= import_class_methods(object->class))
        return "there is no such method";
    result = call_method(p, object->iface);
    if (p->head.flags & STREAM_UNLOCK)
        player_lock_remove(p->player, p->head.object, p->head.key);
    if (p->head.flags & STREAM_ADDREF)
        object->references++;
    else if (p->head.flags & STREAM_RELEASE)
        player_object_drop(p->player, p->head.object);
    if (p->head.flags & STREAM_PRESENT)
        player_messages();
    if (!(p->head.flags & STREAM_COMPARE))
        return NULL;
    /* (two successes are one: whether a window is hidden differs) */
    if ((uint32_t)result != p->head.expected && (FAILED((HRESULT)result) || FAILED((HRESULT)p->head.expected)))
        player_answer("call %llu %u %u %x %x", (unsigned long long)p->head.number, (unsigned)p->head.class,
                      (unsigned)p->head.slot, (unsigned)p->head.expected, (unsigned)(uint32_t)result);
    return take_results(p, (HRESULT)(uint32_t)result);
}

void player_call(struct player *player, const void *body, size_t size)
{
    struct playing p = {.player = player};
    uint8_t *bytes = (uint8_t *)body;
    const char *why;

    if (size < sizeof(p.head))
        return;
    memcpy(&p.head, bytes, sizeof(p.head));
    why = read_arguments(&p, bytes + sizeof(p.head), size - sizeof(p.head));
    if (!why)
        why = p.head.function == STREAM_METHOD ? play_method(&p) : call_function(&p);
    if (why)
        player_answer("bad %llu %u %u %u %s", (unsigned long long)p.head.number, (unsigned)p.head.function,
                      (unsigned)p.head.class, (unsigned)p.head.slot, why);
    else
        player->calls++;
}
