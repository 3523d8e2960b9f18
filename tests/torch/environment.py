# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Virtual environments with a pair of torch and torch_npu, below build/torch: made from the lists in pairs/, at most two
kept, because one takes some 5 GB."""
import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDER = os.path.join(ROOT, "build", "torch")
KEPT = 2
# While a pair is installed: what is downloaded and what is unpacked.
NEEDED_GB = 12


def pairs():
    names = (name[:-4] for name in os.listdir(os.path.join(HERE, "pairs")) if name.endswith(".txt"))
    return sorted((name for name in names if name[0].isdigit()), key=lambda name: [int(part) for part in name.split(".")])


def lists_of(pair):
    """The pinned packages of a pair, and those that its programs use besides, if it has any."""
    names = (f"{pair}.txt", f"programs-{pair}.txt")
    return [path for path in (os.path.join(HERE, "pairs", name) for name in names) if os.path.exists(path)]


def fingerprint(pair):
    found = hashlib.sha256()
    for path in lists_of(pair):
        with open(path, "rb") as text:
            found.update(text.read())
    return found.hexdigest()


def make_room(pair):
    """Deletes the environments used longest ago, so that KEPT remain with this one."""
    others = [path for path in (os.path.join(FOLDER, name) for name in os.listdir(FOLDER))
              if os.path.isdir(path) and os.path.basename(path) in pairs() and os.path.basename(path) != pair]
    for path in sorted(others, key=os.path.getmtime, reverse=True)[KEPT - 1:]:
        print(f"environment.py: deleting {os.path.relpath(path, ROOT)} to make room")
        shutil.rmtree(path)
    free = shutil.disk_usage(FOLDER).free >> 30
    if free < NEEDED_GB:
        sys.exit(f"environment.py: torch and torch_npu {pair} need {NEEDED_GB} GB below build/torch, and {free} GB are free")


def install(folder, pair):
    base = os.environ.get("TORCH_CHECK_PYTHON", "/usr/bin/python3")
    subprocess.run([base, "-m", "venv", "--clear", folder], check=True)
    for path in lists_of(pair):
        print(f"environment.py: installing {os.path.relpath(path, ROOT)}", flush=True)
        subprocess.run([os.path.join(folder, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--no-cache-dir", "-r", path], check=True)


def python_of(pair):
    """The interpreter of the environment of a pair, which is made when it is missing or its lists have changed."""
    if pair not in pairs():
        sys.exit(f"environment.py: there is no pair '{pair}'; there are {', '.join(pairs())}")
    folder = os.path.join(FOLDER, pair)
    mark = os.path.join(folder, "lists")
    os.makedirs(FOLDER, exist_ok=True)
    if not os.path.exists(mark) or open(mark).read() != fingerprint(pair):
        make_room(pair)
        install(folder, pair)
        with open(mark, "w") as text:
            text.write(fingerprint(pair))
    os.utime(folder)
    return os.path.join(folder, "bin", "python")
