# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs in Python with one mistake each: queued work, waits, callbacks, models, and what needs a process of its own."""
import os
import tempfile
import threading
import time

import acl

from shared_python_programs import BYTES, D2D, D2H, H2D, Execution, Held, Library, Things, alone, ok, program


def bytes_at(pointer, count=BYTES):
    return acl.util.ptr_to_numpy(pointer, (count,), 1)


@program("ACL-MEM-005")
def promises_more_than_there_is(broken):
    with Things() as here:
        data = bytes(16)
        ok(acl.rt.memcpy(here.memory(), 2 * BYTES if broken else BYTES, acl.util.bytes_to_ptr(data), 16, H2D))


@program("ACL-MEM-006")
def claims_more_than_there_is(broken):
    with Things() as here:
        ok(acl.destroy_data_buffer(acl.create_data_buffer(here.memory(), 2 * BYTES if broken else BYTES)))


@program("ACL-MEM-007")
def writes_behind_pinned_memory(broken):
    memory = ok(acl.rt.malloc_host(BYTES))
    bytes_at(memory, BYTES + broken)[:] = 1
    ok(acl.rt.free_host(memory))


@program("ACL-MEM-008")
def runs_with_what_nobody_wrote(broken):
    run = Execution()
    fresh = ok(acl.rt.malloc(64, 0))
    ok(acl.update_data_buffer(run.buffers[0], fresh if broken else run.memory[0], 16))
    ok(acl.mdl.execute(run.model, run.inputs, run.outputs))
    run.end()
    ok(acl.rt.free(fresh))


@program("ACL-MEM-009")
def copies_what_nobody_wrote(broken):
    with Things() as here:
        ok(acl.rt.memcpy(here.pinned(), BYTES, here.memory(written=not broken), BYTES, D2H))


@program("ACL-MEM-012")
def copies_to_an_odd_place(broken):
    with Things() as here:
        ok(acl.rt.memcpy(here.memory() + (16 if broken else 64), 64, here.memory(), 64, D2D))


@program("ACL-MEM-013")
def uses_memory_of_a_peer(broken):
    with Things() as here:
        source = here.memory()
        ok(acl.rt.set_device(1))
        if not broken:
            ok(acl.rt.device_enable_peer_access(0, 0))
        with Things() as there:
            ok(acl.rt.memcpy_async(there.memory(), BYTES, source, BYTES, D2D, there.stream()))
        ok(acl.rt.reset_device(1))
        ok(acl.rt.set_device(0))
    ok(acl.rt.reset_device(0))


@program("ACL-MEM-015")
def uses_addresses_without_memory(broken):
    with Things() as here:
        reserved = ok(acl.rt.reserve_mem_address(2 << 20, 0, 0, 1))
        acl.rt.memset(reserved if broken else here.memory(), BYTES, 0, BYTES)
        ok(acl.rt.release_mem_address(reserved))


@program("ACL-MEM-016")
def gives_host_memory_to_a_device(broken):
    with Things() as here:
        data = bytes(64)
        address = (acl.util.bytes_to_ptr(data) + 7) // 8 * 8
        acl.rt.value_write(address if broken else here.memory(), 1, 0, here.stream())


@program("ACL-MEM-002 ACL-MEM-003")
def frees_scratch_memory(broken):
    with Things() as here:
        stream, scratch = here.stream(), ok(acl.rt.malloc(BYTES, 0))
        held = Held(stream)
        ok(acl.rt.memset_async(scratch, BYTES, 0, BYTES, stream))
        if not broken:
            held.release()
            ok(acl.rt.synchronize_stream(stream))
        ok(acl.rt.free(scratch))
        held.release()


@program("ACL-RACE-002")
def passes_a_result_on_too_early(broken):
    with Things() as here:
        host, stream, last = here.pinned(), here.stream(), here.memory()
        ok(acl.rt.memcpy_async(host, BYTES, here.memory(), BYTES, D2H, stream))
        if not broken:
            ok(acl.rt.synchronize_stream(stream))
        ok(acl.rt.memcpy(last, BYTES, host, BYTES, H2D))


