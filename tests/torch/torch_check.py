#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""torch_check.py PAIR...: the operator database, the programs and the examples with pairs of torch and torch_npu, one
after the other; fails when one is worse than expected/ says (make torch-check). Without a pair: with all."""
import hashlib
import os
import subprocess
import sys

import environment

HERE = environment.HERE
TOOLKIT = os.path.join(environment.ROOT, "build", "toolkit")


def library():
    """Names the library: results of another one are not gone on with."""
    with open(os.path.join(TOOLKIT, "lib64", "libfoothold.so"), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


def steps(pair, python):
    common = ["--python", python, "--toolkit", TOOLKIT]
    results = os.path.join(environment.FOLDER, f"results-{pair}-{library()}")
    os.makedirs(results, exist_ok=True)
    yield "the operator database", [
        os.path.join(HERE, "operators", "sweep.py"), *common, "--workers", "2", "--quiet",
        "--results", os.path.join(results, "operators.jsonl"),
        "--expected", os.path.join(HERE, "expected", f"operators-{pair}.txt")]
    yield "programs", [
        os.path.join(HERE, "run_programs.py"), *common,
        "--results", os.path.join(results, "programs.jsonl"),
        "--expected", os.path.join(HERE, "expected", f"programs-{pair}.txt")]


def check(pair):
    python = environment.python_of(pair)
    failed = False
    for what, command in steps(pair, python):
        print(f"== torch {pair}: {what}", flush=True)
        failed |= subprocess.run([sys.executable, *command], check=False).returncode != 0
    return failed


def main():
    pairs = sys.argv[1:] or environment.pairs()
    failed = [pair for pair in pairs if check(pair)]
    if failed:
        sys.exit(f"torch_check.py: worse than expected with {', '.join(failed)}")
    print(f"torch_check.py: as expected with {', '.join(pairs)}")


if __name__ == "__main__":
    main()
