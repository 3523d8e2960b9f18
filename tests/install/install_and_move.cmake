# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
file(REMOVE_RECURSE ${first} ${tree})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${build} --prefix ${first} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${first} ${tree})
