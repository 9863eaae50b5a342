#!/usr/bin/env python3
"""Prints each word that names a file or a type of ours and has no entry in docs/Glossary.md.

usage: glossary_words.py ROOT

Files of lib, tools, templates and runtime; types that a header of these declares. Names are taken apart, so that
`ObjectCensus` asks for *object* and *census*. Names of MPI's functions need no entry, nor the words below.
"""
import pathlib
import re
import sys

PLAIN = set("""
a all argument arguments at build class code command commands compiler data element entry file fortran gcc header
help indentation info init json kind library line list macro memory message mpi mpispec of options part parse parsed
piece place process program readable record result shared sought string table text type value values wanted when word
words address caller collector default first include known look map name named opened own pair reading result room
set size used user view
08 array c child cpp definition ending installation most prove proven quiet reason redirection row style total
version
""".split())


def words(name):
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]


def stem(word):
    """"trees" and "tree" are one word, "reducing" and "reduce", too."""
    word = word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
    for ending in ("ing", "ed", "ie", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[:-len(ending)]
    return word


def sources(root):
    for directory in ("lib", "tools", "templates", "runtime"):
        for path in sorted((root / directory).rglob("*")):
            if path.suffix in (".h", ".c", ".cpp", ".def"):
                yield path


def types(path):
    if path.suffix != ".h":
        return []
    return re.findall(r"^(?:struct|enum|class|enum class) (?:mpispec_)?(\w+)[^;()]*\{", path.read_text(), re.MULTILINE)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[2])
    root = pathlib.Path(sys.argv[1])
    glossary = (root / "docs" / "Glossary.md").read_text()
    known = {stem(word) for term in re.findall(r"^\*\*(.+?)\*\*", glossary, re.MULTILINE) for word in words(term)}
    for table in ("lib/MPI/Functions.def", "runtime/interposition/library/Taken.def"):
        functions = re.findall(r"^[A-Z_]+\((\w+)[,)]", (root / table).read_text(), re.MULTILINE)
        known |= {stem(word) for name in functions for word in words(name)}
    known |= {stem(word) for word in PLAIN}
    for path in sources(root):
        names = [] if path.name.startswith("mpi_") else [path.stem]
        for name in names + types(path):
            for word in words(name):
                if stem(word) not in known:
                    print(f"{path.relative_to(root)}: {word}")


if __name__ == "__main__":
    main()
