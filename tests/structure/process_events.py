#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What a fork and the end of the process do stands in one place (src/base/process_events.h): nothing else in src asks the
C library for it, and the tables of docs/architecture.md name the stages in their order and the files that take part.
The module of Python is a library of its own."""

import re

import tree

HOME = "src/base/process_events"
CALLS = re.compile(r"\b(?:pthread_atfork|atexit|at_quick_exit|on_exit)\s*\(|gnu::destructor|__attribute__\s*\(\(\s*destructor")
EXCUSED = ("src/python/",)


def sources():
    for path in tree.project_files():
        name = tree.relative(path)
        if name.startswith("src/") and path.suffix in {".h", ".cpp", ".c"} and not name.startswith(HOME):
            yield name, path.read_text()


def other_calls(texts):
    for name, text in texts:
        if name.startswith(EXCUSED):
            continue
        for call in CALLS.finditer(text):
            line = text.count("\n", 0, call.start()) + 1
            yield f"{name}:{line} has {call.group(0)!r}: what a fork or the end does is a stage of {HOME}.h"


def stages(kind):
    body = re.search(rf"enum class {kind}[^{{]*{{(.*?)}};", (tree.ROOT / f"{HOME}.h").read_text(), re.S).group(1)
    return re.findall(r"\b(k\w+)", re.sub(r"//.*", "", body))


def tables(texts, kind):
    """The rows of the document's table of this kind, against the enumeration and those who use it."""
    document = (tree.ROOT / "docs/architecture.md").read_text()
    rows = re.findall(rf"^\| `{kind}::(k\w+)` \|[^|]*\| ([^|]*) \|$", document, re.M)
    if [stage for stage, _ in rows] != stages(kind):
        yield f"docs/architecture.md has the stages {[stage for stage, _ in rows]} of {kind}, {HOME}.h {stages(kind)}"
    for stage, files in rows:
        said = set(re.findall(r"`([\w/]+\.(?:h|cpp))`", files))
        used = {name[len("src/"):] for name, text in texts if f"{kind}::{stage}" in text}
        if said != used:
            yield (f"docs/architecture.md says of {kind}::{stage} {sorted(said - used)}, who do not take part, and "
                   f"not {sorted(used - said)}, who do")


def main():
    texts = list(sources())
    problems = [*other_calls(texts), *tables(texts, "ForkStage"), *tables(texts, "ExitStage")]
    tree.finish(problems, len(texts), "sources")


if __name__ == "__main__":
    main()
