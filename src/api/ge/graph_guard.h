// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The border no exception crosses, for the methods of the Graph Engine's classes:
//
//   graphStatus Shape::SetDim(size_t idx, int64_t value) {
//     return GuardGraph("Shape::SetDim", [&] { ... });
//   }
//
// A failure is logged and kept for GEGetErrorMsg.
#pragma once

#include <type_traits>

#include "base/error.h"
#include "base/graph_errors.h"
#include "graph/ge_error_codes.h"

namespace foothold {

// `body` returns nothing, or a status for outcomes of its own.
template <typename Body>
ge::graphStatus GuardGraph(const char* method, Body&& body) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return ge::GRAPH_SUCCESS;
    } else {
      return body();
    }
  } catch (...) {
    ReportGraphFailure(method, CurrentError());
    return ge::GRAPH_FAILED;
  }
}

// The same for methods that return something else; on failure that is its empty value, which is made without
// memory.
template <typename Body>
std::invoke_result_t<Body> GuardGraphValue(const char* method, Body&& body) {
  try {
    return body();
  } catch (...) {
    ReportGraphFailure(method, CurrentError());
    return {};
  }
}

}  // namespace foothold
