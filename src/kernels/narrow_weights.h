// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Panels of weights (gemm_pack.h) in three quarters of their bytes, for products that are bound by reading
// them: floats are rounded to their upper 24 bits, so each is off by at most 2^-16 of itself. Two steps of
// the depth, which are four vectors, lie in the place of three; an odd depth is filled up with zeros.
// Infinities, NaN and zeros stay what they are, finite numbers stay finite. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Words of a panel.
std::size_t NarrowPanelWords(std::size_t depth);

void NarrowPanel(const float* panel, std::size_t depth, std::uint32_t* to);

}  // namespace foothold
