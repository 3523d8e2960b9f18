// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The border between the library and libfoothold_onnx.so, which is loaded when the first model is read, so
// that programs that read none do not load the ONNX library. Both sides are built together; nobody else
// calls this. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error_codes.h"
#include "ir/weight_file.h"
#include "onnx/model.h"

namespace foothold::onnx {

// A shape the program gives an input: by name, else by position.
struct InputShape {
  std::string name;
  std::size_t position = 0;
  Dims dims;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  // per dimension; empty: none given
};

struct ReadRequest {
  std::string path;  // empty: `data`
  const void* data = nullptr;
  std::size_t size = 0;
  std::vector<InputShape> input_shapes;
  // Whether the importer has a mapping; other operators are replaced by their function bodies if they have
  // one.
  std::function<bool(std::string_view domain, std::string_view op, int version)> covered;
  std::function<SharedBytes(std::size_t)> allocate;
  // A weight that stands in a file (ir/stored_weight.h).
  std::function<TensorValue(TensorType type, std::size_t size, std::shared_ptr<const WeightFile> file,
                            std::uint64_t offset)>
      read_weight;
};

struct ReadAnswer {
  std::shared_ptr<const Model> model;  // null: failed, for the reason below
  Code code = kSuccess;
  const char* text_code = nullptr;
  std::string message;
};

using ReadFunction = void (*)(const ReadRequest& request, ReadAnswer& answer);
inline constexpr const char* kReadFunction = "FootholdReadOnnx";

}  // namespace foothold::onnx
