/* SPDX-License-Identifier: MIT */
/* Registers of shaders: six banks, one table. */
#include "runtime/common/state/constants.h"

#include "base/base.h"

#define MEMBER(name) offsetof(struct rt_state, name), offsetof(struct rt_state_mask, name)

static const struct bank {
    uint8_t token, bytes; /* of a register */
    uint16_t limit;
    size_t values, mask; /* members of rt_state and rt_state_mask */
} banks[RT_BANKS] = {
    [RT_VS_FLOAT] = {D3DDP2OP_SETVERTEXSHADERCONST, 16, RT_VS_CONSTANTS, MEMBER(vs_constant)},
    [RT_VS_INT] = {D3DDP2OP_SETVERTEXSHADERCONSTI, 16, RT_OTHER_CONSTANTS, MEMBER(vs_int)},
    [RT_VS_BOOL] = {D3DDP2OP_SETVERTEXSHADERCONSTB, 4, RT_OTHER_CONSTANTS, MEMBER(vs_bool)},
    [RT_PS_FLOAT] = {D3DDP2OP_SETPIXELSHADERCONST, 16, RT_PS_CONSTANTS, MEMBER(ps_constant)},
    [RT_PS_INT] = {D3DDP2OP_SETPIXELSHADERCONSTI, 16, RT_OTHER_CONSTANTS, MEMBER(ps_int)},
    [RT_PS_BOOL] = {D3DDP2OP_SETPIXELSHADERCONSTB, 4, RT_OTHER_CONSTANTS, MEMBER(ps_bool)},
};

unsigned rt_constant_limit(const struct rt_state *state, enum rt_bank bank)
{
    return bank == RT_VS_FLOAT && state->vs_software ? RT_SOFTWARE_CONSTANTS : banks[bank].limit;
}

unsigned rt_constant_bytes(enum rt_bank bank)
{
    return banks[bank].bytes;
}

const uint32_t *rt_constant_mask_of(const struct rt_state_mask *mask, enum rt_bank bank)
{
    return (const uint32_t *)((const uint8_t *)mask + banks[bank].mask);
}

unsigned rt_mask_limit(enum rt_bank bank)
{
    return bank == RT_VS_FLOAT ? RT_SOFTWARE_CONSTANTS : banks[bank].limit;
}

uint32_t *rt_constant_mask(struct rt_state_mask *mask, enum rt_bank bank)
{
    return (uint32_t *)((uint8_t *)mask + banks[bank].mask);
}

/* Register `index`, and how many are contiguous from there on: those of software processing are stored elsewhere. */
static uint8_t *find_register(const struct rt_state *state, enum rt_bank bank, unsigned index, unsigned *together)
{
    const struct bank *b = &banks[bank];

    if (index >= b->limit) {
        *together = RT_SOFTWARE_CONSTANTS - index;
        return (uint8_t *)state->vs_software[index - RT_VS_CONSTANTS];
    }
    *together = b->limit - index;
    return (uint8_t *)state + b->values + (size_t)index * b->bytes;
}

const void *rt_constant(const struct rt_state *state, enum rt_bank bank, unsigned index)
{
    unsigned together;

    return find_register(state, bank, index, &together);
}

void rt_get_constants(const struct rt_state *state, enum rt_bank bank, unsigned first, unsigned count, void *values)
{
    uint8_t *to = values;

    while (count) {
        unsigned together;
        const uint8_t *from = find_register(state, bank, first, &together);

        together = BASE_MIN(together, count);
        memcpy(to, from, (size_t)together * banks[bank].bytes);
        to += (size_t)together * banks[bank].bytes;
        first += together;
        count -= together;
    }
}

void rt_store_constants(struct rt_state *state, enum rt_bank bank, unsigned first, unsigned count, const void *values)
{
    const uint8_t *from = values;

    while (count) {
        unsigned together;
        uint8_t *to = find_register(state, bank, first, &together);

        together = BASE_MIN(together, count);
        memcpy(to, from, (size_t)together * banks[bank].bytes);
        from += (size_t)together * banks[bank].bytes;
        first += together;
        count -= together;
    }
}

