# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Notes which functions of the module were called, and whether they succeeded."""
import functools
import sys

import acl

NOT_SUPPORTED = {200001, 200006, 207000}
CHECKED = {"acl", "acl.rt", "acl.mdl", "acl.util"}

_rows = {(row[0], row[1]): row for row in acl._functions()}
_succeeded, _unsupported = set(), set()


def original(key):
    function = getattr(sys.modules[key[0]], key[1])
    return getattr(function, "__wrapped__", function)


def _note(key, result):
    last = result[-1] if isinstance(result, tuple) else result
    results = _rows[key][2].split("-> ")[1].split(", ")
    if results[-1] != "ret":
        ok = last not in (0, None, "") or results == ["None"]
    else:
        ok = last == 0
    if ok:
        _succeeded.add(key)
    elif last in NOT_SUPPORTED:
        _unsupported.add(key)
    elif results[-1] != "ret" and "not supported" in (original(("acl", "get_recent_err_msg"))() or ""):
        _unsupported.add(key)


def count():
    """From now on calls are noted."""
    for key in _rows:
        function = original(key)

        @functools.wraps(function)
        def noted(*args, _function=function, _key=key):
            result = _function(*args)
            _note(_key, result)
            return result

        setattr(sys.modules[key[0]], key[1], noted)


def without_success():
    missing = set(_rows) - _succeeded - _unsupported
    return sorted(f"{module}.{name}" for module, name in missing if module in CHECKED)
