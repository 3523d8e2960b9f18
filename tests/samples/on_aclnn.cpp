// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "samples/on_aclnn.h"

#include <stdexcept>

#include "samples/function.h"

namespace samples {
namespace {

using nn::Role;
using nn::Tensor;

// The tensors of a call.
struct Tensors {
  std::vector<Tensor> inputs, outputs;
};

Arguments DefaultArguments(const Case& one, const Sample::Call& call, std::size_t outputs) {
  Arguments arguments;
  std::size_t tensors = 0, lists = 0, next = 0;
  const std::size_t inputs = one.form.dims.size();
  const auto all = [](std::size_t count) {
    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i)
      places[i] = i;
    return places;
  };
  for (const Wants wants : call.function.wants()) {
    if (wants == Wants::kTensor && tensors < inputs) {
      arguments.push_back(X(tensors++));
    } else if (wants == Wants::kTensor) {
      arguments.push_back(Y(tensors++ - inputs));
    } else if (wants == Wants::kTensors) {
      arguments.push_back(lists++ == 0 ? Xs(all(inputs)) : Ys(all(outputs)));
    } else if (next < one.form.settings.size()) {
      arguments.push_back(V(one.form.settings[next++].first.c_str()));
    } else {
      throw std::invalid_argument(one.sample->name + ": " + call.function.name() +
                                  " wants more settings than the sample has");
    }
  }
  return arguments;
}

const Setting& SettingOf(const Case& one, const Argument& argument) {
  static const Setting none;
  if (argument.kind == Argument::Kind::kPlain) return argument.setting;
  for (const auto& [name, setting] : one.form.settings)
    if (name == argument.setting.text) return setting;
  return none;
}

template <typename Array>
void* ArrayOf(nn::Objects& objects, const Setting& setting) {
  Array values;
  for (const double number : setting.numbers)
    values.push_back(static_cast<typename Array::value_type>(number));
  return objects.Of(values);
}

nn::Scalar ScalarOf(const Setting& setting) {
  const double number = setting.numbers.at(0);
  if (setting.kind == Setting::Kind::kBool) return nn::Scalar(number != 0);
  return setting.kind == Setting::Kind::kWhole ? nn::Scalar(static_cast<int>(number)) : nn::Scalar(number);
}

void* ScalarsOf(nn::Objects& objects, const Setting& setting) {
  nn::Scalars scalars;
  for (const double number : setting.numbers)
    scalars.push_back(nn::Scalar(static_cast<float>(number)));
  return objects.Of(scalars);
}

Slot SlotOf(nn::Objects& objects, Wants wants, const Setting& setting) {
  if (wants == Wants::kNumber) return {nullptr, setting.numbers.empty() ? 0 : setting.numbers[0]};
  if (setting.kind == Setting::Kind::kNone) return {};
  switch (wants) {
    case Wants::kScalar:
      return {objects.Of(ScalarOf(setting))};
    case Wants::kScalars:
      return {ScalarsOf(objects, setting)};
    case Wants::kInts:
      return {ArrayOf<nn::Ints>(objects, setting)};
    case Wants::kFloats:
      return {ArrayOf<nn::Floats>(objects, setting)};
    case Wants::kBools:
      return {ArrayOf<nn::Bools>(objects, setting)};
    case Wants::kText:
      return {const_cast<char*>(setting.text.c_str())};
    default:
      throw std::invalid_argument("a setting stands where a tensor is wanted");
  }
}

Slot TensorSlot(nn::Objects& objects, const Argument& argument, const std::vector<Tensor>& tensors) {
  if (!argument.list) return {objects.Of(tensors.at(argument.places[0]))};
  nn::List members;
  for (const std::size_t place : argument.places)
    members.push_back(&tensors.at(place));
  return {objects.Of(members)};
}

Slot SlotOf(nn::Objects& objects, const Case& one, const Argument& argument, Wants wants,
            const Tensors& tensors) {
  switch (argument.kind) {
    case Argument::Kind::kInputs:
      return TensorSlot(objects, argument, tensors.inputs);
    case Argument::Kind::kOutputs:
      return TensorSlot(objects, argument, tensors.outputs);
    case Argument::Kind::kTypeOfOutput:
      return {nullptr, static_cast<double>(one.OutputType(argument.places[0]))};
    default:
      return SlotOf(objects, wants, SettingOf(one, argument));
  }
}

void Run(const Case& one, const Sample::Call& call, const Tensors& tensors) {
  const Function& function = call.function;
  const Arguments arguments =
      call.arguments.empty() ? DefaultArguments(one, call, tensors.outputs.size()) : call.arguments;
  ASSERT_EQ(arguments.size(), function.wants().size()) << function.name() << " has other parameters";
  nn::Objects objects;
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    slots.push_back(SlotOf(objects, one, arguments[i], function.wants()[i], tensors));
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  RecentError();
  ASSERT_OK(function.First(slots, &workspace, &executor)) << function.name();
  nn::RunSecond(function.name(), function.second(), workspace, executor, objects);
}

}  // namespace

