# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Runs at installation: makes the names and folders of the toolkit tree that are links. `names` are the library names,
# `arch` the processor. All links are relative, so that the tree can be moved.
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")

function(make_link target link)
  get_filename_component(folder "${root}/${link}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  file(CREATE_LINK "${target}" "${root}/${link}" SYMBOLIC)
endfunction()

foreach(name IN LISTS names)
  make_link(libfoothold.so lib64/lib${name}.so)
  make_link(../libfoothold.so lib64/stub/lib${name}.so)
  make_link(../lib64/libfoothold.so devlib/lib${name}.so)
endforeach()

# Folders of older and newer trees.
foreach(folder IN ITEMS acllib atc compiler runtime fwkacllib ${arch}-linux)
  make_link(../include ${folder}/include)
  make_link(../lib64 ${folder}/lib64)
endforeach()
make_link(../devlib ${arch}-linux/devlib)

# Headers of operators that programs name with the folder of older trees.
make_link(../aclnn_gemm.h include/aclnnop/level2/aclnn_gemm.h)

# Headers of operators, as programs that have only include/ on their path write them.
make_link(../../../opp/built-in/op_proto/inc include/built-in/op_proto/inc)
make_link(../../../opp/built-in/op_proto/inc include/op_proto/built-in/inc)

file(GLOB headers RELATIVE "${root}/include" "${root}/include/*")
list(REMOVE_ITEM headers external)
foreach(folder IN LISTS headers)
  make_link(../${folder} include/external/${folder})
endforeach()

# CMake on Debian does not look for packages below lib64.
make_link(../../lib64/cmake/Foothold share/cmake/Foothold)

# Where programs look for the versions of packages.
foreach(package IN ITEMS compiler runtime opp opp_kernel hccl toolkit)
  make_link(../share/info/${package}/version.info ${package}/version.info)
endforeach()

# opp/op_proto/built-in must not exist: programs take it for a sign of an old toolkit.
make_link(../../../lib64/libfoothold.so opp/built-in/op_proto/libopsproto.so)
make_link(../../../../../../lib64/libfoothold.so opp/built-in/op_proto/lib/linux/${arch}/libopsproto.so)

# The tree as one that is reached by the link `latest`: programs look for that word in the paths of libraries.
file(GLOB parts RELATIVE "${root}" "${root}/*")
list(REMOVE_ITEM parts latest)
foreach(part IN LISTS parts)
  make_link(../${part} latest/${part})
endforeach()
