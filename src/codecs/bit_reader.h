// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bits of one unit of H.264 or H.265, in the codes of their headers. Bytes 03 behind two zeros are
// left out as the standards say. Reading behind the end gives zeros and is remembered. Any thread, one at a
// time.
#pragma once

#include <cstdint>

#include "codecs/annex_b.h"

namespace foothold {

class BitReader {
 public:
  explicit BitReader(StreamBytes unit) : unit_(unit) {}

  // `count` is at most 32.
  std::uint32_t Bits(int count) {
    std::uint32_t value = 0;
    for (; count > 0; --count)
      value = value << 1 | Bit();
    return value;
  }
  bool Flag() { return Bit() != 0; }
  void Skip(int count) {
    for (; count > 0; --count)
      Bit();
  }

  // Unsigned and signed Exp-Golomb codes. One of more than 32 bits counts as reading behind the end.
  std::uint32_t Unsigned() {
    int zeros = 0;
    while (!over_ && Bit() == 0)
      ++zeros;
    if (zeros > 31) over_ = true;
    return over_ ? 0 : (1u << zeros) - 1 + Bits(zeros);
  }
  std::int32_t Signed() {
    const std::uint32_t code = Unsigned();
    const auto half = static_cast<std::int32_t>(code / 2);
    return code % 2 == 1 ? half + 1 : -half;
  }

  // Something behind the end was read.
  bool over() const { return over_; }

 private:
  std::uint32_t Bit() {
    if (bit_ == 0 && !NextByte()) return 0;
    return unit_[at_] >> --bit_ & 1;
  }

  bool NextByte() {
    at_ = started_ ? at_ + 1 : 0;
    started_ = true;
    if (at_ < unit_.size() && zeros_ >= 2 && unit_[at_] == 3) {
      zeros_ = 0;
      ++at_;
    }
    if (at_ >= unit_.size()) {
      over_ = true;
      at_ = unit_.size();
      return false;
    }
    zeros_ = unit_[at_] == 0 ? zeros_ + 1 : 0;
    bit_ = 8;
    return true;
  }

  StreamBytes unit_;
  std::size_t at_ = 0;
  int bit_ = 0;
  int zeros_ = 0;
  bool started_ = false;
  bool over_ = false;
};

}  // namespace foothold
