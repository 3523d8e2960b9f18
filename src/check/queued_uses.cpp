// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/queued_uses.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <optional>

#include "base/handle_pool.h"
#include "base/per_process.h"
#include "check/call_finding.h"
#include "check/history.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct Use {
  Ticket ticket;
  Site site;
  int stream = 0;
};

// By handle; models by their number, which is no handle.
struct Uses {
  static Uses& Get() { return PerProcess<Uses>::Get(); }

  std::optional<Use> Find(std::uint64_t key) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = uses.find(key);
    return found == uses.end() ? std::nullopt : std::optional<Use>(found->second);
  }

  std::mutex mutex;  // guards the map
  std::map<std::uint64_t, Use> uses;
};

// The execution that is not known to be over; what is over is forgotten.
std::optional<Use> StillUsed(std::uint64_t key) {
  Uses& uses = Uses::Get();
  const std::optional<Use> use = uses.Find(key);
  if (!use || !IsKnownOver(use->ticket)) return use;
  const std::lock_guard<std::mutex> lock(uses.mutex);
  uses.uses.erase(key);
  return std::nullopt;
}

void Look(std::uint64_t key, const char* rule, const char* what) noexcept try {
  const std::optional<Use> use = StillUsed(key);
  if (!use) return;
  auto finding = FindingHere(
      rule, fmt::format("{} while an execution on stream {} is not known to be over", what, use->stream));
  if (!finding) return;
  finding->before = ActAt(use->site, fmt::format("queued the execution on stream {}", use->stream));
  finding->before->how = "queued by";
  if (const auto object = FindObject(reinterpret_cast<const void*>(key)))
    finding->objects.push_back(Describe(*object));
  finding->fix = fmt::format("synchronise stream {} first", use->stream);
  Reporter::Get().Report(std::move(*finding));
} catch (...) {  // no memory for a report
}

}  // namespace

namespace {

// The model still runs elsewhere, as far as the program knows.
void LookAtStream(const StreamName& stream, std::uint32_t model) {
  const std::optional<Use> use = StillUsed(model);
  if (!use || use->stream == stream.id) return;
  auto finding = FindingHere(
      "ACL-MDL-006",
      fmt::format("a model runs on stream {} while an execution on stream {} is not known to be over",
                  stream.id, use->stream));
  if (!finding) return;
  finding->before = ActAt(use->site, fmt::format("queued the execution on stream {}", use->stream));
  finding->before->how = "queued by";
  Reporter::Get().Report(std::move(*finding));
}

}  // namespace

void ExecutionQueued(const StreamName& stream, std::uint32_t model,
                     const std::vector<const void*>& objects) noexcept try {
  LookAtStream(stream, model);
  const Use use{LastQueued(stream), SiteHere(), stream.id};
  Uses& uses = Uses::Get();
  const std::lock_guard<std::mutex> lock(uses.mutex);
  uses.uses[model] = use;
  for (const void* object : objects)
    uses.uses[HandleValue(object)] = use;
} catch (...) {  // not watched
}

void LookAtChange(const void* object) noexcept {
  Look(HandleValue(object), "ACL-MDL-002", "the data of a model change");
}

void LookAtGearChange(const void* dataset) noexcept {
  Look(HandleValue(dataset), "ACL-MDL-005", "the gear of a model changes");
}

void LookAtUnload(std::uint32_t model) noexcept {
  Look(model, "ACL-MDL-003", "a model is unloaded");
}

}  // namespace foothold::check
