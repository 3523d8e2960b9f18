// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/layout_change.h"

#include <string_view>

#include "base/error.h"
#include "base/format_names.h"

namespace foothold {
namespace {

constexpr std::int64_t kBlockBytes = 32;
constexpr std::int64_t kBlockRows = 16;

using DimList = std::vector<std::int64_t>;

// One letter for each dimension; empty for layouts that have none.
std::string_view LettersOf(Format format) {
  switch (format) {
    case Format::kNchw:
      return "NCHW";
    case Format::kNhwc:
      return "NHWC";
    case Format::kHwcn:
      return "HWCN";
    case Format::kNcdhw:
      return "NCDHW";
    case Format::kNdhwc:
      return "NDHWC";
    default:
      return {};
  }
}

const char* NameOf(Format format) {
  const auto names = FormatNames();
  const auto number = static_cast<std::size_t>(format);
  return number < names.size() ? names[number] : "undefined";
}

[[noreturn]] void FailPair(Format from, Format to) {
  Fail(kFeatureUnsupported, "a shape in {} cannot be turned into one in {}", NameOf(from), NameOf(to));
}

std::int64_t Blocks(std::int64_t elements, std::int64_t block) {
  return elements < 0 ? elements : (elements + block - 1) / block;
}

std::int64_t BlockWidth(DataType type) {
  const int bits = BitsPerElement(type).value_or(0);
  if (bits == 0)
    Fail(kFeatureUnsupported, "elements of type {} have no size to make blocks of", DataTypeName(type));
  return kBlockBytes * 8 / bits;
}

void RequireRank(const DimList& dims, std::size_t rank, Format format) {
  if (dims.size() != rank)
    Fail(kInvalidParam, "a shape in {} has {} dimensions, not {}", NameOf(format), rank, dims.size());
}

std::int64_t DimOf(char letter, const DimList& dims, std::string_view letters) {
  return dims[letters.find(letter)];
}

DimList Reorder(const DimList& dims, std::string_view from, std::string_view to) {
  DimList out;
  for (char letter : to)
    out.push_back(DimOf(letter, dims, from));
  return out;
}

DimList ToChannelBlocks(const DimList& dims, std::string_view letters, std::int64_t width) {
  return {DimOf('N', dims, letters), Blocks(DimOf('C', dims, letters), width), DimOf('H', dims, letters),
          DimOf('W', dims, letters), width};
}

DimList ToFractals(DimList dims, std::int64_t width) {
  if (dims.size() < 2) Fail(kInvalidParam, "a matrix has at least 2 dimensions, not {}", dims.size());
  const std::int64_t columns = dims.back(), rows = dims[dims.size() - 2];
  dims.resize(dims.size() - 2);
  dims.insert(dims.end(), {Blocks(columns, width), Blocks(rows, kBlockRows), kBlockRows, width});
  return dims;
}

bool SameLetters(std::string_view first, std::string_view second) {
  return first.size() == second.size() && !first.empty();
}

DimList Changed(const DimList& dims, DataType type, Format from, Format to) {
  const std::string_view letters = LettersOf(from), wanted = LettersOf(to);
  if (from == to) return dims;
  if (SameLetters(letters, wanted)) return Reorder(dims, letters, wanted);
  if (letters.size() == 4 && to == Format::kNc1hwc0) return ToChannelBlocks(dims, letters, BlockWidth(type));
  const bool plain = from == Format::kNd || !letters.empty();
  if (plain && to == Format::kFractalNz) return ToFractals(dims, BlockWidth(type));
  if (plain && to == Format::kNd) return dims;
  if (from == Format::kNd && !wanted.empty()) return dims;
  FailPair(from, to);
}

}  // namespace

Shape ChangeLayout(const Shape& shape, DataType type, Format from, Format to) {
  if (!shape.rank_known())
    Fail(kInvalidParam, "the number of dimensions is not known, so there is no shape in {}", NameOf(to));
  for (Format format : {from, to}) {
    const std::size_t rank = LettersOf(format).size();
    if (rank != 0 && (format == from || from == Format::kNd)) RequireRank(shape.dims(), rank, format);
  }
  const DimList dims = Changed(shape.dims(), type, from, to);
  return Shape(static_cast<int>(dims.size()), dims.data());
}

}  // namespace foothold
