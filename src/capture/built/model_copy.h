// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Makes the instance that a built model runs from what its streams keep. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/built/stored_controls.h"
#include "capture/instance.h"
#include "device/event.h"
#include "device/stream.h"

namespace foothold {

class ModelCopy final : public ModelMap {
 public:
  explicit ModelCopy(std::uint32_t id);

  // Copies what the stream keeps into a lane; how many tasks that are. Throws 107005 for a stream that was
  // destroyed, 207000 for a task that cannot be run again.
  std::size_t Add(const StreamRef& stream, bool is_head);
  // Once, after all streams.
  std::shared_ptr<Instance> Finish();

  std::optional<std::size_t> LaneOf(const StreamRef& stream) const override;
  std::optional<LabelPlace> PlaceOf(const LabelState& label) const override;

 private:
  void Copy(const Task& task, std::size_t lane);
  void Note(const Task& task, std::size_t lane);
  void Settle(Task& task, std::size_t lane) const;
  bool IsRecorded(const std::shared_ptr<EventState>& event) const;

  const std::shared_ptr<Instance> instance_;
  std::vector<const void*> streams_;  // handles, from lane 1 on
  std::vector<std::size_t> heads_;
  std::unordered_map<const LabelState*, LabelPlace> labels_;
  std::vector<std::shared_ptr<EventState>> recorded_;
};

}  // namespace foothold
