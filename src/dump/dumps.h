// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which configuration of dumps is in force: that of aclInit, or that of aclmdlInitDump and aclmdlSetDump.
// What is loaded or prepared takes the one of that moment. Any thread.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/dump_config.h"
#include "dump/model_dump.h"

namespace foothold {

template <typename T>
class PerProcess;

// What acldumpGetPath may be asked for.
enum class DumpKind { kBriefException, kNormException, kDetailException, kData, kOverflow };

class Dumps {
 public:
  static Dumps& Get();

  // With the library. Without a configuration ASCEND_DUMP_SCENE may still ask for exception dumps.
  void Start(std::optional<DumpConfig> config);
  void Stop();

  // All throw kDumpAlreadyRun if Start has begun to dump; the latter two kDumpNotRun without InitDump.
  // From then on everything that is loaded is dumped to the function of the program, if one is registered.
  void InitDump();
  // Also what LoadDumpConfig throws; then all stays as it was.
  void SetDump(const char* path);
  // Also for what was loaded before.
  void FinalizeDump();

  // For what is loaded now; null: nothing is dumped.
  std::shared_ptr<const DumpSettings> current();
  // For operators that are run by themselves now; null: they are not dumped, which costs one relaxed load.
  std::shared_ptr<ModelDump> Operators(int device);
  // The settings for exceptions; null: failures are not saved.
  std::shared_ptr<const DumpSettings> exceptions();
  // Null if nothing of that kind is configured. Stays valid.
  const char* Path(DumpKind kind);

 private:
  friend class PerProcess<Dumps>;
  Dumps() = default;
  void CheckNotFromStart(const char* api) const;  // with the lock
  void CheckRound(const char* api) const;         // with the lock
  void Use(DumpConfig config);                    // with the lock

  void NoteOperators();  // with the lock, after every change

  std::atomic<bool> operators_{false};                      // some are dumped
  std::mutex mutex_;                                        // guards all below
  std::map<int, std::shared_ptr<ModelDump>> of_operators_;  // by device
  std::shared_ptr<DumpSettings> from_start_;
  bool round_ = false;                                   // between InitDump and FinalizeDump
  std::vector<std::shared_ptr<DumpSettings>> of_round_;  // the latest is in force
  std::set<std::string> paths_;                          // that were given out
};

}  // namespace foothold
