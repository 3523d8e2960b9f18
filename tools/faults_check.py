#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Lets allocations of every example fail, one in each run: each has to end with an error, and without findings.

  faults_check.py TREE WORK_DIR [EXAMPLE ...]

Builds the examples as their READMEs say, and runs the first line of each that runs it under `foothold check --faults`:
every allocation where there are few, the first, second and last of each place where there are many.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 120  # seconds, for one run
# Hundreds of allocations by a few lines of the program: some of each place.
BY_PLACE = {"aclnn_chat", "train_checkpoint", "onnx_digits", "hccl_data_parallel", "video_frames", "pipeline",
            "picture_digits", "python_picture_digits"}
# Shorter than in the README.
INSTEAD = {"for ranks in 1 2 4; do foothold launch -n $ranks": "foothold launch -n 2", "; done": "",
           ' "Tell me a story about a fox and a frog."': ""}
# Programs that may succeed without the memory, and why.
RECOVER = {"custom_allocator": "its own allocator goes on without"}


def lines_of(example, tree):
    block = re.search(r"```sh\n(.*?)```", (example / "README.md").read_text(), re.S).group(1)
    block = block.replace("\\\n", " ").replace("build/toolkit/", f"{tree}/").replace("examples/", f"{example.parent}/")
    for word, other in INSTEAD.items():
        block = block.replace(word, other)
    return block.strip().splitlines()


def is_run(line):
    return line.startswith(("./", "/usr/bin/python3 ", "foothold launch "))


def script(example, tree):
    lines = lines_of(example, tree)
    first = next(i for i, line in enumerate(lines) if is_run(line))
    how = "sweep:places" if example.name in BY_PLACE else "sweep"
    run = lines[first].split(" && ")[0]
    return lines[:first] + [f"{tree}/bin/foothold check --faults {how} --leaks=error --time-limit {LONGEST} -- {run}"]


def sweep(example, tree, work):
    work.mkdir(parents=True, exist_ok=True)
    with open(work / "output", "w") as output:
        done = subprocess.run(["bash", "-ec", "\n".join(script(example, tree))], cwd=work, stdout=output, stderr=output,
                              check=False, env={**os.environ, "FOOTHOLD_DEVICE_MEMORY": "1G"})
    said = (work / "output").read_text(errors="replace").splitlines()
    last = said[-1] if said else "nothing said"
    silent = re.search(r"; (\d+) ended with 0", last)
    fine = done.returncode == 0 and silent and (silent.group(1) == "0" or example.name in RECOVER)
    return f"{'  ' if fine else '! '}{example.name}: {last}", bool(fine)


def main():
    tree, work = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    examples = [readme.parent for readme in sorted((PROJECT / "examples").glob("*/README.md"))]
    chosen = [example for example in examples if not sys.argv[3:] or example.name in sys.argv[3:]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda example: sweep(example, tree, work / example.name), chosen)
        bad = sum(not fine for text, fine in results if print(text, flush=True) is None)
    sys.exit(1 if bad else 0)


main()
