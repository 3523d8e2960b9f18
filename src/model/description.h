// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program may ask about an offline model. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/tensor_type.h"
#include "options/options.h"

namespace foothold {

class OmFile;

// The section of a file that has the description.
constexpr const char* kDescriptionSection = "description";

// Image preprocessing in front of an input, or the input that says how it is done.
struct PortAipp {
  enum class Kind { kStatic, kDynamic, kParameters };
  Kind kind = Kind::kStatic;
  std::size_t attached = 0;  // of dynamic ones: the input with the parameters, and from there back
  // As programs are told: rows, columns and what is in a pixel; of dynamic ones the bytes of all pictures.
  Dims picture = {};
  TensorType network = {};    // what the pictures become
  std::string settings = {};  // in the words of the file
};
// The input that has the parameters of dynamic preprocessing.
constexpr const char* kAippInput = "ascend_dynamic_aipp_data";

struct ModelPort {
  std::string name;
  TensorType type;  // -1 where a gear or the run decides
  // What each dimension may be, where the model was built for ranges; an end of -1 is no bound.
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges = {};
  std::optional<PortAipp> aipp = {};  // of inputs

  bool IsAipp(PortAipp::Kind kind) const { return aipp && aipp->kind == kind; }
};

// The sizes a model with open dimensions was compiled for.
struct ModelGears {
  enum class Kind { kNone, kBatch, kImage, kDims };
  Kind kind = Kind::kNone;
  // As the option says them: {batch}, {height, width}, or one number for each open dimension.
  std::vector<Dims> values;
  // The shapes of all inputs, and of all outputs, by gear.
  std::vector<std::vector<Dims>> inputs, outputs;

  std::size_t Largest() const;  // index; only where there are some
};

struct ModelDescription {
  std::string name;
  std::vector<ModelPort> inputs, outputs;
  ModelGears gears;
  OptionMap options;  // what it was built with

  // No open dimension is left to the run.
  bool FixedSizes() const;
  bool HasAipp() const;
};

std::string ToJson(const ModelDescription& description);
// Throws kParseModel for what no ToJson wrote; `origin` is for the message.
ModelDescription DescriptionFromJson(std::string_view text, const std::string& origin);

// Only what a model says about itself. Throws what is wrong with the file.
ModelDescription ReadDescription(const OmFile& file);

}  // namespace foothold
