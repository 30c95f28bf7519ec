/*===- gemm_xfr.c - C = A * B on the matrix unit, written by hand -------------===*/
/* f16 operands, f32 result, any shape. Shows the whole machine from C: work items, DMA, matrix unit, tokens that chain
 * commands.
 *
 * Hart 0 of each core issues commands and hardly ever waits: the next blocks of A and B are on their way while the
 * matrix unit works on this one, and a finished tile is stored while the next one accumulates. Everything is ordered by
 * tokens passed as `after`. For every element of C the products are summed with k ascending.
 *
 * Arguments (docs/machine-contract.md): grid (x: column tiles, y: row tiles), then A (M x K), B (K x N), C (M x N),
 * each as base, two extents, two strides in elements.
 *
 *   clang --target=riscv64 -march=rv64gc -O2 -ffreestanding -nostdlib -static -fuse-ld=lld -Wl,--image-base=0x40000000
 * -I build/isa/include \ examples/gemm_xfr.c -o gemm_xfr.elf
 */
#include "xfr_start.h"

XFR_REQUIRE("xfr.dma");
XFR_REQUIRE("xfr.matrix");
XFR_REQUIRE("matrix.f16");
XFR_REQUIRE("scratch>=131072"); /* BUFFERS blocks of A and B */
XFR_REQUIRE("acc>=131072");     /* two tiles of C */

enum {
  TILE = 128,
  DEPTH = 64,
  BUFFERS = 4
}; /* C tile; elements of K that a block of A and B covers; blocks in scratch */
enum { A_BYTES = TILE * DEPTH * 2, B_BYTES = DEPTH * TILE * 2, TILE_BYTES = TILE * TILE * 4 };
enum { D_A_DST, D_A_SRC, D_B_DST, D_B_SRC, D_WEIGHTS, D_ROWS, D_SUMS, D_TILE, D_C };

typedef struct {
  uint64_t base, rows, columns, rowStride, columnStride;
} Matrix;

typedef struct {
  int valid;
  uint64_t m, n;          /* origin of the tile */
  uint64_t rows, columns; /* of the tile that exist */
  uint64_t k, depth;      /* block of K */
  unsigned tile;          /* number of the tile on this core */
} Step;

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* First step of the next work item. */
static Step nextTile(const uint64_t* grid, const Matrix* c, uint64_t K, unsigned tile) {
  Step s = {0};
  uint64_t item = xfr_next();
  if (item == ~(uint64_t)0) return s;
  s.valid = 1;
  s.n = item % grid[0] * TILE;
  s.m = item / grid[0] * TILE;
  s.rows = min(TILE, c->rows - s.m);
  s.columns = min(TILE, c->columns - s.n);
  s.depth = min(DEPTH, K);
  s.tile = tile;
  return s;
}

static Step advance(const Step* s, const uint64_t* grid, const Matrix* c, uint64_t K) {
  if (s->k + DEPTH >= K) return nextTile(grid, c, K, s->tile + 1);
  Step next = *s;
  next.k += DEPTH;
  next.depth = min(DEPTH, K - next.k);
  return next;
}

/* Copies the step's blocks of A and B to scratch; the token covers both, because a queue retires in order. */
static uint64_t fetch(const Step* s, unsigned buffer, const Matrix* a, const Matrix* b, uint64_t after) {
  uint64_t aTile = XFR_SCRATCH_BASE + buffer * (A_BYTES + B_BYTES), bTile = aTile + A_BYTES;
  xfr_set_matrix(D_A_DST, aTile, s->rows, s->depth, DEPTH * 2, 2, XFR_TYPE_F16);
  xfr_set_matrix(D_A_SRC, a->base + (s->m * a->rowStride + s->k * a->columnStride) * 2, s->rows, s->depth,
                 a->rowStride * 2, a->columnStride * 2, XFR_TYPE_F16);
  xfr_dma_copy(D_A_DST, D_A_SRC, after);
  xfr_set_matrix(D_B_DST, bTile, s->depth, s->columns, TILE * 2, 2, XFR_TYPE_F16);
  xfr_set_matrix(D_B_SRC, b->base + (s->k * b->rowStride + s->n * b->columnStride) * 2, s->depth, s->columns,
                 b->rowStride * 2, b->columnStride * 2, XFR_TYPE_F16);
  return xfr_dma_copy(D_B_DST, D_B_SRC, after);
}

