# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""ranks.py NAME: what a rank of a program of distributed.py does; torchrun starts it. The right values are computed on the
CPU, by every rank alone."""
import os
import sys

import torch
import torch.distributed as dist
import torch_npu  # noqa: F401
from torch import nn

import networks
from networks import built, classes, numbers

RANK, RANKS = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
DEVICE = f"npu:{os.environ.get('LOCAL_RANK', 0)}"


def same(got, wanted, within=1e-4):
    torch.testing.assert_close(got.detach().cpu(), wanted.detach(), rtol=within, atol=within)


def of(rank, kind=torch.float32):
    return (torch.arange(6) + 10 * rank + 1).to(kind)


def every(kind=torch.float32):
    return torch.stack([of(rank, kind) for rank in range(RANKS)])


def reductions():
    for kind in (torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int8, torch.uint8):
        x = of(RANK, kind).to(DEVICE)
        dist.all_reduce(x)
        same(x, every(kind).sum(0).to(kind))
    for operation, wanted in ((dist.ReduceOp.MAX, every().amax(0)), (dist.ReduceOp.MIN, every().amin(0)),
                              (dist.ReduceOp.PRODUCT, every().prod(0)), (dist.ReduceOp.AVG, every().mean(0))):
        x = of(RANK).to(DEVICE)
        dist.all_reduce(x, op=operation)
        same(x, wanted)
    x = of(RANK).to(DEVICE)
    dist.reduce(x, RANKS - 1)
    if RANK == RANKS - 1:
        same(x, every().sum(0))


def gatherings():
    x = of(RANK).to(DEVICE)
    parts = [torch.empty_like(x) for _ in range(RANKS)]
    dist.all_gather(parts, x)
    whole = torch.empty(RANKS * 6, device=DEVICE)
    dist.all_gather_into_tensor(whole, x)
    same(torch.stack(parts), every())
    same(whole, every().flatten())
    share = torch.empty(6, device=DEVICE)
    dist.reduce_scatter_tensor(share, torch.cat([x * (to + 1) for to in range(RANKS)]))
    same(share, every().sum(0) * (RANK + 1))
    dist.reduce_scatter(share, [x * (to + 1) for to in range(RANKS)])
    same(share, every().sum(0) * (RANK + 1))
    dist.broadcast(x, 1)
    same(x, of(1))


def exchanges():
    given = [of(RANK).to(DEVICE) * (to + 1) for to in range(RANKS)]
    taken = [torch.empty(6, device=DEVICE) for _ in range(RANKS)]
    dist.all_to_all(taken, given)
    same(torch.stack(taken), every() * (RANK + 1))
    whole = torch.empty(RANKS * 6, device=DEVICE)
    dist.all_to_all_single(whole, torch.cat(given))
    same(whole, (every() * (RANK + 1)).flatten())
    after, before = (RANK + 1) % RANKS, (RANK - 1) % RANKS
    got = torch.empty(6, device=DEVICE)
    for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, of(RANK).to(DEVICE), after),
                                        dist.P2POp(dist.irecv, got, before)]):
        work.wait()
    same(got, of(before))
    if RANK % 2 == 0:
        dist.send(of(RANK).to(DEVICE), RANK + 1)
    else:
        dist.recv(got, RANK - 1)
        same(got, of(RANK - 1))


def groups_and_objects():
    mine = None
    for begin in range(0, RANKS, 2):
        group = dist.new_group([begin, begin + 1])
        mine = group if RANK in (begin, begin + 1) else mine
    x = of(RANK).to(DEVICE)
    dist.all_reduce(x, group=mine)
    same(x, of(RANK // 2 * 2) + of(RANK // 2 * 2 + 1))
    found = [None] * RANKS
    dist.all_gather_object(found, {"rank": RANK})
    assert found == [{"rank": rank} for rank in range(RANKS)]
    said = ["from 0" if RANK == 0 else None]
    dist.broadcast_object_list(said, 0)
    assert said == ["from 0"]
    work = dist.all_reduce(x, async_op=True)
    work.wait()
    dist.barrier()


PICTURES, LABELS = numbers(8, 1, 28, 28), classes(8, 10)


def steps(network, pictures, labels, count=4, optimizer=None):
    optimizer = optimizer or torch.optim.SGD(network.parameters(), 0.05)
    for _ in range(count):
        optimizer.zero_grad()
        nn.functional.cross_entropy(network(pictures), labels).backward()
        optimizer.step()
    return network


def share(value):
    return value.chunk(RANKS)[RANK].to(DEVICE)


def same_weights(got, wanted, within=1e-3):
    for (name, one), (_, other) in zip(sorted(got.items()), sorted(wanted.items())):
        torch.testing.assert_close(one.cpu(), other, rtol=within, atol=within, msg=lambda text, name=name: f"{name}: {text}")


def data_parallel():
    alone = steps(built(networks.LeNet), PICTURES, LABELS)
    many = steps(nn.parallel.DistributedDataParallel(built(networks.LeNet).to(DEVICE)), share(PICTURES), share(LABELS))
    same_weights(many.module.state_dict(), alone.state_dict())


def normed():
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(16, 10))


def sync_batch_norm():
    alone = steps(built(normed), PICTURES, LABELS)
    many = nn.parallel.DistributedDataParallel(nn.SyncBatchNorm.convert_sync_batchnorm(built(normed)).to(DEVICE))
    same_weights(steps(many, share(PICTURES), share(LABELS)).module.state_dict(), alone.state_dict())


def fsdp():
    from torch.distributed.fsdp import FullStateDictConfig, FullyShardedDataParallel, StateDictType
    alone = steps(built(networks.LeNet), PICTURES, LABELS)
    many = FullyShardedDataParallel(built(networks.LeNet).to(DEVICE), device_id=torch.device(DEVICE))
    steps(many, share(PICTURES), share(LABELS))
    with FullyShardedDataParallel.state_dict_type(many, StateDictType.FULL_STATE_DICT, FullStateDictConfig(offload_to_cpu=True)):
        same_weights(many.state_dict(), alone.state_dict())


def fully_sharded():
    from torch.distributed.fsdp import fully_shard
    alone = steps(built(networks.LeNet), PICTURES, LABELS)
    many = built(networks.LeNet).to(DEVICE)
    fully_shard(many, mesh=dist.device_mesh.init_device_mesh("npu", (RANKS,)))
    steps(many, share(PICTURES), share(LABELS))
    same_weights({name: value.full_tensor() for name, value in many.state_dict().items()}, alone.state_dict())


def tensor_parallel():
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    def make():
        return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 10))
    x, labels = numbers(8, 16), classes(8, 10)
    alone = steps(built(make), x, labels)
    many = parallelize_module(built(make).to(DEVICE), dist.device_mesh.init_device_mesh("npu", (RANKS,)),
                              {"0": ColwiseParallel(), "2": RowwiseParallel()})
    steps(many, x.to(DEVICE), labels.to(DEVICE))
    same(many(x.to(DEVICE)), alone(x), 1e-3)


def pipeline():
    from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

    def make():
        return nn.ModuleList(nn.Sequential(nn.Linear(16, 16), nn.Tanh()) for _ in range(RANKS))
    x, wanted = numbers(8, 16), numbers(8, 16, step=0.3)
    whole = built(make)
    y = x
    for stage in whole:
        y = stage(y)
    nn.functional.mse_loss(y, wanted).backward()
    mine = built(make)[RANK].to(DEVICE)
    schedule = ScheduleGPipe(PipelineStage(mine, RANK, RANKS, torch.device(DEVICE)), 4, loss_fn=nn.functional.mse_loss)
    if RANK == 0:
        schedule.step(x.to(DEVICE))
    elif RANK == RANKS - 1:
        same(schedule.step(target=wanted.to(DEVICE)), y)
    else:
        schedule.step()
    for one, other in zip(mine.parameters(), whole[RANK].parameters()):
        same(one.grad, other.grad, 1e-3)


def uneven_inputs():
    from torch.distributed.algorithms.join import Join
    network = nn.parallel.DistributedDataParallel(built(networks.LeNet).to(DEVICE))
    with Join([network]):
        for _ in range(2 + RANK):
            steps(network, share(PICTURES), share(LABELS), count=1)
    weights = torch.cat([each.detach().flatten() for each in network.parameters()])
    others = [torch.empty_like(weights) for _ in range(RANKS)]
    dist.all_gather(others, weights)
    assert all(torch.equal(weights, other) for other in others)


def ends_early():
    dist.barrier()
    if RANK == 1:
        os._exit(9)
    dist.barrier()


def main():
    torch.set_num_threads(1)
    torch.npu.set_device(DEVICE)
    dist.init_process_group("hccl")
    globals()[sys.argv[1]]()
    torch.npu.synchronize()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
