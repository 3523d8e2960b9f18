# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""One rank, told what to do line by line: rank.py <libfoothold.so>. Each line is a JSON list of a name and arguments; the
answer is a JSON object with the code of what failed, its text and the seconds it took."""

import ctypes
import hashlib
import json
import os
import random
import struct
import sys
import time

FP32, FP16, INT32, SUM = 4, 3, 2, 0
ROOT_INFO_BYTES = 4108
DEVICE_TO_HOST, HOST_TO_DEVICE = 2, 1


class Rank:
    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        self.lib.aclGetRecentErrMsg.restype = ctypes.c_char_p
        self.check(self.lib.aclInit(None))
        self.check(self.lib.aclrtSetDevice(0))
        self.stream = ctypes.c_void_p()
        self.check(self.lib.aclrtCreateStream(ctypes.byref(self.stream)))
        self.comms, self.streams, self.pending, self.rank, self.size = [], [], [], 0, 0

    def check(self, code):
        if code != 0:
            text = self.lib.aclGetRecentErrMsg()
            raise Failed(code, text.decode() if text else "")

    def memory(self, content):
        at = ctypes.c_void_p()
        self.check(self.lib.aclrtMalloc(ctypes.byref(at), ctypes.c_size_t(max(1, len(content))), 0))
        size = ctypes.c_size_t(len(content))
        self.check(self.lib.aclrtMemcpy(at, size, content, size, HOST_TO_DEVICE))
        return at

    def read(self, at, size):
        content = ctypes.create_string_buffer(size)
        bytes_ = ctypes.c_size_t(size)
        self.check(self.lib.aclrtMemcpy(content, bytes_, at, bytes_, DEVICE_TO_HOST))
        return content.raw

    # What can be asked for.
    def pid(self):
        return os.getpid()

    def root(self):
        info = ctypes.create_string_buffer(ROOT_INFO_BYTES)
        self.check(self.lib.HcclGetRootInfo(info))
        return info.raw.hex()

    def join(self, size, rank, info):
        comm = ctypes.c_void_p()
        self.check(self.lib.HcclCommInitRootInfo(size, bytes.fromhex(info), rank, ctypes.byref(comm)))
        self.comms.append(comm)
        self.size, self.rank = size, rank

    def join_table(self, path, size, rank):
        comm = ctypes.c_void_p()
        self.check(self.lib.HcclCommInitClusterInfo(path.encode(), rank, ctypes.byref(comm)))
        self.comms.append(comm)
        self.size, self.rank = size, rank

    def start(self, count, which=-1, kind=INT32):
        """Queues an all-reduce whose sum finish() knows."""
        content = struct.pack("<i", self.rank + 1) * count
        at = self.memory(content)
        self.pending.append((at, count))
        self.check(self.lib.HcclAllReduce(at, at, ctypes.c_uint64(count), kind, SUM, self.comms[which], self.stream))

    def finish(self):
        pending, self.pending = self.pending, []
        try:
            self.check(self.lib.aclrtSynchronizeStream(self.stream))
            for at, count in pending:
                expected = struct.pack("<i", self.size * (self.size + 1) // 2) * count
                if self.read(at, 4 * count) != expected:
                    raise Failed(-1, f"an all-reduce of {count} numbers has a wrong sum")
        finally:
            for at, _ in pending:
                self.lib.aclrtFree(at)

    def message(self, sends, count, other):
        """Numbers to or from another rank; answers the first of them."""
        at = self.memory(struct.pack("<i", self.rank + 1) * count)
        call = self.lib.HcclSend if sends else self.lib.HcclRecv
        try:
            self.check(call(at, ctypes.c_uint64(count), INT32, other, self.comms[-1], self.stream))
            self.check(self.lib.aclrtSynchronizeStream(self.stream))
            return struct.unpack("<i", self.read(at, 4))[0]
        finally:
            self.lib.aclrtFree(at)

    def start_apart(self, count, which):
        """On a stream of its own for each communicator."""
        while len(self.streams) <= which:
            stream = ctypes.c_void_p()
            self.check(self.lib.aclrtCreateStream(ctypes.byref(stream)))
            self.streams.append(stream)
        usual, self.stream = self.stream, self.streams[which]
        try:
            self.start(count, which)
        finally:
            self.stream = usual

    def finish_apart(self):
        for stream in self.streams:
            self.check(self.lib.aclrtSynchronizeStream(stream))
        self.finish()

    def reduce(self, count, times=1):
        for _ in range(times):
            self.start(count)
            self.finish()

    def reduce_queued(self, count, times, at_a_time):
        """So many all-reduces, some of them queued at a time."""
        sent, received = self.memory(struct.pack("<i", self.rank + 1) * count), self.memory(bytes(4 * count))
        for _ in range(times // at_a_time):
            for _ in range(at_a_time):
                self.check(self.lib.HcclAllReduce(sent, received, ctypes.c_uint64(count), INT32, SUM, self.comms[-1],
                                                  self.stream))
            self.check(self.lib.aclrtSynchronizeStream(self.stream))
        expected = struct.pack("<i", self.size * (self.size + 1) // 2) * count
        if self.read(received, 4 * count) != expected:
            raise Failed(-1, f"an all-reduce of {count} numbers has a wrong sum")
        self.lib.aclrtFree(sent)
        self.lib.aclrtFree(received)

    def reduce_for(self, seconds, count):
        """Until the time is over or one fails."""
        done, end = 0, time.monotonic() + seconds
        goes_on = True
        while goes_on:
            self.reduce(count)
            done += 1
            goes_on = self.agree(time.monotonic() < end)
        return done

    def agree(self, goes_on):
        """All go on, or none."""
        at = self.memory(struct.pack("<i", 0 if goes_on else 1))
        self.check(self.lib.HcclAllReduce(at, at, ctypes.c_uint64(1), INT32, SUM, self.comms[-1], self.stream))
        self.check(self.lib.aclrtSynchronizeStream(self.stream))
        ended = struct.unpack("<i", self.read(at, 4))[0]
        self.lib.aclrtFree(at)
        return ended == 0

    def bits(self, count, kind):
        """A digest of the sum of numbers that no order but one gives the same bits for."""
        at = self.memory(numbers(self.rank, count, kind))
        self.check(self.lib.HcclAllReduce(at, at, ctypes.c_uint64(count), kind, SUM, self.comms[-1], self.stream))
        self.check(self.lib.aclrtSynchronizeStream(self.stream))
        return hashlib.sha256(self.read(at, count * (4 if kind == FP32 else 2))).hexdigest()

    def bits_alone(self, size, count, kind):
        """The same, by one process that has all ranks."""
        devices = (ctypes.c_int32 * size)(*range(size))
        comms = (ctypes.c_void_p * size)()
        self.check(self.lib.HcclCommInitAll(size, devices, comms))
        streams, memories = [], []
        for rank in range(size):
            self.check(self.lib.aclrtSetDevice(rank))
            stream = ctypes.c_void_p()
            self.check(self.lib.aclrtCreateStream(ctypes.byref(stream)))
            at = self.memory(numbers(rank, count, kind))
            comm = ctypes.c_void_p(comms[rank])
            self.check(self.lib.HcclAllReduce(at, at, ctypes.c_uint64(count), kind, SUM, comm, stream))
            streams.append(stream)
            memories.append(at)
        for rank, stream in reversed(list(enumerate(streams))):
            self.check(self.lib.aclrtSetDevice(rank))
            self.check(self.lib.aclrtSynchronizeStream(stream))
        return hashlib.sha256(self.read(memories[0], count * (4 if kind == FP32 else 2))).hexdigest()

    def time_large(self, count, times):
        """The middle of the seconds that all-reduces of floats take."""
        sent, received = self.memory(bytes(4 * count)), self.memory(bytes(4 * count))
        took = []
        for number in range(times + 2):
            self.agree(True)
            began = time.monotonic()
            self.check(self.lib.HcclAllReduce(sent, received, ctypes.c_uint64(count), FP32, SUM, self.comms[-1], self.stream))
            self.check(self.lib.aclrtSynchronizeStream(self.stream))
            if number >= 2:
                took.append(time.monotonic() - began)
        self.lib.aclrtFree(sent)
        self.lib.aclrtFree(received)
        return sorted(took)[times // 2]

    def async_error(self):
        error = ctypes.c_int()
        self.check(self.lib.HcclGetCommAsyncError(self.comms[-1], ctypes.byref(error)))
        return error.value

    def destroy(self):
        self.check(self.lib.HcclCommDestroy(self.comms.pop()))

    def footprint(self):
        """Descriptors, threads, and kilobytes in memory."""
        with open("/proc/self/status") as file:
            status = dict(line.split(":", 1) for line in file)
        return [len(os.listdir("/proc/self/fd")), int(status["Threads"]), int(status["VmRSS"].split()[0])]

    def has_loaded(self, library):
        with open("/proc/self/maps") as file:
            return any(library in line for line in file)

    def fork(self):
        """A child that is alive, has nothing of this, and ends in order."""
        child = os.fork()
        if child == 0:
            os._exit(0 if self.child_is_refused() else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def begin_mpi(self, library):
        """This process is one of MPI as well."""
        self.mpi = ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
        if self.mpi.MPI_Init(None, None) != 0:
            raise Failed(-1, "MPI_Init")

    def child_is_refused(self):
        size = ctypes.c_uint32()
        return self.lib.HcclGetRankSize(self.comms[-1], ctypes.byref(size)) != 0


class Failed(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code, self.text = code, text


def numbers(rank, count, kind):
    source = random.Random(1000 + rank)
    values = [source.uniform(-1, 1) * 2 ** source.randint(-8, 8) for _ in range(min(count, 4099))]
    values = (values * (count // len(values) + 1))[:count]
    return struct.pack(f"<{count}{'f' if kind == FP32 else 'e'}", *values)


def main():
    rank = Rank(sys.argv[1])
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        began = time.monotonic()
        answer = {"code": 0, "text": ""}
        try:
            answer["value"] = getattr(rank, name)(*arguments)
        except Failed as failed:
            answer.update(code=failed.code, text=failed.text)
        answer["seconds"] = time.monotonic() - began
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
