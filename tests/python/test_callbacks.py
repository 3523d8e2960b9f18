# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Callbacks of streams, host functions, exception callbacks, native threads, and the interpreter's lock."""
import functools
import threading
import unittest

import acl
from on_device import DeviceCase, model_file, one_node_network, printed_exceptions


class ReportThread:
    """The thread of a program that runs callbacks."""

    def __init__(self, case):
        self.case, self.stop, self.codes = case, False, set()
        self.ready = threading.Event()
        self.id = case.ok(acl.util.start_thread(self.loop, [case.context, 20]))
        self.ready.wait()

    def loop(self, args):
        context, timeout = args
        self.codes.add(acl.rt.set_context(context))
        self.ready.set()
        while not self.stop:
            self.codes.add(acl.rt.process_report(timeout))

    def join(self):
        self.stop = True
        self.case.ok(acl.util.stop_thread(self.id))


class StreamCallbacks(DeviceCase):
    def setUp(self):
        super().setUp()
        self.thread = ReportThread(self)
        self.ok(acl.rt.subscribe_report(self.thread.id, self.stream))

    def tearDown(self):
        self.ok(acl.rt.unsubscribe_report(self.thread.id, self.stream))
        self.thread.join()
        super().tearDown()

    def test_run_in_order_on_the_subscribed_thread(self):
        seen = []
        for i in range(50):
            # A list that nobody else holds: the launch keeps it.
            self.ok(acl.rt.launch_callback(lambda data: seen.append((data[0], threading.get_ident())), [i], i % 2,
                                           self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.launch_callback(seen.append, None, 1, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual([entry[0] for entry in seen[:50]], list(range(50)))
        self.assertEqual({entry[1] for entry in seen[:50]}, {self.thread.id})
        self.assertIsNone(seen[50])

    def test_may_use_the_library(self):
        pointer, results = self.malloc(8), []
        self.ok(acl.rt.memset(pointer, 8, 9, 8))

        def fetch(_):
            host, ret = acl.rt.malloc_host(8)
            results.extend([ret, acl.rt.memcpy(host, 8, pointer, 8, 2), acl.util.ptr_to_bytes(host, 8)])
            acl.rt.free_host(host)

        self.ok(acl.rt.launch_callback(fetch, None, 1, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(results, [0, 0, b"\x09" * 8])

    def test_that_raise_are_printed_and_the_stream_goes_on(self):
        seen = []
        with printed_exceptions() as printed:
            self.ok(acl.rt.launch_callback(lambda _: 1 / 0, None, 1, self.stream))
            self.ok(acl.rt.launch_callback(seen.append, 1, 1, self.stream))
            self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual((printed, seen), (["ZeroDivisionError"], [1]))

    def test_take_one_argument(self):
        class Callable:
            def __call__(self, data):
                seen.append(data)

            def two(self, first, second):
                pass

            def with_name(self, data, *, name):
                pass

        seen = []
        for fits in (seen.append, Callable(), lambda data, more=1: seen.append(data), functools.partial(print, end=""),
                     lambda *data: seen.extend(data), functools.partial(lambda a, b: seen.append(b), 1), str):
            self.ok(acl.rt.launch_callback(fits, "", 1, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(len(seen), 5)
        for wrong, found in ((lambda: None, "takes 0 arguments"), (Callable().two, "takes 2 arguments"),
                             (Callable().with_name, "given by name"), (seen.clear, "takes 0 arguments"),
                             (functools.partial(seen.append, 1), "takes 0 arguments"),
                             (lambda a, b, *c: None, "takes at least 2"), (lambda a, b, c=1: None, "takes 2 to 3")):
            with self.assertRaisesRegex(TypeError, r"fn\(user_data\).*" + found):
                acl.rt.launch_callback(wrong, None, 1, self.stream)
            with self.assertRaisesRegex(TypeError, r"fn\(user_data\).*" + found):
                acl.rt.launch_host_func(self.stream, wrong, None)
            with self.assertRaisesRegex(TypeError, r"fn\(args\).*" + found):
                acl.util.start_thread(wrong, [])
            with self.assertRaisesRegex(TypeError, r"fn\(info\).*" + found):
                acl.rt.set_exception_info_callback(wrong)

    def test_run_while_the_main_thread_waits(self):
        # Only if waiting calls leave the interpreter to others.
        for wait in (acl.rt.synchronize_device, lambda: acl.rt.synchronize_stream_with_timeout(self.stream, 20000)):
            started = threading.Event()
            self.ok(acl.rt.launch_callback(lambda event: event.set(), started, 1, self.stream))
            self.ok(wait())
            self.assertTrue(started.is_set())

    def test_launched_in_vain_keep_nothing(self):
        data = [1]
        before = [acl.rt.launch_callback(print, data, 7, self.stream)]
        self.fails(before[0])
        import sys

        references = sys.getrefcount(data)
        for _ in range(10):
            self.fails(acl.rt.launch_callback(print, data, 7, self.stream))
        self.assertEqual(sys.getrefcount(data), references)


class UnsubscribedStreams(DeviceCase):
    def test_take_no_callbacks(self):
        self.fails(acl.rt.launch_callback(print, None, 1, self.stream), 107015)

    def test_are_not_processed(self):
        self.fails(acl.rt.process_report(1), 107012)
        self.fails(acl.rt.process_report(0))
        self.fails(acl.rt.unsubscribe_report(1, self.stream))


class HostFunctions(DeviceCase):
    def test_run_on_threads_of_the_library(self):
        seen = []
        self.ok(acl.rt.launch_host_func(self.stream, lambda data: seen.append((data, threading.get_ident())), "x"))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(seen[0][0], "x")
        self.assertNotEqual(seen[0][1], threading.get_ident())
        self.fails(acl.rt.launch_host_func(12345, print, "x"))

    def test_that_raise_are_printed(self):
        with printed_exceptions() as printed:
            self.ok(acl.rt.launch_host_func(self.stream, lambda _: [][1], None))
            self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(printed, ["IndexError"])

    def test_of_many_streams_and_threads_all_run(self):
        count, lock = [0], threading.Lock()

        def add(number):
            with lock:
                count[0] += number

        def launch():
            acl.rt.set_context(self.context)
            stream, _ = acl.rt.create_stream()
            for _ in range(50):
                acl.rt.launch_host_func(stream, add, 1)
            acl.rt.destroy_stream(stream)

        threads = [threading.Thread(target=launch) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.ok(acl.rt.synchronize_device())
        self.assertEqual(count, [200])

    def test_may_run_on_a_thread_of_the_program(self):
        seen, done = [], threading.Event()

        def process(_):
            acl.rt.set_context(self.context)
            while not done.is_set():
                acl.rt.process_host_func(20)

        thread = self.ok(acl.util.start_thread(process, []))
        self.ok(acl.rt.subscribe_host_func(thread, self.stream))
        self.ok(acl.rt.launch_host_func(self.stream, lambda _: seen.append(threading.get_ident()), None))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.unsubscribe_host_func(thread, self.stream))
        done.set()
        self.ok(acl.util.stop_thread(thread))
        self.assertEqual(seen, [thread])


class ExceptionCallbacks(DeviceCase):
    def fail_a_task(self):
        stream = self.ok(acl.rt.create_stream())
        pointer, event = self.ok(acl.rt.malloc(64, 0)), self.ok(acl.rt.create_event())
        self.ok(acl.rt.stream_wait_event_with_timeout(stream, event, 1000))
        reached = threading.Event()
        self.ok(acl.rt.launch_host_func(stream, lambda _: reached.wait(), None))
        self.ok(acl.rt.memset_async(pointer, 64, 0, 64, stream))
        self.ok(acl.rt.free(pointer))  # the fill finds no memory any more
        reached.set()
        self.fails(acl.rt.synchronize_stream(stream))
        acl.rt.destroy_stream(stream)
        self.ok(acl.rt.destroy_event(event))

    def test_learn_of_failed_tasks(self):
        seen = []

        def on_exception(info):
            seen.append([acl.rt.get_device_id_from_exception_info(info), acl.rt.get_stream_id_from_exception_info(info),
                         acl.rt.get_task_id_from_exception_info(info), acl.rt.get_thread_id_from_exception_info(info),
                         acl.rt.get_error_code_from_exception_info(info)])

        self.ok(acl.rt.set_exception_info_callback(on_exception))
        self.fail_a_task()
        self.ok(acl.rt.set_exception_info_callback(None))
        self.assertEqual(len(seen), 1)
        self.assertEqual(seen[0][0], 0)
        self.assertNotEqual(seen[0][4], 0)
        self.fail_a_task()
        self.assertEqual(len(seen), 1)

    def test_find_the_operator_that_failed(self):
        path = one_node_network("Gather", [("x", 1, (8,)), ("index", 6, (1,))], ("y", 1, (1,)))
        model = self.ok(acl.mdl.load_from_file(model_file(onnx=path)))
        datasets = [acl.mdl.create_dataset(), acl.mdl.create_dataset()]
        index = self.malloc(4)
        self.ok(acl.rt.memset(index, 4, 1, 4))  # there is no such element
        for dataset, pointer, size in ((0, self.malloc(32), 32), (0, index, 4), (1, self.malloc(4), 4)):
            acl.mdl.add_dataset_buffer(datasets[dataset], acl.create_data_buffer(pointer, size))
        tasks, found = [], []

        def on_exception(info):
            tasks.append([acl.rt.get_device_id_from_exception_info(info), acl.rt.get_stream_id_from_exception_info(info),
                          acl.rt.get_task_id_from_exception_info(info)])
            found.append(acl.mdl.create_and_get_op_desc(*tasks[0], 64))

        self.ok(acl.rt.set_exception_info_callback(on_exception))
        self.ok(acl.mdl.execute_async(model, *datasets, self.stream))
        self.fails(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.set_exception_info_callback(None))
        name, inputs, input_count, outputs, output_count = self.ok(found[0])
        self.assertIn("the_gather", name)
        self.assertEqual((input_count, output_count), (3, 1))  # the axis is an input too
        self.assertEqual(acl.get_tensor_desc_element_count(inputs), 8)
        self.assertEqual(acl.get_tensor_desc_element_count(acl.get_tensor_desc_by_index(inputs, 1)), 1)
        again = self.ok(acl.mdl.create_and_get_op_desc(*tasks[0], -1))  # a name of any length
        self.assertEqual(again[0], name)
        self.fails(acl.mdl.create_and_get_op_desc(*tasks[0], 2), 100000)
        for desc in (inputs, outputs, again[1], again[3]):
            acl.destroy_tensor_desc(desc)
        for dataset in datasets:
            acl.mdl.destroy_dataset(dataset)
        self.ok(acl.mdl.unload(model))

    def test_that_raise_are_printed(self):
        self.ok(acl.rt.set_exception_info_callback(lambda info: info.nothing))
        with printed_exceptions() as printed:
            self.fail_a_task()
        self.ok(acl.rt.set_exception_info_callback())
        self.assertEqual(printed, ["AttributeError"])


class NativeThreads(DeviceCase):
    def test_get_one_argument_and_are_waited_for(self):
        seen = []
        thread = self.ok(acl.util.start_thread(lambda args: seen.append((args, threading.get_ident())), [1, 2]))
        self.ok(acl.util.stop_thread(thread))
        self.assertEqual(seen, [([1, 2], thread)])

    def test_have_no_context(self):
        codes = []
        thread = self.ok(acl.util.start_thread(lambda _: codes.append(acl.rt.get_context()), []))
        self.ok(acl.util.stop_thread(thread))
        self.fails(codes[0])

    def test_are_waited_for_once_and_not_by_themselves(self):
        codes = []
        thread = self.ok(acl.util.start_thread(lambda _: codes.append(acl.util.stop_thread(threading.get_ident())), []))
        self.ok(acl.util.stop_thread(thread))
        self.fails(acl.util.stop_thread(thread), 100000)
        self.assertEqual(codes, [100000])

    def test_that_raise_are_printed(self):
        with printed_exceptions() as printed:
            self.ok(acl.util.stop_thread(self.ok(acl.util.start_thread(lambda _: {}["x"], []))))
        self.assertEqual(printed, ["KeyError"])
        with self.assertRaises(TypeError):
            acl.util.start_thread(5, [])


class InterpreterLock(DeviceCase):
    def test_is_free_while_calls_wait(self):
        """The main thread waits for an event that only another Python thread lets happen."""
        pointer = self.malloc(8)
        self.ok(acl.rt.memset(pointer, 8, 0, 8))
        self.ok(acl.rt.value_wait(pointer, 1, 1, self.stream))
        event = self.ok(acl.rt.create_event())
        self.ok(acl.rt.record_event(event, self.stream))

        def release():
            acl.rt.set_context(self.context)
            acl.rt.memset(pointer, 8, 1, 1)

        threading.Thread(target=release).start()
        self.ok(acl.rt.synchronize_event(event))
        self.ok(acl.rt.destroy_event(event))


if __name__ == "__main__":
    unittest.main()
