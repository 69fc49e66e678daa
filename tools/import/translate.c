/* SPDX-License-Identifier: MIT */
/* One call of a trace after the other. */
#include "tools/import/translate.h"

#include "base/base.h"
#include "bytecode/bytecode.h"

#include <stdlib.h>
#include <string.h>

#define E_LOST      0x88760868u /* D3DERR_DEVICELOST */
#define E_NOT_RESET 0x88760869u /* D3DERR_DEVICENOTRESET */
#define DO_NOT_WAIT 0x4000u     /* D3DLOCK_DONOTWAIT */

/* A call that becomes a record. */
struct translation {
    struct translator *translator;
    const struct trace_call *call;
    const struct import_method *method; /* NULL: a function */
    enum import_class class;            /* of the object */
    unsigned version;
    struct import_object object;        /* (a copy: the map may grow) */
    uint64_t numbers[STREAM_ARGUMENTS]; /* arguments that are numbers; 0: others */
    struct stream_call head;
    size_t begin; /* of the record */
};

/* An argument as the program passed it. Tracers tell what a call also changes only as the call has left it. */
static const struct trace_value *passed(const struct trace_call *call, unsigned index)
{
    return call->in[index + 1].type != TRACE_NONE ? &call->in[index + 1] : &call->out[index + 1];
}

static void not_understood(struct translator *translator, const struct trace_call *call, const char *why)
{
    import_report_add(&translator->report, call->name, call->number, "%s", why);
}

static bool refuse(struct translation *t, const char *why)
{
    not_understood(t->translator, t->call, why);
    return false;
}

static bool is_failed(const struct translation *t, uint64_t result)
{
    return strcmp(t->method->result, "HRESULT") == 0 && (uint32_t)result >> 31;
}

/* --- records -------------------------------------------------------------------------------------- */

static bool add(struct translator *translator, const void *data, size_t size)
{
    translator->failed |= !import_bytes_add(&translator->bytes, data, size);
    return !translator->failed;
}

static void put_record(struct translator *translator, enum stream_kind kind, const void *body, size_t size)
{
    const struct stream_record record = {kind, (uint32_t)size};

    if (add(translator, &record, sizeof(record)) && size)
        add(translator, body, size);
}

static void begin_call(struct translation *t)
{
    t->begin = t->translator->bytes.size;
    t->head.number = t->call->number;
    put_record(t->translator, STREAM_CALL, &t->head, sizeof(t->head));
}

/* The record is complete: its head is as it is now. */
static void end_call(struct translation *t)
{
    struct import_bytes *bytes = &t->translator->bytes;
    const size_t size = bytes->size - t->begin - sizeof(struct stream_record);
    const struct stream_record record = {STREAM_CALL, (uint32_t)size};

    if (t->translator->failed)
        return;
    if (size > STREAM_RECORD) {
        bytes->size = t->begin;
        refuse(t, "the call holds too much");
        return;
    }
    memcpy(bytes->data + t->begin, &record, sizeof(record));
    memcpy(bytes->data + t->begin + sizeof(record), &t->head, sizeof(t->head));
}

static bool put_argument(struct translation *t, enum stream_argument_kind kind, uint32_t number, uint64_t value)
{
    const struct stream_argument argument = {kind, number, value, 0, 0};

    t->head.count++;
    return add(t->translator, &argument, sizeof(argument));
}

/* --- windows -------------------------------------------------------------------------------------- */

/* The number of a window, which the player has from here on with this size; 0 x 0: any. 0: no window. */
static uint32_t announce_window(struct translator *translator, uint64_t handle, uint32_t width, uint32_t height)
{
    struct import_object *window = import_object_find(&translator->objects, SPACE_WINDOW, handle);
    struct stream_window body;

    if (!handle)
        return 0;
    if (!window)
        window = import_object_make(&translator->objects, SPACE_WINDOW, handle, CLASS_NONE);
    if (!window)
        return 0;
    if (!width || !height) {
        width = window->width ? window->width : 640;
        height = window->height ? window->height : 480;
    }
    if (window->width != width || window->height != height) {
        window->width = BASE_MIN(width, 16384u);
        window->height = BASE_MIN(height, 16384u);
        body = (struct stream_window){window->number, window->width, window->height, 0};
        put_record(translator, STREAM_WINDOW, &body, sizeof(body));
    }
    return window->number;
}

