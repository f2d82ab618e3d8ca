"""Fenced blocks of a Markdown document, with their places."""

import re
from dataclasses import dataclass, field
from typing import Optional

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")


@dataclass
class Block:
    line: int  # of the opening fence, counted from 1
    language: str
    text: str
    indentation: int
    end: int = 0  # line of the closing fence
    no_run: bool = False
    exit_code: int = 0
    file: Optional[str] = None
    unknown_marks: list = field(default_factory=list)
    expected: Optional["Block"] = None


def parse(markdown):
    """Every fenced block, in order; an expected output is attached to the block that prints it."""
    blocks = []
    lines = markdown.splitlines()
    number = 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        if not opening:
            number += 1
            continue
        indentation, fence = len(opening[1]), opening[2]
        closing = number + 1
        while closing < len(lines) and not is_closing(lines[closing], fence):
            closing += 1
        body = [strip_indentation(line, indentation) for line in lines[number + 1:closing]]
        block = make_block(number + 1, opening[3].split(), "".join(line + "\n" for line in body), indentation)
        block.end = closing + 1
        if blocks and block.language == "text" and follows(lines, blocks[-1], block):
            blocks[-1].expected = block
        blocks.append(block)
        number = closing + 1
    return blocks


def is_closing(line, fence):
    stripped = line.strip()
    return len(stripped) >= len(fence) and set(stripped) == {fence[0]}


def strip_indentation(line, indentation):
    return line[indentation:] if not line[:indentation].strip() else line


def make_block(line, words, text, indentation):
    block = Block(line=line, language=words[0] if words else "", text=text, indentation=indentation)
    for mark in words[1:]:
        if mark == "no-run":
            block.no_run = True
        elif re.fullmatch(r"exit=\d+", mark):
            block.exit_code = int(mark[5:])
        elif re.fullmatch(r"file=[\w./-]+", mark) and ".." not in mark and not mark.startswith("file=/"):
            block.file = mark[5:]
        else:
            block.unknown_marks.append(mark)
    return block


def follows(lines, before, block):
    """An expected output comes right after its block: only blank lines, or one line ending in a colon, between."""
    if before.language not in ("sh", "cpp", "python"):
        return False
    between = [line.strip() for line in lines[before.end:block.line - 1] if line.strip()]
    return not between or (len(between) == 1 and between[0].endswith(":") and not between[0].startswith("#"))


def replace_blocks(markdown, replacements):
    """The document with new text in some blocks: pairs of a block and its text."""
    lines = markdown.splitlines()
    for block, text in sorted(replacements, key=lambda pair: -pair[0].line):
        margin = " " * block.indentation
        lines[block.line:block.end - 1] = [(margin + line).rstrip() for line in text.splitlines()]
    return "\n".join(lines) + "\n"
