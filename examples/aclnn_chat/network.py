# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The network that train.py trains, as the program computes it: a decoder with RMS norms, rotary embedding, grouped
heads and SwiGLU. Embedding and head share their weights."""
import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTH, LAYERS, HEADS, KV_HEADS, HEAD, HIDDEN, CONTEXT = 128, 4, 4, 2, 32, 384, 256
EPSILON = 1e-5


def rotation():
    """Cosines and sines of the angles of each position, for vectors of two halves."""
    rates = 10000.0 ** (-torch.arange(0, HEAD, 2) / HEAD)
    angles = torch.arange(CONTEXT)[:, None] * torch.cat([rates, rates])
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON) * self.weight


def linear(inputs, outputs, scale=1.0):
    layer = nn.Linear(inputs, outputs, bias=False)
    nn.init.normal_(layer.weight, std=scale * inputs ** -0.5)
    return layer


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        small = (2 * LAYERS) ** -0.5
        self.attention_norm, self.unit_norm = Norm(), Norm()
        self.query, self.key, self.value = (linear(WIDTH, n * HEAD) for n in (HEADS, KV_HEADS, KV_HEADS))
        self.output = linear(HEADS * HEAD, WIDTH, small)
        self.gate_up, self.down = linear(WIDTH, 2 * HIDDEN), linear(HIDDEN, WIDTH, small)

    def attend(self, x, cos, sin, mask):
        batch, length, _ = x.shape
        heads = lambda y: y.view(batch, length, -1, HEAD).transpose(1, 2)
        query = rotate(heads(self.query(x)), cos, sin)
        key = rotate(heads(self.key(x)), cos, sin).repeat_interleave(HEADS // KV_HEADS, 1)
        value = heads(self.value(x)).repeat_interleave(HEADS // KV_HEADS, 1)
        scores = query @ key.transpose(2, 3) * HEAD ** -0.5 + mask
        return self.output((scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, -1))

    def forward(self, x, cos, sin, mask):
        x = x + self.attend(self.attention_norm(x), cos, sin, mask)
        gate, up = self.gate_up(self.unit_norm(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)

    def products(self):
        return [self.query, self.key, self.value, self.output, self.gate_up, self.down]


class Network(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, WIDTH)
        nn.init.normal_(self.embedding.weight, std=WIDTH ** -0.5)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = Norm()
        cos, sin = rotation()
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)
        self.register_buffer("mask", torch.full((CONTEXT, CONTEXT), float("-inf")).triu(1))

    def forward(self, tokens):
        """Scores for the token after each one."""
        length = tokens.shape[1]
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, self.cos[:length], self.sin[:length], self.mask[:length, :length])
        return self.norm(x) @ self.embedding.weight.t()

    def loss(self, windows):
        scores = self(windows[:, :-1])
        return F.cross_entropy(scores.reshape(-1, scores.shape[-1]), windows[:, 1:].reshape(-1))

    def parts(self):
        """Everything learned, in the order of the weights file."""
        yield self.embedding.weight
        for layer in self.layers:
            yield layer.attention_norm.weight
            yield from (product.weight for product in layer.products()[:4])
            yield layer.unit_norm.weight
            yield from (product.weight for product in layer.products()[4:])
        yield self.norm.weight
