# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Networks of our own, small ones of each kind that people train, and numbers to feed them."""
import torch
import torch.nn.functional as F
from torch import nn


def numbers(*shape, step=0.7):
    count = torch.Size(shape).numel()
    return ((torch.arange(count, dtype=torch.float32) * step).sin() * 2).reshape(shape)


def classes(count, kinds):
    return torch.arange(count) * 7 % kinds


def built(network, *arguments, **named):
    """The same weights every time."""
    torch.manual_seed(11)
    return network(*arguments, **named)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
        self.head = nn.Sequential(nn.Linear(16 * 5 * 5, 84), nn.ReLU(), nn.Linear(84, 10))

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        return self.head(F.max_pool2d(F.relu(self.second(x)), 2).flatten(1))


class Residual(nn.Module):
    def __init__(self, channels, wider, stride=1):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(channels, wider, 3, stride, 1, bias=False), nn.BatchNorm2d(wider), nn.ReLU(),
                                  nn.Conv2d(wider, wider, 3, 1, 1, bias=False), nn.BatchNorm2d(wider))
        self.skip = nn.Sequential(nn.Conv2d(channels, wider, 1, stride, bias=False), nn.BatchNorm2d(wider)) \
            if stride != 1 or channels != wider else nn.Identity()

    def forward(self, x):
        return F.relu(self.body(x) + self.skip(x))


def resnet():
    return nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1), nn.BatchNorm2d(16), nn.ReLU(), Residual(16, 16), Residual(16, 32, 2),
                         Residual(32, 64, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


class Inverted(nn.Module):
    """A block of MobileNetV2, and with squeeze one of EfficientNet."""

    def __init__(self, channels, out, stride, factor=4, squeeze=False, activation=nn.ReLU6):
        super().__init__()
        inner = channels * factor
        self.expand = nn.Sequential(nn.Conv2d(channels, inner, 1, bias=False), nn.BatchNorm2d(inner), activation())
        self.depth = nn.Sequential(nn.Conv2d(inner, inner, 3, stride, 1, groups=inner, bias=False), nn.BatchNorm2d(inner),
                                   activation())
        self.gate = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(inner, inner // 4, 1), nn.SiLU(),
                                  nn.Conv2d(inner // 4, inner, 1), nn.Sigmoid()) if squeeze else None
        self.project = nn.Sequential(nn.Conv2d(inner, out, 1, bias=False), nn.BatchNorm2d(out))
        self.same = stride == 1 and channels == out

    def forward(self, x):
        y = self.depth(self.expand(x))
        y = self.project(y * self.gate(y) if self.gate is not None else y)
        return x + y if self.same else y


def mobilenet(squeeze=False, activation=nn.ReLU6):
    block = lambda *sizes: Inverted(*sizes, squeeze=squeeze, activation=activation)  # noqa: E731
    return nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), activation(), block(16, 16, 1),
                         block(16, 24, 2), block(24, 24, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.0),
                         nn.Linear(24, 10))


def vgg():
    return nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1),
                         nn.ReLU(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(512, 64), nn.ReLU(),
                         nn.Linear(64, 10))


class ConvNext(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 4, 4)
        self.depth = nn.Conv2d(channels, channels, 7, padding=3, groups=channels)
        self.norm = nn.LayerNorm(channels)
        self.inner, self.outer = nn.Linear(channels, 4 * channels), nn.Linear(4 * channels, channels)
        self.head = nn.Linear(channels, 10)

    def forward(self, x):
        x = self.stem(x)
        y = self.norm(self.depth(x).permute(0, 2, 3, 1))
        y = self.outer(F.gelu(self.inner(y), approximate="tanh")).permute(0, 3, 1, 2)
        return self.head((x + y).mean((2, 3)))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.middle = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.up, self.out = nn.ConvTranspose2d(16, 8, 2, 2), nn.Conv2d(16, 2, 1)

    def forward(self, x):
        first = F.relu(self.down(x))
        return self.out(torch.cat([first, self.up(F.relu(self.middle(F.max_pool2d(first, 2))))], 1))


