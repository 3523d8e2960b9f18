# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""host.py MODULE SECONDS [PATTERN...]: runs the programs of a module, each in a process of its own, and answers with a
line of JSON for each (run_programs.py starts it)."""
import fnmatch
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators")]


def outcome_of(program):
    """What happens when the program is run on both devices."""
    import torch
    from comparison import Mismatch, compare
    import client_errors
    torch.set_num_threads(1)
    if os.environ.get("TORCH_CHECK_NOJIT"):
        torch.npu.set_compile_mode(jit_compile=False)
    torch.manual_seed(0)
    expected = None if program.only_npu else program.function("cpu")
    torch.manual_seed(0)
    try:
        got = program.function("npu:0")
        torch.npu.synchronize()
        if not program.only_npu:
            compare(got, expected, program.factor)
    except Mismatch as mismatch:
        return "mismatch", "values", str(mismatch)
    except Exception as error:  # whatever a program raises is its outcome
        text = f"{type(error).__name__}: {error}"
        at = traceback.extract_tb(error.__traceback__)[-1]
        why = client_errors.reason(text)
        return ("client", why, client_errors.why(text)) if why else \
            ("error", client_errors.cause(text), f"{client_errors.why(text)} ({os.path.basename(at.filename)}:{at.lineno})")
    return "pass", "", ""


def child(program, log, pipe):
    os.setsid()
    os.dup2(log, 1)
    os.dup2(log, 2)
    warnings.simplefilter("default")
    os.write(pipe, json.dumps(outcome_of(program)).encode())
    os.close(pipe)


def result_of(process, pipe, log, seconds):
    """Waits for the child: its answer and its end."""
    deadline = time.monotonic() + seconds
    code = None
    while code is None and time.monotonic() < deadline:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
        else:
            time.sleep(0.01)
    if code is None:
        os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        return "hang", "hang", f"not done in {seconds} s"
    answer = os.read(pipe, 1 << 16)
    if code != 0 or not answer:
        return "crash", f"crash {code}", ("at its end: " if answer else "") + text_of(log)[-400:]
    outcome, cause, detail = json.loads(answer)
    from fallbacks import SAID
    computed = sorted(set(SAID.findall(text_of(log))))
    return ("fallback", ", ".join(each for each in computed), detail) if outcome == "pass" and computed \
        else (outcome, cause, detail)


def text_of(log):
    return os.pread(log, os.fstat(log).st_size, 0).decode(errors="replace")


def run(program, seconds):
    """None in the child, which has ended then."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as log:
        process = os.fork()
        if process == 0:
            os.close(reading)
            child(program, log.fileno(), writing)
            return None
        os.close(writing)
        try:
            return result_of(process, reading, log.fileno(), seconds)
        finally:
            os.close(reading)


def main():
    module, seconds, patterns = sys.argv[1], float(sys.argv[2]), sys.argv[3:] or ["*"]
    import torch  # noqa: F401
    import torch_npu  # noqa: F401
    import fallbacks, comparison, client_errors  # noqa: F401, E401
    import catalog
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    importlib.import_module(module)
    for name, program in catalog.PROGRAMS.items():
        if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
            continue
        began = time.monotonic()
        result = run(program, seconds)
        if result is None:
            return
        outcome, cause, detail = result
        print(json.dumps(dict(cell=f"{module}.{name}", outcome=outcome, cause=cause, detail=detail,
                              seconds=round(time.monotonic() - began, 2))), file=answers)


if __name__ == "__main__":
    main()
