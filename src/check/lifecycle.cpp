// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/lifecycle.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/per_process.h"
#include "check/call_finding.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/history.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct Lifecycle {
  static Lifecycle& Get() {
    static Lifecycle* const lifecycle = new Lifecycle;
    return *lifecycle;
  }
  static std::mutex& Mutex() { return Get().mutex; }

  std::mutex mutex;  // guards all below
  bool ever = false, parent = false, finalized = false;
  std::uint32_t forks = 0;
  Site initializer, finalizer;
  std::map<const void*, int> owners, guests;  // by module: answers of 0 and of 100002

  // What a parent did, it did elsewhere.
  void Renew() {
    if (forks == Forks()) return;
    parent = parent || ever;
    ever = finalized = false;
    forks = Forks();
    owners.clear();
    guests.clear();
  }
};
[[maybe_unused]] const HeldDuringFork<&Lifecycle::Mutex> whole_in_children;

Site SiteOfCall() {
  const CallScope* const call = CallScope::Current();
  return call == nullptr ? Site{} : call->site();
}

// Where the code of the caller was loaded to.
const void* ModuleOf(const Site& site) {
  const auto frames = FramesOf(site.stack);
  Dl_info about;
  return frames.empty() || dladdr(frames[0], &about) == 0 ? nullptr : about.dli_fbase;
}

// Whether the call was made while the process ends: by a destructor of a static object, or by atexit.
bool AtExit(const Site& site) {
  for (const void* const frame : FramesOf(site.stack)) {
    Dl_info about;
    const bool known = dladdr(static_cast<const char*>(frame) - 1, &about) != 0 && about.dli_sname != nullptr;
    if (known && std::string_view(about.dli_sname) == "exit") return true;
  }
  return false;
}

void LookAtMoment(const Site& site) {
  if (Wanted("ACL-LIFE-004") == nullptr || !AtExit(site)) return;
  if (auto finding = FindingHere("ACL-LIFE-004", "the library is finalised while the process ends"))
    Reporter::Get().Report(std::move(*finding));
}

bool IsGuest(const Lifecycle& life, const void* module) {
  return module != nullptr && !life.owners.contains(module) && life.guests.contains(module);
}

}  // namespace

void LibraryInitialized(bool first) noexcept try {
  if (!On()) return;
  const Site site = SiteOfCall();
  const void* const module = ModuleOf(site);
  Lifecycle& life = Lifecycle::Get();
  const std::lock_guard<std::mutex> lock(life.mutex);
  life.Renew();
  if (first) {
    life.initializer = site;
    life.finalized = false;
    life.ever = true;
  }
  ++(first ? life.owners : life.guests)[module];
} catch (...) {
}

void LibraryFinalizes() noexcept try {
  if (!On()) return;
  const Site site = SiteOfCall();
  LookAtMoment(site);
  Finding finding;
  {
    Lifecycle& life = Lifecycle::Get();
    const std::lock_guard<std::mutex> lock(life.mutex);
    life.Renew();
    if (!IsGuest(life, ModuleOf(site))) return;
    finding.before =
        Act{.call = "aclInit", .arguments = {}, .does = "answered 0", .agent = {}, .site = life.initializer};
  }
  finding.rule = Wanted("ACL-LIFE-003");
  if (finding.rule == nullptr) return;
  finding.headline = "a library that got 100002 from aclInit finalises what another one has initialised";
  finding.now = {.call = site.call, .arguments = {}, .does = {}, .agent = {}, .site = site};
  Reporter::Get().Report(std::move(finding));
} catch (...) {
}

void LibraryFinalized() noexcept {
  if (!On()) return;
  Lifecycle& life = Lifecycle::Get();
  {
    const std::lock_guard<std::mutex> lock(life.mutex);
    life.Renew();
    life.finalized = true;
    life.finalizer = SiteOfCall();
    life.owners.clear();
    life.guests.clear();
  }
  WriteReports();
}

bool WasFinalized() noexcept {
  Lifecycle& life = Lifecycle::Get();
  const std::lock_guard<std::mutex> lock(life.mutex);
  life.Renew();
  return life.finalized;
}

bool WasInitialized() noexcept {
  Lifecycle& life = Lifecycle::Get();
  const std::lock_guard<std::mutex> lock(life.mutex);
  life.Renew();
  return life.ever;
}

bool ParentInitialized() noexcept {
  Lifecycle& life = Lifecycle::Get();
  const std::lock_guard<std::mutex> lock(life.mutex);
  life.Renew();
  return life.parent;
}

Site Finalizer() noexcept {
  Lifecycle& life = Lifecycle::Get();
  const std::lock_guard<std::mutex> lock(life.mutex);
  return life.finalizer;
}

}  // namespace foothold::check
