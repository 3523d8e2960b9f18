# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs of a module: functions of a device whose results must be the same for "cpu" and "npu:0"."""

PROGRAMS = {}


class Program:
    def __init__(self, function, factor, only_npu):
        self.function, self.factor, self.only_npu = function, factor, only_npu


def program(function=None, *, name=None, factor=1, only_npu=False):
    """Registers a function. `factor` widens the tolerance; only_npu: it is run on the device alone and asserts."""
    def add(body):
        PROGRAMS[name or body.__name__] = Program(body, factor, only_npu)
        return body
    return add(function) if function else add
