// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The fields of a protobuf message, without its description: enough to look into ONNX files and dumps, and to
// add to the former. Messages are trusted to be whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace peer {

struct WireField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  // of a number
  std::string_view bytes;   // of a text or a message
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // False at the end.
  bool Next(WireField& field) {
    if (rest_.empty()) return false;
    const std::uint64_t key = Varint();
    field = {static_cast<std::uint32_t>(key >> 3), 0, {}};
    switch (key & 7) {
      case 0:
        field.value = Varint();
        return true;
      case 1:
        Take(8);
        return true;
      case 2:
        field.bytes = Take(Varint());
        return true;
      default:
        Take(4);
        return true;
    }
  }

 private:
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  std::string_view Take(std::uint64_t bytes) {
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
};

// A field that holds bytes, as it stands in a message.
inline std::string WireBytes(std::uint32_t number, std::string_view bytes) {
  const auto varint = [](std::uint64_t value) {
    std::string text;
    for (; value > 0x7f; value >>= 7)
      text += static_cast<char>(value | 0x80);
    return text + static_cast<char>(value);
  };
  return varint(number << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

}  // namespace peer