@program("ACL-RACE-004")
def refills_a_source(broken):
    with Things() as here:
        host, stream, other, notify = here.pinned(), here.stream(), here.stream(), here.notify()
        bytes_at(host)[:] = 1
        if broken:
            ok(acl.rt.wait_and_reset_notify(notify, stream, 0))
        ok(acl.rt.memcpy_async(here.memory(), BYTES, host, BYTES, H2D, stream))
        if not broken:
            ok(acl.rt.synchronize_stream(stream))
        bytes_at(host)[:] = 2
        if broken:
            ok(acl.rt.record_notify(notify, other))


@program("ACL-SYNC-001")
def waits_before_it_records(broken):
    with Things() as here:
        event, one, two = here.event(), here.stream(), here.stream()
        if not broken:
            ok(acl.rt.record_event(event, one))
        ok(acl.rt.stream_wait_event(two, event))
        if broken:
            ok(acl.rt.record_event(event, one))
            ok(acl.rt.synchronize_event(event))


@program("ACL-SYNC-002")
def records_for_nobody(broken):
    with Things() as here:
        event, stream = here.event(), here.stream()
        ok(acl.rt.record_event(event, stream))
        if not broken:
            ok(acl.rt.synchronize_event(event))


@program("ACL-SYNC-003")
def resets_in_a_third_stream(broken):
    with Things() as here:
        event, one, two, three = here.event(), here.stream(), here.stream(), here.stream()
        ok(acl.rt.record_event(event, one))
        ok(acl.rt.stream_wait_event(two, event))
        ok(acl.rt.reset_event(event, three if broken else two))


@program("ACL-SYNC-004")
def records_again_under_a_wait(broken):
    with Things() as here:
        event, one, two = here.event(), here.stream(), here.stream()
        for _ in range(2):
            ok(acl.rt.record_event(event, one))
            ok(acl.rt.stream_wait_event(two, event))
            if not broken:
                ok(acl.rt.synchronize_stream(two))


@program("ACL-SYNC-006")
def records_a_notify_twice(broken):
    with Things() as here:
        notify, one, two = here.notify(), here.stream(), here.stream()
        ok(acl.rt.record_notify(notify, one))
        if not broken:
            ok(acl.rt.wait_and_reset_notify(notify, two, 0))
            ok(acl.rt.synchronize_stream(two))
        ok(acl.rt.record_notify(notify, one))
        ok(acl.rt.wait_and_reset_notify(notify, two, 0))


@program("ACL-SYNC-010")
def takes_a_time_out_for_an_end(broken):
    with Things() as here:
        memory, stream, size = here.memory(), here.stream(), 64 << 20
        much = here.keep(ok(acl.rt.malloc(size, 0)), acl.rt.free)
        for i in range(20):
            ok(acl.rt.memset_async(much, size, i, size, stream))
        ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, stream))
        while acl.rt.synchronize_stream_with_timeout(stream, 1 if broken else 60000) == 0 and broken:
            ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, stream))  # never, on any machine known
        ok(acl.rt.memset(memory, BYTES, 2, BYTES))


@program("ACL-RACE-003 ACL-SYNC-011")
def synchronizes_an_empty_stream(broken):
    with Things() as here:
        memory, one, two = here.memory(), here.stream(), here.stream()
        ok(acl.rt.memset_async(memory, BYTES, 1, BYTES, one))
        ok(acl.rt.synchronize_stream(two if broken else one))
        ok(acl.rt.memcpy(here.pinned(), BYTES, memory, BYTES, D2H))


@program("ACL-STREAM-001")
def destroys_a_stream_with_work_left(broken):
    with Things() as here:
        notify, one, two = here.notify(), ok(acl.rt.create_stream()), here.stream()
        ok(acl.rt.wait_and_reset_notify(notify, one, 0))
        if not broken:
            ok(acl.rt.record_notify(notify, two))
            ok(acl.rt.synchronize_stream(one))
        ok(acl.rt.destroy_stream_force(one))


