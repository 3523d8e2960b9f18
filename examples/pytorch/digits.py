# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Handwritten digits of 8 by 8 pixels, and a small network that reads them (train_amp.py, classify.py, ddp.py)."""
import pathlib

import torch
from torch import nn

FILE = pathlib.Path(__file__).resolve().parent.parent / "onnx_digits" / "held_out.bin"
HELD_OUT = 60  # of the 360 images


def read():
    """Images of floats from 0 to 1, and what they show."""
    rows = torch.frombuffer(bytearray(FILE.read_bytes()), dtype=torch.uint8).view(-1, 65)
    return rows[:, :64].float().view(-1, 1, 8, 8) / 16, rows[:, 64].long()


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(128, 10))
