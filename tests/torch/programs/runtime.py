# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Streams, events, graphs, memory, devices, generators, and what else a program asks of the runtime."""
import copy
import glob
import io
import json
import os
import pickle
import subprocess
import sys
import tempfile

import torch
import torch.nn.functional as F

import networks
from catalog import program
from networks import built, numbers


def alone(text, **environment):
    """Runs statements in a fresh interpreter; the environment is looked at when it starts."""
    start = "import torch, torch_npu\n"
    if os.environ.get("TORCH_CHECK_NOJIT"):
        start += "torch.npu.set_compile_mode(jit_compile=False)\n"
    done = subprocess.run([sys.executable, "-c", start + text], env=dict(os.environ, **environment), text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-700:]
    return done.stdout


def on_npu(function):
    return program(function, only_npu=True)


@on_npu
def streams_overlap_in_order(device):
    side = torch.npu.Stream()
    x = torch.ones(1000, device=device)
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        for _ in range(100):
            x += 1
    torch.npu.current_stream().wait_stream(side)
    assert x.sum().item() == 101000


@on_npu
def events_measure(device):
    first, last = (torch.npu.Event(enable_timing=True) for _ in range(2))
    first.record()
    x = torch.randn(300, 300, device=device)
    for _ in range(20):
        x = x @ x / 300
    last.record()
    last.synchronize()
    assert last.query() and first.elapsed_time(last) > 0


@on_npu
def event_orders_streams(device):
    one, other, event = torch.npu.Stream(), torch.npu.Stream(), torch.npu.Event()
    x = torch.zeros(1 << 16, device=device)
    torch.npu.synchronize()
    with torch.npu.stream(one):
        for _ in range(50):
            x += 1
        event.record()
    with torch.npu.stream(other):
        event.wait()
        y = x * 2
    other.synchronize()
    assert y.min().item() == 100


@on_npu
def priorities_and_queries(device):
    stream = torch.npu.Stream(priority=-1)
    with torch.npu.stream(stream):
        torch.ones(10, device=device)
    stream.synchronize()
    assert stream.query() and torch.npu.current_stream() == torch.npu.default_stream()


@on_npu
def graph_replays(device):
    x = torch.zeros(8, device=device)
    side = torch.npu.Stream()
    with torch.npu.stream(side):
        y = x * 2 + 1
    torch.npu.synchronize()
    graph = torch.npu.NPUGraph()
    with torch.npu.graph(graph):
        y = x * 2 + 1
    for value in (3.0, 5.0):
        x.fill_(value)
        graph.replay()
        torch.npu.synchronize()
        assert y.tolist() == [2 * value + 1] * 8


@on_npu
def graph_of_network(device):
    network = built(networks.LeNet).eval().to(device)
    given = torch.zeros(2, 1, 28, 28, device=device)
    with torch.no_grad():
        network(given)
        torch.npu.synchronize()
        graph = torch.npu.NPUGraph()
        with torch.npu.graph(graph):
            out = network(given)
        given.copy_(numbers(2, 1, 28, 28))
        graph.replay()
        torch.npu.synchronize()
        assert torch.allclose(out, network(given), atol=1e-5)


@on_npu
def graph_of_training(device):
    network = built(torch.nn.Linear, 8, 4).to(device)
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    x, wanted = numbers(6, 8).to(device), numbers(6, 4).to(device)

    def step():
        optimizer.zero_grad(set_to_none=False)
        value = F.mse_loss(network(x), wanted)
        value.backward()
        optimizer.step()
        return value
    side = torch.npu.Stream()
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        for _ in range(3):
            step()
    torch.npu.current_stream().wait_stream(side)
    graph = torch.npu.NPUGraph()
    with torch.npu.graph(graph):
        value = step()
    found = []
    for _ in range(5):
        graph.replay()
        found.append(value.item())
    assert found == sorted(found, reverse=True) and found[-1] < found[0]


