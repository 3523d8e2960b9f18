// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A model as programs ask about it (aclmdlDesc): with the hidden input that holds the chosen gear, names cut
// to what their structures hold, sizes of the largest gear. One thread at a time; what it hands out lives as
// long as it does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description.h"

namespace foothold {

// The input of models with gears that says which one is meant.
constexpr const char* kGearInput = "ascend_mbatch_shape_data";

class ModelView {
 public:
  struct Port {
    std::string name;       // at most 127 characters
    std::string real_name;  // as the model has it
    TensorType type;        // of inputs: open where the gear decides; of outputs: of the largest gear
    Dims memory_dims;  // of pictures: dimensions whose product is their bytes; of others those of the type
    std::size_t bytes = 0;                                      // of the largest gear; 0 if nobody can say
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  // of each dimension; an end of -1 is no bound
  };

  // Of nothing yet.
  ModelView() = default;
  // `id` is there if the model is loaded.
  ModelView(ModelDescription description, std::optional<std::uint32_t> id);

  std::optional<std::uint32_t> id() const { return id_; }
  const ModelDescription& description() const { return description_; }
  const std::vector<Port>& inputs() const { return inputs_; }
  const std::vector<Port>& outputs() const { return outputs_; }
  const ModelGears& gears() const { return description_.gears; }

  // The dims an output has with a gear; without gears those it always has.
  Dims OutputDims(std::size_t index, std::size_t gear) const;
  // One text that was asked for, kept.
  const char* Keep(std::string text);

 private:
  Port MakePort(const ModelPort& port, const char* kind, std::size_t index,
                const std::vector<std::vector<Dims>>& gears, bool open);
  void AddGearInput();

  ModelDescription description_;
  std::optional<std::uint32_t> id_;
  std::vector<Port> inputs_, outputs_;
  std::map<std::string, std::string, std::less<>> kept_;
};

// The sizes of a gear as programs say them: the batch, height and width, or all dimensions of all inputs. The
// hidden input holds, as int64, only those that the gear decides.
Dims GearContent(const ModelDescription& description, std::size_t gear);

}  // namespace foothold
