/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kind of machine that the costs of long messages were measured on: one line of text. A cost
 * model whose line is another one is not used here.
 *
 *   GenuineIntel 6 207 2, caches 2048K 266240K, KVMKVMKVM, Linux 6.18.44, mpispec <versions>
 *
 * It names vendor, family, model and stepping of the processor, and its second and third level of
 * cache. It also names the hypervisor, and the kernel, whose calls copy messages. The last parts
 * are the version of the runtime and the identities of what it shares with programs and between
 * ranks. A hyphen replaces a part that Linux does not provide. */
#ifndef MPISPEC_RUNTIME_MACHINE_KEY_H
#define MPISPEC_RUNTIME_MACHINE_KEY_H

#ifdef __cplusplus
extern "C" {
#endif

enum { MPISPEC_MACHINE_KEY_BYTES = 256 };

/* Fills in the line of this machine, without a line end. The first call reads it
 * from the system. */
void mpispec_machine_key(char line[MPISPEC_MACHINE_KEY_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
