#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The lists of symbols libfoothold.so exports: tools/api/exports.txt (C) and tools/api/exports_cpp.txt (C++, demangled).

    exports.py --write [LIBRARY]  makes the C list from the facts tables, and the C++ list from the library
    exports.py --check LIBRARY    fails unless table, lists and library agree

That the C++ list has all the API needs is proved by the headers' checks, which take the address of every method.
"""

import pathlib
import subprocess
import sys

import facts

LIST = facts.ROOT / "tools/api/exports.txt"
CPP_LIST = facts.ROOT / "tools/api/exports_cpp.txt"
# What extensions with machine code of the device look for: without it they fail to load and their callers go another
# way, with it they would be loaded and crash.
NEVER = ("fe::", "op::internal::", "l0op::", "optiling::")
# Functions that take strings are inline code of the headers. They are exported for programs compiled elsewhere, which have the older kind.
NEWER_STRING = "__cxx11"
# Of a symbol, as nm has it: some linkers make one of each version of src/exports.map.
VERSION_NAME = "A"
# What is not of the API: include/foothold/check.h, src/api/acl/check_caller.cpp.
OWN = ["FootholdCheckBlockGiven", "FootholdCheckBlockTaken", "FootholdCheckCaller", "FootholdCheckIgnore", "FootholdCheckWritten",
       "FootholdChecks"]


def expected():
    """The C API with the aclnn operators, and the functions of the Graph Engine that are looked up by plain names."""
    functions = facts.load_ge()["functions"]
    plain = [one["name"].split("::")[-1] for one in functions if "::" not in one["name"] or one.get("plain")]
    table = facts.load()
    names = [function["name"] for function in table["functions"] + table["looked_up"]]
    return sorted(OWN + names + plain + facts.function_table.exported(facts.aclnn()))


def listed(path):
    return path.read_text().splitlines()


def exported(library):
    """The C names, and the C++ names as people read them."""
    done = subprocess.run(["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True)
    symbols = [line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.split()[-2] != VERSION_NAME]
    mangled = [symbol for symbol in symbols if symbol.startswith("_Z")]
    done = subprocess.run(["c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True)
    return sorted(set(symbols) - set(mangled)), sorted(set(done.stdout.splitlines()))


def differences(left, right, text):
    return [text.format(name) for name in sorted(set(left) - set(right))]


def check(library):
    problems = []
    if listed(LIST) != expected():
        problems.append("tools/api/exports.txt is out of date: run tools/api/exports.py --write")
    for path, symbols in zip((LIST, CPP_LIST), exported(library)):
        problems += differences(listed(path), symbols, "{} is declared, but the library does not export it")
        problems += differences(symbols, listed(path), "{} is exported, but it is not part of the API")
    problems += [f"{name} must not be exported" for name in exported(library)[1] if name.startswith(NEVER)]
    problems += [f"{name} takes the newer kind of string" for name in listed(CPP_LIST) if NEWER_STRING in name]
    return problems


def main():
    if sys.argv[1] == "--write":
        LIST.write_text("\n".join(expected()) + "\n")
        for library in sys.argv[2:]:
            CPP_LIST.write_text("\n".join(exported(library)[1]) + "\n")
        return
    problems = check(pathlib.Path(sys.argv[2]))
    print("\n".join(problems) or f"{len(listed(LIST)) + len(listed(CPP_LIST))} exported symbols: all right")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
