/* Plays Penguins in the contest's way: cc -O2 -o penguins_c penguins.c; floe match penguins ./penguins_c greedy */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200, NOTHING = 1, WRONG_STATE = 2, TROUBLE = 3 };
static const char *NAME = "floeberg";
static char text[1 << 20], copy[1 << 20], id[10][1024];
static int fish[MOST][MOST], owner[MOST][MOST], number[10], score[10], rows, columns, players, me = -1;

static int stop(int code, const char *why) { fprintf(stderr, "%s\n", why); exit(code); }

static void read_state(void) {
    int used, taken[10] = {0};
    char *at = strcpy(copy, text), field[3];
    if (sscanf(at, "%d %d%n", &rows, &columns, &used) != 2 || rows < 1 || columns < 1 || rows > MOST || columns > MOST)
        stop(WRONG_STATE, "line 1 is not the size of the board");
    at += used;
    for (int i = 0; i < rows * columns; i++, at += used) {
        if (sscanf(at, "%2s%n", field, &used) != 1 || strlen(field) != 2 || !isdigit(field[1]) || !strchr("0123", field[0])
            || (at[used] && !isspace(at[used])))
            stop(WRONG_STATE, "a field is not two digits");
        if ((strcspn(at, "\n") < (size_t)used - 2) != (i % columns == 0)) stop(WRONG_STATE, "a row is too short or too long");
        fish[i / columns][i % columns] = field[0] - '0', owner[i / columns][i % columns] = field[1] - '0';
    }
    for (char *line = strtok(at, "\r\n"); line; line = strtok(NULL, "\r\n"), players++) {
        int parts = sscanf(line, "%1023s %d %d%n", id[players], &number[players], &score[players], &used);
        if (parts < 1) break; /* nothing but white space */
        if (parts != 3 || line[used + strspn(line + used, " \t")] || players == 9 || number[players] < 1
            || number[players] > 9 || taken[number[players]]++ || score[players] < 0)
            stop(WRONG_STATE, "a player's line is wrong");
        for (int i = 0; i < players; i++) if (!strcmp(id[i], id[players])) stop(WRONG_STATE, "a name is there twice");
        if (strcmp(id[players], NAME) == 0) me = players;
    }
    for (int i = 0; i < rows * columns; i++)
        if (owner[i / columns][i % columns] && !taken[owner[i / columns][i % columns]]) stop(WRONG_STATE, "a penguin belongs to no player");
}

int main(int count, char **words) {
    static const int step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
    char *files[2], *phase = "", *most = "";
    int given = 0, best = 0, from = -1, to = -1, own = 0;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "name") == 0) return puts(NAME), 0;
        if (strncmp(words[i], "phase=", 6) == 0) phase = words[i] + 6;
        else if (strncmp(words[i], "penguins=", 9) == 0) most = words[i] + 9;
        else if (given++ < 2) files[given - 1] = words[i];
    }
    int placing = strcmp(phase, "placement") == 0;
    if (given != 2 || (!placing && strcmp(phase, "movement") != 0) || (placing && atoi(most) < 1))
        stop(TROUBLE, "usage: phase=placement penguins=N in out, or phase=movement in out, or name");
    FILE *file = fopen(files[0], "rb");
    if (!file) stop(TROUBLE, "the input file cannot be read");
    fread(text, 1, sizeof text - 1, file), fclose(file);
    read_state();
    int is_new = me < 0;
    if (is_new) {
        me = players, strcpy(id[me], NAME);
        for (int i = number[me] = 1; i <= players; i++) /* the lowest free number */
            for (int other = 0; other < players; other++) if (number[other] == number[me]) number[me]++, i = 1;
    }
    for (int i = 0; i < rows * columns; i++) own += owner[i / columns][i % columns] == number[me];
    for (int i = 0; i < rows * columns; i++) {
        int row = i / columns, column = i % columns;
        if (placing && own < atoi(most) && owner[row][column] == 0 && fish[row][column] == 1) best = 1, to = i;
        if (placing || is_new || owner[row][column] != number[me]) continue;
        for (int way = 0; way < 4; way++)
            for (int r = row + step[way][0], c = column + step[way][1];
                 r >= 0 && r < rows && c >= 0 && c < columns && fish[r][c] > 0 && owner[r][c] == 0; r += step[way][0], c += step[way][1])
                if (fish[r][c] > best) best = fish[r][c], from = i, to = r * columns + c;
    }
    if (!(file = fopen(files[1], "wb"))) stop(TROUBLE, "the output file cannot be written");
    if (best == 0) return fputs(text, file), fclose(file), NOTHING; /* the state arrives as it came */
    players += is_new, score[me] += best;
    if (from >= 0) fish[from / columns][from % columns] = owner[from / columns][from % columns] = 0;
    fish[to / columns][to % columns] = 0, owner[to / columns][to % columns] = number[me];
    fprintf(file, "%d %d\n", rows, columns);
    for (int i = 0; i < rows * columns; i++)
        fprintf(file, "%d%d%c", fish[i / columns][i % columns], owner[i / columns][i % columns], (i + 1) % columns ? ' ' : '\n');
    for (int i = 0; i < players; i++) fprintf(file, "%s %d %d\n", id[i], number[i], score[i]);
    return fclose(file) ? TROUBLE : 0;
}
