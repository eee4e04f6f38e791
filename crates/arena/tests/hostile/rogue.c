/* Programs that know the rules and break them: argv[1] says how, argv[2] marks its processes. It plays
 * Penguins and Flood Wars in the contests' ways, and Flood Wars by the line protocol. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define IS(name) (strcmp(deed, name) == 0)
#define MIB (1024 * 1024)

static const char *deed, *more = "";
static char text[1 << 16], answer[1 << 17], block[65536];

static void forever(void) { for (;;) pause(); }

static void tried(const char *what, int did) { fprintf(stderr, "%s: %s\n", what, did ? "done" : "refused"); }

/* What is done between the question and the answer. */
static void act(void) {
    fprintf(stderr, "about to %s\n", deed);
    if (IS("hang")) for (volatile long n = 0;; n++) {}
    if (IS("sleep")) usleep(atoi(more) * 1000);
    if (IS("exit")) _exit(atoi(more));
    if (IS("segfault")) *(volatile int *)8 = 1;
    if (IS("abort")) abort();
    /* 512 processes: enough to be noticed, too few to take the machine along if nothing holds. */
    if (IS("forkbomb")) { for (int n = 0; n < 9; n++) fork(); forever(); }
    if (IS("orphan") && fork() == 0) {
        setsid();
        if (fork() == 0) { close(0); close(1); close(2); forever(); }
        _exit(0);
    }
    if (IS("malloc")) for (;;) { char *p = malloc(MIB); if (!p) _exit(3); memset(p, 1, MIB); }
    if (IS("reserve") && mmap(NULL, 1024 * MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) _exit(9);
    if (IS("shared")) for (;;) {
        char *p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) { perror("shared"); _exit(9); }
        memset(p, 1, MIB);
    }
    if (IS("family")) {
        for (int n = 0; n < 8; n++) if (fork() == 0) { memset(malloc(16 * MIB), 1, 16 * MIB); forever(); }
        forever();
    }
    if (IS("babble")) { memset(block, 'x', sizeof block); for (;;) if (write(1, block, sizeof block) < 0) _exit(3); }
    if (IS("gigabyte")) {
        memset(block, 'e', sizeof block);
        for (int n = 0; n < 16384; n++) if (write(2, block, sizeof block) < 0) _exit(3);
        fputs("\nthe end\n", stderr);
    }
    if (IS("read")) tried("reading", open(more, O_RDONLY) >= 0);
    if (IS("write")) { int fd = open(more, O_WRONLY | O_CREAT, 0666); tried("writing", fd >= 0 && write(fd, "x", 1) == 1); }
    if (IS("here")) { int fd = open("notes", O_WRONLY | O_CREAT, 0666); write(fd, "x", 1); close(fd); }
    if (IS("socket")) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        tried("connecting", connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to) == 0);
    }
    if (IS("parent")) { tried("killing", kill(getppid(), SIGKILL) == 0); usleep(50000); }
    /* Beside the answer, what cannot be put elsewhere. */
    if (IS("odd")) {
        static char target[4095];
        memset(target, 'x', sizeof target - 1);
        tried("linking", symlink(target, "long") == 0);
        tried("making a device", mknod("white", S_IFCHR, 0) == 0);
        mkdir("closed", 0);
    }
    if (IS("files")) for (int n = 0; n < atoi(more); n++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", n);
        close(open(name, O_WRONLY | O_CREAT, 0666));
    }
    if (IS("mute")) { close(1); forever(); }
}

/* What is done to a right answer: how many bytes of it are given. */
static size_t spoil(void) {
    size_t length = strlen(answer);
    if (IS("half")) return length / 2;
    if (IS("nul")) { answer[length - 3] = 0; return length; }
    if (IS("utf8")) { answer[length - 3] = '\xff'; return length; }
    if (IS("garbage")) strcat(answer, "and that is that\n");
    if (IS("empty")) return 0;
    return strlen(answer);
}

static void give(int fd) {
    size_t length = spoil();
    if (write(fd, answer, length) < 0) _exit(4);
    if (IS("half") && *more) forever();
}

