# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs that are right, run with everything switched on that is looked for by default: the checking mode must have
nothing to say.

  silence.py BUILD tests REGEX     tests of ctest: examples, clients, stress
  silence.py BUILD conformance [FILTER]
  silence.py BUILD demo            tools/demo.sh

A call that the library refuses breaks a rule on purpose where a conformance test makes it: what is said of that very
call is left out. Else what may break a rule is in silence_exceptions.txt, test by test and rule by rule, with the
reason. They are not asked for leaks: their fixtures leave all to the reset of the device.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(sys.argv[1]).resolve()
PROJECT = pathlib.Path(__file__).resolve().parents[2]
TEST_BODY = re.compile(r"(?:^|::)(\w+?)_(\w+?)_Test(?:<.*>)?::TestBody")
RUN_LINE = re.compile(r"^\[ RUN      \] (\S+)", re.M)


def environment(folder, **more):
    return {**os.environ, "FOOTHOLD_CHECK": os.environ.get("FOOTHOLD_CHECK", "all"),
            "FOOTHOLD_CHECK_OUTPUT": f"{folder}/%p.json", "FOOTHOLD_CHECK_LIMIT": "100000,1", **more}


def findings(folder):
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        for line in path.read_text(errors="replace").splitlines():
            try:
                finding = json.loads(line)
            except ValueError:
                continue  # the process was ended in the middle of it, on purpose
            if "rule" in finding:
                yield finding


def describe(finding):
    lines = [f"{finding['rule']} {finding['severity']}: {finding['message']}"]
    for label in ("now", "before"):
        act = finding.get(label)
        if act:
            places = [f"{frame.get('function', '')} {frame.get('file', '')}:{frame.get('line', '')}" for frame in act["stack"][:4]]
            lines.append(f"   {label} {act['call']} {act.get('does', '')} {act['agent']}: " + " < ".join(places))
    return "\n".join(lines)


def exceptions():
    """Pairs of a test or program and a rule; "failed" stands where a rule would for tests that cannot pass."""
    lines = (PROJECT / "tests" / "check" / "silence_exceptions.txt").read_text().splitlines()
    words = [line.split("#")[0].split() for line in lines]
    return {(name, rule) for name, *rules in filter(None, words) for rule in rules}


def run_tests(regex):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["ctest", "--test-dir", str(BUILD), "-R", regex, "--output-on-failure"],
                              env=environment(folder), check=False)
        known = exceptions()
        problems = [describe(finding) for finding in findings(folder) if not is_known(finding, known)]
    return problems + ([f"ctest answered {done.returncode}"] if done.returncode else [])


def run_demo():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([str(PROJECT / "tools" / "demo.sh")], env=environment(folder), stdout=subprocess.DEVNULL, check=False)
        problems = [describe(finding) for finding in findings(folder)]
    return problems + ([f"the demo answered {done.returncode}"] if done.returncode else [])


def is_known(finding, known):
    """Whether one of the programs on its stacks is an exception."""
    stacks = finding["now"]["stack"] + finding.get("before", {}).get("stack", [])
    programs = {pathlib.Path(frame.get("module", "")).name for frame in stacks}
    return any((program, finding["rule"]) in known for program in programs)


def test_of(finding):
    """The test a finding is about: the first stack that has one."""
    stacks = [finding["now"]["stack"], finding.get("before", {}).get("stack", [])]
    stacks += [step["stack"] for one in finding["objects"] for step in one["history"]]
    for stack in stacks:
        for frame in stack:
            found = TEST_BODY.search(frame.get("function", ""))
            if found:
                return f"{found[1]}.{found[2]}"
    return "?"


def run_conformance(wanted):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([str(BUILD / "tests" / "conformance_tests"), f"--gtest_filter={wanted}"], cwd=BUILD / "tests",
                              env=environment(folder, FOOTHOLD_CHECK="memory,init,race,sync,handle,usage", ASCEND_GLOBAL_LOG_LEVEL="3",
                                              ASCEND_SLOG_PRINT_TO_STDOUT="1", CONFORMANCE_SECONDS="900"),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, errors="replace", text=True)
        found = list(findings(folder))
    known, problems, refused, excused = exceptions(), [], 0, 0
    for finding in found:
        test = re.sub(r"/\d+$", "", test_of(finding))
        if finding["now"].get("does", "").startswith("failed with"):
            refused += 1
        elif (test, finding["rule"]) in known:
            excused += 1
        else:
            problems.append(f"{test}\n{describe(finding)}")
    count = len(RUN_LINE.findall(done.stdout))
    print(f"{count} tests; {refused} findings about calls that are refused, {excused} known exceptions")
    if done.returncode not in (0, 1):
        problems.append(f"the tests ended with {done.returncode}:\n{done.stdout[-2000:]}")
    failed = set(re.findall(r"^\[  FAILED  \] (\w\S+)", done.stdout, re.M))
    return problems + [f"failed under the mode: {name}" for name in sorted(failed) if (name, "failed") not in known]


def main():
    what = sys.argv[2]
    if what == "tests":
        problems = run_tests(sys.argv[3])
    elif what == "demo":
        problems = run_demo()
    else:
        problems = run_conformance(sys.argv[3] if len(sys.argv) > 3 else "*")
    print("\n".join(problems) or f"silent: {what} {' '.join(sys.argv[3:])}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
