#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The commands of examples/pytorch/README.md, one after the other, with the Python of a pair.

  run_examples.py --python VENV/bin/python [--toolkit build/toolkit]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import environment

EXAMPLES = os.path.join(environment.ROOT, "examples")
SECONDS = 300


def commands(toolkit):
    """Each with the files where they are here; the first sets the environment."""
    with open(os.path.join(EXAMPLES, "pytorch", "README.md")) as text:
        block = re.search(r"```sh\n(.*?)```", text.read(), re.S).group(1)
    lines = block.replace("build/toolkit", toolkit).replace("examples/", f"{EXAMPLES}/").strip().split("\n")
    return lines[0], lines[1:]


def run(set_environment, command, python, folder):
    path = f"{os.path.dirname(os.path.abspath(python))}:{os.environ['PATH']}"
    try:
        return subprocess.run(["bash", "-ec", f"{set_environment}\nset -x\n{command}"], cwd=folder, text=True,
                              env=dict(os.environ, PATH=path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 124, f"{late.stdout}\nnot done in {SECONDS} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True)
    parser.add_argument("--toolkit", default=os.path.join(environment.ROOT, "build/toolkit"))
    options = parser.parse_args()
    set_environment, lines = commands(os.path.abspath(options.toolkit))
    failed = []
    with tempfile.TemporaryDirectory(prefix="examples") as folder:
        for command in lines:
            done = run(set_environment, command, options.python, folder)
            name = re.search(r"pytorch/(\w+)\.py", command).group(1)
            print(f"{'pass' if done.returncode == 0 else 'error'} examples.{name}", flush=True)
            if done.returncode:
                failed.append(name)
                print(done.stdout[-3000:])
    sys.exit(f"run_examples.py: {', '.join(failed)} failed" if failed else 0)


if __name__ == "__main__":
    main()
