// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/skeleton/element_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ops/element_types.h"

namespace foothold {
namespace {

template <typename T>
void AppendElements(std::string& text, const T* values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    if constexpr (kIsHalf<T>)
      fmt::format_to(std::back_inserter(text), "{}", static_cast<float>(values[i]));
    else
      fmt::format_to(std::back_inserter(text), "{}", values[i]);
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
