# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The networks whose training is measured, their data and optimisers, in PyTorch; bench/training_networks.cpp has the same."""
import os

import numpy
import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 32
BATCHES = 10  # seen again and again
HERE = os.path.dirname(os.path.abspath(__file__))
DIGITS = os.path.join(HERE, "..", "..", "examples", "onnx_digits", "held_out.bin")


class Digits(nn.Module):
    """The network of examples/onnx_digits, without dropout, which would not be the same twice."""

    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16)
        self.conv2, self.bn2 = nn.Conv2d(16, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32)
        self.fc = nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(x.flatten(1))

    @staticmethod
    def data():
        rows = numpy.fromfile(DIGITS, numpy.uint8).reshape(-1, 65)[:BATCHES * BATCH]
        images = rows[:, :64].astype(numpy.float32).reshape(-1, BATCH, 1, 8, 8) / 16
        return images, rows[:, 64].astype(numpy.int32).reshape(-1, BATCH)

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), 0.02, momentum=0.9)


class Block(nn.Module):
    def __init__(self, channels, out, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out)
        self.conv2, self.bn2 = nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out)
        self.short = stride != 1
        if self.short:
            self.conv3, self.bn3 = nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out)

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (self.bn3(self.conv3(x)) if self.short else x))


class ResNet18(nn.Module):
    """As for images of 32x32: a first layer of 3x3, and no pooling before the last."""

    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64)
        sizes = [(64, 64, 1), (64, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1), (256, 512, 2),
                 (512, 512, 1)]
        self.blocks = nn.Sequential(*[Block(*size) for size in sizes])
        self.fc = nn.Linear(512, 10)

    def forward(self, x):
        x = self.blocks(F.relu(self.bn1(self.conv1(x))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))

    @staticmethod
    def data():
        random = numpy.random.RandomState(3)
        kinds = random.randn(10, 3, 32, 32).astype(numpy.float32)
        labels = random.randint(0, 10, (BATCHES, BATCH)).astype(numpy.int32)
        noise = random.randn(BATCHES, BATCH, 3, 32, 32).astype(numpy.float32)
        return kinds[labels] + 0.3 * noise, labels

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), 0.01, momentum=0.9)


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attend(self, x, mask):
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        query, key, value = qkv[0], qkv[1], qkv[2]
        scores = query @ key.transpose(-2, -1) * (width // self.heads) ** -0.5 + mask
        return self.out((scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x, mask):
        x = x + self.attend(self.norm1(x), mask)
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Transformer(nn.Module):
    """Four layers that predict the next of 256 tokens from up to 64 before it."""
    TOKENS, LENGTH, WIDTH, HEADS, LAYERS = 256, 64, 256, 4, 4

    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(self.TOKENS, self.WIDTH), nn.Embedding(self.LENGTH, self.WIDTH)
        self.layers = nn.ModuleList([Layer(self.WIDTH, self.HEADS) for _ in range(self.LAYERS)])
        self.norm, self.head = nn.LayerNorm(self.WIDTH), nn.Linear(self.WIDTH, self.TOKENS)
        self.mask = torch.full((self.LENGTH, self.LENGTH), -1e9).triu(1)

    def forward(self, tokens):
        x = self.token(tokens) + self.position.weight
        for layer in self.layers:
            x = layer(x, self.mask)
        return self.head(self.norm(x)).flatten(0, 1)

    @classmethod
    def data(cls):
        random = numpy.random.RandomState(5)
        rows = [random.randint(0, cls.TOKENS, (BATCHES, BATCH))]
        for _ in range(cls.LENGTH):
            rows.append((rows[-1] * 5 + 7 + random.randint(0, 2, rows[-1].shape)) % cls.TOKENS)
        text = numpy.stack(rows, -1).astype(numpy.int32)
        return text[..., :-1].copy(), text[..., 1:].copy()

    def optimizer(self):
        return torch.optim.AdamW(self.parameters(), 3e-4, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)


NETWORKS = {"digits": Digits, "resnet18_32": ResNet18, "transformer4": Transformer}
