# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Imported instead of the module when none beside this file was built for the interpreter: an interpreter prefers
modules that fit it to this file."""

import os
import sys

_tree = os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../.."))
_built = sorted(name for name in os.listdir(os.path.dirname(__file__)) if name.startswith("__init__.") and name.endswith(".so"))
raise ImportError(
    f"acl is not built for this interpreter ({sys.executable}, {sys.implementation.cache_tag}); there is "
    f"{', '.join(_built) or 'none'}. Build it with: {_tree}/bin/foothold-build-python {sys.executable}",
    name="acl",
)
