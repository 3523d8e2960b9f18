// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A communicator whose ranks are all in this process. Any thread.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collectives/group.h"
#include "collectives/local_meeting.h"

namespace foothold::collectives {

class LocalGroup : public Group {
 public:
  // `name` is for messages.
  LocalGroup(std::string name, std::uint32_t size);

  std::uint32_t size() const override { return size_; }
  std::uint64_t identity() const override { return reinterpret_cast<std::uintptr_t>(this); }
  std::shared_ptr<Meeting> Join(const MeetingLabel& label, std::uint32_t rank) override;
  void Leave(std::uint32_t rank, const Failure& failure) noexcept override;
  std::shared_ptr<Group> Part(std::uint32_t rank, std::uint64_t id,
                              const std::vector<std::uint32_t>& ranks) override;
  std::uint32_t ranks_here(std::uint32_t) const override { return size_; }
  std::uint32_t place_here(std::uint32_t rank) const override { return rank; }

 private:
  struct OpenPart {
    std::shared_ptr<LocalGroup> group;
    std::vector<bool> joined;  // by rank of the part
    std::uint32_t missing;
  };
  using PartKey = std::pair<std::vector<std::uint32_t>, std::uint64_t>;

  const std::uint32_t size_;
  const SeatingRef seating_;
  std::mutex mutex_;                                            // guards all below
  std::map<MeetingLabel, std::shared_ptr<LocalMeeting>> open_;  // not all ranks have joined
  std::vector<Failure> gone_;                                   // by rank: why it takes part in nothing
  std::map<PartKey, std::list<OpenPart>> parts_;                // not all of their ranks have come
};

}  // namespace foothold::collectives