@on_npu
def graph_with_random_numbers(device):
    torch.npu.manual_seed(7)
    torch.rand(4, device=device)
    graph = torch.npu.NPUGraph()
    torch.npu.synchronize()
    with torch.npu.graph(graph):
        x = torch.rand(100, device=device)
    graph.replay()
    first = x.cpu().clone()
    graph.replay()
    assert not torch.equal(first, x.cpu()), "a replay draws the same numbers"


@on_npu
def memory_statistics(device):
    torch.npu.empty_cache()
    before = torch.npu.memory_allocated()
    x = torch.empty(1 << 20, device=device)
    assert torch.npu.memory_allocated() - before >= 4 << 20
    assert torch.npu.memory_reserved() >= torch.npu.memory_allocated()
    assert torch.npu.max_memory_allocated() >= torch.npu.memory_allocated()
    del x
    assert torch.npu.memory_allocated() == before
    assert "allocated" in torch.npu.memory_summary().lower()
    assert torch.npu.memory_stats()["allocation.all.allocated"] > 0


@on_npu
def mem_get_info_moves(device):
    torch.ones(1, device=device)
    free, total = torch.npu.mem_get_info()
    x = torch.empty(64 << 20, dtype=torch.uint8, device=device)
    less, same = torch.npu.mem_get_info()
    assert same == total and free - less >= 64 << 20, (free, less)
    del x
    torch.npu.empty_cache()
    assert torch.npu.mem_get_info()[0] >= free


@on_npu
def out_of_memory(device):
    text = """
torch.ones(1).npu()
try:
    torch.empty(1 << 30, device='npu')
    print('allocated')
except torch.OutOfMemoryError as error:
    print('refused', str(error)[:60])
x = torch.ones(1000, device='npu')
print(int(x.sum()))
"""
    said = alone(text, FOOTHOLD_DEVICE_MEMORY="512M")
    assert "refused" in said and "1000" in said, said


