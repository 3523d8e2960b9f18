#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes the headers of the aclnn operators from their table.

    write_headers.py FOLDER      writes FOLDER/aclnnop/*.h
    write_headers.py --all FILE  writes one header with all functions, also those no header declares, and beside it, with
                                 the ending .inc, what there is as macros: ACLNN_OPERATOR(name), ACLNN_CALL(name), and
                                 ACLNN_TOGETHER("names") (for tests)
"""

import pathlib
import sys

import function_table as table

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n// SPDX-FileCopyrightText: The Foothold authors\n"
WIDTH = 110


def wrapped(start, parameters):
    """A declaration, its parameters aligned behind the bracket or, where that leaves no room, below it."""
    aligned = len(start) + max(map(len, parameters), default=0) + 2 <= WIDTH
    indent = " " * (len(start) if aligned else 4)
    lines, line = ([], start) if aligned else ([start], indent)
    for number, parameter in enumerate(parameters):
        piece = parameter + (");" if number == len(parameters) - 1 else ",")
        if line not in (start, indent) and len(line) + 1 + len(piece) > WIDTH:
            lines.append(line)
            line = indent
        line += piece if line in (start, indent) else " " + piece
    return "\n".join(lines + [line if parameters else start + "void);"])


def declaration(name, parameters):
    return wrapped(f"ACL_FUNC_VISIBILITY aclnnStatus {name}(", parameters)


def text_of(header, functions):
    guard = f"FOOTHOLD_{table.HEADER_FOLDER}_{header}".upper().replace(".", "_").replace("/", "_") + "_"
    files = sorted({function.library for function in functions})
    source = f"//\n// Written from src/aclnn/table/{files[0]}.txt.\n" if files else ""
    declared = "\n\n".join("\n".join(declaration(*one) for one in function.declarations()) for function in functions)
    body = f'#ifdef __cplusplus\nextern "C" {{\n#endif\n\n{declared}\n\n#ifdef __cplusplus\n}}\n#endif\n\n' if files else ""
    return (f"{LICENCE}{source}#ifndef {guard}\n#define {guard}\n\n#include \"aclnn/aclnn_base.h\"\n\n{body}"
            f"#endif  // {guard}\n")


def all_text():
    functions = table.read()
    includes = "\n".join(f'#include "{table.HEADER_FOLDER}/{header}"' for header in sorted(table.headers(functions)))
    declared = "\n".join(declaration(*one) for function in functions if not function.header
                         for one in function.declarations())
    return f'{LICENCE}#pragma once\n\n{includes}\n\nextern "C" {{\n{declared}\n}}\n'


def rows():
    lines = [f"ACLNN_{'OPERATOR' if function.two_phases else 'CALL'}({function.name})" for function in table.read()]
    lines += [f'ACLNN_TOGETHER("{" ".join(sorted(names))}")' for names in table.together()]
    return LICENCE + "\n".join(lines) + "\n"


def main():
    if sys.argv[1] == "--all":
        file = pathlib.Path(sys.argv[2])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(all_text())
        file.with_suffix(".inc").write_text(rows())
        return
    folder = pathlib.Path(sys.argv[1]) / table.HEADER_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for header, functions in table.headers(table.read()).items():
        (folder / header).write_text(text_of(header, functions))


if __name__ == "__main__":
    main()
