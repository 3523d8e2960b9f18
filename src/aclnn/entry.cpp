// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/entry.h"

#include "base/error.h"
#include "base/recent_errors.h"

namespace foothold::aclnn {

namespace {

constexpr Code kNoKernel{561003};
constexpr Code kNullExecutor{561103};

}  // namespace

aclnnStatus PhaseOne(const Function& function, const Argument*, std::uint64_t*, aclOpExecutor**) {
  const std::string text =
      fmt::format("{} is declared but not supported by this version of Foothold", function.name);
  ReportFailure(function.name, "", Error(kNoKernel, text));
  return kNoKernel;
}

aclnnStatus PhaseTwo(const Function& function, void*, std::uint64_t, aclOpExecutor*, aclrtStream) {
  ReportFailure(function.name, "", Error(kNullExecutor, "executor must be one that the first phase made"));
  return kNullExecutor;
}

}  // namespace foothold::aclnn
