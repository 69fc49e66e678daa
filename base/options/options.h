/* SPDX-License-Identifier: MIT */
/*
 * The command line of a verb as a table: its options, operands and texts. The parser, the help, and the JSON from which
 * scripts/manual makes manual pages and completion all read this table.
 *
 * A long option may be shortened to a prefix that no other option has. Its value follows as "--name=value" or "--name
 * value", that of a letter as "-n value" or "-nvalue"; letters without values may share a dash. "--" ends the options,
 * and "-" is an operand. Every verb has --help and -h, which its table does not contain.
 */
#ifndef HALCYON_BASE_OPTIONS_H
#define HALCYON_BASE_OPTIONS_H

#include "base/frames.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The type of the member that an option sets, and the values that the option takes. */
enum option_kind {
    OPTION_FLAG,   /* bool, becomes true; no value */
    OPTION_UNFLAG, /* bool, becomes false; no value */
    OPTION_TEXT,   /* const char *: any value */
    OPTION_NUMBER, /* long: a whole number from `low` to `high` */
    OPTION_CHOICE, /* int or an enumeration: the index of the value in `choices` */
    OPTION_FRAMES, /* struct frame_range: a list of frames, or of other numbers */
    OPTION_CALL,   /* no member: `take` gets the value */
};

/* The kind of thing that a value or an operand names, for shells that complete it. */
enum option_value { VALUE_WORD, VALUE_FILE, VALUE_FOLDER, VALUE_COMMAND };

enum option_result {
    OPTION_OK,
    OPTION_WRONG,  /* the command line is wrong: see line->error */
    OPTION_HELP,   /* --help: the caller prints the help */
    OPTION_DONE,   /* an option has done all that there is to do */
    OPTION_FAILED, /* a callback has printed why; line->status is the exit status */
};

/* A command line while it is parsed. */
struct option_line {
    char **argv;
    int argc, next;    /* next: the word after the one at hand */
    int operand_count; /* collected so far: argv[1] and so on */
    int status;        /* with OPTION_FAILED */
    char error[4096];  /* with OPTION_WRONG; may contain control characters of the command line */
};

struct option_row {
    const char *name; /* without dashes; NULL: the end of the table */
    char letter;      /* 0: none */
    enum option_kind kind;
    size_t offset;        /* of the member in the verb's settings: SETS_BOOL and so on */
    const char *argument; /* what the help calls the value: "FILE", "A:B" */
    const char *help;     /* one paragraph; its beginning, up to the first of ".;:(", also serves completion */
    long low, high;
    const char *choices;     /* "ndc|pixel|clip"; a '|' may follow the last */
    const char *wrong;       /* "a frame" gives "'x' is not a frame"; NULL: the message names all valid values */
    enum option_value value; /* for completion */
    bool optional;           /* the value may be missing: then --name alone, and `take` gets NULL */
    bool repeats;            /* every occurrence counts, not only the last */
    int number;              /* for `take`, which several rows may share */
    enum option_result (*take)(void *settings, const struct option_row *row, const char *value,
                               struct option_line *line);
};

/* Kind and offset of a row, with a check of the member's type. */
#define OPTION_MEMBER(type, member, test) (offsetof(type, member) + 0 * sizeof(char[(test) ? 1 : -1]))
#define OPTION_IS(type, member, wanted) \
    OPTION_MEMBER(type, member, __builtin_types_compatible_p(__typeof__(((type *)0)->member), wanted))
#define SETS_BOOL(type, member)   OPTION_FLAG, OPTION_IS(type, member, bool)
#define CLEARS_BOOL(type, member) OPTION_UNFLAG, OPTION_IS(type, member, bool)
#define SETS_TEXT(type, member)   OPTION_TEXT, OPTION_IS(type, member, const char *)
#define SETS_NUMBER(type, member) OPTION_NUMBER, OPTION_IS(type, member, long)
#define SETS_FRAMES(type, member) OPTION_FRAMES, OPTION_IS(type, member, struct frame_range)
#define SETS_CHOICE(type, member) OPTION_CHOICE, OPTION_MEMBER(type, member, sizeof(((type *)0)->member) == sizeof(int))

struct option_operand {
    const char *name; /* NULL: the end of the table */
    enum option_value value;
    bool optional, repeats;
};

struct option_syntax {
    const char *name;                 /* of the verb */
    const char *summary;              /* one line for the list of verbs */
    const char *usage;                /* after program and verb, '\n' between forms; NULL: the operands, [OPTION...] */
    const char *about;                /* paragraphs, see options_print_text */
    const struct option_row *options; /* NULL: only --help */
    const char *notes;                /* paragraphs after the options; NULL: none */
    const char *examples;             /* commands, a line each */
    const struct option_operand *operands; /* NULL: none */
    const char *missing;                   /* "a capture and a draw": what is missing if there are fewer operands;
                                            * NULL: the verb counts its operands itself */
    bool stops;                            /* the words after the first operand are operands */
    /* Takes operands in their order among the options; NULL: they are collected. */
    enum option_result (*operand)(void *settings, const char *word, struct option_line *line);
};

/* Sets members of `settings`, which has the verb's defaults. argv[0] is ignored. The operands are moved to argv[1] and
 * so on, line->operand_count of them. */
enum option_result options_parse(const struct option_syntax *syntax, void *settings, int argc, char **argv,
                                 struct option_line *line);
/* A verb of a program, for options_run. */
struct option_program {
    const char *name; /* of the program, for the help */
    const struct option_syntax *syntax;
    int (*run)(void *settings, char **operands, int count); /* does the work */
    int (*complain)(const void *user, const char *message); /* prints that the command line is wrong */
    const void *user;
};

/* Parses the command line, then does the work, prints the help, or complains. Returns the exit status: that of `run`, `complain` or a
 * callback, 0 after the help. */
int options_run(const struct option_program *program, void *settings, int argc, char **argv);
/* For callbacks: sets the message. Returns OPTION_WRONG. */
enum option_result option_wrong(struct option_line *line, const char *format, ...)
    __attribute__((format(gnu_printf, 2, 3)));
/* For callbacks: the word after the option, which is consumed; NULL at the end of the line. */
const char *option_next(struct option_line *line);

/* "usage: dp2 draws FILE [OPTION...]" and all texts of the table, in 80 columns. */
void options_print_help(FILE *file, const char *program, const struct option_syntax *syntax);
/* Words of the usage, for the help and for JSON. *text: what is left; false: nothing is left. */
bool options_usage(const struct option_syntax *syntax, const char **text, char *usage, size_t size);
/* Does an option take a value? */
bool option_takes_value(const struct option_row *row);
/* The next of several words separated by '|'. Returns its length, 0 at the end; *words: after it. */
size_t option_next_choice(const char **words);

/* The table as an object of a JSON document, a verb of dp2-help in docs/json.md; group: of verbs, NULL: none. */
struct json_writer;
void options_put(struct json_writer *json, const struct option_syntax *syntax, const char *group);

/* A whole number in [low, high]. */
bool parse_number(const char *text, long low, long high, long *value);

#endif
