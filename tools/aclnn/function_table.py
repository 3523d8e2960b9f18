# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Reads the table of the aclnn operators, src/aclnn/table; its README describes the rows."""

import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "aclnn" / "table"
MAPS = ROOT / "src" / "aclnn" / "maps"
REFUSED = ROOT / "src" / "api" / "unsupported" / "aclnn.cpp"
HEADER_FOLDER = "aclnnop"
# A function where a mapping names it; all but one begin alike.
MAPPED = re.compile(r'"(aclnn\w+|aclStft)"')

# What a parameter's type makes of it: the kind the engine knows it by, and the member of an argument that holds it.
KINDS = {
    "aclTensor*": ("kTensor", "pointer"), "aclTensorList*": ("kTensorList", "pointer"),
    "aclScalar*": ("kScalar", "pointer"), "aclScalarList*": ("kScalarList", "pointer"),
    "aclIntArray*": ("kInts", "pointer"), "aclFloatArray*": ("kFloats", "pointer"),
    "aclBoolArray*": ("kBools", "pointer"), "char*": ("kText", "pointer"),
    "int8_t": ("kInteger", "integer"), "int": ("kInteger", "integer"), "int32_t": ("kInteger", "integer"),
    "int64_t": ("kInteger", "integer"), "uint64_t": ("kInteger", "integer"), "bool": ("kBool", "integer"),
    "float": ("kReal", "real"), "double": ("kReal", "real"), "aclDataType": ("kDataType", "integer")}
TENSORS = ("kTensor", "kTensorList")
ROLES = {"input": "kIn", "output": "kOut", "ref": "kRef", "value": "kIn", "seed": "kIn"}
# Every function of two phases ends with these.
LAST_OF_PHASE_ONE = ["uint64_t* workspaceSize", "aclOpExecutor** executor"]
PHASE_TWO = ["void* workspace", "uint64_t workspaceSize", "aclOpExecutor* executor", "aclrtStream stream"]
PHASE_ONE_SUFFIX = "GetWorkspaceSize"


@dataclass
class Parameter:
    name: str
    type: str
    role: str         # one of ROLES
    optional: bool
    bound: str = ""   # the port or attribute of the operator that is meant, where the table says it
    words: list = field(default_factory=list)  # what the numbers 0, 1, ... are called there

    @property
    def kind(self):
        if self.role == "seed":
            return "kSeed"
        return KINDS.get(self.type.removeprefix("const "), ("kPointer", "pointer"))[0]

    @property
    def member(self):
        return KINDS.get(self.type.removeprefix("const "), ("kPointer", "pointer"))[1]

    @property
    def declared(self):
        return f"{self.type} {self.name}"


@dataclass
class Function:
    name: str
    two_phases: bool  # otherwise one function that answers at once
    library: str      # the file of the table; opapi itself for those of no part
    header: str = ""  # below HEADER_FOLDER; "" for those that are only looked up by name
    like: str = ""    # the operator of src/prototypes/table with this meaning
    by_hand: str = ""  # why its parameters do not simply go to that operator
    settings: list = field(default_factory=list)  # (attribute, value) of that operator that are always so
    parameters: list = field(default_factory=list)

    @property
    def library_file(self):
        return "libopapi.so" if self.library == "opapi" else f"libopapi_{self.library}.so"

    def declarations(self):
        """[(name, [parameters])] of the functions that are exported for it."""
        own = [parameter.declared for parameter in self.parameters]
        if not self.two_phases:
            return [(self.name, own)]
        return [(self.name + PHASE_ONE_SUFFIX, own + LAST_OF_PHASE_ONE), (self.name, PHASE_TWO)]


