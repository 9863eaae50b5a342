/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The machine key: one line of text for the kind of machine on which the costs of long messages
 * were measured. A cost model with another line is not used on this machine.
 *
 *   GenuineIntel 6 207 2, caches 2048K 266240K, KVMKVMKVM, Linux 6.18.44, mpispec <versions>
 *
 * It contains vendor, family, model and stepping of the processor, and the sizes of its second and
 * third level of cache. It also contains the hypervisor, and the release of the kernel, because
 * system calls copy messages. The last parts are the version of the runtime and its identities
 * (docs/Runtime.md, "Builds"). A hyphen replaces a part that Linux does not provide. */
#ifndef MPISPEC_RUNTIME_MACHINE_KEY_H
#define MPISPEC_RUNTIME_MACHINE_KEY_H

#ifdef __cplusplus
extern "C" {
#endif

enum { MPISPEC_MACHINE_KEY_BYTES = 256 };

/* Stores the line of this machine, without a newline. The first call reads it from the system. */
void mpispec_machine_key(char line[MPISPEC_MACHINE_KEY_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
