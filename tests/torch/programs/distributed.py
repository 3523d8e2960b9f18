# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Programs of several ranks, each with a device of its own, started by torchrun over HCCL; ranks.py has what a rank does."""
import os
import signal
import subprocess
import sys

from catalog import program

RANKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ranks.py")
SECONDS = 100


def torchrun(name, ranks):
    """How it ended, and what it said; all processes are gone then."""
    process = subprocess.Popen([sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(ranks),
                                RANKS, name], env=dict(os.environ, FOOTHOLD_DEVICES=str(ranks)), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        text = process.communicate(timeout=SECONDS)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError(f"{name} hangs: {process.communicate()[0][-700:]}") from None
    return process.returncode, text


def failure(text):
    """The first exception of a rank."""
    lines = [line for line in text.split("\n") if "Error" in line and "ChildFailedError" not in line]
    return "\n".join(lines[:4])[-900:] or text[-900:]


def works(name, ranks):
    def body(device):
        code, text = torchrun(name, ranks)
        assert code == 0, failure(text)
    program(body, name=f"{name}_{ranks}", only_npu=True)


for name in ("reductions", "gatherings", "exchanges", "groups_and_objects", "data_parallel", "sync_batch_norm", "fsdp",
             "fully_sharded", "tensor_parallel", "pipeline", "uneven_inputs"):
    works(name, 2)
for name in ("reductions", "gatherings", "exchanges", "groups_and_objects", "data_parallel"):
    works(name, 4)


@program(only_npu=True)
def a_rank_that_ends(device):
    code, text = torchrun("ends_early", 2)
    assert code != 0 and "exitcode  : 9" in text.replace(":9", ": 9"), text[-500:]
