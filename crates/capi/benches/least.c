/* The least that a move must do on the arrays that libgamma has: a library for the workload `fill:` of
 * compare.c. It fills a board of one area; it checks nothing else, and counts no areas.
 *
 *     cc -O2 -shared -fPIC -I crates/capi/include crates/capi/benches/least.c -o least.so
 *     ./compare target/dist/libgamma.so ./least.so fill:
 *
 * With -DNOTHING its gamma_move only returns.
 */
#include <stdlib.h>

#include "gamma.h"

enum { FREE = 0, BESIDE = 255 };

struct gamma_t {
    uint64_t width, height, free;
    uint64_t busy[64];
    uint8_t *owners;
    uint32_t *links; /* of a field, its root; of the root, the size of the area */
};

gamma_t *gamma_new(uint32_t width, uint32_t height, uint32_t players, uint32_t areas) {
    uint64_t const fields = (uint64_t)width * height;
    gamma_t *g = calloc(1, sizeof *g);
    if (!g || players > 63 || areas == 0)
        exit(1);
    g->width = width;
    g->height = height;
    g->free = fields;
    g->owners = calloc(1, fields + fields / 2);
    g->links = calloc(sizeof *g->links, fields + fields / 128 + 4);
    if (!g->owners || !g->links)
        exit(1);
    return g;
}

void gamma_delete(gamma_t *g) {
    free(g->owners);
    free(g->links);
    free(g);
}

bool gamma_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y) {
#ifdef NOTHING
    (void)g, (void)player, (void)x, (void)y;
    return true;
#else
    /* The edges, which are few, are left out. */
    if (!g || !player || x - 1 >= g->width - 2 || y - 1 >= g->height - 2)
        return true;
    uint64_t const width = g->width;
    uint8_t *o = g->owners + y * width + x;
    if (*o != FREE && *o != BESIDE)
        return false;
    uint32_t *l = g->links + y * width + x;
    uint32_t link = l[-1];
    if (o[-1] != player && o[-(int64_t)width] == player)
        link = l[-(int64_t)width];
    if ((o[-(int64_t)width] == player && l[-(int64_t)width] != link) ||
        (o[1] == player && l[1] != link) || (o[width] == player && l[width] != link))
        return false;
    if (o[-1] == FREE)
        o[-1] = BESIDE;
    if (o[-(int64_t)width] == FREE)
        o[-(int64_t)width] = BESIDE;
    if (o[1] == FREE)
        o[1] = BESIDE;
    if (o[width] == FREE)
        o[width] = BESIDE;
    g->links[link]++;
    *l = link;
    g->busy[player]++;
    g->free--;
    *o = (uint8_t)player;
    return true;
#endif
}

/* compare.c wants them. */
bool gamma_golden_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y) {
    return g && player && x && y;
}
uint64_t gamma_busy_fields(gamma_t *g, uint32_t player) { return g->busy[player]; }
uint64_t gamma_free_fields(gamma_t *g, uint32_t player) { return player ? g->free : 0; }
bool gamma_golden_possible(gamma_t *g, uint32_t player) { return g && player; }
char *gamma_board(gamma_t *g) { return g ? calloc(1, 1) : NULL; }