@program("ACL-CTX-002")
def records_an_event_of_another_device(broken):
    with Things() as here:
        event = here.event()
        if not broken:
            ok(acl.rt.record_event(event, here.stream()))
        ok(acl.rt.set_device(1))
        with Things() as there:
            acl.rt.record_event(event, there.stream()) if broken else acl.rt.stream_wait_event(there.stream(), event)
        ok(acl.rt.reset_device(1))
        ok(acl.rt.set_device(0))
    ok(acl.rt.reset_device(0))


@program("ACL-CB-007")
def subscribes_a_number_of_the_kernel(broken):
    with Things() as here:
        thread, stream = threading.get_native_id() if broken else threading.get_ident(), here.stream()
        ok(acl.rt.subscribe_report(thread, stream))
        ok(acl.rt.unsubscribe_report(thread, stream))


@program("ACL-LEAK-002")
def leaves_pinned_memory(broken):
    memory = ok(acl.rt.malloc_host(BYTES))
    if not broken:
        ok(acl.rt.free_host(memory))


@program("ACL-LEAK-007")
def makes_more_and_more(broken):
    descriptions = []
    for _ in range(1100):
        descriptions.append(acl.create_tensor_desc(0, [4], 2))
        if not broken:
            acl.destroy_tensor_desc(descriptions.pop())
    for one in descriptions:
        acl.destroy_tensor_desc(one)


@program("ACL-MDL-005")
def changes_the_gear_of_a_queued_run(broken):
    run = Execution("gears.om", rows=2, gear=True)
    for rows in (1, 2):
        ok(acl.mdl.set_dynamic_batch_size(run.model, run.inputs, 1, rows))
        run.queue()
        if not broken:
            run.wait()
    run.end()


@program("ACL-MDL-006")
def runs_a_model_on_two_streams(broken):
    run, other = Execution(), acl.mdl.create_dataset()
    buffer = run.add(other, run.memory[2], 16)
    with Things() as here:
        run.queue()
        if not broken:
            run.wait()
        acl.mdl.execute_async(run.model, run.inputs, other, here.stream())
    run.end()
    ok(acl.mdl.destroy_dataset(other))
    ok(acl.destroy_data_buffer(buffer))


@program("ACL-MDL-007")
def runs_a_model_of_another_device(broken):
    run = Execution()
    if broken:
        ok(acl.rt.set_device(1))
    acl.mdl.execute(run.model, run.inputs, run.outputs)
    if broken:
        ok(acl.rt.reset_device(1))
        ok(acl.rt.set_device(0))
        ok(acl.rt.reset_device(0))
    run.end()


@program("ACL-MDL-009")
def keeps_an_output_the_library_made(broken):
    run = Execution()
    buffer = run.buffers[1]
    ok(acl.update_data_buffer(buffer, 0, 0))
    ok(acl.mdl.execute(run.model, run.inputs, run.outputs))
    if not broken:
        ok(acl.rt.free(acl.get_data_buffer_addr(buffer)))
        ok(acl.update_data_buffer(buffer, 0, 0))
    ok(acl.mdl.execute(run.model, run.inputs, run.outputs))
    ok(acl.rt.free(acl.get_data_buffer_addr(buffer)))
    run.end()


@program("ACL-USE-002")
def does_not_stop_a_profile(broken):
    with tempfile.TemporaryDirectory() as folder:
        ok(acl.prof.init(folder))
        config = acl.prof.create_config([0], 0xFF, 0, 1)
        ok(acl.prof.start(config))
        if not broken:
            ok(acl.prof.stop(config))
            ok(acl.prof.destroy_config(config))
        ok(acl.prof.finalize())


@program("ACL-PERF-002")
def waits_for_a_device_instead_of_a_stream(broken):
    with Things() as here:
        ok(acl.rt.memset_async(here.memory(), BYTES, 0, BYTES, here.stream()))
        if not broken:
            ok(acl.rt.memset_async(here.memory(), BYTES, 0, BYTES, here.stream()))
        ok(acl.rt.synchronize_device())


