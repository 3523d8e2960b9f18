# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs with one mistake each that call the library from Python, and the same without it. Reports say which function
they are about.

  python_programs.py --list            a line for each: name, rules
  python_programs.py --list-alone      the same for those that need a process of their own, with its variables
  python_programs.py --list-missing    rules that no program in Python breaks, by the beginning of their names, and why
  python_programs.py broken|mended FOLDER [NAME]
"""
import pathlib
import sys
import threading
import time

import acl

from shared_python_programs import ALONE, BYTES, D2D, D2H, H2D, PROGRAMS, Execution, Library, ok, program
import queued_python_programs  # noqa: F401  (registers its own)
from called_python_programs import NOT_IN_PYTHON


@program("ACL-MEM-004")
def leaves_its_block(broken):
    memory = ok(acl.rt.malloc(BYTES, 0))
    acl.rt.memset(memory, 2 * BYTES, 0, 2 * BYTES if broken else BYTES)
    ok(acl.rt.free(memory))


@program("ACL-MEM-010")
def copies_with_the_wrong_kind(broken):
    a, b, stream = ok(acl.rt.malloc(BYTES, 0)), ok(acl.rt.malloc(BYTES, 0)), ok(acl.rt.create_stream())
    ok(acl.rt.memset(b, BYTES, 0, BYTES))
    ok(acl.rt.memcpy_async(a, BYTES, b, BYTES, H2D if broken else D2D, stream))
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.free(a))
    ok(acl.rt.free(b))


@program("ACL-MEM-011")
def frees_twice(broken):
    memory = ok(acl.rt.malloc(BYTES, 0))
    ok(acl.rt.free(memory))
    if broken:
        acl.rt.free(memory)


@program("ACL-MEM-014")
def copies_onto_itself(broken):
    memory = ok(acl.rt.malloc(BYTES, 0))
    ok(acl.rt.memset(memory, BYTES, 0, BYTES))
    ok(acl.rt.memcpy(memory + (64 if broken else BYTES // 2), BYTES // 2, memory, BYTES // 2, D2D))
    ok(acl.rt.free(memory))


@program("ACL-MEM-003")
def frees_under_a_task(broken):
    memory, stream, host = ok(acl.rt.malloc(BYTES, 0)), ok(acl.rt.create_stream()), ok(acl.rt.malloc_host(BYTES))
    arrived = acl.util.ptr_to_numpy(host, (BYTES,), 1)
    arrived[:] = 0
    ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, stream))
    ok(acl.rt.memcpy_async(host, BYTES, memory, BYTES, D2H, stream))
    while arrived[-1] == 0:  # it has run, and nobody has waited for it
        time.sleep(0.001)
    if not broken:
        ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.free(memory))
    acl.rt.synchronize_stream(stream)
    ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.free_host(host))


def two_streams(use, broken, first=None):
    memory, other = ok(acl.rt.malloc(BYTES, 0)), ok(acl.rt.malloc(BYTES, 0))
    one = ok(acl.rt.create_stream()) if first is None else first
    two, event = ok(acl.rt.create_stream()), ok(acl.rt.create_event())
    ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, one))
    if not broken:
        ok(acl.rt.record_event(event, one))
        ok(acl.rt.stream_wait_event(two, event))
    use(other, memory, two)
    ok(acl.rt.synchronize_stream(one))
    ok(acl.rt.synchronize_stream(two))
    ok(acl.rt.destroy_event(event))
    for stream in {one, two} - {first}:
        ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.free(memory))
    ok(acl.rt.free(other))


@program("ACL-RACE-001")
def reads_what_another_stream_writes(broken):
    two_streams(lambda to, of, stream: ok(acl.rt.memcpy_async(to, BYTES, of, BYTES, D2D, stream)), broken)


@program("ACL-RACE-007")
def trusts_the_default_stream(broken):
    two_streams(lambda to, of, stream: ok(acl.rt.memcpy_async(to, BYTES, of, BYTES, D2D, stream)), broken, first=0)


@program("ACL-RACE-003")
def copies_before_the_stream_is_done(broken):
    memory, stream = ok(acl.rt.malloc(BYTES, 0)), ok(acl.rt.create_stream())
    host = ok(acl.rt.malloc_host(BYTES))
    ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, stream))
    if not broken:
        ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.memcpy(host, BYTES, memory, BYTES, D2H))
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.free(memory))
    ok(acl.rt.free_host(host))


@program("ACL-RACE-005")
def frees_pinned_memory_under_a_copy(broken):
    memory, stream = ok(acl.rt.malloc(BYTES, 0)), ok(acl.rt.create_stream())
    ok(acl.rt.memset(memory, BYTES, 0, BYTES))
    host = ok(acl.rt.malloc_host(BYTES))
    ok(acl.rt.memcpy_async(host, BYTES, memory, BYTES, D2H, stream))
    if not broken:
        ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.free_host(host))
    acl.rt.synchronize_stream(stream)
    ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.free(memory))


@program("ACL-SYNC-005")
def takes_a_time_too_early(broken):
    stream, start, end = ok(acl.rt.create_stream()), ok(acl.rt.create_event()), ok(acl.rt.create_event())
    ok(acl.rt.record_event(start, stream))
    if not broken:
        ok(acl.rt.record_event(end, stream))
    ok(acl.rt.synchronize_stream(stream))
    acl.rt.event_elapsed_time(start, end)
    ok(acl.rt.destroy_event(start))
    ok(acl.rt.destroy_event(end))
    ok(acl.rt.destroy_stream(stream))


@program("ACL-LIFE-005")
def uses_a_destroyed_stream(broken):
    stream = ok(acl.rt.create_stream())
    if broken:
        ok(acl.rt.destroy_stream(stream))
    acl.rt.synchronize_stream(stream)
    if not broken:
        ok(acl.rt.destroy_stream(stream))


@program("ACL-LIFE-007")
def destroys_twice(broken):
    event = ok(acl.rt.create_event())
    ok(acl.rt.destroy_event(event))
    if broken:
        acl.rt.destroy_event(event)


@program("ACL-CTX-001")
def works_without_a_context(broken):
    context = ok(acl.rt.get_context())

    def works_without_a_context():  # the function reports name
        if not broken:
            ok(acl.rt.set_context(context))
        memory, code = acl.rt.malloc(BYTES, 0)
        if code == 0:
            ok(acl.rt.free(memory))

    worker = threading.Thread(target=works_without_a_context)
    worker.start()
    worker.join()


@program("ACL-CTX-003")
def destroys_a_context_too_early(broken):
    before, context = ok(acl.rt.get_context()), ok(acl.rt.create_context(0))
    stream = ok(acl.rt.create_stream())
    if not broken:
        ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.destroy_context(context))
    ok(acl.rt.set_context(before))


@program("ACL-CTX-004")
def resets_too_often(broken):
    ok(acl.rt.set_device(1))
    ok(acl.rt.reset_device(1))
    if broken:
        acl.rt.reset_device(1)
    ok(acl.rt.set_device(0))
    ok(acl.rt.reset_device(0))


@program("ACL-STREAM-002")
def uses_the_stream_of_another_device(broken):
    stream = ok(acl.rt.create_stream())
    if broken:
        ok(acl.rt.set_device(1))
    acl.rt.synchronize_stream(stream)
    if broken:
        ok(acl.rt.reset_device(1))
        ok(acl.rt.set_device(0))
        ok(acl.rt.reset_device(0))
    ok(acl.rt.destroy_stream(stream))


@program("ACL-CB-001")
def launches_without_a_subscription(broken):
    stream = ok(acl.rt.create_stream())
    if broken:
        acl.rt.launch_callback(lambda _: None, None, 1, stream)
    ok(acl.rt.destroy_stream(stream))


@program("ACL-LEAK-001")
def leaves_device_memory(broken):
    memory = ok(acl.rt.malloc(BYTES, 0))
    if not broken:
        ok(acl.rt.free(memory))


@program("ACL-LEAK-003")
def leaves_an_event(broken):
    event = ok(acl.rt.create_event())
    if not broken:
        ok(acl.rt.destroy_event(event))


@program("ACL-PERF-001")
def copies_pageable_memory(broken):
    memory, stream = ok(acl.rt.malloc(BYTES, 0)), ok(acl.rt.create_stream())
    data = bytes(BYTES)
    host = ok(acl.rt.malloc_host(BYTES))
    ok(acl.rt.memcpy(host, BYTES, acl.util.bytes_to_ptr(data), BYTES, 0))
    source = acl.util.bytes_to_ptr(data) if broken else host
    ok(acl.rt.memcpy_async(memory, BYTES, source, BYTES, H2D, stream))
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.free(memory))
    ok(acl.rt.free_host(host))


@program("ACL-MDL-001")
def gives_too_small_a_buffer(broken):
    run = Execution()
    ok(acl.update_data_buffer(run.buffers[0], run.memory[0], 15 if broken else 16))
    acl.mdl.execute(run.model, run.inputs, run.outputs)
    run.end()


@program("ACL-MDL-002")
def exchanges_a_buffer(broken):
    run = Execution()
    run.queue()
    if not broken:
        run.wait()
    ok(acl.update_data_buffer(run.buffers[0], run.memory[2], 16))
    run.end()


@program("ACL-MDL-003")
def unloads_too_early(broken):
    run = Execution()
    run.queue()
    if not broken:
        run.wait()
    ok(acl.mdl.unload(run.model))
    run.model = 0
    run.end()


@program("ACL-MDL-004")
def chooses_no_gear(broken):
    run = Execution("gears.om", rows=2, gear=True)
    if not broken:
        ok(acl.mdl.set_dynamic_batch_size(run.model, run.inputs, 1, 2))
    ok(acl.mdl.execute(run.model, run.inputs, run.outputs))
    run.end()


@program("ACL-LEAK-004")
def leaves_a_description(broken):
    desc = acl.mdl.create_desc()
    if not broken:
        ok(acl.mdl.destroy_desc(desc))


@program("ACL-LEAK-005")
def leaves_a_tensor_description(broken):
    desc = acl.create_tensor_desc(0, [4], 2)
    if not broken:
        acl.destroy_tensor_desc(desc)


@program("ACL-DUMP-004")
def leaves_a_dump(broken):
    ok(acl.mdl.init_dump())
    if not broken:
        ok(acl.mdl.finalize_dump())


# Behind all that make streams.
@program("ACL-USE-001")
def saturates_too_late(broken):
    if not broken:
        ok(acl.rt.set_device_sat_mode(1))
    stream = ok(acl.rt.create_stream())
    if broken:
        ok(acl.rt.set_device_sat_mode(1))
    ok(acl.rt.destroy_stream(stream))


@program("ACL-LIFE-002")
def uses_a_device_after_the_end(broken):
    ok(acl.rt.reset_device(0))
    ok(acl.finalize())
    if not broken:
        ok(acl.init())
    acl.rt.set_device(0)
    if broken:
        ok(acl.init())
        ok(acl.rt.set_device(0))


def main():
    how, *rest = sys.argv[1:]
    if how == "--list":
        return print("\n".join(f"{name} {rules}" for name, (rules, _) in PROGRAMS.items()))
    if how == "--list-alone":
        for name, (rules, _, variables) in ALONE.items():
            print(name, rules, *(f"{key}={value}" for key, value in variables.items()))
        return None
    if how == "--list-missing":
        return print("\n".join(f"{rules} {why}" for rules, why in NOT_IN_PYTHON.items()))
    Execution.folder = pathlib.Path(rest[0])
    if len(rest) == 2:
        return ALONE[rest[1]][1](how == "broken")
    for _, function in PROGRAMS.values():
        with Library():
            function(how == "broken")
    return None


if __name__ == "__main__":
    main()
