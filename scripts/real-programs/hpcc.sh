# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# HPC Challenge: a makefile, which includes that of HPL, and a fragment that names the compilers. scripts/hpcc.sh has
# more tests of this program.
package=hpcc build_system=make needs='libblas-dev'

build_program() {
  sed "s#@CC@#$mpicc#" >hpl/Make.check <<'FRAGMENT' && make -j "$jobs" -O arch=check
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
CC = @CC@
CCNOOPT = $(HPL_DEFS)
CCFLAGS = $(HPL_DEFS) -fomit-frame-pointer -O3 -funroll-loops -W -Wall
LINKER = @CC@
LINKFLAGS = $(CCFLAGS)
ARCHIVER = ar
ARFLAGS = r
RANLIB = ranlib
FRAGMENT
}

run_tests() {
  for ranks in 2 4; do
    sed "6s/^1000/400 /; 11s/^2/$((ranks / 2))/" _hpccinf.txt >hpccinf.txt
    rm -f hpccoutf.txt
    # shellcheck disable=SC2016 # for the ranks
    run "hpcc-$ranks" "$ranks" sh -c './hpcc && { [ "$PMI_RANK" != 0 ] || cat hpccoutf.txt; }'
  done
}

# Nearly all that it prints are times and rates; what is left are residuals and verdicts.
digits() { grep -vE '^(WALL|CPU) ' | grep -E '\|\||PASSED|FAILED|[Ee]rror|Success|Begin of|End of' || true; }
