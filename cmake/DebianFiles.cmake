# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cpack runs this script after it has installed the components, and before it packs them. The script writes the licence
# and the changes of each Debian package into share/doc/<package>, and compresses the manual pages.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()

file(READ "${CPACK_MPISPEC_SOURCE}/LICENSE" license)
string(FIND "${license}" "LLVM Exceptions to the Apache 2.0 License" exceptions)
string(SUBSTRING "${license}" ${exceptions} -1 exceptions)
file(READ "${CPACK_MPISPEC_SOURCE}/THIRD-PARTY.md" third_party)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share")
  set(directory "${root}/doc/mpispec-${component}")
  file(WRITE "${directory}/copyright" "Copyright: the mpispec authors
License: Apache-2.0 WITH LLVM-exception

The text of the Apache License is in /usr/share/common-licenses/Apache-2.0,
that of the GNU General Public License in /usr/share/common-licenses/GPL-3.

${exceptions}\n${third_party}")
  file(WRITE "${directory}/changelog" "mpispec (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * CHANGELOG.md in the package mpispec-doc has the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB manuals "${root}/man/man1/*.1")
  execute_process(COMMAND gzip -9n "${directory}/changelog" ${manuals} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
