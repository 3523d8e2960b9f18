# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Trainings of some steps: the losses must be the CPU's."""
import torch
import torch.nn.functional as F
from torch import nn

import networks
from catalog import program
from networks import built, classes, numbers

STEPS = 8


def cross_entropy(output, targets):
    return F.cross_entropy(output.flatten(0, -2), targets.flatten())


def losses_of(network, inputs, targets, optimizer, loss=cross_entropy, steps=STEPS, clip=None, schedule=None):
    found = []
    for _ in range(steps):
        optimizer.zero_grad()
        value = loss(network(inputs), targets)
        value.backward()
        if clip:
            found.append(nn.utils.clip_grad_norm_(network.parameters(), clip).detach())
        optimizer.step()
        if schedule:
            schedule.step()
        found.append(value.detach())
    return torch.stack([each.cpu() for each in found])


def train(device, make, inputs, targets, optimizer=lambda parameters: torch.optim.SGD(parameters, 0.05, momentum=0.9), **named):
    network = built(make).to(device).train()
    return losses_of(network, inputs.to(device), targets.to(device), optimizer(network.parameters()), **named)


PICTURES = {"resnet": networks.resnet, "mobilenet": networks.mobilenet, "vgg": networks.vgg, "convnext": networks.ConvNext,
            "vision_transformer": networks.VisionTransformer, "mixer": networks.Mixer,
            "efficientnet": lambda: networks.mobilenet(squeeze=True, activation=nn.SiLU)}
for name, make in PICTURES.items():
    program(lambda device, make=make: train(device, make, numbers(8, 3, 32, 32), classes(8, 10)), name=name, factor=30)

OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, 0.05),
    "sgd_nesterov": lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "sgd_foreach": lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, foreach=True),
    "adam": lambda p: torch.optim.Adam(p, 0.01),
    "adam_amsgrad": lambda p: torch.optim.Adam(p, 0.01, amsgrad=True),
    "adam_foreach": lambda p: torch.optim.Adam(p, 0.01, foreach=True),
    "adam_loop": lambda p: torch.optim.Adam(p, 0.01, foreach=False),
    "adamw": lambda p: torch.optim.AdamW(p, 0.01),
    "adamw_foreach": lambda p: torch.optim.AdamW(p, 0.01, foreach=True),
    "adamax": lambda p: torch.optim.Adamax(p, 0.01),
    "adagrad": lambda p: torch.optim.Adagrad(p, 0.01),
    "adadelta": lambda p: torch.optim.Adadelta(p, 0.5),
    "rmsprop": lambda p: torch.optim.RMSprop(p, 0.01, momentum=0.5),
    "rmsprop_foreach": lambda p: torch.optim.RMSprop(p, 0.01, foreach=True),
    "rprop": lambda p: torch.optim.Rprop(p, 0.01),
    "radam": lambda p: torch.optim.RAdam(p, 0.01),
    "nadam": lambda p: torch.optim.NAdam(p, 0.01),
    "asgd": lambda p: torch.optim.ASGD(p, 0.05),
}
for name, optimizer in OPTIMIZERS.items():
    program(lambda device, optimizer=optimizer: train(device, networks.LeNet, numbers(8, 1, 28, 28), classes(8, 10), optimizer),
            name=f"lenet_{name}", factor=30)


@program(factor=30)
def lbfgs(device):
    network = built(nn.Linear, 5, 3).to(device)
    inputs, targets = numbers(10, 5).to(device), classes(10, 3).to(device)
    optimizer = torch.optim.LBFGS(network.parameters(), 0.5, max_iter=5)

    def closure():
        optimizer.zero_grad()
        value = F.cross_entropy(network(inputs), targets)
        value.backward()
        return value
    return torch.stack([optimizer.step(closure).detach().cpu() for _ in range(4)])


@program(factor=30)
def gpt_clipped(device):
    tokens = classes(40, 50).reshape(4, 10)
    return train(device, networks.Gpt, tokens, tokens.roll(-1, 1), lambda p: torch.optim.AdamW(p, 0.003), clip=1.0)


@program(factor=30)
def llama(device):
    tokens = classes(40, 50).reshape(4, 10)
    return train(device, networks.Llama, tokens, tokens.roll(-1, 1), lambda p: torch.optim.AdamW(p, 0.003), clip=1.0)


@program(factor=30)
def lstm(device):
    return train(device, networks.Recurrent, numbers(6, 9, 8), classes(6, 4))


@program(factor=30)
def lstm_both_ways(device):
    return train(device, lambda: networks.Recurrent(bidirectional=True), numbers(6, 9, 8), classes(6, 4))


@program(factor=30)
def gru(device):
    return train(device, lambda: networks.Recurrent(nn.GRU), numbers(6, 9, 8), classes(6, 4))


