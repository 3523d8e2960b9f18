// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxTfIdfVectorizer: how often each n-gram of a pool occurs in rows of whole numbers. Attributes as ONNX
// names them: mode, min_gram_length, max_gram_length, max_skip_count, ngram_counts, ngram_indexes,
// pool_int64s, weights.
#include <algorithm>
#include <map>

#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"

namespace foothold {
namespace {

using Gram = std::vector<std::int64_t>;

struct Vectorizer {
  std::map<Gram, std::size_t> pool;   // to its number
  std::vector<std::int64_t> columns;  // of the output, by number
  std::vector<float> weights;         // by number; empty: all 1
  std::string mode;
  std::int64_t shortest, longest, most_skipped;
  std::int64_t width;
};

// The grams of length n stand from counts[n - 1] on.
std::map<Gram, std::size_t> PoolOf(const OpContext& context) {
  const auto counts = context.node().Ints("ngram_counts");
  const auto words = context.node().Ints("pool_int64s");
  std::map<Gram, std::size_t> pool;
  for (std::size_t n = 1; n <= counts.size(); ++n) {
    const auto end = n < counts.size() ? counts[n] : static_cast<std::int64_t>(words.size());
    const auto length = static_cast<std::int64_t>(n);
    if (counts[n - 1] < 0 || end > static_cast<std::int64_t>(words.size()) ||
        (end - counts[n - 1]) % length != 0)
      context.Refuse("attribute 'ngram_counts' does not fit a pool of {} words", words.size());
    for (std::int64_t i = counts[n - 1]; i < end; i += length)
      pool.emplace(Gram(words.begin() + i, words.begin() + i + length), pool.size());
  }
  return pool;
}

Vectorizer VectorizerOf(const OpContext& context) {
  const Node& node = context.node();
  Vectorizer v{PoolOf(context),
               node.Ints("ngram_indexes"),
               node.Floats("weights"),
               node.Text("mode", "TF"),
               node.Int("min_gram_length", 1),
               node.Int("max_gram_length", 1),
               node.Int("max_skip_count", 0),
               0};
  if (v.columns.size() != v.pool.size() || (!v.weights.empty() && v.weights.size() != v.pool.size()))
    context.Refuse("there are {} n-grams, {} columns and {} weights", v.pool.size(), v.columns.size(),
                   v.weights.size());
  for (const std::int64_t column : v.columns) {
    if (column < 0 || column > INT32_MAX) context.Refuse("an n-gram has the column {}", column);
    v.width = std::max(v.width, column + 1);
  }
  if (v.shortest < 1 || v.longest < v.shortest || v.most_skipped < 0)
    context.Refuse("n-grams have lengths {} to {} and skip {}", v.shortest, v.longest, v.most_skipped);
  return v;
}

template <typename T>
class VectorizerKernel : public Kernel {
 public:
  VectorizerKernel(Vectorizer vectorizer, std::int64_t rows, std::int64_t length)
      : v_(std::move(vectorizer)), rows_(rows), length_(length) {}

  void Run(const RunArgs& args) const override {
    for (std::int64_t row = 0; row < rows_; ++row)
      RunRow(args.In<T>(0) + row * length_, args.Out<float>(0) + row * v_.width);
  }

 private:
  void RunRow(const T* words, float* y) const {
    std::fill_n(y, v_.width, 0.0f);
    for (std::int64_t n = v_.shortest; n <= v_.longest; ++n)
      for (std::int64_t skip = 0; skip <= (n == 1 ? 0 : v_.most_skipped); ++skip)
        for (std::int64_t first = 0; first + (n - 1) * (skip + 1) < length_; ++first)
          Count(words + first, n, skip + 1, y);
  }

  void Count(const T* words, std::int64_t n, std::int64_t step, float* y) const {
    Gram gram;
    for (std::int64_t i = 0; i < n; ++i)
      gram.push_back(static_cast<std::int64_t>(words[i * step]));
    const auto found = v_.pool.find(gram);
    if (found == v_.pool.end()) return;
    const float weight = v_.weights.empty() || v_.mode == "TF" ? 1.0f : v_.weights[found->second];
    float& place = y[v_.columns[found->second]];
    place = v_.mode == "IDF" ? weight : place + weight;
  }

  Vectorizer v_;
  std::int64_t rows_, length_;
};

void InferVectorizer(OpContext& context) {
  const Dims& dims = context.InDims(0);
  if (dims.empty() || dims.size() > 2)
    context.Refuse("x is {}, expected rows of words", ToString(context.In(0)));
  Dims out = dims;
  out.back() = VectorizerOf(context).width;
  context.SetOut(0, DataType::kFloat, out, Format::kNd);
}

std::unique_ptr<Kernel> LowerVectorizer(OpContext& context) {
  const Dims& dims = context.InDims(0);
  const std::int64_t rows = dims.size() == 2 ? dims[0] : 1;
  Vectorizer vectorizer = VectorizerOf(context);
  if (context.In(0).type == DataType::kInt32)
    return std::make_unique<VectorizerKernel<std::int32_t>>(std::move(vectorizer), rows, dims.back());
  if (context.In(0).type == DataType::kInt64)
    return std::make_unique<VectorizerKernel<std::int64_t>>(std::move(vectorizer), rows, dims.back());
  context.Unsupported("no kernel for {}; int32 and int64 would run", DataTypeName(context.In(0).type));
}

const RegisterOp vectorizer(OpDef("OnnxTfIdfVectorizer").Infer(InferVectorizer).Lower(LowerVectorizer));

}  // namespace
}  // namespace foothold
