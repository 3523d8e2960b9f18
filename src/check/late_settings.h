// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Settings that hold only for what is made after them, and were made after the last of it (ACL-USE-001,
// ACL-DUMP-003): known when the program ends. Inside calls; any thread. Nothing happens unless the program is
// being checked.
#pragma once

#include <cstdint>

#include "base/watch.h"

namespace foothold::check {

enum class Setting : std::uint8_t {
  kSaturation,  // for streams
  kTimeLimit,   // for waits of streams
  kAllocator,   // for runs of a stream
  kDump,        // for models that are loaded
  kProfile,     // for the same
};

void NoteSetting(Setting setting, std::uint64_t of) noexcept;
void NoteUseOf(Setting setting, std::uint64_t of) noexcept;

// `of`: the handle it is for; 0: all.
inline void SettingMade(Setting setting, std::uint64_t of = 0) noexcept {
  if (watch::Is(watch::kCheck)) NoteSetting(setting, of);
}
inline void SettingUsed(Setting setting, std::uint64_t of = 0) noexcept {
  if (watch::Is(watch::kCheck)) NoteUseOf(setting, of);
}

// A model is loaded.
inline void ModelLoads() noexcept {
  SettingUsed(Setting::kDump);
  SettingUsed(Setting::kProfile);
}

// Something runs that was made before the setting, and that it would have been for: without that a dump or a
// profile that comes late is no mistake, since operators need none before.
void SettingMissed(Setting setting) noexcept;
// It was undone.
void SettingEnded(Setting setting) noexcept;

void ReportLateSettings() noexcept;

}  // namespace foothold::check
