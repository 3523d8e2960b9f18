# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The convolutional networks of the zoo. `width` scales channels, so that tiny versions keep the architecture."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision.models as tvm


class LeNet(nn.Sequential):
    def __init__(self, width=20):
        super().__init__(
            nn.Conv2d(1, width, 5), nn.MaxPool2d(2), nn.Conv2d(width, width * 5 // 2, 5), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(width * 40, width * 25), nn.ReLU(), nn.Linear(width * 25, 10), nn.Softmax(1))


class ConvBn(nn.Sequential):
    def __init__(self, i, o, kernel, stride=1):
        super().__init__(nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o))


class Residual(nn.Module):
    """Two 3x3 convolutions, or 1x1, 3x3, 1x1 where `expansion` is four."""

    def __init__(self, i, planes, stride, expansion):
        super().__init__()
        o = planes * expansion
        if expansion == 1:
            self.body = nn.Sequential(ConvBn(i, planes, 3, stride), nn.ReLU(), ConvBn(planes, o, 3))
        else:
            self.body = nn.Sequential(ConvBn(i, planes, 1), nn.ReLU(), ConvBn(planes, planes, 3, stride), nn.ReLU(),
                                      ConvBn(planes, o, 1))
        self.shortcut = ConvBn(i, o, 1, stride) if stride != 1 or i != o else nn.Identity()

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


class ResNet(nn.Sequential):
    def __init__(self, blocks, expansion, width=64, classes=1000):
        layers = [ConvBn(3, width, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        channels = width
        for stage, count in enumerate(blocks):
            for block in range(count):
                layers.append(Residual(channels, width << stage, 2 if stage and not block else 1, expansion))
                channels = (width << stage) * expansion
        super().__init__(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))


class Fire(nn.Module):
    def __init__(self, i, squeeze, expand):
        super().__init__()
        self.squeeze = nn.Conv2d(i, squeeze, 1)
        self.narrow, self.wide = nn.Conv2d(squeeze, expand, 1), nn.Conv2d(squeeze, expand, 3, padding=1)

    def forward(self, x):
        x = F.relu(self.squeeze(x))
        return torch.cat([F.relu(self.narrow(x)), F.relu(self.wide(x))], 1)


class SqueezeNet(nn.Sequential):
    """Version 1.1; `width` is the squeeze of the first module."""

    def __init__(self, width=16, classes=1000):
        w, pool = width, lambda: nn.MaxPool2d(3, 2, ceil_mode=True)
        super().__init__(
            nn.Conv2d(3, 4 * w, 3, 2), nn.ReLU(), pool(), Fire(4 * w, w, 4 * w), Fire(8 * w, w, 4 * w), pool(),
            Fire(8 * w, 2 * w, 8 * w), Fire(16 * w, 2 * w, 8 * w), pool(), Fire(16 * w, 3 * w, 12 * w),
            Fire(24 * w, 3 * w, 12 * w), Fire(24 * w, 4 * w, 16 * w), Fire(32 * w, 4 * w, 16 * w), nn.Dropout(),
            nn.Conv2d(32 * w, classes, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())


class Vgg16(nn.Sequential):
    def __init__(self, width=64, hidden=4096, size=224, classes=1000):
        layers, channels = [], 3
        for out, count in ((1, 2), (2, 2), (4, 3), (8, 3), (8, 3)):
            for _ in range(count):
                layers += [nn.Conv2d(channels, out * width, 3, padding=1), nn.ReLU()]
                channels = out * width
            layers.append(nn.MaxPool2d(2))
        super().__init__(*layers, nn.Flatten(), nn.Linear(channels * (size // 32) ** 2, hidden), nn.ReLU(),
                         nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, classes))


class DoubleConv(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(ConvBn(i, o, 3), nn.ReLU(), ConvBn(o, o, 3), nn.ReLU())


class UNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        c = [width << level for level in range(5)]
        self.down = nn.ModuleList([DoubleConv(3, c[0])] + [DoubleConv(c[i], c[i + 1]) for i in range(4)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(c[i + 1], c[i], 2, 2) for i in reversed(range(4))])
        self.merge = nn.ModuleList([DoubleConv(c[i] * 2, c[i]) for i in reversed(range(4))])
        self.out = nn.Conv2d(c[0], 1, 1)

    def forward(self, x):
        skipped = []
        for level, down in enumerate(self.down):
            x = down(x)
            if level < 4:
                skipped.append(x)
                x = F.max_pool2d(x, 2)
        for up, merge in zip(self.up, self.merge):
            x = merge(torch.cat([skipped.pop(), up(x)], 1))
        return torch.sigmoid(self.out(x))


class ConvSilu(nn.Sequential):
    def __init__(self, i, o, kernel=1, stride=1):
        super().__init__(*ConvBn(i, o, kernel, stride), nn.SiLU())


class Bottleneck(nn.Module):
    def __init__(self, c, add):
        super().__init__()
        self.body, self.add = nn.Sequential(ConvSilu(c, c), ConvSilu(c, c, 3)), add

    def forward(self, x):
        return x + self.body(x) if self.add else self.body(x)


class CrossStage(nn.Module):
    def __init__(self, i, o, count, add=True):
        super().__init__()
        half = o // 2
        self.main, self.side, self.join = ConvSilu(i, half), ConvSilu(i, half), ConvSilu(2 * half, o)
        self.body = nn.Sequential(*[Bottleneck(half, add) for _ in range(count)])

    def forward(self, x):
        return self.join(torch.cat([self.body(self.main(x)), self.side(x)], 1))


class PooledPyramid(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.narrow, self.join = ConvSilu(c, c // 2), ConvSilu(c * 2, c)

    def forward(self, x):
        parts = [self.narrow(x)]
        for _ in range(3):
            parts.append(F.max_pool2d(parts[-1], 5, 1, 2))
        return self.join(torch.cat(parts, 1))


class Yolo(nn.Module):
    """Backbone, neck and three heads with the layers of YOLOv5s at width 32."""

    def __init__(self, width=32, classes=80):
        super().__init__()
        w, self.values = width, classes + 5
        self.stem = ConvSilu(3, w, 6, 2)
        self.stem[0].padding = (2, 2)
        self.p2 = nn.Sequential(ConvSilu(w, 2 * w, 3, 2), CrossStage(2 * w, 2 * w, 1))
        self.p3 = nn.Sequential(ConvSilu(2 * w, 4 * w, 3, 2), CrossStage(4 * w, 4 * w, 2))
        self.p4 = nn.Sequential(ConvSilu(4 * w, 8 * w, 3, 2), CrossStage(8 * w, 8 * w, 3))
        self.p5 = nn.Sequential(ConvSilu(8 * w, 16 * w, 3, 2), CrossStage(16 * w, 16 * w, 1), PooledPyramid(16 * w))
        self.top, self.up4 = ConvSilu(16 * w, 8 * w), CrossStage(16 * w, 8 * w, 1, False)
        self.middle, self.up3 = ConvSilu(8 * w, 4 * w), CrossStage(8 * w, 4 * w, 1, False)
        self.down4, self.out4 = ConvSilu(4 * w, 4 * w, 3, 2), CrossStage(8 * w, 8 * w, 1, False)
        self.down5, self.out5 = ConvSilu(8 * w, 8 * w, 3, 2), CrossStage(16 * w, 16 * w, 1, False)
        self.heads = nn.ModuleList([nn.Conv2d(c * w, 3 * self.values, 1) for c in (4, 8, 16)])

    def forward(self, x):
        p3 = self.p3(self.p2(self.stem(x)))
        p4 = self.p4(p3)
        top = self.top(self.p5(p4))
        n4 = self.up4(torch.cat([F.interpolate(top, scale_factor=2.0, mode="nearest"), p4], 1))
        middle = self.middle(n4)
        o3 = self.up3(torch.cat([F.interpolate(middle, scale_factor=2.0, mode="nearest"), p3], 1))
        o4 = self.out4(torch.cat([self.down4(o3), middle], 1))
        o5 = self.out5(torch.cat([self.down5(o4), top], 1))
        return torch.cat([self.boxes(head, o) for head, o in zip(self.heads, (o3, o4, o5))], 1)

    def boxes(self, head, x):
        y = torch.sigmoid(head(x))
        n, _, h, w = y.shape
        return y.view(n, 3, self.values, h, w).permute(0, 1, 3, 4, 2).reshape(n, 3 * h * w, self.values)


def mobilenet_v2(width=1.0, classes=1000):
    return tvm.mobilenet_v2(width_mult=width, num_classes=classes)


def efficientnet_b0(width=1.0, depth=1.0, classes=1000):
    from torchvision.models.efficientnet import EfficientNet, MBConvConfig
    rows = [(1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3), (6, 5, 1, 80, 112, 3),
            (6, 5, 2, 112, 192, 4), (6, 3, 1, 192, 320, 1)]
    return EfficientNet([MBConvConfig(*row, width, depth) for row in rows], dropout=0.2, num_classes=classes)
