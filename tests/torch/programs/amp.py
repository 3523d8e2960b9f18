# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Mixed precision: autocast to float16 and bfloat16, scaled gradients, and whole trainings in 16 bits."""
import torch
import torch.nn.functional as F

import networks
from catalog import program
from networks import built, classes, numbers


def close(found, wanted, within):
    return bool(((found - wanted).abs() <= within * (1 + wanted.abs())).all())


def plain_losses(make, inputs, targets, steps, rate):
    """On the CPU and in float32."""
    network = built(make)
    optimizer = torch.optim.SGD(network.parameters(), rate, momentum=0.9)
    found = []
    for _ in range(steps):
        optimizer.zero_grad()
        value = F.cross_entropy(network(inputs).flatten(0, -2), targets.flatten())
        value.backward()
        optimizer.step()
        found.append(value.detach())
    return torch.stack(found)


def mixed_losses(make, inputs, targets, steps, rate, kind):
    network = built(make).to("npu:0")
    optimizer = torch.optim.SGD(network.parameters(), rate, momentum=0.9)
    scaler = torch.npu.amp.GradScaler(enabled=kind == torch.float16)
    inputs, targets, found = inputs.to("npu:0"), targets.to("npu:0"), []
    for _ in range(steps):
        optimizer.zero_grad()
        with torch.autocast("npu", dtype=kind):
            value = F.cross_entropy(network(inputs).flatten(0, -2), targets.flatten())
        scaler.scale(value).backward()
        scaler.step(optimizer)
        scaler.update()
        found.append(value.detach().float().cpu())
    return torch.stack(found)


TOKENS = classes(40, 50).reshape(4, 10)
TRAININGS = {
    "resnet": (networks.resnet, numbers(8, 3, 32, 32), classes(8, 10), 50, 0.01),
    "transformer": (lambda: networks.Gpt(layers=4), TOKENS, TOKENS.roll(-1, 1), 50, 0.02),
    "lenet": (networks.LeNet, numbers(8, 1, 28, 28), classes(8, 10), 20, 0.02),
}


def training(make, inputs, targets, steps, rate, kind):
    def body(device):
        wanted = plain_losses(make, inputs, targets, steps, rate)
        found = mixed_losses(make, inputs, targets, steps, rate, kind)
        assert close(found, wanted, 0.08), f"losses {found[::7].tolist()} instead of {wanted[::7].tolist()}"
    return body


for name, given in TRAININGS.items():
    for kind in (torch.float16, torch.bfloat16):
        program(training(*given, kind), name=f"{name}_{str(kind)[6:]}", only_npu=True)


@program(only_npu=True)
def autocast_types(device):
    a, b = numbers(4, 4).to(device), numbers(4, 4).to(device)
    with torch.autocast("npu", dtype=torch.float16):
        assert (a @ b).dtype == torch.float16
        assert F.softmax(a @ b, -1).dtype == torch.float32
        assert F.layer_norm(a @ b, (4,)).dtype in (torch.float16, torch.float32)
    assert (a @ b).dtype == torch.float32


@program(only_npu=True)
def scaler_skips_infinite_gradients(device):
    weight = torch.nn.Parameter(torch.ones(4, device=device))
    optimizer = torch.optim.SGD([weight], 1.0)
    scaler = torch.npu.amp.GradScaler(init_scale=4.0)
    scaler.scale((weight * float("inf")).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert weight.tolist() == [1.0] * 4, "a step was taken"
    assert scaler.get_scale() == 2.0, f"the scale is {scaler.get_scale()}"


@program(only_npu=True)
def scaler_with_clipping(device):
    network = built(networks.LeNet).to(device)
    optimizer = torch.optim.AdamW(network.parameters(), 0.01)
    scaler = torch.npu.amp.GradScaler()
    with torch.autocast("npu", dtype=torch.float16):
        value = F.cross_entropy(network(numbers(4, 1, 28, 28).to(device)), classes(4, 10).to(device))
    scaler.scale(value).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    assert torch.isfinite(norm), norm


@program(factor=3)
def half_network(device):
    network = built(networks.LeNet).half().to(device)
    return network(numbers(2, 1, 28, 28).half().to(device)).float()


@program(only_npu=True)
def bfloat16_training(device):
    network = built(networks.Gpt).bfloat16().to(device)
    optimizer = torch.optim.AdamW(network.parameters(), 0.01)
    tokens, found = TOKENS.to(device), []
    for _ in range(20):
        optimizer.zero_grad()
        value = F.cross_entropy(network(tokens).flatten(0, 1).float(), tokens.roll(-1, 1).flatten())
        value.backward()
        optimizer.step()
        found.append(value.item())
    assert found[-1] < found[0] / 2, found


@program(only_npu=True)
def autocast_backward_types(device):
    layer = torch.nn.Linear(4, 4).to(device)
    with torch.autocast("npu", dtype=torch.bfloat16):
        layer(numbers(2, 4).to(device)).float().sum().backward()
    assert layer.weight.grad.dtype == torch.float32
