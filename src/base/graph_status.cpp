// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/graph_status.h"

#include <iterator>
#include <limits>

namespace foothold {
namespace {

constexpr std::string_view kSides[] = {"", "host", "device"};
constexpr std::string_view kModules[] = {"common", "client",  "init",    "session",  "graph",    "engine",
                                         "ops",    "plug-in", "runtime", "executor", "generator"};
constexpr unsigned kErrorType = 1;
constexpr unsigned kGraphEngine = 8;

unsigned Bits(std::uint32_t number, int high, int low) {
  return (number >> low) & ((1u << (high - low + 1)) - 1);
}

}  // namespace

std::optional<GraphStatus> DecodeGraphStatus(std::int64_t number) noexcept {
  if (number < std::numeric_limits<std::int32_t>::min() ||
      number > std::numeric_limits<std::uint32_t>::max()) {
    return std::nullopt;
  }
  const auto bits = static_cast<std::uint32_t>(number);
  const unsigned side = Bits(bits, 31, 30);
  const unsigned type = Bits(bits, 29, 28);
  if (side == 0 || side >= std::size(kSides) || type != kErrorType) return std::nullopt;
  const unsigned system = Bits(bits, 24, 17);
  const unsigned module = Bits(bits, 16, 12);
  const bool known_module = system == kGraphEngine && module < std::size(kModules);
  return GraphStatus{.side = {side, kSides[side]},
                     .type = {type, "error"},
                     .level = Bits(bits, 27, 25),
                     .system = {system, system == kGraphEngine ? "graph engine" : ""},
                     .module = {module, known_module ? kModules[module] : ""},
                     .code = Bits(bits, 11, 0)};
}

}  // namespace foothold
