// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the checking mode knows streams by. Any thread.
#pragma once

#include "check/order.h"
#include "device/stream.h"

namespace foothold::check {

inline StreamName NameOf(const Stream& stream) noexcept {
  return {&stream, stream.id(), stream.is_default()};
}

}  // namespace foothold::check
