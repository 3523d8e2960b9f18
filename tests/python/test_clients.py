# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Sequences of published programs: a model class as in a popular library, classification as in the first sample, and
asynchronous inference with callbacks."""
import threading

import acl
import numpy
from on_device import DeviceCase, digits, model_file

ONE = "--input_shape=image:1,1,8,8"
MALLOC_HUGE_FIRST, H2D, D2H = 0, 1, 2


class Model:
    """Keeps everything in members, never frees its inputs, and cleans up in its destructor."""

    run_mode, _ = acl.rt.get_run_mode()  # when the class is made

    def __init__(self, path):
        self.model_id, ret = acl.mdl.load_from_file(path)
        assert ret == 0
        self.desc = acl.mdl.create_desc()
        assert acl.mdl.get_desc(self.desc, self.model_id) == 0
        self.output_dataset, self.outputs = acl.mdl.create_dataset(), []
        for i in range(acl.mdl.get_num_outputs(self.desc)):
            size = acl.mdl.get_output_size_by_index(self.desc, i)
            pointer, _ = acl.rt.malloc(size, MALLOC_HUGE_FIRST)
            acl.mdl.add_dataset_buffer(self.output_dataset, acl.create_data_buffer(pointer, size))
            dims, _ = acl.mdl.get_output_dims(self.desc, i)
            self.outputs.append((pointer, size, tuple(dims["dims"])))

    def execute(self, arrays):
        dataset = acl.mdl.create_dataset()
        for array in arrays:
            data = array.tobytes()
            pointer, _ = acl.rt.malloc(len(data), MALLOC_HUGE_FIRST)
            acl.rt.memcpy(pointer, len(data), acl.util.bytes_to_ptr(data), len(data), H2D)
            acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(pointer, len(data)))
        assert acl.mdl.execute(self.model_id, dataset, self.output_dataset) == 0
        for i in range(acl.mdl.get_dataset_num_buffers(dataset)):
            buffer = acl.mdl.get_dataset_buffer(dataset, i)
            if buffer:
                acl.rt.free(acl.get_data_buffer_addr(buffer))
                acl.destroy_data_buffer(buffer)
        acl.mdl.destroy_dataset(dataset)
        return [self.fetch(*output) for output in self.outputs]

    def fetch(self, pointer, size, shape):
        if "bytes_to_ptr" in dir(acl.util):
            data = bytes(size)
            assert acl.rt.memcpy(acl.util.bytes_to_ptr(data), size, pointer, size, D2H) == 0
            return numpy.frombuffer(data, numpy.float32).reshape(shape)
        raise AssertionError("bytes_to_ptr is listed")

    def __del__(self):
        if self.model_id:
            acl.mdl.unload(self.model_id)
        acl.mdl.destroy_desc(self.desc)
        for i in range(acl.mdl.get_dataset_num_buffers(self.output_dataset)):
            acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(self.output_dataset, i))
        acl.mdl.destroy_dataset(self.output_dataset)


class ModelClass(DeviceCase):
    def test_reads_digits(self):
        images, labels = digits(40)
        model = Model(model_file(ONE))
        self.assertEqual(Model.run_mode, 1)
        right = sum(int(model.execute([image[None]])[0].argmax() == label) for image, label in zip(images, labels))
        self.assertGreaterEqual(right, 38)


class FirstSample(DeviceCase):
    """Loads, copies through numpy pointers, and never frees before the device is reset."""

    def test_reads_a_digit(self):
        image, label = digits(1)
        model, _ = acl.mdl.load_from_file(model_file(ONE))
        desc = acl.mdl.create_desc()
        acl.mdl.get_desc(desc, model)
        datasets = []
        for count, size in ((acl.mdl.get_num_inputs, acl.mdl.get_input_size_by_index),
                            (acl.mdl.get_num_outputs, acl.mdl.get_output_size_by_index)):
            datasets.append(acl.mdl.create_dataset())
            for i in range(count(desc)):
                pointer, _ = acl.rt.malloc(size(desc, i), MALLOC_HUGE_FIRST)
                _, ret = acl.mdl.add_dataset_buffer(datasets[-1], acl.create_data_buffer(pointer, size(desc, i)))
                self.assertEqual(ret, 0)
        buffer = acl.mdl.get_dataset_buffer(datasets[0], 0)
        self.ok(acl.rt.memcpy(acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size(buffer),
                              acl.util.numpy_to_ptr(image), image.nbytes, H2D))
        self.ok(acl.mdl.execute_async(model, *datasets, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        host, _ = acl.rt.malloc_host(40)
        buffer = acl.mdl.get_dataset_buffer(datasets[1], 0)
        self.ok(acl.rt.memcpy(host, 40, acl.get_data_buffer_addr(buffer), 40, D2H))
        values = acl.util.ptr_to_numpy(host, (40,), 1).view(numpy.float32)
        self.assertEqual(values.argmax(), label[0])
        self.ok(acl.mdl.unload(model))
        self.ok(acl.rt.free_host(host))


class AsynchronousInference(DeviceCase):
    def setUp(self):
        super().setUp()
        self.model = Model(model_file(ONE))
        self.stop, self.guesses = False, {}

    def process(self, args):
        context, timeout = args
        acl.rt.set_context(context)
        while not self.stop:
            acl.rt.process_report(timeout)

    def on_result(self, results):
        for number, output in results:
            buffer = acl.mdl.get_dataset_buffer(output, 0)
            host, _ = acl.rt.malloc_host(40)
            acl.rt.memcpy(host, 40, acl.get_data_buffer_addr(buffer), 40, D2H)
            self.guesses[number] = numpy.frombuffer(acl.util.ptr_to_bytes(host, 40), numpy.float32).argmax()
            acl.rt.free_host(host)

    def dataset(self, size):
        dataset, pointer = acl.mdl.create_dataset(), self.malloc(size)
        acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(pointer, size))
        return dataset, pointer

    def test_calls_back_for_each_batch(self):
        images, labels = digits(30)
        thread = self.ok(acl.util.start_thread(self.process, [self.context, 100]))
        self.ok(acl.rt.subscribe_report(thread, self.stream))
        pending = []
        for number, image in enumerate(images):
            dataset, pointer = self.dataset(256)
            self.ok(acl.rt.memcpy(pointer, 256, acl.util.numpy_to_ptr(image), 256, H2D))
            output, _ = self.dataset(40)
            self.ok(acl.mdl.execute_async(self.model.model_id, dataset, output, self.stream))
            pending.append((number, output))
            if len(pending) == 4 or number + 1 == len(images):
                self.ok(acl.rt.launch_callback(self.on_result, pending, 1, self.stream))
                pending = []  # only the launch holds the list now
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.unsubscribe_report(thread, self.stream))
        self.stop = True
        self.ok(acl.util.stop_thread(thread))
        self.assertEqual(sorted(self.guesses), list(range(30)))
        self.assertGreaterEqual(sum(self.guesses[i] == labels[i] for i in range(30)), 28)

    def test_goes_on_in_python_threads_meanwhile(self):
        """Runs of models leave the interpreter to others."""
        image, label = digits(1)
        results = []

        def infer():
            acl.rt.set_context(self.context)
            model = Model(model_file(ONE))
            results.extend(model.execute([image])[0].argmax() for _ in range(20))

        threads = [threading.Thread(target=infer) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [label[0]] * 80)