/* Windows that a call names get the size of the back buffer that they were given: the program's windows are not in the trace. */
static void announce_windows(struct translation *t)
{
    uint64_t focus = 0, device = 0, width = 0, height = 0;
    const char *layout;

    for (unsigned i = 0; i < t->method->count; i++) {
        const struct trace_value *in = passed(t->call, i), *out = &t->call->out[i + 1];
        const enum argument_kind kind = import_argument_kind(&t->method->arguments[i], t->version, &layout);

        if (kind == ARGUMENT_WINDOW)
            import_number(in, &focus);
        if (kind != ARGUMENT_PARAMETERS)
            continue;
        import_member(in, t->version == 8 ? 6 : 7, &device);
        if (!import_member(out, 0, &width) || !import_member(out, 1, &height) || !width || !height) {
            import_member(in, 0, &width);
            import_member(in, 1, &height);
        }
    }
    if (focus != device)
        announce_window(t->translator, focus, device ? 0 : (uint32_t)width, device ? 0 : (uint32_t)height);
    if (device)
        announce_window(t->translator, device, (uint32_t)width, (uint32_t)height);
}

/* --- handles of Direct3D 8 ------------------------------------------------------------------------- */

/* Arguments that are numbers which the device gives out, or has given out. */
static const struct {
    const char *method;
    unsigned index;
    enum import_space space;
    bool made;
} handles[] = {
    {"CreateVertexShader", 2, SPACE_VERTEX_SHADER, true},  {"SetVertexShader", 0, SPACE_VERTEX_SHADER, false},
    {"DeleteVertexShader", 0, SPACE_VERTEX_SHADER, false}, {"CreatePixelShader", 1, SPACE_PIXEL_SHADER, true},
    {"SetPixelShader", 0, SPACE_PIXEL_SHADER, false},      {"DeletePixelShader", 0, SPACE_PIXEL_SHADER, false},
    {"CreateStateBlock", 1, SPACE_STATE_BLOCK, true},      {"EndStateBlock", 0, SPACE_STATE_BLOCK, true},
    {"ApplyStateBlock", 0, SPACE_STATE_BLOCK, false},      {"CaptureStateBlock", 0, SPACE_STATE_BLOCK, false},
    {"DeleteStateBlock", 0, SPACE_STATE_BLOCK, false},
};

/* *taken: the argument is a handle. Returns false if memory ran out. */
static bool put_handle(struct translation *t, unsigned index, bool *taken)
{
    const struct trace_value *in = &t->call->in[index + 1], *out = &t->call->out[index + 1];
    struct import_object *object = NULL;
    uint64_t value = 0;

    *taken = false;
    for (unsigned i = 0; t->class == CLASS_IDirect3DDevice8 && i < ARRAY_COUNT(handles); i++) {
        if (handles[i].index != index || strcmp(handles[i].method, t->method->name) != 0)
            continue;
        if (handles[i].made && import_member(out, 0, &value))
            object = import_object_make(&t->translator->objects, handles[i].space, value, CLASS_NONE);
        else if (!handles[i].made && import_number(in, &value))
            object = import_object_find(&t->translator->objects, handles[i].space, value);
        *taken = handles[i].made || object; /* (a vertex shader may also be a vertex format, a number like any other) */
        if (handles[i].made)
            return put_argument(t, STREAM_NEW_HANDLE, object ? object->number : 0, 0);
        return !object || put_argument(t, STREAM_HANDLE, object->number, 0);
    }
    return true;
}

/* --- locks ---------------------------------------------------------------------------------------- */

static bool is_lock(const struct import_method *method)
{
    return strncmp(method->name, "Lock", 4) == 0;
}

static bool is_unlock(const struct import_method *method)
{
    return strncmp(method->name, "Unlock", 6) == 0;
}

