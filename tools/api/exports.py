#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The list of symbols libfoothold.so exports, tools/api/exports.txt.

    exports.py --write          makes the list from the facts table
    exports.py --check LIBRARY  fails unless table, list and library agree
"""

import pathlib
import subprocess
import sys

import facts

LIST = facts.ROOT / "tools/api/exports.txt"


def expected():
    return sorted(function["name"] for function in facts.load()["functions"])


def listed():
    return LIST.read_text().split()


def exported(library):
    done = subprocess.run(["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True)
    return sorted(line.split()[-1].split("@")[0] for line in done.stdout.splitlines())


def differences(left, right, text):
    return [text.format(name) for name in sorted(set(left) - set(right))]


def check(library):
    problems = []
    if listed() != expected():
        problems.append("tools/api/exports.txt is out of date: run tools/api/exports.py --write")
    symbols = exported(library)
    problems += differences(listed(), symbols, "{} is declared, but the library does not export it")
    problems += differences(symbols, listed(), "{} is exported, but it is not part of the API")
    return problems


def main():
    if sys.argv[1:] == ["--write"]:
        LIST.write_text("\n".join(expected()) + "\n")
        return
    problems = check(pathlib.Path(sys.argv[2]))
    print("\n".join(problems) or f"{len(listed())} exported symbols: all right")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
