# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Single operators, and products of matrices."""
import pathlib
import tempfile

import acl
import numpy
from on_device import D2H, H2D, DeviceCase, image_network, model_file

TYPES = {"float32": 0, "float16": 1, "int8": 2, "int32": 3}


class OperatorCase(DeviceCase):
    def setUp(self):
        super().setUp()
        self.attr = acl.op.create_attr()
        self.addCleanup(acl.op.destroy_attr, self.attr)

    def device(self, array):
        pointer = self.malloc(array.nbytes)
        self.ok(acl.rt.memcpy(pointer, array.nbytes, acl.util.numpy_to_ptr(array), array.nbytes, H2D))
        return pointer

    def tensor(self, values, kind="int32"):
        array = numpy.array(values, kind)
        desc = acl.create_tensor_desc(TYPES[kind], array.shape, 2)
        buffer = acl.create_data_buffer(self.device(array), array.nbytes)
        self.addCleanup(acl.destroy_tensor_desc, desc)
        self.addCleanup(acl.destroy_data_buffer, buffer)
        return desc, buffer

    def read(self, buffer, kind="int32"):
        self.ok(acl.rt.synchronize_stream(self.stream))
        return self.read_at(acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size_v2(buffer), kind)

    def read_at(self, pointer, size, kind):
        result = numpy.zeros(size // numpy.dtype(kind).itemsize, kind)
        self.ok(acl.rt.memcpy(acl.util.numpy_to_ptr(result), size, pointer, size, D2H))
        return result.tolist()


class Operators(OperatorCase):
    def setUp(self):
        super().setUp()
        self.x, self.y, self.out = self.tensor([1, 2, 3]), self.tensor([10, 20, 30]), self.tensor([0, 0, 0])
        self.descs = [self.x[0], self.y[0]], [self.out[0]]
        self.buffers = [self.x[1], self.y[1]], [self.out[1]]
        self.all = self.descs[0], self.buffers[0], self.descs[1], self.buffers[1]

    def compile(self, operator):
        self.ok(acl.op.compile(operator, *self.descs, self.attr, 0, 0, ""))

    def test_leave_a_list_of_their_arguments(self):
        self.compile("Add")
        with tempfile.TemporaryDirectory() as folder:
            self.ok(acl.op.start_dump_args(1, folder))
            self.ok(acl.op.execute_v2("Add", *self.all, self.attr, self.stream))
            self.ok(acl.op.stop_dump_args(1))
            texts = [path.read_text() for path in pathlib.Path(folder).rglob("*") if path.is_file()]
        self.assertEqual(len(texts), 1)
        self.assertIn("type: Add", texts[0])
        self.fails(acl.op.stop_dump_args(1), 100045)

    def test_run_once_they_are_compiled(self):
        self.fails(acl.op.execute_v2("BitwiseAnd", *self.all, self.attr, self.stream), 100024)
        self.compile("Add")
        for execute in (acl.op.execute_v2, acl.op.execute):
            self.ok(execute("Add", *self.all, self.attr, self.stream))
            self.assertEqual(self.read(self.out[1]), [11, 22, 33])

    def test_run_by_handle(self):
        self.compile("Mul")
        handle = self.ok(acl.op.create_handle("Mul", *self.descs, self.attr))
        self.ok(acl.op.execute_with_handle(handle, *self.buffers, self.stream))
        self.assertEqual(self.read(self.out[1]), [10, 40, 90])
        self.fails(acl.op.execute_with_handle(handle, [], [], self.stream))
        self.assertIsNone(acl.op.destroy_handle(handle))
        self.fails(acl.op.create_handle("NoSuchOperator", *self.descs, self.attr))

    def test_cast(self):
        desc, buffer = self.tensor([0, 0, 0], "float32")
        self.ok(acl.op.cast(*self.x, desc, buffer, 0, self.stream))
        self.assertEqual(self.read(buffer, "float32"), [1, 2, 3])
        handle = self.ok(acl.op.create_handle_for_cast(self.x[0], desc, 0))
        self.ok(acl.op.execute_with_handle(handle, [self.y[1]], [buffer], self.stream))
        self.assertEqual(self.read(buffer, "float32"), [10, 20, 30])
        acl.op.destroy_handle(handle)

    def test_tell_shapes(self):
        out = acl.create_tensor_desc(3, [-1], 2)
        self.ok(acl.op.infer_shape("Add", *self.all[:2], 1, [out], self.attr))
        self.assertEqual(acl.get_tensor_desc_dim_v2(out, 0), (3, 0))
        acl.destroy_tensor_desc(out)
        self.fails(acl.op.infer_shape("NoSuchOperator", *self.all[:2], 1, self.descs[1], self.attr))

    def test_come_from_models(self):
        path = model_file("--input_shape=image:1,1,2,2", onnx=image_network())
        data = pathlib.Path(path).read_bytes()
        self.ok(acl.op.load(acl.util.bytes_to_ptr(data), len(data)))
        self.fails(acl.op.load(acl.util.bytes_to_ptr(data), 10))
        with tempfile.TemporaryDirectory() as folder:
            self.ok(acl.op.set_model_dir(folder))
        self.fails(acl.op.set_model_dir("no such folder"))
        self.ok(acl.op.set_max_op_queue_num(100))

    def test_take_attributes(self):
        attr = self.attr
        for code in (acl.op.set_attr_bool(attr, "bool", True), acl.op.set_attr_int(attr, "int", -1),
                     acl.op.set_attr_float(attr, "float", 0.5), acl.op.set_attr_string(attr, "str", "text"),
                     acl.op.set_attr_data_type(attr, "type", 3), acl.op.set_attr_list_bool(attr, "lb", [True, False]),
                     acl.op.set_attr_list_int(attr, "li", numpy.array([1, 2])),
                     acl.op.set_attr_list_float(attr, "lf", [1.0, 2]),
                     acl.op.set_attr_list_float(attr, "lf", 2, [1.0, 2]),
                     acl.op.set_attr_list_string(attr, "ls", ["a", "b"]),
                     acl.op.set_attr_list_list_int(attr, "ll", [[1, 2], [3]]),
                     acl.op.set_attr_list_data_type(attr, "lt", [0, 1])):
            self.ok(code)
        self.fails(acl.op.set_attr_int(0, "int", 1))

    def test_in_lists_that_do_not_fit_are_refused(self):
        self.fails(acl.op.execute_v2("Add", [1, 2], [1], [], [], 0, self.stream), 100000)
        self.fails(acl.op.execute("Add", [1, 2], [1], [], [], 0, self.stream), 100000)
        self.fails(acl.op.infer_shape("Add", [], [], 3, [1], 0), 100000)
        self.fails(acl.op.set_attr_list_float(self.attr, "x", 5, [1.0]), 100000)
        with self.assertRaisesRegex(TypeError, "fn must be callable"):
            acl.op.register_compile_func("Own", 5)


class Products(OperatorCase):
    """[[1, 2], [3, 4]] times itself, or times [5, 6]."""

    def setUp(self):
        super().setUp()
        self.pointers = {}
        for kind in TYPES:
            self.pointers[kind] = [self.device(numpy.array(values, kind))
                                   for values in ([1], [0], [1, 2, 3, 4], [5, 6], [0] * 4)]

    def check(self, code, kind, expected):
        self.ok(code)
        self.ok(acl.rt.synchronize_stream(self.stream))
        size = len(expected) * numpy.dtype(kind).itemsize
        self.assertEqual(self.read_at(self.pointers[kind][4], size, kind), expected)

    def test_of_matrices(self):
        for element, kind, product, handle in (("float16", "float16", acl.blas.hgemm, acl.blas.create_handle_for_hgemm),
                                               ("int8", "int32", acl.blas.s8gemm, acl.blas.create_handle_for_s8gemm)):
            alpha, beta, _, _, c = self.pointers[kind]
            a = self.pointers[element][2]
            self.check(product(0, 0, 0, 2, 2, 2, alpha, a, 2, a, 2, beta, c, 2, 0, self.stream), kind, [7, 10, 15, 22])
            self.fails(product(0, 0, 0, 2, 2, 2, alpha, 0, 2, a, 2, beta, c, 2, 0, self.stream))
            acl.op.destroy_handle(self.ok(handle(0, 0, 0, 2, 2, 2, 0)))
            self.check(acl.blas.gemm_ex(0, 0, 0, 2, 2, 2, alpha, a, 2, TYPES[element], a, 2, TYPES[element], beta, c, 2,
                                        TYPES[kind], 0, self.stream), kind, [7, 10, 15, 22])
            acl.op.destroy_handle(self.ok(acl.blas.create_handle_for_gemm_ex(
                0, 0, 0, 2, 2, 2, TYPES[element], TYPES[element], TYPES[kind], 0)))

    def test_of_matrices_and_vectors(self):
        for element, kind, product, handle in (("float16", "float16", acl.blas.hgemv, acl.blas.create_handle_for_hgemv),
                                               ("int8", "int32", acl.blas.s8gemv, acl.blas.create_handle_for_s8gemv)):
            alpha, beta, _, _, y = self.pointers[kind]
            a, x = self.pointers[element][2:4]
            self.check(product(0, 2, 2, alpha, a, 2, x, 1, beta, y, 1, 0, self.stream), kind, [17, 39])
            self.fails(product(0, 2, 2, alpha, 0, 2, x, 1, beta, y, 1, 0, self.stream))
            acl.op.destroy_handle(self.ok(handle(0, 2, 2, 0)))
            self.check(acl.blas.gemv_ex(0, 2, 2, alpha, a, 2, TYPES[element], x, 1, TYPES[element], beta, y, 1,
                                        TYPES[kind], 0, self.stream), kind, [17, 39])
            acl.op.destroy_handle(self.ok(acl.blas.create_handle_for_gemv_ex(
                0, 2, 2, TYPES[element], TYPES[element], TYPES[kind], 0)))
