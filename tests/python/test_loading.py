# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The module in processes that have loaded much before it."""
import os
import shutil
import tempfile
import unittest

from on_device import run_program


class Loading(unittest.TestCase):
    def test_needs_no_static_thread_storage(self):
        """What `import cv2; import acl` met: the static block is used up."""
        with tempfile.TemporaryDirectory() as folder:
            for number in range(200):
                shutil.copy(os.environ["FOOTHOLD_STATIC_STORAGE"], f"{folder}/{number}.so")
            code, output, errors = run_program(f"""
                import ctypes

                loaded, refused = [], None
                for number in range(200):
                    try:
                        loaded.append(ctypes.CDLL("{folder}/%d.so" % number))
                    except OSError as error:
                        refused = str(error)
                        break
                assert "static TLS" in refused, refused

                import acl
                assert acl.init() == 0
                assert acl.rt.set_device(0) == 0
                stream, ret = acl.rt.create_stream()
                assert ret == 0
                seen = []
                assert acl.rt.launch_host_func(stream, seen.append, 1) == 0
                assert acl.rt.synchronize_stream(stream) == 0
                assert seen == [1]
                print("works")
            """)
        self.assertEqual((code, output, errors), (0, "works\n", ""))
