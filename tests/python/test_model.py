# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Offline models: loads, descriptions, data sets, runs, gears."""
import acl
import numpy
from on_device import D2H, H2D, DeviceCase, digits, image_network, model_file

ONE = "--input_shape=image:1,1,8,8"
OPEN = "--input_shape=image:-1,1,8,8"


class ModelCase(DeviceCase):
    def load(self, path):
        model = self.ok(acl.mdl.load_from_file(path))
        self.addCleanup(acl.mdl.unload, model)
        desc = acl.mdl.create_desc()
        self.addCleanup(acl.mdl.destroy_desc, desc)
        self.ok(acl.mdl.get_desc(desc, model))
        return model, desc

    def dataset(self, sizes):
        dataset = acl.mdl.create_dataset()
        for size in sizes:
            same, ret = acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(self.malloc(size), size))
            self.assertEqual((same, ret), (dataset, 0))
        return dataset

    def datasets(self, desc):
        inputs = [acl.mdl.get_input_size_by_index(desc, i) for i in range(acl.mdl.get_num_inputs(desc))]
        outputs = [acl.mdl.get_output_size_by_index(desc, i) for i in range(acl.mdl.get_num_outputs(desc))]
        return self.dataset(inputs), self.dataset(outputs)

    def write(self, dataset, array):
        buffer = acl.mdl.get_dataset_buffer(dataset, 0)
        self.ok(acl.rt.memcpy(acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size_v2(buffer),
                              acl.util.numpy_to_ptr(array), array.nbytes, H2D))

    def read(self, dataset, shape):
        result = numpy.zeros(shape, numpy.float32)
        buffer = acl.mdl.get_dataset_buffer(dataset, 0)
        self.ok(acl.rt.memcpy(acl.util.numpy_to_ptr(result), result.nbytes, acl.get_data_buffer_addr(buffer),
                              result.nbytes, D2H))
        return result


class Loads(ModelCase):
    def runs(self, model):
        self.assertGreater(model, 0)
        desc = acl.mdl.create_desc()
        self.ok(acl.mdl.get_desc(desc, model))
        inputs, outputs = self.datasets(desc)
        images, labels = digits(1)
        self.write(inputs, images)
        self.ok(acl.mdl.execute(model, inputs, outputs))
        self.assertEqual(self.read(outputs, (1, 10)).argmax(), labels[0])
        self.ok(acl.mdl.unload(model))
        self.fails(acl.mdl.unload(model))
        self.ok(acl.mdl.destroy_desc(desc))

    def test_from_a_file(self):
        self.runs(self.ok(acl.mdl.load_from_file(model_file(ONE))))
        self.fails(acl.mdl.load_from_file("no such file.om"))

    def test_from_memory(self):
        data = open(model_file(ONE), "rb").read()
        pointer = acl.util.bytes_to_ptr(data)
        self.runs(self.ok(acl.mdl.load_from_mem(pointer, len(data))))
        work, weight = self.ok(acl.mdl.query_size_from_mem(pointer, len(data)))
        self.runs(self.ok(acl.mdl.load_from_mem_with_mem(pointer, len(data), self.malloc(work), work,
                                                         self.malloc(weight), weight)))
        desc = acl.mdl.create_desc()
        self.ok(acl.mdl.get_desc_from_mem(desc, pointer, len(data)))
        self.assertEqual(acl.mdl.get_num_inputs(desc), 1)
        self.ok(acl.mdl.destroy_desc(desc))

    def test_into_memory_of_the_program(self):
        work, weight = self.ok(acl.mdl.query_size(model_file(ONE)))
        self.runs(self.ok(acl.mdl.load_from_file_with_mem(model_file(ONE), self.malloc(work), work,
                                                          self.malloc(weight), weight)))

    def test_as_configured(self):
        handle = acl.mdl.create_config_handle()
        self.fails(acl.mdl.load_with_config(handle))
        self.ok(acl.mdl.set_config_opt(handle, 1, 1))
        self.ok(acl.mdl.set_config_opt(handle, 0, 3))
        self.ok(acl.mdl.set_config_opt(handle, 2, model_file(ONE)))
        self.fails(acl.mdl.set_config_opt(handle, 1, 77))
        self.runs(self.ok(acl.mdl.load_with_config(handle)))
        self.ok(acl.mdl.destroy_config_handle(handle))


