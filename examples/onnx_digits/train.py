#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Trains the network of this example on scikit-learn's handwritten digits and writes digits.onnx and held_out.bin.

A fifth of the images is never shown to the network: held_out.bin holds them, 64 grey values from 0 to 16 and the label,
a byte each. Needs Debian's python3-torch, python3-sklearn and python3-onnx; the result is in the repository.
"""
import os

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = os.path.dirname(os.path.abspath(__file__))


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.3), nn.Linear(128, 10), nn.Softmax(1))


def train(model, images, labels):
    optimizer = torch.optim.Adam(model.parameters(), 2e-3, weight_decay=1e-4)
    scores = model[:-1]  # the loss does the softmax itself
    for epoch in range(60):
        model.train()
        for batch in torch.randperm(len(images)).split(64):
            # A pixel up or down, left or right: digits are not written in one place.
            moved = torch.roll(images[batch], [int(x) for x in torch.randint(-1, 2, (2,))], (2, 3))
            optimizer.zero_grad()
            nn.functional.cross_entropy(scores(moved), labels[batch]).backward()
            optimizer.step()
    return model.eval()


def main():
    torch.manual_seed(7)
    digits = load_digits()
    shown, held_out, shown_labels, held_out_labels = train_test_split(
        digits.images, digits.target, test_size=0.2, random_state=7, stratify=digits.target)
    model = train(network(), torch.tensor(shown, dtype=torch.float32).unsqueeze(1) / 16, torch.tensor(shown_labels))
    with torch.no_grad():
        guesses = model(torch.tensor(held_out, dtype=torch.float32).unsqueeze(1) / 16).argmax(1).numpy()
    print("right on %d of %d held-out images" % ((guesses == held_out_labels).sum(), len(guesses)))
    torch.onnx.export(model, torch.zeros(1, 1, 8, 8), os.path.join(HERE, "digits.onnx"), opset_version=13,
                      input_names=["image"], output_names=["probabilities"],
                      dynamic_axes={"image": {0: "batch"}, "probabilities": {0: "batch"}})
    with open(os.path.join(HERE, "held_out.bin"), "wb") as file:
        for image, label in zip(held_out, held_out_labels):
            file.write(bytes(image.astype("uint8").reshape(-1).tolist() + [int(label)]))


if __name__ == "__main__":
    main()
