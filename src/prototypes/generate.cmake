# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# What is written from the table of prototypes: the data of the library here, the public headers in op_headers.
set(ops_tools ${PROJECT_SOURCE_DIR}/tools/ops)
file(GLOB prototype_table CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/table/*.txt ${CMAKE_CURRENT_LIST_DIR}/table/*.lst)
list(APPEND prototype_table ${ops_tools}/prototype_table.py)

set(prototype_data ${CMAKE_CURRENT_BINARY_DIR}/prototype_data.cpp)
add_custom_command(OUTPUT ${prototype_data}
                   COMMAND /usr/bin/python3 ${ops_tools}/write_prototype_data.py ${prototype_data}
                   DEPENDS ${prototype_table} ${ops_tools}/write_prototype_data.py
                   COMMENT "Writing the prototype table")
target_sources(foothold_prototypes PRIVATE ${prototype_data})
