#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kind of this machine's processor, for result pages: processor.py prints its name, processor.py --slug its slug.

The name has model, family and number of the model: a virtual machine often gives the same model for different ones.
The slug also has the caches. It is the name of the kind in marks of pages and in names of files.
"""
import os
import re
import subprocess
import sys


def lscpu(*options):
    return subprocess.run(["lscpu", *options], env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True,
                          check=True).stdout


def name():
    """For example "AMD EPYC, family 25 model 1"."""
    fields = dict(re.findall(r"^ *([^:\n]+): *(.*)$", lscpu(), re.MULTILINE)[::-1])
    return f"{fields['Model name']}, family {fields['CPU family']} model {fields['Model']}"


def cache(level):
    """Size of one cache, for example "512 KiB"; empty if the system does not say."""
    found = re.search(rf"^{level} +([0-9.]+)([KM])$", lscpu("-C=NAME,ONE-SIZE"), re.MULTILINE)
    return f"{found[1]} {found[2]}iB" if found else ""


def slug(more=""):
    """The kind as a word of small letters, digits and hyphens. `more` is added."""
    words = f"{name()} l2 {cache('L2')} l3 {cache('L3')} {more}".strip()
    return re.sub(r"[^a-z0-9]+", "-", words.lower())


def heading():
    """For example "AMD EPYC, family 25 model 1 (2 cores, 512 KiB of L2 each, 32 MiB of L3)"."""
    return f"{name()} ({len(os.sched_getaffinity(0))} cores, {cache('L2')} of L2 each, {cache('L3')} of L3)"


if __name__ == "__main__":
    print(slug() if sys.argv[1:] == ["--slug"] else name())
