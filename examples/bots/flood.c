/* Plays Flood Wars in the contest's way: cc -O2 -o flood_c flood.c; floe match flood ./flood_c greedy */
#include <stdio.h>
#include <string.h>

enum { MOST = 1000 };
static char board[MOST][MOST + 1], after[MOST][MOST + 1];
static int rows, columns, todo[MOST * MOST];

/* Paints the one-coloured piece around a square and counts its squares. */
static int paint(char board[MOST][MOST + 1], int row, int column, char to) {
    static const int step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
    char from = board[row][column];
    int count = 0, left = 1;
    todo[0] = row * columns + column;
    board[row][column] = to;
    while (left > 0) {
        int at = todo[--left];
        count++;
        for (int way = 0; way < 4; way++) {
            int r = at / columns + step[way][0], c = at % columns + step[way][1];
            if (r < 0 || r >= rows || c < 0 || c >= columns || board[r][c] != from) continue;
            board[r][c] = to;
            todo[left++] = r * columns + c;
        }
    }
    return count;
}

int main(void) {
    char letter, best = 0;
    int most = -1;
    if (scanf(" %c", &letter) != 1) return 2;
    while (rows < MOST && scanf("%1000s", board[rows]) == 1) rows++;
    if (rows == 0) return 2;
    columns = strlen(board[0]);
    int row = letter == 'J' ? rows - 1 : 0, column = letter == 'J' ? 0 : columns - 1;
    char own = board[row][column], other = board[rows - 1 - row][columns - 1 - column];
    for (const char *colour = "@#+.*"; *colour; colour++) {
        if (*colour == own || *colour == other) continue;
        memcpy(after, board, sizeof board);
        paint(after, row, column, *colour);
        int count = paint(after, row, column, '!'); /* to any colour, only to count */
        if (count > most) most = count, best = *colour;
    }
    paint(board, row, column, best);
    printf("%c\n", letter == 'J' ? 'S' : 'J');
    for (int r = 0; r < rows; r++) puts(board[r]);
}
