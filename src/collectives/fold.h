// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Arrays of several ranks combined element by element into one result. The order is that of the ranks, and
// 16-bit floats are combined in float and rounded once: the same bits wherever it is computed. Any thread.
#pragma once

#include <cstddef>
#include <span>

#include "collectives/element.h"

namespace foothold::collectives {

// Every place gets sources[0] ⊕ sources[1] ⊕ ... of `bytes` bytes, whole elements. A place is one of the
// sources or overlaps none. Integers wrap; a NaN among floats gives a NaN. On the calling thread. Results
// that are part of more than the caches hold go past them.
void Fold(Element element, Reduction reduction, std::span<const void* const> sources,
          std::span<void* const> places, std::size_t bytes, bool past_caches = false);

}  // namespace foothold::collectives
