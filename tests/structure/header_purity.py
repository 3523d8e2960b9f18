#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Each public header compiles alone, as strict C99 and C++11 and with either C++ string ABI, with every compiler
that is installed, and includes nothing but standard headers and other public ones."""

import concurrent.futures
import os
import re
import shutil
import subprocess

import tree

INCLUDE = tree.ROOT / "include"
STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", str(INCLUDE)]
C_STANDARD = {"stdarg.h", "stdbool.h", "stddef.h", "stdint.h"}
CPP_STANDARD = {"cstddef", "cstdint", "functional", "initializer_list", "iosfwd", "limits", "map", "memory", "mutex", "new", "set",
                "string", "type_traits", "utility", "vector"}
# Headers below these folders are C; the others are C++.
C_FOLDERS = ("acl", "aclnn", "aclnnop", "base")


def modes(path):
    old_strings = "-D_GLIBCXX_USE_CXX11_ABI=0"
    if path.relative_to(INCLUDE).parts[0] in C_FOLDERS:
        for compiler in ("gcc", "clang"):
            yield [compiler, "-x", "c", "-std=c99"]
    for compiler in ("g++", "clang++"):
        yield [compiler, "-x", "c++", "-std=c++11"]
        yield [compiler, "-x", "c++", "-std=c++11", old_strings]


def compile_alone(path):
    name = path.relative_to(INCLUDE)
    # Twice, for its guard; the declaration keeps a header of macros from being an empty translation unit.
    program = f'#include "{name}"\n#include "{name}"\nextern int not_empty;\n'
    for mode in modes(path):
        if not shutil.which(mode[0]):
            continue
        done = subprocess.run(mode + STRICT + ["-"], input=program, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield f"include/{name} does not compile with {' '.join(mode)}:\n{done.stderr}"


def foreign_includes(path):
    is_c = path.relative_to(INCLUDE).parts[0] in C_FOLDERS
    standard = C_STANDARD if is_c else C_STANDARD | CPP_STANDARD
    for bracket, name in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', path.read_text(), re.M):
        if bracket == "<" and name in standard or bracket == '"' and (INCLUDE / name).is_file():
            continue
        yield f"include/{path.relative_to(INCLUDE)} includes {name}, which is neither standard nor public"


def main():
    headers = sorted(INCLUDE.rglob("*.h"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda path: [*compile_alone(path), *foreign_includes(path)], headers))
    problems = [problem for problems_of_one in found for problem in problems_of_one]
    tree.finish(problems, len(headers), "public headers")


if __name__ == "__main__":
    main()
