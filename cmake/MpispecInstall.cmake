# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The files that `cmake --install` installs below the prefix, by component. The directories are the defaults of
# GNUInstallDirs. The component `compiler` is left out without MPISPEC_COMPILER.
#
#   runtime:
#   bin/mpispec                          the driver; without MPISPEC_COMPILER, `mpispec run|runtime|doctor`
#   lib/mpispec/<name>/libmpispec.a, libmpispec-<name>.so.<version>, libmpispec.so
#                                        the runtime for each MPI library, static and shared, and a link to the shared
#                                        library (runtime/CMakeLists.txt installs these files)
#   lib/libmpispec.*                     links to the main runtime
#   lib/libmpispec-<name>.so.<version>   links to the shared libraries, for programs that are linked with them
#   lib/mpispec-profiling.ld             a linker script for links with a shared MPI library (docs/Runtime.md)
#   lib/pkgconfig/mpispec*.pc            for the main runtime, and for each runtime by its name
#   lib/cmake/mpispec/                   find_package(mpispec)
#
#   compiler:
#   bin/mpispec-cc, bin/mpispec-c++      names for the driver
#   libexec/mpispec/mpispec-analyze      the analysis
#   libexec/mpispec/mpispec-profile      the program behind `mpispec profile`
#   libexec/mpispec/mpispec-analyze-fortran, libexec/mpispec/flang
#                                        the analysis of Fortran with flang's own modules, if MPISPEC_FORTRAN is on
#   libexec/mpispec/clang/include        Clang's own headers, which the analysis needs to parse a source
#   include/mpispec/*.h                  the templates, for readers: the analysis contains a copy
#                                        (templates/CMakeLists.txt installs them)
#
#   doc:
#   share/man/man1, share/doc/mpispec    the manual; README, licence, other pages and the examples, in the same
#                                        directories as in the repository
#
# The driver finds all files relative to its own path, so that the prefix can be moved. The install manifest names each
# file once, so that no file is left after the named files are removed. Therefore nothing here uses install(CODE).
include(CMakePackageConfigHelpers)

install(TARGETS mpispec RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

function(mpispec_install_compiler)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME compiler)
  set(programs "${CMAKE_INSTALL_LIBEXECDIR}/mpispec")
  install(TARGETS mpispec-analyze mpispec-profile RUNTIME DESTINATION "${programs}")
  # LLVM's libraries may be outside the loader's path. They are at the place where they were linked.
  set_target_properties(mpispec-analyze mpispec-profile PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

  if(MPISPEC_FORTRAN)
    install(TARGETS mpispec-analyze-fortran RUNTIME DESTINATION "${programs}")
    set_target_properties(mpispec-analyze-fortran PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    file(GLOB modules "${MPISPEC_FLANG_MODULES}/*.mod")
    install(FILES ${modules} DESTINATION "${programs}/flang")
  endif()

  # Clang's headers for C and C++ only: those for other languages and for offloading are half of all headers.
  execute_process(COMMAND "${LLVM_TOOLS_BINARY_DIR}/clang" -print-resource-dir
    OUTPUT_VARIABLE clang_resources OUTPUT_STRIP_TRAILING_WHITESPACE)
  install(DIRECTORY "${clang_resources}/include/" DESTINATION "${programs}/clang/include"
    PATTERN "opencl-c*" EXCLUDE PATTERN "cuda_wrappers" EXCLUDE PATTERN "hlsl*" EXCLUDE
    PATTERN "hexagon*" EXCLUDE PATTERN "hvx*" EXCLUDE PATTERN "llvm_libc_wrappers" EXCLUDE
    PATTERN "zos_wrappers" EXCLUDE)

  # In the build tree as well, so that tests can use the names.
  file(MAKE_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  foreach(alias mpispec-cc mpispec-c++)
    file(CREATE_LINK mpispec "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${alias}" SYMBOLIC)
    install(PROGRAMS "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${alias}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
    file(WRITE "${PROJECT_BINARY_DIR}/man/${alias}.1" ".so man1/mpispec.1\n")
    install(FILES "${PROJECT_BINARY_DIR}/man/${alias}.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  endforeach()
endfunction()
if(MPISPEC_COMPILER)
  mpispec_install_compiler()
endif()

set(subcommands "${PROJECT_SOURCE_DIR}/tools/mpispec/run/Subcommands.def")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${subcommands}" cmake/manual.py docs/mpispec.1)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/man")
execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/cmake/manual.py" "${subcommands}"
  "${PROJECT_SOURCE_DIR}/docs/mpispec.1" "${PROJECT_BINARY_DIR}/man/mpispec.1.in" COMMAND_ERROR_IS_FATAL ANY)
configure_file("${PROJECT_BINARY_DIR}/man/mpispec.1.in" "${PROJECT_BINARY_DIR}/man/mpispec.1" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/man/mpispec.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT doc)
foreach(page README.md LICENSE THIRD-PARTY.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
foreach(recipes modules spack easybuild conda) # docs/how-to/modules.md links to them
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/packaging/${recipes}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/packaging"
          COMPONENT doc)
endforeach()

list(GET MPISPEC_RUNTIMES 0 MPISPEC_MAIN_RUNTIME)
set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/mpispec")
set(package_bindir "${CMAKE_INSTALL_BINDIR}")
set(package_libdir "${CMAKE_INSTALL_LIBDIR}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/mpispecConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/mpispecConfig.cmake" INSTALL_DESTINATION "${package_directory}"
  PATH_VARS package_bindir package_libdir)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mpispecConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mpispecConfig.cmake"
  "${PROJECT_BINARY_DIR}/mpispecConfigVersion.cmake" DESTINATION "${package_directory}")

# pkg-config: mpispec.pc is for the main runtime, mpispec-<name>.pc for the runtime <name>. Paths are relative to the
# file.
set(pkgconfig_directory "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH libdir_from_pkgconfig "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_FULL_LIBDIR}")
function(mpispec_install_pkgconfig file below title)
  set(PC_LIBDIR "\${pcfiledir}/${libdir_from_pkgconfig}${below}")
  set(PC_TITLE "${title}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/mpispec.pc.in" "${PROJECT_BINARY_DIR}/pkgconfig/${file}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/pkgconfig/${file}.pc" DESTINATION "${pkgconfig_directory}")
endfunction()
mpispec_install_pkgconfig(mpispec "" "${MPISPEC_MAIN_RUNTIME}")
foreach(name IN LISTS MPISPEC_RUNTIMES)
  mpispec_install_pkgconfig(mpispec-${name} "/mpispec/${name}" "${name}")
endforeach()