static void penguins(char **words, int count) {
    const char *name = "rogue", *in = words[count - 2], *out = words[count - 1];
    int rows, columns, used, seats = 0, me = 0, score = 0, caught = 0, fd = open(in, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text - 1) < 0) _exit(3);
    sscanf(text, "%d %d%n", &rows, &columns, &used);
    char *board = text + used + 1, *lines = board + rows * columns * 3, before[1024] = "", after[1024] = "", copy[1024];
    snprintf(copy, sizeof copy, "%s", lines);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"), seats++) {
        if (sscanf(line, "rogue %d %d", &me, &score) == 2) continue;
        strcat(strcat(me ? after : before, line), "\n");
    }
    int is_new = me == 0, mover = is_new ? seats + 1 : me;
    if (is_new) me = mover;
    act();
    if (IS("seat") || (IS("steal") && !strcmp(words[3], "phase=movement"))) mover = 3 - me;
    for (int at = 0; at < rows * columns && !caught; at++) {
        char *field = board + 3 * at;
        if (strcmp(words[3], "phase=movement") != 0) {
            if (field[0] != '1' || field[1] != '0') continue;
            field[0] = '0', field[1] = '0' + mover, caught = 1;
            continue;
        }
        if (field[1] != '0' + mover) continue;
        int near[4] = {at % columns ? at - 1 : -1, (at + 1) % columns ? at + 1 : -1, at - columns, at + columns};
        for (int way = 0; way < 4 && !caught; way++) {
            char *to = board + 3 * near[way];
            if (near[way] < 0 || near[way] >= rows * columns || to[0] == '0' || to[1] != '0') continue;
            caught = to[0] - '0', to[0] = '0', to[1] = field[1], field[0] = field[1] = '0';
        }
    }
    if (IS("score")) caught += 5;
    if (IS("field")) for (int at = 0; at < rows * columns; at++) if (board[3 * at] == '2') { board[3 * at] = '3'; break; }
    if (IS("foreign")) before[strlen(before) - 2] = '9';
    *lines = 0;
    snprintf(answer, sizeof answer, "%s%s%s %d %d\n%s", text, before, name, me, score + caught, after);
    if (IS("link")) { unlink(out); symlink("/etc/passwd", out); exit(0); }
    if (IS("input")) { int fd = open(in, O_WRONLY | O_TRUNC); write(fd, "mine\n", 5); close(fd); }
    give(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666));
    if (IS("shut")) chmod(".", 0);
    exit(0);
}

static char colours[2]; /* of J and of S */

static char choose(const char *board) {
    size_t width = strcspn(board, "\n"), length = strlen(board);
    colours[0] = board[length - width - 1], colours[1] = board[width - 1];
    for (const char *colour = "@#+.*";; colour++) if (*colour != colours[0] && *colour != colours[1]) return *colour;
}

static void paint(char *board, int width, int at, int length, char from, char to) {
    if (at < 0 || at >= length || board[at] != from) return;
    board[at] = to;
    paint(board, width, at - 1, length, from, to), paint(board, width, at + 1, length, from, to);
    paint(board, width, at - width, length, from, to), paint(board, width, at + width, length, from, to);
}

static void flood(void) {
    char *board = strchr(text, '\n') + 1, letter = *text;
    int width = strcspn(board, "\n"), length = strlen(board), is_j = letter == 'J';
    act();
    char to = choose(board);
    paint(board, width + 1, is_j ? length - width - 1 : width - 1, length, colours[!is_j], to);
    if (IS("square")) board[width / 2] = board[width / 2] == '@' ? '#' : '@';
    snprintf(answer, sizeof answer, "%c\n%s", is_j != IS("seat") ? 'S' : 'J', board);
    give(1);
    exit(0);
}

static void line(void) {
    static char row[4096];
    int moves = 0;
    printf(IS("rude") ? "hello\n" : "ok rogue\n");
    if (IS("deaf")) exit(0);
    while (fgets(row, sizeof row, stdin) && strncmp(row, "end", 3)) {
        if (strncmp(row, "position", 8)) continue;
        for (*text = 0; fgets(row, sizeof row, stdin) && strcmp(row, ".\n");) strcat(text, row);
        fgets(row, sizeof row, stdin);
        if (moves++ > 0) act(); /* the first move is an honest one */
        char colour = choose(strchr(text, '\n') + 1);
        if (moves == 1) { printf("info fresh\nmove %c\n", colour); continue; }
        if (IS("seat")) colour = colours[1];
        snprintf(answer, sizeof answer, "move %c%s\n", colour, IS("garbage") ? " by the way" : "");
        if (IS("twice")) strcat(answer, "move @\n"); /* in one breath */
        if (IS("garbage")) write(1, answer, strlen(answer)); else give(1);
    }
    if (IS("farewell")) fputs("good game\n", stderr);
    exit(0);
}

int main(int count, char **words) {
    if (count < 3) return 99;
    deed = words[1];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strchr(deed, '=')) { more = strchr(deed, '=') + 1; deed = strndup(deed, more - deed - 1); }
    if (count > 3 && strcmp(words[3], "name") == 0) return puts("rogue"), 0;
    if (count > 4) penguins(words, count);
    for (size_t length = 0; fgets(text + length, sizeof text - length, stdin); length += strlen(text + length))
        if (length == 0 && strncmp(text, "floe ", 5) == 0) line();
    flood();
}
