# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Devices, contexts, streams, events and notifies."""
import acl
from on_device import DeviceCase, run_program


class Devices(DeviceCase):
    def test_are_counted_and_chosen(self):
        self.assertGreaterEqual(self.ok(acl.rt.get_device_count()), 1)
        self.assertEqual(self.ok(acl.rt.get_device()), 0)
        self.fails(acl.rt.set_device(1000), 107001)
        self.ok(acl.rt.synchronize_device())
        self.ok(acl.rt.synchronize_device_with_timeout(1000))
        self.fails(acl.rt.synchronize_device_with_timeout(-2))

    def test_can_be_chosen_before_init(self):
        self.assertEqual(run_program("""
            import acl
            assert acl.rt.set_device(0) == 0
            context, ret = acl.rt.create_context(0)
            assert ret == 0
            assert acl.init() == 0
            assert acl.rt.get_context() == (context, 0)
            assert acl.init() == 100002
            assert acl.finalize() == 0
            assert acl.rt.set_device(0) == 100001
        """), (0, "", ""))

    def test_tell_about_themselves(self):
        self.ok(acl.rt.query_device_status(0))
        self.assertGreater(self.ok(acl.rt.get_device_info(0, 1)), 0)
        self.assertIn("cubeUtilization", self.ok(acl.rt.get_device_utilization_rate(0)))
        least, greatest = self.ok(acl.rt.device_get_stream_priority_range())
        self.assertGreaterEqual(least, greatest)
        self.ok(acl.rt.device_get_bare_tgid())
        self.assertEqual(self.ok(acl.rt.get_logic_dev_id_by_user_dev_id(0)), 0)
        self.assertEqual(self.ok(acl.rt.get_user_dev_id_by_logic_dev_id(0)), 0)
        self.fails(acl.rt.query_device_status(1000))

    def test_have_limits(self):
        cores = self.ok(acl.rt.get_device_res_limit(0, 0))
        self.ok(acl.rt.set_device_res_limit(0, 0, cores))
        self.ok(acl.rt.reset_device_res_limit(0))
        self.ok(acl.rt.set_stream_res_limit(self.stream, 0, cores))
        self.assertEqual(self.ok(acl.rt.get_stream_res_limit(self.stream, 0)), cores)
        self.ok(acl.rt.use_stream_res_in_current_thread(self.stream))
        self.assertEqual(self.ok(acl.rt.get_res_in_current_thread(0)), cores)
        self.ok(acl.rt.unuse_stream_res_in_current_thread(self.stream))
        self.ok(acl.rt.reset_stream_res_limit(self.stream))
        self.ok(acl.rt.device_set_limit(2, 65536))
        self.fails(acl.rt.device_set_limit(9, 1), 207000)

    def test_have_settings(self):
        mode = self.ok(acl.rt.get_device_sat_mode())
        self.ok(acl.rt.set_device_sat_mode(mode))
        self.ok(acl.rt.set_sys_param_opt(0, 1))
        self.assertEqual(self.ok(acl.rt.get_sys_param_opt(0)), 1)
        self.ok(acl.rt.set_sys_param_opt(0, 0))
        self.ok(acl.rt.ctx_set_sys_param_opt(0, 1))
        self.assertEqual(self.ok(acl.rt.ctx_get_sys_param_opt(0)), 1)
        self.fails(acl.rt.ctx_get_sys_param_opt(999))

    def test_have_time_limits(self):
        self.ok(acl.rt.set_op_wait_timeout(0))
        self.ok(acl.rt.set_op_execute_time_out(100))
        self.ok(acl.rt.set_op_execute_time_out_with_ms(100000))
        self.ok(acl.rt.set_op_execute_timeout_v2(1000000))
        self.assertGreater(self.ok(acl.rt.get_op_execute_timeout()), 0)
        self.ok(acl.rt.get_op_timeout_interval())

    def test_have_one_default_context(self):
        active, flags, ret = acl.rt.get_primary_ctx_state(0)
        self.assertEqual((active, flags, ret), (1, 0, 0))
        self.fails(acl.rt.get_primary_ctx_state(1000))

    def test_drop_their_tasks(self):
        self.ok(acl.rt.device_task_abort(0, 1000))
        self.ok(acl.rt.reset_device_force(0))
        self.ok(acl.rt.set_device(0))
        self.context = self.ok(acl.rt.create_context(0))
        self.stream = self.ok(acl.rt.create_stream())


class Peers(DeviceCase):
    def test_reach_each_others_memory(self):
        self.assertEqual(self.ok(acl.rt.device_can_access_peer(0, 1)), 1)
        self.ok(acl.rt.device_enable_peer_access(1, 0))
        self.assertEqual(self.ok(acl.rt.device_peer_access_status(0, 1)), 1)
        self.ok(acl.rt.device_disable_peer_access(1))
        self.ok(acl.rt.get_devices_topo(0, 1))
        self.fails(acl.rt.device_enable_peer_access(1000, 0))


class Contexts(DeviceCase):
    def test_are_of_a_thread(self):
        self.assertEqual(self.ok(acl.rt.get_context()), self.context)
        other = self.ok(acl.rt.create_context(0))
        self.assertEqual(self.ok(acl.rt.get_context()), other)
        self.ok(acl.rt.set_context(self.context))
        self.ok(acl.rt.destroy_context(other))
        self.fails(acl.rt.set_context(other))
        self.fails(acl.rt.create_context(1000))

    def test_have_a_default_stream(self):
        default = self.ok(acl.rt.ctx_get_current_default_stream())
        self.assertNotIn(default, (0, self.stream))
        self.ok(acl.rt.synchronize_stream(0))


