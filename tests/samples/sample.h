// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How a table of samples is written. Files below tests/samples hold nothing else:
//
//   const Table rounding({
//       Operator("Floor").Calls(NN(Floor)).InPlace(NN(InplaceFloor)).Each(std::floor),
//       Operator("ReduceSum").Calls(NN(ReduceSum), {X(0), V("axes"), V("keep_dims"), TypeOfY(0), Y(0)})
//           .Form({{2, 3, 4}}, {{"axes", {1}}, {"keep_dims", false}})
//           .Form({{0, 3}}, {{"axes", {0}}, {"keep_dims", true}})
//           .Is([](const Given& in) { return Summed(in[0], in.List("axes"), in.Flag("keep_dims")); }),
//   });
//
// A sample says what a number of inputs is (`Each`, `Is`), and what inputs there are; cases.h makes of it all
// types, layouts, numbers that are none, calls in place and onto an input, and on_graph.h and on_aclnn.h run
// them. docs/adding_an_operator.md shows how.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/device_tensor.h"
#include "samples/function.h"

namespace samples {

using nn::Dims;
using nn::Values;

// Elements in order; complex ones are two numbers.
struct Block {
  Dims dims;
  Values values;
};

// What is no tensor of a call: number, list or text. It becomes what the attribute or the parameter is.
struct Setting {
  enum class Kind { kNone, kBool, kWhole, kReal, kList, kText };
  Setting() = default;
  Setting(bool value) : kind(Kind::kBool), numbers{value ? 1.0 : 0.0} {}
  Setting(int value) : kind(Kind::kWhole), numbers{static_cast<double>(value)} {}
  Setting(double value) : kind(Kind::kReal), numbers{value} {}
  Setting(const char* value) : kind(Kind::kText), text(value) {}
  Setting(std::initializer_list<double> values) : kind(Kind::kList), numbers(values) {}
  Kind kind = Kind::kNone;
  std::vector<double> numbers;
  std::string text;
};
using Settings = std::vector<std::pair<std::string, Setting>>;

// Dimensions of the inputs, and the settings they go with.
struct Form {
  std::vector<Dims> dims;
  Settings settings;
};

// What references see: inputs as their types have rounded them.
class Given {
 public:
  Given(std::vector<Block> inputs, const Settings& settings, aclDataType type)
      : type(type), inputs_(std::move(inputs)), settings_(settings) {}
  const Block& operator[](std::size_t input) const { return inputs_.at(input); }
  std::size_t size() const { return inputs_.size(); }
  const Setting* Find(const std::string& name) const;
  double Number(const std::string& name) const;
  bool Flag(const std::string& name) const { return Number(name) != 0; }
  const std::vector<double>& List(const std::string& name) const;
  const Settings& settings() const { return settings_; }

  const aclDataType type;  // of the inputs that have no type of their own

 private:
  std::vector<Block> inputs_;
  const Settings& settings_;
};

using Reference = std::function<std::vector<Block>(const Given&)>;

// What stands at a place of a call: tensors by position, settings by name, plain settings.
struct Argument {
  enum class Kind { kInputs, kOutputs, kNamed, kTypeOfOutput, kPlain };
  Argument(Kind kind, std::vector<std::size_t> places, bool list = false)
      : kind(kind), places(std::move(places)), list(list) {}
  Argument(Kind kind, const char* name) : kind(kind), setting(name) {}
  template <typename Value>
  Argument(Value plain) : kind(Kind::kPlain), setting(plain) {}
  Argument(std::initializer_list<double> plain) : kind(Kind::kPlain), setting(plain) {}
  Argument(std::nullptr_t) : kind(Kind::kPlain) {}
  Kind kind;
  std::vector<std::size_t> places;
  bool list = false;
  Setting setting;  // of kNamed its name
};
using Arguments = std::vector<Argument>;

inline Argument X(std::size_t input) {
  return {Argument::Kind::kInputs, std::vector<std::size_t>{input}};
}
inline Argument Y(std::size_t output) {
  return {Argument::Kind::kOutputs, std::vector<std::size_t>{output}};
}
inline Argument Xs(std::vector<std::size_t> inputs) {
  return {Argument::Kind::kInputs, std::move(inputs), true};
}
inline Argument Ys(std::vector<std::size_t> outputs) {
  return {Argument::Kind::kOutputs, std::move(outputs), true};
}
inline Argument V(const char* name) {
  return {Argument::Kind::kNamed, name};
}
inline Argument TypeOfY(std::size_t output) {
  return {Argument::Kind::kTypeOfOutput, std::vector<std::size_t>{output}};
}

// What every table has to have, unless it says why not.
enum class Part { kHalf, kEmpty, kView, kSpecial };

// A type of a port that does not go with the type of the case.
constexpr aclDataType kSame = ACL_DT_UNDEFINED;

class Sample {
 public:
  // Functions of aclnn with this meaning. Without arguments: inputs and then outputs where tensors (or lists
  // of them) are wanted, settings in their order where anything else is.
  template <typename... Parameters>
  Sample& Calls(const char* name, aclnnStatus (*first)(Parameters...), nn::SecondPhase second,
                Arguments arguments = {}) {
    return AddCall({name, first, second}, std::move(arguments), false);
  }
  // One that changes its first input.
  template <typename... Parameters>
  Sample& InPlace(const char* name, aclnnStatus (*first)(Parameters...), nn::SecondPhase second,
                  Arguments arguments = {}) {
    return AddCall({name, first, second}, std::move(arguments), true);
  }
  // Inputs that the functions change: the first results are theirs, in this order.
  Sample& Changes(std::vector<std::size_t> inputs);
  // Operators of graphs, where not each input port takes the next input, and not each setting is the
  // attribute or the input of its name.
  Sample& Inputs(Arguments arguments);

