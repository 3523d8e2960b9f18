// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph as bytes (the .air file of Graph::SaveToFile) and back. Any thread, while nobody changes the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace foothold {

struct GraphModel {
  std::shared_ptr<Graph> graph;
  std::vector<std::shared_ptr<Graph>> unused_subgraphs;  // belong to the model, but no node runs them
};

// Large tensors may be kept beside the model. Put says at which offset it keeps one, or nothing: then the
// bytes go into the model. Get gives them back, and throws for an offset it never gave.
using PutWeight = std::function<std::optional<std::uint64_t>(const TensorValue&)>;
using GetWeight = std::function<SharedBytes(std::uint64_t offset, std::uint64_t size)>;

// Everything the program can read back: names, types, attributes, descriptions, links, subgraphs, outputs.
// Subgraphs that only have a builder are built.
std::string SaveGraphModel(const GraphModel& model, const PutWeight& put = nullptr);

// Throws kParseFile for bytes that are no model, and kInvalidParam for one that does not fit together. Such a
// model may come from anywhere; it costs no more memory than its size allows for. `folder`: that of the file
// the bytes stand in, which its nodes keep; null for bytes that are the program's own.
GraphModel LoadGraphModel(const void* data, std::size_t size, const GetWeight& get = nullptr,
                          std::shared_ptr<const std::string> folder = nullptr);

// The same as text, without the bytes of tensors.
std::string GraphModelText(const GraphModel& model);

}  // namespace foothold
