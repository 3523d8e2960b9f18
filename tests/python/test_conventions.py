# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""How functions are called and what they return, whatever they do."""
import ast
import inspect
import pathlib
import sys
import unittest

import acl
import numpy
from on_device import DeviceCase, run_program

ZERO = {"int": 0, "str": "", "float": 0.0, "Sequence": [], "dict | int": 0}
KINDS = {"int": int, "float": float, "str": str, "dict": dict, "list": list}
# They would count references, or take the device away from the other tests.
NOT_WITH_ZEROS = {"init", "finalize", "finalize_reference", "reset_device", "reset_device_force", "device_task_abort"}


def function_of(row):
    return getattr(sys.modules[row[0]], row[1])


def names_of(row):
    arguments, results = row[2].split("-> ")
    return [name for name in arguments.strip().split(", ") if name], results.split(", ")


class Modules(unittest.TestCase):
    def test_are_importable_under_their_dotted_names(self):
        import acl.mdl  # noqa: F401
        from acl.rt import memcpy

        self.assertIs(memcpy, acl.rt.memcpy)
        for name in "rt mdl op blas prof util media".split():
            self.assertIs(sys.modules["acl." + name], getattr(acl, name))

    def test_list_their_functions(self):
        for name in ("bytes_to_ptr", "ptr_to_bytes", "numpy_to_ptr", "start_thread"):
            self.assertIn(name, dir(acl.util))

    def test_answer_the_run_mode_before_init(self):
        self.assertEqual(acl.rt.get_run_mode(), (1, 0))

    def test_have_both_spellings_of_unsubscribe(self):
        self.assertIn("model_un_subscribe", dir(acl.prof))
        self.assertIn("model_unsubscribe", dir(acl.prof))


class Documentation(unittest.TestCase):
    def test_every_function_has_a_docstring_and_a_signature(self):
        for row in acl._functions():
            function = inspect.unwrap(function_of(row))
            self.assertIn("C: " + row[4], function.__doc__)
            self.assertEqual(list(inspect.signature(function).parameters), names_of(row)[0])

    def test_names_the_function_of_c(self):
        c_names = {row[1]: row[4] for row in acl._functions() if row[0] == "acl.rt"}
        self.assertEqual(c_names["malloc"], "aclrtMalloc")
        self.assertEqual(c_names["launch_callback"], "aclrtLaunchCallback")


    def test_has_type_stubs_for_every_function(self):
        folder = pathlib.Path(acl.__file__).parent
        for module in {row[0] for row in acl._functions()}:
            stub = ast.parse((folder / (module[4:] or "__init__")).with_suffix(".pyi").read_text())
            names = [node.name for node in stub.body if isinstance(node, ast.FunctionDef)]
            self.assertEqual(names, [row[1] for row in acl._functions() if row[0] == module])
        self.assertTrue((folder / "py.typed").is_file())


