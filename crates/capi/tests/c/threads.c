// Games in several threads do not touch each other.
#include "gamma.h"

#include "check.h"
#include <pthread.h>

enum { SIDE = 40, PLAYERS = 5, CALLS = 20000, THREADS = 2 };

// Plays a game that depends on the seed alone, and gives its last board.
static void *play(void *seed) {
    uint64_t state = *(const uint64_t *)seed;
    gamma_t *g = gamma_new(SIDE, SIDE, PLAYERS, 6);
    CHECK(g != NULL);
    for (int i = 0; i < CALLS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint32_t bits = (uint32_t)(state >> 32);
        const uint32_t player = 1 + bits % PLAYERS;
        const uint32_t x = bits / 8 % SIDE, y = bits / 512 % SIDE;
        if (bits >> 28 == 0)
            gamma_golden_move(g, player, x, y);
        else
            gamma_move(g, player, x, y);
        if (i % 64 == 0)
            CHECK(gamma_free_fields(g, player) <= SIDE * SIDE);
        if (i % 512 == 0)
            gamma_golden_possible(g, player);
    }
    char *text = gamma_board(g);
    CHECK(text != NULL);
    gamma_delete(g);
    return text;
}

int main(void) {
    uint64_t seeds[THREADS];
    pthread_t threads[THREADS];
    for (uint64_t i = 0; i < THREADS; i++) {
        seeds[i] = 17 + i;
        CHECK(pthread_create(&threads[i], NULL, play, &seeds[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *together;
        CHECK(pthread_join(threads[i], &together) == 0);
        char *alone = play(&seeds[i]);
        CHECK(strcmp(alone, together) == 0);
        free(alone);
        free(together);
    }
    return 0;
}
