// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One function of the module. The type of a C function says how Python calls it: in-parameters are its
// arguments, out-parameters come first in what it returns, the error code last. Where C and Python differ in
// more than that, a chapter binds a function of its own instead. The table of a chapter:
//
//   const Function kMemoryFunctions[] = {
//       Bind<aclrtMalloc>("malloc", "size, policy -> ptr, ret", "Allocates device memory."),
//   };
//
// Docstrings, type stubs and the table in docs/pyacl.md are made from these lines.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <tuple>

#include "acl/acl_base.h"
#include "python/arguments.h"
#include "python/caller.h"
#include "python/interpreter.h"
#include "python/results.h"

namespace foothold {

struct Parameter {
  const char* type;
  bool may_be_left_out;
};

struct Function {
  const char* name;
  const char* signature;  // "size, policy -> ptr, ret": names of the arguments, and of what is returned
  const char* text;
  std::string_view c_name;
  _PyCFunctionFast call;
  std::span<const Parameter> parameters;
  std::span<const char* const> results;  // types
  const Function** self;                 // where `call` finds this
};

// Makes the functions part of a module. The table must outlive the interpreter.
void Define(PyObject* module, std::span<const Function> functions);

// What Define got so far: (module, name, signature, text, C name, [(type, may be left out)...], [result
// types...]).
Object DefinedFunctions();

// Sets the Python exception for the C++ exception being handled.
PyObject* RaiseCurrent(const Function& function, Py_ssize_t argument);
PyObject* RaiseArgumentCount(const Function& function, Py_ssize_t count);

namespace binding {

template <auto kTarget>
constexpr std::string_view NameOf() {
  constexpr std::string_view name = __PRETTY_FUNCTION__;
  constexpr std::size_t start = name.find("kTarget = ") + 10;
  return name.substr(start, name.find_first_of(";]", start) - start);
}

template <typename P>
using Slot = typename std::conditional_t<kIsOutput<P>, std::type_identity<Output<P>>,
                                         std::type_identity<Argument<P>>>::type;

template <typename P>
constexpr auto ParameterOf() {
  if constexpr (kIsOutput<P>)
    return std::array<Parameter, 0>();
  else
    return std::array<Parameter, 1>{Parameter{Argument<P>::kType, kMayBeLeftOut<P>}};
}

template <typename P>
constexpr auto ResultOf() {
  if constexpr (kIsOutput<P>)
    return std::array<const char*, 1>{ResultType<typename Output<P>::Value>()};
  else
    return std::array<const char*, 0>();
}

template <typename T, std::size_t... N>
constexpr auto Join(const std::array<T, N>&... parts) {
  std::array<T, (N + ... + 0)> all{};
  [[maybe_unused]] std::size_t at = 0;
  [[maybe_unused]] const auto add = [&](const auto& part) {
    for (const T& item : part)
      all[at++] = item;
  };
  (add(parts), ...);
  return all;
}

template <typename R>
constexpr auto ReturnOf() {
  if constexpr (std::is_void_v<R>)
    return std::array<const char*, 0>();
  else
    return std::array<const char*, 1>{ResultType<R>()};
}

// `kQuick` functions only look something up, and keep the interpreter's lock.
template <auto kTarget, bool kQuick, typename R, typename... P>
struct CallWith {
  static constexpr auto kParameters = Join<Parameter>(ParameterOf<P>()...);
  static constexpr auto kResults = Join<const char*>(ResultOf<P>()..., ReturnOf<R>());
  static constexpr bool kKeepsLock = kQuick || (!std::is_void_v<R> && !std::is_same_v<R, aclError>) ||
                                     (std::is_same_v<P, Object> || ... || false) ||
                                     (std::is_same_v<P, std::optional<Object>> || ... || false);
  static inline const Function* self = nullptr;

  static PyObject* Run(PyObject*, PyObject* const* args, Py_ssize_t count) {
    Py_ssize_t at = 0;
    try {
      if (!FitsCount(count)) return RaiseArgumentCount(*self, count);
      std::tuple<Slot<P>...> slots;
      std::apply([&](auto&... slot) { (ReadSlot(slot, args, count, &at), ...); }, slots);
      at = -1;
      const Caller caller;
      return Invoke(slots).Release();
    } catch (const std::exception&) {  // not "...": threads that the interpreter ends unwind through here
      return RaiseCurrent(*self, at);
    }
  }

 private:
  static bool FitsCount(Py_ssize_t count) {
    Py_ssize_t least = 0;
    for (const Parameter& parameter : kParameters)
      least += parameter.may_be_left_out ? 0 : 1;
    return count >= least && count <= static_cast<Py_ssize_t>(kParameters.size());
  }

  template <typename S>
  static void ReadSlot(S& slot, PyObject* const* args, Py_ssize_t count, Py_ssize_t* at) {
    if constexpr (requires { slot.Read(args[0]); }) {
      if (*at < count) slot.Read(args[*at]);
      ++*at;
    }
  }

  static Object Invoke(std::tuple<Slot<P>...>& slots) {
    const auto call = [&] {
      return std::apply([](auto&... slot) { return kTarget(slot.Pass()...); }, slots);
    };
    if constexpr (std::is_void_v<R>) {
      kKeepsLock ? call() : WithoutGil(call);
      return Object::None();
    } else {
      const R result = kKeepsLock ? call() : WithoutGil(call);
      return Answer(slots, ToPython(result));
    }
  }

  static Object Answer(const std::tuple<Slot<P>...>& slots, Object last) {
    if constexpr (kResults.size() == 1) return last;
    Object answer = Object::Steal(PyTuple_New(kResults.size()));
    Py_ssize_t at = 0;
    std::apply([&](const auto&... slot) { (WriteSlot(slot, answer, &at), ...); }, slots);
    PyTuple_SET_ITEM(answer.get(), at, last.Release());
    return answer;
  }

  template <typename S>
  static void WriteSlot(const S& slot, const Object& answer, Py_ssize_t* at) {
    if constexpr (requires { typename S::Value; })
      PyTuple_SET_ITEM(answer.get(), (*at)++, ToPython(slot.value).Release());
  }
};

template <auto kTarget, bool kQuick, typename = decltype(kTarget)>
struct Call;
template <auto kTarget, bool kQuick, typename R, typename... P>
struct Call<kTarget, kQuick, R (*)(P...)> : CallWith<kTarget, kQuick, R, std::remove_cvref_t<P>...> {};

template <auto kTarget, bool kQuick>
constexpr Function Make(const char* name, const char* signature, const char* text, const char* c_name) {
  using Called = Call<kTarget, kQuick>;
  return {name,
          signature,
          text,
          c_name != nullptr ? c_name : NameOf<kTarget>(),
          Called::Run,
          Called::kParameters,
          Called::kResults,
          &Called::self};
}

}  // namespace binding

// `c_name` is for functions of our own that stand for one of C.
template <auto kTarget>
constexpr Function Bind(const char* name, const char* signature, const char* text,
                        const char* c_name = nullptr) {
  return binding::Make<kTarget, false>(name, signature, text, c_name);
}

template <auto kTarget>
constexpr Function BindQuick(const char* name, const char* signature, const char* text,
                             const char* c_name = nullptr) {
  return binding::Make<kTarget, true>(name, signature, text, c_name);
}

}  // namespace foothold
