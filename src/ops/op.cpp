// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/op.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

#include "base/error.h"
#include "base/per_process.h"
#include "ops/late_ops.h"
#include "prototypes/late_operators.h"

namespace foothold {
namespace {

struct HashOfText {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
};

// The compiler asks a dozen times for each node.
using Ops = std::unordered_map<std::string, OpDef, HashOfText, std::equal_to<>>;

// Filled while the library is loaded, read only afterwards.
Ops& Registry() {
  static auto* registry = new Ops;
  return *registry;
}

std::vector<std::string>& Twice() {
  static auto* twice = new std::vector<std::string>;
  return *twice;
}

struct LateOps {
  std::mutex mutex;
  std::map<std::string, OpDef, std::less<>> by_type;  // guarded by mutex; addresses stay
};

LateOps& Late() {
  static auto* const late = new LateOps;
  return *late;
}

std::mutex& MutexOfLateOps() {
  return Late().mutex;
}
[[maybe_unused]] const HeldDuringFork<MutexOfLateOps> held_for_late_ops;

// Operators of our own have no prototype to hold a graph from a file against, so their rules find out here.
Output& OutputOf(Node& node, int port) {
  if (port < 0 || port >= static_cast<int>(node.outputs().size()))
    Fail(kInvalidParam, "{} has {} outputs, and its operator writes output {}", node.Description(),
         node.outputs().size(), port);
  return node.outputs()[static_cast<std::size_t>(port)];
}

// Runs while the library is loaded, where an exception would end the program.
void Add(OpDef op) {
  std::string type = op.type();
  if (!Registry().emplace(type, std::move(op)).second) Twice().push_back(std::move(type));
}

}  // namespace

int OpContext::Port(std::string_view input) const {
  const int port = node_.InputIndex(input);
  if (port < 0) Fail(kInternalError, "{} has no input '{}'", node_.Description(), input);
  return port;
}

bool OpContext::Has(int port) const {
  return port >= 0 && port < inputs() && node_.inputs()[static_cast<std::size_t>(port)].source;
}

bool OpContext::Has(std::string_view input) const {
  return Has(node_.InputIndex(input));
}

const TensorType& OpContext::Out(int port) const {
  return OutputOf(node_, port).desc;
}

const TensorValue* OpContext::Value(int port) const {
  return static_cast<std::size_t>(port) < values_.size() ? values_[static_cast<std::size_t>(port)] : nullptr;
}

const TensorValue& OpContext::Needed(int port) const {
  const TensorValue* value = Value(port);
  if (value == nullptr) throw ValueNotKnown(port);
  return *value;
}

std::vector<std::int64_t> OpContext::NeededInts(std::string_view input) const {
  return Integers(Needed(input));
}

void OpContext::SetOut(int port, TensorType type) {
  static_cast<TensorType&>(OutputOf(node_, port).desc) = std::move(type);
}

void OpContext::SetOut(int port, DataType type, Dims dims, Format format) {
  SetOut(port, TensorType{type, format, std::move(dims)});
}

int OpContext::AddConstant(TensorValue value) {
  added_constants_.push_back(std::move(value));
  return inputs() + static_cast<int>(added_constants_.size()) - 1;
}

void OpContext::SetUnused(int port) {
  unused_.push_back(port);
}

void OpContext::SetUpdated(int port) {
  const Input& input = node_.inputs().at(static_cast<std::size_t>(port));
  if (!input.source || input.source.node->type() == "Const" || input.source.node->type() == "Constant")
    Refuse("input '{}' is written to, so it must be a variable and not {}", input.name,
           input.source ? input.source.node->Description() : "empty");
  updated_.push_back(port);
}

void OpContext::RefuseText(std::string text) const {
  Fail(kInvalidParam, "{}: {}", node_.Description(), text);
}

void OpContext::UnsupportedText(std::string text) const {
  Fail(kFeatureUnsupported, "{}: {}", node_.Description(), text);
}

OpDef& OpDef::Infer(InferRule rule) {
  infer_ = std::move(rule);
  return *this;
}

OpDef& OpDef::Lower(LowerRule rule) {
  lower_ = std::move(rule);
  return *this;
}

OpDef& OpDef::Evaluate(EvaluateRule rule) {
  evaluate_ = std::move(rule);
  return *this;
}

OpDef& OpDef::View(int input, int output) {
  views_.push_back({input, output});
  return *this;
}

OpDef& OpDef::InPlace(int input, int output) {
  in_place_.push_back({input, output});
  return *this;
}

OpDef& OpDef::ReadsViews(std::vector<std::string> ports, ReadsViewRule rule) {
  reads_views_ = true;
  view_ports_ = std::move(ports);
  reads_view_ = std::move(rule);
  return *this;
}

OpDef& OpDef::ViewsTogether(std::function<bool(const OpContext&)> rule) {
  together_ = std::move(rule);
  return *this;
}

OpDef& OpDef::WritesViews() {
  writes_views_ = true;
  return *this;
}

OpDef& OpDef::Selects(std::string input, SelectRule rule) {
  selected_input_ = std::move(input);
  select_ = std::move(rule);
  return *this;
}

bool OpDef::ReadsView(const OpContext& context, int port, const StridedView& view) const {
  if (!reads_views_) return false;
  const std::string& group = context.node().inputs().at(static_cast<std::size_t>(port)).group;
  const bool declared =
      view_ports_.empty() || std::find(view_ports_.begin(), view_ports_.end(), group) != view_ports_.end();
  return declared && (!reads_view_ || reads_view_(context, port, view));
}

OpDef& OpDef::Stateful() {
  stateful_ = true;
  return *this;
}

OpDef& OpDef::FromTypes() {
  from_types_ = true;
  return *this;
}

OpDef& OpDef::Types(std::vector<DataType> types) {
  types_ = std::move(types);
  return *this;
}

const OpDef* FindOp(std::string_view type) {
  const auto found = Registry().find(type);
  if (found != Registry().end()) return &found->second;
  AskOperatorSource();
  const std::lock_guard lock(Late().mutex);
  const auto late = Late().by_type.find(type);
  return late == Late().by_type.end() ? nullptr : &late->second;
}

bool RegisterLateOp(OpDef op) {
  if (Registry().contains(op.type())) return false;
  std::string type = op.type();
  const std::lock_guard lock(Late().mutex);
  return Late().by_type.emplace(std::move(type), std::move(op)).second;
}

std::vector<const OpDef*> AllOps() {
  std::vector<const OpDef*> all;
  for (const auto& [type, op] : Registry())
    all.push_back(&op);
  std::ranges::sort(all, {}, &OpDef::type);
  return all;
}

const std::vector<std::string>& OpsRegisteredTwice() {
  return Twice();
}

RegisterOp::RegisterOp(OpDef op) {
  Add(std::move(op));
}

RegisterOp::RegisterOp(std::vector<OpDef> ops) {
  for (OpDef& op : ops)
    Add(std::move(op));
}

void SameAsInput(OpContext& context) {
  for (int i = 0; i < context.outputs(); ++i)
    context.SetOut(i, context.In(0));
}

}  // namespace foothold
