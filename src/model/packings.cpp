// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/packings.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_tree.h"
#include "base/log.h"
#include "model/model_codes.h"
#include "ops/matrix/packed_weights.h"

namespace foothold {
namespace {

// The bytes at `offset`, which keep the file.
SharedBytes Place(const std::shared_ptr<const OmFile>& file, ConstBytes section, std::uint64_t offset,
                  std::uint64_t size) {
  if (offset % kTensorAlignment != 0 || offset > section.size() || size > section.size() - offset)
    Fail(kParseModel, "packed weights lie outside the file");
  // Nobody writes to constants.
  return SharedBytes(file, const_cast<std::byte*>(section.data() + offset));
}

TensorValue Offer(const JsonTree& entry, const std::shared_ptr<const OmFile>& file, ConstBytes weights,
                  ConstBytes bytes) {
  const TensorType type{static_cast<DataType>(entry.at("type").get<int>()), Format::kNd,
                        entry.at("dims").get<Dims>()};
  if (!BitsPerElement(type.type) || !IsStatic(type.dims)) Fail(kParseModel, "packed weights have no size");
  const std::size_t size = ByteSize(type);
  const TensorValue weight({}, Place(file, weights, entry.at("weight").get<std::uint64_t>(), 0), 0);
  const TensorValue packed(type, Place(file, bytes, entry.at("offset").get<std::uint64_t>(), size), size);
  OfferPacking(weight, {entry.at("way").get<std::string>(), packed});
  return packed;
}

}  // namespace

void PackingSections::Add(const TensorValue& weight, std::uint64_t offset) {
  for (WeightPacking& packing : PackingsOf(weight)) {
    const std::size_t size = packing.packed.size();
    entries_.push_back({offset, std::move(packing.way), std::move(packing.packed), end_});
    end_ += (size + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  }
}

std::vector<OmSection> PackingSections::Sections() {
  if (entries_.empty()) return {};
  static const std::byte zeros[kTensorAlignment] = {};
  std::string list;
  std::vector<ConstBytes> bytes;
  for (const Entry& entry : entries_) {
    list += fmt::format(R"({}{{"weight":{},"way":{},"type":{},"dims":[{}],"offset":{}}})",
                        list.empty() ? "" : ",", entry.weight, JsonQuoted(entry.way),
                        static_cast<int>(entry.packed.type().type), fmt::join(entry.packed.dims(), ","),
                        entry.offset);
    bytes.push_back({entry.packed.data(), entry.packed.size()});
    bytes.push_back({zeros, (kTensorAlignment - entry.packed.size() % kTensorAlignment) % kTensorAlignment});
  }
  index_ = fmt::format(R"({{"cpu":{},"entries":[{}]}})", JsonQuoted(PackingKeyOfCpu()), list);
  return {{kPackingsSection, {std::as_bytes(std::span(index_.data(), index_.size()))}},
          {kPackedSection, bytes}};
}

std::vector<TensorValue> OfferPackings(const std::shared_ptr<const OmFile>& file, ConstBytes weights) try {
  const ConstBytes text = file->Find(kPackingsSection);
  if (text.empty()) return {};
  const auto* begin = reinterpret_cast<const char*>(text.data());
  const JsonTree index = JsonTree::Parse({begin, text.size()});
  if (const auto cpu = index.at("cpu").get<std::string>(); cpu != PackingKeyOfCpu()) {
    Log(LogLevel::kInfo,
        "the weights of {} are packed for another CPU ('{}', this one is '{}') and packed again",
        file->origin(), cpu, PackingKeyOfCpu());
    return {};
  }
  const ConstBytes bytes = file->Get(kPackedSection);
  std::vector<TensorValue> held;
  for (const JsonTree& entry : index.at("entries").items())
    held.push_back(Offer(entry, file, weights, bytes));
  return held;
} catch (const JsonTree::Mismatch&) {
  Fail(kParseModel, "the list of its packed weights is not what it should be");
}

}  // namespace foothold
