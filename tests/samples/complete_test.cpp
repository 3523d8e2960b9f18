// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Who has samples: all operators that run and all functions of aclnn that do, but those of the lists in
// tests/samples/without, which may only lose lines. And what samples have to have.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include "aclnn/entry.h"
#include "aclnn/mapping.h"
#include "compiler/supported_types.h"
#include "prototypes/prototype.h"
#include "samples/cases.h"
#include "samples/on_graph.h"

namespace samples {
namespace {

using Names = std::set<std::string>;

Names Listed(const std::string& file) {
  std::ifstream lines(std::string(FOOTHOLD_WITHOUT_SAMPLES) + "/" + file);
  EXPECT_TRUE(lines.is_open()) << file;
  Names names;
  std::string before;
  for (std::string line; std::getline(lines, line); before = line) {
    EXPECT_LT(before, line) << file << " is not sorted";
    names.insert(line);
  }
  return names;
}

// A new operator comes with samples: these are the numbers of those that were there before samples were.
constexpr std::size_t kMostOperators = 480, kMostFunctions = 355;

void ExpectListOfOthers(const Names& all, const Names& sampled, const std::string& file, std::size_t most) {
  const Names listed = Listed(file);
  EXPECT_LE(listed.size(), most) << file << " has become longer";
  for (const std::string& name : all)
    EXPECT_EQ(sampled.count(name) + listed.count(name), 1u)
        << name
        << (sampled.count(name) > 0 ? ": has samples, so take its line out of "
                                    : ": add samples, it is not in ")
        << file;
  for (const std::string& name : listed)
    EXPECT_EQ(all.count(name), 1u) << name << " of " << file << " does not run";
}

TEST(Samples, AreThereForAllOperatorsButThoseOfTheList) {
  Names all, sampled;
  for (const std::string_view type : foothold::PrototypeTypes())
    if (foothold::IsSupported(type)) all.emplace(type);
  for (const Sample& sample : Table::All())
    if (!sample.op.empty()) sampled.insert(sample.op);
  ExpectListOfOthers(all, sampled, "operators.txt", kMostOperators);
}

TEST(Samples, AreThereForAllFunctionsButThoseOfTheList) {
  Names all, sampled;
  for (std::size_t i = 0; i < foothold::aclnn::FunctionCount(); ++i) {
    const char* name = foothold::aclnn::AllFunctions()[i].name;
    if (foothold::aclnn::FindMapping(name) != nullptr) all.insert(name);
  }
  for (const Sample& sample : Table::All())
    for (const Sample::Call& call : sample.calls)
      sampled.insert(std::string("aclnn") + call.function.name());
  ExpectListOfOthers(all, sampled, "functions.txt", kMostFunctions);
}

bool HasHalf(const Sample& sample) {
  const std::vector<aclDataType> types =
      (sample.types.empty() ? DeclaredTypes(sample.op) : sample.types) + sample.call_types;
  return std::any_of(types.begin(), types.end(), IsHalf);
}

bool HasEmpty(const Sample& sample) {
  return std::any_of(sample.forms.begin(), sample.forms.end(), [](const Form& form) {
    return std::any_of(form.dims.begin(), form.dims.end(),
                       [](const Dims& dims) { return nn::CountOf(dims) == 0; });
  });
}

TEST(Samples, HaveAHalfTypeAndAnEmptyTensorOrSayWhyNot) {
  for (const Sample& sample : Table::All()) {
    EXPECT_NE(HasHalf(sample), !sample.Has(Part::kHalf))
        << sample.name << ": float16 or bfloat16, or why not";
    EXPECT_NE(HasEmpty(sample), !sample.Has(Part::kEmpty)) << sample.name << ": an empty form, or why not";
  }
}

}  // namespace
}  // namespace samples
