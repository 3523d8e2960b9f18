# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Every loss with its gradient."""
import torch
from torch import nn

from catalog import program
from networks import classes, numbers

VALUES = numbers(6, 5)
OTHERS = numbers(6, 5, step=1.3)
TARGETS = classes(6, 5)
SIGNS = torch.where(OTHERS > 0, 1.0, -1.0)
SHARES = OTHERS.softmax(1)

# Name: the loss, and what it is given besides the values whose gradient is taken.
LOSSES = {
    "l1": (nn.L1Loss(), OTHERS),
    "mse": (nn.MSELoss(), OTHERS),
    "mse_sum": (nn.MSELoss(reduction="sum"), OTHERS),
    "smooth_l1": (nn.SmoothL1Loss(beta=0.5), OTHERS),
    "huber": (nn.HuberLoss(delta=0.5), OTHERS),
    "cross_entropy": (nn.CrossEntropyLoss(), TARGETS),
    "cross_entropy_weights": (nn.CrossEntropyLoss(weight=numbers(5).abs() + 0.1), TARGETS),
    "cross_entropy_ignore": (nn.CrossEntropyLoss(ignore_index=2), TARGETS),
    "cross_entropy_smoothed": (nn.CrossEntropyLoss(label_smoothing=0.1), TARGETS),
    "cross_entropy_shares": (nn.CrossEntropyLoss(), SHARES),
    "cross_entropy_none": (nn.CrossEntropyLoss(reduction="none"), TARGETS),
    "bce_with_logits": (nn.BCEWithLogitsLoss(), (OTHERS > 0).float()),
    "bce_with_weights": (nn.BCEWithLogitsLoss(pos_weight=torch.full((5,), 2.0)), (OTHERS > 0).float()),
    "soft_margin": (nn.SoftMarginLoss(), SIGNS),
    "hinge_embedding": (nn.HingeEmbeddingLoss(), SIGNS),
    "multilabel_margin": (nn.MultiLabelMarginLoss(), torch.tensor([[1, 3, -1, 0, 0]] * 6)),
    "multilabel_soft_margin": (nn.MultiLabelSoftMarginLoss(), (OTHERS > 0).float()),
    "multi_margin": (nn.MultiMarginLoss(), TARGETS),
    "poisson": (nn.PoissonNLLLoss(), OTHERS.abs()),
    "gaussian": (nn.GaussianNLLLoss(), OTHERS, OTHERS.abs() + 0.5),
    "cosine_embedding": (nn.CosineEmbeddingLoss(), OTHERS, SIGNS[:, 0]),
    "margin_ranking": (nn.MarginRankingLoss(0.2), OTHERS, SIGNS),
    "triplet": (nn.TripletMarginLoss(), OTHERS, OTHERS.flip(0)),
}


def gradient(loss, others):
    def body(device):
        values = VALUES.detach().clone().to(device).requires_grad_()
        result = loss.to(device)(values, *(each.to(device) for each in others))
        result.sum().backward()
        loss.cpu()
        return [result, values.grad]
    return body


for name, (loss, *others) in LOSSES.items():
    program(gradient(loss, others), name=name)


@program
def bce(device):
    values = VALUES.detach().clone().to(device).requires_grad_()
    result = nn.functional.binary_cross_entropy(values.sigmoid(), (OTHERS > 0).float().to(device))
    result.backward()
    return [result, values.grad]


@program
def nll_of_pictures(device):
    values = numbers(2, 4, 3, 3).to(device).requires_grad_()
    result = nn.functional.cross_entropy(values, classes(18, 4).reshape(2, 3, 3).to(device))
    result.backward()
    return [result, values.grad]


@program
def kl_div(device):
    values = VALUES.detach().clone().to(device).requires_grad_()
    result = nn.functional.kl_div(values.log_softmax(1), SHARES.to(device), reduction="batchmean")
    result.backward()
    return [result, values.grad]


@program
def kl_div_of_logarithms(device):
    values = VALUES.detach().clone().to(device).requires_grad_()
    result = nn.functional.kl_div(values.log_softmax(1), SHARES.log().to(device), reduction="sum", log_target=True)
    result.backward()
    return [result, values.grad]


@program
def ctc(device):
    values = numbers(12, 2, 6).to(device).requires_grad_()
    result = nn.functional.ctc_loss(values.log_softmax(2), torch.tensor([[1, 2, 3], [2, 2, 4]]).to(device),
                                    torch.tensor([12, 10]), torch.tensor([3, 2]))
    result.backward()
    return [result, values.grad]
