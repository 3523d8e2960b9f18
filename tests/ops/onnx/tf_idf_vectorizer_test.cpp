// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// Pool: the words 2 and 3, then the pairs (5, 4), (5, 6).
std::unique_ptr<OpRun> Vectorizer(TensorValue words) {
  auto run = std::make_unique<OpRun>("OnnxTfIdfVectorizer");
  run->In("x0", std::move(words))
      .Attr("pool_int64s", Ints{2, 3, 5, 4, 5, 6})
      .Attr("ngram_counts", Ints{0, 2});
  run->Attr("ngram_indexes", Ints{0, 1, 2, 3}).Attr("min_gram_length", std::int64_t{1}).Out("y");
  run->Attr("max_gram_length", std::int64_t{2});
  return run;
}

TEST(OnnxTfIdfVectorizer, CountsWordsAndPairs) {
  ExpectNear(Vectorizer(Int32s({6}, {2, 5, 4, 2, 5, 6}))->Run(), {2, 0, 1, 1});
}

TEST(OnnxTfIdfVectorizer, CountsPairsWithWordsBetween) {
  const auto words = Int32s({4}, {5, 9, 4, 6});
  ExpectNear(Vectorizer(words)->Run(), {0, 0, 0, 0});
  ExpectNear(Vectorizer(words)->Attr("max_skip_count", std::int64_t{2}).Run(), {0, 0, 1, 1});
}

TEST(OnnxTfIdfVectorizer, CountsEveryRowOnItsOwn) {
  const auto y = Vectorizer(Tensor(DataType::kInt64, {2, 2}, {2, 2, 5, 4}))->Run();
  EXPECT_EQ(y.dims(), (Dims{2, 4}));
  ExpectNear(y, {2, 0, 0, 0, 0, 0, 1, 0});
}

TEST(OnnxTfIdfVectorizer, WeighsAsItsModeSays) {
  const auto words = Int32s({3}, {2, 2, 3});
  const std::vector<float> weights = {0.5f, 2, 3, 4};
  ExpectNear(Vectorizer(words)->Attr("mode", "TFIDF").Attr("weights", weights).Run(), {1, 2, 0, 0});
  ExpectNear(Vectorizer(words)->Attr("mode", "IDF").Attr("weights", weights).Run(), {0.5, 2, 0, 0});
}

TEST(OnnxTfIdfVectorizer, RefusesAPoolThatDoesNotFitItsCounts) {
  EXPECT_THROW(Vectorizer(Int32s({1}, {2}))->Attr("ngram_counts", Ints{0, 9}).Run(), Error);
}

}  // namespace
}  // namespace foothold
