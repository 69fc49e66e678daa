/* SPDX-License-Identifier: MIT */
/*
 * dp2 shader: bytecode as assembly text and as the IR it becomes.
 */
#include "tools/tool.h"

#include "base/base.h"
#include "shader/shader.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: dp2 shader FILE|--stdin [OPTION...]\n"
    "\n"
    "Shows Direct3D shader bytecode, vs_1_0 to vs_3_0 and ps_1_0 to ps_3_0.\n"
    "FILE holds the tokens as bytes, or as text: hexadecimal numbers such as\n"
    "0xffff0101, with anything else between them.\n"
    "\n"
    "      --stdin    read standard input\n"
    "      --asm      assembly text (what is shown without options)\n"
    "      --ir       the program in the driver's own instructions, as it runs\n"
    "      --ir-plain the same before the optimizer has been over it\n"
    "      --info     what it reads, writes and needs\n"
    "\n"
    "examples:\n"
    "  dp2 shader water.pso --asm --ir\n"
    "  echo 'ffff0101 00000042 b00f0000 00000001 800f0000 b0e40000 0000ffff' |\n"
    "      dp2 shader --stdin\n"
    "\n"
    "Exit status: 0 ok, 2 the code is rejected or cannot be read.\n";

#define MAX_BYTES (16u << 20)

static bool read_all(FILE *file, uint8_t **data, size_t *size)
{
    size_t capacity = 65536;

    *size = 0;
    *data = malloc(capacity);
    while (*data) {
        *size += fread(*data + *size, 1, capacity - *size, file);
        if (*size < capacity || capacity >= MAX_BYTES)
            return !ferror(file) && *size < MAX_BYTES;
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

/* Bytes or text become tokens in place; returns their count. */
static size_t to_tokens(uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = text + size;
    uint32_t number;
    size_t count = 0;
    bool is_text = true;

    if (size < 4)
        return 0;
    for (size_t i = 0; i < size; i++)
        is_text &= data[i] >= 32 || isspace(data[i]);
    if (!is_text)
        return size / 4;
    uint32_t *tokens = malloc(size * sizeof(*tokens));
    if (!tokens)
        return 0;
    while (next_number(&text, end, &number))
        tokens[count++] = number;
    count = BASE_MIN(count, size / 4);
    memcpy(data, tokens, count * sizeof(*tokens));
    free(tokens);
    return count;
}

static void print_semantics(const char *what, const struct shader_semantic *list, unsigned count)
{
    static const char *const usages[] = {"position", "blendweight", "blendindices", "normal", "psize",
                                         "texcoord", "tangent", "binormal", "tessfactor", "positiont",
                                         "color", "fog", "depth", "sample"};
    for (unsigned i = 0; i < count; i++)
        printf("%s: register %u, %s%u, components %x\n", what, list[i].reg,
               list[i].usage < ARRAY_COUNT(usages) ? usages[list[i].usage] : "undeclared", list[i].index,
               list[i].mask);
}

static void print_info(const struct shader_program *p)
{
    printf("instructions: %u\nfloat constants: %u%s\n", p->instruction_count, p->float_count,
           p->relative_constants ? " and what is indexed" : "");
    print_semantics("input", p->input, p->input_count);
    print_semantics("output", p->output, p->output_count);
    printf("samplers: %04x\nwrites depth: %s\nkills: %s\n", p->samplers, p->writes_depth ? "yes" : "no",
           p->kills ? "yes" : "no");
}

enum { SHOW_ASM = 1, SHOW_IR = 2, SHOW_INFO = 4, SHOW_PLAIN = 8 };

/* What `print` writes, on standard output. */
static void print_text(int (*print)(const void *object, size_t count, char *text, size_t size), const void *object,
                       size_t count)
{
    char nothing[1];
    size_t size = (size_t)print(object, count, nothing, sizeof(nothing)) + 1;
    char *text = malloc(size);

    if (!text)
        return;
    print(object, count, text, size);
    fputs(text, stdout);
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
static bool show_plain(const uint32_t *tokens, size_t count, bool both)
{
    struct shader_program *program = shader_compile_plain(tokens, count, NULL);

    if (!program)
        return false;
    if (both)
        puts("before the optimizer:");
    print_text(print_program, program, 0);
    if (both)
        puts("after it:");
    shader_destroy(program);
    return true;
}

static int show(const uint32_t *tokens, size_t count, unsigned what)
{
    struct shader_error error = {0};
    struct shader_program *program = shader_compile(tokens, count, &error);

    if (what & SHOW_ASM)
        print_text(print_assembly, tokens, count);
    if (!program)
        return tool_fail(&verb_shader, "DWORD %lu: %s", (unsigned long)error.offset, error.text);
    if (what & SHOW_PLAIN && !show_plain(tokens, count, what & SHOW_IR))
        what = 0;
    if (what & SHOW_IR)
        print_text(print_program, program, 0);
    if (what & SHOW_INFO)
        print_info(program);
    shader_destroy(program);
    return TOOL_OK;
}

static int run_shader(int argc, char **argv)
{
    static const struct option options[] = {
        {"stdin", no_argument, NULL, 's'}, {"asm", no_argument, NULL, 'a'},  {"ir", no_argument, NULL, 'i'},
        {"ir-plain", no_argument, NULL, 'p'},
        {"info", no_argument, NULL, 'n'},  {"help", no_argument, NULL, 'h'}, {0},
    };
    unsigned what = 0;
    bool input = false;
    int option, status = TOOL_ERROR;
    uint8_t *data = NULL;
    size_t size = 0;
    FILE *file;

    optind = 0;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return TOOL_OK;
        }
        if (option == '?')
            return tool_usage(&verb_shader, "unknown option");
        input |= option == 's';
        what |= option == 'a' ? SHOW_ASM : option == 'i' ? SHOW_IR : option == 'n' ? SHOW_INFO : option == 'p' ? SHOW_PLAIN : 0;
    }
    if (argc - optind != !input)
        return tool_usage(&verb_shader, "one FILE, or --stdin");
    file = input ? stdin : fopen(argv[optind], "rb");
    if (!file)
        return tool_fail(&verb_shader, "%s: %s", argv[optind], strerror(errno));
    if (!read_all(file, &data, &size))
        tool_fail(&verb_shader, "cannot read the code");
    else
        status = show((const uint32_t *)data, to_tokens(data, size), what ? what : SHOW_ASM);
    free(data);
    if (!input)
        fclose(file);
    return status;
}

const struct tool_verb verb_shader = {"shader", "show shader bytecode as assembly text and as IR", help, run_shader};
