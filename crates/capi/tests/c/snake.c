// An area of two million fields, one long snake, is built, cut and looked through without a stack
// that grows with it. An argument gives another number of rows.
#include "gamma.h"

#include "check.h"

enum { WIDTH = 1000 };

int main(int argc, char **argv) {
    // Every second row is full and the rows between hold one field, left and right by turns.
    const uint32_t rows = argc > 1 ? (uint32_t)atoi(argv[1]) : 3998;
    gamma_t *g = gamma_new(WIDTH, rows, 2, 1);
    CHECK(g != NULL);
    uint64_t length = 0;
    for (uint32_t y = 0; y < rows; y++) {
        const bool backwards = y % 4 >= 2;
        if (y % 2 == 0) {
            for (uint32_t i = 0; i < WIDTH; i++, length++)
                CHECK(gamma_move(g, 1, backwards ? WIDTH - 1 - i : i, y));
        } else {
            CHECK(gamma_move(g, 1, backwards ? 0 : WIDTH - 1, y));
            length++;
        }
    }
    CHECK(gamma_busy_fields(g, 1) == length);
    CHECK(gamma_free_fields(g, 1) == (uint64_t)WIDTH * rows - length);
    // Cutting anywhere makes two areas of it; only the ends can be taken.
    for (uint32_t x = 1; x < WIDTH; x += 10)
        CHECK(!gamma_golden_move(g, 2, x, rows / 4 * 2));
    CHECK(gamma_golden_possible(g, 2));
    CHECK(gamma_golden_move(g, 2, 0, 0));
    CHECK(gamma_busy_fields(g, 1) == length - 1);
    CHECK(gamma_golden_possible(g, 1)); // his own end of it
    gamma_delete(g);

    // The same where it may be cut: in the middle, and both parts are areas from then on.
    g = gamma_new(rows, 3, 3, 2);
    CHECK(g != NULL);
    for (uint32_t x = 0; x < rows; x++)
        CHECK(gamma_move(g, 1, x, 1));
    CHECK(gamma_golden_move(g, 2, rows / 2, 1));
    CHECK(!gamma_golden_move(g, 3, rows / 4, 1)); // that would make three
    CHECK(gamma_golden_move(g, 3, 0, 1));
    CHECK(gamma_busy_fields(g, 1) == rows - 2);
    CHECK(!gamma_move(g, 1, rows / 2, 0)); // a third area
    CHECK(gamma_move(g, 1, rows / 2 - 1, 0));
    CHECK(gamma_move(g, 1, rows / 2, 0));
    CHECK(gamma_move(g, 1, rows / 2 + 1, 0)); // one again
    CHECK(gamma_move(g, 1, rows / 2, 2));
    gamma_delete(g);
    return 0;
}
