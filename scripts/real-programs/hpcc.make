# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The makefile fragment hpl/Make.check, which HPC Challenge's build includes. @COMPILER@ becomes the compiler command
# (scripts/hpcc.sh).
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir -p
RM = rm -f
TOUCH = touch
ARCH = $(arch)
TOPdir = ../../..
INCdir = $(TOPdir)/include
BINdir = $(TOPdir)/bin/$(ARCH)
LIBdir = $(TOPdir)/lib/$(ARCH)
HPLlib = $(LIBdir)/libhpl.a
HPL_LIBS = $(HPLlib) -lblas -lm
HPL_DEFS = -DHPL_CALL_CBLAS -I$(INCdir) -I$(INCdir)/$(ARCH)
CC = @COMPILER@
CCNOOPT = $(HPL_DEFS)
CCFLAGS = $(HPL_DEFS) -fomit-frame-pointer -O3 -funroll-loops -W -Wall
LINKER = @COMPILER@
LINKFLAGS = $(CCFLAGS)
ARCHIVER = ar
ARFLAGS = r
RANLIB = ranlib
