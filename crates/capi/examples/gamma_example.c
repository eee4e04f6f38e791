// A short game of Gamma for two players: they take turns, each taking the first free field of a
// list of favourites, and the board is drawn after every round.
//
// Build it with the library installed (see install.sh):
//
//     cc gamma_example.c $(pkg-config --cflags --libs gamma) -o gamma_example
#include <gamma.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 6, HEIGHT = 4, PLAYERS = 2, AREAS = 2, ROUNDS = 4 };

static int draw(gamma_t *game) {
    char *board = gamma_board(game);
    if (board == NULL)
        return -1;
    printf("%s\n", board);
    free(board);
    return 0;
}

int main(void) {
    gamma_t *game = gamma_new(WIDTH, HEIGHT, PLAYERS, AREAS);
    if (game == NULL) {
        fprintf(stderr, "not enough memory for a game\n");
        return EXIT_FAILURE;
    }

    // Player 1 builds a row, player 2 a column that will cross it.
    for (uint32_t round = 0; round < ROUNDS; round++) {
        gamma_move(game, 1, 1 + round, 1);
        if (!gamma_move(game, 2, 3, HEIGHT - 1 - round)) {
            printf("Player 2 finds (3, %" PRIu32 ") taken", HEIGHT - 1 - round);
            bool golden = gamma_golden_possible(game, 2) && gamma_golden_move(game, 2, 3, 1);
            printf("%s\n", golden ? " and takes it by the golden move:" : ":");
        }
        if (draw(game) != 0) {
            gamma_delete(game);
            return EXIT_FAILURE;
        }
    }

    for (uint32_t player = 1; player <= PLAYERS; player++)
        printf("Player %" PRIu32 " holds %" PRIu64 " fields and could take %" PRIu64 "%s\n", player,
               gamma_busy_fields(game, player), gamma_free_fields(game, player),
               gamma_golden_possible(game, player) ? ", or one by the golden move" : "");
    gamma_delete(game);
    return EXIT_SUCCESS;
}
