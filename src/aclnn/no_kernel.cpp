// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/aclnn_codes.h"
#include "aclnn/entry.h"
#include "base/error.h"
#include "base/recent_errors.h"
#include "check/call_scope.h"

namespace foothold::aclnn {
namespace {

Error NoKernelOf(const Function& function) {
  try {
    return {kFindKernel, fmt::format("{} is declared, and has no kernel here", function.name)};
  } catch (...) {  // no memory for a text
    return CurrentError();
  }
}

}  // namespace

int NoKernel(const Function& function) {
  const check::CallScope watched(function.name);
  const Error error = NoKernelOf(function);
  ReportFailure(function.name, "", error);
  watched.Failed("", error);
  return kFindKernel;
}

}  // namespace foothold::aclnn
