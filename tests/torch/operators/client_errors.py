# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Errors that the client raises by itself, before or without a call of the library, with the reason.

Only what cannot come from the library stands here: an error that names a function of the library is never the client's.
"""
import re

FROM_THE_LIBRARY = re.compile(r"aclnn\w+ failed|acl\w+ failed|error code is \d+|\bE[A-Z]\d{4}:")

CLIENTS = [
    (r"Only contiguous_format or preserve_format is supported|only supported contiguous memory format",
     "the client has no memory format of channels last"),
    (r"tensor_split expected tensor_indices_or_sections to be on cpu", "PyTorch wants the places of tensor_split on the CPU"),
    (r"\w+_npu only supported Float", "the client takes float32 only"),
    (r"Could not run '[\w:.]+' with arguments from the '\w*(?:PrivateUse1|npu)\w*' backend",
     "the client registers neither the operator nor a way to the CPU"),
    (r"not supported on (?:the )?(?:npu|PrivateUse1)|[Uu]nsupported device type:? npu",
     "PyTorch's own function refuses the device"),
    (r"[Ee]xpected all tensors to be on the same device|Expected .* on (?:the )?(?:cpu|CPU)|must be on the CPU|should be on CPU|Expected a '?cpu'?",
     "PyTorch or the client wants an operand on the CPU"),
    (r"not implemented for '?[Cc]omplex|[Cc]omplex(?:Float|Double|64|128)?\w*'? .*not (?:supported|implemented)|does not support complex",
     "the client has no complex numbers there"),
    (r"The function '\w+' is not differentiable with respect to argument", "the client has no gradient of that argument"),
    (r"\"\w+\" not implemented for", "the CPU kernel the client falls back to has not this type"),
]


# Entries whose values differ for a reason that is not the library's.
VALUES = {
    "nn.functional.gelu": "the device computes the tanh form",
    "native_layer_norm": "the client keeps statistics in float32, and those of nothing in another shape",
    "native_batch_norm": "the client keeps statistics in float32, and returns them where PyTorch has none",
    "_native_batch_norm_legit": "the client keeps statistics in float32, and returns them where PyTorch has none",
    "native_dropout_backward": "the client hands a mask of truths to an operator that reads bits",
    "nn.functional.max_pool1d": "the client returns a mask of its own instead of places",
    "nn.functional.max_pool2d": "the client returns a mask of its own instead of places",
    "nn.functional.max_pool3d": "the client keeps places in int32",
    "nn.functional.adaptive_max_pool3d": "the client keeps places in int32",
    "sort": "equal elements, of which the device takes the first",
    "argsort": "equal elements, of which the device takes the first",
    "topk": "equal elements, of which the device takes the first",
    "fmod": "PyTorch's CPU kernel divides first, and the quotient overflows",
    "remainder": "PyTorch's CPU kernel divides first, and the quotient overflows",
}


def reason(text):
    """Why the client raised this by itself; None when it did not."""
    if FROM_THE_LIBRARY.search(text):
        return None
    for pattern, why in CLIENTS:
        if re.search(pattern, text):
            return why
    return None


def cause(text):
    """What a failure is about, short: to group by."""
    named = re.findall(r"(?:call |\()?(acl\w+) failed, error code is (\d+)", text)
    if named:
        return f"{named[0][0]} {named[0][1]}"
    by_op = re.search(r"OPS function error: (\w+), error code is (\d+)", text)
    if by_op:
        return f"aclop {by_op.group(1)} {by_op.group(2)}"
    return re.sub(r"\d+", "N", text.strip().split("\n")[0])[:100]


def why(text):
    """The line in which the library says what was wrong."""
    lines = text.split("\n")
    said = [at for at, line in enumerate(lines) if re.match(r"\s*E[A-Z]\d{4}:", line) and "is not installed" not in line]
    first = said[0] if said else 0
    return " ".join(lines[first:first + 2]).strip()[:500]
