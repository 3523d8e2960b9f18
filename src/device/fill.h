// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Fills memory the library knows of (device, managed, pinned or registered) with a value: at once, or as a
// task of a stream. Throws 107000 for other memory, and for more bytes than `max`. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/current.h"

namespace foothold {

void SetBytes(void* address, std::size_t max, std::uint8_t value, std::size_t count);
void PushSetBytes(const StreamRef& stream, const char* api, void* address, std::size_t max,
                  std::uint8_t value, std::size_t count);

// `count` values of four bytes.
void SetWords(void* address, std::size_t max, std::uint32_t value, std::size_t count);
void PushSetWords(const StreamRef& stream, const char* api, void* address, std::size_t max,
                  std::uint32_t value, std::size_t count);

}  // namespace foothold
