/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See machine_key.h. */
#include "p2p/machine_key.h"

#include "job/identity.h"
#include "job/installation.h"
#include "mpispec/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

enum { WORD_BYTES = 80 };

/* Blanks and commas separate the words of the line. Therefore a word must contain neither. */
static void make_word(char *word) {
  for (char *at = word; *at; ++at)
    if (*at <= ' ' || *at > '~' || *at == ',')
      *at = '_';
  if (!*word)
    strcpy(word, "-");
}

/* The first line of a file. */
static void read_word(const char *path, char word[WORD_BYTES]) {
  FILE *file = fopen(path, "re");
  *word = 0;
  if (file) {
    if (!fgets(word, WORD_BYTES, file))
      *word = 0;
    fclose(file);
  }
  word[strcspn(word, "\n")] = 0;
  make_word(word);
}

/* Vendor, family, model, stepping, as Linux counts them; on Arm the main identification register,
 * which has all of them. */
static void describe_processor(const struct mpispec_processor_identity *identity,
                               char word[WORD_BYTES]) {
  const unsigned signature = identity->signature, family = signature >> 8 & 15,
                 model = signature >> 4 & 15;
  if (!*identity->vendor) {
    read_word("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", word);
    return;
  }
  char vendor[WORD_BYTES];
  strcpy(vendor, identity->vendor);
  make_word(vendor);
  snprintf(word, WORD_BYTES, "%.13s %u %u %u", vendor,
           family == 15 ? family + (signature >> 20 & 255) : family,
           family == 6 || family == 15 ? model + (signature >> 16 & 15) * 16 : model,
           signature & 15);
}

static void kernel_release(char word[WORD_BYTES]) {
  struct utsname system;
  *word = 0;
  if (!uname(&system))
    snprintf(word, WORD_BYTES, "%s", system.release);
  make_word(word);
}

static void find_key(char line[MPISPEC_MACHINE_KEY_BYTES]) {
  char processor[WORD_BYTES], second[WORD_BYTES], third[WORD_BYTES], hypervisor[WORD_BYTES],
      kernel[WORD_BYTES];
  const struct mpispec_processor_identity identity = mpispec_processor_identify();
  describe_processor(&identity, processor);
  read_word("/sys/devices/system/cpu/cpu0/cache/index2/size", second);
  read_word("/sys/devices/system/cpu/cpu0/cache/index3/size", third);
  strcpy(hypervisor, identity.hypervisor);
  make_word(hypervisor);
  kernel_release(kernel);
  snprintf(line, MPISPEC_MACHINE_KEY_BYTES,
           "%.60s, caches %.12s %.12s, %.12s, Linux %.60s, mpispec %s %s", processor, second, third,
           hypervisor, kernel, MPISPEC_RUNTIME_VERSION, MPISPEC_IDENTITY_TEXT);
}

void mpispec_machine_key(char line[MPISPEC_MACHINE_KEY_BYTES]) {
  static char known[MPISPEC_MACHINE_KEY_BYTES];
  if (!*known)
    find_key(known);
  memcpy(line, known, sizeof known);
}
