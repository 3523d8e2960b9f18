// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Launches that come one after the other, each of one element-wise kernel, joined into one run over their
// memory (ops/elementwise/chain_join.h). It is checked as theirs is, once for all; whoever wants to see
// single nodes gets them one by one.
#pragma once

#include <memory>
#include <vector>

#include "device/joined_tasks.h"
#include "ops/elementwise/chain_join.h"

namespace foothold {

class Launch;
class ModelDump;

class LaunchJoin {
 public:
  // False: this one cannot be the next.
  bool Append(const Launch& launch);
  // Null if there is nothing to join. The launches exist longer than the answer.
  std::unique_ptr<JoinedTasks> Finish();

  // Memory of the program, as it was found when it was bound.
  struct Checked {
    const std::byte* given;
    std::size_t bytes;
    std::uint64_t serial;
    bool operator==(const Checked&) const = default;
  };

 private:
  bool ListMemory(const Launch& launch);

  ChainJoin chain_;
  std::vector<Checked> memory_;
  std::vector<std::shared_ptr<ModelDump>> dumps_;
  // Of the launch that is being appended.
  std::vector<ChainJoin::Memory> inputs_, outputs_;
  std::vector<Checked> found_;
};

}  // namespace foothold