@program(factor=30)
def lstm_cell(device):
    cell, head = built(nn.LSTMCell, 8, 16).to(device), built(nn.Linear, 16, 4).to(device)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.1)
    inputs, targets, found = numbers(5, 6, 8).to(device), classes(6, 4).to(device), []
    for _ in range(4):
        state = None
        for each in inputs:
            state = cell(each, state)
        value = F.cross_entropy(head(state[0]), targets)
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        found.append(value.detach().cpu())
    return torch.stack(found)


@program(factor=30)
def autoencoder(device):
    def loss(output, targets):
        picture, mean, spread = output
        return F.mse_loss(picture, targets) - 0.01 * (1 + spread - mean.pow(2) - spread.exp()).mean()
    inputs = numbers(8, 64)
    return train(device, networks.Autoencoder, inputs, inputs, lambda p: torch.optim.Adam(p, 0.01), loss=loss)


@program(factor=30)
def unet(device):
    def loss(output, targets):
        return F.cross_entropy(output, targets)
    return train(device, networks.UNet, numbers(2, 3, 16, 16), classes(512, 2).reshape(2, 16, 16), loss=loss)


@program(factor=30)
def graph_network(device):
    edges = torch.tensor([[0, 1, 2, 3, 3], [1, 2, 0, 0, 1]], device=device)
    network = built(networks.GraphNetwork).to(device)
    optimizer = torch.optim.Adam(network.parameters(), 0.02)
    return losses_of(lambda x: network(x, edges), numbers(4, 8).to(device), classes(4, 4).to(device), optimizer)


@program(factor=30)
def schedules(device):
    network = built(networks.LeNet).to(device)
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=STEPS)
    return losses_of(network, numbers(8, 1, 28, 28).to(device), classes(8, 10).to(device), optimizer, schedule=schedule)


@program(factor=30)
def gradients_gathered(device):
    """Two halves of a batch before each step."""
    network = built(networks.vgg).to(device)
    optimizer = torch.optim.SGD(network.parameters(), 0.05)
    inputs, targets, found = numbers(8, 3, 32, 32).to(device), classes(8, 10).to(device), []
    for _ in range(4):
        optimizer.zero_grad()
        for half in (slice(0, 4), slice(4, 8)):
            value = F.cross_entropy(network(inputs[half]), targets[half]) / 2
            value.backward()
            found.append(value.detach().cpu())
        optimizer.step()
    return torch.stack(found)


@program(factor=30)
def checkpointed(device):
    from torch.utils.checkpoint import checkpoint
    network = built(networks.VisionTransformer).to(device)
    x = numbers(2, 16, 32).to(device).requires_grad_()
    checkpoint(network.blocks, x, use_reentrant=False).sum().backward()
    return [x.grad, network.blocks[0].inner[0].weight.grad]


@program(factor=30)
def second_derivatives(device):
    x = numbers(6).to(device).requires_grad_()
    first, = torch.autograd.grad((x.tanh() * x).sum(), x, create_graph=True)
    return torch.autograd.grad(first.pow(2).sum(), x)


@program(factor=30)
def frozen_and_averaged(device):
    network = built(networks.LeNet).to(device)
    for parameter in network.first.parameters():
        parameter.requires_grad_(False)
    optimizer = torch.optim.SGD([p for p in network.parameters() if p.requires_grad], 0.05)
    averaged = torch.optim.swa_utils.AveragedModel(network)
    losses_of(network, numbers(8, 1, 28, 28).to(device), classes(8, 10).to(device), optimizer)
    averaged.update_parameters(network)
    return [p.detach() for p in averaged.parameters()]


@program(factor=30)
def saved_and_loaded(device):
    import io
    network = built(networks.LeNet).to(device)
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    data = numbers(8, 1, 28, 28).to(device), classes(8, 10).to(device)
    losses_of(network, *data, optimizer, steps=3)
    file = io.BytesIO()
    torch.save(dict(network=network.state_dict(), optimizer=optimizer.state_dict()), file)
    file.seek(0)
    state = torch.load(file, map_location=device)
    again = networks.LeNet().to(device)
    again.load_state_dict(state["network"])
    other = torch.optim.Adam(again.parameters(), 0.01)
    other.load_state_dict(state["optimizer"])
    return losses_of(again, *data, other, steps=3)


def learns(device, make, inputs, targets):
    """A training with dropout: it must learn, its numbers are nobody's."""
    found = train(device, make, inputs, targets, lambda p: torch.optim.Adam(p, 0.005), steps=30)
    return bool(found[-5:].mean() < found[:5].mean() / 2)


@program
def dropout_learns(device):
    return learns(device, lambda: nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 4)),
                  numbers(12, 16), classes(12, 4))


@program
def transformer_with_dropout_learns(device):
    layer = lambda: nn.Sequential(nn.TransformerEncoderLayer(16, 2, 32, 0.1, batch_first=True), nn.Linear(16, 4))  # noqa: E731
    return learns(device, layer, numbers(6, 5, 16), classes(30, 4).reshape(6, 5))
