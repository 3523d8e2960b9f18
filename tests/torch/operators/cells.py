# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The cells of the sweep: an entry of PyTorch's operator database, a type and a direction.

A cell is written ENTRY|TYPE|DIRECTION, as in "add|float32|forward", "linalg.norm/subgradients_at_zero|float32|backward".
"""
import torch
from torch.testing._internal import common_methods_invocations as database

FLOATS = ("float32", "float16", "bfloat16")
# What is tried in each direction: types whose cells exist where PyTorch's CPU supports them.
DIRECTIONS = {
    "forward": FLOATS + ("int64", "bool", "complex64"),
    "backward": ("float32",),
    "inplace": ("float32", "int64"),
    "strided": ("float32", "int64"),
    "reference": ("float32", "int64"),
    "foreach": ("float32", "float16", "int64"),
    "foreach_inplace": ("float32",),
}
FOREACH = ("foreach_unary_op_db", "foreach_binary_op_db", "foreach_pointwise_op_db", "foreach_reduce_op_db",
           "foreach_other_op_db")
# Entries that try PyTorch's own test machinery, or whose results say nothing of a device.
LEFT_OUT = {
    "__getitem__/python_scalar",
}


def name_of(entry):
    return f"{entry.name}/{entry.variant_test_name}" if entry.variant_test_name else entry.name


def entries():
    return {name_of(entry): entry for entry in database.op_db}


def foreach_entries():
    found = {}
    for group in FOREACH:
        for entry in getattr(database, group, []):
            found[name_of(entry)] = entry
    return found


def _types(entry, direction):
    kinds = entry.supported_backward_dtypes("cpu") if direction == "backward" else entry.supported_dtypes("cpu")
    return [kind for kind in DIRECTIONS[direction] if getattr(torch, kind) in kinds]


def _directions(entry):
    yield "forward"
    if entry.supports_autograd:
        yield "backward"
    if entry.inplace_variant is not None:
        yield "inplace"
    yield "strided"
    yield "reference"


def all_cells():
    """Every cell, those of one entry beside each other."""
    for name, entry in entries().items():
        if name in LEFT_OUT:
            continue
        for direction in _directions(entry):
            for kind in _types(entry, direction):
                yield f"{name}|{kind}|{direction}"
    for name, entry in foreach_entries().items():
        for direction in ("foreach", "foreach_inplace"):
            if direction == "foreach_inplace" and entry.inplace_variant is None:
                continue
            for kind in _types(entry, direction):
                yield f"{name}|{kind}|{direction}"
