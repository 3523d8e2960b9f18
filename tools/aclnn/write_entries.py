#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes the aclnn operators as C++, in terms of src/aclnn/entry.h: what is known of each function, and its two entry
points, which pack their arguments and hand them on, or say that nobody has written the operator.

    write_entries.py FOLDER FILES   writes FOLDER/functions.cpp and FOLDER/entries_0.cpp to entries_<FILES - 1>.cpp
"""

import pathlib
import re
import sys

import by_default
import function_table as table

INCLUDE = '#include "aclnn/aclnn_base.h"\n#include "aclnn/entry.h"\n\n'


def parameter_row(parameter):
    optional = "true" if parameter.optional else "false"
    return f'{{"{parameter.name}", Kind::{parameter.kind}, Direction::{table.ROLES[parameter.role]}, {optional}}},'


def binding_row(target, number, name, words):
    return f'{{Target::{target}, {number}, "{name}", ' + (f'"{words}"}},' if words else "nullptr},")


def binding_rows(fit):
    number = {parameter.name: place for place, parameter in enumerate(fit.function.parameters)}
    for target, parameter, way in fit.targets:
        kind = {"attribute": "kAttribute", "data": "kData"}.get(way, "kInput")
        yield binding_row(kind, number[parameter.name], target, ",".join(parameter.words))
    for name, value in fit.function.settings:
        yield binding_row("kSetting", 0, name, value)
    for port, parameter, way in fit.outputs:
        yield binding_row("kOutput", number[parameter.name], port, way)


def data(functions):
    rows, bindings, entries = [], [], []
    fits = by_default.listed()
    for number, function in enumerate(functions):
        like = "{}"
        if function.name in fits:
            fit = fits[function.name]
            its_rows = list(binding_rows(fit))
            each = "true" if fit.each else "false"
            like = f'{{"{function.like}", kBindings + {len(bindings)}, {len(its_rows)}, {each}}}'
            bindings += its_rows
        entries.append(f'    {{"{function.name}", kParameters + {len(rows)}, {len(function.parameters)}, {number}, {like}}},')
        rows += [parameter_row(parameter) for parameter in function.parameters]
    return "\n".join([
        INCLUDE + "namespace foothold::aclnn {", "", "static const Parameter kParameters[] = {",
        *(f"    {row}" for row in rows), "};", "", "static const Binding kBindings[] = {",
        *(f"    {row}" for row in bindings), "};", "", "extern const Function kFunctions[];", "const Function kFunctions[] = {",
        *entries, "};", "", "const Function* AllFunctions() {", "  return kFunctions;", "}", "",
        "std::size_t FunctionCount() {", f"  return {len(functions)};", "}", "", "}  // namespace foothold::aclnn", ""])


def packed(parameter):
    value = parameter.name
    if parameter.member == "integer":
        value = f"static_cast<std::int64_t>({value})"
    return f"{{.{parameter.member} = {value}}}"


def definition(name, parameters, body):
    return "\n".join([f"ACL_FUNC_VISIBILITY aclnnStatus {name}({', '.join(parameters)}) {{", *body, "}"])


def entry_points(number, function, runs):
    (first, its_parameters), (second, parameters) = function.declarations()
    if not runs:
        body = [f"  return NoKernel(kFunctions[{number}]);"]
        unnamed = [[re.sub(r"\b\w+$", "", parameter).rstrip() for parameter in found] for found in (its_parameters, parameters)]
        return definition(first, unnamed[0], body) + "\n" + definition(second, unnamed[1], body)
    arguments = "nullptr"
    body = []
    if function.parameters:
        arguments = "arguments"
        body = [f"  const Argument arguments[] = {{{', '.join(map(packed, function.parameters))}}};"]
    body.append(f"  return PhaseOne(kFunctions[{number}], {arguments}, workspaceSize, executor);")
    run = [f"  return PhaseTwo(kFunctions[{number}], workspace, workspaceSize, executor, stream);"]
    return definition(first, its_parameters, body) + "\n" + definition(second, parameters, run)


def entries(numbered, running):
    return "\n".join([
        INCLUDE + "namespace foothold::aclnn {", "extern const Function kFunctions[];", "}", "",
        "using namespace foothold::aclnn;", "", 'extern "C" {', "",
        *(entry_points(number, function, function.name in running) + "\n" for number, function in numbered), "}", ""])


def write(path, text):
    """Leaves a file alone that has the text already: nothing is compiled for it."""
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)


def main():
    folder, files = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    functions = [function for function in table.read() if function.two_phases]
    running = table.runs(functions)
    write(folder / "functions.cpp", data(functions))
    each = -(-len(functions) // files)
    for file in range(files):
        part = list(enumerate(functions))[file * each:(file + 1) * each]
        write(folder / f"entries_{file}.cpp", entries(part, running))


if __name__ == "__main__":
    main()
