#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Code that the documentation quotes is the code: <!-- quoted from FILE --> above a block makes it a quotation."""

import re

import tree

MARK = "<!-- quoted from "
QUOTATION = re.compile(r"<!-- quoted from (\S+) -->\n```\w+\n(.*?)\n```", re.S)


def problems_of(page, text):
    found = QUOTATION.findall(text)
    if len(found) != text.count(MARK):
        yield f"{tree.relative(page)}: a mark of a quotation has no block right below it"
    for name, quoted in found:
        source = tree.ROOT / name
        if not source.is_file():
            yield f"{tree.relative(page)} quotes {name}, which does not exist"
            continue
        # An ellipsis on a line of its own stands for what was left out.
        for part in re.split(r"^\s*// \.\.\.$", quoted, flags=re.M):
            if part.strip("\n") not in source.read_text():
                yield f"{tree.relative(page)}: {name} does not hold:\n{part}"


def main():
    pages = {path: path.read_text() for path in tree.project_files() if path.suffix == ".md"}
    quoting = {path: text for path, text in pages.items() if MARK in text}
    problems = [problem for path, text in quoting.items() for problem in problems_of(path, text)]
    tree.finish(problems, len(quoting), "pages with quotations")


if __name__ == "__main__":
    main()
