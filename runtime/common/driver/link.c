/* SPDX-License-Identifier: MIT */
#include "runtime/common/driver/link.h"

#include <stdio.h>

#include "base/base.h"
#include "dp2/dp2.h"

/* Enough for some thousand draws; a full buffer costs one call into the driver. */
#define COMMAND_BYTES     (256u * 1024)
#define USER_VERTEX_BYTES (512u * 1024)

struct rt_adapter {
    struct client_driver driver;
    struct rt_format_ops *formats;
    unsigned format_count;
    volatile LONG frames;
};

struct rt_link {
    struct rt_adapter *adapter;
    struct client *client;
    struct client_chain *commands;
    uintptr_t context;
    struct dp2_builder builder;
    bool building; /* the command buffer is locked */
    uint8_t *user; /* vertices of user-memory draws in the batch */
    size_t user_capacity, user_bytes;
    unsigned user_stride, user_count;
    uint32_t batches; /* sent */
    HRESULT error;    /* first one since the last rt_flush */
};

/* --- the driver ------------------------------------------------------------------------ */

#define DRIVER     L"halcyon.dll"
#define PATH_UNITS 4096

/* The driver lies beside this dll, wherever the program is, and is taken from nowhere else: a search would find a file that
 * somebody put into the current directory. In UTF-8; false: the path is unknown, or too long. */
static bool driver_path(char *path, size_t size)
{
    static const WCHAR driver[] = DRIVER;
    WCHAR wide[PATH_UNITS], *name;
    HMODULE self = NULL;
    DWORD length = 0;

    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           (const WCHAR *)driver_path, &self))
        length = GetModuleFileNameW(self, wide, PATH_UNITS);
    if (length == 0 || length + ARRAY_COUNT(driver) >= PATH_UNITS)
        return false;
    for (name = wide + length; name > wide && name[-1] != '\\' && name[-1] != '/'; name--)
        ;
    if (name == wide)
        return false; /* no directory: it would be searched */
    memcpy(name, driver, sizeof(driver));
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL) > 0;
}

static bool read_formats(struct rt_adapter *adapter)
{
    const struct client_driver *driver = &adapter->driver;

    adapter->formats = mem_calloc(driver->format_count + 1, sizeof(*adapter->formats));
    if (!adapter->formats)
        return false;
    for (unsigned i = 0; i < driver->format_count; i++) {
        struct rt_format_ops *ops = &adapter->formats[adapter->format_count++];
        ops->format = driver->formats[i].dwFourCC;
        ops->operations = driver->formats[i].dwOperations;
        ops->samples = driver->formats[i].MultiSampleCaps.wFlipMSTypes | driver->formats[i].MultiSampleCaps.wBltMSTypes;
    }
    return true;
}

/* Why the driver cannot be used, as the end of a sentence. Machine types: PE/COFF specification, section 3.3.1. */
static const char *why_not(const char *path)
{
    static const char *const wrong = sizeof(void *) == 8 ? "is no 64-bit dll, which this program needs"
                                                         : "is no 32-bit dll, which this program needs";
    const uint16_t wanted = sizeof(void *) == 8 ? 0x8664 : 0x14c;
    WCHAR wide[PATH_UNITS];
    FILE *file = MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, PATH_UNITS) ? _wfopen(wide, L"rb") : NULL;
    uint32_t header = 0;
    uint16_t machine = 0;
    bool read;

    if (!file)
        return "is not there";
    read = fseek(file, 0x3c, SEEK_SET) == 0 && fread(&header, sizeof(header), 1, file) == 1 &&
           fseek(file, (long)(header & 0xffffff) + 4, SEEK_SET) == 0 && fread(&machine, sizeof(machine), 1, file) == 1;
    fclose(file);
    return !read ? "is no dll" : machine != wanted ? wrong : "cannot be used";
}

