#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""PyTorch's operator database on device npu beside the CPU.

  sweep.py --python VENV/bin/python [--toolkit build/toolkit] [--ops add,linalg.*] [--types float32] [--directions forward]
           [--results FILE] [--expected FILE] [--workers 2] [--cells FILE]

Every cell (an entry of the database, a type, a direction) is run with up to 6 samples in a worker process with a time
limit; a worker that crashes or hangs is started again. README.md beside this file says what outcomes mean.

--ops takes names or patterns of entries; with --cells only the cells named in a file are run. --results keeps what was
found: a run goes on where the last one ended. With --expected the run fails on what is worse than the list says.
"""
import argparse
import collections
import fnmatch
import json
import os
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

import expectations

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
GOOD = ("pass", "fallback", "client", "none")
COLUMNS = ("pass", "fallback", "client", "mismatch", "error", "crash", "hang")


def environment(toolkit, preload):
    """What set_env.sh of a toolkit sets, and calls that end before the next begins."""
    shown = subprocess.run(["bash", "-c", f'source "{toolkit}/set_env.sh" && env -0'], capture_output=True, check=True)
    found = dict(line.split("=", 1) for line in shown.stdout.decode().split("\0") if "=" in line)
    found.setdefault("ASCEND_LAUNCH_BLOCKING", "1")
    found["OMP_NUM_THREADS"] = "1"
    found.setdefault("FOOTHOLD_THREADS", "1")
    if preload:
        found["LD_PRELOAD"] = preload
    return found


class Worker:
    """One worker process, started when it is needed."""

    def __init__(self, options, log):
        self.options, self.log, self.process = options, log, None

    def start(self):
        command = [self.options.python, os.path.join(HERE, "worker.py"), "run", self.log]
        self.process = subprocess.Popen(command + self.options.worker_options, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=self.options.environment, start_new_session=True)
        if self.answer(300) != "ready":
            self.stop()
            raise SystemExit(f"sweep.py: no worker starts; the end of {self.log}:\n{tail(self.log)}")

    def answer(self, seconds):
        """A line; None when there is none in time; an empty text when the process ended."""
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return None
        return self.process.stdout.readline().decode().strip()

    def run(self, cell, seconds):
        if self.process is None:
            self.start()
        began = time.monotonic()
        try:
            self.process.stdin.write(f"{cell}\n".encode())
            self.process.stdin.flush()
            line = self.answer(seconds)
        except BrokenPipeError:
            line = ""
        if line:
            result = json.loads(line)
            if result.pop("again"):
                self.stop()
            return result
        outcome = "hang" if line is None else "crash"
        took = round(time.monotonic() - began, 2)
        code = self.stop()
        detail = f"no answer in {seconds} s" if outcome == "hang" else f"ended with {code}: {tail(self.log)}"
        return dict(cell=cell, outcome=outcome, cause=outcome, detail=detail[-600:], seconds=took)

    def stop(self):
        process, self.process = self.process, None
        if process is None:
            return 0
        try:
            process.stdin.close()
            code = process.wait(2)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        return signal.Signals(-code).name if code < 0 else code


def tail(log):
    with open(log, "rb") as text:
        text.seek(max(0, os.path.getsize(log) - 600))
        return text.read().decode(errors="replace")


def listed_cells(options):
    shown = subprocess.run([options.python, os.path.join(HERE, "worker.py"), "list"], capture_output=True, text=True,
                           env=dict(options.environment, TORCH_DEVICE_BACKEND_AUTOLOAD="0"), check=False)
    if shown.returncode:
        raise SystemExit(f"sweep.py: {options.python} has no operator database:\n{shown.stderr[-800:]}")
    return shown.stdout.split("\n")[:-1]


def chosen_cells(options):
    if options.cells:
        with open(options.cells) as lines:
            return [line.strip() for line in lines if line.strip()]
    found = listed_cells(options)
    ops, types, directions = (value.split(",") if value else None
                              for value in (options.ops, options.types, options.directions))

    def wanted(cell):
        name, kind, direction = cell.rsplit("|", 2)
        return (not ops or any(fnmatch.fnmatch(name, op) or name.split("/")[0] == op for op in ops)) and \
            (not types or kind in types) and (not directions or direction in directions)
    cells = [cell for cell in found if wanted(cell)]
    if not cells:
        raise SystemExit("sweep.py: no cell of the database fits --ops, --types and --directions")
    return cells


def groups_of(cells):
    """Cells of one entry follow each other in one worker, which is told of fallbacks once."""
    groups = collections.defaultdict(list)
    for cell in cells:
        groups[cell.split("|")[0]].append(cell)
    return list(groups.values())


class Sweep:
    def __init__(self, options):
        self.options, self.lock, self.done = options, threading.Lock(), {}
        self.results = options.results and open(options.results, "a+")

    def earlier(self):
        if self.results:
            self.results.seek(0)
            for line in self.results:
                result = json.loads(line)
                self.done[result["cell"]] = result
        return set(self.done)

    def note(self, result):
        with self.lock:
            self.done[result["cell"]] = result
            if self.results:
                self.results.write(json.dumps(result) + "\n")
                self.results.flush()
            if not self.options.quiet and (result["outcome"] not in ("pass", "none") or self.options.verbose):
                print(f"{result['outcome']:8} {result['cell']}: {result['cause']}: {result['detail']}", flush=True)

    def work(self, number, groups):
        worker = Worker(self.options, os.path.join(self.options.folder, f"worker{number}.log"))
        while True:
            try:
                group = groups.get_nowait()
            except queue.Empty:
                break
            for cell in group:
                result = worker.run(cell, self.options.seconds)
                if result["outcome"] in ("crash", "hang"):  # once more alone: an earlier cell may be the reason
                    result = worker.run(cell, 2 * self.options.seconds)
                self.note(result)
        worker.stop()

    def run(self, cells):
        earlier = self.earlier()
        groups = queue.Queue()
        for group in groups_of([cell for cell in cells if cell not in earlier]):
            groups.put(group)
        threads = [threading.Thread(target=self.work, args=(i, groups)) for i in range(self.options.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return {cell: self.done[cell] for cell in cells if cell in self.done}


def table(results):
    """A line for each direction and type, a column for each outcome."""
    counts = collections.defaultdict(collections.Counter)
    for cell, result in results.items():
        _, kind, direction = cell.rsplit("|", 2)
        counts[f"{direction} {kind}"][result["outcome"]] += 1
        counts["all"][result["outcome"]] += 1
    lines = [f"{'':28}" + "".join(f"{column:>10}" for column in COLUMNS)]
    for row, found in counts.items():
        lines.append(f"{row:28}" + "".join(f"{found[column]:10}" for column in COLUMNS))
    return "\n".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="Python that has torch and torch_npu")
    parser.add_argument("--toolkit", default=os.path.join(ROOT, "build/toolkit"))
    parser.add_argument("--ops", help="entries, as add,linalg.*")
    parser.add_argument("--types", help="as float32,int64")
    parser.add_argument("--directions", help="of forward,backward,inplace,strided,reference,foreach,foreach_inplace")
    parser.add_argument("--cells", help="a file with cells to run")
    parser.add_argument("--results", help="file of results, gone on with when it exists")
    parser.add_argument("--expected", help="list of what is not expected to pass; the run fails on anything worse")
    parser.add_argument("--write-expected", help="writes such a list")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="time limit of a cell")
    parser.add_argument("--preload", default="")
    parser.add_argument("--nojit", action="store_true", help="set the client's compile mode by hand")
    parser.add_argument("--jit", action="store_true", help="the same: most operators go through aclop then")
    parser.add_argument("--verbose", action="store_true", help="show cells that pass, too")
    parser.add_argument("--quiet", action="store_true", help="show no cells")
    return parser.parse_args()


def main():
    options = arguments()
    options.environment = environment(os.path.abspath(options.toolkit), options.preload)
    options.worker_options = [mode for mode in ("jit", "nojit") if getattr(options, mode)]
    with tempfile.TemporaryDirectory(prefix="sweep") as folder:
        options.folder = folder
        cells = chosen_cells(options)
        results = Sweep(options).run(cells)
    print(table(results))
    if options.write_expected:
        expectations.write(options.write_expected, results)
    if options.expected:
        sys.exit(expectations.judge(options.expected, results))
    sys.exit(any(result["outcome"] not in GOOD for result in results.values()))


if __name__ == "__main__":
    main()
