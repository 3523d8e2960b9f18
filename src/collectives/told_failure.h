// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A failure that another rank told of. Its text begins with the code it had there, if it had one.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "collectives/codes.h"
#include "device/task.h"

namespace foothold::collectives {

inline Failure ToldFailure(Code code, const std::string& why) {
  const char* const text_code = why.starts_with(kTextHcclTaskTimeout) ? kTextHcclTaskTimeout
                                : why.starts_with(kTextHcclMismatch)  ? kTextHcclMismatch
                                                                      : nullptr;
  return std::make_shared<const Error>(code, why, text_code);
}

}  // namespace foothold::collectives
