// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Looks at code a program wants to have loaded before the loader of the system does, which believes what the
// file says. Knows headers only: what is inside the segments is the loader's business. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace foothold {

// Copies `bytes` from `offset` of the file; false if they are not there.
using ReadPiece = std::function<bool(std::uint64_t offset, void* to, std::size_t bytes)>;

// Throws where the loader would fail or crash: 107000 for what is no shared object, or is cut off; 207000 for
// one of another processor. `name` is what messages call it.
void CheckSharedObject(const std::string& name, std::uint64_t size, const ReadPiece& read);

}  // namespace foothold
