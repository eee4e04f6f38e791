/* A terminal game of Gamma as a student may write it, with the library beside it. TERMINAL_FAULT names one
 * of the mistakes in it; 0 for none. Commands of batch mode are not known. */
#include "gamma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#ifndef TERMINAL_FAULT
#define TERMINAL_FAULT 0
#endif

static gamma_t *game;
static uint32_t width, height, players, areas, column, row;

static bool can_move(uint32_t player) {
    return gamma_free_fields(game, player) > 0 || gamma_golden_possible(game, player);
}

static uint32_t next(uint32_t player) {
    for (uint32_t i = 0; i < players; i++) {
        player = player % players + 1;
#if TERMINAL_FAULT != 1 /* passes nobody over */
        if (can_move(player))
#endif
            return player;
    }
    return 0;
}

static void draw(uint32_t player) {
    char *board = gamma_board(game);
    printf("\x1b[2J\x1b[1;1H");
    for (char *c = board; *c; c++)
        printf(*c == '\n' ? "\r\n" : "%c", *c);
    free(board);
    bool is_golden = gamma_golden_possible(game, player);
#if TERMINAL_FAULT == 2 /* forgets the golden move in the prompt */
    is_golden = false;
#endif
    printf("PLAYER %u %llu %llu%s", player, (unsigned long long)gamma_busy_fields(game, player),
           (unsigned long long)gamma_free_fields(game, player), is_golden ? " G" : "");
    printf("\x1b[%u;%uH", height - row, column + 1);
    fflush(stdout);
}

static void arrow(int key) {
    if (key == 'A' && row + 1 < height)
        row++;
    if (key == 'B' && row > 0)
        row--;
#if TERMINAL_FAULT == 3 /* the wall on the right lets the cursor around */
    if (key == 'C')
        column = (column + 1) % width;
#else
    if (key == 'C' && column + 1 < width)
        column++;
#endif
    if (key == 'D' && column > 0)
        column--;
}

static void play(void) {
    uint32_t player = 1;
    for (;;) {
        draw(player);
        int key = getchar();
        if (key == EOF || key == 4)
            return;
        bool is_done = false;
        if (key == 27 && getchar() == '[')
            arrow(getchar());
        else if (key == ' ')
            is_done = gamma_move(game, player, column, row);
        else if (key == 'G' || key == 'g')
            is_done = gamma_golden_move(game, player, column, row);
#if TERMINAL_FAULT == 4 /* the small letter gives no turn up */
        else if (key == 'C')
#else
        else if (key == 'C' || key == 'c')
#endif
            is_done = true;
#if TERMINAL_FAULT == 5 /* a wrong move costs the turn */
        is_done |= key == ' ';
#endif
        if (is_done && !(player = next(player)))
            return;
    }
}

int main(void) {
    setvbuf(stdin, NULL, _IONBF, 0);
    char line[100];
    if (!fgets(line, sizeof line, stdin) ||
        sscanf(line, "I %u %u %u %u", &width, &height, &players, &areas) != 4)
        return 0;
    game = gamma_new(width, height, players, areas);
    if (!game)
        return 1;
    struct termios old, raw;
    tcgetattr(0, &old);
    raw = old;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(0, TCSAFLUSH, &raw);
    play();
    tcsetattr(0, TCSAFLUSH, &old);
    printf("\x1b[2J\x1b[1;1H");
#if TERMINAL_FAULT != 6 /* shows no board at the end */
    char *board = gamma_board(game);
    printf("%s", board);
    free(board);
#endif
    for (uint32_t player = 1; player <= players; player++)
        printf("PLAYER %u %llu\n", player, (unsigned long long)gamma_busy_fields(game, player));
    gamma_delete(game);
    return 0;
}
