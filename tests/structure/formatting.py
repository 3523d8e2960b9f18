#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""All C and C++ files are as clang-format 14 leaves them."""

import shutil
import subprocess
import sys

import tree


def clang_format():
    for name in ("clang-format-14", "clang-format"):
        if shutil.which(name):
            version = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
            if " 14." in version:
                return name
    sys.exit("clang-format 14 is needed: run tools/setup.sh")


def main():
    files = [str(path) for path in tree.project_files() if path.suffix in tree.CODE]
    done = subprocess.run([clang_format(), "--dry-run", "--Werror", *files], capture_output=True, text=True, check=False)
    problems = [] if done.returncode == 0 else [done.stderr, "run make format"]
    tree.finish(problems, len(files), "C and C++ files")


if __name__ == "__main__":
    main()
