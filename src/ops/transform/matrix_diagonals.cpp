// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Matrices made of diagonals (MatrixDiag), diagonals of matrices (MatrixDiagPart) and matrices with other
// diagonals (MatrixSetDiag), as TensorFlow defines them. Diagonal d has the elements (m, m + d); a band of
// several is a matrix of its own, the highest one first, in which shorter ones are aligned left or right.
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

struct Band {
  std::int64_t lower = 0, upper = 0;
  std::int64_t rows = 0, columns = 0;
  bool right_above = false, right_below = false;  // alignment of diagonals above and below the main one

  std::int64_t Diagonals() const { return upper - lower + 1; }
  std::int64_t Length(std::int64_t d) const {
    return std::min(columns - std::max<std::int64_t>(d, 0), rows + std::min<std::int64_t>(d, 0));
  }
  // Of the longest one.
  std::int64_t Longest() const {
    return std::min(rows + std::min<std::int64_t>(upper, 0), columns - std::max<std::int64_t>(lower, 0));
  }
  std::int64_t Shift(std::int64_t d) const {
    const bool right = (right_above && d >= 0) || (right_below && d <= 0);
    return right ? Longest() - Length(d) : 0;
  }
  // Where element (row, column) of the matrix is among the diagonals; -1: not there.
  std::int64_t PlaceOf(std::int64_t row, std::int64_t column) const {
    const std::int64_t d = column - row;
    if (d < lower || d > upper) return -1;
    return (upper - d) * Longest() + std::min(row, column) + Shift(d);
  }
};

void ReadDiagonals(const OpContext& context, Band& band) {
  const std::vector<std::int64_t> k =
      context.Has("k") ? context.NeededInts("k") : std::vector<std::int64_t>{0};
  if (k.empty() || k.size() > 2) context.Refuse("k has {} elements, expected one or two", k.size());
  band.lower = k.front();
  band.upper = k.back();
  if (band.lower > band.upper || std::abs(band.lower) > kMostExtent || std::abs(band.upper) > kMostExtent)
    context.Refuse("k goes from {} to {}", band.lower, band.upper);
}

// The second version has no alignment: left. The third says both sides.
void ReadAlignment(const OpContext& context, const char* otherwise, Band& band) {
  const std::string align = context.node().Text("align", otherwise);
  if (align != "LEFT_LEFT" && align != "LEFT_RIGHT" && align != "RIGHT_LEFT" && align != "RIGHT_RIGHT")
    context.Refuse("align is '{}', expected LEFT or RIGHT for both sides", align);
  band.right_above = align.starts_with("RIGHT");
  band.right_below = align.ends_with("RIGHT");
}

void CheckBand(const OpContext& context, const Band& band) {
  for (const std::int64_t side : {band.rows, band.columns})
    if (side < 0 || side > kMostExtent) context.Refuse("a matrix of {} by {}", band.rows, band.columns);
  for (const std::int64_t d : {band.lower, band.upper})
    if (d != 0 && (d <= -band.rows || d >= band.columns))
      context.Refuse("diagonal {} is outside a matrix of {} by {}", d, band.rows, band.columns);
}

std::int64_t SideOf(const OpContext& context, const char* name) {
  return context.Has(name) ? IntArgument(context, name) : -1;
}

// What is not said is as small as can be, and square if nothing is.
Band BandOfDiagonals(const OpContext& context, const char* alignment) {
  Band band;
  ReadDiagonals(context, band);
  ReadAlignment(context, alignment, band);
  const Dims& dims = context.InDims(0);
  const std::size_t own = band.Diagonals() > 1 ? 2 : 1;
  if (dims.size() < own || (own == 2 && dims[dims.size() - 2] != band.Diagonals()))
    context.Refuse("the diagonals are {}; {} were expected", ToString(dims), band.Diagonals());
  const std::int64_t least_rows = dims.back() - std::min<std::int64_t>(band.upper, 0);
  const std::int64_t least_columns = dims.back() + std::max<std::int64_t>(band.lower, 0);
  band.rows = SideOf(context, "num_rows");
  band.columns = SideOf(context, "num_cols");
  if (band.rows == -1 && band.columns == -1)
    band.rows = band.columns = std::max(least_rows, least_columns);
  else if (band.rows == -1)
    band.rows = least_rows;
  else if (band.columns == -1)
    band.columns = least_columns;
  CheckBand(context, band);
  if (band.Longest() != dims.back())
    context.Refuse("diagonals of {} elements do not fit a matrix of {} by {}", dims.back(), band.rows,
                   band.columns);
  return band;
}

