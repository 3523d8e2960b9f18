#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Every operator that runs is named in the code of a test; a comment does not count.

    operator_tests.py LIST_OPERATORS    the program that prints the operators that run
"""

import re
import subprocess
import sys

import tree


def named():
    words = set()
    for path in tree.project_files():
        if tree.relative(path).startswith("tests/") and path.suffix in tree.CODE | {".py"}:
            words.update(re.findall(r"\w+", re.sub(r"^\s*(//|#).*", "", path.read_text(), flags=re.M)))
    return words


def main():
    listed = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    operators = [line.split("\t")[0] for line in listed.splitlines()]
    words = named()
    tree.finish([f"{name} runs, but no test names it" for name in operators if name not in words], len(operators),
                "operators that run")


if __name__ == "__main__":
    main()
