# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Whether a result of the device is PyTorch's result on the CPU.

An element may differ by ABSOLUTE + RELATIVE * |expected|; integers and truth values not at all. A result counts as right
as well when it lies that near to what the CPU computes in the next wider type from the same operands.
"""
import torch

from operands import tensors

#            relative, absolute
TOLERANCE = {
    torch.float64: (1e-4, 1e-4),
    torch.float32: (1e-4, 1e-4),
    torch.complex64: (1e-4, 1e-4),
    torch.complex128: (1e-4, 1e-4),
    torch.float16: (5e-3, 5e-3),
    torch.bfloat16: (3e-2, 3e-2),
}
BACKWARD_FACTOR = 10
# The client keeps these types as the narrower ones on the device.
NARROWED = {torch.float64: torch.float32, torch.complex128: torch.complex64}


class Mismatch(Exception):
    pass


def _alike(place, got, expected, any_type):
    """Both as dense tensors of the CPU, of one shape and type."""
    got, expected = got.detach().cpu(), expected.detach()
    if tuple(got.shape) != tuple(expected.shape):
        raise Mismatch(f"{place} has shape {tuple(got.shape)} instead of {tuple(expected.shape)}")
    if got.dtype != expected.dtype and NARROWED.get(expected.dtype) != got.dtype and not any_type:
        raise Mismatch(f"{place} is {got.dtype} instead of {expected.dtype}")
    if got.layout != torch.strided or expected.layout != torch.strided:
        got, expected = got.to_dense(), expected.to_dense()
    return got, expected


def _equal_elements(got, expected, factor):
    kind = got.dtype if got.dtype in TOLERANCE else expected.dtype
    if kind not in TOLERANCE:
        return got.to(expected.dtype) == expected
    relative, absolute = TOLERANCE[kind]
    wide = torch.complex128 if expected.is_complex() or got.is_complex() else torch.float64
    return torch.isclose(got.to(wide), expected.to(wide), factor * relative, factor * absolute, equal_nan=True)


def compare_tensors(place, got, expected, factor=1, wider=None, any_type=False):
    got, expected = _alike(place, got, expected, any_type)
    right = _equal_elements(got, expected, factor)
    if wider is not None and wider.shape == expected.shape:
        right |= _equal_elements(*_alike(place, got, wider, any_type=True), factor)
    if not bool(right.all()):
        raise Mismatch(f"{place}: {int((~right).sum())} of {got.numel()} elements differ: {_first(got, expected, ~right)}")


def _first(got, expected, where):
    at = tuple(int(i) for i in where.nonzero()[0]) if where.dim() else ()
    return f"{got[at].item()} instead of {expected[at].item()} at {list(at)}"


def compare(got, expected, factor=1, wider=None, any_type=False):
    """Raises Mismatch; `wider` computes the expected result again, without rounding in between."""
    got_tensors, expected_tensors = tensors(got), tensors(expected)
    if len(got_tensors) != len(expected_tensors):
        raise Mismatch(f"{len(got_tensors)} results instead of {len(expected_tensors)}")
    try:
        for index, (one, other) in enumerate(zip(got_tensors, expected_tensors)):
            compare_tensors(f"result {index}", one, other, factor, None, any_type)
    except Mismatch:
        if not wider:
            raise
        for index, (one, other, wide) in enumerate(zip(got_tensors, expected_tensors, tensors(wider()))):
            compare_tensors(f"result {index}", one, other, factor, wide, any_type)
    if not expected_tensors and type(got) is type(expected) and isinstance(got, (bool, int, float, str)) \
            and got != expected and got == got:
        raise Mismatch(f"{got} instead of {expected}")


def compare_shapes(got, expected):
    for index, (one, other) in enumerate(zip(tensors(got), tensors(expected))):
        if tuple(one.shape) != tuple(other.shape):
            raise Mismatch(f"result {index} has shape {tuple(one.shape)} instead of {tuple(other.shape)}")


def _same_bytes(one, other):
    if one.dtype != other.dtype:
        return True  # the client narrowed it
    one, other = (torch.as_strided(each.detach().cpu().contiguous(), (each.numel(),), (1,), 0).clone()
                  for each in (one, other))
    return torch.equal(one.view(torch.uint8), other.view(torch.uint8))


def compare_operands(got, expected, before):
    """Operands after the call: what the CPU left alone keeps its bytes, what it changed holds the same values."""
    for index, (one, other, old) in enumerate(zip(tensors(got), tensors(expected), tensors(before))):
        if one.layout != torch.strided or one.shape != other.shape:
            continue
        if other.shape == old.shape and _same_bytes(other, old):
            if not _same_bytes(one, old):
                raise Mismatch(f"operand {index} was changed by the call")
        else:
            compare_tensors(f"operand {index} after the call", one, other)
