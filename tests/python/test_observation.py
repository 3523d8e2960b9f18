# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Operators, profiling, dump and media: what works does so, and what does not says that it is not supported."""
import json
import pathlib
import tempfile

import acl
import numpy
from calls import NOT_SUPPORTED
from on_device import D2H, H2D, DeviceCase, digits, model_file, printed_exceptions

ONE = "--input_shape=image:1,1,8,8"


class SupportedCase(DeviceCase):
    def supported(self, result):
        """Like ok; ends the test where the function is not supported, which it must say."""
        code = result[-1] if isinstance(result, tuple) else result
        if code in NOT_SUPPORTED:
            self.assertIn("not supported", acl.get_recent_err_msg())
            self.skipTest("not supported")
        return self.ok(result)


class Operators(SupportedCase):
    def tensor(self, array):
        pointer = self.malloc(array.nbytes)
        self.ok(acl.rt.memcpy(pointer, array.nbytes, acl.util.numpy_to_ptr(array), array.nbytes, H2D))
        return acl.create_tensor_desc(3, list(array.shape), 2), acl.create_data_buffer(pointer, array.nbytes)

    def test_add(self):
        attr = acl.op.create_attr()
        inputs = [self.tensor(numpy.int32([1, 2, 3])), self.tensor(numpy.int32([10, 20, 30]))]
        output = self.tensor(numpy.zeros(3, numpy.int32))
        self.supported(acl.op.execute_v2("Add", [desc for desc, _ in inputs], [buffer for _, buffer in inputs],
                                         [output[0]], [output[1]], attr, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        result = numpy.zeros(3, numpy.int32)
        self.ok(acl.rt.memcpy(acl.util.numpy_to_ptr(result), 12, acl.get_data_buffer_addr(output[1]), 12, D2H))
        self.assertEqual(result.tolist(), [11, 22, 33])
        self.fails(acl.op.execute_v2("Add", [], [], [], [], attr, self.stream))
        acl.op.destroy_attr(attr)

    def test_take_attributes(self):
        attr = acl.op.create_attr()
        self.supported(acl.op.set_attr_bool(attr, "bool", True))
        for code in (acl.op.set_attr_int(attr, "int", -1), acl.op.set_attr_float(attr, "float", 0.5),
                     acl.op.set_attr_string(attr, "str", "text"), acl.op.set_attr_list_bool(attr, "lb", [True, False]),
                     acl.op.set_attr_list_int(attr, "li", numpy.array([1, 2])),
                     acl.op.set_attr_list_float(attr, "lf", [1.0, 2]),
                     acl.op.set_attr_list_float(attr, "lf", 2, [1.0, 2]),
                     acl.op.set_attr_list_string(attr, "ls", ["a", "b"]),
                     acl.op.set_attr_list_list_int(attr, "ll", [[1, 2], [3]])):
            self.ok(code)
        self.fails(acl.op.set_attr_int(0, "int", 1))
        acl.op.destroy_attr(attr)

    def test_in_lists_that_do_not_fit_are_refused(self):
        self.fails(acl.op.execute_v2("Add", [1, 2], [1], [], [], 0, self.stream), 100000)
        self.fails(acl.op.execute("Add", [1, 2], [1], [], [], 0, self.stream), 100000)
        self.fails(acl.op.infer_shape("Add", [], [], 3, [1], 0), 100000)
        self.fails(acl.op.set_attr_list_float(0, "x", 5, [1.0]), 100000)



class Profiling(SupportedCase):
    def test_marks(self):
        stamp = acl.prof.create_stamp()
        if not stamp:
            self.supported(acl.prof.mark(0))
        self.ok(acl.prof.set_stamp_trace_message(stamp, "step", 4))
        for call in (acl.prof.mark, acl.prof.push):
            self.ok(call(stamp))
        self.ok(acl.prof.pop())
        self.ok(acl.prof.range_stop(self.ok(acl.prof.range_start(stamp))))
        self.assertIsNone(acl.prof.destroy_stamp(stamp))


class Dump(SupportedCase):
    def run_model(self):
        model = self.ok(acl.mdl.load_from_file(model_file(ONE)))
        desc = acl.mdl.create_desc()
        self.ok(acl.mdl.get_desc(desc, model))
        datasets = []
        for size in (256, 40):
            datasets.append(acl.mdl.create_dataset())
            acl.mdl.add_dataset_buffer(datasets[-1], acl.create_data_buffer(self.malloc(size), size))
        image, _ = digits(1)
        self.ok(acl.rt.memcpy(acl.get_data_buffer_addr(acl.mdl.get_dataset_buffer(datasets[0], 0)), 256,
                              acl.util.numpy_to_ptr(image), 256, H2D))
        self.ok(acl.mdl.execute(model, *datasets))
        self.ok(acl.rt.synchronize_device())
        self.ok(acl.mdl.unload(model))

    def configuration(self, folder):
        path = pathlib.Path(folder) / "dump.json"
        path.write_text(json.dumps({"dump": {"dump_path": folder, "dump_mode": "output", "dump_list": [{}]}}))
        return str(path)

    def test_hands_chunks_to_a_function(self):
        chunks = []

        def on_chunk(chunk):
            self.assertEqual(set(chunk), {"file_name", "data_buf", "buf_len", "is_last_chunk", "offset", "flag"})
            chunks.append((chunk["file_name"], acl.util.ptr_to_bytes(chunk["data_buf"], chunk["buf_len"]),
                           chunk["is_last_chunk"]))

        self.supported(acl.mdl.init_dump())
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(acl.mdl.finalize_dump)
            self.ok(acl.mdl.dump_reg_callback(on_chunk, 0))
            self.ok(acl.mdl.set_dump(self.configuration(folder)))
            self.run_model()
            self.assertIsNone(acl.mdl.dump_unreg_callback())
            self.assertEqual(len(list(pathlib.Path(folder).iterdir())), 1)
        self.assertTrue(chunks)
        self.assertTrue(all(data for _, data, _ in chunks))
        self.assertIn(1, {last for _, _, last in chunks})

    def test_survives_a_function_that_raises(self):
        self.supported(acl.mdl.init_dump())
        with tempfile.TemporaryDirectory() as folder, printed_exceptions() as printed:
            self.addCleanup(acl.mdl.finalize_dump)
            self.ok(acl.mdl.dump_reg_callback(lambda chunk: chunk["nothing"], 0))
            self.ok(acl.mdl.set_dump(self.configuration(folder)))
            self.run_model()
            acl.mdl.dump_unreg_callback()
        self.assertEqual(set(printed), {"KeyError"})

    def test_takes_only_functions_and_flag_zero(self):
        with self.assertRaisesRegex(TypeError, "fn must be callable"):
            acl.mdl.dump_reg_callback(None, 0)
        self.fails(acl.mdl.dump_reg_callback(print, 1))


class Media(DeviceCase):
    def test_says_that_it_is_not_supported(self):
        self.assertEqual(acl.media.dvpp_create_channel_desc(), 0)
        self.assertIn("not supported", acl.get_recent_err_msg())
        self.assertIn(acl.media.dvpp_create_channel(0), NOT_SUPPORTED)
        self.assertEqual(acl.media.dvpp_vpc_batch_crop_async(0, 0, [1], 5, [0], 0)[0], 5)
        self.assertIn(acl.media.vdec_set_channel_desc_callback(0, print), NOT_SUPPORTED)
        self.assertIn(acl.media.venc_send_frame(0, 0, 0, 0, None), NOT_SUPPORTED)
