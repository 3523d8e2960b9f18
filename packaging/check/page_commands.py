#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The workflow file or the container recipe of docs/ci.md as a shell script, so that what the page says is run.

    page_commands.py workflow|container PAGE

The script is run in a checkout of the user's, or in the folder the image is built from.
"""

import pathlib
import re
import shlex
import sys

import yaml


def block_of(page, language):
    found = re.findall(rf"```{language}\n(.*?)```", page, re.S)
    assert len(found) == 1, f"expected one {language} block, found {len(found)}"
    return found[0]


def exports(variables):
    return [f"export {name}={shlex.quote(str(value))}" for name, value in variables.items()]


def step_lines(step):
    """A step is a shell of its own, as the runner starts it."""
    if "run" not in step:
        assert step["uses"].startswith("actions/checkout@"), f"a step that cannot be run here: {step}"
        return []
    return [*exports(step.get("env", {})), f"bash -eo pipefail -c {shlex.quote(step['run'])}"]


def workflow(page):
    file = yaml.safe_load(block_of(page, "yaml"))
    assert file[True] and file["jobs"], "a workflow has 'on' (which YAML reads as true) and 'jobs'"
    # Of the file's variables the test sets the one that says where the tarball is.
    lines = [f": ${{{name}:?}}" for name in file["env"]]
    for job in file["jobs"].values():
        assert job["runs-on"], "a job says where it runs"
        for step in job["steps"]:
            lines += step_lines(step)
    return lines


def instruction_lines(word, rest):
    if word == "FROM":
        return []
    if word == "COPY":
        return [f"cp -r {rest}"]
    if word == "ENV":
        name, _, value = rest.partition("=")
        return [f"export {name}={value}"]
    if word == "WORKDIR":
        return [f"mkdir -p {rest}", f"cd {rest}"]
    assert word == "RUN", f"an instruction that cannot be run here: {word}"
    return [f"sh -ec {shlex.quote(rest)}"]


def container(page):
    text = block_of(page, "dockerfile").replace("\\\n", " ")
    lines = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.strip().partition(" ")
            lines += instruction_lines(word, re.sub(r"\s+", " ", rest))
    return lines


def main():
    kind, page = sys.argv[1], pathlib.Path(sys.argv[2]).read_text()
    print("\n".join({"workflow": workflow, "container": container}[kind](page)))


if __name__ == "__main__":
    main()