class Streams(DeviceCase):
    def test_are_made_with_a_priority(self):
        stream = self.ok(acl.rt.create_stream_with_config(0, 1))
        self.assertEqual(self.ok(acl.rt.stream_get_priority(stream)), 0)
        self.assertEqual(self.ok(acl.rt.stream_get_flags(stream)), 1)
        self.assertGreaterEqual(self.ok(acl.rt.stream_get_id(stream)), 0)
        self.ok(acl.rt.destroy_stream_force(stream))
        self.fails(acl.rt.destroy_stream(stream))
        self.assertGreater(self.ok(acl.rt.get_stream_available_num()), 0)

    def test_say_when_they_are_done(self):
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(self.ok(acl.rt.stream_query(self.stream)), 0)
        self.ok(acl.rt.synchronize_stream_with_timeout(self.stream, 1000))
        self.fails(acl.rt.synchronize_stream(12345))

    def test_drop_their_tasks(self):
        self.ok(acl.rt.stream_abort(self.stream))
        self.ok(acl.rt.stream_stop(self.stream))

    def test_have_attributes(self):
        self.ok(acl.rt.set_stream_attribute(self.stream, 1, 1))
        self.assertEqual(self.ok(acl.rt.get_stream_attribute(self.stream, 1)), 1)
        self.ok(acl.rt.set_stream_attribute(self.stream, 3, 77))
        self.assertEqual(self.ok(acl.rt.get_stream_attribute(self.stream, 3)), 77)
        self.fails(acl.rt.get_stream_attribute(self.stream, 99))
        other = self.ok(acl.rt.create_stream())
        self.fails(acl.rt.set_stream_failure_mode(other, 5))
        self.ok(acl.rt.set_stream_failure_mode(other, 1))
        self.ok(acl.rt.destroy_stream(other))

    def test_look_for_overflow(self):
        self.ok(acl.rt.set_stream_overflow_switch(self.stream, 1))
        self.assertEqual(self.ok(acl.rt.get_stream_overflow_switch(self.stream)), 1)
        self.ok(acl.rt.reset_overflow_status(self.stream))
        pointer = self.malloc(512)
        self.ok(acl.rt.get_overflow_status(pointer, 64, self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))


class Events(DeviceCase):
    def event(self):
        event = self.ok(acl.rt.create_event())
        self.addCleanup(acl.rt.destroy_event, event)
        return event

    def test_happen_when_the_stream_is_there(self):
        start, end = self.event(), self.event()
        self.ok(acl.rt.record_event(start, self.stream))
        self.ok(acl.rt.record_event(end, self.stream))
        self.ok(acl.rt.synchronize_event(end))
        self.ok(acl.rt.synchronize_event_with_timeout(end, 100))
        self.assertEqual(self.ok(acl.rt.query_event_status(end)), 1)
        self.assertEqual(self.ok(acl.rt.query_event(end)), 0)
        elapsed = self.ok(acl.rt.event_elapsed_time(start, end))
        self.assertIsInstance(elapsed, float)
        self.assertGreaterEqual(self.ok(acl.rt.event_get_timestamp(end)), self.ok(acl.rt.event_get_timestamp(start)))
        self.fails(acl.rt.record_event(12345, self.stream))

    def test_hold_up_streams(self):
        event, other = self.event(), self.ok(acl.rt.create_stream())
        self.ok(acl.rt.record_event(event, other))
        self.ok(acl.rt.stream_wait_event(self.stream, event))
        self.ok(acl.rt.reset_event(event, self.stream))
        self.ok(acl.rt.stream_wait_event_with_timeout(self.stream, self.event(), 1000))
        self.ok(acl.rt.destroy_stream(other))

    def test_are_made_for_a_purpose(self):
        for make in (acl.rt.create_event_with_flag, acl.rt.create_event_ex_with_flag):
            event = self.ok(make(1))
            self.ok(acl.rt.destroy_event(event))
            self.fails(acl.rt.destroy_event(event))
        self.ok(acl.rt.get_event_id(self.event()))
        self.assertGreater(self.ok(acl.rt.get_event_avail_num()), 0)
        event = self.event()
        self.ok(acl.rt.record_event(event, self.stream))
        self.ok(acl.rt.stream_wait_event(self.stream, event))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.query_event_wait_status(event))

    def test_of_one_bit_are_notifies(self):
        notify, other = self.ok(acl.rt.create_notify(0)), self.ok(acl.rt.create_stream())
        self.ok(acl.rt.get_notify_id(notify))
        self.ok(acl.rt.wait_and_reset_notify(notify, self.stream, 0))
        self.ok(acl.rt.record_notify(notify, other))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.notify_batch_reset([notify]))
        self.fails(acl.rt.notify_batch_reset([12345]))
        self.ok(acl.rt.destroy_notify(notify))
        self.ok(acl.rt.destroy_stream(other))

    def test_may_be_values_in_memory(self):
        pointer, other = self.malloc(8), self.ok(acl.rt.create_stream())
        self.ok(acl.rt.memset(pointer, 8, 0, 8))
        self.ok(acl.rt.value_wait(pointer, 5, 0, self.stream))
        self.ok(acl.rt.value_write(pointer, 6, 0, other))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.assertEqual(acl.util.ptr_to_bytes(pointer, 1), b"\6")
        self.fails(acl.rt.value_write(0, 6, 0, other))
        self.ok(acl.rt.destroy_stream(other))
