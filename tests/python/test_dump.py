# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Dumps of models, to files and to Python functions."""
import json
import pathlib
import tempfile

import acl
from on_device import H2D, DeviceCase, digits, model_file, printed_exceptions

ONE = "--input_shape=image:1,1,8,8"


class Dump(DeviceCase):
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

        self.ok(acl.mdl.init_dump())
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

    def test_hands_chunk_and_length_to_a_function_of_two_parameters(self):
        lengths = []

        def on_chunk(chunk, length):
            lengths.append((chunk["buf_len"], length))

        self.ok(acl.mdl.init_dump())
        self.addCleanup(acl.mdl.finalize_dump)
        self.ok(acl.mdl.dump_reg_callback(on_chunk, 0))
        with printed_exceptions() as printed:
            self.run_model()
        acl.mdl.dump_unreg_callback()
        self.assertEqual(printed, [])
        self.assertTrue(lengths)
        self.assertTrue(all(length >= size > 0 for size, length in lengths))

    def test_refuses_functions_of_other_parameters(self):
        for wrong, found in ((lambda: None, "takes 0 arguments"), (lambda a, b, c: None, "takes 3 arguments")):
            with self.assertRaisesRegex(TypeError, r"fn\(chunk\) or fn\(chunk, length\), but <.*" + found):
                acl.mdl.dump_reg_callback(wrong, 0)

    def test_survives_a_function_that_raises(self):
        self.ok(acl.mdl.init_dump())
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

    def test_writes_files(self):
        self.fails(acl.mdl.set_dump("no such file.json"), 100045)
        self.fails(acl.mdl.finalize_dump(), 100045)
        self.ok(acl.mdl.init_dump())
        self.fails(acl.mdl.init_dump(), 100044)
        with tempfile.TemporaryDirectory() as folder:
            self.ok(acl.mdl.set_dump(self.configuration(folder)))
            self.run_model()
            self.assertGreater(len([path for path in pathlib.Path(folder).rglob("*") if path.is_file()]), 1)
        self.ok(acl.mdl.finalize_dump())

    def test_stops_a_file_that_its_function_refuses_or_that_unregisters(self):
        for answer in (lambda: 7, acl.mdl.dump_unreg_callback):
            names = []

            def on_chunk(chunk):
                names.append(chunk["file_name"])
                return answer()

            self.ok(acl.mdl.init_dump())
            self.ok(acl.mdl.dump_reg_callback(on_chunk, 0))
            self.run_model()
            acl.mdl.dump_unreg_callback()
            self.ok(acl.mdl.finalize_dump())
            self.assertEqual(len(names), len(set(names)))
            self.assertTrue(names)
