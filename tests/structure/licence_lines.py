#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Every file with code in it starts with the two licence lines, after a shebang if it has one."""

import tree

LINES = ("SPDX-License-Identifier: Apache-2.0", "SPDX-FileCopyrightText: The Foothold authors")
HASH = {".py", ".sh", ".cmake"}
HASH_NAMES = {"CMakeLists.txt", "Makefile"}


def comment_of(path):
    if path.suffix in tree.CODE:
        return "//"
    first = path.read_bytes()[:2]
    return "#" if path.suffix in HASH or path.name in HASH_NAMES or first == b"#!" else None


def main():
    problems, checked = [], 0
    for path in tree.project_files():
        comment = comment_of(path)
        if comment is None:
            continue
        checked += 1
        lines = path.read_text().splitlines()
        start = 1 if lines and lines[0].startswith("#!") else 0
        if lines[start : start + 2] != [f"{comment} {line}" for line in LINES]:
            problems.append(f"{tree.relative(path)} does not start with the two licence lines")
    tree.finish(problems, checked, "files with code")


if __name__ == "__main__":
    main()
