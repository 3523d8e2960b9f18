// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// To integers and back by scales that are given.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

// Numbers that are not near the middle between two integers.
Values Steps(std::size_t count, double step) {
  Values values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back((static_cast<double>(i * 29 % 97) - 48) * step + step / 8);
  return values;
}
template <std::size_t input>
Values Halves(const Form& form) {
  return Steps(nn::CountOf(form.dims[input]), 1);
}
Values Quarters(const Form& form) {
  Values values = {0.5, 0.25, 1, 2, 0.5, 4};
  values.resize(nn::CountOf(form.dims[1]), 0.5);
  return values;
}

double Bounded(double x, double least, double most) {
  return std::min(std::max(x, least), most);
}
// The number that goes with an element: one, or one along a dimension.
double At(const Block& numbers, std::size_t element, const Dims& dims, std::size_t axis) {
  if (numbers.values.size() == 1) return numbers.values[0];
  return numbers.values[static_cast<std::size_t>(nn::PlaceOf(element, dims)[axis])];
}

// Words of 64 bits that doubles hold exactly: the float has 19 bits, and bit 46 is set.
double WordOf(double scale, bool rounds) {
  const auto narrow = static_cast<float>(scale);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  if (rounds && (bits & 0x1FFF) > 0x1000) bits += 0x2000;
  return static_cast<double>((bits & 0xFFFFE000u) | std::uint64_t{1} << 46);
}

Block Words(const Given& in, bool rounds) {
  Block out = in[0].values.size() == 1 && in.size() > 1 ? in[1] : in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    out.values[i] = WordOf(in[0].values[in[0].values.size() == 1 ? 0 : i], rounds);
    if (in.size() < 2) continue;
    const double offset = Bounded(std::nearbyint(in[1].values[in[1].values.size() == 1 ? 0 : i]), -256, 255);
    out.values[i] += (offset < 0 ? offset + 512 : offset) * 0x1p37;
  }
  return out;
}

Sample WordSample(const char* name) {
  return Functions(name)
      .Types({ACL_FLOAT})
      .Gives({ACL_INT64})
      .Range(0, 0.001, 2)
      .Without(Part::kHalf, "scales are floats")
      .Without(Part::kSpecial, "scales are finite");
}

const Table words({
    WordSample("TransQuantParamV2")
        .Calls(NN(TransQuantParamV2), {X(0), nullptr, Y(0)})
        .Form({{37}})
        .Form({{1, 5}})
        .Form({{0}})
        .Is([](const Given& in) { return Words(in, false); }),
    WordSample("OffsetWords")
        .Calls(NN(TransQuantParamV2), {X(0), X(1), Y(0)})
        .Range(1, -300, 300)
        .Form({{37}, {37}})
        .Form({{37}, {1}})
        .Form({{1}, {5}})
        .Form({{0}, {0}})
        .Is([](const Given& in) { return Words(in, false); }),
    WordSample("TransQuantParamV3")
        .Calls(NN(TransQuantParamV3), {X(0), nullptr, 1, Y(0)})
        .Form({{37}})
        .Form({{0}})
        .Is([](const Given& in) { return Words(in, true); }),
});

Block Quantized(const Given& in, double least, double most) {
  Block out = in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = Bounded(
        std::nearbyint(in[0].values[i] / At(in[1], i, out.dims, 1)) + At(in[2], i, out.dims, 1), least, most);
  return out;
}

Sample QuantizeSample(const char* name, aclDataType type, int number) {
  return Functions(name)
      .Types(FloatTypes())
      .Calls(NN(Quantize), {X(0), X(1), X(2), number, 1, Y(0)})
      .TypeOf(1, ACL_FLOAT)
      .TypeOf(2, ACL_INT32)
      .Gives({type})
      .Holds(0, Halves<0>)
      .Holds(1, Quarters)
      .Form({{3, 5, 4}, {5}, {5}})
      .Form({{7, 2}, {1}, {1}})
      .Form({{0, 5}, {5}, {5}})
      .Without(Part::kSpecial, "what is no number is not quantised");
}

std::vector<Block> FakeQuantized(const Given& in, std::size_t axis) {
  Block out = in[0], mask = in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const double scale = At(in[1], i, out.dims, axis), zero = At(in[2], i, out.dims, axis);
    const double q = zero + std::nearbyint(in[0].values[i] / scale);
    mask.values[i] = q >= -20 && q <= 30;
    out.values[i] = (Bounded(q, -20, 30) - zero) * scale;
  }
  return {out, mask};
}

