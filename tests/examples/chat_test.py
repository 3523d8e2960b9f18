# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The chat of examples/aclnn_chat answers, and predicts held-out text, as the same network in numpy does, with weights of
each type; and README.md says what it does.

chat_test.py EXAMPLE_DIR TREE WORK_DIR
"""
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

import chat_reference

TYPES = {"float16": 16, "INT8": 8, "INT4": 4}
# The program rounds what it computes to float16, the reference does not.
LOSS_TOLERANCE = 0.005
# What README.md says has three digits.
README_TOLERANCE = LOSS_TOLERANCE + 0.0005


def build(example, tree, work):
    compiler = re.search(r"^g\+\+ .*$", (example / "README.md").read_text(), re.M)[0]
    script = f"source {tree}/set_env.sh\n{compiler.replace('examples/', f'{example.parent}/')}\nenv -0 > environment\n"
    subprocess.run(["bash", "-ec", script], cwd=work, check=True)
    pairs = (work / "environment").read_bytes().rstrip(b"\0").split(b"\0")
    return dict(pair.split(b"=", 1) for pair in pairs)


class Chat:
    def __init__(self, example, work, environment):
        self.example, self.work, self.environment = example, work, environment

    def run(self, *arguments, expected_code=0):
        command = ["./aclnn_chat", "--model", str(self.example), *arguments]
        done = subprocess.run(command, cwd=self.work, env=self.environment, text=True, capture_output=True, timeout=120)
        assert done.returncode == expected_code, f"{command} returned {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def by_type(self, *arguments):
        """What is printed for each type of weights, without the line that names the type."""
        parts = re.split(r"^(\w+) weights, [\d.]+ MB\n", self.run(*arguments), flags=re.M)[1:]
        return dict(zip(parts[::2], parts[1::2]))


def losses_are_the_reference_s(chat, networks, readme):
    tokens = np.fromfile(chat.example / "held_out.bin", np.uint16)
    printed = chat.by_type("--loss")
    for name, network in networks.items():
        loss, expected = float(re.search(r"loss ([\d.]+)", printed[name])[1]), network.loss(tokens)
        assert abs(loss - expected) <= LOSS_TOLERANCE, f"{name}: loss {loss}, the reference has {expected}"
        said = float(re.search(rf"^\| {name} \|.*\| ([\d.]+) \|$", readme, re.M)[1])
        assert abs(loss - said) <= README_TOLERANCE, f"{name}: loss {loss}, README.md says {said}"


def answers_are_the_reference_s(chat, networks, questions):
    printed = chat.by_type(*questions)
    for name, network in networks.items():
        talk = "".join(f"> {q}\n{a}\n" for q, a in zip(questions, network.answers(questions)))
        assert printed[name].startswith(talk), f"{name}: expected\n{talk}but found\n{printed[name]}"
        assert re.fullmatch(r"\d+ tokens per second\n\n", printed[name][len(talk):]), printed[name]


def main():
    example, tree, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    chat = Chat(example, work, build(example, tree, work))
    readme = (example / "README.md").read_text()
    networks = {name: chat_reference.Network(example / "chat.bin", bits) for name, bits in TYPES.items()}
    losses_are_the_reference_s(chat, networks, readme)
    answers_are_the_reference_s(chat, networks, re.findall(r"^> (.*)$", readme, re.M))
    assert "aclnn_chat [--model" in chat.run("--weights", "int3", expected_code=2)
    assert "(The conversation is too long" in chat.run("--weights", "int4", *["What is a stream?"] * 20)


main()
