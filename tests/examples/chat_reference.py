# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The network of examples/aclnn_chat in numpy, in float: how good an answer is, and the loss."""
import struct

import numpy as np

EPSILON, BASE, GROUP = 1e-5, 10000.0, 32
NAMES = "vocabulary width layers heads kv_heads head hidden context".split()


def quantised(weight, bits):
    """Weights as the program computes with them: whole numbers times the scale of their group."""
    if bits == 16:
        return weight
    most = 2 ** (bits - 1) - 1
    groups = weight.reshape(-1, GROUP)
    scales = (np.abs(groups).max(1, keepdims=True) / most).astype(np.float16).astype(np.float32)
    return (np.rint(groups / np.maximum(scales, 1e-8)).clip(-most - 1, most) * scales).reshape(weight.shape)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def halves(self, *shape):
        return np.frombuffer(self.take(2 * int(np.prod(shape))), np.float16).astype(np.float32).reshape(shape)


class Network:
    def __init__(self, path, bits):
        file = Reader(path.read_bytes())
        assert file.take(8) == b"FHCHAT01"
        for name, value in zip(NAMES, struct.unpack("<8i", file.take(32))):
            setattr(self, name, value)
        self.pieces = [file.take(file.take(1)[0]).decode() for _ in range(self.vocabulary)]
        self.embedding = file.halves(self.vocabulary, self.width)
        self.weights = [self.read_layer(file, bits) for _ in range(self.layers)]
        self.norm_weight = file.halves(self.width)
        assert file.at == len(file.data), "the file is longer than its network"

    def read_layer(self, file, bits):
        heads, kv_heads = self.heads * self.head, self.kv_heads * self.head
        product = lambda outputs, inputs: quantised(file.halves(outputs, inputs), bits)
        norm = file.halves(self.width)
        attention = [product(n, self.width) for n in (heads, kv_heads, kv_heads)] + [product(self.width, heads)]
        return norm, attention, file.halves(self.width), product(2 * self.hidden, self.width), product(self.width, self.hidden)

    def encode(self, text):
        numbers = {piece: number for number, piece in enumerate(self.pieces) if piece}
        tokens = []
        while text:
            piece = max((piece for piece in numbers if text.startswith(piece)), key=len)
            tokens.append(numbers[piece])
            text = text[len(piece):]
        return tokens

    def rotate(self, x):
        """[tokens, heads, head], by an angle for each position and pair."""
        rates = BASE ** (-np.arange(0, self.head, 2) / self.head)
        angles = np.arange(len(x))[:, None, None] * np.concatenate([rates, rates])
        first, second = np.split(x, 2, -1)
        return x * np.cos(angles) + np.concatenate([-second, first], -1) * np.sin(angles)

    def attend(self, x, query, key, value, output):
        split = lambda weight: (x @ weight.T).reshape(len(x), -1, self.head)
        repeat = lambda heads: heads.repeat(self.heads // self.kv_heads, 1)
        queries, keys, values = self.rotate(split(query)), repeat(self.rotate(split(key))), repeat(split(value))
        scores = np.einsum("ihd,jhd->hij", queries, keys) / np.sqrt(self.head)
        scores[:, np.triu(np.ones((len(x), len(x)), bool), 1)] = -np.inf
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        return np.einsum("hij,jhd->ihd", scores, values).reshape(len(x), -1) @ output.T

    @staticmethod
    def norm(x, weight):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * weight

    def scores(self, tokens):
        x = self.embedding[tokens]
        for attention_norm, attention, unit_norm, gate_up, down in self.weights:
            x = x + self.attend(self.norm(x, attention_norm), *attention)
            gate, up = np.split(self.norm(x, unit_norm) @ gate_up.T, 2, -1)
            x = x + (gate / (1 + np.exp(-gate)) * up) @ down.T
        return self.norm(x, self.norm_weight) @ self.embedding.T

    def loss(self, tokens):
        """The mean over all windows of the text, their first tokens left out."""
        losses = []
        for window in tokens.reshape(-1, self.context):
            scores = self.scores(window)[:-1]
            most = scores.max(-1)
            sums = most + np.log(np.exp(scores - most[:, None]).sum(-1))
            losses.append(sums - scores[np.arange(len(scores)), window[1:]])
        return float(np.mean(losses))

    def judge(self, turns):
        """For each answer of a conversation: how far, at most, its tokens are behind the best ones, and how far, at least,
        the best ones are before the second."""
        tokens, verdicts = [0], []
        for question, answer in turns:
            tokens += self.encode(f"> {question}\n")
            begin = len(tokens)
            tokens += self.encode(f"{answer}\n")
            scores = self.scores(tokens)[begin - 1:-1]
            ordered = np.sort(scores, -1)
            chosen = scores[np.arange(len(scores)), tokens[begin:]]
            verdicts.append((float((ordered[:, -1] - chosen).max()), float((ordered[:, -1] - ordered[:, -2]).min())))
        return verdicts
