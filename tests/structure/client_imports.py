#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The library exports every C++ name that known wheels import; client_imports.txt has them.

    client_imports.py <libfoothold.so>
"""

import pathlib
import subprocess
import sys

import tree

LIST = pathlib.Path(__file__).with_name("client_imports.txt")


def wanted():
    return [line for line in LIST.read_text().splitlines() if not line.startswith("#")]


def exported(library):
    done = subprocess.run(["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}


def main():
    names = wanted()
    missing = sorted(set(names) - exported(sys.argv[1]))
    tree.finish([f"{name} is imported by wheels and not exported" for name in missing], len(names), "imports of wheels")


if __name__ == "__main__":
    main()
