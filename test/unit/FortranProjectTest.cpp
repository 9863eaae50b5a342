//===- FortranProjectTest.cpp - Modules in Fortran text, and options of its compilers ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/FortranProject.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace mpispec;

namespace {

using Names = std::vector<std::string>;

TEST(FortranModules, Definitions) {
  ModulesOfText Found = findModules("MODULE Halo ! exchanges\n"
                                    "  module procedure send_real\n"
                                    "  module subroutine later(x)\n"
                                    "end module Halo\n"
                                    "  module mesh\n"
                                    "! module comment\n");
  EXPECT_EQ(Found.Defined, (Names{"halo", "mesh"}));
  EXPECT_TRUE(Found.Used.empty());
}

TEST(FortranModules, Uses) {
  ModulesOfText Found = findModules("  use MPI\n"
                                    "use, intrinsic :: iso_c_binding\n"
                                    "use, non_intrinsic :: Own, only: x\n"
                                    "use :: consts, dp => double\n"
                                    "submodule (parent:child) grandchild\n"
                                    "user = 1\n");
  EXPECT_EQ(Found.Used, (Names{"mpi", "own", "consts", "parent"}));
  EXPECT_TRUE(Found.Defined.empty());
}

FortranSource read(StringRef File, const Names &Words) {
  FortranSource Source;
  Source.File = File.str();
  readFortranOptions(Words, Source);
  return Source;
}

TEST(FortranOptions, FormIsTheSuffixesUnlessAnOptionChangesIt) {
  EXPECT_TRUE(read("a.F", {}).IsFixedForm);
  EXPECT_TRUE(read("a.for", {}).IsFixedForm);
  EXPECT_FALSE(read("a.F90", {}).IsFixedForm);
  EXPECT_TRUE(read("a.f90", {"-ffixed-form"}).IsFixedForm);
  EXPECT_FALSE(read("a.f", {"-ffree-form"}).IsFixedForm);
  EXPECT_TRUE(read("a.f90", {"-fixed"}).IsFixedForm);
  EXPECT_FALSE(read("a.f", {"-free"}).IsFixedForm);
}

TEST(FortranOptions, Columns) {
  EXPECT_EQ(read("a.f", {}).Columns, 72U);
  EXPECT_EQ(read("a.f", {"-ffixed-line-length-132"}).Columns, 132U);
  EXPECT_GT(read("a.f", {"-ffixed-line-length-none"}).Columns, 1000U);
  EXPECT_EQ(read("a.f", {"-ffixed-line-length=100"}).Columns, 100U);
  EXPECT_EQ(read("a.f", {"-extend-source"}).Columns, 132U);
}

TEST(FortranOptions, DefaultKinds) {
  EXPECT_EQ(read("a.f90", {}).RealKind, 4U);
  EXPECT_EQ(read("a.f90", {"-fdefault-integer-8"}).IntegerKind, 8U);
  FortranSource Wide = read("a.f90", {"-fdefault-real-8"});
  EXPECT_EQ(Wide.RealKind, 8U);
  EXPECT_EQ(Wide.DoubleKind, 16U);
  EXPECT_EQ(read("a.f90", {"-fdefault-real-8", "-fdefault-double-8"}).DoubleKind, 8U);
  EXPECT_EQ(read("a.f90", {"-r8"}).DoubleKind, 8U);
  EXPECT_EQ(read("a.f90", {"-integer-size", "64"}).IntegerKind, 8U);
  EXPECT_EQ(read("a.f90", {"-real-size", "64"}).RealKind, 8U);
  EXPECT_EQ(read("a.f90", {"-real-size", "32"}).RealKind, 4U);
  EXPECT_EQ(read("a.f90", {"-freal-4-real-8"}).RealKind, 8U);
  EXPECT_EQ(read("a.f90", {"-freal-4-real-8"}).DoubleKind, 8U);
  EXPECT_EQ(read("a.f90", {"-freal-8-real-16"}).DoubleKind, 16U);
  EXPECT_EQ(read("a.f90", {"-finteger-4-integer-8"}).IntegerKind, 8U);
}

TEST(FortranRequest, JSON) {
  FortranRequest Request;
  Request.Jobs = 3;
  Request.Sources.push_back(read("a.f", {"-fopenmp"}));
  Request.Sources[0].Preprocess = {"gfortran", "-E", "a.f"};
  Request.Sources[0].IsAsked = false;
  Expected<FortranRequest> Again =
      json::parse<FortranRequest>(formatv("{0}", toJSON(Request)).str());
  ASSERT_TRUE(static_cast<bool>(Again));
  ASSERT_EQ(Again->Sources.size(), 1U);
  EXPECT_EQ(Again->Jobs, 3U);
  EXPECT_EQ(Again->Sources[0].File, "a.f");
  EXPECT_EQ(Again->Sources[0].Preprocess.size(), 3U);
  EXPECT_TRUE(Again->Sources[0].HasOpenMP);
  EXPECT_TRUE(Again->Sources[0].IsFixedForm);
  EXPECT_FALSE(Again->Sources[0].IsAsked);
}

} // namespace
