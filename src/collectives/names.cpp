// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/names.h"

#include <fmt/format.h>
#include <time.h>

#include <atomic>

namespace foothold::collectives {

std::string TitleOf(const MeetingLabel& label, const std::string& communicator) {
  std::string what =
      label.is_pair() ? fmt::format("message {} from rank {} to rank {}", label.number, label.from, label.to)
                      : fmt::format("collective {}", label.number);
  if (label.captured) what += fmt::format(" of those captured, run {},", label.run);
  return fmt::format("{} of communicator {}", what, communicator);
}

std::string MadeUpName(const std::string& address, int port, int device) {
  static std::atomic<std::uint32_t> made{0};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return fmt::format("{}_{}_{}_{}{:09}_{}", address, port, device, now.tv_sec, now.tv_nsec,
                     made.fetch_add(1));
}

std::string PartName(const std::string& whole, std::uint64_t id) {
  return fmt::format("{}_sub_{}", whole, id);
}

}  // namespace foothold::collectives
