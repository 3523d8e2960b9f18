#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""torch_check.py [--write] [--only operators,programs,examples] PAIR...: PyTorch on device npu beside the CPU, with pairs of
torch and torch_npu, one after the other; fails when one is worse than expected/ says (make torch-check).

The operator database is run with the pairs that have a list of it in expected/. --write makes the lists and the table of
docs/pytorch.md anew from what was found. Without a pair: all.
"""
import argparse
import hashlib
import os
import subprocess
import sys

import environment

HERE = environment.HERE
TOOLKIT = os.path.join(environment.ROOT, "build", "toolkit")
PARTS = ("operators", "programs", "examples")


def library():
    """Names the library: results of another one are not gone on with."""
    with open(os.path.join(TOOLKIT, "lib64", "libfoothold.so"), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


def results_of(pair):
    return os.path.join(environment.FOLDER, f"results-{pair}-{library()}")


def expected(part, pair):
    return os.path.join(HERE, "expected", f"{part}-{pair}.txt")


def compared(part, pair, write):
    return ["--results", os.path.join(results_of(pair), f"{part}.jsonl"),
            "--write-expected" if write else "--expected", expected(part, pair)]


def steps(pair, python, options):
    common = ["--python", python, "--toolkit", TOOLKIT]
    parts = options.only.split(",")
    if "operators" in parts and os.path.exists(expected("operators", pair)):
        yield "the operator database", [os.path.join(HERE, "operators", "sweep.py"), *common, "--workers", "2", "--quiet",
                                        *compared("operators", pair, options.write)]
    if "programs" in parts:
        yield "programs", [os.path.join(HERE, "run_programs.py"), *common, *compared("programs", pair, options.write)]
    if "examples" in parts:
        yield "examples", [os.path.join(HERE, "run_examples.py"), *common]


def check(pair, options):
    python = environment.python_of(pair)
    os.makedirs(results_of(pair), exist_ok=True)
    failed = False
    for what, command in steps(pair, python, options):
        print(f"== torch {pair}: {what}", flush=True)
        status = subprocess.run([sys.executable, *command], check=False).returncode
        # Where lists are written, what fails is not worse than expected: only a run that broke off is wrong.
        failed |= status != 0 and not (options.write and status == 1)
    if options.write:
        subprocess.run([sys.executable, os.path.join(HERE, "write_table.py"), pair, results_of(pair)], check=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="*", metavar="PAIR")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    unknown = set(options.only.split(",")) - set(PARTS)
    if unknown:
        sys.exit(f"torch_check.py: there is no part '{unknown.pop()}'; there are {', '.join(PARTS)}")
    pairs = environment.pairs() if options.pairs in ([], ["all"]) else options.pairs
    failed = [pair for pair in pairs if check(pair, options)]
    if failed:
        sys.exit(f"torch_check.py: worse than expected with {', '.join(failed)}")
    print(f"torch_check.py: as expected with {', '.join(pairs)}")


if __name__ == "__main__":
    main()
