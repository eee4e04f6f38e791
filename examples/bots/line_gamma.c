/* Plays Gamma in the line protocol: cc -O2 -o line_gamma line_gamma.c
 * floe match gamma line:./line_gamma greedy */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200 };
static char text[MOST + 3][1024];
static int board[MOST][MOST], seen[MOST][MOST], width, height; /* row 0 is the top one, 0 is free */

static int touches(int row, int column, int player) {
    return (row > 0 && board[row - 1][column] == player) || (row < height - 1 && board[row + 1][column] == player)
        || (column > 0 && board[row][column - 1] == player) || (column < width - 1 && board[row][column + 1] == player);
}

static void visit(int row, int column, int player) {
    if (row < 0 || row >= height || column < 0 || column >= width) return;
    if (seen[row][column] || board[row][column] != player) return;
    seen[row][column] = 1;
    visit(row - 1, column, player), visit(row + 1, column, player);
    visit(row, column - 1, player), visit(row, column + 1, player);
}

static int areas(int player) {
    int count = 0;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < width * height; i++)
        if (board[i / width][i % width] == player && !seen[i / width][i % width])
            visit(i / width, i % width, player), count++;
    return count;
}

static void say(int row, int column, const char *golden) { /* a1 is at the bottom left, after z comes aa */
    char letters[8] = "";
    for (column++; column > 0; column = (column - 1) / 26) {
        memmove(letters + 1, letters, sizeof letters - 2);
        letters[0] = 'a' + (column - 1) % 26;
    }
    printf("move %s%d%s\n", letters, height - row, golden);
}

static void play(int me) {
    int limit, mine;
    sscanf(text[0], "gamma %d %d %*d %d", &width, &height, &limit);
    for (int row = 0; row < height; row++) {
        char *at = text[row + 2];
        for (int column = 0; column < width; column++) {
            char field[2] = {*at, 0};
            if (!strchr(text[row + 2], ' ')) board[row][column] = atoi(field), at++; /* `.` is no number: 0 */
            else for (at += strspn(at, " "), board[row][column] = atoi(at); *at && *at != ' ';) at++;
        }
    }
    mine = areas(me);
    for (int i = 0; i < width * height; i++)
        if (board[i / width][i % width] == 0 && (mine < limit || touches(i / width, i % width, me))) {
            say(i / width, i % width, "");
            return;
        }
    for (int i = 0; i < width * height; i++) { /* nothing free will do: the golden move */
        int *field = &board[i / width][i % width], victim = *field;
        if (victim == 0 || victim == me) continue;
        *field = me;
        if (areas(me) <= limit && areas(victim) <= limit) { say(i / width, i % width, "!"); return; }
        *field = victim;
    }
}

int main(void) {
    int me = 1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* every line goes out at once */
    while (fgets(text[0], sizeof text[0], stdin)) {
        if (sscanf(text[0], "floe 1 gamma seat=%d", &me) == 1) puts("ok Ceasar");
        if (strncmp(text[0], "end", 3) == 0) return 0;
        if (strncmp(text[0], "position", 8) != 0) continue;
        for (int line = 0; line < MOST + 3 && fgets(text[line], sizeof text[0], stdin); line++) {
            text[line][strcspn(text[line], "\r\n")] = 0;
            if (strncmp(text[line], "go ", 3) == 0) { play(me); break; } /* before it came a dot */
        }
    }
}
