#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes programs that hold the headers of the Graph Engine to the facts table (ge.json): for every header one C++ file
that includes this header alone and checks each signature, value and type it has to offer when it is compiled, and that
the library has every function when it is linked.

    write_ge_checks.py --list               names of the files, separated by ';'
    write_ge_checks.py DIRECTORY            writes them
"""

import json
import pathlib
import sys
import zlib

import facts

PROLOGUE = """#include <type_traits>
template <typename T> void Keep(T pointer) { volatile T kept = pointer; (void)kept; }
#define USED __attribute__((used)) static
#define HOLDS(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
constexpr bool Equal(const char* a, const char* b) { return *a == *b && (*a == 0 || Equal(a + 1, b + 1)); }
"""


def headers(table):
    return sorted({h for kind in facts.GE_KINDS for entry in table[kind] for h in facts.ge_headers(entry)})


def stem(header):
    return "check_ge_" + header[: -len(".h")].replace("/", "_")


def namespace_of(name):
    return name.split("::")[0] if "::" in name else "ge"


# Inside the class's own namespaces, where the table's short names mean what they mean in the header.
def inside(name, lines):
    outer = namespace_of(name)
    return [f"namespace {outer} {{", f"namespace check_{name.replace('::', '_')} {{", *lines, "}", "}"]


def pointer(entry, owner):
    params = ", ".join(entry["params"])
    scope = "" if entry.get("static") or owner is None else owner + "::"
    const = " const" if entry.get("const") else ""
    return f"{entry['ret']} ({scope}*)({params}){const}"


def method_check(entry, owner, spelled):
    return f"Keep(static_cast<{pointer(entry, owner)}>(&{spelled}::{entry['name']}));"


def class_checks(entry):
    name = entry["name"]
    public = [m for m in entry["methods"] if not m.get("protected")]
    protected = [m for m in entry["methods"] if m.get("protected")]
    lines = ["USED void Methods() {"]
    lines += ["  " + method_check(m, name, name) for m in public] + ["}"]
    if protected:
        lines += [f"struct Derived : {name} {{", "  USED void Methods() {"]
        lines += ["    " + method_check(m, name, "Derived") for m in protected] + ["  }", "};"]
    abstract = any(m.get("pure") for m in entry["methods"])
    for params in entry["constructors"]:
        if not abstract:
            lines.append(f"HOLDS(std::is_constructible<{', '.join([name, *params])}>::value);")
    return inside(name, lines)


def function_checks(entry):
    name = entry["name"].split("::")[-1]
    form = zlib.crc32(" ".join(entry["params"]).encode())  # overloads have one name
    lines = [f"USED void {name}_{form}() {{ Keep(static_cast<{pointer(entry, None)}>(&::{entry['name']})); }}"]
    return inside(entry["name"], lines)


def enum_checks(entry):
    name = entry["name"]
    scope = name if entry["scoped"] or "::" in name.partition("::")[2] else namespace_of(name)
    for value, number in entry["values"].items():
        yield f"HOLDS(std::is_same<decltype({scope}::{value}), {name}>::value);"
        yield f"HOLDS(static_cast<long long>({scope}::{value}) == {number}LL);"


def constant_checks(entry):
    name, value = entry["name"], entry["value"]
    if isinstance(value, str):
        yield f"HOLDS(Equal({name}, {json.dumps(value)}));"
    else:
        yield f"HOLDS({name} == {value}LL);"


def type_checks(entry):
    inner = entry["name"].partition("::")[2]
    alias = f"using Same_{inner.replace('::', '_')} = {entry['type']};"
    check = f"HOLDS(std::is_same<{entry['name']}, Same_{inner.replace('::', '_')}>::value);"
    return inside(entry["name"], [alias, check])


CHECKS = {"classes": class_checks, "functions": function_checks, "enums": enum_checks, "constants": constant_checks,
          "types": type_checks}


def write(table, header):
    lines = [f'#include "{header}"', PROLOGUE]
    for kind in facts.GE_KINDS:
        for entry in table[kind]:
            if header in facts.ge_headers(entry):
                lines += CHECKS[kind](entry)
    return "\n".join(lines) + "\n"


def main():
    table = facts.load_ge()
    names = headers(table)
    if sys.argv[1] == "--list":
        print(";".join(stem(h) + ".cpp" for h in names), end="")
        return
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for header in names:
        (out / f"{stem(header)}.cpp").write_text(write(table, header))


if __name__ == "__main__":
    main()
