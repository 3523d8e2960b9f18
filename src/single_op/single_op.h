// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One operator that was compiled, by a call or ahead into an .om file: what it takes, and its compiled forms.
// Immutable but for those; any thread. A forked child compiles for itself.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/prepared_program.h"
#include "single_op/call_key.h"

namespace foothold {

class OfflineModel;

// How the tensors of a call and those of the program belong together.
struct OpBinding {
  std::vector<int> inputs;   // by input of the program: tensor of the call
  std::vector<int> outputs;  // by output of the program: tensor of the call
};

class SingleOp {
 public:
  // Dimensions of inputs may be open. Throws what the operator has against the call.
  explicit SingleOp(const OpCall& call);
  // Throws kOpLoadFailed if the model is anything but one operator.
  explicit SingleOp(const OfflineModel& model);
  ~SingleOp();
  SingleOp(const SingleOp&) = delete;
  SingleOp& operator=(const SingleOp&) = delete;

  const std::string& type() const { return node_->type(); }
  // Sizes come with the run.
  bool open() const { return open_; }

  // Nothing if it is not what the call asks for.
  std::optional<OpBinding> Match(const OpCall& call) const;

  // For sizes that Match accepted. `values`, by input of the program: those that count as constants, null for
  // the others. Throws what compiling throws.
  std::shared_ptr<PreparedProgram> Prepare(const OpCall& call, const OpBinding& binding,
                                           const std::vector<const TensorValue*>& values = {});

  LastUse used;

 private:
  class Matcher;
  using Ranges = std::vector<Range>;

  // Its compiled forms, of this process: threads of a parent may hold locks of those it had for ever.
  struct Compiled;
  Compiled& CompiledHere();

  void FindNode();
  bool TakesInput(const TensorDesc& tensor, const Input& input) const;
  bool TakesDims(const Node& data, const TensorDesc& tensor) const;

  std::shared_ptr<const Graph> graph_;
  const Node* node_ = nullptr;
  std::vector<Ranges> ranges_;  // by input of the program; empty where there are none
  std::string attributes_;      // key
  bool open_ = false;
  std::atomic<Compiled*> compiled_{nullptr};  // null until the first time
};

}  // namespace foothold
