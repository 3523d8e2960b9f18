#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""docs/api_status.md: what becomes of a call of every declared function, of C, of aclnn, of the Graph Engine and of Python.

    api_status.py --write    makes the page from the facts tables, the lines of status.h and unsupported.h in src/api,
                             the operators named in src/aclnn/maps and docs/pyacl.md, and puts the numbers into
                             README.md, with those of docs/operators.md
    api_status.py --check    fails unless both are what --write would make
    api_status.py --summary  one line: C functions that work, of those declared
"""

import collections
import re
import sys
import textwrap

import facts
import states

PAGE = facts.ROOT / "docs/api_status.md"
PYTHON_PAGE = facts.ROOT / "docs/pyacl.md"
OPERATORS_PAGE = facts.ROOT / "docs/operators.md"
README = facts.ROOT / "README.md"
NUMBERS = re.compile(r"(<!-- numbers, by tools/api/api_status.py --write -->\n).*?(<!-- end -->)", re.S)
INTRO = """# API status

Made by `tools/api/api_status.py --write` from the tables of the API and what `src/api` says of each function; tests hold
both to the code. A function is in one of four states:

- **works**.
- **accepted without effect**: arguments are checked and the answer is success, and nothing follows: a CPU has nothing to
  do there (its caches are coherent), or what was set is kept to be read back. What a program might miss is named once in
  the log, as a warning.
- **always refused**: there is nothing a call could succeed with here; the message says why.
- **not supported**: can be linked and called, answers the documented not-supported code (or null, or the sentinel of its
  kind) and leaves a message for `aclGetRecentErrMsg` that names it.
