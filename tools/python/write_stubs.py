#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes the type stubs of the module acl from the module's own table.

write_stubs.py FOLDER
"""
import collections
import keyword
import pathlib
import sys

import acl

# What the table knows as object, or as a sequence, more exactly.
EXACT = {
    ("acl.util", "bytes_to_ptr", "data"): "bytes | bytearray | memoryview",
    ("acl.util", "ptr_to_bytes", "data"): "bytes",
    ("acl.util", "numpy_to_ptr", "array"): "numpy.ndarray",
    ("acl.util", "numpy_contiguous_to_ptr", "array"): "numpy.ndarray",
    ("acl.util", "numpy_contiguous_to_ptr", "ptr_and_array"): "tuple[int, numpy.ndarray]",
    ("acl.util", "ptr_to_numpy", "array"): "numpy.ndarray",
    ("acl.mdl", "set_config_opt", "value"): "int | str",
    ("acl.op", "set_attr_list_float", "values_or_count"): "int | Sequence",
    ("acl.op", "set_attr_list_float", "values"): "Sequence",
}
HEADER = "# Written by tools/python/write_stubs.py.\nfrom __future__ import annotations\n\n"


def type_of(module, name, value, kind):
    if value == "fn":
        return "Callable"
    return EXACT.get((module, name, value), kind)


def split(signature):
    arguments, results = signature.split("->")
    results = results.strip()
    return [a for a in arguments.strip().split(", ") if a], [] if results == "None" else results.split(", ")


def parameter(module, name, argument, kind, optional):
    python = argument + "_" if keyword.iskeyword(argument) else argument
    kind = type_of(module, name, argument, kind)
    return f"{python}: {kind} | None = None" if optional else f"{python}: {kind}"


def stub(module, name, signature, text, c_name, parameters, results):
    arguments, values = split(signature)
    given = [parameter(module, name, a, *p) for a, p in zip(arguments, parameters)]
    kinds = [type_of(module, name, v, r) for v, r in zip(values, results)]
    returned = {0: "None", 1: "".join(kinds)}.get(len(kinds), f"tuple[{', '.join(kinds)}]")
    names = f"\n\n    Returns ({', '.join(values)})." if len(values) > 1 else ""
    given = ", ".join(given + ["/"]) if given else ""
    return f'def {name}({given}) -> {returned}:\n    """{text}{names}"""\n'


def main():
    folder = pathlib.Path(sys.argv[1])
    modules = collections.defaultdict(list)
    for row in acl._functions():
        modules[row[0]].append(stub(*row))
    below = sorted(module.split(".")[1] for module in modules if "." in module)
    for module, stubs in modules.items():
        body = "\n".join(stubs)
        imports = "from collections.abc import Callable, Sequence\n" * ("Callable" in body or "Sequence" in body)
        imports += "import numpy\n" * ("numpy." in body)
        imports += "".join(f"from . import {name} as {name}\n" for name in below) if module == "acl" else ""
        name = "__init__" if module == "acl" else module.split(".")[1]
        (folder / f"{name}.pyi").write_text(HEADER + imports + "\n" * bool(imports) + body)
    (folder / "py.typed").write_text("")


if __name__ == "__main__":
    main()