/* The part of its object that a lock or the end of one is about: level, and face of a cube. */
static uint32_t key_of(const struct translation *t)
{
    if (t->class == CLASS_IDirect3DCubeTexture8 || t->class == CLASS_IDirect3DCubeTexture9)
        return (uint32_t)(t->numbers[0] & 7) * 32 + (uint32_t)(t->numbers[1] & 31);
    return strstr(import_class_name(t->class), "Texture") ? (uint32_t)(t->numbers[0] & 31) : 0;
}

/* The rectangle or box of a lock. */
static bool read_part(const struct translation *t, struct stream_lock *lock)
{
    uint32_t *const rect[] = {&lock->left, &lock->top, &lock->right, &lock->bottom, &lock->front, &lock->back};
    const unsigned members = lock->kind == STREAM_LOCK_BOX ? 6 : 4;
    const struct trace_value *part = &t->call->in[t->method->count - 1]; /* before the flags */
    uint64_t number;

    lock->whole = part->type == TRACE_NULL;
    for (unsigned i = 0; i < members && !lock->whole; i++) {
        if (!import_member(part, i, &number))
            return false;
        *rect[i] = (uint32_t)number;
    }
    return true;
}

static bool put_lock(struct translation *t, unsigned index)
{
    const struct trace_value *out = &t->call->out[index + 1];
    struct import_lock made = {.object = t->object.number, .key = key_of(t)};
    struct stream_lock lock = {.kind = STREAM_LOCK_BUFFER, .key = made.key, .level = made.key & 31};
    const struct stream_argument argument = {STREAM_LOCK, 0, 0, sizeof(lock), 0};
    uint64_t pitch = 0, slice = 0;
    bool answered;

    if (strcmp(t->method->name, "Lock") == 0) {
        lock.offset = (uint32_t)t->numbers[0];
        lock.size = (uint32_t)t->numbers[1];
        answered = import_member(out, 0, &made.address);
    } else {
        lock.kind = strcmp(t->method->name, "LockBox") == 0 ? STREAM_LOCK_BOX : STREAM_LOCK_RECT;
        answered = import_member(out, 0, &pitch) &&
                   import_member(out, lock.kind == STREAM_LOCK_BOX ? 2 : 1, &made.address) &&
                   (lock.kind == STREAM_LOCK_RECT || import_member(out, 1, &slice));
        made.pitch = (uint32_t)pitch;
        made.slice = (uint32_t)slice;
        if (!read_part(t, &lock))
            return refuse(t, "the locked part is not a rectangle or box");
    }
    if (answered && made.address && !import_lock_add(&t->translator->objects, &made))
        return refuse(t, "too many locks at once");
    t->head.count++;
    return add(t->translator, &argument, sizeof(argument)) && add(t->translator, &lock, sizeof(lock));
}

/* The program's writes to locked memory: the tracer's memcpy of the locked memory, before it is unlocked. */
static void translate_write(struct translator *translator, const struct trace_call *call)
{
    const struct trace_value *data = &call->in[1];
    const struct import_lock *lock;
    struct stream_write write;
    struct stream_record record;
    uint64_t address;

    if (call->count != 3 || data->type != TRACE_BLOB || !import_number(&call->in[0], &address)) {
        not_understood(translator, call, "its arguments are not those that the tracer records");
        return;
    }
    lock = import_lock_find(&translator->objects, address);
    if (!lock) {
        not_understood(translator, call, "no lock has this memory");
        return;
    }
    if (data->blob.size > STREAM_RECORD - sizeof(write)) {
        not_understood(translator, call, "the call holds too much");
        return;
    }
    write =
        (struct stream_write){call->number, lock->object, lock->key, address - lock->address, lock->pitch, lock->slice};
    record = (struct stream_record){STREAM_WRITE, (uint32_t)((sizeof(write) + data->blob.size + 7) / 8 * 8)};
    if (add(translator, &record, sizeof(record)) && add(translator, &write, sizeof(write)) &&
        add(translator, data->blob.bytes, data->blob.size))
        import_bytes_align(&translator->bytes);
}

/* --- bytes behind pointers ------------------------------------------------------------------------ */

