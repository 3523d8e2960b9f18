// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/weight_cut.h"

#include <algorithm>

namespace foothold::onnx {
namespace {

// Field numbers of the messages of ONNX.
constexpr std::uint64_t kGraphOfModel = 7, kInitializerOfGraph = 5, kRawDataOfTensor = 9;
constexpr unsigned kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5;

struct NoModel {};  // thrown here, caught here

struct Range {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};

struct Field {
  std::uint64_t number = 0;
  unsigned wire = 0;
  Range whole, value;
  bool Is(std::uint64_t wanted) const { return number == wanted && wire == kLengthDelimited; }
};

void AppendVarint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

void AppendField(std::string& to, std::uint64_t number, const std::string& message) {
  AppendVarint(to, number << 3 | kLengthDelimited);
  AppendVarint(to, message.size());
  to += message;
}

class Cutter {
 public:
  explicit Cutter(const ModelSource& source) : source_(source) {}

  CutModel Run() {
    CutModel cut;
    ForEachField({0, source_.size}, [&](const Field& field) {
      if (field.Is(kGraphOfModel))
        AppendField(cut.bytes, field.number, CutGraph(field.value));
      else
        Copy(field.whole, cut.bytes);
    });
    cut.weights = std::move(weights_);
    return cut;
  }

 private:
  std::string CutGraph(const Range& graph) {
    std::string left;
    ForEachField(graph, [&](const Field& field) {
      if (field.Is(kInitializerOfGraph))
        AppendField(left, field.number, CutTensor(field.value, initializers_++));
      else
        Copy(field.whole, left);
    });
    return left;
  }

  // Data that is there twice is left to the parser.
  std::string CutTensor(const Range& tensor, int index) {
    std::string left;
    std::vector<Field> raw;
    if (tensor.size() >= kCutBytes)
      ForEachField(tensor, [&](const Field& field) {
        if (field.Is(kRawDataOfTensor)) raw.push_back(field);
      });
    if (raw.size() != 1 || raw[0].value.size() < kCutBytes) {
      Copy(tensor, left);
      return left;
    }
    Copy({tensor.begin, raw[0].whole.begin}, left);
    Copy({raw[0].whole.end, tensor.end}, left);
    weights_.push_back({index, raw[0].value.begin, raw[0].value.size()});
    return left;
  }

  template <typename Use>
  void ForEachField(const Range& message, const Use& use) {
    for (std::uint64_t at = message.begin; at < message.end;) {
      const Field field = FieldAt(at, message.end);
      use(field);
      at = field.whole.end;
    }
  }

  Field FieldAt(std::uint64_t at, std::uint64_t end) {
    Field field;
    field.whole.begin = at;
    const std::uint64_t tag = Varint(at, end);
    field.number = tag >> 3;
    field.wire = static_cast<unsigned>(tag & 7);
    const std::uint64_t length = LengthOf(field.wire, at, end);
    if (length > end - at) throw NoModel();
    field.value = {at, at + length};
    field.whole.end = at + length;
    return field;
  }

  std::uint64_t LengthOf(unsigned wire, std::uint64_t& at, std::uint64_t end) {
    if (wire == kLengthDelimited) return Varint(at, end);
    if (wire == kFixed64) return 8;
    if (wire == kFixed32) return 4;
    if (wire != kVarint) throw NoModel();
    std::uint64_t after = at;
    Varint(after, end);
    return after - at;
  }

  std::uint64_t Varint(std::uint64_t& at, std::uint64_t end) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at >= end) throw NoModel();
      const std::uint64_t byte = Byte(at++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw NoModel();
  }

  std::uint8_t Byte(std::uint64_t at) {
    if (at < window_.begin || at >= window_.end) {
      window_ = {at, std::min<std::uint64_t>(at + sizeof room_, source_.size)};
      if (!source_.Read(at, room_, window_.size())) throw NoModel();
    }
    return room_[at - window_.begin];
  }

  void Copy(const Range& from, std::string& to) {
    const std::size_t before = to.size();
    to.resize(before + from.size());
    const bool near = from.begin >= window_.begin && from.end <= window_.end;
    if (near)
      std::copy_n(room_ + (from.begin - window_.begin), from.size(), to.begin() + static_cast<long>(before));
    else if (!source_.Read(from.begin, to.data() + before, from.size()))
      throw NoModel();
  }

  const ModelSource& source_;
  std::vector<WeightPlace> weights_;
  int initializers_ = 0;
  Range window_;
  std::uint8_t room_[16 << 10];  // the bytes of the window
};

}  // namespace

std::optional<CutModel> CutWeights(const ModelSource& source) try {
  if (source.size < kCutBytes) return std::nullopt;
  CutModel cut = Cutter(source).Run();
  const bool pays = !cut.weights.empty() && cut.bytes.size() < source.size / 2;
  return pays ? std::optional(std::move(cut)) : std::nullopt;
} catch (const NoModel&) {
  return std::nullopt;
}

}  // namespace foothold::onnx
