# find_package(aclemu): headers and libraries as imported targets. A program links aclemu::aclemu, which is all of them.
get_filename_component(_aclemu_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

foreach(_aclemu_name ascendcl nnopbase opapi_nn opapi_math)
    if(NOT TARGET aclemu::${_aclemu_name})
        add_library(aclemu::${_aclemu_name} SHARED IMPORTED)
        set_target_properties(aclemu::${_aclemu_name} PROPERTIES
            IMPORTED_LOCATION "${_aclemu_root}/lib64/lib${_aclemu_name}.so"
            IMPORTED_SONAME "lib${_aclemu_name}.so"
            INTERFACE_INCLUDE_DIRECTORIES "${_aclemu_root}/include"
        )
    endif()
endforeach()

if(NOT TARGET aclemu::aclemu)
    add_library(aclemu::aclemu INTERFACE IMPORTED)
    set_target_properties(aclemu::aclemu PROPERTIES
        INTERFACE_LINK_LIBRARIES "aclemu::opapi_nn;aclemu::opapi_math;aclemu::nnopbase;aclemu::ascendcl"
    )
endif()

unset(_aclemu_name)
unset(_aclemu_root)
