/* SPDX-License-Identifier: MIT */
/*
 * dp2 shader: bytecode as assembly text and as the IR it becomes.
 */
#include "base/json/json.h"
#include "tools/tool.h"

#include "base/base.h"
#include "bytecode/validate.h"
#include "d3d/usages.h"
#include "shader/shader.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (16u << 20)

static bool shader_read_all(FILE *file, uint8_t **data, size_t *size)
{
    size_t capacity = 65536;

    *size = 0;
    *data = malloc(capacity);
    while (*data) {
        *size += fread(*data + *size, 1, capacity - *size, file);
        if (*size < capacity || capacity >= MAX_BYTES) {
            (*data)[BASE_MIN(*size, capacity - 1)] = 0; /* text ends somewhere */
            return !ferror(file) && *size < MAX_BYTES;
        }
        capacity *= 2;
        uint8_t *bigger = realloc(*data, capacity);
        if (!bigger)
            break;
        *data = bigger;
    }
    return false;
}

/* The next hexadecimal number of 5 to 8 digits, with or without 0x; false at the end. */
static bool next_number(const char **text, const char *end, uint32_t *number)
{
    const char *p = *text;

    while (p < end) {
        const char *start = p;

        if (p + 1 < end && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
            start = p += 2;
        while (p < end && isxdigit((unsigned char)*p))
            p++;
        if (p - start >= 1 && p - start <= 8 && (p == end || !isalnum((unsigned char)*p))) {
            char digits[9] = "";

            memcpy(digits, start, (size_t)(p - start));
            *number = (uint32_t)strtoul(digits, NULL, 16);
            *text = p;
            return true;
        }
        while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
            p++;
        p += p < end;
    }
    return false;
}

static bool is_text(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] < 32 && !isspace(data[i]))
            return false;
    return true;
}

/* Assembly text begins with its version, after spaces and comments. */
static bool is_assembly(const char *text)
{
    text += strspn(text, " \t\r\n");
    while (*text == ';' || !strncmp(text, "//", 2)) {
        text += strcspn(text, "\n");
        text += strspn(text, " \t\r\n");
    }
    return !strncmp(text, "vs", 2) || !strncmp(text, "ps", 2);
}

/* Writes an error and its place: "line" of assembly text or "dword" of the tokens, from 0. NULL: no JSON. */
static void put_error(struct json_writer *json, const char *name, const char *where, const struct shader_error *error)
{
    if (!json)
        return;
    json_open_object(json, name);
    json_put_number(json, where, error->offset);
    if (error->column)
        json_put_number(json, "column", error->column);
    json_put_text(json, "text", error->text);
    json_close(json);
}

/* Bytes, numbers or assembly text as tokens, which the caller frees; NULL: the error has been printed, and *status
 * is set if memory ran out. */
static uint32_t *to_tokens(struct json_writer *json, const uint8_t *data, size_t size, size_t *count, int *status)
{
    const char *text = (const char *)data, *end = text + size;
    /* enough for any text: an operand takes at least two letters and a blank */
    const size_t capacity = size + 16;
    uint32_t *tokens = mem_calloc(capacity, sizeof(*tokens));
    struct shader_error error = {0};

    *count = 0;
    if (!tokens) {
        *status = tool_fail(&verb_shader, "out of memory");
    } else if (!is_text(data, size)) {
        *count = size / 4;
        memcpy(tokens, data, *count * 4);
    } else if (is_assembly(text)) {
        *count = shader_assemble(text, tokens, capacity, &error);
        if (!*count) {
            tool_say(&verb_shader, "line %lu, column %u: %s", (unsigned long)error.offset, error.column, error.text);
            put_error(json, "error", "line", &error);
            free(tokens);
            return NULL;
        }
    } else {
        while (next_number(&text, end, &tokens[*count]))
            ++*count;
    }
    return tokens;
}

