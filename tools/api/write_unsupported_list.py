#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes the functions that are declared but not supported, and those that are always refused, as a list of calls: what
each has to answer.

    write_unsupported_list.py FILE
"""

import pathlib
import sys

import facts
import states
from function_table import HEADER_FOLDER as FOLDER

RUNTIME = ("aclrt", "aclmdlRI")
HCCL = ("Hccl", "Hcom")
IMAGE = ("acldvpp", "aclvdec", "aclvenc", "aclfv")


def code(name):
    if name.startswith("hi_mpi_vpc"):
        return "HI_ERR_VPC_NOT_SUPPORT"
    if name.startswith(HCCL):
        return "HCCL_E_NOT_SUPPORT"
    if name.startswith(RUNTIME):
        return "ACL_ERROR_RT_FEATURE_NOT_SUPPORT"
    return "ACL_ERROR_FEATURE_UNSUPPORTED" if name.startswith(IMAGE) else "ACL_ERROR_API_NOT_SUPPORT"


def declaration(function):
    (name, parameters), = function.declarations()
    return f'extern "C" aclnnStatus {name}({", ".join(parameters)});'


def main():
    table = facts.load()
    results = {function["name"]: function["ret"] for function in table["functions"]}
    calls = [function for function in facts.aclnn() if not function.two_phases]
    results.update({function.name: "aclnnStatus" for function in calls})
    lines = [f'#include "{header}"' for header in facts.headers(table)]
    lines += sorted({f'#include "{FOLDER}/{function.header}"' for function in calls if function.header})
    lines += [declaration(function) for function in calls if not function.header] + ["inline void CallAll() {"]
    for name in facts.unsupported_functions():
        if results[name] in ("aclError", "aclnnStatus", "HcclResult", "hi_s32"):
            lines.append(f"  AnswersCode(&{name}, \"{name}\", {code(name)});")
        else:
            lines.append(f"  AnswersValue(&{name}, \"{name}\");")
    for name, state in sorted(states.read()[0].items()):
        if state == states.REFUSED and name in results:
            lines.append(f"  NeverSucceeds(&{name}, \"{name}\");")
    pathlib.Path(sys.argv[1]).write_text("\n".join(lines + ["}"]) + "\n")


if __name__ == "__main__":
    main()
