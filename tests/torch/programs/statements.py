# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What a user types first, one statement a program."""
import torch
import torch.nn.functional as F
from torch import nn

from catalog import program


def a(device, *shape):
    """Numbers that are all different, of both signs, the same on every device."""
    count = 1
    for size in shape:
        count *= size
    return ((torch.arange(count, dtype=torch.float32) * 0.7).sin() * 3).reshape(shape).to(device)


def n(device, *shape):
    return (torch.arange(torch.Size(shape).numel()) * 7 % 11).reshape(shape).to(device)


def plain(text):
    """Without the device, and without the lines that its name makes longer."""
    return " ".join(text.replace(", device='npu:0'", "").split())


STATEMENTS = {
    "print_floats": lambda d: plain(str(a(d, 3, 4))),
    "print_integers": lambda d: plain(str(n(d, 3, 4))),
    "print_bools": lambda d: plain(str(n(d, 3, 4) > 4)),
    "print_half": lambda d: plain(str(a(d, 5).half())),
    "print_scalar": lambda d: plain(repr(a(d, 2).sum())),
    "print_long": lambda d: plain(str(torch.arange(5000, device=d))),
    "print_empty": lambda d: plain(str(torch.empty(0, device=d))),
    "randn_shape": lambda d: list(torch.randn(2, 3, device=d).shape),
    "rand_range": lambda d: bool(((x := torch.rand(1000, device=d)) >= 0).all() and (x < 1).all()),
    "randn_moments": lambda d: bool(abs((x := torch.randn(20000, device=d)).mean()) < 0.05 and abs(x.std() - 1) < 0.05),
    "randint_range": lambda d: sorted(set(torch.randint(3, 7, (500,), device=d).tolist())),
    "randperm": lambda d: torch.randperm(50, device=d).sort().values,
    "manual_seed": lambda d: bool((torch.manual_seed(3), torch.randn(9, device=d))[1].equal(
        (torch.manual_seed(3), torch.randn(9, device=d))[1])),
    "zeros_ones_full": lambda d: [torch.zeros(2, device=d), torch.ones(2, device=d), torch.full((2,), 7, device=d)],
    "arange_linspace": lambda d: [torch.arange(3, 10, 2, device=d), torch.linspace(0, 1, 5, device=d)],
    "eye_diag": lambda d: [torch.eye(3, device=d), torch.diag(a(d, 3)), torch.diag(a(d, 3, 3))],
    "tril_triu": lambda d: [torch.tril(a(d, 3, 3)), torch.triu(a(d, 3, 3), 1)],
    "tensor_of_list": lambda d: torch.tensor([[1, 2], [3, 4]], device=d) * 2,
    "item": lambda d: [a(d, 3)[1].item(), int(n(d, 3)[1]), bool(n(d, 3)[0] == 0)],
    "to_numpy": lambda d: torch.from_numpy(a(d, 3, 3).cpu().numpy() + 1),
    "index_one": lambda d: a(d, 4, 5)[2],
    "index_negative": lambda d: a(d, 4, 5)[-1, -2],
    "index_slice": lambda d: a(d, 4, 5)[1:3, ::2],
    "index_ellipsis": lambda d: a(d, 2, 3, 4)[..., 1],
    "index_none": lambda d: a(d, 3, 4)[:, None, :],
    "index_list": lambda d: a(d, 4, 5)[[0, 2, 2]],
    "index_tensor": lambda d: a(d, 4, 5)[torch.tensor([3, 0], device=d)],
    "index_columns": lambda d: a(d, 4, 5)[:, torch.tensor([4, 0, 1], device=d)],
    "index_two_tensors": lambda d: a(d, 4, 5)[torch.tensor([0, 1], device=d), torch.tensor([2, 3], device=d)],
    "index_slice_tensor": lambda d: a(d, 4, 5)[1:3, torch.tensor([0, 2], device=d)],
    "index_none_tensor": lambda d: a(d, 4, 5)[None, torch.tensor([0, 2], device=d)],
    "index_mask": lambda d: (x := a(d, 4, 5))[x > 0],
    "index_row_mask": lambda d: a(d, 4, 5)[torch.tensor([True, False, True, False], device=d)],
    "set_slice": lambda d: (x := a(d, 4, 5), x.__setitem__((slice(1, 3), slice(None)), 7.0), x)[2],
    "set_tensor_index": lambda d: (x := a(d, 4, 5), x.__setitem__(torch.tensor([1, 3], device=d), 0.5), x)[2],
    "set_columns": lambda d: (x := a(d, 4, 5), x.__setitem__((slice(None), torch.tensor([1, 3], device=d)), 2.0), x)[2],
    "set_mask": lambda d: (x := a(d, 4, 5), x.__setitem__(x < 0, 0.0), x)[2],
    "set_mask_values": lambda d: (x := a(d, 4), x.__setitem__(x < 0, torch.ones(int((x < 0).sum()), device=d)), x)[2],
    "masked_fill_where": lambda d: [a(d, 3, 4).masked_fill(a(d, 3, 4) > 0, -1), torch.where(a(d, 3) > 0, a(d, 3), 0.0)],
    "gather_scatter": lambda d: [a(d, 3, 4).gather(1, n(d, 3, 2) % 4), torch.zeros(3, 4, device=d).scatter(
        1, torch.tensor([[0], [1], [3]], device=d), 1.0)],
    "index_select_add": lambda d: [a(d, 4, 5).index_select(0, torch.tensor([1, 1], device=d)), torch.zeros(4, 5, device=d)
                                   .index_add(0, torch.tensor([1, 1], device=d), a(d, 2, 5))],
    "index_fill": lambda d: [x := a(d, 4, 5), x.index_fill(0, torch.tensor([1], device=d), 9.0)],
    "sum_mean": lambda d: [a(d, 3, 4).sum(), a(d, 3, 4).mean(1), a(d, 3, 4).sum((0, 1), keepdim=True)],
    "var_std": lambda d: [a(d, 3, 4).var(), a(d, 3, 4).std(0), a(d, 3, 4).var(1, unbiased=False)],
    "max_min": lambda d: [a(d, 3, 4).max(), *a(d, 3, 4).min(1), a(d, 3, 4).amax(0)],
    "argmax_argmin": lambda d: [a(d, 3, 4).argmax(), a(d, 3, 4).argmax(1), a(d, 3, 4).argmin(0, keepdim=True)],
    "any_all": lambda d: [(a(d, 3, 4) > 0).any(), (a(d, 3, 4) > 0).all(1), (a(d, 3, 4) > 2.9).any(0)],
    "nonzero": lambda d: [(n(d, 3, 4) > 4).nonzero(), *torch.where(n(d, 3, 4) > 4)],
    "count_nonzero": lambda d: torch.count_nonzero(n(d, 3, 4), 1),
    "sort_topk": lambda d: [*a(d, 3, 9).sort(), *a(d, 3, 9).topk(3), a(d, 9).argsort(descending=True)],
    "unique": lambda d: [*torch.unique(n(d, 20), return_inverse=True, return_counts=True)],
    "cumsum_cumprod": lambda d: [a(d, 3, 4).cumsum(0), a(d, 3, 4).cumprod(1)],
    "median_mode": lambda d: [a(d, 9).median(), *a(d, 3, 5).median(1), a(d, 5).kthvalue(2).values],
    "norm": lambda d: [a(d, 3, 4).norm(), a(d, 3, 4).norm(dim=1), torch.linalg.norm(a(d, 3, 4), 1), a(d, 9).norm(3)],
    "matmul": lambda d: [a(d, 3, 4) @ a(d, 4, 5), torch.bmm(a(d, 2, 3, 4), a(d, 2, 4, 3)), a(d, 3, 4) @ a(d, 4)],
    "einsum": lambda d: torch.einsum("bij,bjk->bik", a(d, 2, 3, 4), a(d, 2, 4, 3)),
    "outer_dot": lambda d: [torch.outer(a(d, 3), a(d, 4)), torch.dot(a(d, 5), a(d, 5))],
    "inverse_solve": lambda d: [torch.linalg.inv(a(d, 3, 3) + 5 * torch.eye(3, device=d)),
                                torch.linalg.solve(a(d, 3, 3) + 5 * torch.eye(3, device=d), a(d, 3, 1))],
    "cat_stack_split": lambda d: [torch.cat([a(d, 2, 3), a(d, 1, 3)]), torch.stack([a(d, 3), a(d, 3)]), *a(d, 5).split(2),
                                  *a(d, 6).chunk(3)],
    "view_permute": lambda d: [a(d, 2, 6).view(3, 4), a(d, 2, 3, 4).permute(2, 0, 1).contiguous(), a(d, 3, 4).T + 1],
    "flip_roll_repeat": lambda d: [a(d, 3, 4).flip(0), a(d, 3, 4).roll(1, 1), a(d, 2).repeat(2, 2), a(d, 2).expand(3, 2) + 0],
    "repeat_interleave": lambda d: [a(d, 3).repeat_interleave(2), a(d, 2, 3).repeat_interleave(
        torch.tensor([1, 3], device=d), 0)],
    "pad_unfold": lambda d: [F.pad(a(d, 2, 3), (1, 2)), F.pad(a(d, 1, 2, 3), (1, 1), mode="reflect"), a(d, 9).unfold(0, 3, 2)],
    "elementwise": lambda d: [a(d, 9).exp(), a(d, 9).abs().log(), a(d, 9).abs().sqrt(), a(d, 9).sigmoid(), a(d, 9).tanh()],
    "rounding": lambda d: [a(d, 9).round(), a(d, 9).floor(), a(d, 9).ceil(), a(d, 9).trunc(), a(d, 9) % 2, a(d, 9) // 2],
    "comparison": lambda d: [a(d, 9) > 0, a(d, 9) == a(d, 9), torch.isclose(a(d, 9), a(d, 9)), torch.isnan(a(d, 9))],
    "equal_allclose": lambda d: [torch.equal(a(d, 9), a(d, 9)), torch.allclose(a(d, 9), a(d, 9) + 1)],
    "clamp": lambda d: [a(d, 9).clamp(-1, 1), a(d, 9).clamp(min=0), a(d, 9).clip(max=1)],
    "integer_arithmetic": lambda d: [n(d, 9) * 3 + 1, n(d, 9) // 2, n(d, 9) % 3, n(d, 9) & 3, n(d, 9) << 1, ~n(d, 9)],
    "types": lambda d: [a(d, 5).half().float(), a(d, 5).bfloat16().float(), a(d, 5).int(), a(d, 5).bool(), n(d, 5).float()],
    "in_place": lambda d: (x := a(d, 5), x.add_(1), x.mul_(2), x.zero_(), x.fill_(3), x.copy_(a(d, 5)), x.relu_())[0],
    "max_pool": lambda d: [F.max_pool2d(a(d, 1, 2, 6, 6), 2), F.max_pool2d(a(d, 1, 2, 7, 7), 3, 2, 1)],
    "max_pool_indices": lambda d: [*F.max_pool2d(a(d, 1, 2, 6, 6), 2, return_indices=True)],
    "avg_pool": lambda d: [F.avg_pool2d(a(d, 1, 2, 6, 6), 2), F.adaptive_avg_pool2d(a(d, 1, 2, 6, 6), 1)],
    "conv": lambda d: [F.conv2d(a(d, 1, 3, 8, 8), a(d, 4, 3, 3, 3), padding=1), F.conv1d(a(d, 1, 3, 8), a(d, 4, 3, 3))],
    "linear": lambda d: F.linear(a(d, 2, 3), a(d, 4, 3), a(d, 4)),
    "embedding": lambda d: F.embedding(n(d, 2, 3), a(d, 11, 4)),
    "one_hot": lambda d: F.one_hot(n(d, 6), 11),
    "activations": lambda d: [F.relu(a(d, 9)), F.silu(a(d, 9)), F.leaky_relu(a(d, 9)), F.elu(a(d, 9)), F.softplus(a(d, 9)),
                              F.gelu(a(d, 9), approximate="tanh")],
    "softmax": lambda d: [F.softmax(a(d, 3, 4), -1), F.log_softmax(a(d, 3, 4), 1), a(d, 3, 4).logsumexp(1)],
    "layer_norm": lambda d: [F.layer_norm(a(d, 3, 4), (4,)), F.group_norm(a(d, 2, 4, 3), 2)],
    "batch_norm_training": lambda d: nn.BatchNorm2d(3).to(d)(a(d, 2, 3, 4, 4)),
    "instance_norm": lambda d: F.instance_norm(a(d, 2, 3, 4, 4)),
    "dropout": lambda d: bool((x := F.dropout(torch.ones(1000, device=d), 0.5)).unique().tolist() == [0.0, 2.0]
                              and 400 < int((x > 0).sum()) < 600),
    "dropout_eval": lambda d: F.dropout(a(d, 5), 0.5, training=False),
    "cross_entropy": lambda d: F.cross_entropy(a(d, 4, 11), n(d, 4)),
    "mse_l1": lambda d: [F.mse_loss(a(d, 4), a(d, 4) + 1), F.l1_loss(a(d, 4), a(d, 4) + 1), F.smooth_l1_loss(a(d, 4), a(d, 4) + 1)],
    "bce": lambda d: [F.binary_cross_entropy(a(d, 4).sigmoid(), (a(d, 4) > 0).float()),
                      F.binary_cross_entropy_with_logits(a(d, 4), (a(d, 4) > 0).float())],
    "nll_kl": lambda d: [F.nll_loss(F.log_softmax(a(d, 4, 11), 1), n(d, 4)),
                         F.kl_div(F.log_softmax(a(d, 4, 5), 1), F.softmax(a(d, 4, 5) * 2, 1), reduction="batchmean")],
    "attention": lambda d: F.scaled_dot_product_attention(a(d, 1, 2, 5, 8), a(d, 1, 2, 5, 8), a(d, 1, 2, 5, 8)),
    "interpolate": lambda d: [F.interpolate(a(d, 1, 2, 3, 3), scale_factor=2), F.interpolate(
        a(d, 1, 2, 3, 3), size=(5, 5), mode="bilinear")],
    "backward": lambda d: (x := a(d, 5).requires_grad_(), (x * x).sum().backward(), x.grad)[2],
    "grad": lambda d: torch.autograd.grad((x := a(d, 5).requires_grad_()).sigmoid().sum(), x),
    "no_grad": lambda d: (x := a(d, 5).requires_grad_(), torch.no_grad().__enter__(), (x * 2).requires_grad)[2],
    "complex": lambda d: [torch.complex(a(d, 3), a(d, 3)).abs(), torch.view_as_real(torch.complex(a(d, 3), a(d, 3)))],
    "fft": lambda d: torch.fft.fft(a(d, 8)).abs(),
    "tolist_len": lambda d: [n(d, 3).tolist(), len(n(d, 3)), n(d, 2, 3).numel()],
    "device_of": lambda d: [a(d, 3).device.type == d.split(":")[0], a(d, 3).is_contiguous()],
    "meshgrid": lambda d: [*torch.meshgrid(a(d, 3), a(d, 2), indexing="ij")],
    "searchsorted": lambda d: torch.searchsorted(torch.arange(5.0, device=d), a(d, 4)),
    "bincount_histc": lambda d: [torch.bincount(n(d, 20)), torch.histc(a(d, 20), 5, -3, 3)],
    "isin": lambda d: torch.isin(n(d, 9), torch.tensor([1, 3], device=d)),
    "lerp_addcmul": lambda d: [torch.lerp(a(d, 3), a(d, 3) + 1, 0.3), torch.addcmul(a(d, 3), a(d, 3), a(d, 3), value=0.5)],
    "bernoulli_multinomial": lambda d: [bool(torch.bernoulli(torch.full((9,), 1.0, device=d)).all()), list(
        torch.multinomial(torch.ones(4, device=d), 2).shape)],
    "cdist": lambda d: torch.cdist(a(d, 3, 4), a(d, 2, 4)),
    "cross_kron": lambda d: [torch.linalg.cross(a(d, 2, 3), a(d, 2, 3) + 1), torch.kron(a(d, 2), a(d, 2))],
    "trace_triangular": lambda d: [torch.trace(a(d, 3, 3)), torch.tril_indices(3, 3, device=d)],
    "nan_inf": lambda d: [torch.nan_to_num(torch.tensor([float("nan"), float("inf")], device=d)), torch.isfinite(a(d, 2))],
}

for each, body in STATEMENTS.items():
    program(body, name=each)
