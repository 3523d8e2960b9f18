# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs in Python with one mistake each: callbacks, dumps, operators, threads, and memory of other processes. Below is
which rules no program in Python breaks, and why."""
import contextlib
import os
import pathlib
import threading
import time

import acl

from shared_python_programs import BYTES, D2D, D2H, Execution, Held, Library, Things, alone, ok, program

FLOAT, HALF, ND = 0, 1, 2
KEY_LENGTH, WITHOUT_PROCESSES = 65, 1


class Reports:
    """A thread that runs callbacks, after a while."""

    def __init__(self, late=0):
        self.stops, self.context, ready = False, ok(acl.rt.get_context()), threading.Event()
        self.thread = threading.Thread(target=self.run, args=(late, ready))
        self.thread.start()
        ready.wait()

    def run(self, late, ready):
        ok(acl.rt.set_context(self.context))
        self.id = threading.get_ident()
        ready.set()
        time.sleep(late)
        while not self.stops:
            acl.rt.process_report(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stops = True
        self.thread.join()


@alone("ACL-CB-002")
def leaves_a_callback_waiting(broken):
    with Library(), Things() as here, Reports(4 if broken else 0.1) as reports:
        stream = here.stream()
        ok(acl.rt.subscribe_report(reports.id, stream))
        ok(acl.rt.launch_callback(lambda _: None, None, 1, stream))
        ok(acl.rt.synchronize_stream(stream))
        ok(acl.rt.unsubscribe_report(reports.id, stream))


@alone("ACL-CB-006")
def mixes_callbacks_and_host_functions(broken):
    with Library(), Things() as here, Reports() as reports:
        one, two = here.stream(), here.stream()
        ok(acl.rt.subscribe_report(reports.id, one))
        ok(acl.rt.launch_callback(lambda _: None, None, 1, one))
        ok(acl.rt.launch_host_func(one if broken else two, lambda _: None, None))
        ok(acl.rt.synchronize_device())
        ok(acl.rt.unsubscribe_report(reports.id, one))


@alone("ACL-CB-008")
def unsubscribes_before_the_callback(broken):
    with Library(), Things() as here, Reports() as reports:
        stream = here.stream()
        ok(acl.rt.subscribe_report(reports.id, stream))
        held = Held(stream)
        ok(acl.rt.launch_callback(lambda _: None, None, 1, stream))
        if not broken:
            held.release()
            ok(acl.rt.synchronize_stream(stream))
        ok(acl.rt.unsubscribe_report(reports.id, stream))
        held.release()


@alone("ACL-RACE-008")
def overwrites_what_a_callback_reads(broken):
    with Library(), Things() as here, Reports() as reports:
        stream, memory, other, host = here.stream(), here.memory(), here.memory(), here.pinned()
        ok(acl.rt.subscribe_report(reports.id, stream))
        held = Held(stream)
        ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, stream))
        ok(acl.rt.launch_callback(lambda _: ok(acl.rt.memcpy(host, BYTES, memory, BYTES, D2H)), None, 0 if broken else 1,
                                  stream))
        ok(acl.rt.memcpy_async(memory, BYTES, other, BYTES, D2D, stream))
        held.release()
        ok(acl.rt.synchronize_stream(stream))
        ok(acl.rt.unsubscribe_report(reports.id, stream))


@alone("ACL-STREAM-003")
def destroys_a_stream_whose_task_failed(broken):
    with Library(), Things() as here:
        notify, stream = here.notify(), ok(acl.rt.create_stream())
        ok(acl.rt.wait_and_reset_notify(notify, stream, 1))
        if not broken:
            acl.rt.synchronize_stream(stream)
        ok(acl.rt.destroy_stream(stream))


@program("ACL-MDL-008")
def lends_two_models_the_same_memory(broken):
    path = str(Execution.folder / "square.om")
    work, _ = ok(acl.mdl.query_size(path))
    with Things() as here:
        memory = [here.memory() for _ in range(2)]
        models = [ok(acl.mdl.load_from_file_with_mem(path, lent, work, 0, 0))
                  for lent in (memory[0], memory[0 if broken else 1])]
        runs = [Execution() for _ in models]
        for run, model in zip(runs, models):
            ok(acl.mdl.execute_async(model, run.inputs, run.outputs, run.stream))
        for run, model in zip(runs, models):
            run.wait()
            ok(acl.mdl.unload(model))
            run.end()


@program("ACL-MEM-003 ACL-OP-001")
def frees_an_input_under_an_operator(broken):
    with Things() as here:
        stream, x, y = here.stream(), ok(acl.rt.malloc(BYTES, 0)), here.memory()
        ok(acl.rt.memset(x, BYTES, 0, BYTES))
        held = Held(stream)
        desc, attr = acl.create_tensor_desc(FLOAT, [4], ND), acl.op.create_attr()
        source, target = acl.create_data_buffer(x, 16), acl.create_data_buffer(y, 16)
        ok(acl.op.compile("Abs", [desc], [desc], attr, 0, 0, ""))
        ok(acl.op.execute_v2("Abs", [desc], [source], [desc], [target], attr, stream))
        if broken:
            ok(acl.rt.free(x))
        held.release()
        acl.rt.synchronize_stream(stream)
        if not broken:
            ok(acl.rt.free(x))
        ok(acl.destroy_data_buffer(source))
        ok(acl.destroy_data_buffer(target))
        acl.destroy_tensor_desc(desc)
        acl.op.destroy_attr(attr)


class Dump:
    """Of all models that are loaded, to a function."""

    def __init__(self, function):
        ok(acl.mdl.dump_reg_callback(function, 0))

    def begin(self):
        ok(acl.mdl.init_dump())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        ok(acl.mdl.finalize_dump())
        acl.mdl.dump_unreg_callback()


def run_once():
    run = Execution()
    ok(acl.mdl.execute(run.model, run.inputs, run.outputs))
    run.end()


@alone("ACL-DUMP-001")
def keeps_the_chunk_of_a_dump(broken):
    chunks = []

    def keep(chunk):
        chunks.append((chunk["data_buf"], acl.util.ptr_to_bytes(chunk["data_buf"], chunk["buf_len"])))

    with Library():
        with Dump(keep) as dump:
            dump.begin()
            run_once()
        assert chunks
        if broken:
            acl.util.ptr_to_bytes(chunks[0][0], 1)


@alone("ACL-DUMP-002")
def runs_a_model_in_a_dump_callback(broken):
    with Library():
        nested = [Execution()]

        def runs_a_model_in_a_dump_callback(_):  # the function reports name
            if broken and len(nested) == 1:
                nested.append(nested[0])
                acl.mdl.execute(nested[0].model, nested[0].inputs, nested[0].outputs)

        with Dump(runs_a_model_in_a_dump_callback) as dump:
            dump.begin()
            run_once()
        nested[0].end()


@alone("ACL-DUMP-003")
def dumps_a_model_loaded_before(broken):
    with Library(), Dump(lambda _: None) as dump:
        if not broken:
            dump.begin()
        run = Execution()
        if broken:
            dump.begin()
        ok(acl.mdl.execute(run.model, run.inputs, run.outputs))
        run.end()


@alone("ACL-SYNC-009", FOOTHOLD_CHECK_HANG="1")
def waits_for_a_thread_that_is_late(broken):
    with Library(), Things() as here:
        notify, one, two, context = here.notify(), here.stream(), here.stream(), ok(acl.rt.get_context())

        def record():
            ok(acl.rt.set_context(context))
            time.sleep(4 if broken else 0.1)
            ok(acl.rt.record_notify(notify, two))

        ok(acl.rt.wait_and_reset_notify(notify, one, 0))
        recorder = threading.Thread(target=record)
        recorder.start()
        ok(acl.rt.synchronize_stream(one))
        recorder.join()


def sleeps(thread):
    return pathlib.Path(f"/proc/self/task/{thread.native_id}/stat").read_text().rpartition(")")[2].split()[0] == "S"


@alone("ACL-LIFE-006")
def destroys_an_event_another_thread_waits_for(broken):
    with Library(), Things() as here:
        stream, event, context = here.stream(), ok(acl.rt.create_event()), ok(acl.rt.get_context())
        held, waits = Held(stream), threading.Event()
        ok(acl.rt.record_event(event, stream))

        def wait():
            ok(acl.rt.set_context(context))
            waits.set()
            acl.rt.synchronize_event(event)

        waiter = threading.Thread(target=wait)
        waiter.start()
        waits.wait()
        for _ in range(20):
            time.sleep(0.005)
            while not sleeps(waiter):
                time.sleep(0.005)
        if broken:
            ok(acl.rt.destroy_event(event))
        held.release()
        waiter.join()
        if not broken:
            ok(acl.rt.destroy_event(event))


def is_told(rule):
    """Whether this process has reported it."""
    outputs = os.environ.get("FOOTHOLD_CHECK_OUTPUT", "").replace("%p", str(os.getpid())).split(",")
    return any(rule in pathlib.Path(path).read_text() for path in outputs if path.endswith(".json"))


@alone("ACL-RACE-009")
def queues_operators_by_two_threads(broken):
    with Library(), Things() as here:
        stream, source, target, context = here.stream(), here.memory(), here.memory(), ok(acl.rt.get_context())
        both, lock = threading.Barrier(2), contextlib.nullcontext() if broken else threading.Lock()

        def queue(first):
            ok(acl.rt.set_context(context))
            for turn in range(100):
                shape = [first + turn, BYTES // 1024]  # each is compiled, which takes a while
                desc = [acl.create_tensor_desc(kind, shape, ND) for kind in (FLOAT, HALF)]
                data = [acl.create_data_buffer(memory, BYTES) for memory in (source, target)]
                both.wait()
                with lock:
                    ok(acl.op.cast(desc[0], data[0], desc[1], data[1], 0, stream))
                for one in data:
                    ok(acl.destroy_data_buffer(one))
                for one in desc:
                    acl.destroy_tensor_desc(one)

        for _ in range(300 if broken else 3):  # whether calls meet is a matter of chance
            threads = [threading.Thread(target=queue, args=(first,)) for first in (1, 101)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if is_told("ACL-RACE-009"):
                break
        ok(acl.rt.synchronize_stream(stream))


class Exporter:
    """A block of another process."""

    def __init__(self):
        hears, self.tells = os.pipe()
        answers, says = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            os.close(self.tells)  # so that the end of the parent is heard
            self.export(says, hears)
        os.close(hears)
        self.key = os.read(answers, KEY_LENGTH).decode()

    @staticmethod
    def export(says, hears):
        with Library():
            memory = ok(acl.rt.malloc(BYTES, 0))
            os.write(says, ok(acl.rt.ipc_mem_get_export_key(memory, BYTES, KEY_LENGTH, WITHOUT_PROCESSES)).encode())
            os.read(hears, 1)
            ok(acl.rt.free(memory))
        os._exit(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.tells)
        os.waitpid(self.child, 0)


@alone("ACL-MEM-070")
def closes_memory_under_a_task(broken):
    with Exporter() as exporter, Library(), Things() as here:
        memory, stream = ok(acl.rt.ipc_mem_import_by_key(exporter.key, 0)), here.stream()
        ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, stream))
        if not broken:
            ok(acl.rt.synchronize_stream(stream))
        ok(acl.rt.ipc_mem_close(exporter.key))


# By the beginning of their names.
NOT_IN_PYTHON = {
    "GE-": "the module has no graph engine",
    "NN-": "the module has no aclnn",
    "ACL-LEAK-006": "the module has no aclnn",
    "ACL-LEAK-008": "the module has no channels",
    "ACL-LIFE-003": "whoever initialises in Python, the call comes from one library, the module",
    "ACL-LIFE-004": "objects of Python end before the functions of atexit of C",
    "ACL-MDL-050": "the module has no captures",
    "ACL-MEM-050": "the module has no captures",
    "ACL-RACE-006": "pools tell of their blocks by a header of C; the module registers no allocators of Python",
    "ACL-RACE-05": "the module has no captures",
    "ACL-SYNC-05": "the module has no captures",
}