class Arguments(DeviceCase):
    def refuses(self, expected, call, *args):
        with self.assertRaises(TypeError) as caught:
            call(*args)
        self.assertIn(expected, str(caught.exception))
        self.assertTrue(str(caught.exception).endswith("args parse failed"), str(caught.exception))

    def test_in_wrong_number_are_refused_by_every_function(self):
        for row in acl._functions():
            self.refuses("takes", function_of(row), *([0] * (len(row[5]) + 1)))
            if any(not optional for _, optional in row[5]):
                self.refuses("takes", function_of(row))

    def test_of_a_wrong_type_are_refused_by_every_function(self):
        for row in acl._functions():
            if row[5] and row[5][0][0] != "object":
                self.refuses(names_of(row)[0][0] + " must be", function_of(row), *([object()] * len(row[5])))

    def test_of_zero_never_crash_and_results_have_their_declared_shape(self):
        for row in acl._functions():
            if row[1] in NOT_WITH_ZEROS or row[0] == "acl.util":
                continue
            names, _ = names_of(row)
            args = [(lambda *_: None) if name == "fn" else 0 if (name, kind) == ("value", "object") else [] if name.startswith("values")
                    else ZERO.get(kind, None) for name, (kind, _) in zip(names, row[5])]
            result = function_of(row)(*args[: len([p for p in row[5] if not p[1]])])
            values = result if len(row[6]) > 1 else (result,) if row[6] else ()
            self.assertEqual(len(values), len(row[6]), row[1])
            for value, kind in zip(values, row[6]):
                if kind in KINDS:
                    self.assertIsInstance(value, KINDS[kind], row[1])
        acl.rt.set_exception_info_callback()
        acl.rt.synchronize_device()

    def test_that_name_keywords_are_refused(self):
        with self.assertRaises(TypeError):
            acl.rt.malloc(size=16, policy=0)

    def test_may_be_numpy_numbers(self):
        pointer = self.ok(acl.rt.malloc(numpy.int64(64), numpy.uint8(0)))
        self.ok(acl.rt.free(numpy.uint64(pointer)))

    def test_of_minus_one_are_the_largest_size(self):
        self.fails(acl.rt.malloc(-1, 0))
        self.assertIn(str(2**64 - 1), acl.get_recent_err_msg())

    def test_say_what_was_found(self):
        self.refuses("acl.rt.malloc(size, policy): size must be an int, not 'str'", acl.rt.malloc, "16", 0)
        self.refuses("acl.mdl.load_from_file(path): path must be a str, not 'int'", acl.mdl.load_from_file, 7)
        self.refuses("must be a float, not 'str'", acl.op.set_attr_float, 0, "a", "1.0")
        self.refuses("takes 4 arguments, not 3", acl.rt.launch_callback, print, [], 1)
        self.refuses("takes 0 to 1 arguments, not 2", acl.init, "a", "b")
        self.refuses("dims must be a list, not 'str'", acl.create_tensor_desc, 0, "12", 2)
        self.refuses("dims needs the key 'dims'", acl.mdl.set_input_dynamic_dims, 1, 0, 0, {"dimCount": 1})
        self.refuses("'dimCount' of 3", acl.mdl.set_input_dynamic_dims, 1, 0, 0, {"dimCount": 3, "dims": [1]})
        self.refuses("fn must be callable", acl.rt.launch_callback, 5, [], 1, 0)

    def test_errors_of_conversions_come_through(self):
        class Broken:
            def __index__(self):
                raise RuntimeError("broken")

        with self.assertRaisesRegex(RuntimeError, "broken"):
            acl.rt.malloc(Broken(), 0)
        with self.assertRaises(UnicodeEncodeError):
            acl.mdl.load_from_file("\ud800")


class Process(unittest.TestCase):
    def test_can_be_initialised_and_ended(self):
        self.assertEqual(acl.init(), 100002)  # that was one reference more
        self.assertEqual(acl.finalize_reference(), (1, 0))
        self.assertEqual(acl.finalize(), 0)
        self.assertNotEqual(acl.finalize(), 0)
        self.assertNotEqual(acl.init("no such file.json"), 0)
        self.assertEqual(acl.init(None), 0)

    def test_knows_versions(self):
        major, minor, patch, ret = acl.get_version()
        self.assertEqual(ret, 0)
        self.assertIsInstance(major + minor + patch, int)
        text, ret = acl.get_version_str("runtime")
        self.assertEqual((ret, text.count(".") >= 2), (0, True))
        self.assertEqual(acl.get_version_num("runtime")[1], 0)
        self.assertNotEqual(acl.get_version_str("nothing")[1], 0)
        version, ret = acl.get_cann_version(0)
        self.assertEqual((ret, version["version"]), (0, text))

    def test_knows_attributes(self):
        attributes, count, ret = acl.get_cann_attribute_list()
        self.assertEqual((len(attributes), ret), (count, 0))
        for attribute in attributes:
            self.assertEqual(acl.get_cann_attribute(attribute)[1], 0)
        self.assertNotEqual(acl.get_cann_attribute(9999)[1], 0)
        self.assertEqual(acl.get_device_capability(0, 0)[1], 0)
        self.assertTrue(acl.get_soc_name().startswith("Ascend"))

    def test_converts_halves(self):
        self.assertEqual(acl.float16_to_float(0x3C00), 1.0)
        self.assertEqual(acl.float_to_float16(-2.0), 0xC000)
        self.assertEqual([acl.data_type_size(kind) for kind in (0, 1, 2, 9)], [4, 2, 1, 8])

    def test_writes_log_lines_with_percent_signs(self):
        self.assertIsNone(acl.app_log(0, "100 % of %s"))
        code, out, _ = run_program("""
            import os
            os.environ.update(ASCEND_SLOG_PRINT_TO_STDOUT="1", ASCEND_GLOBAL_LOG_LEVEL="1")
            import acl
            def function():
                acl.app_log(3, "100 % of %s")
            function()
            """)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"\[ERROR\].*<string>:6 .*function.*100 % of %s")

    def test_tells_the_last_failure_once(self):
        acl.rt.free(12345)
        self.assertIn("aclrtFree", acl.get_recent_err_msg())
        self.assertIsNone(acl.get_recent_err_msg())