Band BandOfMatrix(const OpContext& context, const char* alignment) {
  Band band;
  ReadDiagonals(context, band);
  ReadAlignment(context, alignment, band);
  const Dims& dims = context.InDims(0);
  if (dims.size() < 2) context.Refuse("the input is {}; it must be matrices", ToString(dims));
  band.rows = dims[dims.size() - 2];
  band.columns = dims.back();
  CheckBand(context, band);
  return band;
}

Dims WithoutLast(const Dims& dims, std::size_t count) {
  return Dims(dims.begin(), dims.end() - static_cast<std::ptrdiff_t>(count));
}

Dims DiagonalDims(const Dims& matrices, const Band& band) {
  Dims dims = WithoutLast(matrices, 2);
  if (band.Diagonals() > 1) dims.push_back(band.Diagonals());
  dims.push_back(std::max<std::int64_t>(0, band.Longest()));
  return dims;
}

// Elements of the output are those of one of two inputs, or one value.
enum class What { kMatrix, kDiagonals, kReplaced };

class BandKernel : public Kernel {
 public:
  BandKernel(What what, const Band& band, std::size_t batch, std::size_t size, int diagonals, int filling)
      : what_(what), band_(band), batch_(batch), size_(size), diagonals_(diagonals), filling_(filling) {}

  void Run(const RunArgs& args) const override {
    const std::size_t grain = 1 + 8192 / (1 + MatrixSize());
    ParallelFor(batch_, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        what_ == What::kDiagonals ? TakeDiagonals(args, i) : MakeMatrix(args, i);
    });
  }

 private:
  std::size_t MatrixSize() const { return static_cast<std::size_t>(band_.rows * band_.columns); }
  std::size_t BandSize() const { return static_cast<std::size_t>(band_.Diagonals() * band_.Longest()); }

  void MakeMatrix(const RunArgs& args, std::size_t matrix) const {
    std::byte* to = args.outputs[0] + matrix * MatrixSize() * size_;
    for (std::int64_t row = 0; row < band_.rows; ++row)
      for (std::int64_t column = 0; column < band_.columns; ++column, to += size_) {
        const std::int64_t place = band_.PlaceOf(row, column);
        std::memcpy(to,
                    place < 0 ? Other(args, matrix, row, column)
                              : args.inputs[diagonals_] +
                                    (matrix * BandSize() + static_cast<std::size_t>(place)) * size_,
                    size_);
      }
  }

  const std::byte* Other(const RunArgs& args, std::size_t matrix, std::int64_t row,
                         std::int64_t column) const {
    if (what_ == What::kMatrix) return args.inputs[filling_];
    return args.inputs[0] +
           (matrix * MatrixSize() + static_cast<std::size_t>(row * band_.columns + column)) * size_;
  }

  void TakeDiagonals(const RunArgs& args, std::size_t matrix) const {
    std::byte* to = args.outputs[0] + matrix * BandSize() * size_;
    const std::byte* from = args.inputs[0] + matrix * MatrixSize() * size_;
    for (std::int64_t d = band_.upper; d >= band_.lower; --d) {
      const std::int64_t shift = band_.Shift(d);
      for (std::int64_t i = 0; i < band_.Longest(); ++i, to += size_) {
        const std::int64_t row = i - shift + std::max<std::int64_t>(-d, 0);
        const std::int64_t column = i - shift + std::max<std::int64_t>(d, 0);
        const bool inside = i >= shift && row < band_.rows && column < band_.columns;
        std::memcpy(to,
                    inside ? from + static_cast<std::size_t>(row * band_.columns + column) * size_
                           : args.inputs[filling_],
                    size_);
      }
    }
  }

  What what_;
  Band band_;
  std::size_t batch_, size_;
  int diagonals_, filling_;
};

