# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Runs programs that meet planned failures, with FOOTHOLD_FAULTS and `foothold check --faults`.

  fault_test.py <foothold> <checked_programs> <project> [test ...]
"""

import re
import sys
import unittest

from check_test import PROGRAMS, check, run


class Faults(unittest.TestCase):
    def fault(self, name, plan):
        return run([PROGRAMS, name, "mended"], FOOTHOLD_FAULTS=plan)

    def answers(self, plan, *expected):
        """What `meets_faults` prints: each call that did not answer 0, with its code."""
        self.assertEqual(self.fault("meets_faults", plan).stdout.split(), list(expected), plan)

    def test_calls_answer_as_planned(self):
        self.answers("aclrtMalloc=oom", "malloc:207001")
        self.answers("aclrtMalloc*=oom", "malloc:207001", "mallochost:207001")
        self.answers("allocation#2=oom", "mallochost:207001")
        self.answers("aclrtCreateStream=limit", "stream:207008")
        self.answers("aclrtCreateEvent=limit", "event:207007")
        self.answers("aclrtCreateNotify=limit", "notify:207009")
        self.answers("aclrtGetDeviceCount=absent", "count:207004")
        self.answers("aclrtSynchronize*=timeout", "eventlimit:507047", "synclimit:507046")
        self.answers("aclrtProcessReport=timeout", "report:507012")
        self.answers("aclmdlLoadFromFile=fail", "load:545001")
        self.answers("aclmdlLoadFromFile=short", "load:100012")
        self.answers("aclrtMemset=code=507899", "memset:507899")

    def test_tasks_fail_as_planned(self):
        self.answers("copy=fail", "sync:507013")
        self.answers("copy#2=fail", "sync:507013")
        self.answers("copy#3=fail")
        self.answers("copy@stream=99=fail")
        self.answers("copy=delay=2ms")
        self.answers("copy#1=flip=1", "flipped:1")
        self.answers("copy every 2=flip=3", "flipped:3")

    def test_devices_fail_as_planned(self):
        self.answers("device 0=lost", "eventlimit:507010", "synclimit:507010", "malloc2:507010", "reset:0")
        self.answers("device 0=ecc", "eventlimit:507054", "synclimit:507054", "malloc2:507054", "uce:1", "reset:0")
        self.answers("device 1=lost", "reset:0")

    def told(self, program, plan, *expected):
        """What another program prints, in the same way."""
        done = self.fault(program, plan)
        self.assertEqual(done.stdout.split(), list(expected), f"{plan}\n{done.stderr}")

    def test_devices_can_be_absent(self):
        self.told("meets_absent_devices", "aclrtSetDevice=absent", "set:107001")
        self.told("meets_absent_devices", "aclrtSetDevice#2=absent")
        self.told("meets_absent_devices", "aclrtGetDeviceCount=absent", "count:207004")

    def test_memory_can_look_full(self):
        self.told("meets_full_memory", "aclrtMalloc=oom", "malloc:207001")
        self.told("meets_full_memory", "aclrtMemAllocManaged=oom", "managed:207001")
        self.told("meets_full_memory", "aclrtMalloc=oom:full", "malloc:207001", "full")
        self.told("meets_full_memory", "allocation#2=oom:full", "managed:207001", "full")

    def test_a_device_can_abort_its_tasks(self):
        self.told("meets_an_abort", "device 0#2=abort", "sync:107022")

    TASKS = {"aicore": 507015, "aicpu": 507018, "vector": 507035, "timeout": 507014, "overflow": 207003}

    def test_operators_fail_as_planned(self):
        for what, code in self.TASKS.items():
            self.told("meets_faults_of_operators", f"op={what}", f"sync:{code}")
        self.told("meets_faults_of_operators", "op=delay=1ms")
        self.told("meets_faults_of_operators", "model=aicore;graph=aicore;copy=fail")

    def test_models_fail_as_planned(self):
        for what, code in self.TASKS.items():
            self.told("meets_faults_of_models", f"model={what}", f"execute:{code}", f"sync:{code}")
        self.told("meets_faults_of_models", "model#2=aicore", "sync:507015")
        self.told("meets_faults_of_models", "model=delay=1ms")
        self.told("meets_faults_of_models", "aclmdlExecute=fail", "execute:507011")
        self.told("meets_faults_of_models", "aclmdlExecute*=fail", "execute:507011", "queue:507011")
        self.told("meets_faults_of_models", "aclmdlLoad*=fail", "load:545001")
        self.told("meets_faults_of_models", "aclmdlLoadFromMem=short", "load:100012")

    def test_graphs_fail_as_planned(self):
        self.told("meets_faults_of_graphs", "RunGraph=fail", "run:injected")
        self.told("meets_faults_of_graphs", "RunGraph=oom", "run:injected")
        self.told("meets_faults_of_graphs", "RunGraphAsync=fail", "async:injected")
        self.told("meets_faults_of_graphs", "RunGraph*=fail", "run:injected", "async:injected", "stream:injected")
        self.told("meets_faults_of_graphs", "LoadGraph=fail", "load:injected")
        self.told("meets_faults_of_graphs", "LoadGraph=oom", "load:injected")
        self.told("meets_faults_of_graphs", "graph#1=aicore", "run:injected")
        self.told("meets_faults_of_graphs", "graph#2=aicore", "callback")
        self.told("meets_faults_of_graphs", "graph#3=aicore", "sync:507015")
        self.told("meets_faults_of_graphs", "graph=delay=1ms")
        self.assertEqual(self.fault("meets_faults_of_graphs", "GEInitialize=fail").returncode, 2)

    def test_allocators_of_the_program_fail_as_planned(self):
        for what, text in {"null": "gave nothing", "small": "gave a smaller block", "throw": "threw"}.items():
            done = self.fault("meets_faults_of_allocators", f"allocator#1={what}")
            self.assertIn("stream:", done.stdout, what)
            self.assertIn(text, done.stdout)
            self.assertNotIn("again:", done.stdout)
            self.assertNotIn("blocks:", done.stdout, "a block was lost")

    def test_dumps_can_be_refused(self):
        self.told("meets_faults_of_dumps", "copy=fail")
        self.assertIn("nothing", self.fault("meets_faults_of_dumps", "dump=refuse").stdout)

    def test_faults_are_no_findings(self):
        for program, plan in {"meets_faults_of_models": "model=aicore", "meets_faults_of_graphs": "RunGraph*=fail",
                              "meets_faults_of_allocators": "allocator#1=throw", "meets_full_memory": "allocation=oom",
                              "meets_faults_of_operators": "op#1=vector", "meets_faults_of_dumps": "dump=refuse"}.items():
            done = check(PROGRAMS, program, "mended", options=["--faults", plan, "--leaks=error"])
            self.assertEqual((done.code, done.findings), (0, []), f"{program} {plan}\n{done.err}")

    def test_selectors(self):
        self.answers("aclrtMalloc@thread=main=oom", "malloc:207001")
        self.answers("aclrtMalloc after=1000s=oom")
        self.answers("aclrtMalloc%0=oom")
        self.answers("seed=3;aclrtMalloc%100=oom", "malloc:207001")

    def test_mistakes_are_refused_with_the_nearest_word(self):
        for plan, text in {"cpoy=fail": 'did you mean "copy"',
                           "aclrtMalloc=om": 'did you mean "oom"',
                           "copy@straem=1=fail": 'did you mean "stream"',
                           "copy": "what is to happen is missing",
                           "copy=delay": "is no time",
                           "copy=delay=2": "is no time",
                           "aclrtFree=code=1": "is no number of the library",
                           "model#x=aicore": "needs a whole number",
                           "copy#0=fail": "counts from 1",
                           "aclrtMalloc=fail": "cannot happen there"}.items():
            done = self.fault("meets_faults", plan)
            self.assertIn(text, done.stderr, plan)
            self.assertEqual(done.stdout, "", plan)

    def test_the_sweep_takes_every_allocation_once(self):
        done = check(PROGRAMS, "meets_faults", "mended", options=["--faults", "sweep"])
        self.assertEqual((done.code, done.findings), (0, []), done.err)
        self.assertIn("2 allocations failed one at a time; 0 crashes, 0 without an end, 0 errors, 0 warnings", done.err)

    def test_the_sweep_takes_memory_of_the_library_too(self):
        done = check(PROGRAMS, "meets_faults_of_graphs", "mended", options=["--faults", "sweep", "--leaks=error"])
        self.assertEqual((done.code, done.findings), (0, []), done.err)
        taken = int(re.search(r"(\d+) allocations failed", done.err).group(1))
        self.assertGreater(taken, 2, "more than what the program asks for itself")

    def test_a_sweep_can_take_some_of_each_place(self):
        done = check(PROGRAMS, "takes_memory_in_a_loop", "mended", options=["--faults", "sweep:places"])
        self.assertEqual((done.code, done.findings), (0, []), done.err)
        self.assertIn("4 allocations failed one at a time", done.err)

    def test_a_run_without_an_end_is_ended(self):
        done = check("/bin/sleep", "100", options=["--time-limit", "1"])
        self.assertEqual(done.code, 86)
        self.assertIn("was ended after 1 seconds", done.err)

    def test_injected_failures_are_no_findings(self):
        done = check(PROGRAMS, "meets_faults", "mended", options=["--faults", "aclrtMemset=code=107002"])
        self.assertEqual(done.findings, [finding for finding in done.findings if "injected" in finding])

    def test_faults_that_never_happen_are_told(self):
        done = check(PROGRAMS, "meets_faults", "mended", options=["--faults", "aclrtMaloc=code=207001; copy#1=fail"])
        self.assertIn("fault that never happened: aclrtMaloc=code=207001", done.err)
        self.assertNotIn("never happened: copy", done.err)

    def test_a_sweep_without_the_command_is_told(self):
        self.assertIn("foothold check --faults sweep", self.fault("meets_faults", "sweep").stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
