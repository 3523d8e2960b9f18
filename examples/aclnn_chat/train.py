#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Makes the text, trains the network on it and writes chat.bin and held_out.bin; README.md has the format.

  train.py [--steps N]

Needs Debian's python3-torch and, to be fast, libopenblas0-pthread; the result is in the repository. The same
text and the same start give nearly the same network on every machine.
"""
import argparse
import copy
import math
import os
import struct
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before torch loads it; one thread gives the same sums everywhere
import torch

import corpus
import network
import tokens

HERE = os.path.dirname(os.path.abspath(__file__))
VOCABULARY, BATCH, GROUP = 768, 6, 32
RATE, WARM_UP = 3e-3, 100
HELD_OUT_WINDOWS = 24


def windows_of(tokenizer, conversations):
    """Conversations one after the other, in windows that begin with one."""
    windows, window = [], []
    for conversation in conversations:
        window += [0] + tokenizer.encode(conversation)
        if len(window) >= network.CONTEXT:
            windows.append(window[:network.CONTEXT])
            window = []
    return torch.tensor(windows)


def rate_at(step, steps):
    return RATE * min(1, (step + 1) / WARM_UP) * (0.02 + 0.98 * (1 + math.cos(math.pi * step / steps)) / 2)


def train(model, windows, steps):
    matrices, vectors = ([p for p in model.parameters() if (p.dim() > 1) == wanted] for wanted in (True, False))
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.05}, {"params": vectors, "weight_decay": 0.0}],
                                  RATE, betas=(0.9, 0.98))
    order = torch.randperm(len(windows)).repeat(1 + steps * BATCH // len(windows))
    begin = time.time()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, steps)
        optimizer.zero_grad()
        loss = model.loss(windows[order[step * BATCH:(step + 1) * BATCH]])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1} of {steps}: loss {loss.item():.3f}, {time.time() - begin:.0f} s", flush=True)


def rounded(model, bits):
    """The network with the weights of its layers as the program has them: whole numbers with a scale for each group."""
    result = copy.deepcopy(model)
    for part in result.parts():
        part.data = part.data.half().float()
    for weight in (product.weight for layer in result.layers for product in layer.products() if bits < 16):
        groups = weight.data.view(-1, GROUP)
        most = 2 ** (bits - 1) - 1
        scale = (groups.abs().amax(1, keepdim=True) / most).half().float()
        weight.data = ((groups / scale.clamp(min=1e-8)).round().clamp(-most - 1, most) * scale).view_as(weight)
    return result


def held_out_loss(model, windows):
    with torch.no_grad():
        return sum(model.loss(window[None]).item() for window in windows) / len(windows)


def write(model, tokenizer, held_out):
    with open(os.path.join(HERE, "chat.bin"), "wb") as file:
        file.write(b"FHCHAT01" + struct.pack("<8i", VOCABULARY, network.WIDTH, network.LAYERS, network.HEADS,
                                             network.KV_HEADS, network.HEAD, network.HIDDEN, network.CONTEXT))
        for piece in tokenizer.pieces:
            file.write(bytes([len(piece)]) + piece.encode())
        for part in model.parts():
            file.write(part.detach().half().numpy().tobytes())
    with open(os.path.join(HERE, "held_out.bin"), "wb") as file:
        file.write(held_out.numpy().astype("<u2").tobytes())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args()
    torch.manual_seed(7)
    torch.set_num_threads(1)
    shown = corpus.conversations(1, 60000, held_out=False)
    tokenizer = tokens.Tokenizer(tokens.make_pieces("".join(shown), VOCABULARY))
    windows = windows_of(tokenizer, shown)
    held_out = windows_of(tokenizer, corpus.conversations(2, 400, held_out=True))[:HELD_OUT_WINDOWS]
    model = network.Network(VOCABULARY)
    print(f"{sum(p.numel() for p in model.parameters()):,} weights, {windows.numel():,} tokens of text")
    train(model, windows, options.steps)
    write(model, tokenizer, held_out)
    for name, bits in (("float16", 16), ("INT8", 8), ("INT4", 4)):
        print(f"held-out loss with {name} weights: {held_out_loss(rounded(model, bits), held_out):.4f}")


if __name__ == "__main__":
    main()