class Descriptions(ModelCase):
    def test_tell_names_shapes_and_types(self):
        model, desc = self.load(model_file(ONE))
        self.assertEqual((acl.mdl.get_num_inputs(desc), acl.mdl.get_num_outputs(desc)), (1, 1))
        self.assertEqual(acl.mdl.get_input_dims(desc, 0), ({"name": "image", "dimCount": 4, "dims": [1, 1, 8, 8]}, 0))
        self.assertEqual(acl.mdl.get_input_dims_v2(desc, 0)[0]["dims"], [1, 1, 8, 8])
        self.assertEqual(acl.mdl.get_output_dims(desc, 0)[0]["dims"], [1, 10])
        self.assertEqual(acl.mdl.get_cur_output_dims(desc, 0)[0]["dims"], [1, 10])
        self.assertEqual((acl.mdl.get_input_data_type(desc, 0), acl.mdl.get_output_data_type(desc, 0)), (0, 0))
        self.assertEqual((acl.mdl.get_input_format(desc, 0), acl.mdl.get_output_format(desc, 0)), (2, 2))
        # Without padding: programs make arrays of this size and give them the shape.
        self.assertEqual(acl.mdl.get_input_size_by_index(desc, 0), 256)
        self.assertEqual(acl.mdl.get_output_size_by_index(desc, 0), 40)
        self.fails(acl.mdl.get_input_dims(desc, 1))
        self.fails(acl.mdl.get_output_dims(desc, 1))

    def test_find_tensors_by_name(self):
        _, desc = self.load(model_file(ONE))
        self.assertEqual(acl.mdl.get_input_name_by_index(desc, 0), "image")
        name = acl.mdl.get_output_name_by_index(desc, 0)
        self.assertEqual(acl.mdl.get_input_index_by_name(desc, "image"), (0, 0))
        self.assertEqual(acl.mdl.get_output_index_by_name(desc, name), (0, 0))
        self.assertEqual(acl.mdl.get_tensor_real_name(desc, name), name)
        # How programs ask whether a model has gears.
        self.fails(acl.mdl.get_input_index_by_name(desc, "ascend_mbatch_shape_data"))

    def test_know_attributes_and_preprocessing(self):
        model, desc = self.load(model_file(ONE))
        self.assertIsNotNone(acl.mdl.get_op_attr(desc, "image", "_datadump_original_op_names"))
        self.assertIsNone(acl.mdl.get_op_attr(desc, "image", "other"))
        self.assertEqual(self.ok(acl.mdl.get_aipp_type(model, 0))[0], 0)
        self.fails(acl.mdl.get_aipp_type(model, 5))
        self.fails(acl.mdl.get_first_aipp_info(model, 0))

    def test_come_from_files(self):
        desc = acl.mdl.create_desc()
        self.ok(acl.mdl.get_desc_from_file(desc, model_file(ONE)))
        self.assertEqual(acl.mdl.get_num_outputs(desc), 1)
        self.fails(acl.mdl.get_desc_from_file(desc, "no such file.om"))
        self.ok(acl.mdl.destroy_desc(desc))
        self.fails(acl.mdl.destroy_desc(desc))

    def test_have_ranges_for_open_shapes(self):
        _, desc = self.load(model_file(OPEN))
        dims, _ = acl.mdl.get_input_dims(desc, 0)
        self.assertEqual(dims["dims"], [-1, 1, 8, 8])
        ranges = self.ok(acl.mdl.get_input_dims_range(desc, 0))
        self.assertEqual((ranges["rangeCount"], ranges["range"][1]), (4, [1, 1]))


