// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "custom_ops/custom_operators.h"

#include <deque>
#include <mutex>
#include <utility>

#include "base/crash_watch.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/shared_object.h"
#include "base/tell.h"
#include "custom_ops/custom_op.h"
#include "custom_ops/custom_path.h"
#include "custom_ops/custom_prototype.h"
#include "ops/late_ops.h"
#include "prototypes/built_in_prototypes.h"
#include "prototypes/late_operators.h"

namespace foothold {
namespace {

constexpr std::size_t kMostOperators = 10000;

struct All {
  CustomOperatorReport report;
  std::deque<CustomOperator> operators;  // addresses stay
  std::vector<std::shared_ptr<const SharedObject>> objects;
};

custom::Entry EntryOf(const SharedObject& object) {
  const SharedObject::Found found = object.Find(custom::kEntryName);
  if (found.kind != SharedObject::Symbol::kFunction) {
    Fail(kInvalidParam,
         "it exports no function {}, so it brings no operators; foothold/operator.h says how it "
         "looks",
         custom::kEntryName);
  }
  return reinterpret_cast<custom::Entry>(found.address);
}

void Tell(const std::string& path, const std::string& problem) {
  foothold::Tell(LogLevel::kWarning, fmt::format("ASCEND_CUSTOM_OPP_PATH: {}: {}", path, problem));
}

void AddOperator(All& all, const custom::Operator& described, CustomFile& file) {
  Prototype prototype = PrototypeOf(described);
  if (FindBuiltInPrototype(prototype.type) != nullptr)
    Fail(kInvalidParam, "the library has one of that type; give it another name");
  CustomOperator& kept = all.operators.emplace_back(CustomOperator{described, file.path, prototype});
  if (!RegisterLateOp(DefinitionOf(kept))) {
    all.operators.pop_back();
    Fail(kInvalidParam, "another file or the library has one of that type, which stays");
  }
  RegisterLatePrototype(std::move(prototype));
  file.operators.push_back(kept.prototype.type);
}

std::string NameOf(const custom::Operator& described, std::size_t index) {
  const bool has_type = described.struct_size >= sizeof described && described.type != nullptr;
  return has_type ? fmt::format("operator '{}'", described.type) : fmt::format("operator number {}", index);
}

void AddOperators(All& all, custom::Entry entry, CustomFile& file) {
  const custom::Operator* last = nullptr;
  for (std::size_t i = 0; i < kMostOperators; ++i) {
    const custom::Operator* const described = entry(custom::kVersion, i);
    if (described != nullptr && described == std::exchange(last, described)) {
      Fail(kInvalidParam,
           "foothold_operators answers the same operator for {} and {}, and not null behind the last", i - 1,
           i);
    }
    if (described == nullptr) {
      if (i == 0) Fail(kInvalidParam, "it brings no operators");
      return;
    }
    try {
      AddOperator(all, *described, file);
    } catch (const Error& error) {
      const std::string problem = fmt::format("{}: {}", NameOf(*described, i), error.message());
      Tell(file.path, problem);
      file.problem += (file.problem.empty() ? "" : "; ") + problem;
    }
  }
  Fail(kInvalidParam, "it brings {} operators and more; foothold_operators never answers null",
       kMostOperators);
}

void LoadFile(All& all, const std::string& path) {
  CustomFile& file = all.report.files.emplace_back(CustomFile{path, {}, {}});
  try {
    const auto object = SharedObject::Load(path, SharedObject::Binding::kNow);
    const CrashNote note{.what = "foothold_operators", .file = file.path.c_str()};
    const CrashScope scope(note);
    const custom::Entry entry = EntryOf(*object);
    all.objects.push_back(object);
    AddOperators(all, entry, file);
  } catch (...) {
    const Error error = CurrentError();
    Tell(path, error.message());
    file.problem += (file.problem.empty() ? "" : "; ") + error.message();
  }
}

All* LoadAll() {
  auto* const all = new All;
  const CustomPath path = FindCustomFiles(GetEnv("ASCEND_CUSTOM_OPP_PATH").value_or(""));
  for (const std::string& problem : path.problems)
    foothold::Tell(LogLevel::kWarning, "ASCEND_CUSTOM_OPP_PATH: " + problem);
  all->report.path_problems = path.problems;
  for (const std::string& file : path.files)
    LoadFile(*all, file);
  return all;
}

std::once_flag loaded;
const All* the_all = nullptr;
thread_local bool loading = false;

// A constructor in an object may ask for operators itself: it finds those that are there.
void LoadOnce() {
  if (loading) return;
  std::call_once(loaded, [] {
    const struct Loading {
      Loading() { loading = true; }
      ~Loading() { loading = false; }
    } scope;
    the_all = LoadAll();
  });
}

[[maybe_unused]] const bool set_at_load = (SetOperatorSource(&LoadOnce), true);

}  // namespace

const CustomOperatorReport& CustomOperators() {
  static const auto* const nothing = new CustomOperatorReport;
  LoadOnce();
  return the_all == nullptr ? *nothing : the_all->report;
}

}  // namespace foothold