void rt_copy_constants(struct rt_state *to, const struct rt_state *from, enum rt_bank bank, unsigned first,
                       unsigned count)
{
    while (count) {
        unsigned together;
        const uint8_t *values = find_register(from, bank, first, &together);

        together = BASE_MIN(together, count);
        rt_store_constants(to, bank, first, together, values);
        first += together;
        count -= together;
    }
}

/* --- tokens --------------------------------------------------------------------------------- */

/* Registers in one command: far fewer than a batch can hold. */
#define COMMAND_REGISTERS 1024u

/* Programs pass any BOOL, drivers are promised 0 or 1. */
static void copy_booleans(uint32_t *to, const uint32_t *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] = from[i] != 0;
}

static void send_registers(struct rt_pipe *pipe, enum rt_bank bank, unsigned first, unsigned count, const void *values)
{
    const struct bank *b = &banks[bank];
    D3DHAL_DP2SETVERTEXSHADERCONST head = {first, count};
    size_t bytes = (size_t)count * b->bytes;
    uint8_t *body = rt_put(pipe->link, b->token, 1, NULL, sizeof(head) + bytes);

    if (!body)
        return;
    memcpy(body, &head, sizeof(head));
    if (bank == RT_VS_BOOL || bank == RT_PS_BOOL)
        copy_booleans((uint32_t *)(body + sizeof(head)), values, count);
    else
        memcpy(body + sizeof(head), values, bytes);
}

/* The interface has no more vectors than the hardware; a driver that processes vertices in software may accept more.
 * The first such command is sent by itself, so that a refusal does not drop other commands. */
static bool takes_software_constants(struct rt_pipe *pipe)
{
    static const float zero[4];

    if (pipe->software_constants == RT_UNKNOWN) {
        rt_flush(pipe->link);
        send_registers(pipe, RT_VS_FLOAT, RT_SOFTWARE_CONSTANTS - 1, 1, zero);
        pipe->software_constants = SUCCEEDED(rt_flush(pipe->link)) ? RT_YES : RT_NO;
        if (pipe->software_constants == RT_NO)
            log_warn("the driver has no vertex shader constants from c%u on: they stay 0", RT_VS_CONSTANTS);
    }
    return pipe->software_constants == RT_YES;
}

void rt_set_constants(struct rt_pipe *pipe, enum rt_bank bank, unsigned first, unsigned count, const void *values)
{
    const uint8_t *from = values;

    if (!pipe->pure)
        rt_store_constants(&pipe->state, bank, first, count, values);
    if (bank == RT_VS_FLOAT && first + count > RT_VS_CONSTANTS && !takes_software_constants(pipe))
        count = first < RT_VS_CONSTANTS ? RT_VS_CONSTANTS - first : 0;
    for (unsigned i = 0; i < count; i += COMMAND_REGISTERS)
        send_registers(pipe, bank, first + i, BASE_MIN(count - i, COMMAND_REGISTERS),
                       from + (size_t)i * banks[bank].bytes);
}

void rt_set_vs_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values)
{
    rt_set_constants(pipe, RT_VS_FLOAT, first, count, values);
}

void rt_set_ps_constants(struct rt_pipe *pipe, unsigned first, unsigned count, const float *values)
{
    rt_set_constants(pipe, RT_PS_FLOAT, first, count, values);
}

void rt_set_constants_from(struct rt_pipe *pipe, const struct rt_state *from, enum rt_bank bank, unsigned first,
                           unsigned count)
{
    while (count) {
        unsigned together;
        const uint8_t *values = find_register(from, bank, first, &together);

        together = BASE_MIN(together, count);
        rt_set_constants(pipe, bank, first, together, values);
        first += together;
        count -= together;
    }
}
