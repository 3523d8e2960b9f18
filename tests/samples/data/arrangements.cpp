// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors in another order, parts of them, several as one.
#include <cmath>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kAll = NumberTypes() + std::vector<aclDataType>{ACL_BOOL};

Block Shuffled(const Given& in) {
  const std::int64_t groups = 2, each = in[0].dims[1] / groups;
  Block out = in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    Dims place = nn::PlaceOf(i, out.dims);
    place[1] = place[1] % groups * each + place[1] / groups;
    out.values[i] = in[0].values[nn::NumberOf(place, in[0].dims)];
  }
  return out;
}

// Two members in three chunks.
Block Chunks(const Given& in) {
  const std::int64_t chunks = 3;
  std::vector<Values> rows(static_cast<std::size_t>(chunks));
  for (std::size_t m = 0; m < 2; ++m) {
    Values values = in[m].values;
    const std::size_t inner = values.size() / static_cast<std::size_t>(in[m].dims[0]);
    const std::size_t each = static_cast<std::size_t>((in[m].dims[0] + chunks - 1) / chunks) * inner;
    values.resize(each * rows.size(), 0);
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r].insert(rows[r].end(), values.begin() + static_cast<std::ptrdiff_t>(r * each),
                     values.begin() + static_cast<std::ptrdiff_t>((r + 1) * each));
  }
  Block out{{chunks, static_cast<std::int64_t>(rows[0].size())}, {}};
  for (const Values& row : rows)
    out.values.insert(out.values.end(), row.begin(), row.end());
  return out;
}

Block Trace(const Given& in) {
  double sum = 0;
  for (std::int64_t i = 0; i < std::min(in[0].dims[0], in[0].dims[1]); ++i)
    sum += in[0].values[static_cast<std::size_t>(i * (in[0].dims[1] + 1))];
  return {{}, {sum}};
}

const Table arrangements({
    Functions("ChannelShuffle")
        .Types(kAll)
        .Calls(NN(ChannelShuffle), {X(0), 2, Y(0)})
        .Form({{2, 6, 3, 2}})
        .Form({{3, 4, 5}})
        .Form({{0, 4, 5}})
        .Is(Shuffled),
    Functions("ChunkCat")
        .Types(FloatTypes())
        .Calls(NN(ChunkCat), {Xs({0, 1}), 0, 3, Y(0)})
        .Form({{4, 5}, {6}})
        .Form({{7, 2}, {2, 3}})
        .Without(Part::kEmpty, "members have rows")
        .Is(Chunks),
    Functions("Trace")
        .Types(FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE, ACL_INT64})
        .Calls(NN(Trace))
        .Form({{4, 6}})
        .Form({{6, 4}})
        .Form({{0, 3}})
        .Within(2)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is(Trace),
});

}  // namespace
}  // namespace samples