/* Adds the end of a list that the method reads to its end. */
static bool end_list(struct translation *t, unsigned index, size_t begin)
{
    static const uint8_t last_element[8] = {0xff, 0, 0, 0, 17, 0, 0, 0}; /* D3DDECL_END */
    static const uint32_t last_tokens[64] = {[0 ... 63] = 0xffffffff};   /* D3DVSD_END, as many as a token may skip */
    struct import_bytes *bytes = &t->translator->bytes;
    const size_t size = bytes->size - begin;
    const bool creates_vertices = strcmp(t->method->name, "CreateVertexShader") == 0;

    if (strcmp(t->method->name, "CreateVertexDeclaration") == 0)
        return add(t->translator, last_element, sizeof(last_element));
    if (creates_vertices && t->version == 8 && index == 0)
        return add(t->translator, last_tokens, sizeof(last_tokens));
    if (!creates_vertices && strcmp(t->method->name, "CreatePixelShader") != 0)
        return true;
    if (size % 4 || !shader_bytecode_length((const uint32_t *)(const void *)(bytes->data + begin), size / 4))
        return refuse(t, "the shader has no end");
    return true;
}

/* `kind`: STREAM_BYTES or STREAM_PARAMETERS */
static bool put_bytes(struct translation *t, unsigned index, const char *layout, enum stream_argument_kind kind,
                      uint32_t number, uint64_t value)
{
    const struct trace_value *in = passed(t->call, index);
    struct import_bytes *bytes = &t->translator->bytes;
    struct stream_argument argument = {kind, number, value, 0, 0};
    const size_t head = bytes->size, begin = head + sizeof(argument);
    size_t needed;
    bool fits;

    if (in->type == TRACE_NULL)
        return put_argument(t, STREAM_NULL, 0, 0);
    if (in->type == TRACE_NONE)
        return refuse(t, t->head.expected >> 31 ? "it failed, and the tracer has left out arguments"
                                                : "an argument is missing");
    t->head.count++;
    if (!add(t->translator, &argument, sizeof(argument)))
        return false;
    if (!import_put(bytes, in, layout))
        return refuse(t, "an argument does not have the form of its type");
    needed = import_needed(t->method->name, index, t->numbers, &fits);
    if (!fits || needed > bytes->size - begin)
        return refuse(t, "an argument is shorter than the call reads");
    if (!end_list(t, index, begin))
        return false;
    if (bytes->size - begin > STREAM_RECORD)
        return refuse(t, "the call holds too much");
    argument.size = (uint32_t)(bytes->size - begin);
    memcpy(bytes->data + head, &argument, sizeof(argument));
    import_bytes_align(bytes);
    return true;
}

static bool put_parameters(struct translation *t, unsigned index, const char *layout)
{
    uint64_t handle = 0;
    const struct import_object *window;

    import_member(passed(t->call, index), t->version == 8 ? 6 : 7, &handle);
    window = import_object_find(&t->translator->objects, SPACE_WINDOW, handle);
    return put_bytes(t, index, layout, STREAM_PARAMETERS, window ? window->number : 0, t->version == 8 ? 24 : 32);
}

/* --- objects -------------------------------------------------------------------------------------- */

/* "IDirect3DDevice9 **": the class; of "void **" and base classes that of the object that had this address before. */
static enum import_class result_class(const struct translation *t, unsigned index, const struct import_object *known)
{
    const char *type = t->method->arguments[index].type;
    const enum import_class class = import_class_find(type, strcspn(type, " "));

    return class != CLASS_NONE ? class : known ? known->class : CLASS_NONE;
}

/* Does the method make an object, rather than return one that there may already be? */
static bool makes(const struct import_method *method)
{
    return strncmp(method->name, "Create", 6) == 0 || strcmp(method->name, "EndStateBlock") == 0;
}

