# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Kernels of the program: binaries, arguments, launches. They are those of tests/kernels/test_kernels.cpp."""
import os
import pathlib
import struct

import acl
import numpy
from on_device import D2H, DeviceCase
from test_operators import OperatorCase

FILE = os.environ["FOOTHOLD_TEST_KERNELS"]
AICPU_EXCEPTION, VECTOR_CORE_EXCEPTION, INVALID_HANDLE = 507018, 507035, 107017
CPU_KERNEL_MODE = 3


class KernelCase(DeviceCase):
    def setUp(self):
        super().setUp()
        self.passed = []
        self.binary = self.ok(acl.rt.binary_load_from_file(FILE, 0))
        self.addCleanup(lambda: self.ok(acl.rt.binary_unload(self.binary)))

    def address(self, *data):
        """Of bytes, or of values as struct.pack takes them. They are kept until the test ends."""
        self.passed.append(struct.pack(*data) if len(data) > 1 else data[0])
        return acl.util.bytes_to_ptr(self.passed[-1])

    def kernel(self, name):
        return self.ok(acl.rt.binary_get_function(self.binary, name))

    def cells(self, count):
        pointer = self.malloc(8 * count)
        self.ok(acl.rt.memset(pointer, 8 * count, 0, 8 * count))
        return pointer

    def read(self, pointer, count=1, kind="uint64"):
        """Numbers at an address, once all that was launched is done."""
        self.ok(acl.rt.synchronize_stream(self.stream))
        result = numpy.zeros(count, kind)
        self.ok(acl.rt.memcpy(acl.util.numpy_to_ptr(result), result.nbytes, pointer, result.nbytes, D2H))
        return result.tolist()


class Binaries(KernelCase):
    def check(self, binary):
        cell = self.cells(1)
        function = self.ok(acl.rt.binary_get_function(binary, "read_variable"))
        self.ok(acl.rt.launch_kernel(function, 1, self.address("P", cell), 8, self.stream))
        self.assertEqual(self.read(cell), [5])
        self.ok(acl.rt.binary_unload(binary))
        self.fails(acl.rt.binary_unload(binary), INVALID_HANDLE)

    def test_come_from_files_and_memory(self):
        data = pathlib.Path(FILE).read_bytes()
        self.check(self.ok(acl.rt.binary_load_from_file(FILE, 0)))
        self.check(self.ok(acl.rt.binary_load_from_data(self.address(data), len(data), 0)))
        described = acl.rt.create_binary(self.address(data), len(data))
        binary = self.ok(acl.rt.binary_load(described))
        self.ok(acl.rt.destroy_binary(described))
        self.check(binary)

    def test_that_are_none_are_refused(self):
        self.fails(acl.rt.binary_load_from_file("no such file", 0), 107000)
        self.fails(acl.rt.binary_load_from_data(self.address(b"no binary"), 9, 0), 107000)
        self.assertIn("ELF", acl.get_recent_err_msg())
        self.assertEqual(acl.rt.create_binary(0, 9), 0)
        self.fails(acl.rt.binary_get_function(self.binary, "no_such"))

    def test_tell_about_their_kernels(self):
        add = self.kernel("add")
        self.assertEqual(self.ok(acl.rt.get_function_name(add, 64)), "add")
        self.assertEqual(self.ok(acl.rt.get_function_name(add, -1)), "add")
        self.fails(acl.rt.get_function_name(add, 3), 107000)
        cube, vector = self.ok(acl.rt.get_function_addr(add))
        self.assertNotEqual(cube, 0)
        self.assertEqual(cube, vector)

    def test_have_kernels_for_the_control_processor(self):
        options = self.address("PN", self.address("=Ii12x", CPU_KERNEL_MODE, 0), 1)
        binary = self.ok(acl.rt.binary_load_from_file(FILE, options))
        function = self.ok(acl.rt.register_cpu_func(binary, "throw_number", "thrower"))
        self.assertEqual(self.ok(acl.rt.get_function_name(function, 64)), "thrower")
        self.ok(acl.rt.launch_kernel(function, 1, 0, 0, self.stream))
        self.fails(acl.rt.synchronize_stream(self.stream), AICPU_EXCEPTION)
        self.ok(acl.rt.binary_unload(binary))
        self.fails(acl.rt.register_cpu_func(self.binary, "empty", "other"), 107000)


