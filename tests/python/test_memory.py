# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Device, host and virtual memory, copies, buffers and descriptions of tensors."""
import ctypes
import mmap
import re

import acl
import numpy
from on_device import D2D, D2H, H2D, DeviceCase

PROPERTY = {"handleType": 0, "allocationType": 0, "memAttr": 1, "location": {"id": 0, "type": 1}, "reserve": 0}


class Memory(DeviceCase):
    def test_is_allocated_in_many_ways(self):
        for pointer in (acl.rt.malloc(64, 0), acl.rt.malloc_align32(64, 0), acl.rt.malloc_cached(64, 0),
                        acl.rt.malloc_with_cfg(64, 0, 0), acl.rt.malloc_for_task_scheduler(64, 0, 0)):
            pointer = self.ok(pointer)
            self.ok(acl.rt.mem_flush(pointer, 64))
            self.ok(acl.rt.mem_invalidate(pointer, 64))
            self.ok(acl.rt.free_with_dev_sync(pointer))
            self.fails(acl.rt.free(pointer))
        for pointer in (acl.rt.malloc_host(64), acl.rt.malloc_host_with_cfg(64, 0)):
            self.ok(acl.rt.free_host(self.ok(pointer)))
        self.ok(acl.rt.free_host_with_dev_sync(self.ok(acl.rt.malloc_host(64))))
        self.fails(acl.rt.free_host(12345))
        pointer = self.ok(acl.media.dvpp_malloc(64))
        self.ok(acl.media.dvpp_free(pointer))

    def test_has_an_end(self):
        for attribute in (0, 1):
            free, total = self.ok(acl.rt.get_mem_info(attribute))
            self.assertTrue(0 < free <= total)
        self.assertEqual(acl.rt.malloc(2**60, 0)[0], 0)

    def test_of_the_program_can_be_pinned(self):
        pages = mmap.mmap(-1, 4096)
        pointer = acl.util.bytes_to_ptr(pages)
        self.ok(acl.rt.host_register(pointer, 4096, 0))
        self.ok(acl.rt.host_get_device_pointer(pointer, 0))
        self.ok(acl.rt.host_unregister(pointer))
        self.fails(acl.rt.host_unregister(pointer))

    def test_is_copied(self):
        source, result = numpy.arange(256, dtype=numpy.uint8), numpy.zeros(256, numpy.uint8)
        first, second = self.malloc(256), self.malloc(256)
        self.ok(acl.rt.memcpy(first, 256, acl.util.numpy_to_ptr(source), 256, H2D))
        self.ok(acl.rt.memcpy_async(second, 256, first, 256, D2D, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.memcpy(acl.util.numpy_to_ptr(result), 256, second, 256, D2H))
        numpy.testing.assert_array_equal(source, result)
        self.fails(acl.rt.memcpy(first, 1, acl.util.numpy_to_ptr(source), 256, H2D))
        self.fails(acl.rt.memcpy(0, 256, first, 256, D2H))

    def test_is_copied_by_rows(self):
        source, result = numpy.arange(64, dtype=numpy.uint8).reshape(8, 8), numpy.zeros((8, 8), numpy.uint8)
        pointer = self.malloc(64)
        self.ok(acl.rt.memcpy2d(pointer, 8, acl.util.numpy_to_ptr(source), 8, 4, 8, H2D))
        self.ok(acl.rt.memcpy2d_async(acl.util.numpy_to_ptr(result), 8, pointer, 8, 4, 8, D2H, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        numpy.testing.assert_array_equal(source[:, :4], result[:, :4])
        self.assertFalse(result[:, 4:].any())

    def test_is_copied_when_it_is_pageable(self):
        pointer, data = self.malloc(16), bytes(range(16))
        self.ok(acl.rt.memcpy_async_with_condition(pointer, 16, acl.util.bytes_to_ptr(data), 16, H2D, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(acl.util.ptr_to_bytes(pointer, 16), data)

    def test_is_copied_as_described(self):
        first, second, inner = self.malloc(16), self.malloc(16), 6
        self.ok(acl.rt.memset(first, 16, 5, 16))
        desc = self.malloc(self.ok(acl.rt.get_memcpy_desc_size(inner)))
        self.assertEqual(self.ok(acl.rt.set_memcpy_desc(desc, inner, first, second, 16, 0)), desc)
        self.ok(acl.rt.memcpy_async_with_desc(desc, inner, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(acl.util.ptr_to_bytes(second, 16), bytes([5] * 16))
        self.fails(acl.rt.get_memcpy_desc_size(H2D), 207000)
        self.fails(acl.rt.memcpy_async_with_desc(0, inner, self.stream), 107000)

    def test_is_filled_and_reduced(self):
        first, second = self.malloc(16), self.malloc(16)
        self.ok(acl.rt.memset(first, 16, 1, 16))
        self.ok(acl.rt.memset_async(second, 16, 2, 16, self.stream))
        self.ok(acl.rt.reduce_async(first, second, 16, 10, 2, self.stream, 0))
        self.ok(acl.rt.cmo_async(first, 16, 0, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(acl.util.ptr_to_bytes(first, 16), b"\3" * 16)
        self.fails(acl.rt.memset(first, 1, 1, 16))

    def test_of_a_stream_may_come_from_an_allocator(self):
        desc = acl.rt.allocator_create_desc()
        self.assertTrue(desc)
        self.fails(acl.rt.allocator_register(self.stream, desc))  # it has no functions
        library = ctypes.CDLL(re.search(r"/\S*libfoothold\.so", open("/proc/self/maps").read()).group())
        never_called = ctypes.c_void_p(ctypes.cast(library.aclInit, ctypes.c_void_p).value)
        for member in "Obj AllocFunc AllocAdviseFunc GetAddrFromBlockFunc FreeFunc".split():
            self.ok(library[f"aclrtAllocatorSet{member}ToDesc"](ctypes.c_void_p(desc), never_called))
        self.ok(acl.rt.allocator_register(self.stream, desc))
        self.ok(acl.rt.allocator_unregister(self.stream))
        self.ok(acl.rt.allocator_destroy_desc(desc))
        self.fails(acl.rt.allocator_destroy_desc(desc))

    def test_may_have_its_address_first(self):
        size = self.ok(acl.rt.mem_get_allocation_granularity(PROPERTY, 0))
        address = self.ok(acl.rt.reserve_mem_address(size, 0, 0, 1))
        handle = self.ok(acl.rt.malloc_physical(size, PROPERTY, 0))
        self.ok(acl.rt.map_mem(address, size, 0, handle, 0))
        self.ok(acl.rt.memset(address, size, 1, size))
        self.assertEqual(self.ok(acl.rt.mem_get_allocation_properties_from_handle(handle)), PROPERTY)
        again = self.ok(acl.rt.mem_retain_allocation_handle(address))
        self.ok(acl.rt.unmap_mem(address))
        self.ok(acl.rt.free_physical(again))
        self.ok(acl.rt.free_physical(handle))
        self.ok(acl.rt.release_mem_address(address))
        with self.assertRaisesRegex(TypeError, "needs the key 'handleType'"):
            acl.rt.malloc_physical(size, {}, 0)
        with self.assertRaisesRegex(TypeError, "must be a dict under 'location'"):
            acl.rt.malloc_physical(size, dict(PROPERTY, location=3), 0)


class DataBuffers(DeviceCase):
    def test_describe_memory(self):
        pointer = self.malloc(64)
        buffer = acl.create_data_buffer(pointer, 64)
        self.assertEqual(acl.get_data_buffer_addr(buffer), pointer)
        self.assertEqual((acl.get_data_buffer_size(buffer), acl.get_data_buffer_size_v2(buffer)), (64, 64))
        self.ok(acl.update_data_buffer(buffer, pointer, 32))
        self.assertEqual(acl.get_data_buffer_size_v2(buffer), 32)
        self.ok(acl.destroy_data_buffer(buffer))
        self.fails(acl.destroy_data_buffer(buffer))


class TensorDescs(DeviceCase):
    def setUp(self):
        super().setUp()
        self.desc = acl.create_tensor_desc(0, [2, 3], 2)
        self.addCleanup(acl.destroy_tensor_desc, self.desc)

    def test_describe_tensors(self):
        desc = self.desc
        self.assertEqual((acl.get_tensor_desc_type(desc), acl.get_tensor_desc_format(desc)), (0, 2))
        self.assertEqual((acl.get_tensor_desc_size(desc), acl.get_tensor_desc_element_count(desc)), (24, 6))
        self.assertEqual(acl.get_tensor_desc_num_dims(desc), 2)
        self.assertEqual((acl.get_tensor_desc_dim(desc, 1), acl.get_tensor_desc_dim_v2(desc, 1)), (3, (3, 0)))
        self.fails(acl.get_tensor_desc_dim_v2(desc, 5))
        data_type = acl.create_tensor_desc(9, (), -1)
        self.assertEqual((acl.get_tensor_desc_type(data_type), acl.get_tensor_desc_num_dims(data_type)), (9, 0))
        acl.destroy_tensor_desc(data_type)

    def test_take_names_and_shapes(self):
        desc = self.desc
        acl.set_tensor_desc_name(desc, "größe")
        self.assertEqual(acl.get_tensor_desc_name(desc), "größe")
        self.ok(acl.set_tensor_format(desc, 2))
        self.ok(acl.set_tensor_shape(desc, numpy.array([2, 3])))
        self.ok(acl.set_tensor_origin_format(desc, 2))
        self.ok(acl.set_tensor_origin_shape(desc, [2, 3]))
        self.ok(acl.set_tensor_storage_format(desc, 2))
        self.ok(acl.set_tensor_storage_shape(desc, [2, 3]))
        self.ok(acl.set_tensor_dynamic_input(desc, "x"))
        self.ok(acl.set_tensor_place_ment(desc, 1))

    def test_change_their_layout(self):
        desc = acl.create_tensor_desc(1, [1, 20, 4, 5], 0)
        blocks = self.ok(acl.trans_tensor_desc_format(desc, 3))
        self.assertEqual([acl.get_tensor_desc_dim(blocks, i) for i in range(5)], [1, 2, 4, 5, 16])
        self.fails(acl.trans_tensor_desc_format(blocks, 0))
        acl.destroy_tensor_desc(blocks)
        acl.destroy_tensor_desc(desc)

    def test_take_ranges(self):
        desc = acl.create_tensor_desc(0, [-1, 3], 2)
        self.ok(acl.set_tensor_shape_range(desc, [[1, 8], [3, 3]]))
        self.assertEqual(acl.get_tensor_desc_dim_range(desc, 0, 2), ([1, 8], 0))
        self.ok(acl.set_tensor_value_range(desc, [[0, 4]]))
        self.fails(acl.set_tensor_shape_range(desc, [[1, 8, 9]]), 100000)
        acl.destroy_tensor_desc(desc)

    def test_take_values(self):
        data = numpy.zeros(6, numpy.float32)
        self.ok(acl.set_tensor_const(self.desc, acl.util.numpy_to_ptr(data), data.nbytes))
        self.fails(acl.set_tensor_const(self.desc, 0, data.nbytes))
        self.assertIsInstance(acl.get_tensor_desc_address(self.desc), int)
        self.assertEqual(acl.get_tensor_desc_by_index(self.desc, 0), self.desc)
