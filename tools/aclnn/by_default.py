#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The aclnn operators that need no code: src/aclnn/table/by_default.lst, made from src/aclnn/table, the prototypes and what
the program list_operators says runs. Tensors go to ports by position, values to attributes and ports by name, and where a
row of the table says `as`, there (src/aclnn/table/README.md).

    by_default.py --write LIST_OPERATORS    writes the list
    by_default.py --check LIST_OPERATORS    fails unless it is what would be written
    by_default.py --why LIST_OPERATORS      prints why each other operator without code does not fit

The program is built with the tests: build/release/tests/structure/list_operators.
"""

import pathlib
import re
import subprocess
import sys

import function_table

sys.path.insert(0, str(function_table.ROOT / "tools/ops"))
import prototype_table  # noqa: E402

TARGET = function_table.FOLDER / "by_default.lst"
HEAD = """# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Operators that run without code of their own, written by tools/aclnn/by_default.py --write: the operator of graphs, what its
# ports and attributes are, and what comes of its outputs.
"""
# What an attribute can be made of, and what an input that is no tensor of the program.
OF_ATTRIBUTE = {
    "int": {"kInteger", "kBool", "kDataType", "kScalar"}, "float": {"kReal", "kScalar", "kInteger"}, "string": {"kText"},
    "bool": {"kBool", "kInteger"}, "type": {"kDataType", "kInteger"}, "list_int": {"kInts", "kInteger"},
    "list_float": {"kFloats"}, "list_bool": {"kBools"}}
OF_INPUT = {"kInts", "kInteger", "kScalar", "kReal", "kFloats", "kSeed"}
# Another word for the same thing.
SAME_WORDS = {"eps": "epsilon", "keepdim": "keepdims"}
# How this library computes is its own affair.
IGNORED = {"cubeMathType", "implMode"}
NOTHING = "nothing"
FLOATS = {"FLOAT", "FLOAT16", "BF16", "DOUBLE"}


class DoesNotFit(Exception):
    pass


def plain(name):
    """Names as they compare: without what only says that something is optional, written or an output."""
    word = re.sub(r"(Optional|Ref|Out)$", "", name).replace("_", "").lower()
    return SAME_WORDS.get(word, word)


class Fit:
    """What goes where: (target, parameter, "data", "input", "value" or "attribute") for inputs and attributes, (port, parameter,
    way) for outputs."""

    def __init__(self, function, operator):
        self.function, self.operator = function, operator
        self.targets, self.outputs = [], []
        self.taken, self.written = set(), set()
        self.each = self.is_for_each_member()
        for parameter in function.parameters:
            if parameter.bound != NOTHING and parameter.name not in IGNORED:
                self.bind(parameter)
        self.check()

    def is_for_each_member(self):
        """Whether lists go one member after the other through an operator of single tensors."""
        lists = any(parameter.kind == "kTensorList" for parameter in self.function.parameters)
        return lists and all(port.kind != "dynamic" for port in self.operator.inputs + self.operator.outputs)

    def bind(self, parameter):
        if parameter.role == "output":
            return self.bind_output(parameter)
        if parameter.kind in function_table.TENSORS:
            port = self.bind_input(parameter)
            return self.bind_changed(parameter, port) if parameter.role == "ref" else None
        return self.bind_value(parameter)

    def next_port(self, ports, parameter, taken, what):
        if parameter.bound:
            found = [port for port in ports if port.name == parameter.bound]
        else:
            spoken_for = {other.bound for other in self.function.parameters}
            found = [port for port in ports if port.name not in taken and port.name not in spoken_for]
        if not found:
            raise DoesNotFit(f"{self.operator.type} has no {what} for {parameter.name}")
        taken.add(found[0].name)
        return found[0]

    def check_kind(self, parameter, port):
        is_list = parameter.kind == "kTensorList" and not self.each
        if is_list != (port.kind == "dynamic"):
            raise DoesNotFit(f"of {parameter.name} and {port.name} one is a list")

    def bind_input(self, parameter):
        port = self.next_port(self.operator.inputs, parameter, self.taken, "input")
        self.check_kind(parameter, port)
        if parameter.optional and port.kind == "required":
            raise DoesNotFit(f"{parameter.name} may be null, and {port.name} has to be there")
        changed = port.name in [output.name for output in self.operator.outputs]
        if changed and parameter.role != "ref":
            raise DoesNotFit(f"{port.name} is changed, and {parameter.name} is only read")
        self.targets.append((port.name, parameter, "data" if self.is_data(port) else "input"))
        return port

    def is_data(self, port):
        """Whether a port is of what is computed with, like the first one: they meet in one type."""
        first = self.allowed(self.operator.inputs[0])
        return self.allowed(port) == first or bool(FLOATS & self.allowed(port) and FLOATS & first)

    def allowed(self, port):
        symbols = {symbol.name: symbol for symbol in self.operator.symbols}

        def of_symbol(name):
            return set(symbols[name].types).union(*(of_symbol(one) for one in symbols[name].promoted_from))

        return of_symbol(port.symbol) if port.symbol else set(port.types)

    def bind_output(self, parameter):
        port = self.next_port(self.operator.outputs, parameter, self.written, "output")
        self.check_kind(parameter, port)
        if port.kind == "dynamic" and not self.each:
            raise DoesNotFit(f"{port.name} is a list")
        self.outputs.append((port.name, parameter, self.way_of(port, parameter)))

    def way_of(self, port, parameter):
        """How an output is written; "index" is of whole numbers, where only runs tell what comes out."""
        return ",".join(parameter.words) or ("" if self.is_data(port) or FLOATS & self.allowed(port) else "index")

    def bind_changed(self, parameter, port):
        """A tensor that is changed: by the output of its port's name, or by the only one."""
        names = [output.name for output in self.operator.outputs]
        name = port.name if port.name in names else names[0] if len(names) == 1 else ""
        if not name or name in self.written:
            raise DoesNotFit(f"nothing says what changes {parameter.name}")
        self.written.add(name)
        self.outputs.append((name, parameter, ""))

    def bind_value(self, parameter):
        wanted = parameter.bound or parameter.name
        fits = (lambda one: one.name == wanted) if parameter.bound else (lambda one: plain(one.name) == plain(wanted))
        for attribute in filter(fits, self.operator.attributes):
            known = {"kInteger"} if parameter.words else OF_ATTRIBUTE.get(attribute.type, set())
            if parameter.kind not in known or bool(parameter.words) > (attribute.type == "string"):
                raise DoesNotFit(f"{parameter.name} is no {attribute.type}")
            self.targets.append((attribute.name, parameter, "attribute"))
            return
        for port in filter(fits, self.operator.inputs):
            if parameter.kind not in OF_INPUT or port.kind == "dynamic":
                raise DoesNotFit(f"{parameter.name} makes no tensor")
            self.taken.add(port.name)
            self.targets.append((port.name, parameter, "data" if self.is_data(port) else "value"))
            return
        raise DoesNotFit(f"{self.operator.type} has nothing like {parameter.name}")

    def check(self):
        attributes = {attribute.name: attribute.type for attribute in self.operator.attributes}
        for name, _ in self.function.settings:
            if attributes.get(name) not in ("bool", "int", "float", "string"):
                raise DoesNotFit(f"{self.operator.type} has no attribute {name} that can be set")
        bound = {target for target, _, _ in self.targets} | {name for name, _ in self.function.settings}
        for port in self.operator.inputs:
            if port.kind == "required" and port.name not in bound:
                raise DoesNotFit(f"nothing goes to {port.name}")
        for attribute in self.operator.attributes:
            if attribute.required and attribute.name not in bound and attribute.name != "N":
                raise DoesNotFit(f"nothing says what {attribute.name} is")
        if not self.outputs:
            raise DoesNotFit("it has no output")

    def line(self):
        made = ", ".join([f"{target}={parameter.name}" for target, parameter, _ in self.targets] +
                         [f"{attribute}:{value}" for attribute, value in self.function.settings])
        results = ", ".join(f"{parameter.name}={port}" for port, parameter, _ in self.outputs)
        return f"{self.function.name}: {results} <- {self.operator.type}({made})" + (" each" if self.each else "")


