#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What src/api says about entry points (status.h) agrees with their bodies: what only throws is marked as always refused
and nothing else is, what only checks its arguments is not said to work. Then the test looks at itself: with a mark taken
away, and with a body that only throws put in, it has to find the fault."""

import sys

import tree

sys.path.insert(0, str(tree.ROOT / "tools/api"))
import states  # noqa: E402


def without_mark(texts, mark, name):
    line = f"{mark}({name});\n"
    changed = {file: text.replace(line, "") for file, text in texts.items()}
    assert changed != texts, line
    return states.read(changed)[2]


def blind_spots(texts):
    """Faults that were put into the sources and not found."""
    read = states.read(texts)[0]
    for name in sorted(name for name, state in read.items() if state == states.REFUSED):
        if not any(f" {name} only throws" in problem for problem in without_mark(texts, "FOOTHOLD_ALWAYS_REFUSED", name)):
            yield f"{name} without its mark is not missed"
    if not any("aclrtSetTsDevice only checks" in p for p in without_mark(texts, "FOOTHOLD_WITHOUT_EFFECT", "aclrtSetTsDevice")):
        yield "aclrtSetTsDevice without its mark is not missed"
    works = "Runtime::Get().SetDevice(deviceId);"
    broken = {file: text.replace(works, 'Fail(kRtFeatureNotSupport, "no");') for file, text in texts.items()}
    if broken == texts or not any("aclrtSetDevice only throws" in problem for problem in states.read(broken)[2]):
        yield "aclrtSetDevice with a body that only throws is not noticed"
    misplaced = {**texts, "acl/group.cpp": texts["acl/group.cpp"] + "FOOTHOLD_ALWAYS_REFUSED(aclrtSetDevice);\n"}
    if not any("aclrtSetDevice is said to be always refused" in problem for problem in states.read(misplaced)[2]):
        yield "aclrtSetDevice marked as refused is not noticed"


def main():
    texts = states.sources()
    read, _, problems = states.read(texts)
    tree.finish(problems or list(blind_spots(texts)), len(read), "entry points that do not simply work")


if __name__ == "__main__":
    main()
