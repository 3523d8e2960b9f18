#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The lists of docs/aclnn.md: how many operators run, which do not, and which forms of arguments are refused.

    aclnn_md.py --write    puts them between the marks of the page, from src/aclnn/table and the texts in src/aclnn/maps
    aclnn_md.py --check    fails unless the page is what --write would make
"""

import ast
import collections
import re
import sys

import function_table

PAGE = function_table.ROOT / "docs" / "aclnn.md"
LISTS = re.compile(r"(<!-- lists, by tools/aclnn/aclnn_md.py --write -->\n).*?(<!-- end -->)", re.S)
# A text may be written in several pieces.
TEXTS = r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'
REFUSED = re.compile(rf"call\.NotSupported\(\s*({TEXTS})", re.S)
REFUSED_GIVEN = re.compile(rf"RefuseGiven\(\s*call,\s*({TEXTS}),\s*\{{(.*?)\}}", re.S)
# The function that makes texts from what REFUSED_GIVEN finds.
ITS_TEXT = "{} with '{}'"


def text_of(literals):
    return ast.literal_eval("(" + literals + ")")


def refused_forms(source):
    found = [text_of(literals) for literals in REFUSED.findall(source)]
    forms = [text.replace("{}", "...") for text in found if text != ITS_TEXT]
    for form, names in REFUSED_GIVEN.findall(source):
        names = [text_of(name) for name in re.findall(TEXTS, names)]
        forms.append(f"{text_of(form)} with " + ", ".join(f"`{name}`" for name in names))
    return forms


def all_refused_forms():
    paths = sorted(function_table.MAPS.rglob("*.cpp"))
    return sorted({form for path in paths for form in refused_forms(path.read_text())}, key=str.lower)


def sentence(names):
    return ", ".join(name.removeprefix("aclnn") for name in names) + "."


def lists():
    operators = [function for function in function_table.read() if function.two_phases]
    mapped = function_table.runs(operators)
    unsupported = collections.defaultdict(list)
    for function in operators:
        if function.name not in mapped:
            unsupported[function.library_file].append(function.name)
    count = sum(function.name in mapped for function in operators)
    forms = all_refused_forms()
    unknown = function_table.read_list("unknown_signatures.lst")
    by_default = len(function_table.by_default())
    lines = [f"{count} of {len(operators)} operators run, {by_default} of them by the table alone; [api_status.md](api_status.md) "
             "has their names.", "",
             "### Operators that answer 561003"]
    for library, names in sorted(unsupported.items()):
        lines += ["", f"`{library}`, {len(names)}: {sentence(names)}"]
    lines += ["", "### Forms of arguments that answer 561003", "",
              "Of operators that run. Kernels refuse further ones, types above all; their messages say what would run.", ""]
    lines += [f"- {form}" for form in forms]
    lines += ["", "### Operators with signatures nobody knows", "",
              f"{len(unknown)} names that known programs look up, and whose parameters no open source states. They are "
              f"neither declared nor exported: {sentence(unknown)}"]
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] not in (["--write"], ["--check"]):
        sys.exit(__doc__)
    old = PAGE.read_text()
    if len(LISTS.findall(old)) != 1:
        sys.exit("docs/aclnn.md has not one place for the lists")
    made = lists()
    new = LISTS.sub(lambda marks: marks[1] + made + marks[2], old)
    if sys.argv[1] == "--write":
        PAGE.write_text(new)
    elif new != old:
        sys.exit("docs/aclnn.md is not what the code says: run tools/aclnn/aclnn_md.py --write")


if __name__ == "__main__":
    main()
