# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs that end while callbacks are pending or running, or that use the library when the interpreter has ended."""
import unittest

from on_device import run_program

START = """
import acl, atexit, sys, threading
acl.init()
acl.rt.set_device(0)
context, _ = acl.rt.get_context()
stream, _ = acl.rt.create_stream()
"""
REPORT = """
def report(args):
    acl.rt.set_context(context)
    ready.set()
    while True:
        acl.rt.process_report(50)
ready = threading.Event()
thread, _ = acl.util.start_thread(report, [])
ready.wait()
acl.rt.subscribe_report(thread, stream)
"""


class Exit(unittest.TestCase):
    def ends_well(self, program, expected=""):
        code, out, err = run_program(START + program)
        self.assertEqual((code, err), (0, ""), out)
        self.assertEqual(out, expected)

    def test_with_callbacks_that_were_never_run(self):
        self.ends_well(REPORT + """
for i in range(100):
    acl.rt.launch_callback(lambda _: None, [i], 1, stream)
""")

    def test_with_a_thread_in_process_report(self):
        self.ends_well(REPORT)

    def test_with_a_thread_that_computes(self):
        self.ends_well("""
def compute(args):
    while True:
        args[0] += 1
args = [0]
acl.util.start_thread(compute, args)
while args[0] < 1000:
    pass
""")

    def test_with_daemon_threads_in_waiting_calls(self):
        self.ends_well("""
pointer, _ = acl.rt.malloc(8, 0)
acl.rt.memset(pointer, 8, 0, 8)
acl.rt.value_wait(pointer, 1, 1, stream)
def wait():
    acl.rt.set_context(context)
    acl.rt.synchronize_stream(stream)
for _ in range(4):
    threading.Thread(target=wait, daemon=True).start()
""")

    def test_waits_for_callbacks_that_run(self):
        self.ends_well("""
entered = threading.Event()
def slow(_):
    entered.set()
    for _ in range(200):
        acl.rt.get_mem_info(0)
    print("done", flush=True)
acl.rt.launch_host_func(stream, slow, None)
entered.wait()
""", "done\n")

    def test_runs_callbacks_for_exit_handlers(self):
        self.ends_well("""
def at_end():
    acl.rt.launch_host_func(stream, print, "called")
    print(acl.rt.synchronize_stream(stream), flush=True)
atexit.register(at_end)
""", "called\n0\n")

    def test_lets_destructors_use_the_library(self):
        self.ends_well(REPORT + """
import os, types
class Resource:
    def __init__(self):
        self.buffer, _ = acl.rt.malloc(64, 0)
    def __del__(self, acl=acl, stream=stream, write=os.write, print=print):
        for _ in range(3):
            acl.rt.launch_callback(print, "too late", 1, stream)
            acl.rt.launch_host_func(0, print, "too late")
        codes = [acl.rt.synchronize_stream(stream), acl.rt.synchronize_stream(0), acl.rt.free(self.buffer),
                 acl.rt.destroy_stream(stream), acl.rt.reset_device(0), acl.finalize(), acl.rt.free(1) != 0]
        write(1, repr(codes).encode())
# In a module of its own: the names of this one live as long as the thread.
sys.modules["own"] = types.ModuleType("own")
sys.modules["own"].kept = Resource()
""", "[0, 0, 0, 0, 0, 0, True]")

    def test_by_exceptions_keeps_its_code(self):
        code, out, err = run_program(START + REPORT + "raise SystemExit(7)")
        self.assertEqual((code, out, err), (7, "", ""))

    def test_of_forked_children_does_not_wait_for_threads_of_the_parent(self):
        self.ends_well(REPORT + """
import os
entered, leave = threading.Event(), threading.Event()
def hold(_):
    entered.set()
    leave.wait()
acl.rt.launch_host_func(0, hold, None)
entered.wait()
child = os.fork()
if child == 0:
    sys.exit(0)
print(os.waitpid(child, 0)[1], flush=True)
leave.set()
""", "0\n")
