/* SPDX-License-Identifier: MIT */
/*
 * dp2 tokens: the token table, as text or as docs/tokens.md.
 */
#include "base/json/json.h"
#include "tools/tool.h"
#include "tools/names/words.h"

#include "base/base.h"
#include "dp2/tokens.h"

#include <string.h>

static const char *field_type(char letter)
{
    switch (letter) {
    case 'w':
    case 'E':
    case 'T':
        return "WORD";
    case 'i':
        return "INT";
    case 'f':
        return "float";
    case '4':
        return "float[4]";
    case 'M':
        return "float[16]";
    case 'R':
        return "RECT";
    case 'B':
        return "BOX";
    case 'Q':
        return "POINT";
    case 'c':
        return "COLOR";
    case 'h':
        return "HANDLE";
    default:
        return "DWORD";
    }
}

static void size_text(char *text, size_t size, const struct dp2_token_info *info)
{
    static const char *const trailing[] = {
        [DP2_SIZE_LIGHT] = "104 if op is 2",
        [DP2_SIZE_SHADER] = "decl_bytes + code_bytes",
        [DP2_SIZE_BYTES] = "code_bytes",
        [DP2_SIZE_TEXT] = "text_bytes, padding to 4",
        [DP2_SIZE_VECTORS] = "16 count",
        [DP2_SIZE_IVECTORS] = "16 count",
        [DP2_SIZE_BOOLS] = "4 count",
        [DP2_SIZE_ELEMENTS] = "8 elements",
        [DP2_SIZE_RECTPATCH] = "16 if flag 1 + 28 if flag 2",
        [DP2_SIZE_TRIPATCH] = "12 if flag 1 + 16 if flag 2",
    };
    char fixed[16] = "";

    if (info->fixed_size)
        snprintf(fixed, sizeof(fixed), "%u + ", info->fixed_size);
    switch (info->size_rule) {
    case DP2_SIZE_NONE:
        snprintf(text, size, "not in a command stream");
        break;
    case DP2_SIZE_FIXED:
        snprintf(text, size, "%u", info->fixed_size);
        break;
    case DP2_SIZE_ARRAY:
        snprintf(text, size, "%s%un", fixed, info->entry_size);
        break;
    case DP2_SIZE_PLUS1:
    case DP2_SIZE_PLUS2:
        snprintf(text, size, "%s%u(n+%u)", fixed, info->entry_size, info->size_rule == DP2_SIZE_PLUS1 ? 1 : 2);
        break;
    case DP2_SIZE_CLEAR:
        snprintf(text, size, "%s%u max(n,1)", fixed, info->entry_size);
        break;
    case DP2_SIZE_FAN_IMM:
        snprintf(text, size, "%u, padding to 4, n+2 vertices", info->fixed_size);
        break;
    case DP2_SIZE_LINES_IMM:
        snprintf(text, size, "padding to 4, 2n vertices");
        break;
    case DP2_SIZE_PALETTE:
        snprintf(text, size, "%u + 4 entries, whatever n", info->entry_size);
        break;
    case DP2_SIZE_KERNEL:
        snprintf(text, size, "%u + 4 width if flag 1 + 4 height if flag 2", info->entry_size);
        break;
    default:
        snprintf(text, size, "each %u + %s", info->entry_size, trailing[info->size_rule]);
        break;
    }
}

/* "u stream,h buffer" as "DWORD stream, HANDLE buffer"; the fixed part ends with a semicolon. */
static void fields_text(char *text, size_t size, const char *fields)
{
    size_t length = 0;
    bool is_first = true;

    text[0] = 0;
    while (*fields && length < size) {
        const size_t name = *fields == ';' ? 0 : strcspn(fields + 2, ",;");
        if (*fields == ';') {
            length += (size_t)snprintf(text + length, size - length, length && fields[1] ? "; " : "");
            fields++;
            is_first = true;
            continue;
        }
        length += (size_t)snprintf(text + length, size - length, "%s%s %.*s", is_first ? "" : ", ", field_type(*fields),
                                   (int)name, fields + 2);
        fields += 2 + name;
        fields += *fields == ',' ? 1 : 0;
        is_first = false;
    }
}

static void level_text(char text[8], const struct dp2_token_info *info)
{
    snprintf(text, 8, info->dx_level > 9 ? "%u.%u" : "%u", info->dx_level > 9 ? info->dx_level / 10 : info->dx_level,
             info->dx_level % 10);
}

static void tokens_print_row(const struct dp2_token_info *info, bool markdown)
{
    static const char *const senders[] = {[DP2_SENDER_OTHERS] = "",
                                          [DP2_SENDER_D3D8] = "d3d8.dll: ",
                                          [DP2_SENDER_D3D9] = "d3d9.dll: ",
                                          [DP2_SENDER_BOTH] = "d3d8.dll, d3d9.dll: "};
    char bytes[64], fields[256], level[8];

    size_text(bytes, sizeof(bytes), info);
    fields_text(fields, sizeof(fields), info->fields);
    level_text(level, info);
    if (markdown)
        printf("| %u | %s | %s | %s | %s | %s%s |\n", info->number, info->name, level, bytes, fields,
               senders[info->sender], info->sent);
    else
        printf("%3u  %-26s %-4s %-44s %s\n", info->number, info->name, level, bytes, fields);
}

