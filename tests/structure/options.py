#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Every option of the headers stands in one list of src/options/known_options.cpp, and each list says the truth: an
option that is read is named by a source that reads it, an option without effect by none."""

import re
import sys

import tree

sys.path.insert(0, str(tree.ROOT / "tools/api"))
import facts  # noqa: E402

TABLE = tree.ROOT / "src/options/known_options.cpp"
# Attributes of operators and keys of information about the hardware: no options, though the header has them.
NO_OPTION = ("::public_attr::", "::ATTR_")
LISTS = ("kRead", "kNeedNothing", "kWithoutEffect")


def header_options():
    return {entry["value"] for entry in facts.load_ge()["constants"]
            if isinstance(entry["value"], str) and not any(mark in entry["name"] for mark in NO_OPTION)}


def listed(name):
    body = re.search(rf"\b{name}\[\] = {{(.*?)}};", TABLE.read_text(), re.S)[1]
    return re.findall(r'"([^"]+)"', body)


def readers():
    """The sources that could read an option of a session or a model, as one text. The ONNX parser has options of its
    own, under some of the same names."""
    paths = [path for path in tree.project_files() if path.suffix in tree.CODE and path != TABLE
             and tree.relative(path).startswith(("src/session", "src/options", "src/launch", "src/model", "src/api", "src/single_op", "src/hcom"))]
    return "\n".join(path.read_text() for path in paths)


def main():
    lists = {name: listed(name) for name in LISTS}
    every = [option for name in LISTS for option in lists[name]]
    text = readers()
    problems = [f"{option} stands twice" for option in sorted(set(every)) if every.count(option) > 1]
    problems += [f"{option} of the headers is in no list" for option in sorted(header_options() - set(every))]
    problems += [f"{option} is said to be read, but no source names it" for option in lists["kRead"]
                 if f'"{option}"' not in text]
    problems += [f"{option} is said to have no effect, but a source names it" for option in lists["kWithoutEffect"]
                 if f'"{option}"' in text]
    problems += [f"{name} is not sorted" for name in LISTS if lists[name] != sorted(lists[name])]
    tree.finish([f"src/options/known_options.cpp: {problem}" for problem in problems], len(every), "options")


if __name__ == "__main__":
    main()