class Attention(nn.Module):
    def __init__(self, width=32, heads=4, causal=False):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.joined, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.joined(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width=32, causal=False):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, causal=causal)
        self.inner = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.inner(self.second(x))


class Gpt(nn.Module):
    def __init__(self, words=50, width=32, layers=2):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(64, width)
        self.blocks = nn.Sequential(*(Block(width, causal=True) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1], device=tokens.device)
        return self.head(self.norm(self.blocks(self.words(tokens) + self.places(places))))


class VisionTransformer(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 8, 8)
        self.first, self.places = nn.Parameter(torch.zeros(1, 1, width)), nn.Parameter(torch.randn(1, 17, width))
        self.blocks, self.head = nn.Sequential(Block(width), Block(width)), nn.Linear(width, 10)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(len(x), -1, -1), x], 1) + self.places
        return self.head(self.blocks(x)[:, 0])


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rotated(x):
    """Rotary positions of x [batch, heads, length, width]."""
    length, width = x.shape[-2:]
    angles = torch.outer(torch.arange(length, device=x.device, dtype=torch.float32),
                         10000.0 ** (-torch.arange(0, width, 2, device=x.device, dtype=torch.float32) / width))
    cos, sin = (torch.cat([f(angles)] * 2, -1) for f in (torch.cos, torch.sin))
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat([-right, left], -1) * sin


class LlamaBlock(nn.Module):
    """Grouped queries, rotary positions, SwiGLU."""

    def __init__(self, width=32, heads=4, groups=2):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.first, self.second = RmsNorm(width), RmsNorm(width)
        self.query, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.key, self.value = (nn.Linear(width, groups * self.size, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(width, 3 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * width, width, bias=False)

    def forward(self, x):
        batch, length, width = x.shape
        y = self.first(x)
        q = rotated(self.query(y).view(batch, length, self.heads, -1).transpose(1, 2))
        k = rotated(self.key(y).view(batch, length, self.groups, -1).transpose(1, 2))
        v = self.value(y).view(batch, length, self.groups, -1).transpose(1, 2)
        k, v = (each.repeat_interleave(self.heads // self.groups, 1) for each in (k, v))
        mask = torch.full((length, length), float("-inf"), device=x.device).triu(1)
        weights = (q @ k.transpose(-1, -2) / self.size ** 0.5 + mask).softmax(-1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))
        y = self.second(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    def __init__(self, words=50, width=32, layers=2):
        super().__init__()
        self.words, self.blocks = nn.Embedding(words, width), nn.Sequential(*(LlamaBlock(width) for _ in range(layers)))
        self.norm, self.head = RmsNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        return self.head(self.norm(self.blocks(self.words(tokens))))


class Recurrent(nn.Module):
    def __init__(self, kind=nn.LSTM, **named):
        super().__init__()
        self.cells = kind(8, 16, batch_first=True, **named)
        self.head = nn.Linear(32 if named.get("bidirectional") else 16, 4)

    def forward(self, x):
        return self.head(self.cells(x)[0][:, -1])


class Autoencoder(nn.Module):
    """A variational one whose noise is given."""

    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(64, 16), nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 64))

    def forward(self, x):
        mean, spread = self.encode(x).chunk(2, 1)
        return self.decode(mean + torch.exp(spread / 2) * numbers(*mean.shape).to(x.device)), mean, spread


class GraphNetwork(nn.Module):
    """Messages along edges, gathered with index_add and with scatter_reduce."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x, edges):
        source, target = edges
        x = F.relu(self.first(x))
        summed = torch.zeros_like(x).index_add(0, target, x[source])
        most = torch.zeros_like(x).scatter_reduce(0, target[:, None].expand(-1, x.shape[1]), x[source], "sum")
        return self.second(summed + most)


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 8, 8)
        self.first, self.second = nn.LayerNorm(16), nn.LayerNorm(16)
        self.along, self.across, self.head = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 10)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = x + self.along(self.first(x).transpose(1, 2)).transpose(1, 2)
        return self.head((x + self.across(self.second(x))).mean(1))
