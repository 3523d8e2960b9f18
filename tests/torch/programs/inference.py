# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Networks that are only run: ours, and those of torchvision and timm where these are installed."""
import importlib.util

import torch
from torch import nn

import networks
from catalog import program
from networks import built, classes, numbers

PICTURES = {
    "lenet": (networks.LeNet, (2, 1, 28, 28)),
    "resnet": (networks.resnet, (2, 3, 32, 32)),
    "mobilenet": (networks.mobilenet, (2, 3, 32, 32)),
    "mobilenet_hardswish": (lambda: networks.mobilenet(activation=nn.Hardswish), (2, 3, 32, 32)),
    "efficientnet": (lambda: networks.mobilenet(squeeze=True, activation=nn.SiLU), (2, 3, 32, 32)),
    "vgg": (networks.vgg, (2, 3, 32, 32)),
    "convnext": (networks.ConvNext, (2, 3, 32, 32)),
    "unet": (networks.UNet, (1, 3, 32, 32)),
    "vision_transformer": (networks.VisionTransformer, (2, 3, 32, 32)),
    "mixer": (networks.Mixer, (2, 3, 32, 32)),
    "autoencoder": (networks.Autoencoder, (4, 64)),
    "lstm": (networks.Recurrent, (3, 7, 8)),
    "lstm_both_ways": (lambda: networks.Recurrent(bidirectional=True, num_layers=2), (3, 7, 8)),
    "gru": (lambda: networks.Recurrent(nn.GRU), (3, 7, 8)),
    "rnn": (lambda: networks.Recurrent(nn.RNN), (3, 7, 8)),
    "transformer_encoder": (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2),
                            (2, 9, 32)),
    "conv3d": (lambda: nn.Sequential(nn.Conv3d(2, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool3d(1)), (1, 2, 6, 6, 6)),
    "conv1d": (lambda: nn.Sequential(nn.Conv1d(4, 8, 5, 2), nn.GELU("tanh"), nn.ConvTranspose1d(8, 4, 5, 2)), (2, 4, 40)),
    "instance_norm": (lambda: nn.Sequential(nn.ReflectionPad2d(1), nn.Conv2d(3, 8, 3), nn.InstanceNorm2d(8), nn.PReLU(),
                                            nn.Upsample(scale_factor=2), nn.PixelShuffle(2)), (1, 3, 8, 8)),
}


def run(network, device, given):
    network = built(network).eval().to(device)
    with torch.inference_mode():
        return network(given.to(device))


def pictures(make, shape, kind=torch.float32):
    def body(device):
        network = built(make).eval().to(device, kind)
        with torch.no_grad():
            return network(numbers(*shape).to(device, kind))
    return body


for name, (make, shape) in PICTURES.items():
    program(pictures(make, shape), name=name, factor=10)
for name in ("resnet", "vision_transformer", "convnext"):
    program(pictures(*PICTURES[name], kind=torch.bfloat16), name=f"{name}_bfloat16", factor=3)
    program(pictures(*PICTURES[name], kind=torch.float16), name=f"{name}_float16", factor=3)


@program(factor=10)
def gpt(device):
    return run(networks.Gpt, device, classes(24, 50).reshape(2, 12))


@program(factor=10)
def llama(device):
    return run(networks.Llama, device, classes(24, 50).reshape(2, 12))


@program
def gpt_generates(device):
    network = built(networks.Gpt).eval().to(device)
    tokens = torch.tensor([[1, 5, 3]], device=device)
    with torch.no_grad():
        for _ in range(8):
            tokens = torch.cat([tokens, network(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens


@program(factor=10)
def graph_network(device):
    edges = torch.tensor([[0, 1, 2, 3, 3], [1, 2, 0, 0, 1]], device=device)
    return built(networks.GraphNetwork).to(device)(numbers(4, 8).to(device), edges)


@program(factor=10)
def scripted(device):
    network = torch.jit.trace(built(networks.LeNet).eval(), numbers(1, 1, 28, 28)).to(device)
    return network(numbers(2, 1, 28, 28).to(device))


@program(factor=10)
def multihead_attention(device):
    layer = built(nn.MultiheadAttention, 32, 4, batch_first=True).eval().to(device)
    x = numbers(2, 7, 32).to(device)
    return list(layer(x, x, x))


@program
def box_selection(device):
    """Anchors, overlaps and the best of them, as detectors compute them."""
    corners = numbers(20, 2).to(device).abs() * 10
    boxes = torch.cat([corners, corners + 5 + numbers(20, 2, step=0.3).to(device).abs()], 1)
    area = ((boxes[:, 2:] - boxes[:, :2]).clamp(min=0)).prod(1)
    low, high = torch.max(boxes[:, None, :2], boxes[:, :2]), torch.min(boxes[:, None, 2:], boxes[:, 2:])
    shared = (high - low).clamp(min=0).prod(2)
    overlap = shared / (area[:, None] + area - shared)
    scores, order = overlap.sum(1).sort(descending=True)
    return [overlap, scores, boxes[order][scores > 1.5]]


TORCHVISION = ("alexnet", "resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "densenet121",
               "googlenet", "shufflenet_v2_x1_0", "squeezenet1_1", "mnasnet0_5", "regnet_y_400mf", "convnext_tiny", "vit_b_16",
               "swin_t", "vgg11_bn", "resnext50_32x4d", "inception_v3")
if importlib.util.find_spec("torchvision"):
    def vision(name):
        def body(device):
            import torchvision
            torch.manual_seed(5)
            network = getattr(torchvision.models, name)(weights=None).eval().to(device)
            with torch.no_grad():
                return network(numbers(1, 3, 299, 299)[:, :, :64, :64].contiguous().to(device) if name not in
                               ("vit_b_16", "inception_v3", "alexnet") else
                               numbers(1, 3, 299, 299)[:, :, :299 if name == "inception_v3" else 224,
                                                       :299 if name == "inception_v3" else 224].contiguous().to(device))
        return body
    for name in TORCHVISION:
        program(vision(name), name=f"torchvision_{name}", factor=50)

TIMM = ("levit_128s", "mobilevitv2_050", "edgenext_xx_small", "ghostnet_050", "poolformer_s12", "mixer_s32_224",
        "deit_tiny_patch16_224", "efficientvit_b0", "repvgg_a0", "fastvit_t8", "tinynet_e", "coat_tiny", "pit_ti_224",
        "xcit_nano_12_p16_224", "hardcorenas_a", "lcnet_050")
if importlib.util.find_spec("timm"):
    def of_timm(name):
        def body(device):
            import timm
            torch.manual_seed(5)
            network = timm.create_model(name, pretrained=False).eval().to(device)
            with torch.no_grad():
                return network(numbers(1, 3, 224, 224).to(device))
        return body
    for name in TIMM:
        program(of_timm(name), name=f"timm_{name}", factor=50)
