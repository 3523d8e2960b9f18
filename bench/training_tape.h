// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Writes a step of training as a graph: layers add their operators and remember how their gradients are
// computed; Finish goes back through them and adds the updates of all weights.
#pragma once

#include <ge/ge_api.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "training_files.h"

namespace bench {

// An output of an operator.
struct Value {
  ge::Operator node;
  std::string port;
  Dims dims;
  int number = -1;       // by which its gradient is known
  std::string variable;  // the weight it is, if it is one
};

enum class Optimizer { kMomentum, kAdamW };

class Tape {
 public:
  Tape(const TrainingArrays& arrays, Optimizer optimizer, float rate);

  Value Input(const std::string& name, const Dims& dims, ge::DataType type);
  Value Floats(const std::vector<float>& values, const Dims& dims);

  Value Convolution(const Value& x, const std::string& name, std::int64_t stride);
  Value BatchNorm(const Value& x, const std::string& name);
  Value Relu(const Value& x);
  Value Gelu(const Value& x);
  Value Add(const Value& a, const Value& b);  // b may lack leading dimensions
  Value MaxPool2(const Value& x);
  Value AveragePlanes(const Value& x);
  Value Linear(const Value& x, const std::string& name);
  Value LayerNorm(const Value& x, const std::string& name);
  Value Embedding(const Value& indices, const std::string& name);
  Value Weight(const std::string& name);
  Value Reshape(const Value& x, const Dims& dims);
  // Of [batch, length, 3 * width], which are queries, keys and values; `mask` is added to the scores.
  Value Attention(const Value& qkv, std::int64_t heads, const Value& mask);

  // The graph, which has the mean loss of these scores as its output. With AdamW its last two inputs are
  // beta1 and beta2 to the power of the step.
  ge::Graph Finish(const Value& scores, const Value& labels);
  // Gives the variables their values: the inputs are, in this order,
  const std::vector<std::string>& variables() const { return variables_; }
  ge::Graph MakeSetting() const;
  const Dims& DimsOf(const std::string& variable) const;
  // Zeros for what the arrays do not have.
  ge::Tensor InitialOf(const std::string& variable) const;

 private:
  using Inputs = std::initializer_list<std::pair<const char*, Value>>;
  using Attributes = std::function<void(ge::Operator&)>;

  Value Make(const char* type, const Inputs& inputs, const char* port, const Dims& dims,
             const Attributes& attributes = nullptr);
  Value Output(const Value& of, const char* port, const Dims& dims);
  Value Integers(const Dims& values);
  Value Number(float value);
  Value Variable(const std::string& name, const Dims& dims);
  Value Product(const Value& a, bool transposed_a, const Value& b, bool transposed_b, const Dims& dims);
  Value Transpose(const Value& x, const Dims& order, const Dims& dims);
  Value Sum(const Value& x, const Dims& axes, const Dims& dims);
  Value Scale(const Value& x, float factor);
  std::vector<Value> Heads(const Value& qkv, std::int64_t heads);

  void OnTheWayBack(const Value& of, std::function<void(const Value&)> backward);
  void AddGradient(const Value& of, const Value& gradient);
  void AddUpdates(std::vector<ge::Operator>& targets);
  ge::Operator Update(const std::string& name, const Value& gradient);

  const TrainingArrays& arrays_;
  Optimizer optimizer_;
  int nodes_ = 0, values_ = 0;
  Value rate_;
  std::vector<Value> powers_;  // of Adam's two numbers, inputs of the graph: they change with every step
  std::vector<ge::Operator> inputs_;
  std::vector<std::string> variables_;
  std::map<std::string, Value> made_;                         // variables
  std::map<std::string, std::vector<ge::Operator>> readers_;  // of variables
  std::map<int, Value> gradients_;                            // by the number of the value
  std::vector<std::pair<std::string, Value>> weight_gradients_;
  std::vector<std::pair<Value, std::function<void(const Value&)>>> backward_;
};

}  // namespace bench
