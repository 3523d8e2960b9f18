#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Lets every allocation of every example fail once: each run has to end by itself, without a crash and findings.

  faults_check.py TREE WORK_DIR [EXAMPLE ...]

Builds the examples as their READMEs say, and runs the last line of each under `foothold check --faults sweep`.
"""
import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 600  # seconds, for one example
LEFT_OUT = {"aclnn_chat": "thousands of allocations", "train_checkpoint": "thousands of allocations"}


def lines_of(example, tree):
    block = re.search(r"```sh\n(.*?)```", (example / "README.md").read_text(), re.S).group(1)
    return block.replace("build/toolkit/", f"{tree}/").replace("examples/", f"{example.parent}/").strip().splitlines()


def sweep(example, tree, work):
    work.mkdir(parents=True, exist_ok=True)
    lines = lines_of(example, tree)
    runs = [i for i, line in enumerate(lines) if line.startswith(("./", "python3 "))]
    if not runs:
        return f"{example.name}: nothing to run", True
    lines = lines[:runs[0] + 1]
    lines[-1] = f"{tree}/bin/foothold check --faults sweep --leaks=error -- {lines[-1]}"
    try:
        done = subprocess.run(["bash", "-ec", "\n".join(lines)], cwd=work, text=True, capture_output=True, check=False,
                              timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"{example.name}: no end within {LONGEST} s", False
    (work / "output").write_text(done.stdout + done.stderr)
    last = done.stderr.strip().splitlines()[-1:] or ["nothing said"]
    return f"{example.name}: {last[0]}", done.returncode == 0


def main():
    tree, work = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    wanted = sys.argv[3:]
    bad = 0
    for readme in sorted((PROJECT / "examples").glob("*/README.md")):
        example = readme.parent
        if wanted and example.name not in wanted or not wanted and example.name in LEFT_OUT:
            continue
        text, fine = sweep(example, tree, work / example.name)
        print("  " if fine else "! ", text, sep="", flush=True)
        bad += not fine
    sys.exit(1 if bad else 0)


main()
