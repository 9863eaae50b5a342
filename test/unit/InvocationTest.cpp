//===- InvocationTest.cpp - Reading compiler commands -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Commands.h"
#include "Driver/Settings.h"
#include "gtest/gtest.h"

using namespace mpispec;

static Invocation read(const char *Text, bool CXX = false) {
  return parseInvocation(splitWords(Text), CXX);
}

TEST(Invocation, KnowsWhichOptionsTakeTheNextWord) {
  Invocation I = read("-D A -DB -I dir -include x.h -Xlinker y.c -MF z.c -o w.c real.c -l m.c");
  ASSERT_EQ(I.sources().size(), 1u);
  EXPECT_EQ(I.Arguments[I.sources()[0]].Value, "real.c");
  EXPECT_EQ(I.last(Meaning::Output), "w.c");
  EXPECT_EQ(I.last(Meaning::DependencyFile), "z.c");
}

TEST(Invocation, TakesTheLongestSpelling) {
  EXPECT_TRUE(read("-MMD x.c").has(Meaning::Dependencies));
  EXPECT_FALSE(read("-MMD x.c").has(Meaning::PassThrough));
  EXPECT_TRUE(read("-MM x.c").has(Meaning::PassThrough));
  EXPECT_TRUE(read("-iquote a").has(Meaning::QuotePath));
  EXPECT_TRUE(read("-Wl,-r").has(Meaning::LinkerList));
  EXPECT_FALSE(read("-rdynamic").has(Meaning::NoRuntime));
}

TEST(Invocation, LanguageIsBySuffixCompilerAndOption) {
  EXPECT_EQ(read("a.c").Arguments[0].Lang, "c");
  EXPECT_EQ(read("a.c", /*CXX=*/true).Arguments[0].Lang, "c++");
  EXPECT_EQ(read("a.C").Arguments[0].Lang, "c++");
  EXPECT_EQ(read("a.o").Arguments[0].M, Meaning::Object);
  EXPECT_EQ(read("a.S").sources().size(), 0u);
  EXPECT_EQ(read("-").Arguments[0].Lang, "stdin");
  Invocation I = read("-x c++ a.txt -x none b.c c.txt");
  EXPECT_EQ(I.Arguments[1].Lang, "c++");
  EXPECT_EQ(I.Arguments[3].Lang, "c");
  EXPECT_EQ(I.Arguments[4].M, Meaning::Object);
}

TEST(Invocation, OutputIsWhatTheCompilerWouldCallIt) {
  EXPECT_EQ(read("-c dir/a.c").output(1), "a.o");
  EXPECT_EQ(read("-S dir/a.b.c").output(1), "a.b.s");
  EXPECT_EQ(read("dir/a.c").output(0), "a.out");
  EXPECT_EQ(read("-c a.c -o x").output(1), "x");
  EXPECT_EQ(read("-c -emit-llvm a.c").output(2), "a.bc");
}

TEST(Invocation, QuotingIsReadBackAsItWas) {
  CommandLine Words = {"a b", "it's", "\"x\"", "$HOME", "plain", "ö"};
  EXPECT_EQ(splitWords(quoted(Words)), Words);
}

static std::string step(CommandLine Words) { return quoted(Words); }

TEST(Commands, WhatActsOnceActsInPreprocessingOnly) {
  Toolchain T;
  T.Compiler = {"gcc"};
  Invocation I = read("-DA -include f.h -finput-charset=latin1 -O2 -MMD -lm -Werror -c a.c");
  unsigned Index = I.sources()[0];
  EXPECT_EQ(step(preprocessCommand(T, I, Index, DependencyFiles::Write)),
            "gcc -DA -include f.h -finput-charset=latin1 -O2 -MMD -MF a.d -MQ a.o -E a.c");
  EXPECT_EQ(step(preprocessCommand(T, I, Index, DependencyFiles::AlreadyWritten)),
            "gcc -DA -include f.h -finput-charset=latin1 -O2 -E a.c");
  EXPECT_EQ(step(compileTextCommand(T, I, Index, "T/a.c", "a.o")),
            "gcc -O2 -lm -c -o a.o -x cpp-output T/a.c");
}

TEST(Commands, ObjectsStandWhereTheirSourcesStood) {
  Toolchain T;
  T.Compiler = {"gcc"};
  Invocation I = read("-DA x.o a.c b.c -L. -lown -lmpi -lm -o prog");
  EXPECT_EQ(step(linkCommand(T, I, {{2, "T/a.o"}}, "prog", {"libmpispec.a"})),
            "gcc -DA x.o T/a.o b.c -L. -lown libmpispec.a -lmpi -lm -o prog");
  EXPECT_EQ(step(linkCommand(T, I, {{2, "T/a.o"}, {3, "T/b.o"}}, "prog", {})),
            "gcc x.o T/a.o T/b.o -L. -lown -lmpi -lm -o prog");
}

TEST(Settings, TheTimeLimitGrowsWithTheText) {
  Settings S;
  EXPECT_EQ(timeLimit(S, 0), 20u);
  EXPECT_EQ(timeLimit(S, 5000000), 20u);
  EXPECT_EQ(timeLimit(S, 10000000), 40u);
  S.TimeLimit = 0;
  EXPECT_EQ(timeLimit(S, 10000000), 0u);
}
