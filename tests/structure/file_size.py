#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""No file with code is longer than 600 lines, every folder of src has a README of at most 20 and a place in that of
the project, and no file or folder is named after having no subject."""

import re

import tree

LIMIT = 600
README_LIMIT = 20
CODE = tree.CODE | {".py", ".sh", ".cmake"}
# Tables, which are as long as what they list.
EXCUSED = ("include/",)
SUBJECTLESS = {"common", "helper", "helpers", "misc", "util", "utils"}


def long_files(files):
    for path in files:
        name = tree.relative(path)
        if path.suffix not in CODE or name.startswith(EXCUSED):
            continue
        lines = path.read_text().count("\n")
        if lines > LIMIT:
            yield f"{name} has {lines} lines; split it at {LIMIT}"


def readmes(files):
    folders = {path.relative_to(tree.ROOT).parts[1] for path in files if tree.relative(path).startswith("src/")
               and len(path.relative_to(tree.ROOT).parts) > 2}
    drawing = (tree.ROOT / "README.md").read_text()
    for folder in sorted(folders):
        if not re.search(rf"\bsrc/{folder}\b", drawing):
            yield f"README.md does not name src/{folder} where it says how the project is built"
        readme = tree.ROOT / "src" / folder / "README.md"
        if not readme.is_file():
            yield f"src/{folder} has no README.md"
        elif readme.read_text().count("\n") > README_LIMIT:
            yield f"src/{folder}/README.md is longer than {README_LIMIT} lines"


def names(files):
    for path in files:
        parts = path.relative_to(tree.ROOT).with_suffix("").parts
        if SUBJECTLESS.intersection(part.lower() for part in parts):
            yield f"{tree.relative(path)}: name it after its subject"


def main():
    files = tree.project_files()
    problems = [problem for check in (long_files, readmes, names) for problem in check(files)]
    tree.finish(problems, len(files), "files")


if __name__ == "__main__":
    main()
