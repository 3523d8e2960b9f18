# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Operands of samples: on the other device, strided in memory, in another type, and whether a call left them alone."""

import torch

# A value that no sample holds, around the elements of strided operands.
GUARD = 77


def transform(value, change):
    """The same structure with every tensor, device and generator changed."""
    if isinstance(value, (torch.Tensor, torch.device, torch.Generator)):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(transform(each, change) for each in value))
    if isinstance(value, (list, tuple)):
        return type(value)(transform(each, change) for each in value)
    if isinstance(value, dict):
        return {key: transform(each, change) for key, each in value.items()}
    return value


def tensors(value):
    found = []
    transform(value, lambda each: found.append(each) if isinstance(each, torch.Tensor) else None)
    return found


def to_device(value, device):
    def change(each):
        if isinstance(each, torch.device):
            return torch.device(device)
        if isinstance(each, torch.Generator):
            return torch.Generator(device).manual_seed(each.initial_seed())
        moved = each.detach().to(device)
        return moved.requires_grad_(each.requires_grad)
    moved = transform(value, change)
    if isinstance(moved, dict) and str(moved.get("device", "")).startswith("cpu"):
        moved["device"] = device
    return moved


def copied(value):
    def change(each):
        if not isinstance(each, torch.Tensor):
            return each
        return each.detach().clone().requires_grad_(each.requires_grad)
    return transform(value, change)


WIDER = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.float32: torch.float64,
         torch.complex64: torch.complex128}


def wider(value):
    """The operands in the next wider type: what the result is without rounding in between."""
    def change(each):
        if not isinstance(each, torch.Tensor):
            return each
        return each.detach().to(WIDER.get(each.dtype, each.dtype)).requires_grad_(each.requires_grad)
    changed = transform(value, change)
    if isinstance(changed, dict) and changed.get("dtype") in WIDER:
        changed["dtype"] = WIDER[changed["dtype"]]
    return changed


def _guarded(sizes, like):
    return torch.full(sizes, 1 if like.dtype == torch.bool else GUARD, dtype=like.dtype, device=like.device)


def transposed(each):
    base = _guarded(tuple(reversed(each.shape)), each)
    return base, base.permute(*reversed(range(each.dim())))


def sliced(each):
    base = _guarded(tuple(size + 3 for size in each.shape), each)
    return base, base[tuple(slice(1, 1 + size) for size in each.shape)]


def stepped(each):
    base = _guarded(tuple(2 * size + 1 for size in each.shape), each)
    return base, base[tuple(slice(1, 1 + 2 * size, 2) for size in each.shape)]




def strided(value, layout, device):
    """Views with these values on a device, and the memory they are views of."""
    bases = []

    def change(each):
        if isinstance(each, torch.device):
            return torch.device(device)
        if not isinstance(each, torch.Tensor) or each.dim() == 0 or each.layout != torch.strided:
            return to_device(each, device)
        base, view = layout(each.detach().to(device))
        view.copy_(each.detach())
        bases.append(base)
        return view
    changed = transform(value, change)
    if isinstance(changed, dict) and str(changed.get("device", "")).startswith("cpu"):
        changed["device"] = device
    return changed, bases
