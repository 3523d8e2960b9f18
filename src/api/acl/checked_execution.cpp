// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/acl/checked_execution.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "check/call_finding.h"
#include "check/history.h"
#include "check/late_settings.h"
#include "check/queued_uses.h"
#include "check/reporter.h"
#include "device/checked_tasks.h"
#include "device/stream.h"

namespace foothold {
namespace {

using check::FindingHere;
using check::Reporter;

void LookAtGear(const LoadedModel& model, const DataSet& inputs) {
  if (!model.has_gears()) return;
  if (!inputs.gear) {
    if (auto finding = FindingHere("ACL-MDL-004",
                                   fmt::format("{} has {} gears and none was chosen for the dataset: "
                                               "the largest is run",
                                               model.Describe(), model.description().gears.values.size())))
      Reporter::Get().Report(std::move(*finding));
  } else if (inputs.gear->model != model.id()) {
    if (auto finding =
            FindingHere("ACL-MDL-005", fmt::format("the gear of the dataset was chosen for model {}, and it "
                                                   "is run by {}",
                                                   inputs.gear->model, model.Describe())))
      Reporter::Get().Report(std::move(*finding));
  }
}

// Memory that an earlier execution has allocated for an output.
void LookAtOutput(const void* buffer) {
  const DataBuffer* const found = DataBuffers::Get().FindOrNull(buffer);
  if (found == nullptr || found->data == nullptr) return;
  const auto block = check::FindBlockAt(found->data);
  if (!block || block->freed || !block->made ||
      !std::string_view(block->made.call).starts_with("aclmdlExecute"))
    return;
  auto finding = FindingHere("ACL-MDL-009", "an output is in memory that an earlier execution has allocated");
  if (!finding) return;
  finding->before = check::ActAt(block->made, "allocated it");
  finding->objects.push_back(check::Describe(*block));
  Reporter::Get().Report(std::move(*finding));
}

void AddObjects(const void* handle, std::vector<const void*>& objects) {
  objects.push_back(handle);
  if (const DataSet* const set = DataSets::Get().FindOrNull(handle))
    for (const DataSet::Item& item : set->items)
      objects.push_back(item.buffer);
}

}  // namespace

void LookAtExecution(const LoadedModel& model, const DataSet& inputs, const DataSet& outputs) noexcept try {
  for (const check::Setting setting : {check::Setting::kDump, check::Setting::kProfile})
    check::SettingMissed(setting);
  LookAtGear(model, inputs);
  for (const DataSet::Item& item : outputs.items)
    LookAtOutput(item.buffer);
} catch (...) {  // no memory for a report
}

void TellRun(const ModelRun& run) {
  std::vector<Access> accesses;
  run.ListAccesses(accesses);
  TellTouched(accesses);
}

void TellExecution(std::uint32_t model, const void* input, const void* output,
                   const StreamRef& stream) noexcept try {
  if (stream->is_diverted()) return;
  std::vector<const void*> objects;
  AddObjects(input, objects);
  AddObjects(output, objects);
  check::ExecutionQueued(NameOf(*stream.stream), model, objects);
  check::SettingUsed(check::Setting::kAllocator, HandleValue(stream.handle));
} catch (...) {  // not watched
}

}  // namespace foothold
