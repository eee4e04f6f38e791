/* Calls a student's Gamma library as scripts say, and prints what every call returns.
 *
 * Standard input has scripts: a line "= NAME", then a line for each call. Every script runs in a
 * process of its own, so that a crash ends nothing else. For each, standard output has its first line
 * again, a line with the answer to each call, and "end HOW NUMBER MS KIB": how its process ended
 * (exit, signal, time), its processor time and its largest size.
 *
 *   new W H P A    a new game           m P X Y, g P X Y, b P, f P, q P, p    its functions
 *   del            deletes the game     0m ..., 0b ... the same with NULL, 0del
 *   r P X Y U V    gamma_move on every field from (X, Y) to (U, V), row by row: how many were made
 *   fail N         the N-th allocation from now on fails; 0 for none
 *   live           how many blocks the library has allocated and not freed
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAS_HEADER
#include "gamma.h"
#else
typedef struct gamma gamma_t;
gamma_t *gamma_new(uint32_t, uint32_t, uint32_t, uint32_t);
void gamma_delete(gamma_t *);
bool gamma_move(gamma_t *, uint32_t, uint32_t, uint32_t);
bool gamma_golden_move(gamma_t *, uint32_t, uint32_t, uint32_t);
uint64_t gamma_busy_fields(gamma_t *, uint32_t);
uint64_t gamma_free_fields(gamma_t *, uint32_t);
bool gamma_golden_possible(gamma_t *, uint32_t);
char *gamma_board(gamma_t *);
#endif

#ifdef LIBRARY
#include <dlfcn.h>
/* A shared library is loaded by its path, whatever name it has for the linker. */
static __typeof__(gamma_new) *new_;
static __typeof__(gamma_delete) *delete_;
static __typeof__(gamma_move) *move_, *golden_move_;
static __typeof__(gamma_busy_fields) *busy_fields_, *free_fields_;
static __typeof__(gamma_golden_possible) *golden_possible_;
static __typeof__(gamma_board) *board_;
#define gamma_new new_
#define gamma_delete delete_
#define gamma_move move_
#define gamma_golden_move golden_move_
#define gamma_busy_fields busy_fields_
#define gamma_free_fields free_fields_
#define gamma_golden_possible golden_possible_
#define gamma_board board_

static void *symbol(char const *name) {
    static void *library;
    if (!library)
        library = dlopen(LIBRARY, RTLD_NOW);
    void *address = library ? dlsym(library, name) : NULL;
    if (!address) {
        fprintf(stderr, "%s\n", dlerror());
        exit(3);
    }
    return address;
}

static void load(void) {
    *(void **)&new_ = symbol("gamma_new");
    *(void **)&delete_ = symbol("gamma_delete");
    *(void **)&move_ = symbol("gamma_move");
    *(void **)&golden_move_ = symbol("gamma_golden_move");
    *(void **)&busy_fields_ = symbol("gamma_busy_fields");
    *(void **)&free_fields_ = symbol("gamma_free_fields");
    *(void **)&golden_possible_ = symbol("gamma_golden_possible");
    *(void **)&board_ = symbol("gamma_board");
}
#else
static void load(void) {
}
#endif

/* Volatile, as compilers know that free() does not look at it. */
static int volatile is_in_call;
static long live, until_failure;

#ifdef COUNTS_MEMORY
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

static bool fails(void) {
    return is_in_call && until_failure > 0 && --until_failure == 0;
}

void *malloc(size_t size) {
    void *block = fails() ? NULL : __libc_malloc(size);
    live += is_in_call && block;
    return block;
}

void *calloc(size_t count, size_t size) {
    void *block = fails() ? NULL : __libc_calloc(count, size);
    live += is_in_call && block;
    return block;
}

void *realloc(void *old, size_t size) {
    if (fails())
        return NULL;
    void *block = __libc_realloc(old, size);
    if (is_in_call)
        live += (block && !old) - (old && !block && size == 0);
    return block;
}

void free(void *block) {
    live -= is_in_call && block;
    __libc_free(block);
}
#endif

static gamma_t *game;

#define CALL(code)      \
    do {                \
        is_in_call = 1; \
        code;           \
        is_in_call = 0; \
    } while (0)

static void print_board(gamma_t *g) {
    char *text;
    CALL(text = gamma_board(g));
    if (!text) {
        printf("null\n");
        return;
    }
    for (char *c = text; *c; c++)
        putchar(*c == '\n' ? '/' : *c >= ' ' && *c <= '~' ? *c : '?');
    putchar('\n');
    CALL(free(text));
}