/* D3DDECLUSAGE */
static const char *usage_name(unsigned usage)
{
    static const char *const usages[] = {
#define USAGE_WORD(name, word) #word,
        D3D_USAGES(USAGE_WORD)};

    return usage < ARRAY_COUNT(usages) ? usages[usage] : "undeclared";
}

static void print_semantics(const char *what, const struct shader_semantic *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        printf("%s: register %u, %s%u, components %x\n", what, list[i].reg, usage_name(list[i].usage), list[i].index,
               list[i].mask);
}

static void put_semantics(struct json_writer *json, const char *name, const struct shader_semantic *list,
                          unsigned count)
{
    json_open_list(json, name);
    for (unsigned i = 0; i < count; i++) {
        json_open_object(json, NULL);
        json_put_number(json, "register", list[i].reg);
        json_put_text(json, "usage", usage_name(list[i].usage));
        json_put_number(json, "index", list[i].index);
        json_put_number(json, "components", list[i].mask);
        json_close(json);
    }
    json_close(json);
}

static void put_info(struct json_writer *json, const struct shader_program *p)
{
    json_open_object(json, "info");
    json_put_text(json, "stage", p->stage == SHADER_VERTEX ? "vertex" : "pixel");
    json_put_number(json, "major", p->major);
    json_put_number(json, "minor", p->minor);
    json_put_number(json, "instructions", p->instruction_count);
    json_put_number(json, "float_constants", p->float_count);
    json_put_bool(json, "relative_constants", p->relative_constants);
    put_semantics(json, "inputs", p->input, p->input_count);
    put_semantics(json, "outputs", p->output, p->output_count);
    json_put_number(json, "samplers", p->samplers);
    json_put_bool(json, "writes_depth", p->writes_depth);
    json_put_bool(json, "kills", p->kills);
    json_close(json);
}

static void shader_print_info(const struct shader_program *p)
{
    printf("instructions: %u\nfloat constants: %u%s\n", p->instruction_count, p->float_count,
           p->relative_constants ? " and what is indexed" : "");
    print_semantics("input", p->input, p->input_count);
    print_semantics("output", p->output, p->output_count);
    printf("samplers: %04x\nwrites depth: %s\nkills: %s\n", p->samplers, p->writes_depth ? "yes" : "no",
           p->kills ? "yes" : "no");
}

enum { SHOW_ASM = 1, SHOW_IR = 2, SHOW_INFO = 4, SHOW_PLAIN = 8, SHOW_TOKENS = 16, SHOW_CHECK = 32 };

/* Shows the text from `print` on standard output, or as the member `name`. */
static void show_text(struct json_writer *json, const char *name,
                      int (*print)(const void *object, size_t count, char *text, size_t size), const void *object,
                      size_t count)
{
    char nothing[1];
    size_t size = (size_t)print(object, count, nothing, sizeof(nothing)) + 1;
    char *text = malloc(size);

    if (text)
        print(object, count, text, size);
    if (json && text)
        json_put_text(json, name, text);
    else if (text)
        fputs(text, stdout);
    else if (json)
        json->failed = true;
    free(text);
}

static int print_assembly(const void *tokens, size_t count, char *text, size_t size)
{
    return shader_disassemble(tokens, count, text, size);
}

static int print_program(const void *program, size_t count, char *text, size_t size)
{
    (void)count;
    return shader_print_ir(program, text, size);
}

/* Before the optimizer; with headings if both are shown. */
static bool show_plain(struct json_writer *json, const uint32_t *tokens, size_t count, bool both)
{
    struct shader_program *program = shader_compile_plain(tokens, count, NULL);

    if (!program)
        return false;
    if (both && !json)
        puts("before the optimizer:");
    show_text(json, "ir_plain", print_program, program, 0);
    if (both && !json)
        puts("after it:");
    shader_destroy(program);
    return true;
}

static void print_tokens(const uint32_t *tokens, size_t count)
{
    const size_t length = shader_bytecode_length(tokens, count);

    for (size_t i = 0; i < (length ? length : count); i++)
        printf("%08x%c", (unsigned)tokens[i], i % 8 == 7 || i + 1 == (length ? length : count) ? '\n' : ' ');
}

