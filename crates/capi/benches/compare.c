/* Compares libraries with the interface of gamma.h: CPU time of each workload, side by side.
 *
 *     cc -O2 -I crates/capi/include crates/capi/benches/compare.c -ldl -o compare
 *     ./compare ONE.so TWO.so... [WORKLOAD]
 *
 * Every workload runs three times with each library in turn, and the best run counts. "longest" is
 * the longest single call of that run. The last column is the second library's time as a share of
 * the first's. Under callgrind, give one library and one workload and read the count it prints.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "gamma.h"

typedef struct {
    gamma_t *(*make)(uint32_t, uint32_t, uint32_t, uint32_t);
    void (*drop)(gamma_t *);
    bool (*move)(gamma_t *, uint32_t, uint32_t, uint32_t);
    bool (*golden)(gamma_t *, uint32_t, uint32_t, uint32_t);
    uint64_t (*busy)(gamma_t *, uint32_t);
    uint64_t (*free_fields)(gamma_t *, uint32_t);
    bool (*possible)(gamma_t *, uint32_t);
    char *(*board)(gamma_t *);
} library_t;

/* What a run has measured. */
typedef struct {
    double total, longest;
    uint64_t answers; /* a sum of all answers, which the libraries must agree on */
} run_t;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static uint64_t state;

static uint32_t below(uint32_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(((state >> 32) * bound) >> 32);
}

static void must(bool is_so, char const *what) {
    if (!is_so) {
        fprintf(stderr, "compare: %s\n", what);
        exit(1);
    }
}

/* A golden move with its time. */
static void cut(library_t *l, run_t *run, gamma_t *g, uint32_t player, uint32_t x, uint32_t y) {
    double start = now();
    bool made = l->golden(g, player, x, y);
    double took = now() - start;
    run->total += took;
    run->longest = took > run->longest ? took : run->longest;
    run->answers = run->answers * 31 + made;
}

typedef struct {
    uint32_t x, y;
} field_t;

/* Cuts a path in its middle, and each half in its middle, and so on. */
static void bisect(library_t *l, run_t *run, gamma_t *g, field_t const *path, uint32_t length,
                   uint32_t cuts) {
    uint32_t player = 2, left = cuts;
    for (uint32_t parts = 2; left > 0; parts *= 2) {
        for (uint32_t odd = 1; odd < parts && left > 0; odd += 2, left--) {
            field_t f = path[(uint64_t)length * odd / parts];
            cut(l, run, g, player++, f.x, f.y);
        }
    }
}

/* The fields of a spiral one wide with a free spiral one wide beside it. */
static field_t *spiral_path(uint32_t side, uint32_t *length) {
    char *taken = calloc((size_t)side * side, 1);
    field_t *path = malloc(sizeof(field_t) * side * side);
    must(taken && path, "no memory");
    int64_t x = 0, y = 0, dx = 1, dy = 0, n = side;
    uint32_t turns = 0;
    *length = 0;
#define IS_TAKEN(a, b) ((a) < 0 || (b) < 0 || (a) >= n || (b) >= n || taken[(b)*n + (a)])
#define IS_MARKED(a, b) ((a) >= 0 && (b) >= 0 && (a) < n && (b) < n && taken[(b)*n + (a)])
    while (turns < 2) {
        if (!taken[y * n + x]) {
            taken[y * n + x] = 1;
            path[(*length)++] = (field_t){(uint32_t)x, (uint32_t)y};
        }
        if (IS_TAKEN(x + dx, y + dy) || IS_MARKED(x + 2 * dx, y + 2 * dy)) {
            int64_t old = dx;
            dx = -dy;
            dy = old;
            turns++;
        } else {
            x += dx;
            y += dy;
            turns = 0;
        }
    }
    free(taken);
    return path;
}

static void spiral(library_t *l, run_t *run, uint32_t side, uint32_t cuts) {
    uint32_t length;
    field_t *path = spiral_path(side, &length);
    gamma_t *g = l->make(side, side, cuts + 1, cuts + 1);
    must(g, "gamma_new gave NULL");
    for (uint32_t i = 0; i < length; i++)
        must(l->move(g, 1, path[i].x, path[i].y), "a spiral's field was refused");
    bisect(l, run, g, path, length, cuts);
    run->answers += l->busy(g, 1);
    l->drop(g);
    free(path);
}

