// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// ggml_check [word]: nodes of ggml as llama.cpp's backend computes them through aclnn, beside ggml's own
// library. A word picks the cases with it in their names. Ends with 1 if a case fails.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <random>
#include <set>

#include "ggml_cases.h"

namespace bench {
namespace {

using llama::Type;

constexpr std::size_t kSentinel = 1024 * sizeof(float);
constexpr char kUntouched = 0x5a;

// Q4_0 and Q8_0 of ggml as the backend of llama.cpp lays them out: weights, then scales.
std::vector<char> Repacked(const GgmlTensor& tensor, std::size_t bytes) {
  const bool four = static_cast<Type>(tensor.type) == Type::kQ4_0;
  const std::size_t weights = four ? 16 : 32, block = weights + 2, blocks = bytes / block;
  std::vector<char> packed(bytes);
  for (std::size_t i = 0; i < blocks; ++i) {
    const char* const from = tensor.data + i * block;
    std::memcpy(packed.data() + blocks * weights + i * 2, from, 2);
    for (std::size_t j = 0; j < weights; ++j) {
      const auto low = static_cast<unsigned char>(from[2 + (four ? j * 2 % 16 : j)]);
      const auto high = static_cast<unsigned char>(from[2 + (j * 2 + 1) % 16]);
      // Element j of a group is in the low half of byte j, element j + 16 in its high half.
      const unsigned shift = j < 8 ? 0 : 4;
      const unsigned pair = ((low >> shift & 15u) ^ 8u) | ((high >> shift & 15u) ^ 8u) << 4;
      packed[i * weights + j] = static_cast<char>(four ? pair : low);
    }
  }
  return packed;
}

// All tensors of a graph on the device, with sentinels behind them.
class Mirror {
 public:
  Mirror(llama::Backend& backend, std::function<std::size_t(const GgmlTensor*)> bytes)
      : backend_(backend), bytes_(std::move(bytes)) {}

  void Add(const GgmlTensor& tensor) {
    const GgmlTensor& root = RootOf(tensor);
    if (places_.count(&root) == 0) Upload(root);
    for (const GgmlTensor* source : tensor.sources)
      if (source != nullptr && seen_.insert(source).second) Add(*source);
  }
  llama::Tensor Place(const GgmlTensor& tensor) const {
    const GgmlTensor& root = RootOf(tensor);
    const auto type = static_cast<Type>(tensor.type);
    llama::Tensor placed = llama::Lay(type, {tensor.ne[0], tensor.ne[1], tensor.ne[2], tensor.ne[3]},
                                      places_.at(&root) + (tensor.data - root.data));
    if (!llama::IsQuantized(type)) std::copy(tensor.nb, tensor.nb + 4, placed.nb.begin());
    return placed;
  }
  // A tensor as the device has it now, in memory like ggml's.
  std::vector<char> Read(const GgmlTensor& root) const {
    std::vector<char> bytes(bytes_(&root));
    if (bytes.empty()) return bytes;
    llama::Check(
        aclrtMemcpy(bytes.data(), bytes.size(), places_.at(&root), bytes.size(), ACL_MEMCPY_DEVICE_TO_HOST),
        "reading");
    return bytes;
  }
  bool SentinelsHold() const {
    for (const auto& [root, place] : places_) {
      std::vector<char> bytes(kSentinel);
      llama::Check(
          aclrtMemcpy(bytes.data(), kSentinel, place + bytes_(root), kSentinel, ACL_MEMCPY_DEVICE_TO_HOST),
          "sentinel");
      if (bytes != std::vector<char>(kSentinel, kUntouched)) return false;
    }
    return true;
  }
  static const GgmlTensor& RootOf(const GgmlTensor& tensor) {
    return tensor.view_of != nullptr ? *tensor.view_of : tensor;
  }

 private:
  void Upload(const GgmlTensor& root) {
    std::vector<char> bytes(root.data, root.data + bytes_(&root));
    if (llama::IsQuantized(static_cast<Type>(root.type))) bytes = Repacked(root, bytes.size());
    bytes.resize(bytes.size() + kSentinel, kUntouched);
    char* const place = backend_.Allocate(bytes.size());
    llama::Check(aclrtMemcpy(place, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE),
                 "upload");
    places_[&root] = place;
  }

