#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The headers of the aclnn operators, as they are written from src/aclnn/table: every one compiles alone, as strict C and
C++; each function is declared once, in the header the table gives it; and a program may declare a function itself as
long as it does not include its header. The operators src/aclnn/maps and src/prototypes/table are asked for exist, and
none is mapped twice, neither by code nor by the list of those that need none. That the library exports all functions is compared by structure.exports.

    aclnn_table.py FOLDER     the folder the headers were written to
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import tree

sys.path[:0] = [str(tree.ROOT / "tools/aclnn"), str(tree.ROOT / "tools/ops")]
import function_table  # noqa: E402
import prototype_table  # noqa: E402

STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", str(tree.ROOT / "include")]
MODES = [["gcc", "-x", "c", "-std=c99"], ["g++", "-x", "c++", "-std=c++11"]]
FUNCTION = re.compile(r"^ACL_FUNC_VISIBILITY aclnnStatus (\w+)\(", re.M)
# All a header may have besides functions: with the one include, what compiles behind others compiles alone.
LINE = re.compile(r'//.*|#(ifndef|define|endif) *(// )?FOOTHOLD_ACLNNOP_\w+_|#endif  // \w+|#include "aclnn/aclnn_base.h"|'
                  r'#ifdef __cplusplus|extern "C" \{|\}|#endif|ACL_FUNC_VISIBILITY aclnnStatus \w+\(.*| +[\w*, ]+[,;)]*|')
EACH_ALONE = 40  # one in so many is compiled by itself
# As a known program declares it: the output is const there.
OWN = "aclnn_rotary_position_embedding.h"
DECLARED_BY_PROGRAM = """
#include "aclnn/aclnn_base.h"
aclnnStatus aclnnRotaryPositionEmbeddingGetWorkspaceSize(const aclTensor* x, const aclTensor* cos, const aclTensor* sin,
    int64_t mode, const aclTensor* yOut, uint64_t* workspaceSize, aclOpExecutor** executor);
"""


def compiled(mode, folder, headers, more=""):
    """What the compiler says of a program that includes the headers, each twice, for its guard."""
    text = "".join(f'#include "{function_table.HEADER_FOLDER}/{name}"\n' for name in headers * 2) + more
    done = subprocess.run(mode + STRICT + ["-I", folder, "-"], input=text, capture_output=True, text=True, check=False)
    which = headers[0] if len(headers) == 1 else f"{len(headers)} headers together"
    return [] if done.returncode == 0 else [f"{which}: {' '.join(mode)} says\n{done.stderr[:4000]}"]


def compilations(names):
    yield from ((mode, names) for mode in MODES)
    yield from ((mode, [name]) for mode in MODES for name in names[::EACH_ALONE])
    yield MODES[0], [name for name in names if name != OWN], DECLARED_BY_PROGRAM


def declarations(folder, expected):
    for path in sorted(folder.iterdir()):
        text = path.read_text()
        declared = FUNCTION.findall(text)
        if declared != function_table.exported(expected.get(path.name, [])):
            yield f"{path.name} declares {declared}, which is not what the table says"
        yield from (f"{path.name} has more than functions: {line}" for line in text.splitlines() if not LINE.fullmatch(line))
    yield from (f"{name} was not written" for name in expected if not (folder / name).is_file())


def table_problems(functions):
    types = {operator.type for operator in prototype_table.read()}
    for function in functions:
        if function.like and function.like not in types:
            yield f"{function.name} is said to be like {function.like}, which src/prototypes/table does not have"
    known = {function.name for function in functions}
    unknown = function_table.read_list("unknown_signatures.lst")
    yield from (f"{name} is in the table and in unknown_signatures.lst" for name in unknown if name in known)
    yield from (f"src/aclnn/maps has {name}, the table does not" for name in sorted(function_table.mapped() - known))
    yield from (f"src/aclnn/maps has {name} twice" for name in function_table.mapped_twice())
    taken = set().union(*function_table.together())
    yield from (f"together.lst has {name}, the table does not" for name in sorted(taken - known))
    listed = function_table.by_default()
    yield from (f"by_default.lst has {name}, the table does not" for name in sorted(listed - known))
    yield from (f"by_default.lst has {name}, and so has src/aclnn/maps" for name in sorted(listed & function_table.mapped()))


def main():
    root = pathlib.Path(sys.argv[1])
    functions = function_table.read()
    expected = function_table.headers(functions)
    problems = [*table_problems(functions), *declarations(root / function_table.HEADER_FOLDER, expected)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda work: compiled(work[0], str(root), *work[1:]), compilations(list(expected))):
            problems += found
    tree.finish(problems, len(functions), f"functions in {len(expected)} headers")


if __name__ == "__main__":
    main()
