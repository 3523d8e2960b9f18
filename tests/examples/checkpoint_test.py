# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Training that is interrupted and resumed ends with the bits of training that was not.

checkpoint_test.py EXAMPLE_DIR TREE WORK_DIR
"""
import fcntl
import pathlib
import shutil
import signal
import struct
import subprocess
import sys

STEPS = 400


def build(example, tree, work):
    script = (
        f"source {tree}/set_env.sh\n"
        f"g++ -std=c++11 {example}/main.cpp -I$ASCEND_TOOLKIT_HOME/include -I$ASCEND_OPP_PATH/built-in/op_proto/inc "
        "-L$ASCEND_TOOLKIT_HOME/lib64 -lge_runner -lgraph -lascendcl -pthread -o train\n"
        "env -0 > environment\n"
    )
    subprocess.run(["bash", "-ec", script], cwd=work, check=True)
    pairs = (work / "environment").read_bytes().rstrip(b"\0").split(b"\0")
    return dict(pair.split(b"=", 1) for pair in pairs)


class Training:
    def __init__(self, work, environment):
        self.work, self.environment = work, environment

    def command(self, name, *options):
        return ["./train", "--steps", str(STEPS), "--checkpoint", name, *options]

    def run(self, name, *options):
        subprocess.run(self.command(name, *options), cwd=self.work, env=self.environment, check=True, timeout=60)
        return (self.work / name).read_bytes()

    def kill_in_the_middle(self, name):
        """Reads up to a line and no further: the full pipe holds the program up until the signal arrives."""
        process = subprocess.Popen(
            self.command(name, "--every", "1"), cwd=self.work, env=self.environment, stdout=subprocess.PIPE, bufsize=0
        )
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
        line = b""
        while not line.startswith(b"step   50"):
            line = process.stdout.readline()
            assert line, "the program ended before step 50"
        process.send_signal(signal.SIGKILL)
        process.stdout.close()
        assert process.wait(timeout=60) == -signal.SIGKILL, "the program ended by itself"


def step_of(checkpoint):
    return struct.unpack("i", checkpoint[:4])[0]


def main():
    example, tree, work = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    training = Training(work, build(example.resolve(), tree.resolve(), work))

    whole = training.run("whole")
    assert step_of(whole) == STEPS and len(set(whole)) > 100, "nothing was learned"

    stopped = training.run("stopped", "--every", "30", "--stop-at", "100")
    assert step_of(stopped) == 90, f"the checkpoint is of step {step_of(stopped)}"
    assert stopped[4:] != whole[4:], "the training was over before it was interrupted"
    assert training.run("stopped", "--resume") == whole, "resumed after --stop-at: other weights"

    training.kill_in_the_middle("killed")
    killed = (work / "killed").read_bytes()
    assert 49 <= step_of(killed) < STEPS and killed[4:] != whole[4:], "the signal came too late"
    assert training.run("killed", "--resume") == whole, "resumed after SIGKILL: other weights"


main()
