# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""A profiling session with marks, and operators of a model through a pipe."""
import os
import pathlib
import tempfile

import acl
import numpy
from on_device import DeviceCase, model_file

API_AND_TASKS = 3


class Profiling(DeviceCase):
    def test_leaves_a_timeline_with_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            self.fails(acl.prof.init("no such folder"))
            self.ok(acl.prof.init(folder))
            self.ok(acl.prof.set_config(1, "200MB"))
            config = acl.prof.create_config([0], 0xFF, 0, API_AND_TASKS)
            self.fails(acl.prof.stop(config))
            self.ok(acl.prof.start(config))
            self.mark()
            self.ok(acl.prof.stop(config))
            self.ok(acl.prof.destroy_config(config))
            self.ok(acl.prof.finalize())
            text = "".join(path.read_text() for path in pathlib.Path(folder).rglob("*") if path.is_file())
        for name in ("a moment", "in the stream", "aclprofMark"):
            self.assertIn(name, text)
        self.assertEqual(acl.prof.create_config([999], 0xFF, 0, API_AND_TASKS), 0)

    def mark(self):
        stamp = acl.prof.create_stamp()
        self.ok(acl.prof.set_stamp_trace_message(stamp, "a moment", 8))
        self.ok(acl.prof.mark(stamp))
        self.ok(acl.prof.push(stamp))
        self.ok(acl.prof.pop())
        self.fails(acl.prof.pop())
        self.ok(acl.prof.range_stop(self.ok(acl.prof.range_start(stamp))))
        self.ok(acl.prof.mark_ex("in the stream", self.stream))
        self.assertIsNone(acl.prof.destroy_stamp(stamp))
        step = acl.prof.create_step_info()
        self.ok(acl.prof.get_step_timestamp(step, 0, self.stream))
        self.assertIsNone(acl.prof.destroy_step_info(step))
        self.ok(acl.rt.synchronize_stream(self.stream))

    def test_sends_operators_of_a_model(self):
        model = self.ok(acl.mdl.load_from_file(model_file("--input_shape=image:1,1,8,8")))
        reader, writer = os.pipe()
        end = numpy.int32([writer])
        config = acl.prof.create_subscribe_config(1, 0xFF, acl.util.numpy_to_ptr(end))
        self.ok(acl.prof.model_subscribe(model, config))
        self.fails(acl.prof.model_subscribe(model, config))
        self.run_model(model)
        self.ok(acl.prof.model_unsubscribe(model))
        self.ok(acl.prof.destroy_subscribe_config(config))
        os.close(writer)
        records = b"".join(iter(lambda: os.read(reader, 1 << 16), b""))
        os.close(reader)
        self.look_at(acl.util.bytes_to_ptr(records), len(records), model)
        self.ok(acl.mdl.unload(model))

    def run_model(self, model):
        datasets = []
        for size in (256, 40):
            datasets.append(acl.mdl.create_dataset())
            acl.mdl.add_dataset_buffer(datasets[-1], acl.create_data_buffer(self.malloc(size), size))
        self.ok(acl.mdl.execute(model, *datasets))

    def look_at(self, pointer, size, model):
        count = self.ok(acl.prof.get_op_num(pointer, size))
        self.assertEqual(count, size // self.ok(acl.prof.get_op_desc_size()))
        self.assertEqual(acl.prof.get_model_id(pointer, size, 0), model)
        types = set()
        for index in range(count):
            types.add(self.ok(acl.prof.get_op_type(pointer, size, index,
                                                   self.ok(acl.prof.get_op_type_len(pointer, size, index)))))
            self.assertTrue(self.ok(acl.prof.get_op_name(pointer, size, index,
                                                         self.ok(acl.prof.get_op_name_len(pointer, size, index)))))
            start, stop = acl.prof.get_op_start(pointer, size, index), acl.prof.get_op_end(pointer, size, index)
            self.assertEqual(acl.prof.get_op_duration(pointer, size, index), stop - start)
        self.assertTrue(any("Conv" in kind for kind in types), types)
        self.fails(acl.prof.get_op_num(pointer, 1))
