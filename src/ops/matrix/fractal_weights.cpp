// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/fractal_weights.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/thread_pool.h"

namespace foothold {
namespace {

constexpr std::string_view kFractal = "FRACTAL_NZ";
constexpr std::size_t kPieceBytes = 32;
constexpr std::int64_t kFractalRows = 16;

bool ToFractals(const OpContext& context) {
  return context.node().Text("dst_format", "") == kFractal;
}

// How many elements a piece has.
std::int64_t PieceOf(const OpContext& context) {
  const DataType type = context.In(0).type;
  const int bits = BitsPerElement(type).value_or(0);
  if (bits != 8 && bits != 16 && bits != 32)
    context.Unsupported("no kernel puts {} into fractals; types of 1, 2 and 4 bytes have one",
                        DataTypeName(type));
  return static_cast<std::int64_t>(kPieceBytes) * 8 / bits;
}

std::int64_t Whole(std::int64_t count, std::int64_t step) {
  return (count + step - 1) / step;
}

Dims FractalDims(const OpContext& context, const Dims& plain) {
  if (plain.size() < 2)
    context.Refuse("{} has no rows and columns; fractals need two dimensions", ToString(plain));
  const std::int64_t piece = PieceOf(context);
  Dims dims(plain.begin(), plain.end() - 2);
  dims.insert(dims.end(), {Whole(plain.back(), piece), Whole(plain[plain.size() - 2], kFractalRows),
                           kFractalRows, piece});
  return dims;
}

// Of the tensor that is to be made from fractals.
Dims PlainDims(const OpContext& context) {
  const Dims& fractal = context.InDims(0);
  const PortDesc& said = context.node().outputs().at(0).desc;
  if (said.set && IsStatic(said.dims) && said.dims.size() >= 2 && FractalDims(context, said.dims) == fractal)
    return said.dims;
  const std::size_t rank = fractal.size();
  if (rank < 4 || fractal[rank - 2] != kFractalRows || fractal[rank - 1] != PieceOf(context))
    context.Refuse("x is {}; expected fractals [..., pieces of a row, blocks of rows, {}, {}]",
                   ToString(context.In(0)), kFractalRows, PieceOf(context));
  Dims dims(fractal.begin(), fractal.end() - 4);
  dims.insert(dims.end(), {fractal[rank - 3] * kFractalRows, fractal[rank - 4] * fractal[rank - 1]});
  return dims;
}

class FractalKernel : public Kernel {
 public:
  FractalKernel(const Dims& plain, std::size_t element_bytes, bool to_fractals, bool in_place)
      : to_fractals_(to_fractals), in_place_(in_place) {
    rows_ = static_cast<std::size_t>(plain[plain.size() - 2]);
    row_bytes_ = static_cast<std::size_t>(plain.back()) * element_bytes;
    pieces_ = (row_bytes_ + kPieceBytes - 1) / kPieceBytes;
    blocks_ = static_cast<std::size_t>(Whole(plain[plain.size() - 2], kFractalRows));
    matrices_ = static_cast<std::size_t>(ElementCount(Dims(plain.begin(), plain.end() - 2)));
  }

  std::size_t WorkspaceBytes() const override { return in_place_ ? matrices_ * OutBytes() : 0; }

  void Run(const RunArgs& args) const override {
    std::byte* out = in_place_ ? args.workspace : args.Out<std::byte>(0);
    ParallelFor(matrices_ * blocks_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        Change(args.In<std::byte>(0) + i / blocks_ * InBytes(), out + i / blocks_ * OutBytes(), i % blocks_);
    });
    if (in_place_) std::memcpy(args.Out<std::byte>(0), out, matrices_ * OutBytes());
  }

 private:
  std::size_t PlainBytes() const { return rows_ * row_bytes_; }
  std::size_t FractalBytes() const {
    return pieces_ * blocks_ * static_cast<std::size_t>(kFractalRows) * kPieceBytes;
  }
  std::size_t InBytes() const { return to_fractals_ ? PlainBytes() : FractalBytes(); }
  std::size_t OutBytes() const { return to_fractals_ ? FractalBytes() : PlainBytes(); }

  // One block of rows of one matrix.
  void Change(const std::byte* from, std::byte* to, std::size_t block) const {
    constexpr auto kRows = static_cast<std::size_t>(kFractalRows);
    for (std::size_t piece = 0; piece < pieces_; ++piece)
      for (std::size_t row = block * kRows; row < (block + 1) * kRows; ++row) {
        const std::size_t fractal = (piece * blocks_ * kRows + row) * kPieceBytes;
        const std::size_t plain = row * row_bytes_ + piece * kPieceBytes;
        const std::size_t there = row < rows_ ? std::min(kPieceBytes, row_bytes_ - piece * kPieceBytes) : 0;
        if (to_fractals_)
          Fill(to + fractal, from + plain, there);
        else
          std::memcpy(to + plain, from + fractal, there);
      }
  }

  static void Fill(std::byte* piece, const std::byte* from, std::size_t there) {
    if (there == kPieceBytes) {
      std::memcpy(piece, from, kPieceBytes);  // known to the compiler
      return;
    }
    std::memset(piece, 0, kPieceBytes);
    if (there > 0) std::memcpy(piece, from, there);
  }

  bool to_fractals_, in_place_;
  std::size_t rows_, row_bytes_, pieces_, blocks_, matrices_;
};

}  // namespace

bool IsFractalChange(const OpContext& context) {
  const std::string from = context.node().Text("src_format", ""), to = context.node().Text("dst_format", "");
  return (from == kFractal && to == "ND") || (from == "ND" && to == kFractal);
}

void InferFractalChange(OpContext& context) {
  const DataType type = context.In(0).type;
  if (ToFractals(context))
    context.SetOut(0, type, FractalDims(context, context.InDims(0)), Format::kFractalNz);
  else
    context.SetOut(0, type, PlainDims(context), Format::kNd);
}

std::unique_ptr<Kernel> LowerFractalChange(OpContext& context) {
  const Dims& plain = ToFractals(context) ? context.InDims(0) : context.Out(0).dims;
  const std::size_t bytes = kPieceBytes / static_cast<std::size_t>(PieceOf(context));
  return std::make_unique<FractalKernel>(plain, bytes, ToFractals(context),
                                         context.node().Bool("_in_place", false));
}

}  // namespace foothold
