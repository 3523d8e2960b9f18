# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What programs in Python share: their list, and things that are ended with them. Those of python_programs.py and its
sisters run one after the other in one process, but for those that need a variable or end the process: ALONE."""
import pathlib
import threading

import acl

BYTES = 4096
H2D, D2H, D2D = 1, 2, 3
PROGRAMS = {}
ALONE = {}


def program(rules):
    def register(function):
        PROGRAMS[function.__name__] = (rules, function)
        return function
    return register


def alone(rules, **variables):
    """A process of its own, with these variables, and without a library that others have started."""
    def register(function):
        ALONE[function.__name__] = (rules, function, variables)
        return function
    return register


def ok(answer):
    """What a call that must work returns beside its code."""
    values = answer if isinstance(answer, tuple) else (answer,)
    assert values[-1] == 0, (values, acl.get_recent_err_msg())
    return values[0] if len(values) == 2 else values[:-1]


class Library:
    def __enter__(self):
        ok(acl.init())
        ok(acl.rt.set_device(0))

    def __exit__(self, *_):
        acl.rt.reset_device(0)
        acl.finalize()


class Things:
    """Memory, streams and events of a program; they end with it, after the streams are done."""

    def __init__(self):
        self.streams, self.ends = [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for stream in self.streams:
            acl.rt.synchronize_stream(stream)
        for end, thing in reversed(self.ends):
            ok(end(thing))

    def keep(self, thing, end):
        self.ends.append((end, thing))
        return thing

    def memory(self, written=True):
        memory = self.keep(ok(acl.rt.malloc(BYTES, 0)), acl.rt.free)
        if written:
            ok(acl.rt.memset(memory, BYTES, 0, BYTES))
        return memory

    def pinned(self):
        return self.keep(ok(acl.rt.malloc_host(BYTES)), acl.rt.free_host)

    def stream(self):
        self.streams.append(self.keep(ok(acl.rt.create_stream()), acl.rt.destroy_stream))
        return self.streams[-1]

    def event(self):
        return self.keep(ok(acl.rt.create_event()), acl.rt.destroy_event)

    def notify(self):
        return self.keep(ok(acl.rt.create_notify(0)), acl.rt.destroy_notify)


class Held:
    """A stream that does not go on before `release`."""

    def __init__(self, stream):
        self.gate = threading.Event()
        ok(acl.rt.launch_host_func(stream, lambda _: self.gate.wait(), None))

    def release(self):
        self.gate.set()


class Execution:
    """The model of checked_programs, |x| of four numbers, and all it runs with."""

    folder = pathlib.Path(".")

    def __init__(self, path="abs.om", rows=1, gear=False):
        self.model = ok(acl.mdl.load_from_file(str(Execution.folder / path)))
        self.memory = [ok(acl.rt.malloc(64, 0)) for _ in range(3)]
        for memory in self.memory:
            ok(acl.rt.memset(memory, 64, 0, 64))
        self.inputs, self.outputs = acl.mdl.create_dataset(), acl.mdl.create_dataset()
        self.buffers = [self.add(self.inputs, self.memory[0], 16 * rows), self.add(self.outputs, self.memory[1], 16 * rows)]
        if gear:
            self.buffers.append(self.add(self.inputs, self.memory[2], 64))
        self.stream = ok(acl.rt.create_stream())

    @staticmethod
    def add(dataset, memory, size):
        buffer = acl.create_data_buffer(memory, size)
        ok(acl.mdl.add_dataset_buffer(dataset, buffer))
        return buffer

    def queue(self):
        ok(acl.mdl.execute_async(self.model, self.inputs, self.outputs, self.stream))

    def wait(self):
        ok(acl.rt.synchronize_stream(self.stream))

    def end(self):
        self.wait()
        if self.model:
            ok(acl.mdl.unload(self.model))
        ok(acl.mdl.destroy_dataset(self.inputs))
        ok(acl.mdl.destroy_dataset(self.outputs))
        for buffer in self.buffers:
            ok(acl.destroy_data_buffer(buffer))
        ok(acl.rt.destroy_stream(self.stream))
        for memory in self.memory:
            ok(acl.rt.free(memory))
