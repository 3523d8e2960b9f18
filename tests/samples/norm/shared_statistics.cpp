// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisation over batches whose parts several devices hold.
#include <cmath>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

constexpr const char* kSums = "sums of infinities";

// function(elements of a channel) for each channel, the second dimension.
Block ByChannel(const Block& x, double (*function)(const Values&)) {
  std::vector<double> others;
  for (std::size_t i = 0; i < x.dims.size(); ++i)
    if (i != 1) others.push_back(static_cast<double>(i));
  return Reduced(x, others, false, function);
}
double Sum(const Values& values) {
  double sum = 0;
  for (const double x : values)
    sum += x;
  return sum;
}
double Squares(const Values& values) {
  double sum = 0;
  for (const double x : values)
    sum += x * x;
  return sum;
}
double Mean(const Values& values) {
  return Sum(values) / static_cast<double>(values.size());
}
double Deviation(const Values& values) {
  const double mean = Mean(values);
  double sum = 0;
  for (const double x : values)
    sum += (x - mean) * (x - mean);
  return 1 / std::sqrt(sum / static_cast<double>(values.size()) + 0.5);
}

std::size_t ChannelOf(std::size_t i, const Dims& dims) {
  return static_cast<std::size_t>(nn::PlaceOf(i, dims)[1]);
}

// Rows of parts: what all of them have together, and statistics that go on by a quarter.
struct Whole {
  Values mean, variance;
  double count = 0;
};
std::vector<Block> Results(const Whole& all, const Block& running_mean, const Block& running_variance) {
  std::vector<Block> out = {running_mean, running_variance, running_mean, running_mean};
  for (std::size_t c = 0; c < all.mean.size(); ++c) {
    out[0].values[c] = 0.75 * running_mean.values[c] + 0.25 * all.mean[c];
    out[1].values[c] =
        0.75 * running_variance.values[c] + 0.25 * all.variance[c] * all.count / (all.count - 1);
    out[2].values[c] = all.mean[c];
    out[3].values[c] = 1 / std::sqrt(all.variance[c] + 0.5);
  }
  return out;
}

std::vector<Block> FromSums(const Given& in) {
  Whole all;
  const auto channels = static_cast<std::size_t>(in[0].dims[1]);
  for (const double count : in[2].values)
    all.count += count;
  for (std::size_t c = 0; c < channels; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < in[2].values.size(); ++row) {
      sum += in[0].values[row * channels + c];
      squares += in[1].values[row * channels + c];
    }
    all.mean.push_back(sum / all.count);
    all.variance.push_back(squares / all.count - all.mean[c] * all.mean[c]);
  }
  return Results(all, in[3], in[4]);
}

std::vector<Block> FromStatistics(const Given& in) {
  Whole all;
  const auto channels = static_cast<std::size_t>(in[1].dims[1]);
  for (const double count : in[5].values)
    all.count += count;
  for (std::size_t c = 0; c < channels; ++c) {
    double mean = 0, variance = 0;
    for (std::size_t row = 0; row < in[5].values.size(); ++row)
      mean += in[1].values[row * channels + c] * in[5].values[row] / all.count;
    for (std::size_t row = 0; row < in[5].values.size(); ++row) {
      const double invstd = in[2].values[row * channels + c],
                   distance = in[1].values[row * channels + c] - mean;
      variance += (1 / (invstd * invstd) - 0.5 + distance * distance) * in[5].values[row] / all.count;
    }
    all.mean.push_back(mean);
    all.variance.push_back(variance);
  }
  return Results(all, in[3], in[4]);
}

const Table statistics({
    Functions("BatchNormReduce")
        .Types({ACL_FLOAT})
        .Calls(NN(BatchNormReduce))
        .Gives({ACL_FLOAT, ACL_FLOAT})
        .Form({{2, 3, 1, 5}})
        .Form({{4, 3}})
        .Form({{0, 3, 1, 5}})
        .Within(4)
        .Without(Part::kHalf, "the caller has cast it")
        .Without(Part::kSpecial, kSums)
        .Are([](const Given& in) {
          return std::vector<Block>{ByChannel(in[0], Sum), ByChannel(in[0], Squares)};
        }),
    Functions("BatchNormStats")
        .Types(FloatTypes())
        .Calls(NN(BatchNormStats), {X(0), 0.5, Y(0), Y(1)})
        .Gives({ACL_FLOAT, ACL_FLOAT})
        .Form({{2, 3, 4, 5}})
        .Form({{4, 3}})
        .Within(4)
        .Without(Part::kEmpty, "a mean of nothing")
        .Without(Part::kSpecial, kSums)
        .Are([](const Given& in) {
          return std::vector<Block>{ByChannel(in[0], Mean), ByChannel(in[0], Deviation)};
        }),
    Functions("SyncBatchNormGatherStats")
        .Types({ACL_FLOAT})
        .Calls(NN(SyncBatchNormGatherStats), {X(0), X(1), X(2), X(3), X(4), 0.25, 0.5, Y(0), Y(1)})
        .Changes({3, 4})
        .TypeOf(2, ACL_INT32)
        .Whole(2, 3, 9)
        .Range(1, 20, 30)
        .Range(4, 0.5, 2)
        .Gives({kSame, kSame, kSame, kSame})
        .Form({{2, 5}, {2, 5}, {2}, {5}, {5}})
        .Within(16)
        .Without(Part::kHalf, "sums are floats")
        .Without(Part::kEmpty, "there are parts")
        .Without(Part::kSpecial, kSums)
        .Are(FromSums),
    Functions("BatchNormGatherStatsWithCounts")
        .Types({ACL_FLOAT})
        .Calls(NN(BatchNormGatherStatsWithCounts),
               {X(0), X(1), X(2), X(3), X(4), 0.25, 0.5, X(5), Y(0), Y(1)})
        .Changes({3, 4})
        .Whole(5, 3, 9)
        .Range(2, 0.5, 1)
        .Range(4, 0.5, 2)
        .Gives({kSame, kSame, kSame, kSame})
        .Form({{2, 5, 3}, {2, 5}, {2, 5}, {5}, {5}, {2}})
        .Within(16)
        .Without(Part::kHalf, "statistics are floats")
        .Without(Part::kEmpty, "there are parts")
        .Without(Part::kSpecial, kSums)
        .Are(FromStatistics),
});