static void obey(char *line) {
    gamma_t *g = game;
    uint32_t a[5] = {0, 0, 0, 0, 0};
    char word[8] = "";
    if (*line == '0') {
        g = NULL;
        line++;
    }
    sscanf(line, "%7s %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32, word, a, a + 1, a + 2,
           a + 3, a + 4);
    bool is = false;
    uint64_t number = 0;
    if (!strcmp(word, "new")) {
        CALL(game = gamma_new(a[0], a[1], a[2], a[3]));
        printf("%s\n", game ? "game" : "null");
    } else if (!strcmp(word, "del")) {
        CALL(gamma_delete(g));
        if (g)
            game = NULL;
        printf("ok\n");
    } else if (!strcmp(word, "m")) {
        CALL(is = gamma_move(g, a[0], a[1], a[2]));
        printf("%d\n", is);
    } else if (!strcmp(word, "g")) {
        CALL(is = gamma_golden_move(g, a[0], a[1], a[2]));
        printf("%d\n", is);
    } else if (!strcmp(word, "b")) {
        CALL(number = gamma_busy_fields(g, a[0]));
        printf("%" PRIu64 "\n", number);
    } else if (!strcmp(word, "f")) {
        CALL(number = gamma_free_fields(g, a[0]));
        printf("%" PRIu64 "\n", number);
    } else if (!strcmp(word, "q")) {
        CALL(is = gamma_golden_possible(g, a[0]));
        printf("%d\n", is);
    } else if (!strcmp(word, "p")) {
        print_board(g);
    } else if (!strcmp(word, "r")) {
        for (uint32_t y = a[2]; y <= a[4]; y++) {
            for (uint32_t x = a[1]; x <= a[3]; x++) {
                CALL(is = gamma_move(g, a[0], x, y));
                number += is;
            }
        }
        printf("%" PRIu64 "\n", number);
    } else if (!strcmp(word, "fail")) {
        until_failure = a[0];
        printf("ok\n");
    } else if (!strcmp(word, "live")) {
        printf("%ld\n", live);
    } else {
        printf("?\n");
    }
    fflush(stdout);
}

/* The text of one script; its lines end in NUL bytes afterwards. */
static void run(char *text, char *end, unsigned seconds) {
    struct rlimit limit = {seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = limit.rlim_max = 0;
    setrlimit(RLIMIT_CORE, &limit);
    while (text < end) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop)
            stop = end;
        *stop = 0;
        obey(text);
        text = stop + 1;
    }
}

static char const *how(int status, int *number) {
    if (WIFEXITED(status)) {
        *number = WEXITSTATUS(status);
        return "exit";
    }
    *number = WTERMSIG(status);
    return *number == SIGXCPU || *number == SIGKILL ? "time" : "signal";
}

int main(int count, char **words) {
    static char output[1 << 16], errors[1 << 12];
    unsigned seconds = count > 1 ? (unsigned)atoi(words[1]) : 2;
    load();
    size_t size = 0, room = 1 << 20;
    char *text = malloc(room + 1);
    for (ssize_t got; text && (got = read(0, text + size, room - size)) > 0;) {
        size += (size_t)got;
        if (size == room)
            text = realloc(text, (room *= 2) + 1);
    }
    if (!text)
        return 1;
    text[size] = '\n';
    setvbuf(stdout, output, _IOFBF, sizeof output);
    setvbuf(stderr, errors, _IOLBF, sizeof errors);
    char *end = text + size;
    for (char *script = text; script < end;) {
        char *name_end = memchr(script, '\n', (size_t)(end - script) + 1);
        char *next = name_end + 1;
        while (next < end && *next != '=') {
            next = memchr(next, '\n', (size_t)(end - next) + 1);
            next++;
        }
        printf("%.*s\n", (int)(name_end - script), script);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            run(name_end + 1, next > end ? end : next, seconds);
            fflush(stdout);
            _exit(0);
        }
        int status = 0, number = 0;
        struct rusage used;
        if (child < 0 || wait4(child, &status, 0, &used) < 0)
            return 1;
        char const *ended = how(status, &number);
        long ms = used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000;
        ms += used.ru_stime.tv_sec * 1000 + used.ru_stime.tv_usec / 1000;
        printf("end %s %d %ld %ld\n", ended, number, ms, used.ru_maxrss);
        fflush(stdout);
        script = next;
    }
    return 0;
}
