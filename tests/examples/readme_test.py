# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The program in README.md, built against an installed tree with the commands of README.md, prints what README.md says.

readme_test.py README TREE WORK_DIR
"""
import pathlib
import re
import shutil
import subprocess
import sys


def block(text, language, after=0):
    """The first block of a language behind a place: its text, and where it ends."""
    found = re.compile(rf"^```{language}\n(.*?)^```$", re.S | re.M).search(text, after)
    assert found, f"README.md has no block of {language or 'output'}"
    return found[1], found.end()


def comparable(text):
    """In one line, with every address the same."""
    return re.sub(r"0x[0-9a-f]+", "0x", " ".join(text.split()))


def main():
    readme, tree, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    text = readme.read_text()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    program, end = block(text, "cpp")
    assert program.count("\n") <= 10, "the program has more than ten lines"
    expected, _ = block(text, "", end)
    (work / "program.cpp").write_text(program)
    command = re.search(r"^g\+\+ program\.cpp .*$", text, re.M)[0]
    done = subprocess.run(["bash", "-ec", f"source {tree}/set_env.sh\n{command}"], cwd=work, text=True, capture_output=True)
    if comparable(done.stdout) != comparable(expected):
        sys.exit(f"README.md says:\n{comparable(expected)}\nbut the program prints:\n{comparable(done.stdout)}\n{done.stderr}")


main()
