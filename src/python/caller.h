// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tells the library, while it checks the program, which functions of Python a call comes from: reports show
// them. Made and gone with the interpreter's lock held.
#pragma once

namespace foothold {

class Caller {
 public:
  Caller() {
    if (Checks()) Tell();
  }
  ~Caller() {
    if (told_) Forget();
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

 private:
  static bool Checks();
  void Tell();
  static void Forget();

  bool told_ = false;
};

}  // namespace foothold
