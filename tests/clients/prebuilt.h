// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs compiled elsewhere have in place of the public headers: the sizes, the inline code and the
// imported functions that wheels show. Nothing here comes from the headers of this project, so that the two
// can disagree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#define IMPORTED __attribute__((visibility("default")))

namespace ge {

enum Format : int32_t { FORMAT_ND = 2 };
enum DataType : int32_t { DT_FLOAT = 0 };

class IMPORTED Handle {
 private:
  std::shared_ptr<void> impl_;
};

class IMPORTED Shape : Handle {
 public:
  explicit Shape(const std::vector<int64_t>& dims);
};

class IMPORTED TensorDesc : Handle {
 public:
  explicit TensorDesc(Shape shape, Format format, DataType type);
  TensorDesc(const TensorDesc& desc);
};

class IMPORTED Tensor : Handle {
 public:
  Tensor();
  Tensor(const TensorDesc& desc, const uint8_t* data, size_t size);
  const uint8_t* GetData() const;
  size_t GetSize() const;
  uint32_t SetData(const std::string& data);
  uint32_t SetData(const std::vector<std::string>& data);
};

class IMPORTED Operator {
 public:
  Operator() = default;
  Operator(const std::string& name, const std::string& type);
  virtual ~Operator() = default;
  std::string GetName() const;
  std::string GetOpType() const;
  Operator& SetInput(const std::string& name, const Operator& source);
  Operator& SetInput(const std::string& name, const Operator& source, const std::string& port);
  Operator& SetAttr(const std::string& name, const std::string& value);
  Operator& SetAttr(const std::string& name, const std::vector<std::string>& value);
  Operator& SetAttr(const std::string& name, int64_t value);
  uint32_t GetAttr(const std::string& name, std::string& value) const;
  uint32_t GetAttr(const std::string& name, std::vector<std::string>& value) const;
  uint32_t UpdateInputDesc(const std::string& name, const TensorDesc& desc);
  uint32_t UpdateOutputDesc(const std::string& name, const TensorDesc& desc);

 private:
  std::shared_ptr<void> impl_;
};

class IMPORTED OperatorFactory {
 public:
  static Operator CreateOperator(const std::string& name, const std::string& type);
  static bool IsExistOp(const std::string& type);
};

class IMPORTED OperatorCreatorRegister {
 public:
  OperatorCreatorRegister(const std::string& type,
                          const std::function<Operator(const std::string&)>& creator);
};

class IMPORTED Graph : Handle {
 public:
  explicit Graph(const std::string& name);
  const std::string& GetName() const;
  Graph& SetInputs(const std::vector<Operator>& inputs);
  Graph& SetOutputs(const std::vector<std::pair<Operator, std::string>>& outputs);
};

using Texts = std::map<std::string, std::string>;
IMPORTED uint32_t GEInitialize(const Texts& options);
IMPORTED uint32_t GEFinalize();
IMPORTED std::string GEGetErrorMsg();

class IMPORTED Session {
 public:
  explicit Session(const Texts& options);
  ~Session();
  uint32_t AddGraph(uint32_t id, const Graph& graph, const Texts& options);
  uint32_t RunGraph(uint32_t id, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs);
  uint64_t GetSessionId() const;

 private:
  void* word_;
};

class IMPORTED StatusFactory {
 public:
  static StatusFactory* Instance();
  // The clients' own code, under a name that the library does not have.
  void Keep(uint32_t code, const char* text) {
    if (texts_.find(code) == texts_.end()) texts_[code] = text;
  }
  std::string TextOf(uint32_t code) const {
    const auto found = texts_.find(code);
    return found == texts_.end() ? std::string() : found->second;
  }
  size_t size() const { return texts_.size(); }

 private:
  std::map<uint32_t, std::string> texts_;
};

}  // namespace ge

static_assert(sizeof(ge::Session) == 8 && sizeof(ge::StatusFactory) == 48 && sizeof(ge::Operator) == 24,
              "as programs compiled elsewhere have them");
