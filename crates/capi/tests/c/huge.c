// Huge parameters give NULL or a game that works, and neither takes long.
//
// With an argument the boards that can be had are left out: valgrind fills the memory they reserve
// instead of leaving it to the system.
#include "gamma.h"

#include "check.h"

static const uint32_t MOST = UINT32_MAX;

// Makes the game and, if there is one, plays in all corners. True if there was one.
static bool works(uint32_t width, uint32_t height, uint32_t players, uint32_t areas) {
    gamma_t *g = gamma_new(width, height, players, areas);
    if (g == NULL)
        return false;
    const uint64_t fields = (uint64_t)width * height;
    const uint32_t last = players;
    CHECK(gamma_free_fields(g, last) == fields);
    CHECK(gamma_busy_fields(g, last) == 0);
    CHECK(!gamma_golden_possible(g, last));
    CHECK(gamma_move(g, 1, width - 1, height - 1));
    CHECK(!gamma_move(g, last, width - 1, height - 1));
    CHECK(!gamma_move(g, last, width, height - 1) && !gamma_move(g, last, 0, height));
    CHECK(gamma_free_fields(g, last) == fields - 1 || areas == 1);
    CHECK(gamma_busy_fields(g, 1) == 1);
    if (players > 1) {
        CHECK(gamma_move(g, last, 0, 0));
        CHECK(gamma_busy_fields(g, last) == 1);
        CHECK(gamma_golden_possible(g, last) == (areas > 1 || fields == 2));
        if (areas > 1) {
            CHECK(gamma_golden_move(g, last, width - 1, height - 1));
            CHECK(!gamma_golden_possible(g, last));
            CHECK(gamma_busy_fields(g, 1) == 0 && gamma_busy_fields(g, last) == 2);
        }
    }
    gamma_delete(g);
    return true;
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK(gamma_new(MOST, MOST, 1, 1) == NULL);
    CHECK(gamma_new(MOST, MOST, MOST, MOST) == NULL);
    if (argc > 1)
        return 0;
    works(2, MOST, 2, 2);
    works(MOST, 2, 300, 2);
    works(65536, 65536, 2, 2); // 2^32 fields
    works(65536, 65537, 2, 2);
    CHECK(works(100, 100, 2, MOST));
    works(100, 100, MOST, 100);
    works(8000, 8000, MOST, MOST);
    CHECK(works(8000, 8000, 10, 10));
    CHECK(works(1, MOST / 16, 10, 10));
    for (uint32_t n = 4; n <= 65536; n *= 2) {
        if (works(n, n, 3, 3)) {
            CHECK(works(1, (n - 1) * (n - 1), 3, 3));
            CHECK(works((n - 1) * (n - 1), 1, 3, 3));
        }
    }
    return 0;
}
