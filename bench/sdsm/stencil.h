/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* stencil.h - three-dimensional stencils on planes: the arithmetic that all forms share.
 *
 * A plane is NY x NX doubles. The outermost layer of the array is constant. */
#ifndef SDSM_STENCIL_H
#define SDSM_STENCIL_H

#include <stddef.h>

struct plane_shape {
  size_t ny, nx;
  int points; /* 7 or 27 */
};

/* The three planes that a new plane depends on. */
struct planes {
  const double *below, *same, *above;
};

/* Computes rows [y0, y1) of `out`, without the outermost points of each row. */
void stencil_rows(const struct plane_shape *shape, double *out, struct planes in, size_t y0,
                  size_t y1);
/* Copies the outermost points of a plane. */
void stencil_edges(const struct plane_shape *shape, double *out, const double *in);

/* The value of a point before the first step. */
double stencil_initial(size_t z, size_t y, size_t x);

#endif
