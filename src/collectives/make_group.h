// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A rank finds the others of its communicator, wherever they are, and waits until all have come. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "collectives/bootstrap/join.h"
#include "collectives/group.h"

namespace foothold {
class Device;
}

namespace foothold::collectives {

struct MadeGroup {
  std::shared_ptr<Group> group;
  std::string name;
};

// `name` may be empty: all ranks get the same one then. Throws what joining throws.
MadeGroup MakeGroup(const JoinOptions& options, std::uint32_t rank, Device& device, std::string name);

}  // namespace foothold::collectives
