// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/skeleton/element_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "ops/element_types.h"

namespace foothold {
namespace {

// As one of the few types that are worth code of their own.
template <typename T>
auto Printed(T value) {
  if constexpr (kIsHalf<T>)
    return static_cast<float>(value);
  else if constexpr (kIsFloating<T> || std::is_same_v<T, bool>)
    return value;
  else if constexpr (std::is_signed_v<T>)
    return static_cast<std::int64_t>(value);
  else
    return static_cast<std::uint64_t>(value);
}

template <typename T>
void AppendElements(std::string& text, const T* values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    text += fmt::to_string(Printed(values[i]));
  }
}

}  // namespace

std::string ElementText(const TensorType& type, const std::byte* data, std::int64_t limit) {
  std::string text = ToString(type);
  VisitType(
      type.type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const std::int64_t all = ElementCount(type.dims);
        const std::int64_t shown = limit < 0 ? all : std::min(limit, all);
        text += " [";
        AppendElements(text, reinterpret_cast<const T*>(data), shown);
        if (shown < all) text += shown == 0 ? "..." : ", ...";
        text += "]";
      },
      [] {});
  return text;
}

}  // namespace foothold