@program("ACL-PERF-003")
def allocates_in_every_turn(broken):
    for _ in range(1100 if broken else 1):  # the interpreter's own stack is another one in the first turns
        ok(acl.rt.free(ok(acl.rt.malloc(BYTES, 0))))


@program("ACL-PERF-004")
def waits_after_every_task(broken):
    with Things() as here:
        memory, stream = here.memory(), here.stream()
        for _ in range(150):
            ok(acl.rt.memset_async(memory, BYTES, 0, BYTES, stream))
            if broken:
                ok(acl.rt.synchronize_stream(stream))


@alone("ACL-MEM-001", FOOTHOLD_CHECK_ON="report,continue")
def follows_device_memory(broken):
    with Library(), Things() as here:
        bytes_at(here.memory() if broken else here.pinned())[0] = 1


@alone("ACL-LIFE-001")
def allocates_before_init(broken):
    if not broken:
        ok(acl.init())
        ok(acl.rt.set_device(0))
    acl.rt.malloc(BYTES, 0)
    os._exit(0)  # what is left is not asked for


@alone("ACL-CTX-005")
def goes_on_in_a_forked_child(broken):
    with Library(), Things() as here:
        memory = here.memory()
        child = os.fork()
        if child == 0:
            if broken:
                acl.rt.memset(memory, BYTES, 0, BYTES)
            os._exit(0)
        os.waitpid(child, 0)


@alone("ACL-SYNC-007", FOOTHOLD_CHECK_ON="error")
def waits_in_a_circle(broken):
    with Library(), Things() as here:
        notify, event, one, two = here.notify(), here.event(), here.stream(), here.stream()
        if not broken:
            ok(acl.rt.record_notify(notify, one))
        ok(acl.rt.wait_and_reset_notify(notify, two, 0))
        ok(acl.rt.record_event(event, two))
        ok(acl.rt.stream_wait_event(one, event))
        if broken:
            ok(acl.rt.record_notify(notify, one))
        acl.rt.synchronize_stream(one)
        if broken:
            ok(acl.rt.stream_abort(two))
            ok(acl.rt.stream_abort(one))


@alone("ACL-SYNC-008", FOOTHOLD_CHECK_ON="error")
def waits_for_what_it_would_record_later(broken):
    with Library(), Things() as here:
        notify, one, two = here.notify(), here.stream(), here.stream()
        ok(acl.rt.wait_and_reset_notify(notify, one, 0))
        if not broken:
            ok(acl.rt.record_notify(notify, two))
        acl.rt.synchronize_stream(one)
        if broken:
            ok(acl.rt.record_notify(notify, two))


@alone("ACL-CB-003")
def waits_for_its_own_stream(broken):
    with Library():
        context = ok(acl.rt.get_context())
        with Things() as here:
            one, two = here.stream(), here.stream()

            def waits_for_its_own_stream(_):  # the function reports name
                ok(acl.rt.set_context(context))
                if broken:
                    acl.rt.synchronize_stream(one)

            ok(acl.rt.launch_host_func(one, waits_for_its_own_stream, None))
            ok(acl.rt.synchronize_stream(two))


@alone("ACL-CB-005")
def allocates_in_a_host_function(broken):
    with Library():
        context, memory = ok(acl.rt.get_context()), []
        with Things() as here:
            stream = here.stream()

            def allocates_in_a_host_function(_):  # the function reports name
                ok(acl.rt.set_context(context))
                if broken:
                    memory.append(ok(acl.rt.malloc(BYTES, 0)))

            ok(acl.rt.launch_host_func(stream, allocates_in_a_host_function, None))
        for block in memory:
            ok(acl.rt.free(block))


@alone("ACL-CB-004")
def holds_up_a_stream_for_long(broken):
    with Library(), Things() as here:
        ok(acl.rt.launch_host_func(here.stream(), lambda _: time.sleep(1.1 if broken else 0.01), None))


@alone("ACL-STREAM-004", FOOTHOLD_SOC_NAME="Ascend310P3")
def makes_many_streams(broken):
    with Library(), Things() as here:
        for _ in range(500 if broken else 100):
            here.stream()
