// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/mpi_error.h"

namespace foothold::mpi {
namespace {

Reason ReasonOf(Code code) {
  switch (code) {
    case kBadAlloc:
    case kRtMemoryAllocation:
      return Reason::kNoMemory;
    case kApiNotSupport:
    case kFeatureUnsupported:
    case kRtFeatureNotSupport:
      return Reason::kUnsupported;
    case kRtContextNull:
    case kUninitialized:
      return Reason::kNotReady;
    case kInternalError:
    case kFailure:
      return Reason::kSystem;
    default:
      return Reason::kParameter;
  }
}

}  // namespace

Error Translate(Module module, const Error& error) {
  if (static_cast<std::uint32_t>(error.code()) >= 0xA0000000u) return error;
  return {CodeOf(module, ReasonOf(error.code())), error.message(), error.text_code()};
}

}  // namespace foothold::mpi