class Addresses(DeviceCase):
    def test_of_bytes_are_their_own(self):
        data = bytes(64)
        pointer = self.malloc(64)
        self.ok(acl.rt.memset(pointer, 64, 7, 64))
        self.ok(acl.rt.memcpy(acl.util.bytes_to_ptr(data), 64, pointer, 64, 2))
        self.assertEqual(data, b"\7" * 64)

    def test_of_other_buffers_too(self):
        data = bytearray(b"abcd")
        self.assertEqual(acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(data), 4), b"abcd")
        data.append(5)  # not locked
        with self.assertRaisesRegex(TypeError, "data must be bytes, not 'str'"):
            acl.util.bytes_to_ptr("text")

    def test_of_arrays_are_their_own(self):
        array = numpy.arange(6, dtype=numpy.int32)
        pointer = acl.util.numpy_to_ptr(array)
        self.assertEqual(pointer, array.ctypes.data)
        view = acl.util.ptr_to_numpy(pointer, (2, 3), 5)
        view[1, 2] = 50
        self.assertEqual(array[5], 50)
        self.assertEqual((view.dtype, view.shape, view.flags.owndata), (numpy.int32, (2, 3), False))
        with self.assertRaisesRegex(TypeError, "must be a numpy array"):
            acl.util.numpy_to_ptr([1])

    def test_of_transposed_arrays_come_with_a_warning(self):
        array = numpy.zeros((2, 3))
        with self.assertWarnsRegex(RuntimeWarning, "numpy_contiguous_to_ptr"):
            self.assertEqual(acl.util.numpy_to_ptr(array.T), array.ctypes.data)
        pointer, same = acl.util.numpy_contiguous_to_ptr(array)
        self.assertIs(same, array)
        pointer, copy = acl.util.numpy_contiguous_to_ptr(array.T)
        self.assertEqual((pointer, copy.shape), (copy.ctypes.data, (3, 2)))
        self.assertNotEqual(pointer, array.ctypes.data)

    def test_become_arrays_of_every_type(self):
        data = bytes(range(16))
        kinds = {0: "?", 1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "i8", 8: "u8", 9: "i8", 10: "u8",
                 11: "f4", 12: "f8", 23: "f2"}
        for number, kind in kinds.items():
            array = acl.util.ptr_to_numpy(acl.util.bytes_to_ptr(data), (1,), number)
            self.assertEqual(array.dtype, numpy.dtype(kind))
        for number in (-1, 13, 17, 24):
            with self.assertRaises(ValueError):
                acl.util.ptr_to_numpy(acl.util.bytes_to_ptr(data), (1,), number)

    def test_of_nothing_are_refused(self):
        for call in (lambda: acl.util.ptr_to_bytes(0, 4), lambda: acl.util.ptr_to_numpy(0, (4,), 1),
                     lambda: acl.util.ptr_to_numpy(64, (-1,), 1)):
            with self.assertRaises(ValueError):
                call()
        self.assertEqual(acl.util.ptr_to_bytes(0, 0), b"")

    def test_of_device_memory_are_readable(self):
        pointer = self.malloc(8)
        self.ok(acl.rt.memset(pointer, 8, 3, 8))
        self.assertEqual(acl.util.ptr_to_bytes(pointer, 8), b"\3" * 8)
