// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// While one lives, more processes work together on this machine than it has cores: no thread of this one
// spins (base/spin.h), since whoever it waits for needs the core. Any thread.
#pragma once

namespace foothold {

class Crowd {
 public:
  Crowd() noexcept;
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
};

}  // namespace foothold
