# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Builds and runs one example against an installed tree.

example_test.py readme|cmake EXAMPLE_DIR TREE WORK_DIR
"""
import pathlib
import re
import shutil
import subprocess
import sys


def run(script, cwd):
    """Runs a shell script as a new user would: a fresh bash that stops at the first failure."""
    result = subprocess.run(["bash", "-ec", script], cwd=cwd, text=True, capture_output=True)
    print(result.stdout)
    if result.returncode != 0:
        sys.exit(f"exit code {result.returncode} from:\n{script}\n{result.stderr}")


def commands_of(example, tree):
    """The commands of the README, with the tree and the sources where they are here."""
    block = re.search(r"```sh\n(.*?)```", (example / "README.md").read_text(), re.S).group(1)
    assert "set_env.sh" in block and f"examples/{example.name}/" in block, "the README lost its commands"
    return block.replace("build/toolkit/", f"{tree}/").replace("examples/", f"{example.parent}/")


def by_readme(example, tree, work):
    run(commands_of(example, tree), work)


def by_cmake(example, tree, work):
    lines = commands_of(example, tree).strip().splitlines()
    compiled = max(i for i, line in enumerate(lines) if line.startswith(("gcc ", "g++ ")))
    program = "\n".join(re.sub(r"^\./", f"{work}/build/", line) for line in lines[compiled + 1:])
    run(
        f"source {tree}/set_env.sh\n"
        f"cmake -S {example} -B {work}/build -DCMAKE_PREFIX_PATH=$ASCEND_TOOLKIT_HOME\n"
        f"cmake --build {work}/build\n"
        f"{program}\n",
        work,
    )


def main():
    way, example, tree, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    {"readme": by_readme, "cmake": by_cmake}[way](example.resolve(), tree.resolve(), work)


main()
