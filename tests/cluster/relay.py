#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""A network that takes its time: relay.py <milliseconds> <device> <pid>:<address>... makes a tun device in the network of
each process, says "ready", and carries packets between them, each as much later. Ends with its standard input."""

import collections
import ctypes
import fcntl
import os
import select
import socket
import struct
import subprocess
import sys
import time

CLONE_NEWNET, TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x40000000, 0x400454CA, 1, 0x1000
MOST_BYTES = 9000


def make_device(name, pid, address):
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(network, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), f"the network of process {pid}")
    os.close(network)
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    subprocess.run(["ip", "address", "add", f"{address}/24", "dev", name], check=True)
    subprocess.run(["ip", "link", "set", name, "mtu", str(MOST_BYTES), "txqueuelen", "5000", "up"], check=True)
    return device


def receive(device, due, by_address, waiting):
    while True:
        try:
            packet = os.read(device, MOST_BYTES + 100)
        except BlockingIOError:
            return
        target = by_address.get(packet[16:20]) if packet[0] >> 4 == 4 else None  # IPv4 by its receiver
        if target is not None:
            waiting.append((due, target, packet))


def send_what_is_due(waiting):
    while waiting and waiting[0][0] <= time.monotonic():
        _, target, packet = waiting.popleft()
        try:
            os.write(target, packet)
        except OSError:  # full: TCP sends it again
            pass


def main():
    delay, name, *hosts = sys.argv[1:]
    by_address = {}
    for host in hosts:
        pid, address = host.split(":")
        by_address[socket.inet_aton(address)] = make_device(name, pid, address)
    print("ready", flush=True)
    waiting = collections.deque()
    while True:
        patience = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        readable = select.select([sys.stdin, *by_address.values()], [], [], patience)[0]
        if sys.stdin in readable:
            return
        due = time.monotonic() + float(delay) / 1000
        for device in readable:
            receive(device, due, by_address, waiting)
        send_what_is_due(waiting)


if __name__ == "__main__":
    main()
