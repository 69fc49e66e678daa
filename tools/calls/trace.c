/* SPDX-License-Identifier: MIT */
/* Functions that stand in for those of a device: each calls the driver's and reports the call. */
#include "tools/calls/calls.h"
#include "tools/calls/internal.h"

#include <string.h>

static struct {
    void (*report)(void *user, const struct calls_call *call);
    void *user;
    uint32_t offset;
    D3DDDI_DEVICEFUNCS driver; /* all devices are those of one driver */
} trace;

static HANDLE handle_at(const struct calls_field *field, const void *base)
{
    HANDLE handle;

    memcpy(&handle, (const uint8_t *)base + field->offset, sizeof(handle));
    return handle;
}

static UINT number_at(const void *base, unsigned offset)
{
    UINT number;

    memcpy(&number, (const uint8_t *)base + offset, sizeof(number));
    return number;
}

/* Does a successful call make the object of this field? */
static bool makes(const struct calls_field *field, const void *base)
{
    if (field->kind == CALLS_BLOCK) {
        const UINT operation = number_at(base, field->more);
        return operation == D3DHAL_STATESETBEGIN || operation == D3DHAL_STATESETCREATE;
    }
    return field->kind == CALLS_NEW;
}

static bool destroys(const struct calls_field *field, const void *base)
{
    if (field->kind == CALLS_BLOCK)
        return number_at(base, field->more) == D3DHAL_STATESETDELETE;
    return field->kind == CALLS_GONE;
}

static void note(const struct calls_field *fields, const void *base, bool before)
{
    for (const struct calls_field *field = fields; field->name; field++) {
        if (field->kind == CALLS_OF) {
            const void *inner = handle_at(field, base);
            if (inner)
                note(field->fields, inner, before);
        } else if (before && makes(field, base)) {
            calls_name(handle_at(field, base), field->text);
        } else if (!before && destroys(field, base)) {
            calls_forget(handle_at(field, base));
        }
    }
}

static HRESULT finish(enum calls_row row, const char *name, HRESULT hr, const uintptr_t *slots)
{
    const struct calls_call call = {name, trace.offset, hr, row, slots};

    if (SUCCEEDED(hr))
        note(calls_arguments[row], slots, true);
    trace.report(trace.user, &call);
    if (SUCCEEDED(hr))
        note(calls_arguments[row], slots, false);
    return hr;
}

#define CALL0(Name)                                                                      \
    static HRESULT APIENTRY trace_##Name(HANDLE device)                                  \
    {                                                                                    \
        static const uintptr_t slots[1];                                                 \
        return finish(CALLS_##Name, "pfn" #Name, trace.driver.pfn##Name(device), slots); \
    }
#define CALL1(Name, A)                                                                      \
    static HRESULT APIENTRY trace_##Name(HANDLE device, A a)                                \
    {                                                                                       \
        const uintptr_t slots[] = {(uintptr_t)a};                                           \
        return finish(CALLS_##Name, "pfn" #Name, trace.driver.pfn##Name(device, a), slots); \
    }
#define CALL2(Name, A, B)                                                                      \
    static HRESULT APIENTRY trace_##Name(HANDLE device, A a, B b)                              \
    {                                                                                          \
        const uintptr_t slots[] = {(uintptr_t)a, (uintptr_t)b};                                \
        return finish(CALLS_##Name, "pfn" #Name, trace.driver.pfn##Name(device, a, b), slots); \
    }
#define CALL3(Name, A, B, C)                                                                      \
    static HRESULT APIENTRY trace_##Name(HANDLE device, A a, B b, C c)                            \
    {                                                                                             \
        const uintptr_t slots[] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)c};                     \
        return finish(CALLS_##Name, "pfn" #Name, trace.driver.pfn##Name(device, a, b, c), slots); \
    }
#define CALL4(Name, A, B, C, D)                                                                      \
    static HRESULT APIENTRY trace_##Name(HANDLE device, A a, B b, C c, D d)                          \
    {                                                                                                \
        const uintptr_t slots[] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)c, (uintptr_t)d};          \
        return finish(CALLS_##Name, "pfn" #Name, trace.driver.pfn##Name(device, a, b, c, d), slots); \
    }
#include "tools/calls/functions.def"

static void report_device(void)
{
    static const uintptr_t slots[] = {9, D3D_UMD_INTERFACE_VERSION_VISTA};

    finish(CALLS_CreateDevice, "pfnCreateDevice", S_OK, slots);
}

static void replace(void *user, D3DDDI_DEVICEFUNCS *functions)
{
    (void)user;
    trace.driver = *functions;
#define CALL0(Name)      functions->pfn##Name = trace_##Name;
#define CALL1(Name, ...) functions->pfn##Name = trace_##Name;
#define CALL2(Name, ...) functions->pfn##Name = trace_##Name;
#define CALL3(Name, ...) functions->pfn##Name = trace_##Name;
#define CALL4(Name, ...) functions->pfn##Name = trace_##Name;
#include "tools/calls/functions.def"
    report_device();
}

static void note_command(void *user, uint32_t offset)
{
    (void)user;
    trace.offset = offset;
}

void calls_report(void (*report)(void *user, const struct calls_call *call), void *user)
{
    static const struct client_umd_watch watch = {replace, note_command, NULL};

    trace.report = report;
    trace.user = user;
    trace.offset = CLIENT_UMD_NO_COMMAND;
    calls_forget_all();
    client_umd_watch(report ? &watch : NULL);
}
