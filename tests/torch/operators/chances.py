# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Entries whose values are random or nobody's, of which only shapes and types are compared, and entries whose results are
unique only up to signs, compared as the entry itself says."""

RANDOM = {
    "bernoulli", "cauchy", "exponential", "geometric", "log_normal", "multinomial", "normal", "rand", "rand_like", "randint",
    "randint_like", "randn", "randn_like", "randperm", "uniform", "poisson",
    "nn.functional.alpha_dropout", "nn.functional.dropout", "nn.functional.dropout2d", "nn.functional.dropout3d",
    "nn.functional.feature_alpha_dropout", "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d",
    "nn.functional.multi_head_attention_forward", "nn.functional.rrelu", "pca_lowrank", "svd_lowrank",
    "torch.ops.aten._fused_dropout", "nn.functional.gumbel_softmax",
}
UNWRITTEN = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}
UP_TO_SIGNS = {"linalg.svd", "svd", "linalg.eigh", "linalg.eig", "symeig", "pca_lowrank", "svd_lowrank"}


def only_shapes(entry, sample):
    if entry.name in UNWRITTEN or (entry.name == "unique" and not sample.kwargs.get("sorted", True)):
        return True
    if entry.name in RANDOM:
        exact = entry.name in ("nn.functional.dropout", "nn.functional.rrelu", "nn.functional.alpha_dropout") and \
            sample.kwargs.get("training") is False
        return not exact
    return bool(sample.kwargs.get("dropout_p"))
