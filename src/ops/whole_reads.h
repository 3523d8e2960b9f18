// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that read every byte of every input, whatever the data, and whose result depends on each: only of
// them can be said that bytes nobody has written were used. All others may read a part: gathers and slices
// what is chosen, scatters and control flow what is wanted, windows what they meet; and those that only move
// bytes pass on what they get. Any thread.
#pragma once

#include <span>
#include <string_view>

namespace foothold {

bool ReadsAll(std::string_view type) noexcept;
// In the order of their names.
std::span<const std::string_view> OpsThatReadAll() noexcept;

}  // namespace foothold
