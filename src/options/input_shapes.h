// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What options say about the shapes of inputs: fixed shapes, ranges, and gears, the sets of sizes a graph may
// be run with. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "options/options.h"

namespace foothold {

class InputShapes {
 public:
  using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;  // per dimension; -1 is no bound

  // `data` are the inputs of a normal graph. Throws E10001-like errors that name the option and the part that
  // is wrong.
  InputShapes(const std::vector<Node*>& data, const Options& options);

  // The shape an input has if nobody says otherwise: of the option, else of the node; may be open.
  const Dims& dims(std::size_t input) const { return dims_[input]; }
  // Empty if nobody has said any.
  const Ranges& ranges(std::size_t input) const { return ranges_[input]; }
  const std::vector<Dims>& gears() const { return gears_; }
  // The dims of all inputs with a gear put in for the open ones.
  std::vector<Dims> WithGear(const Dims& gear) const;
  std::size_t LargestGear() const;

  // Throws kInvalidParam if the shapes of a run are outside the ranges or are no gear, saying what is
  // allowed.
  void Check(const std::vector<TensorType>& types) const;
  void Check(const std::vector<TensorValue>& values) const;

 private:
  void ParseShapes(const std::vector<Node*>& data, std::string_view text);
  void ParseShape(std::size_t input, std::string_view text);
  void ParseGears(std::string_view text);
  template <typename Described>
  void CheckAll(const std::vector<Described>& inputs) const;
  void CheckRange(std::size_t input, const Dims& dims) const;

  std::vector<std::string> names_;
  std::vector<Dims> dims_;
  std::vector<std::size_t> order_;  // of the inputs, in which gears number the open dimensions
  std::vector<Ranges> ranges_;
  std::vector<bool> said_;  // whether an option or the graph says a range
  std::vector<Dims> gears_;
};

}  // namespace foothold