def content_lines(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield f"{path.name}:{number}", line


def split_binding(words):
    """A row, and what follows `as` in it: the port or attribute, and what numbers are called."""
    if "as" not in words:
        return words, "", []
    place = words.index("as")
    bound, *others = words[place + 1:]
    if others and (len(others) != 2 or others[0] != "of"):
        raise ValueError("after `as` comes a name, and perhaps `of` and words with commas between them")
    return words[:place], bound, others[1].split(",") if others else []


def add_parameter(function, words):
    words, bound, its_words = split_binding(words)
    optional, role = words[0].startswith("optional_"), words[0].removeprefix("optional_")
    name, type_name = words[-1], " ".join(words[1:-1])
    if role not in ROLES:
        raise ValueError(f"unknown row {words[0]}")
    if not re.fullmatch(r"[A-Za-z_]\w*", name) or not re.fullmatch(r"(const )?\w+\**", type_name):
        raise ValueError("expected a type and a name")
    if name in [other.name for other in function.parameters]:
        raise ValueError(f"{name} appears twice")
    parameter = Parameter(name, type_name, role, optional, bound, its_words)
    if role == "seed" and parameter.member != "integer":
        raise ValueError("a seed is an integer")
    if (parameter.kind in TENSORS) == (role in ("value", "seed")):
        raise ValueError("tensors and lists of them are input, output or ref, and all else is value")
    if parameter.kind == "kPointer" and function.two_phases:
        raise ValueError(f"unknown type {type_name}")
    if optional and not type_name.endswith("*"):
        raise ValueError("only a pointer can be optional")
    function.parameters.append(parameter)


def add_row(functions, library, words):
    if words[0] in ("function", "call"):
        functions.append(Function(words[1], words[0] == "function", library))
    elif words[0] == "header":
        functions[-1].header = words[1]
    elif words[0] == "like":
        functions[-1].like = words[1]
    elif words[0] == "set":
        functions[-1].settings.append((words[1], words[2]))
    elif words[0] == "by_hand":
        functions[-1].by_hand = " ".join(words[1:])
    else:
        add_parameter(functions[-1], words)


def read():
    """All functions, in the order of their names."""
    functions = []
    for path in sorted(FOLDER.glob("*.txt")):
        for place, line in content_lines(path):
            try:
                add_row(functions, path.stem, line.split())
            except (ValueError, IndexError) as problem:
                raise SystemExit(f"{place}: {problem}: {line.strip()}") from problem
    functions.sort(key=lambda function: function.name.encode())
    for first, second in zip(functions, functions[1:]):
        if first.name == second.name:
            raise SystemExit(f"{first.name} is in the table twice")
    return functions


def read_list(name):
    return [line.strip() for _, line in content_lines(FOLDER / name)]


def headers(functions):
    """{header: [functions]}, in the order of the headers; some have none."""
    found = {name: [] for name in read_list("empty_headers.lst")}
    for function in functions:
        if function.header:
            found.setdefault(function.header, []).append(function)
    return dict(sorted(found.items()))


def exported(functions):
    """Names of all functions a program can link or look up."""
    return [name for function in functions for name, _ in function.declarations()]


def mapped():
    """Names of the operators that do something: those the sources below MAPS write as texts."""
    texts = [path.read_text() for path in MAPS.rglob("*") if path.suffix in (".cpp", ".h")]
    return {name for text in texts for name in MAPPED.findall(text)}


def runs(functions):
    """Names of the functions that do something when they are called."""
    known = mapped() | by_default()
    refused = set(re.findall(r"^FOOTHOLD_UNSUPPORTED\((aclnn\w+)", REFUSED.read_text(), re.M))
    return {function.name for function in functions
            if (function.name in known if function.two_phases else function.name not in refused)}


def together():
    """Sets of operators that callers take together."""
    return [set(line.split()) for line in read_list("together.lst")]


def hidden(functions):
    """The functions that nobody finds who looks for names: those that do not run, and those that callers take together
    with one of them. They can be linked all the same."""
    running = runs(functions)
    for operators in together():
        if not operators <= running:
            running -= operators
    return [function for function in functions if function.name not in running]


def by_default():
    """Names of the operators that run without code of their own."""
    return {line.partition(":")[0] for line in read_list("by_default.lst")}


def mapped_twice():
    """Names that more than one place registers a mapping for: only the first would count."""
    texts = [re.sub(r'RefuseGiven\(\s*call,\s*"\w+"', "", path.read_text()) for path in MAPS.rglob("*.cpp")]
    names = [name for text in texts for name in MAPPED.findall(text)]
    return sorted({name for name in names if names.count(name) > 1})
