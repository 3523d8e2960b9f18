#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""docs/api_status.md: which declared functions are implemented, header by header.

    api_status.py --write    makes the page from the facts table and src/api/unsupported_*.cpp
    api_status.py --check    fails unless the page is what --write would make
    api_status.py --summary  one line: implemented of declared functions
"""

import sys

import facts

PAGE = facts.ROOT / "docs/api_status.md"
INTRO = """# API status

Made by `tools/api/api_status.py --write` from the table of the API and `src/api/unsupported_*.cpp`; a test keeps it
up to date. A function that is not supported can be linked and called: it answers the documented not-supported code
(or null, or the sentinel of its kind) and leaves a message for `aclGetRecentErrMsg` that names it. "Called" counts the
functions that at least one known program calls.
"""


class Count:
    def __init__(self, functions, missing):
        self.declared = len(functions)
        self.implemented = sum(f["name"] not in missing for f in functions)
        called = [f for f in functions if f.get("used")]
        self.called = len(called)
        self.called_implemented = sum(f["name"] not in missing for f in called)

    def cells(self):
        return f"{self.declared} | {self.implemented} | {self.called} | {self.called_implemented}"


def names(functions):
    return ", ".join(f"`{f['name']}`" for f in functions) or "none"


def page(table, missing):
    lines = [INTRO, "| header | declared | implemented | called | of these implemented |", "|---|--:|--:|--:|--:|"]
    sections = []
    for header in sorted({f["header"] for f in table["functions"]}):
        functions = sorted((f for f in table["functions"] if f["header"] == header), key=lambda f: f["name"])
        lines.append(f"| `{header}` | {Count(functions, missing).cells()} |")
        sections += ["", f"## {header}", ""]
        sections += ["Implemented: " + names([f for f in functions if f["name"] not in missing]) + ".", ""]
        sections += ["Not supported: " + names([f for f in functions if f["name"] in missing]) + "."]
    lines.append(f"| all | {Count(table['functions'], missing).cells()} |")
    return "\n".join(lines + sections) + "\n"


def main():
    table = facts.load()
    missing = set(facts.unsupported_functions())
    unknown = missing - {f["name"] for f in table["functions"]}
    if unknown:
        sys.exit("not in tools/api/acl.json: " + ", ".join(sorted(unknown)))
    text = page(table, missing)
    if "--write" in sys.argv:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text)
    elif "--summary" in sys.argv:
        count = Count(table["functions"], missing)
        print(f"{count.implemented} of {count.declared} API functions")
    elif not PAGE.is_file() or PAGE.read_text() != text:
        sys.exit("docs/api_status.md is out of date: run tools/api/api_status.py --write")
    else:
        print("docs/api_status.md: up to date")


if __name__ == "__main__":
    main()
