#ifndef GAMMA_H
#define GAMMA_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gamma gamma_t;

gamma_t *gamma_new(uint32_t width, uint32_t height, uint32_t players, uint32_t areas);
void gamma_delete(gamma_t *g);
bool gamma_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y);
bool gamma_golden_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y);
uint64_t gamma_busy_fields(gamma_t *g, uint32_t player);
uint64_t gamma_free_fields(gamma_t *g, uint32_t player);
bool gamma_golden_possible(gamma_t *g, uint32_t player);
char *gamma_board(gamma_t *g);

#endif
