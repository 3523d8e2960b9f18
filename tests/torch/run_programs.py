#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs of tests/torch/programs on device npu beside the CPU, each in a process of its own.

  run_programs.py --python VENV/bin/python [--toolkit build/toolkit] [--only 'statements.*,training.lenet'] [--nojit]
                  [--expected FILE] [--results FILE]
"""
import argparse
import fnmatch
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "operators"))

import expectations  # noqa: E402
import sweep  # noqa: E402

NOT_MODULES = ("catalog", "host", "networks", "ranks")


def modules():
    names = (name[:-3] for name in os.listdir(os.path.join(HERE, "programs")) if name.endswith(".py"))
    return sorted(name for name in names if name not in NOT_MODULES)


def patterns_for(module, only):
    """Patterns of programs of this module; none when it is not wanted."""
    if not only:
        return ["*"]
    found = []
    for pattern in only.split(","):
        wanted, _, programs = pattern.partition(".")
        if fnmatch.fnmatch(module, wanted):
            found.append(programs or "*")
    return found


def run_module(options, module, patterns):
    command = [options.python, os.path.join(HERE, "programs", "host.py"), module, str(options.seconds), *patterns]
    process = subprocess.Popen(command, env=options.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        yield json.loads(line)
    said = process.stderr.read()
    if process.wait():
        yield dict(cell=f"{module}.import", outcome="error", cause=said.strip().split("\n")[-1][:100], detail=said[-600:],
                   seconds=0)


def run(options):
    results = {}
    for module in modules():
        patterns = patterns_for(module, options.only)
        for result in run_module(options, module, patterns) if patterns else ():
            results[result["cell"]] = result
            if result["outcome"] != "pass" or options.verbose:
                print(f"{result['outcome']:8} {result['cell']} ({result['seconds']} s): {result['cause']}: {result['detail']}",
                      flush=True)
    return results


def table(results):
    rows = {}
    for cell, result in results.items():
        counts = rows.setdefault(cell.split(".")[0], dict.fromkeys(sweep.COLUMNS, 0))
        counts[result["outcome"]] = counts.get(result["outcome"], 0) + 1
    lines = [f"{'':20}" + "".join(f"{column:>10}" for column in sweep.COLUMNS)]
    return "\n".join(lines + [f"{row:20}" + "".join(f"{counts[column]:10}" for column in sweep.COLUMNS)
                              for row, counts in rows.items()])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True)
    parser.add_argument("--toolkit", default=os.path.join(sweep.ROOT, "build/toolkit"))
    parser.add_argument("--only")
    parser.add_argument("--expected")
    parser.add_argument("--write-expected")
    parser.add_argument("--results")
    parser.add_argument("--seconds", type=float, default=120, help="time limit of a program")
    parser.add_argument("--preload", default="")
    parser.add_argument("--nojit", action="store_true", help="set the client's compile mode by hand")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    options.environment = sweep.environment(os.path.abspath(options.toolkit), options.preload)
    options.environment["ASCEND_LAUNCH_BLOCKING"] = "0"
    if options.nojit:
        options.environment["TORCH_CHECK_NOJIT"] = "1"
    results = run(options)
    print(table(results))
    if options.results:
        with open(options.results, "w") as file:
            file.writelines(json.dumps(result) + "\n" for result in results.values())
    if options.write_expected:
        expectations.write_programs(options.write_expected, results)
    if options.expected:
        sys.exit(expectations.judge(options.expected, results))
    sys.exit(any(result["outcome"] not in sweep.GOOD for result in results.values()))


if __name__ == "__main__":
    main()
