# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What the structure tests share: the files of the project, and how a test ends."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = {"build", ".git", "__pycache__"}
CODE = {".c", ".h", ".cpp"}


def project_files():
    """Paths below the root that belong to the project: tracked or about to be, never build results."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:  # an unpacked archive
        paths = [p for p in ROOT.rglob("*") if not SKIPPED.intersection(p.relative_to(ROOT).parts)]
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def relative(path):
    return str(path.relative_to(ROOT))


def finish(problems, checked, what):
    """Ends the test: every problem on a line of its own, or one line that says what was looked at."""
    if not checked:
        problems = [f"nothing to check: no {what} found"]
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print(f"{checked} {what}: all right")
