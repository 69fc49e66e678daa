/* SPDX-License-Identifier: MIT */
/* A call as a line of the log: "IDirect3DDevice9::SetRenderState(0x1f4c20, state 7, value 0) = 0x00000000". */
#include "runtime/common/trace/trace.h"

#include <stdarg.h>
#include <stdio.h>

static void put(struct rt_trace *call, const char *format, ...) BASE_PRINTF(2, 3);
static void put(struct rt_trace *call, const char *format, ...)
{
    const size_t room = sizeof(call->text) - call->length;
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(call->text + call->length, room, format, args);
    va_end(args);
    if (length > 0)
        call->length += BASE_MIN((size_t)length, room - 1);
}

void rt_trace_begin(struct rt_trace *call, const char *type, const char *method, const void *object, bool failed)
{
    call->length = 0;
    call->failed = failed;
    put(call, "%s::%s(%#llx", type, method, (unsigned long long)(uintptr_t)object);
}

void rt_trace_signed(struct rt_trace *call, const char *name, long value)
{
    put(call, ", %s %ld", name, value);
}

/* Small numbers count or name something; large ones are bits, colours or FourCCs. */
void rt_trace_unsigned(struct rt_trace *call, const char *name, unsigned long value)
{
    put(call, value < 0x10000 ? ", %s %lu" : ", %s %#lx", name, value);
}

void rt_trace_float(struct rt_trace *call, const char *name, float value)
{
    put(call, ", %s %.9g", name, (double)value);
}

void rt_trace_pointer(struct rt_trace *call, const char *name, const void *value)
{
    put(call, ", %s %#llx", name, (unsigned long long)(uintptr_t)value);
}

void rt_trace_guid(struct rt_trace *call, const char *name, const GUID *value)
{
    if (!value || call->failed) {
        rt_trace_pointer(call, name, value);
        return;
    }
    put(call, ", %s {%08lx-%04x-%04x-%02x%02x-", name, (unsigned long)value->Data1, value->Data2, value->Data3,
        value->Data4[0], value->Data4[1]);
    for (unsigned i = 2; i < 8; i++)
        put(call, "%02x", value->Data4[i]);
    put(call, "}");
}

void rt_trace_rect(struct rt_trace *call, const char *name, const RECT *value)
{
    if (!value || call->failed)
        rt_trace_pointer(call, name, value);
    else
        put(call, ", %s (%ld, %ld)-(%ld, %ld)", name, (long)value->left, (long)value->top, (long)value->right,
            (long)value->bottom);
}

void rt_trace_object(struct rt_trace *call, const char *name, const void *const *value)
{
    if (value && !call->failed)
        put(call, ", %s -> %#llx", name, (unsigned long long)(uintptr_t)*value);
    else
        rt_trace_pointer(call, name, value);
}

void rt_trace_end(struct rt_trace *call)
{
    log_write(LOG_TRACE, "%s)", call->text);
}

void rt_trace_end_signed(struct rt_trace *call, long result)
{
    log_write(LOG_TRACE, "%s) = 0x%08lx", call->text, (unsigned long)result & 0xffffffffu);
}

void rt_trace_end_unsigned(struct rt_trace *call, unsigned long result)
{
    log_write(LOG_TRACE, "%s) = %lu", call->text, result);
}

void rt_trace_end_float(struct rt_trace *call, float result)
{
    log_write(LOG_TRACE, "%s) = %.9g", call->text, (double)result);
}

void rt_trace_end_pointer(struct rt_trace *call, const void *result)
{
    log_write(LOG_TRACE, "%s) = %#llx", call->text, (unsigned long long)(uintptr_t)result);
}
