#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Every source file and every header of src compiles by itself, whatever batch the build puts it into.

  alone_check.py BUILD

BUILD is configured with FOOTHOLD_BATCHES=OFF, and its generated headers are written. Called by make alone-check.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def flags_of(entry):
    """The options of a command without its compiler cache, its source and what it writes."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if word.startswith("-")):]
    return words[:words.index("-o")]


def jobs(entries):
    by_folder = {}
    for entry in entries:
        source = pathlib.Path(entry["file"])
        if not source.is_relative_to(ROOT) or source.is_relative_to(ROOT / "build"):
            continue
        flags = flags_of(entry)
        by_folder.setdefault(source.parent, flags)
        yield source, entry["directory"], flags
    for header in sorted((ROOT / "src").rglob("*.h")):
        flags = next((by_folder[folder] for folder in header.parents if folder in by_folder), None)
        if flags and not header.name.endswith("-inl.h"):  # those are parts of a source that is read once per processor
            yield header, str(ROOT), flags


def compile_alone(job):
    path, directory, flags = job
    language = ["-x", "c" if path.suffix == ".c" else "c++"]
    compiler = "gcc" if path.suffix == ".c" else "g++"
    done = subprocess.run([compiler, *flags, "-fsyntax-only", "-Wno-pragma-once-outside-header", *language, str(path)],
                          cwd=directory, capture_output=True, text=True)
    return path, done.returncode, done.stderr


def main():
    build = pathlib.Path(sys.argv[1])
    entries = json.loads((build / "compile_commands.json").read_text())
    work = list({str(job[0]): job for job in jobs(entries)}.values())
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (path, code, errors) in enumerate(pool.map(compile_alone, work), 1):
            if code:
                failed += 1
                print(f"{path.relative_to(ROOT)} does not compile by itself:\n{errors}", flush=True)
            if number % 100 == 0:
                print(f"[{number} of {len(work)}]", flush=True)
    print(f"{len(work) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