// The value outside the diagonals; zero if there is no input for it.
int FillingPort(OpContext& context) {
  if (context.Has("padding_value")) return context.Port("padding_value");
  TensorValue zero(TensorType{context.In(0).type, Format::kNd, {}});
  std::fill_n(zero.mutable_data(), zero.size(), std::byte{0});
  return context.AddConstant(std::move(zero));
}

void CheckFilling(const OpContext& context) {
  if (!context.Has("padding_value")) return;
  const TensorType& value = context.In("padding_value");
  if (ElementCount(value.dims) != 1 || value.type != context.In(0).type)
    context.Refuse("padding_value is {}, expected one element of {}", ToString(value),
                   DataTypeName(context.In(0).type));
}

std::unique_ptr<Kernel> LowerBand(OpContext& context, What what, const Band& band) {
  Ignore(context, {"k", "num_rows", "num_cols", "assist"});
  const Dims& matrices = what == What::kDiagonals ? context.InDims(0) : context.Out(0).dims;
  const auto batch = static_cast<std::size_t>(ElementCount(WithoutLast(matrices, 2)));
  const int filling = what == What::kReplaced ? -1 : FillingPort(context);
  return std::make_unique<BandKernel>(what, band, batch, ElementBytes(context, context.In(0).type),
                                      what == What::kReplaced ? 1 : 0, filling);
}

OpDef MakingMatrices(const char* type, const char* alignment) {
  return OpDef(type)
      .Infer([alignment](OpContext& context) {
        const Band band = BandOfDiagonals(context, alignment);
        CheckFilling(context);
        Dims dims = WithoutLast(context.InDims(0), band.Diagonals() > 1 ? 2 : 1);
        dims.insert(dims.end(), {band.rows, band.columns});
        ElementCount(dims);
        context.SetOut(0, context.In(0).type, dims, Format::kNd);
      })
      .Lower([alignment](OpContext& context) {
        return LowerBand(context, What::kMatrix, BandOfDiagonals(context, alignment));
      })
      .Types(WholeByteTypes());
}

OpDef TakingDiagonals(const char* type, const char* alignment) {
  return OpDef(type)
      .Infer([alignment](OpContext& context) {
        CheckFilling(context);
        const Dims dims = DiagonalDims(context.InDims(0), BandOfMatrix(context, alignment));
        ElementCount(dims);
        context.SetOut(0, context.In(0).type, dims, Format::kNd);
      })
      .Lower([alignment](OpContext& context) {
        return LowerBand(context, What::kDiagonals, BandOfMatrix(context, alignment));
      })
      .Types(WholeByteTypes());
}

OpDef SettingDiagonals(const char* type, const char* alignment) {
  return OpDef(type)
      .Infer([alignment](OpContext& context) {
        const Dims dims = DiagonalDims(context.InDims(0), BandOfMatrix(context, alignment));
        const TensorType& given = context.In("diagonal");
        if (given.dims != dims || given.type != context.In(0).type)
          context.Refuse("diagonal is {}, expected {} of {}", ToString(given), ToString(dims),
                         DataTypeName(context.In(0).type));
        context.SetOut(0, context.In(0));
      })
      .Lower([alignment](OpContext& context) {
        return LowerBand(context, What::kReplaced, BandOfMatrix(context, alignment));
      })
      .Types(WholeByteTypes());
}

constexpr const char* kLeft = "LEFT_LEFT";
constexpr const char* kBoth = "RIGHT_LEFT";

const RegisterOp diagonals({
    MakingMatrices("MatrixDiag", kLeft),
    MakingMatrices("MatrixDiagD", kLeft),
    MakingMatrices("MatrixDiagV2", kLeft),
    MakingMatrices("MatrixDiagV3", kBoth),
    TakingDiagonals("MatrixDiagPart", kLeft),
    TakingDiagonals("MatrixDiagPartD", kLeft),
    TakingDiagonals("MatrixDiagPartV2", kLeft),
    TakingDiagonals("MatrixDiagPartV3", kBoth),
    SettingDiagonals("MatrixSetDiag", kLeft),
    SettingDiagonals("MatrixSetDiagD", kLeft),
    SettingDiagonals("MatrixSetDiagV2", kLeft),
    SettingDiagonals("MatrixSetDiagV3", kBoth),
});

}  // namespace
}  // namespace foothold
