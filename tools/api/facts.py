# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The facts tables of the C API (acl.json, hccl.json, hi_mpi.json), of the Graph Engine (ge.json) and of the aclnn operators, as the generators
and tests read them."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/aclnn"))
import function_table  # noqa: E402

TABLES = tuple(ROOT / "tools/api" / name for name in ("acl.json", "hccl.json", "hi_mpi.json"))
INCLUDE = ROOT / "include"
KINDS = ("functions", "enums", "structs", "opaque", "callbacks", "handles", "constants", "macros")
GE_TABLE = ROOT / "tools/api/ge.json"
GE_KINDS = ("classes", "functions", "enums", "constants", "types")


def load():
    """The tables of the C API as one."""
    tables = [json.loads(path.read_text()) for path in TABLES]
    return {kind: [entry for table in tables for entry in table[kind]] for kind in (*KINDS, "looked_up")}


def load_ge():
    return json.loads(GE_TABLE.read_text())


def aclnn():
    """The aclnn operators: the functions of src/aclnn/table."""
    return function_table.read()


def ge_headers(entry):
    return [entry["header"], *entry.get("also", [])]


def headers(table):
    """Every public header that has to offer something, in alphabetical order."""
    names = {entry[key] for kind in KINDS for entry in table[kind] for key in ("header", "also") if key in entry}
    return sorted(names)


def offered_by(table, kind, header):
    return [entry for entry in table[kind] if header in (entry["header"], entry.get("also"))]


def declare(type_name, name):
    """A declarator: the type written around the name as C wants it."""
    pointer = re.match(r"^(.*)\(\*(?:const)?\)\s*([(\[].*)$", type_name)
    if pointer:
        return f"{pointer[1]}(*{name}){pointer[2]}"
    array = re.match(r"^(.*?)((?:\[\d*\])+)$", type_name)
    if array:
        return f"{array[1]} {name}{array[2]}"
    return f"{type_name} {name}"


def parameter_types(function):
    types = [type_name for type_name, _ in function["params"]]
    if function.get("variadic"):
        types.append("...")
    return ", ".join(types) or "void"


def unsupported_functions():
    """Names of the functions that src/api answers with a not-supported code."""
    line = re.compile(r"^FOOTHOLD_UNSUPPORTED(?:_VOID)?\((\w+)|^FOOTHOLD_UNSUPPORTED_VALUE\([^,]+,[^,]+,\s*(\w+)", re.M)
    names = []
    for source in sorted((ROOT / "src/api").glob("unsupported/*.cpp")):
        names += [match[1] or match[2] for match in line.finditer(source.read_text())]
    return names
