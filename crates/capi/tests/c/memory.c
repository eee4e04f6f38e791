// Memory fails at every place it can, one after another; each time the call says so, the game is
// as it was, and goes on once there is memory again; or the call does without.
//
// Linked with --wrap, so that the library's allocations come through here.
#include "gamma.h"

#include "check.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_posix_memalign(void **to, size_t alignment, size_t size);

static long asked;
static long fails_at = -1;

static bool fails(void) {
    return asked++ == fails_at;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

int __wrap_posix_memalign(void **to, size_t alignment, size_t size) {
    return fails() ? 12 : __real_posix_memalign(to, alignment, size);
}

enum { WIDTH = 24, HEIGHT = 17, PLAYERS = 130, AREAS = 7, CALLS = 3000 };

typedef struct {
    uint32_t player, x, y;
    bool golden;
} call_t;

static call_t calls[CALLS];

static uint32_t draw(uint32_t below) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static bool play(gamma_t *g, const call_t *call) {
    return (call->golden ? gamma_golden_move : gamma_move)(g, call->player, call->x, call->y);
}

// What can be seen of a game from outside.
typedef struct {
    uint64_t busy[PLAYERS], free[PLAYERS];
    bool golden[PLAYERS];
    char *text;
} sight_t;

static void look(gamma_t *g, sight_t *sight) {
    const long hold = fails_at;
    fails_at = -1;
    for (uint32_t player = 1; player <= PLAYERS; player++) {
        sight->busy[player - 1] = gamma_busy_fields(g, player);
        sight->free[player - 1] = gamma_free_fields(g, player);
        sight->golden[player - 1] = gamma_golden_possible(g, player);
    }
    sight->text = gamma_board(g);
    CHECK(sight->text != NULL);
    fails_at = hold;
}

static void check_same(sight_t *a, sight_t *b) {
    CHECK(memcmp(a->busy, b->busy, sizeof a->busy) == 0);
    CHECK(memcmp(a->free, b->free, sizeof a->free) == 0);
    CHECK(memcmp(a->golden, b->golden, sizeof a->golden) == 0);
    CHECK(strcmp(a->text, b->text) == 0);
    free(a->text);
    free(b->text);
}

static gamma_t *new_game(uint32_t areas) {
    return gamma_new(WIDTH, HEIGHT, PLAYERS, areas);
}

static void making_fails(void) {
    for (fails_at = 0;; fails_at++) {
        asked = 0;
        gamma_t *g = new_game(AREAS);
        const bool failed = asked > fails_at;
        CHECK(failed == (g == NULL));
        gamma_delete(g);
        if (!failed)
            break;
    }
    CHECK(fails_at > 1);
    fails_at = -1;
}

static long asks_of_new(uint32_t width, uint32_t height, uint32_t players) {
    asked = 0;
    gamma_t *g = gamma_new(width, height, players, AREAS);
    const long asks = asked;
    CHECK(g != NULL);
    gamma_delete(g);
    return asks;
}

static void making_takes_few_allocations(void) {
    CHECK(asks_of_new(10, 10, 2) == 1);
    CHECK(asks_of_new(100, 100, 64) == 1);
    CHECK(asks_of_new(60, 60, 65) == 2); // a table of many players
    CHECK(asks_of_new(1000, 1000, 9) == 2);
}

static void drawing_fails(void) {
    gamma_t *g = new_game(AREAS);
    CHECK(g != NULL);
    asked = 0;
    fails_at = 0;
    CHECK(gamma_board(g) == NULL);
    CHECK(asked == 1);
    fails_at = -1;
    gamma_delete(g);
}

// Plays the same calls on two games; on one of them the allocations fail first, one at a time.
static void moving_fails(uint32_t areas) {
    gamma_t *g = new_game(areas);
    gamma_t *sure = new_game(areas);
    CHECK(g != NULL && sure != NULL);
    long failures = 0;
    for (size_t i = 0; i < CALLS; i++) {
        for (fails_at = 0;; fails_at++) {
            asked = 0;
            const bool made = play(g, &calls[i]);
            const bool failed = asked > fails_at;
            if (!failed) { // nothing failed
                fails_at = -1;
                CHECK(made == play(sure, &calls[i]));
                break;
            }
            failures++;
            const long hold = fails_at;
            fails_at = -1;
            // Some calls can do without: a golden move takes longer then.
            if (made)
                CHECK(play(sure, &calls[i]));
            sight_t after, before;
            look(g, &after);
            look(sure, &before);
            check_same(&after, &before);
            if (made)
                break;
            fails_at = hold;
        }
    }
    CHECK(failures >= 3); // the players' pages at least
    sight_t a, b;
    look(g, &a);
    look(sure, &b);
    check_same(&a, &b);
    gamma_delete(g);
    gamma_delete(sure);
}

int main(void) {
    for (size_t i = 0; i < CALLS; i++) {
        const uint32_t player = draw(3) > 0 ? 1 + draw(3) : 1 + draw(PLAYERS);
        calls[i] = (call_t){player, draw(WIDTH), draw(HEIGHT), draw(5) == 0};
    }
    making_takes_few_allocations();
    making_fails();
    drawing_fails();
    moving_fails(AREAS);
    moving_fails(1);
    moving_fails(100);
    return 0;
}
