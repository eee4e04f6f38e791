// The address space runs out, as `ulimit -v` does it: calls fail and the game is as it was.
#include "gamma.h"

#include "check.h"
#include <sys/resource.h>

static void set_limit(rlim_t bytes) {
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = bytes;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

enum { SIDE = 1000, PLAYERS = 1000000 };

int main(void) {
    gamma_t *g = gamma_new(SIDE, SIDE, PLAYERS, 2);
    CHECK(g != NULL);
    CHECK(gamma_move(g, 1, 0, 0));

    set_limit(1 << 20); // less than there is already: the heap cannot grow any more
    CHECK(gamma_new(SIDE, SIDE, 2, 2) == NULL);
    CHECK(gamma_board(g) == NULL);
    // Moves by players of whom nothing is kept yet, until one needs memory there is none of.
    uint32_t player = 2, made = 1;
    while (player < PLAYERS && gamma_move(g, player, player % SIDE, player / SIDE)) {
        player += 50;
        made++;
    }
    CHECK(player < PLAYERS);
    CHECK(!gamma_golden_move(g, player, 0, 0));
    CHECK(gamma_busy_fields(g, player) == 0);
    CHECK(gamma_free_fields(g, player) == (uint64_t)SIDE * SIDE - made);
    CHECK(gamma_golden_possible(g, player)); // true all the same: it is legal
    CHECK(gamma_busy_fields(g, 1) == 1);

    set_limit(RLIM_INFINITY);
    CHECK(gamma_move(g, player, player % SIDE, player / SIDE));
    CHECK(gamma_golden_move(g, player, 0, 0));
    CHECK(gamma_busy_fields(g, 1) == 0 && gamma_busy_fields(g, player) == 2);
    char *text = gamma_board(g);
    CHECK(text != NULL);
    free(text);
    gamma_delete(g);
    return 0;
}
