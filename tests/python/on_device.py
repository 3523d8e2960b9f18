# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What the tests share: a device with a context and a stream, and models that recognise digits."""
import contextlib
import functools
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import acl
import numpy

H2H, H2D, D2H, D2D = range(4)
DIGITS = pathlib.Path(os.environ["FOOTHOLD_DIGITS"])
_folder = tempfile.TemporaryDirectory()
acl.init()


class DeviceCase(unittest.TestCase):
    """Tests with an initialised process, a context and a stream."""

    def setUp(self):
        self.ok(acl.rt.set_device(0))
        self.addCleanup(self.leave_device)  # after the cleanups of the test
        self.context = self.ok(acl.rt.create_context(0))
        self.stream = self.ok(acl.rt.create_stream())

    def leave_device(self):
        acl.rt.set_context(self.context)
        acl.rt.destroy_stream(self.stream)
        self.ok(acl.rt.destroy_context(self.context))
        self.ok(acl.rt.reset_device(0))

    def ok(self, result):
        """What a call returned, without its error code, which must be 0."""
        values = result if isinstance(result, tuple) else (result,)
        self.assertEqual(values[-1], 0, None if values[-1] == 0 else acl.get_recent_err_msg())
        return values[0] if len(values) == 2 else values[:-1]

    def fails(self, result, code=None):
        last = result[-1] if isinstance(result, tuple) else result
        if code is None:
            self.assertNotEqual(last, 0)
        else:
            self.assertEqual(last, code)

    def malloc(self, size):
        pointer = self.ok(acl.rt.malloc(size, 2))
        self.addCleanup(acl.rt.free, pointer)
        return pointer


@contextlib.contextmanager
def printed_exceptions():
    """What was raised where nobody can catch it."""
    printed = []
    before, sys.unraisablehook = sys.unraisablehook, lambda raised: printed.append(raised.exc_type.__name__)
    try:
        yield printed
    finally:
        sys.unraisablehook = before


@contextlib.contextmanager
def standard_error():
    before, sys.stderr = sys.stderr, io.StringIO()
    try:
        yield sys.stderr
    finally:
        sys.stderr = before


def run_program(source, timeout=60):
    """A Python program in a process of its own: exit code, output, errors."""
    environment = dict(os.environ, PYTHONFAULTHANDLER="1")
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True,
                          timeout=timeout, env=environment, check=False)
    return done.returncode, done.stdout, done.stderr


@functools.lru_cache(None)
def model_file(*flags, onnx=DIGITS / "digits.onnx"):
    """A model of the digits network or another, made by atc with these flags."""
    output = pathlib.Path(_folder.name) / f"model{abs(hash((onnx, flags)))}"
    subprocess.run([os.environ["FOOTHOLD_ATC"], f"--model={onnx}", f"--output={output}", "--framework=5",
                    "--soc_version=Ascend310P3", *flags], check=True, capture_output=True)
    return str(output) + ".om"


def one_node_network(kind, inputs, output):
    """An ONNX file of one node. Inputs and the output are (name, ONNX type, dims); a dim with a name is open."""
    def field(number, content):
        content = content.encode() if isinstance(content, str) else content
        return bytes([number << 3 | 2, len(content)]) + content

    def value(name, element, dims):
        shape = b"".join(field(1, field(2, dim) if isinstance(dim, str) else bytes([8, dim])) for dim in dims)
        return field(1, name) + field(2, field(1, bytes([8, element]) + field(2, shape)))

    node = b"".join(field(1, name) for name, _, _ in inputs) + field(2, output[0])
    node += field(3, f"the_{kind.lower()}") + field(4, kind)
    graph = field(1, node) + field(2, "one") + b"".join(field(11, value(*each)) for each in inputs)
    graph += field(12, value(*output))
    path = pathlib.Path(_folder.name) / f"{kind}.onnx"
    path.write_bytes(b"\x08\x08" + field(7, graph) + field(8, field(1, "") + b"\x10\x0d"))
    return path


def image_network():
    """An ONNX file of one Relu, for images of any size."""
    dims = (1, 1, "h", "w")
    return one_node_network("Relu", [("image", 1, dims)], ("result", 1, dims))


def digits(count):
    """Images as the network takes them, and what they show."""
    rows = numpy.fromfile(DIGITS / "held_out.bin", numpy.uint8).reshape(-1, 65)[:count]
    return numpy.ascontiguousarray(rows[:, :64] / 16, numpy.float32).reshape(-1, 1, 8, 8), rows[:, 64]
