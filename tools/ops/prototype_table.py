# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Reads the table of operator prototypes, src/prototypes/table; its README describes the rows."""

import json
import pathlib
import re
from dataclasses import dataclass, field

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "src" / "prototypes" / "table"

# Numbers of the data types, as the API has them.
DATA_TYPES = {
    "FLOAT": 0, "FLOAT16": 1, "INT8": 2, "INT32": 3, "UINT8": 4, "INT16": 6, "UINT16": 7, "UINT32": 8, "INT64": 9,
    "UINT64": 10, "DOUBLE": 11, "BOOL": 12, "STRING": 13, "COMPLEX64": 16, "COMPLEX128": 17, "QINT8": 18,
    "QINT16": 19, "QINT32": 20, "QUINT8": 21, "QUINT16": 22, "RESOURCE": 23, "STRING_REF": 24, "VARIANT": 26,
    "BF16": 27, "UNDEFINED": 28, "INT4": 29, "UINT1": 30, "COMPLEX32": 33, "HIFLOAT8": 34, "FLOAT8_E5M2": 35,
    "FLOAT8_E4M3FN": 36, "FLOAT8_E8M0": 37, "FLOAT4_E2M1": 40, "FLOAT4_E1M2": 41}
ATTRIBUTE_TYPES = ("int", "float", "string", "bool", "tensor", "type", "list_int", "list_float", "list_string",
                   "list_bool", "list_type", "list_list_int")
PORT_KINDS = ("required", "optional", "dynamic")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")


@dataclass
class Port:
    name: str
    kind: str
    types: list       # names of data types; empty when the port follows a symbol
    symbol: str       # "" when the port has types of its own
    written: str      # the types as the row has them


@dataclass
class Attribute:
    name: str
    type: str
    required: bool
    default: object = None  # a data type, also as the value of an int, is its number


@dataclass
class Subgraph:
    name: str
    dynamic: bool


@dataclass
class Symbol:
    name: str
    types: list
    promoted_from: list


@dataclass
class Operator:
    type: str
    header: str       # "" for those the engine makes itself
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    attributes: list = field(default_factory=list)
    subgraphs: list = field(default_factory=list)
    symbols: list = field(default_factory=list)
    deprecated: bool = False
    replaced_by: str = ""


def content_lines(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield f"{path.name}:{number}", line


def read_groups():
    return {name: types.split(",") for _, line in content_lines(FOLDER / "type_groups.lst")
            for name, types in [line.split()]}


def read_headers():
    """[(header, [headers it includes])], in the order of all_ops.h."""
    return [(words[0], words[1:]) for _, line in content_lines(FOLDER / "headers.lst") for words in [line.split()]]


class Reader:
    def __init__(self):
        self.groups = read_groups()
        self.operators = []

    def types(self, text):
        names = self.groups.get(text) or text.split(",")
        unknown = [name for name in names if name not in DATA_TYPES]
        if unknown:
            raise ValueError(f"unknown data types {unknown}")
        return names

    def port(self, op, direction, words):
        kind, name, written = words
        symbol = written[1:] if written.startswith("$") else ""
        if symbol and symbol not in [known.name for known in op.symbols]:
            raise ValueError(f"{written} is not declared above")
        ports = op.inputs if direction == "input" else op.outputs
        ports.append(Port(unique(name, ports), kind, [] if symbol else self.types(written), symbol, written))

    def attribute(self, op, words):
        name, kind = words[0], words[1]
        if kind not in ATTRIBUTE_TYPES:
            raise ValueError(f"unknown attribute type {kind}")
        required = words[2:] == ["required"]
        if not required and words[2] != "=":
            raise ValueError("expected required or = and a default")
        default = None if required else default_of(kind, " ".join(words[3:]))
        op.attributes.append(Attribute(unique(name, op.attributes), kind, required, default))

    def symbol(self, op, words):
        if words[1] == "promote":
            op.symbols.append(Symbol(words[0], [], words[2].split(",")))
        else:
            op.symbols.append(Symbol(words[0], self.types(words[1]), []))

    def row(self, op, words):
        kind, _, direction = words[0].rpartition("_")
        if direction in ("input", "output") and (kind or "required") in PORT_KINDS:
            self.port(op, direction, [kind or "required"] + words[1:])
        elif words[0] == "attribute":
            self.attribute(op, words[1:])
        elif words[0] in ("graph", "dynamic_graph"):
            op.subgraphs.append(Subgraph(unique(words[1], op.subgraphs), words[0] == "dynamic_graph"))
        elif words[0] == "types":
            self.symbol(op, words[1:])
        elif words[0] == "deprecated":
            op.deprecated, op.replaced_by = True, "".join(words[1:])
        else:
            raise ValueError(f"unknown row {words[0]}")

    def file(self, path):
        header = "" if path.stem == "engine" else path.stem + ".h"
        for place, line in content_lines(path):
            words = line.split()
            try:
                if words[0] == "op":
                    self.operators.append(Operator(identifier(words[1]), header))
                else:
                    self.row(self.operators[-1], words)
            except (ValueError, IndexError) as problem:
                raise SystemExit(f"{place}: {problem}: {line.strip()}") from problem


def identifier(name):
    if not IDENTIFIER.match(name):
        raise ValueError(f"{name} is not a name")
    return name


def unique(name, others):
    if name in [other.name for other in others]:
        raise ValueError(f"{name} appears twice")
    return identifier(name)


def has_type(kind, value):
    if kind.startswith("list_"):
        return isinstance(value, list) and all(has_type(kind[len("list_"):], item) for item in value)
    expected = {"int": int, "float": float, "string": str, "bool": bool, "tensor": dict}
    return type(value) is expected.get(kind)


def default_of(kind, text):
    if kind == "type" or (kind == "int" and text in DATA_TYPES):
        return DATA_TYPES[text]
    value = json.loads(text)
    if not has_type(kind, value):
        raise ValueError(f"{text} is no default of type {kind}")
    return value


def read():
    """All operators, in the order of their types."""
    reader = Reader()
    for path in sorted(FOLDER.glob("*.txt")):
        reader.file(path)
    operators = sorted(reader.operators, key=lambda op: op.type.encode())
    for first, second in zip(operators, operators[1:]):
        if first.type == second.type:
            raise SystemExit(f"{first.type} is in the table twice")
    return operators
