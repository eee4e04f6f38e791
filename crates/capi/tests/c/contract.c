// The contract of every function, wrong parameters included.
#include "gamma.h"
#include "gamma.h" // including it twice does no harm

#include "check.h"

static const uint32_t MOST = UINT32_MAX;

static void new_refuses_zeros(void) {
    CHECK(gamma_new(0, 1, 1, 1) == NULL);
    CHECK(gamma_new(1, 0, 1, 1) == NULL);
    CHECK(gamma_new(1, 1, 0, 1) == NULL);
    CHECK(gamma_new(1, 1, 1, 0) == NULL);
    CHECK(gamma_new(0, 0, 0, 0) == NULL);
    CHECK(gamma_new(0, MOST, MOST, MOST) == NULL);
    gamma_t *g = gamma_new(1, 1, 1, 1);
    CHECK(g != NULL);
    gamma_delete(g);
}

static void null_is_a_wrong_parameter_everywhere(void) {
    gamma_delete(NULL);
    CHECK(!gamma_move(NULL, 1, 0, 0));
    CHECK(!gamma_golden_move(NULL, 1, 0, 0));
    CHECK(gamma_busy_fields(NULL, 1) == 0);
    CHECK(gamma_free_fields(NULL, 1) == 0);
    CHECK(!gamma_golden_possible(NULL, 1));
    CHECK(gamma_board(NULL) == NULL);
}

// The board is 3 x 2, with a pawn of player 2 on (1, 1); player 1 could do anything.
static void wrong_players_and_fields_change_nothing(void) {
    gamma_t *g = gamma_new(3, 2, 2, 2);
    CHECK(g != NULL);
    CHECK(gamma_move(g, 2, 1, 1));
    const uint32_t nobody[] = {0, 3, 4, 255, 256, 257, 65536, 65537, MOST};
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++) {
        CHECK(!gamma_move(g, nobody[i], 0, 0));
        CHECK(!gamma_golden_move(g, nobody[i], 1, 1));
        CHECK(gamma_busy_fields(g, nobody[i]) == 0);
        CHECK(gamma_free_fields(g, nobody[i]) == 0);
        CHECK(!gamma_golden_possible(g, nobody[i]));
    }
    const uint32_t off[][2] = {{3, 0}, {0, 2}, {3, 2}, {MOST, 0}, {0, MOST}, {MOST, MOST}, {4, 0}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        CHECK(!gamma_move(g, 1, off[i][0], off[i][1]));
        CHECK(!gamma_golden_move(g, 1, off[i][0], off[i][1]));
    }
    CHECK_BOARD(g, ".2.\n...\n");
    CHECK(gamma_busy_fields(g, 1) == 0 && gamma_busy_fields(g, 2) == 1);
    CHECK(gamma_golden_possible(g, 1)); // the wrong attempts did not use it up
    gamma_delete(g);
}

static void moves_respect_the_limit_of_areas(void) {
    gamma_t *g = gamma_new(5, 1, 2, 1);
    CHECK(g != NULL);
    CHECK(gamma_free_fields(g, 1) == 5);
    CHECK(gamma_move(g, 1, 1, 0));
    CHECK(!gamma_move(g, 1, 1, 0)); // taken, by himself
    CHECK(!gamma_move(g, 2, 1, 0)); // taken, by another
    CHECK(!gamma_move(g, 1, 4, 0)); // a second area
    CHECK(gamma_free_fields(g, 1) == 2);
    CHECK(gamma_free_fields(g, 2) == 4);
    CHECK(gamma_move(g, 1, 2, 0));
    CHECK(gamma_busy_fields(g, 1) == 2);
    CHECK(gamma_free_fields(g, 1) == 2);
    CHECK_BOARD(g, ".11..\n");
    gamma_delete(g);
}

static void golden_moves_respect_both_limits(void) {
    gamma_t *g = gamma_new(5, 1, 2, 1);
    CHECK(g != NULL);
    for (uint32_t x = 0; x < 5; x++)
        CHECK(gamma_move(g, 1, x, 0));
    CHECK(!gamma_golden_possible(g, 1)); // nobody to take from
    CHECK(!gamma_golden_move(g, 1, 0, 0)); // his own
    CHECK(gamma_golden_possible(g, 2));
    CHECK(!gamma_golden_move(g, 2, 2, 0)); // the victim would have two areas
    CHECK(gamma_golden_move(g, 2, 0, 0));
    CHECK_BOARD(g, "21111\n");
    CHECK(!gamma_golden_possible(g, 2)); // once a game
    CHECK(!gamma_golden_move(g, 2, 1, 0));
    CHECK(!gamma_golden_move(g, 1, 0, 0) || gamma_busy_fields(g, 2) == 0);
    gamma_delete(g);

    g = gamma_new(3, 1, 2, 1);
    CHECK(g != NULL);
    CHECK(!gamma_golden_move(g, 1, 0, 0)); // free
    CHECK(gamma_move(g, 1, 0, 0));
    CHECK(gamma_move(g, 2, 2, 0));
    CHECK(!gamma_golden_possible(g, 1)); // it would be his second area
    CHECK(!gamma_golden_move(g, 1, 2, 0));
    CHECK(gamma_move(g, 2, 1, 0));
    CHECK(gamma_golden_move(g, 1, 1, 0)); // the refused one did not count
    CHECK_BOARD(g, "112\n");
    gamma_delete(g);
}

// The middle of a cross of five is the only field of four areas.
static void a_field_taken_can_make_four_areas_of_one(void) {
    for (uint32_t areas = 3; areas <= 4; areas++) {
        gamma_t *g = gamma_new(3, 3, 2, areas);
        CHECK(g != NULL);
        CHECK(gamma_move(g, 1, 1, 1) && gamma_move(g, 1, 0, 1) && gamma_move(g, 1, 2, 1));
        CHECK(gamma_move(g, 1, 1, 0) && gamma_move(g, 1, 1, 2));
        CHECK(gamma_golden_move(g, 2, 1, 1) == (areas == 4));
        CHECK_BOARD(g, areas == 4 ? ".1.\n121\n.1.\n" : ".1.\n111\n.1.\n");
        CHECK(gamma_free_fields(g, 1) == 4 && gamma_free_fields(g, 2) == 4);
        gamma_delete(g);
    }
}

static void the_board_is_drawn_from_the_top(void) {
    gamma_t *g = gamma_new(3, 2, 9, 3);
    CHECK(g != NULL);
    CHECK_BOARD(g, "...\n...\n");
    CHECK(gamma_move(g, 1, 0, 0) && gamma_move(g, 9, 2, 1));
    CHECK_BOARD(g, "..9\n1..\n");
    gamma_delete(g);

    g = gamma_new(3, 2, 10, 3);
    CHECK(g != NULL);
    CHECK(gamma_move(g, 1, 0, 0) && gamma_move(g, 10, 2, 1));
    CHECK_BOARD(g, " .  . 10\n 1  .  .\n");
    gamma_delete(g);

    g = gamma_new(2, 1, 70000, 3);
    CHECK(g != NULL);
    CHECK(gamma_move(g, 70000, 1, 0));
    CHECK_BOARD(g, "    . 70000\n");
    gamma_delete(g);
}

int main(void) {
    new_refuses_zeros();
    null_is_a_wrong_parameter_everywhere();
    wrong_players_and_fields_change_nothing();
    moves_respect_the_limit_of_areas();
    golden_moves_respect_both_limits();
    a_field_taken_can_make_four_areas_of_one();
    the_board_is_drawn_from_the_top();
    return 0;
}
