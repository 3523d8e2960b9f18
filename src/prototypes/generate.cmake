# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# What is written from the table of prototypes: the data of the library, and the public headers of the operators.
set(ops_tools ${PROJECT_SOURCE_DIR}/tools/ops)
file(GLOB prototype_table CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/table/*.txt ${CMAKE_CURRENT_LIST_DIR}/table/*.lst)
list(APPEND prototype_table ${ops_tools}/prototype_table.py)

set(prototype_data ${CMAKE_CURRENT_BINARY_DIR}/prototype_data.cpp)
add_custom_command(OUTPUT ${prototype_data}
                   COMMAND /usr/bin/python3 ${ops_tools}/write_prototype_data.py ${prototype_data}
                   DEPENDS ${prototype_table} ${ops_tools}/write_prototype_data.py
                   COMMENT "Writing the prototype table")
target_sources(foothold_prototypes PRIVATE ${prototype_data})

# The headers as the toolkit tree has them; a program built in this tree links op_headers to include them.
set(FOOTHOLD_OP_HEADERS ${CMAKE_BINARY_DIR}/op_headers)
add_custom_command(OUTPUT ${FOOTHOLD_OP_HEADERS}.written
                   COMMAND ${CMAKE_COMMAND} -E rm -rf ${FOOTHOLD_OP_HEADERS}
                   COMMAND /usr/bin/python3 ${ops_tools}/write_op_headers.py ${FOOTHOLD_OP_HEADERS}
                   COMMAND ${CMAKE_COMMAND} -E touch ${FOOTHOLD_OP_HEADERS}.written
                   DEPENDS ${prototype_table} ${ops_tools}/write_op_headers.py
                   COMMENT "Writing the headers of the operators")
add_custom_target(write_op_headers ALL DEPENDS ${FOOTHOLD_OP_HEADERS}.written)
add_library(op_headers INTERFACE)
add_dependencies(op_headers write_op_headers)
target_include_directories(op_headers INTERFACE ${FOOTHOLD_OP_HEADERS}/opp/built-in/op_proto/inc
                           ${PROJECT_SOURCE_DIR}/include)
install(DIRECTORY ${FOOTHOLD_OP_HEADERS}/ DESTINATION .)
