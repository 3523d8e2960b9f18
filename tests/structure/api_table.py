#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The C headers declare nothing that is not in the facts table (the other direction is compiled, see write_checks.py),
each name stands in one header, and the layout checks stay out of the way where a pointer has four bytes."""

import collections
import pathlib
import re
import shutil
import subprocess
import sys

import tree

sys.path.insert(0, str(tree.ROOT / "tools/api"))
import facts  # noqa: E402

PATTERNS = (
    r"^(?:ACL_FUNC_VISIBILITY|ACL_DUMP_API|HI_FUNC_VISIBILITY|MSVP_PROF_API)\s+[\w\s*]*?\b(\w+)\(",  # functions
    r"^\s+(\w+)\s*=\s*[-\w]+,",  # enumerators
    r"^static const \w+ (\w+)\s*=",
    r"^\s*#define (\w+)",
    r"^} (\w+);",
    r"^typedef [\w\s*]*?\b(\w+);",
    r"^typedef [\w\s*]*\(\*(\w+)\)",
)


def known_names(table):
    names = set()
    for kind in facts.KINDS:
        names.update(entry["name"].split("(")[0] for entry in table[kind])
    for enum in table["enums"]:
        names.update(enum["values"])
    return names


def declared_names(path):
    text = path.read_text()
    guard = re.search(r"^#ifndef (\w+)\n#define \1$", text, re.M)[1]
    return {name for pattern in PATTERNS for name in re.findall(pattern, text, re.M)} - {guard}


def four_byte_pointers(directory):
    """The generated C checks with a 32-bit target: layouts are skipped, all else still holds."""
    if not shutil.which("clang"):
        return
    for source in sorted(pathlib.Path(directory).glob("check_*.c")):
        command = ["clang", "--target=i386-linux-gnu", "-ffreestanding", "-std=c99", "-Werror", "-fsyntax-only",
                   "-Wno-deprecated-declarations", "-I", str(facts.INCLUDE), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield f"{source.name} fails where pointers have four bytes:\n{done.stderr}"


def main():
    table = facts.load()
    known = known_names(table)
    problems = []
    places = collections.defaultdict(list)
    headers = [facts.INCLUDE / name for name in facts.headers(table)]
    for path in headers:
        for name in declared_names(path):
            places[name].append(tree.relative(path))
    problems += [f"{where[0]} declares {name}, which tools/api/acl.json does not have"
                 for name, where in sorted(places.items()) if name not in known]
    problems += [f"{name} is declared twice: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]
    problems += [f"no header declares {name}" for name in sorted(known - set(places))]
    problems += list(four_byte_pointers(sys.argv[1])) if len(sys.argv) > 1 else []
    tree.finish(problems, len(places), "declared names")


if __name__ == "__main__":
    main()
