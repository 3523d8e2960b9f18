// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs ask for operators of aclnn by name, and take what they find for what runs. Everything of the table
// is linked here, called with nothing, and looked up.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "all_functions.h"

namespace {

constexpr int kNoKernel = 561003;

struct Linked {
  std::string name;
  int (*call)();  // with zeros for all arguments
  std::vector<std::pair<std::string, void*>> functions;
};

template <auto function, typename... Args>
int CallWithZeros(int (*)(Args...)) {
  return function(Args{}...);
}
template <auto function>
int WithZeros() {
  return CallWithZeros<function>(function);
}
template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

#define ACLNN_OPERATOR(name)            \
  {#name,                               \
   &WithZeros<&name##GetWorkspaceSize>, \
   {{#name "GetWorkspaceSize", Address(&name##GetWorkspaceSize)}, {#name, Address(&name)}}},
#define ACLNN_CALL(name) {#name, &WithZeros<&name>, {{#name, Address(&name)}}},
#define ACLNN_TOGETHER(names)
std::vector<Linked> All() {
  return {
#include "all_functions.inc"
  };
}
#undef ACLNN_OPERATOR
#undef ACLNN_CALL
#undef ACLNN_TOGETHER

#define ACLNN_OPERATOR(name)
#define ACLNN_CALL(name)
#define ACLNN_TOGETHER(names) names,
const std::vector<std::string> kTogether = {
#include "all_functions.inc"
};
#undef ACLNN_OPERATOR
#undef ACLNN_CALL
#undef ACLNN_TOGETHER

std::vector<std::string> Words(const std::string& line) {
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

std::string RecentText() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

// Also says whether what does not run says so.
bool Runs(const Linked& one) {
  RecentText();
  const int status = one.call();
  const std::string text = RecentText();
  if (status != kNoKernel && text.find("is declared but not supported") == std::string::npos) return true;
  EXPECT_NE(text.find(one.name), std::string::npos) << one.name << " left another message: " << text;
  EXPECT_EQ(text.find('\n'), text.rfind('\n')) << one.name << " left more than one message: " << text;
  return false;
}

std::set<std::string> Running() {
  std::set<std::string> names;
  for (const Linked& one : All())
    if (Runs(one)) names.insert(one.name);
  return names;
}

// Those that run, without those that callers take together with one that does not.
std::set<std::string> Promised() {
  const std::set<std::string> running = Running();
  std::set<std::string> names = running;
  for (const std::string& line : kTogether) {
    const std::vector<std::string> group = Words(line);
    const bool whole =
        std::all_of(group.begin(), group.end(), [&](const auto& name) { return running.count(name) != 0; });
    for (const std::string& name : group)
      if (!whole) names.erase(name);
  }
  return names;
}

void ExpectFound(void* library, const char* which) {
  const std::set<std::string> promised = Promised();
  ASSERT_GT(promised.size(), 500u);
  for (const Linked& one : All())
    for (const auto& [name, linked] : one.functions)
      EXPECT_EQ(dlsym(library, name.c_str()), promised.count(one.name) != 0 ? linked : nullptr)
          << name << " in " << which;
}

}  // namespace

TEST(AclnnNames, AreFoundInTheLibraryIfTheyRun) {
  void* const library = dlopen("libascendcl.so", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr) << dlerror();
  ExpectFound(library, "the library");
  dlclose(library);
}

TEST(AclnnNames, AreFoundInTheProgramIfTheyRun) {
  ExpectFound(RTLD_DEFAULT, "the program");
}

TEST(AclnnNames, ThatCallersTakeTogetherAreFoundTogether) {
  for (const std::string& line : kTogether) {
    const std::vector<std::string> group = Words(line);
    ASSERT_GT(group.size(), 1u);
    for (const std::string& name : group)
      EXPECT_EQ(dlsym(RTLD_DEFAULT, name.c_str()) == nullptr,
                dlsym(RTLD_DEFAULT, group[0].c_str()) == nullptr)
          << name << " and " << group[0];
  }
}
