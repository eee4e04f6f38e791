/* A small Gamma library as a student may write it. FAULT names one of the mistakes in it; 0 for none. */
#include "gamma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAULT
#define FAULT 0
#endif

struct gamma {
    uint32_t width, height, players, areas;
    uint64_t fields, free;
    uint32_t *owner;  /* 0 for a free field */
    uint32_t *parent; /* a forest for each player's areas */
    uint64_t *busy;
    uint32_t *count; /* areas of each player */
    uint32_t *old_count;
    bool *golden; /* whether it has been used */
};

#if FAULT == 15 /* loses an array of every game */
#define FREE_GOLDEN(g)
#else
#define FREE_GOLDEN(g) free((g)->golden)
#endif

gamma_t *gamma_new(uint32_t width, uint32_t height, uint32_t players, uint32_t areas) {
    if (!width || !height || !players || !areas)
        return NULL;
#if FAULT == 6 /* overflows at 2^32 */
    uint64_t fields = width * height;
#else
    uint64_t fields = (uint64_t)width * height;
#endif
    if (fields > SIZE_MAX / sizeof(uint32_t) || fields > UINT32_MAX)
        return NULL;
    size_t seats = (size_t)players + 1;
    gamma_t *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    *g = (gamma_t){width, height, players, areas, fields, fields, NULL, NULL, NULL, NULL, NULL, NULL};
    g->owner = calloc(fields + 1, sizeof(uint32_t));
#if FAULT == 4 /* loses the game when memory fails */
    if (!g->owner)
        return NULL;
#endif
    g->parent = calloc(fields + 1, sizeof(uint32_t));
    g->busy = calloc(seats, sizeof(uint64_t));
    g->count = calloc(seats, sizeof(uint32_t));
    g->old_count = calloc(seats, sizeof(uint32_t));
    g->golden = calloc(seats, sizeof(bool));
    if (!g->owner || !g->parent || !g->busy || !g->count || !g->old_count || !g->golden) {
        gamma_delete(g);
        return NULL;
    }
    return g;
}

void gamma_delete(gamma_t *g) {
    if (!g)
        return;
    free(g->owner);
    free(g->parent);
    free(g->busy);
    free(g->count);
    free(g->old_count);
    FREE_GOLDEN(g);
    free(g);
}

static uint32_t root(gamma_t *g, uint32_t field) {
    while (g->parent[field] != field) {
        g->parent[field] = g->parent[g->parent[field]];
        field = g->parent[field];
    }
    return field;
}

/* The fields beside one; gives how many there are. */
static int beside(gamma_t *g, uint32_t field, uint32_t *to) {
    uint32_t x = field % g->width, y = field / g->width;
    int count = 0;
#if FAULT == 17 /* the ends of rows touch */
    if (field > 0)
        to[count++] = field - 1;
    if (field + 1 < g->fields)
        to[count++] = field + 1;
#else
    if (x > 0)
        to[count++] = field - 1;
    if (x + 1 < g->width)
        to[count++] = field + 1;
#endif
    if (y > 0)
        to[count++] = field - g->width;
    if (y + 1 < g->height)
        to[count++] = field + g->width;
#if FAULT == 11 /* corners touch */
    if (x > 0 && y > 0)
        to[count++] = field - g->width - 1;
    if (x + 1 < g->width && y + 1 < g->height)
        to[count++] = field + g->width + 1;
#endif
    (void)x;
    return count;
}

static bool touches(gamma_t *g, uint32_t player, uint32_t field) {
    uint32_t next[8];
    for (int i = beside(g, field, next) - 1; i >= 0; i--)
        if (g->owner[next[i]] == player)
            return true;
    return false;
}

/* Gives a field to a player, and joins the areas beside it. */
static void put(gamma_t *g, uint32_t player, uint32_t field) {
    uint32_t next[8];
    g->owner[field] = player;
    g->parent[field] = field;
    g->count[player]++;
    for (int i = beside(g, field, next) - 1; i >= 0; i--) {
        if (g->owner[next[i]] != player)
            continue;
        uint32_t a = root(g, next[i]), b = root(g, field);
        if (a != b) {
            g->parent[b] = a;
            g->count[player]--;
        }
    }
}

#if FAULT == 7 /* recursion that dies on large areas */
static void label(gamma_t *g, uint32_t player, uint32_t field, uint32_t to) {
    uint32_t next[8];
    g->parent[field] = to;
    for (int i = beside(g, field, next) - 1; i >= 0; i--)
        if (g->owner[next[i]] == player && g->parent[next[i]] != to)
            label(g, player, next[i], to);
}
#endif

/* Finds the areas of a player again. */
static void recount(gamma_t *g, uint32_t player) {
    g->count[player] = 0;
#if FAULT == 7
    for (uint64_t f = 0; f < g->fields; f++)
        if (g->owner[f] == player)
            g->parent[f] = UINT32_MAX;
    for (uint64_t f = 0; f < g->fields; f++)
        if (g->owner[f] == player && g->parent[f] == UINT32_MAX) {
            g->count[player]++;
            label(g, player, (uint32_t)f, (uint32_t)f);
        }
#else
    uint32_t next[8];
    for (uint64_t f = 0; f < g->fields; f++)
        if (g->owner[f] == player)
            g->parent[f] = (uint32_t)f;
    for (uint64_t f = 0; f < g->fields; f++) {
        if (g->owner[f] != player)
            continue;
        g->count[player]++;
        for (int i = beside(g, (uint32_t)f, next) - 1; i >= 0; i--) {
            if (g->owner[next[i]] != player || next[i] > f)
                continue;
            uint32_t a = root(g, next[i]), b = root(g, (uint32_t)f);
            if (a != b) {
                g->parent[b] = a;
                g->count[player]--;
            }
        }
    }
#endif
}