"""
ACLNN_INTRO = """Every operator is two functions, `aclnn<Name>GetWorkspaceSize` and `aclnn<Name>`; the lists leave the prefix out.
The libraries are names of one file. An operator that is not supported can be linked, answers 561003, and is not found by
name ([decision](decisions/0093-what-does-not-run-is-linked-and-not-found.md))."""
HEAD = "declared | " + " | ".join(states.STATES)
RULE = "|---" + "|--:" * (1 + len(states.STATES))


def cells(names, state_of):
    counts = collections.Counter(state_of(name) for name in names)
    return " | ".join(str(number) for number in (len(names), *(counts[state] for state in states.STATES)))


def sentence(names, form=lambda name: f"`{name}`"):
    return ", ".join(form(name) for name in names) + "."


def lists(names, state_of, form=lambda name: f"`{name}`"):
    """A paragraph for each state that occurs."""
    lines = []
    for state in states.STATES:
        found = sorted({name for name in names if state_of(name) == state})
        if found:
            lines += ["", f"{state.capitalize()}: " + sentence(found, form)]
    return lines


def c_part(read, parts):
    table = facts.load()["functions"]
    state_of = lambda name: read.get(name, states.WORKS)
    lines = ["", "## C", "", '"Called" counts the functions that at least one known program calls.', "",
             f"| header | {HEAD} | called | of these work |", RULE + "|--:|--:|"]
    sections = []
    by_header = collections.defaultdict(list)
    for function in table:
        by_header[function["header"]].append(function)
    for header, functions in [*sorted(by_header.items()), ("all", table)]:
        names = [function["name"] for function in functions]
        called = [function["name"] for function in functions if function.get("used")]
        work = sum(state_of(name) == states.WORKS for name in called)
        shown = header if header == "all" else f"`{header}`"
        lines.append(f"| {shown} | {cells(names, state_of)} | {len(called)} | {work} |")
        if header != "all":
            sections += ["", f"### {header}", *lists(names, state_of), *partly(names, parts)]
    return lines + sections


def partly(names, parts):
    found = [f"`{name}` ({', '.join(f'`{part}`' for part in parts[name])})" for name in sorted(names) if name in parts]
    return ["", "Works, but for values and parameters without effect: " + ", ".join(found) + "."] if found else []


def aclnn_states(read):
    """{name: state} of the aclnn operators."""
    mapped = facts.function_table.runs(facts.aclnn())
    of_operator = lambda name: states.WORKS if name in mapped else states.UNSUPPORTED
    return {function.name: of_operator(function.name) if function.two_phases else read.get(function.name, states.WORKS)
            for function in facts.aclnn()}


def aclnn_part(read):
    state_of = aclnn_states(read).get
    lines = ["", "## Operators of aclnn", "", ACLNN_INTRO, "", f"| library | {HEAD} |", RULE + "|"]
    by_library = collections.defaultdict(list)
    for function in facts.aclnn():
        by_library[function.library_file].append(function.name)
    lines += [f"| `{library}` | {cells(names, state_of)} |" for library, names in sorted(by_library.items())]
    lines.append(f"| all | {cells([name for names in by_library.values() for name in names], state_of)} |")
    for library, names in sorted(by_library.items()):
        lines += ["", f"### {library}", *lists(names, state_of, lambda name: name.removeprefix("aclnn"))]
    helpers = [function["name"] for function in facts.load()["looked_up"]]
    lines += ["", "### Looked up by name", "", "In no header; prebuilt programs import these or find them by name.",
              *lists(helpers, lambda name: read.get(name, states.WORKS))]
    return lines


def ge_part(read):
    table = facts.load_ge()
    state_of = lambda name: read.get(name, states.WORKS)
    groups = [("functions", [f["name"].removeprefix("ge::") for f in table["functions"]])]
    groups += [(f"`{entry['name']}`", states.method_names(entry)) for entry in table["classes"]]
    lines = ["", "## Graph Engine", "", "Functions and methods, every form of an overloaded one by itself.", "",
             f"| class | {HEAD} |", RULE + "|"]
    lines += [f"| {title} | {cells(names, state_of)} |" for title, names in groups]
    lines.append(f"| all | {cells([name for _, names in groups for name in names], state_of)} |")
    others = [name for _, names in groups for name in names if state_of(name) != states.WORKS]
    lines += lists(others, state_of)
    return [*lines, "", "All others work."]


def python_functions():
    """(module, name, function of C or '') of every line in the tables of docs/pyacl.md, which a test holds to the
    module."""
    module, rows = None, []
    for line in PYTHON_PAGE.read_text().splitlines():
        title = re.fullmatch(r"### (acl[\w.]*)", line)
        row = re.match(r"\| `(\w+)\(.*?\)` \| .*? \| (?:`(\w+)`)? ?\| [\w ]+ \|$", line)
        module = title[1] if title else module
        if row and module:
            rows.append((module, row[1], row[2] or ""))
    return rows


def python_part(read):
    c_name = {f"{module}.{name}": function for module, name, function in python_functions()}
    state_of = lambda name: read.get(c_name[name], states.WORKS)
    modules = collections.defaultdict(list)
    for name in c_name:
        modules[name.rpartition(".")[0]].append(name)
    lines = ["", "## Python", "", "A function of pyACL is in the state of the function of C it stands for.", "",
             f"| module | {HEAD} |", RULE + "|"]
    lines += [f"| `{module}` | {cells(names, state_of)} |" for module, names in modules.items()]
    lines.append(f"| all | {cells(list(c_name), state_of)} |")
    lines += lists([name for name in c_name if state_of(name) != states.WORKS], state_of)
    return [*lines, "", "All others work; [docs/pyacl.md](pyacl.md) has them with their arguments."]


def page(read, parts):
    return "\n".join([INTRO.rstrip("\n"), *c_part(read, parts), *aclnn_part(read), *ge_part(read), *python_part(read)]) + "\n"


def working(names, state_of):
    return f"{sum(state_of(name) == states.WORKS for name in names):,} of {len(names):,}"


def numbers(read):
    """The paragraph of README.md about how much works."""
    c, ge = facts.load()["functions"], facts.load_ge()
    state_of = lambda name: read.get(name, states.WORKS)
    names = [function["name"] for function in c]
    called = [function["name"] for function in c if function.get("used")]
    methods = [f["name"].removeprefix("ge::") for f in ge["functions"]]
    methods += [name for entry in ge["classes"] for name in states.method_names(entry)]
    python = [function for _, _, function in python_functions()]
    counts = collections.Counter(map(state_of, names))
    all_operators, running = re.search(r"All ([\d,]+) operators.*?; ([\d,]+) of them run", OPERATORS_PAGE.read_text(), re.S).groups()
    aclnn = aclnn_states(read)
    text = (f"How much of it works: {working(names, state_of)} functions of C ({working(called, state_of)} that known programs "
            f"call), {working(methods, state_of)} functions and methods of the Graph Engine, {working(python, state_of)} "
            f"functions of pyACL; {running} of {all_operators} operators of graphs and {working(aclnn, aclnn.get)} of aclnn run. Of the other functions of C, "
            f"{counts[states.WITHOUT_EFFECT]} are accepted without effect, {counts[states.REFUSED]} are always refused and "
            f"{counts[states.UNSUPPORTED]} are not supported.")
    return textwrap.fill(text, 120)


def readme(read):
    return NUMBERS.sub(lambda found: found[1] + numbers(read) + "\n" + found[2], README.read_text())


def main():
    read, parts, problems = states.read()
    if problems:
        sys.exit("\n".join(problems))
    text = page(read, parts)
    if "--write" in sys.argv:
        PAGE.write_text(text)
        README.write_text(readme(read))
    elif "--summary" in sys.argv:
        names = [function["name"] for function in facts.load()["functions"]]
        print(f"{sum(name not in read for name in names)} of {len(names)} API functions")
    elif not PAGE.is_file() or PAGE.read_text() != text:
        sys.exit("docs/api_status.md is out of date: run tools/api/api_status.py --write")
    elif README.read_text() != readme(read) or not NUMBERS.search(README.read_text()):
        sys.exit("the numbers in README.md are out of date: run tools/api/api_status.py --write")
    else:
        print("docs/api_status.md and the numbers in README.md: up to date")


if __name__ == "__main__":
    main()
