// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody loads as a graph. Used by the fuzzer and by the replay of its corpus.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "formats/graph_model.h"
#include "formats/readable_text.h"
#include "fuzz/bounded_run.h"
#include "fuzz/require.h"

namespace foothold {

// Refused, or a graph that can be printed and saved, that saving and loading does not change, and that
// compiles and runs or is refused then. It comes from a file: it names no addresses.
inline void FuzzGraphModel(const std::string& bytes) {
  static const auto* folder = new auto(std::make_shared<const std::string>("/no/such/folder"));
  GraphModel model;
  try {
    model = LoadGraphModel(bytes.data(), bytes.size(), nullptr, *folder);
  } catch (const Error&) {
    return;
  }
  Require(!ReadableText(*model.graph).empty());
  const std::string text = GraphModelText(model);
  const std::string saved = SaveGraphModel(model);
  Require(GraphModelText(LoadGraphModel(saved.data(), saved.size())) == text);
  CompileAndRun(*model.graph);
}

}  // namespace foothold
