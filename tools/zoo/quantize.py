# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Integer versions of networks of the zoo, in the two forms that quantisers write.

`quantize_static`: bytes between QuantizeLinear and DequantizeLinear around every operator of a convolutional network,
int8 weights with a scale for each output channel. `quantize_dynamic`: DynamicQuantizeLinear and MatMulInteger in place
of products with constant weights. `evaluate` computes the first form by its definition, in double.
"""
import math

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper

ACTIVATIONS = ("Relu", "Clip")


def attributes(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def tensor(array):
    return torch.from_numpy(np.array(array))


def pads_of(given):
    pads = given.get("pads", [0, 0, 0, 0])
    assert pads[:2] == pads[2:], pads
    return pads[:2]


def along(values, axis, rank):
    return values if values.ndim == 0 or values.numel() == 1 else values.reshape(
        [-1 if i == axis else 1 for i in range(rank)])


def compute(node, x):
    """One operator on tensors of double or of integers."""
    a, kind = attributes(node), node.op_type
    if kind == "Conv":
        return F.conv2d(x[0], x[1], x[2] if len(x) > 2 else None, a.get("strides", [1, 1]), pads_of(a),
                        a.get("dilations", [1, 1]), a.get("group", 1))
    if kind == "Relu":
        return x[0].clamp(min=0)
    if kind == "Clip":
        return x[0].clamp(float(x[1]), float(x[2]))
    if kind == "Add":
        return x[0] + x[1]
    if kind == "MaxPool":
        return F.max_pool2d(x[0], a["kernel_shape"], a.get("strides", [1, 1]), pads_of(a))
    if kind == "GlobalAveragePool":
        return x[0].mean((2, 3), keepdim=True)
    if kind == "Flatten":
        return x[0].flatten(a.get("axis", 1))
    if kind == "Gemm":
        return x[0] @ (x[1].t() if a.get("transB", 0) else x[1]) + x[2]
    if kind == "QuantizeLinear":
        low = -128 if x[2].dtype == torch.int8 else 0
        scaled = torch.round(x[0] / along(x[1].double(), a.get("axis", 1), x[0].ndim))
        return (scaled + x[2].double()).clamp(low, low + 255).to(x[2].dtype)
    if kind == "DequantizeLinear":
        axis, rank = a.get("axis", 1), x[0].ndim
        return (x[0].double() - along(x[2].double(), axis, rank)) * along(x[1].double(), axis, rank)
    if kind == "Constant":
        return tensor(numpy_helper.to_array(a["value"]))
    raise ValueError(kind)


def evaluate(model, inputs):
    """All values of a convolutional network by name."""
    values = {i.name: tensor(numpy_helper.to_array(i)) for i in model.graph.initializer}
    values = {name: v.double() if v.dtype == torch.float32 else v for name, v in values.items()}
    values.update({i.name: v.double() for i, v in zip(model.graph.input, inputs)})
    for node in model.graph.node:
        values[node.output[0]] = compute(node, [values[name] for name in node.input if name])
    return values


class Static:
    """Writes the quantised network node by node."""

    def __init__(self, model, inputs, kind, powers):
        self.old, self.kind, self.powers = model.graph, kind, powers
        self.values = evaluate(model, inputs)
        self.readers = {}
        for node in self.old.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        self.nodes, self.constants = [], []
        self.scales = {}  # of values: scale and zero point
        self.ready = {}  # name of a value: the dequantised one

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def scale(self, width):
        return np.float32(2.0 ** math.ceil(math.log2(width)) if self.powers else width)

    def parameters(self, name):
        low, high = min(self.values[name].min().item(), 0.0), max(self.values[name].max().item(), 0.0)
        scale = self.scale(max(high - low, 1e-6) / 255)
        first = -128 if self.kind == np.int8 else 0
        return scale, self.kind(np.clip(round(first - low / float(scale)), first, first + 255))

    def wrap(self, name, made, parameters=None):
        """Quantises `made`, which stands for the value `name`, and dequantises it."""
        scale, zero = self.scales[name] = parameters or self.parameters(name)
        names = [made, self.constant(name + "/scale", scale), self.constant(name + "/zero", zero)]
        self.nodes.append(helper.make_node("QuantizeLinear", names, [name + "/bytes"], name + "/quantize"))
        names[0] = name + "/bytes"
        self.nodes.append(helper.make_node("DequantizeLinear", names, [name + "/floats"], name + "/dequantize"))
        self.ready[name] = name + "/floats"

    def weights(self, node):
        """The filter and the bias as names of dequantised values; `node` has the output channels first."""
        w, b = (self.values[name].numpy() for name in node.input[1:3])
        axes = tuple(range(1, w.ndim))
        scales = np.array([self.scale(v / 127) for v in np.maximum(np.abs(w).max(axes), 1e-6)], np.float32)
        numbers = np.clip(np.round(w / scales.reshape([-1] + [1] * len(axes))), -127, 127).astype(np.int8)
        sums = (self.scales[node.input[0]][0] * scales).astype(np.float32)
        bias = np.round(b / sums).astype(np.int32)
        made = []
        for name, array, scale in ((node.input[1], numbers, scales), (node.input[2], bias, sums)):
            names = [self.constant(name + "/bytes", array), self.constant(name + "/scale", scale),
                     self.constant(name + "/zero", np.zeros(scale.shape, array.dtype))]
            self.nodes.append(helper.make_node("DequantizeLinear", names, [name + "/floats"], axis=0))
            made.append(name + "/floats")
        return made

    def add(self, node):
        x, out = node.input[0], node.output[0]
        names = [self.ready.get(name, name) for name in node.input]
        if node.op_type in ("Conv", "Gemm"):
            names = names[:1] + self.weights(node)
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        del copy.input[:], copy.output[:]
        copy.input.extend(names)
        copy.output.append(out + "/new")
        self.nodes.append(copy)
        after = self.readers.get(out, [])
        if len(after) == 1 and after[0].op_type in ACTIVATIONS:
            self.ready[out] = out + "/new"
        else:
            self.wrap(out, out + "/new", self.scales[x] if node.op_type in ("MaxPool", "Flatten") else None)

    def write(self):
        first = self.old.input[0]
        self.wrap(first.name, first.name)
        for node in self.old.node:
            if node.op_type == "Constant":
                self.constant(node.output[0], self.values[node.output[0]].float().numpy())
            else:
                self.add(node)
        last = self.old.output[0]
        self.nodes[-1].output[0] = last.name
        used = {name for node in self.nodes for name in node.input}
        kept = [i for i in self.old.initializer if i.name in used]
        return helper.make_graph(self.nodes, "quantized", [first], [last], kept + self.constants)


def quantize_static(model, inputs, kind=np.uint8, powers=False):
    """`powers`: scales are powers of two, so that floats compute what is defined, whatever the order of sums."""
    graph = Static(model, inputs, kind, powers).write()
    return helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


def quantize_weight(w):
    scale = np.float32(np.abs(w).max() / 127)
    return scale, np.clip(np.round(w / scale), -127, 127).astype(np.int8)


def quantize_dynamic(model):
    graph = model.graph
    weights = {i.name: i for i in graph.initializer if len(i.dims) == 2}
    nodes, constants, quantized, replaced = [], [], set(), set()
    for node in graph.node:
        if node.op_type != "MatMul" or node.input[1] not in weights:
            nodes.append(node)
            continue
        x, w, y = node.input[0], node.input[1], node.output[0]
        if x not in quantized:
            quantized.add(x)
            nodes.append(helper.make_node("DynamicQuantizeLinear", [x], [x + "/bytes", x + "/scale", x + "/zero"]))
        if w not in replaced:
            replaced.add(w)
            scale, numbers = quantize_weight(numpy_helper.to_array(weights[w]))
            constants += [numpy_helper.from_array(numbers, w + "/bytes"),
                          numpy_helper.from_array(np.array(scale), w + "/scale"),
                          numpy_helper.from_array(np.array(0, np.int8), w + "/zero")]
        nodes += [helper.make_node("MatMulInteger", [x + "/bytes", w + "/bytes", x + "/zero", w + "/zero"], [y + "/sums"]),
                  helper.make_node("Cast", [y + "/sums"], [y + "/numbers"], to=onnx.TensorProto.FLOAT),
                  helper.make_node("Mul", [x + "/scale", w + "/scale"], [y + "/scale"]),
                  helper.make_node("Mul", [y + "/numbers", y + "/scale"], [y])]
    kept = [i for i in graph.initializer if i.name not in replaced]
    made = helper.make_graph(nodes, "quantized", graph.input, graph.output, kept + constants)
    return helper.make_model(made, opset_imports=model.opset_import, ir_version=model.ir_version)


def dynamic_linear(module, x):
    """What the nodes of quantize_dynamic compute for a linear layer; two dimensions are exported as another operator."""
    if x.ndim != 3:
        return F.linear(x, module.weight, module.bias)
    low, high = x.min().clamp(max=0), x.max().clamp(min=0)
    scale = (high - low) / 255
    zero = torch.round((0 - low / scale).clamp(0, 255))
    numbers = (torch.round(x / scale) + zero).clamp(0, 255) - zero
    step, weight = quantize_weight(module.weight.detach().numpy())
    sums = (numbers.double() @ torch.from_numpy(weight).double().t()).float()
    y = sums * (scale * torch.tensor(step))
    return y if module.bias is None else y + module.bias
