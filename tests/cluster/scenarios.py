# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What has to hold for ranks on several hosts. Each function is one scenario; its text says what holds."""

import ctypes.util
import json
import os
import subprocess
import tempfile
import time

from hosts import NotOffered
from ranks import Job

TASK_FAILED, SUSPECT_REMOTE = 507018, 507057
REMOTE, TIMEOUT = 21, 9
FP16, FP32 = 3, 4
LARGE, SMALL = 3_000_000, 100  # numbers of 4 bytes


def expect(condition, *what):
    assert condition, what


def settled(holds, *what):
    """Threads that end what was destroyed may need a while."""
    for _ in range(50):
        if holds():
            return
        time.sleep(0.2)
    expect(False, "not within 10 s", *what)


def expect_lost(answers, lost, seconds):
    """All say who is lost, in time."""
    for number, answer in answers.items():
        expect(answer["code"] == SUSPECT_REMOTE, number, answer)
        expect(answer["seconds"] < seconds, f"rank {number} took {answer['seconds']:.1f} s", answer["text"])
        expect(any(f"rank {rank}" in answer["text"] for rank in lost) or "root" in answer["text"], number, answer)


def conformance(cluster, tests, **settings):
    program = os.environ.get("CONFORMANCE_TESTS", "build/release/tests/conformance_tests")
    hosts = ",".join(str(host.pid) for host in cluster.hosts)
    done = subprocess.run([program, f"--gtest_filter={tests}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=1500, env={**os.environ, "HCCL_TEST_HOSTS": hosts, "CONFORMANCE_SECONDS": "600", **settings})
    said = "\n".join(line for line in done.stdout.splitlines() if "OK" not in line)
    expect(done.returncode == 0, done.returncode, said[:3000], said[-1000:])  # what failed first, and how it ended


def collectives(cluster):
    """Every collective has the values that one process computes, for all types and operations."""
    conformance(cluster, "HcclProcesses.*-HcclProcesses.WorkOnLargeMemory:HcclProcesses.RunWithAnyNumberOfRanks")


def large_collectives(cluster):
    """So it is with megabytes, and with 1, 2, 5 and 8 ranks."""
    conformance(cluster, "HcclProcesses.WorkOnLargeMemory:HcclProcesses.RunWithAnyNumberOfRanks")


def ipv6(cluster):
    """IPv6 will do."""
    conformance(cluster, "HcclProcesses.RunEveryCollectiveWithEveryType", HCCL_SOCKET_FAMILY="AF_INET6")
    with Job(cluster, len(cluster.hosts), HCCL_SOCKET_FAMILY="AF_INET6") as job:
        job.join()
        for host in cluster.hosts:
            host.run("ip", "address", "del", f"{host.ip}/24", "dev", "eth0")
        try:
            job.all("reduce", lambda _: (LARGE,))
        finally:
            for host in cluster.hosts:
                host.run("ip", "address", "add", f"{host.ip}/24", "dev", "eth0")


def same_bits(cluster):
    """Sums of floats have the bits that one process gets, whatever the size, on all ranks and again."""
    for count in (len(cluster.hosts), 2 * len(cluster.hosts) + 1):
        with Job(cluster, count, FOOTHOLD_DEVICES="8") as job:
            job.join()
            for kind in (FP32, FP16):
                for size in (5, 1_000, 70_001, 1_000_003):
                    alone = job.ranks[0].ask("bits_alone", count, size, kind)
                    expect(alone["code"] == 0, alone)
                    for _ in range(2):
                        found = set(job.all("bits", lambda _: (size, kind)))
                        expect(found == {alone["value"]}, count, kind, size, found, alone)


def rank_table(cluster):
    """A rank table brings them together."""
    servers = [{"server_id": host.ip, "host_ip": host.ip,
                "device": [{"device_id": "0", "rank_id": str(rank)}]} for rank, host in enumerate(cluster.hosts)]
    table = {"status": "completed", "version": "1.0", "server_count": str(len(servers)), "server_list": servers}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file, Job(cluster, len(servers)) as job:
        json.dump(table, file)
        file.flush()
        job.all("join_table", lambda rank: (file.name, len(servers), rank.number))
        job.all("reduce", lambda _: (LARGE,))


def cut_and_healed(cluster):
    """A link that is cut for one second disturbs nothing, between collectives and in them."""
    with Job(cluster, len(cluster.hosts)) as job:
        job.join()
        for count in (SMALL, LARGE):
            for rank in job.ranks:
                rank.tell("reduce_for", 5, count)
            time.sleep(1)
            cluster.hosts[-1].cut()
            time.sleep(1)
            cluster.hosts[-1].heal()
            for rank in job.ranks:
                answer = rank.answer()
                expect(answer["code"] == 0, rank.number, answer)
        cluster.hosts[-1].cut()
        time.sleep(1)
        cluster.hosts[-1].heal()
        job.all("reduce", lambda _: (LARGE,))


def cut(cluster):
    """A link that stays cut fails all ranks within 10 s, and they can make a new communicator when it is back."""
    for count in (SMALL, LARGE):
        with Job(cluster, len(cluster.hosts)) as job:
            job.join()
            for rank in job.ranks:
                rank.tell("reduce_for", 30, count)
            time.sleep(1)
            began = time.monotonic()
            last = len(job.ranks) - 1
            cluster.hosts[-1].cut()
            try:
                answers = {rank.number: rank.answer(20) for rank in job.ranks}
                took = time.monotonic() - began
            finally:
                cluster.hosts[-1].heal()
            for number, answer in answers.items():
                answer["seconds"] = 0
            expect(took < 10, f"{took:.1f} s")
            expect_lost({number: answer for number, answer in answers.items() if number != last}, [last], 10)
            expect(answers[last]["code"] == SUSPECT_REMOTE, answers[last])
            expect(set(job.all("async_error")) == {REMOTE}, "async error")
            job.join()
            job.all("reduce", lambda _: (count,))


def cut_between_two(cluster):
    """Two hosts that reach the root but not each other fail within 10 s."""
    if len(cluster.hosts) < 3:
        return
    for count in (SMALL, LARGE):
        with Job(cluster, 3) as job:
            job.join()
            for rank in job.ranks:
                rank.tell("reduce_for", 40, count)
            time.sleep(1)
            with cluster.hosts[1].apart_from(cluster.hosts[2]):
                began = time.monotonic()
                for rank in job.ranks:
                    answer = rank.answer(20)
                    expect(answer["code"] == SUSPECT_REMOTE, rank.number, answer)
                expect(time.monotonic() - began < 10, f"{time.monotonic() - began:.1f} s")
            job.join()
            job.all("reduce", lambda _: (count,))


def killed(cluster):
    """A rank that is killed while it works, or between collectives, is named at once; root or not."""
    slowest = 0
    for victim in (len(cluster.hosts) - 1, 0):
        for count in (SMALL, LARGE):
            with Job(cluster, len(cluster.hosts)) as job:
                job.join()
                for rank in job.ranks:
                    rank.tell("reduce_for", 30, count)
                time.sleep(0.5)
                began = job.ranks[victim].kill()
                answers = {rank.number: rank.answer() for rank in job.ranks if rank.number != victim}
                took = time.monotonic() - began
                slowest = max(slowest, took)
                for answer in answers.values():
                    answer["seconds"] = took
                expect_lost(answers, [victim], 2)
                again = job.ask_all("reduce", lambda _: (count,), but=[victim])
                expect_lost(again, [victim], 2)
    return f"at most {slowest * 1000:.0f} ms until the error of the last rank"


def root_ended(cluster):
    """When the root has left the communicator and its process has ended, the others go on among themselves."""
    with Job(cluster, 3) as job:
        job.join()
        job.all("reduce", lambda _: (LARGE,))
        job.ranks[0].ask("destroy")
        job.ranks[0].kill()
        job.ranks[0].process.wait()
        for count in (SMALL, LARGE):
            for sender in (1, 2):
                answers = job.ask_all("message", lambda rank: (rank.number == sender, count, 3 - rank.number), but=[0])
                for number, answer in answers.items():
                    expect(answer["code"] == 0 and answer["value"] == sender + 1, number, answer)
        expect(set(job.all("async_error", but=[0])) == {0}, "async error")


def killed_in_set_up(cluster):
    """A rank that is killed at any time while the communicator is made does not leave the others waiting."""
    for delay in range(0, 70, 5):
        with Job(cluster, len(cluster.hosts), HCCL_CONNECT_TIMEOUT="2") as job:
            info = job.ranks[0].ask("root")["value"]
            for rank in job.ranks:
                rank.tell("join", len(job.ranks), rank.number, info)
            time.sleep(delay / 1000)
            job.ranks[-1].signal("KILL")
            for rank in job.ranks[:-1]:
                answer = rank.answer(15)
                if answer["code"] == 0:
                    expect(rank.ask("reduce", SMALL)["code"] == SUSPECT_REMOTE, rank.number)
                else:
                    expect("rank" in answer["text"], rank.number, answer)


def stopped(cluster):
    """A rank that is stopped is waited for until HCCL_EXEC_TIMEOUT, and all go on when it does."""
    with Job(cluster, len(cluster.hosts), HCCL_EXEC_TIMEOUT="8") as job:
        job.join()
        last = len(job.ranks) - 1
        for count in (SMALL, LARGE):
            job.ranks[last].signal("STOP")
            answers = job.ask_all("reduce", lambda _: (count,), but=[last])
            for number, answer in answers.items():
                expect(answer["code"] == TASK_FAILED and "EI0002" in answer["text"], number, answer)
                expect(7 < answer["seconds"] < 15, number, answer["seconds"])
            job.ranks[last].signal("CONT")
            expect(job.ranks[last].ask("reduce", count)["code"] == TASK_FAILED)
            job.all("reduce", lambda _: (count,))


def different(cluster):
    """What ranks pass differently is told to all, with rank and host, and they go on."""
    with Job(cluster, len(cluster.hosts)) as job:
        job.join()
        for small, large in ((SMALL, SMALL + 1), (LARGE, LARGE + 1), (SMALL, LARGE)):
            answers = job.ask_all("reduce", lambda rank: (small if rank.number else large,))
            for number, answer in answers.items():
                expect(answer["code"] == TASK_FAILED, number, answer)
                for text in ("EI0005", f"count {small}", f"count {large}", cluster.hosts[0].ip):
                    expect(text in answer["text"], text, answer)
        job.all("reduce", lambda _: (LARGE,))


def slow(cluster):
    """A link of 50 Mbit/s is slow, and nothing else."""
    with Job(cluster, len(cluster.hosts)) as job:
        job.join()
        with cluster.hosts[0].slow("50mbit"), cluster.hosts[-1].slow("50mbit"):
            job.all("reduce", lambda _: (LARGE,))
            job.all("reduce", lambda _: (SMALL, 50))


def lossy(cluster):
    """Nor is one that loses every fiftieth packet."""
    with Job(cluster, len(cluster.hosts)) as job, cluster.hosts[-1].lossy(2):
        job.join()
        job.all("reduce", lambda _: (LARGE,))
        job.all("reduce", lambda _: (SMALL, 50))


def delayed(cluster):
    """Nor one whose packets take 20 ms each way."""
    with cluster.delayed(20, "late0"), Job(cluster, len(cluster.hosts), HCCL_SOCKET_IFNAME="=late0") as job:
        job.join()
        job.all("reduce", lambda _: (300_000,))
        began = time.monotonic()
        job.all("reduce", lambda _: (SMALL, 20))
        expect(time.monotonic() - began >= 20 * 0.02, "the packets went another way")


STRANGER = """
import os, socket, sys, time
for number in range(200):
    try:
        sockets = [socket.create_connection((sys.argv[1], int(sys.argv[2])), 1) for _ in range(5)]
        sockets[0].sendall(os.urandom(300))                    # a scanner's bytes
        sockets[1].sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
        sockets[2].sendall(b"FooHCCL2" + os.urandom(16))       # the first half of what a rank says
        sockets[3].sendall(b"F")                               # and slowly
        time.sleep(0.01)
    except OSError:
        break
"""


def strangers(cluster):
    """Scanners, half-open and slow connections do not disturb the set-up, nor what comes after it."""
    with Job(cluster, len(cluster.hosts)) as job:
        info = job.ranks[0].ask("root")["value"]
        port = int.from_bytes(bytes.fromhex(info)[76:78], "little")
        host = cluster.hosts[-1]
        stranger = subprocess.Popen(host.enter("/usr/bin/python3", "-c", STRANGER, cluster.hosts[0].ip, str(port)),
                                    stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        job.all("join", lambda rank: (len(job.ranks), rank.number, info))
        job.all("reduce", lambda _: (LARGE,))
        stranger.kill()
        stranger.wait()


def white_list(cluster):
    """Hosts that are not on the white list do not get in."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"host_ip": [cluster.hosts[0].ip]}, file)
        file.flush()
        settings = {"HCCL_WHITELIST_DISABLE": "0", "HCCL_WHITELIST_FILE": file.name, "HCCL_CONNECT_TIMEOUT": "2"}
        with Job(cluster, len(cluster.hosts), **settings) as job:
            info = job.ranks[0].ask("root")["value"]
            answers = job.ask_all("join", lambda rank: (len(job.ranks), rank.number, info))
            expect(all(answer["code"] != 0 for answer in answers.values()), answers)


def many_communicators(cluster):
    """A thousand communicators leave nothing behind."""
    with Job(cluster, len(cluster.hosts)) as job:
        before = None
        for number in range(1000):
            job.join()
            job.all("reduce", lambda _: (SMALL,))
            job.all("destroy")
            if number == 100:
                before = job.all("footprint")
        settled(lambda: all(now[0] <= was[0] + 4 and now[1] <= was[1] + 2 and now[2] < was[2] + 20_000
                            for was, now in zip(before, job.all("footprint"))), before)


def many_collectives(cluster):
    """Nor do a hundred thousand collectives."""
    with Job(cluster, len(cluster.hosts)) as job:
        job.join()
        job.all("reduce", lambda _: (SMALL, 1000))
        before = job.all("footprint")
        for count, times in ((SMALL, 100_000), (100_000, 200)):
            for rank in job.ranks:
                rank.tell("reduce_queued", count, times, 100)
            for rank in job.ranks:
                answer = rank.answer(1800)
                expect(answer["code"] == 0, answer)
        for was, became in zip(before, job.all("footprint")):
            expect(became[0] <= was[0] + 2 and became[1] <= was[1] + 2 and became[2] < was[2] + 40_000, was, became)


def beside_mpi(cluster):
    """A program may use an MPI of its own, before and after."""
    name = ctypes.util.find_library("mpi") or ctypes.util.find_library("mpich")
    if name is None:
        raise NotOffered("no MPI is installed")
    for first in (True, False):
        with Job(cluster, len(cluster.hosts)) as job:
            if first:
                job.all("begin_mpi", lambda _: (name,))
            job.join()
            job.all("reduce", lambda _: (LARGE,))
            if not first:
                job.all("begin_mpi", lambda _: (name,))
            job.all("reduce", lambda _: (LARGE,))


def crossed(cluster):
    """Two communicators do not wait for each other."""
    with Job(cluster, len(cluster.hosts)) as job:
        job.join()
        job.join()
        for count in (SMALL, LARGE):
            for first in (0, 1):
                for rank in job.ranks:
                    which = (first + rank.number) % 2
                    for one in (which, 1 - which):
                        rank.tell("start_apart", count, one)
                for rank in job.ranks:
                    for _ in range(2):
                        expect(rank.answer()["code"] == 0)
            job.all("finish_apart")


def forked(cluster):
    """A rank may fork: the child has no communicator, and its parent keeps all."""
    with Job(cluster, len(cluster.hosts)) as job:
        job.join()
        job.all("reduce", lambda _: (SMALL,))
        expect(set(job.all("fork")) == {0}, "child")
        job.all("reduce", lambda _: (LARGE,))


def without_ucx(cluster):
    """Without UCX there is a message that names the package, on all ranks, and one host works."""
    host = cluster.hosts[-1]
    library = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout
    path = next(line.split("=> ")[1] for line in library.splitlines() if "libucp.so.0 " in line)
    host.run("mount", "--bind", "/dev/null", os.path.realpath(path))
    try:
        with Job(cluster, len(cluster.hosts)) as job:
            info = job.ranks[0].ask("root")["value"]
            for answer in job.ask_all("join", lambda rank: (len(job.ranks), rank.number, info)).values():
                expect(answer["code"] == 5 and "libucx0" in answer["text"] and host.ip in answer["text"], answer)
            expect(job.ranks[-1].ask("bits_alone", 2, 100, FP32)["code"] == 0)
    finally:
        host.run("umount", os.path.realpath(path))


ALL = [collectives, large_collectives, ipv6, same_bits, rank_table, different, cut_and_healed, cut, cut_between_two, killed,
       root_ended, killed_in_set_up, stopped, slow, lossy, delayed, strangers, white_list, crossed, forked, without_ucx, beside_mpi,
       many_communicators, many_collectives]
