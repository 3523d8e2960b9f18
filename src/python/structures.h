// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The structures of the C API that are dictionaries in Python. Keys are the names of the members.
#pragma once

#include "acl/acl_mdl.h"
#include "acl/acl_rt.h"
#include "python/arguments.h"
#include "python/results.h"

namespace foothold {

template <>
struct Structure<aclmdlIODims> {
  static Object ToPython(const aclmdlIODims& dims);
  static aclmdlIODims FromPython(PyObject* object);
};

template <>
struct Structure<aclmdlIODimsRange> {
  static Object ToPython(const aclmdlIODimsRange& range);
};

template <>
struct Structure<aclmdlBatch> {
  static Object ToPython(const aclmdlBatch& batch);
};

template <>
struct Structure<aclmdlHW> {
  static Object ToPython(const aclmdlHW& sizes);
};

template <>
struct Structure<aclAippInfo> {
  static Object ToPython(const aclAippInfo& info);
};

template <>
struct Structure<aclCANNPackageVersion> {
  static Object ToPython(const aclCANNPackageVersion& version);
};

template <>
struct Structure<aclrtUtilizationInfo> {
  static Object ToPython(const aclrtUtilizationInfo& rates);
};

template <>
struct Structure<aclrtPhysicalMemProp> {
  static Object ToPython(const aclrtPhysicalMemProp& property);
  static aclrtPhysicalMemProp FromPython(PyObject* object);
};

// A dict, or the address of a structure in C's layout.
template <typename T>
struct Argument<const T*, std::enable_if_t<kIsStructure<T>>> {
  static constexpr const char* kType = "dict | int";
  T value{};
  const T* pointer = nullptr;

  void Read(PyObject* object) {
    if (PyLong_Check(object)) {
      pointer = reinterpret_cast<const T*>(ReadInteger(object));
      return;
    }
    if (!PyDict_Check(object)) RefuseArgument("a dict", object);
    value = Structure<T>::FromPython(object);
    pointer = &value;
  }
  const T* Pass() { return pointer; }
};

}  // namespace foothold
