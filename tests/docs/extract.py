# SPDX-License-Identifier: MIT
"""The commands that a document tells its reader to type: those in its blocks, with the output shown, and those in its
sentences.

An indented block holds commands, and so does a fenced block whose language is `sh`. Fenced blocks with another
language hold something else. Lines that begin with `$ ` are commands, followed by their output; in a block without
such lines, all lines are commands."""
import re
import subprocess
from typing import NamedTuple, Optional


class Block(NamedTuple):
    line: int       # of its first line, from 1
    language: Optional[str]     # None: an indented block
    lines: list


class Command(NamedTuple):
    line: int
    text: str       # as a shell reads the line
    output: Optional[list]      # the lines of output in the document


def blocks_and_prose(text):
    """The blocks of a document, and the document with empty lines in their place."""
    blocks, prose, lines = [], [], text.split("\n")
    fence, indent, blank = None, 0, True
    current = None
    for number, line in enumerate(lines, 1):
        fenced = re.match(r"( *)```(\w*)", line)
        if fence is not None:
            if fenced:
                blocks.append(fence)
                fence = None
            else:
                fence.lines.append(line[indent:])
            prose.append("")
            continue
        if fenced:
            fence, indent = Block(number + 1, fenced[2], []), len(fenced[1])
            prose.append("")
            continue
        # Inside a list item, a block is indented by four more columns.
        item = re.match(r"(- |\d+\. )", line)
        if item or (line.strip() and not line.startswith("  ")):
            depth = 8 if item else 4
        width = depth if line.startswith(" " * depth) else 0
        if width and (blank or current):
            if not current:
                current = Block(number, None, [])
            current.lines.append(line[width:])
            prose.append("")
        else:
            if current and line.strip():
                blocks.append(current)
                current = None
            elif current:
                current.lines.append("")
            prose.append(line)
        blank = not line.strip()
    if current:
        blocks.append(current)
    return blocks, "\n".join(prose)


def complete(text):
    """Whether a shell would run the text, rather than ask for another line."""
    return not text.endswith(("\\", "|")) and subprocess.run(["bash", "-n", "-c", text], capture_output=True).returncode == 0


def commands(block):
    """The commands of a block, each with its output if the block shows it."""
    prompt = any(line.startswith("$ ") for line in block.lines)
    text, first, output, found = "", 0, None, []
    for number, line in enumerate(block.lines, block.line):
        if text:
            text += "\n" + line
        elif prompt and not line.startswith("$ "):
            if output is not None:
                output.append(line)
            continue
        elif not prompt and (not line.strip() or line.lstrip().startswith("#")):
            continue
        else:
            text, first = line[2:] if prompt else line, number
            output = [] if prompt else None
        if complete(text):
            found.append(Command(first, text, output))
            text = ""
    if text:
        found.append(Command(first, text, output))
    return found


def inline(prose):
    """The words in backticks in a document's sentences."""
    for found in re.finditer(r"`([^`]+)`", prose):
        if "\n\n" not in found[1]:
            yield Command(prose.count("\n", 0, found.start()) + 1, " ".join(found[1].split()), None)


def examples(text):
    """The commands at the end of a verb's help."""
    found = re.search(r"^examples?:\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    return commands(Block(1, None, [line[2:] if line.startswith("  ") else line for line in found[1].rstrip().split("\n")])) if found else ()
