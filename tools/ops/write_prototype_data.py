#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes the prototype table as read-only C++ data, declared in src/prototypes/prototype_data.h.

    write_prototype_data.py OUTPUT.cpp
"""

import json
import pathlib
import struct
import sys

import prototype_table as table


class Data:
    """The arrays; every method that adds something returns where it is."""

    def __init__(self):
        self.names, self.sets, self.values = {"": 0}, {0: 0}, [0]
        self.ports, self.attributes, self.subgraphs, self.symbols, self.operators = [], [], [], [], []

    def name(self, text):
        return self.names.setdefault(text, len(self.names))

    def type_set(self, types):
        bits = sum(1 << table.DATA_TYPES[name] for name in types)
        return self.sets.setdefault(bits, len(self.sets))

    def port(self, port):
        kind = table.PORT_KINDS.index(port.kind)
        self.ports.append((self.name(port.name), self.name(port.symbol), self.type_set(port.types), kind))

    def scalar(self, kind, value):
        if kind == "string":
            return self.name(value)
        if kind == "float":
            return struct.unpack("<I", struct.pack("<f", value))[0]
        return int(value)

    def flat(self, kind, value):
        """A value as a row of numbers: lists begin with their length."""
        if kind == "tensor":
            return []
        if not kind.startswith("list_"):
            return [self.scalar(kind, value)]
        return [len(value)] + [number for item in value for number in self.flat(kind[len("list_"):], item)]

    def value(self, numbers):
        self.values += numbers
        return len(self.values) - len(numbers)

    def attribute(self, attribute):
        numbers = [] if attribute.required else self.flat(attribute.type, attribute.default)
        self.attributes.append((self.name(attribute.name), self.value(numbers),
                                table.ATTRIBUTE_TYPES.index(attribute.type), int(attribute.required)))

    def symbol(self, symbol):
        promoted = [self.name(name) for name in symbol.promoted_from]
        place = self.value([len(promoted)] + promoted)
        self.symbols.append((self.name(symbol.name), self.type_set(symbol.types), place))

    def operator(self, op):
        self.operators.append((
            self.name(op.type), self.name(op.header), self.name(op.replaced_by), len(self.ports),
            len(self.attributes), len(self.subgraphs), len(self.symbols), len(op.inputs), len(op.outputs),
            len(op.attributes), len(op.subgraphs), len(op.symbols), int(op.deprecated)))
        for port in op.inputs + op.outputs:
            self.port(port)
        for attribute in op.attributes:
            self.attribute(attribute)
        for graph in op.subgraphs:
            self.subgraphs.append((self.name(graph.name), int(graph.dynamic)))
        for symbol in op.symbols:
            self.symbol(symbol)


def rows(declaration, items):
    lines = [f"const {declaration}[] = {{"]
    for start in range(0, len(items), 8):
        lines.append("    " + ", ".join(items[start:start + 8]) + ",")
    return "\n".join(lines + ["};"])


def structs(declaration, tuples):
    return rows(declaration, ["{" + ", ".join(map(str, fields)) + "}" for fields in tuples])


def text_of(data):
    offsets, place = [], 0
    for name in data.names:
        offsets.append(str(place))
        place += len(name.encode()) + 1
    literals = "\n".join(f"    {json.dumps(name)} \"\\0\"" for name in data.names)
    return "\n".join([
        '#include "prototypes/prototype_data.h"', "", "namespace foothold::prototype_data {", "",
        f"const char kNames[] =\n{literals};", rows("std::uint32_t kNameOffsets", offsets),
        rows("std::uint64_t kTypeSets", [f"{bits}u" for bits in data.sets]),
        rows("std::int64_t kValues", [str(value) for value in data.values]),
        structs("PortRow kPorts", data.ports), structs("AttributeRow kAttributes", data.attributes),
        structs("SubgraphRow kSubgraphs", data.subgraphs), structs("SymbolRow kSymbols", data.symbols),
        structs("OperatorRow kOperators", data.operators),
        f"const std::size_t kOperatorCount = {len(data.operators)};", "",
        "}  // namespace foothold::prototype_data", ""])


def main():
    data = Data()
    for op in table.read():
        data.operator(op)
    pathlib.Path(sys.argv[1]).write_text(text_of(data))


if __name__ == "__main__":
    main()