/* The fields up to a semicolon. Returns the text after it. */
static const char *put_fields(struct json_writer *json, const char *name, const char *fields)
{
    json_open_list(json, name);
    while (*fields && *fields != ';') {
        const size_t length = strcspn(fields + 2, ",;");

        json_open_object(json, NULL);
        json_put_characters(json, "name", fields + 2, length);
        json_put_text(json, "type", field_type(*fields));
        json_close(json);
        fields += 2 + length;
        fields += *fields == ',';
    }
    json_close(json);
    return fields + (*fields == ';');
}

static void put_row(struct json_writer *json, const struct dp2_token_info *info)
{
    static const char *const dlls[] = {"d3d8.dll", "d3d9.dll"};
    char bytes[64], level[8];

    size_text(bytes, sizeof(bytes), info);
    level_text(level, info);
    json_open_object(json, NULL);
    json_put_number(json, "number", info->number);
    json_put_text(json, "name", info->name);
    json_put_text(json, "directx", level);
    json_put_text(json, "bytes", bytes);
    put_fields(json, "entry", put_fields(json, "fixed", info->fields));
    json_put_bool(json, "ours", info->sender != DP2_SENDER_OTHERS);
    json_open_list(json, "dlls");
    for (unsigned i = 0; i < ARRAY_COUNT(dlls); i++)
        if (info->sender >> i & 1)
            json_put_text(json, NULL, dlls[i]);
    json_close(json);
    json_put_text(json, "sent_by", info->sent);
    json_close(json);
}

static bool tokens_print_json(bool words)
{
    struct json_writer json;

    json_begin(&json, stdout, "dp2-tokens", false);
    json_stream_list(&json, "tokens");
    for (unsigned i = 0; i < 256; i++)
        if (dp2_token_info((uint8_t)i))
            put_row(&json, dp2_token_info((uint8_t)i));
    json_close(&json);
    if (words)
        words_put(&json);
    return json_end(&json);
}

static const char preface[] =
    "# DrawPrimitives2 tokens\n"
    "\n"
    "Made from `d3d/tokens.def` by `dp2 tokens --markdown`; do not edit.\n"
    "\n"
    "A command is a header of 4 bytes (token, reserved byte, count word *n*) and a body.\n"
    "\"Bytes\" is the size of the body; nothing is aligned except the inline vertices of the\n"
    "two `_IMM` tokens. In \"fields\" the part before a semicolon comes once, the part after it\n"
    "once for each entry. DX is the first DirectX whose driver interface has the\n"
    "token (8.1 only for drivers that manage resources; 97 and 98 belong to 9Ex). \"d3d8.dll\"\n"
    "and \"d3d9.dll\" are our own runtimes, which send what the others of their version do;\n"
    "`tests/run runtime` holds the list of the first against captures of its test programs.\n"
    "What only runtimes of DirectX 3 to 7 send comes from hand-written streams today: our ddraw.dll draws nothing in "
    "3D yet.\n"
    "\n"
    "| # | D3DDP2OP_ | DX | bytes | fields | sent by |\n"
    "|---|---|---|---|---|---|\n";

struct request {
    bool markdown, json, words;
};

static int tokens_verb(void *settings, char **operands, int count)
{
    const struct request *request = settings;

    (void)operands;
    (void)count;
    if (request->markdown && request->json)
        return tool_usage(&verb_tokens, "--markdown and --json exclude each other");
    if (request->words && !request->json)
        return tool_usage(&verb_tokens, "--words needs --json");
    if (request->json)
        return tokens_print_json(request->words) ? TOOL_OK : tool_fail(&verb_tokens, "out of memory");
    if (request->markdown)
        fputs(preface, stdout);
    for (unsigned i = 0; i < 256; i++)
        if (dp2_token_info((uint8_t)i))
            tokens_print_row(dp2_token_info((uint8_t)i), request->markdown);
    return TOOL_OK;
}

static const struct option_row options[] = {
    {"markdown", 0, SETS_BOOL(struct request, markdown),
     .help = "print the table of docs/tokens.md, which also says who sends each token"},
    {"json", 0, SETS_BOOL(struct request, json), .help = "print JSON (docs/json.md) instead of text"},
    {"words", 0, SETS_BOOL(struct request, words),
     .help =
         "add the words of the text notation, with the values that each field may have, for editors (needs --json)"},
    {0},
};

const struct tool_verb verb_tokens = {
    .syntax =
        {
            .name = "tokens",
            .summary = "list all tokens",
            .about = "Prints all DrawPrimitives2 tokens that the parser knows: number, name, first DirectX version, "
                     "bytes after the header, fields.",
            .options = options,
            .examples = "dp2 tokens\n"
                        "dp2 tokens --json | jq -r '.tokens[].name'",
        },
    .size = sizeof(struct request),
    .run = tokens_verb,
};
