/* Memory that the runtime cannot do without. */
#ifndef MPISPEC_RUNTIME_MEMORY_H
#define MPISPEC_RUNTIME_MEMORY_H

/* Returns `memory`; ends the program, with a word, if it is null. */
void *mpispec_must_have(void *memory);

#endif
