# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""A process that runs cells of the sweep: reads one a line, answers one line of JSON each (sweep.py starts it).

worker.py list: the cells there are. worker.py run LOG [jit|nojit]: runs cells, with a compile mode of the client set by hand;
what is printed meanwhile goes to LOG.
"""
import itertools
import json
import os
import sys
import time
import warnings

SAMPLES = 6
SAMPLES_LOOKED_AT = 80
REFERENCES = 12


def redirect(log):
    """Answers go where the output went; everything that is printed goes to the log."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(written, 1)
    os.dup2(written, 2)
    return answers, os.open(log, os.O_RDONLY)


def spread(found, count):
    """Some of them, from the first to the last."""
    found = list(itertools.islice(found, SAMPLES_LOOKED_AT))
    if len(found) <= count:
        return list(enumerate(found))
    return [(at, found[at]) for at in sorted({round(i * (len(found) - 1) / (count - 1)) for i in range(count)})]


def samples_of(entry, kind, direction):
    import torch
    torch.manual_seed(0)
    dtype = getattr(torch, kind)
    if direction == "reference":
        return spread(entry.reference_inputs("cpu", dtype, requires_grad=False), REFERENCES)
    if direction.startswith("foreach"):
        return spread(entry.sample_inputs("cpu", dtype, noncontiguous=False), SAMPLES)
    return spread(entry.sample_inputs("cpu", dtype, requires_grad=direction == "backward"), SAMPLES)


class Cell:
    def __init__(self, cell, log):
        import cells
        self.name, self.kind, self.direction = cell.rsplit("|", 2)
        entries = cells.foreach_entries() if self.direction.startswith("foreach") else cells.entries()
        self.entry = entries[self.name]
        self.log = log
        self.fallbacks = set()
        self.usable = True

    def function(self):
        if self.direction == "foreach":
            return self.entry.method_variant
        return self.entry.inplace_variant if "inplace" in self.direction else self.entry.op

    def call(self, sample, operands):
        """The result, and for backward the gradients instead."""
        import torch
        value, arguments, named = operands
        result = self.function()(value, *arguments, **named)
        if self.direction != "backward":
            return self.signless(sample, result)
        from operands import tensors
        results = [each for each in tensors(sample.output_process_fn_grad(result)) if each.requires_grad]
        wanted = [each for each in tensors(operands) if each.requires_grad]
        if not results or not wanted:
            return []
        torch.manual_seed(1)
        weights = [torch.randn(each.shape, dtype=torch.complex64 if each.is_complex() else torch.float32)
                   .to(each.device, each.dtype) for each in results]
        found = torch.autograd.grad(results, wanted, weights, allow_unused=True)
        return [torch.zeros(()) if each is None else each for each in found]

    def signless(self, sample, result):
        import chances
        return sample.output_process_fn_grad(result) if self.entry.name in chances.UP_TO_SIGNS else result

    def operands_on(self, device, at, operands):
        """Operands on a device; strided ones with the memory they are views of."""
        import operands as forms
        if self.direction == "strided":
            layout = (forms.transposed, forms.sliced, forms.stepped)[at % 3]
            placed, bases = forms.strided(operands, layout, device)
        else:
            placed, bases = forms.transform(operands, lambda each: forms.to_device(each, device)), []
        if str(placed[2].get("device", "")).startswith("cpu"):
            placed[2]["device"] = device
        return placed, bases

    def wider(self, sample, operands):
        import operands as forms
        try:
            return self.call(sample, forms.wider(operands))
        except Exception:  # no such type on the CPU: nothing to compare with besides
            return []

    def run_sample(self, at, sample):
        """False when the CPU refuses the sample itself; raises what is wrong."""
        import torch
        import operands as forms
        from comparison import BACKWARD_FACTOR, compare, compare_operands, compare_shapes
        import chances
        from fallbacks import Watch
        before = (sample.input, tuple(sample.args), dict(sample.kwargs))
        there, bases = self.operands_on("npu:0", at, before)
        here, own_bases = self.operands_on("cpu", at, forms.copied(before))
        memory = [base.clone() for base in own_bases]
        try:
            expected = self.call(sample, here)
        except Exception:  # what the CPU refuses says nothing of the device
            return False
        watch = Watch(self.log)
        with watch:
            got = self.call(sample, there)
        torch.npu.synchronize()
        self.fallbacks |= watch.found
        if chances.only_shapes(self.entry, sample):
            compare_shapes(got, expected)
            return True
        compare(got, expected, BACKWARD_FACTOR if self.direction == "backward" else 1,
                wider=lambda: self.wider(sample, before))
        compare_operands(there, here, before)
        compare_operands(bases, own_bases, memory)
        return True

    def healthy(self):
        """Whether the device still computes: a task that failed may have left its failure to every later call."""
        import torch
        try:
            torch.npu.synchronize()
            return (torch.ones(1, device="npu:0") + 1).item() == 2
        except RuntimeError:
            return False

    def run(self):
        import client_errors
        from comparison import Mismatch
        tried, bad = 0, {}
        for at, sample in samples_of(self.entry, self.kind, self.direction):
            try:
                tried += self.run_sample(at, sample)
            except Mismatch as mismatch:
                tried += 1
                bad.setdefault("mismatch", []).append((str(mismatch), str(mismatch), at))
            except Exception as error:  # whatever a call raises is the outcome of the cell
                tried += 1
                text = f"{type(error).__name__}: {error}"
                why = client_errors.reason(text)
                if why:
                    bad.setdefault("client", []).append((why, client_errors.why(text), at))
                else:
                    bad.setdefault("error", []).append((client_errors.cause(text), client_errors.why(text), at))
                self.usable = self.healthy()
                if not self.usable:
                    break
        for outcome in ("error", "mismatch", "client"):
            if outcome in bad:
                cause, detail, at = bad[outcome][0]
                if outcome == "mismatch":
                    cause = client_errors.VALUES.get(self.entry.name, "values")
                return dict(outcome=outcome, cause=cause,
                            detail=f"{sum(map(len, bad.values()))} of {tried} samples; sample {at}: {detail}")
        if not tried:
            return dict(outcome="none", cause="", detail="no sample that the CPU takes")
        if self.fallbacks:
            return dict(outcome="fallback", cause=", ".join(sorted(self.fallbacks)), detail=f"{tried} samples")
        return dict(outcome="pass", cause="", detail=f"{tried} samples")


def serve(log, options):
    answers, log = redirect(log)
    import torch
    import torch_npu  # noqa: F401
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.npu.set_device(0)
    if options:
        torch.npu.set_compile_mode(jit_compile="jit" in options)
    torch.ones(1).npu().cpu()
    import cells, chances, client_errors, comparison, fallbacks, operands  # noqa: F401, E401
    print("ready", file=answers)
    for line in sys.stdin:
        cell, started, usable = line.strip(), time.monotonic(), True
        try:
            running = Cell(cell, log)
            result = running.run()
            usable = running.usable
        except Exception as error:  # of making samples
            result = dict(outcome="none", cause="", detail=f"no samples: {type(error).__name__}: {error}"[:300])
        result.update(cell=cell, seconds=round(time.monotonic() - started, 2))
        result["again"] = not usable  # the next cell needs another process
        print(json.dumps(result), file=answers)
        if not usable:
            os._exit(0)


def main():
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if sys.argv[1] == "list":
        import cells
        print("\n".join(cells.all_cells()))
    else:
        serve(sys.argv[2], sys.argv[3:])


if __name__ == "__main__":
    main()
