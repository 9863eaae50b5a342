# What `cmake --install` puts where, below the prefix:
#
#   bin/mpispec                          the driver; mpispec-cc and mpispec-c++ are names for it
#   libexec/mpispec/mpispec-analyze      the analysis, which the driver finds from where it stands
#   libexec/mpispec/mpispec-profile      reads profiles, likewise
#   libexec/mpispec/clang/include        Clang's own headers, without which it parses nothing
#   lib/mpispec/<name>/libmpispec.{a,so}  the runtime for each MPI library; the main one is lib/libmpispec.*, too (runtime/CMakeLists.txt installs it)
#   lib/mpispec-profiling.ld             what the linker provides where MPI is a shared library (likewise)
#   include/mpispec/*.h                  the templates, for people: the analysis carries its own copy
#                                        (templates/CMakeLists.txt installs them)
#   lib/cmake/mpispec/                   find_package(mpispec)
#   share/man/man1, share/doc/mpispec    the manual; README, licence and other pages, laid out as here
#
# Everything is found relative to the driver, so that the prefix can be moved. Every file is in the
# install manifest, once, so that removing what that names leaves none: nothing is made by install(CODE).
include(CMakePackageConfigHelpers)

install(TARGETS mpispec RUNTIME DESTINATION bin)
install(TARGETS mpispec-analyze mpispec-profile RUNTIME DESTINATION libexec/mpispec)
# LLVM's libraries may stand outside the loader's path; where they were linked is where they are.
set_target_properties(mpispec-analyze mpispec-profile PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

# Of Clang's headers those for C and C++: other languages' and offloading's are half of them.
execute_process(COMMAND "${LLVM_TOOLS_BINARY_DIR}/clang" -print-resource-dir
  OUTPUT_VARIABLE clang_resources OUTPUT_STRIP_TRAILING_WHITESPACE)
install(DIRECTORY "${clang_resources}/include/" DESTINATION libexec/mpispec/clang/include
  PATTERN "opencl-c*" EXCLUDE PATTERN "cuda_wrappers" EXCLUDE PATTERN "hlsl*" EXCLUDE
  PATTERN "hexagon*" EXCLUDE PATTERN "hvx*" EXCLUDE PATTERN "llvm_libc_wrappers" EXCLUDE
  PATTERN "zos_wrappers" EXCLUDE)

# In the build tree as well, so that tests can use the names.
file(MAKE_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
foreach(alias mpispec-cc mpispec-c++)
  file(CREATE_LINK mpispec "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${alias}" SYMBOLIC)
  install(PROGRAMS "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${alias}" DESTINATION bin)
  file(WRITE "${PROJECT_BINARY_DIR}/man/${alias}.1" ".so man1/mpispec.1\n")
  install(FILES "${PROJECT_BINARY_DIR}/man/${alias}.1" DESTINATION share/man/man1)
endforeach()

configure_file("${PROJECT_SOURCE_DIR}/docs/mpispec.1" "${PROJECT_BINARY_DIR}/man/mpispec.1" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/man/mpispec.1" DESTINATION share/man/man1)
foreach(page README.md LICENSE THIRD-PARTY.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION share/doc/mpispec)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION share/doc/mpispec
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")

set(package_bindir bin)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/mpispecConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/mpispecConfig.cmake" INSTALL_DESTINATION lib/cmake/mpispec
  PATH_VARS package_bindir)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mpispecConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mpispecConfig.cmake"
  "${PROJECT_BINARY_DIR}/mpispecConfigVersion.cmake" DESTINATION lib/cmake/mpispec)