static void put_tokens(struct json_writer *json, const uint32_t *tokens, size_t count)
{
    const size_t length = shader_bytecode_length(tokens, count);

    json_open_list(json, "tokens");
    for (size_t i = 0; i < (length ? length : count); i++)
        json_put_number(json, NULL, tokens[i]);
    json_close(json);
}

struct broken_rules {
    struct json_writer *json; /* NULL: text */
    unsigned count;
};

static void show_broken_rule(void *user, unsigned rule, const struct shader_error *broken)
{
    struct broken_rules *rules = user;

    (void)rule;
    if (rules->json)
        put_error(rules->json, NULL, "dword", broken);
    else
        printf("DWORD %lu: %s\n", (unsigned long)broken->offset, broken->text);
    rules->count++;
}

/* Checks a shader against the least capable device of its model, but with all options of 2_x. */
static int shader_check(struct json_writer *json, const uint32_t *tokens, size_t count)
{
    static const struct shader_limits limits = {
        .vertex_constants = 256,
        .vertex_2x = {.predication = true, .temps = 32, .static_depth = 4, .dynamic_depth = 24},
        .pixel_2x = {.predication = true,
                     .arbitrary_swizzle = true,
                     .gradients = true,
                     .any_dependent_reads = true,
                     .any_texture_count = true,
                     .temps = 32,
                     .slots = 512,
                     .static_depth = 4,
                     .dynamic_depth = 24},
        .slots_30 = 32768,
    };
    struct broken_rules broken = {.json = json};
    struct shader_error error = {0};
    bool created;

    if (json) {
        json_open_object(json, "check");
        json_open_list(json, "broken");
    }
    created = shader_validate_required(tokens, count, &limits, show_broken_rule, &broken, &error);
    if (json) {
        json_close(json);
        if (!created)
            put_error(json, "refused", "dword", &error);
        json_put_bool(json, "created", created);
        json_put_bool(json, "created_if_strict", created && !broken.count);
        json_close(json);
    } else if (!created) {
        printf("DWORD %lu: %s (refused)\n", (unsigned long)error.offset, error.text);
    } else {
        puts(broken.count ? "is created unless shader_rules is strict" : "keeps the rules");
    }
    return created && !broken.count ? TOOL_OK : TOOL_DAMAGED;
}

static int shader_show(struct json_writer *json, const uint32_t *tokens, size_t count, unsigned what)
{
    struct shader_error error = {0};
    struct shader_program *program = shader_compile(tokens, count, &error);

    if (what & SHOW_TOKENS && json)
        put_tokens(json, tokens, count);
    else if (what & SHOW_TOKENS)
        print_tokens(tokens, count);
    if (what & SHOW_ASM)
        show_text(json, "assembly", print_assembly, tokens, count);
    if (!program) {
        tool_say(&verb_shader, "DWORD %lu: %s", (unsigned long)error.offset, error.text);
        put_error(json, "error", "dword", &error);
        return TOOL_DAMAGED;
    }
    if (what & SHOW_PLAIN && !show_plain(json, tokens, count, what & SHOW_IR))
        what = 0;
    if (what & SHOW_IR)
        show_text(json, "ir", print_program, program, 0);
    if (what & SHOW_INFO && json)
        put_info(json, program);
    else if (what & SHOW_INFO)
        shader_print_info(program);
    shader_destroy(program);
    return what & SHOW_CHECK ? shader_check(json, tokens, count) : TOOL_OK;
}

/* Shows the shader; name: of the file. */
static int show_data(const char *name, const uint8_t *data, size_t size, unsigned what, bool as_json)
{
    struct json_writer writer, *json = as_json ? &writer : NULL;
    int status = TOOL_DAMAGED;
    uint32_t *tokens;
    size_t count = 0;

    if (json) {
        json_begin(json, stdout, "dp2-shader", false);
        json_put_text(json, "file", name);
    }
    tokens = to_tokens(json, data, size, &count, &status);
    if (tokens)
        status = shader_show(json, tokens, count, what ? what : SHOW_ASM);
    free(tokens);
    if (json && !json_end(json))
        return tool_fail(&verb_shader, "out of memory");
    return status;
}

