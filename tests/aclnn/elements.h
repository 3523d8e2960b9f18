// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements of tensors as doubles and back.
#pragma once

#include <cstddef>

#include "acl/acl_base.h"

namespace nn {

std::size_t PartsOf(aclDataType type);  // doubles for one element: 2 of complex types
void WriteElement(aclDataType type, const double* parts, std::byte* place);
void ReadElement(aclDataType type, const std::byte* place, double* parts);

}  // namespace nn
