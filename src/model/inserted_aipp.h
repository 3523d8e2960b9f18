// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Image preprocessing (AIPP) in front of inputs of a network that becomes a model: the option ge.insertOpFile
// under all its names. For model_builder. One thread at a time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "model/description.h"
#include "ops/aipp/aipp.h"
#include "options/input_shapes.h"

namespace foothold {

class InsertedAipp {
 public:
  // Reads the file. Without the option there is nothing to insert.
  explicit InsertedAipp(const OptionMap& options);

  bool empty() const { return settings_.empty(); }
  // Puts operators behind the inputs the file names, whose pictures are inputs from now on; parameters of
  // dynamic ones become further inputs. `shapes` are those of the network. Throws E10001-like errors.
  void Insert(Graph& graph, const InputShapes& shapes, const ModelGears& gears);

  // The dimensions of all inputs of the changed graph when those of the network have these.
  std::vector<Dims> InputDims(std::vector<Dims> network) const;
  // What the description says about an input of the changed graph.
  std::optional<PortAipp> Describe(std::size_t input) const;

 private:
  struct Picture {
    AippSettings settings;  // complete
    TensorType network;
    std::size_t parameters = 0;      // dynamic: which input has them
    std::int64_t most_pictures = 0;  // of a run
  };
  void InsertOne(Graph& graph, const AippSettings& settings, const InputShapes& shapes,
                 const ModelGears& gears);
  void AddParameters(Graph& graph, Node& aipp, Picture& picture, std::size_t input);
  Dims DimsOf(const Picture& picture, const Dims& network) const;

  std::string option_, path_;
  std::vector<AippSettings> settings_;
  std::map<std::size_t, Picture> pictures_;        // by input
  std::map<std::size_t, std::size_t> parameters_;  // from the input that has them to that of the pictures
};

}  // namespace foothold
