#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts sentences that are hard to read, in pages and in the first comments of source files.

usage: plain-english.py [--show] [--comments] [FILE or DIRECTORY...]

Without arguments the script reads the pages that match PATTERNS and the sources of SOURCES. It prints a line for each
page and each directory. The columns:

  sentences  all of them; the cells of a table and the items of a list count as sentences, too
  openings   those that begin with a word of OPENINGS
  long       those of more than LONGEST words; a piece of code counts as one word
  bare       "this", "that", "these" or "those" without a noun

--show       prints each such sentence with its file and line
--comments   reads all comments of sources, not only the first one of each file
"""
import collections
import pathlib
import re
import sys

PATTERNS = ("*.md", "docs/*.md", "docs/*/*.md")
SOURCES = ("lib", "tools", "templates", "runtime", "bench", "examples", "test")
SUFFIXES = (".h", ".c", ".cpp", ".def")
OPENINGS = re.compile(r"(Of|What|Who|Nor|Such|As|Beside|So (is|are|was|were|do|does|did|has|have|had|can|may|must))\b")
LONGEST = 25
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|cf|vs|etc|No|Sect|Fig|ca)\.$")

# The word behind a demonstrative that has no noun: a verb, a preposition or a conjunction.
NO_NOUN = (
    "is are was were be been has have had does do did can could may might must shall should will would not means makes "
    "needs takes gives costs happens holds goes comes works tells says shows keeps leaves lets allows applies follows "
    "depends concerns also and or but if when while where which who whose because for in on at by with without "
    "to from of as than then there it they we only alone too").split()
BARE_THIS = re.compile(r"\b(this|these)(?=\s*([.,;:?!)]|$)|\s+(%s)\b)" % "|".join(NO_NOUN), re.IGNORECASE)
# "that" and "those" are mostly relative pronouns, or stand for a noun that "of" follows; both are right.
VERBS = "is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|should|will|would|means|goes|holds"
BARE_THAT = re.compile(
    r"^(that|those) (%s)\b"
    r"|\b(that|those)(?=\s*([.,;:?!)]|$))"
    r"|\b(of|for|in|on|by|with|from|to|after|before|than|like|without|beyond|behind|all) (that|those) "
    r"(%s|and|or|but|alone|too|in|on|by|with|at)\b" % (VERBS, VERBS), re.IGNORECASE)


def page_blocks(text):
    """The paragraphs, items and cells of a Markdown page, each with its first line's number; no code, no headings."""
    block, first, code, fence, blank = [], 0, False, False, True
    for number, line in enumerate(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).split("\n"), 1):
        if line.lstrip().startswith("```"):
            fence = not fence
        code = line.startswith("    ") and (code or blank) if line.strip() else code
        blank = not line.strip()
        item = re.match(r"\s*(?:[-*]|\d+\.)\s+", line)
        table = line.startswith("|")
        if blank or fence or code or item or table or re.match(r"#|!\[|```", line.lstrip()):
            if block:
                yield first, " ".join(block)
            block = []
        if table:
            for cell in re.split(r"(?<!\\)\||<br>", line):
                if re.search("[A-Za-z]", cell):
                    yield number, cell.strip()
        elif not (blank or fence or code or re.match(r"#|!\[|```", line.lstrip())):
            if not block:
                first = number
            block.append(line[item.end():] if item else line.strip())
    if block:
        yield first, " ".join(block)


