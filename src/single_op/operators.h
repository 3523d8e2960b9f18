// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All single operators the process knows: those compiled by calls, of which the least recently used are
// forgotten beyond a limit, and those loaded from files, which stay. aclFinalize forgets them all. Any
// thread; a forked child goes on with what its parent had.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "calls/call_form.h"
#include "single_op/single_op.h"

namespace foothold {

class OmFile;

// What one kind of call needs.
struct ReadyOp final : CallForm {
  ReadyOp(std::shared_ptr<SingleOp> by, OpBinding tensors, std::shared_ptr<PreparedProgram> prepared)
      : op(std::move(by)), binding(std::move(tensors)) {
    program = std::move(prepared);
    if (is_placed()) sharing = MemorySharing(program->program());
  }

  std::string Describe() const override;
  std::string InputName(std::size_t index) const override;
  std::string OutputName(std::size_t index) const override;

  const std::shared_ptr<SingleOp> op;
  const OpBinding binding;
};

// What this process may run: in a forked child, a copy of what its parent had, since a thread of the parent
// may hold locks of that for ever.
std::shared_ptr<const ReadyOp> OfThisProcess(std::shared_ptr<const ReadyOp> ready);

class Operators {
 public:
  static Operators& Get();

  // Finds the operator, or compiles it. Throws kOpInputNotMatch if sizes of inputs are open, and what
  // compiling throws.
  std::shared_ptr<const ReadyOp> FindOrCompile(const OpCall& call);
  // Compiles it anew. Sizes may be open: Find will find it for all that fit.
  void Compile(const OpCall& call);
  // Throws kOpNotFound if nobody has compiled or loaded it.
  std::shared_ptr<const ReadyOp> Find(const OpCall& call);

  // Throw kOpLoadFailed, and what is wrong with the file.
  void Load(const std::shared_ptr<const OmFile>& file);
  // All .om files in the directory and two levels below it, in the order of their names.
  void LoadDirectory(const std::string& path);

  // Of compiled operators with known sizes, and as many with open ones. From max_opqueue_num of aclInit.
  void SetLimit(std::uint64_t limit);

 private:
  Operators();
  static int OnInitialize(const char* config, std::size_t length, void* operators);
  static int OnFinalize(void* operators);
  static void LockForFork();
  static void UnlockAfterFork();

  std::shared_ptr<const ReadyOp> FindReady(const OpCall& call);
  std::shared_ptr<const ReadyOp> FindIn(OpCache<const ReadyOp>& cache, const OpCall& call);
  std::shared_ptr<const ReadyOp> CompileClosed(const OpCall& call);
  std::vector<std::shared_ptr<SingleOp>> Candidates(const OpCall& call);
  void Drop(const std::vector<std::shared_ptr<SingleOp>>& open);
  void Forget();

  std::atomic<std::uint64_t> limit_;
  OpCache<const ReadyOp> compiled_;
  OpCache<SingleOp> open_;
  OpCache<const ReadyOp> matched_;  // calls that an open or a loaded one serves
  std::mutex mutex_;                // guards both below
  std::map<std::string, std::vector<std::shared_ptr<SingleOp>>, std::less<>> loaded_;  // by type
  std::vector<std::shared_ptr<const ReadyOp>> of_parent_;  // maybe half changed when it forked: never ended
};

}  // namespace foothold