static void spiral_1000(library_t *l, run_t *run) { spiral(l, run, 1000, 998); }
static void spiral_2000(library_t *l, run_t *run) { spiral(l, run, 2000, 3); }

static void comb(library_t *l, run_t *run, uint32_t side, uint32_t cuts, bool lies) {
    gamma_t *g = l->make(side, side, cuts + 1, cuts + 1);
    must(g, "gamma_new gave NULL");
    field_t *spine = malloc(sizeof(field_t) * side);
    for (uint32_t i = 0; i < side; i++) {
        l->move(g, 1, lies ? 0 : i, lies ? i : 0);
        for (uint32_t j = 1; i % 2 == 0 && j < side; j++)
            l->move(g, 1, lies ? j : i, lies ? i : j);
    }
    for (uint32_t i = 0; i < side / 2; i++)
        spine[i] = (field_t){lies ? 0 : 2 * i + 1, lies ? 2 * i + 1 : 0};
    bisect(l, run, g, spine, side / 2, cuts);
    run->answers += l->busy(g, 1);
    l->drop(g);
    free(spine);
}

static void comb_1000(library_t *l, run_t *run) { comb(l, run, 1000, 499, false); }
static void comb_lying(library_t *l, run_t *run) { comb(l, run, 1000, 499, true); }
static void comb_2000(library_t *l, run_t *run) { comb(l, run, 2000, 3, false); }

static void rings_1000(library_t *l, run_t *run) {
    uint32_t const side = 1000, rings = 250;
    gamma_t *g = l->make(side, side, 2 * rings + 1, 2 * rings);
    must(g, "gamma_new gave NULL");
    for (uint32_t r = 0; r < rings; r++) {
        uint32_t low = 2 * r, high = side - 1 - 2 * r;
        for (uint32_t i = low; i <= high; i++) {
            l->move(g, 1, i, low);
            l->move(g, 1, i, high);
            l->move(g, 1, low, i);
            l->move(g, 1, high, i);
        }
    }
    for (uint32_t r = 0; r < rings; r++) {
        cut(l, run, g, 2 + 2 * r, side / 2, 2 * r);
        cut(l, run, g, 3 + 2 * r, side / 2, side - 1 - 2 * r);
    }
    run->answers += l->busy(g, 1);
    l->drop(g);
}

static void halving(library_t *l, run_t *run) {
    uint32_t const side = 2000;
    gamma_t *g = l->make(side, side, side + 1, 2);
    must(g, "gamma_new gave NULL");
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++)
            l->move(g, 1, x, y);
    for (uint32_t y = 0; y < side; y++)
        cut(l, run, g, y + 2, side / 2, y);
    run->answers += l->busy(g, 1);
    l->drop(g);
}

/* A cloud of random fields a little denser than must hang together, cut at random. */
static void cloud_of(library_t *l, run_t *run, uint32_t players) {
    uint32_t const side = 2000;
    gamma_t *g = l->make(side, side, players, side * side);
    must(g, "gamma_new gave NULL");
    for (uint32_t i = 0; i < side * side; i++)
        l->move(g, 1, below(side), below(side));
    for (uint32_t i = 2; i <= players; i++)
        cut(l, run, g, i, below(side), below(side));
    run->answers += l->busy(g, 1);
    l->drop(g);
}

static void cloud(library_t *l, run_t *run) { cloud_of(l, run, 2000); }
static void cloud_few(library_t *l, run_t *run) { cloud_of(l, run, 254); }

static void random_moves(library_t *l, run_t *run) {
    double start = now();
    gamma_t *g = l->make(1000, 1000, 10, 1000);
    for (uint32_t i = 0; i < 1500000; i++)
        run->answers += l->move(g, 1 + below(10), below(1000), below(1000));
    l->drop(g);
    run->total = now() - start;
}

static void filling(library_t *l, run_t *run) {
    double start = now();
    gamma_t *g = l->make(2000, 2000, 1, 1);
    for (uint32_t y = 0; y < 2000; y++)
        for (uint32_t x = 0; x < 2000; x++)
            run->answers += l->move(g, 1, x, y);
    l->drop(g);
    run->total = now() - start;
}

