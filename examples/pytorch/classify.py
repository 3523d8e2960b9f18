#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Reads images that the training has not seen.

classify.py WEIGHTS: those that train_amp.py wrote.
"""
import sys

import torch
import torch_npu  # noqa: F401  the device "npu"

import digits


def main():
    images, labels = (each[-digits.HELD_OUT:] for each in digits.read())
    network = digits.network()
    network.load_state_dict(torch.load(sys.argv[1]))
    network.eval().npu()
    with torch.no_grad():
        chances = network(images.npu()).softmax(1).cpu()
    sure, read = chances.max(1)
    for at in range(5):
        print(f"image {at}: {read[at].item()}, {sure[at].item():.0%} sure; it is {labels[at].item()}")
    right = int((read == labels).sum())
    print(f"right on {right} of {len(labels)}")
    assert right >= 0.9 * len(labels)


if __name__ == "__main__":
    main()
