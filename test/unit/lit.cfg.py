# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# GoogleTest programs of the unit suite, one lit test a case.
import os
import lit.formats

config.name = "mpispec-unit"
config.test_format = lit.formats.GoogleTest(".", "-tests")
config.suffixes = []
config.test_source_root = os.path.join(config.build_root, "test", "unit")
config.test_exec_root = config.test_source_root
