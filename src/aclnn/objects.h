// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs describe before they call an operator: tensors (views of device memory), scalars, arrays and
// lists, behind handles. Values are copied when an object is made; a list owns its members. Any thread; one
// object is used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "aclnn/aclnn_codes.h"
#include "base/host_objects.h"
#include "calls/view.h"

namespace foothold::aclnn {

using Tensor = TensorView;

struct Scalar {
  DataType type = DataType::kUndefined;
  alignas(16) std::array<std::byte, 16> bytes{};
};

using Tensors = HostObjects<Tensor, HandleKind::kTensor, kParamNull, kParamInvalid>;
using Scalars = HostObjects<Scalar, HandleKind::kScalar, kParamNull, kParamInvalid>;
using IntArrays = HostObjects<std::vector<std::int64_t>, HandleKind::kIntArray, kParamNull, kParamInvalid>;
using FloatArrays = HostObjects<std::vector<float>, HandleKind::kFloatArray, kParamNull, kParamInvalid>;
using BoolArrays = HostObjects<std::vector<std::uint8_t>, HandleKind::kBoolArray, kParamNull, kParamInvalid>;
// Handles of the members; one may be null.
using HandleList = std::vector<const void*>;
using TensorLists = HostObjects<HandleList, HandleKind::kTensorList, kParamNull, kParamInvalid>;
using ScalarLists = HostObjects<HandleList, HandleKind::kScalarList, kParamNull, kParamInvalid>;

}  // namespace foothold::aclnn
