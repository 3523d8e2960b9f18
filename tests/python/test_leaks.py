# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Calls leave no references and no memory behind."""
import gc
import sys
import tracemalloc

import acl
import numpy
from on_device import DeviceCase

ROUNDS = 2000


class References(DeviceCase):
    def test_are_given_back_by_callbacks(self):
        data = ["data"]

        def function(_):
            pass

        before = sys.getrefcount(data), sys.getrefcount(function)
        for _ in range(50):
            self.ok(acl.rt.launch_host_func(self.stream, function, data))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual((sys.getrefcount(data), sys.getrefcount(function)), before)

    def test_are_given_back_by_threads(self):
        data = ["data"]
        before = sys.getrefcount(data)
        for _ in range(10):
            self.ok(acl.util.stop_thread(self.ok(acl.util.start_thread(len, data))))
        self.assertEqual(sys.getrefcount(data), before)

    def test_are_given_back_by_registered_functions(self):
        def function(_):
            pass

        before = sys.getrefcount(function)
        for _ in range(5):
            self.ok(acl.rt.set_exception_info_callback(function))
        self.ok(acl.rt.set_exception_info_callback(None))
        acl.mdl.dump_reg_callback(function, 0)
        acl.mdl.dump_unreg_callback()
        self.assertEqual(sys.getrefcount(function), before)

    def test_of_none_stay(self):
        before = sys.getrefcount(None)
        for _ in range(ROUNDS):
            acl.app_log(0, "x")
            acl.destroy_tensor_desc(0)
            acl.get_recent_err_msg()
        self.assertLess(abs(sys.getrefcount(None) - before), 100)


class Memory(DeviceCase):
    def grows(self, call):
        for _ in range(100):
            call()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(ROUNDS):
            call()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    def test_does_not_grow(self):
        array, data = numpy.zeros((4, 4)), b"x" * 64
        pointer = acl.util.numpy_to_ptr(array)
        dims = {"dimCount": 2, "name": "", "dims": [1, 2]}

        def refused():
            try:
                acl.rt.malloc("x", 0)
            except TypeError:
                pass

        calls = [lambda: acl.rt.free(self.ok(acl.rt.malloc(64, 0))), lambda: acl.util.bytes_to_ptr(data),
                 lambda: acl.util.ptr_to_bytes(pointer, 64), lambda: acl.util.ptr_to_numpy(pointer, (16,), 12),
                 lambda: acl.util.numpy_contiguous_to_ptr(array.T), lambda: acl.mdl.get_input_dims(0, 0),
                 lambda: acl.mdl.set_input_dynamic_dims(1, 0, 0, dims), lambda: acl.rt.get_mem_info(0),
                 lambda: acl.destroy_tensor_desc(acl.create_tensor_desc(0, [1, 2, 3], 2)), refused,
                 lambda: acl.get_cann_attribute_list(), lambda: acl.get_version_str("runtime")]
        tracemalloc.start()
        try:
            for call in calls:
                # The smallest object has 16 bytes; other threads of the interpreter may allocate a little meanwhile.
                self.assertLess(self.grows(call), ROUNDS * 8)
        finally:
            tracemalloc.stop()
