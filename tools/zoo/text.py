# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The transformers and the recurrent network of the zoo."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(d, d) for _ in range(4))
        self.heads = heads

    def split(self, x):
        b, s, d = x.shape
        return x.view(b, s, self.heads, d // self.heads).permute(0, 2, 1, 3)

    def forward(self, x, mask=None):
        b, s, d = x.shape
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(d // self.heads)
        if mask is not None:
            scores = scores + mask
        y = torch.matmul(torch.softmax(scores, -1), v).permute(0, 2, 1, 3).reshape(b, s, d)
        return self.out(y)


class Mlp(nn.Sequential):
    def __init__(self, d, hidden):
        super().__init__(nn.Linear(d, hidden), nn.GELU(), nn.Linear(hidden, d))


class BertLayer(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.attention, self.mlp = Attention(d, heads), Mlp(d, 4 * d)
        self.norm1, self.norm2 = nn.LayerNorm(d, 1e-12), nn.LayerNorm(d, 1e-12)

    def forward(self, x, mask):
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.mlp(x))


class Bert(nn.Module):
    def __init__(self, layers=12, d=768, heads=12, words=30522):
        super().__init__()
        self.words, self.places, self.types = nn.Embedding(words, d), nn.Embedding(512, d), nn.Embedding(2, d)
        self.norm = nn.LayerNorm(d, 1e-12)
        self.layers = nn.ModuleList([BertLayer(d, heads) for _ in range(layers)])
        self.pool = nn.Linear(d, d)

    def forward(self, ids, mask, types):
        places = torch.arange(ids.shape[1]).unsqueeze(0)
        x = self.norm(self.words(ids) + self.places(places) + self.types(types))
        bias = (1.0 - mask[:, None, None, :].to(torch.float32)) * -10000.0
        for layer in self.layers:
            x = layer(x, bias)
        return x, torch.tanh(self.pool(x[:, 0]))


class VitBlock(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(d, 1e-6), Attention(d, heads)
        self.norm2, self.mlp = nn.LayerNorm(d, 1e-6), Mlp(d, 4 * d)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Vit(nn.Module):
    def __init__(self, d=768, layers=12, heads=12, size=224, patch=16, classes=1000):
        super().__init__()
        self.patches, self.d = (size // patch) ** 2, d
        self.embed = nn.Conv2d(3, d, patch, patch)
        self.first = nn.Parameter(torch.randn(1, 1, d) * .02)
        self.places = nn.Parameter(torch.randn(1, self.patches + 1, d) * .02)
        self.blocks = nn.Sequential(*[VitBlock(d, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(d, 1e-6), nn.Linear(d, classes)

    def forward(self, x):
        batch = int(x.shape[0])
        x = self.embed(x).reshape(batch, self.d, self.patches).transpose(1, 2)
        first = self.first if batch == 1 else self.first.expand(batch, -1, -1)
        x = torch.cat([first, x], 1) + self.places
        return self.head(self.norm(self.blocks(x))[:, 0])


class GptBlock(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.norm1, self.qkv, self.out = nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.norm2, self.mlp, self.heads = nn.LayerNorm(d), Mlp(d, 4 * d), heads

    def forward(self, x, past_k=None, past_v=None):
        b, s, d = x.shape
        q, k, v = (t.view(b, s, self.heads, d // self.heads).transpose(1, 2) for t in self.qkv(self.norm1(x)).split(d, 2))
        if past_k is not None:
            k, v = torch.cat([past_k, k], 2), torch.cat([past_v, v], 2)
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(d // self.heads)
        if s > 1:
            scores = scores.masked_fill(torch.arange(s)[None, :] > torch.arange(s)[:, None], -1e4)
        y = torch.matmul(torch.softmax(scores, -1), v).transpose(1, 2).reshape(b, s, d)
        x = x + self.out(y)
        return x + self.mlp(self.norm2(x)), k, v


class Gpt(nn.Module):
    """The prefill, or with `past` the step that adds one word to so many."""

    def __init__(self, layers=12, d=768, heads=12, words=50257, past=0):
        super().__init__()
        self.words, self.places = nn.Embedding(words, d), nn.Embedding(1024 if past < 1024 else past + 1, d)
        self.blocks = nn.ModuleList([GptBlock(d, heads) for _ in range(layers)])
        self.norm, self.head, self.past = nn.LayerNorm(d), nn.Linear(d, words, bias=False), past

    def forward(self, ids, past_k=None, past_v=None):
        places = torch.arange(self.past, self.past + ids.shape[1]).unsqueeze(0)
        x = self.words(ids) + self.places(places)
        keys, values = [], []
        for i, block in enumerate(self.blocks):
            x, k, v = block(x, None if past_k is None else past_k[i], None if past_v is None else past_v[i])
            keys.append(k)
            values.append(v)
        return self.head(self.norm(x)[:, -1]), torch.stack(keys), torch.stack(values)


class Lstm(nn.Module):
    def __init__(self, inputs=256, hidden=512):
        super().__init__()
        self.lstm, self.out = nn.LSTM(inputs, hidden, 2), nn.Linear(hidden, inputs)

    def forward(self, x):
        return self.out(self.lstm(x)[0])
