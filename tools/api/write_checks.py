#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes programs that hold the public headers to the facts table: for every header one C and one C++ file that
include this header alone and check each signature, value and layout it has to offer.

    write_checks.py --list               names of the files, separated by ';'
    write_checks.py DIRECTORY            writes them
"""

import json
import pathlib
import sys

import facts


def stem(header):
    return "check_" + header[: -len(".h")].replace("/", "_")


def number(value):
    return f"{value}ULL" if value > 0x7FFFFFFFFFFFFFFF else f"{value}LL"


def function_type(function):
    return f"{function['ret']} (*)({facts.parameter_types(function)})"


def members(struct):
    """(expression inside the struct, type) of every member that has a name."""
    for field in struct["fields"]:
        if isinstance(field, list):
            yield field[1], field[0]
            continue
        prefix = field["name"] + "." if field["name"] else ""
        for type_name, name in field["members"]:
            yield prefix + name, type_name


def same_in_c(expression, type_name, what):
    return f"SAME({what}, __typeof__({expression}), {facts.declare(type_name, '')});"


def write_c(table, header):
    lines = [
        f'#include "{header}"',
        "#include <stddef.h>",
        "int printf(const char *format, ...);",
        "#define HOLDS(name, condition) typedef char name##_holds[(condition) ? 1 : -1]",
        "#define SAME(name, a, ...) HOLDS(name, __builtin_types_compatible_p(a, __VA_ARGS__))",
    ]
    offered = lambda kind: facts.offered_by(table, kind, header)
    for function in offered("functions"):
        lines.append(f"SAME({function['name']}, __typeof__(&{function['name']}), {function_type(function)});")
    for entry in offered("callbacks") + offered("handles"):
        lines.append(f"SAME({entry['name']}, {entry['name']}, {entry['type']});")
    for entry in offered("opaque"):
        lines.append(f"SAME({entry['name']}, {entry['name']} *, struct {entry.get('tag', entry['name'])} *);")
    for enum in offered("enums"):
        lines.append(f"SAME({enum['name']}, {enum['name']}, enum {enum.get('tag', enum['name'])});")
        lines += [f"HOLDS({name}, {name} == {number(value)});" for name, value in enum["values"].items()]
    lines.append("#ifdef __LP64__")
    for struct in offered("structs"):
        lines += struct_in_c(struct)
    lines.append("#endif")
    lines += values_in_c(offered("constants"), offered("macros"), header)
    return lines


def struct_in_c(struct):
    name = struct["name"]
    layout = struct["lp64"]
    yield f"SAME({name}, {name}, {struct['kind']} {struct.get('tag', name)});"
    yield f"HOLDS({name}_bytes, sizeof({name}) == {layout['size']});"
    for field, offset in layout["offsets"].items():
        yield f"HOLDS({name}_{field}_offset, offsetof({name}, {field}) == {offset});"
    for member, type_name in members(struct):
        yield same_in_c(f"(({name} *)0)->{member}", type_name, f"{name}_{member.replace('.', '_')}")


# In C the constants are objects, so their values are compared when the program runs.
def values_in_c(constants, macros, header):
    for macro in macros:
        name = macro["name"].split("(")[0]
        yield f"#ifndef {name}"
        yield f'#error "{name} is not defined"'
        yield "#endif"
    function = stem(header)
    yield f"int {function}(void);"
    yield f"int {function}(void) {{"
    yield "  int wrong = 0;"
    for constant in constants:
        name, value = constant["name"], constant["value"]
        equal = f"__builtin_strcmp({name}, {json.dumps(value)}) == 0" if isinstance(value, str) else f"{name} == {number(value)}"
        yield f'  if (!({equal})) wrong += printf("%s has a wrong value\\n", "{name}");'
    yield "  return wrong;"
    yield "}"


def write_cpp(table, header):
    lines = [
        f'#include "{header}"',
        "#include <cstddef>",
        "#include <type_traits>",
        "#define HOLDS(...) static_assert(__VA_ARGS__, #__VA_ARGS__)",
        "constexpr bool Equal(const char* a, const char* b) { return *a == *b && (*a == 0 || Equal(a + 1, b + 1)); }",
    ]
    same = lambda a, b: f"HOLDS(std::is_same<{a}, {b}>::value);"
    offered = lambda kind: facts.offered_by(table, kind, header)
    for function in offered("functions"):
        lines.append(same(f"decltype(&{function['name']})", function_type(function)))
    for entry in offered("callbacks") + offered("handles"):
        lines.append(same(entry["name"], entry["type"]))
    for entry in offered("opaque"):
        lines.append(same(entry["name"], f"struct {entry.get('tag', entry['name'])}"))
    for enum in offered("enums"):
        lines.append(same(enum["name"], f"enum {enum.get('tag', enum['name'])}"))
        for name, value in enum["values"].items():
            lines += [same(f"decltype({name})", enum["name"]), f"HOLDS({name} == {number(value)});"]
    for constant in offered("constants"):
        name, value = constant["name"], constant["value"]
        if isinstance(value, str):
            lines.append(f"HOLDS(Equal({name}, {json.dumps(value)}));")
            continue
        lines.append(f"HOLDS({name} == {number(value)});")
        if constant["kind"] != "#define":
            lines.append(same(f"decltype({name})", constant["kind"]))
    lines.append("#ifdef __LP64__")
    for struct in offered("structs"):
        lines += struct_in_cpp(struct, same)
    lines.append("#endif")
    if any(isinstance(c["value"], int) and c["kind"] != "#define" for c in offered("constants")):
        lines += labels(offered("constants"), header)
    return lines


def struct_in_cpp(struct, same):
    name = struct["name"]
    layout = struct["lp64"]
    yield f"HOLDS(sizeof({name}) == {layout['size']});"
    yield f"HOLDS(alignof({name}) == {layout['align']});"
    yield f"HOLDS(std::is_standard_layout<{name}>::value && std::is_trivial<{name}>::value);"
    for field, offset in layout["offsets"].items():
        yield f"HOLDS(offsetof({name}, {field}) == {offset});"
    for member, type_name in members(struct):
        yield same(f"decltype({name}::{member})" if "." not in member else f"decltype((({name}*)0)->{member})", type_name)


# Programs use the constants as labels of a switch.
def labels(constants, header):
    yield f"int {stem(header)}_labels(long long code);"
    yield f"int {stem(header)}_labels(long long code) {{"
    yield "  switch (code) {"
    seen = set()
    for constant in constants:
        if constant["kind"] == "#define" or constant["value"] in seen:
            continue
        seen.add(constant["value"])
        yield f"    case {constant['name']}: return 1;"
    yield "    default: return 0;"
    yield "  }"
    yield "}"


def write_main(names):
    calls = " + ".join(f"{stem(header)}()" for header in names)
    declarations = [f"int {stem(header)}(void);" for header in names]
    return declarations + ["int main(void) {", f"  return ({calls}) == 0 ? 0 : 1;", "}"]


def main():
    table = facts.load()
    names = facts.headers(table)
    if sys.argv[1] == "--list":
        print(";".join([stem(h) + suffix for h in names for suffix in (".c", ".cpp")] + ["check_main.c"]), end="")
        return
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for header in names:
        (out / f"{stem(header)}.c").write_text("\n".join(write_c(table, header)) + "\n")
        (out / f"{stem(header)}.cpp").write_text("\n".join(write_cpp(table, header)) + "\n")
    (out / "check_main.c").write_text("\n".join(write_main(names)) + "\n")


if __name__ == "__main__":
    main()