class Launches(KernelCase):
    def setUp(self):
        super().setUp()
        self.x, self.y, self.z = (self.malloc(400) for _ in range(3))
        numbers = numpy.arange(100, dtype="float32")
        for pointer in (self.x, self.y):
            self.ok(acl.rt.memcpy(pointer, 400, acl.util.numpy_to_ptr(numbers), 400, 1))
        self.values = [struct.pack("P", pointer) for pointer in (self.x, self.y, self.z)] + [struct.pack("q", 100)]

    def check_sum(self, factor):
        self.assertEqual(self.read(self.z, 100, "float32"), [i + factor * i for i in range(100)])

    def append(self, arguments, factor):
        """What kernel `add` takes; answers which argument the factor is."""
        for value in self.values + [struct.pack("f", factor)]:
            parameter = self.ok(acl.rt.kernel_args_append(arguments, self.address(value), len(value)))
        self.ok(acl.rt.kernel_args_finalize(arguments))
        return parameter

    def test_run_each_block(self):
        cells = self.cells(5)
        self.ok(acl.rt.launch_kernel(self.kernel("count_blocks"), 5, self.address("P", cells), 8, self.stream))
        self.assertEqual(self.read(cells, 5), [5001] * 5)

    def test_take_lists_of_arguments(self):
        add = self.kernel("add")
        arguments = self.ok(acl.rt.kernel_args_init(add))
        factor = self.append(arguments, 3)
        self.ok(acl.rt.launch_kernel_with_config(add, 4, self.stream, 0, arguments, 0))
        self.check_sum(3)
        self.ok(acl.rt.kernel_args_para_update(arguments, factor, self.address("f", 5), 4))
        self.ok(acl.rt.launch_kernel_with_config(add, 4, self.stream, 0, arguments, 0))
        self.check_sum(5)
        self.fails(acl.rt.kernel_args_para_update(arguments, factor, 0, 4), 107000)

    def test_take_lists_in_memory_of_the_program(self):
        add = self.kernel("add")
        handle = numpy.zeros(self.ok(acl.rt.kernel_args_get_handle_mem_size(add)) // 8 + 1, "uint64")
        size = self.ok(acl.rt.kernel_args_get_mem_size(add, 40))
        self.assertGreaterEqual(size, 40)
        memory = numpy.zeros(size // 8 + 1, "uint64")
        arguments = acl.util.numpy_to_ptr(handle)
        self.ok(acl.rt.kernel_args_init_by_user_mem(add, arguments, acl.util.numpy_to_ptr(memory), size))
        self.append(arguments, 2)
        self.ok(acl.rt.launch_kernel_with_config(add, 1, self.stream, 0, arguments, 0))
        self.check_sum(2)

    def test_bring_data_along(self):
        cell, function = self.cells(1), self.kernel("sum_along")
        arguments = self.ok(acl.rt.kernel_args_init(function))
        self.ok(acl.rt.kernel_args_append(arguments, self.address("P", cell), 8))
        place = self.ok(acl.rt.kernel_args_append_place_holder(arguments))
        self.ok(acl.rt.kernel_args_append(arguments, self.address("I", 10), 4))
        buffer = self.ok(acl.rt.kernel_args_get_place_holder_buffer(arguments, place, 80))
        numbers = numpy.arange(10, dtype="uint64")
        self.ok(acl.rt.memcpy(buffer, 80, acl.util.numpy_to_ptr(numbers), 80, 0))
        self.ok(acl.rt.kernel_args_finalize(arguments))
        self.ok(acl.rt.launch_kernel_with_config(function, 1, self.stream, 0, arguments, 0))
        self.assertEqual(self.read(cell), [45])

    def test_bring_data_along_in_one_block(self):
        cell = self.cells(1)
        arguments, place = self.address("PPQ3Q", cell, 0, 3, 10, 20, 30), self.address("II", 8, 24)
        self.ok(acl.rt.launch_kernel_with_host_args(self.kernel("sum_along"), 1, self.stream, 0, arguments, 48, place,
                                                    1))
        self.assertEqual(self.read(cell), [60])

    def test_fail_with_the_text_of_the_kernel(self):
        self.ok(acl.rt.launch_kernel(self.kernel("fail_with_text"), 1, 0, 0, self.stream))
        self.fails(acl.rt.synchronize_stream(self.stream), VECTOR_CORE_EXCEPTION)
        self.assertIn("the third value is odd", acl.get_recent_err_msg())


class ChosenKernels(OperatorCase):
    """Operators whose kernels a function of Python chooses."""
    TYPE = "PythonChosen"

    def setUp(self):
        super().setUp()
        self.factor, self.calls = 1, 0
        self.ok(acl.op.register_compile_func(self.TYPE, self.choose))
        self.addCleanup(acl.op.unregister_compile_func, self.TYPE)
        data = pathlib.Path(FILE).read_bytes()
        self.ok(acl.op.create_kernel(self.TYPE, "the_kernel", "add_tiled", acl.util.bytes_to_ptr(data), len(data), 1))
        tensors = [self.tensor(values, "float32") for values in ([1, 2, 3, 4], [10, 20, 30, 40], [0] * 4)]
        self.descs = [tensors[0][0], tensors[1][0]], [tensors[2][0]]
        self.buffers = [tensors[0][1], tensors[1][1]], [tensors[2][1]]

    def choose(self, inputs, outputs, attr, kernel):
        self.calls += 1
        self.assertEqual((len(inputs), attr), (2, self.attr))
        count, _ = acl.get_tensor_desc_dim_v2(outputs[0], 0)
        tiling = struct.pack("qf4x", count, self.factor)
        code = acl.op.set_kernel_args(kernel, "the_kernel", 2, acl.util.bytes_to_ptr(tiling), len(tiling))
        return code or acl.op.set_kernel_workspace_sizes(kernel, [256])

    def run_it(self):
        code = acl.op.execute_v2(self.TYPE, self.descs[0], self.buffers[0], self.descs[1], self.buffers[1], self.attr,
                                 self.stream)
        return code or self.read(self.buffers[1][0], "float32")

    def test_run(self):
        self.assertEqual(self.run_it(), [11, 22, 33, 44])
        self.assertEqual(self.calls, 1)

    def test_are_chosen_ahead(self):
        self.factor = 2
        self.ok(acl.op.update_params(self.TYPE, *self.descs, self.attr))
        self.factor = 3
        self.assertEqual(self.run_it(), [22, 44, 66, 88])
        self.assertEqual(self.calls, 1)

    def test_whose_function_takes_itself_back_run_a_last_time(self):
        self.ok(acl.op.unregister_compile_func(self.TYPE))

        def once(*arguments):
            self.ok(acl.op.unregister_compile_func("PythonOnce"))
            return 4711

        self.ok(acl.op.register_compile_func("PythonOnce", once))
        del once
        self.fails(acl.op.update_params("PythonOnce", *self.descs, self.attr), 4711)
        self.fails(acl.op.update_params("PythonOnce", *self.descs, self.attr), 100024)
