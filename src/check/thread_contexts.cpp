// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/thread_contexts.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string_view>

#include "base/per_process.h"
#include "base/thread_id.h"
#include "check/call_finding.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::size_t kShown = 3;

struct Chosen {
  const void* context = nullptr;
  Site site;
};

struct Threads {
  static Threads& Get() { return PerProcess<Threads>::Get(); }

  std::mutex mutex;  // guards the map
  std::map<std::uint32_t, Chosen> chosen;
};

// A thread that has ended has no context.
struct EndOfThreadsChoice {
  ~EndOfThreadsChoice() {
    Threads& threads = Threads::Get();
    const std::lock_guard<std::mutex> lock(threads.mutex);
    threads.chosen.erase(KernelThreadId());
  }
};

std::vector<Site> OthersWith(const void* context) {
  Threads& threads = Threads::Get();
  const std::lock_guard<std::mutex> lock(threads.mutex);
  std::vector<Site> others;
  for (const auto& [thread, chosen] : threads.chosen)
    if (chosen.context == context && thread != KernelThreadId()) others.push_back(chosen.site);
  return others;
}

}  // namespace

void ContextChosen(const void* context) noexcept try {
  if (!SiteHere()) return;
  thread_local const EndOfThreadsChoice end;
  (void)end;
  Threads& threads = Threads::Get();
  const std::lock_guard<std::mutex> lock(threads.mutex);
  threads.chosen[KernelThreadId()] = {context, SiteHere()};
} catch (...) {  // not remembered
}

void LookAtContextEnd(const void* context, const std::vector<const void*>& streams) noexcept try {
  const std::vector<Site> others = OthersWith(context);
  if (others.empty() && streams.empty()) return;
  auto finding = FindingHere(
      "ACL-CTX-003", others.empty()
                         ? fmt::format("a context is destroyed, and {} of its streams live", streams.size())
                         : fmt::format("a context is destroyed that {} other thread{} current", others.size(),
                                       others.size() == 1 ? " has" : "s have"));
  if (!finding) return;
  if (!others.empty()) finding->before = ActAt(others.front(), "chose it");
  for (std::size_t i = 0; i < streams.size() && i < kShown; ++i)
    if (const auto stream = FindObject(streams[i])) finding->objects.push_back(Describe(*stream));
  Reporter::Get().ReportLater(std::move(*finding));
} catch (...) {
}

std::optional<ObjectRecord> ContextLostByReset() {
  const void* context = nullptr;
  {
    Threads& threads = Threads::Get();
    const std::lock_guard<std::mutex> lock(threads.mutex);
    const auto found = threads.chosen.find(KernelThreadId());
    if (found == threads.chosen.end()) return std::nullopt;
    context = found->second.context;
  }
  auto record = FindObject(context);
  const bool reset =
      record && record->destroyed && std::string_view(record->destroyed.call).starts_with("aclrtResetDevice");
  return reset ? record : std::nullopt;
}

}  // namespace foothold::check