static bool is_wrong(gamma_t *g, uint32_t player, uint32_t x, uint32_t y) {
#if FAULT == 9 /* one column too many */
    return !g || !player || player > g->players || x > g->width || y >= g->height;
#else
    return !g || !player || player > g->players || x >= g->width || y >= g->height;
#endif
}

static uint32_t limit(gamma_t *g) {
#if FAULT == 1 /* one area too many */
    return g->areas < UINT32_MAX ? g->areas + 1 : g->areas;
#else
    return g->areas;
#endif
}

bool gamma_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y) {
    if (is_wrong(g, player, x, y))
        return false;
    uint32_t field = (uint32_t)((uint64_t)y * g->width + x);
    if (g->owner[field] != 0)
        return false;
    if (g->count[player] >= limit(g) && !touches(g, player, field))
        return false;
    put(g, player, field);
    g->old_count[player] = g->count[player];
    g->busy[player]++;
    g->free--;
    return true;
}

/* Whether a golden move is allowed; makes it if so and told to. */
static bool try_golden(gamma_t *g, uint32_t player, uint32_t field, bool is_made) {
    uint32_t victim = g->owner[field];
    if (victim == 0 || victim == player)
        return false;
    if (g->count[player] >= g->areas && !touches(g, player, field))
        return false;
    g->owner[field] = 0;
#if FAULT == 2 /* pieces stay one area */
    bool is_fine = true;
#elif FAULT == 13 /* forgets the victim when it only asks */
    if (is_made)
        recount(g, victim);
    bool is_fine = !is_made || g->count[victim] <= g->areas;
#else
    recount(g, victim);
    bool is_fine = g->count[victim] <= g->areas;
#endif
    if (is_fine && is_made) {
        put(g, player, field);
#if FAULT == 2
        if (g->busy[victim] == 1)
            g->count[victim] = 0;
#endif
        return true;
    }
    g->owner[field] = victim;
#if FAULT != 2
    recount(g, victim);
#endif
    return is_fine;
}

bool gamma_golden_move(gamma_t *g, uint32_t player, uint32_t x, uint32_t y) {
    if (is_wrong(g, player, x, y) || g->golden[player])
        return false;
    uint32_t field = (uint32_t)((uint64_t)y * g->width + x);
    uint32_t victim = g->owner[field];
#if FAULT == 5 /* an attempt that fails counts */
    if (victim != 0 && victim != player)
        g->golden[player] = true;
#endif
    if (!try_golden(g, player, field, true))
        return false;
    g->golden[player] = true;
    g->busy[player]++;
#if FAULT != 16 /* the victim keeps the field in its number */
    g->busy[victim]--;
#endif
    return true;
}

uint64_t gamma_busy_fields(gamma_t *g, uint32_t player) {
#if FAULT == 10 /* NULL */
    if (player == 0 || player > g->players)
        return 0;
#else
    if (!g || !player || player > g->players)
        return 0;
#endif
    return g->busy[player];
}

uint64_t gamma_free_fields(gamma_t *g, uint32_t player) {
    if (!g || !player || player > g->players)
        return 0;
#if FAULT == 3 /* does not hear of splits */
    uint32_t count = g->old_count[player];
#else
    uint32_t count = g->count[player];
#endif
    if (count < g->areas)
        return g->free;
    uint64_t free_fields = 0;
    for (uint64_t f = 0; f < g->fields; f++) {
#if FAULT == 8 /* counts a field for each neighbour */
        uint32_t next[8];
        for (int i = beside(g, (uint32_t)f, next) - 1; g->owner[f] == 0 && i >= 0; i--)
            free_fields += g->owner[next[i]] == player;
#else
        free_fields += g->owner[f] == 0 && touches(g, player, (uint32_t)f);
#endif
    }
    return free_fields;
}

bool gamma_golden_possible(gamma_t *g, uint32_t player) {
    if (!g || !player || player > g->players || g->golden[player])
        return false;
    for (uint64_t f = 0; f < g->fields; f++)
        if (try_golden(g, player, (uint32_t)f, false))
            return true;
    return false;
}

char *gamma_board(gamma_t *g) {
    if (!g)
        return NULL;
    size_t digits = (size_t)snprintf(NULL, 0, "%u", g->players);
    size_t cell = digits == 1 ? 1 : digits + 1;
    size_t size = ((size_t)g->width * cell + 1) * g->height;
#if FAULT == 18 /* no room for the end of the text */
    char *text = malloc(size);
#else
    char *text = malloc(size + 1);
#endif
#if FAULT != 14 /* does not look whether there is memory */
    if (!text)
        return NULL;
#endif
    char *at = text;
    for (uint32_t row = 0; row < g->height; row++) {
#if FAULT == 12 /* upside down */
        uint32_t y = row;
#else
        uint32_t y = g->height - 1 - row;
#endif
        for (uint32_t x = 0; x < g->width; x++) {
            uint32_t owner = g->owner[(uint64_t)y * g->width + x];
            char number[16];
            snprintf(number, sizeof number, owner ? "%u" : ".", owner);
            memset(at, ' ', cell);
            size_t length = strlen(number);
            memcpy(at + digits - length, number, length);
            at += cell;
        }
        *at++ = '\n';
    }
    *at = 0;
    return text;
}
