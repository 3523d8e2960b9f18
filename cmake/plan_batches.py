#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Divides source files into batches that are compiled as one, each a file of #include lines.

Most of the time of a small C++ file goes into its headers, so a batch of ten takes little longer than one of them. Files
keep their private names: two files share a batch only if neither mentions what the other declares for itself (in an
unnamed namespace, as static, or as a macro), and both open the same namespaces of others. Files that ask to be compiled several
times (Highway's foreach_target.h) have batches of their own, which are compiled several times as a whole: smaller ones,
for they take long. Files larger than a batch stay alone.

  plan_batches.py --root DIR --out PREFIX --bytes N [--alone FILE]... FILE...

Paths are relative to DIR, which is on the include path. Writes PREFIX_0.cpp and so on, only where they change, removes
those that are no longer needed, and prints what to compile, a line each.
"""
import argparse
import glob
import itertools
import os
import re

TEXT = re.compile(r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.S)
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|\d[\w.']*|\S")
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)(.*?)$", re.M)
PER_TARGET = re.compile(r"foreach_target\.h")
TARGET_HEADER = re.compile(r'"(kernels/[\w-]+-inl\.h)"|"(hwy/contrib/[^"]+)"')
OPENED = re.compile(r"^using namespace [\w:]+;", re.M)
TYPES = {"struct", "class", "union", "enum"}
WORDS = TYPES | {"const", "nullptr", "true", "false", "catch", "noexcept", "int", "auto", "static_assert", "override"}
TEST_MACROS = re.compile(r"(TYPED_)?TEST(_F|_P|_SUITE(_P)?)?$|INSTANTIATE_|REGISTER_TYPED_")


def is_name(token):
    return token[0].isalpha() or token[0] == "_"


class Source:
    """A file, the names it keeps to itself, and the names it mentions."""

    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), encoding="utf-8") as file:
            raw = file.read()
        self.size = len(raw)
        self.alone = False
        self.per_target = bool(PER_TARGET.search(raw))
        self.target_headers = target_headers(root, raw) if self.per_target else {}
        self.opened = set(OPENED.findall(raw)) - {"using namespace foothold;"}
        self.includes, macros = self.directives(raw)
        code = DIRECTIVE.sub("", TEXT.sub(lambda found: "0" if found.group()[0] in "\"'R" else " ", raw.replace("\\\n", " ")))
        tokens = TOKEN.findall(code)
        self.aliases = set(re.findall(r"using ([\w:]+::\w+);", code))
        self.private = (macros | private_names(tokens)) - {alias.split("::")[-1] for alias in self.aliases}
        self.private = {name for name in self.private - WORDS if not name.startswith("HWY_")}
        self.mentioned = mentioned_names(tokens) | macros

    def directives(self, raw):
        includes, macros, depth = [], set(), 0
        for kind, rest in DIRECTIVE.findall(raw):
            if kind in ("if", "ifdef", "ifndef"):
                depth += 1
            elif kind == "endif":
                depth -= 1
            elif kind == "include" and depth == 0:
                includes.append(rest.strip())
            elif kind == "define":
                macros.add(re.match(r"\s*(\w+)", rest).group(1))
        return includes, macros

    def clashes(self, other):
        if self.opened != other.opened or self.per_target != other.per_target:
            return True
        if self.sees_names_of(other) or other.sees_names_of(self):
            return True
        if self.aliases_hide(other) or other.aliases_hide(self):
            return True
        return not (self.private.isdisjoint(other.mentioned) and other.private.isdisjoint(self.mentioned))

    def aliases_hide(self, other):
        """Whether a name brought in by `using a::Name;` is another one there. Names of our own namespace are the same."""
        theirs = {alias.split("::")[-1]: alias for alias in other.aliases}
        for alias in self.aliases:
            name = alias.split("::")[-1]
            if theirs.get(name, alias) != alias:
                return True
            if name not in theirs and name in (other.private if alias.startswith("foothold::") else other.mentioned):
                return True
        return False

    def sees_names_of(self, other):
        """Of headers that are compiled once per target and that only the other one includes."""
        return any(names is None or not self.mentioned.isdisjoint(names)
                   for header, names in other.target_headers.items() if header not in self.target_headers)


def target_headers(root, raw):
    """Headers compiled once per target, with the names they declare; None for names that are not known."""
    headers = {}
    for own, foreign in TARGET_HEADER.findall(raw):
        headers[own or foreign] = None
        if own:
            with open(os.path.join(root, own), encoding="utf-8") as file:
                inner = file.read()
            headers |= target_headers(root, inner)
            headers[own] = private_names(TOKEN.findall(DIRECTIVE.sub("", TEXT.sub(" ", inner))))
    return headers


def mentioned_names(tokens):
    """Names as looked up from the file's own scope: not members, nor names qualified by another namespace or type."""
    found = set()
    for i, token in enumerate(tokens):
        if not is_name(token):
            continue
        before = tokens[i - 1] if i else ""
        if before in (".", "->") or (before == "::" and i > 1 and is_name(tokens[i - 2]) and tokens[i - 2] != "foothold"):
            continue
        found.add(token)
    return found


def private_names(tokens):
    found, scopes, statement, i = set(), [], [], 0
    while i < len(tokens):
        token = tokens[i]
        if token == "{":
            scope = scope_kind(statement)
            if scope:
                scopes.append(scope)
            else:
                end = matching_brace(tokens, i)
                if "unnamed" in scopes or keeps_to_itself(statement):
                    found |= declared(statement + ["{"])
                    if statement[:1] == ["enum"] and "class" not in statement[:2]:
                        found |= {t for t, n in zip(tokens[i + 1:end], tokens[i + 2:end + 1]) if is_name(t) and n in (",", "}", "=")}
                i = end
            statement = []
        elif token == "}":
            if scopes:
                scopes.pop()
            statement = []
        elif token == ";":
            if "unnamed" in scopes or keeps_to_itself(statement):
                found |= declared(statement + [";"])
            statement = []
        else:
            statement.append(token)
        i += 1
    return found


def scope_kind(statement):
    if "namespace" in statement:
        return "unnamed" if statement[-1] in ("namespace", "HWY_NAMESPACE") else "named"
    return "named" if statement[:1] == ["extern"] and len(statement) == 2 else None


def keeps_to_itself(statement):
    return bool(statement) and (statement[0] in TYPES | {"static", "const", "constexpr", "using", "typedef", "template"})


def matching_brace(tokens, start):
    depth = 0
    for i in range(start, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[i], 0)
        if depth == 0:
            return i
    return len(tokens) - 1


def without_template(statement):
    if statement[:1] != ["template"]:
        return statement
    depth = 0
    for i, token in enumerate(statement[1:], 1):
        depth += {"<": 1, ">": -1}.get(token, 0)
        if depth == 0:
            return without_template(statement[i + 1:])
    return []


def declared(statement):
    """The names a statement declares; one too many only keeps files apart that could be together."""
    statement = without_template(statement)
    if not statement or statement[0] == "namespace" or TEST_MACROS.match(statement[0]):
        return set()
    if statement[0] in TYPES:
        names = [t for t in statement[1:] if is_name(t) and t not in TYPES]
        return set(names[:1])
    if statement[0] == "using":
        return {statement[1]} if "=" in statement else set()
    names, depth, in_value = set(), 0, False
    for before, token, after in zip([""] + statement, statement, statement[1:]):
        if token in ("=", ",") and depth == 0:
            in_value = token == "="
        if is_name(token) and depth == 0 and not in_value and before != "::" and after in ("(", "=", "[", "{", ";", ","):
            names.add(token)
            if after == "(":
                return names
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token, 0)
    return names