  // What is sampled. Types: those the operator declares, if nothing is said here. Forms: some with no
  // elements, one, or no dimension, for references by `Each`.
  Sample& Types(std::vector<aclDataType> types);
  Sample& CallTypes(std::vector<aclDataType> types);  // of the functions, where they take others
  Sample& TypeOf(std::size_t input, aclDataType type);
  Sample& Gives(std::vector<aclDataType> types);  // by output; kSame
  Sample& Form(std::vector<Dims> inputs, Settings settings = {});
  Sample& With(const char* name, Setting setting);  // in all forms

  // What inputs hold: -2 to 2, for integers -5 to 5, if nothing is said.
  Sample& Range(double low, double high);
  Sample& Range(std::size_t input, double low, double high);
  Sample& Whole(std::size_t input, int low, int high);
  Sample& Holds(std::size_t input, std::function<Values(const samples::Form&)> values);

  // What comes out: element by element (inputs repeated to fit), one tensor, several.
  Sample& Each(double (*function)(double));
  Sample& Each(double (*function)(double, double));
  Sample& Each(double (*function)(double, double, double));
  Sample& Is(std::function<Block(const Given&)> reference);
  Sample& Are(Reference reference);
  // Times what one rounding leaves.
  Sample& Within(double factor);

  // Why something is not there; counted in docs/operators.md.
  Sample& Without(Part part, const char* why);
  // Outputs may not lie on the first input; or they may, as with `Each`.
  Sample& Apart();
  Sample& Onto();

  struct Call {
    Function function;
    Arguments arguments;
    bool in_place = false;
  };
  struct Content {
    double low = -2, high = 2;
    bool given = false, whole = false;
    std::function<Values(const samples::Form&)> values;
  };

  std::string op;    // of graphs; empty: there is none
  std::string name;  // of the sample
  std::vector<Call> calls;
  std::vector<std::size_t> changed;
  Arguments graph_inputs;
  std::vector<aclDataType> types, call_types;
  std::vector<aclDataType> input_types, output_types = {kSame};
  std::vector<samples::Form> forms;
  Settings settings;
  std::vector<Content> contents;  // by input
  Content content;                // of the others
  Reference reference;
  double factor = 1;
  bool apart = true;
  std::vector<std::pair<Part, std::string>> missing;

  bool Has(Part part) const;

 private:
  Sample& AddCall(Function function, Arguments arguments, bool in_place);
  Sample& Elements(std::size_t inputs, std::function<double(const double*)> function);
  Content& ContentOf(std::size_t input);
};

// Of an operator of graphs, or of functions that are none.
Sample Operator(const char* op);
Sample Functions(const char* name);

class Table {
 public:
  explicit Table(std::vector<Sample> samples);
  static const std::vector<Sample>& All();
};

// Types that samples have in common.
std::vector<aclDataType> FloatTypes();   // float, half types
std::vector<aclDataType> NumberTypes();  // and double, integers
std::vector<aclDataType> IntegerTypes();
std::vector<aclDataType> operator+(std::vector<aclDataType> a, const std::vector<aclDataType>& b);

bool IsFloating(aclDataType type);
bool IsHalf(aclDataType type);
bool IsUnsigned(aclDataType type);

}  // namespace samples
