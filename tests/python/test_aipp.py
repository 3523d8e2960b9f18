# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Pictures that become inputs of models (AIPP)."""
import pathlib
import tempfile

import acl
import numpy
from on_device import H2D, model_file
from test_model import ONE, ModelCase

YUV420SP, RGB888 = 1, 3


def model_with(settings):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "aipp.cfg"
        path.write_text(f"aipp_op {{ {settings} }}\n")
        return model_file(ONE, f"--insert_op_conf={path}")


class Aipp(ModelCase):
    def put(self, dataset, index, content):
        buffer = acl.mdl.get_dataset_buffer(dataset, index)
        self.ok(acl.rt.memcpy(acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size_v2(buffer),
                              acl.util.bytes_to_ptr(content), len(content), H2D))

    def expected(self, floats):
        _, desc = model = self.load(model_file(ONE))
        inputs, outputs = self.datasets(desc)
        self.write(inputs, floats)
        self.ok(acl.mdl.execute(model[0], inputs, outputs))
        return self.read(outputs, (1, 10))

    def test_of_the_model_is_told(self):
        model, desc = self.load(model_with("aipp_mode: static input_format: YUV420SP_U8 mean_chn_0: 16 "
                                           "var_reci_chn_0: 0.0625"))
        self.assertEqual(self.ok(acl.mdl.get_input_dims(desc, 0))["dims"], [1, 8, 8, 1])
        self.assertEqual(acl.mdl.get_input_size_by_index(desc, 0), 96)
        self.assertEqual(self.ok(acl.mdl.get_aipp_type(model, 0))[0], 1)
        info = self.ok(acl.mdl.get_first_aipp_info(model, 0))
        self.assertEqual((info["inputFormat"], info["srcImageSizeW"], info["meanChn0"]), (YUV420SP, 8, 16))
        self.assertEqual(info["outDims"][0]["aippOutdims"]["dims"], [1, 1, 8, 8])
        pixels = numpy.arange(64, dtype=numpy.uint8)
        inputs, outputs = self.datasets(desc)
        self.put(inputs, 0, pixels.tobytes() + b"\x80" * 32)
        self.ok(acl.mdl.execute(model, inputs, outputs))
        floats = ((pixels.astype(numpy.float32) - 16) * 0.0625).reshape(1, 1, 8, 8)
        numpy.testing.assert_array_equal(self.read(outputs, (1, 10)), self.expected(floats))

    def test_of_the_program_is_said_before_each_run(self):
        model, desc = self.load(model_with("aipp_mode: dynamic max_src_image_size: 1000"))
        index = self.ok(acl.mdl.get_input_index_by_name(desc, "ascend_dynamic_aipp_data"))
        self.assertEqual(self.ok(acl.mdl.get_aipp_type(model, 0)), (2, index))
        self.assertEqual(acl.mdl.get_input_size_by_index(desc, index), self.ok(acl.mdl.get_aipp_data_size(1)))
        aipp = acl.mdl.create_aipp(1)
        self.ok(acl.mdl.set_aipp_input_format(aipp, RGB888))
        self.ok(acl.mdl.set_aipp_src_image_size(aipp, 12, 10))
        self.ok(acl.mdl.set_aipp_csc_params(aipp, 0, 256, 0, 0, 0, 256, 0, 0, 0, 256, 0, 0, 0, 0, 0, 0))
        self.ok(acl.mdl.set_aipp_rbuv_swap_switch(aipp, 1))
        self.ok(acl.mdl.set_aipp_ax_swap_switch(aipp, 0))
        self.ok(acl.mdl.set_aipp_crop_params(aipp, 1, 3, 2, 7, 8, 0))
        self.ok(acl.mdl.set_aipp_scf_params(aipp, 0, 16, 16, 16, 16, 0))
        self.ok(acl.mdl.set_aipp_padding_params(aipp, 1, 0, 0, 0, 1, 0))
        self.ok(acl.mdl.set_aipp_dtc_pixel_mean(aipp, 8, 0, 0, 0, 0))
        self.ok(acl.mdl.set_aipp_dtc_pixel_min(aipp, 0.5, 0, 0, 0, 0))
        self.ok(acl.mdl.set_aipp_pixel_var_reci(aipp, 0.25, 1, 1, 1, 0))
        picture = numpy.arange(10 * 12 * 3, dtype=numpy.uint16).astype(numpy.uint8).reshape(10, 12, 3)
        inputs, outputs = self.datasets(desc)
        self.put(inputs, 0, picture.tobytes())
        self.ok(acl.mdl.set_input_aipp(model, inputs, index, aipp))
        self.ok(acl.mdl.set_aipp_by_input_index(model, inputs, 0, aipp))
        self.fails(acl.mdl.set_input_aipp(model, inputs, 0, aipp))
        self.ok(acl.mdl.destroy_aipp(aipp))
        self.ok(acl.mdl.execute(model, inputs, outputs))
        floats = numpy.zeros((1, 1, 8, 8), numpy.float32)
        floats[0, 0, :, :7] = (picture[2:10, 3:10, 2].astype(numpy.float32) - 8.5) * 0.25
        numpy.testing.assert_array_equal(self.read(outputs, (1, 10)), self.expected(floats))
