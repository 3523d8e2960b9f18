// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Status numbers of aclnn (aclnnStatus). They stand in no public header, only in documents and clients.
#pragma once

#include "base/error_codes.h"

namespace foothold::aclnn {

constexpr auto kParamNull = static_cast<Code>(161001);
constexpr auto kParamInvalid = static_cast<Code>(161002);
constexpr auto kRuntimeError = static_cast<Code>(361001);
constexpr auto kInner = static_cast<Code>(561000);
constexpr auto kFindKernel = static_cast<Code>(561003);
constexpr auto kCreateExecutor = static_cast<Code>(561101);
constexpr auto kInnerNull = static_cast<Code>(561103);

}  // namespace foothold::aclnn
