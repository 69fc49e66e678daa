/* SPDX-License-Identifier: MIT */
#include "dp2/tokens.h"

static const struct dp2_sender senders[256] = {
#define SENDER(name, ours, text) [DP2OP_##name] = {(ours), (text)},
#include "dp2/senders.def"
#undef SENDER
};

const struct dp2_sender *dp2_token_sender(uint8_t number)
{
    return senders[number].when ? &senders[number] : NULL;
}
