#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""PyTorch's side of bench/training_bench.cpp.

peer.py write FOLDER: initial weights and data of every network, as FOLDER/<network>/index (a line for each array: its
name, type and sizes) and FOLDER/<network>/arrays (their bytes).
peer.py train FOLDER NETWORK THREADS: for each line N of the input, N steps of training; answers with a line of
milliseconds, milliseconds of processor time and loss for each step.
peer.py configuration: what PyTorch says of itself.
"""
import os
import sys
import time

if sys.argv[1] == "train":  # before the libraries are loaded, which look only once
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = sys.argv[4]

import numpy
import torch
import torch.nn.functional as F

import networks


def arrays(network):
    for name, value in network.state_dict().items():
        if not name.endswith("num_batches_tracked"):
            yield name, value.numpy()
    inputs, labels = network.data()
    yield "inputs", inputs
    yield "labels", labels


def write(folder):
    for name, make in networks.NETWORKS.items():
        torch.manual_seed(1)
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        with open(os.path.join(folder, name, "index"), "w") as index, \
                open(os.path.join(folder, name, "arrays"), "wb") as data:
            for array, value in arrays(make()):
                index.write(" ".join([array, str(value.dtype), *map(str, value.shape)]) + "\n")
                data.write(numpy.ascontiguousarray(value).tobytes())


def read(folder, name):
    network, state, at = networks.NETWORKS[name](), {}, 0
    data = open(os.path.join(folder, name, "arrays"), "rb").read()
    for line in open(os.path.join(folder, name, "index")):
        array, kind, *sizes = line.split()
        sizes = [int(size) for size in sizes]
        value = numpy.frombuffer(data, kind, int(numpy.prod(sizes)), at).reshape(sizes)
        state[array], at = torch.from_numpy(value.copy()), at + value.nbytes
    inputs, labels = state.pop("inputs"), state.pop("labels")
    network.load_state_dict(state, strict=False)
    if inputs.dtype != torch.float32:
        inputs = inputs.long()
    return network, inputs, labels.long()


def train(folder, name, threads):
    torch.set_num_threads(threads)
    network, inputs, labels = read(folder, name)
    if inputs.dim() == 5:  # images: a tenth faster with channels last, which PyTorch's documentation advises
        network = network.to(memory_format=torch.channels_last)
        inputs = [x.contiguous(memory_format=torch.channels_last) for x in inputs]
    optimizer = network.optimizer()
    network.train()
    step = 0
    for line in sys.stdin:
        answers = []
        for _ in range(int(line)):
            start, used = time.perf_counter(), time.process_time()
            optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(network(inputs[step % len(inputs)]), labels[step % len(labels)].flatten())
            loss.backward()
            optimizer.step()
            answers.append("%.4f %.4f %.7f" % ((time.perf_counter() - start) * 1e3, (time.process_time() - used) * 1e3,
                                               loss.item()))
            step += 1
        print(" ".join(answers), flush=True)


def configuration():
    blas = os.path.realpath("/usr/lib/x86_64-linux-gnu/libblas.so.3")
    print("PyTorch %s, BLAS %s" % (torch.__version__, blas))
    print(torch.__config__.show())
    print(torch.__config__.parallel_info())


def main():
    if sys.argv[1] == "write":
        write(sys.argv[2])
    elif sys.argv[1] == "train":
        train(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        configuration()


if __name__ == "__main__":
    main()
