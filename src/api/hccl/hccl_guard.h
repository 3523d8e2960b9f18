// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The border of HCCL calls: like Guard, for functions that answer an HcclResult. Failures of the runtime
// below become the result that is documented for them.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "api/guard.h"
#include "base/failure_text.h"
#include "collectives/codes.h"
#include "hccl/hccl_types.h"

namespace foothold {

HcclResult HcclResultOf(Code code) noexcept;

template <typename Call, typename Body>
HcclResult GuardHccl(const Call& call, Body&& body) {
  return static_cast<HcclResult>(Guard(call, [&] {
    try {
      body();
    } catch (...) {
      const Error error = CurrentError();
      throw Error(static_cast<Code>(HcclResultOf(error.code())), error.message(), error.text_code());
    }
  }));
}

template <typename T>
T* CheckHcclPointer(T* pointer, const char* name) {
  if (pointer == nullptr)
    throw Error(kHcclNullPointer, fmt::format("{} must not be null", name), kTextHcclArgument);
  return pointer;
}

}  // namespace foothold

#define FOOTHOLD_HCCL_NOT_NULL(pointer) ::foothold::CheckHcclPointer(pointer, #pointer)
