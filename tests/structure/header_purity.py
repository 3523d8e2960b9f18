#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Each public header compiles alone, as strict C99 and C++11; all of them compile with every compiler that is installed
and either C++ string ABI; and they include nothing but standard headers and other public ones."""

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
C_FOLDERS = ("acl", "aclnn", "aclnnop", "base", "foothold", "hccl")
C_MODES = [["gcc", "-x", "c", "-std=c99"], ["clang", "-x", "c", "-std=c99"]]
CPP_MODES = [[compiler, "-x", "c++", "-std=c++11", *strings] for compiler in ("g++", "clang++")
             for strings in ([], ["-D_GLIBCXX_USE_CXX11_ABI=0"])]


def is_c(path):
    return path.relative_to(INCLUDE).parts[0] in C_FOLDERS


def problems_of(mode, headers):
    """What a compiler says of the headers, each included twice, for its guard."""
    if not shutil.which(mode[0]):
        return
    names = [path.relative_to(INCLUDE) for path in headers]
    # The declaration keeps a header of macros from being an empty translation unit.
    program = "".join(f'#include "{name}"\n' for name in names * 2) + "extern int not_empty;\n"
    done = subprocess.run(mode + STRICT + ["-"], input=program, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        which = f"include/{names[0]} does" if len(names) == 1 else "The public headers together do"
        yield f"{which} not compile with {' '.join(mode)}:\n{done.stderr}"


def compilations(headers):
    """Each header alone with the first mode of its languages, and all together with every mode."""
    c_headers = [path for path in headers if is_c(path)]
    yield from ((C_MODES[0], [path]) for path in c_headers)
    yield from ((CPP_MODES[0], [path]) for path in headers)
    yield from ((mode, c_headers) for mode in C_MODES)
    yield from ((mode, headers) for mode in CPP_MODES)


def foreign_includes(path):
    standard = C_STANDARD if is_c(path) else C_STANDARD | CPP_STANDARD
    for bracket, name in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', path.read_text(), re.M):
        ours = (INCLUDE / name).is_file() or (path.parent / name).is_file()
        if bracket == "<" and name in standard or bracket == '"' and ours:
            continue
        yield f"include/{path.relative_to(INCLUDE)} includes {name}, which is neither standard nor public"


def main():
    headers = sorted(INCLUDE.rglob("*.h"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda work: list(problems_of(*work)), compilations(headers)))
    found += [list(foreign_includes(path)) for path in headers]
    problems = [problem for problems_of_one in found for problem in problems_of_one]
    tree.finish(problems, len(headers), "public headers")


if __name__ == "__main__":
    main()