def operators():
    return {operator.type: operator for operator in prototype_table.read()}


def fit(function, known, running):
    """A Fit; throws DoesNotFit with the reason."""
    if function.by_hand:
        raise DoesNotFit(function.by_hand)
    if not function.like:
        raise DoesNotFit("the table names no operator")
    if function.like not in running:
        raise DoesNotFit(f"{function.like} does not run")
    return Fit(function, known[function.like])


def without_code():
    mapped = function_table.mapped()
    return [function for function in function_table.read() if function.two_phases and function.name not in mapped]


def fits(running):
    """[Fit] of the operators without code, and {name: reason} of the others."""
    known, found, others = operators(), [], {}
    for function in without_code():
        try:
            found.append(fit(function, known, running))
        except DoesNotFit as reason:
            others[function.name] = str(reason)
    return found, others


def listed():
    """{name: Fit} of the operators in the list: the list decides who runs, the table how."""
    names = function_table.by_default()
    known = operators()
    return {function.name: Fit(function, known[function.like]) for function in without_code() if function.name in names}


def running_operators(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return {line.partition("\t")[0] for line in done.stdout.splitlines()}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("--write", "--check", "--why"):
        sys.exit(__doc__)
    found, others = fits(running_operators(sys.argv[2]))
    text = HEAD + "".join(one.line() + "\n" for one in found)
    if sys.argv[1] == "--why":
        print("\n".join(f"{name}: {reason}" for name, reason in others.items()))
    elif sys.argv[1] == "--write":
        TARGET.write_text(text)
    elif not TARGET.is_file() or TARGET.read_text() != text:
        old = set(TARGET.read_text().splitlines()) if TARGET.is_file() else set()
        changed = sorted(old.symmetric_difference(text.splitlines()))
        sys.exit("src/aclnn/table/by_default.lst is out of date: run tools/aclnn/by_default.py --write\n" + "\n".join(changed))
    else:
        print(f"{len(found)} operators run without code")


if __name__ == "__main__":
    main()
