// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Takes findings and writes reports, each place once. One per process; a forked child begins with none and
// writes to files of its own. Never throws: what there is no memory for is counted as lost. Any thread; calls
// no function of the program.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/per_process.h"
#include "check/resolved_finding.h"
#include "check/settings.h"
#include "check/suppressions.h"

namespace foothold::check {

class Reporter {
 public:
  static Reporter& Get();

  // Writes it now. True if it is an error that is to fail the call or task as well.
  bool Report(Finding finding) noexcept;
  // Writes it at the end of this thread's call, or at the end of the process: for places that hold locks.
  void ReportLater(Finding finding) noexcept;
  void WriteLater() noexcept {
    if (waiting_.load(std::memory_order_relaxed)) WriteWaiting();
  }
  // A fault was injected: files with lines get one about it.
  void NoteInjected(const std::string& item, const std::string& where) noexcept;
  // Files that are written as a whole, and at the end of the process a summary.
  void WriteFiles() noexcept;
  void WriteEnd() noexcept;
  // Makes the files there will be lines in, so that it is seen that the library was there.
  void Open() noexcept;

 private:
  template <typename T>
  friend class ::foothold::PerProcess;

  struct Counts {
    std::uint64_t by_severity[4] = {}, suppressed = 0, not_shown = 0, lost = 0, injected = 0, leaks = 0,
                  leak_places = 0;
  };

  Reporter();
  void Add(Finding finding);
  bool IsNew(const ResolvedFinding& found);
  void Write(const ResolvedFinding& found);
  void WriteWaiting() noexcept;
  std::string Summary() const;
  std::string PathOf(const std::string& output) const;

  const Settings& settings_;
  std::atomic<bool> waiting_{false};
  std::mutex mutex_;  // guards all below, and the order of what is written
  std::vector<Finding> later_;
  Suppressions suppressions_;
  std::map<std::string, std::uint64_t> seen_;  // by key
  std::uint64_t shown_ = 0;
  Counts counts_;
  std::vector<std::string> json_;
};

}  // namespace foothold::check
