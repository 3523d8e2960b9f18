# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Ranks on the hosts of a cluster, and what they answer."""

import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = os.environ.get("FOOTHOLD_LIBRARY", str(HERE.parents[1] / "build/release/lib/libfoothold.so"))
PATIENCE = 60  # more than anything here takes


class Rank:
    def __init__(self, host, number, **settings):
        self.host, self.number = host, number
        variables = {"FOOTHOLD_DEVICES": "4", "HCCL_CONNECT_TIMEOUT": "30", **settings}
        command = host.enter("env", *(f"{name}={value}" for name, value in variables.items()),
                             sys.executable, str(HERE / "rank.py"), LIBRARY)
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.received = b""
        self.pid = self.ask("pid")["value"]

    def tell(self, *command):
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, patience=PATIENCE):
        end = time.monotonic() + patience
        while b"\n" not in self.received:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"rank {self.number} on {self.host.ip} does not answer within {patience} s")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                raise AssertionError(f"rank {self.number} on {self.host.ip} has ended")
            self.received += more
        line, self.received = self.received.split(b"\n", 1)
        return json.loads(line)

    def ask(self, *command, patience=PATIENCE):
        self.tell(*command)
        return self.answer(patience)

    def kill(self):
        """At once, and when: without a process that has to be started for it."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            inner = int(file.read().split()[0])
        os.kill(inner, signal.SIGKILL)
        return time.monotonic()

    def signal(self, name):
        self.host.run("kill", f"-{name}", str(self.pid))

    def end(self):
        if self.process.poll() is None:
            self.host.run("kill", "-KILL", str(self.pid), quiet=True)
            self.process.kill()  # nsenter stops and waits as its child does
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Job:
    """Ranks that take turns on the hosts."""

    def __init__(self, cluster, count, **settings):
        hosts = cluster.hosts
        self.ranks = []
        try:
            for number in range(count):
                self.ranks.append(Rank(hosts[number % len(hosts)], number, **settings))
        except BaseException:
            self.end()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for rank in self.ranks:
            rank.end()

    def join(self, root=0):
        info = self.ranks[root].ask("root")
        assert info["code"] == 0, info["text"]
        return self.all("join", lambda rank: (len(self.ranks), rank.number, info["value"]))

    def all(self, name, arguments=lambda rank: (), but=()):
        """Asks all at once, and expects success."""
        answers = self.ask_all(name, arguments, but)
        for rank, answer in answers.items():
            assert answer["code"] == 0, f"{name} on rank {rank}: {answer['code']} {answer['text']}"
        return [answer.get("value") for answer in answers.values()]

    def ask_all(self, name, arguments=lambda rank: (), but=()):
        asked = [rank for rank in self.ranks if rank.number not in but]
        for rank in asked:
            rank.tell(name, *arguments(rank))
        return {rank.number: rank.answer() for rank in asked}
