// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Parts for threads that take the next one as soon as they are free: a few large ones leave one thread with
// nothing to do while another has a whole part before it. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

struct Grid {
  std::size_t rows = 0, columns = 0;
  std::size_t times = 1;  // as often as that, as for each image
};
struct GridPart {
  std::size_t rows = 1, columns = 1;
};

// `part`, or a smaller one with which the last thread is done sooner by a twentieth. Rows of a part are
// multiples of `unit`, and there are `most_rows` parts of them at most.
GridPart EvenPart(const Grid& grid, GridPart part, std::size_t unit, std::size_t most_rows);

}  // namespace foothold
