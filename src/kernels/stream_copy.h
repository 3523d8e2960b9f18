// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Stores past the caches, for who writes more than they hold: a line that is not read soon need not be
// fetched before it is written. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

// Whether so many bytes do not stay in the caches anyway.
bool GoesPastCaches(std::size_t bytes);
// On the calling thread; the ranges must not overlap. Other threads see it after FinishStreams.
void StreamBytes(void* dst, const void* src, std::size_t count);
void FinishStreams();

}  // namespace foothold
