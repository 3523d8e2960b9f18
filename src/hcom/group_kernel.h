// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of operators that are one collective, and what their rules have in common. Unlike others it
// waits, for the same operator of the other ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "hcom/group_call.h"
#include "ops/op.h"

namespace foothold {

class GroupKernel : public Kernel {
 public:
  // Its buffers are these ports; -1: it has none.
  GroupKernel(GroupCall call, int input, int output) : call_(std::move(call)), in_(input), out_(output) {}

  void Run(const RunArgs& args) const override;

 protected:
  // What only the run knows.
  virtual void Complete(GroupCall&, const RunArgs&) const {}
  virtual bool IsNothing(const GroupCall& call) const { return call.count == 0; }

 private:
  const GroupCall call_;
  const int in_, out_;
};

// As lowerings give it back.
std::unique_ptr<Kernel> Waiting(std::unique_ptr<Kernel> kernel);

// The call of a node, with its group and without counts. The name is that of the operator, a literal.
GroupCall CallOf(const OpContext& context, GroupCall::Kind kind, const char* name, DataType type);
// The attributes of this name; refuses what they cannot be.
std::uint32_t RankOf(const OpContext& context, const char* attribute);
std::string ReductionOf(const OpContext& context);
std::int64_t RankSizeOf(const OpContext& context);
std::uint64_t CountOf(const TensorType& type);

// An input of counts as numbers of elements; throws kInvalidParam for negative ones.
GroupCall::Counts CountsAt(const RunArgs& args, int port, std::size_t count, const char* name);
// Where parts of these sizes begin if they follow each other.
GroupCall::Counts RunningSums(const GroupCall::Counts& counts);
// The number of elements up to the last part's end.
std::uint64_t EndOf(const GroupCall::Counts& counts, const GroupCall::Counts& places);

}  // namespace foothold
