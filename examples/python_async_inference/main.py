# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Reads handwritten digits with runs on a stream and a callback for each.

main.py MODEL HELD_OUT
"""
import sys

import acl
import numpy

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
NORMAL_MEMORY = 2
BLOCK_STREAM = 1
BATCH = 40
NEEDED = 340  # of 360; training ended at 352


def check(result):
    """The values of a call, without its error code."""
    values = result if isinstance(result, tuple) else (result,)
    if values[-1] != 0:
        raise SystemExit(f"error {values[-1]}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 2 else values[:-1]


class ReportThread:
    """A thread that runs the callbacks of a stream."""

    def __init__(self, stream):
        self.stream, self.stop = stream, False
        self.thread_id = check(acl.util.start_thread(self.process, [check(acl.rt.get_context())]))
        check(acl.rt.subscribe_report(self.thread_id, stream))

    def process(self, args):
        acl.rt.set_context(args[0])
        while not self.stop:
            acl.rt.process_report(100)  # runs what is there, or waits up to 100 ms

    def end(self):
        check(acl.rt.unsubscribe_report(self.thread_id, self.stream))
        self.stop = True
        check(acl.util.stop_thread(self.thread_id))


class Dataset:
    """Device memory for one tensor, as models take it."""

    def __init__(self, size):
        self.size, self.pointer = size, check(acl.rt.malloc(size, NORMAL_MEMORY))
        self.buffer, self.handle = acl.create_data_buffer(self.pointer, size), acl.mdl.create_dataset()
        check(acl.mdl.add_dataset_buffer(self.handle, self.buffer))

    def free(self):
        check(acl.mdl.destroy_dataset(self.handle))
        check(acl.destroy_data_buffer(self.buffer))
        check(acl.rt.free(self.pointer))


class Network:
    def __init__(self, path):
        self.model_id, self.desc = check(acl.mdl.load_from_file(path)), acl.mdl.create_desc()
        check(acl.mdl.get_desc(self.desc, self.model_id))
        dims = check(acl.mdl.get_output_dims(self.desc, 0))
        self.shape = tuple(dims["dims"])

    def queue(self, images, stream, on_result):
        """Queues a run; on_result(output, values) is called on the report thread."""
        inputs = Dataset(acl.mdl.get_input_size_by_index(self.desc, 0))
        outputs = Dataset(acl.mdl.get_output_size_by_index(self.desc, 0))
        check(acl.rt.memcpy(inputs.pointer, inputs.size, acl.util.numpy_to_ptr(images), images.nbytes, HOST_TO_DEVICE))
        check(acl.mdl.execute_async(self.model_id, inputs.handle, outputs.handle, stream))
        check(acl.rt.launch_callback(self.fetch, (inputs, outputs, on_result), BLOCK_STREAM, stream))

    def fetch(self, run):
        inputs, outputs, on_result = run
        values = numpy.zeros(self.shape, numpy.float32)
        check(acl.rt.memcpy(acl.util.numpy_to_ptr(values), values.nbytes, outputs.pointer, outputs.size, DEVICE_TO_HOST))
        inputs.free()
        outputs.free()
        on_result(values)

    def free(self):
        check(acl.mdl.destroy_desc(self.desc))
        check(acl.mdl.unload(self.model_id))


def read_digits(path):
    rows = numpy.fromfile(path, numpy.uint8).reshape(-1, 65)
    return numpy.ascontiguousarray(rows[:, :64], numpy.float32).reshape(-1, 1, 8, 8) / 16, rows[:, 64]


def main():
    model, held_out = sys.argv[1:]
    images, labels = read_digits(held_out)
    check(acl.init())
    check(acl.rt.set_device(0))
    stream = check(acl.rt.create_stream())
    network, thread = Network(model), ReportThread(stream)

    guesses = []
    for start in range(0, len(images), BATCH):
        network.queue(images[start : start + BATCH], stream, lambda values: guesses.extend(values.argmax(1)))
        print(f"main: queued images {start} to {start + BATCH - 1}; {len(guesses)} are read")
    check(acl.rt.synchronize_stream(stream))
    right = int((numpy.array(guesses) == labels).sum())
    print(f"main: all callbacks have run; {right} of {len(labels)} are right")

    thread.end()
    network.free()
    check(acl.rt.destroy_stream(stream))
    check(acl.rt.reset_device(0))
    check(acl.finalize())
    sys.exit(0 if right >= NEEDED else 1)


if __name__ == "__main__":
    main()