def comments(text, all_of_them):
    """Comments of C and C++ with the number of their first line, without the marks and without drawings."""
    found = re.finditer(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+|//[^\n]*", text, re.DOTALL | re.MULTILINE)
    for comment in found:
        lines = re.sub(r"\A/\*+|\*+/\Z", "", comment.group()).split("\n")
        lines = [re.sub(r"^\s*(?://+[!<]?|\*(?= |$))", "", line) for line in lines]
        # LLVM's first and last line: "===- File.h - Title ---===//" and "===-----===//".
        lines = [re.sub(r"^===-+(?: [\w.]+ - (.*?) *)?-*===//$", r"\1", line.rstrip()) for line in lines]
        yield text.count("\n", 0, comment.start()) + 1, lines
        if not all_of_them:
            return


def directives(text):
    """A pattern of the lines that lit and FileCheck read: RUN, and the prefixes that the text gives to FileCheck."""
    prefixes = re.findall(r"-check-prefix(?:es)?[= ]([A-Z0-9_,-]+)", text)
    names = {"RUN", "DEFINE", "CHECK", "LABEL", "REQUIRES", "UNSUPPORTED", "XFAIL", *",".join(prefixes).split(",")}
    return re.compile(r"\s*(%s)(-[A-Z]+(-\d+)?)?:" % "|".join(map(re.escape, sorted(names - {""}))))


def comment_blocks(text, all_of_them):
    directive = directives(text)
    for first, lines in comments(text, all_of_them):
        if lines and re.match(r"\s*[\w.{},]+ - ", lines[0]):
            lines[0] = lines[0].split(" - ", 1)[1]
        # Lines that stand further in than the rest are drawings, equations and code; directives are code, too.
        block, start = [], first
        for number, line in enumerate(lines + [""], first):
            drawing = (re.match(r"\s{3,}\S", line) and not block or re.match(r"\s{4,}\S", line)
                       or directive.match(line))
            item = re.match(r"\s*[-*] ", line)
            if not line.strip() or drawing or item:
                if block:
                    yield start, " ".join(block)
                block = []
            if line.strip() and not drawing:
                start = start if block else number
                block.append(re.sub(r"^\s*[-*] ", "", line).strip())


def sentences(block):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block)
    text = re.sub(r"`[^`]*`|\\p \S+|\bMPISPEC_\w+", "code", text)
    label = re.match(r"(\*\*.+?\*\*|\*[^*]+\*|code(, code)*)( \([^)]*\))?[:,] ", text)
    if label:
        text = text[label.end():]
    text = re.sub(r"\*\*?([^*]+)\*\*?", r"\1", text)
    part = ""
    for piece in re.split(r"(?<=[.?!])(?:[)\"']*)\s+", text):
        part = f"{part} {piece}".strip()
        if not ABBREVIATIONS.search(part):
            yield part
            part = ""
    if part:
        yield part


def faults(sentence):
    words = [word for word in sentence.split() if re.search(r"\w", word)]
    opening = sentence.lstrip("(\"'")
    return {"openings": bool(OPENINGS.match(opening[:1].upper() + opening[1:])),
            "long": len(words) > LONGEST,
            "bare": bool(BARE_THIS.search(sentence) or BARE_THAT.search(sentence))}


def read(path, all_of_them):
    text = path.read_text(encoding="utf-8")
    for line, block in page_blocks(text) if path.suffix == ".md" else comment_blocks(text, all_of_them):
        for sentence in sentences(block):
            yield line, sentence


def all_files():
    root = pathlib.Path(__file__).resolve().parent.parent
    for pattern in PATTERNS:
        yield from sorted(root.glob(pattern))
    yield from [root / name for name in SOURCES]


def files(arguments):
    for path in map(pathlib.Path, arguments or all_files()):
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES)
        else:
            yield path


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    if set(options) - {"--show", "--comments"}:
        sys.exit(__doc__.strip().splitlines()[2])
    counts = collections.defaultdict(collections.Counter)
    for path in files([argument for argument in sys.argv[1:] if not argument.startswith("-")]):
        row = counts[str(path if path.suffix == ".md" else path.parent)]
        for line, sentence in read(path, "--comments" in options):
            row["sentences"] += 1
            found = [name for name, wrong in faults(sentence).items() if wrong]
            row.update(found)
            if found and "--show" in options:
                print(f"{path}:{line}: {', '.join(found)}: {sentence}")
    columns = ("sentences", "openings", "long", "bare")
    print(" ".join(f"{column:>9}" for column in columns))
    for name in sorted(counts):
        print(" ".join(f"{counts[name][column]:9}" for column in columns), name)
    print(" ".join(f"{sum(row[column] for row in counts.values()):9}" for column in columns), "all")


if __name__ == "__main__":
    main()
