// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors in layout FRACTAL_NZ, made by aclnnNpuFormatCast.
#pragma once

#include "aclnn/nn_case.h"

namespace nn {

// A copy of a tensor as fractals, filling and all in `storage`: an input.
Tensor Folded(const Tensor& plain, const Dims& storage);

}  // namespace nn
