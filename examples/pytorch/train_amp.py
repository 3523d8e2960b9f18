#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Trains the network with automatic mixed precision: float16 where that is enough, and a scaled loss.

train_amp.py WEIGHTS: writes the weights to that file.
"""
import sys

import torch
import torch_npu  # noqa: F401  the device "npu"
from torch import nn

import digits

STEPS = 120


def main():
    torch.manual_seed(7)
    images, labels = (each[:-digits.HELD_OUT].npu() for each in digits.read())
    network = digits.network().npu()
    optimizer = torch.optim.AdamW(network.parameters(), 4e-3)
    scaler = torch.npu.amp.GradScaler()
    for step in range(STEPS):
        batch = torch.randint(0, len(images), (64,), device="npu")
        with torch.autocast("npu", dtype=torch.float16):
            loss = nn.functional.cross_entropy(network(images[batch]), labels[batch])
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        scaler.step(optimizer)
        scaler.update()
        if step % 20 == 0 or step == STEPS - 1:
            print(f"step {step:3}: loss {loss.item():.3f}, scale {scaler.get_scale():.0f}")
    torch.save(network.cpu().state_dict(), sys.argv[1])
    assert loss.item() < 0.5, "it has learned nothing"


if __name__ == "__main__":
    main()