/* Multiplies the step's blocks into its tile; returns the token of the last run. */
static uint64_t multiply(const Step* s, unsigned buffer, uint64_t fetched, uint64_t tileFree) {
  const uint64_t arrayRows = xfr_id(XFR_ID_ROWS), arrayColumns = xfr_id(XFR_ID_COLS);
  uint64_t aTile = XFR_SCRATCH_BASE + buffer * (A_BYTES + B_BYTES), bTile = aTile + A_BYTES;
  uint64_t sums = XFR_ACC_BASE + (s->tile & 1) * TILE_BYTES;
  uint64_t token = 0;
  xfr_set_matrix(D_WEIGHTS, bTile, arrayRows, arrayColumns, TILE * 2, 2, XFR_TYPE_F16);
  xfr_set_matrix(D_ROWS, aTile, s->rows, arrayRows, DEPTH * 2, 2, XFR_TYPE_F16);
  xfr_set_matrix(D_SUMS, sums, s->rows, arrayColumns, TILE * 4, 4, XFR_TYPE_F32);
  for (uint64_t k = 0; k < s->depth; k += arrayRows) {
    uint64_t depth = min(arrayRows, s->depth - k);
    xfr_d_set(D_WEIGHTS, XFR_FIELD_EXTENT1, depth);
    xfr_d_set(D_ROWS, XFR_FIELD_EXTENT0, depth);
    xfr_d_set(D_ROWS, XFR_FIELD_BASE, aTile + k * 2);
    for (uint64_t n = 0; n < s->columns; n += arrayColumns) {
      uint64_t columns = min(arrayColumns, s->columns - n);
      xfr_d_set(D_WEIGHTS, XFR_FIELD_EXTENT0, columns);
      xfr_d_set(D_SUMS, XFR_FIELD_EXTENT0, columns);
      xfr_d_set(D_WEIGHTS, XFR_FIELD_BASE, bTile + k * TILE * 2 + n * 2);
      xfr_d_set(D_SUMS, XFR_FIELD_BASE, sums + n * 4);
      xfr_mm_load(D_WEIGHTS, fetched, 0);
      if (s->k == 0 && k == 0)
        token = xfr_mm_run(D_ROWS, D_SUMS, tileFree, 1, 0);
      else
        token = xfr_mm_run(D_ROWS, D_SUMS, 0, 1, 1);
    }
  }
  return token;
}

static uint64_t store(const Step* s, const Matrix* c, uint64_t after) {
  xfr_set_matrix(D_TILE, XFR_ACC_BASE + (s->tile & 1) * TILE_BYTES, s->rows, s->columns, TILE * 4, 4, XFR_TYPE_F32);
  xfr_set_matrix(D_C, c->base + (s->m * c->rowStride + s->n * c->columnStride) * 4, s->rows, s->columns,
                 c->rowStride * 4, c->columnStride * 4, XFR_TYPE_F32);
  xfr_d_set(D_C, XFR_FIELD_QUEUE, 1);
  return xfr_dma_copy(D_C, D_TILE, after);
}

int xfr_main(const uint64_t* arguments, uint64_t bytes) {
  if (xfr_id(XFR_ID_TEAM) != 0) return 0;
  const uint64_t* grid = arguments;
  const Matrix* a = (const Matrix*)(arguments + 3);
  const Matrix* b = a + 1;
  const Matrix* c = a + 2;
  const uint64_t K = a->columns;

  uint64_t used[BUFFERS] = {0}; /* last run that reads a buffer */
  uint64_t stored[2] = {0, 0};  /* store that reads a tile of accumulators */
  Step steps[BUFFERS];          /* in flight, by buffer */
  uint64_t fetched[BUFFERS];
  Step newest = nextTile(grid, c, K, 0);
  for (unsigned buffer = 0; buffer < BUFFERS - 1; ++buffer) {
    steps[buffer] = newest;
    if (!newest.valid) break;
    fetched[buffer] = fetch(&newest, buffer, a, b, 0);
    newest = advance(&newest, grid, c, K);
  }
  for (unsigned buffer = 0; steps[buffer].valid; buffer = (buffer + 1) % BUFFERS) {
    /* The buffer of the step before this one takes the step after the last that is on its way. */
    const unsigned free = (buffer + BUFFERS - 1) % BUFFERS, following = (buffer + 1) % BUFFERS;
    steps[free] = newest;
    if (newest.valid) {
      fetched[free] = fetch(&newest, free, a, b, used[free]);
      newest = advance(&newest, grid, c, K);
    }
    const Step* step = &steps[buffer];
    used[buffer] = multiply(step, buffer, fetched[buffer], stored[step->tile & 1]);
    if (!steps[following].valid || steps[following].tile != step->tile)
      stored[step->tile & 1] = store(step, c, used[buffer]);
  }
  xfr_tok_wait(stored[0]);
  xfr_tok_wait(stored[1]);
  return 0;
}
