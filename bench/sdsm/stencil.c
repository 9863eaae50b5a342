/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stencil.h"

#include <stdint.h>
#include <string.h>

/* Each sum has one order, whichever form computes it: results are equal to the last bit. */
static void row_7(double *restrict out, const double *below, const double *above,
                  const double *south, const double *same, const double *north, size_t nx) {
  for (size_t x = 1; x + 1 < nx; ++x)
    out[x] = 0.4 * same[x] +
             0.1 * (same[x - 1] + same[x + 1] + south[x] + north[x] + below[x] + above[x]);
}

static double sum_of_9(const double *south, const double *same, const double *north, size_t x) {
  return south[x - 1] + south[x] + south[x + 1] + same[x - 1] + same[x] + same[x + 1] +
         north[x - 1] + north[x] + north[x + 1];
}

static void row_27(double *restrict out, struct planes in, size_t y, size_t nx) {
  const size_t south = (y - 1) * nx, same = y * nx, north = (y + 1) * nx;
  for (size_t x = 1; x + 1 < nx; ++x)
    out[x] = (sum_of_9(in.below + south, in.below + same, in.below + north, x) +
              sum_of_9(in.same + south, in.same + same, in.same + north, x) +
              sum_of_9(in.above + south, in.above + same, in.above + north, x)) *
             (1.0 / 27);
}

void stencil_rows(const struct plane_shape *shape, double *out, struct planes in, size_t y0,
                  size_t y1) {
  const size_t nx = shape->nx;
  for (size_t y = y0; y < y1; ++y) {
    const size_t row = y * nx;
    if (shape->points == 7)
      row_7(out + row, in.below + row, in.above + row, in.same + row - nx, in.same + row,
            in.same + row + nx, nx);
    else
      row_27(out + row, in, y, nx);
  }
}

void stencil_edges(const struct plane_shape *shape, double *out, const double *in) {
  const size_t nx = shape->nx, last = (shape->ny - 1) * nx;
  memcpy(out, in, nx * sizeof *out);
  memcpy(out + last, in + last, nx * sizeof *out);
  for (size_t row = nx; row < last; row += nx) {
    out[row] = in[row];
    out[row + nx - 1] = in[row + nx - 1];
  }
}

double stencil_initial(size_t z, size_t y, size_t x) {
  const uint32_t mixed = (uint32_t)(z * 73856093u ^ y * 19349663u ^ x * 83492791u);
  return (double)(mixed % 1000003u) / 1000003.0;
}