  llama::Backend& backend_;
  std::function<std::size_t(const GgmlTensor*)> bytes_;
  std::map<const GgmlTensor*, char*> places_;
  std::set<const GgmlTensor*> seen_;
};

double NumberAt(Type type, const char* place) {
  switch (type) {
    case Type::kF32: {
      float value;
      std::memcpy(&value, place, sizeof value);
      return double{value};
    }
    case Type::kF16: {
      aclFloat16 value;
      std::memcpy(&value, place, sizeof value);
      return double{aclFloat16ToFloat(value)};
    }
    case Type::kBf16: {
      std::uint16_t half;
      std::memcpy(&half, place, sizeof half);
      const std::uint32_t bits = std::uint32_t{half} << 16;
      float value;
      std::memcpy(&value, &bits, sizeof value);
      return double{value};
    }
    case Type::kI64: {
      std::int64_t value;
      std::memcpy(&value, place, sizeof value);
      return static_cast<double>(value);
    }
    case Type::kI32: {
      std::int32_t value;
      std::memcpy(&value, place, sizeof value);
      return value;
    }
    case Type::kI16: {
      std::int16_t value;
      std::memcpy(&value, place, sizeof value);
      return value;
    }
    default:
      return static_cast<double>(static_cast<signed char>(*place));
  }
}

std::vector<double> Numbers(const GgmlTensor& tensor, const char* root) {
  std::vector<double> numbers;
  const char* const first = root + (tensor.data - Mirror::RootOf(tensor).data);
  const std::int64_t* const ne = tensor.ne;
  for (std::int64_t i = 0; i < ne[0] * ne[1] * ne[2] * ne[3]; ++i) {
    const std::int64_t at[] = {i % ne[0], i / ne[0] % ne[1], i / ne[0] / ne[1] % ne[2],
                               i / ne[0] / ne[1] / ne[2]};
    std::size_t place = 0;
    for (std::size_t d = 0; d < 4; ++d)
      place += static_cast<std::size_t>(at[d]) * tensor.nb[d];
    numbers.push_back(NumberAt(static_cast<Type>(tensor.type), first + place));
  }
  return numbers;
}

// The squared error over the squared result; infinite where one side has no number or another infinity.
double ErrorOf(const std::vector<double>& found, const std::vector<double>& expected) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isinf(found[i]) && found[i] == expected[i]) continue;
    const double off = found[i] - expected[i];
    if (!std::isfinite(off)) return INFINITY;
    difference += off * off;
    size += expected[i] * expected[i];
  }
  return difference == 0 ? 0 : difference / size;
}

class Checker {
 public:
  explicit Checker(Ggml& ggml) : ggml_(ggml), backend_(0) {}

  // What went wrong; empty if nothing did.
  std::string Run(const Case& one) {
    backend_.FreeAll();
    GgmlGraph graph(ggml_, 1);
    CaseGraph nodes(ggml_, graph);
    GgmlTensor* const result = one.make(nodes);
    graph.Finish(result);
    for (const auto& [tensor, contents] : nodes.inputs())
      Fill(*tensor, contents);
    Mirror mirror(backend_, [&](const GgmlTensor* t) { return BytesOf(t); });
    mirror.Add(*result);
    const std::string why = Compute(graph, mirror);
    if (!why.empty()) return why;
    graph.Run();
    return Compare(one, *result, mirror);
  }

 private:
  std::size_t BytesOf(const GgmlTensor* tensor) const {
    return reinterpret_cast<std::size_t (*)(const GgmlTensor*)>(ggml_.Function("ggml_nbytes"))(tensor);
  }