// The input, weights, biases, means and reciprocals of deviations of channels.
Block Normalized(const Given& in) {
  Block out = in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const std::size_t c = ChannelOf(i, out.dims);
    out.values[i] = (out.values[i] - in[3].values[c]) * in[4].values[c] * in[1].values[c] + in[2].values[c];
  }
  return out;
}

// What arrives, the input, means, reciprocals of deviations: sums over both, and gradients.
std::vector<Block> Sums(const Given& in) {
  const Dims channels{in[1].dims[1]};
  std::vector<Block> out(4, Block{channels, Values(static_cast<std::size_t>(channels[0]), 0)});
  for (std::size_t i = 0; i < in[0].values.size(); ++i) {
    const std::size_t c = ChannelOf(i, in[1].dims);
    const double dy = in[0].values[i], product = dy * (in[1].values[i] - in[2].values[c]);
    out[0].values[c] += dy;
    out[1].values[c] += product;
    out[2].values[c] += product * in[3].values[c];
    out[3].values[c] += dy;
  }
  return out;
}

// The same with weights, sums of both, and how many elements there are.
Block InputGradient(const Given& in) {
  double count = 0;
  for (const double one : in[7].values)
    count += one;
  Block out = in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const std::size_t c = ChannelOf(i, out.dims);
    const double distance = in[1].values[i] - in[2].values[c], invstd = in[3].values[c];
    const double dy =
        out.values[i] - in[5].values[c] / count - distance * invstd * invstd * in[6].values[c] / count;
    out.values[i] = dy * invstd * in[4].values[c];
  }
  return out;
}

const Table elements({
    Functions("BatchNormElemt")
        .Types(FloatTypes())
        .Calls(NN(BatchNormElemt), {X(0), X(1), X(2), X(3), X(4), 0.5, Y(0)})
        .Form({{2, 3, 4, 5}, {3}, {3}, {3}, {3}})
        .Form({{0, 3}, {3}, {3}, {3}, {3}})
        .Within(4)
        .Without(Part::kSpecial, kSums)
        .Is(Normalized),
    Functions("BatchNormReduceBackward")
        .Types({ACL_FLOAT, ACL_FLOAT16})
        .Calls(NN(BatchNormReduceBackward),
               {X(0), X(1), X(2), X(3), nullptr, true, true, true, Y(0), Y(1), Y(2), Y(3)})
        .TypeOf(2, ACL_FLOAT)
        .TypeOf(3, ACL_FLOAT)
        .Gives({ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, ACL_FLOAT})
        .Form({{2, 3, 4, 5}, {2, 3, 4, 5}, {3}, {3}})
        .Form({{0, 3}, {0, 3}, {3}, {3}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Are(Sums),
    Functions("BatchNormElemtBackward")
        .Types({ACL_FLOAT, ACL_FLOAT16})
        .Calls(NN(BatchNormElemtBackward), {X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), Y(0)})
        .TypeOf(2, ACL_FLOAT)
        .TypeOf(3, ACL_FLOAT)
        .TypeOf(4, ACL_FLOAT)
        .TypeOf(5, ACL_FLOAT)
        .TypeOf(6, ACL_FLOAT)
        .TypeOf(7, ACL_INT32)
        .Whole(7, 10, 30)
        .Form({{2, 3, 4, 5}, {2, 3, 4, 5}, {3}, {3}, {3}, {3}, {3}, {2}})
        .Form({{0, 3}, {0, 3}, {3}, {3}, {3}, {3}, {3}, {2}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Is(InputGradient),
});

}  // namespace
}  // namespace samples
