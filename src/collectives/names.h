// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How communicators and what goes on in them are called.
#pragma once

#include <cstdint>
#include <string>

#include "collectives/meeting.h"

namespace foothold::collectives {

// For messages: "collective 3 of communicator x".
std::string TitleOf(const MeetingLabel& label, const std::string& communicator);
// Of a communicator the program gave no name: address, port, device and time of the rank that made it.
std::string MadeUpName(const std::string& address, int port, int device);
// Of a part of a communicator, unless the program gives it one.
std::string PartName(const std::string& whole, std::uint64_t id);

}  // namespace foothold::collectives
