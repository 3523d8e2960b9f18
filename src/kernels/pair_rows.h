// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small integers as pairs of 16-bit numbers, which one instruction multiplies and adds: for panels of packed
// operands. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Columns of a panel; 0: this CPU has no vectors of pairs.
std::size_t PairColumns();

// Pairs of two rows, for PairColumns() columns: a byte each.
void PairByteRows(const std::int8_t* first, const std::int8_t* second, std::int32_t* pairs);
// The same from 4 bits each, two in a byte, the first in its low half, two's complement.
void PairNibbleRows(const std::byte* first, const std::byte* second, std::int32_t* pairs);
// Pairs that lie side by side.
void WidenBytes(const std::int8_t* from, std::size_t count, std::int16_t* to);

}  // namespace foothold
