# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Runs programs with one mistake each under `foothold check`, and the same programs without it.

  check_test.py <foothold> <checked_programs> <project> [test ...]
"""

import collections
import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FOOTHOLD, PROGRAMS, PROJECT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("FOOTHOLD_CHECK")}
ENVIRONMENT["FOOTHOLD_DEVICES"] = "2"
ENVIRONMENT["FOOTHOLD_DEVICE_MEMORY"] = "256M"

# A device ends programs that follow its addresses, and so does the mode.
ENDED_BY_SIGNAL = {"copies_device_memory_with_memcpy"}

Result = collections.namedtuple("Result", "code out err findings")


def run(words, **variables):
    return subprocess.run(words, capture_output=True, timeout=120, check=False, text=True, cwd=PROJECT,
                          env={**ENVIRONMENT, **variables})


def check(*words, options=(), **variables):
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder, "found.json")
        done = run([FOOTHOLD, "check", "--output", str(found), *options, "--", *words], **variables)
        findings = [json.loads(line) for line in found.read_text().splitlines()] if found.exists() else []
    return Result(done.returncode, done.stdout, done.stderr, findings)


def programs():
    """Name, rules, and the variables it needs; rules with "pages:" before them only closed pages can find."""
    for line in run([PROGRAMS, "--list"]).stdout.splitlines():
        name, *words = line.split()
        yield (name, [word for word in words if "=" not in word],
               dict(word.split("=") for word in words if "=" in word))


def groups_of(rules):
    """What has to be asked for so that these are reported."""
    wanted = {RULES[rule]["severity"] for rule in named(rules)} & {"portability", "advice"}
    if named(rules) != sorted(rules):
        wanted.add("pages")
    return ",".join(["all", *sorted("+" + word for word in wanted)])


def named(rules):
    return sorted(rule.removeprefix("pages:") for rule in rules)


RULES = {rule["id"]: rule for rule in json.loads(run([FOOTHOLD, "explain", "--rules", "--json"]).stdout)}


class Programs(unittest.TestCase):
    """Each program broken: exactly its rules, once each. Mended: nothing."""

    # Where a rule is portability only in one of its forms.
    extra_groups = {"times_two_streams": "all,+portability", "looks_behind_its_storage": "all,+portability"}

    def both(self, one, **variables):
        """What is wrong, as texts. What keeps the test from looking is one of them, and is told at once."""
        try:
            return self.problems_of(one, **variables)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            said = getattr(error, "stderr", None) or ""
            text = f"{one[0]} {variables}: {type(error).__name__}: {error}\n" + (
                said if isinstance(said, str) else said.decode(errors="replace"))
            print(text, file=sys.stderr, flush=True)
            return [text]

    def problems_of(self, one, **variables):
        name, rules, needed = one
        problems = []
        variables = {**needed, "FOOTHOLD_CHECK": self.extra_groups.get(name, groups_of(rules)), **variables}
        broken = check(PROGRAMS, name, "broken", **variables)
        found = sorted(finding["rule"] for finding in broken.findings)
        if found != named(rules):
            problems.append(f"{name} broken: expected {rules}, found {found}\n{broken.err}")
        errors = any(finding["severity"] == "error" for finding in broken.findings)
        ends = name in ENDED_BY_SIGNAL and "continue" not in variables.get("FOOTHOLD_CHECK_ON", "")
        if broken.code != (-signal.SIGSEGV if ends else 86 if errors else 0):
            problems.append(f"{name} broken: status {broken.code}\n{broken.err}")
        for finding in broken.findings:
            if not any("_programs.cpp" in frame.get("file", "") for frame in finding["now"]["stack"]):
                problems.append(f"{name}: the report does not name the line\n{broken.err}")
        mended = check(PROGRAMS, name, "mended", **variables)
        if (mended.code, mended.out, mended.err, mended.findings) != (0, "", "", []):
            problems.append(f"{name} mended: status {mended.code}\n{mended.err}")
        return problems

    def test_each_says_exactly_what_is_wrong(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = [text for texts in pool.map(self.both, programs()) for text in texts]
        self.assertEqual(problems, [], "\n".join(problems))

    def test_races_are_found_and_not_invented_when_streams_run_late_or_by_chance(self):
        races = [one for one in programs() if any(re.search("RACE|MEM-00[3789]", rule) for rule in one[1])]
        jobs = [(one, "late") for one in races[::2]] + [(one, "3") for one in races[1::2]]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = [text for texts in
                        pool.map(lambda job: self.both(job[0], FOOTHOLD_SCHEDULE=job[1]), jobs) for text in texts]
        self.assertEqual(problems, [], "\n".join(problems))

    def test_programs_may_go_on_with_device_addresses(self):
        for name in ("copies_device_memory_with_memcpy", "follows_a_mapped_address"):
            problems = self.both((name, ["ACL-MEM-001"], {}), FOOTHOLD_CHECK_ON="report,continue")
            self.assertEqual(problems, [], "\n".join(problems))

    def test_the_report_is_whole_before_a_fault_ends_the_program(self):
        done = run([PROGRAMS, "copies_device_memory_with_memcpy", "broken"], FOOTHOLD_CHECK="all")
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        self.assertRegex(done.stderr, r"now     host code reads byte 0\n +in thread \d+ in    copies_device_memory_with_memcpy")
        self.assertIn("made by aclrtMalloc", done.stderr)
        self.assertIn("== foothold check == 1 error, 0 warnings", done.stderr)

    def test_every_rule_has_a_program(self):
        shown = {rule for _, rules, _ in programs() for rule in named(rules)}
        self.assertEqual(set(RULES) - shown, set(), "rules without a program that breaks them")
        self.assertEqual(shown - set(RULES), set(), "programs for rules that do not exist")


class Silence(unittest.TestCase):
    """A few programs written like known ones; make check-silence runs all there are."""

    def test_nothing_is_found_in_programs_that_are_right(self):
        for program in filter(None, os.environ.get("CHECKED_CLIENTS", "").split(":")):
            done = check(program)
            self.assertEqual((done.code, done.findings), (0, []), f"{program}\n{done.err}")


@unittest.skipUnless(os.environ.get("CHECKED_PYTHON"), "the module is not built")
class Python(unittest.TestCase):
    """The same by way of the module: reports name the functions of Python."""

    maxDiff = None

    SCRIPT = str(PROJECT / "tests" / "check" / "python_programs.py")
    VARIABLES = {"PYTHONPATH": os.environ.get("CHECKED_PYTHON", "")}

    @classmethod
    def setUpClass(cls):
        cls.models = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.models.cleanup)
        run([PROGRAMS, "--models", cls.models.name]).check_returncode()

    def findings(self, how, *name, groups="all,portability,advice", **variables):
        return check("/usr/bin/python3", self.SCRIPT, how, self.models.name, *name, options=["--groups", groups],
                     **self.VARIABLES, **variables)

    def listed(self, what):
        return [line.split() for line in run(["/usr/bin/python3", self.SCRIPT, what], **self.VARIABLES).stdout.splitlines()]

    def both(self, words):
        name, rule, *needed = words
        variables = dict(word.split("=") for word in needed)
        found = [[finding["rule"] for finding in self.findings(how, name, groups=groups_of([rule]), **variables).findings]
                 for how in ("broken", "mended")]
        return [] if found == [[rule], []] else [f"{name}: expected {rule}, found {found[0]}; mended {found[1]}"]

    def test_programs_that_need_a_process_of_their_own(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = [text for texts in pool.map(self.both, self.listed("--list-alone")) for text in texts]
        self.assertEqual(problems, [], "\n".join(problems))

    def test_broken_programs_are_told_with_their_functions(self):
        expected = sorted((name, rule) for name, *rules in self.listed("--list") for rule in rules)
        self.assertGreater(len(expected), 60)
        done = self.findings("broken")
        names = {name for name, _ in expected}
        found = sorted((next((frame["function"] for frame in finding["now"]["stack"] if frame["function"] in names), "?"),
                        finding["rule"]) for finding in done.findings)
        self.assertEqual(found, expected, done.err)
        for finding in done.findings:
            self.assertTrue(finding["now"]["stack"][0]["file"].endswith("python_programs.py"), finding)

    def test_every_rule_has_a_program_or_a_reason(self):
        shown = {word for _, *words in self.listed("--list") + self.listed("--list-alone") for word in words if "=" not in word}
        missing = [rules for rules, *why in self.listed("--list-missing") if why]
        for rule in RULES:
            reasons = [rules for rules in missing if rule.startswith(rules)]
            self.assertEqual(len(reasons), 0 if rule in shown else 1, rule)

    def test_mended_programs_are_silent(self):
        done = self.findings("mended")
        self.assertEqual((done.code, done.findings), (0, []), done.err)


class Schedules(unittest.TestCase):
    def record(self, name, seed, folder):
        path = pathlib.Path(folder, f"{name}.{seed}")
        run([PROGRAMS, name, "mended"], FOOTHOLD_SCHEDULE=f"{seed},record={path}")
        return path.read_text()

    def record_twice(self, name, seed, folder):
        """What two runs have chosen alike. A machine so busy that tasks are held for too long may take more than two."""
        seen = set()
        for _ in range(6):
            text = self.record(name, seed, folder)
            if text in seen:
                return text
            seen.add(text)
        self.fail(f"{len(seen)} runs with the number {seed} have chosen differently")

    def test_the_same_number_chooses_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            chosen = [self.record_twice("runs_many_tasks", seed, folder) for seed in range(4)]
        self.assertGreater(len(set(chosen)), 1, "every number chooses the same")
        self.assertGreater(chosen[0].count("\n"), 20)

    def test_a_recording_can_be_played(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.record("runs_many_tasks", 3, folder)
            again = pathlib.Path(folder, "again")
            done = run([PROGRAMS, "runs_many_tasks", "mended"],
                       FOOTHOLD_SCHEDULE=f"file:{folder}/runs_many_tasks.3,record={again}")
            self.assertEqual((done.stderr, again.read_text()), ("", text))

    def test_leaving_a_recording_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "recording")
            path.write_text("99 0\n")
            done = run([PROGRAMS, "runs_many_tasks", "mended"], FOOTHOLD_SCHEDULE=f"file:{path}")
        self.assertIn("the recording is left at line 1: task 0 of stream 99", done.stderr)

    def test_the_command_runs_a_range(self):
        done = check(PROGRAMS, "runs_many_tasks", "mended", options=["--seeds", "0-2,early,late"])
        self.assertEqual((done.code, done.findings), (0, []))
        done = check(PROGRAMS, "forgets_the_event_between_two_streams", "broken", options=["--seeds", "0-9"])
        self.assertEqual(done.code, 86)
        self.assertEqual(len(done.findings), 1)
        self.assertIn("repeat with FOOTHOLD_SCHEDULE=0 foothold check", done.err)


class AllSchedules(unittest.TestCase):
    """By `make check-seeds`: everything under every schedule."""

    # These need a task that is not done when it is queued.
    queued = {"ACL-SYNC-010"}

    def look(self, schedule):
        chosen = [one for one in programs() if not (schedule == "early" and self.queued & set(one[1]))]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems = [text for texts in
                        pool.map(lambda one: Programs().both(one, FOOTHOLD_SCHEDULE=schedule), chosen) for text in texts]
        print(f"schedule {schedule}: {len(chosen)} programs, broken and mended; {len(problems)} problems", *problems, sep="\n", flush=True)
        self.assertEqual(problems, [], "\n".join(problems))

    def test_all(self):
        for schedule in os.environ.get("CHECK_SCHEDULES", "early late 0 1 2 3 4 5 6 7 8 9").split():
            with self.subTest(schedule=schedule):
                self.look(schedule)


class Standstills(unittest.TestCase):
    """Time in which nothing could happen is no standstill."""

    def test_a_report_that_takes_long_is_none(self):
        reads, writes = os.pipe()
        room = fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, 4096)
        os.write(writes, bytes(room))  # so that the report has to wait
        program = subprocess.Popen([PROGRAMS, "waits_for_its_own_stream", "broken"], stderr=writes,
                                   env={**ENVIRONMENT, "FOOTHOLD_CHECK": "all", "FOOTHOLD_CHECK_HANG": "1"})
        os.close(writes)
        time.sleep(3)
        with open(reads, "rb") as pipe:
            text = pipe.read().decode()
        self.assertEqual(program.wait(), 0)
        self.assertIn("ACL-CB-003", text)
        self.assertNotIn("ACL-SYNC-009", text)


class Sources(unittest.TestCase):
    def test_rules_named_in_the_library_exist(self):
        named = set()
        for path in (PROJECT / "src").rglob("*.[ch]*"):
            if not path.name.startswith("rules"):
                named |= set(re.findall(r'"((?:ACL|NN|GE)-[A-Z]+-\d{3})"', path.read_text()))
        self.assertEqual(named - set(RULES), set())
        self.assertEqual(set(RULES) - named, set(), "rules that nothing looks for")

    def test_the_page_of_rules_is_up_to_date(self):
        page = run([FOOTHOLD, "explain", "--rules", "--markdown"]).stdout
        self.assertEqual((PROJECT / "docs" / "rules.md").read_text(), page,
                         "foothold explain --rules --markdown > docs/rules.md")

    def test_chapters_exist(self):
        for rule in RULES.values():
            self.assertTrue((PROJECT / "docs" / rule["chapter"]).is_file(), rule["id"])


class Report(unittest.TestCase):
    def test_has_the_fixed_form(self):
        done = check(PROGRAMS, "frees_twice", "broken")
        lines = done.err.splitlines()
        self.assertRegex(lines[0], r"^== foothold check == ACL-MEM-011 error: 0x\w+ is not the start of a block")
        text = "\n".join(lines)
        self.assertRegex(text, r"\n   now     aclrtFree\(devPtr=0x\w+\) failed with 107000\n")
        self.assertRegex(text, r"\n +called by thread \d+ in    frees_twice +memory_programs.cpp:\d+\n")
        self.assertRegex(text, r"\n +from  main +main.cpp:\d+\n")
        self.assertRegex(text, r"\n   before  aclrtFree freed it\n")
        self.assertRegex(text, r"\n   memory  4096 bytes of device memory of device 0 at 0x\w+, allocation \d+\n")
        self.assertRegex(text, r"\n +made by aclrtMalloc, thread \d+ in    checked::DeviceMemory")
        self.assertRegex(text, r"\n   fix     ")
        self.assertRegex(text, r"\n   key     rule=ACL-MEM-011 now=frees_twice call=aclrtFree before=frees_twice\n")
        self.assertRegex(text, r"\n   more    foothold explain ACL-MEM-011\n")
        self.assertIn("== foothold check == 1 error, 0 warnings", text)
        self.assertLessEqual(max(len(line) for line in lines[1:]), 120)

    def test_json_has_both_places(self):
        finding = check(PROGRAMS, "destroys_twice", "broken").findings[0]
        self.assertEqual((finding["rule"], finding["group"], finding["severity"]), ("ACL-LIFE-007", "handle", "error"))
        self.assertEqual(finding["now"]["call"], "aclrtDestroyEvent")
        self.assertIn("event=0xf", finding["now"]["arguments"])
        self.assertEqual(finding["before"]["call"], "aclrtDestroyEvent")
        lines = [finding[place]["stack"][0]["line"] for place in ("before", "now")]
        self.assertLess(*lines)
        self.assertEqual([step["how"] for step in finding["objects"][0]["history"]], ["made by", "destroyed by"])

    def test_names_both_blocks_of_a_copy(self):
        for name, severity in (("copies_with_a_kind_that_does_not_fit", "error"),
                               ("copies_at_once_with_a_kind_that_does_not_fit", "warning")):
            finding, = check(PROGRAMS, name, "broken").findings
            self.assertEqual(finding["severity"], severity)
            made = [step["call"] for one in finding["objects"] for step in one["history"] if step["how"] == "made by"]
            self.assertEqual(made, ["aclrtMalloc", "aclrtMalloc"])

    def test_counts_what_is_left_by_its_place(self):
        findings = check(PROGRAMS, "destroys_datasets_without_their_buffers", "broken").findings
        left, = [finding["message"] for finding in findings if finding["rule"] == "ACL-LEAK-004"]
        self.assertIn("20000 objects (data buffer) are left", left)

    def test_names_the_context_of_the_other_thread(self):
        finding = check(PROGRAMS, "uses_a_device_without_a_context", "broken").findings[0]
        made = finding["objects"][0]["history"][0]
        self.assertEqual((finding["objects"][0]["kind"], made["call"]), ("context", "aclrtSetDevice"))
        self.assertNotEqual(made["thread"], finding["now"]["thread"])

    def test_sarif_is_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "found.sarif")
            check(PROGRAMS, "frees_twice", "broken", options=["--output", str(path)])
            log = json.loads(path.read_text())
        self.assertEqual(log["version"], "2.1.0")
        driver = log["runs"][0]["tool"]["driver"]
        self.assertEqual([rule["id"] for rule in driver["rules"]], list(RULES))
        result, = log["runs"][0]["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("ACL-MEM-011", "error"))
        place = result["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("memory_programs.cpp"))
        self.assertGreater(place["region"]["startLine"], 1)
        self.assertEqual(place["artifactLocation"]["uri"], "tests/check/memory_programs.cpp", "as seen from the project")
        self.assertEqual(len(result["stacks"]), 2)
        self.assertNotIn("0x", result["partialFingerprints"]["footholdKey/v1"])


class Drawn(unittest.TestCase):
    """Findings on the timeline: both tasks have a mark, and an arrow goes from the one to the other."""

    RACE = "forgets_the_event_between_two_streams"

    def test_a_page_has_the_list_and_the_drawing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "found.html")
            check(PROGRAMS, self.RACE, "broken", options=["--output", str(path)])
            page = path.read_text()
        self.assertEqual(page.count("<section>"), 1)
        self.assertEqual(page.count('<details class="error" open>'), 1)
        self.assertIn("<b>ACL-RACE-001</b>", page)
        self.assertIn("_programs.cpp:", page)
        self.assertEqual((page.count('class="mark"'), page.count('class="finding"')), (2, 1))
        self.assertNotIn("http", page.replace("http://www.w3.org/2000/svg", ""), "it needs nothing from elsewhere")

    def test_captured_tasks_and_kernels_of_the_program_have_marks(self):
        for name in ("runs_one_instance_on_two_streams", "captures_two_streams_without_order",
                     "writes_with_two_kernels_that_say_so"):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "found.html")
                check(PROGRAMS, name, "broken", options=["--output", str(path)])
                page = path.read_text()
            self.assertEqual((page.count('class="mark"'), page.count('class="finding"')), (2, 1), name)

    def test_a_page_without_findings_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "found.html")
            check(PROGRAMS, self.RACE, "mended", options=["--output", str(path)])
            page = path.read_text()
        self.assertIn("0 findings", page)
        self.assertNotIn("<svg", page)

    def test_processes_share_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "found.html")
            check("/bin/sh", "-c", f"{PROGRAMS} frees_twice broken; {PROGRAMS} destroys_twice broken; true",
                  options=["--output", str(path)])
            page = path.read_text()
        self.assertEqual((page.count("<section>"), page.count("<details")), (2, 2))

    def test_the_variable_makes_the_page_too(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "found.html")
            run([PROGRAMS, self.RACE, "broken"], FOOTHOLD_CHECK="all", FOOTHOLD_CHECK_OUTPUT=str(path))
            self.assertIn("<b>ACL-RACE-001</b>", path.read_text())

    def test_a_trace_has_marks_and_an_arrow(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "trace.json")
            run([PROGRAMS, self.RACE, "broken"], FOOTHOLD_CHECK="all", FOOTHOLD_TRACE=str(path))
            events = [event for event in json.loads(path.read_text())["traceEvents"] if event.get("cat") == "finding"]
        marks = [event for event in events if event["ph"] == "i"]
        begin, = [event for event in events if event["ph"] == "s"]
        end, = [event for event in events if event["ph"] == "f"]
        self.assertEqual([event["name"] for event in marks], ["ACL-RACE-001"] * 2)
        self.assertEqual(begin["id"], end["id"])
        self.assertNotEqual(begin["tid"], end["tid"], "they are on two streams")


class Command(unittest.TestCase):
    def test_answers_with_the_status_of_the_program(self):
        self.assertEqual(check(PROGRAMS).code, 2)

    def test_status_can_be_chosen(self):
        self.assertEqual(check(PROGRAMS, "frees_twice", "broken", options=["--error-exitcode", "3"]).code, 3)

    def test_says_that_the_library_was_not_there(self):
        done = check("/bin/true")
        self.assertEqual(done.code, 125)
        self.assertIn("did not load Foothold's library", done.err)

    def test_says_that_the_program_cannot_be_started(self):
        done = check("/no/such/program")
        self.assertEqual(done.code, 125)
        self.assertIn("No such file", done.err)

    def test_passes_signals_on(self):
        done = check("/bin/sh", "-c", "kill -9 $$")
        self.assertEqual(done.code, -9)

    def test_children_are_merged(self):
        done = check("/bin/sh", "-c", f"{PROGRAMS} frees_twice broken; {PROGRAMS} destroys_twice broken; true")
        self.assertEqual(sorted(finding["rule"] for finding in done.findings), ["ACL-LIFE-007", "ACL-MEM-011"])
        self.assertIn("2 errors and 0 warnings in 2 processes", done.err)

    def test_groups_choose_rules(self):
        self.assertEqual(check(PROGRAMS, "frees_twice", "broken", options=["--groups", "usage"]).findings, [])
        self.assertEqual(check(PROGRAMS, "frees_twice", "broken", options=["--groups", "all,-ACL-MEM-011"]).findings, [])

    def test_findings_can_be_suppressed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "known")
            lines = check(PROGRAMS, "frees_twice", "broken", options=["--gen-suppressions"]).out
            self.assertEqual(lines, "ACL-MEM-011:frees_twice:frees_twice\n")
            path.write_text(f"# known\n{lines}ACL-*:libother.so\n")
            done = check(PROGRAMS, "frees_twice", "broken", options=["--suppress", str(path)])
        self.assertEqual((done.code, done.findings), (0, []))
        self.assertIn("0 errors, 0 warnings (1 suppressed)", done.err)
        self.assertIn("unused suppression: ACL-*:libother.so", done.err)

    def test_can_stop_the_program(self):
        self.assertEqual(check(PROGRAMS, "frees_twice", "broken", options=["--on", "abort"]).code, -6)
        self.assertEqual(check(PROGRAMS, "frees_twice", "broken", options=["--on", "break"]).code, -5)

    def test_can_fail_the_call(self):
        done = check(PROGRAMS, "copies_with_a_kind_that_does_not_fit", "broken", options=["--on", "error"])
        self.assertIn("aclrtMemcpyAsync(b, kBytes, a", done.err)
        self.assertIn("answered 107000", done.err)


class Variables(unittest.TestCase):
    def test_work_without_the_command(self):
        done = run([PROGRAMS, "frees_twice", "broken"], FOOTHOLD_CHECK="all")
        self.assertEqual(done.returncode, 0)
        self.assertIn("ACL-MEM-011 error", done.stderr)

    def test_off_says_nothing(self):
        for value in ("", "0"):
            self.assertEqual(run([PROGRAMS, "frees_twice", "broken"], FOOTHOLD_CHECK=value).stderr, "")

    def test_mistakes_are_told(self):
        done = run([PROGRAMS, "frees_twice", "mended"], FOOTHOLD_CHECK="all,nonsense", FOOTHOLD_CHECK_LIMIT="many",
                   FOOTHOLD_CHECK_STACKS="deep")
        self.assertIn('there is no group "nonsense"', done.stderr)
        self.assertIn('FOOTHOLD_CHECK_LIMIT: "many"', done.stderr)
        self.assertIn('FOOTHOLD_CHECK_STACKS: "deep"', done.stderr)

    def test_forked_children_have_files_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "found.txt")
            run([PROGRAMS, "goes_on_in_a_forked_child", "broken"], FOOTHOLD_CHECK="all", FOOTHOLD_CHECK_OUTPUT=str(path))
            texts = {file.name: file.read_text() for file in path.parent.iterdir()}
        self.assertEqual(texts.pop("found.txt"), "")
        (name, text), = texts.items()
        self.assertRegex(name, r"found\.\d+\.txt")
        self.assertIn("ACL-CTX-005 error", text)

    def test_a_file_of_aclInit_can_begin_it(self):
        with tempfile.TemporaryDirectory() as folder:
            config, found = pathlib.Path(folder, "acl.json"), pathlib.Path(folder, "found.json")
            config.write_text(json.dumps({"check": {"groups": "memory", "output": str(found), "fill": "white"}}))
            done = run([PROGRAMS, "frees_twice", "broken"], CHECKED_CONFIG=str(config))
            lines = [json.loads(line) for line in found.read_text().splitlines()]
        self.assertEqual((done.returncode, lines[0]["groups"], lines[1]["rule"]), (0, "memory", "ACL-MEM-011"))
        self.assertIn('"fill": "white": expected a byte', done.stderr)

    def test_a_schedule_that_does_not_exist_is_told(self):
        for word in ("soon", "-1", "file:", "7,recrod=x", "late,record=x"):
            done = run([PROGRAMS, "frees_twice", "mended"], FOOTHOLD_SCHEDULE=word)
            self.assertIn(f'FOOTHOLD_SCHEDULE is "{word}"', done.stderr)

    def test_stacks_can_be_left_out(self):
        done = run([PROGRAMS, "frees_twice", "broken"], FOOTHOLD_CHECK="all", FOOTHOLD_CHECK_STACKS="none")
        self.assertNotIn("memory_programs.cpp", done.stderr)
        done = run([PROGRAMS, "frees_twice", "broken"], FOOTHOLD_CHECK="all", FOOTHOLD_CHECK_STACKS="caller")
        self.assertIn("memory_programs.cpp", done.stderr)
        self.assertNotIn("from  main", done.stderr)


if __name__ == "__main__":
    # The long one only by name.
    names = sys.argv[4:] or [name for name, one in list(globals().items())
                             if isinstance(one, type) and issubclass(one, unittest.TestCase) and name != "AllSchedules"]
    unittest.main(argv=sys.argv[:1] + names)