const Table integers({
    QuantizeSample("QuantizeToInt8", ACL_INT8, ACL_INT8).Is([](const Given& in) {
      return Quantized(in, -128, 127);
    }),
    QuantizeSample("QuantizeToUint8", ACL_UINT8, ACL_UINT8).Is([](const Given& in) {
      return Quantized(in, 0, 255);
    }),
    QuantizeSample("QuantizeToInt32", ACL_INT32, ACL_INT32).Is([](const Given& in) {
      return Quantized(in, -1e9, 1e9);
    }),
    Functions("FakeQuantPerTensor")
        .Types({ACL_FLOAT, ACL_FLOAT16})
        .Calls(NN(FakeQuantPerTensorAffineCachemask), {X(0), X(1), X(2), 1.0, -20, 30, Y(0), Y(1)})
        .TypeOf(1, ACL_FLOAT)
        .TypeOf(2, ACL_INT32)
        .Gives({kSame, ACL_BOOL})
        .Holds(0, Halves<0>)
        .Holds(1, Quarters)
        .Form({{3, 5, 4}, {1}, {1}})
        .Form({{0, 5}, {1}, {1}})
        .Without(Part::kSpecial, "what is no number is not quantised")
        .Are([](const Given& in) { return FakeQuantized(in, 0); }),
    Functions("FakeQuantPerChannel")
        .Types({ACL_FLOAT, ACL_FLOAT16})
        .Calls(NN(FakeQuantPerChannelAffineCachemask), {X(0), X(1), X(2), 1, -20, 30, Y(0), Y(1)})
        .TypeOf(1, ACL_FLOAT)
        .TypeOf(2, ACL_INT32)
        .Gives({kSame, ACL_BOOL})
        .Holds(0, Halves<0>)
        .Holds(1, Quarters)
        .Form({{3, 5, 4}, {5}, {5}})
        .Form({{0, 5}, {5}, {5}})
        .Without(Part::kSpecial, "what is no number is not quantised")
        .Are([](const Given& in) { return FakeQuantized(in, 1); }),
    Functions("RmsNormQuant")
        .Types(FloatTypes())
        .Calls(NN(RmsNormQuant), {X(0), X(1), X(2), X(3), X(4), 0.5, Y(0)})
        .TypeOf(4, ACL_INT8)
        .Gives({ACL_INT8})
        .Range(3, 8, 8)
        .Form({{3, 6}, {6}, {6}, {1}, {1}})
        .Form({{0, 6}, {6}, {6}, {1}, {1}})
        .Within(2e3)
        .Without(Part::kSpecial, "what is no number is not quantised")
        .Is([](const Given& in) {
          Block out = in[0];
          const std::size_t width = in[1].values.size();
          for (std::size_t i = 0; i < out.values.size(); ++i) {
            double squares = 0;
            for (std::size_t k = i / width * width; k < (i / width + 1) * width; ++k)
              squares += in[0].values[k] * in[0].values[k] / static_cast<double>(width);
            const double y = in[0].values[i] / std::sqrt(squares + 0.5) * in[1].values[i % width] +
                             in[2].values[i % width];
            out.values[i] = Bounded(std::nearbyint(y * in[3].values[0] + in[4].values[0]), -128, 127);
          }
          return out;
        }),
});

const Table back({
    Functions("AscendAntiQuant")
        .Types({ACL_INT8})
        .Calls(NN(AscendAntiQuant), {X(0), X(1), X(2), 1, false, Y(0)})
        .TypeOf(1, ACL_FLOAT)
        .TypeOf(2, ACL_FLOAT)
        .Gives({ACL_FLOAT16})
        .Form({{3, 5}, {5}, {5}})
        .Form({{2, 3, 4}, {1}, {1}})
        .Form({{0, 5}, {5}, {5}})
        .Without(Part::kHalf, "what goes back are integers")
        .Is([](const Given& in) {
          Block out = in[0];
          for (std::size_t i = 0; i < out.values.size(); ++i)
            out.values[i] = (out.values[i] + At(in[2], i, out.dims, out.dims.size() - 1)) *
                            At(in[1], i, out.dims, out.dims.size() - 1);
          return out;
        }),
    Functions("DequantBias")
        .Types({ACL_INT32})
        .Calls(NN(DequantBias), {X(0), X(1), X(2), X(3), 1, Y(0)})
        .TypeOf(1, ACL_FLOAT)
        .TypeOf(2, ACL_FLOAT)
        .Gives({ACL_FLOAT16})
        .Form({{3, 5}, {5}, {3}, {5}})
        .Form({{0, 5}, {5}, {0}, {5}})
        .Without(Part::kHalf, "what goes back are integers")
        .Is([](const Given& in) {
          Block out = in[0];
          for (std::size_t i = 0; i < out.values.size(); ++i)
            out.values[i] = (out.values[i] + in[3].values[i % 5]) * in[1].values[i % 5] * in[2].values[i / 5];
          return out;
        }),
});

}  // namespace
}  // namespace samples