bool FitsOntoInput(const Case& one) {
  if (one.form.dims.empty() || one.layouts[0] == nn::Layout::kRepeated) return false;
  if (one.OutputType(0) != one.InputTypes()[0]) return false;
  return one.Expected(one.MakeInputs())[0].dims == one.form.dims[0];
}

// A stretched input cannot be written.
bool ChangesWhatRepeats(const Case& one) {
  for (const std::size_t input : one.sample->changed)
    if (one.layouts[input] == nn::Layout::kRepeated) return true;
  return false;
}

void RunChanging(const Case& one, const Sample::Call& call) {
  const std::vector<std::size_t>& changed = one.sample->changed;
  Tensors tensors{one.MakeInputs(), {}};
  const std::vector<Block> expected = one.Expected(tensors.inputs);
  for (const std::size_t input : changed)
    tensors.inputs[input] = tensors.inputs[input].As(Role::kRef);
  for (std::size_t i = changed.size(); i < expected.size(); ++i)
    tensors.outputs.push_back(nn::Out(one.OutputType(i), expected[i].dims, one.out));
  Run(one, call, tensors);
  for (std::size_t i = 0; i < expected.size(); ++i)
    one.ExpectResult(
        i,
        i < changed.size() ? tensors.inputs[changed[i]].Read() : tensors.outputs[i - changed.size()].Read(),
        expected[i]);
}

void RunCall(const Case& one, const Sample::Call& call) {
  if (!one.sample->changed.empty()) {
    if (!ChangesWhatRepeats(one)) RunChanging(one, call);
    return;
  }
  Tensors tensors{one.MakeInputs(), {}};
  const std::vector<Block> expected = one.Expected(tensors.inputs);
  if (call.in_place) {
    tensors.inputs[0] = tensors.inputs[0].As(Role::kRef);
    Run(one, call, tensors);
    return one.ExpectResult(0, tensors.inputs[0].Read(), expected[0]);
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    tensors.outputs.push_back(nn::Out(one.OutputType(i), expected[i].dims, one.out));
  Run(one, call, tensors);
  for (std::size_t i = 0; i < expected.size(); ++i)
    one.ExpectResult(i, tensors.outputs[i].Read(), expected[i]);
}

void RunOntoInput(const Case& one, const Sample::Call& call) {
  Tensors tensors{one.MakeInputs(), {}};
  const std::vector<Block> expected = one.Expected(tensors.inputs);
  tensors.outputs = {tensors.inputs[0].As(Role::kOut)};
  for (std::size_t i = 1; i < expected.size(); ++i)
    tensors.outputs.push_back(nn::Out(one.OutputType(i), expected[i].dims, one.out));
  Run(one, call, tensors);
  for (std::size_t i = 0; i < expected.size(); ++i)
    one.ExpectResult(i, tensors.outputs[i].Read(), expected[i]);
}

}  // namespace samples
