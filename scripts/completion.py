# SPDX-License-Identifier: MIT
"""Completion for bash, zsh and fish, from what `PROGRAM help --json` says of a program's verbs."""
import re

HEAD = "# SPDX-License-Identifier: MIT\n# %s completion for %s, made by scripts/manual from the tables of its verbs; do not edit\n\n"


def brief(text):
    """The beginning of a help text, which says enough in a list."""
    return re.split(r"[.;:](?: |$)| \(", text)[0]


def takes_value(option):
    return "argument" in option


def spellings(option):
    return (["-" + option["letter"]] if "letter" in option else []) + ["--" + option["name"]]


# --- bash ---------------------------------------------------------------------------------------------------------------------

BASH = """_%(program)s()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}
    local verbs="%(verbs)s"
    local options="--help" values= action= joined=

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$verbs help version --help --version" -- "$current")
        return
    fi
    # --name=value is three words
    [[ $current != = ]] || joined=yes current=
    [[ $previous != = ]] || joined=yes previous=${COMP_WORDS[COMP_CWORD-2]}
    case $verb in
    help) options="--help --json" values=$verbs ;;
%(options)s
    esac
    case $verb:$previous in
%(values)s
    *)
        [[ $current != -* ]] || action=options
        ;;
    esac
    case $action in
    options) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
    file) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    command) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
    word) ;;
    *) [ -z "$values" ] || mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current") ;;
    esac
}
complete -o filenames -F _%(program)s %(program)s
"""


def bash(program, verbs):
    options, values = [], {}
    for verb in verbs:
        names = sorted("--" + option["name"] for option in verb["options"]) + ["--help"]
        kinds = {operand["value"] for operand in verb["operands"]} - {"word"}
        options.append('    %s) options="%s"%s ;;' % (verb["name"], " ".join(sorted(names)), " action=" + kinds.pop() if kinds else ""))
        for option in filter(takes_value, verb["options"]):
            does = 'action= values="%s"' % " ".join(option["choices"]) if "choices" in option else "action=" + option["value"]
            if option["optional"]:
                does = '[ -z "$joined" ] || ' + does
            values.setdefault(does, []).extend("%s:%s" % (verb["name"], word) for word in spellings(option))
    cases = "\n".join("    %s) %s ;;" % (" | ".join(places), does) for does, places in sorted(values.items()))
    return HEAD % ("bash", program) + BASH % {"program": program, "verbs": " ".join(verb["name"] for verb in verbs), "options": "\n".join(options),
                                              "values": cases}


# --- zsh ----------------------------------------------------------------------------------------------------------------------

ZSH = """_%(program)s_verbs()
{
    local -a verbs=(
%(verbs)s
    )
    _describe -t verbs 'verb' verbs "$@"
}

_%(program)s()
{
    local -a arguments=('(- *)--help[print the help of this verb]')
    local verb=$words[2]

    if (( CURRENT == 2 )); then
        local -a general=('help:explain a verb' 'version:print the version')
        _%(program)s_verbs
        _describe -t commands 'command' general
        [[ $words[2] != -* ]] || _arguments '--help[print all verbs]' '--version[print the version]'
        return
    fi
    case $verb in
    help)
        _%(program)s_verbs
        return ;;
%(cases)s
    esac
    shift words
    (( CURRENT-- ))
    _arguments -s -S $arguments
}

_%(program)s "$@"
"""
ZSH_ACTIONS = {"file": "_files", "folder": "_files -/", "command": "_cmdstring", "word": " "}


def zsh_escape(text):
    """Text of a specification, inside single quotes."""
    return re.sub(r"([\\:\[\]])", r"\\\1", text).replace("'", "'\\''")


def zsh_option(option):
    words = spellings(option)
    exclusive = "*" if option["repeats"] else "(%s)" % " ".join(words) if len(words) > 1 else ""
    value = ""
    if takes_value(option):
        action = "(%s)" % " ".join(option["choices"]) if "choices" in option else ZSH_ACTIONS[option["value"]]
        value = "".join((":" * (1 + option["optional"])) + "%s:%s" % (zsh_escape(word), action) for word in option["argument"].split())
    if option.get("optional"):
        words = [word + "=-" for word in words]
    text = "[%s]%s" % (zsh_escape(brief(option["help"])), value)
    if len(words) > 1:
        return "            '%s'{%s}'%s'" % (exclusive, ",".join(words), text)
    return "            '%s%s%s'" % (exclusive, words[0], text)


def zsh_operand(number, operand):
    place = "*" if operand["repeats"] else "%d%s" % (number, ":" * operand["optional"])
    return "            '%s:%s:%s'" % (place, zsh_escape(operand["name"]), ZSH_ACTIONS[operand["value"]])


def zsh(program, verbs):
    names = "\n".join("        '%s:%s'" % (verb["name"], zsh_escape(verb["summary"])) for verb in verbs)
    cases = []
    for verb in verbs:
        rows = [zsh_option(option) for option in verb["options"]] + [zsh_operand(1 + i, operand) for i, operand in enumerate(verb["operands"])]
        cases.append("    %s)\n        arguments+=(\n%s\n        ) ;;" % (verb["name"], "\n".join(rows)))
    return "#compdef %s\n" % program + HEAD % ("zsh", program) + ZSH % {"program": program, "verbs": names, "cases": "\n".join(cases)}


# --- fish ---------------------------------------------------------------------------------------------------------------------

FISH = """# The verb of the command line is one of these.
function __%(program)s_verb
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c %(program)s -f
complete -c %(program)s -n __fish_is_first_token -l help -d 'print all verbs'
complete -c %(program)s -n __fish_is_first_token -l version -d 'print the version'
complete -c %(program)s -n __fish_is_first_token -a help -d 'explain a verb'
complete -c %(program)s -n __fish_is_first_token -a version -d 'print the version'
complete -c %(program)s -n '__%(program)s_verb help' -a '%(verbs)s'
complete -c %(program)s -n '__%(program)s_verb %(verbs)s' -l help -d 'print the help of this verb'
"""


def fish_escape(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def fish_option(program, verb, option):
    words = (["-s " + option["letter"]] if "letter" in option else []) + ["-l " + option["name"]]
    if "choices" in option:
        words.append("-x -a '%s'" % " ".join(option["choices"]))
    elif takes_value(option) and not option["optional"]:
        words.append({"file": "-r -F", "folder": "-x -a '(__fish_complete_directories)'", "command": "-x -a '(__fish_complete_command)'",
                      "word": "-x"}[option["value"]])
    return "complete -c %s -n '__%s_verb %s' %s -d '%s'" % (program, program, verb, " ".join(words), fish_escape(brief(option["help"])))


def fish(program, verbs):
    lines = [FISH % {"program": program, "verbs": " ".join(verb["name"] for verb in verbs)}]
    for verb in verbs:
        lines.append("\ncomplete -c %s -n __fish_is_first_token -a %s -d '%s'\n" % (program, verb["name"], fish_escape(verb["summary"])))
        kinds = {operand["value"] for operand in verb["operands"]}
        if "file" in kinds:
            lines.append("complete -c %s -n '__%s_verb %s' -F\n" % (program, program, verb["name"]))
        elif "folder" in kinds:
            lines.append("complete -c %s -n '__%s_verb %s' -a '(__fish_complete_directories)'\n" % (program, program, verb["name"]))
        lines += [fish_option(program, verb["name"], option) + "\n" for option in verb["options"]]
    return HEAD % ("fish", program) + "".join(lines)
