# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The state of every entry point, read from src/api: the lines of status.h and unsupported.h, and what the bodies of the
functions say about these lines."""

import functools
import re

import facts

WORKS = "works"
WITHOUT_EFFECT = "accepted without effect"
REFUSED = "always refused"
UNSUPPORTED = "not supported"
STATES = (WORKS, WITHOUT_EFFECT, REFUSED, UNSUPPORTED)

MARKS = {"FOOTHOLD_WITHOUT_EFFECT": WITHOUT_EFFECT, "FOOTHOLD_ALWAYS_REFUSED": REFUSED}
MARK = re.compile(r"^(FOOTHOLD_WITHOUT_EFFECT|FOOTHOLD_ALWAYS_REFUSED)\(([\w:]+)\);", re.M)
PART = re.compile(r"^FOOTHOLD_PART_WITHOUT_EFFECT\(([\w:]+),\s*(\w+)\);", re.M)
NORETURN = re.compile(r"\[\[noreturn\]\] (?:static |inline )*void (\w+)\(")
GUARD = re.compile(r"\b(Guard|GuardGraph|GuardSession|GuardHccl|GuardMpi)\(")
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*(?:\(\s*\))?\s*(?:->\s*[\w:*<> ]+?)?\s*(?=\{)")
COMPOUND = re.compile(r"(if|else|for|while|switch|try|catch|do)\b")
# Statements that look at arguments and do nothing with them.
CHECK = re.compile(r"(?:return )?(?:foothold::)?(?:Check\w*|FOOTHOLD_NOT_NULL|CurrentContext|CurrentDevice|WarnOnce|Log|"
                   r"\w+::Get\(\)\.(?:device|Find))(?=\()")


def sources():
    """Text of every entry-point file by its place in src/api."""
    folder = facts.ROOT / "src/api"
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*.cpp"))}


@functools.lru_cache(maxsize=None)
def blank(text):
    """The text with comments and the insides of strings and characters gone, at the same places."""
    gone = lambda match: re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r"//[^\n]*|/\*.*?\*/", gone, text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', lambda m: m[0][0] + " " * (len(m[0]) - 2) + m[0][-1], text)


def closing(text, start):
    """Behind the bracket that closes the one at `start`."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    depth, at = 0, start
    while True:
        if text[at] in pairs:
            depth += 1
        elif text[at] in pairs.values():
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1


def definitions(text, name):
    """Where functions of this name are defined in a blanked text: the line's start, and the body."""
    for found in re.finditer(rf"^(?! )(?!FOOTHOLD_)[^\n;{{}}=#]*?(?<![\w:]){re.escape(name)}\(", text, re.M):
        end = closing(text, found.end() - 1)
        rest = re.match(r"(?:\s|const\b|noexcept\b|:[^;{]*?(?=\s\{))*\{", text[end:])
        if rest:
            begin = end + rest.end() - 1
            yield found.start(), text[begin + 1: closing(text, begin) - 1]


def statements(block):
    """The statements of a block, those inside of others as parts of them."""
    at, start, depth = 0, 0, 0
    while at < len(block):
        if block[at] in "({[":
            at = closing(block, at)
            text = block[start:at].strip()
            if block[at - 1] == "}" and (COMPOUND.match(text) or text.startswith("{")):
                yield text
                start = at
            continue
        if block[at] == ";" and depth == 0:
            yield block[start:at].strip()
            start = at + 1
        at += 1
    if block[start:].strip():
        yield block[start:].strip()