@on_npu
def expandable_segments(device):
    said = alone("x = [torch.ones(1 << 20, device='npu') for _ in range(20)]; del x[::2]; print(int(sum(y.sum() for y in x)))",
                 PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")
    assert str(10 << 20) in said, said


@on_npu
def memory_snapshot(device):
    x = torch.ones(1000, device=device)
    assert any(segment["total_size"] > 0 for segment in torch.npu.memory_snapshot()), x.shape


@on_npu
def device_properties(device):
    properties = torch.npu.get_device_properties(0)
    assert torch.npu.is_available() and torch.npu.get_device_name(0).startswith("Ascend")
    assert properties.total_memory > 0 and properties.name == torch.npu.get_device_name(0)


@on_npu
def two_devices(device):
    alone("""
assert torch.npu.device_count() == 2
a, b = torch.arange(5., device='npu:0'), torch.arange(5., device='npu:1')
assert (a.to('npu:1') + b).tolist() == [0, 2, 4, 6, 8]
with torch.npu.device(1):
    assert torch.npu.current_device() == 1 and torch.ones(1, device='npu').device.index == 1
try:
    a + b
    raise SystemExit('tensors of two devices were added')
except RuntimeError as error:
    assert 'device' in str(error)
""", FOOTHOLD_DEVICES="2")


@on_npu
def visible_devices(device):
    alone("""
assert torch.npu.device_count() == 2, torch.npu.device_count()
torch.ones(3, device='npu:1').sum().item()
""", FOOTHOLD_DEVICES="4", ASCEND_RT_VISIBLE_DEVICES="2,0")


@on_npu
def data_parallel(device):
    alone("""
network = torch.nn.Linear(4, 3)
x = torch.arange(24.).reshape(6, 4)
wanted = network(x)
parallel = torch.nn.DataParallel(network.npu(), device_ids=[0, 1])
assert torch.allclose(parallel(x.npu()).cpu(), wanted, atol=1e-5)
""", FOOTHOLD_DEVICES="2")


@on_npu
def no_such_device(device):
    try:
        torch.ones(1, device="npu:77")
        raise AssertionError("npu:77 exists")
    except RuntimeError as error:
        assert "77" in str(error) or "device" in str(error).lower(), error


def queue_mode(mode):
    def body(device):
        said = alone("""
x = torch.arange(100., device='npu')
for _ in range(200): x = x * 1.01 - 0.5
print(round(float(x.sum()), 1))
""", TASK_QUEUE_ENABLE=mode)
        x = torch.arange(100.)
        for _ in range(200):
            x = x * 1.01 - 0.5
        assert abs(float(said.split()[-1]) - float(x.sum())) < 1, said
    return body


for mode in "012":
    program(queue_mode(mode), name=f"task_queue_{mode}", only_npu=True)


@on_npu
def launch_blocking(device):
    assert "tensor(6." in alone("print(torch.arange(4., device='npu').sum())", ASCEND_LAUNCH_BLOCKING="1")


@on_npu
def generator_repeats(device):
    generator = torch.Generator(device).manual_seed(5)
    first = torch.rand(100, device=device, generator=generator).cpu()
    generator.manual_seed(5)
    assert torch.equal(first, torch.rand(100, device=device, generator=generator).cpu())
    assert not torch.equal(first, torch.rand(100, device=device, generator=generator).cpu())


@on_npu
def generator_state(device):
    torch.rand(3, device=device)
    state = torch.npu.get_rng_state()
    first = torch.randn(50, device=device).cpu()
    torch.npu.set_rng_state(state)
    assert torch.equal(first, torch.randn(50, device=device).cpu())
    torch.manual_seed(9)
    one = torch.randint(0, 100, (20,), device=device).tolist()
    torch.npu.manual_seed_all(9)
    assert one == torch.randint(0, 100, (20,), device=device).tolist()


@on_npu
def same_numbers_in_every_process(device):
    text = "torch.manual_seed(4); print(torch.rand(6, device='npu').tolist(), torch.randperm(9, device='npu').tolist())"
    assert alone(text) == alone(text)


@on_npu
def deterministic_mode(device):
    torch.use_deterministic_algorithms(True)
    x = numbers(50, 8).to(device)
    at = (torch.arange(50) % 7).to(device)
    results = [torch.zeros(7, 8, device=device).index_add(0, at, x).cpu() for _ in range(3)]
    assert torch.equal(results[0], results[1]) and torch.equal(results[0], results[2])


@program
def pickled(device):
    x = pickle.loads(pickle.dumps(numbers(3, 4).to(device)))
    return [x, copy.deepcopy(x) + 1, x.device.type == device.split(":")[0]]


@program
def saved(device):
    file = io.BytesIO()
    torch.save({"x": numbers(3).to(device), "half": numbers(3).half().to(device)[1:]}, file)
    file.seek(0)
    # Python before 3.11.4 pickles the client's format of a tensor in a way that weights_only refuses.
    state = torch.load(file, weights_only=False)
    return [state["x"], state["half"]]


@program
def numpy_of_views(device):
    x = numbers(4, 6).to(device)
    return [torch.from_numpy(x[:, 1:3].t().cpu().numpy().copy()), x.t().contiguous().view(-1)]


@on_npu
def pinned_memory(device):
    x = torch.arange(1000.0).pin_memory()
    assert x.is_pinned()
    y = x.to(device, non_blocking=True)
    z = torch.empty(1000, pin_memory=True)
    z.copy_(y * 2, non_blocking=True)
    torch.npu.synchronize()
    assert torch.equal(z, x * 2)


class Squares(torch.utils.data.Dataset):
    def __len__(self):
        return 20

    def __getitem__(self, at):
        return torch.full((3,), float(at)), at * at


def loader(way):
    def body(device):
        loaded = torch.utils.data.DataLoader(Squares(), 4, num_workers=2, multiprocessing_context=way, pin_memory=True)
        total = 0
        for x, y in loaded:
            total += int((x.to(device, non_blocking=True).sum() + y.to(device).sum()).item())
        assert total == 3 * 190 + 2470, total
    return body


for way in ("fork", "spawn", "forkserver"):
    program(loader(way), name=f"loader_{way}", only_npu=True)


def _add_one(queue, done):
    x = queue.get()
    x += 1
    torch.npu.synchronize()
    del x
    done.set()


@on_npu
def tensors_between_processes(device):
    import torch.multiprocessing as processes
    context = processes.get_context("spawn")
    queue, done = context.Queue(), context.Event()
    worker = context.Process(target=_add_one, args=(queue, done))
    worker.start()
    x = torch.ones(1000, device=device)
    torch.npu.synchronize()
    queue.put(x)
    assert done.wait(90), "the other process did not answer"
    worker.join(60)
    assert x.sum().item() == 2000


@on_npu
def profiler(device):
    import torch_npu
    with tempfile.TemporaryDirectory() as folder:
        with torch_npu.profiler.profile(
                activities=[torch_npu.profiler.ProfilerActivity.CPU, torch_npu.profiler.ProfilerActivity.NPU],
                on_trace_ready=torch_npu.profiler.tensorboard_trace_handler(folder)) as profile:
            for _ in range(3):
                (torch.randn(64, 64, device=device) @ torch.randn(64, 64, device=device)).sum().item()
                profile.step()
        found = glob.glob(os.path.join(folder, "**", "trace_view.json"), recursive=True)
        assert found, f"no trace below {os.listdir(folder)}"
        with open(found[0]) as text:
            assert len(json.load(text)) > 10


@on_npu
def record_stream(device):
    side = torch.npu.Stream()
    x = torch.ones(1 << 18, device=device)
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        y = x * 3
    x.record_stream(side)
    del x
    z = torch.zeros(1 << 18, device=device)
    torch.npu.synchronize()
    assert y.min().item() == 3 and z.max().item() == 0


@on_npu
def hooks_and_anomalies(device):
    x = numbers(4).to(device).requires_grad_()
    seen = []
    x.register_hook(lambda gradient: seen.append(gradient.clone()))
    with torch.autograd.detect_anomaly(check_nan=True):
        (x * 2).sum().backward()
    assert seen[0].tolist() == [2.0] * 4


@on_npu
def threads_use_the_device(device):
    import threading
    results = {}

    def work(value):
        torch.npu.set_device(0)
        x = torch.full((1000,), float(value), device="npu:0")
        for _ in range(50):
            x = x + 1
        results[value] = x.sum().item()
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {i: 1000.0 * (i + 50) for i in range(4)}, results


@program
def custom_function(device):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 3
    x = numbers(4).to(device).requires_grad_()
    Double.apply(x).sum().backward()
    return x.grad


@program
def vectorised_maps(device):
    x = numbers(5, 3).to(device)
    return [torch.vmap(lambda row: row.softmax(0))(x), torch.func.grad(lambda row: row.sin().sum())(x[0])]


@program
def compiled_eagerly(device):
    function = torch.compile(lambda x: (x.sin() * 2).sum(1), backend="eager")
    return function(numbers(4, 5).to(device))


@program
def compiled_aot_eagerly(device):
    function = torch.compile(lambda x: (x.sin() * 2).sum(1), backend="aot_eager")
    x = numbers(4, 5).to(device).requires_grad_()
    function(x).sum().backward()
    return x.grad


@on_npu
def non_finite_values(device):
    x = torch.tensor([1.0, float("nan"), float("inf")], device=device)
    assert torch.isnan(x).tolist() == [False, True, False] and torch.isinf(x).tolist() == [False, False, True]
    assert torch.isnan(x.sum()).item()
