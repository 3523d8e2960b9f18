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
SCORE_TOLERANCE = 0.1
# What README.md says has four digits.
README_TOLERANCE = LOSS_TOLERANCE + 0.00005
# Where the second best token is farther behind than this, the answer is the same with all weights and on all machines.
SURE = 1.0


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


def turns_of(text):
    """Pairs of question and answer."""
    return re.findall(r"^> (.*)\n(.*)$", text, re.M)


def answers_are_the_reference_s(chat, networks, readme):
    expected = turns_of(readme)
    arguments = [question for question, _ in expected]
    printed = chat.by_type(*arguments)
    for name, network in networks.items():
        turns = turns_of(printed[name])
        assert [question for question, _ in turns] == arguments, printed[name]
        assert re.search(r"^\d+ tokens per second$", printed[name], re.M), printed[name]
        verdicts = network.judge(turns)
        for turn, (behind, _) in zip(turns, verdicts):
            assert behind <= SCORE_TOLERANCE, f"{name}: {turn} has a token whose score is {behind} behind the best"
        # What comes after an answer that is not sure may depend on it.
        sure = next((i for i, (_, before) in enumerate(verdicts) if before <= SURE), len(turns))
        assert sure >= 6, f"{name}: hardly an answer is sure: {verdicts}"
        assert turns[:sure] == expected[:sure], f"{name}: {turns[:sure]}, but README.md says {expected[:sure]}"


def answers_are_always_the_same(chat, questions):
    first, second = (turns_of(chat.run("--weights", "int4", *questions)) for _ in range(2))
    assert first == second, f"asked twice: {first} and {second}"


def main():
    example, tree, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    chat = Chat(example, work, build(example, tree, work))
    readme = (example / "README.md").read_text()
    networks = {name: chat_reference.Network(example / "chat.bin", bits) for name, bits in TYPES.items()}
    losses_are_the_reference_s(chat, networks, readme)
    answers_are_the_reference_s(chat, networks, readme)
    answers_are_always_the_same(chat, ["Tell me a story about a fox and a frog."])
    assert "aclnn_chat [--model" in chat.run("--weights", "int3", expected_code=2)
    assert "(The conversation is too long" in chat.run("--weights", "int4", *["What is a stream?"] * 20)


main()