class Bodies:
    """Answers about bodies; `failing` are the names of functions that never return."""

    def __init__(self, texts):
        self.failing = {"Fail"}
        for text in texts.values():
            self.failing.update(NORETURN.findall(text))

    def fails(self, statement):
        called = re.match(r"(?:return )?(?:foothold::)?(\w+)\(", statement)
        return statement.startswith("throw ") or bool(called and called[1] in self.failing)

    def always_fails(self, body):
        others = re.sub(r"return (?=\w*(Guard|NotSupported))", "", body)
        return "return" not in others and any(self.fails(statement) for statement in statements(guarded(body)))

    def only_checks(self, body):
        if not body.strip():
            return True
        if not GUARD.search(body):
            return False
        return all(self.checks(statement) for statement in statements(guarded(body)))

    def checks(self, statement):
        condition = re.match(r"(?:else )?if (?=\()", statement)
        if condition:
            rest = statement[closing(statement, condition.end()):].strip()
            inner = rest[1:-1] if rest.startswith("{") else rest
            return all(self.fails(part) or self.checks(part) for part in statements(inner))
        check = CHECK.match(statement)
        return statement.startswith("const ") or bool(check and closing(statement, check.end()) == len(statement))


def guarded(body):
    """What runs inside the guard: the block of the function given to it, else the body itself."""
    found = LAMBDA.search(body)
    return body if not found else body[found.end() + 1: closing(body, found.end()) - 1]


def not_supported(body):
    return re.fullmatch(r"\s*return NotSupported\([^;]*\);\s*", body) is not None


def entry_names():
    """All names of the tables as sources write them: C functions, free functions and methods of the Graph Engine."""
    table = facts.load()
    names = [function["name"] for function in table["functions"] + table["looked_up"]]
    names += [function.name for function in facts.aclnn() if not function.two_phases]
    ge = facts.load_ge()
    names += [function["name"].removeprefix("ge::") for function in ge["functions"]]
    names += [name for entry in ge["classes"] for name in method_names(entry)]
    return list(dict.fromkeys(names))


def method_names(entry):
    """As sources write them; a class without methods is its constructor."""
    short = entry["name"].split("::", 1)[1]
    return [f"{short}::{m['name']}" for m in entry["methods"]] or [f"{short}::{short}"]


def read(texts=None):
    """(states, parts, problems): the state of each name that does not simply work, the parts of names that change
    nothing, and what lines and bodies say against each other."""
    texts = texts or sources()
    blanked = {file: blank(text) for file, text in texts.items()}
    bodies = Bodies(texts)
    states = dict.fromkeys(facts.unsupported_functions(), UNSUPPORTED)
    parts, problems, marked = {}, [], {}
    for file, text in texts.items():
        for kind, name in MARK.findall(text):
            marked[name] = (MARKS[kind], file)
        for name, part in PART.findall(text):
            parts.setdefault(name, []).append(part)
    known = set(entry_names())
    problems += [f"{name} is marked, but no header declares it" for name in [*marked, *parts] if name not in known]
    for name in sorted(known - set(states)):
        found = [(file, at, body) for file, text in blanked.items() if name in text
                 for at, body in definitions(text, name)]
        problems += judge(name, found, marked.get(name, (WORKS, None)), bodies, texts)
        if found and all(not_supported(body) for _, _, body in found):
            states[name] = UNSUPPORTED
        elif name in marked:
            states[name] = marked[name][0]
    return states, parts, problems


def judge(name, found, mark, bodies, texts):
    state, where = mark
    for file, at, body in found:
        if not_supported(body):
            continue
        fails = bodies.always_fails(body)
        if fails and state != REFUSED:
            yield f"src/api/{file}: {name} only throws, but is said to be: {state}"
        if not fails and state == REFUSED:
            yield f"src/api/{file}: {name} is said to be always refused, but its body does not end in a failure"
        if not fails and state == WORKS and bodies.only_checks(body):
            yield f"src/api/{file}: {name} only checks its arguments, but is said to work"
    if where and not any(name in marks_before(texts[file], at) for file, at, _ in found if file == where):
        yield f"src/api/{where}: the mark of {name} does not stand before its definition"


def marks_before(text, at):
    """The names in the lines of status.h that stand right before a place."""
    names = []
    for line in reversed(text[:at].rstrip("\n").split("\n")):
        mark = MARK.match(line)
        if not mark:
            break
        names.append(mark[2])
    return names
