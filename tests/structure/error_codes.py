#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Every error number of src/base is compared with the public headers in src/api/codes/error_codes_check.cpp."""

import re

import tree


def main():
    codes = re.findall(r"^\s+(k\w+) = \d+,", (tree.ROOT / "src/base/error_codes.h").read_text(), re.M)
    compared = re.findall(r"\{(k\w+), ACL_\w+\}", (tree.ROOT / "src/api/codes/error_codes_check.cpp").read_text())
    problems = [f"api/codes/error_codes_check.cpp does not compare {code}" for code in codes if code not in compared]
    tree.finish(problems, len(codes), "error numbers")


if __name__ == "__main__":
    main()
