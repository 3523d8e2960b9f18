// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "hcom/job.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <thread>

#include "base/environment.h"
#include "base/error.h"
#include "base/graph_codes.h"
#include "base/per_process.h"
#include "collectives/codes.h"
#include "collectives/settings.h"
#include "collectives/world.h"
#include "device/runtime.h"

namespace foothold {
namespace {

using collectives::CommSettings;
using collectives::RankTable;
using collectives::World;

constexpr const char* kRankOption = "ge.exec.rankId";

[[noreturn]] void RefuseOption(const char* key, const std::string& value, const std::string& expected) {
  throw Error(kGeParamInvalid, fmt::format("option {} is \"{}\", expected {}", key, value, expected),
              kBadOption);
}

std::int64_t NumberOf(const char* key, const std::string& text) {
  const auto number = ParseInt(text);
  if (!number || *number < 0) RefuseOption(key, text, "a number that is not negative");
  return *number;
}

// In memory of the program: its address and length as numbers.
std::optional<std::string> TableInMemory(const Options& options) {
  const auto address = options.Find("ge.exec.rankTableAddr");
  const auto length = options.Find("ge.exec.rankTableLen");
  if (!address || address->empty() || !length) return std::nullopt;
  const auto at = static_cast<std::uintptr_t>(NumberOf("ge.exec.rankTableAddr", *address));
  const auto bytes = static_cast<std::size_t>(NumberOf("ge.exec.rankTableLen", *length));
  if (at == 0) RefuseOption("ge.exec.rankTableAddr", *address, "an address");
  return std::string(reinterpret_cast<const char*>(at), bytes);
}

std::optional<std::string> TableOf(const Options& options) {
  if (auto text = TableInMemory(options)) return text;
  auto file = options.Find("ge.exec.rankTableFile");
  if (!file || file->empty()) return std::nullopt;
  return file;
}

bool IsOff(const Options& options, const char* key) {
  return options.Find(key).value_or("1") == "0";
}

// Said as such, or by the name of the pod, whose ranks follow each other by device.
std::uint32_t OwnRank(const Options& options, const RankTable& table) {
  if (const auto text = options.Find(kRankOption); text && !text->empty())
    return static_cast<std::uint32_t>(NumberOf(kRankOption, *text));
  const std::string pod = options.Find("ge.exec.podName").value_or("");
  const std::int64_t device = NumberOf("ge.exec.deviceId", options.Find("ge.exec.deviceId").value_or("0"));
  for (const RankTable::Entry& entry : table.ranks)
    if (!pod.empty() && entry.pod == pod && entry.device == device)
      return static_cast<std::uint32_t>(entry.rank);
  if (pod.empty()) RefuseOption(kRankOption, "", "the rank of this process in the rank table");
  RefuseOption("ge.exec.podName", pod, fmt::format("a pod of the rank table that has device {}", device));
}

CommSettings SettingsOf(const Options& options) {
  CommSettings settings = CommSettings::FromEnvironment();
  const auto text = options.Find("ge.exec.hcclExecuteTimeOut");
  if (!text || text->empty()) return settings;
  const auto time = collectives::ParseSeconds(*text);
  if (!time) RefuseOption("ge.exec.hcclExecuteTimeOut", *text, "seconds, 0 for no limit");
  settings.exec_timeout = *time;
  return settings;
}

int DeviceOf(const Options& options) {
  return static_cast<int>(NumberOf("ge.exec.deviceId", options.Find("ge.exec.deviceId").value_or("0")));
}

struct Joined {
  std::atomic<bool> here{false};
  std::atomic<int> device{0};
};

// On a thread of its own: the caller's current device stays what it is.
void OnAnotherThread(const std::function<void()>& body) {
  std::exception_ptr failure;
  std::thread([&] {
    try {
      body();
    } catch (...) {
      failure = std::make_exception_ptr(CurrentError());
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

void Make(const RankTable& table, std::uint32_t rank, int device, const CommSettings& settings) {
  Runtime& runtime = Runtime::Get();
  runtime.StartAsItIs();
  runtime.SetDevice(device);
  try {
    World::Get().Make(table, rank, runtime.device(device), settings);
  } catch (...) {
    const Error error = CurrentError();
    runtime.ResetDevice(device, false);
    throw Error(kFailure, fmt::format("the group of all ranks was not made: {}", error.message()));
  }
}

}  // namespace

void Job::Join(const OptionMap& map) {
  const Options options(map);
  const auto text = TableOf(options);
  if (!text || IsOff(options, "ge.exec.isUseHcom") || IsOff(options, "ge.exec.hcclFlag")) return;
  if (World::Get().exists()) return;
  OnAnotherThread([&] {
    const RankTable table = RankTable::Read(*text);
    Make(table, OwnRank(options, table), DeviceOf(options), SettingsOf(options));
  });
  auto& joined = PerProcess<Joined>::Get();
  joined.device.store(DeviceOf(options));
  joined.here.store(true);
}

void Job::Leave() {
  auto& joined = PerProcess<Joined>::Get();
  if (!joined.here.exchange(false)) return;
  World::Get().Destroy();
  OnAnotherThread([&] { Runtime::Get().ResetDevice(joined.device.load(), false); });
}

}  // namespace foothold