class Gears(ModelCase):
    def test_of_batches(self):
        model, desc = self.load(model_file(OPEN, "--dynamic_batch_size=2,4"))
        self.assertEqual(acl.mdl.get_dynamic_batch(desc), ({"batchCount": 2, "batch": [2, 4]}, 0))
        inputs, outputs = self.datasets(desc)
        index = self.ok(acl.mdl.get_input_index_by_name(desc, "ascend_mbatch_shape_data"))
        images, labels = digits(2)
        self.write(inputs, images)
        self.ok(acl.mdl.set_dynamic_batch_size(model, inputs, index, 2))
        self.ok(acl.mdl.execute(model, inputs, outputs))
        self.assertEqual(acl.mdl.get_cur_output_dims(desc, 0)[0]["dims"], [2, 10])
        numpy.testing.assert_array_equal(self.read(outputs, (2, 10)).argmax(1), labels)
        self.fails(acl.mdl.set_dynamic_batch_size(model, inputs, index, 3))

    def test_of_shapes(self):
        model, desc = self.load(model_file(OPEN, "--dynamic_dims=1;4", "--input_format=ND"))
        count = self.ok(acl.mdl.get_input_dynamic_gear_count(desc, -1))
        gears = self.ok(acl.mdl.get_input_dynamic_dims(desc, -1, count))
        self.assertEqual([gear["dims"] for gear in gears], [[1, 1, 8, 8], [4, 1, 8, 8]])
        inputs, _ = self.datasets(desc)
        index = self.ok(acl.mdl.get_input_index_by_name(desc, "ascend_mbatch_shape_data"))
        wanted = {"dimCount": 4, "name": "", "dims": [4, 1, 8, 8]}
        self.ok(acl.mdl.set_input_dynamic_dims(model, inputs, index, wanted))
        self.fails(acl.mdl.set_input_dynamic_dims(model, inputs, index, dict(wanted, dims=[3, 1, 8, 8])))

    def test_of_images(self):
        onnx = image_network()
        model, desc = self.load(model_file("--input_shape=image:1,1,-1,-1", "--dynamic_image_size=2,3;4,4",
                                           "--input_format=NCHW", onnx=onnx))
        self.assertEqual(acl.mdl.get_dynamic_hw(desc, -1), ({"hwCount": 2, "hw": [[2, 3], [4, 4]]}, 0))
        inputs, outputs = self.datasets(desc)
        index = self.ok(acl.mdl.get_input_index_by_name(desc, "ascend_mbatch_shape_data"))
        self.ok(acl.mdl.set_dynamic_hw_size(model, inputs, index, 2, 3))
        self.write(inputs, numpy.float32([-1, 2, -3, 4, -5, 6]))
        self.ok(acl.mdl.execute(model, inputs, outputs))
        self.assertEqual(self.read(outputs, 6).tolist(), [0, 2, 0, 4, 0, 6])

    def test_of_images_may_be_none(self):
        model, desc = self.load(model_file(ONE))
        self.assertEqual(acl.mdl.get_dynamic_hw(desc, -1), ({"hwCount": 0, "hw": []}, 0))
        self.fails(acl.mdl.set_dynamic_hw_size(model, 0, 0, 8, 8))


class Runs(ModelCase):
    def test_on_a_stream(self):
        model, desc = self.load(model_file(ONE))
        inputs, outputs = self.datasets(desc)
        images, labels = digits(1)
        self.write(inputs, images)
        self.ok(acl.mdl.execute_async(model, inputs, outputs, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(self.read(outputs, (1, 10)).argmax(), labels[0])
        self.fails(acl.mdl.execute_async(999, inputs, outputs, self.stream))
        handle = acl.mdl.create_exec_config_handle()
        self.ok(acl.mdl.set_exec_config_opt(handle, 0, 10000))
        self.ok(acl.mdl.execute_v2(model, inputs, outputs, self.stream, handle))
        self.ok(acl.mdl.execute_async_v2(model, inputs, outputs, self.stream, handle))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.mdl.destroy_exec_config_handle(handle))

    def test_with_open_shapes_and_memory_of_the_library(self):
        model, _ = self.load(model_file(OPEN))
        images, labels = digits(3)
        inputs, outputs = self.dataset([images.nbytes]), acl.mdl.create_dataset()
        self.write(inputs, images)
        shape = acl.create_tensor_desc(0, [3, 1, 8, 8], 2)
        self.assertEqual(acl.mdl.set_dataset_tensor_desc(inputs, shape, 0), (inputs, 0))
        buffer = acl.create_data_buffer(0, 0)
        acl.mdl.add_dataset_buffer(outputs, buffer)
        self.ok(acl.mdl.execute(model, inputs, outputs))
        result = acl.mdl.get_dataset_tensor_desc(outputs, 0)
        self.assertEqual([acl.get_tensor_desc_dim_v2(result, i)[0] for i in range(2)], [3, 10])
        numpy.testing.assert_array_equal(self.read(outputs, (3, 10)).argmax(1), labels)
        self.ok(acl.rt.free(acl.get_data_buffer_addr(buffer)))
        self.ok(acl.update_data_buffer(buffer, 0, 0))

    def test_with_datasets_that_are_forgotten_in_any_order(self):
        model, desc = self.load(model_file(ONE))
        inputs, outputs = self.datasets(desc)
        self.assertEqual(acl.mdl.get_dataset_num_buffers(inputs), 1)
        self.assertEqual(acl.mdl.get_dataset_buffer(inputs, 5), 0)
        self.ok(acl.mdl.execute(model, inputs, outputs))
        self.ok(acl.mdl.unload(model))
        self.ok(acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(inputs, 0)))
        self.ok(acl.mdl.destroy_dataset(inputs))
        self.fails(acl.mdl.destroy_dataset(inputs))
        self.fails(acl.mdl.execute(model, inputs, outputs))
