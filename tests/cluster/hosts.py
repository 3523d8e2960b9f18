# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Hosts made of namespaces (network, UTS, IPC, processes, mounts) on a switch of their own, which is a bridge in one more
network namespace. Addresses exist only inside them, and all end with this process. Needs root."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

IPV4, IPV6, DELAYED = "10.77.0.{}", "fd77::{}", "10.78.0.{}"
RELAY = pathlib.Path(__file__).resolve().parent / "relay.py"


class NotOffered(Exception):
    """The kernel or this machine lacks what a scenario needs."""


def run(*command, quiet=False):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 and not quiet:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.returncode == 0


class Namespace:
    """A process that does nothing but keep its namespaces."""

    def __init__(self, *kinds):
        self.kinds = [f"--{kind}" for kind in kinds]
        flags = self.kinds + (["--mount-proc"] if "pid" in kinds else [])
        # It ends with this process, whatever ends that.
        self.keeper = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "unshare", *flags, "--fork", "--kill-child",
                                        "sleep", "infinity"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.pid = self._inner_pid()

    def _inner_pid(self):
        path = f"/proc/{self.keeper.pid}/task/{self.keeper.pid}/children"
        for _ in range(500):
            with open(path) as file:
                children = file.read().split()
            if children:
                return int(children[0])
            time.sleep(0.01)
        raise RuntimeError("unshare started nothing")

    def enter(self, *command):
        return ["nsenter", "--target", str(self.pid), *self.kinds, *command]

    def run(self, *command, quiet=False):
        return run(*self.enter(*command), quiet=quiet)

    def end(self):
        self.keeper.kill()
        self.keeper.wait()


class Host(Namespace):
    def __init__(self, number, switch):
        super().__init__("net", "uts", "ipc", "pid", "mount")
        self.number, self.switch, self.port = number, switch, f"port{number}"
        self.ip, self.ip6 = IPV4.format(number), IPV6.format(number)
        inner = f"inner{number}"
        switch.run("ip", "link", "add", self.port, "type", "veth", "peer", "name", inner)
        switch.run("ip", "link", "set", inner, "netns", str(self.pid))
        switch.run("ip", "link", "set", self.port, "master", "switch0", "up")
        self.run("hostname", f"host{number}")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "link", "set", inner, "name", "eth0", "up")
        self.run("ip", "address", "add", f"{self.ip}/24", "dev", "eth0")
        self.run("ip", "address", "add", f"{self.ip6}/64", "dev", "eth0", "nodad")

    def cut(self):
        self.switch.run("ip", "link", "set", self.port, "down")

    def heal(self):
        self.switch.run("ip", "link", "set", self.port, "up")

    @contextlib.contextmanager
    def slow(self, rate):
        tbf = ["root", "tbf", "rate", rate, "burst", "64k", "latency", "200ms"]
        if not self.run("tc", "qdisc", "add", "dev", "eth0", *tbf, quiet=True):
            raise NotOffered("the kernel has no tc tbf")
        try:
            yield
        finally:
            self.run("tc", "qdisc", "del", "dev", "eth0", "root")

    @contextlib.contextmanager
    def lossy(self, percent):
        chance = ["INPUT", "-i", "eth0", "-m", "statistic", "--mode", "random", "--probability", str(percent / 100)]
        if shutil.which("iptables") is None or not self.run("iptables", "-A", *chance, "-j", "DROP", quiet=True):
            raise NotOffered("iptables with its match 'statistic' is not there")
        try:
            yield
        finally:
            self.run("iptables", "-D", *chance, "-j", "DROP")

    @contextlib.contextmanager
    def apart_from(self, other):
        """No packet of the other host arrives here, and none of this one there."""
        if shutil.which("iptables") is None:
            raise NotOffered("iptables is not there")
        self.run("iptables", "-A", "INPUT", "-s", other.ip, "-j", "DROP")
        other.run("iptables", "-A", "INPUT", "-s", self.ip, "-j", "DROP")
        try:
            yield
        finally:
            self.run("iptables", "-F", "INPUT")
            other.run("iptables", "-F", "INPUT")


class Cluster:
    def __init__(self, count):
        if os.geteuid() != 0:
            raise SystemExit("cluster-check makes network namespaces: it needs root")
        self.switch = Namespace("net")
        self.hosts = []
        try:
            self.switch.run("ip", "link", "add", "switch0", "type", "bridge", "forward_delay", "0")
            self.switch.run("ip", "link", "set", "switch0", "up")
            for number in range(1, count + 1):
                self.hosts.append(Host(number, self.switch))
        except Exception:
            self.end()
            raise

    @contextlib.contextmanager
    def delayed(self, milliseconds, device):
        """A second network between the hosts, in which every packet takes so long."""
        if not os.path.exists("/dev/net/tun"):
            raise NotOffered("there is no /dev/net/tun")
        ends = [f"{host.pid}:{DELAYED.format(host.number)}" for host in self.hosts]
        relay = subprocess.Popen([sys.executable, str(RELAY), str(milliseconds), device, *ends],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            if relay.stdout.readline() != b"ready\n":
                raise NotOffered("no tun device can be made")
            for host in self.hosts:  # UCX looks there for interfaces, and it shows those of who mounted it
                host.run("mount", "-t", "sysfs", "sysfs", "/sys")
            yield
        finally:
            relay.stdin.close()
            relay.wait()
            relay.stdout.close()
            for host in self.hosts:
                host.run("umount", "/sys", quiet=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for host in self.hosts:
            host.end()
        self.switch.end()
