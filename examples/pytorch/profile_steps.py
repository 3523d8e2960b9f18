#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Profiles some steps of training: profile_steps.py FOLDER writes a trace that chrome://tracing and TensorBoard open."""
import pathlib
import sys

import torch
import torch_npu
from torch import nn

STEPS = 3


def main():
    folder = pathlib.Path(sys.argv[1])
    network = nn.Sequential(nn.Linear(64, 256), nn.GELU("tanh"), nn.Linear(256, 10)).npu()
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    x, wanted = torch.randn(32, 64).npu(), torch.randint(0, 10, (32,)).npu()
    with torch_npu.profiler.profile(
            activities=[torch_npu.profiler.ProfilerActivity.CPU, torch_npu.profiler.ProfilerActivity.NPU],
            on_trace_ready=torch_npu.profiler.tensorboard_trace_handler(str(folder))) as profiler:
        for _ in range(STEPS):
            optimizer.zero_grad()
            nn.functional.cross_entropy(network(x), wanted).backward()
            optimizer.step()
            profiler.step()
    traces = list(folder.rglob("trace_view.json"))
    assert traces, f"there is no trace below {folder}"
    print(f"open {traces[0]}, {traces[0].stat().st_size} bytes, in chrome://tracing")


if __name__ == "__main__":
    main()
