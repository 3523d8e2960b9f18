# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Source this file, from bash or zsh and from any folder, to build and run programs against this toolkit tree. Sourcing
# it again changes nothing; sourcing the file of another tree puts that tree in front.
if [ -n "${BASH_VERSION:-}" ]; then
  _foothold_root="${BASH_SOURCE[0]}"
elif [ -n "${ZSH_VERSION:-}" ]; then
  eval '_foothold_root="${(%):-%x}"'
else
  echo "set_env.sh: source this file from bash or zsh" >&2
  return 1
fi
_foothold_root="$(CDPATH='' cd -- "$(dirname -- "$_foothold_root")" && pwd)" || return 1

# Puts the folder $2 in front of the list $1, and takes it out of where it was.
_foothold_prepend() {
  eval "_foothold_rest=\":\${$1:-}:\""
  while case "$_foothold_rest" in *":$2:"*) true ;; *) false ;; esac; do
    _foothold_rest="${_foothold_rest%%":$2:"*}:${_foothold_rest#*":$2:"}"
  done
  _foothold_rest="${_foothold_rest#:}"
  _foothold_rest="${_foothold_rest%:}"
  export "$1=$2${_foothold_rest:+:$_foothold_rest}"
}

export ASCEND_TOOLKIT_HOME="$_foothold_root"
export ASCEND_HOME_PATH="$_foothold_root"
export ASCEND_OPP_PATH="$_foothold_root/opp"
_foothold_prepend LD_LIBRARY_PATH "$_foothold_root/lib64"
# Programs look for this word in the path their libraries were loaded by.
_foothold_prepend LD_LIBRARY_PATH "$_foothold_root/latest/lib64"
_foothold_prepend PATH "$_foothold_root/bin"
_foothold_prepend PYTHONPATH "$_foothold_root/python/site-packages"
_foothold_prepend PKG_CONFIG_PATH "$_foothold_root/lib64/pkgconfig"
_foothold_prepend CMAKE_PREFIX_PATH "$_foothold_root"

unset _foothold_root _foothold_rest
unset -f _foothold_prepend