def fits(source, batch, most_bytes):
    return (sum(s.size for s in batch) + source.size <= most_bytes // (2 if source.per_target else 1)
            and not any(source.clashes(s) for s in batch))


def plan(sources, most_bytes, former):
    """Lists of sources. `former` has the paths of each batch of the plan before: what still fits stays where it was, so
    that a new file has one batch compiled again and not all that come behind it. A batch may be empty now."""
    batches = [[] for _ in former]
    places = {path: batch for paths, batch in zip(former, batches) for path in paths}
    new = []
    for source in sources:
        batch = places.get(source.path)
        if batch is None or source.alone or not fits(source, batch, most_bytes * 5 // 4):
            new.append(source)
        else:
            batch.append(source)
    for source in (s for s in new if not s.alone):
        batch = next((b for b in batches if fits(source, b, most_bytes)), None)
        if batch is None:
            batch = []
            batches.append(batch)
        batch.append(source)
    return batches + [[source] for source in new if source.alone]


def former_plan(written):
    """The paths in the batches that were written before, by number. `written`: their files, with their numbers."""
    former = {}
    for path, number in written:
        with open(path, encoding="utf-8") as file:
            former[number] = re.findall(r'^#include "(.*\.cpp)"$', file.read(), re.M)
    return [former.get(number, []) for number in range(max(former, default=-1) + 1)]


def text_of(batch, name):
    if batch[0].per_target:
        files = [f'"{source.path}"' for source in batch]
        return ("#undef FOOTHOLD_KERNEL_BATCH\n#define FOOTHOLD_KERNEL_BATCH\n"
                f'#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE "{name}"\n#include "hwy/foreach_target.h"\n'
                + "".join(f"#include {file}\n" for file in files))
    includes = dict.fromkeys(line for source in batch for line in source.includes)
    files = [f'"{source.path}"' for source in batch]
    return "".join(f"#include {name}\n" for name in [*includes, *files])


def write_if_changed(path, text):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--bytes", type=int, required=True)
    parser.add_argument("--alone", action="append", default=[])
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    numbered = re.compile(re.escape(arguments.out) + r"_(\d+)\.cpp")
    stale = {found.group(): int(found.group(1))
             for found in map(numbered.fullmatch, glob.glob(glob.escape(arguments.out) + "_*.cpp")) if found}
    former = former_plan(stale.items())
    sources = [Source(arguments.root, path) for path in arguments.files]
    for source in sources:
        source.alone = source.alone or source.path in arguments.alone
    batches = plan(sources, arguments.bytes, former)
    numbers = itertools.count(len(former))
    for former_number, batch in enumerate(batches):
        if len(batch) == 1 and former_number >= len(former):
            print(os.path.join(arguments.root, batch[0].path))
        elif batch:
            number = former_number if former_number < len(former) else next(numbers)
            path = f"{arguments.out}_{number}.cpp"
            write_if_changed(path, text_of(batch, os.path.basename(path)))
            stale.pop(path, None)
            print(path)
    for path in stale:
        os.remove(path)


if __name__ == "__main__":
    main()
