#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs an installed runtime as a wheel, which is a package in the format of the Python registry.

usage: wheel.py PREFIX VERSION DIRECTORY

PREFIX has the component `runtime`, with runtimes and the program for glibc 2.28. The script writes the wheel into
DIRECTORY. pip installs its files below the prefix of a virtual environment, like the wheels of MPI libraries. A wheel
can have no links: libmpispec.so is the file itself. Archives and the files of CMake and pkg-config are left out,
because programs are not linked with a wheel.
"""
import base64
import hashlib
import os
import sys
import zipfile

NAME = "mpispec_runtime"
TAG = "py3-none-manylinux_2_28_x86_64"
METADATA = """Metadata-Version: 2.1
Name: mpispec-runtime
Version: {version}
Summary: Faster MPI between ranks of one node: start programs by 'mpispec run mpiexec ...'
Author: the mpispec authors
License: Apache-2.0 WITH LLVM-exception
Classifier: Operating System :: POSIX :: Linux
Requires-Python: >=3.6
Description-Content-Type: text/markdown

{description}"""
WHEEL = "Wheel-Version: 1.0\nGenerator: wheel.py of mpispec\nRoot-Is-Purelib: false\nTag: {tag}\n"
# The time of every file, so that equal files make equal wheels.
TIME = (1980, 1, 1, 0, 0, 0)


def installed(prefix):
    """The files of the wheel: (path below its data directory, path)."""
    yield "scripts/mpispec", os.path.join(prefix, "bin", "mpispec")
    runtimes = os.path.join(prefix, "lib", "mpispec")
    for name in sorted(os.listdir(runtimes)):
        yield f"data/lib/mpispec/{name}/libmpispec.so", os.path.realpath(os.path.join(runtimes, name, "libmpispec.so"))
    sources = os.path.join(prefix, "share", "mpispec", "sources")
    for directory, _, files in sorted(os.walk(sources)):
        for file in sorted(files):
            path = os.path.join(directory, file)
            yield "data/share/mpispec/sources/" + os.path.relpath(path, sources), path


class Wheel:
    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, mode=0o644):
        information = zipfile.ZipInfo(name, TIME)
        information.external_attr = (0o100000 | mode) << 16
        information.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(information, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self, record):
        self.add(record, "".join(self.record + [f"{record},,\n"]).encode())
        self.archive.close()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main(prefix, version, directory):
    path = os.path.join(directory, f"{NAME}-{version}-{TAG}.whl")
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    wheel = Wheel(path)
    for name, file in installed(prefix):
        wheel.add(f"{NAME}-{version}.data/{name}", read(file), os.stat(file).st_mode & 0o777)
    about = f"{NAME}-{version}.dist-info"
    for page in ["LICENSE", "THIRD-PARTY.md"]:
        wheel.add(f"{about}/licenses/{page}", read(os.path.join(root, page)))
    description = read(os.path.join(root, "docs", "how-to", "python.md")).decode()
    wheel.add(f"{about}/METADATA", METADATA.format(version=version, description=description).encode())
    wheel.add(f"{about}/WHEEL", WHEEL.format(tag=TAG).encode())
    wheel.close(f"{about}/RECORD")
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
