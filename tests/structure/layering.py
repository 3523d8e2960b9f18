#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Reads every include of the library and its tools: a folder may name only the folders below it.

  layering.py [--write]

The table stands in docs/architecture.md as well; --write puts it there.
"""

import re
import sys

import tree

PUBLIC = "public headers"
MAY_INCLUDE = {
    "base": [],
    "kernels": ["base"],
    "trace": ["base"],
    "check": ["base", "trace"],
    "device": ["base", "kernels", "trace", "check"],
    "check/devices": ["base", "kernels", "check", "device"],
    "transfer": ["base", "device"],
    "capture": ["base", "trace", "device"],
    "binaries": ["base", "trace", "device"],
    "collectives": ["base", "kernels", "trace", "device"],
    "media": ["base", "kernels", "trace", "device"],
    "codecs": ["base"],
    "video": ["base", "device", "media", "codecs"],
    "mpi": ["base", "device", "media", "codecs", "video"],
    "ir": ["base"],
    "prototypes": ["base", "ir"],
    "ops": ["base", "ir", "prototypes", "kernels"],
    "custom_ops": ["base", "ir", "prototypes", "ops"],
    "formats": ["base", "ir", "prototypes"],
    "onnx": ["base", "ir", "prototypes"],
    "onnx_reader": ["base", "ir", "onnx"],
    "program": ["base", "ir", "ops"],
    "compiler": ["base", "ir", "prototypes", "ops", "program", "kernels"],
    "dump": ["base", "check", "ir", "formats", "program"],
    "profile": ["base", "trace", "program"],
    "options": ["base", "ir"],
    "launch": ["base", "ir", "ops", "device", "program", "compiler", "dump", "profile"],
    "calls": ["base", "ir", "device", "program", "dump", "launch"],
    "hcom": ["base", "ir", "ops", "device", "options", "collectives"],
    "session": ["base", "check", "check/devices", "ir", "device", "formats", "compiler", "program", "ops", "dump", "options", "launch"],
    "model": ["base", "ir", "device", "formats", "compiler", "program", "ops", "dump", "profile", "options", "launch"],
    "single_op": ["base", "ir", "prototypes", "ops", "device", "formats", "compiler", "program", "model", "dump", "launch",
                  "calls"],
    "aclnn": ["base", "trace", "check", "ir", "prototypes", "ops", "device", "compiler", "dump", "launch", "calls"],
    "api": [PUBLIC, "base", "ir", "prototypes", "formats", "onnx", "ops", "custom_ops", "device", "binaries", "capture", "session",
            "model", "single_op", "aclnn", "dump", "profile", "trace", "check", "check/devices", "options", "launch", "transfer",
            "collectives", "hcom", "media", "codecs", "video", "mpi"],
    "old_strings": [PUBLIC],
    "python": [PUBLIC],
    "tools": [PUBLIC, "base", "kernels", "ir", "prototypes", "ops", "custom_ops", "program", "compiler", "session", "formats", "model",
              "dump", "options", "launch", "trace", "check"],
}
# Libraries of others that only one folder may name.
ONLY_IN = {"hwy": ["kernels"], "ucp": ["collectives"], "wels": ["codecs"], "libde265": ["codecs"], "onnx": ["onnx_reader"],
           "google": ["formats", "onnx_reader"]}
SOURCE, INCLUDE = tree.ROOT / "src", tree.ROOT / "include"
INCLUDE_LINE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def room_of(parts):
    """The folder, or the room in it that has a place of its own in the table."""
    room = "/".join(parts[:2])
    return room if room in MAY_INCLUDE else parts[0]


def folder_of(path):
    parts = path.relative_to(tree.ROOT).parts
    if parts[0] == "src" and len(parts) > 2:
        return room_of(parts[1:])
    return "tools" if parts[0] == "tools" else None


def target_of(name):
    """The folder an include leads to, PUBLIC, or None for a library of others."""
    if (SOURCE / name).is_file():
        return room_of(name.split("/"))
    return PUBLIC if (INCLUDE / name).is_file() else None


def problems_of(path, folder):
    allowed = MAY_INCLUDE[folder] + [folder]
    for name in INCLUDE_LINE.findall(path.read_text()):
        target = target_of(name)
        owners = ONLY_IN.get(name.split("/")[0])
        if target is not None and target not in allowed:
            yield f"{tree.relative(path)} includes {name}: {folder} may not name {target}"
        if target is None and owners is not None and folder not in owners:
            yield f"{tree.relative(path)} includes {name}: only {' and '.join(owners)} may"
        if (SOURCE / name).is_file() and (INCLUDE / name).is_file():
            yield f"{tree.relative(path)} includes {name}, which is both a public and an internal header"


def table():
    rows = [f"| {folder} | {', '.join(below) or 'nothing of ours'} |\n" for folder, below in MAY_INCLUDE.items()]
    return "| folder | may include |\n|---|---|\n" + "".join(rows)


def table_problems(write):
    page = tree.ROOT / "docs" / "architecture.md"
    text = page.read_text()
    shown = re.search(r"\| folder \| may include \|\n(\|.*\n)+", text)
    if write:
        page.write_text(text.replace(shown.group(0), table()))
    elif shown is None or shown.group(0) != table():
        yield "docs/architecture.md does not show the table of this test; tests/structure/layering.py --write does that"


def main():
    problems, checked = list(table_problems("--write" in sys.argv[1:])), 0
    for path in tree.project_files():
        folder = folder_of(path)
        if path.suffix not in tree.CODE or folder is None:
            continue
        checked += 1
        if folder not in MAY_INCLUDE:
            problems.append(f"src/{folder} is not in the table of this test")
            continue
        problems += problems_of(path, folder)
    tree.finish(problems, checked, "files with includes")


if __name__ == "__main__":
    main()
