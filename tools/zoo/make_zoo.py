#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Writes the model zoo: common architectures with random weights of a fixed seed, batch 1, float.

  make_zoo.py FOLDER [NAME...]          FOLDER/NAME.onnx, full size
  make_zoo.py --tiny FOLDER [NAME...]   FOLDER/NAME/ with model.onnx and a data set of inputs and torch's outputs, in the
                                        layout of the ONNX backend suite; small enough to be part of the repository
  make_zoo.py --int8 [--tiny] ...       the networks of INT8 on integers, as NAME_int8
  make_zoo.py --batch N ...             N inputs at a time

Needs Debian's python3-torch, python3-torchvision and python3-onnx.
"""
import argparse
import os

import numpy as np
import onnx.numpy_helper
import torch
import torch.nn as nn

import quantize
import text
import vision

OPSET = 13
BATCH = 1


def image(size=224, channels=3):
    return (torch.randn(BATCH, channels, size, size),)


def words(vocabulary, count):
    return torch.randint(0, vocabulary, (BATCH, count))


def sentence(vocabulary, count):
    return (words(vocabulary, count), torch.ones(BATCH, count, dtype=torch.int64),
            torch.zeros(BATCH, count, dtype=torch.int64))


def step(vocabulary, layers, heads, past, d):
    cache = (torch.randn(layers, BATCH, heads, past, d // heads) * .1 for _ in range(2))
    return (words(vocabulary, 1), *cache)


# name: full network, its inputs, tiny network, its inputs
ZOO = {
    "lenet": (vision.LeNet, lambda: image(28, 1), lambda: vision.LeNet(4), lambda: image(28, 1)),
    "resnet18": (lambda: vision.ResNet((2, 2, 2, 2), 1), image,
                 lambda: vision.ResNet((2, 1, 1, 1), 1, 6, 10), lambda: image(64)),
    "resnet50": (lambda: vision.ResNet((3, 4, 6, 3), 4), image,
                 lambda: vision.ResNet((2, 1, 2, 1), 4, 4, 10), lambda: image(64)),
    "mobilenet_v2": (vision.mobilenet_v2, image, lambda: vision.mobilenet_v2(0.05, 10), lambda: image(64)),
    "efficientnet_b0": (vision.efficientnet_b0, image,
                        lambda: vision.efficientnet_b0(0.1, 0.4, 10), lambda: image(64)),
    "squeezenet1_1": (vision.SqueezeNet, image, lambda: vision.SqueezeNet(2, 10), lambda: image(96)),
    "vgg16": (vision.Vgg16, image, lambda: vision.Vgg16(3, 32, 64, 10), lambda: image(64)),
    "unet256": (vision.UNet, lambda: image(256), lambda: vision.UNet(2), lambda: image(48)),
    "yolov5s_like": (vision.Yolo, lambda: image(640), lambda: vision.Yolo(2, 3), lambda: image(64)),
    "bert_base_128": (text.Bert, lambda: sentence(30522, 128),
                      lambda: text.Bert(2, 16, 2, 50), lambda: sentence(50, 12)),
    "vit_b16": (text.Vit, image, lambda: text.Vit(24, 2, 3, 32, 8, 10), lambda: image(32)),
    "gpt2_prefill64": (text.Gpt, lambda: (words(50257, 64),),
                       lambda: text.Gpt(2, 16, 2, 40), lambda: (words(40, 9),)),
    "gpt2_step64": (lambda: text.Gpt(past=63), lambda: step(50257, 12, 12, 63, 768),
                    lambda: text.Gpt(2, 16, 2, 40, 7), lambda: step(40, 2, 2, 7, 16)),
    "lstm2x512_seq64": (text.Lstm, lambda: (torch.randn(64, BATCH, 256),),
                        lambda: text.Lstm(12, 16), lambda: (torch.randn(5, BATCH, 12),)),
}


def randomize_norms(network):
    """Statistics as after training: with mean 0 and variance 1, folding a wrong one would not be seen."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.running_mean, -0.1, 0.1)
            nn.init.uniform_(module.running_var, 0.8, 1.2)
            nn.init.uniform_(module.weight, 0.8, 1.2)
            nn.init.uniform_(module.bias, -0.1, 0.1)
    return network


def export(network, inputs, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    torch.onnx.export(network, inputs, path, opset_version=OPSET, do_constant_folding=True,
                      input_names=["in%d" % i for i in range(len(inputs))])


def write_tensors(tensors, folder, kind):
    for i, tensor in enumerate(tensors):
        proto = onnx.numpy_helper.from_array(tensor.detach().numpy())
        with open(os.path.join(folder, "%s_%d.pb" % (kind, i)), "wb") as file:
            file.write(proto.SerializeToString())


# Networks that are written with integers: None is dynamic quantisation, else the type of the activations. Tiny ones have
# activations of the other type too.
INT8 = {"resnet50": (np.uint8, np.uint8), "mobilenet_v2": (np.uint8, np.int8), "bert_base_128": (None, None)}


def quantized(path, inputs, kind, powers):
    model = onnx.load(path)
    model = quantize.quantize_dynamic(model) if kind is None else quantize.quantize_static(model, inputs, kind, powers)
    onnx.save(model, path)
    return model


def quantized_outputs(model, network, inputs, kind):
    if kind is not None:
        return quantize.evaluate(model, inputs)[model.graph.output[0].name].float()
    nn.Linear.forward = quantize.dynamic_linear
    return network(*inputs)


def write_tiny(name, folder, int8):
    torch.manual_seed(20240607)
    network, inputs = randomize_norms(ZOO[name][2]()).eval(), ZOO[name][3]()
    folder = os.path.join(folder, name + ("_int8" if int8 else ""))
    path = os.path.join(folder, "model.onnx")
    export(network, inputs, path)
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    with torch.no_grad():
        outputs = network(*inputs)
        if int8:
            kind = INT8[name][1]
            outputs = quantized_outputs(quantized(path, inputs, kind, True), network, inputs, kind)
    write_tensors(inputs, data, "input")
    write_tensors(outputs if isinstance(outputs, tuple) else (outputs,), data, "output")
    return path


def write_full(name, folder, int8):
    torch.manual_seed(20240607)
    network, inputs = randomize_norms(ZOO[name][0]()).eval(), ZOO[name][1]()
    path = os.path.join(folder, name + ("_int8" if int8 else "") + ".onnx")
    export(network, inputs, path)
    if int8:
        quantized(path, inputs, INT8[name][0], False)
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--int8", action="store_true")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    BATCH = arguments.batch
    for one in arguments.names or (INT8 if arguments.int8 else ZOO):
        written = (write_tiny if arguments.tiny else write_full)(one, arguments.folder, arguments.int8)
        print("%-18s %9.3f MB" % (one, os.path.getsize(written) / 1e6), flush=True)
