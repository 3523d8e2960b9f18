#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Two collectives of several processes, by ctypes."""

import ctypes
import os
import socket
import time

import acl
import numpy

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
FLOAT32, SUM = 4, 0

hccl = ctypes.CDLL("libhccl.so")
hccl.HcclGetErrorString.restype = ctypes.c_char_p


class RootInfo(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * 4108)]


def check(code, what):
    if code != 0:
        raise RuntimeError(f"{what} answered {code}: {hccl.HcclGetErrorString(code).decode()}")


def share(info):
    """From rank 0 to all others, by the address and port that the launcher gave to all."""
    place = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
    if RANK == 0:
        with socket.create_server(place) as server:
            for _ in range(SIZE - 1):
                with server.accept()[0] as other:
                    other.sendall(bytes(info))
        return info
    for _ in range(1000):
        try:
            with socket.create_connection(place) as root:
                return RootInfo.from_buffer_copy(root.makefile("rb").read(4108))
        except ConnectionRefusedError:  # it is not there yet
            time.sleep(0.01)
    raise RuntimeError("rank 0 does not listen")


def call(function, *arguments):
    check(function(*arguments), function.__name__)


def main():
    assert acl.init() == 0 and acl.rt.set_device(0) == 0
    stream, _ = acl.rt.create_stream()
    info = RootInfo()
    if RANK == 0:
        call(hccl.HcclGetRootInfo, ctypes.byref(info))
    info = share(info)
    comm = ctypes.c_void_p()
    call(hccl.HcclCommInitRootInfo, SIZE, ctypes.byref(info), RANK, ctypes.byref(comm))

    numbers = numpy.arange(8, dtype=numpy.float32) * (RANK + 1)
    memory, _ = acl.rt.malloc(numbers.nbytes, 0)
    acl.rt.memcpy(memory, numbers.nbytes, numbers.ctypes.data, numbers.nbytes, 1)
    buffer, count, on = ctypes.c_void_p(memory), ctypes.c_uint64(numbers.size), ctypes.c_void_p(stream)
    call(hccl.HcclAllReduce, buffer, buffer, count, FLOAT32, SUM, comm, on)
    call(hccl.HcclBroadcast, buffer, count, FLOAT32, 0, comm, on)
    assert acl.rt.synchronize_stream(stream) == 0
    acl.rt.memcpy(numbers.ctypes.data, numbers.nbytes, memory, numbers.nbytes, 2)
    print("the sum of all ranks:", numbers.tolist())
    assert (numbers == numpy.arange(8) * (SIZE * (SIZE + 1) // 2)).all()

    call(hccl.HcclCommDestroy, comm)
    acl.rt.free(memory)
    acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()


main()
