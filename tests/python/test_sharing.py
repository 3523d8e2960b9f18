# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Memory and notifies of one process in another."""
import acl
from on_device import D2D, D2H, DeviceCase
from other_process import OtherProcess
from test_memory import PROPERTY

NO_PERMISSION, NOT_SHARED, NOT_SUPPORTED = 207006, 507022, 207000
KEY_LENGTH = 65


class Sharing(DeviceCase):
    def setUp(self):
        super().setUp()
        self.other = OtherProcess()
        self.addCleanup(lambda: self.assertEqual(self.other.end(), 0))

    def fill(self, pointer, size):
        """Sevens in the first half, noughts in the second."""
        self.ok(acl.rt.memset(pointer, size, 7, size // 2))
        self.ok(acl.rt.memset(pointer + size // 2, size // 2, 0, size // 2))

    def check_that_it_is_the_same(self, pointer, there, size):
        """The other process sees what is in the first half, and its writes to the second are seen here."""
        half = size // 2
        self.ok(self.other.rt.memcpy(there + half, half, there, half, D2D))
        found = self.ok(acl.rt.malloc_host(half))
        self.ok(acl.rt.memcpy(found, half, pointer + half, half, D2H))
        self.assertEqual(acl.util.ptr_to_bytes(found, half), b"\7" * half)
        self.ok(acl.rt.free_host(found))

    def test_of_memory(self):
        pointer = self.malloc(4096)
        self.fill(pointer, 4096)
        self.fails(acl.rt.ipc_mem_get_export_key(pointer, 4096, 3, 0), 107000)
        key = self.ok(acl.rt.ipc_mem_get_export_key(pointer, 4096, KEY_LENGTH, 0))
        self.fails(self.other.rt.ipc_mem_import_by_key(key, 0), NO_PERMISSION)
        self.ok(acl.rt.ipc_mem_set_import_pid(key, [self.other.pid]))
        there = self.ok(self.other.rt.ipc_mem_import_by_key(key, 0))
        self.check_that_it_is_the_same(pointer, there, 4096)
        self.ok(self.other.rt.ipc_mem_close(key))
        self.ok(acl.rt.ipc_mem_close(key))
        self.fails(self.other.rt.ipc_mem_import_by_key(key, 0), NOT_SHARED)

    def test_of_memory_under_a_key_of_any_length(self):
        pointer = self.malloc(8)
        key = self.ok(acl.rt.ipc_mem_get_export_key(pointer, 8, -1, 1))
        self.assertLess(len(key), KEY_LENGTH)
        self.ok(acl.rt.ipc_mem_close(key))

    def test_of_physical_memory(self):
        size = self.ok(acl.rt.mem_get_allocation_granularity(PROPERTY, 0))
        handle = self.ok(acl.rt.malloc_physical(size, PROPERTY, 0))
        pointer = self.ok(acl.rt.reserve_mem_address(size, 0, 0, 0))
        self.ok(acl.rt.map_mem(pointer, size, 0, handle, 0))
        self.fill(pointer, size)
        shared = self.ok(acl.rt.mem_export_to_shareable_handle(handle, 0, 0))
        self.fails(acl.rt.mem_import_from_shareable_handle(shared, 0), NOT_SUPPORTED)
        self.fails(self.other.rt.mem_import_from_shareable_handle(shared, 0), NO_PERMISSION)
        self.ok(acl.rt.mem_set_pid_to_shareable_handle(shared, [self.other.pid]))
        imported = self.ok(self.other.rt.mem_import_from_shareable_handle(shared, 0))
        there = self.ok(self.other.rt.reserve_mem_address(size, 0, 0, 0))
        self.ok(self.other.rt.map_mem(there, size, 0, imported, 0))
        self.check_that_it_is_the_same(pointer, there, size)
        for side, at, pages in ((self.other, there, imported), (acl, pointer, handle)):
            self.ok(side.rt.unmap_mem(at))
            self.ok(side.rt.free_physical(pages))
            self.ok(side.rt.release_mem_address(at))

    def test_of_notifies(self):
        notify = self.ok(acl.rt.create_notify(0))
        key = self.ok(acl.rt.notify_get_export_key(notify, KEY_LENGTH, 0))
        self.fails(self.other.rt.notify_import_by_key(key, 0), NO_PERMISSION)
        self.ok(acl.rt.notify_set_import_pid(notify, [self.other.pid]))
        imported = self.ok(self.other.rt.notify_import_by_key(key, 0))
        self.ok(acl.rt.wait_and_reset_notify(notify, self.stream, 0))
        self.assertEqual(self.ok(acl.rt.stream_query(self.stream)), 1, "it waits")
        stream = self.ok(self.other.rt.create_stream())
        self.ok(self.other.rt.record_notify(imported, stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(self.other.rt.synchronize_stream(stream))
        self.ok(self.other.rt.destroy_notify(imported))
        self.ok(acl.rt.destroy_notify(notify))
