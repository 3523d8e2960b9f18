#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""write_table.py PAIR RESULTS: puts the counts of a run of torch_check.py into docs/pytorch.md, between its marks."""
import collections
import json
import os
import re
import sys

import environment

DOCUMENT = os.path.join(environment.ROOT, "docs", "pytorch.md")
sys.path.insert(0, os.path.join(environment.HERE, "operators"))
from sweep import COLUMNS  # noqa: E402

TITLES = {"forward": "operators forward", "backward": "operators backward", "inplace": "operators in place",
          "strided": "operators on views", "reference": "operators on edge cases", "foreach": "operators on lists",
          "foreach_inplace": "operators on lists, in place"}


def row_of(cell):
    if "|" not in cell:
        return "programs: " + cell.split(".")[0].replace("_", " ")
    _, kind, direction = cell.rsplit("|", 2)
    return f"{TITLES[direction]}, {kind}"


def count(folder):
    """Row to outcomes."""
    rows = collections.defaultdict(collections.Counter)
    for part in ("operators", "programs"):
        path = os.path.join(folder, f"{part}.jsonl")
        if os.path.exists(path):
            with open(path) as lines:
                results = {result["cell"]: result["outcome"] for result in map(json.loads, lines)}
            for cell, outcome in results.items():
                rows[row_of(cell)][outcome] += 1
    return rows


def table(pair, folder):
    lines = [f"| torch {pair} | " + " | ".join(COLUMNS) + " |", "|---|" + "--:|" * len(COLUMNS)]
    for row, found in count(folder).items():
        lines.append(f"| {row} | " + " | ".join(str(found[column]) for column in COLUMNS) + " |")
    return "\n".join(lines)


def main():
    pair, folder = sys.argv[1:]
    with open(DOCUMENT) as file:
        text = file.read()
    begin, end = f"<!-- table of {pair} -->\n", f"<!-- end of {pair} -->"
    if begin not in text:
        sys.exit(f"write_table.py: docs/pytorch.md has no place for the table of {pair}")
    text = re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}{table(pair, folder)}\n{end}", text, flags=re.S)
    with open(DOCUMENT, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