struct request {
    bool input, as_json;
    unsigned what; /* SHOW_ */
};

static enum option_result take_what(void *settings, const struct option_row *row, const char *value,
                                    struct option_line *line)
{
    (void)value;
    (void)line;
    ((struct request *)settings)->what |= (unsigned)row->number;
    return OPTION_OK;
}

static int shader_verb(void *settings, char **operands, int count)
{
    const struct request *request = settings;
    const char *name;
    uint8_t *data = NULL;
    size_t size = 0;
    bool input;
    int status;
    FILE *file;

    if (tool_operands(&verb_shader, operands, count, request->input ? 0 : 1, "a shader, or --stdin") != TOOL_OK)
        return TOOL_ERROR;
    name = request->input ? "-" : operands[0];
    input = strcmp(name, "-") == 0;
    file = input ? stdin : fopen(name, "rb");
    if (!file)
        return tool_fail(&verb_shader, "%s: %s", name, strerror(errno));
    errno = 0;
    if (!shader_read_all(file, &data, &size))
        status = tool_fail(&verb_shader, "%s: %s", tool_input_name(name), strerror(errno ? errno : EFBIG));
    else
        status = show_data(name, data, size, request->what, request->as_json);
    free(data);
    if (!input)
        fclose(file);
    return status;
}

static const struct option_row options[] = {
    {"stdin", 0, SETS_BOOL(struct request, input), .help = "read standard input (FILE - does the same)"},
    {"asm", 0, OPTION_CALL, .take = take_what, .number = SHOW_ASM, .help = "print assembly text (default)"},
    {"ir", 0, OPTION_CALL, .take = take_what, .number = SHOW_IR,
     .help = "print the program in the driver's own instructions, as it runs"},
    {"ir-plain", 0, OPTION_CALL, .take = take_what, .number = SHOW_PLAIN,
     .help = "print the same program before optimization"},
    {"info", 0, OPTION_CALL, .take = take_what, .number = SHOW_INFO,
     .help = "print what the shader reads, writes and needs"},
    {"tokens", 0, OPTION_CALL, .take = take_what, .number = SHOW_TOKENS, .help = "print the tokens in hexadecimal"},
    {"check", 0, OPTION_CALL, .take = take_what, .number = SHOW_CHECK,
     .help = "print all rules of the API that the shader breaks, and whether it is created nevertheless "
             "(HALCYON_SHADER_RULES=strict refuses it)"},
    {"json", 0, SETS_BOOL(struct request, as_json), .help = "print what these options print as JSON (docs/json.md)"},
    {0},
};

static const struct option_operand operands[] = {{"FILE", .value = VALUE_FILE, .optional = true}, {0}};

const struct tool_verb verb_shader = {
    .syntax =
        {
            .name = "shader",
            .summary = "show shader bytecode as assembly text and as IR",
            .usage = "FILE|--stdin [OPTION...]",
            .about =
                "Shows Direct3D shader bytecode, vs_1_0 to vs_3_0 and ps_1_0 to ps_3_0. FILE holds the tokens as "
                "bytes, as hexadecimal numbers such as 0xffff0101 with any text between them, or as assembly text.",
            .options = options,
            .notes = "Exit status: 0 done, 1 the code is refused or breaks a rule, 2 it cannot be read.",
            .examples = "dp2 shader water.pso --asm --ir\n"
                        "echo 'ffff0101 00000042 b00f0000 00000001 800f0000 b0e40000 0000ffff' |\n"
                        "    dp2 shader --stdin\n"
                        "printf 'ps_2_0\\n dcl t0\\n mov oC0, t0' | dp2 shader --stdin --tokens --check",
            .operands = operands,
        },
    .size = sizeof(struct request),
    .run = shader_verb,
};
