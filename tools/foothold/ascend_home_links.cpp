// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/ascend_home_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace foothold {
namespace {

namespace fs = std::filesystem;

// First line of the script that is made; tells it from the one of a genuine installation.
constexpr const char* kScriptMark = "# Made by foothold ascend-home";
constexpr const char* kScript =
    "; foothold ascend-home unlink removes it.\n"
    ". /usr/local/Ascend/ascend-toolkit/latest/set_env.sh\n";

bool Exists(const fs::path& path) {
  return fs::symlink_status(path).type() != fs::file_type::not_found;
}

[[noreturn]] void RefuseToMake(const fs::path& path, const std::error_code& error) {
  throw std::runtime_error(fmt::format("{} cannot be made: {}{}", path.string(), error.message(),
                                       error == std::errc::permission_denied ? "; run this with sudo" : ""));
}

void MakeLink(const fs::path& tree, const fs::path& link) {
  std::error_code error;
  fs::remove(link, error);
  if (!error) fs::create_directory_symlink(tree, link, error);
  if (error) RefuseToMake(link, error);
}

}  // namespace

bool IsToolkitTree(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "lib64/libfoothold.so", ignored) && fs::exists(folder / "set_env.sh", ignored);
}

AscendHomeLinks::AscendHomeLinks(const fs::path& root)
    : home_(root / "usr/local/Ascend"),
      toolkit_(home_ / "ascend-toolkit"),
      script_(toolkit_ / "set_env.sh"),
      links_{toolkit_ / "latest", home_ / "cann"} {}

// A link whose tree is gone cannot show whose it was; the script that was made with it can.
bool AscendHomeLinks::LeadsToFoothold(const fs::path& link) const {
  return IsToolkitTree(link) || (!fs::exists(link) && LookAtScript().state == State::kOurs);
}

AscendHomeLinks::Place AscendHomeLinks::LookAtLink(const fs::path& path) const {
  if (!Exists(path)) return {path, State::kAbsent, "not there"};
  if (!fs::is_symlink(path)) return {path, State::kForeign, "not a link of Foothold's"};
  const std::string target = fs::read_symlink(path).string();
  if (!LeadsToFoothold(path))
    return {path, State::kForeign, "a link to " + target + ", which is not Foothold"};
  return {path, State::kOurs, (fs::exists(path) ? "Foothold in " : "Foothold, but gone from ") + target};
}

AscendHomeLinks::Place AscendHomeLinks::LookAtScript() const {
  if (!Exists(script_)) return {script_, State::kAbsent, "not there"};
  std::ifstream file(script_);
  std::string line;
  std::getline(file, line);
  if (line.rfind(kScriptMark, 0) == 0) return {script_, State::kOurs, "sources the one of Foothold"};
  return {script_, State::kForeign, "not made by Foothold"};
}

std::vector<AscendHomeLinks::Place> AscendHomeLinks::Look() const {
  std::vector<Place> places{LookAtScript()};
  for (const fs::path& link : links_)
    places.push_back(LookAtLink(link));
  // Folders named after releases are installations even when nothing is called latest.
  if (fs::is_directory(toolkit_))
    for (const fs::directory_entry& entry : fs::directory_iterator(toolkit_))
      if (entry.path() != script_ && entry.path() != links_[0])
        places.push_back({entry.path(), State::kForeign, "not made by Foothold"});
  return places;
}

void AscendHomeLinks::RefuseForeign() const {
  for (const Place& place : Look())
    if (place.state == State::kForeign)
      throw std::runtime_error(
          fmt::format("{} is {}: this looks like a genuine installation, and nothing was changed. Source "
                      "the set_env.sh of the toolkit tree instead",
                      place.path.string(), place.meaning));
}

void AscendHomeLinks::WriteScript() const {
  std::error_code error;
  fs::create_directories(toolkit_, error);
  if (error) RefuseToMake(toolkit_, error);
  std::ofstream file(script_);
  file << kScriptMark << kScript;
  if (!file.flush()) RefuseToMake(script_, std::make_error_code(std::errc::permission_denied));
}

void AscendHomeLinks::Make(const fs::path& tree) const {
  if (!IsToolkitTree(tree))
    throw std::runtime_error(
        fmt::format("{} is not a toolkit tree of Foothold: it has no set_env.sh and lib64/libfoothold.so",
                    tree.string()));
  RefuseForeign();
  try {
    WriteScript();
    for (const fs::path& link : links_)
      MakeLink(tree, link);
  } catch (const std::runtime_error&) {
    Remove();
    throw;
  }
}

void AscendHomeLinks::RemoveEmptyFolders() const {
  std::error_code not_empty;  // then there is more than we made
  fs::remove(toolkit_, not_empty);
  fs::remove(home_, not_empty);
}

std::vector<fs::path> AscendHomeLinks::Remove() const {
  std::vector<fs::path> removed;
  for (const Place& place : Look()) {
    if (place.state != State::kOurs) continue;
    std::error_code error;
    if (!fs::remove(place.path, error) || error)
      throw std::runtime_error(
          fmt::format("{} cannot be removed: {}{}", place.path.string(), error.message(),
                      error == std::errc::permission_denied ? "; run this with sudo" : ""));
    removed.push_back(place.path);
  }
  if (!removed.empty()) RemoveEmptyFolders();
  return removed;
}

}  // namespace foothold
