"""The rooms of the runtime, lowest first: a file includes headers of its own room and of those before it.

usage: rooms.py RUNTIME

Prints each include that runs upward, and how many there are; with none, how many go down.
"""

import collections
import pathlib
import re
import sys

ROOMS = ["abi", "progress", "job", "shm", "datatype", "comm", "p2p", "collective", "profile",
         "interposition"]


def level(path):
    """The number of a room; what stands in no room is above all."""
    return ROOMS.index(path.parts[0]) if len(path.parts) > 1 else len(ROOMS)


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(path.relative_to(root) for path in root.rglob("*") if path.suffix in (".c", ".h", ".def"))
    arrows, up = collections.Counter(), []
    for path in files:
        for name in re.findall(r'#include "([^"]+)"', (root / path).read_text()):
            included = pathlib.PurePath(name)
            if included not in files:
                continue  # of the templates, or written when the build is configured
            if level(included) > level(path):
                up.append(f"{path} includes {included}, of a higher room")
            elif level(included) < level(path):
                arrows[path.parts[0], included.parts[0]] += 1
    print("\n".join(up + [f"{len(up)} upward, {sum(arrows.values())} downward, {len(files)} files"]))


main()
