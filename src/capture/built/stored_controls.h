// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What says in a stored stream how the run of its model goes on: aclrtActiveStream, aclrtSwitchStream,
// aclrtSetLabel, aclrtSwitchLabelByIndex, aclmdlRIEndTask. These name streams and labels; when the model is
// built each becomes a control that knows their lanes. Immutable. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/control.h"
#include "device/label.h"
#include "device/stream.h"

namespace foothold {

class LabelMark;

struct LabelPlace {
  std::size_t lane;
  const LabelMark* mark;
};

// Where the streams and labels of a model are.
class ModelMap {
 public:
  virtual std::optional<std::size_t> LaneOf(const StreamRef& stream) const = 0;
  virtual std::optional<LabelPlace> PlaceOf(const LabelState& label) const = 0;

 protected:
  ~ModelMap() = default;
};

class StoredControl : public Control {
 public:
  // What the lane `lane` of a model runs in its stead; null for itself.
  virtual std::shared_ptr<Control> Resolve(const ModelMap& map, std::size_t lane) const = 0;

  Outcome Reach(LaneRun& lane, Stream& stream) override;
  bool fits_line() const override { return false; }
};

class StreamActivation final : public StoredControl {
 public:
  explicit StreamActivation(const StreamRef& started) : started_(started) {}
  std::shared_ptr<Control> Resolve(const ModelMap& map, std::size_t lane) const override;
  std::string Describe() const override;

 private:
  const StreamRef started_;
};

// Two values in device memory and how they are compared.
class StoredComparison {
 public:
  enum class Sign { kEqual = 0, kNotEqual, kGreater, kGreaterOrEqual, kLess, kLessOrEqual };

  // `bytes` is 4 or 8. Throws 107000 for what is not device memory.
  StoredComparison(void* left, Sign sign, void* right, std::size_t bytes);
  // Now. Throws 507013 if the memory is gone.
  bool Holds() const;
  std::string Describe() const;
  void ListAccesses(std::vector<Access>& list) const;

 private:
  std::int64_t Read(const void* address, std::uint64_t serial, const char* name) const;

  void* left_;
  void* right_;
  std::size_t bytes_;
  std::uint64_t left_serial_;
  std::uint64_t right_serial_;
  Sign sign_;
};

class StreamSwitch final : public StoredControl {
 public:
  StreamSwitch(const StoredComparison& comparison, const StreamRef& chosen)
      : comparison_(comparison), chosen_(chosen) {}
  std::shared_ptr<Control> Resolve(const ModelMap& map, std::size_t lane) const override;
  std::string Describe() const override;
  void ListAccesses(std::vector<Access>& list) const override { comparison_.ListAccesses(list); }

 private:
  const StoredComparison comparison_;
  const StreamRef chosen_;
};

// The place a label is set at.
class LabelMark final : public StoredControl {
 public:
  explicit LabelMark(std::shared_ptr<const LabelState> label) : label_(std::move(label)) {}
  const LabelState& label() const { return *label_; }
  std::shared_ptr<Control> Resolve(const ModelMap&, std::size_t) const override { return nullptr; }
  Outcome Reach(LaneRun&, Stream&) override { return Outcome::kDone; }
  std::string Describe() const override;

 private:
  const std::shared_ptr<const LabelState> label_;
};

// A label chosen by an index in device memory.
class StoredChoice {
 public:
  // Beyond `count` is the last one.
  StoredChoice(void* index, std::uint32_t count, std::shared_ptr<const LabelListState> list);
  std::size_t Index() const;  // now; throws 507013 if the memory is gone
  std::size_t count() const { return count_; }
  const LabelState& label(std::size_t index) const { return *list_->labels[index]; }
  std::string Describe() const;
  void ListAccesses(std::vector<Access>& list) const;

 private:
  std::shared_ptr<const LabelListState> list_;
  void* index_;
  std::uint64_t serial_;
  std::uint32_t count_;
};

class LabelSwitch final : public StoredControl {
 public:
  explicit LabelSwitch(StoredChoice choice) : choice_(std::move(choice)) {}
  std::shared_ptr<Control> Resolve(const ModelMap& map, std::size_t lane) const override;
  std::string Describe() const override { return choice_.Describe(); }
  void ListAccesses(std::vector<Access>& list) const override { choice_.ListAccesses(list); }

 private:
  const StoredChoice choice_;
};

// The run ends in this lane.
class ModelEnd final : public StoredControl {
 public:
  std::shared_ptr<Control> Resolve(const ModelMap&, std::size_t) const override { return nullptr; }
  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override { return ""; }
};

}  // namespace foothold
