#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Shared libraries that programs load late find no room in the static block of thread-local storage, once others have
used it. So none of ours may need it: no STATIC_TLS flag, no offsets into that block, no descriptors, which move into it
where there is room; and what each thread gets of a library is small.

    thread_storage.py <shared library> ...
"""

import re
import subprocess
import sys

import tree

LARGEST = 1024  # bytes per thread and library


def readelf(flag, path):
    return subprocess.run(["readelf", "--wide", flag, path], check=True, capture_output=True, text=True).stdout


def problems_of(path):
    if "STATIC_TLS" in readelf("--dynamic", path):
        yield "has the STATIC_TLS flag: something was compiled with -ftls-model=initial-exec"
    for kind in sorted(set(re.findall(r"R_\w+_(?:TPOFF|TPREL|TLSDESC)\w*", readelf("--relocs", path)))):
        yield f"has relocations {kind}"
    for size in re.findall(r"^\s+TLS\s+\S+\s+\S+\s+\S+\s+\S+\s+(0x[0-9a-f]+)", readelf("--segments", path), re.M):
        if int(size, 16) > LARGEST:
            yield f"has {int(size, 16)} bytes of thread-local storage, more than {LARGEST}"


def main():
    problems = [f"{path} {problem}" for path in sys.argv[1:] for problem in problems_of(path)]
    tree.finish(problems, len(sys.argv) - 1, "shared libraries")


if __name__ == "__main__":
    main()