static void tiny_games(library_t *l, run_t *run) {
    double start = now();
    for (uint32_t game = 0; game < 20000; game++) {
        gamma_t *g = l->make(10, 10, 2, 3);
        for (uint32_t i = 0; i < 200; i++) {
            uint32_t x = below(10), y = below(10);
            run->answers += i % 10 == 9 ? l->golden(g, 1 + i % 2, x, y) : l->move(g, 1 + i % 2, x, y);
        }
        l->drop(g);
    }
    run->total = now() - start;
}

static void empty_games(library_t *l, run_t *run) {
    double start = now();
    for (uint32_t game = 0; game < 20000; game++) {
        gamma_t *g = l->make(10, 10, 2, 3);
        run->answers += l->move(g, 1, below(10), below(10));
        l->drop(g);
    }
    run->total = now() - start;
}

/* gamma_new, 10,000 calls and gamma_delete. */
static void first_calls(library_t *l, run_t *run, uint32_t side, uint32_t games) {
    double start = now();
    for (uint32_t game = 0; game < games; game++) {
        gamma_t *g = l->make(side, side, 9, side);
        for (uint32_t i = 0; i < 10000; i++)
            run->answers += l->move(g, 1 + below(9), below(side), below(side));
        l->drop(g);
    }
    run->total = now() - start;
}

static void first_100(library_t *l, run_t *run) { first_calls(l, run, 100, 100); }
static void first_1000(library_t *l, run_t *run) { first_calls(l, run, 1000, 20); }
static void first_4000(library_t *l, run_t *run) { first_calls(l, run, 4000, 5); }

static void refused(library_t *l, run_t *run) {
    uint32_t length;
    field_t *path = spiral_path(2000, &length);
    gamma_t *g = l->make(2000, 2000, 3, 1);
    for (uint32_t i = 0; i < length; i++)
        l->move(g, 1, path[i].x, path[i].y);
    for (uint32_t i = 0; i < 1000; i++) {
        field_t f = path[1 + below(length - 2)];
        cut(l, run, g, 2, f.x, f.y);
    }
    l->drop(g);
    free(path);
}

/* The same with a field that closes the first winding, so that the rest of the free fields is a hole. */
static void hole(library_t *l, run_t *run) {
    uint32_t length;
    field_t *path = spiral_path(2000, &length);
    gamma_t *g = l->make(2000, 2000, 3, 1);
    for (uint32_t i = 0; i < length; i++)
        l->move(g, 1, path[i].x, path[i].y);
    must(l->move(g, 1, 5, 1), "a hole's field was refused");
    for (uint32_t i = 0; i < 1000; i++) {
        field_t f = path[length / 4 + below(length / 2)];
        cut(l, run, g, 2, f.x, f.y);
    }
    l->drop(g);
    free(path);
}

/* A comb whose first two teeth meet at their ends, and golden moves on its spine. */
static void comb_hole(library_t *l, run_t *run) {
    uint32_t const side = 2000;
    gamma_t *g = l->make(side, side, 3, 1);
    for (uint32_t x = 0; x < side; x++)
        for (uint32_t y = 0; y < side; y++)
            if (y == 0 || x % 2 == 0)
                l->move(g, 1, x, y);
    must(l->move(g, 1, 1, side - 1), "a hole's field was refused");
    for (uint32_t i = 0; i < 1000; i++)
        cut(l, run, g, 2, 501 + 2 * below(500), 0);
    l->drop(g);
}

static void possible(library_t *l, run_t *run) {
    gamma_t *g = l->make(500, 500, 200, 40);
    for (uint32_t i = 0; i < 1500000; i++)
        l->move(g, 1 + below(200), below(500), below(500));
    double start = now();
    for (uint32_t i = 0; i < 4000; i++) {
        run->answers += l->golden(g, 1 + i % 200, below(500), below(500));
        run->answers += l->possible(g, 1 + i % 200);
    }
    run->total = now() - start;
    l->drop(g);
}

