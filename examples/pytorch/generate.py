#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""A small language model learns a text by heart and says it, one character at a time, with a cache of keys and values."""
import torch
import torch_npu  # noqa: F401  the device "npu"
import torch.nn.functional as F
from torch import nn

TEXT = "the quick brown fox jumps over the lazy dog. "
LETTERS = sorted(set(TEXT))
WIDTH, HEADS, LAYERS = 64, 4, 2


def attention(query, key, value):
    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    if query.shape[-2] > 1:  # several tokens at once: none sees those behind it
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
        scores = scores.masked_fill(later, float("-inf"))
    return scores.softmax(-1) @ value


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.SiLU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x, cache):
        query, key, value = self.qkv(self.norm(x)).view(*x.shape[:2], 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        if cache:
            key, value = torch.cat([cache[0], key], 2), torch.cat([cache[1], value], 2)
        x = x + self.out(attention(query, key, value).transpose(1, 2).flatten(2))
        return x + self.mlp(x), (key, value)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.places = nn.Embedding(len(LETTERS), WIDTH), nn.Embedding(256, WIDTH)
        self.blocks, self.head = nn.ModuleList(Block() for _ in range(LAYERS)), nn.Linear(WIDTH, len(LETTERS))

    def forward(self, tokens, caches=None, start=0):
        x = self.letters(tokens) + self.places(torch.arange(start, start + tokens.shape[1], device=tokens.device))
        kept = []
        for at, block in enumerate(self.blocks):
            x, cache = block(x, caches[at] if caches else None)
            kept.append(cache)
        return self.head(x), kept


def train(model, tokens):
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    for _ in range(60):
        scores, _ = model(tokens[:, :-1])
        loss = F.cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def generate(model, tokens, count):
    said = tokens[0].tolist()
    scores, caches = model(tokens)
    for _ in range(count):
        token = scores[:, -1].argmax(-1, keepdim=True)
        said.append(token.item())
        scores, caches = model(token, caches, len(said) - 1)
    return "".join(LETTERS[token] for token in said)


def main():
    torch.manual_seed(3)
    tokens = torch.tensor([[LETTERS.index(letter) for letter in 2 * TEXT]], device="npu")
    model = Model().npu()
    train(model, tokens)
    with torch.no_grad():
        said = generate(model, tokens[:, :9], len(TEXT) - 9)
    print(said)
    assert said == TEXT, "it does not know the text"


if __name__ == "__main__":
    main()