static bool put_result(struct translation *t, unsigned index)
{
    struct import_objects *objects = &t->translator->objects;
    struct import_object *object;
    enum import_class class;
    uint64_t address = 0;

    if (!import_member(&t->call->out[index + 1], 0, &address) || !address) {
        /* no object: a call that failed, or a texture that is not set */
        return put_argument(t, STREAM_RESULT, 0, CLASS_NONE);
    }
    object = import_object_find(objects, SPACE_OBJECT, address);
    class = result_class(t, index, object);
    if (class == CLASS_NONE)
        return refuse(t, "it returns an object of unknown kind");
    if (!object || object->dead || object->class != class || makes(t->method))
        object = import_object_make(objects, SPACE_OBJECT, address, class);
    if (!object)
        return refuse(t, "too many objects");
    return put_argument(t, STREAM_RESULT, object->number, class);
}

static bool put_object(struct translation *t, unsigned index)
{
    const char *type = t->method->arguments[index].type;
    const struct import_object *object;
    uint64_t address;

    if (!import_number(&t->call->in[index + 1], &address))
        return refuse(t, "an argument is missing");
    if (!address)
        return put_argument(t, STREAM_NULL, 0, 0);
    object = import_object_find(&t->translator->objects, SPACE_OBJECT, address);
    if (!object || object->dead)
        return refuse(t, "an argument is an object that no call returned");
    if (!import_class_is(object->class, type, strcspn(type, " ")))
        return refuse(t, "an argument is an object of the wrong kind");
    return put_argument(t, STREAM_OBJECT, object->number, 0);
}

/* --- calls ---------------------------------------------------------------------------------------- */

static bool put_one(struct translation *t, unsigned index)
{
    const struct import_argument *argument = &t->method->arguments[index];
    const struct trace_value *in = &t->call->in[index + 1];
    const struct import_object *window;
    const char *layout;
    const enum argument_kind kind = import_argument_kind(argument, t->version, &layout);
    bool taken;

    if (!put_handle(t, index, &taken) || taken)
        return !t->translator->failed;
    switch (kind) {
    case ARGUMENT_NUMBER:
        if (in->type == TRACE_NONE)
            return refuse(t, "an argument is missing");
        return put_argument(t, STREAM_NUMBER, 0, t->numbers[index]);
    case ARGUMENT_WINDOW:
        window = import_object_find(&t->translator->objects, SPACE_WINDOW, t->numbers[index]);
        return put_argument(t, window ? STREAM_WINDOW_HANDLE : STREAM_NULL, window ? window->number : 0, 0);
    case ARGUMENT_OBJECT:
        return put_object(t, index);
    case ARGUMENT_LOCK:
        return put_lock(t, index);
    case ARGUMENT_RESULT: /* a lock of version 9 stores the address of memory there */
        return is_lock(t->method) ? put_lock(t, index) : put_result(t, index);
    case ARGUMENT_BYTES:
        return put_bytes(t, index, layout, STREAM_BYTES, 0, 0);
    case ARGUMENT_PARAMETERS:
        return put_parameters(t, index, layout);
    case ARGUMENT_ANSWER:
        return put_argument(t, in->type == TRACE_NULL ? STREAM_NULL : STREAM_ANSWER, 0, 0);
    case ARGUMENT_NULL:
        return put_argument(t, STREAM_NULL, 0, 0);
    default:
        return refuse(t, "an argument is of a type that cannot be repeated");
    }
}

