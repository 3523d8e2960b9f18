// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes of a model and what they parse to. Used by the entry point. Any thread.
#pragma once

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <vector>

#include "onnx/reader_interface.h"
#include "onnx_reader/model_source.h"
#include "onnx_reader/weight_cut.h"

namespace foothold::onnx {

// Graphs and functions within each other; what programs write has a handful.
constexpr int kMaxDepth = 48;

struct ParsedModel {
  // Large models have hundreds of thousands of messages: they lie one after the other and go at once.
  std::unique_ptr<google::protobuf::Arena> arena = std::make_unique<google::protobuf::Arena>();
  ::onnx::ModelProto& message = *google::protobuf::Arena::CreateMessage<::onnx::ModelProto>(arena.get());
  ModelSource source;
  std::vector<WeightPlace> weights;  // not in the message, but still where the model is
};

// Throws kInvalidFile for a file that cannot be read, kParseFile for bytes that are no model.
ParsedModel ParseModel(const ReadRequest& request);

// How messages name the model: its path, or "the buffer".
std::string SourceName(const ReadRequest& request);

}  // namespace foothold::onnx
