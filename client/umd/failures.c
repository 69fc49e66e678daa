/* SPDX-License-Identifier: MIT */
/* Which command of a stream a failure belongs to. */
#include "client/umd/internal.h"

/* Does this command of the stream become that token of the driver's? */
static bool becomes(uint8_t command, UINT token)
{
    if (command == D3DDP2OP_SETRENDERTARGET)
        return token == D3DDP2OP_SETRENDERTARGET2 || token == D3DDP2OP_SETDEPTHSTENCIL;
    if (command == D3DDP2OP_BLT || command == D3DDP2OP_SURFACEBLT)
        return token == D3DDP2OP_BLT || token == D3DDP2OP_SURFACEBLT;
    return command == token;
}

/* The command that failed: the driver counts entries of its token in the batch, which began at `flushed_at`. */
static uint32_t find_failure(const struct bridge_call *call, const HALCYON_UMD_BATCH *failure)
{
    uint32_t place = 0, found = call->offset;
    struct dp2_command command;
    struct dp2_cursor cursor;

    dp2_cursor_init(&cursor, call->commands + call->flushed_at, call->command_bytes - call->flushed_at,
                    dp2_fvf_size(call->data->dwVertexType));
    while (dp2_next(&cursor, &command) == DP2_OK && call->flushed_at + command.offset <= call->offset)
        if (becomes(command.info->number, failure->Token)) {
            found = call->flushed_at + (uint32_t)command.offset;
            place += command.count;
            if (place > failure->Place)
                break;
        }
    return found;
}

HRESULT bridge_call_flush(struct bridge_call *call)
{
    HALCYON_UMD_BATCH failure = {.Stops = TRUE};
    const HRESULT hr = bridge_flush(call->local, &failure);

    if (FAILED(hr) && SUCCEEDED(call->failed)) {
        call->failed = hr;
        call->failed_at = find_failure(call, &failure);
    }
    call->flushed_at = call->offset;
    return hr;
}