/* Calls that change nothing: what they answer is in the trace, and nobody asks again. */
static bool is_question(const struct import_method *method)
{
    static const char *const words[] = {"GetPrivateData", "SetPrivateData", "FreePrivateData"};
    const char *name = method->name;

    for (unsigned i = 0; i < ARRAY_COUNT(words); i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    if (strncmp(name, "Check", 5) == 0 || strncmp(name, "Enum", 4) == 0 || strcmp(name, "RegisterSoftwareDevice") == 0)
        return true;
    if (strncmp(name, "Get", 3) != 0 || strcmp(name, "GetDC") == 0)
        return false;
    for (unsigned i = 0; i < method->count; i++)
        if (method->arguments[i].object || strncmp(method->arguments[i].type, "IDirect3D", 9) == 0)
            return false;
    return true;
}

static uint32_t flags_of(const struct import_method *method)
{
    return (strcmp(method->result, "HRESULT") == 0 ? STREAM_COMPARE : 0) |
           (strcmp(method->name, "Release") == 0 ? STREAM_RELEASE : 0) |
           (strcmp(method->name, "AddRef") == 0 ? STREAM_ADDREF : 0) | (is_unlock(method) ? STREAM_UNLOCK : 0) |
           (strcmp(method->name, "SetNPatchMode") == 0 ? STREAM_FLOAT : 0) |
           (strncmp(method->name, "Present", 7) == 0 ? STREAM_PRESENT : 0);
}

/* Keeps the translator's view of objects and locks up to date. */
static void note_call(struct translation *t, uint64_t result)
{
    struct import_object *object = import_object_find(&t->translator->objects, SPACE_OBJECT, t->object.key);

    if (t->head.flags & STREAM_RELEASE && result == 0 && object)
        object->dead = true;
    if (t->head.flags & STREAM_UNLOCK)
        import_lock_remove(&t->translator->objects, t->object.number, t->head.key);
    t->translator->presents += (t->head.flags & STREAM_PRESENT) != 0;
}

static void put_method(struct translation *t)
{
    uint64_t result = 0;

    import_number(&t->call->result, &result);
    for (unsigned i = 0; i < t->method->count; i++) {
        import_number(&t->call->in[i + 1], &t->numbers[i]);
        if (strcmp(t->method->arguments[i].type, "HWND") == 0)
            announce_window(t->translator, t->numbers[i], 0, 0);
    }
    announce_windows(t);
    if (is_lock(t->method)) /* the lock was there at once; here it may take longer */
        t->numbers[t->method->count - 1] &= ~(uint64_t)DO_NOT_WAIT;
    t->head = (struct stream_call){.function = STREAM_METHOD,
                                   .object = t->object.number,
                                   .class = t->class,
                                   .slot = import_method_slot(t->class, t->method),
                                   .flags = flags_of(t->method),
                                   .expected = (uint32_t)result,
                                   .key = is_unlock(t->method) ? key_of(t) : 0};
    begin_call(t);
    for (unsigned i = 0; i < t->method->count; i++)
        if (!put_one(t, i)) {
            t->translator->bytes.size = t->begin;
            return;
        }
    end_call(t);
    note_call(t, result);
}

static void translate_method(struct translator *translator, const struct trace_call *call, size_t interface_length,
                             const char *name)
{
    struct translation t = {.translator = translator, .call = call};
    const struct import_object *object;
    uint64_t address = 0, result = 0;

    import_number(&call->in[0], &address);
    object = import_object_find(&translator->objects, SPACE_OBJECT, address);
    if (!object || object->dead) {
        not_understood(translator, call,
                       import_class_find(call->name, interface_length) == CLASS_NONE
                           ? "the interface is not one of Direct3D 8 or 9"
                           : "no call returned its object");
        return;
    }
    t.object = *object;
    t.class = object->class;
    t.version = import_class_version(t.class);
    t.method = import_method_find(t.class, name);
    import_number(&call->result, &result);
    if (!import_class_is(t.class, call->name, interface_length) || !t.method)
        not_understood(translator, call, "its object has no such method");
    else if (call->count != t.method->count + 1 || t.method->count > STREAM_ARGUMENTS)
        not_understood(translator, call, "its arguments are not those of the method");
    else if (strcmp(name, "GetDC") == 0)
        not_understood(translator, call, "what a program draws by GDI is not in a trace");
    else if (is_question(t.method) || strcmp(name, "ReleaseDC") == 0)
        translator->questions++;
    else if (is_failed(&t, result) && (is_lock(t.method) || strncmp(name, "Begin", 5) == 0))
        translator->questions++; /* here it may succeed, and the program does not end what it has begun */
    else if ((uint32_t)result == E_LOST || (uint32_t)result == E_NOT_RESET)
        translator->lost++;
    else
        put_method(&t);
}

/* --- functions ------------------------------------------------------------------------------------ */

static const char *const functions[] = {
    [STREAM_CREATE8] = "Direct3DCreate8",
    [STREAM_CREATE9] = "Direct3DCreate9",
    [STREAM_CREATE9EX] = "Direct3DCreate9Ex",
    [STREAM_BEGIN_EVENT] = "D3DPERF_BeginEvent",
    [STREAM_END_EVENT] = "D3DPERF_EndEvent",
    [STREAM_SET_MARKER] = "D3DPERF_SetMarker",
    [STREAM_MEMORY] = "memcpy",
};

const char *translate_function_name(unsigned function)
{
    return function < ARRAY_COUNT(functions) ? functions[function] : NULL;
}

/* The interface that a function returns, as its result or behind its second argument. */
static void put_create(struct translation *t, const struct trace_value *returned)
{
    const bool is8 = t->head.function == STREAM_CREATE8;
    uint64_t address = 0, version = 0;
    struct import_object *object;

    import_number(&t->call->in[0], &version);
    if (!import_number(returned, &address) || !address) {
        t->translator->lost++; /* the program found no Direct3D */
        return;
    }
    object =
        import_object_make(&t->translator->objects, SPACE_OBJECT, address, is8 ? CLASS_IDirect3D8 : CLASS_IDirect3D9Ex);
    if (!object) {
        refuse(t, "too many objects");
        return;
    }
    begin_call(t);
    if (put_argument(t, STREAM_NUMBER, 0, version) && put_argument(t, STREAM_RESULT, object->number, object->class))
        end_call(t);
}

static void put_marker(struct translation *t)
{
    static const uint16_t end;
    const struct trace_value *name = &t->call->in[1];
    struct import_bytes *bytes = &t->translator->bytes;
    struct stream_argument argument = {STREAM_BYTES, 0, 0, 0, 0};
    uint64_t color = 0;

    import_number(&t->call->in[0], &color);
    begin_call(t);
    if (t->head.function != STREAM_END_EVENT && put_argument(t, STREAM_NUMBER, 0, color)) {
        const size_t size = name->type == TRACE_WSTRING ? BASE_MIN(name->blob.size, (size_t)STREAM_SCRATCH) : 0;

        argument.size = (uint32_t)size + sizeof(end);
        t->head.count++;
        if (add(t->translator, &argument, sizeof(argument)) &&
            add(t->translator, size ? name->blob.bytes : NULL, size) && add(t->translator, &end, sizeof(end)))
            import_bytes_align(bytes);
    }
    end_call(t);
}

static void translate_function(struct translator *translator, const struct trace_call *call)
{
    struct translation t = {.translator = translator, .call = call};
    const struct trace_value *out = &call->out[1];

    for (unsigned i = STREAM_CREATE8; i < STREAM_MEMORY; i++)
        if (strcmp(functions[i], call->name) == 0)
            t.head.function = i;
    if (t.head.function == STREAM_CREATE8 || t.head.function == STREAM_CREATE9)
        put_create(&t, &call->result);
    else if (t.head.function == STREAM_CREATE9EX)
        put_create(&t, out->type == TRACE_ARRAY && out->list.count == 1 ? &out->list.items[0] : out);
    else if (t.head.function != STREAM_METHOD)
        put_marker(&t);
    else if (strncmp(call->name, "D3DPERF_", 8) == 0)
        translator->questions++;
    else
        not_understood(translator, call, "not a function of Direct3D 8 or 9");
}

void translate_call(struct translator *translator, const struct trace_call *call)
{
    const char *colons = strstr(call->name, "::");

    translator->calls++;
    if (!call->returned)
        not_understood(translator, call, "the trace ends before it returns");
    else if (strcmp(call->name, "memcpy") == 0 && call->fake)
        translate_write(translator, call);
    else if (colons)
        translate_method(translator, call, (size_t)(colons - call->name), colons + 2);
    else
        translate_function(translator, call);
}

void translate_end(struct translator *translator)
{
    put_record(translator, STREAM_END, NULL, 0);
}

void translator_free(struct translator *translator)
{
    import_objects_free(&translator->objects);
    import_report_free(&translator->report);
    free(translator->bytes.data);
    *translator = (struct translator){0};
}
