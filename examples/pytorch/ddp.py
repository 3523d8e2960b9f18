#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Trains the network on several devices, a process each: torchrun --nproc_per_node 2 ddp.py"""
import os

import torch
import torch.distributed as dist
import torch_npu  # noqa: F401  the device "npu"
from torch import nn

import digits


def main():
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.npu.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("hccl")
    torch.manual_seed(5)  # the same weights everywhere
    images, labels = (each[:-digits.HELD_OUT][rank::ranks].npu() for each in digits.read())
    network = nn.parallel.DistributedDataParallel(digits.network().npu())
    optimizer = torch.optim.SGD(network.parameters(), 0.1, momentum=0.9)
    for step in range(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(images), labels)
        loss.backward()  # adds up the gradients of all ranks
        optimizer.step()
        dist.all_reduce(loss.detach(), op=dist.ReduceOp.SUM)
        if rank == 0 and step % 10 == 9:
            print(f"step {step + 1}: loss {loss.item() / ranks:.3f}")
    weights = torch.cat([each.detach().flatten() for each in network.parameters()])
    others = [torch.empty_like(weights) for _ in range(ranks)]
    dist.all_gather(others, weights)
    assert all(torch.equal(weights, other) for other in others), "the ranks have different weights"
    if rank == 0:
        print(f"{ranks} ranks have the same {len(weights)} weights")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
