#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""From an address a program holds to that of the bytes there is one way: the checks of device/memory_map.h.
KernelAddress, which knows how, is theirs alone and is called in one place; the offset between the two is named only by
those who own addresses."""

import re

import tree

TRANSLATOR = "src/device/memory_map.cpp"
OWNERS = {"src/device/memory/address_offset.h", "src/device/device_memory.cpp", "src/device/virtual_memory.h"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def count(text, name):
    return len(re.findall(rf"\b{name}\b", text))


def problems_of(path, text):
    found = count(text, "KernelAddress")
    if path == TRANSLATOR:
        if found != 2:
            yield f"{path} names KernelAddress {found} times; expected 2: where it is defined and where it is called"
        if not re.search(r"namespace \{(?:(?!\}  // namespace).)*\bvoid\* KernelAddress\(", text, re.S):
            yield f"{path} must define KernelAddress in its unnamed namespace"
    elif found:
        yield f"{path} names KernelAddress; the checks of device/memory_map.h say where the bytes are"
    if count(text, "kDeviceAddressOffset") and path not in OWNERS:
        yield f"{path} names kDeviceAddressOffset, which only those may who own device addresses"


def main():
    problems, checked, translator_seen = [], 0, False
    for file in tree.project_files():
        path = tree.relative(file)
        if not path.startswith("src/") or file.suffix not in tree.CODE:
            continue
        checked += 1
        translator_seen |= path == TRANSLATOR
        # One comment stays: the end of an unnamed namespace is known by it.
        text = re.sub(COMMENT, lambda m: m[0] if m[0] == "// namespace" else "", file.read_text())
        problems += problems_of(path, text)
    if not translator_seen:
        problems.append(f"{TRANSLATOR} is gone")
    tree.finish(problems, checked, "source files")


if __name__ == "__main__":
    main()