static void text(library_t *l, run_t *run) {
    gamma_t *g = l->make(3000, 3000, 9, 4000000);
    for (uint32_t i = 0; i < 4000000; i++)
        l->move(g, 1 + below(9), below(3000), below(3000));
    double start = now();
    for (uint32_t i = 0; i < 20; i++) {
        char *board = l->board(g);
        run->answers += (uint64_t)board[i * 1000];
        free(board);
    }
    run->total = now() - start;
    l->drop(g);
}

static struct {
    char const *name;
    void (*run)(library_t *, run_t *);
} const workloads[] = {
    {"random: 1.5 M moves, 1000x1000, 10 players, 1000 areas", random_moves},
    {"fill: 2000x2000 row by row", filling},
    {"tiny: 20,000 games on 10x10, 200 calls each", tiny_games},
    {"empty: 20,000 games on 10x10, one call each", empty_games},
    {"first-100: gamma_new and 10,000 calls, 100x100, 100 times", first_100},
    {"first-1000: the same, 1000x1000, 20 times", first_1000},
    {"first-4000: the same, 4000x4000, 5 times", first_4000},
    {"spiral: 1000x1000, 998 cuts", spiral_1000},
    {"spiral-2000: 2000x2000, 3 cuts", spiral_2000},
    {"comb: 1000x1000, 499 cuts", comb_1000},
    {"comb-lying: the same, teeth along the rows", comb_lying},
    {"comb-2000: 2000x2000, 3 cuts", comb_2000},
    {"rings: 1000x1000, 250 rings, 500 cuts", rings_1000},
    {"halving: a filled 2000x2000, 2000 cuts", halving},
    {"cloud: 2000x2000, random fields, 1999 cuts", cloud},
    {"few-cloud: the same with 254 players and 253 cuts", cloud_few},
    {"refused: 1000 golden moves on a spiral, 2000x2000", refused},
    {"hole: the same with a hole", hole},
    {"comb-hole: the same on a comb with a hole", comb_hole},
    {"possible: 4000 x (golden move, golden_possible), 500x500", possible},
    {"text: gamma_board, 3000x3000, 20 times", text},
};

static void *symbol(void *library, char const *name) {
    void *address = dlsym(library, name);
    if (!address)
        fprintf(stderr, "compare: %s\n", dlerror());
    must(address, "this is no libgamma");
    return address;
}

static library_t load(char const *path) {
    void *l = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!l)
        fprintf(stderr, "compare: %s\n", dlerror());
    must(l, "cannot load a library");
    library_t library;
    *(void **)&library.make = symbol(l, "gamma_new");
    *(void **)&library.drop = symbol(l, "gamma_delete");
    *(void **)&library.move = symbol(l, "gamma_move");
    *(void **)&library.golden = symbol(l, "gamma_golden_move");
    *(void **)&library.busy = symbol(l, "gamma_busy_fields");
    *(void **)&library.free_fields = symbol(l, "gamma_free_fields");
    *(void **)&library.possible = symbol(l, "gamma_golden_possible");
    *(void **)&library.board = symbol(l, "gamma_board");
    return library;
}

int main(int count, char **words) {
    char const *only = "";
    library_t libraries[16];
    int loaded = 0;
    for (int i = 1; i < count; i++) {
        if (strstr(words[i], ".so") && loaded < 16)
            libraries[loaded++] = load(words[i]);
        else
            only = words[i];
    }
    must(loaded > 0, "give the paths of libraries, ONE.so TWO.so...");
    int rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 3;
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        if (strncmp(workloads[w].name, only, strlen(only)) != 0)
            continue;
        run_t best[16];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < loaded; i++) {
                run_t run = {0, 0, 0};
                state = 0x9e3779b97f4a7c15;
                workloads[w].run(&libraries[i], &run);
                if (round == 0 || run.total < best[i].total)
                    best[i] = run;
            }
        }
        printf("%-58s", workloads[w].name);
        for (int i = 0; i < loaded; i++) {
            printf(" %10.3f ms", best[i].total);
            if (best[i].longest > 0)
                printf(" (longest %8.3f)", best[i].longest);
            must(best[i].answers == best[0].answers, "the libraries do not agree");
        }
        if (loaded > 1)
            printf("  %.2f", best[1].total / best[0].total);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
