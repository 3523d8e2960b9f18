// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/model_dump.h"

#include <fmt/format.h>

#include <algorithm>

#include "dump/file_names.h"

namespace foothold {
namespace {

template <typename List, typename T>
bool Contains(const List& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::vector<DumpSelection> SelectionsFor(const DumpConfig& config, const DumpedModel& model) {
  std::vector<DumpSelection> selections;
  for (const DumpSelection& one : config.selections)
    if (one.model_name.empty() || Contains(model.names, one.model_name)) selections.push_back(one);
  return selections;
}

bool LeavesOut(const std::vector<DumpExclusion>& exclusions, std::string_view name, bool is_input,
               std::size_t index) {
  return std::any_of(exclusions.begin(), exclusions.end(), [&](const DumpExclusion& one) {
    const DumpExclusion::Position position{is_input, static_cast<std::uint32_t>(index)};
    return one.name == name && (one.positions.empty() || Contains(one.positions, position));
  });
}

bool LeavesOutWhole(const std::vector<DumpExclusion>& exclusions, std::string_view name) {
  return std::any_of(exclusions.begin(), exclusions.end(),
                     [&](const DumpExclusion& one) { return one.name == name && one.positions.empty(); });
}

bool SelectsNode(const DumpSelection& one, std::string_view name, std::string_view type) {
  return (one.layers.empty() || Contains(one.layers, name)) && !LeavesOutWhole(one.excluded_names, name) &&
         !LeavesOutWhole(one.excluded_types, type);
}

}  // namespace

DumpSettings::DumpSettings(DumpConfig config) : config(std::move(config)), stamp(DumpStamp()) {}

std::unique_ptr<ModelDump> ModelDump::Make(std::shared_ptr<const DumpSettings> settings, DumpedModel model) {
  if (!settings || settings->ended) return nullptr;
  const DumpConfig& config = settings->config;
  std::vector<DumpSelection> selections = SelectionsFor(config, model);
  const bool whole = config.overflow_only || config.ForExceptions();
  if (selections.empty() && !whole) return nullptr;
  return std::unique_ptr<ModelDump>(
      new ModelDump(std::move(settings), std::move(model), std::move(selections)));
}

std::shared_ptr<ModelDump> ModelDump::MakeForOperators(std::shared_ptr<const DumpSettings> settings,
                                                       int device) {
  return std::shared_ptr<ModelDump>(new ModelDump(std::move(settings), {{}, 0, device}, {}));
}

ModelDump::ModelDump(std::shared_ptr<const DumpSettings> settings, DumpedModel model,
                     std::vector<DumpSelection> selections)
    : settings_(std::move(settings)), model_(std::move(model)), selections_(std::move(selections)) {}

bool ModelDump::WantsNode(std::string_view name, std::string_view type) const {
  if (config().ForExceptions() || config().scene == DumpScene::kWatcher) return false;
  if (selections_.empty()) return true;
  return std::any_of(selections_.begin(), selections_.end(),
                     [&](const DumpSelection& one) { return SelectsNode(one, name, type); });
}

bool ModelDump::KeepsNode(std::string_view name, std::string_view type) const {
  if (config().level == DumpLevel::kKernel) return false;
  return WantsNode(name, type) || IsWatched(name) || !WatchedAfter(name).empty();
}

bool ModelDump::WantsTensor(std::string_view name, std::string_view type, bool is_input,
                            std::size_t index) const {
  if (selections_.empty()) return true;
  return std::any_of(selections_.begin(), selections_.end(), [&](const DumpSelection& one) {
    return SelectsNode(one, name, type) && !LeavesOut(one.excluded_names, name, is_input, index) &&
           !LeavesOut(one.excluded_types, type, is_input, index);
  });
}

std::vector<std::string> ModelDump::WatchedAfter(std::string_view name) const {
  std::vector<std::string> watched;
  if (config().scene != DumpScene::kWatcher) return watched;
  for (const DumpSelection& one : selections_)
    if (Contains(one.layers, name))
      watched.insert(watched.end(), one.watcher_nodes.begin(), one.watcher_nodes.end());
  return watched;
}

bool ModelDump::IsWatched(std::string_view name) const {
  return std::any_of(selections_.begin(), selections_.end(),
                     [&](const DumpSelection& one) { return Contains(one.watcher_nodes, name); });
}

std::string ModelDump::Directory(std::uint64_t index) const {
  const std::string path = config().path.empty() ? "" : config().path + "/";
  const std::string common = fmt::format("{}{}/{}", path, settings_->stamp, model_.device);
  if (is_operators()) return common;
  return fmt::format("{}/{}/{}/{}", common, FileNamePart(model_.names.front()), model_.id, index);
}

}  // namespace foothold