static struct rt_adapter *load_adapter(void)
{
    struct rt_adapter *adapter = mem_calloc(1, sizeof(*adapter));
    char path[3 * PATH_UNITS] = "halcyon.dll";
    HRESULT hr = DDERR_NODIRECTDRAWHW;

    if (!adapter)
        return NULL;
    if (driver_path(path, sizeof(path)))
        hr = client_driver_load(&adapter->driver, path);
    if (FAILED(hr)) {
        log_error("no driver: %s, which must lie beside this dll, %s (%08lx)", path, why_not(path), (unsigned long)hr);
        free(adapter);
        return NULL;
    }
    if (!read_formats(adapter)) {
        free(adapter);
        return NULL;
    }
    log_info("driver %s, %u formats", path, adapter->format_count);
    return adapter;
}

struct rt_adapter *rt_adapter_get(void)
{
    static struct rt_adapter *adapter;
    static LONG state; /* 0 untried, 1 being loaded, 2 done */

    while (InterlockedCompareExchange(&state, 1, 0) == 1)
        Sleep(1);
    if (state == 1) {
        adapter = load_adapter();
        InterlockedExchange(&state, adapter ? 2 : 0);
    }
    return adapter;
}

uint32_t rt_adapter_next_frame(struct rt_adapter *adapter)
{
    return (uint32_t)InterlockedIncrement(&adapter->frames) - 1;
}

const D3DCAPS8 *rt_adapter_caps(const struct rt_adapter *adapter)
{
    return &adapter->driver.caps;
}

const struct rt_format_ops *rt_adapter_format(const struct rt_adapter *adapter, uint32_t format)
{
    for (unsigned i = 0; i < adapter->format_count; i++)
        if (adapter->formats[i].format == format)
            return &adapter->formats[i];
    return NULL;
}

/* --- the link -------------------------------------------------------------------------- */

struct rt_link *rt_link_open(struct rt_adapter *adapter)
{
    struct client_chain_desc desc = {.usage = CLIENT_COMMAND_BUFFER, .width = COMMAND_BYTES};
    struct rt_link *link = mem_calloc(1, sizeof(*link));

    if (!link)
        return NULL;
    link->adapter = adapter;
    link->client = client_create(&adapter->driver);
    if (!link->client || FAILED(client_chain_create(link->client, &desc, &link->commands))) {
        log_error("no command buffer of %u bytes", COMMAND_BYTES);
        rt_link_close(link);
        return NULL;
    }
    return link;
}

void rt_link_close(struct rt_link *link)
{
    rt_link_destroy_context(link);
    client_chain_destroy(link->commands);
    if (link->client)
        client_destroy(link->client);
    free(link->user);
    free(link);
}

bool rt_link_create_context(struct rt_link *link, struct rt_chain *target, unsigned part, struct rt_chain *depth)
{
    HRESULT hr = client_context_create(link->client, client_part(target->client, part),
                                       depth ? client_part(depth->client, 0) : NULL, DDI_LEVEL_DX8, &link->context);

    if (FAILED(hr)) {
        log_error("the driver gives no context: %08lx", (unsigned long)hr);
        link->context = 0;
    }
    return SUCCEEDED(hr);
}

void rt_link_destroy_context(struct rt_link *link)
{
    if (!link->context)
        return;
    rt_flush(link);
    client_context_destroy(link->client, link->context);
    link->context = 0;
}

HRESULT rt_link_validate(struct rt_link *link, DWORD *passes)
{
    rt_flush(link);
    return client_validate_stages(link->client, link->context, passes);
}

HRESULT rt_link_process_vertices(struct rt_link *link, struct client_process *process)
{
    rt_flush(link);
    process->context = link->context;
    return client_process_vertices(link->client, process);
}

bool rt_link_work(struct rt_link *link, HALCYON_WORK *work)
{
    return link->context && SUCCEEDED(client_work(link->client, link->context, work));
}