  std::string Compute(const GgmlGraph& graph, const Mirror& mirror) {
    const auto count = reinterpret_cast<int (*)(void*)>(ggml_.Function("ggml_graph_n_nodes"));
    const auto node = reinterpret_cast<GgmlTensor* (*)(void*, int)>(ggml_.Function("ggml_graph_node"));
    const auto describe =
        reinterpret_cast<const char* (*)(const GgmlTensor*)>(ggml_.Function("ggml_op_desc"));
    static const std::set<std::string> views = {"VIEW", "RESHAPE", "PERMUTE", "TRANSPOSE", "NONE"};
    try {
      for (int i = 0; i < count(graph.graph()); ++i) {
        const GgmlTensor& one = *node(graph.graph(), i);
        if (views.count(describe(&one)) != 0) continue;
        if (!ComputeNode(backend_, describe(&one), one, [&](const GgmlTensor& t) { return mirror.Place(t); }))
          return std::string("no node ") + describe(&one);
      }
      backend_.Synchronize();
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }

  std::string Compare(const Case& one, const GgmlTensor& result, const Mirror& mirror) {
    const GgmlTensor& root = Mirror::RootOf(result);
    const std::vector<char> found = mirror.Read(root);
    const double error = ErrorOf(Numbers(result, found.data()), Numbers(result, root.data));
    if (!(error <= one.limit)) return fmt::format("NMSE {:.3g} above {:.3g}", error, one.limit);
    if (!mirror.SentinelsHold()) return "something was written behind a tensor";
    return {};
  }

  void Fill(GgmlTensor& tensor, const Contents& contents);

  Ggml& ggml_;
  llama::Backend backend_;
  std::mt19937 random_{1};
};

template <typename T>
void PutInts(GgmlTensor& tensor, std::size_t count, const Contents& contents, std::mt19937& random) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uniform_int_distribution<int> any(static_cast<int>(contents.low), static_cast<int>(contents.high));
    const auto value = static_cast<T>(
        contents.indices.empty() ? any(random) : contents.indices[i % contents.indices.size()]);
    std::memcpy(tensor.data + i * sizeof(T), &value, sizeof(T));
  }
}

void Checker::Fill(GgmlTensor& tensor, const Contents& contents) {
  const auto count = static_cast<std::size_t>(tensor.ne[0] * tensor.ne[1] * tensor.ne[2] * tensor.ne[3]);
  switch (static_cast<Type>(tensor.type)) {
    case Type::kI8:
      return PutInts<std::int8_t>(tensor, count, contents, random_);
    case Type::kI16:
      return PutInts<std::int16_t>(tensor, count, contents, random_);
    case Type::kI32:
      return PutInts<std::int32_t>(tensor, count, contents, random_);
    case Type::kI64:
      return PutInts<std::int64_t>(tensor, count, contents, random_);
    default:
      break;
  }
  std::vector<float> values(count);
  std::uniform_real_distribution<float> any(contents.low, contents.high);
  for (float& value : values)
    value = any(random_);
  using Quantize =
      std::size_t (*)(int, const float*, void*, std::int64_t, std::int64_t, std::int64_t, const float*);
  reinterpret_cast<Quantize>(ggml_.Function("ggml_quantize_chunk"))(
      tensor.type, values.data(), tensor.data, 0, tensor.ne[1] * tensor.ne[2] * tensor.ne[3], tensor.ne[0],
      nullptr);
}

int CheckAll(Ggml& ggml, const std::string& word) {
  Checker checker(ggml);
  int passed = 0, failed = 0;
  for (const Case& one : AllCases()) {
    if (one.name.find(word) == std::string::npos) continue;
    const std::string why = checker.Run(one);
    ++(why.empty() ? passed : failed);
    if (!why.empty()) std::cout << fmt::format("{}: {}\n", one.name, why) << std::flush;
  }
  std::cout << fmt::format("{} cases like ggml's ({}), {} not\n", passed, ggml.variant(), failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::string why;
  const auto ggml = bench::Ggml::Load(why);
  if (ggml == nullptr) {
    std::cout << why << "\n";
    return 0;
  }
  llama::RegisterDevices();
  return bench::CheckAll(*ggml, argc > 1 ? argv[1] : "");
}
