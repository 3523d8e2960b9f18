#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes the headers of the operator classes from the prototype table, in terms of graph/operator_members.h.

    write_op_headers.py FOLDER      writes them there, as the toolkit tree has them
"""

import pathlib
import sys
import textwrap

import prototype_table as table

PLACE = "opp/built-in/op_proto/inc"
LICENCE = "// SPDX-License-Identifier: Apache-2.0\n// SPDX-FileCopyrightText: The Foothold authors\n"
SHARED = "op_shared_members.h"
# Headers of the system have these names too, and a program may have this folder in front of theirs. They have no
# operators: they lead to the system's, and nothing here includes them.
ALSO_SYSTEM_HEADERS = ("complex.h", "search.h", "signal.h")
ATTRIBUTE_NAMES = {"int": "Int", "float": "Float", "string": "String", "bool": "Bool", "tensor": "Tensor",
                   "type": "Type", "list_int": "ListInt", "list_float": "ListFloat", "list_string": "ListString",
                   "list_bool": "ListBool", "list_type": "ListType", "list_list_int": "ListListInt"}


def members(op):
    """[(name of the template, macro that makes it)] of an operator."""
    found = []
    for direction, ports in (("input", op.inputs), ("output", op.outputs)):
        for port in ports:
            kind = f"dynamic_{direction}" if port.kind == "dynamic" else direction
            found.append((f"{kind}_{port.name}", f"GE_OP_{kind.upper()}({port.name})"))
    for attribute in op.attributes:
        kind = ATTRIBUTE_NAMES[attribute.type]
        found.append((f"attr_{kind}_{attribute.name}", f"GE_OP_ATTR({attribute.name}, {kind})"))
    for graph in op.subgraphs:
        kind = "dynamic_graph" if graph.dynamic else "graph"
        found.append((f"{kind}_{graph.name}", f"GE_OP_{kind.upper()}({graph.name})"))
    return found


def headers_by_macro(operators):
    used = {}
    for op in operators:
        for _, macro in members(op):
            used.setdefault(macro, set()).add(op.header)
    return used


def guarded(name, body):
    guard = "FOOTHOLD_OP_PROTO_" + name.upper().replace(".", "_") + "_"
    return f"{LICENCE}#ifndef {guard}\n#define {guard}\n\n{body}\n#endif  // {guard}\n"


def in_members(macros):
    if not macros:
        return ""
    return "namespace members {\n" + "\n".join(sorted(macros)) + "\n}  // namespace members\n\n"


def in_namespace(text):
    return f"namespace ge {{\nnamespace op {{\n\n{text}\n}}  // namespace op\n}}  // namespace ge\n"


def class_of(op):
    templates = ", ".join(f"{name}<ThisOp>" for name, _ in members(op)) or "NoMembers<ThisOp>"
    return textwrap.fill(f"GE_OP({op.type}, {templates})", 110, subsequent_indent="      ", break_long_words=False)


def family(header, included, operators, own_macros):
    if header in ALSO_SYSTEM_HEADERS:
        return guarded(header, f"#include_next <{header}>\n")
    lines = [f'#include "{name}"' for name in included if name not in ALSO_SYSTEM_HEADERS]
    if operators:
        lines.append(f'#include "{SHARED}"')
    body = "\n".join(lines) + "\n" if lines else ""
    if operators:
        classes = "\n".join(class_of(op) for op in operators) + "\n"
        body += "\n" + in_namespace(in_members(own_macros) + classes)
    return guarded(header, body)


def shared(macros):
    return guarded(SHARED, '#include "graph/operator_reg.h"\n\n' + in_namespace(in_members(macros)))


def texts():
    operators = [op for op in table.read() if op.header]
    used = headers_by_macro(operators)
    headers = table.read_headers()
    files = {SHARED: shared([macro for macro, where in used.items() if len(where) > 1])}
    for header, included in headers:
        own = [op for op in operators if op.header == header]
        files[header] = family(header, included, own, [macro for macro, where in used.items() if where == {header}])
    everything = "".join(f'#include "{header}"\n' for header, _ in headers if header not in ALSO_SYSTEM_HEADERS)
    files["all_ops.h"] = guarded("all_ops.h", everything)
    unknown = {op.header for op in operators} - set(files).difference(ALSO_SYSTEM_HEADERS)
    if unknown:
        raise SystemExit(f"headers.lst does not have {sorted(unknown)}")
    return files


def forwarding(header):
    """Programs also include operators from include/, by names that can mean nothing else there."""
    return f'{LICENCE}#include "built-in/op_proto/inc/{header}"\n'


def main():
    root = pathlib.Path(sys.argv[1])
    for folder in (root / PLACE, root / "include"):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (root / PLACE / name).write_text(text)
        if name.endswith("_ops.h"):
            (root / "include" / name).write_text(forwarding(name))


if __name__ == "__main__":
    main()