unsigned rt_link_capture(struct rt_link *link, unsigned frames)
{
    HALCYON_CAPTURE capture = {.frames = frames};

    return link->context && SUCCEEDED(client_capture(link->client, link->context, &capture)) ? capture.state
                                                                                             : HALCYON_CAPTURE_OFF;
}

uint32_t rt_link_available_memory(struct rt_link *link)
{
    uint32_t total, available;

    return SUCCEEDED(client_available_memory(link->client, &total, &available)) ? available : 0;
}

/* --- the batch ------------------------------------------------------------------------- */

static bool begin_batch(struct rt_link *link)
{
    struct client_lock lock;

    if (link->building)
        return true;
    if (FAILED(client_lock(client_part(link->commands, 0), NULL, 0, &lock)))
        return false;
    dp2_builder_init(&link->builder, lock.bits, COMMAND_BYTES);
    link->building = true;
    return true;
}

static void send_batch(struct rt_link *link)
{
    struct client_draw draw = {
        .context = link->context,
        .commands = client_part(link->commands, 0),
        .command_length = (uint32_t)link->builder.length,
        .user_vertices = link->user_count ? link->user : NULL,
        .vertex_count = link->user_count,
        .vertex_size = link->user_stride,
    };
    HRESULT hr;

    client_unlock(client_part(link->commands, 0));
    link->building = false;
    if (link->context && link->builder.length) {
        hr = client_draw(link->client, &draw);
        if (FAILED(hr)) {
            log_error("DrawPrimitives2 failed: %08lx at byte %u of %u", (unsigned long)hr, (unsigned)draw.error_offset,
                      (unsigned)draw.command_length);
            if (SUCCEEDED(link->error))
                link->error = hr;
        }
    }
    link->user_bytes = 0;
    link->user_count = 0;
    link->batches++;
}

uint32_t rt_link_batch(const struct rt_link *link)
{
    return link->batches + 1;
}

HRESULT rt_flush(struct rt_link *link)
{
    HRESULT hr;

    if (link->building)
        send_batch(link);
    hr = link->error;
    link->error = DD_OK;
    return hr;
}

void rt_reserve(struct rt_link *link, size_t bytes)
{
    if (link->building && link->builder.capacity - link->builder.length < bytes)
        send_batch(link);
}

void *rt_put(struct rt_link *link, uint8_t token, uint16_t count, const void *body, size_t size)
{
    void *place;

    if (!begin_batch(link))
        return NULL;
    place = dp2_put(&link->builder, token, count, body, size);
    if (!place) {
        send_batch(link);
        if (begin_batch(link))
            place = dp2_put(&link->builder, token, count, body, size);
        if (!place)
            log_error("command %u with %zu bytes does not fit a batch", token, size);
    }
    return place;
}

void rt_put_entry(struct rt_link *link, uint8_t token, const void *entry, size_t size)
{
    if (!begin_batch(link))
        return;
    if (dp2_put_entry(&link->builder, token, entry, size))
        return;
    send_batch(link);
    if (begin_batch(link))
        dp2_put_entry(&link->builder, token, entry, size);
}

bool rt_put_user_vertices(struct rt_link *link, const void *vertices, unsigned count, unsigned stride, uint32_t *first)
{
    size_t bytes = (size_t)count * stride;

    if (link->user_count && (link->user_stride != stride || link->user_bytes + bytes > USER_VERTEX_BYTES))
        send_batch(link);
    if (link->user_bytes + bytes > link->user_capacity) {
        size_t capacity = BASE_MAX(link->user_bytes + bytes, USER_VERTEX_BYTES);
        uint8_t *user = mem_realloc(link->user, capacity, 1);
        if (!user)
            return false;
        link->user = user;
        link->user_capacity = capacity;
    }
    memcpy(link->user + link->user_bytes, vertices, bytes);
    *first = link->user_count;
    link->user_bytes += bytes;
    link->user_count += count;
    link->user_stride = stride;
    return true;
}

struct client *rt_link_client(struct rt_link *link)
{
    return link->client;
}
