# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Functions of torch_npu's own, beside plain PyTorch: the same program computes with one on the device and with the other on
the CPU."""
import torch
import torch.nn.functional as F

from catalog import program
from networks import numbers


def npu():
    import torch_npu
    return torch_npu


def either(plain, own, *given, factor=1):
    """A program that gives tensors to `own` on the device and to `plain` on the CPU."""
    def body(device):
        arguments = [each.to(device) if isinstance(each, torch.Tensor) else each for each in given]
        return (plain if device == "cpu" else own)(*arguments)
    return body


def function(name, plain, own, *given, factor=1):
    program(either(plain, own, *given), name=name, factor=factor)


X = numbers(4, 8, 32)
W = numbers(32, step=0.3) + 1


def rms_norm(x, weight, eps=1e-6):
    scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + eps)
    return [(x.float() * scale * weight.float()).to(x.dtype), scale]


function("rms_norm", rms_norm, lambda x, w: list(npu().npu_rms_norm(x, w, 1e-6)), X, W)
function("rms_norm_float16", rms_norm, lambda x, w: list(npu().npu_rms_norm(x, w, 1e-6)), X.half(), W.half())
function("rms_norm_bfloat16", rms_norm, lambda x, w: list(npu().npu_rms_norm(x, w, 1e-6)), X.bfloat16(), W.bfloat16())
function("add_rms_norm", lambda x, y, w: [*rms_norm(x + y, w), x + y],
         lambda x, y, w: list(npu().npu_add_rms_norm(x, y, w, 1e-6)), X, X.flip(0), W)


def swiglu(x):
    left, right = x.chunk(2, -1)
    return F.silu(left) * right


def with_gradient(function_of):
    """The result and the gradients of all operands."""
    def body(*operands):
        operands = [each.detach().clone().requires_grad_() for each in operands]
        result = function_of(*operands)
        result = result[0] if isinstance(result, (tuple, list)) else result
        torch.manual_seed(1)
        result.backward(torch.randn(result.shape).to(result.device, result.dtype))
        return [result, *(each.grad for each in operands)]
    return body


function("swiglu", swiglu, lambda x: npu().npu_swiglu(x, dim=-1), X)
function("swiglu_gradient", with_gradient(swiglu), with_gradient(lambda x: npu().npu_swiglu(x, dim=-1)), X)
function("rms_norm_gradient", with_gradient(rms_norm), with_gradient(lambda x, w: npu().npu_rms_norm(x, w, 1e-6)), X, W)
function("geglu", lambda x: F.gelu(x.chunk(2, -1)[1], approximate="tanh") * x.chunk(2, -1)[0],
         lambda x: npu().npu_geglu(x, dim=-1, approximate=1)[0], X)
function("fast_gelu", lambda x: x * torch.sigmoid(1.702 * x), lambda x: npu().fast_gelu(x), X, factor=20)
function("silu", F.silu, lambda x: npu().npu_silu(x), X)
function("mish", F.mish, lambda x: npu().npu_mish(x), X)


def rotary(x, cos, sin):
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat([-right, left], -1) * sin


HEADS = numbers(2, 5, 4, 16)
COS, SIN = numbers(1, 5, 1, 16, step=0.2).cos(), numbers(1, 5, 1, 16, step=0.2).sin()
function("rotary_mul", rotary, lambda x, c, s: npu().npu_rotary_mul(x, c, s), HEADS, COS, SIN)
function("rotary_mul_gradient", with_gradient(rotary), with_gradient(lambda x, c, s: npu().npu_rotary_mul(x, c, s)),
         HEADS, COS, SIN)


def attention(q, k, v, mask=None):
    """Tensors as batch, heads, length, size; a mask is true where nothing is looked at."""
    k, v = (each.repeat_interleave(q.shape[1] // k.shape[1], 1) for each in (k, v))
    weights = q.float() @ k.float().transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        weights = weights.masked_fill(mask, float("-inf"))
    return (weights.softmax(-1) @ v.float()).to(q.dtype)


def fused(layout="BNSD", heads=4, **named):
    def body(q, k, v, *mask):
        scale = q.shape[-1] ** -0.5 if layout == "BNSD" else (q.shape[-1] // heads) ** -0.5
        return npu().npu_fusion_attention(q, k, v, heads, layout, scale=scale,
                                          **(dict(atten_mask=mask[0]) if mask else {}), **named)[0]
    return body


Q, K, V = (numbers(2, 4, 9, 16, step=step).half() for step in (0.7, 0.9, 1.1))
MASK = torch.ones(9, 9).triu(1).bool()
function("fusion_attention", attention, fused(), Q, K, V)
function("fusion_attention_mask", attention, fused(), Q, K, V, MASK)
function("fusion_attention_bfloat16", attention, fused(), Q.bfloat16(), K.bfloat16(), V.bfloat16(), MASK)
function("fusion_attention_float32", attention, fused(), Q.float(), K.float(), V.float(), MASK)
function("fusion_attention_groups", attention, fused(), Q, K[:, :2], V[:, :2], MASK)
function("fusion_attention_gradient", with_gradient(attention), with_gradient(fused()), Q, K, V, factor=3)


def folded(x):
    return x.transpose(1, 2).flatten(2)


function("fusion_attention_bsh", lambda q, k, v: folded(attention(*(each.view(2, 9, 4, 16).transpose(1, 2)
                                                                   for each in (q, k, v)))),
         fused("BSH"), folded(Q), folded(K), folded(V))
function("prompt_flash_attention", attention,
         lambda q, k, v: npu().npu_prompt_flash_attention(q, k, v, num_heads=4, input_layout="BNSD", scale_value=0.25), Q, K, V)
function("incre_flash_attention", attention,
         lambda q, k, v: npu().npu_incre_flash_attention(q, k, v, num_heads=4, input_layout="BNSD", scale_value=0.25),
         Q[:, :, :1].contiguous(), K, V)
function("fused_infer_attention", attention,
         lambda q, k, v: npu().npu_fused_infer_attention_score(q, k, v, num_heads=4, input_layout="BNSD", scale=0.25)[0], Q, K, V)
function("sdpa_training", with_gradient(F.scaled_dot_product_attention), with_gradient(F.scaled_dot_product_attention),
         Q.float(), K.float(), V.float())
function("sdpa_causal_training", with_gradient(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)),
         with_gradient(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)), Q, K, V, factor=3)


def dynamic_quant(x):
    scale = x.float().abs().amax(-1, keepdim=True) / 127
    return [(x.float() / scale).round().clamp(-128, 127).to(torch.int8).float(), scale.squeeze(-1)]


def own_dynamic_quant(x):
    values, scale = npu().npu_dynamic_quant(x)
    return [values.float(), scale]


function("dynamic_quant", dynamic_quant, own_dynamic_quant, X.half(), factor=11000)

INT_A = (numbers(6, 32) * 60).to(torch.int8)
INT_B = (numbers(32, 8, step=1.1) * 60).to(torch.int8)
function("quant_matmul", lambda a, b, s: ((a.int() @ b.int()).float() * s).bfloat16(),
         lambda a, b, s: npu().npu_quant_matmul(a, b, s, output_dtype=torch.bfloat16), INT_A, INT_B, torch.full((8,), 0.01))
function("quant_matmul_float16", lambda a, b, s: ((a.int() @ b.int()).float() * s).half(),
         lambda a, b, s: npu().npu_quant_matmul(a, b, npu().npu_trans_quant_param(s), output_dtype=torch.float16),
         INT_A, INT_B, torch.full((8,), 0.01))
function("weight_quant_batchmatmul", lambda a, b, s: a @ (b.half() * s),
         lambda a, b, s: npu().npu_weight_quant_batchmatmul(a, b, s), numbers(6, 32).half(), INT_B,
         torch.full((8,), 0.01).half(), factor=3)
function("quantize", lambda x, s: (x / s).round().clamp(-128, 127).to(torch.int8),
         lambda x, s: npu().npu_quantize(x, s, None, torch.qint8, -1, True), numbers(4, 8), torch.full((8,), 0.05))
function("anti_quant", lambda x, s: (x.float() * s.float()).half(),
         lambda x, s: npu().npu_anti_quant(x, s, dst_dtype=torch.float16), INT_A, torch.full((32,), 0.05))

TOKENS = numbers(6, 16).half()
CHOICES = torch.tensor([[0, 2], [1, 3], [2, 0], [3, 1], [0, 1], [2, 3]], dtype=torch.int32)


def grouped(x, weights, ends):
    starts = [0, *ends[:-1].tolist()]
    return torch.cat([x[start:end] @ weights[i] for i, (start, end) in enumerate(zip(starts, ends.tolist()))])


function("grouped_matmul", grouped,
         lambda x, w, ends: npu().npu_grouped_matmul([x], [w], group_list=ends, split_item=3, group_type=0,
                                                     group_list_type=0)[0],
         numbers(10, 16).half(), numbers(3, 16, 8).half(), torch.tensor([3, 7, 10]), factor=3)


def permute(tokens, choices):
    order = choices.flatten().argsort(stable=True)
    return tokens[order // choices.shape[1]]


function("moe_token_permute", permute, lambda t, c: npu().npu_moe_token_permute(t, c)[0], TOKENS, CHOICES)


def there_and_back(tokens, choices, shares):
    moved, places = npu().npu_moe_token_permute(tokens, choices)
    return npu().npu_moe_token_unpermute(moved, places, shares)


function("moe_token_unpermute", lambda t, c, s: (t.float() * s.float().sum(1, keepdim=True)).half(), there_and_back,
         TOKENS, CHOICES, numbers(6, 2).softmax(1).half())


def gating(x, k=2):
    values, experts = x.softmax(-1).topk(k)
    return [values, experts.int()]


function("moe_gating_top_k_softmax", gating, lambda x: list(npu().npu_moe_gating_top_k_softmax(x, k=2)[:2]), numbers(6, 8))
function("scatter_nd_update", lambda x, at, values: x.index_put((at[:, 0],), values),
         lambda x, at, values: npu().npu_scatter_nd_update(x, at, values), numbers(6, 4), torch.tensor([[4], [1]]),
         numbers(2, 4, step=3.1))
function("format_cast", lambda x: x + 0, lambda x: npu().npu_format_cast(x, 2) + 0, numbers(32, 32))
function("dtype_cast", lambda x: x.half(), lambda x: npu().npu_dtype_cast(x, torch.float16), X)
function("transpose", lambda x: x.permute(2, 0, 1).contiguous(), lambda x: npu().npu_transpose(x, (2, 0, 1)), X)
function("confusion_transpose", lambda x: x.permute(1, 0, 2).reshape(8, 128),
         lambda x: npu().npu_confusion_transpose(x, (1, 0, 2), (8, 128), True), X)
function("scaled_masked_softmax", lambda x, m: (x * 0.5).masked_fill(m, -10000).softmax(-1),
         lambda x, m: npu().npu_scaled_masked_softmax(x, m, 0.5, False), numbers(2, 2, 16, 32).half(),
         torch.arange(2 * 16 * 32).reshape(2, 1, 16, 32) % 3 == 0)
function("group_norm_silu", lambda x, w, b: F.silu(F.group_norm(x, 4, w, b)),
         lambda x, w, b: npu().npu_group_norm_silu(x, w, b, 4)[0], numbers(2, 32, 4, 4), W, W.flip(0))
function("layer_norm_eval", lambda x, w, b: F.layer_norm(x, (32,), w, b),
         lambda x, w, b: npu().npu_layer_norm_eval(x, (32,), w, b), X, W, W.flip(0))
function("deep_norm", lambda x, y, w, b: F.layer_norm(x * 0.3 + y, (32,), w, b),
         lambda x, y, w, b: npu().npu_deep_norm(x, y, b, w, 0.3, 1e-5)[2], X, X.flip(0), W, W.flip(0))
function("linear", lambda x, w, b: F.linear(x, w, b), lambda x, w, b: npu().npu_linear(x, w, b), numbers(4, 8), numbers(6, 8),
         numbers(6))
function("one_", torch.zeros_like, lambda x: npu().one_(x) - 1, X)
function("ffn", lambda x, a, b: F.relu(x @ a) @ b, lambda x, a, b: npu().npu_ffn(x, a, b, "relu"), numbers(4, 16).half(),
         numbers(16, 32, step=0.11).half() / 8, numbers(32, 16, step=0.13).half() / 8, factor=5)

CORNERS = numbers(7, 2).abs() * 10
BOXES = torch.cat([CORNERS, CORNERS + 4 + numbers(7, 2, step=0.3).abs()], 1)


def overlaps(a, b):
    low, high = torch.max(a[:, None, :2], b[:, :2]), torch.min(a[:, None, 2:], b[:, 2:])
    shared = (high - low).clamp(min=0).prod(2)
    area = [(each[:, 2:] - each[:, :2]).prod(1) for each in (a, b)]
    return shared / (area[0][:, None] + area[1] - shared)


function("iou", overlaps, lambda a, b: npu().npu_iou(a, b, 0).t(), BOXES, BOXES.flip(0), factor=30)


@program(only_npu=True)
def fused_optimizers(device):
    for make in (npu().optim.NpuFusedAdam, npu().optim.NpuFusedSGD, npu().optim.NpuFusedAdamW):
        weight = torch.nn.Parameter(numbers(40).to(device))
        optimizer = make([weight], lr=0.01)
        wanted = torch.nn.Parameter(numbers(40))
        plain = {"NpuFusedAdam": torch.optim.Adam, "NpuFusedSGD": torch.optim.SGD,
                 "NpuFusedAdamW": torch.optim.AdamW}[make.__name__]([wanted], lr=0.01)
        for _ in range(3):
            for parameter, other in ((weight, optimizer), (wanted, plain)):
                other.zero_grad()
                (parameter.pow(2).sum()).backward()
                other.step()
        assert torch.allclose(weight.cpu(), wanted, atol=1e-4), make.__name__


@program(only_npu=True)
def dropout_with_mask(device):
    out, mask = npu()._npu_dropout(torch.ones(1024, device=device), 0.25)
    kept = (out > 0).sum().item()
    assert abs(kept - 768) < 80 and abs(out.max().item() - 1 / 0.75) < 1e-4 and mask.numel() == 128, (kept, mask.shape)
