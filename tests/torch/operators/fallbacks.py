# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Which operators the client computes on the CPU instead of the device.

It says so once for an operator and process, on the standard error. So every call is watched: one that made it say so has
its operator remembered, and later calls of that operator count as well.
"""
import os
import re
import warnings

from torch.utils._python_dispatch import TorchDispatchMode

SAID = re.compile(r"CAUTION: The operator '?(\S+?)'? .*?fall ?back to run on the CPU")


class Watch(TorchDispatchMode):
    """Calls of a cell; `found` names what was computed on the CPU."""
    known = {}  # operator -> what the client called it

    def __init__(self, log):
        super().__init__()
        self.log = log
        self.found = set()

    def new_text(self):
        at = os.lseek(self.log, 0, os.SEEK_CUR)
        end = os.fstat(self.log).st_size
        return os.pread(self.log, end - at, at).decode(errors="replace") if end > at else "", end

    def __torch_dispatch__(self, operator, kinds, arguments=(), named=None):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                return operator(*arguments, **(named or {}))
            finally:
                text, end = self.new_text()
                os.lseek(self.log, end, os.SEEK_SET)
                match = SAID.search(text + "\n".join(str(each.message) for each in warned))
                if match:
                    Watch.known[str(operator)] = match.group(1)
                if str(operator) in Watch.known and self.on_device(arguments, named):
                    self.found.add(Watch.known[str(operator)])

    @staticmethod
    def on_device(arguments, named):
        """A call with operands of the CPU says nothing of the device."""
        def walk(value):
            if isinstance(value, (list, tuple)):
                return any(walk(each) for each in value)
            return getattr(getattr(value, "device", None), "type", "") == "npu" or str(value).startswith("npu")
        return walk(arguments) or walk(list((named or {}).values()))
