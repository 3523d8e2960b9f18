#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What the libraries and programs of the tarball may need and show. Fails with a list of what breaks the rules.

    elf_rules.py FOLDER

They need nothing but the C and C++ runtime libraries, in versions Ubuntu 22.04 has, and each other; they find each other
by places relative to themselves; they can be loaded at any time; and no symbol of a library that was linked in is seen.
"""

import pathlib
import re
import subprocess
import sys

RUNTIME = re.compile(r"(lib(c|m|dl|rt|pthread)\.so\.\d+|libstdc\+\+\.so\.6|libgcc_s\.so\.1|ld-linux-[\w-]+\.so\.\d)")
NEWEST = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}
LINKED_IN = re.compile(r"google8protobuf|N4onnx|N3fmt|N6spdlog|N3hwy|nlohmann|N3CLI")


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needed_problems(dynamic, own):
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not RUNTIME.fullmatch(name) and name not in own:
            yield f"needs {name}"


def version_problems(versions):
    """Versions of symbols it takes from others: those in the sections about needs, not about definitions."""
    needs = versions.partition("Version needs section")[2]
    for kind, text in sorted(set(re.findall(r"Name: ([A-Z]+)_([\d.]+)", needs))):
        number = tuple(int(part) for part in text.split("."))
        if kind not in NEWEST or number > NEWEST[kind]:
            newest = ".".join(map(str, NEWEST.get(kind, ())))
            yield f"needs symbols of {kind}_{text}, the newest allowed is {newest or 'none'}"


def loading_problems(dynamic):
    if "STATIC_TLS" in dynamic:
        yield "cannot be loaded once the space for static thread-local storage is used up (STATIC_TLS)"
    for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        for part in path.split(":"):
            if not part.startswith("$ORIGIN"):
                yield f"looks for libraries in {part}, expected a folder relative to $ORIGIN"


def symbol_problems(symbols):
    for line in symbols.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[6] != "UND" and fields[4] != "LOCAL" and LINKED_IN.search(fields[7]):
            yield f"shows {fields[7]}"


def problems_of(path, own):
    dynamic = readelf("-d", path)
    yield from needed_problems(dynamic, own)
    yield from version_problems(readelf("-V", path))
    yield from loading_problems(dynamic)
    yield from symbol_problems(readelf("--dyn-syms", path))


def main():
    folder = pathlib.Path(sys.argv[1])
    own = {path.name for path in (folder / "lib64").glob("*.so")}
    files = [path for path in sorted(folder.rglob("*")) if is_elf(path)]
    problems = [f"{path.relative_to(folder)} {text}" for path in files for text in problems_of(path, own)]
    if not files:
        problems = [f"no library or program in {folder}"]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(files)} libraries and programs, {len(problems)} break the rules")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
