# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Notes which functions of the module were called, and whether they succeeded."""
import functools
import pathlib
import sys

import acl

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/api"))
import facts  # noqa: E402

NOT_SUPPORTED = {200001, 200006, 207000}
# No address is set, and operators keep the names they had.
ZERO_IS_FINE = {("acl", "get_tensor_desc_address"), ("acl.mdl", "get_op_attr")}
# Bundles are made with the C++ interface of the Graph Engine alone.
CANNOT_SUCCEED = {f"acl.mdl.{name}" for name in (
    "bundle_load_from_file", "bundle_load_from_mem", "bundle_get_model_num", "bundle_get_model_id", "bundle_unload")}

_rows = {(row[0], row[1]): row for row in acl._functions()}
_succeeded = set()


def original(key):
    function = getattr(sys.modules[key[0]], key[1])
    return getattr(function, "__wrapped__", function)


def note(key, result):
    """Whether a function (module, name) succeeded that returned this, in this process or in another."""
    last = result[-1] if isinstance(result, tuple) else result
    results = _rows[key][2].split("-> ")[1].split(", ")
    if results[-1] != "ret":
        ok = results == ["None"] or key in ZERO_IS_FINE or not (isinstance(last, (int, str, type(None))) and not last)
    else:
        ok = last == 0
    if ok:
        _succeeded.add(key)


def count():
    """From now on calls are noted."""
    for key in _rows:
        function = original(key)

        @functools.wraps(function)
        def noted(*args, _function=function, _key=key):
            result = _function(*args)
            note(_key, result)
            return result

        setattr(sys.modules[key[0]], key[1], noted)


def without_success():
    unsupported = set(facts.unsupported_functions())
    missing = {key for key, row in _rows.items() if row[4] not in unsupported} - _succeeded
    return sorted({f"{module}.{name}" for module, name in missing} - CANNOT_SUCCEED)
