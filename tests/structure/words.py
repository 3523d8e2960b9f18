#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""No file holds a path of somebody's machine, unfinished work, or the number of an issue."""

import pathlib
import re

import tree

FORBIDDEN = {
    r"(?<![\w.}])/(?:work|root|home|Users)/\w": "a path of one machine",
    r"(?<![\w.}])/tmp/\w": "a path of one machine",
    r"\b(?:TODO|FIXME|XXX|HACK)\b": "unfinished work",
    r"(?i)\bfor now\b": "unfinished work",
    r"(?i)\bplaceholder implementation\b": "unfinished work",
    r"(?i)\bissue\s*#?\d+": "the number of an issue",
    r"(?i)\bregistry\.[\w-]+\.\w+": "the address of a registry",
}
# This file has to name what it looks for.
THIS = pathlib.Path(__file__).resolve()


def problems_of(path):
    try:
        text = path.read_text()
    except UnicodeDecodeError:  # data
        return
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in FORBIDDEN.items():
            if re.search(pattern, line):
                yield f"{tree.relative(path)}:{number}: {what}: {line.strip()[:100]}"


def main():
    files = [path for path in tree.project_files() if path != THIS]
    tree.finish([problem for path in files for problem in problems_of(path)], len(files), "files")


if __name__ == "__main__":
    main()
