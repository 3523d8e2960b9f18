// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which sample stands for one beyond the ends of a line.
#pragma once

#include <algorithm>
#include <cstdint>

#include "media/transform.h"

namespace foothold::media {

// `at` may lie far outside of [0, count); -1 where the border's constant stands.
inline std::int64_t BorderIndex(std::int64_t at, std::int64_t count, BorderKind kind) {
  if (at >= 0 && at < count) return at;
  const auto wrap = [](std::int64_t value, std::int64_t period) {
    return ((value % period) + period) % period;
  };
  switch (kind) {
    case BorderKind::kConstant:
      return -1;
    case BorderKind::kReplicate:
      return std::clamp<std::int64_t>(at, 0, count - 1);
    case BorderKind::kReflect: {
      const std::int64_t place = wrap(at, 2 * count);
      return place < count ? place : 2 * count - 1 - place;
    }
    case BorderKind::kReflect101: {
      if (count == 1) return 0;
      const std::int64_t place = wrap(at, 2 * count - 2);
      return place < count ? place : 2 * count - 2 - place;
    }
    case BorderKind::kWrap:
      return wrap(at, count);
  }
  return -1;
}

}  // namespace foothold::media
