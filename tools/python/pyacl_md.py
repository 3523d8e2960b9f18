#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The list of functions in docs/pyacl.md, from the built module (on PYTHONPATH) and what src/api says of the functions of C.

    pyacl_md.py --write
    pyacl_md.py --check    fails unless the page is what --write would make
"""
import collections
import pathlib
import sys

import acl

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/api"))
import states  # noqa: E402

PAGE = ROOT / "docs/pyacl.md"
MARK = "<!-- functions, by tools/python/pyacl_md.py -->\n"


def returned(results):
    names = results.split(", ")
    return f"`({results})`" if len(names) > 1 else f"`{results}`"


def line(row, read):
    _, name, signature, _, c_name, parameters, _ = row
    arguments, results = signature.split("-> ")
    names = [argument for argument in arguments.strip().split(", ") if argument]
    named = [f"[{n}]" if optional else n for n, (_, optional) in zip(names, parameters)]
    state = read.get(c_name, states.WORKS)
    return f"| `{name}({', '.join(named)})` | {returned(results)} | {'' if c_name == '-' else f'`{c_name}`'} | {state} |"


def functions():
    read = states.read()[0]
    modules = collections.defaultdict(list)
    for row in acl._functions():
        modules[row[0]].append(row)
    counts = ["| module | functions | work |", "|---|--:|--:|"]
    lists = []
    for module, rows in modules.items():
        counts.append(f"| `{module}` | {len(rows)} | {sum(row[4] not in read for row in rows)} |")
        lists += ["", f"### {module}", "", "| call | returns | C | state |", "|---|---|---|---|"]
        lists += [line(row, read) for row in rows]
    return "\n".join(counts + lists) + "\n"


def main():
    text = PAGE.read_text()
    made = text[: text.index(MARK) + len(MARK)] + "\n" + functions()
    if "--write" in sys.argv:
        PAGE.write_text(made)
    elif text != made:
        sys.exit("docs/pyacl.md is out of date: run tools/python/pyacl_md.py --write")


if __name__ == "__main__":
    main()
